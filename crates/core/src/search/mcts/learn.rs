//! What simulations teach about moves as such, wherever they are played.
//!
//! - RAVE (Gelly and Silver 2007): beside each child the mean of all simulations in which its move was played there or
//!   later; it counts much while the child has few visits. GRAVE (Cazenave 2015) takes it from the nearest node above
//!   with enough visits.
//! - MAST (Finnsson and Björnsson 2008): a mean for each player's move over the whole search, for play-outs.
//! - NST (Tak, Winands and Björnsson 2012): the same for a move that follows another.

use std::hash::{Hash, Hasher};

use super::{Search, Workspace};
use crate::game::Game;
use crate::outcome::{Outcome, Player};
use crate::search::tree::{Amaf, Blocks, Head, Node, Step, Tree};

/// Entries of a table of moves. Two of a game's moves share one only by chance.
pub(super) const CODES: usize = 1 << 14;
/// Entries of the table of pairs.
const PAIRS: usize = 1 << 16;
/// So often a pair must have been seen to be asked.
const ENOUGH: u32 = 7;

/// The place of a move in tables. A move that is one small number has that for its place.
#[inline(always)]
pub(super) fn code<M: Hash>(m: &M) -> usize {
    struct Mix(u64);
    impl Hasher for Mix {
        fn finish(&self) -> u64 {
            self.0
        }
        fn write(&mut self, bytes: &[u8]) {
            bytes.iter().for_each(|&byte| self.write_u8(byte));
        }
        #[inline(always)]
        fn write_u8(&mut self, byte: u8) {
            self.write_u16(byte.into());
        }
        #[inline(always)]
        fn write_u16(&mut self, word: u16) {
            self.0 = self.0.rotate_left(23).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ u64::from(word);
        }
    }
    let mut mix = Mix(0);
    m.hash(&mut mix);
    (mix.0 ^ mix.0 >> 32) as usize % CODES
}

/// The results of a move so far.
#[derive(Clone, Copy, Debug)]
struct Mean {
    sum: i32,
    count: u32,
    /// Kept, since it is looked at far more often than it changes.
    mean: f32,
}

impl Mean {
    /// What was never tried is worth trying.
    const NEW: Self = Self { sum: 0, count: 0, mean: 1.0 };

    fn add(&mut self, value: i32) {
        (self.sum, self.count) = (self.sum.saturating_add(value), self.count.saturating_add(1));
        self.mean = self.sum as f32 / self.count as f32;
    }
}

/// Means of moves, and the moves of the simulation under way.
pub(super) struct MoveStats<M> {
    /// Every move of the visit so far and who made it: those of the path, then those of one play-out after the other.
    pub trace: Vec<(Player, M)>,
    /// By player and code: what the visit under way adds to the values of the move, if it was played in it.
    delta: Vec<[Amaf; CODES]>,
    /// The same for the moves of the path.
    path_delta: [Amaf; Player::MAX],
    /// Whether a player may make the same move twice in the play-out just recorded.
    pub repeats: bool,
    /// Players and codes of its moves, each once.
    distinct: Vec<(usize, usize)>,
    moves: Vec<Mean>,
    pairs: Vec<Mean>,
    referred: Referred,
}

impl<M: Copy + Hash> MoveStats<M> {
    pub(super) fn new() -> Self {
        Self {
            trace: Vec::new(),
            delta: Vec::new(),
            path_delta: [Amaf::default(); Player::MAX],
            repeats: false,
            distinct: Vec::new(),
            moves: Vec::new(),
            pairs: Vec::new(),
            referred: Referred::default(),
        }
    }

    /// Forgets all, and makes room for what the switches ask for.
    pub(super) fn reset(&mut self, rave: bool, policy: bool) {
        let fill = |table: &mut Vec<Mean>, size| {
            table.clear();
            table.resize(size, Mean::NEW);
        };
        self.referred.reset();
        if rave {
            self.delta.resize(Player::MAX, [Amaf::default(); CODES]);
        }
        fill(&mut self.moves, if policy { Player::MAX * CODES } else { 0 });
        fill(&mut self.pairs, if policy { Player::MAX * PAIRS } else { 0 });
    }

