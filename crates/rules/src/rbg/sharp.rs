//! Wins with the next move and threats of such wins, found for many moves at once.
//!
//! What ends a game is decided by the keeper, mostly on the cell of the last switch: a fixed set of cells, a look-ahead, a
//! count. Where a move puts pieces on one or two cells, these decisions are made for all moves of a kind by sets.

use plyproof_core::Player;

use super::automaton::Effect;
use super::engine::{Code, Scratch, Sink};
use super::keeper::{Condition, KeeperStep};
use super::lanes::{CompiledLane, TreeCode};
use super::program::{Op, Out, Program, Value};
use super::sets::{Set, bits};
use super::store::Store;

/// Moves of a kind: a modifier at some cells, with the rest of a lane, or a switch.
#[derive(Clone, Copy, Debug)]
pub struct Kind<S> {
    pub modifier: u16,
    pub lane: Option<u16>,
    /// Cells of the modifier.
    pub cells: S,
}

/// All moves, if every one changes at most two cells.
pub(super) struct Kinds<'a, S> {
    pub kinds: &'a mut Vec<Kind<S>>,
    /// Whether there are other moves.
    pub others: bool,
}

impl<S: Set> Sink<S> for Kinds<'_, S> {
    const LANES: bool = true;

    fn push(&mut self, _: u16, _: usize) {
        self.others = true;
    }

    fn pop(&mut self) {}

    #[inline]
    fn leaf(&mut self, _: &Program, _: usize, out: &Out, cells: S) -> bool {
        if !self.others {
            self.kinds.push(Kind { modifier: out.modifier, lane: None, cells });
        }
        self.others
    }

    #[inline]
    fn lane(&mut self, modifier: u16, number: usize, _: &CompiledLane, cells: S) -> bool {
        if !self.others {
            self.kinds.push(Kind { modifier, lane: Some(number as u16), cells });
        }
        self.others
    }
}

/// What the keeper decides on, as far as it is known.
#[derive(Clone, Copy)]
struct Case<S> {
    /// Cells of the switch.
    cells: S,
    /// The piece that was put there, if any.
    put: Option<u8>,
    /// Whether the move changed another cell too.
    elsewhere: bool,
    /// Scores that were set.
    scores: [Option<i32>; 2],
    /// Whether the case depends on nothing but what the move changed and the cells that made it possible.
    plain: bool,
    /// Look-aheads that have to hold.
    looks: [Option<u16>; LOOKS],
}

/// Look-aheads of one case.
const LOOKS: usize = 3;

impl<S> Case<S> {
    /// A look-ahead has to hold.
    fn add(&mut self, look: u16) {
        match self.looks.iter_mut().find(|place| place.is_none() || **place == Some(look)) {
            Some(place) => *place = Some(look),
            None => self.plain = false,
        }
    }
}

/// A kind of winning moves.
#[derive(Clone, Copy)]
pub struct Wins<S> {
    pub kind: Kind<S>,
    /// Whether it is known what the wins rest on.
    plain: bool,
    looks: [Option<u16>; LOOKS],
    put: Option<u8>,
}

/// What can be seen one move ahead, by the switches to players.
#[derive(Clone, Debug, Default)]
pub(super) struct Sharp {
    /// For each modifier that is a switch to a player who can be seen to win: the switch to the other player that follows
    /// on every move, if these moves change nothing but their own cells.
    pub rivals: Vec<Option<u16>>,
    /// For each such modifier the pieces that the moves behind it put on their cells.
    pub puts: Vec<Vec<u8>>,
    /// Whether all wins that are to be seen can be seen, at a cost that play-outs can bear.
    pub wins: bool,
    /// Whether scores stay what they are as long as the game goes on.
    pub steady: bool,
}

