//! A game spelled out as a tree, for tests, teaching and figures.
//!
//! ```text
//! 1[2[+ -] 2[= 1[+ -]]]
//! ```
//! A digit is the player who chooses, brackets hold the positions to choose from, and the leaves are results for the
//! first player: `+` a win, `=` a draw, `-` a loss. The moves of a position are named `a`, `b`, … in order, and `a27`, …
//! past the alphabet.

use std::sync::Arc;

use crate::game::{Game, TextError, quoted};
use crate::outcome::{Outcome, Player};
use crate::rng::{Rng, mix64};

/// A position of a game that is given as a whole tree.
#[derive(Clone, Debug)]
pub struct TreeGame {
    nodes: Arc<[Node]>,
    at: u32,
}

#[derive(Clone, Debug)]
enum Node {
    Choice { player: Player, children: Vec<u32> },
    Leaf(Outcome),
}

impl TreeGame {
    /// Deepest accepted tree: reading is recursive.
    const DEEPEST: usize = 500;

    /// Reads a tree.
    pub fn parse(text: &str) -> Result<Self, TextError> {
        let tokens: Vec<char> = text.chars().filter(|c| !c.is_whitespace()).collect();
        let mut nodes = Vec::new();
        let mut next = 0;
        read(&tokens, &mut next, &mut nodes, 0).map_err(|why| {
            TextError::new(format!("{} is not a tree: {why}, at sign {} of {}", quoted(text), next + 1, tokens.len()))
        })?;
        if next < tokens.len() {
            return Err(TextError::new(format!("{} goes on after the end of the tree", quoted(text))));
        }
        Ok(Self { nodes: nodes.into(), at: 0 })
    }

    /// A random tree: each position has up to `width` moves, players mostly alternate, `draws` says whether draws occur.
    /// A tree for every seed, small or large, skewed or full.
    pub fn random(rng: &mut Rng, depth: usize, width: usize, draws: bool) -> Self {
        let mut nodes = Vec::new();
        grow(rng, &mut nodes, Player::FIRST, depth.min(Self::DEEPEST), width.max(1), draws);
        Self { nodes: nodes.into(), at: 0 }
    }

    /// Positions in the whole tree.
    pub fn size(&self) -> usize {
        self.nodes.len()
    }

    fn write(&self, at: u32, into: &mut String) {
        match &self.nodes[at as usize] {
            Node::Leaf(outcome) => into.push(match outcome.winner() {
                Some(Player::FIRST) => '+',
                Some(_) => '-',
                None => '=',
            }),
            Node::Choice { player, children } => {
                into.push_str(&format!("{player}["));
                for (i, &child) in children.iter().enumerate() {
                    if i > 0 {
                        into.push(' ');
                    }
                    self.write(child, into);
                }
                into.push(']');
            }
        }
    }
}

fn read(tokens: &[char], next: &mut usize, nodes: &mut Vec<Node>, depth: usize) -> Result<u32, &'static str> {
    if depth > TreeGame::DEEPEST {
        return Err("it is too deep");
    }
    let at = nodes.len() as u32;
    let player = match tokens.get(*next) {
        Some('1') => Player::FIRST,
        Some('2') => Player::SECOND,
        Some(sign @ ('+' | '-' | '=')) => {
            nodes.push(Node::Leaf(match sign {
                '+' => Outcome::win(Player::FIRST),
                '-' => Outcome::win(Player::SECOND),
                _ => Outcome::DRAW,
            }));
            *next += 1;
            return Ok(at);
        }
        _ => return Err("a position is +, =, - or 1[…] or 2[…]"),
    };
    *next += 1;
    if tokens.get(*next) != Some(&'[') {
        return Err("a player is followed by [");
    }
    *next += 1;
    nodes.push(Node::Leaf(Outcome::DRAW));
    let mut children = Vec::new();
    while tokens.get(*next) != Some(&']') {
        children.push(read(tokens, next, nodes, depth + 1)?);
    }
    if children.is_empty() || children.len() > usize::from(u16::MAX) {
        return Err("a choice needs at least one move and at most 65,535");
    }
    *next += 1;
    nodes[at as usize] = Node::Choice { player, children };
    Ok(at)
}

