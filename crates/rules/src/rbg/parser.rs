//! Tokens into declarations, a board and the tree of the rules.

use std::collections::HashMap;

use super::board::{self, Board};
use super::error::Fault;
use super::lexer::{Kind, Name, Names, Token};
use super::limits;
use super::macros::{Constant, Definitions};
use super::syntax::{Arithmetic, Comparison, Node, Operator, PieceMask};

/// A rules file, read.
pub(super) struct Parsed {
    /// Names and largest scores, in order of seats.
    pub players: Vec<(String, u32)>,
    /// Names, sorted: the order does not matter for the rules.
    pub pieces: Vec<String>,
    /// The scores of the players, then the declared variables sorted by name: names and bounds.
    pub variables: Vec<(String, u32)>,
    pub board: Board,
    pub rules: Node,
    /// Where the section of the rules begins, for errors that belong to no other place.
    pub rules_at: u32,
    /// Where the section of the players begins.
    pub players_at: u32,
    pub constants: Vec<Constant>,
    pub warnings: Vec<String>,
}

pub(super) fn parse(text: &str, overrides: &[(String, String)]) -> Result<Parsed, Fault> {
    let names = &mut Names::default();
    let mut definitions = Definitions::read(text, names, overrides)?;
    let mut budget = limits::TOKENS;
    let mut section = |place: usize, names: &mut Names| definitions.section(place, names, &mut budget);

    let (tokens, at) = section(0, names)?;
    let players = Reader::new(&tokens, at, names).bounded("player")?;
    let (tokens, at) = section(1, names)?;
    let pieces = Reader::new(&tokens, at, names).list("piece")?;
    let (tokens, at) = section(2, names)?;
    let variables = Reader::new(&tokens, at, names).bounded("variable")?;
    let (board_tokens, board_at) = section(3, names)?;
    let (rules_tokens, rules_at) = section(4, names)?;

    if players.is_empty() || players.len() > 8 {
        let message = format!("{} players: expected 1 to 8 in #players", players.len());
        return Err(Fault::new(definitions.place(0), message));
    }
    if pieces.is_empty() || pieces.len() > limits::PIECES {
        let message = format!("{} pieces: expected 1 to {} in #pieces", pieces.len(), limits::PIECES);
        return Err(Fault::new(definitions.place(1), message));
    }
    if players.len() + variables.len() > limits::VARIABLES {
        let message = format!("{} variables: expected at most {}", variables.len(), limits::VARIABLES);
        return Err(Fault::new(definitions.place(2), message));
    }
    let mut what: HashMap<Name, &'static str> = HashMap::new();
    let declared = players.iter().map(|&(name, at, _)| (name, at, "player"));
    let declared = declared.chain(pieces.iter().map(|&(name, at)| (name, at, "piece")));
    let declared = declared.chain(variables.iter().map(|&(name, at, _)| (name, at, "variable")));
    for (name, at, kind) in declared {
        if definitions.is_plain_word(name) {
            let message = format!("{:?} is a word of the prelude: choose another name", names.text(name));
            return Err(Fault::new(at, message));
        }
        if let Some(other) = what.insert(name, kind) {
            return Err(Fault::new(at, format!("{:?} is declared as a {other} already", names.text(name))));
        }
    }
    let mut sorted: Vec<Name> = pieces.iter().map(|&(name, _)| name).collect();
    sorted.sort_by(|&a, &b| names.text(a).cmp(names.text(b)));
    let piece_places: HashMap<Name, u8> = sorted.iter().enumerate().map(|(place, &name)| (name, place as u8)).collect();
    let mut ordered: Vec<(Name, u32)> = variables.iter().map(|&(name, _, bound)| (name, bound)).collect();
    ordered.sort_by(|a, b| names.text(a.0).cmp(names.text(b.0)));
    let seats: Vec<(Name, u32)> = players.iter().map(|&(name, _, bound)| (name, bound)).collect();
    let all: Vec<(Name, u32)> = seats.iter().chain(&ordered).copied().collect();
    let variable_places = all.iter().enumerate().map(|(place, &(name, _))| (name, place as u8)).collect();

    let taken = |name: Name| what.get(&name).copied();
    let mut reader = Reader::new(&board_tokens, board_at, names);
    let (board, directions) = board::read(&mut reader, names, &piece_places, &taken)?;
    let mut rules = Rules {
        reader: Reader::new(&rules_tokens, rules_at, names),
        pieces: &piece_places,
        variables: variable_places,
        players: players.len(),
        directions,
        actions: 0,
        looking: 0,
    };
    if rules_tokens.is_empty() {
        return Err(Fault::new(rules_at, "the section #rules is empty"));
    }
    let node = rules.sum(0)?.0;
    rules.reader.end("the rules")?;
    let written = |list: &[(Name, u32)]| list.iter().map(|&(n, bound)| (names.text(n).to_string(), bound)).collect();
    Ok(Parsed {
        players: written(&seats),
        pieces: sorted.iter().map(|&name| names.text(name).to_string()).collect(),
        variables: written(&all),
        board,
        rules: node,
        rules_at,
        players_at: definitions.place(0),
        constants: std::mem::take(&mut definitions.constants),
        warnings: std::mem::take(&mut definitions.warnings),
    })
}

