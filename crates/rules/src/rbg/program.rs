//! What the rules are compiled to: straight code over sets of cells, with loops.
//!
//! A program begins on one cell and finds, for every modifier that may come next, the cells at which it can be applied:
//! all ways of reaching them at once, as long as nothing changes on the way.

/// A number of a register, which holds a set of cells.
pub(super) type Register = u16;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Op {
    /// A set that depends on nothing.
    Const {
        to: Register,
        set: u32,
    },
    /// A set that depends on the first cell alone.
    Table {
        to: Register,
        table: u32,
    },
    /// Cells with a piece of a mask.
    On {
        to: Register,
        from: Register,
        mask: u16,
    },
    OnConst {
        to: Register,
        set: u32,
        mask: u16,
    },
    OnTable {
        to: Register,
        table: u32,
        mask: u16,
    },
    Walk {
        to: Register,
        from: Register,
        walk: u16,
    },
    Or {
        to: Register,
        a: Register,
        b: Register,
    },
    AndNot {
        to: Register,
        a: Register,
        b: Register,
    },
    /// Cells at which a look-ahead holds.
    Look {
        to: Register,
        from: Register,
        look: u16,
    },
    /// The first cell, if a look-ahead holds there.
    LookHere {
        to: Register,
        look: u16,
    },
    /// All of `from` if a comparison holds, else nothing.
    If {
        to: Register,
        from: Register,
        comparison: u16,
    },
    /// A set if `from` has a cell.
    Any {
        to: Register,
        from: Register,
        set: u32,
    },
    /// The rows of a table for all cells of `from`.
    Spread {
        to: Register,
        from: Register,
        table: u32,
    },
    /// Everything that steps reach from `from`, each step onto cells of a mask.
    Fill {
        to: Register,
        from: Register,
        fill: u16,
    },
    /// A line from the first cell up to the first of its cells that is not of a mask. `beyond` has the line from there on;
    /// `up` says whether the line goes to higher bits.
    Ray {
        to: Register,
        lines: u32,
        beyond: u32,
        mask: u16,
        up: bool,
    },
    /// Begins a loop.
    Enter {
        to: Register,
        from: Register,
    },
    /// Adds `from` to `to`, and goes back after the operation `start` if that was more than before.
    Repeat {
        to: Register,
        from: Register,
        start: u16,
    },
}

impl Op {
    /// The register that is written, and those that are read.
    pub fn registers(self) -> (Register, [Option<Register>; 2]) {
        match self {
            Self::Const { to, .. } | Self::Table { to, .. } => (to, [None, None]),
            Self::OnConst { to, .. } | Self::OnTable { to, .. } | Self::Ray { to, .. } | Self::LookHere { to, .. } => {
                (to, [None, None])
            }
            Self::On { to, from, .. }
            | Self::Walk { to, from, .. }
            | Self::Look { to, from, .. }
            | Self::If { to, from, .. }
            | Self::Any { to, from, .. }
            | Self::Spread { to, from, .. }
            | Self::Fill { to, from, .. }
            | Self::Enter { to, from } => (to, [Some(from), None]),
            Self::Repeat { to, from, .. } => (to, [Some(from), Some(to)]),
            Self::Or { to, a, b } | Self::AndNot { to, a, b } => (to, [Some(a), Some(b)]),
        }
    }
}

/// A set of cells known before or found by a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Value {
    Empty,
    Const(u32),
    Table(u32),
    Register(Register),
}

/// A modifier that may come next.
#[derive(Clone, Copy, Debug)]
pub(super) struct Out {
    /// [`END`] for the end of a look-ahead.
    pub modifier: u16,
    /// Where.
    pub cells: Value,
    /// The only cell is the one the program began on.
    pub here: bool,
    pub is_switch: bool,
}

/// Stands for the end of a look-ahead among modifiers.
pub(super) const END: u16 = u16::MAX;

#[derive(Clone, Debug, Default)]
pub(super) struct Program {
    pub ops: Vec<Op>,
    /// In the order of the modifiers in the rules.
    pub outs: Vec<Out>,
    pub registers: usize,
    /// Whether the first cell matters.
    pub uses_cell: bool,
    /// Whether only switches may come next.
    pub switches_alone: bool,
    /// Bits that tell the modifiers apart.
    pub choice_bits: u32,
}

/// Cells that some steps reach, each onto a cell of a mask.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Fill {
    pub walks: Vec<u16>,
    pub mask: u16,
}
