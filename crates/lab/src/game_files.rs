//! Games of match records as game files.

use std::io::{self, Cursor, Read};

use plyproof_engine::lines::unpacked;
use plyproof_engine::units::duration_text;
use plyproof_engine::{Outcome, Player, Registry, TextError, Wdl};
use plyproof_notation::{MoveTree, RecordedGame};

use crate::matches::record::Header;
use crate::matches::{GameRecord, Reason, SideName, SideSpec};

/// The game of a match record as a game file has it. Every move is checked by the rules.
pub fn from_record(registry: &Registry, header: &Header, record: &GameRecord) -> Result<RecordedGame, TextError> {
    let config = &header.config;
    let own = registry.open(&config.game)?;
    if config.rules.as_deref() != own.rules().text_digest() {
        let played = config.rules.as_deref().unwrap_or("rules of a program");
        let game = own.name();
        return Err(TextError::new(format!(
            "the match was played by {played}, and the rules of {game} are other ones"
        )));
    }
    let mut game = match &config.position {
        Some(position) => RecordedGame::from_position(own.clone(), own.parse_position(position)?),
        None => RecordedGame::new(own),
    };
    let a_first = record.first == SideName::A;
    let sides = if a_first { [&config.a, &config.b] } else { [&config.b, &config.a] };
    for (side, [name, agent, budget]) in
        sides.iter().zip([["First", "FirstAgent", "FirstBudget"], ["Second", "SecondAgent", "SecondBudget"]])
    {
        game.headers.set(name, &side.to_string())?;
        game.headers.set(agent, &side.agent)?;
        game.headers.set(budget, &budget_text(side))?;
    }
    game.headers.set("Round", &format!("{}.{}", record.pair + 1, record.game + 1))?;
    game.headers.set("Seed", &config.seed.to_string())?;
    game.headers.set("Reason", &reason(record))?;
    let opening = record.opening.split_whitespace().count();
    let mut position = game.start().clone_box();
    let mut node = MoveTree::ROOT;
    for (place, text) in record.opening.split_whitespace().chain(record.moves.split_whitespace()).enumerate() {
        let own = position.own_move(text).map_err(|error| TextError::new(format!("ply {}: {error}", place + 1)))?;
        position.play(&own)?;
        node = game.tree.add(node, &own)?;
        if place + 1 == opening {
            game.tree.notes_mut(node).set_comment("The random opening ends here.");
        }
    }
    note_simulations(&mut game, record, opening);
    let first = if a_first { record.result } else { record.result.flip() };
    game.result = Some(position.outcome().unwrap_or(match first {
        Wdl::Win => Outcome::win(Player::FIRST),
        Wdl::Draw => Outcome::DRAW,
        Wdl::Loss => Outcome::win(Player::SECOND),
    }));
    Ok(game)
}

/// Writes the simulations of each move to the move, as far as both sides move by turns.
fn note_simulations(game: &mut RecordedGame, record: &GameRecord, opening: usize) {
    let mut own = [record.sims_a.iter(), record.sims_b.iter()];
    let mut position = game.start().clone_box();
    let line: Vec<_> = game.tree.main_line().collect();
    for (place, node) in line.into_iter().enumerate() {
        let first = position.to_move() == Player::FIRST;
        let seat = usize::from(first != (record.first == SideName::A));
        if place >= opening
            && let Some(simulations) = own[seat].next()
        {
            game.tree.notes_mut(node).simulations = Some(*simulations);
        }
        if position.play(game.tree.text(node)).is_err() {
            return;
        }
    }
}

/// `1000 sims`, `1 s`, or what else a side may use.
fn budget_text(side: &SideSpec) -> String {
    let all = side.to_string();
    all.strip_prefix(&side.agent).map_or("", |rest| rest.trim_start_matches(", ")).to_string()
}

fn reason(record: &GameRecord) -> String {
    let word = match record.reason {
        Reason::GameOver => return String::new(),
        Reason::PlyLimit => "ply limit",
        Reason::Time => "time",
        Reason::Crash => "crash",
        Reason::IllegalMove => "illegal move",
        Reason::Resigned => "resignation",
        Reason::Adjudicated => "adjudicated",
        Reason::Error => "error",
    };
    match &record.error {
        Some(error) => format!("{word}: {error}"),
        None => word.to_string(),
    }
}

/// `1000 sims` or `500 ms`: what a player that thinks here may use, for headers.
pub fn allowance_text(budget: &plyproof_engine::Budget) -> String {
    let simulations = budget.simulations.map(|n| format!("{n} {}", if n == 1 { "sim" } else { "sims" }));
    let time = budget.time.map(duration_text);
    simulations.into_iter().chain(time).collect::<Vec<_>>().join(", ")
}

/// What a file holds, by its first character.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Content {
    /// Lines of JSON: the record of a match, or games recorded for a replay.
    Json,
    /// A file of games in one of the formats of `plyproof-notation`.
    Games,
    /// Neither.
    Unknown,
}

/// Looks at the beginning of a file, plain or gzipped, and returns the file with its beginning.
pub fn peeked<R: Read + 'static>(mut source: R) -> io::Result<(Content, impl Read + 'static)> {
    let mut head = Vec::new();
    source.by_ref().take(HEAD).read_to_end(&mut head)?;
    let mut text = Vec::new();
    // Cut gzip data is an error at its end, after what was looked for.
    let _ = unpacked(Cursor::new(head.clone())).and_then(|reader| reader.take(HEAD).read_to_end(&mut text));
    let text = String::from_utf8_lossy(&text);
    let first = text.trim_start_matches(|c: char| c.is_whitespace() || c == '\u{feff}');
    let games =
        ["[Game", "(", "position ", "startpos", "sfen ", "#", "手"].iter().any(|start| first.starts_with(start))
            || first.lines().next().is_some_and(|line| line.contains('：') && !line.starts_with('{'));
    let content = match first.chars().next() {
        _ if games => Content::Games,
        Some('{') => Content::Json,
        _ => Content::Unknown,
    };
    Ok((content, Cursor::new(head).chain(source)))
}

/// Bytes that are looked at.
const HEAD: u64 = 4096;
