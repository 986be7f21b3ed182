//! Games in which every move takes an empty cell for good and ends are seen for all moves at once.
//!
//! Where ends are patterns of pieces near the last move, decisive play-outs keep the cells on which either player wins from
//! move to move. A move can only make or spoil wins of the mover on cells whose patterns reach the cell of the move. It takes its cell
//! from the opponent, whose patterns do not ask whether a cell is empty or the mover's.

use plyproof_core::{Outcome, Player, Playout, Rng};

use super::automaton::Effect;
use super::decisive::Lists;
use super::engine::{Code, Scratch};
use super::geometry::{Geometry, NONE};
use super::info::Info;
use super::keeper::{Condition, KeeperStep};
use super::position::{Position, Shared, Spot, settled};
use super::program::Op;
use super::sets::{Set, bits};
use super::sharp::{Kind, Wins};
use super::sinks::{Move, Trail};
use super::store::Store;

/// Decisions of the keeper behind a move of which all ends are known to be seen.
const DECISIONS: usize = 12;

/// How such a game is played.
pub(super) struct Focus<S> {
    sides: [Side<S>; 2],
    empty: u8,
    /// Whether play-outs are played as said above.
    patterns: bool,
    /// For each cell those within a few steps.
    near: Vec<S>,
}

struct Side<S> {
    /// The switch to this player.
    switch: u16,
    /// The moves on an empty board.
    kind: Kind<S>,
    stone: u8,
    /// For each cell those on which a move wins or not depending on that cell.
    reach: Vec<S>,
    /// Whether the only ends of the game are those that are seen, and other moves do nothing but put a stone.
    exact: bool,
}

/// What the keeper looks at behind a move.
struct Ends {
    /// The pieces that tests ask for, and their places as seen from the move.
    masks: Vec<u16>,
    displacements: Vec<i32>,
    /// Whether there is nothing else.
    patterns: bool,
    exact: bool,
}

impl<S: Set> Focus<S> {
    /// `None` if the rules are of another kind.
    pub fn new(code: &Code<S>, info: &Info, geometry: &Geometry) -> Option<Self> {
        let ((first, one), (second, two)) = (side(code, info, 0)?, side(code, info, 1)?);
        if one != two {
            return None;
        }
        let sides = [first, second];
        // Nobody's patterns tell an empty cell from one that the opponent has taken.
        let patterns = |(place, side): (usize, &Side<S>)| {
            let rival = sides[1 - place].stone;
            let alike = |&mask: &u16| code.allows(mask, one) == code.allows(mask, rival);
            ends(code, side).is_some_and(|ends| ends.patterns && ends.masks.iter().all(alike))
        };
        let patterns = patterns((0, &sides[0])) && patterns((1, &sides[1]));
        let steps = if geometry.steps.len() <= 4 { 3 } else { 2 };
        let near = (0..code.bits).map(|bit| within::<S>(geometry, bit, steps)).collect();
        Some(Self { sides, empty: one, patterns, near })
    }

    /// Whether the player behind a switch has a move.
    pub fn can_move<B: Store<S>>(&self, switch: u16, store: &B) -> Option<bool> {
        let side = self.sides.iter().find(|side| side.switch == switch)?;
        Some(!side.at(store.boards()[usize::from(self.empty)]).cells.is_empty())
    }
}

/// The cells within some steps of a cell.
fn within<S: Set>(geometry: &Geometry, bit: usize, steps: usize) -> S {
    let mut all = S::single(bit);
    for _ in 0..steps {
        let before = all;
        for walk in &geometry.steps {
            for from in bits(before).filter(|&from| walk[from] != NONE) {
                all.insert(walk[from].into());
            }
        }
    }
    all
}

/// The moves of a player, and the piece that they replace.
fn side<S: Set>(code: &Code<S>, info: &Info, player: u8) -> Option<(Side<S>, u8)> {
    let mut switches = (0..code.effects.len()).filter(|&n| code.effects[n] == Effect::Player(player));
    let switch = switches.find(|&switch| info.indices[switch] > 0)?;
    if switches.any(|switch| info.indices[switch] > 0) {
        return None;
    }
    let program = &code.after[switch];
    let ([out], [Op::OnConst { set, mask, .. }]) = (&program.outs[..], &program.ops[..]) else { return None };
    let mask = &code.masks[usize::from(*mask)];
    if !mask.more.is_empty() || mask.none {
        return None;
    }
    let piece = |modifier: u16| match code.effects.get(usize::from(modifier)) {
        Some(Effect::Put(piece)) => Some(*piece),
        _ => None,
    };
    let (lane, stone) = if out.is_switch {
        let KeeperStep::Apply { modifier, .. } = code.keeper[code.first_steps[usize::from(out.modifier)] as usize]
        else {
            return None;
        };
        (None, piece(modifier)?)
    } else {
        let lanes = code.lanes[usize::from(out.modifier)].as_ref()?;
        let [lane] = &lanes.lanes[..] else { return None };
        let everywhere = matches!(&lanes.tree.at_root[..], [(_, domain)] if code.all.and_not(*domain).is_empty());
        let alone = lanes.rest.is_none() && lanes.tree.tests.is_empty() && everywhere;
        if !alone || lane.by != 0 || !lane.looks.is_empty() || lane.modifiers.len() != 1 {
            return None;
        }
        (Some(0), piece(out.modifier)?)
    };
    let kind = Kind { modifier: out.modifier, lane, cells: code.sets[*set as usize] };
    let mut side = Side { switch: switch as u16, kind, stone, reach: Vec::new(), exact: false };
    let ends = ends(code, &side)?;
    side.exact = ends.exact;
    side.reach = (0..code.bits)
        .map(|bit| {
            let cell = S::single(bit);
            ends.displacements.iter().fold(S::EMPTY, |reach, &by| reach.or(cell.shifted_far(-by))).and(code.all)
        })
        .collect();
    Some((side, mask.first))
}