    /// The mean that play-outs go by: of the move alone, or with that of the pair it makes if that is known.
    #[inline(always)]
    pub(super) fn value(&self, player: Player, before: Option<M>, m: M, pairs: bool) -> f32 {
        let alone = self.moves[player.index() * CODES + code(&m)].mean;
        let pair = before.filter(|_| pairs).map(|before| self.pairs[player.index() * PAIRS + pair_code(&before, &m)]);
        match pair {
            Some(pair) if pair.count >= ENOUGH => (alone + pair.mean) / 2.0,
            _ => alone,
        }
    }

    /// Adds the result to all moves of the path, which is so long, and of the play-out that begins at `from`.
    fn learn_policy(&mut self, path: usize, from: usize, outcome: Outcome) {
        let mut before = None;
        for &(player, m) in self.trace[..path].iter().chain(&self.trace[from..]) {
            let value = outcome.of(player).value();
            self.moves[player.index() * CODES + code(&m)].add(value);
            if let Some(before) = before {
                self.pairs[player.index() * PAIRS + pair_code(&before, &m)].add(value);
            }
            before = Some(m);
        }
    }
}

fn pair_code<M: Hash>(before: &M, m: &M) -> usize {
    (code(before) * 40_503 + code(m) * 9973) % PAIRS
}

impl<G: Game> Search<'_, G> {
    /// Learns from a play-out that has just ended. The trace holds the moves of the path first; its own begin at `from`.
    pub(super) fn note(&mut self, from: usize, outcome: Outcome, first: bool) {
        let path = self.above + self.space.path.len();
        let move_stats = &mut self.space.move_stats;
        if self.rules.config.policy.is_some() {
            move_stats.learn_policy(path, from, outcome);
        }
        if self.rules.config.rave.is_none() {
            return;
        }
        let new = std::array::from_fn(|player| Amaf::new(outcome.of(Player::new(player)).value(), 1));
        let MoveStats { trace, delta, path_delta, distinct, .. } = move_stats;
        // Of a known size, and looked into below it: no move is checked for it.
        let Some(delta) = delta.first_chunk_mut::<{ Player::MAX }>() else { return };
        let places = trace[from..].iter().map(|(player, m)| (player.index() % Player::MAX, code(m)));
        if first {
            *path_delta = new;
            places.for_each(|(player, code)| delta[player][code] = new[player]);
            return;
        }
        *path_delta = std::array::from_fn(|player| path_delta[player].plus(new[player]));
        let add = |(player, code): (usize, usize)| delta[player][code] = delta[player][code].plus(new[player]);
        if move_stats.repeats {
            // A move that comes twice counts once.
            distinct.clear();
            distinct.extend(places);
            distinct.sort_unstable();
            distinct.dedup();
            distinct.iter().copied().for_each(add);
        } else {
            places.for_each(add);
        }
    }

    /// Adds what all play-outs of the visit say to the nodes of the path.
    pub(super) fn learn(&mut self) {
        if self.rules.config.rave.is_none() {
            return;
        }
        let (tree, path) = (&mut self.space.tree, &self.space.path);
        let MoveStats { trace, delta, path_delta, .. } = &mut self.space.move_stats;
        let Some(delta) = delta.first_chunk_mut::<{ Player::MAX }>() else { return };
        for (step, (player, m)) in path.iter().zip(&trace[self.above..]).rev() {
            // It is in all of them.
            let player = player.index() % Player::MAX;
            delta[player][code(m)] = path_delta[player];
            let delta = &delta[step.mover.index() % Player::MAX];
            tree.add_amaf(step.node, |m| delta[code(&m)]);
        }
        if let Some(tally) = &mut self.tally {
            for (player, m) in &trace[self.above..] {
                let (player, code) = (player.index() % Player::MAX, code(m));
                tally.add_amaf(player, code, std::mem::take(&mut delta[player][code]));
            }
            tally.add_amaf_above(path_delta);
            return;
        }
        for (player, m) in trace {
            delta[player.index() % Player::MAX][code(m)] = Amaf::default();
        }
    }

    /// The all-moves-as-first values to go by at a node, in the order of its children.
    pub(super) fn amaf_values(&mut self, head: &Head) {
        let Workspace { tree, path, amaf, move_stats, .. } = &mut *self.space;
        let above = self.tally.as_ref().map_or(&[][..], |tally| &tally.referred);
        move_stats.referred.read(tree, head, path, self.rules.config.reference, above, amaf);
    }
}

