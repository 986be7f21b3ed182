//! A rules file, loaded.

use std::sync::Arc;

use crate::error::RulesError;
use crate::shared::Visitor;

use super::ahead::only_ahead;
use super::analysis::{never_draws, never_repeats};
use super::automaton::{Automaton, Effect};
use super::board::Board;
use super::compile::{Compiled, compile};
use super::decisive::Sight;
use super::engine::{Code, FillCode, LineCode, LookCode, MaskCode, WalkCode};
use super::error::Fault;
use super::filling::Filling;
use super::geometry::{Geometry, NONE, displacements, insert};
use super::info::{Info, signs};
use super::lanes::{CompiledLanes, CompiledTree, LanesCode, TestCode, TreeCode};
use super::limits;
use super::live::live;
use super::parser::{Parsed, parse};
use super::paths::{TreeTest, displacement};
use super::position::{Position, Shared};
use super::program::Fill;
use super::sets::Set;
use super::store::{Boxed, Inline, Store};
use super::symmetry::{Subject, Turn, bounded, turns};
use super::syntax::{Node, PieceMask};
use super::written::Written;

/// A game as its rules file describes it.
pub struct Rules {
    title: Option<String>,
    constants: Vec<(String, String)>,
    warnings: Vec<String>,
    players: Vec<String>,
    pieces: Vec<(String, char)>,
    variables: Vec<(String, u32)>,
    modifiers: Vec<String>,
    board: Board,
    rules: Node,
    start: Start,
}

/// Positions with sets of five sizes.
enum Start {
    One(Position<u64, Inline<u64>>),
    Two(Position<u128, Inline<u128>>),
    Four(Position<[u64; 4], Boxed<[u64; 4]>>),
    Six(Position<[u64; 6], Boxed<[u64; 6]>>),
    Twenty(Position<[u64; 20], Boxed<[u64; 20]>>),
}

/// The same for the positions of this module, whose moves can be told as lists of modifiers.
pub(super) trait PositionVisitor {
    type Output;
    fn visit<S: Set, B: Store<S>>(self, start: &Position<S, B>) -> Self::Output;
}

/// Reads rules in the language of Regular Boardgames.
///
/// `overrides` replace macros without parameters, by their names. Errors name the place in the text; the limits of
/// `docs/rbg.md` keep the time below two seconds and the memory below 200 MB, whatever the text is.
pub fn load(text: &str, overrides: &[(String, String)]) -> Result<Rules, RulesError> {
    if text.len() > limits::TEXT {
        let message = format!("a rules file of {} bytes: expected at most {}", text.len(), limits::TEXT);
        return Err(RulesError { line: 1, column: 1, message });
    }
    if let Some((key, _)) = overrides.iter().find(|(_, value)| value.len() > limits::TEXT) {
        let message = format!("the value of {key} is too long");
        return Err(RulesError { line: 0, column: 0, message });
    }
    build(text, overrides).map_err(|fault| fault.placed(text))
}

fn build(text: &str, overrides: &[(String, String)]) -> Result<Rules, Fault> {
    let parsed = parse(text, overrides)?;
    let fault = |message: &str| Fault::new(parsed.rules_at, message);
    if parsed.players.len() != 2 {
        let message = format!("{} players in #players: only games of two players are played", parsed.players.len());
        return Err(Fault::new(parsed.players_at, message));
    }
    let automaton = Automaton::new(&parsed.rules).ok_or_else(|| fault("the rules have more than 65,535 modifiers"))?;
    if !automaton.modifiers.iter().any(|modifier| matches!(modifier.effect, Effect::Player(_))) {
        return Err(fault("no player ever chooses: expected ->player somewhere in #rules"));
    }
    let mut geometry = Geometry::new(&parsed.board);
    let small = parsed.pieces.len() <= Inline::<u64>::PIECES && parsed.variables.len() <= Inline::<u64>::VARIABLES;
    if !small && geometry.words < 4 {
        geometry.words = 4;
    }
    let all_pieces = all_pieces(&parsed);
    let bounds: Vec<u32> = parsed.variables.iter().map(|variable| variable.1).collect();
    let compiled = compile(&automaton, &geometry, all_pieces, &bounds).map_err(|large| fault(&large.0))?;
    let modifiers = automaton.modifiers.iter().filter(|modifier| modifier.index > 0);
    let modifiers = modifiers.map(|modifier| Written::of(&parsed).rules(&effect_node(&modifier.effect))).collect();
    let info = info(&parsed, &automaton, &geometry);
    let pieces = parsed.pieces.iter().cloned().zip(info.signs.iter().copied()).collect();
    let start = match geometry.words {
        1 => Start::One(first_position(compiled, &automaton, &geometry, info, &parsed)),
        2 => Start::Two(first_position(compiled, &automaton, &geometry, info, &parsed)),
        4 => Start::Four(first_position(compiled, &automaton, &geometry, info, &parsed)),
        6 => Start::Six(first_position(compiled, &automaton, &geometry, info, &parsed)),
        _ => Start::Twenty(first_position(compiled, &automaton, &geometry, info, &parsed)),
    };
    Ok(Rules {
        title: title(text),
        constants: parsed.constants.into_iter().map(|constant| (constant.name, constant.value)).collect(),
        warnings: parsed.warnings,
        players: parsed.players.into_iter().map(|player| player.0).collect(),
        pieces,
        variables: parsed.variables,
        modifiers,
        board: parsed.board,
        rules: parsed.rules,
        start,
    })
}

