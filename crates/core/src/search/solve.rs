//! Exact values by at most two questions: does the player to move win? If not, does the opponent?
//!
//! Every agent that proves goes through this door: df-pn, PNS, PN² and PN-MCTS answer one question at a time,
//! exhaustive search answers all at once. Only df-pn keeps a table from one question to the next.

mod checkpoints;

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use crate::game::{Game, TextError};
use crate::outcome::Wdl;
use crate::search::agent::{Agent, Method};
use crate::search::budget::{Budget, Meter, Stopped};
use crate::search::certify::{NotWritten, Strategy, Writer};
use crate::search::clock::Stopwatch;
use crate::search::dfpn::Dfpn;
use crate::search::knowledge;
use crate::search::pns::Pns;
use crate::search::proof::{Goal, ProofNumbers};
use crate::search::prover::{Heard, Prover, WithAlphaBeta, WithDfpn};
use crate::search::questions::Questions;
use crate::search::report::{Bounds, Report};
use crate::search::saved::{Checkpoints, Loader};
use crate::search::table::TableUse;
use crate::search::{Searcher, mcts, minimax, pns};

/// What is to be found out, for the player to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Aim {
    /// Win, draw or loss.
    Value,
    /// Whether it is a win.
    Win,
    /// Whether it is at least a draw.
    Draw,
    /// The value, and by how many points in games that have them.
    Score,
}

impl Aim {
    /// Every aim there is.
    pub const ALL: [Self; 4] = [Self::Value, Self::Win, Self::Draw, Self::Score];

    /// The word for it: `value`, `win`, `draw` or `score`.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Value => "value",
            Self::Win => "win",
            Self::Draw => "draw",
            Self::Score => "score",
        }
    }
}

/// How a solver stands.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SolveProgress {
    /// The question being worked on.
    pub goal: Goal,
    /// Its proof and disproof number, from solvers that have any.
    pub numbers: Option<ProofNumbers>,
    /// Positions opened so far, over all questions.
    pub nodes: u64,
    /// Time taken so far.
    pub elapsed: Duration,
    /// The table, for solvers that have one.
    pub table: Option<TableUse>,
    /// The solver whose turn it is, and the positions that its turn may take, where solvers search in turns.
    pub solver: Option<&'static str>,
    /// Positions of the turn.
    pub turn: Option<u64>,
}

/// What was found out.
#[derive(Clone, Debug)]
pub struct Solution<G: Game> {
    /// What is proven of the position, for the player to move.
    pub bounds: Bounds,
    /// By how many points the player to move wins (loses, if negative), where asked for and proven.
    pub score: Option<i32>,
    /// Best play of both sides, as far as it is known.
    pub line: Vec<G::Move>,
    /// Positions opened.
    pub nodes: u64,
    /// Time taken.
    pub elapsed: Duration,
    /// Bytes of the tree or of the table in use.
    pub bytes: usize,
    /// The table, for solvers that have one.
    pub table: Option<TableUse>,
    /// The numbers of the last question.
    pub last: Option<(Goal, ProofNumbers)>,
    /// The solver that answered each question, where several search together.
    pub found_by: Vec<&'static str>,
    /// Positions that each solver opened, where several search together.
    pub nodes_of: Vec<(&'static str, u64)>,
    /// Why it ended.
    pub stopped: Stopped,
    /// Every move with what is proven of it for the player who makes it, where asked for.
    pub moves: Vec<(G::Move, Bounds)>,
    /// The proofs written out, where asked for.
    pub proofs: Vec<Proof<G>>,
}

/// A proof in full: what is claimed and the strategy that achieves it.
#[derive(Clone, Debug)]
pub struct Proof<G: Game> {
    /// What the strategy achieves. A draw means at least a draw.
    pub goal: Goal,
    /// The strategy, or why it was not written out.
    pub strategy: Result<Strategy<G>, NotWritten>,
}

/// What to solve and what to hand back.
#[derive(Clone, Debug)]
pub struct SolveTask<'a> {
    /// The solver.
    pub agent: &'a Agent,
    /// What to find out.
    pub aim: Aim,
    /// Also value every legal move.
    pub all_moves: bool,
    /// Also write out the proof.
    pub proofs: bool,
    /// Time, nodes and memory for all of it together.
    pub budget: Budget,
    /// Where randomness starts, for agents that have any.
    pub seed: u64,
}

