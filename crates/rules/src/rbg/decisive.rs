//! Play-outs in which wins and threats of the next move are seen, and defences against such threats.

use plyproof_core::{DecisivePlayouts, Defence, Game, Player, Playout, Rng};

use super::automaton::Effect;
use super::engine::{Code, Scratch};
use super::focus::Focus;
use super::geometry::Geometry;
use super::info::Info;
use super::keeper::KeeperStep;
use super::position::{Position, Shared, settled};
use super::program::Op;
use super::sets::{Set, bits};
use super::sharp::{Kind, Sharp, Wins};
use super::sinks::{Draw, Move, Trail};
use super::store::Store;

/// Lists that are filled anew for every ply.
pub struct Lists<S> {
    mine: Vec<Kind<S>>,
    theirs: Vec<Kind<S>>,
    pub(super) wins: Vec<Wins<S>>,
    supports: Vec<S>,
}

impl<S> Default for Lists<S> {
    fn default() -> Self {
        Self { mine: Vec::new(), theirs: Vec::new(), wins: Vec::new(), supports: Vec::new() }
    }
}

/// What the rules allow to see.
pub(super) struct Sight<S> {
    pub sharp: Sharp,
    pub decisive: bool,
    /// Whether every move takes an empty cell for good, so that no player makes a move twice.
    pub placing: bool,
    pub focus: Option<Focus<S>>,
}

impl<S: Set> Sight<S> {
    pub fn new(code: &Code<S>, info: &Info, geometry: &Geometry) -> Self {
        let sharp = code.sharp();
        let switches = |effect: &Effect| matches!(effect, Effect::Player(_));
        let known = |(switch, effect): (usize, &Effect)| !switches(effect) || sharp.rivals[switch].is_some();
        let decisive = sharp.wins && code.effects.iter().enumerate().all(known);
        let placing = is_placing(code, info);
        let focus = if placing && sharp.steady { Focus::new(code, info, geometry) } else { None };
        Self { decisive, placing, sharp, focus }
    }
}

/// Whether all moves put a piece on a cell with a piece that is never put anywhere.
fn is_placing<S: Set>(code: &Code<S>, info: &Info) -> bool {
    let lasts = |cell_piece: u8, put: u8| {
        let mut effects = code.effects.iter().zip(&info.indices);
        put != cell_piece && !effects.any(|(effect, &index)| index > 0 && *effect == Effect::Put(cell_piece))
    };
    let mut players = code.effects.iter().enumerate().filter(|(_, effect)| matches!(effect, Effect::Player(_)));
    players.all(|(switch, _)| {
        let program = &code.after[switch];
        let ([out], [Op::OnConst { mask, .. }]) = (&program.outs[..], &program.ops[..]) else { return false };
        let mask = &code.masks[usize::from(*mask)];
        let put = match (code.effects.get(usize::from(out.modifier)), out.is_switch) {
            (Some(Effect::Put(piece)), _) => *piece,
            (Some(_), true) => match code.keeper[code.first_steps[usize::from(out.modifier)] as usize] {
                KeeperStep::Apply { modifier, .. } => match code.effects[usize::from(modifier)] {
                    Effect::Put(piece) => piece,
                    _ => return false,
                },
                _ => return false,
            },
            _ => return false,
        };
        mask.more.is_empty() && !mask.none && lasts(mask.first, put)
    })
}

impl<S: Set> Code<S> {
    /// A random move of some kinds at the cells that `of` leaves.
    fn draw_kind(&self, kinds: &[Kind<S>], rng: &mut Rng, of: impl Fn(&Kind<S>) -> S) -> Option<(Kind<S>, usize)> {
        let total: u32 = kinds.iter().map(|kind| of(kind).count()).sum();
        if total == 0 {
            return None;
        }
        let mut place = rng.below(total as usize) as u32;
        for kind in kinds {
            let cells = of(kind);
            let count = cells.count();
            if place < count {
                return Some((*kind, cells.nth(place)));
            }
            place -= count;
        }
        None
    }

    /// The modifiers of a move.
    #[inline]
    pub(super) fn trail_of(&self, kind: &Kind<S>, bit: usize, trail: &mut Trail) {
        trail.length = 0;
        match kind.lane.and_then(|number| self.lane(kind.modifier, number.into())) {
            Some(lane) => trail.extend(kind.modifier, bit, lane),
            None => trail.push(kind.modifier, bit),
        }
    }
}

