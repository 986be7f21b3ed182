//! The report of a search as text.

use plyproof_engine::tables::TabledAgent;
use plyproof_engine::units::{duration_text, elapsed_text, size_text};
use plyproof_engine::{AnyGame, Bounds, Budget, MoveReport, ProofNumber, SearchReport, Stopped, Wdl};

use crate::output::{self, counted, grouped};
use crate::terminal;

/// What is searched and how: the lines above every report.
pub struct Heading {
    position: String,
    search: String,
    finished: bool,
    /// What the agent counts, one and several.
    unit: (&'static str, &'static str),
}

impl Heading {
    pub fn new(game: &dyn AnyGame, agent: &TabledAgent, budget: &Budget, seed: u64) -> Self {
        let unit = match agent.agent.name() {
            "pns" | "df-pn" => ("expansion", "expansions"),
            "minimax" => ("position", "positions"),
            _ => ("simulation", "simulations"),
        };
        let state = match game.outcome() {
            Some(outcome) => format!("finished, {outcome}"),
            None => format!("player {} to move", game.to_move()),
        };
        let mut search = format!("{agent}, seed {seed}");
        let mut add = |limit: String| search += &format!(", {limit}");
        budget.simulations.into_iter().for_each(|n| add(counted(n, unit.0, unit.1)));
        budget.time.into_iter().for_each(|time| add(duration_text(time)));
        budget.memory.into_iter().for_each(|bytes| add(format!("{} of memory", size_text(bytes as u64))));
        Self { position: format!("{}: {state}", game.name()), search, finished: game.outcome().is_some(), unit }
    }
}

/// The whole report: heading, table of the `top` first moves (0: of all), what is best and proven, and the effort.
pub fn report(heading: &Heading, report: &SearchReport, top: usize) -> String {
    let mut text = format!("{}\n{}\n\n", heading.position, heading.search);
    if !report.moves.is_empty() {
        text += &(moves(report, top) + "\n");
    }
    if let Some(best) = &report.best {
        text += &format!("best    {best}\n");
    }
    if !heading.finished && can_prove(report) {
        text += &format!("proven  {}\n", proven(report));
    }
    if report.line.len() > 1 {
        text += &output::wrapped("line    ", &report.line);
    }
    if !heading.finished {
        text += &format!("\n{}\n", effort(heading, report));
    }
    let full = report.full_after.map(|full| counted(full, heading.unit.0, heading.unit.1));
    match (report.stopped, full) {
        (Some(Stopped::Memory), Some(full)) => text += &format!("stopped: the memory was full after {full}\n"),
        (why, _) => {
            why.into_iter().for_each(|why| text += &format!("stopped: {}\n", output::reason(why, heading.unit.1)));
            frugal(heading, report).into_iter().for_each(|line| text += &(line + "\n"));
        }
    }
    text
}

/// The best move and the most visited others, `top` in all or every one for 0, and how many there are besides.
fn moves(report: &SearchReport, top: usize) -> String {
    let shown = if top == 0 { report.moves.len() } else { top.min(report.moves.len()) };
    let mut listed: Vec<&MoveReport> = report.moves.iter().collect();
    // A proven move need not have been visited at all; it is listed nevertheless, and first.
    listed.sort_by_key(|found| report.best.as_ref() != Some(&found.text));
    let columns = Columns::of(report);
    let mut table = output::table(&columns.header());
    for found in &listed[..shown] {
        table.add_row(columns.row(found));
    }
    let mut text = output::table_text(&table);
    let rest = &listed[shown..];
    if !rest.is_empty() {
        text += &format!("and {}", counted(rest.len() as u64, "more move", "more moves"));
        let most = rest.iter().map(|found| found.visits).max().unwrap_or_default();
        text +=
            &if columns.visits { format!(" of at most {}\n", counted(most, "visit", "visits")) } else { "\n".into() };
    }
    text
}

/// What an agent says of moves; columns that it leaves empty are not shown.
struct Columns {
    visits: bool,
    numbers: bool,
    proven: bool,
}

