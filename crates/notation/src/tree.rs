//! The moves of a game with their variations, comments and annotations.

use std::fmt;

use plyproof_engine::{TextError, Wdl};

/// A node of a [`MoveTree`]: the position after a move. Node [`MoveTree::ROOT`] is the start position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct NodeId(u32);

impl NodeId {
    fn index(self) -> usize {
        self.0 as usize
    }
}

/// What an annotator thinks of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// `!`: a good move.
    Good,
    /// `?`: a mistake.
    Mistake,
    /// `!!`: a brilliant move.
    Brilliant,
    /// `??`: a blunder.
    Blunder,
    /// `!?`: an interesting move.
    Interesting,
    /// `?!`: a dubious move.
    Dubious,
}

impl Mark {
    /// Every mark, in the order in which PGN numbers them from 1.
    pub const ALL: [Self; 6] =
        [Self::Good, Self::Mistake, Self::Brilliant, Self::Blunder, Self::Interesting, Self::Dubious];

    /// The mark as it is written: `!`, `?`, `!!`, `??`, `!?` or `?!`.
    pub const fn text(self) -> &'static str {
        match self {
            Self::Good => "!",
            Self::Mistake => "?",
            Self::Brilliant => "!!",
            Self::Blunder => "??",
            Self::Interesting => "!?",
            Self::Dubious => "?!",
        }
    }

    /// The mark that is written `text`.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|mark| mark.text() == text)
    }
}

impl fmt::Display for Mark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text())
    }
}

/// What is said about a move.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Notes {
    /// The annotator's mark.
    pub mark: Option<Mark>,
    value: Option<f64>,
    /// What the move is proven to be worth for the player who made it.
    pub proven: Option<Wdl>,
    /// Simulations of the search that chose the move or judged it.
    pub simulations: Option<u64>,
    seconds: Option<f64>,
    comment: String,
}

impl Notes {
    /// An estimate of the move's value for the player who made it, from -1 (a loss) to 1 (a win).
    pub fn value(&self) -> Option<f64> {
        self.value
    }

    /// Sets the estimate, rounded to three digits after the point. A number that is none is left out.
    pub fn set_value(&mut self, value: Option<f64>) {
        self.value = value.filter(|value| value.is_finite()).map(|value| rounded(value.clamp(-1.0, 1.0)));
    }

    /// Seconds that the move took.
    pub fn seconds(&self) -> Option<f64> {
        self.seconds
    }

    /// Sets the seconds, rounded to three digits after the point. A number that is none is left out.
    pub fn set_seconds(&mut self, seconds: Option<f64>) {
        self.seconds = seconds.filter(|seconds| (0.0..=MOST_SECONDS).contains(seconds)).map(rounded);
    }

    /// What is said in words; empty if nothing is.
    pub fn comment(&self) -> &str {
        &self.comment
    }

    /// Sets the comment, without spaces around it and without control characters other than line breaks and tabs.
    pub fn set_comment(&mut self, text: &str) {
        self.comment = clean(text);
    }

    /// Adds to the comment, on a line of its own.
    pub fn add_comment(&mut self, text: &str) {
        let text = clean(text);
        if !self.comment.is_empty() && !text.is_empty() {
            self.comment.push('\n');
        }
        self.comment += &text;
    }