/// The comment in the first line.
fn title(text: &str) -> Option<String> {
    let line = text.trim_start_matches('\u{feff}').lines().find(|line| !line.trim().is_empty())?;
    let title = line.trim().strip_prefix("//")?.trim();
    (!title.is_empty()).then(|| title.chars().filter(|c| !c.is_control()).take(200).collect())
}

/// A modifier as the rules have it.
fn effect_node(effect: &Effect) -> Node {
    match effect {
        Effect::Put(piece) => Node::Put(*piece),
        Effect::Assign(variable, value) => Node::Assign(*variable, value.clone()),
        Effect::Player(player) => Node::Player(*player),
        Effect::Keeper => Node::Keeper,
    }
}

fn info(parsed: &Parsed, automaton: &Automaton, geometry: &Geometry) -> Info {
    let cells = &parsed.board.cells;
    let (left, step) = (cells.iter().map(|cell| cell.x).fold(f32::INFINITY, f32::min), 2.0);
    let places = cells.iter().map(|cell| (((cell.x - left) * step) as usize, cell.y.max(0.0) as usize));
    // Scores of 0, 50 and 100 and the like only say who has won.
    let mut scores = std::collections::BTreeSet::from([0]);
    let mut points = false;
    for modifier in &automaton.modifiers {
        if let Effect::Assign(variable, value) = &modifier.effect
            && usize::from(*variable) < parsed.players.len()
        {
            match value.constant() {
                Some(value) => drop(scores.insert(value)),
                None => points = true,
            }
        }
    }
    Info {
        signs: signs(&parsed.pieces),
        pieces: parsed.pieces.clone(),
        cells: cells.iter().map(|cell| cell.name.clone()).collect(),
        row_starts: (0..cells.len()).map(|place| place == 0 || cells[place].y != cells[place - 1].y).collect(),
        places: places.collect(),
        variables: parsed.variables.clone(),
        bit_of_cell: geometry.bit.clone(),
        cell_of_bit: geometry.cell.iter().map(|&cell| if cell == NONE { 0 } else { cell }).collect(),
        indices: automaton.modifiers.iter().map(|modifier| modifier.index).collect(),
        players: automaton.modifiers.iter().map(|modifier| player(&modifier.effect)).collect(),
        live: live(automaton, parsed.players.len(), parsed.variables.len()),
        all_live: (0..parsed.variables.len()).map(|variable| variable < parsed.players.len()).collect(),
        points: points || scores.len() > 3,
        may_repeat: !never_repeats(automaton, parsed.pieces.len(), parsed.variables.len()),
        // Shown later, when it is known how games begin.
        may_draw: true,
    }
}

fn player(effect: &Effect) -> Option<u8> {
    if let Effect::Player(player) = effect { Some(*player) } else { None }
}

