//! A rules file, loaded.

use std::collections::HashMap;
use std::sync::Arc;

use plyproof_core::{Player, Rng};

use crate::error::{RulesError, line_and_column};
use crate::shared::Visitor;

use super::code::{Code, Interface, build};
use super::counter::counter;
use super::ground::{Ground, ground};
use super::guard::take_guards;
use super::info::Info;
use super::kif::{Fault, read};
use super::limits;
use super::net::Net;
use super::parser::{Parsed, parse};
use super::position::{Position, Shared, Turn};
use super::simplify::{Simple, Value, simplify};
use super::syntax::{Kind, Term};

/// A game as its rules file describes it.
pub struct Rules {
    title: Option<String>,
    players: Vec<String>,
    warnings: Vec<String>,
    text: String,
    start: Position,
}

impl Rules {
    /// The first words of the file, if it begins with a comment.
    pub fn title(&self) -> Option<&str> {
        self.title.as_deref()
    }

    /// The names of the roles, in the order of the file: the first is player 1.
    pub fn players(&self) -> &[String] {
        &self.players
    }

    /// What looks like a mistake in the file, each in one line.
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// Calls code with the position at the start.
    pub fn start<V: Visitor>(&self, visitor: V) -> V::Output {
        visitor.visit(self.start.clone())
    }

    pub(super) fn text(&self) -> &str {
        &self.text
    }

    pub(super) fn position(&self) -> &Position {
        &self.start
    }
}

/// Reads rules in the Game Description Language, as KIF.
///
/// Errors name the place in the text; the limits of `docs/gdl.md` keep the time below two seconds and the memory below
/// 200 MB, whatever the text is.
pub fn load(text: &str) -> Result<Rules, RulesError> {
    let placed = |fault: Fault| {
        let (line, column) = line_and_column(text, fault.at);
        RulesError { line, column, message: fault.message }
    };
    if text.len() > limits::TEXT {
        let message = format!("a rules file of {} bytes: expected at most {}", text.len(), limits::TEXT);
        return Err(RulesError { line: 1, column: 1, message });
    }
    let game = game(text, false).map_err(placed)?;
    let mut warnings = game.warnings;
    let shared = Arc::new(game.shared);
    explore(&shared, &game.start, &mut warnings).map_err(|message| placed(Fault::new(game.legal_at, message)))?;
    warnings.sort_by_key(|warning| warning.0);
    let shown = |(at, message): &(u32, String)| {
        let (line, column) = line_and_column(text, *at);
        format!("line {line}, column {column}: {message}")
    };
    Ok(Rules {
        title: title(text),
        players: game.players,
        warnings: warnings.iter().take(50).map(shown).collect(),
        text: text.to_string(),
        start: Position::of(&shared, &game.start),
    })
}

/// Rules at work.
pub(super) struct Loaded {
    pub shared: Shared,
    pub players: Vec<String>,
    pub start: Vec<u64>,
    warnings: Vec<(u32, String)>,
    legal_at: u32,
}

/// Compiles a file; with `all`, facts that say nothing about moves and results are kept as well.
pub(super) fn game(text: &str, all: bool) -> Result<Loaded, Fault> {
    let parsed = parse(&read(text)?)?;
    let mut warnings = parsed.warnings.clone();
    undefined(&parsed, &mut warnings);
    let ground = ground(parsed)?;
    let mut simple = simplify(&ground, all);
    let (interface, mut info) = interface(&ground, &simple, &mut warnings);
    let steps = counter(&ground, &simple);
    let guards = take_guards(&ground, &mut simple, &interface.moves);
    let code = build(&ground, &simple, &interface, &guards)?;
    if let Some(steps) = steps {
        info.may_repeat = false;
        let number = |atom: &u32| interface.state.iter().position(|other| other == atom).map(|place| place as u32);
        info.counter = steps.iter().filter_map(number).collect();
    }
    let mut start = vec![0u64; super::net::words(interface.state.len())];
    for (number, atom) in interface.state.iter().enumerate() {
        if ground.start.contains(atom) {
            start[number / 64] |= 1 << (number % 64);
        }
    }
    let forced = limits::FORCED.min(limits::RUN / (code.targets.len() as u64 + 1)).max(1);
    let legal_at = ground.names.predicates.iter().find(|info| info.kind == Kind::Legal).map_or(0, |info| info.at);
    Ok(Loaded {
        players: ground.roles.iter().map(|&role| ground.names.compact(role)).collect(),
        shared: Shared { code, info, forced },
        start,
        warnings,
        legal_at,
    })
}

/// Conditions that no rule can make true.
fn undefined(parsed: &Parsed, warnings: &mut Vec<(u32, String)>) {
    let mut defined = vec![false; parsed.names.predicates.len()];
    parsed.rules.iter().for_each(|rule| defined[rule.head.predicate as usize] = true);
    for (info, defined) in parsed.names.predicates.iter().zip(defined) {
        match info.kind {
            Kind::Own if !defined => {
                let message =
                    format!("nothing says when {} with {} arguments holds: it never does", info.name, info.arity);
                warnings.push((info.at, message));
            }
            Kind::Terminal | Kind::Goal | Kind::Legal | Kind::Init if !defined => {
                warnings.push((info.at, format!("the file has no rule for {}", info.name)));
            }
            _ => {}
        }
    }
}

