//! The search of one thread below a child that it has taken out of the tree.
//!
//! It is the search of one thread, whose root is that child. What its simulations mean for the nodes above is added up
//! ([`Tally`]) and handed in with the child.

use super::learn::CODES;
use super::open::{self, Opened};
use super::prove::Prover;
use super::{Search, Workspace};
use crate::game::Game;
use crate::outcome::{Outcome, Player};
use crate::rng::Rng;
use crate::search::proof::{Goal, ProofNumbers};
use crate::search::report::Bounds;
use crate::search::tree::{Amaf, Link};

/// Sums over the simulations below a child, for the nodes above it.
#[derive(Debug, Default)]
pub(super) struct Tally {
    /// Results by player, and how many.
    pub sums: [i32; Player::MAX],
    pub made: u32,
    players: usize,
    /// By player and code of a move: what it adds to all-moves-as-first values above; and which of them are not empty.
    amaf: Vec<[Amaf; CODES]>,
    used: Vec<(usize, usize)>,
    /// The same for the moves above.
    amaf_above: [Amaf; Player::MAX],
    /// For GRAVE: values of the node above that is referred to, by its mover.
    pub referred: Vec<(Player, Vec<(usize, Amaf)>)>,
    /// Visits of the root of the tree.
    pub root_visits: u32,
}

impl Tally {
    fn new(players: usize, rave: bool) -> Self {
        let amaf = vec![[Amaf::default(); CODES]; if rave { Player::MAX } else { 0 }];
        Self { players, amaf, ..Self::default() }
    }

    #[inline(always)]
    pub(super) fn add(&mut self, outcome: Outcome) {
        self.made += 1;
        for (player, sum) in self.sums[..self.players].iter_mut().enumerate() {
            *sum += outcome.of(Player::new(player)).value();
        }
    }

    #[inline(always)]
    pub(super) fn add_amaf(&mut self, player: usize, code: usize, more: Amaf) {
        if more != Amaf::default() {
            let value = &mut self.amaf[player][code];
            if *value == Amaf::default() {
                self.used.push((player, code));
            }
            *value = value.plus(more);
        }
    }

    pub(super) fn add_amaf_above(&mut self, more: &[Amaf; Player::MAX]) {
        for (sum, &more) in self.amaf_above.iter_mut().zip(more) {
            *sum = sum.plus(more);
        }
    }

    /// A move above is in all simulations.
    pub(super) fn note_move_above(&mut self, player: usize, code: usize) {
        self.used.push((player, code));
        self.amaf[player][code] = self.amaf_above[player];
    }

    pub(super) fn amaf(&self, player: Player) -> &[Amaf; CODES] {
        &self.amaf[player.index()]
    }

    pub(super) fn clear(&mut self) {
        (self.sums, self.made, self.amaf_above) = ([0; Player::MAX], 0, [Amaf::default(); Player::MAX]);
        for (player, code) in self.used.drain(..) {
            self.amaf[player][code] = Amaf::default();
        }
    }
}

/// A thread's search and the child that it has.
pub(super) struct Worker<'a, G: Game> {
    pub search: Search<'a, G>,
    /// Who moved to the child, what stands for it in the tree, and what is proven of it for that player.
    pub mover: Player,
    pub link: Link,
    pub bounds: Bounds,
    /// Whether it was decided from the first.
    pub decided: bool,
    /// Whether there was memory for all of it.
    pub room: bool,
}

impl<'w, G: Game> Worker<'w, G> {
    /// A thread that has nothing to do yet. `space` has a view of the tree of `top`.
    pub(super) fn new<'a: 'w>(top: &mut Search<'a, G>, space: &'w mut Workspace<G>) -> Self {
        let config = &top.rules.config;
        (space.second, space.virtual_losses) = (top.space.second, top.space.virtual_losses);
        space.own_bonus = top.space.own_bonus.clone();
        space.fading.prepare(config.proof);
        space.move_stats.reset(config.rave.is_some(), config.policy.is_some());
        let search = Search {
            rules: top.rules,
            records: top.records,
            playout: top.playout,
            visits_decided: top.visits_decided,
            expand: top.expand,
            space,
            start: top.start,
            state: top.start.clone(),
            base: top.start.clone(),
            above: 0,
            root: top.root,
            root_numbers: ProofNumbers::UNKNOWN,
            root_bounds: Bounds::OPEN,
            counted: top.counted,
            root_second: ProofNumbers::UNKNOWN,
            rng: Rng::new(top.rng.next_u64()),
            full_after: None,
            news_from: usize::MAX,
            solves: top.solves,
            next_new: None,
            made: 0,
            leaf: top.start.clone(),
            prover: Prover::absent(),
            tally: Some(Tally::new(top.start.players(), config.rave.is_some())),
        };
        let (mover, link) = (top.start.to_move(), Link::Leaf(0));
        Self { search, mover, link, bounds: Bounds::OPEN, decided: false, room: true }
    }

