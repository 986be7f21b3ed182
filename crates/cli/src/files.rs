//! Files of games, in any format, as commands read and write them.

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;

use plyproof_engine::{Registry, WholeFile};
use plyproof_lab::game_files::{self, Content};
use plyproof_lab::matches::record::Reader;
use plyproof_notation::{Format, GameFile, RecordedGame};

use crate::output::{self, Done, Failure, visible};

/// Calls `each` with every game of a file: a file of games in any format, the record of a match, or `-` for a file of
/// games on standard input. Returns how many there were.
pub fn read(registry: &Registry, path: &Path, each: &mut dyn FnMut(RecordedGame) -> Done) -> Result<u64, Failure> {
    let name = if path == Path::new("-") { "standard input".to_string() } else { visible(&path.display().to_string()) };
    let failed = |error: &dyn std::fmt::Display| Failure::Failed(format!("{name}: {error}"));
    let source: Box<dyn Read> = match path == Path::new("-") {
        true => Box::new(io::stdin()),
        false => Box::new(File::open(path).map_err(|error| failed(&error))?),
    };
    let (content, source) = game_files::peeked(source).map_err(|error| failed(&error))?;
    let mut count = 0;
    if content == Content::Json {
        if path == Path::new("-") {
            return Err(failed(&"the record of a match is read from a file, not from standard input"));
        }
        let mut reader = Reader::open(path).map_err(|error| Failure::Failed(error.to_string()))?;
        while let Some(record) = reader.next_game().map_err(|error| Failure::Failed(error.to_string()))? {
            let game = game_files::from_record(registry, reader.header(), &record)
                .map_err(|error| failed(&format!("pair {}, game {}: {error}", record.pair + 1, record.game + 1)))?;
            each(game)?;
            count += 1;
        }
        return Ok(count);
    }
    let mut file = GameFile::open(registry, source).map_err(|error| failed(&error))?.map_err(|error| failed(&error))?;
    while let Some(game) = file.next_game().map_err(|error| failed(&error))? {
        each(game)?;
        count += 1;
    }
    Ok(count)
}

/// The games as text in this format.
pub fn text(games: &[RecordedGame], format: Format) -> Result<String, Failure> {
    if format == Format::Kif && games.len() > 1 {
        return Err(Failure::Failed(format!("a KIF file holds one game, and there are {}", games.len())));
    }
    let texts = games.iter().map(|game| format.text(game).map_err(Failure::failed));
    Ok(texts.collect::<Result<Vec<_>, _>>()?.concat())
}

/// Writes a file that is there in full or not at all; `-` is standard output.
pub fn write(path: &Path, text: &str) -> Done {
    if path == Path::new("-") {
        return output::print(text);
    }
    let written = WholeFile::create(path).and_then(|mut file| {
        file.write_all(text.as_bytes())?;
        file.finish()
    });
    written.map_err(|error| Failure::Failed(format!("cannot write {}: {error}", visible(&path.display().to_string()))))
}
