//! Awari, the sowing game, under two rule sets.
//!
//! The seeds are in `rows.rs`; here is what makes them a game: whose turn it is, what came before, when it ends.

mod endgames;
mod rows;

use plyproof_core::spec::{Described, Description, Kind, Params};
use plyproof_core::{Features, Game, Outcome, Player, Playout, Rng, TextError, mix64, quoted};

pub use endgames::Endgames;
use rows::{CYCLE, Rows, SEEDS, START_ROW, repeats, seeds, store};

/// Name, parameters and rules of Awari.
pub static AWARI: Description = Description::new(|| {
    let rules = "Sow the seeds of one of your six holes around the board; capture twos and threes on the other side.";
    Described::new("awari", "Awari", rules)
        .parameter(
            "rules",
            "paper",
            Kind::choice(&["paper", "oware"]),
            "paper: capturing everything is illegal, who cannot move passes; \
               oware: it captures nothing, and no move or a repetition ends the game",
        )
        .into()
});

/// A position of Awari.
///
/// As text: the first player's holes, the second player's, both stores, the side to move, and how many passes came just
/// before: `4,4,4,4,4,4,4,4,4,4,4,4|0,0 1` or `0,0,0,2,0,0,0,0,0,0,0,0|30,9 2 pass`. Fewer than 48 seeds are an endgame.
/// Under oware's rules nobody passes, and the moves since the last capture follow, because a repetition ends the game:
/// `4,4,4,4,4,4,4,4,4,4,4,4|0,0 1 moves 3 1 6`.
#[derive(Debug)]
pub struct Awari {
    rows: Rows,
    /// Only under oware's rules: the positions since the last capture, oldest first, without the present one.
    past: Vec<Rows>,
    /// Sum over `past`, whatever its order.
    past_key: u64,
    outcome: Option<Outcome>,
    mover: Player,
    passes: u8,
    rules: Rules,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rules {
    Paper,
    Oware,
}

/// The hole to sow, or a pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Hole(u8);

impl Hole {
    /// The move of a player who has no other.
    pub const PASS: Self = Self(u8::MAX);

    fn at(shift: u32) -> Self {
        Self((shift / 8) as u8)
    }

    /// Where the byte of this hole begins in a row.
    fn shift(self) -> u32 {
        u32::from(self.0) * 8
    }
}

/// More captured seeds than this are most of all there are.
const HALF: u64 = 24;

/// Numbers of seeds that an evaluation tells apart, in a hole and in a store: the last stands for all from there on.
const HOLE_FEATURES: usize = 24;
const STORE_FEATURES: usize = 26;

/// Moves a position text may hold: each is compared with all before it, and a text from outside could go on for ever.
const MOST_MOVES: usize = 10_000;

/// Positions since the last capture that a play-out keeps on the stack; more go to `past`, which may allocate. From the
/// start that happens in about one of a million random games.
const RECENT: usize = 256;

impl Awari {
    /// The start position of [`AWARI`] with these parameters: four seeds in each hole.
    pub fn start(params: &Params) -> Self {
        let rules = if params.text("rules") == "oware" { Rules::Oware } else { Rules::Paper };
        Self::new(rules, Rows { own: START_ROW, other: START_ROW }, Player::FIRST, 0)
    }

    /// Seeds in a player's holes 1 to 6.
    pub fn holes(&self, player: Player) -> [u8; 6] {
        let row = by_player(self.rows, self.mover)[player.index() & 1].to_le_bytes();
        [row[0], row[1], row[2], row[3], row[4], row[5]]
    }

    /// Seeds a player has captured.
    pub fn store(&self, player: Player) -> u8 {
        store(by_player(self.rows, self.mover)[player.index() & 1]) as u8
    }

    fn new(rules: Rules, rows: Rows, mover: Player, passes: u8) -> Self {
        let mut game = Self { rows, past: Vec::new(), past_key: 0, outcome: None, mover, passes, rules };
        game.outcome = game.ending(false);
        game
    }

    /// The rows and the passes in a row after a move by the paper's rules.
    fn after(&self, m: Hole) -> (Rows, u8) {
        match m {
            Hole::PASS => (self.rows.turned(), self.passes + 1),
            _ => (self.rows.sow::<false>(m.shift()).turned(), 0),
        }
    }