impl SolveTask<'_> {
    /// The task with the threads that its agent asks for, if it does.
    pub(crate) fn by_agent(&self) -> Self {
        Self { budget: self.agent.within(&self.budget), ..self.clone() }
    }
}

impl Agent {
    /// Whether the agent proves values, so that it can be used to solve.
    pub fn solves(&self) -> bool {
        match self.method() {
            Method::Random => false,
            Method::Mcts(config) => config.proof.is_some() || config.solver.is_some() || config.prove.is_some(),
            Method::Minimax | Method::Pns { .. } | Method::Dfpn(_) | Method::AlphaBeta(_) | Method::Both => true,
        }
    }
}

impl Agent {
    /// Whether the agent remembers what it found out in tables alone, so that its memory can be saved and read back.
    pub fn keeps_tables(&self) -> bool {
        matches!(self.method(), Method::Dfpn(_) | Method::AlphaBeta(_) | Method::Both)
    }
}

/// What earlier processes did for a search that goes on.
#[derive(Clone, Debug, Default)]
struct Before {
    nodes: u64,
    elapsed: Duration,
}

/// A question that was answered.
#[derive(Clone, Copy, Debug)]
struct Answered {
    /// The position, by its key.
    key: u64,
    goal: Goal,
    proven: bool,
    found_by: Option<&'static str>,
}

struct Run<'a, 'c, G: Game> {
    searcher: &'a mut Searcher<G>,
    checkpoints: Option<Checkpoints<'c>>,
    before: Before,
    answered: Vec<Answered>,
    /// Positions and time when the memory was saved last.
    saved: (u64, Duration),
    task: &'a SolveTask<'a>,
    stop: &'a AtomicBool,
    observer: &'a mut dyn FnMut(&SolveProgress),
    began: Stopwatch,
    nodes: u64,
    bytes: usize,
    table: Option<TableUse>,
    last: Option<(Goal, ProofNumbers)>,
    stopped: Stopped,
    found_by: Vec<&'static str>,
    /// Line of the last answer, from solvers that keep a tree.
    line: Vec<G::Move>,
}

pub(crate) fn solve<G: Game>(
    searcher: &mut Searcher<G>,
    task: &SolveTask<'_>,
    start: &G,
    stop: &AtomicBool,
    observer: &mut dyn FnMut(&SolveProgress),
    checkpoints: Option<Checkpoints<'_>>,
) -> Result<Solution<G>, TextError> {
    let mut run = Run {
        searcher,
        checkpoints,
        before: Before::default(),
        answered: Vec::new(),
        saved: (0, Duration::ZERO),
        task,
        stop,
        observer,
        began: Stopwatch::start(task.budget.clock),
        nodes: 0,
        bytes: 0,
        table: None,
        last: None,
        stopped: Stopped::Proven,
        found_by: Vec::new(),
        line: Vec::new(),
    };
    run.solve(start)
}

impl<G: Game> Run<'_, '_, G> {
    fn solve(&mut self, start: &G) -> Result<Solution<G>, TextError> {
        let memory = self.task.budget.memory.unwrap_or(Budget::MEMORY);
        let table_bytes = self.table_bytes(memory);
        let mut has_table = false;
        if let Some(mut prover) = prover(self.searcher, self.task.agent) {
            prover.reset(table_bytes);
            has_table = true;
        }
        if let Some(from) = self.checkpoints.as_mut().and_then(|checkpoints| checkpoints.from.take()) {
            self.restore(start, &mut Loader::new(from)).map_err(|error| TextError::new(error.to_string()))?;
        }
        let (mut bounds, mut score) = (Bounds::OPEN, None);
        if let Some(outcome) = start.outcome() {
            bounds = Bounds::exactly(outcome.of(start.to_move()));
            self.stopped = Stopped::GameOver;
        } else {
            self.find(start, self.task.aim, &mut bounds);
            if self.task.aim == Aim::Score {
                score = self.score(start, bounds);
            }
        }
        let (stopped, found_by) = (self.stopped, std::mem::take(&mut self.found_by));
        let mut moves = Vec::new();
        if self.task.all_moves && start.outcome().is_none() {
            let mut listed = Vec::new();
            start.moves(&mut listed);
            let line = std::mem::take(&mut self.line);
            moves = listed.into_iter().map(|m| (m, self.move_bounds(start, m))).collect();
            self.line = line;
            moves.sort_by_key(|(_, bounds)| (std::cmp::Reverse(bounds.least), std::cmp::Reverse(bounds.most)));
        }
        // Writing a proof out may empty the table.
        let nodes_of = prover(self.searcher, self.task.agent).map_or_else(Vec::new, |prover| prover.made());
        self.save(start, true);
        let goals = Questions::about(start).provable(bounds, score);
        let mut line = std::mem::take(&mut self.line);
        if has_table {
            line = self.write_line(start, &goals);
        }
        let proofs =
            if self.task.proofs { goals.iter().map(|&goal| self.write(start, goal)).collect() } else { Vec::new() };
        Ok(Solution {
            bounds,
            score,
            line,
            nodes: self.nodes,
            elapsed: self.elapsed(),
            bytes: self.bytes,
            table: self.table,
            last: self.last,
            found_by,
            nodes_of,
            stopped,
            moves,
            proofs,
        })
    }

