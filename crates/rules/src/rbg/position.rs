//! A position of a game in the language of Regular Boardgames.

use std::sync::Arc;

use plyproof_core::{DecisivePlayouts, Defence, Game, Outcome, Player, Playout, Rng, TextError, mix64};

use super::automaton::Effect;
use super::decisive::Sight;
use super::engine::{Code, First, Scratch, Sink};
use super::filling::Filling;
use super::info::{End, Info};
use super::limits;
use super::sets::Set;
use super::sinks::{Draw, Find, HASHED, List, Move, Trail};
use super::store::Store;
use super::symmetry::{Symmetry, Turn};

/// Rules compiled, and what is needed to write positions and moves.
pub struct Shared<S> {
    pub(super) code: Code<S>,
    pub(super) info: Info,
    pub(super) sight: Sight<S>,
    pub(super) filling: Option<Filling<S>>,
    /// The symmetries but for the identity.
    pub(super) symmetries: Vec<Symmetry<S>>,
}

/// A position: pieces, variables, the last switch, and the cell it was made on.
///
/// ```text
/// store    a set of cells for each piece, and the variables
/// last     the last switch; what comes after it in the rules is what the player may do
/// cell     the cell of the last switch
/// ```
pub struct Position<S: Set, B: Store<S>> {
    pub(super) shared: Arc<Shared<S>>,
    pub(super) store: B,
    pub(super) at: Spot,
    pub(super) outcome: Option<Outcome>,
}

/// A place in the rules.
#[derive(Clone, Copy)]
pub(super) struct Spot {
    pub last: u16,
    pub cell: u16,
    pub mover: Player,
    pub end: Option<End>,
}

impl<S: Set, B: Store<S>> Clone for Position<S, B> {
    fn clone(&self) -> Self {
        Self { shared: self.shared.clone(), store: self.store.clone(), ..*self }
    }

    fn clone_from(&mut self, source: &Self) {
        if !Arc::ptr_eq(&self.shared, &source.shared) {
            self.shared = source.shared.clone();
        }
        self.store.clone_from(&source.store);
        (self.at, self.outcome) = (source.at, source.outcome);
    }
}

impl<S: Set, B: Store<S>> Position<S, B> {
    /// The position in which the first player chooses, or the rules have come to an end.
    pub(super) fn start(shared: Arc<Shared<S>>, pieces: &[u8], bits: &[u16]) -> Self {
        let mut store = B::new(shared.info.pieces.len(), shared.info.variables.len());
        for (&piece, &bit) in pieces.iter().zip(bits) {
            let board = &mut store.boards_mut()[usize::from(piece)];
            *board = board.or(S::single(bit.into()));
        }
        let cell = bits[0];
        let mut position =
            Self { shared, store, at: Spot { last: 0, cell, mover: Player::FIRST, end: None }, outcome: None };
        S::with_scratch(|scratch| {
            scratch.renew();
            scratch.steps = 0;
            let mut first = First::default();
            let shared = position.shared.clone();
            let code = &shared.code;
            let mut registers = scratch.lend();
            let store = &mut position.store;
            code.explore::<B, _, true>(&code.start, cell.into(), store, scratch, &mut registers, 0, &mut first);
            scratch.give_back(registers);
            match first.found {
                Some((switch, bit)) => position.settle(switch, bit, scratch),
                None => position.at.end = Some(if scratch.steps > limits::EXPLORATION { End::Cut } else { End::Over }),
            }
            position.conclude(scratch);
        });
        position
    }

    /// The last switch and the scores, if the game is not over.
    pub(super) fn beginning(&self) -> Option<(usize, [i32; 2])> {
        let scores = self.store.variables();
        self.outcome.is_none().then(|| (self.at.last.into(), [scores[0], scores[1]]))
    }

    /// Notes that games cannot be drawn, as long as nobody else holds the rules.
    pub(super) fn promise_no_draws(&mut self) {
        if let Some(shared) = Arc::get_mut(&mut self.shared) {
            shared.info.may_draw = false;
        }
    }