    /// The lead of the player to move, if the game ends here by the paper's rules.
    fn ending_lead(rows: Rows, passes: u8) -> Option<i16> {
        if !rows.has_many() {
            Some(rows.lead())
        } else if passes >= 2 {
            Some(0)
        } else {
            None
        }
    }

    /// The result if the present position ends the game.
    fn ending(&self, repeated: bool) -> Option<Outcome> {
        let rows = self.rows;
        let points = match self.rules {
            Rules::Paper => Self::ending_lead(rows, self.passes)?,
            Rules::Oware if store(rows.own).max(store(rows.other)) > HALF => rows.lead(),
            Rules::Oware if repeated || !rows.can_move() => rows.lead_with_rows(),
            _ => return None,
        };
        Some(by_lead(self.mover, points))
    }

    /// The key without the past.
    fn position_key(&self) -> u64 {
        let rest = (self.mover.index() as u64) << 63 | u64::from(self.passes) << 56;
        mix64(mix64(self.rows.own | rest).wrapping_add(self.rows.other))
    }

    /// Sows by oware's rules and says whether the position came before. The mover stays the same.
    fn sow_and_remember(&mut self, m: Hole) -> bool {
        let sown = self.rows.sow::<true>(m.shift());
        if store(sown.own) != store(self.rows.own) {
            self.past.clear();
            self.past_key = 0;
        } else {
            self.past_key = self.past_key.wrapping_add(mix64(self.position_key()));
            self.past.push(self.rows);
        }
        self.rows = sown.turned();
        repeats(self.rows, &self.past, &[])
    }

    /// The play-out of an unfinished game. It draws as [`Game::random_move`] does: one seed of the generator, one game.
    fn run<const OWARE: bool>(&mut self, rng: &mut Rng, limit: u32) -> Playout {
        let mut rows = self.rows;
        // Positions since the last capture that are not in `past`, which takes over only when this is full.
        let mut recent = [Rows { own: 0, other: 0 }; RECENT];
        let mut count = 0;
        // When the last pass was made: a second one just after it ends the game.
        let mut passed = if self.passes == 1 { 0 } else { u32::MAX };
        let mut plies = 0;
        let mover = self.mover;
        let finished = |points: i16, plies: u32| {
            let mover = if plies.is_multiple_of(2) { mover } else { mover.other() };
            Playout { outcome: by_lead(mover, points), plies }
        };
        while plies < limit {
            let mut next = rows.sow::<OWARE>(rows.draw(rng));
            // An empty row is rare: only after a pass or at the start of a play-out.
            if !next.fed() || rows.starved() {
                match rows.draw_legal::<OWARE>(rng) {
                    Some(hole) => next = rows.sow::<OWARE>(hole),
                    None if OWARE => return finished(rows.lead_with_rows(), plies),
                    None => {
                        plies += 1;
                        if passed == plies - 1 {
                            return Playout { outcome: Outcome::DRAW, plies };
                        }
                        passed = plies;
                        rows = rows.turned();
                        continue;
                    }
                }
            }
            plies += 1;
            let before = rows;
            rows = next.turned();
            if !OWARE {
                if !rows.has_many() {
                    return finished(rows.lead(), plies);
                }
                continue;
            }
            if store(next.own) != store(before.own) {
                if store(next.own) > HALF {
                    return finished(rows.lead(), plies);
                }
                count = 0;
                self.past.clear();
                continue;
            }
            if count == RECENT {
                self.past.extend_from_slice(&recent);
                count = 0;
            }
            recent[count] = before;
            count += 1;
            if count + self.past.len() >= CYCLE && repeats(rows, &self.past, &recent[..count]) {
                return finished(rows.lead_with_rows(), plies);
            }
        }
        if OWARE && !rows.can_move() {
            return finished(rows.lead_with_rows(), plies);
        }
        Playout { outcome: Outcome::DRAW, plies: limit }
    }
}

impl Clone for Awari {
    fn clone(&self) -> Self {
        Self { past: self.past.clone(), ..*self }
    }

    /// Keeps the memory of `past`, so that a search that reuses one position allocates nothing.
    fn clone_from(&mut self, source: &Self) {
        let mut past = std::mem::take(&mut self.past);
        past.clone_from(&source.past);
        *self = Self { past, ..*source };
    }
}

impl Game for Awari {
    type Move = Hole;