/// Tokens of a section, from the first to the last.
pub(super) struct Reader<'a> {
    tokens: &'a [Token],
    place: usize,
    /// Where the section begins.
    pub at: u32,
    names: &'a Names,
}

impl<'a> Reader<'a> {
    fn new(tokens: &'a [Token], at: u32, names: &'a Names) -> Self {
        Self { tokens, place: 0, at, names }
    }

    pub fn peek(&self) -> Option<Token> {
        self.tokens.get(self.place).copied()
    }

    pub fn peek_second(&self) -> Option<Token> {
        self.tokens.get(self.place + 1).copied()
    }

    pub fn next(&mut self) -> Option<Token> {
        let token = self.peek();
        self.place += 1;
        token
    }

    /// The place of the next token, or of the last one at the end.
    pub fn here(&self) -> u32 {
        self.peek().or(self.tokens.last().copied()).map_or(self.at, |token| token.at)
    }

    pub fn accept(&mut self, sign: &str) -> bool {
        let there = self.peek().is_some_and(|token| token.is(sign));
        self.place += usize::from(there);
        there
    }

    pub fn expect(&mut self, sign: &str) -> Result<(), Fault> {
        if self.accept(sign) { Ok(()) } else { Err(self.expected(sign)) }
    }

    /// An error at the next token.
    fn expected(&self, what: &str) -> Fault {
        match self.peek() {
            Some(token) => token.fault(format!("expected {what}, found {}", token.shown(self.names))),
            None => Fault::new(self.here(), format!("expected {what} after this")),
        }
    }

    pub fn word(&mut self, what: &str) -> Result<(Token, Name), Fault> {
        match self.peek() {
            Some(token @ Token { kind: Kind::Word(name), .. }) => {
                self.place += 1;
                Ok((token, name))
            }
            _ => Err(self.expected(what)),
        }
    }

    fn number(&mut self, most: u32) -> Result<u32, Fault> {
        match self.peek() {
            Some(token @ Token { kind: Kind::Number(name), .. }) => {
                self.place += 1;
                let value = self.names.text(name).parse().ok().filter(|&value| value <= most);
                value.ok_or_else(|| token.fault(format!("{} is more than {most}", token.shown(self.names))))
            }
            _ => Err(self.expected("a number")),
        }
    }

    pub fn end(&self, what: &str) -> Result<(), Fault> {
        match self.peek() {
            Some(token) => Err(token.fault(format!("expected the end of {what}, found {}", token.shown(self.names)))),
            None => Ok(()),
        }
    }

    /// `a, b, c`; a comma too many is what empty macros leave behind.
    fn list(&mut self, what: &str) -> Result<Vec<(Name, u32)>, Fault> {
        let mut list = Vec::new();
        while self.peek().is_some() {
            if self.accept(",") {
                continue;
            }
            let (token, name) = self.word(&format!("the name of a {what}"))?;
            list.push((name, token.at));
            if self.peek().is_some() {
                self.expect(",")?;
            }
        }
        Ok(list)
    }