fn interface(ground: &Ground, simple: &Simple, warnings: &mut Vec<(u32, String)>) -> (Interface, Info) {
    let kind = |atom: u32| ground.names.kind(ground.atoms.head(atom));
    let argument = |atom: u32, place: usize| -> Term { ground.atoms.arguments(atom)[place] };
    let role_of = |atom: u32| ground.roles.iter().position(|&role| role == argument(atom, 0));
    let (mut state, mut dropped) = (Vec::new(), Vec::new());
    let mut moves = [Vec::new(), Vec::new()];
    let mut goals = [Vec::new(), Vec::new()];
    let mut values = std::collections::BTreeSet::from([0, 50, 100]);
    for atom in 0..ground.atoms.len() as u32 {
        let possible = simple.values[atom as usize] != Value::Never;
        match kind(atom) {
            Kind::True if !ground.possible[atom as usize] => {}
            Kind::True => {
                let name = ground.names.compact(argument(atom, 0));
                if simple.needed[atom as usize] { state.push((name, atom)) } else { dropped.push(name) }
            }
            Kind::Legal if possible => {
                if let Some(role) = role_of(atom) {
                    moves[role].push((ground.names.compact(argument(atom, 1)), atom));
                }
            }
            Kind::Goal if possible => {
                let (Some(role), text) = (role_of(atom), ground.names.compact(argument(atom, 1))) else { continue };
                match text.parse::<i32>() {
                    Ok(value) if value.abs() <= 1_000_000 => {
                        values.insert(value);
                        goals[role].push((value, atom));
                    }
                    _ => {
                        let at = ground.names.predicates[ground.atoms.head(atom) as usize].at;
                        warnings.push((at, format!("the goal {text} is no number from 0 to 100: it never counts")));
                    }
                }
            }
            _ => {}
        }
    }
    state.sort();
    moves.iter_mut().for_each(|moves| moves.sort());
    goals.iter_mut().for_each(|goals| goals.sort());
    let fact_numbers = state.iter().enumerate().map(|(number, fact)| (fact.0.clone(), Some(number as u32)));
    let info = Info {
        facts: state.iter().map(|fact| fact.0.clone()).collect(),
        fact_numbers: fact_numbers.chain(dropped.into_iter().map(|name| (name, None))).collect(),
        moves: moves.each_ref().map(|moves| moves.iter().map(|m| m.0.clone()).collect()),
        move_numbers: moves.each_ref().map(|moves| {
            moves.iter().enumerate().map(|(number, m)| (m.0.clone(), number as u32)).collect::<HashMap<_, _>>()
        }),
        points: values.len() > 3,
        may_repeat: true,
        counter: Vec::new(),
    };
    let atoms = |list: &[(String, u32)]| list.iter().map(|entry| entry.1).collect();
    (Interface { state: atoms(&state), moves: moves.each_ref().map(|moves| atoms(moves)), goals }, info)
}

/// Plays random games in search of positions in which both roles choose, or one has no move.
fn explore(shared: &Arc<Shared>, start: &[u64], warnings: &mut Vec<(u32, String)>) -> Result<(), String> {
    let mut rng = Rng::new(1);
    let code: &Code = &shared.code;
    let mut stuck = false;
    shared.with_net(|net: &mut Net| {
        net.work = 0;
        for _ in 0..200 {
            net.go_to(code, start);
            for ply in 0..2000 {
                if net.work > limits::EXPLORATION {
                    return Ok(());
                }
                net.work += 100;
                match shared.settle(net) {
                    Some(Turn::Choice(mover, waiting)) => {
                        let role = mover.index();
                        let m = net.legal_move(code, role, rng.below(net.counts(code)[role] as usize) as u32);
                        net.decide(code, if mover == Player::FIRST { [m, waiting] } else { [waiting, m] });
                        net.advance(code);
                    }
                    Some(Turn::Both) => {
                        let [first, second] = net.counts(code);
                        return Err(format!(
                            "both roles choose at once after {ply} moves of a random game, from {first} and {second} \
                             moves: only games of taking turns are played"
                        ));
                    }
                    Some(Turn::Stuck) if !stuck => {
                        stuck = true;
                        let role = usize::from(net.counts(code)[0] > 0);
                        let message = format!(
                            "role {} has no legal move after {ply} moves of a random game, which is not over: a draw",
                            role + 1
                        );
                        warnings.push((0, message));
                        break;
                    }
                    Some(Turn::Over(_)) if ply == 0 => {
                        warnings.push((0, "the game is over before the first choice".to_string()));
                        return Ok(());
                    }
                    _ => break,
                }
            }
        }
        Ok(())
    })
}

/// The first comment with a letter in it, if the file begins with comments.
fn title(text: &str) -> Option<String> {
    let mut lines = text.trim_start_matches('\u{feff}').lines().map(str::trim);
    lines.by_ref().take_while(|line| line.is_empty() || line.starts_with(';')).find_map(|line| {
        let title = line.trim_matches(|c: char| matches!(c, ';' | '*' | '=' | '-' | '#') || c.is_whitespace());
        let title: String = title.chars().filter(|c| !c.is_control()).take(200).collect();
        title.chars().any(char::is_alphabetic).then_some(title)
    })
}