    fn to_move(&self) -> Player {
        self.mover
    }

    fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    fn moves(&self, into: &mut Vec<Hole>) {
        if self.outcome.is_some() {
            return;
        }
        let before = into.len();
        match self.rules {
            Rules::Paper => into.extend(self.rows.legal::<false>().map(Hole::at)),
            Rules::Oware => into.extend(self.rows.legal::<true>().map(Hole::at)),
        }
        if into.len() == before {
            into.push(Hole::PASS);
        }
    }

    fn moves_and_ends(&self, moves: &mut Vec<Hole>, ends: &mut Vec<(usize, Outcome)>) {
        let before = moves.len();
        self.moves(moves);
        for (index, &m) in moves[before..].iter().enumerate() {
            let outcome = if self.rules == Rules::Paper {
                let (rows, passes) = self.after(m);
                Self::ending_lead(rows, passes).map(|points| by_lead(self.mover.other(), points))
            } else {
                let mut next = self.clone();
                next.play(m);
                next.outcome
            };
            ends.extend(outcome.map(|outcome| (index, outcome)));
        }
    }

    fn play(&mut self, m: Hole) {
        let mut repeated = false;
        if self.rules == Rules::Paper || m == Hole::PASS {
            (self.rows, self.passes) = self.after(m);
        } else {
            repeated = self.sow_and_remember(m);
        }
        self.mover = self.mover.other();
        self.outcome = self.ending(repeated);
    }

    fn key(&self) -> u64 {
        self.position_key() ^ self.past_key
    }

    fn present_key(&self) -> u64 {
        self.position_key()
    }

    fn random_move(&self, rng: &mut Rng) -> Hole {
        match self.rules {
            Rules::Paper => self.rows.random_legal::<false>(rng),
            Rules::Oware => self.rows.random_legal::<true>(rng),
        }
        .map_or(Hole::PASS, Hole::at)
    }

    fn playout(&mut self, rng: &mut Rng, limit: u32) -> Playout {
        match (self.outcome, self.rules) {
            (Some(outcome), _) => Playout { outcome, plies: 0 },
            (None, Rules::Paper) => self.run::<false>(rng, limit),
            (None, Rules::Oware) => self.run::<true>(rng, limit),
        }
    }

    /// The position after the last capture, or the one that was given, and the moves since then.
    fn position_text(&self) -> String {
        let Some(&base) = self.past.first() else {
            return text_of(self.rows, self.mover, self.passes);
        };
        let base_mover = if self.past.len().is_multiple_of(2) { self.mover } else { self.mover.other() };
        let mut text = text_of(base, base_mover, 0) + " moves";
        let after = self.past.iter().skip(1).chain([&self.rows]);
        for (before, after) in self.past.iter().zip(after) {
            // Without a capture only the sown hole holds less than before; its row is the other one after the move.
            let sown = (0..6).find(|&hole| seeds(after.other, hole) < seeds(before.own, hole));
            text += &format!(" {}", sown.map_or(0, |hole| hole + 1));
        }
        text
    }

    fn parse_position(&self, text: &str) -> Result<Self, TextError> {
        let wrong = |why: &str| TextError::new(format!("{} is not a position of awari: {why}", quoted(text)));
        let mut words = text.split_ascii_whitespace().peekable();
        let rows = words.next().and_then(parse_rows).ok_or_else(|| {
            wrong("it starts with six holes of each player and both stores, as in 4,4,4,4,4,4,4,4,4,4,4,4|0,0")
        })?;
        if rows.iter().map(|row| row.to_le_bytes().map(usize::from).iter().sum::<usize>()).sum::<usize>() > SEEDS {
            return Err(wrong("it has more than 48 seeds"));
        }
        let (mover, [own, other]) = match words.next() {
            Some("1" | "x") => (Player::FIRST, rows),
            Some("2" | "o") => (Player::SECOND, [rows[1], rows[0]]),
            _ => return Err(wrong("the side to move, 1 or 2, follows after the stores")),
        };
        let mut passes = 0;
        while self.rules == Rules::Paper && passes < 2 && words.next_if_eq(&"pass").is_some() {
            passes += 1;
        }
        let mut game = Self::new(self.rules, Rows { own, other }, mover, passes);
        if self.rules == Rules::Oware && words.next_if_eq(&"moves").is_some() {
            for _ in 0..MOST_MOVES {
                let Some(word) = words.next() else { return Ok(game) };
                game.play(game.parse_move(word).map_err(|error| wrong(&error.to_string()))?);
            }
        }
        match (words.next(), self.rules) {
            (None, _) => Ok(game),
            (Some(_), Rules::Paper) => Err(wrong("after the side to move comes nothing, or pass once or twice")),
            (Some(_), Rules::Oware) => {
                Err(wrong("after the side to move comes nothing, or moves and up to 10000 holes"))
            }
        }
    }