impl<S: Set> Code<S> {
    /// The displacement of a kind of moves, the switch at its end, and the piece on the cell of the switch.
    fn end_of(&self, kind: &Kind<S>) -> Option<(i32, u16, Option<u8>)> {
        let Some(number) = kind.lane else { return Some((0, kind.modifier, None)) };
        let lane = self.lane(kind.modifier, number.into())?;
        let put = |modifier: u16| match self.effects[usize::from(modifier)] {
            Effect::Put(piece) => Some(piece),
            _ => None,
        };
        let first = if lane.by == 0 { put(kind.modifier) } else { None };
        let last = lane.modifiers.iter().filter_map(|&modifier| put(modifier)).next_back();
        Some((lane.by, *lane.modifiers.last()?, last.or(first)))
    }

    /// The moves of a kind that win at once, as far as that can be seen.
    pub(super) fn wins<B: Store<S>>(
        &self,
        kind: &Kind<S>,
        store: &mut B,
        scratch: &mut Scratch<S>,
        registers: &mut [S],
        win: &impl Fn([Option<i32>; 2]) -> bool,
        into: &mut Vec<Wins<S>>,
    ) {
        let Some((by, switch, put)) = self.end_of(kind) else { return };
        let cells = kind.cells.shifted_far(by);
        let case = Case { cells, put, elsewhere: by != 0, scores: [None; 2], plain: true, looks: [None; LOOKS] };
        self.cases(self.first_steps[usize::from(switch)], case, 0, store, scratch, registers, &mut |case| {
            if win(case.scores) {
                let kind = Kind { cells: case.cells.shifted_far(-by), ..*kind };
                into.push(Wins { kind, plain: case.plain, looks: case.looks, put: case.put });
            }
        });
    }

    /// The pieces over which a look-ahead fills from its cell, whatever is on that cell, if it asks for nothing else.
    pub(super) fn fills_from_here(&self, look: u16) -> Option<u16> {
        let program = &self.looks[usize::from(look)].forward;
        let mut mask = None;
        for op in &program.ops {
            match op {
                Op::Table { .. } | Op::Const { .. } | Op::Walk { .. } | Op::Spread { .. } | Op::Any { .. } => {}
                Op::Fill { from, fill, .. } if mask.is_none() => {
                    let begins = |op: &Op| matches!(op, Op::Table { to, .. } if to == from);
                    mask = program.ops.iter().any(begins).then_some(self.fills[usize::from(*fill)].mask);
                    mask?;
                }
                _ => return None,
            }
        }
        mask
    }

    /// Follows the keeper from a step on, and hands over all cases in which it ends the game.
    #[allow(clippy::too_many_arguments)]
    fn cases<B: Store<S>>(
        &self,
        mut at: u32,
        mut case: Case<S>,
        depth: usize,
        store: &mut B,
        scratch: &mut Scratch<S>,
        registers: &mut [S],
        end: &mut impl FnMut(Case<S>),
    ) {
        for _ in 0..30 {
            if case.cells.is_empty() || depth > 12 {
                return;
            }
            match self.keeper[at as usize] {
                KeeperStep::End => return end(case),
                KeeperStep::Run(_) => return,
                KeeperStep::Switch(switch) => match self.effects[usize::from(switch)] {
                    Effect::Keeper => at = self.first_steps[usize::from(switch)],
                    _ => return,
                },
                KeeperStep::Apply { modifier, then } => {
                    match &self.effects[usize::from(modifier)] {
                        Effect::Put(piece) => case.put = Some(*piece),
                        Effect::Assign(variable, value) if *variable < 2 => {
                            case.scores[usize::from(*variable)] = value.constant().map(|value| value as i32);
                        }
                        _ => {}
                    }
                    at = then;
                }
                KeeperStep::If { condition, yes, no } => {
                    let (mut holds, mut fails) = (case, case);
                    match condition {
                        Condition::In(set) => {
                            let set = self.sets[set as usize];
                            (holds.cells, fails.cells) = (case.cells.and(set), case.cells.and_not(set));
                        }
                        Condition::On(mask) => match case.put {
                            Some(piece) if self.allows(mask, piece) => fails.cells = S::EMPTY,
                            Some(_) => holds.cells = S::EMPTY,
                            None => return,
                        },
                        Condition::Comparison(_) => return,
                        Condition::Look(look) => {
                            let code = &self.looks[usize::from(look)];
                            let mut found = S::EMPTY;
                            let complete = code.tree.as_ref().is_some_and(|tree| tree.complete);
                            if !case.elsewhere && !complete && self.fills_from_here(look).is_some() {
                                // What is on the cell itself does not matter.
                                found = self.look(look, case.cells, store, scratch, registers);
                                holds.add(look);
                                fails.plain = false;
                                (holds.cells, fails.cells) = (found, fails.cells.and_not(found));
                                self.cases(yes, holds, depth + 1, store, scratch, registers, end);
                                (at, case) = (no, fails);
                                continue;
                            }
                            let Some(tree) = &code.tree else { return };
                            if case.elsewhere {
                                // Only what holds whatever the pieces are.
                                let fixed = |sum: S, &(_, domain): &(usize, S)| sum.or(domain);
                                found = case.cells.and(tree.at_root.iter().fold(S::EMPTY, fixed));
                                if !tree.complete || !tree.tests.is_empty() {
                                    fails.cells = S::EMPTY;
                                }
                            } else {
                                let each = |_, cells: S| found = found.or(cells);
                                self.climb(tree, case.cells, case.put, store, registers, each);
                                if !tree.complete {
                                    fails.cells = S::EMPTY;
                                }
                                holds.add(look);
                            }
                            fails.plain = false;
                            (holds.cells, fails.cells) = (found, fails.cells.and_not(found));
                        }
                    }
                    self.cases(yes, holds, depth + 1, store, scratch, registers, end);
                    (at, case) = (no, fails);
                }
            }
        }
    }

