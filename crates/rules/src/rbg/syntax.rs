//! Rules as a tree: what remains when macros are expanded and powers are written out.

/// A set of pieces, bit p for piece p.
pub(super) type PieceMask = u128;

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Node {
    /// One after the other; nothing at all if empty.
    Sequence(Vec<Node>),
    /// One of them.
    Sum(Vec<Node>),
    /// Any number of times.
    Star(Box<Node>),
    /// To the neighbour in this direction.
    Shift(u8),
    /// One of these pieces is on the current cell.
    On(PieceMask),
    /// Puts this piece on the current cell.
    Put(u8),
    /// Sets a variable; fails outside of its bounds.
    Assign(u8, Arithmetic),
    Compare(Comparison, Arithmetic, Arithmetic),
    /// Whether the contained rules have a path from here, or have none if negated.
    Look {
        negated: bool,
        rules: Box<Node>,
    },
    /// The player who chooses next.
    Player(u8),
    /// The rules themselves go on, by any path.
    Keeper,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Comparison {
    Equal,
    Unequal,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

impl Comparison {
    pub fn holds(self, left: i64, right: i64) -> bool {
        match self {
            Self::Equal => left == right,
            Self::Unequal => left != right,
            Self::Less => left < right,
            Self::LessOrEqual => left <= right,
            Self::Greater => left > right,
            Self::GreaterOrEqual => left >= right,
        }
    }

    pub fn sign(self) -> &'static str {
        match self {
            Self::Equal => "==",
            Self::Unequal => "!=",
            Self::Less => "<",
            Self::LessOrEqual => "<=",
            Self::Greater => ">",
            Self::GreaterOrEqual => ">=",
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Arithmetic {
    Number(i64),
    Variable(u8),
    /// How many of this piece are on the board.
    Count(u8),
    Operation(Operator, Box<Arithmetic>, Box<Arithmetic>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Operator {
    Add,
    Subtract,
    Multiply,
    Divide,
}

impl Operator {
    /// `None` where there is no result: division by zero, or a number of more than 62 bits.
    pub fn apply(self, left: i64, right: i64) -> Option<i64> {
        let result = match self {
            Self::Add => left.checked_add(right),
            Self::Subtract => left.checked_sub(right),
            Self::Multiply => left.checked_mul(right),
            Self::Divide => left.checked_div(right),
        };
        result.filter(|result| result.unsigned_abs() < 1 << 62)
    }

    pub fn sign(self) -> &'static str {
        match self {
            Self::Add => "+",
            Self::Subtract => "-",
            Self::Multiply => "*",
            Self::Divide => "/",
        }
    }
}

impl Arithmetic {
    /// The value if it depends on nothing.
    pub fn constant(&self) -> Option<i64> {
        match self {
            Self::Number(number) => Some(*number),
            Self::Variable(_) | Self::Count(_) => None,
            Self::Operation(operator, left, right) => operator.apply(left.constant()?, right.constant()?),
        }
    }

    /// Calls `use_variable` for every variable that is read.
    pub fn variables(&self, use_variable: &mut impl FnMut(u8)) {
        match self {
            Self::Variable(variable) => use_variable(*variable),
            Self::Operation(_, left, right) => {
                left.variables(use_variable);
                right.variables(use_variable);
            }
            Self::Number(_) | Self::Count(_) => {}
        }
    }
}
