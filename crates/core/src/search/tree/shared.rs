//! A tree that several threads search at once: one view of it for each.

use std::ops::Range;
use std::sync::Arc;

use super::amaf::BEHIND;
use super::claims::{Claimed, Claims};
use super::{Amaf, Blocks, Choice, Head, MARGIN, Node, SMALLEST, Step, Tree, VISITS, room};

/// What a view shares with the others, and its own parts of the memory.
#[derive(Debug)]
pub(super) struct Shared {
    pub(super) claims: Arc<Claims>,
    words: Range<usize>,
    moves: Range<usize>,
}

impl Blocks {
    /// Places that stay free behind a list of moves.
    #[inline(always)]
    pub(super) fn gap(&self) -> usize {
        if self.padded && self.has_amaf { BEHIND } else { 0 }
    }

    fn amaf_bytes(&self) -> usize {
        if self.has_amaf { size_of::<Amaf>() } else { 0 }
    }

    /// As `allocate`, from the parts of the memory that belong to this view.
    pub(super) fn allocate_claimed(&mut self, capacity: usize, words: usize) -> Option<Node> {
        if capacity.is_power_of_two() && capacity >= SMALLEST {
            let list = capacity.ilog2() as usize - 1;
            let found = self.free[list] as usize;
            if found != 0 {
                self.free[list] = self.words[found];
                return Some(Node(found as u32));
            }
        }
        let shared = self.shared.as_mut()?;
        if shared.words.len() < words {
            let more = shared.claims.words(words)?;
            self.words.fill(more.clone(), 0);
            shared.words = more;
        }
        let at = shared.words.start;
        shared.words.start += words;
        Some(Node((at + self.prefix) as u32))
    }
}

impl<M: Copy> Tree<M> {
    /// Whether views of this tree keep apart what they read.
    pub(crate) fn is_padded(&self) -> bool {
        self.blocks.padded
    }

    /// Leaves room between what threads read, in a tree that was just reset.
    pub(crate) fn pad(&mut self) {
        self.blocks.padded = true;
    }

    /// As `expand`, in parts of the memory that belong to this view.
    pub(super) fn expand_claimed(&mut self, moves: &[M], capacity: usize, choice: Choice) -> Option<Node> {
        let (count, needed) = (moves.len(), moves.len() + self.blocks.gap());
        let shared = self.blocks.shared.as_mut()?;
        if shared.moves.len() < needed {
            let more = shared.claims.moves(needed)?;
            self.moves.fill(more.clone(), *moves.first()?);
            if self.blocks.has_amaf {
                self.blocks.amaf.fill(more.clone(), Amaf::default());
            }
            shared.moves = more;
        }
        let first = shared.moves.start;
        self.blocks.moves = first;
        let node = self.blocks.expand(count, capacity, choice, false)?;
        self.moves[first..first + count].copy_from_slice(moves);
        if let Some(shared) = &mut self.blocks.shared {
            shared.moves.start += needed;
        }
        Some(node)
    }

    /// Views of this tree for so many threads. It must not be touched before [`end_views`](Tree::end_views).
    ///
    /// None if the system keeps no memory in reserve: a tree that is moved as it grows can have no views.
    #[allow(unsafe_code)]
    pub(crate) fn views(&mut self, threads: usize) -> Option<Vec<Self>> {
        let blocks = &mut self.blocks;
        if !room::LAZY || !blocks.padded {
            return None;
        }
        let amaf_bytes = blocks.amaf_bytes();
        let claimed = Claimed { words: blocks.words.len() - MARGIN, moves: blocks.moves + blocks.gap() };
        let mut room = Claimed { words: blocks.words.room(), moves: self.moves.room() };
        if blocks.has_amaf {
            room.moves = room.moves.min(blocks.amaf.room());
        }
        let claims = Claims::new(blocks.limit, blocks.move_bytes + amaf_bytes, claimed, room, threads);
        let claims = Arc::new(claims);
        let view = |_| {
            // SAFETY: the caller holds the tree back until `end_views`. Which thread names which items is what `arena.rs`
            // explains: `mcts/threads.rs` keeps to it.
            let (words, amaf, moves) = unsafe { (blocks.words.view(), blocks.amaf.view(), self.moves.view()) };
            let shared = Some(Shared { claims: Arc::clone(&claims), words: 0..0, moves: 0..0 });
            let blocks = Blocks { words, amaf, shared, free: [0; 16], nodes: 0, moves: 0, ..*blocks };
            Self { blocks, moves }
        };
        Some((0..threads).map(view).collect())
    }

    /// The tree is all that its views made of it, the last of which is given.
    #[allow(unsafe_code)]
    pub(crate) fn end_views(&mut self, last: Self) {
        let Some(shared) = &last.blocks.shared else { return };
        let Claimed { words, moves } = shared.claims.claimed();
        // SAFETY: chunks are filled when they are claimed, before they are given to anyone.
        unsafe {
            self.blocks.words.end_at(words);
            self.moves.end_at(moves.max(self.moves.len()));
            if self.blocks.has_amaf {
                self.blocks.amaf.end_at(moves.max(self.blocks.amaf.len()));
            }
        }
        self.blocks.words.change(|list| list.resize(words + MARGIN, 0));
        self.blocks.moves = moves;
        (self.blocks.nodes, self.blocks.free) = (last.blocks.nodes, [0; 16]);
    }

    /// Adds to the nodes of this view.
    pub(crate) fn count_nodes(&mut self, more: u64) {
        self.blocks.nodes += more;
    }

    /// The slot of a visited child with this move.
    pub(crate) fn slot_of(&self, head: &Head, m: M) -> Option<usize>
    where
        M: PartialEq,
    {
        self.moves(head)[..head.visited].iter().position(|&other| other == m)
    }

    /// The nodes counted so far, which are not counted again.
    pub(crate) fn take_nodes(&mut self) -> u64 {
        std::mem::take(&mut self.blocks.nodes)
    }
}

impl Blocks {
    /// Changes the sum of a child, which has `below` visits now, and the visits of its parent; how many that has now.
    pub(crate) fn correct(&mut self, step: Step, sum: i32, below: u32, visits: i64) -> u32 {
        let old = &mut self.words[step.at as usize];
        *old = (*old as i32).saturating_add(sum) as u32;
        self.words[(step.at + step.capacity) as usize] = (1.0 / (below as f32).sqrt()).to_bits();
        let own = &mut self.words[step.node.0 as usize + VISITS];
        *own = (i64::from(*own) + visits).clamp(0, u32::MAX.into()) as u32;
        *own
    }

    /// Sum of a child, and another one in its place.
    pub(crate) fn swap_sum(&mut self, step: Step, sum: i32) -> i32 {
        std::mem::replace(&mut self.words[step.at as usize], sum as u32) as i32
    }

    /// Sum of a child.
    pub(crate) fn sum(&self, step: Step) -> i32 {
        self.words[step.at as usize] as i32
    }
}