    /// Keeps the symmetries of the rules that map this first position to itself, as long as nobody else holds the rules.
    pub(super) fn keep_symmetries(&mut self, turns: &[Turn]) {
        if let Some(shared) = Arc::get_mut(&mut self.shared) {
            let (bit_of_cell, bits) = (&shared.info.bit_of_cell, shared.code.bits);
            shared.symmetries = turns.iter().map(|turn| Symmetry::new(turn, bit_of_cell, bits)).collect();
        }
    }

    /// The key, if the pieces, the last switch and the current cell are their images under some map.
    #[inline(always)]
    fn key_under(&self, image: impl Fn(S) -> S, last: impl Fn(u16) -> u16, cell: impl Fn(u16) -> u16) -> u64 {
        let pieces = self.store.pieces();
        let mut key = match self.at.end {
            Some(end) => u64::MAX - end as u64,
            None => u64::from(last(self.at.last)),
        };
        // Where all other pieces are tells where the last one is.
        for &board in &self.store.boards()[..pieces - 1] {
            let board = image(board);
            for index in 0..S::WORDS {
                key = mix64(key ^ board.word(index));
            }
        }
        let cell = if self.cell_matters() { u64::from(cell(self.at.cell)) } else { u64::from(u16::MAX) };
        let live = self.shared.info.live(self.at.last, self.at.end);
        let values = self.store.variables().iter().zip(live).filter(|(_, live)| **live);
        values.fold(mix64(key ^ cell), |key, (&value, _)| mix64(key ^ value as u64))
    }

    /// Goes on from a switch until a player chooses or the game is over, and leaves open whether the player can move.
    fn settle(&mut self, switch: u16, bit: usize, scratch: &mut Scratch<S>) {
        let mut registers = scratch.lend();
        let Self { shared, store, .. } = self;
        self.at = settled(&shared.code, store, switch, bit, scratch, &mut registers);
        scratch.give_back(registers);
    }

    /// Sets the outcome, if the game is over or the player has no move.
    pub(super) fn conclude(&mut self, scratch: &mut Scratch<S>) {
        let focus = self.shared.sight.focus.as_ref();
        let can_move = focus.and_then(|focus| focus.can_move(self.at.last, &self.store));
        let over = match (self.at.end, can_move) {
            (Some(_), _) => true,
            (None, Some(can_move)) => !can_move,
            (None, None) => {
                scratch.steps = 0;
                let program = &self.shared.code.after[usize::from(self.at.last)];
                let (cell, mut first) = (self.at.cell.into(), First::default());
                let mut registers = scratch.lend();
                // What is tried is undone.
                let (code, store) = (&self.shared.code, &mut self.store);
                let any = code.explore::<B, _, false>(program, cell, store, scratch, &mut registers, 0, &mut first);
                scratch.give_back(registers);
                !any
            }
        };
        self.outcome = over.then(|| self.result());
    }

    /// The result by the scores as they are.
    pub(super) fn result(&self) -> Outcome {
        let scores = self.store.variables();
        match self.at.end {
            Some(End::Cut) => Outcome::DRAW,
            _ => self.shared.info.outcome(scores[0], scores[1]),
        }
    }

    /// The modifiers of a legal move.
    pub(super) fn steps(&self, m: Move, scratch: &mut Scratch<S>) -> Trail {
        let code = &self.shared.code;
        let mut program = &code.after[usize::from(self.at.last)];
        if m.0 & HASHED != 0 {
            let mut find = Find { hash: m.0, trail: Trail::EMPTY };
            scratch.renew();
            scratch.steps = 0;
            let mut store = self.store.clone();
            self.explore(&mut store, &mut find, scratch);
            return find.trail;
        }
        let (mut rest, mut bit, mut trail) = (m.0, usize::from(self.at.cell), Trail::EMPTY);
        while trail.length <= limits::MOVE_LENGTH {
            let choice = rest & ((1 << program.choice_bits) - 1);
            rest >>= program.choice_bits;
            let Some(out) = program.outs.get(choice as usize) else { break };
            if !out.here {
                bit = (rest & ((1 << code.cell_bits) - 1)) as usize;
                rest >>= code.cell_bits;
            }
            trail.push(out.modifier, bit);
            if out.is_switch {
                break;
            }
            program = &code.after[usize::from(out.modifier)];
        }
        trail
    }