    /// For every winning move the cells it rests on: if `puts` are put on none of them, the move still wins. All cells if
    /// that is not known.
    pub(super) fn supports<B: Store<S>>(&self, wins: &Wins<S>, puts: &[u8], store: &B, into: &mut Vec<S>) {
        let Kind { modifier, lane, cells } = wins.kind;
        for bit in bits(cells) {
            if into.len() >= 16 {
                return;
            }
            let support = if wins.plain { self.support(modifier, lane, bit, wins, puts, store) } else { None };
            into.push(support.unwrap_or(self.all));
        }
    }

    fn support<B: Store<S>>(
        &self,
        modifier: u16,
        lane: Option<u16>,
        bit: usize,
        wins: &Wins<S>,
        puts: &[u8],
        store: &B,
    ) -> Option<S> {
        let (mut support, mut put) = (S::single(bit), None);
        if let Some(number) = lane {
            let lanes = self.lanes[usize::from(modifier)].as_ref()?;
            let lane = &lanes.lanes[usize::from(number)];
            if !lane.looks.is_empty() {
                return None;
            }
            if let Effect::Put(piece) = self.effects[usize::from(modifier)] {
                put = Some(piece);
            }
            let way = self.witness(&lanes.tree, Some(number.into()), bit, put, puts, store)?;
            support = support.or(way).or(S::single((bit as i32 + lane.by) as usize));
        }
        for look in wins.looks.into_iter().flatten() {
            let tree = self.looks[usize::from(look)].tree.as_ref();
            support = support.or(match (tree, self.fills_from_here(look)) {
                (Some(tree), _) if tree.complete => self.witness(tree, None, bit, wins.put, puts, store)?,
                // As long as all these pieces stay, whatever else changes.
                (_, Some(mask)) => self.on(mask, store),
                (tree, None) => self.witness(tree?, None, bit, wins.put, puts, store)?,
            });
        }
        Some(support)
    }