/// What the ends of a player's moves depend on; `None` if they cannot be seen.
fn ends<S: Set>(code: &Code<S>, side: &Side<S>) -> Option<Ends> {
    let mut ends = Ends { masks: Vec::new(), displacements: Vec::new(), patterns: true, exact: true };
    let last = match side.kind.lane {
        Some(lane) => *code.lane(side.kind.modifier, lane.into())?.modifiers.last()?,
        None => side.kind.modifier,
    };
    let mut open = vec![(code.first_steps[usize::from(last)], false)];
    let mut done = vec![[false; 2]; code.keeper.len()];
    while let Some((at, assigned)) = open.pop() {
        if std::mem::replace(&mut done[at as usize][usize::from(assigned)], true) {
            continue;
        }
        match code.keeper[at as usize] {
            KeeperStep::End => {}
            KeeperStep::Run(_) => return None,
            KeeperStep::Switch(switch) => match code.effects[usize::from(switch)] {
                Effect::Keeper => open.push((code.first_steps[usize::from(switch)], assigned)),
                _ => ends.exact &= !assigned,
            },
            KeeperStep::Apply { modifier, then } => match code.effects[usize::from(modifier)] {
                Effect::Put(piece) if piece == side.stone => open.push((then, assigned)),
                Effect::Put(_) => return None,
                _ => open.push((then, true)),
            },
            KeeperStep::If { condition, yes, no } => {
                match condition {
                    Condition::Look(look) => {
                        let tree = code.looks[usize::from(look)].tree.as_ref().filter(|tree| tree.complete);
                        if let Some(tree) = tree {
                            ends.masks.extend(tree.tests.iter().map(|test| test.mask));
                            ends.displacements.extend(tree.tests.iter().map(|test| test.by));
                        } else {
                            code.fills_from_here(look)?;
                            ends.patterns = false;
                        }
                    }
                    Condition::Comparison(_) => ends.exact = false,
                    Condition::On(_) | Condition::In(_) => {}
                }
                open.extend([(yes, assigned), (no, assigned)]);
            }
        }
    }
    // What takes more decisions is not followed to its end.
    ends.exact &= done.iter().filter(|done| done[0] || done[1]).count() <= DECISIONS;
    ends.displacements.sort_unstable();
    ends.displacements.dedup();
    Some(ends)
}

impl<S: Set> Side<S> {
    /// The moves at some empty cells.
    fn at(&self, cells: S) -> Kind<S> {
        Kind { cells: self.kind.cells.and(cells), ..self.kind }
    }
}

impl<S: Set> Shared<S> {
    /// The cells of `kind` on which a player wins at once.
    fn winning<B: Store<S>>(
        &self,
        kind: Kind<S>,
        player: Player,
        store: &mut B,
        scratch: &mut Scratch<S>,
        registers: &mut [S],
        wins: &mut Vec<Wins<S>>,
    ) -> S {
        if kind.cells.is_empty() {
            return S::EMPTY;
        }
        let scores = [store.variables()[0], store.variables()[1]];
        self.find_wins(&[kind], player, scores, store, scratch, registers, wins);
        wins.iter().fold(S::EMPTY, |all, wins| all.or(wins.kind.cells))
    }
}

