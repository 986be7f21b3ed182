//! Reads the record of a match game by game, in bounded memory and time whatever the file holds.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use crate::matches::game::GameRecord;
use crate::matches::parts::GameSet;
use crate::matches::record::{Header, cut_header, fault};
use crate::matches::{MatchError, MatchPlan, in_shard};
use plyproof_engine::lines::{LineError, Lines};

/// Most lines after the header: every game of the longest match, and as many lines again that repeat one.
const MOST_LINES: u64 = 2 * MatchPlan::MOST_GAMES as u64;

/// A record, plain or gzipped, of which nothing is changed. Games are handed out one by one, each once.
pub struct Reader {
    scan: Scan,
    header: Header,
}

impl Reader {
    /// Opens a record and reads its header.
    pub fn open(path: &Path) -> Result<Self, MatchError> {
        let mut scan = Self::scan(path)?;
        match scan.header.take() {
            Some(header) => Ok(Self { scan, header }),
            None if scan.torn.is_some() => Err(fault(
                path,
                "it is cut off inside its header line, before anything was played; the match can be begun anew",
            )),
            None => Err(fault(path, "it is empty: a match record begins with a header line")),
        }
    }

    /// Opens the record of a match that may be in play somewhere: none if its header line is not whole yet.
    pub(super) fn of_running(path: &Path) -> Result<Option<Self>, MatchError> {
        let mut scan = Self::scan(path)?;
        scan.every_line = true;
        Ok(scan.header.take().map(|header| Self { scan, header }))
    }

    fn scan(path: &Path) -> Result<Scan, MatchError> {
        let file = File::open(path).map_err(|error| fault(path, error))?;
        Scan::begin(path, Lines::new(file).map_err(|error| fault(path, error))?)
    }

    /// What is played.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// The next game, in the order in which they finished. None at the end, or before a last line that is cut.
    pub fn next_game(&mut self) -> Result<Option<GameRecord>, MatchError> {
        self.scan.next_game(&self.header)
    }

    /// Whether the last line is cut in the middle. It is known when all games are read.
    pub fn torn(&self) -> bool {
        self.scan.torn.is_some()
    }

    /// Lines so far with a game that a line before had.
    pub fn repeated(&self) -> u32 {
        self.scan.repeated
    }
}

/// The lines of a record, and where the good ones end.
pub(super) struct Scan {
    path: PathBuf,
    lines: Lines,
    /// None if the file is empty or cut inside its first line.
    pub header: Option<Header>,
    /// Bytes of whole, good lines.
    pub good: u64,
    /// A last line that was cut.
    pub torn: Option<Vec<u8>>,
    pub repeated: u32,
    /// Whether a game that was there before is handed out again.
    every_line: bool,
    seen: GameSet,
    most_lines: u64,
}

impl Scan {
    /// Reads `source` up to the end of the header.
    pub fn of(path: &Path, source: impl Read + 'static) -> Result<Self, MatchError> {
        Self::begin(path, Lines::new(source).map_err(|error| fault(path, error))?)
    }

    fn begin(path: &Path, mut lines: Lines) -> Result<Self, MatchError> {
        let (mut header, mut torn) = (None, None);
        let first = match lines.next_line() {
            Ok(first) => first.map(|(_, line)| line.to_vec()),
            Err(error) => return Err(in_line(path, &lines, &error)),
        };
        if let Some(line) = first {
            let read = if lines.whole() { Header::parse(&line) } else { Err(CUT.to_string()) };
            match read {
                Ok(read) => header = Some(read),
                Err(_) if cut_header(&line) && !lines.whole() => torn = Some(line),
                Err(why) => return Err(fault(path, why)),
            }
        }
        let good = if header.is_some() { lines.bytes() } else { 0 };
        let (seen, most_lines) = (GameSet::default(), MOST_LINES);
        let path = path.to_path_buf();
        Ok(Self { path, lines, header, good, torn, repeated: 0, every_line: false, seen, most_lines })
    }

    /// The next game that was not there before.
    pub fn next_game(&mut self, header: &Header) -> Result<Option<GameRecord>, MatchError> {
        while self.torn.is_none() {
            let (number, read) = match self.lines.next_line() {
                Ok(None) => return Ok(None),
                Ok(Some((number, line))) => (number, game(line, header).map_err(|why| (why, line.to_vec()))),
                Err(error) => return Err(in_line(&self.path, &self.lines, &error)),
            };
            if number - 1 > self.most_lines {
                let (lines, games) = (self.most_lines, MatchPlan::MOST_GAMES);
                let why = format!("line {number}: more than {lines} lines, and a match has at most {games} games");
                return Err(fault(&self.path, why));
            }
            let read = match read {
                Ok(_) if !self.lines.whole() => Err((CUT.to_string(), self.lines.last().to_vec())),
                read => read,
            };
            match read {
                Ok(game) => {
                    self.good = self.lines.bytes();
                    match game {
                        Some(game) if self.seen.insert(game.pair, game.game) || self.every_line => {
                            return Ok(Some(game));
                        }
                        Some(_) => self.repeated = self.repeated.saturating_add(1),
                        None => {}
                    }
                }
                // A bad line is torn if it is the last, and damage if another follows.
                Err((why, line)) => {
                    let another = self.lines.next_line().map(|next| next.is_some());
                    if another.map_err(|error| in_line(&self.path, &self.lines, &error))? {
                        return Err(fault(&self.path, format!("line {number} is not a game of a match: {why}")));
                    }
                    self.torn = Some(line);
                }
            }
        }
        Ok(None)
    }
}

const CUT: &str = "it has no line break at its end";