fn grow(rng: &mut Rng, nodes: &mut Vec<Node>, player: Player, depth: usize, width: usize, draws: bool) -> u32 {
    let at = nodes.len() as u32;
    if depth == 0 || (at > 0 && rng.below(5) == 0) {
        let results = if draws { 3 } else { 2 };
        nodes.push(Node::Leaf(match rng.below(results) {
            0 => Outcome::win(Player::FIRST),
            1 => Outcome::win(Player::SECOND),
            _ => Outcome::DRAW,
        }));
        return at;
    }
    nodes.push(Node::Leaf(Outcome::DRAW));
    let children = (0..1 + rng.below(width))
        .map(|_| {
            let next = if rng.below(8) == 0 { player } else { player.other() };
            grow(rng, nodes, next, depth - 1, width, draws)
        })
        .collect();
    nodes[at as usize] = Node::Choice { player, children };
    at
}

impl Game for TreeGame {
    type Move = u16;

    fn to_move(&self) -> Player {
        match &self.nodes[self.at as usize] {
            Node::Choice { player, .. } => *player,
            Node::Leaf(_) => Player::FIRST,
        }
    }

    fn outcome(&self) -> Option<Outcome> {
        match self.nodes[self.at as usize] {
            Node::Leaf(outcome) => Some(outcome),
            Node::Choice { .. } => None,
        }
    }

    fn moves(&self, into: &mut Vec<u16>) {
        if let Node::Choice { children, .. } = &self.nodes[self.at as usize] {
            into.extend(0..children.len() as u16);
        }
    }

    fn play(&mut self, m: u16) {
        if let Node::Choice { children, .. } = &self.nodes[self.at as usize] {
            self.at = children[usize::from(m)];
        }
    }

    /// A hash of the text: two places of one tree with equal subtrees are the same position.
    fn key(&self) -> u64 {
        self.position_text().bytes().fold(0, |hash, byte| mix64(hash ^ u64::from(byte)))
    }

    fn position_text(&self) -> String {
        let mut text = String::new();
        self.write(self.at, &mut text);
        text
    }

    fn parse_position(&self, text: &str) -> Result<Self, TextError> {
        Self::parse(text)
    }

    fn move_text(&self, m: u16) -> String {
        match u8::try_from(m) {
            Ok(small) if small < 26 => char::from(b'a' + small).to_string(),
            _ => format!("a{}", m + 1),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::{Contract, check};

    #[test]
    fn a_tree_reads_and_prints_back() {
        let game = TreeGame::parse("1[2[+ -]2[= 1[+ -]]]").expect("a tree");
        assert_eq!(game.position_text(), "1[2[+ -] 2[= 1[+ -]]]");
        let mut game = game;
        game.play(1);
        assert_eq!((game.position_text().as_str(), game.to_move()), ("2[= 1[+ -]]", Player::SECOND));
        game.play(0);
        assert_eq!(game.outcome(), Some(Outcome::DRAW));
    }

    #[test]
    fn wrong_trees_say_where_they_are_wrong() {
        for (text, part) in
            [("", "at sign 1 of 0"), ("1", "followed by ["), ("1[]", "at least one"), ("+ +", "goes on")]
        {
            let error = TreeGame::parse(text).expect_err(text).to_string();
            assert!(error.contains(part), "{text}: {error}");
        }
        assert!(TreeGame::parse(&"1[".repeat(1_000_000)).is_err());
    }

    #[test]
    fn random_trees_keep_the_contract() {
        for seed in 0..30 {
            let game = TreeGame::random(&mut Rng::new(seed), 6, 4, seed % 2 == 0);
            check(&game, &Contract { seed, games: 5, ..Contract::default() }).expect("contract");
        }
    }
}