impl Columns {
    fn of(report: &SearchReport) -> Self {
        let any = |has: fn(&MoveReport) -> bool| report.moves.iter().any(has);
        let (visits, numbers) = (any(|found| found.visits > 0), any(|found| found.pn.is_some()));
        Self { visits, numbers, proven: can_prove(report) }
    }

    fn header(&self) -> Vec<&'static str> {
        let mut header = vec!["move"];
        if self.visits {
            header.extend(["visits", "mean"]);
        }
        if self.numbers {
            header.extend(["pn", "dpn", "rank"]);
        }
        if self.proven {
            header.push("proven");
        }
        header
    }

    fn row(&self, found: &MoveReport) -> Vec<String> {
        let mut row = vec![found.text.clone()];
        if self.visits {
            let mean = match found.visits {
                0 => "-".to_string(),
                // Only the moves that could be best have a value of their own.
                _ if found.at_most => format!("≤ {:+.3}", found.mean),
                _ => format!("{:+.3}", found.mean),
            };
            row.extend([grouped(found.visits), mean]);
        }
        if self.numbers {
            row.extend([number(found.pn), number(found.dpn)]);
            row.push(found.rank.map_or("-".to_string(), |rank| grouped(rank.into())));
        }
        if self.proven {
            row.push(bounds_text(found.bounds).to_string());
        }
        row
    }
}

fn number(number: Option<ProofNumber>) -> String {
    number.map_or("-".to_string(), |number| match number.leaves() {
        Some(leaves) => grouped(leaves.into()),
        None => number.to_string(),
    })
}

/// What is known of a move, for the player who makes it.
fn bounds_text(bounds: Bounds) -> &'static str {
    match (bounds.least, bounds.most) {
        (Wdl::Win, _) => "win",
        (Wdl::Draw, Wdl::Draw) => "draw",
        (_, Wdl::Loss) => "loss",
        (_, Wdl::Draw) => "no win",
        (Wdl::Draw, _) => "no loss",
        (Wdl::Loss, Wdl::Win) => "",
    }
}

/// Whether the agent looks for proofs, or met one: what it says of them is worth a line.
fn can_prove(report: &SearchReport) -> bool {
    let known = |bounds: Bounds| bounds != Bounds::OPEN;
    report.numbers.is_some() || known(report.bounds) || report.moves.iter().any(|found| known(found.bounds))
}

fn proven(report: &SearchReport) -> String {
    let known = match bounds_text(report.bounds) {
        "" => "nothing yet".to_string(),
        "no win" => "no win, a draw at most".to_string(),
        "no loss" => "no loss, a draw at least".to_string(),
        value => value.to_string(),
    };
    match report.numbers {
        Some(numbers) => format!("{known} (pn {}, dpn {})", number(Some(numbers.pn)), number(Some(numbers.dpn))),
        None => known,
    }
}

/// Simulations, time and the size of the tree in one line.
fn effort(heading: &Heading, report: &SearchReport) -> String {
    let mut text = counted(report.simulations, heading.unit.0, heading.unit.1);
    text += &format!(" in {}", elapsed_text(report.seconds));
    if report.simulations > 0 {
        text += &format!(", {}/s", grouped(report.simulations_per_s as u64));
    }
    if report.nodes > 0 {
        text += &format!("; {} kept in {}", counted(report.nodes, "position", "positions"), size_text(report.bytes));
    }
    text
}

/// When the tree stopped growing, if it did.
fn frugal(heading: &Heading, report: &SearchReport) -> Option<String> {
    let full = counted(report.full_after?, heading.unit.0, heading.unit.1);
    Some(format!("the memory was full after {full}: from then on the tree did not grow"))
}