    /// Time taken by all processes together.
    fn elapsed(&self) -> Duration {
        self.before.elapsed + self.began.elapsed()
    }

    /// The table's share: what writes the proof out needs room as well.
    fn table_bytes(&self, memory: usize) -> usize {
        if self.task.proofs || self.checkpoints.is_some() { memory / 2 } else { memory }
    }

    /// Asks until `aim` is answered or the budget is used up.
    fn find(&mut self, start: &G, aim: Aim, bounds: &mut Bounds) {
        if let Method::Minimax = self.task.agent.method() {
            let report = minimax::search(start, &self.left(), self.stop);
            self.took(&report);
            *bounds = report.bounds;
            return;
        }
        let questions = Questions::about(start);
        while let Some(goal) = questions.next(aim, *bounds) {
            let numbers = self.ask(start, goal);
            if !numbers.is_decided() {
                return;
            }
            *bounds = bounds.and(questions.meaning(goal, numbers));
        }
    }

    /// By how many points the winner wins: larger and larger margins, until one is out of reach.
    fn score(&mut self, start: &G, bounds: Bounds) -> Option<i32> {
        let (winner, sign) = match bounds.value()? {
            Wdl::Draw => return Some(0),
            Wdl::Win => (start.to_move(), 1),
            Wdl::Loss => (start.to_move().other(), -1),
        };
        let mut by: i16 = 1;
        if matches!(self.task.agent.method(), Method::Minimax) || !self.ask(start, Goal::win_by(winner, by)).is_proven()
        {
            // A game without points, or a solver that cannot be asked for them.
            return None;
        }
        // Doubling finds a margin out of reach, halving the border.
        let (mut reached, mut missed) = (by, None);
        loop {
            by = match missed {
                None => reached.checked_mul(2)?,
                Some(missed) if missed - reached > 1 => reached + (missed - reached) / 2,
                Some(_) => return Some(sign * i32::from(reached)),
            };
            match self.ask(start, Goal::win_by(winner, by)) {
                numbers if numbers.is_proven() => reached = by,
                numbers if numbers.is_disproven() => missed = Some(by),
                _ => return None,
            }
        }
    }

    fn move_bounds(&mut self, start: &G, m: G::Move) -> Bounds {
        let mover = start.to_move();
        let mut next = start.clone();
        next.play(m);
        if let Some(outcome) = next.outcome() {
            return Bounds::exactly(outcome.of(mover));
        }
        let mut bounds = Bounds::OPEN;
        self.find(&next, Aim::Value, &mut bounds);
        if next.to_move() == mover { bounds } else { Bounds { least: bounds.most.flip(), most: bounds.least.flip() } }
    }

    /// What is left of the budget, which is for this process.
    fn left(&self) -> Budget {
        let budget = &self.task.budget;
        Budget {
            simulations: budget.simulations.map(|all| all.saturating_sub(self.nodes - self.before.nodes)),
            time: budget.time.map(|all| all.saturating_sub(self.began.elapsed())),
            ..budget.clone()
        }
    }

