//! Rules as text, with macros and powers written out.

use super::parser::Parsed;
use super::syntax::{Arithmetic, Node};

/// Names for the numbers of the tree.
pub(super) struct Written<'a> {
    pub pieces: &'a [String],
    pub variables: &'a [(String, u32)],
    pub directions: &'a [String],
}

impl<'a> Written<'a> {
    pub fn of(parsed: &'a Parsed) -> Self {
        Self { pieces: &parsed.pieces, variables: &parsed.variables, directions: &parsed.board.directions }
    }

    pub fn rules(&self, node: &Node) -> String {
        let mut text = String::new();
        self.node(node, &mut text);
        text
    }

    fn node(&self, node: &Node, text: &mut String) {
        match node {
            Node::Sequence(parts) if parts.is_empty() => text.push('.'),
            Node::Sequence(parts) => {
                for (place, part) in parts.iter().enumerate() {
                    if place > 0 {
                        text.push(' ');
                    }
                    self.bracketed(part, matches!(part, Node::Sum(_)), text);
                }
            }
            Node::Sum(parts) => {
                for (place, part) in parts.iter().enumerate() {
                    if place > 0 {
                        text.push_str(" + ");
                    }
                    self.node(part, text);
                }
            }
            Node::Star(part) => {
                self.bracketed(part, matches!(**part, Node::Sum(_) | Node::Sequence(_)), text);
                text.push('*');
            }
            Node::Shift(direction) => text.push_str(&self.directions[usize::from(*direction)]),
            Node::On(mask) => {
                let pieces = self.pieces.iter().enumerate().filter(|(piece, _)| mask >> piece & 1 != 0);
                let pieces: Vec<&str> = pieces.map(|(_, name)| name.as_str()).collect();
                text.push_str(&format!("{{{}}}", pieces.join(",")));
            }
            Node::Put(piece) => text.push_str(&format!("[{}]", self.pieces[usize::from(*piece)])),
            Node::Assign(variable, value) => {
                let name = &self.variables[usize::from(*variable)].0;
                text.push_str(&format!("[${name}={}]", self.arithmetic(value, 0)));
            }
            Node::Compare(comparison, left, right) => {
                let (left, right) = (self.arithmetic(left, 0), self.arithmetic(right, 0));
                text.push_str(&format!("{{${left}{}{right}}}", comparison.sign()));
            }
            Node::Look { negated, rules } => {
                text.push_str(if *negated { "{! " } else { "{? " });
                self.node(rules, text);
                text.push('}');
            }
            Node::Player(player) => text.push_str(&format!("->{}", self.variables[usize::from(*player)].0)),
            Node::Keeper => text.push_str("->>"),
        }
    }

    fn bracketed(&self, node: &Node, brackets: bool, text: &mut String) {
        text.push_str(if brackets { "(" } else { "" });
        self.node(node, text);
        text.push_str(if brackets { ")" } else { "" });
    }

    pub fn arithmetic(&self, value: &Arithmetic, outside: u8) -> String {
        match value {
            Arithmetic::Number(number) => number.to_string(),
            Arithmetic::Variable(variable) => self.variables[usize::from(*variable)].0.clone(),
            Arithmetic::Count(piece) => self.pieces[usize::from(*piece)].clone(),
            Arithmetic::Operation(operator, left, right) => {
                let level = 1 + *operator as u8;
                let (left, right) = (self.arithmetic(left, level), self.arithmetic(right, level + 1));
                let text = format!("{left}{}{right}", operator.sign());
                if level < outside { format!("({text})") } else { text }
            }
        }
    }
}
