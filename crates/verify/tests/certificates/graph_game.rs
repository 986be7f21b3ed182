//! A game spelled out as a graph: circles, several moves in a row, points. Everything that makes proofs go wrong.

use std::sync::Arc;

use plyproof_core::{Game, Outcome, Player, Rng, TextError};

#[derive(Clone, Debug)]
pub enum Node {
    Choice(Player, Vec<u8>),
    End(Outcome),
}

/// A position of it, written `n7`. The move to `n3` is written `to3`. It reads `n07` too, which nobody should write.
#[derive(Clone, Debug)]
pub struct GraphGame {
    pub nodes: Arc<[Node]>,
    pub at: u8,
}

impl GraphGame {
    /// `1:1,2 2:0,3 + -` is a choice of the first player between nodes 1 and 2, one of the second, a win and a loss.
    pub fn parse(text: &str) -> Self {
        let node = |word: &str| match word.split_once(':') {
            Some((player, to)) => {
                let player = Player::new(player.parse::<usize>().expect("a player") - 1);
                Node::Choice(player, to.split(',').map(|n| n.parse().expect("a node")).collect())
            }
            None if word == "+" => Node::End(Outcome::win(Player::FIRST)),
            None if word == "-" => Node::End(Outcome::win(Player::SECOND)),
            None => Node::End(Outcome::by_points(word.parse().expect("points"))),
        };
        Self { nodes: text.split_whitespace().map(node).collect(), at: 0 }
    }

    /// Mostly choices, some ends; players often move twice, and edges go anywhere.
    pub fn random(rng: &mut Rng) -> Self {
        let size = 2 + rng.below(14);
        let twice = 1 + rng.below(4);
        let nodes = (0..size).map(|at| {
            if at > 0 && rng.below(3) == 0 {
                return Node::End(match rng.below(5) {
                    0 | 1 => Outcome::by_points(rng.below(5) as i16 - 2),
                    2 => Outcome::win(Player::FIRST),
                    3 => Outcome::win(Player::SECOND),
                    _ => Outcome::DRAW,
                });
            }
            let mut to: Vec<u8> = (0..1 + rng.below(3)).map(|_| rng.below(size) as u8).collect();
            to.sort_unstable();
            to.dedup();
            Node::Choice(Player::new((at / twice) % 2), to)
        });
        Self { nodes: nodes.collect(), at: 0 }
    }

    pub fn at(&self, at: usize) -> Self {
        Self { at: at as u8, ..self.clone() }
    }
}

impl Game for GraphGame {
    type Move = u8;

    fn to_move(&self) -> Player {
        match &self.nodes[usize::from(self.at)] {
            Node::Choice(player, _) => *player,
            Node::End(_) => Player::FIRST,
        }
    }

    fn outcome(&self) -> Option<Outcome> {
        match self.nodes[usize::from(self.at)] {
            Node::Choice(..) => None,
            Node::End(outcome) => Some(outcome),
        }
    }

    fn moves(&self, into: &mut Vec<u8>) {
        if let Node::Choice(_, to) = &self.nodes[usize::from(self.at)] {
            into.extend(to);
        }
    }

    fn play(&mut self, to: u8) {
        self.at = to;
    }

    fn key(&self) -> u64 {
        self.at.into()
    }

    fn position_text(&self) -> String {
        format!("n{}", self.at)
    }

    fn parse_position(&self, text: &str) -> Result<Self, TextError> {
        let at = text.strip_prefix('n').and_then(|number| number.parse().ok());
        match at.filter(|&at| usize::from(at) < self.nodes.len()) {
            Some(at) => Ok(Self { at, ..self.clone() }),
            None => Err(TextError::expected(text, "a node")),
        }
    }

    fn move_text(&self, to: u8) -> String {
        format!("to{to}")
    }

    /// Reads more than it should, and what is not legal too: a verifier must not lean on it.
    fn parse_move(&self, text: &str) -> Result<u8, TextError> {
        text.trim_start_matches("to").parse().map_err(|_| TextError::expected(text, "a move"))
    }
}