fn first_position<S: Set, B: Store<S>>(
    compiled: Compiled,
    automaton: &Automaton,
    geometry: &Geometry,
    info: Info,
    parsed: &Parsed,
) -> Position<S, B> {
    let pieces: Vec<u8> = parsed.board.cells.iter().map(|cell| cell.piece).collect();
    let bounds = parsed.variables.iter().map(|variable| variable.1 as i32).collect();
    let goes_on = compiled.goes_on.clone();
    let bounded = bounded(&compiled, pieces.len(), geometry.words);
    let code = code(compiled, automaton, geometry, info.pieces.len(), bounds);
    let info = Info { may_repeat: info.may_repeat && !only_ahead(&code, &info), ..info };
    let sight = Sight::new(&code, &info, geometry);
    let filling = if sight.placing { Filling::new(&code, &info) } else { None };
    let shared = Shared { code, info, sight, filling, symmetries: Vec::new() };
    let mut position = Position::start(Arc::new(shared), &pieces, &geometry.bit);
    if bounded && position.beginning().is_some() {
        let turns = turns_of(&position, parsed, automaton);
        position.keep_symmetries(&turns);
    }
    if let Some((switch, scores)) = position.beginning()
        && never_draws(automaton, &goes_on, automaton.modifiers[switch].target, scores)
    {
        position.promise_no_draws();
    }
    position
}

fn turns_of<S: Set, B: Store<S>>(first: &Position<S, B>, parsed: &Parsed, automaton: &Automaton) -> Vec<Turn> {
    let numbers = automaton.modifiers.iter().enumerate().filter(|(_, modifier)| modifier.index > 0);
    let modifiers: Vec<u16> = numbers.map(|(number, _)| number as u16).collect();
    let uses_cell: Vec<bool> = first.code().after.iter().map(|program| program.uses_cell).collect();
    let pieces: Vec<u8> = (0..parsed.board.cells.len()).map(|cell| first.piece_at(cell) as u8).collect();
    turns(&Subject {
        rules: &parsed.rules,
        board: &parsed.board,
        bit_of_cell: &first.shared.info.bit_of_cell,
        all_pieces: all_pieces(parsed),
        modifiers: &modifiers,
        uses_cell: &uses_cell,
        live: &first.shared.info.live,
        pieces: &pieces,
        last: first.at.last,
        cell: first.cell() as u16,
    })
}

fn all_pieces(parsed: &Parsed) -> PieceMask {
    PieceMask::MAX >> (PieceMask::BITS as usize - parsed.pieces.len())
}

fn code<S: Set>(
    compiled: Compiled,
    automaton: &Automaton,
    geometry: &Geometry,
    pieces: usize,
    bounds: Vec<i32>,
) -> Code<S> {
    let walk = |(walk, back): &(Vec<u16>, bool)| {
        let group = |(by, cells): (i32, Vec<usize>)| {
            let mut set = vec![0; S::WORDS];
            cells.into_iter().for_each(|bit| insert(&mut set, bit));
            (S::from_words(&set), by)
        };
        let mut groups = displacements(walk).into_iter().map(group);
        WalkCode { first: groups.next().unwrap_or((S::EMPTY, 0)), more: groups.collect(), back: *back }
    };
    let mask = |&mask: &PieceMask| {
        let none = mask.count_ones() as usize > pieces / 2 + 1;
        let wanted = |piece: &u8| (mask >> piece & 1 != 0) != none;
        let mut pieces = (0..pieces as u8).filter(wanted);
        MaskCode { first: pieces.next().unwrap_or(0), more: pieces.collect(), none }
    };
    let fill = |fill: &Fill| FillCode {
        line: if let [walk] = fill.walks[..] { line(&compiled.walks[usize::from(walk)]) } else { None },
        walks: fill.walks.clone(),
        mask: fill.mask,
    };
    let set = |place: u32| S::from_words(&compiled.sets[place as usize]);
    let tree = |tree: CompiledTree| {
        let ends = |ends: Vec<(usize, u32)>| ends.into_iter().map(|(leaf, domain)| (leaf, set(domain))).collect();
        let test = |test: TreeTest| TestCode {
            depth: test.depth,
            by: test.by,
            mask: test.mask,
            skip: test.skip,
            ends: ends(test.ends),
        };
        TreeCode {
            tests: tree.tests.into_iter().map(test).collect(),
            at_root: ends(tree.at_root),
            complete: tree.complete,
        }
    };
    let lanes_code = |lanes: CompiledLanes| LanesCode {
        longest: lanes.lanes.iter().map(|lane| lane.modifiers.len() + 1).max().unwrap_or(0),
        looks: lanes.lanes.iter().any(|lane| !lane.looks.is_empty()),
        lanes: lanes.lanes,
        rest: lanes.rest,
        tree: tree(lanes.tree),
    };
    Code {
        sets: compiled.sets.iter().map(|set| S::from_words(set)).collect(),
        tables: compiled.tables.iter().flat_map(|table| table.chunks(S::WORDS)).map(S::from_words).collect(),
        bits: geometry.bits,
        all: S::from_words(&geometry.all()),
        walks: compiled.walks.iter().map(walk).collect(),
        masks: compiled.masks.iter().map(mask).collect(),
        fills: compiled.fills.iter().map(fill).collect(),
        looks: compiled
            .looks
            .into_iter()
            .map(|look| LookCode {
                forward: look.forward,
                backward: look.backward.map(|backward| backward.0),
                few: look.few,
                patterns: look.patterns,
                tree: look.tree.map(tree),
            })
            .collect(),
        start: compiled.start,
        after: compiled.after,
        lanes: compiled.lanes.into_iter().map(|lanes| lanes.map(lanes_code)).collect(),
        effects: automaton.modifiers.iter().map(|modifier| modifier.effect.clone()).collect(),
        sure: compiled.sure,
        keeper: compiled.keeper.0,
        first_steps: compiled.keeper.1,
        comparisons: automaton.comparisons.clone(),
        bounds,
        cell_bits: usize::BITS - geometry.bits.saturating_sub(1).leading_zeros(),
    }
}

