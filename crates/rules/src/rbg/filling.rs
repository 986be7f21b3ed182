//! Play-outs of games in which every move takes an empty cell for good, and which can only end by what pieces of the mover
//! are there: lines and connections.
//!
//! The cells are taken in a random order. What has to be there for the game to end is looked for after many moves at once:
//! as long as it is missing, the game went on. Only the last moves are then made one by one, as the rules say.

use plyproof_core::{Player, Playout, Rng};

use super::automaton::Effect;
use super::engine::{Code, Scratch, split};
use super::info::Info;
use super::keeper::{Condition, KeeperStep};
use super::lanes::TreeCode;
use super::position::{Position, settled};
use super::program::{Op, Program};
use super::sets::{Set, bits};
use super::store::Store;
use super::syntax::{Arithmetic, Comparison};

/// How a game is played whose moves only take empty cells.
pub(super) struct Filling<S> {
    sides: [Side<S>; 2],
    empty: u8,
    /// Cells that can be taken.
    cells: S,
}

/// Moves of one player.
struct Side<S> {
    /// The switch to this player.
    switch: u16,
    /// What is put, if that is not the keeper's work, and the switch after it.
    put: Option<u16>,
    then: u16,
    piece: u8,
    /// What has to be there for the game to end: all of one of these.
    ends: Vec<Vec<Needed<S>>>,
}

/// What has to be there, and stays once it is there.
#[derive(Clone)]
enum Needed<S> {
    /// One of these lines of own pieces: displacements from the first cell, and the first cells.
    Lines(Vec<(Vec<i32>, S)>),
    /// A look-ahead at an own piece.
    Look(u16),
}

/// Fewer empty cells are filled move by move.
const FEWEST: usize = 8;

impl<S: Set> Filling<S> {
    /// `None` if the rules are of another kind.
    pub fn new(code: &Code<S>, info: &Info) -> Option<Self> {
        let switches = |player: u8| {
            let is =
                |&(switch, effect): &(usize, &Effect)| *effect == Effect::Player(player) && info.indices[switch] > 0;
            let mut found = code.effects.iter().enumerate().filter(is).map(|found| found.0 as u16);
            let first = found.next()?;
            found.next().is_none().then_some(first)
        };
        let (first, second) = (switches(0)?, switches(1)?);
        let (one, two) = (offered(code, first)?, offered(code, second)?);
        let sides = [side(code, first, second, one.0)?, side(code, second, first, one.0)?];
        (one == two).then_some(Self { sides, empty: one.0, cells: one.1 })
    }
}

/// The empty piece, and the cells on which it can be taken.
fn offered<S: Set>(code: &Code<S>, switch: u16) -> Option<(u8, S)> {
    let program = &code.after[usize::from(switch)];
    let [Op::OnConst { set, mask, .. }] = program.ops[..] else { return None };
    let mask = &code.masks[usize::from(mask)];
    (mask.more.is_empty() && !mask.none).then(|| (mask.first, code.sets[set as usize]))
}

fn side<S: Set>(code: &Code<S>, switch: u16, rival: u16, empty: u8) -> Option<Side<S>> {
    let [out] = code.after[usize::from(switch)].outs[..] else { return None };
    let piece_of = |modifier: u16| match code.effects.get(usize::from(modifier)) {
        Some(Effect::Put(piece)) => Some(*piece),
        _ => None,
    };
    let (put, then, piece) = if out.is_switch {
        let KeeperStep::Apply { modifier, .. } = code.keeper[code.first_steps[usize::from(out.modifier)] as usize]
        else {
            return None;
        };
        (None, out.modifier, piece_of(modifier)?)
    } else {
        let program = code.after.get(usize::from(out.modifier))?;
        let [next] = program.outs[..] else { return None };
        if !next.is_switch || !next.here || !program.ops.is_empty() {
            return None;
        }
        (Some(out.modifier), next.modifier, piece_of(out.modifier)?)
    };
    let mut side = Side { switch, put, then, piece, ends: Vec::new() };
    let mut fuel = 200;
    let way = Way { looks: Vec::new(), assigned: false, full: false };
    collect(code, code.first_steps[usize::from(then)], way, rival, empty, &mut side, &mut fuel)?;
    Some(side)
}

/// What is known on a way of the keeper.
#[derive(Clone)]
struct Way<S> {
    looks: Vec<Needed<S>>,
    assigned: bool,
    /// Whether all cells are taken.
    full: bool,
}

