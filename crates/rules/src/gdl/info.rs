//! Facts and moves as text, and results.

use std::collections::HashMap;

use plyproof_core::{Outcome, Player, TextError};

use super::kif::{Expression, read};
use super::net::bits;

/// What is needed to write and read positions and moves.
pub(super) struct Info {
    /// Facts of positions that matter, sorted.
    pub facts: Vec<String>,
    /// Their numbers; `None` for facts that say nothing about moves and results.
    pub fact_numbers: HashMap<String, Option<u32>>,
    /// Moves of both roles, sorted.
    pub moves: [Vec<String>; 2],
    pub move_numbers: [HashMap<String, u32>; 2],
    /// Whether goals are points, and not just signs of a win.
    pub points: bool,
    pub may_repeat: bool,
    /// Facts of which every position has exactly one, if such a counter shows that no position comes back.
    pub counter: Vec<u32>,
}

impl Info {
    /// The result from the goals of both roles, as far as there are any.
    pub fn outcome(&self, goals: [Option<i32>; 2]) -> Outcome {
        let (first, second) = match goals {
            [Some(first), Some(second)] => (first, second),
            // What one role gets the other one does not.
            [Some(first), None] => (first, 100 - first),
            [None, Some(second)] => (100 - second, second),
            [None, None] => return Outcome::DRAW,
        };
        let margin = (first - second).clamp(-i32::from(i16::MAX), i32::from(i16::MAX)) as i16;
        match margin.signum() {
            0 => Outcome::DRAW,
            _ if self.points => Outcome::by_points(margin),
            1 => Outcome::win(Player::FIRST),
            _ => Outcome::win(Player::SECOND),
        }
    }

    /// The true facts in order: `cell(1,1,b) control(x)`.
    pub fn position_text(&self, state: &[u64]) -> String {
        let facts: Vec<&str> = bits(state).map(|fact| self.facts[fact as usize].as_str()).collect();
        if facts.is_empty() { "()".to_string() } else { facts.join(" ") }
    }

    pub fn parse_position(&self, text: &str, words: usize) -> Result<Vec<u64>, TextError> {
        let mut state = vec![0u64; words];
        for fact in listed(text) {
            match self.fact_numbers.get(&fact) {
                Some(Some(number)) => state[*number as usize / 64] |= 1 << (number % 64),
                Some(None) => {}
                None => {
                    let known: Vec<&str> = self.facts.iter().take(5).map(String::as_str).collect();
                    let what = format!("a fact of this game: expected facts such as {}", known.join(" "));
                    return Err(TextError::expected(&fact, what));
                }
            }
        }
        let steps = self.counter.iter().filter(|&&fact| state[fact as usize / 64] >> (fact % 64) & 1 != 0).count();
        if let (Some(&first), Some(&last)) = (self.counter.first(), self.counter.last())
            && steps != 1
        {
            let (first, last) = (&self.facts[first as usize], &self.facts[last as usize]);
            let what = format!("a position of this game: expected exactly one fact from {first} to {last}");
            return Err(TextError::expected(text, what));
        }
        Ok(state)
    }

    pub fn move_text(&self, role: usize, number: u32) -> String {
        self.moves[role][number as usize].clone()
    }

    pub fn parse_move(&self, role: usize, text: &str) -> Option<u32> {
        let numbers = &self.move_numbers[role];
        numbers.get(text).or_else(|| numbers.get(listed(text).first().filter(|_| text.starts_with('('))?)).copied()
    }
}

/// The facts of a text, without spaces, whether it has them so or as a rules file does: `cell(1,b)` or `(cell 1 b)`.
fn listed(text: &str) -> Vec<String> {
    let brackets = text.split_whitespace().any(|word| word.starts_with('('));
    match read(text).ok().filter(|_| brackets) {
        Some(expressions) => expressions.iter().map(compact).filter(|fact| !fact.is_empty()).collect(),
        None => text.split_whitespace().map(str::to_string).collect(),
    }
}

fn compact(expression: &Expression) -> String {
    match expression {
        Expression::Word(_, word) => word.replace('%', "%25").replace(',', "%2C"),
        Expression::List(_, list) => {
            let head = expression.head().map(|word| word.replace('%', "%25").replace(',', "%2C")).unwrap_or_default();
            let arguments: Vec<String> = list.iter().skip(1).map(compact).collect();
            if arguments.is_empty() { head } else { format!("{head}({})", arguments.join(",")) }
        }
    }
}