/// For GRAVE: values of the node that is referred to, by code, each with the number of the look-up it is from.
#[derive(Debug, Default)]
pub(super) struct Referred {
    values: Vec<(u32, Amaf)>,
    lookup: u32,
}

impl Referred {
    fn reset(&mut self) {
        self.values.clear();
        self.lookup = 0;
    }

    /// Writes the all-moves-as-first values to go by at a node, in the order of its children, and three that are read with
    /// the last ones. `path` leads to the node.
    pub(super) fn read<M: Copy + Hash>(
        &mut self,
        tree: &Tree<M>,
        head: &Head,
        path: &[Step],
        reference: u32,
        above: &[(Player, Vec<(usize, Amaf)>)],
        to: &mut Vec<Amaf>,
    ) {
        let node = if head.visits >= reference { None } else { referred_node(tree, head.mover, path, reference) };
        to.clear();
        let far = above.iter().find(|known| known.0 == head.mover);
        if let Some((_, known)) = far
            && head.visits < reference
            && node.is_none_or(|node| tree.visits(node) < reference)
        {
            self.begin();
            known.iter().for_each(|&(code, amaf)| self.values[code] = (self.lookup, amaf));
            self.write(tree.moves(head), to);
            return;
        }
        match node {
            Some(node) if node != head.node => {
                self.begin();
                for (code, amaf) in values_of(tree, node) {
                    self.values[code] = (self.lookup, amaf);
                }
                self.write(tree.moves(head), to);
            }
            _ => {
                to.extend_from_slice(tree.amaf(head));
                to.extend([Amaf::default(); 3]);
            }
        }
    }

    fn begin(&mut self) {
        self.values.resize(CODES, (0, Amaf::default()));
        self.lookup += 1;
    }

    fn write<M: Hash>(&self, moves: &[M], to: &mut Vec<Amaf>) {
        let known = |m: &M| {
            let (lookup, amaf) = self.values[code(m)];
            if lookup == self.lookup { amaf } else { Amaf::default() }
        };
        to.extend(moves.iter().map(known));
        // They are read four lanes at a time.
        to.extend([Amaf::default(); 3]);
    }
}

/// The values of a node by the codes of its moves.
pub(super) fn values_of<M: Copy + Hash>(tree: &Tree<M>, node: Node) -> impl Iterator<Item = (usize, Amaf)> {
    let head = tree.head(node);
    tree.moves(&head).iter().zip(tree.amaf(&head)).map(|(m, &amaf)| (code(m), amaf))
}

