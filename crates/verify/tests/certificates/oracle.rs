//! Exhaustive search of small games, circles included, by working backwards from the ends. Slow and plain.
//!
//! It says what is true, makes certificates of it, and says whether the moves of a certificate do what it claims.

use std::collections::HashMap;
use std::io::Cursor;

use plyproof_core::{Game, Outcome, Player, Rng};
use plyproof_verify::{Claim, Header, Settings, Verified, VerifyError, Writer, read_header, verify};

/// One position of a [`Graph`].
pub struct Place {
    pub text: String,
    pub outcome: Option<Outcome>,
    pub to_move: Player,
    pub moves: Vec<(String, usize)>,
}

/// Everything that can be reached from a position, which is the first.
pub struct Graph {
    pub places: Vec<Place>,
}

/// The position each entry is about, and the move.
pub type Entries = Vec<(String, String)>;

impl Graph {
    /// `None` if more than `most` positions can be reached.
    pub fn reachable<G: Game>(start: &G, most: usize) -> Option<Self> {
        let mut index = HashMap::from([(start.position_text(), 0)]);
        let (mut states, mut places) = (vec![start.clone()], Vec::new());
        while let Some(state) = states.get(places.len()).cloned() {
            let mut moves = Vec::new();
            state.moves(&mut moves);
            let moves = moves.into_iter().map(|m| {
                let mut next = state.clone();
                next.play(m);
                let at = *index.entry(next.position_text()).or_insert_with(|| {
                    states.push(next);
                    states.len() - 1
                });
                (state.move_text(m), at)
            });
            let moves = moves.collect();
            let (text, outcome, to_move) = (state.position_text(), state.outcome(), state.to_move());
            places.push(Place { text, outcome, to_move, moves });
            if states.len() > most {
                return None;
            }
        }
        Some(Self { places })
    }

    /// When each position was found to be one from which the prover reaches the goal, counted from 0; each relies on
    /// earlier ones only, if the goal must end. With `strategy` the prover plays those moves and no others.
    pub fn solved(&self, player: Player, goal: Claim, strategy: Option<&Entries>) -> Vec<Option<usize>> {
        // Where a position comes twice, as an image of two entries, the first one counts: it relies on less.
        let strategy: Option<HashMap<&str, &str>> =
            strategy.map(|moves| moves.iter().rev().map(|(position, m)| (position.as_str(), m.as_str())).collect());
        let allowed = |place: &Place| -> Vec<usize> {
            let own = strategy.as_ref().filter(|_| place.to_move == player);
            let listed = own.map(|own| own.get(place.text.as_str()).copied());
            let legal = place.moves.iter().filter(|(text, _)| listed.is_none_or(|m| m == Some(text.as_str())));
            legal.map(|&(_, to)| to).collect()
        };
        let choices: Vec<Vec<usize>> = self.places.iter().map(allowed).collect();
        // For goals that must end: who can force a good end. For a draw: from where can the opponent force a bad one?
        let wanted = goal.must_end();
        let mut found: Vec<Option<usize>> = vec![None; self.places.len()];
        let mut count = 0;
        loop {
            let before = count;
            for at in (0..self.places.len()).rev() {
                let place = &self.places[at];
                let forced = match place.outcome {
                    Some(outcome) => reached(goal, outcome, player) == wanted,
                    None if (place.to_move == player) == wanted => choices[at].iter().any(|&to| found[to].is_some()),
                    None => choices[at].iter().all(|&to| found[to].is_some()),
                };
                if forced && found[at].is_none() {
                    found[at] = Some(count);
                    count += 1;
                }
            }
            if count == before {
                break;
            }
        }
        if wanted { found } else { found.into_iter().map(|bad| if bad.is_some() { None } else { Some(0) }).collect() }
    }

    pub fn holds(&self, player: Player, goal: Claim) -> bool {
        self.solved(player, goal, None)[0].is_some()
    }

    /// Entries that prove the goal, each of them needed; `None` if it is not true.
    pub fn proof(&self, player: Player, goal: Claim, rng: &mut Rng) -> Option<Entries> {
        let solved = self.solved(player, goal, None);
        solved[0]?;
        let (mut open, mut seen, mut chosen) = (vec![0], vec![false; self.places.len()], Vec::new());
        while let Some(at) = open.pop() {
            if std::mem::replace(&mut seen[at], true) || self.places[at].outcome.is_some() {
                continue;
            }
            let place = &self.places[at];
            if place.to_move != player {
                open.extend(place.moves.iter().map(|&(_, to)| to));
                continue;
            }
            let good = |to: usize| solved[to].is_some_and(|when| !goal.must_end() || Some(when) < solved[at]);
            let good: Vec<&(String, usize)> = place.moves.iter().filter(|&&(_, to)| good(to)).collect();
            let (played, to) = good[rng.below(good.len())];
            chosen.push((solved[at], (place.text.clone(), played.clone())));
            open.push(*to);
        }
        chosen.sort_by_key(|&(when, _)| when);
        Some(chosen.into_iter().map(|(_, entry)| entry).collect())
    }
}

