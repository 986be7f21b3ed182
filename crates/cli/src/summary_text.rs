//! What came of a match, in words and numbers for people.

use plyproof_lab::matches::{ByResult, SideSummary, Summary};

use crate::output::{counted, grouped, visible};

/// The whole summary over several lines.
pub fn text(summary: &Summary) -> String {
    let mut text = format!("{}: A = {}, B = {}\n", summary.game, summary.side_a.spec, summary.side_b.spec);
    text += &format!("{}, seed {}", counted(summary.games.into(), "game", "games"), summary.seed);
    if summary.openings > 0 {
        text += &format!(", {} in each opening", counted(summary.openings.into(), "random ply", "random plies"));
    }
    if !summary.complete {
        text += &format!(", not complete: {} planned", grouped(summary.planned.into()));
    }
    text += "\n\n";
    if summary.games == 0 {
        return text + "no game is finished\n";
    }
    for (name, value) in rows(summary) {
        text += &format!("{name:15} {value}\n");
    }
    text
}

fn rows(summary: &Summary) -> Vec<(&'static str, String)> {
    let mut rows = vec![
        ("A's results", words(summary.wins, summary.draws, summary.losses)),
        ("score", percent(summary.score)),
        ("win rate", win_rate(summary)),
        ("Elo", elo(summary)),
        ("pairs", pairs(summary)),
        ("A first, second", format!("{}, {}", by_result(summary.a_first), by_result(summary.a_second))),
        ("game length", format!("{:.1} plies on average", summary.mean_plies.unwrap_or_default())),
        ("A's search", side(&summary.side_a, summary.games)),
        ("B's search", side(&summary.side_b, summary.games)),
    ];
    if let Some(sprt) = &summary.sprt {
        let verdict = match sprt.verdict {
            Some("H1") => format!("A is better by {} Elo rather than {}", sprt.elo1, sprt.elo0),
            Some(_) => format!("A is better by {} Elo rather than {}", sprt.elo0, sprt.elo1),
            None => "no answer yet".to_string(),
        };
        let (elo0, elo1, llr, bound) = (sprt.elo0, sprt.elo1, sprt.llr, sprt.bound);
        rows.push(("sequential test", format!("{verdict} (Elo {elo0} or {elo1}: LLR {llr:.2}, ends at ±{bound:.2})")));
    }
    if summary.ply_limit > 0 {
        let games = counted(summary.ply_limit.into(), "game", "games");
        rows.push(("ply limit", format!("{games} cut and drawn after {} plies", grouped(summary.max_plies.into()))));
    }
    if summary.mean_plies == Some(0.0) {
        rows.push(("no move", "the game is over before the first move: nobody searched".to_string()));
    }
    if summary.reasons.keys().any(|reason| !matches!(*reason, "game-over" | "ply-limit")) {
        rows.push(("ends", ends(summary)));
    }
    if let Some(error) = &summary.first_error {
        rows.push((
            "errors",
            format!("{}, the first: {}", counted(summary.errors.into(), "game", "games"), visible(error)),
        ));
    }
    rows
}

/// Why the games ended, and who lost without a legal move.
fn ends(summary: &Summary) -> String {
    let counts = summary.reasons.iter().map(|(reason, count)| format!("{reason}: {}", grouped((*count).into())));
    let mut text = counts.collect::<Vec<_>>().join(", ");
    for (name, side) in [("A", &summary.side_a), ("B", &summary.side_b)] {
        if side.forfeits > 0 {
            text += &format!("; {name} lost {} without a legal move", counted(side.forfeits.into(), "game", "games"));
        }
    }
    text
}

fn words(wins: u32, draws: u32, losses: u32) -> String {
    [(wins, "win", "wins"), (draws, "draw", "draws"), (losses, "loss", "losses")]
        .map(|(count, one, more)| counted(count.into(), one, more))
        .join(", ")
}

/// `+12 =1 -3`.
pub fn record(wins: u32, draws: u32, losses: u32) -> String {
    format!("+{wins} ={draws} -{losses}")
}

fn by_result(by: ByResult) -> String {
    record(by.wins, by.draws, by.losses)
}

/// `87.6 %`, or a dash.
pub fn percent(share: Option<f64>) -> String {
    share.map_or("-".to_string(), |share| format!("{:.1} %", 100.0 * share))
}

fn win_rate(summary: &Summary) -> String {
    match (summary.win_rate_without_draws, summary.wilson95, summary.normal95_error) {
        (Some(rate), Some([low, high]), Some(error)) => format!(
            "{:.1} % without draws, 95 % interval {:.1} to {:.1} (Wilson), ±{:.2} (normal)",
            100.0 * rate,
            100.0 * low,
            100.0 * high,
            100.0 * error
        ),
        _ => "- (nobody won a game)".to_string(),
    }
}

/// `+191 ±40`; where an end is infinite, the other end.
pub fn elo(summary: &Summary) -> String {
    match (summary.elo, summary.elo_error, summary.elo95) {
        (Some(elo), Some(error), _) => format!("{elo:+.1} ±{error:.1}"),
        (elo, _, [low, high]) => {
            let middle = elo.map(|elo| format!("{elo:+.1}, "));
            let ends = match (low, high) {
                (Some(low), None) => format!("at least {low:+.0}"),
                (None, Some(high)) => format!("at most {high:+.0}"),
                _ => "anything is possible".to_string(),
            };
            middle.unwrap_or_default() + &ends
        }
    }
}

fn pairs(summary: &Summary) -> String {
    let named = ["0", "½", "1", "1½", "2"].iter().zip(summary.pentanomial);
    let parts: Vec<String> = named.map(|(points, count)| format!("{points}: {count}")).collect();
    format!("{} (pairs by A's points)", parts.join(", "))
}

fn side(side: &SideSummary, games: u32) -> String {
    let (Some(sims), Some(ms)) = (side.sims_per_move, side.ms_per_move) else { return "no move".to_string() };
    let mut text = format!("{sims:.1} simulations and {ms:.2} ms a move");
    if let (Some(ply), Some(after)) = (side.mean_proven_ply, side.mean_plies_after_proof) {
        text += &format!(
            "; proved its win in {} of {games} games, that it cannot win in {}: at ply {ply:.1}, {after:.1} before the end",
            side.proven_wins, side.proven_no_wins
        );
    }
    text
}