    /// The move with these modifiers.
    pub(super) fn move_of(&self, steps: &[(u16, u16)]) -> Move {
        self.shared.code.move_of(self.at.last, steps)
    }

    fn explore<K: Sink<S>>(&self, store: &mut B, sink: &mut K, scratch: &mut Scratch<S>) {
        scratch.steps = 0;
        let program = &self.shared.code.after[usize::from(self.at.last)];
        let mut registers = scratch.lend();
        self.shared.code.explore::<B, K, false>(program, self.at.cell.into(), store, scratch, &mut registers, 0, sink);
        scratch.give_back(registers);
    }

    /// The move as the language has it: cells and numbers of modifiers.
    pub(super) fn actions(&self, m: Move) -> Vec<(u16, u32)> {
        let trail = S::with_scratch(|scratch| self.steps(m, scratch));
        let info = &self.shared.info;
        let action =
            |&(modifier, bit): &(u16, u16)| (info.cell_of_bit[usize::from(bit)], info.indices[usize::from(modifier)]);
        trail.steps().iter().map(action).collect()
    }

    pub(super) fn code(&self) -> &Code<S> {
        &self.shared.code
    }

    pub(super) fn piece_at(&self, cell: usize) -> usize {
        let bit = usize::from(self.shared.info.bit_of_cell[cell]);
        self.store.boards().iter().position(|board| board.has(bit)).unwrap_or(0)
    }

    pub(super) fn variables(&self) -> &[i32] {
        self.store.variables()
    }

    pub(super) fn cell(&self) -> usize {
        self.shared.info.cell_of_bit[usize::from(self.at.cell)].into()
    }

    /// Whether the current cell matters for the rest of the game.
    pub(super) fn cell_matters(&self) -> bool {
        self.at.end.is_none() && self.shared.code.after[usize::from(self.at.last)].uses_cell
    }
}

/// Where the keeper comes to from a switch: where a player chooses, or to the end. Its changes are made.
#[inline]
pub(super) fn settled<S: Set, B: Store<S>>(
    code: &Code<S>,
    store: &mut B,
    mut switch: u16,
    mut bit: usize,
    scratch: &mut Scratch<S>,
    registers: &mut [S],
) -> Spot {
    let mut end = End::Cut;
    for _ in 0..limits::KEEPER_STEPS {
        if let Effect::Player(player) = code.effects[usize::from(switch)] {
            return Spot { last: switch, cell: bit as u16, mover: Player::new(player.into()), end: None };
        }
        scratch.steps = 0;
        match code.first_way(switch, bit, store, scratch, registers) {
            Some(found) => (switch, bit) = found,
            None => {
                end = if scratch.steps > limits::EXPLORATION { End::Cut } else { End::Over };
                break;
            }
        }
    }
    Spot { last: switch, cell: bit as u16, mover: Player::FIRST, end: Some(end) }
}

impl<S: Set, B: Store<S>> Game for Position<S, B> {
    type Move = Move;

    fn to_move(&self) -> Player {
        self.at.mover
    }

    fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    fn moves(&self, into: &mut Vec<Move>) {
        if self.outcome.is_some() {
            return;
        }
        S::with_scratch(|scratch| {
            scratch.renew();
            let mut store = self.store.clone();
            let code = &self.shared.code;
            let first = &code.after[usize::from(self.at.last)];
            self.explore(&mut store, &mut List { code, first, trail: Trail::EMPTY, moves: into }, scratch);
        });
    }

