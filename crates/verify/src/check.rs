//! The check itself: one pass for goals that must come to an end, two for a draw.

use std::io::{self, BufRead};
use std::sync::atomic::{AtomicBool, Ordering};

use plyproof_core::{Game, legal_move, quoted};

use crate::error::{VerifyError, shown};
use crate::header::{Header, RulesId};
use crate::lines::{Lines, unopened};
use crate::listed::Listed;
use crate::replies::{NOT_LISTED, Replies, Unproven};
use crate::set::Cursor;

/// Opens the certificate at its beginning, each time it is called.
pub type Open<'a> = dyn FnMut() -> io::Result<Box<dyn BufRead>> + 'a;

/// What a certificate is checked against, and under what limits.
pub struct Settings<'a> {
    /// The game that is checked with, in its shortest spelling. A certificate of another one is refused.
    pub game: &'a str,
    /// Its rules. A certificate of other ones is refused.
    pub rules: RulesId,
    /// Memory for what has to be remembered, in bytes.
    pub memory: u64,
    /// Raised to stop early.
    pub stop: &'a AtomicBool,
    /// Called about every thousand entries.
    pub progress: Option<&'a mut dyn FnMut(Progress)>,
}

impl<'a> Settings<'a> {
    /// No limit of memory, nobody to stop it or to report to.
    pub fn new(game: &'a str, rules: impl Into<RulesId>) -> Self {
        static NEVER: AtomicBool = AtomicBool::new(false);
        Self { game, rules: rules.into(), memory: u64::MAX, stop: &NEVER, progress: None }
    }
}

/// How far a check has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Entries read so far, those of an earlier pass included.
    pub read: u64,
    /// Entries to read, if the header tells the truth.
    pub expected: u64,
}

/// What it took to check a certificate that holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verified {
    /// Entries, each one checked.
    pub entries: u64,
    /// Moves of the opponent that were looked at.
    pub replies: u64,
    /// Memory taken by the set of positions, in bytes.
    pub bytes: u64,
}

/// Checks the certificate that `open` opens. `game` is any position of the game; `header` is what was read from the
/// certificate, and what is proven if this returns `Ok`: [`Header::claim`] says it in words.
///
/// Memory grows with the entries that were read and never with a number that was read. Time grows with entries and the
/// replies to them.
pub fn verify<G: Game>(
    game: &G,
    header: &Header,
    open: &mut Open<'_>,
    settings: &mut Settings<'_>,
) -> Result<Verified, VerifyError> {
    let start = start(game, header, settings)?;
    let mut listed = Listed::new(settings.memory, header.symmetric);
    let mut replies = Replies::new(header.player, header.goal, settings.stop);
    let full = |line| VerifyError::Memory { line, limit: settings.memory };
    let mut pass = Pass { header, stop: settings.stop, progress: settings.progress.as_deref_mut(), read: 0 };
    let twice = |line| VerifyError::refused(line, "the position is in the certificate already");
    if header.goal.must_end() {
        // Only what stands above is known when an entry is checked: a proof cannot lean on itself.
        pass.run(open, |entry| {
            check_entry(game, header.symmetric, entry, &listed, &mut replies, settings.memory)?;
            if listed.insert(entry.position).map_err(|_| full(entry.line))? { Ok(()) } else { Err(twice(entry.line)) }
        })?;
    } else {
        pass.run(open, |entry| {
            if listed.insert(entry.position).map_err(|_| full(entry.line))? { Ok(()) } else { Err(twice(entry.line)) }
        })?;
        // Both passes must have read the same positions: otherwise some were listed and never checked.
        let mut cursor = Cursor::default();
        pass.run(open, |entry| {
            if !listed.set.next_is(&mut cursor, entry.position) {
                return Err(VerifyError::refused(entry.line, "the certificate was changed while it was read"));
            }
            check_entry(game, header.symmetric, entry, &listed, &mut replies, settings.memory)
        })?;
    }
    replies.missing = NOT_LISTED;
    replies.all_lead_to(&listed, &start).map_err(|why| match why {
        Unproven::Start(where_to) => VerifyError::at(1, &header.position, format!("the claim comes down {where_to}")),
        Unproven::Reply(what) => VerifyError::at(1, &header.position, what),
        other => unproven(other, 1, "", "", settings.memory),
    })?;
    Ok(Verified { entries: header.entries, replies: replies.looked_at, bytes: listed.set.bytes() })
}

/// The position that the claim is about.
fn start<G: Game>(game: &G, header: &Header, settings: &Settings<'_>) -> Result<G, VerifyError> {
    let refused = |what: String| VerifyError::refused(1, what);
    if header.game != settings.game {
        return Err(refused(format!("it is about the game {}, not {}", quoted(&header.game), settings.game)));
    }
    if header.rules != settings.rules {
        return Err(refused(format!(
            "it is about {} of the rules of {}, not {}{}",
            header.rules.in_words(),
            settings.game,
            settings.rules.in_words(),
            match settings.rules.text_digest() {
                Some(_) => ": find the rules as they were when it was written",
                None => "",
            }
        )));
    }
    if game.players() != 2 {
        return Err(refused(format!("certificates are for two players, and {} has another number", settings.game)));
    }
    canonical(game, &header.position).map_err(refused)
}