    fn took(&mut self, report: &Report<G::Move>) {
        self.nodes += report.simulations;
        self.bytes = report.bytes;
        self.line.clone_from(&report.line);
        self.stopped = report.stopped.unwrap_or(Stopped::Cancelled);
    }

    /// The numbers of the goal at `start`; they are decided if the budget allows an answer.
    fn ask(&mut self, start: &G, goal: Goal) -> ProofNumbers {
        let key = start.key();
        if let Some(known) = self.answered.iter().find(|known| known.key == key && known.goal == goal) {
            let numbers = if known.proven { ProofNumbers::PROVEN } else { ProofNumbers::DISPROVEN };
            self.found_by.extend(known.found_by);
            (self.last, self.stopped) = (Some((goal, numbers)), Stopped::Proven);
            return numbers;
        }
        loop {
            let (budget, is_part) = self.until_saved();
            let found = self.found_by.len();
            let numbers = self.ask_within(start, goal, budget);
            if self.checkpoints.is_some() && numbers.is_decided() {
                let found_by = self.found_by.get(found).copied();
                self.answered.push(Answered { key, goal, proven: numbers.is_proven(), found_by });
            }
            // What stopped it is its part or the whole budget: whatever is over now.
            let left = self.left();
            let over = left.simulations == Some(0) || left.time == Some(Duration::ZERO);
            let goes_on = is_part && !over && matches!(self.stopped, Stopped::Simulations | Stopped::Time);
            if self.is_due() {
                self.save(start, false);
            }
            if numbers.is_decided() || !goes_on {
                return numbers;
            }
        }
    }