    /// The cells of one way through a tree of tests from a cell, without those whose tests hold with any of `puts` too.
    #[allow(clippy::too_many_arguments)]
    fn witness<B: Store<S>>(
        &self,
        tree: &TreeCode<S>,
        leaf: Option<usize>,
        bit: usize,
        put: Option<u8>,
        puts: &[u8],
        store: &B,
    ) -> Option<S> {
        let wanted = |&(end, domain): &(usize, S)| leaf.is_none_or(|leaf| leaf == end) && domain.has(bit);
        if tree.at_root.iter().any(wanted) {
            return Some(S::EMPTY);
        }
        let mut way = [S::EMPTY; 40];
        let mut place = 0;
        while let Some(test) = tree.tests.get(place) {
            let cell = (bit as i32 + test.by) as usize;
            let there = match (test.by, put) {
                (0, Some(piece)) => self.allows(test.mask, piece),
                _ => cell < S::WORDS * 64 && self.on(test.mask, store).has(cell),
            };
            if !there {
                place = test.skip;
                continue;
            }
            let keeps = puts.iter().all(|&piece| self.allows(test.mask, piece));
            let cells = if keeps { way[test.depth] } else { way[test.depth].or(S::single(cell)) };
            if test.ends.iter().any(wanted) {
                return Some(cells);
            }
            *way.get_mut(test.depth + 1)? = cells;
            place += 1;
        }
        None
    }

    /// The cells of `kind` at which a move changes a cell of `support`.
    pub(super) fn touching(&self, kind: &Kind<S>, support: S) -> S {
        match self.end_of(kind) {
            Some((0, ..)) => kind.cells.and(support),
            Some((by, ..)) => kind.cells.and(support.or(support.shifted_far(-by))),
            None => kind.cells,
        }
    }

    /// All moves of a player by kinds; whether these are all.
    #[allow(clippy::too_many_arguments)]
    pub(super) fn kinds<B: Store<S>>(
        &self,
        switch: u16,
        cell: usize,
        store: &mut B,
        scratch: &mut Scratch<S>,
        registers: &mut [S],
        kinds: &mut Vec<Kind<S>>,
    ) -> bool {
        kinds.clear();
        let mut sink = Kinds { kinds, others: false };
        let program = &self.after[usize::from(switch)];
        self.explore::<B, _, false>(program, cell, store, scratch, registers, 0, &mut sink);
        !sink.others
    }

    /// What can be seen one move ahead by these rules.
    pub(super) fn sharp(&self) -> Sharp {
        let puts = vec![Vec::new(); self.effects.len()];
        let mut sharp = Sharp { rivals: vec![None; self.effects.len()], puts, wins: true, steady: true };
        let mut players = [false; 2];
        for (switch, effect) in self.effects.iter().enumerate() {
            let Effect::Player(player) = effect else { continue };
            match self.sees_wins(switch) {
                Some(cheap) => {
                    players[usize::from(*player)] = true;
                    sharp.wins &= cheap;
                    sharp.rivals[switch] = self.rival(switch, *player, &mut sharp.steady, &mut sharp.puts[switch]);
                }
                None => sharp.wins = false,
            }
        }
        sharp.wins &= players == [true; 2];
        sharp
    }

    /// The switches that end the moves of a player, if all moves are of kinds.
    fn ends_of(&self, switch: usize) -> Option<Vec<(u16, bool)>> {
        let mut ends = Vec::new();
        for out in &self.after[switch].outs {
            if out.is_switch {
                ends.push((out.modifier, false));
                continue;
            }
            let lanes = self.lanes[usize::from(out.modifier)].as_ref().filter(|lanes| lanes.rest.is_none())?;
            for lane in &lanes.lanes {
                ends.push((*lane.modifiers.last()?, lane.by != 0));
            }
        }
        Some(ends)
    }

    /// If some wins with one move can be seen and no look-ahead stands in the way of seeing others: whether that is cheap
    /// enough for play-outs.
    fn sees_wins(&self, switch: usize) -> Option<bool> {
        let (mut seen, mut cheap) = (false, true);
        for (end, elsewhere) in self.ends_of(switch)? {
            let mut open = vec![self.first_steps[usize::from(end)]];
            let mut done = vec![false; self.keeper.len()];
            while let Some(at) = open.pop() {
                if std::mem::replace(&mut done[at as usize], true) {
                    continue;
                }
                match self.keeper[at as usize] {
                    KeeperStep::End => seen = true,
                    KeeperStep::Run(_) => return None,
                    KeeperStep::Switch(switch) => {
                        if self.effects[usize::from(switch)] == Effect::Keeper {
                            open.push(self.first_steps[usize::from(switch)]);
                        }
                    }
                    KeeperStep::Apply { then, .. } => open.push(then),
                    KeeperStep::If { condition, yes, no } => {
                        if let Condition::Look(look) = condition {
                            match &self.looks[usize::from(look)].tree {
                                Some(tree) if elsewhere && !tree.at_root.is_empty() => {}
                                Some(tree) if !elsewhere && tree.complete => {}
                                _ if !elsewhere && self.fills_from_here(look).is_some() => cheap = false,
                                _ => return None,
                            }
                        }
                        if !matches!(condition, Condition::Comparison(_)) {
                            open.push(yes);
                        }
                        open.push(no);
                    }
                }
            }
        }
        seen.then_some(cheap)
    }