/// Goes through the keeper's decisions and notes what each end needs; `None` if something else happens there.
fn collect<S: Set>(
    code: &Code<S>,
    at: u32,
    mut way: Way<S>,
    rival: u16,
    empty: u8,
    side: &mut Side<S>,
    fuel: &mut u32,
) -> Option<()> {
    *fuel = fuel.checked_sub(1)?;
    match code.keeper[at as usize] {
        KeeperStep::Run(_) => None,
        KeeperStep::End => {
            if !way.full {
                side.ends.push(if way.looks.is_empty() { return None } else { way.looks });
            }
            Some(())
        }
        KeeperStep::Switch(switch) => match code.effects[usize::from(switch)] {
            Effect::Keeper => collect(code, code.first_steps[usize::from(switch)], way, rival, empty, side, fuel),
            _ => (switch == rival && !way.assigned).then_some(()),
        },
        KeeperStep::Apply { modifier, then } => {
            match &code.effects[usize::from(modifier)] {
                Effect::Put(piece) if *piece == side.piece => {}
                _ => way.assigned = true,
            }
            collect(code, then, way, rival, empty, side, fuel)
        }
        KeeperStep::If { condition, yes, no } => {
            let mut holds = way.clone();
            match condition {
                Condition::Look(look) => holds.looks.extend(needed(code, look, side.piece)),
                Condition::Comparison(comparison) => {
                    let (comparison, left, right) = &code.comparisons[usize::from(comparison)];
                    let none = (comparison, left, right.constant());
                    holds.full |= none == (&Comparison::Equal, &Arithmetic::Count(empty), Some(0));
                }
                Condition::On(_) | Condition::In(_) => {}
            }
            collect(code, yes, holds, rival, empty, side, fuel)?;
            collect(code, no, way, rival, empty, side, fuel)
        }
    }
}

/// What a look-ahead needs of own pieces, if that can be told.
fn needed<S: Set>(code: &Code<S>, look: u16, piece: u8) -> Option<Needed<S>> {
    let look_code = &code.looks[usize::from(look)];
    if let Some(tree) = look_code.tree.as_ref().filter(|tree| tree.complete) {
        return lines(code, tree, piece).map(Needed::Lines);
    }
    let backward = look_code.backward.as_ref()?;
    is_monotone(code, backward, piece).then_some(Needed::Look(look))
}

fn is_only<S>(code: &Code<S>, mask: u16, piece: u8) -> bool {
    let mask = &code.masks[usize::from(mask)];
    mask.first == piece && mask.more.is_empty() && !mask.none
}

/// Whether a program can only find more when there are more pieces of this kind, and asks for no others.
fn is_monotone<S: Set>(code: &Code<S>, program: &Program, piece: u8) -> bool {
    program.ops.iter().all(|op| match op {
        Op::Const { .. } | Op::Walk { .. } | Op::Or { .. } | Op::Any { .. } | Op::Spread { .. } => true,
        Op::Enter { .. } | Op::Repeat { .. } => true,
        Op::On { mask, .. } | Op::OnConst { mask, .. } => is_only(code, *mask, piece),
        Op::Fill { fill, .. } => is_only(code, code.fills[usize::from(*fill)].mask, piece),
        _ => false,
    })
}

/// The lines of own pieces that the ways through a tree of tests ask for, the first cell among them.
fn lines<S: Set>(code: &Code<S>, tree: &TreeCode<S>, piece: u8) -> Option<Vec<(Vec<i32>, S)>> {
    let mut lines: Vec<(Vec<i32>, S)> = Vec::new();
    let mut way: Vec<Option<i32>> = Vec::new();
    if !tree.at_root.is_empty() {
        return None;
    }
    for test in &tree.tests {
        way.truncate(test.depth);
        way.push(is_only(code, test.mask, piece).then_some(test.by));
        for (_, domain) in &test.ends {
            let mut cells: Vec<i32> = way.iter().copied().flatten().chain([0]).collect();
            cells.sort_unstable();
            cells.dedup();
            let first = cells[0];
            cells.iter_mut().for_each(|cell| *cell -= first);
            let begins = domain.shifted_far(first);
            match lines.iter_mut().find(|line| line.0 == cells) {
                Some(line) => line.1 = line.1.or(begins),
                None => lines.push((cells, begins)),
            }
        }
        if lines.len() > 30 {
            return None;
        }
    }
    // A single piece is always there.
    lines.iter().all(|line| line.0.len() > 1).then_some(lines)
}

