//! Games spelled out as graphs, drawn at random, and their true values by a fixed point that shares nothing with the
//! searches.

use std::sync::Arc;

use plyproof_core::{Game, Outcome, Player, Rng, TextError, Wdl, mix64};

/// One position of a graph.
#[derive(Clone, Debug)]
pub enum Node {
    /// A player chooses among edges; two of them may lead to the same position.
    Choice(Player, Vec<u8>),
    /// The game is over.
    End(Outcome),
}

/// A position of a graph. A move is the place of an edge, so that double edges are two moves.
#[derive(Clone)]
pub struct GraphGame {
    /// The whole graph.
    pub nodes: Arc<[Node]>,
    /// Where the game stands.
    pub at: u8,
    /// Bits that are left of a key: 64 unless a test wants equal keys.
    pub key_bits: u32,
}

impl std::fmt::Debug for GraphGame {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "at {} of \"{}\"", self.at, self.text())
    }
}

impl GraphGame {
    /// `1:1,2 2:0,3 + -` is a choice of player 1 between nodes 1 and 2, one of player 2, a win and a loss of player 1;
    /// `=` is a draw.
    pub fn parse(text: &str) -> Self {
        let node = |word: &str| match word.split_once(':') {
            Some((player, to)) => {
                let player = Player::new(player.parse::<usize>().expect("a player") - 1);
                Node::Choice(player, to.split(',').map(|n| n.parse().expect("a node")).collect())
            }
            None if word == "+" => Node::End(Outcome::win(Player::FIRST)),
            None if word == "-" => Node::End(Outcome::win(Player::SECOND)),
            None => Node::End(Outcome::DRAW),
        };
        Self { nodes: text.split_whitespace().map(node).collect(), at: 0, key_bits: 64 }
    }

    /// The text that [`parse`](GraphGame::parse) reads.
    pub fn text(&self) -> String {
        let node = |node: &Node| match node {
            Node::Choice(player, to) => {
                let to: Vec<String> = to.iter().map(u8::to_string).collect();
                format!("{player}:{}", to.join(","))
            }
            Node::End(outcome) => match outcome.winner() {
                Some(Player::FIRST) => "+".to_string(),
                Some(_) => "-".to_string(),
                None => "=".to_string(),
            },
        };
        self.nodes.iter().map(node).collect::<Vec<_>>().join(" ")
    }

    /// A graph of 3 to 20 positions: sparse or dense, a ring with chords or edges anywhere, few ends or many, players
    /// in turn, in runs or at random.
    pub fn random(rng: &mut Rng) -> Self {
        let size = 3 + rng.below(18);
        let most_edges = 1 + rng.below(5);
        let (ring, runs, draws) = (rng.below(3) == 0, rng.below(4), rng.below(3) > 0);
        // Out of so many positions one is an end; 0 for none at all.
        let ends = [0, 2, 3, 4, 6, 10][rng.below(6)];
        let nodes = (0..size).map(|at| {
            if at > 0 && ends > 0 && rng.below(ends) == 0 {
                return Node::End(match rng.below(if draws { 3 } else { 2 }) {
                    0 => Outcome::win(Player::FIRST),
                    1 => Outcome::win(Player::SECOND),
                    _ => Outcome::DRAW,
                });
            }
            let player = at.checked_div(runs).map_or_else(|| rng.below(2), |run| run % 2);
            let mut to: Vec<u8> = (0..1 + rng.below(most_edges)).map(|_| rng.below(size) as u8).collect();
            if ring {
                to[0] = ((at + 1) % size) as u8;
            }
            Node::Choice(Player::new(player), to)
        });
        Self { nodes: nodes.collect(), at: 0, key_bits: 64 }
    }

    /// From which positions `player` can force a win: the least fixed point, round by round.
    pub fn wins(&self, player: Player) -> Vec<bool> {
        let mut won = vec![false; self.nodes.len()];
        loop {
            let before = won.clone();
            for (at, node) in self.nodes.iter().enumerate() {
                won[at] |= match node {
                    Node::End(outcome) => outcome.winner() == Some(player),
                    Node::Choice(mover, to) if *mover == player => to.iter().any(|&to| before[usize::from(to)]),
                    Node::Choice(_, to) => to.iter().all(|&to| before[usize::from(to)]),
                };
            }
            if won == before {
                return won;
            }
        }
    }

    /// The value of every position for `player`; endless play is a draw.
    pub fn values(&self, player: Player) -> Vec<Wdl> {
        let (won, lost) = (self.wins(player), self.wins(player.other()));
        let value = |(won, lost)| match (won, lost) {
            (true, _) => Wdl::Win,
            (_, true) => Wdl::Loss,
            _ => Wdl::Draw,
        };
        won.into_iter().zip(lost).map(value).collect()
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
            into.extend(0..to.len() as u8);
        }
    }

    fn play(&mut self, m: u8) {
        if let Node::Choice(_, to) = &self.nodes[usize::from(self.at)] {
            self.at = to[usize::from(m)];
        }
    }

    fn key(&self) -> u64 {
        mix64(u64::from(self.at) + 1) >> (64 - self.key_bits)
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

    fn move_text(&self, m: u8) -> String {
        format!("m{m}")
    }

    /// Hints that are as wrong as hints may be: a pass leads anywhere.
    fn passed(&self) -> Option<Self> {
        let later = (usize::from(self.at) * 7 + 1..).take(self.nodes.len()).map(|at| at % self.nodes.len());
        let mut passed = later.map(|at| Self { at: at as u8, ..self.clone() });
        passed.find(|next| next.outcome().is_none() && next.to_move() != self.to_move())
    }

    fn is_quiet(&self, m: u8) -> bool {
        m % 2 == self.at % 2
    }

    fn gain(&self, m: u8) -> i32 {
        i32::from(m * 5 % 3) - 1
    }

    fn in_check(&self) -> bool {
        self.at % 3 == 1
    }
}