/// A walk as a line, if it goes by one displacement.
fn line<S: Set>((walk, back): &(Vec<u16>, bool)) -> Option<LineCode<S>> {
    let by = displacement(walk)?;
    let mut targets = vec![0; S::WORDS];
    for (from, &to) in walk.iter().enumerate().filter(|(_, to)| **to != NONE) {
        insert(&mut targets, if *back { from } else { to.into() });
    }
    let longest = |mut at: usize| {
        let mut steps = 0;
        while walk[at] != NONE && steps < walk.len() {
            (at, steps) = (walk[at].into(), steps + 1);
        }
        steps
    };
    let longest = (0..walk.len()).map(longest).max().unwrap_or(0);
    // Cells that go to themselves are no line.
    let steps = usize::BITS - longest.leading_zeros();
    (by != 0 && steps > 0).then(|| LineCode {
        targets: S::from_words(&targets),
        by: if *back { -by } else { by },
        steps,
    })
}

impl Rules {
    /// The comment in the first line of the file.
    pub fn title(&self) -> Option<&str> {
        self.title.as_deref()
    }

    /// Macros without parameters and their bodies, in the order of the file: what `overrides` can replace.
    pub fn constants(&self) -> &[(String, String)] {
        &self.constants
    }

    /// What is probably not meant.
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// Names of the players, in order of their seats.
    pub fn players(&self) -> &[String] {
        &self.players
    }

    /// Names of the pieces, sorted, and the characters that stand for them in positions.
    pub fn pieces(&self) -> &[(String, char)] {
        &self.pieces
    }

    /// Names and largest values of the variables: the scores of the players first.
    pub fn variables(&self) -> &[(String, u32)] {
        &self.variables
    }

    /// The modifiers in the order of their numbers, which count from 1: `[piece]`, `[$v=e]`, `->player`, `->>`.
    pub fn modifiers(&self) -> &[String] {
        &self.modifiers
    }

    /// The section `#rules` with all macros and powers written out, on one line.
    pub fn expanded(&self) -> String {
        let pieces: Vec<String> = self.pieces.iter().map(|piece| piece.0.clone()).collect();
        let written = Written { pieces: &pieces, variables: &self.variables, directions: &self.board.directions };
        written.rules(&self.rules)
    }

    /// The board, for drawing.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// Calls the visitor with the position at the start of the game. The type of the position depends on the size of
    /// the board.
    pub fn start<V: Visitor>(&self, visitor: V) -> V::Output {
        match &self.start {
            Start::One(position) => visitor.visit(position.clone()),
            Start::Two(position) => visitor.visit(position.clone()),
            Start::Four(position) => visitor.visit(position.clone()),
            Start::Six(position) => visitor.visit(position.clone()),
            Start::Twenty(position) => visitor.visit(position.clone()),
        }
    }

    pub(super) fn visit<V: PositionVisitor>(&self, visitor: V) -> V::Output {
        match &self.start {
            Start::One(position) => visitor.visit(position),
            Start::Two(position) => visitor.visit(position),
            Start::Four(position) => visitor.visit(position),
            Start::Six(position) => visitor.visit(position),
            Start::Twenty(position) => visitor.visit(position),
        }
    }
}