    /// Whether the value of the child is known.
    pub(super) fn is_decided(&self) -> bool {
        self.search.counted.is_some() && self.search.root_numbers.is_decided() || self.bounds.value().is_some()
    }

    /// One visit: at most as many simulations as are `left`.
    pub(super) fn simulate(&mut self, left: u64) {
        let room = match self.link {
            Link::Node(_) => self.visit_node(left),
            Link::Leaf(visits) => self.visit_leaf(visits, left),
        };
        self.room &= room;
    }

    fn visit_node(&mut self, left: u64) -> bool {
        let search = &mut self.search;
        let room = if search.rules.full { search.simulate::<true>(left) } else { search.simulate::<false>(left) };
        if search.space.path.is_empty() {
            // A play-out from here, for want of room below: no step of a path has counted it.
            let visits = search.space.tree.visits(search.root) + search.made;
            search.space.tree.set_visits(search.root, visits);
        }
        self.link = Link::Node(search.root);
        if search.rules.config.solver.is_some() {
            let mover = search.space.tree.head(search.root).mover;
            self.bounds = open::seen_by(self.mover, mover, search.root_bounds, search.start.players());
        }
        room
    }

    /// A visit of a child that was not opened so far; it is opened now if it is time for that.
    fn visit_leaf(&mut self, visits: u32, left: u64) -> bool {
        let search = &mut self.search;
        search.state.clone_from(&search.base);
        search.space.path.clear();
        search.space.move_stats.trace.truncate(search.above);
        let opens = if visits == 0 { search.expand == 1 } else { visits + 1 >= search.expand };
        let (mut known, mut room) = (None, true);
        if opens {
            match self.open(visits) {
                Opened::Node(_) if visits > 0 => return self.visit_node(left),
                Opened::Node(_) => {}
                Opened::Decided(outcome) => known = Some(outcome),
                Opened::Full => room = false,
            }
        }
        let search = &mut self.search;
        if search.rules.full {
            search.play_out_full(known, left);
        } else {
            search.made = 1;
            let limit = search.plies_left();
            let outcome = known.unwrap_or_else(|| search.state.playout(&mut search.rng, limit).outcome);
            search.back_up::<false>(outcome);
        }
        match self.link {
            Link::Node(node) => search.space.tree.set_visits(node, visits + search.made),
            Link::Leaf(_) => self.link = Link::Leaf(visits + search.made),
        }
        room
    }

    fn open(&mut self, visits: u32) -> Opened {
        let search = &mut self.search;
        let opened = if search.rules.full {
            search.space.open_full(&search.state, search.counted, &search.rules.config)
        } else {
            search.space.open(&search.state, search.counted, 2, false).map_or(Opened::Full, Opened::Node)
        };
        let tree = &mut search.space.tree;
        match opened {
            Opened::Node(node) => {
                tree.set_visits(node, visits);
                (search.root, self.link) = (node, Link::Node(node));
                if search.counted.is_some() {
                    search.root_numbers = tree.combined(node);
                }
                if search.space.second.is_some() {
                    search.root_second = search.space.tree.combined_second(node);
                }
                if search.rules.config.solver.is_some() {
                    let (mover, players) = (search.state.to_move(), search.start.players());
                    search.root_bounds = search.space.tree.node_bounds(node);
                    self.bounds = open::seen_by(self.mover, mover, search.root_bounds, players);
                }
            }
            Opened::Decided(outcome) => {
                let numbers = |goal: Goal| goal.numbers(outcome);
                search.root_numbers = search.counted.map_or(search.root_numbers, numbers);
                search.root_second = search.space.second.map_or(search.root_second, numbers);
                self.bounds = Bounds::exactly(outcome.of(self.mover));
            }
            Opened::Full => {}
        }
        opened
    }
}

impl<G: Game> Search<'_, G> {
    /// Visits of the root of the tree.
    #[inline(always)]
    pub(super) fn root_visits(&self) -> u32 {
        match &self.tally {
            Some(tally) => tally.root_visits,
            None => self.space.tree.visits(self.root),
        }
    }
}