impl<S: Set> Filling<S> {
    /// Whether what some end of the game needs is there for one of the players; only those of `alive` are asked for, and
    /// left there if it is.
    fn may_be_over<B: Store<S>>(
        &self,
        code: &Code<S>,
        alive: [bool; 2],
        store: &mut B,
        scratch: &mut Scratch<S>,
        registers: &mut [S],
    ) -> [bool; 2] {
        let mut over = [false; 2];
        for (over, (side, alive)) in over.iter_mut().zip(self.sides.iter().zip(alive)) {
            if !alive {
                continue;
            }
            let own = store.boards()[usize::from(side.piece)];
            *over = side.ends.iter().any(|end| {
                let mut cells = own;
                end.iter().all(|needed| {
                    match needed {
                        Needed::Lines(lines) => {
                            let there = |(line, first): &(Vec<i32>, S)| {
                                let cells = own.and(*first);
                                let further = |cells: S, &by: &i32| cells.and(own.shifted(-by));
                                !line[1..].iter().fold(cells, further).is_empty()
                            };
                            if !lines.iter().any(there) {
                                cells = S::EMPTY;
                            }
                        }
                        Needed::Look(look) => {
                            let Some(backward) = &code.looks[usize::from(*look)].backward else { return true };
                            let mut more = Vec::new();
                            let (mine, above) = split(registers, backward.registers, &mut more);
                            code.run(backward, 0, store, scratch, mine, above);
                            let all = backward.outs.first().map_or(S::EMPTY, |out| code.cells(out.cells, 0, mine));
                            cells = cells.and(all);
                        }
                    }
                    !cells.is_empty()
                })
            });
        }
        over
    }
}

impl<S: Set, B: Store<S>> Position<S, B> {
    /// A play-out that looks for the end in large steps; `None` if this is no such position.
    pub(super) fn filled_playout(
        &mut self,
        rng: &mut Rng,
        limit: u32,
        scratch: &mut Scratch<S>,
        registers: &mut [S],
        trace: &mut impl FnMut(Player, u16, &[(u16, u16)]),
    ) -> Option<Playout> {
        let Self { shared, store, at, .. } = self;
        let (code, filling) = (&shared.code, shared.filling.as_ref()?);
        let first = filling.sides.iter().position(|side| side.switch == at.last)?;
        let open = store.boards()[usize::from(filling.empty)].and(filling.cells);
        let count = open.count() as usize;
        if count < FEWEST || count > limit as usize {
            return None;
        }
        let mut order = std::mem::take(&mut scratch.order);
        order.clear();
        order.extend(bits(open).map(|bit| bit as u16));
        let side = |ply: usize| &filling.sides[(first + ply) % 2];
        // All before `low` was no end; at `high` there may have been one.
        let (mut low, mut high, mut known) = (0, 0, store.clone());
        let mut shuffled = 0;
        let mut alive = [true; 2];
        for top in [count / 2, count * 3 / 4, count - 2] {
            while shuffled < top {
                let other = shuffled + rng.below(count - shuffled);
                order.swap(shuffled, other);
                shuffled += 1;
            }
            high = top;
            let mut probe = known.clone();
            let boards = probe.boards_mut();
            (low..top).for_each(|ply| boards[usize::from(side(ply).piece)].insert(order[ply].into()));
            let over = filling.may_be_over(code, alive, &mut probe, scratch, registers);
            if over != [false; 2] {
                alive = over;
                break;
            }
            (low, known) = (top, probe);
        }
        while high > low + 1 {
            let middle = (low + high) / 2;
            let mut probe = known.clone();
            let boards = probe.boards_mut();
            (low..middle).for_each(|ply| boards[usize::from(side(ply).piece)].insert(order[ply].into()));
            let over = filling.may_be_over(code, alive, &mut probe, scratch, registers);
            if over == [false; 2] {
                (low, known) = (middle, probe);
            } else {
                (high, alive) = (middle, over);
            }
        }
        *store = known;
        let empty = &mut store.boards_mut()[usize::from(filling.empty)];
        order[..low].iter().for_each(|&bit| empty.remove(bit.into()));
        let player = |ply: usize| Player::new((first + ply) % 2);
        let steps = |ply: usize, order: &[u16]| {
            let side = side(ply);
            (side.put.map(|put| (put, order[ply])), (side.then, order[ply]))
        };
        let mut told = |ply: usize, order: &[u16]| match steps(ply, order) {
            (Some(put), then) => trace(player(ply), side(ply).switch, &[put, then]),
            (None, then) => trace(player(ply), side(ply).switch, &[then]),
        };
        (0..low).for_each(|ply| told(ply, &order));
        let mut result = None;
        for ply in low..count {
            if shuffled <= ply {
                let other = shuffled + rng.below(count - shuffled);
                order.swap(shuffled, other);
                shuffled += 1;
            }
            told(ply, &order);
            let (put, (switch, bit)) = steps(ply, &order);
            if let Some((put, bit)) = put {
                code.apply(put, bit.into(), store);
            }
            scratch.renew();
            *at = settled(code, store, switch, bit.into(), scratch, registers);
            if at.end.is_some() {
                result = Some(ply + 1);
                break;
            }
        }
        scratch.order = order;
        Some(Playout { outcome: self.result(), plies: result.unwrap_or(count) as u32 })
    }
}