    /// Whether nothing is said.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// Seconds of a move at most: thirty years.
pub(crate) const MOST_SECONDS: f64 = 1e9;

fn rounded(number: f64) -> f64 {
    // The sum turns -0 into 0, which is written without a sign.
    (number * 1e3).round() / 1e3 + 0.0
}

/// Text without spaces around it and without control characters other than line breaks and tabs.
fn clean(text: &str) -> String {
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    let kept: String = text.chars().filter(|c| !c.is_control() || matches!(c, '\n' | '\t')).collect();
    kept.trim().to_string()
}

#[derive(Clone, Debug)]
struct Node {
    text: String,
    notes: Notes,
    parent: NodeId,
    children: Vec<NodeId>,
    /// Moves from the start position.
    ply: u32,
    /// Variations on the way here that are not the first continuation of their position.
    depth: u32,
}

/// Moves from a start position on: the first child of a node continues its line, the others are variations.
///
/// The tree knows no rules. [`RecordedGame::check`](crate::RecordedGame::check) plays all its moves.
#[derive(Clone, Debug)]
pub struct MoveTree {
    nodes: Vec<Node>,
}

/// Equal if the moves are, with all that is said about them, in whatever order they were added.
impl PartialEq for MoveTree {
    fn eq(&self, other: &Self) -> bool {
        let mut open = vec![(Self::ROOT, Self::ROOT)];
        while let Some((own, theirs)) = open.pop() {
            let (below, theirs_below) = (self.children(own), other.children(theirs));
            if self.text(own) != other.text(theirs)
                || self.notes(own) != other.notes(theirs)
                || below.len() != theirs_below.len()
            {
                return false;
            }
            open.extend(below.iter().copied().zip(theirs_below.iter().copied()));
        }
        true
    }
}

impl Default for MoveTree {
    fn default() -> Self {
        let root = Node {
            text: String::new(),
            notes: Notes::default(),
            parent: Self::ROOT,
            children: Vec::new(),
            ply: 0,
            depth: 0,
        };
        Self { nodes: vec![root] }
    }
}

impl MoveTree {
    /// The start position, before any move.
    pub const ROOT: NodeId = NodeId(0);
    /// Moves of a tree at most.
    pub const MOST_MOVES: usize = 1_000_000;
    /// Variations within variations at most.
    pub const MOST_DEPTH: u32 = 100;

    /// Adds a move behind those that `parent` has, and names its node.
    ///
    /// A tree that would be too large or too deep refuses it.
    pub fn add(&mut self, parent: NodeId, text: &str) -> Result<NodeId, TextError> {
        if self.nodes.len() > Self::MOST_MOVES {
            return Err(TextError::new(format!(
                "the game has more than {} moves with its variations",
                Self::MOST_MOVES
            )));
        }
        let above = &self.nodes[parent.index()];
        let depth = above.depth + u32::from(!above.children.is_empty());
        if depth > Self::MOST_DEPTH {
            return Err(TextError::new(format!("variations are more than {} deep in each other", Self::MOST_DEPTH)));
        }
        let ply = above.ply + 1;
        let node = NodeId(self.nodes.len() as u32);
        let (text, notes) = (text.to_string(), Notes::default());
        self.nodes.push(Node { text, notes, parent, children: Vec::new(), ply, depth });
        self.nodes[parent.index()].children.push(node);
        Ok(node)
    }

    /// The move that leads to `node`; empty for the root.
    pub fn text(&self, node: NodeId) -> &str {
        &self.nodes[node.index()].text
    }

    /// What is said about the move, or at the root about the game.
    pub fn notes(&self, node: NodeId) -> &Notes {
        &self.nodes[node.index()].notes
    }

    /// What is said about the move, to be changed.
    pub fn notes_mut(&mut self, node: NodeId) -> &mut Notes {
        &mut self.nodes[node.index()].notes
    }

    /// The position before the move; none for the root.
    pub fn parent(&self, node: NodeId) -> Option<NodeId> {
        (node != Self::ROOT).then(|| self.nodes[node.index()].parent)
    }

    /// The moves played here, the line's own first.
    pub fn children(&self, node: NodeId) -> &[NodeId] {
        &self.nodes[node.index()].children
    }

    /// Moves from the start position to `node`.
    pub fn ply(&self, node: NodeId) -> u32 {
        self.nodes[node.index()].ply
    }

    /// Moves of the tree, those of variations included.
    pub fn len(&self) -> usize {
        self.nodes.len() - 1
    }

    /// Whether there is no move.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The nodes of the line from `node` on, without `node`: always the first child.
    pub fn line_from(&self, node: NodeId) -> impl Iterator<Item = NodeId> {
        std::iter::successors(self.children(node).first().copied(), |&at| self.children(at).first().copied())
    }

    /// The nodes of the game itself, without its variations.
    pub fn main_line(&self) -> impl Iterator<Item = NodeId> {
        self.line_from(Self::ROOT)
    }

    /// The last node of the game itself.
    pub fn last(&self) -> NodeId {
        self.main_line().last().unwrap_or(Self::ROOT)
    }

    /// The nodes from the first move to `node`.
    pub fn path(&self, node: NodeId) -> Vec<NodeId> {
        let mut path: Vec<NodeId> = std::iter::successors(Some(node), |&at| self.parent(at)).collect();
        path.pop();
        path.reverse();
        path
    }
}