    fn moves_and_ends(&self, moves: &mut Vec<Move>, ends: &mut Vec<(usize, Outcome)>) {
        let before = moves.len();
        self.moves(moves);
        if self.focused_ends(&moves[before..], ends) {
            return;
        }
        let Shared { code, info, .. } = &*self.shared;
        S::with_scratch(|scratch| {
            let (mut registers, mut store) = (scratch.lend(), self.store.clone());
            for (index, &m) in moves[before..].iter().enumerate() {
                let trail = self.steps(m, scratch);
                let Some((&(switch, bit), steps)) = trail.steps().split_last() else { continue };
                store.clone_from(&self.store);
                for &(modifier, bit) in steps {
                    code.apply(modifier, bit.into(), &mut store);
                }
                scratch.renew();
                let at = settled(code, &mut store, switch, bit.into(), scratch, &mut registers);
                let over = at.end.is_some() || {
                    scratch.steps = 0;
                    let (program, mut first) = (&code.after[usize::from(at.last)], First::default());
                    let cell = at.cell.into();
                    !code.explore::<B, _, false>(program, cell, &mut store, scratch, &mut registers, 0, &mut first)
                };
                if over {
                    let scores = store.variables();
                    let cut = at.end == Some(End::Cut);
                    ends.push((index, if cut { Outcome::DRAW } else { info.outcome(scores[0], scores[1]) }));
                }
            }
            scratch.give_back(registers);
        });
    }

    fn play(&mut self, m: Move) {
        S::with_scratch(|scratch| {
            let trail = self.steps(m, scratch);
            if let Some((&(switch, bit), steps)) = trail.steps().split_last() {
                for &(modifier, bit) in steps {
                    self.shared.code.apply(modifier, bit.into(), &mut self.store);
                }
                scratch.renew();
                self.settle(switch, bit.into(), scratch);
                self.conclude(scratch);
            }
        });
    }

    fn key(&self) -> u64 {
        self.key_under(|set| set, |last| last, |cell| cell)
    }

    fn symmetries(&self) -> usize {
        1 + self.shared.symmetries.len()
    }

    fn symmetric(&self, index: usize) -> Self {
        let mut image = self.clone();
        if let Some(symmetry) = index.checked_sub(1).and_then(|place| self.shared.symmetries.get(place)) {
            image.store.boards_mut().iter_mut().for_each(|board| *board = symmetry.image(*board));
            image.at.last = symmetry.modifiers[usize::from(self.at.last)];
            image.at.cell = symmetry.bits[usize::from(self.at.cell)];
        }
        image
    }

    fn symmetric_move(&self, index: usize, m: Move) -> Move {
        let Some(symmetry) = index.checked_sub(1).and_then(|place| self.shared.symmetries.get(place)) else { return m };
        let trail = S::with_scratch(|scratch| self.steps(m, scratch));
        let image = |&(modifier, bit): &(u16, u16)| {
            (symmetry.modifiers[usize::from(modifier)], symmetry.bits[usize::from(bit)])
        };
        let steps: Vec<(u16, u16)> = trail.steps().iter().map(image).collect();
        self.shared.code.move_of(symmetry.modifiers[usize::from(self.at.last)], &steps)
    }

    fn canonical_key(&self) -> u64 {
        let key = |symmetry: &Symmetry<S>| {
            let (modifiers, bits) = (&symmetry.modifiers, &symmetry.bits);
            let (last, cell) = (|last: u16| modifiers[usize::from(last)], |cell: u16| bits[usize::from(cell)]);
            self.key_under(|set| symmetry.image(set), last, cell)
        };
        self.shared.symmetries.iter().map(key).fold(self.key(), u64::min)
    }

    fn canonical_keys(&self) -> bool {
        Symmetry::<S>::QUICK && !self.shared.symmetries.is_empty()
    }

    fn position_text(&self) -> String {
        let pieces = (0..self.shared.info.cells.len()).map(|cell| self.piece_at(cell));
        let cell = self.cell_matters().then(|| self.cell());
        self.shared.info.position_text(pieces, self.at.last, self.at.end, self.store.variables(), cell)
    }