impl<S: Set> Shared<S> {
    /// Fills `wins` with the wins of `mover` among moves of `kinds`; scores that a win does not set are `scores`.
    #[allow(clippy::too_many_arguments)]
    pub(super) fn find_wins<B: Store<S>>(
        &self,
        kinds: &[Kind<S>],
        mover: Player,
        scores: [i32; 2],
        store: &mut B,
        scratch: &mut Scratch<S>,
        registers: &mut [S],
        wins: &mut Vec<Wins<S>>,
    ) {
        wins.clear();
        let win = |set: [Option<i32>; 2]| {
            let [first, second] = Code::<S>::with_scores(set, scores);
            self.info.outcome(first, second).winner() == Some(mover)
        };
        kinds.iter().for_each(|kind| self.code.wins(kind, store, scratch, registers, &win, wins));
    }

    /// Fills `lists.supports` with the cells on which the wins of the player after `mover` rest, if it were that
    /// player's turn.
    #[allow(clippy::too_many_arguments)]
    fn find_threats<B: Store<S>>(
        &self,
        last: u16,
        mover: Player,
        store: &mut B,
        scratch: &mut Scratch<S>,
        registers: &mut [S],
        lists: &mut Lists<S>,
    ) {
        lists.supports.clear();
        let Some(rival) = self.sight.sharp.rivals[usize::from(last)] else { return };
        let code = &self.code;
        if !code.kinds(rival, 0, store, scratch, registers, &mut lists.theirs) {
            return;
        }
        lists.theirs.retain(|kind| code.is_plain(rival, kind));
        let now = [store.variables()[0], store.variables()[1]];
        let rival = mover.other();
        let scores = if self.sight.sharp.steady { now } else { code.worst_scores(rival) };
        let mut theirs = std::mem::take(&mut lists.theirs);
        self.find_wins(&theirs, rival, scores, store, scratch, registers, &mut lists.wins);
        let puts = &self.sight.sharp.puts[usize::from(last)];
        lists.wins.iter().for_each(|wins| code.supports(wins, puts, store, &mut lists.supports));
        theirs.clear();
        lists.theirs = theirs;
    }
}

impl<S: Set, B: Store<S>> Position<S, B> {
    pub(super) fn sees(&self) -> DecisivePlayouts {
        match (self.shared.sight.decisive, self.shared.sight.sharp.steady) {
            (true, true) => DecisivePlayouts::WinsAndDefences,
            // Scores that change during the game decide it where a player cannot move, which is not looked for.
            (true, false) => DecisivePlayouts::Wins,
            (false, _) => DecisivePlayouts::None,
        }
    }

    /// A play-out, decisive if the rules allow it; `trace` gets the modifiers of every move.
    pub(super) fn told_playout(
        &mut self,
        rng: &mut Rng,
        limit: u32,
        decisive: bool,
        mut trace: impl FnMut(Player, u16, &[(u16, u16)]),
    ) -> Playout {
        if let Some(outcome) = self.outcome {
            return Playout { outcome, plies: 0 };
        }
        S::with_scratch(|scratch| {
            scratch.renew();
            let mut registers = scratch.lend();
            let mut lists = std::mem::take(&mut scratch.lists);
            let playout = self.told_in(rng, limit, decisive, scratch, &mut registers, &mut lists, &mut trace);
            scratch.lists = lists;
            scratch.give_back(registers);
            playout
        })
    }

    #[allow(clippy::too_many_arguments)]
    fn told_in(
        &mut self,
        rng: &mut Rng,
        limit: u32,
        decisive: bool,
        scratch: &mut Scratch<S>,
        registers: &mut [S],
        lists: &mut Lists<S>,
        trace: &mut impl FnMut(Player, u16, &[(u16, u16)]),
    ) -> Playout {
        if !decisive && let Some(playout) = self.filled_playout(rng, limit, scratch, registers, trace) {
            return playout;
        }
        if decisive && let Some(playout) = self.focused_playout(rng, limit, scratch, registers, lists, trace) {
            return playout;
        }
        let mut draw = Draw::new(rng);
        let Self { shared, store, at, .. } = self;
        let code = &shared.code;
        for plies in 0..limit {
            scratch.steps = 0;
            let drawn = if decisive {
                shared.decisive_move(at.last, at.cell.into(), at.mover, store, scratch, registers, lists, draw.rng)
            } else {
                None
            };
            match drawn {
                Some((kind, bit)) => code.trail_of(&kind, bit, &mut draw.drawn),
                None => {
                    code.draw_move(at.last, at.cell.into(), store, scratch, registers, &mut draw);
                    if draw.drawn.length == 0 {
                        return Playout { outcome: self.result(), plies };
                    }
                }
            }
            trace(at.mover, at.last, draw.drawn.steps());
            let Some((&(switch, bit), steps)) = draw.drawn.steps().split_last() else { break };
            for &(modifier, bit) in steps {
                code.apply(modifier, bit.into(), store);
            }
            scratch.renew();
            *at = settled(code, store, switch, bit.into(), scratch, registers);
            if at.end.is_some() {
                return Playout { outcome: self.result(), plies: plies + 1 };
            }
        }
        self.conclude(scratch);
        Playout { outcome: self.outcome.unwrap_or(plyproof_core::Outcome::DRAW), plies: limit }
    }

