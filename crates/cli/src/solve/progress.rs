//! How a proof stands, on standard error: in place on a terminal, a line now and then elsewhere.

use std::time::Duration;

use plyproof_engine::units::elapsed_text;
use plyproof_engine::{JobProgress, ProofNumber, ProofNumbers, Solution, SolveProgress, TableReport};
use serde_json::{Value, json};

use super::Arguments;
use crate::output::grouped;
use crate::terminal::{Line, StatusLine, put};

/// Time until the first line where there is no terminal; each comes after twice the time of the one before.
const FIRST_LINE: Duration = Duration::from_secs(5);
/// With `--progress` the first line comes sooner, and each comes when the time has grown by a quarter.
const FIRST_ASKED: Duration = Duration::from_secs(1);

/// The numbers while the solver runs.
pub struct Progress {
    status: StatusLine,
    asked: bool,
    json: bool,
    next: Duration,
    /// Positions and time at the last line, for the speed since then.
    last: (u64, f64),
    /// How the jobs stood when they were last heard of.
    jobs: Option<Jobs>,
}

/// How it stands.
struct State {
    seconds: f64,
    nodes: u64,
    player: usize,
    numbers: Option<ProofNumbers>,
    solver: Option<&'static str>,
    turn: Option<u64>,
    table: Option<TableReport>,
    jobs: Option<Jobs>,
}

/// How the jobs stand, where there are any.
#[derive(Clone, Copy)]
struct Jobs {
    done: u64,
    flying: usize,
    workers: usize,
}

impl Progress {
    pub fn new(arguments: &Arguments) -> Self {
        let (asked, json) = (arguments.progress, arguments.json);
        let next = if asked { FIRST_ASKED } else { FIRST_LINE };
        Self { status: StatusLine::new(!json), asked, json, next, last: (0, 0.0), jobs: None }
    }

    /// Says something that stays, unless nothing is to be said.
    pub fn note(&mut self, text: &str) {
        if !self.json {
            self.status.clear();
            put(&format!("{text}\n"));
        }
    }

    pub fn tell_of_jobs(&mut self, state: &JobProgress) {
        let JobProgress { goal, numbers, counts, flying, workers, elapsed, .. } = *state;
        let (numbers, nodes) = (Some(numbers), counts.nodes);
        let solve = SolveProgress { goal, numbers, nodes, elapsed, table: None, solver: None, turn: None };
        self.jobs = Some(Jobs { done: counts.done, flying, workers });
        self.tell(&solve);
    }

    pub fn tell(&mut self, state: &SolveProgress) {
        let due = if self.status.is_on() { self.status.is_due() } else { state.elapsed >= self.next };
        if !due || self.json && !self.asked {
            return;
        }
        let now = State {
            seconds: state.elapsed.as_secs_f64(),
            nodes: state.nodes,
            player: state.goal.player.index() + 1,
            numbers: state.numbers,
            solver: state.solver,
            turn: state.turn,
            table: state.table.map(TableReport::from),
            jobs: self.jobs,
        };
        if self.status.is_on() {
            self.status.show(&self.line(&now));
        } else {
            self.next = if self.asked { state.elapsed * 5 / 4 } else { 2 * state.elapsed };
            self.say(&now);
        }
    }

    /// Takes the line of a terminal away; if progress was asked for, says how it stood at the end.
    pub fn end(&mut self, player: usize, solution: &Solution) {
        self.status.clear();
        if !self.asked {
            return;
        }
        let state = State {
            seconds: solution.seconds,
            nodes: solution.nodes,
            player,
            numbers: solution.numbers,
            solver: None,
            turn: None,
            table: solution.table,
            jobs: self.jobs.map(|jobs| Jobs { flying: 0, ..jobs }),
        };
        self.last = (0, 0.0);
        self.say(&state);
    }

    fn say(&mut self, state: &State) {
        let text = if self.json { self.json_line(state) } else { self.line(state).whole() };
        put(&format!("{text}\n"));
        self.last = (state.nodes, state.seconds);
    }

    /// Positions a second since the last line, or since the beginning.
    fn rate(&self, state: &State) -> f64 {
        state.nodes.saturating_sub(self.last.0) as f64 / (state.seconds - self.last.1).max(1e-3)
    }

    fn json_line(&self, state: &State) -> String {
        let number = |n: ProofNumber| n.leaves().map_or_else(|| Value::from("inf"), Value::from);
        let stand = json!({
            "seconds": (state.seconds * 1e3).round() / 1e3,
            "nodes": state.nodes,
            "nodes_per_s": self.rate(state).round(),
            "player": state.player,
            "numbers": state.numbers.map(|n| json!({"pn": number(n.pn), "dpn": number(n.dpn)})),
            "solver": state.solver,
            "turn": state.turn,
            "table": state.table,
            "jobs": state.jobs.map(|jobs| json!({"done": jobs.done, "flying": jobs.flying, "workers": jobs.workers})),
            // Proof numbers rise and fall, and no one knows how far a proof is before it is done.
            "estimate": null,
        });
        stand.to_string()
    }

    fn line(&self, state: &State) -> Line {
        let mut line = Line::new(&elapsed_text(state.seconds))
            .part(4, format!("player {} wins?", state.player))
            .part(3, format!("{} positions", grouped(state.nodes)))
            .part(2, format!("{}/s", grouped(self.rate(state) as u64)));
        if let Some(ProofNumbers { pn, dpn }) = state.numbers {
            line = line.part(5, format!("pn {pn} dpn {dpn}"));
        }
        if let Some(table) = state.table {
            let full = 100.0 * table.filled as f64 / table.capacity.max(1) as f64;
            line = line.part(1, format!("table {full:.0} % full"));
            if self.asked {
                line = line.part(0, format!("{} replaced", grouped(table.replaced)));
            }
        }
        if let Some(Jobs { done, flying, workers }) = state.jobs {
            line = line.part(1, format!("{} jobs done, {flying} in flight, {workers} workers", grouped(done)));
        }
        if !self.asked {
            return line;
        }
        if let Some(solver) = state.solver {
            let turn = state.turn.map_or_else(String::new, |turn| format!(", a turn of {}", grouped(turn)));
            line = line.part(1, format!("{solver}{turn}"));
        }
        line.part(0, "no estimate".to_string())
    }
}