    fn parse_position(&self, text: &str) -> Result<Self, TextError> {
        let parsed = self.shared.info.parse_position(text)?;
        let mut store = B::new(self.shared.info.pieces.len(), self.shared.info.variables.len());
        for (cell, &piece) in parsed.pieces.iter().enumerate() {
            let board = &mut store.boards_mut()[piece];
            *board = board.or(S::single(self.shared.info.bit_of_cell[cell].into()));
        }
        store.variables_mut()[..parsed.variables.len()].copy_from_slice(&parsed.variables);
        let mover = match self.shared.code.effects[usize::from(parsed.last)] {
            Effect::Player(player) if parsed.end.is_none() => Player::new(player.into()),
            _ => Player::FIRST,
        };
        let at = Spot { last: parsed.last, cell: self.at.cell, mover, end: parsed.end };
        let mut position = Self { shared: self.shared.clone(), store, at, outcome: None };
        match parsed.cell {
            Some(cell) => position.at.cell = self.shared.info.bit_of_cell[cell],
            None if position.cell_matters() => {
                let message =
                    format!("a position with the current cell at its end, such as {}", self.shared.info.cells[0]);
                return Err(TextError::expected(text, message));
            }
            None => position.at.cell = self.shared.info.bit_of_cell[0],
        }
        S::with_scratch(|scratch| {
            scratch.renew();
            position.conclude(scratch);
        });
        Ok(position)
    }

    /// The cells of the modifiers, without those that have no alternative, and with the number of the modifier where
    /// the cell does not tell which one is meant.
    fn move_text(&self, m: Move) -> String {
        S::with_scratch(|scratch| {
            let info = &self.shared.info;
            let trail = self.steps(m, scratch);
            scratch.renew();
            scratch.steps = 0;
            let (mut store, mut text) = (self.store.clone(), String::new());
            let (mut program, mut cell) =
                (&self.shared.code.after[usize::from(self.at.last)], usize::from(self.at.cell));
            let mut name = "";
            for &(modifier, bit) in trail.steps() {
                let bit = usize::from(bit);
                let choices = self.shared.code.choices(program, cell, &mut store, scratch);
                name = &info.cells[usize::from(info.cell_of_bit[bit])];
                let options: u32 = choices.iter().map(|(_, cells)| cells.count()).sum();
                if options > 1 {
                    if !text.is_empty() {
                        text.push('-');
                    }
                    text.push_str(name);
                    if choices.iter().filter(|(_, cells)| cells.has(bit)).count() > 1 {
                        text.push_str(&format!(":{}", info.indices[usize::from(modifier)]));
                    }
                }
                self.shared.code.apply(modifier, bit, &mut store);
                scratch.renew();
                program = &self.shared.code.after[usize::from(modifier)];
                cell = bit;
            }
            if text.is_empty() { name.to_string() } else { text }
        })
    }

    fn random_move(&self, rng: &mut Rng) -> Move {
        S::with_scratch(|scratch| {
            scratch.renew();
            let (mut store, mut draw) = (self.store.clone(), Draw::new(rng));
            self.explore(&mut store, &mut draw, scratch);
            draw.finish(&self.shared.code);
            self.move_of(draw.drawn.steps())
        })
    }

    fn playout(&mut self, rng: &mut Rng, limit: u32) -> Playout {
        self.told_playout(rng, limit, false, |_, _, _| {})
    }

    fn decisive_playouts(&self) -> DecisivePlayouts {
        self.sees()
    }

    fn decisive_playout(&mut self, rng: &mut Rng, limit: u32) -> Playout {
        self.told_playout(rng, limit, self.shared.sight.decisive, |_, _, _| {})
    }

    fn traces_playouts(&self) -> bool {
        self.shared.sight.placing
    }

    fn traced_playout(
        &mut self,
        rng: &mut Rng,
        limit: u32,
        decisive: bool,
        trace: &mut Vec<(Player, Move)>,
    ) -> Option<Playout> {
        let shared = self.shared.clone();
        shared.sight.placing.then(|| {
            self.told_playout(rng, limit, decisive && shared.sight.decisive, |player, last, steps| {
                trace.push((player, shared.code.move_of(last, steps)));
            })
        })
    }

    fn unlikely_moves(&self, moves: &[Move], into: &mut Vec<usize>) {
        self.far_moves(moves, into);
    }

    fn defences(&self, into: &mut Vec<Move>) -> Defence {
        self.find_defences(into)
    }

    fn may_repeat(&self) -> bool {
        self.shared.info.may_repeat
    }

    fn may_draw(&self) -> bool {
        self.shared.info.may_draw
    }

    fn heap_bytes(&self) -> usize {
        self.store.heap_bytes()
    }

    fn board(&self) -> String {
        self.shared.info.board((0..self.shared.info.cells.len()).map(|cell| self.piece_at(cell)))
    }
}