    /// `a(10), b(1)`
    fn bounded(&mut self, what: &str) -> Result<Vec<(Name, u32, u32)>, Fault> {
        let mut list = Vec::new();
        while self.peek().is_some() {
            if self.accept(",") {
                continue;
            }
            let (token, name) = self.word(&format!("the name of a {what}"))?;
            self.expect("(")?;
            let bound = self.number(limits::BOUND)?;
            self.expect(")")?;
            list.push((name, token.at, bound));
            if self.peek().is_some() {
                self.expect(",")?;
            }
        }
        Ok(list)
    }
}

struct Rules<'a> {
    reader: Reader<'a>,
    pieces: &'a HashMap<Name, u8>,
    variables: HashMap<Name, u8>,
    players: usize,
    directions: HashMap<Name, u8>,
    /// Actions read so far, with those that powers repeat.
    actions: usize,
    /// Look-aheads around the current place.
    looking: usize,
}

/// A tree and the number of its actions.
type Sized = (Node, usize);

impl Rules<'_> {
    fn sum(&mut self, depth: usize) -> Result<Sized, Fault> {
        if depth > limits::DEPTH {
            let message = format!("more than {} brackets within each other", limits::DEPTH);
            return Err(Fault::new(self.reader.here(), message));
        }
        let (first, mut size) = self.sequence(depth)?;
        let mut parts = vec![first];
        while self.reader.accept("+") {
            let (part, more) = self.sequence(depth)?;
            size += more;
            // Sums in sums are one sum: brackets that macros bring along mean nothing.
            match part {
                Node::Sum(inner) => parts.extend(inner),
                part => parts.push(part),
            }
        }
        if parts.len() > 1
            && let Node::Sum(_) = parts[0]
        {
            let Node::Sum(mut inner) = parts.remove(0) else { unreachable!("it is a sum") };
            inner.append(&mut parts);
            parts = inner;
        }
        Ok((if parts.len() == 1 { parts.remove(0) } else { Node::Sum(parts) }, size))
    }

    fn sequence(&mut self, depth: usize) -> Result<Sized, Fault> {
        let mut parts = Vec::new();
        let mut size = 0;
        let mut empty = true;
        while let Some((part, more)) = self.element(depth)? {
            size += more;
            empty = false;
            match part {
                Node::Sequence(inner) => parts.extend(inner),
                part => parts.push(part),
            }
        }
        if empty {
            return Err(self.reader.expected("an action (a dot does nothing)"));
        }
        Ok((if parts.len() == 1 { parts.remove(0) } else { Node::Sequence(parts) }, size))
    }

    /// An action or a bracket, with its powers.
    fn element(&mut self, depth: usize) -> Result<Option<Sized>, Fault> {
        let at = self.reader.here();
        let Some((mut node, mut size)) = self.action(depth)? else {
            return Ok(None);
        };
        loop {
            if self.reader.accept("*") {
                if !matches!(node, Node::Star(_)) {
                    node = Node::Star(Box::new(node));
                }
            } else if self.reader.accept("^") {
                let times = self.reader.number(10_000)? as usize;
                self.count(at, size.saturating_mul(times.saturating_sub(1)))?;
                size *= times;
                let part = node.clone();
                let mut parts = Vec::new();
                for _ in 0..times {
                    match part.clone() {
                        Node::Sequence(inner) => parts.extend(inner),
                        part => parts.push(part),
                    }
                }
                node = if parts.len() == 1 { parts.remove(0) } else { Node::Sequence(parts) };
            } else {
                return Ok(Some((node, size)));
            }
        }
    }

    fn count(&mut self, at: u32, more: usize) -> Result<(), Fault> {
        self.actions = self.actions.saturating_add(more);
        if self.actions > limits::ACTIONS {
            let message = format!("the rules have more than {} actions with all powers written out", limits::ACTIONS);
            return Err(Fault::new(at, message));
        }
        Ok(())
    }

    fn action(&mut self, depth: usize) -> Result<Option<Sized>, Fault> {
        let Some(token) = self.reader.peek() else {
            return Ok(None);
        };
        let shown = token.shown(self.reader.names);
        let node = match token.kind {
            Kind::Word(name) => {
                self.reader.next();
                let Some(&direction) = self.directions.get(&name) else {
                    return Err(token.fault(self.unknown(name, &shown)));
                };
                Node::Shift(direction)
            }
            Kind::Sign("(") => {
                self.reader.next();
                let inner = self.sum(depth + 1)?;
                self.reader.expect(")")?;
                return Ok(Some(inner));
            }
            Kind::Sign("{") => {
                self.reader.next();
                for (sign, negated) in [("?", false), ("!", true)] {
                    if self.reader.accept(sign) {
                        self.looking += 1;
                        let (rules, size) = self.sum(depth + 1)?;
                        self.looking -= 1;
                        self.reader.expect("}")?;
                        self.count(token.at, 1)?;
                        return Ok(Some((Node::Look { negated, rules: Box::new(rules) }, size + 1)));
                    }
                }
                if self.reader.accept("$") { self.comparison(depth)? } else { Node::On(self.piece_list("}")?.1) }
            }
            Kind::Sign("[") => {
                self.reader.next();
                if self.reader.accept("$") {
                    return self.assignments(depth, token).map(Some);
                }
                let (list, _) = self.piece_list("]")?;
                if list.is_empty() {
                    return Err(token.fault("expected a piece between [ and ]"));
                }
                self.count(token.at, list.len())?;
                let mut parts: Vec<Node> = list.into_iter().map(Node::Put).collect();
                let size = parts.len();
                return Ok(Some((if size == 1 { parts.remove(0) } else { Node::Sum(parts) }, size)));
            }
            Kind::Sign("->>") => {
                self.reader.next();
                self.no_switch_here(token)?;
                Node::Keeper
            }
            Kind::Sign("->") => {
                self.reader.next();
                self.no_switch_here(token)?;
                let (token, name) = self.reader.word("the name of a player")?;
                let seat = self.variables.get(&name).filter(|&&seat| usize::from(seat) < self.players);
                let missing = || token.fault(format!("{} is no player of #players", token.shown(self.reader.names)));
                Node::Player(*seat.ok_or_else(missing)?)
            }
            Kind::Sign(".") => {
                self.reader.next();
                Node::Sequence(Vec::new())
            }
            _ => return Ok(None),
        };
        self.count(token.at, 1)?;
        Ok(Some((node, 1)))
    }

    fn no_switch_here(&self, token: Token) -> Result<(), Fault> {
        if self.looking == 0 {
            return Ok(());
        }
        Err(token.fault("a switch of the player inside of a look-ahead {? …} or {! …}"))
    }

    fn unknown(&self, name: Name, shown: &str) -> String {
        if self.pieces.contains_key(&name) {
            return format!("{shown} is a piece: expected {{{0}}} or [{0}]", self.reader.names.text(name));
        }
        if self.variables.contains_key(&name) {
            return format!("{shown} is a variable or a player: expected a direction, a macro or a bracket");
        }
        let mut known: Vec<&str> = self.directions.keys().map(|&name| self.reader.names.text(name)).collect();
        known.sort_unstable();
        known.truncate(12);
        format!("{shown} is neither a direction nor a macro defined above; directions: {}", known.join(", "))
    }

    /// `a, b}`: the pieces in order, and as a set.
    fn piece_list(&mut self, end: &str) -> Result<(Vec<u8>, PieceMask), Fault> {
        let mut list = Vec::new();
        let mut mask = 0;
        while !self.reader.accept(end) {
            if self.reader.accept(",") {
                continue;
            }
            let (token, name) = self.reader.word(&format!("a piece or {end}"))?;
            let missing = || token.fault(format!("{} is no piece of #pieces", token.shown(self.reader.names)));
            let piece = *self.pieces.get(&name).ok_or_else(missing)?;
            if mask >> piece & 1 == 0 {
                list.push(piece);
                mask |= 1 << piece;
            }
            if !self.reader.peek().is_some_and(|token| token.is(",") || token.is(end)) {
                return Err(self.reader.expected(&format!(", or {end}")));
            }
        }
        Ok((list, mask))
    }

    fn comparison(&mut self, depth: usize) -> Result<Node, Fault> {
        let left = self.arithmetic(0, depth)?;
        let comparison = match self.reader.peek().map(|token| token.kind) {
            Some(Kind::Sign("==")) => Comparison::Equal,
            Some(Kind::Sign("!=")) => Comparison::Unequal,
            Some(Kind::Sign("<")) => Comparison::Less,
            Some(Kind::Sign("<=")) => Comparison::LessOrEqual,
            Some(Kind::Sign(">")) => Comparison::Greater,
            Some(Kind::Sign(">=")) => Comparison::GreaterOrEqual,
            _ => return Err(self.reader.expected("==, !=, <, <=, > or >=")),
        };
        self.reader.next();
        let right = self.arithmetic(0, depth)?;
        self.reader.expect("}")?;
        Ok(Node::Compare(comparison, left, right))
    }

    /// `a = 1, b = a + 2]`, one action after the other.
    fn assignments(&mut self, depth: usize, start: Token) -> Result<Sized, Fault> {
        let mut parts = Vec::new();
        loop {
            let (token, name) = self.reader.word("the name of a variable or a player")?;
            let missing =
                || token.fault(format!("{} is neither a variable nor a player", token.shown(self.reader.names)));
            let variable = *self.variables.get(&name).ok_or_else(missing)?;
            self.reader.expect("=")?;
            parts.push(Node::Assign(variable, self.arithmetic(0, depth)?));
            if self.reader.accept("]") {
                break;
            }
            if !self.reader.accept(",") {
                return Err(self.reader.expected(", or ]"));
            }
        }
        self.count(start.at, parts.len())?;
        let size = parts.len();
        Ok((if size == 1 { parts.remove(0) } else { Node::Sequence(parts) }, size))
    }

    /// From the loosest operator to the tightest: +, -, *, /.
    fn arithmetic(&mut self, level: usize, depth: usize) -> Result<Arithmetic, Fault> {
        const OPERATORS: [(&str, Operator); 4] =
            [("+", Operator::Add), ("-", Operator::Subtract), ("*", Operator::Multiply), ("/", Operator::Divide)];
        let Some(&(sign, operator)) = OPERATORS.get(level) else {
            return self.operand(depth + 1);
        };
        let mut result = self.arithmetic(level + 1, depth)?;
        let mut length = 0;
        while self.reader.accept(sign) {
            length += 1;
            if length > limits::DEPTH {
                let message = format!("more than {} operands", limits::DEPTH);
                return Err(Fault::new(self.reader.here(), message));
            }
            let right = self.arithmetic(level + 1, depth)?;
            result = Arithmetic::Operation(operator, Box::new(result), Box::new(right));
        }
        Ok(result)
    }

    fn operand(&mut self, depth: usize) -> Result<Arithmetic, Fault> {
        if depth > limits::DEPTH {
            let message = format!("more than {} brackets within each other", limits::DEPTH);
            return Err(Fault::new(self.reader.here(), message));
        }
        let Some(token) = self.reader.peek() else {
            return Err(self.reader.expected("a number, a variable or a piece"));
        };
        match token.kind {
            Kind::Number(_) => Ok(Arithmetic::Number(self.reader.number(u32::MAX)?.into())),
            Kind::Sign("-") => {
                self.reader.next();
                let operand = self.operand(depth + 1)?;
                let zero = Box::new(Arithmetic::Number(0));
                Ok(Arithmetic::Operation(Operator::Subtract, zero, Box::new(operand)))
            }
            Kind::Sign("(") => {
                self.reader.next();
                let inner = self.arithmetic(0, depth + 1)?;
                self.reader.expect(")")?;
                Ok(inner)
            }
            Kind::Word(name) => {
                self.reader.next();
                let variable = self.variables.get(&name).map(|&variable| Arithmetic::Variable(variable));
                let piece = self.pieces.get(&name).map(|&piece| Arithmetic::Count(piece));
                let shown = token.shown(self.reader.names);
                variable.or(piece).ok_or_else(|| token.fault(format!("{shown} is no variable, player or piece")))
            }
            Kind::Sign(_) => Err(self.reader.expected("a number, a variable or a piece")),
        }
    }
}