    fn ask_within(&mut self, start: &G, goal: Goal, budget: Budget) -> ProofNumbers {
        let questions = Questions::about(start);
        let (before, began, earlier) = (self.nodes, self.began, self.before.elapsed);
        let numbers = match self.task.agent.method() {
            Method::Dfpn(_) | Method::AlphaBeta(_) | Method::Both => {
                let mut meter = Meter::new(&budget, self.stop);
                let seen = |numbers: ProofNumbers| questions.answer(goal, numbers);
                let observer = &mut *self.observer;
                let mut notice = |meter: &Meter<'_>, heard: Heard| {
                    let nodes = before + meter.done();
                    let (numbers, elapsed) = (heard.numbers.map(seen), earlier + began.elapsed());
                    let Heard { usage, solver, turn, .. } = heard;
                    observer(&SolveProgress { goal, numbers, nodes, elapsed, table: Some(usage), solver, turn });
                };
                let Some(mut prover) = prover(self.searcher, self.task.agent) else { return ProofNumbers::UNKNOWN };
                let answer = prover.solve(start, questions.asked(goal), &mut meter, &mut notice);
                self.found_by.extend(prover.found_by());
                drop(prover);
                self.nodes += meter.done();
                (self.bytes, self.table, self.stopped) = (answer.bytes, Some(answer.usage), answer.stopped);
                seen(answer.numbers)
            }
            method => {
                let observer = &mut *self.observer;
                let mut observed = |report: &Report<G::Move>| {
                    let (nodes, elapsed) = (before + report.simulations, began.elapsed());
                    let (numbers, table, solver, turn) = (report.numbers, None, None, None);
                    observer(&SolveProgress { goal, numbers, nodes, elapsed, table, solver, turn });
                };
                let Searcher { space, second, .. } = &mut *self.searcher;
                let report = match method {
                    Method::Mcts(config) => {
                        let seed = self.task.seed;
                        mcts::search(config, space, start, Some(goal), &budget, seed, self.stop, &mut observed)
                    }
                    Method::Pns { two_levels } => {
                        let config = Pns { goal, two_levels };
                        pns::search(&config, [space, second], start, &budget, self.stop, &mut observed)
                    }
                    Method::Random | Method::Minimax | Method::Dfpn(_) | Method::AlphaBeta(_) | Method::Both => {
                        return ProofNumbers::UNKNOWN;
                    }
                };
                self.took(&report);
                let numbers = report.numbers.unwrap_or(ProofNumbers::UNKNOWN);
                // Searches with exact values in the tree may know the answer though the numbers do not.
                match report.bounds.value() {
                    Some(value) if !numbers.is_decided() && goal.by == 0 => questions.known(goal, value),
                    _ => numbers,
                }
            }
        };
        self.last = Some((goal, numbers));
        numbers
    }

    /// Best play by what the table holds, filled up by short searches where it has gaps.
    fn write_line(&mut self, start: &G, goals: &[Goal]) -> Vec<G::Move> {
        const STEPS: u64 = 200_000;
        let left = self.left().time.map(|time| time.max(Duration::from_millis(200)));
        let budget =
            Budget { simulations: Some(STEPS), time: left, clock: self.task.budget.clock, ..Budget::default() };
        let mut meter = Meter::new(&budget, self.stop);
        let Some(mut prover) = prover(self.searcher, self.task.agent) else { return Vec::new() };
        crate::search::certify::line(&mut *prover, Questions::about(start), goals, start, &mut meter)
    }

    fn write(&mut self, start: &G, goal: Goal) -> Proof<G> {
        let memory = self.task.budget.memory.unwrap_or(Budget::MEMORY);
        let table_bytes = self.table_bytes(memory);
        let budget = Budget { simulations: None, threads: 1, ..self.left() };
        // Proofs in games with repetitions need the order in which positions were decided, which df-pn alone keeps.
        let writes = match self.task.agent.method() {
            Method::Dfpn(_) | Method::Both => true,
            Method::AlphaBeta(_) => !start.may_repeat(),
            _ => false,
        };
        if !writes {
            self.searcher.space = mcts::Workspace::new();
            self.searcher.second = mcts::Workspace::new();
            self.searcher.alphabeta.reset(0);
            self.searcher.solver.reset(table_bytes);
        }
        let mut prover: Box<dyn Prover<G> + '_> = match self.task.agent.method() {
            Method::AlphaBeta(config) if writes => Box::new(WithAlphaBeta(&mut self.searcher.alphabeta, config)),
            Method::Dfpn(config) => Box::new(WithDfpn(&mut self.searcher.solver, config)),
            Method::Both => Box::new(self.searcher.both()),
            _ => Box::new(WithDfpn(&mut self.searcher.solver, Dfpn::DEFAULT)),
        };
        let mut meter = Meter::new(&budget, self.stop);
        let (questions, memory) = (Questions::about(start), memory - table_bytes);
        let writer = Writer { solver: &mut *prover, questions, goal, meter: &mut meter, memory, table_bytes };
        let mut strategy = writer.write(start);
        let knew = prover.has_knowledge() && knowledge::answers(start, goal);
        drop(prover);
        if knew && matches!(strategy, Err(NotWritten::Memory)) {
            strategy = self.write_without_knowledge(start, goal);
        }
        Proof { goal, strategy }
    }

    /// Proves `goal` again without what the game knows of positions: such positions may be far from the end, as in Hex, and
    /// what the knowledge plays there may be a strategy of far more positions than one that a search has found.
    fn write_without_knowledge(&mut self, start: &G, goal: Goal) -> Result<Strategy<G>, NotWritten> {
        let memory = self.task.budget.memory.unwrap_or(Budget::MEMORY);
        let table_bytes = self.table_bytes(memory);
        let budget = Budget { simulations: None, threads: 1, ..self.left() };
        let config = match self.task.agent.method() {
            Method::Dfpn(config) => config,
            _ => Dfpn::DEFAULT,
        };
        self.searcher.alphabeta.reset(0);
        self.searcher.solver.reset(table_bytes);
        let mut prover = WithDfpn(&mut self.searcher.solver, Dfpn { knowledge: false, ..config });
        let mut meter = Meter::new(&budget, self.stop);
        let (questions, memory) = (Questions::about(start), memory - table_bytes);
        Writer { solver: &mut prover, questions, goal, meter: &mut meter, memory, table_bytes }.write(start)
    }
}

/// The solver with a table that the agent stands for, if it does.
fn prover<'a, G: Game>(searcher: &'a mut Searcher<G>, agent: &Agent) -> Option<Box<dyn Prover<G> + 'a>> {
    match agent.method() {
        Method::Dfpn(config) => Some(Box::new(WithDfpn(&mut searcher.solver, config))),
        Method::AlphaBeta(config) => Some(Box::new(WithAlphaBeta(&mut searcher.alphabeta, config))),
        Method::Both => Some(Box::new(searcher.both())),
        _ => None,
    }
}