/// Reads a position and accepts only the one spelling that the game itself writes.
fn canonical<G: Game>(game: &G, text: &str) -> Result<G, String> {
    let state = game.parse_position(text).map_err(|error| error.to_string())?;
    let normal = state.position_text();
    if normal == text { Ok(state) } else { Err(format!("{} must be written {}", quoted(text), shown(&normal))) }
}

/// A line after the header.
struct Entry<'a> {
    line: u64,
    position: &'a str,
    played: &'a str,
}

/// Reading the certificate from beginning to end, once or twice.
struct Pass<'a, 'b> {
    header: &'a Header,
    stop: &'a AtomicBool,
    progress: Option<&'a mut (dyn FnMut(Progress) + 'b)>,
    /// Entries read, those of an earlier pass included.
    read: u64,
}

impl Pass<'_, '_> {
    fn run(
        &mut self,
        open: &mut Open<'_>,
        mut each: impl FnMut(&Entry<'_>) -> Result<(), VerifyError>,
    ) -> Result<(), VerifyError> {
        let mut lines = Lines::new(open().map_err(unopened)?);
        if lines.header()? != *self.header {
            return Err(VerifyError::refused(1, "the certificate was changed while it was read"));
        }
        let entries = self.header.entries;
        let mut missing = entries;
        while let Some((line, text)) = lines.next()? {
            if self.stop.load(Ordering::Relaxed) {
                return Err(VerifyError::Stopped);
            }
            missing = missing.checked_sub(1).ok_or_else(|| {
                VerifyError::refused(line, format!("there are more entries than the {entries} of the header"))
            })?;
            let (position, played) = text.split_once('\t').ok_or_else(|| {
                VerifyError::refused(line, format!("{} is not a position, a tab and a move", quoted(text)))
            })?;
            each(&Entry { line, position, played })?;
            self.read += 1;
            if self.read.is_multiple_of(1024)
                && let Some(progress) = &mut self.progress
            {
                let passes = if self.header.goal.must_end() { 1 } else { 2 };
                progress(Progress { read: self.read, expected: entries.saturating_mul(passes) });
            }
        }
        if missing > 0 {
            let found = entries - missing;
            let line = found.saturating_add(2);
            return Err(VerifyError::refused(line, format!("it ends after {found} of {entries} entries")));
        }
        Ok(())
    }
}

/// Whether the prover is to move, the move is legal, and all that can follow is in `listed` or reaches the goal; in a
/// symmetric certificate at every image of the position, with the image of the move.
fn check_entry<G: Game>(
    game: &G,
    symmetric: bool,
    entry: &Entry<'_>,
    listed: &Listed,
    replies: &mut Replies<'_, G>,
    memory: u64,
) -> Result<(), VerifyError> {
    let &Entry { line, position, played } = entry;
    let state = canonical(game, position).map_err(|what| VerifyError::refused(line, what))?;
    if state.outcome().is_some() || state.to_move() != replies.player {
        return Err(VerifyError::at(line, position, "the player of the claim is not to move"));
    }
    // Compared with the text of every legal move: whatever else the game can read is not a move of a certificate.
    let m = legal_move(&state, played).map_err(|error| VerifyError::at(line, position, error.to_string()))?;
    let mut next = state.clone();
    next.play(m);
    replies.all_lead_to(listed, &next).map_err(|why| unproven(why, line, position, played, memory))?;
    if symmetric { check_images(game, entry, &state, m, listed, replies, memory) } else { Ok(()) }
}

/// Checks the images of an entry by the rules alone, as if each were listed: a game whose symmetries are wrong can make
/// the verifier refuse a true certificate, and cannot make it accept a false one.
fn check_images<G: Game>(
    game: &G,
    entry: &Entry<'_>,
    state: &G,
    m: G::Move,
    listed: &Listed,
    replies: &mut Replies<'_, G>,
    memory: u64,
) -> Result<(), VerifyError> {
    let &Entry { line, position, .. } = entry;
    let mut checked = vec![position.to_string()];
    let mut moves = Vec::new();
    for index in 1..state.symmetries() {
        let text = state.symmetric(index).position_text();
        if checked.contains(&text) {
            continue;
        }
        let wrong = |what: String| {
            VerifyError::at(line, position, format!("its image number {index}, {}, is wrong: {what}", shown(&text)))
        };
        // Read from its text, so that nothing but the text is taken from the game's map.
        let mut image = canonical(game, &text).map_err(wrong)?;
        if image.outcome().is_some() || image.to_move() != replies.player {
            return Err(wrong("the player of the claim is not to move".to_string()));
        }
        let m = state.symmetric_move(index, m);
        moves.clear();
        image.moves(&mut moves);
        if !moves.contains(&m) {
            return Err(wrong("the image of the move is not legal".to_string()));
        }
        let played = image.move_text(m);
        image.play(m);
        replies.all_lead_to(listed, &image).map_err(|why| unproven(why, line, &text, &played, memory))?;
        checked.push(text);
    }
    Ok(())
}

fn unproven(why: Unproven, line: u64, position: &str, played: &str, memory: u64) -> VerifyError {
    match why {
        Unproven::Start(where_to) => {
            VerifyError::at(line, position, format!("the move {} leads {where_to}", shown(played)))
        }
        Unproven::Reply(what) => VerifyError::at(line, position, format!("after {}, {what}", shown(played))),
        Unproven::Memory => VerifyError::Memory { line, limit: memory },
        Unproven::Stopped => VerifyError::Stopped,
    }
}