impl<S: Set, B: Store<S>> Position<S, B> {
    /// A decisive play-out; `None` if this is no such position.
    #[allow(clippy::too_many_arguments)]
    pub(super) fn focused_playout(
        &mut self,
        rng: &mut Rng,
        limit: u32,
        scratch: &mut Scratch<S>,
        registers: &mut [S],
        lists: &mut Lists<S>,
        trace: &mut impl FnMut(Player, u16, &[(u16, u16)]),
    ) -> Option<Playout> {
        let Self { shared, store, at, .. } = self;
        let (code, focus) = (&shared.code, shared.sight.focus.as_ref().filter(|focus| focus.patterns)?);
        let mut me = focus.sides.iter().position(|side| side.switch == at.last)?;
        let mut open = store.boards()[usize::from(focus.empty)];
        let mut wins = [S::EMPTY; 2];
        for (place, side) in focus.sides.iter().enumerate() {
            let found = &mut lists.wins;
            wins[place] = shared.winning(side.at(open), Player::new(place), store, scratch, registers, found);
        }
        let mut trail = Trail::EMPTY;
        for plies in 0..limit {
            let (side, rival) = (&focus.sides[me], 1 - me);
            let free = side.kind.cells.and(open);
            let threats = wins[rival].and(free);
            let cells = if !wins[me].is_empty() {
                wins[me]
            } else if wins[rival].is_single() && !threats.is_empty() {
                threats
            } else {
                free
            };
            let count = cells.count();
            if count == 0 {
                return Some(Playout { outcome: self.result(), plies });
            }
            let bit = cells.nth(rng.below(count as usize) as u32);
            code.trail_of(&side.kind, bit, &mut trail);
            trace(Player::new(me), side.switch, trail.steps());
            if side.exact && wins[me].is_empty() {
                store.put(side.stone, bit);
                let last = focus.sides[rival].switch;
                *at = Spot { last, cell: bit as u16, mover: Player::new(rival), end: None };
            } else {
                let Some((&(switch, bit), steps)) = trail.steps().split_last() else { break };
                for &(modifier, bit) in steps {
                    code.apply(modifier, bit.into(), store);
                }
                scratch.renew();
                *at = settled(code, store, switch, bit.into(), scratch, registers);
                if at.end.is_some() {
                    return Some(Playout { outcome: self.result(), plies: plies + 1 });
                }
            }
            open.remove(bit);
            wins[rival].remove(bit);
            let reach = side.reach[bit].and(open);
            let found = &mut lists.wins;
            let more = shared.winning(side.at(reach), Player::new(me), store, scratch, registers, found);
            wins[me] = wins[me].and_not(reach).or(more);
            wins[me].remove(bit);
            me = rival;
        }
        self.conclude(scratch);
        Some(Playout { outcome: self.outcome.unwrap_or(Outcome::DRAW), plies: limit })
    }

    /// The ends of the game among moves that were listed, if all can be seen at once.
    pub(super) fn focused_ends(&self, moves: &[Move], ends: &mut Vec<(usize, Outcome)>) -> bool {
        let Shared { code, info, sight, .. } = &*self.shared;
        let Some(focus) = &sight.focus else { return false };
        let Some(me) = focus.sides.iter().position(|side| side.switch == self.at.last) else { return false };
        let (side, open) = (&focus.sides[me], self.store.boards()[usize::from(focus.empty)]);
        let stays = focus.sides[1 - me].at(open).cells.count() > 1;
        if !side.exact || !stays {
            return false;
        }
        S::with_scratch(|scratch| {
            scratch.renew();
            let (mut registers, mut store) = (scratch.lend(), self.store.clone());
            let now = [store.variables()[0], store.variables()[1]];
            let (mut found, mut outcomes) = (Vec::new(), std::cell::RefCell::new(Vec::new()));
            let note = |scores: [Option<i32>; 2]| {
                let [first, second] = Code::<S>::with_scores(scores, now);
                outcomes.borrow_mut().push(info.outcome(first, second));
                true
            };
            code.wins(&side.at(open), &mut store, scratch, &mut registers, &note, &mut found);
            scratch.give_back(registers);
            let outcomes = outcomes.get_mut();
            if !found.is_empty() {
                for (index, &m) in moves.iter().enumerate() {
                    let bit = usize::from(self.steps(m, scratch).steps()[0].1);
                    let end = found.iter().position(|wins| wins.kind.cells.has(bit));
                    ends.extend(end.map(|end| (index, outcomes[end])));
                }
            }
        });
        true
    }

    /// The places of moves far from all that is on the board.
    pub(super) fn far_moves(&self, moves: &[Move], into: &mut Vec<usize>) {
        let Some(focus) = self.shared.sight.focus.as_ref().filter(|focus| focus.patterns) else { return };
        let taken = self.shared.code.all.and_not(self.store.boards()[usize::from(focus.empty)]);
        if taken.is_empty() {
            return;
        }
        let near = bits(taken).fold(S::EMPTY, |near, bit| near.or(focus.near[bit]));
        S::with_scratch(|scratch| {
            let mut far = |m| self.steps(m, scratch).steps().first().is_some_and(|step| !near.has(step.1.into()));
            into.extend(moves.iter().enumerate().filter(|&(_, &m)| far(m)).map(|(place, _)| place));
        });
    }
}
