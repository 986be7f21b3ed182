//! Keeping one subtree and giving the memory of all the rest back.
//!
//! Blocks and lists of moves that are still needed slide down over those that are not, in the order in which they lie,
//! so that no second arena is needed. Links are then looked up in the sorted list of where blocks were.

use crate::search::tree::{ALIGN, Blocks, HEADER, Link, MARGIN, MOVES, Node, Tree, room};

impl<M: Copy> Tree<M> {
    /// Drops everything but the subtree of `root`; where that is now. It may take `limit` bytes from now on.
    pub(crate) fn keep(&mut self, root: Node, limit: usize) -> Node {
        let kept = self.blocks.subtree(root);
        // Lists of moves in the order in which they lie, each with its node.
        let mut lists: Vec<(usize, Node)> = kept.iter().map(|&at| (self.first_move(Node(at)), Node(at))).collect();
        lists.sort_unstable_by_key(|list| list.0);
        let mut end = 0;
        for (first, node) in lists {
            let count = self.children(node);
            self.moves.copy_within(first..first + count, end);
            self.blocks.move_list(node, end);
            end += count + self.blocks.gap();
        }
        // A list without a gap may have been the last one.
        end = end.min(self.moves.len());
        self.moves.change(|moves| moves.truncate(end));
        self.blocks.truncate_moves(end);
        self.blocks.slide(kept, root, limit)
    }
}

impl Blocks {
    /// The blocks below and at `root`, which are all that is counted from now on.
    fn subtree(&mut self, root: Node) -> Vec<u32> {
        let mut kept = vec![root.0];
        let mut next = 0;
        while let Some(&at) = kept.get(next) {
            let node = Node(at);
            kept.extend((0..self.visited(node)).filter_map(|slot| match self.link(node, slot) {
                Link::Node(child) => Some(child.0),
                Link::Leaf(_) => None,
            }));
            next += 1;
        }
        self.nodes = 1 + kept.iter().map(|&at| self.children(Node(at)) as u64).sum::<u64>();
        kept
    }

    /// The moves of a node begin at `to` from now on.
    fn move_list(&mut self, node: Node, to: usize) {
        let (first, count) = (self.first_move(node), self.children(node));
        if self.has_amaf {
            self.amaf.copy_within(first..first + count, to);
        }
        self.words[node.0 as usize + MOVES] = to as u32;
    }

    fn truncate_moves(&mut self, moves: usize) {
        self.moves = moves;
        if self.has_amaf {
            self.amaf.change(|amaf| amaf.truncate(moves));
            self.add_room_for_amaf();
        }
    }

    /// Moves the blocks together and corrects their links; where `root` is now.
    fn slide(&mut self, mut kept: Vec<u32>, root: Node, limit: usize) -> Node {
        kept.sort_unstable();
        let mut moved = Vec::with_capacity(kept.len());
        let mut end = ALIGN;
        for &at in &kept {
            let words = self.block_words(self.capacity(Node(at)));
            let from = at as usize - self.prefix;
            self.words.copy_within(from..from + words, end);
            moved.push((end + self.prefix) as u32);
            end += words;
        }
        self.words.change(|words| words.truncate(end + MARGIN));
        let now = |was: u32| Node(kept.binary_search(&was).map_or(0, |place| moved[place]));
        for &at in &moved {
            let node = Node(at);
            for slot in 0..self.visited(node) {
                if let Link::Node(child) = self.link(node, slot) {
                    self.set_link(node, slot, Link::Node(now(child.0)));
                }
            }
        }
        self.free = [0; 16];
        self.limit = limit.min(room::MOST);
        now(root.0)
    }
}

const _: () = assert!(HEADER > MOVES, "the place of the moves is part of the head");

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outcome::Player;
    use crate::search::proof::{NodeKind, ProofNumbers};
    use crate::search::tree::{Amaf, Choice};

    #[test]
    fn the_subtree_is_the_same_afterwards_and_nothing_else_is_left() {
        let mut tree: Tree<u16> = Tree::new();
        tree.reset(true, true, 1 << 20);
        let choice = Choice { mover: Player::FIRST, kind: NodeKind::Or, ended: 0, decisive: false };
        let open = |tree: &mut Tree<u16>, from: u16| {
            let node = tree.expand(&[from, from + 1, from + 2], 4, choice, false).expect("room");
            tree.add_room_for_amaf();
            for _ in 0..3 {
                let slot = tree.visit(node, 0, ProofNumbers::UNKNOWN);
                tree.set_link(node, slot, Link::Leaf(u32::from(from) + slot as u32));
            }
            node
        };
        // The wanted node lies behind others, its own child before it.
        tree.keep_amaf();
        let root = open(&mut tree, 0);
        let grandchild = open(&mut tree, 20);
        let other = open(&mut tree, 30);
        let child = open(&mut tree, 10);
        tree.set_link(root, 0, Link::Node(other));
        tree.set_link(root, 1, Link::Node(child));
        tree.set_link(child, 2, Link::Node(grandchild));
        // Each move has its own number as its value.
        for place in 0..tree.moves.len() {
            let m = tree.moves[place];
            tree.blocks.amaf[place] = Amaf::new(m.into(), 1);
        }
        let before = tree.bytes();
        let kept = tree.keep(child, 1 << 20);
        assert!(tree.bytes() < before * 2 / 3, "{} of {before}", tree.bytes());
        assert_eq!((0..3).map(|slot| tree.move_of(kept, slot)).collect::<Vec<_>>(), [10, 11, 12]);
        assert_eq!((tree.link(kept, 0), tree.link(kept, 1)), (Link::Leaf(10), Link::Leaf(11)));
        let Link::Node(below) = tree.link(kept, 2) else { panic!("the link is kept") };
        for (node, values) in [(kept, [10, 11, 12]), (below, [20, 21, 22])] {
            let (head, sums) = (tree.head(node), |amaf: &Amaf| amaf.sum());
            assert_eq!(tree.amaf(&head).iter().map(sums).collect::<Vec<_>>(), values);
            assert_eq!(tree.amaf_in_lanes(&head).len(), 6);
        }
        assert_eq!((0..3).map(|slot| tree.move_of(below, slot)).collect::<Vec<_>>(), [20, 21, 22]);
        assert_eq!((tree.link(below, 1), tree.nodes()), (Link::Leaf(21), 7));
    }
}
