//! What designers get wrong, and what makes games slow.

use super::{About, Limits, Report, Warning};
use crate::any::AnyRules;

/// Games from which on something that never happens is worth a word.
const ENOUGH: u64 = 20;

pub(super) fn warnings(rules: &AnyRules, text: &str, report: &Report, limits: &Limits) -> Vec<Warning> {
    let mut about_text: Vec<String> = rules.warnings().to_vec();
    about_text.extend(rules.as_rbg().map(|rules| rules.unused(text)).unwrap_or_default());
    let all = [(About::Text, about_text), (About::Play, play(report, limits)), (About::Speed, speed(rules, report))];
    let all =
        all.into_iter().flat_map(|(about, found)| found.into_iter().map(move |message| Warning { about, message }));
    all.collect()
}

fn play(report: &Report, limits: &Limits) -> Vec<String> {
    let mut found = Vec::new();
    let Some(mover) = report.start.to_move else {
        found.push("the game is over before its first move: the first player has to have a move".to_string());
        return found;
    };
    let (games, names) = (&report.games, &report.players);
    let name = |seat: usize| names.get(seat).map_or("a player", String::as_str);
    let finished = games.played - games.cut;
    if games.cut > 0 {
        found.push(format!(
            "{} of {} random games were not over after {} moves: a counter of moves or of repetitions ends them",
            games.cut, games.played, limits.plies
        ));
    } else if games.played == 0 && games.stopped {
        found.push(format!("no random game was over within {} positions: does anything end a game?", limits.positions));
    }
    for seat in 0..2 {
        if games.moved[seat] == 0 && games.moved[1 - seat] > ENOUGH {
            let (never, other) = (name(seat), name(1 - seat));
            found.push(format!("{never} never moves, {other} makes all moves: does ->{never} come after ->{other}?"));
        }
    }
    if finished >= ENOUGH {
        if games.wins == [0, 0] {
            found.push(format!("none of {finished} random games was won: are the scores set before the game ends?"));
        } else if games.first_mover_wins == finished {
            found.push(format!("{}, who moves first, won all {finished} random games", name(mover - 1)));
        } else {
            for seat in (0..2).filter(|&seat| games.wins[seat] == 0) {
                found.push(format!("{} won none of {finished} random games", name(seat)));
            }
        }
        if games.longest <= 2 {
            found.push(format!("no random game has more than {} moves", games.longest));
        }
    }
    // Points may add up to anything; signs of a win are a few values.
    if games.sums.len() > 1 && games.sums.len() <= 3 && finished >= ENOUGH {
        let sums: Vec<String> = games.sums.iter().map(|sum| format!("{} ({} games)", sum.sum, sum.games)).collect();
        found.push(format!(
            "the scores do not always add up to the same: {}; a win should set both scores",
            sums.join(", ")
        ));
    }
    if games.most_moves == 1 && games.moved.iter().sum::<u64>() > ENOUGH {
        found.push("there is never more than one legal move".to_string());
    }
    if let [one, other] = &games.alike_example[..] {
        found.push(format!(
            "{} of {} moves lead where another one leads, such as {one} and {other}: one way to write a move is enough",
            games.alike, games.looked_at
        ));
    }
    if games.numbered * 10 > games.looked_at && games.looked_at > ENOUGH {
        found.push(format!(
            "{} of {} moves are told apart by a number alone, as in {}: let the player choose a cell instead",
            games.numbered,
            games.looked_at,
            report.start.first_moves.iter().find(|text| text.contains(':')).map_or("a1:7", String::as_str)
        ));
    }
    found
}

fn speed(rules: &AnyRules, report: &Report) -> Vec<String> {
    let mut found = Vec::new();
    if report.games.stopped && report.games.played < ENOUGH {
        found.push(format!("there was time for {} random games only", report.games.played));
    }
    let (Some(rbg), Some(sizes)) = (rules.as_rbg(), &report.sizes) else { return found };
    let figures = rbg.figures();
    if figures.bits > 64 {
        let bits = figures.bits;
        found
            .push(format!("{} cells are kept in {bits} bits: up to 64 cells are fastest, then up to 128", sizes.cells));
    }
    if figures.cell_matters > 0 {
        found.push(format!(
            "after {} of {} switches to a player the current cell matters, so that one board is many positions: begin a \
            turn with a walk to any cell",
            figures.cell_matters, figures.switches
        ));
    }
    if figures.walked_looks > 0 {
        found.push(format!(
            "{} of {} look-aheads are walked through step by step: short ones with few alternatives become masks",
            figures.walked_looks, figures.looks
        ));
    }
    if figures.lanes == 0 && report.games.mean_moves > 4.0 {
        found.push(
            "moves are found step by step: where a move is a few modifiers on cells at fixed distances, all moves are \
            found together"
                .to_string(),
        );
    }
    found
}