    fn move_text(&self, m: Hole) -> String {
        if m == Hole::PASS { "pass".to_string() } else { (m.0 + 1).to_string() }
    }

    /// As the first player sees it: seeds travel to the right below and to the left above.
    fn heap_bytes(&self) -> usize {
        self.past.capacity() * size_of::<Rows>()
    }

    fn feature_count(&self) -> usize {
        2 * (6 * HOLE_FEATURES + STORE_FEATURES) + 1
    }

    /// The seeds in each hole and in each store, the mover's first, and whether the opponent has just passed.
    fn features(&self, into: &mut Features) {
        into.reset(self.feature_count());
        let mut first = 0;
        for row in [self.rows.own, self.rows.other] {
            for hole in row.to_le_bytes().into_iter().take(6) {
                into.insert(first + usize::from(hole).min(HOLE_FEATURES - 1));
                first += HOLE_FEATURES;
            }
            into.insert(first + (store(row) as usize).min(STORE_FEATURES - 1));
            first += STORE_FEATURES;
        }
        if self.passes > 0 {
            into.insert(first);
        }
    }

    fn is_quiet(&self, m: Hole) -> bool {
        let sown = match (m, self.rules) {
            (Hole::PASS, _) => return true,
            (_, Rules::Paper) => self.rows.sow::<false>(m.shift()),
            (_, Rules::Oware) => self.rows.sow::<true>(m.shift()),
        };
        store(sown.own) == store(self.rows.own)
    }

    fn board(&self) -> String {
        let [first, second] = by_player(self.rows, self.mover);
        let line = |holes: &mut dyn Iterator<Item = u64>| holes.map(|n| format!("{n:>4}")).collect::<String>();
        let lines = [
            format!("       {}", line(&mut (1..=6).rev())),
            format!("2 [{:>2}] {}", store(second), line(&mut (0..6).rev().map(|hole| seeds(second, hole)))),
            format!("       {}  [{:>2}] 1", line(&mut (0..6).map(|hole| seeds(first, hole))), store(first)),
            format!("       {}", line(&mut (1..=6))),
        ];
        lines.join("\n")
    }
}

/// The result when `mover` is ahead by so many points.
fn by_lead(mover: Player, points: i16) -> Outcome {
    Outcome::by_points(if mover == Player::FIRST { points } else { -points })
}

fn by_player(rows: Rows, mover: Player) -> [u64; 2] {
    if mover == Player::FIRST { [rows.own, rows.other] } else { [rows.other, rows.own] }
}

fn text_of(rows: Rows, mover: Player, passes: u8) -> String {
    let rows = by_player(rows, mover);
    let holes: Vec<String> = (0..12).map(|hole| seeds(rows[hole / 6], hole as u32 % 6).to_string()).collect();
    let [first, second] = rows.map(store);
    format!("{}|{first},{second} {mover}{}", holes.join(","), " pass".repeat(passes.into()))
}

/// `"4,4,4,4,4,4,4,4,4,4,4,4|0,0"`: first player's row and store, second player's. No count is above 48.
fn parse_rows(text: &str) -> Option<[u64; 2]> {
    let (holes, stores) = text.split_once('|')?;
    let number = |word: &str| -> Option<u64> {
        let number: u8 = if word.bytes().all(|b| b.is_ascii_digit()) { word.parse().ok()? } else { return None };
        (usize::from(number) <= SEEDS).then_some(number.into())
    };
    let mut row = [0; 2];
    let mut holes = holes.split(',');
    for hole in 0..12 {
        row[hole / 6] |= number(holes.next()?)? << (8 * (hole % 6));
    }
    let (first, second) = stores.split_once(',')?;
    row[0] |= number(first)? << rows::STORE;
    row[1] |= number(second)? << rows::STORE;
    holes.next().is_none().then_some(row)
}