/// The game that a line holds; none if the line is empty.
fn game(line: &[u8], header: &Header) -> Result<Option<GameRecord>, String> {
    if line.is_empty() {
        return Ok(None);
    }
    let game: GameRecord = serde_json::from_slice(line).map_err(|error| error.to_string())?;
    if game.game > 1 || game.pair >= MatchPlan::MOST_GAMES / 2 {
        return Err(format!("there is no game {} of a pair {}", game.game, game.pair));
    }
    if let Some((part, parts)) = header.shard.filter(|_| !in_shard(header.shard, game.pair)) {
        return Err(format!("pair {} does not belong to part {part} of {parts}, which its header names", game.pair));
    }
    if game.plies > header.config.max_plies {
        let (plies, most) = (game.plies, header.config.max_plies);
        return Err(format!("{plies} plies, and its header says that a game is cut after {most}"));
    }
    Ok(Some(game))
}

fn in_line(path: &Path, lines: &Lines, error: &LineError) -> MatchError {
    fault(path, format!("line {}: {error}", lines.number()))
}

#[cfg(test)]
mod tests {
    use std::io::{Cursor, Write};

    use flate2::Compression;
    use flate2::write::GzEncoder;

    use super::*;
    use crate::matches::config::Config;
    use crate::matches::{Side, SideName};

    fn header(shard: Option<(u32, u32)>) -> Header {
        let side = Side::parse("mcts", 5).expect("an agent");
        let start = plyproof_engine::Registry::builtin().open("tictactoe").expect("a game");
        let plan = MatchPlan { shard, ..MatchPlan::new(start, side.clone(), side) };
        Header::new(Config::of(&plan, "tictactoe".to_string()), shard)
    }

    fn line(pair: u32, game: u32, plies: u32) -> String {
        format!(
            "{{\"pair\":{pair},\"game\":{game},\"first\":\"a\",\"moves\":\"a1\",\"result\":\"win\",\"reason\":\"game-over\",\
             \"plies\":{plies},\"sims_a\":[5],\"sims_b\":[],\"proven_a\":{{}},\"proven_b\":{{}},\"ms_a\":1.0,\"ms_b\":0.0}}\n"
        )
    }

    fn zipped(text: &str) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(text.as_bytes()).expect("writing to memory");
        encoder.finish().expect("writing to memory")
    }

    /// The games of a record that holds `lines` after its header, and how many of them are repeated.
    fn read(shard: Option<(u32, u32)>, lines: &str, most: u64, most_lines: u64) -> Result<(Vec<u32>, u32), String> {
        let header = header(shard);
        let text = serde_json::to_string(&header).expect("JSON") + "\n" + lines;
        let lines = Lines::within(Cursor::new(zipped(&text)), most).expect("readable");
        let mut scan = Scan::begin(Path::new("m.gz"), lines).map_err(|error| error.to_string())?;
        scan.most_lines = most_lines;
        let mut games = Vec::new();
        while let Some(game) = scan.next_game(&header).map_err(|error| error.to_string())? {
            assert_eq!(game.first, SideName::A);
            games.push(2 * game.pair + game.game);
        }
        Ok((games, scan.repeated))
    }

    #[test]
    fn a_repeated_game_is_handed_out_once_and_counted() {
        let lines = line(0, 0, 1) + &line(0, 1, 1).repeat(1000) + &line(0, 0, 1) + "\n" + &line(499_999, 1, 1);
        assert_eq!(read(None, &lines, u64::MAX, u64::MAX), Ok((vec![0, 1, 999_999], 1000)));
    }

    #[test]
    fn repetitions_without_end_are_refused_with_the_line() {
        let lines = line(0, 0, 1).repeat(11);
        assert_eq!(read(None, &lines, u64::MAX, 11), Ok((vec![0], 10)));
        let error = read(None, &lines, u64::MAX, 10).expect_err("too many lines");
        assert_eq!(error, "m.gz: line 12: more than 10 lines, and a match has at most 1000000 games");
        let error = read(None, &"\n".repeat(1000), u64::MAX, 10).expect_err("too many empty lines");
        assert!(error.starts_with("m.gz: line 12: "), "{error}");
        let error = read(None, &lines, 1000, u64::MAX).expect_err("too much");
        assert!(error.starts_with("m.gz: line 6: the gzip data unpacks to more than 1 kB; unpack the file"), "{error}");
    }

    #[test]
    fn a_game_that_the_header_rules_out_is_refused_with_its_line() {
        let lines = line(0, 0, 1) + &line(1, 0, 1) + &line(2, 0, 1);
        assert_eq!(read(None, &lines, u64::MAX, 10), Ok((vec![0, 2, 4], 0)));
        let error = read(Some((1, 2)), &lines, u64::MAX, 10).expect_err("another part");
        assert_eq!(
            error,
            "m.gz: line 3 is not a game of a match: pair 1 does not belong to part 1 of 2, which its header names"
        );
        let lines = line(0, 0, 2501) + &line(0, 1, 1);
        let error = read(None, &lines, u64::MAX, 10).expect_err("too long");
        assert_eq!(
            error,
            "m.gz: line 2 is not a game of a match: 2501 plies, and its header says that a game is cut after 2500"
        );
    }

    #[test]
    fn a_first_line_that_is_too_long_for_a_header_is_none() {
        let long = format!("{}{}", &serde_json::to_string(&header(None)).expect("JSON"), " ".repeat(100_000)) + "\n";
        let lines = Lines::new(Cursor::new(long)).expect("readable");
        let error = Scan::begin(Path::new("m"), lines).map(|_| ()).expect_err("no header").to_string();
        assert!(error.contains("it does not begin with the header of a match"), "{error}");
    }
}
