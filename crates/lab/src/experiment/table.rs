//! Our results beside the paper's, in Markdown.

use crate::experiment::figures::FIGURES;
use crate::experiment::{Experiment, PaperCell, paper};
use crate::matches::Summary;
use crate::matches::stats::wilson95;
use crate::sweep::{
    CellResult, Mode, Results, budget_text, games_text, interval_text, outcome_text, percent_text, table_lines,
};

/// The table of an experiment, with its figure below `figures`.
pub(super) fn markdown(experiment: Experiment, results: &Results, figures: &str) -> String {
    let names: Vec<&str> =
        results.cells.first().map_or(Vec::new(), |cell| cell.values.keys().map(String::as_str).collect());
    let mut header = vec!["game"];
    header.extend(names.iter().map(|name| match *name {
        "pn" => "C_pn",
        "seconds" => "seconds",
        other => other,
    }));
    header.extend(["PN-MCTS / MCTS", "games", "won / drawn / lost", "win rate (%)", "95 % interval"]);
    header.extend(["paper (%)", "paper's 95 %", "difference"]);
    let rows: Vec<Vec<String>> = results.cells.iter().map(|cell| row(experiment, cell, &names)).collect();
    let mut text = format!("## {}\n\n{}\n", results.title, table_lines(&header, &rows));
    text += "Win rates are PN-MCTS's and leave draws out. Our intervals are Wilson's, the paper's are normal ones; the \
             difference is ours minus the paper's in points, with Newcombe's interval.\n";
    text += if results.is(Mode::Paper) {
        "Budgets are simulations a move: the paper's simulations a second times its seconds, for each side.\n"
    } else {
        "Budgets are seconds a move on this machine, which is far faster than the paper's system.\n"
    };
    if results.scale != 1.0 {
        text += &format!("**Not the paper's settings: every budget was multiplied by {}.**\n", results.scale);
    }
    let mut sources: Vec<String> = Vec::new();
    for (_, cell) in paper().cells(experiment.name()) {
        if !sources.contains(&cell.source) {
            sources.push(cell.source);
        }
    }
    text += &format!("The paper's figures are from its {}.\n", sources.join(" and its "));
    for (_, name) in FIGURES.iter().filter(|(of, _)| *of == experiment) {
        text += &format!("\n![{}]({figures}{name}.png)\n", results.title);
    }
    text
}

fn row(experiment: Experiment, cell: &CellResult, names: &[&str]) -> Vec<String> {
    let mut row = vec![cell.label.clone()];
    row.extend(names.iter().map(|name| cell.values.get(*name).cloned().unwrap_or_default()));
    let printed = paper().cell(experiment.name(), &cell.id);
    match &cell.summary {
        None => row.extend(vec!["–".to_string(); 5]),
        Some(summary) => {
            row.push(format!("{} / {}", budget_text(&summary.side_a.spec), budget_text(&summary.side_b.spec)));
            row.extend([games_text(summary), outcome_text(summary)]);
            row.extend([percent_text(summary.win_rate_without_draws), interval_text(summary.wilson95)]);
        }
    }
    row.extend(match &printed {
        None => ["–", "–"].map(str::to_string),
        Some(cell) => {
            let rate = cell.win_rate.map(|rate| format!("{rate:.1}"));
            let rate = rate.or_else(|| cell.says.clone()).unwrap_or_default();
            [rate, cell.interval().map_or("–".to_string(), |(low, high)| format!("{low:.1}–{high:.1}"))]
        }
    });
    row.push(
        cell.summary
            .as_ref()
            .zip(printed)
            .and_then(|(ours, paper)| difference(ours, &paper))
            .unwrap_or("–".to_string()),
    );
    row
}

/// `+3.2 (-1.1 to +7.4)`: points by which ours is above the paper's, with Newcombe's interval of a difference, which is
/// made of Wilson's of both and holds near 0 and 100 % too.
fn difference(ours: &Summary, paper: &PaperCell) -> Option<String> {
    let (rate, theirs) = (ours.win_rate_without_draws?, paper.win_rate? / 100.0);
    let [low, high] = ours.wilson95?;
    let games = f64::from(paper.games);
    let [their_low, their_high] = wilson95(theirs * games, games)?;
    let down = (rate - low).hypot(their_high - theirs);
    let up = (high - rate).hypot(theirs - their_low);
    let points =
        [rate - theirs, rate - theirs - down, rate - theirs + up].map(|share| format!("{:+.1}", 100.0 * share));
    Some(format!("{} ({} to {})", points[0], points[1], points[2]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::matches::{Ledger, MatchPlan, Side};

    #[test]
    fn the_interval_of_a_difference_is_newcombes() {
        // Newcombe (1998), Table II, method 10: 56 of 70 against 48 of 80 gives 0.2 with 0.0524 to 0.3339.
        let side = Side::parse("random", 1).expect("an agent");
        let plan =
            MatchPlan::new(plyproof_engine::Registry::builtin().open("tictactoe").expect("a game"), side.clone(), side);
        let plan = plan.check().expect("a plan");
        let mut ours = Ledger::new(plan.config().clone()).summary();
        ours.win_rate_without_draws = Some(56.0 / 70.0);
        ours.wilson95 = wilson95(56.0, 70.0);
        let paper = PaperCell { win_rate: Some(60.0), error: None, says: None, games: 80, source: String::new() };
        assert_eq!(difference(&ours, &paper).as_deref(), Some("+20.0 (+5.2 to +33.4)"));
        assert_eq!(difference(&ours, &PaperCell { win_rate: None, ..paper }), None);
    }
}