    /// The switch to the other player that follows after every move, see [`Sharp::rivals`]; `steady` is lowered if scores
    /// may be changed on the way, and `puts` gets the pieces that are put.
    fn rival(&self, switch: usize, player: u8, steady: &mut bool, puts: &mut Vec<u8>) -> Option<u16> {
        let mut rival = None;
        let mut put = |modifier: u16| {
            if let Effect::Put(piece) = self.effects[usize::from(modifier)] {
                puts.push(piece);
            }
        };
        for out in self.after[switch].outs.iter().filter(|out| !out.is_switch) {
            put(out.modifier);
            let lanes = self.lanes[usize::from(out.modifier)].iter().flat_map(|lanes| &lanes.lanes);
            lanes.flat_map(|lane| &lane.modifiers).for_each(|&modifier| put(modifier));
        }
        for (end, _) in self.ends_of(switch)? {
            let mut open = vec![(self.first_steps[usize::from(end)], false)];
            let mut done = vec![[false; 2]; self.keeper.len()];
            while let Some((at, scored)) = open.pop() {
                if std::mem::replace(&mut done[at as usize][usize::from(scored)], true) {
                    continue;
                }
                match self.keeper[at as usize] {
                    KeeperStep::End => {}
                    KeeperStep::Run(_) => return None,
                    KeeperStep::Switch(next) => match self.effects[usize::from(next)] {
                        Effect::Player(other) if other != player && rival.is_none_or(|rival| rival == next) => {
                            rival = Some(next);
                            *steady &= !scored;
                        }
                        Effect::Keeper => open.push((self.first_steps[usize::from(next)], scored)),
                        _ => return None,
                    },
                    KeeperStep::Apply { modifier, then } => {
                        put(modifier);
                        let score = matches!(self.effects[usize::from(modifier)], Effect::Assign(0 | 1, _));
                        open.push((then, scored || score));
                    }
                    KeeperStep::If { yes, no, .. } => open.extend([(yes, scored), (no, scored)]),
                }
            }
        }
        rival.filter(|&rival| {
            let program = &self.after[usize::from(rival)];
            // The moves must be there for their own cells alone.
            !program.uses_cell
                && program.outs.iter().filter(|out| !out.is_switch).all(|out| self.is_simple(program, out))
        })
    }

    /// Whether a modifier can be applied at a cell for the piece on that cell alone.
    fn is_simple(&self, program: &Program, out: &Out) -> bool {
        let Value::Register(register) = out.cells else { return false };
        program.ops.iter().any(|op| matches!(op, Op::OnConst { to, .. } if *to == register))
    }

    /// Whether a kind's moves are there for the pieces on their own cells alone.
    pub(super) fn is_plain(&self, switch: u16, kind: &Kind<S>) -> bool {
        let program = &self.after[usize::from(switch)];
        program.outs.iter().any(|out| out.modifier == kind.modifier && self.is_simple(program, out))
    }

    /// Whether scores are a win for a player; unknown scores are `now`.
    pub(super) fn with_scores(scores: [Option<i32>; 2], now: [i32; 2]) -> [i32; 2] {
        [scores[0].unwrap_or(now[0]), scores[1].unwrap_or(now[1])]
    }

    /// The largest score of the other player and none of one's own: what is certain when nothing is known.
    pub(super) fn worst_scores(&self, player: Player) -> [i32; 2] {
        let mut worst = [0; 2];
        let other = player.other().index();
        worst[other] = self.bounds[other];
        worst
    }
}