/// The nearest node above with the same mover and enough visits; the first of that mover's if there is none.
pub(super) fn referred_node(blocks: &Blocks, mover: Player, path: &[Step], reference: u32) -> Option<Node> {
    let same = path.iter().filter(|step| step.mover == mover);
    let enough = same.clone().rev().find(|step| blocks.visits(step.node) >= reference);
    enough.or(same.clone().next()).map(|step| step.node)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;
    use crate::search::Budget;
    use crate::search::mcts::Workspace;
    use crate::search::mcts::tests::config;
    use crate::search::switches::bare;
    use crate::search::tree::Link;
    use crate::tree_game::TreeGame;

    /// A simulation as it was: its moves, how many of them were in the tree, and the result.
    struct Past {
        trace: Vec<(Player, u16)>,
        in_tree: usize,
        outcome: Outcome,
    }

    fn simulate(run: &mut Search<'_, TreeGame>, times: usize) -> Vec<Past> {
        let mut all = Vec::new();
        for _ in 0..times {
            run.simulate::<true>(u64::MAX);
            let in_tree = run.space.path.len();
            let (path, mut playouts) = run.space.move_stats.trace.split_at(in_tree);
            for _ in 0..run.made {
                let mut end = run.start.clone();
                path.iter().for_each(|&(_, m)| end.play(m));
                let mut played = 0;
                while end.outcome().is_none() {
                    end.play(playouts[played].1);
                    played += 1;
                }
                let trace = [path, &playouts[..played]].concat();
                playouts = &playouts[played..];
                all.push(Past { trace, in_tree, outcome: end.outcome().expect("played to the end") });
            }
            assert!(playouts.is_empty());
        }
        all
    }

    /// Compares the values of every node of the tree with those of the simulations that went through it.
    fn check(run: &Search<'_, TreeGame>, past: &[Past], node: Node, line: &mut Vec<u16>) -> usize {
        let head = run.space.tree.head(node);
        let here = |past: &&Past| {
            past.in_tree > line.len() && past.trace.iter().zip(line.iter()).all(|(played, m)| played.1 == *m)
        };
        for (m, amaf) in run.space.tree.moves(&head).iter().zip(run.space.tree.amaf(&head)) {
            let played = |past: &&Past| past.trace[line.len()..].contains(&(head.mover, *m));
            let values = past.iter().filter(here).filter(played).map(|past| past.outcome.of(head.mover).value());
            let expected = Amaf::new(values.clone().sum(), values.count() as u32);
            assert_eq!(*amaf, expected, "move {m} after {line:?}");
        }
        let mut nodes = 1;
        for slot in 0..head.visited {
            if let Link::Node(child) = run.space.tree.link(node, slot) {
                line.push(run.space.tree.move_of(node, slot));
                nodes += check(run, past, child, line);
                line.pop();
            }
        }
        nodes
    }

    #[test]
    fn values_of_moves_are_those_of_the_simulations_that_played_them() {
        let mut nodes = 0;
        let names = [
            "mcts(rave=50)",
            "mcts(rave=50,first=urgency)",
            &bare("rave=9,ref=10,first=urgency,decisive=tree"),
            "mcts(rave=50,first=urgency,playouts=3)",
        ];
        for (seed, name) in (0..30).flat_map(|seed| names.map(|name| (seed, name))) {
            let start = TreeGame::random(&mut Rng::new(seed), 9, 4, true);
            let mut space = Workspace::new();
            let mut run = Search::new(config(name), true, &mut space, &start, None, &Budget::default(), seed);
            let past = simulate(&mut run, 80);
            nodes += check(&run, &past, run.root, &mut Vec::new());
        }
        assert!(nodes > 500, "{nodes}");
    }

    #[test]
    fn below_enough_visits_the_values_of_a_node_above_count() {
        let start = TreeGame::parse("1[2[1[= = =] 1[- = +]] 2[1[+ = -] 1[= = =]] 2[1[= = =]]]").expect("a tree");
        let mut space = Workspace::new();
        let config = config("mcts(rave=50,ref=1000)");
        let mut run = Search::new(config, true, &mut space, &start, None, &Budget::default(), 3);
        while run.space.path.len() < 3 {
            run.simulate::<true>(1);
        }
        // The path still leads through the first player's second choice; its values are those of the root by move.
        let deep = run.space.path[2].node;
        let (head, root) = (run.space.tree.head(deep), run.space.tree.head(run.root));
        let by_move = |head: &Head| -> Vec<(u16, Amaf)> {
            let mut all: Vec<_> =
                run.space.tree.moves(head).iter().copied().zip(run.space.tree.amaf(head).iter().copied()).collect();
            all.sort_by_key(|pair| pair.0);
            all
        };
        let (own, above) = (by_move(&head), by_move(&root));
        assert_ne!(own, above);
        run.amaf_values(&head);
        let mut found: Vec<_> =
            run.space.tree.moves(&head).iter().copied().zip(run.space.amaf.iter().copied()).collect();
        found.sort_by_key(|pair| pair.0);
        assert_eq!(found, above);
        run.rules.config.reference = 0;
        run.amaf_values(&head);
        let mut found: Vec<_> =
            run.space.tree.moves(&head).iter().copied().zip(run.space.amaf.iter().copied()).collect();
        found.sort_by_key(|pair| pair.0);
        assert_eq!(found, own);
    }

    #[test]
    fn rave_tries_the_move_that_did_well_elsewhere() {
        // Move b wins wherever the first player makes it later on; nothing was tried at the root but a.
        let start = TreeGame::parse("1[2[1[- +]] 2[1[- +]] 2[1[- -]] 2[1[- -]]]").expect("a tree");
        let mut space = Workspace::new();
        let config = config("mcts(rave=1e6,first=urgency,c=0)");
        let mut run = Search::new(config, true, &mut space, &start, None, &Budget::default(), 1);
        let head = run.space.tree.head(run.root);
        run.space.tree.add_amaf(run.root, |m| Amaf::new(if m == 1 { 1 } else { -1 }, 1));
        assert!(run.weigh(&head, true).0);
        let index = run.next_new.expect("one of them is best");
        assert_eq!(run.space.tree.move_of(run.root, index), 1);
    }

    #[test]
    fn playouts_learn_moves_and_pairs() {
        let mut move_stats = MoveStats::<u16>::new();
        move_stats.reset(false, true);
        let (one, two) = (Player::FIRST, Player::SECOND);
        assert_eq!(move_stats.value(one, None, 5, false), 1.0, "never tried");
        move_stats.trace = vec![(one, 5), (two, 5), (one, 6)];
        move_stats.learn_policy(0, 0, Outcome::win(one));
        move_stats.learn_policy(0, 0, Outcome::win(two));
        move_stats.learn_policy(0, 0, Outcome::win(two));
        let third = 1.0 / 3.0;
        assert_eq!((move_stats.value(one, None, 5, false), move_stats.value(two, None, 5, false)), (-third, third));
        // Six follows five in all three, which is not enough to say anything of the pair.
        assert_eq!(move_stats.value(one, Some(5), 6, true), -third);
        (0..4).for_each(|_| move_stats.learn_policy(0, 0, Outcome::win(one)));
        move_stats.trace = vec![(one, 6)];
        (0..3).for_each(|_| move_stats.learn_policy(0, 0, Outcome::win(two)));
        // Alone it won 5 and lost 5; after five it won 5 of 7: (0 + 3/7) / 2.
        assert_eq!(move_stats.value(one, Some(5), 6, false), 0.0);
        assert!((move_stats.value(one, Some(5), 6, true) - 3.0 / 14.0).abs() < 1e-6);
    }

    #[test]
    fn without_chance_playouts_take_the_best_move_known() {
        let start = TreeGame::parse("1[2[1[+ -] 1[+ -]] 2[1[+ -] 1[+ -]]]").expect("a tree");
        for (name, expected) in [("mcts(mast=0)", 40), ("mcts(nst=0)", 40)] {
            let mut space = Workspace::new();
            let mut run = Search::new(config(name), true, &mut space, &start, None, &Budget::default(), 1);
            for (m, winner) in [(0, Player::FIRST), (1, Player::SECOND)] {
                run.space.move_stats.trace = vec![(Player::FIRST, m)];
                run.space.move_stats.learn_policy(0, 0, Outcome::win(winner));
            }
            let mut wins = 0;
            for _ in 0..40 {
                run.state = start.clone();
                run.space.move_stats.trace.clear();
                wins += u32::from(run.recorded_playout(100).winner() == Some(Player::FIRST));
            }
            assert_eq!(wins, expected, "{name}");
        }
    }
}
