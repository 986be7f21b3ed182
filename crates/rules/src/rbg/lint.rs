//! What can be said of rules without playing: figures, names that nothing uses, and what makes a game slow.

use std::collections::{HashMap, HashSet};

use super::automaton::Effect;
use super::engine::{Code, LookCode};
use super::lexer::{Kind, Name, Names, Token, tokens};
use super::position::Position;
use super::rules::{PositionVisitor, Rules};
use super::sets::Set;
use super::store::Store;

/// Figures of compiled rules.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Figures {
    /// Bits that a set of cells is kept in.
    pub bits: usize,
    /// Switches to a player after which the current cell matters.
    pub cell_matters: usize,
    /// Switches to a player.
    pub switches: usize,
    /// Look-aheads, `{? …}` and `{! …}`.
    pub looks: usize,
    /// Look-aheads that are walked through, because they cannot be tested by masks.
    pub walked_looks: usize,
    /// Modifiers from which moves are found as a whole, for many cells at once.
    pub lanes: usize,
}

struct Read;

impl PositionVisitor for Read {
    type Output = Figures;

    fn visit<S: Set, B: Store<S>>(self, start: &Position<S, B>) -> Figures {
        let code: &Code<S> = start.code();
        let players = code.effects.iter().enumerate().filter(|(_, effect)| matches!(effect, Effect::Player(_)));
        let switches: Vec<usize> = players.map(|(switch, _)| switch).collect();
        let count = |holds: &dyn Fn(usize) -> bool| switches.iter().filter(|&&switch| holds(switch)).count();
        let walked = |look: &&LookCode<S>| {
            look.forward.uses_cell && look.tree.is_none() && look.patterns.as_ref().is_none_or(|found| !found.complete)
        };
        Figures {
            bits: S::WORDS * 64,
            cell_matters: count(&|switch| code.after[switch].uses_cell),
            switches: switches.len(),
            looks: code.looks.len(),
            walked_looks: code.looks.iter().filter(walked).count(),
            lanes: code.lanes.iter().filter(|lanes| lanes.is_some()).count(),
        }
    }
}

/// A definition of the file by its tokens.
struct Definition {
    name: Name,
    params: usize,
    body: Vec<Token>,
}

const SECTIONS: [&str; 5] = ["players", "pieces", "variables", "board", "rules"];

impl Rules {
    /// Figures of the compiled rules.
    pub fn figures(&self) -> Figures {
        self.visit(Read)
    }

    /// Names in `text`, from which these rules were read, that nothing uses: macros, pieces, variables, and players
    /// without a score. Each is a sentence.
    pub fn unused(&self, text: &str) -> Vec<String> {
        let mut found = unused_macros(text);
        let modifiers: HashSet<&str> = self.modifiers().iter().map(String::as_str).collect();
        let start: HashSet<usize> = self.board().cells.iter().map(|cell| usize::from(cell.piece)).collect();
        for (place, (piece, _)) in self.pieces().iter().enumerate() {
            if !start.contains(&place) && !modifiers.contains(format!("[{piece}]").as_str()) {
                found.push(format!("the piece {piece} never comes to the board: put it somewhere, or leave it out"));
            }
        }
        let expanded = self.expanded();
        let words: HashSet<&str> = expanded.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').collect();
        let players = self.players().len();
        for (variable, _) in &self.variables()[players..] {
            if !words.contains(variable.as_str()) {
                found.push(format!("the variable {variable} is never used: leave it out"));
            }
        }
        for player in self.players() {
            let set = format!("[${player}=");
            if !modifiers.iter().any(|modifier| modifier.replace(' ', "").starts_with(&set)) {
                found.push(format!(
                    "the score of {player} is never set: {player} cannot win, [$ {player} = 100] does it"
                ));
            }
        }
        found
    }
}

/// Macros that no section leads to.
fn unused_macros(text: &str) -> Vec<String> {
    let names = &mut Names::default();
    let Ok(all) = tokens(text, names) else { return Vec::new() };
    let mut definitions: Vec<Definition> = Vec::new();
    for part in all.split(|token| token.is("#")) {
        let Some(Token { kind: Kind::Word(name), .. }) = part.first() else { continue };
        // What defines nothing has no `=`.
        let Some(body) = part.iter().position(|token| token.is("=")).map(|place| place + 1) else { continue };
        let params = part[..body].iter().filter(|token| matches!(token.kind, Kind::Word(_))).count() - 1;
        definitions.push(Definition { name: *name, params, body: part[body..].to_vec() });
    }
    let mut places: HashMap<Name, Vec<usize>> = HashMap::new();
    for (place, definition) in definitions.iter().enumerate() {
        places.entry(definition.name).or_default().push(place);
    }
    let is_section = |name: Name| SECTIONS.contains(&names.text(name));
    let mut used: HashSet<usize> =
        (0..definitions.len()).filter(|&place| is_section(definitions[place].name)).collect();
    let mut open: Vec<usize> = used.iter().copied().collect();
    let mut joined = false;
    while let Some(place) = open.pop() {
        for token in &definitions[place].body {
            joined |= token.is("~");
            let Kind::Word(name) = token.kind else { continue };
            open.extend(places.get(&name).into_iter().flatten().filter(|&&place| used.insert(place)));
        }
    }
    // Names that are put together may be those of macros; nothing is said then.
    let unused = definitions.iter().enumerate().filter(|(place, _)| !joined && !used.contains(place));
    let sentence = |(_, Definition { name, params, .. }): (usize, &Definition)| match params {
        0 => format!("the macro {} is never used: leave it out", names.text(*name)),
        _ => format!("the macro {} with {params} parameters is never used: leave it out", names.text(*name)),
    };
    unused.map(sentence).collect()
}