/// What the goals mean, said once more and in another way.
fn reached(goal: Claim, outcome: Outcome, player: Player) -> bool {
    let lead = match outcome.winner() {
        None => 0,
        Some(winner) if winner == player => 1,
        Some(_) => -1,
    };
    match goal {
        Claim::Win => lead == 1,
        Claim::Draw => lead >= 0,
        Claim::Margin(_) if lead != 0 && outcome.margin() == 0 => false,
        Claim::Margin(least) => lead * i32::from(outcome.margin()) >= least,
    }
}

/// A certificate as bytes. Unlike [`Writer`] it writes whatever it is given.
pub fn written(header: &Header, entries: &Entries) -> Vec<u8> {
    let lines = entries.iter().map(|(position, played)| format!("{position}\t{played}\n"));
    [format!("{header}\n")].into_iter().chain(lines).collect::<String>().into_bytes()
}

/// The header of a claim about `start`, and its entries, as the library writes them.
pub fn certificate<G: Game>(name: &str, start: &G, player: Player, goal: Claim, entries: &Entries) -> Vec<u8> {
    let header = header(name, start, player, goal, entries);
    let mut writer = Writer::new(Vec::new(), &header).expect("a header");
    for (position, played) in entries {
        writer.entry(position, played).expect("an entry");
    }
    let bytes = writer.finish().expect("complete");
    assert_eq!(bytes, written(&header, entries));
    bytes
}

pub fn header<G: Game>(name: &str, start: &G, player: Player, goal: Claim, entries: &Entries) -> Header {
    let (game, position) = (name.to_string(), start.position_text());
    Header { game, rules: 1.into(), position, player, goal, symmetric: false, entries: entries.len() as u64 }
}

/// Checks bytes as a file would be.
pub fn checked<G: Game>(name: &str, game: &G, bytes: &[u8]) -> Result<(Header, Verified), VerifyError> {
    let header = read_header(Cursor::new(bytes.to_vec()))?;
    let mut open = || Ok(Box::new(Cursor::new(bytes.to_vec())) as _);
    let verified = verify(game, &header, &mut open, &mut Settings::new(name, 1))?;
    Ok((header, verified))
}

/// An entry and what it stands for.
fn with_images<G: Game>(game: &G, (position, played): (String, String)) -> Entries {
    let state = game.parse_position(&position).expect("an accepted position");
    let m = plyproof_core::legal_move(&state, &played).expect("an accepted move");
    let image = |index| {
        let image = state.symmetric(index);
        (image.position_text(), image.move_text(state.symmetric_move(index, m)))
    };
    (0..state.symmetries()).map(image).collect()
}

/// The heart of all tests: whatever the bytes are, they are refused in one line, or their moves do what they claim.
/// Returns whether they were accepted.
#[track_caller]
pub fn refused_or_true<G: Game>(name: &str, game: &G, bytes: &[u8]) -> bool {
    let header = match checked(name, game, bytes) {
        Ok((header, _)) => header,
        Err(error) => {
            let text = error.to_string();
            assert!(!text.contains(char::is_control) && text.chars().count() <= 1500, "{text:?}");
            return false;
        }
    };
    let text = String::from_utf8(bytes.to_vec()).expect("an accepted certificate is text");
    let entries: Entries = text
        .lines()
        .skip(1)
        .map(|line| line.split_once('\t').map(|(a, b)| (a.to_string(), b.to_string())).expect("an entry"))
        .flat_map(|entry| if header.symmetric { with_images(game, entry) } else { vec![entry] })
        .collect();
    let start = game.parse_position(&header.position).expect("an accepted position");
    let graph = Graph::reachable(&start, 200_000).expect("a game small enough to know the truth");
    assert!(
        graph.solved(header.player, header.goal, Some(&entries))[0].is_some(),
        "accepted, but its moves do not do it: {}\n{text}",
        header.claim()
    );
    assert!(graph.holds(header.player, header.goal), "accepted and false: {}", header.claim());
    true
}