/// The report as it is drawn while the search is running: at most so many lines, none wider than the screen.
pub fn running(heading: &Heading, report: &SearchReport, top: usize, rows: usize, columns: usize) -> Vec<String> {
    // Two of heading, effort, memory, proven, line, a blank one, the header and the one of the rest; the cursor's.
    const AROUND: usize = 10;
    let room = rows.saturating_sub(AROUND).max(1);
    let top = if top == 0 { room } else { top.min(room) };
    let mut lines = vec![heading.position.clone(), heading.search.clone(), effort(heading, report)];
    lines.extend(frugal(heading, report));
    if can_prove(report) {
        lines.push(format!("proven: {}", proven(report)));
    }
    lines.push(format!("line: {}", report.line.join(" ")));
    if !report.moves.is_empty() {
        lines.push(String::new());
        lines.extend(moves(report, top).lines().map(str::to_string));
    }
    lines.truncate(rows.saturating_sub(1).max(1));
    // The last column stays free: some terminals go to the next line as soon as it is written.
    let width = columns.saturating_sub(1).max(1);
    lines.iter().map(|line| terminal::cut(line, width)).collect()
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use super::*;

    fn searched(game: &str, agent: &str, simulations: u64) -> (Heading, SearchReport) {
        let game = plyproof_engine::Registry::builtin().open(game).expect("a game");
        let agent = TabledAgent::parse(agent).expect("an agent");
        let budget = Budget { memory: Some(1 << 24), ..Budget::simulations(simulations) };
        let report = game.search(&agent.agent, &budget, 1, &AtomicBool::new(false), &mut |_| {}).expect("a search");
        (Heading::new(&*game, &agent, &budget, 1), report)
    }

    #[test]
    fn a_running_search_fits_every_screen() {
        let (heading, report) = searched("gomoku", "pn-mcts", 500);
        for rows in 0..40 {
            for columns in [0, 1, 2, 20, 80, 200] {
                let lines = running(&heading, &report, 0, rows, columns);
                assert!(lines.len() < rows.max(2), "{} lines on {rows} rows", lines.len());
                assert!(lines.iter().all(|line| line.chars().count() < columns.max(2)), "{columns} columns");
            }
        }
        let text = running(&heading, &report, 12, 40, 100).join("\n");
        assert!(text.contains("and 213 more moves of at most "), "{text}");
        for part in ["gomoku: player 1 to move", "seed 1", "500 simulations in", "/s; ", "proven: nothing", "line: "] {
            assert!(text.contains(part), "{part} in {text}");
        }
    }

    #[test]
    fn the_best_move_is_listed_first_even_if_it_was_never_visited() {
        let (_, mut report) = searched("gomoku", "pn-mcts", 10);
        let last = report.moves.last().expect("many moves").text.clone();
        assert_eq!(report.moves.last().map(|found| found.visits), Some(0));
        report.best = Some(last.clone());
        let text = moves(&report, 2);
        assert!(text.lines().nth(1).is_some_and(|line| line.starts_with(&last)), "{text}");
        assert_eq!(moves(&report, 0).lines().count(), 226, "all moves and the header");
    }

    #[test]
    fn agents_show_the_columns_they_have_something_to_say_in() {
        let header = |agent: &str| {
            let (heading, report) = searched("hex(size=3)", agent, 50);
            let text = super::report(&heading, &report, 12);
            text.lines().nth(3).map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).unwrap_or_default()
        };
        assert_eq!(header("mcts"), "move visits mean");
        assert_eq!(header("pn-mcts"), "move visits mean pn dpn rank proven");
        assert_eq!(header("pns"), "move pn dpn rank proven");
    }

    #[test]
    fn long_lines_of_play_are_broken_under_their_label() {
        let words: Vec<String> = (0..60).map(|i| format!("a{i}")).collect();
        let text = output::wrapped("line    ", &words);
        assert!(text.lines().count() > 1 && text.lines().all(|line| line.len() <= 100), "{text}");
        assert!(text.starts_with("line    a0 a1 ") && text.lines().skip(1).all(|line| line.starts_with("        a")));
        assert!(text.split_whitespace().skip(1).eq(words.iter()));
    }

    #[test]
    fn what_is_proven_is_told_from_the_side_of_the_mover() {
        let told = |least, most| bounds_text(Bounds { least, most });
        use Wdl::{Draw, Loss, Win};
        assert_eq!([told(Win, Win), told(Draw, Draw), told(Loss, Loss)], ["win", "draw", "loss"]);
        assert_eq!([told(Loss, Draw), told(Draw, Win), told(Loss, Win)], ["no win", "no loss", ""]);
    }
}