    /// See [`Game::defences`].
    pub(super) fn find_defences(&self, into: &mut Vec<Move>) -> Defence {
        if !self.shared.sight.sharp.rivals.get(usize::from(self.at.last)).is_some_and(Option::is_some) {
            return Defence::NotNeeded;
        }
        let mut candidates = Vec::new();
        let (mut supports, mut store) = (Vec::new(), self.store.clone());
        S::with_scratch(|scratch| {
            scratch.renew();
            let mut registers = scratch.lend();
            let mut lists = std::mem::take(&mut scratch.lists);
            let (last, mover) = (self.at.last, self.at.mover);
            self.shared.find_threats(last, mover, &mut store, scratch, &mut registers, &mut lists);
            // What rests on all cells says nothing about single moves.
            supports.extend(lists.supports.iter().copied().filter(|&support| support != self.shared.code.all));
            let code = &self.shared.code;
            let cell = self.at.cell.into();
            if !supports.is_empty() && !code.kinds(last, cell, &mut store, scratch, &mut registers, &mut lists.mine) {
                supports.clear();
            }
            if !supports.is_empty() {
                let mut trail = Trail::EMPTY;
                for kind in &lists.mine {
                    let touching = |cells: S, &support: &S| cells.and(code.touching(kind, support));
                    let saving = supports.iter().fold(kind.cells, touching);
                    for bit in bits(kind.cells) {
                        code.trail_of(kind, bit, &mut trail);
                        candidates.push((self.move_of(trail.steps()), saving.has(bit)));
                    }
                }
            }
            scratch.lists = lists;
            scratch.give_back(registers);
        });
        if supports.is_empty() {
            return Defence::NotNeeded;
        }
        let before = into.len();
        let mut next = self.clone();
        let moves: Vec<Move> = candidates.iter().map(|candidate| candidate.0).collect();
        let mut seen = Vec::new();
        let all_seen = self.focused_ends(&moves, &mut seen);
        for (place, (m, saving)) in candidates.into_iter().enumerate() {
            // Another move may still end the game before the opponent wins.
            let mut ends = || {
                if all_seen {
                    return seen.iter().any(|end| end.0 == place);
                }
                next.clone_from(self);
                next.play(m);
                next.outcome.is_some()
            };
            if saving || ends() {
                into.push(m);
            }
        }
        if into.len() == before { Defence::Hopeless } else { Defence::Needed }
    }
}

impl<S: Set> Shared<S> {
    /// A winning move, or one that stops the opponent from winning next, or any; `None` where moves are not of kinds.
    #[allow(clippy::too_many_arguments)]
    fn decisive_move<B: Store<S>>(
        &self,
        last: u16,
        cell: usize,
        mover: Player,
        store: &mut B,
        scratch: &mut Scratch<S>,
        registers: &mut [S],
        lists: &mut Lists<S>,
        rng: &mut Rng,
    ) -> Option<(Kind<S>, usize)> {
        let code = &self.code;
        if !code.kinds(last, cell, store, scratch, registers, &mut lists.mine) {
            return None;
        }
        let scores = [store.variables()[0], store.variables()[1]];
        self.find_wins(&lists.mine, mover, scores, store, scratch, registers, &mut lists.wins);
        if !lists.wins.is_empty() {
            lists.mine.clear();
            lists.mine.extend(lists.wins.iter().map(|wins| wins.kind));
            return code.draw_kind(&lists.mine, rng, |kind| kind.cells);
        }
        self.find_threats(last, mover, store, scratch, registers, lists);
        let Lists { mine, supports, .. } = lists;
        if !supports.is_empty() {
            let touching = |kind: &Kind<S>| {
                supports.iter().fold(kind.cells, |cells, &support| cells.and(code.touching(kind, support)))
            };
            if let Some(found) = code.draw_kind(mine, rng, touching) {
                return Some(found);
            }
        }
        code.draw_kind(mine, rng, |kind| kind.cells)
    }
}
