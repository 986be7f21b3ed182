//! A search with its memory behind one type: every front end searches, solves and looks into trees through it.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError};

use plyproof_core::search::{Agent, Bounds, Budget, Checkpoints, Report, Searcher, SolveProgress, SolveTask, Stopped};
use plyproof_core::{Game, TextError};

use crate::any_game::{AnyGame, Erased};
use crate::evaluations::{self, Evaluation};
use crate::report::{self, SearchReport};
use crate::solution::{self, ProofSink, Solution};
use crate::tree::{self, TreeNode};

/// Nodes of a tree that somebody wants to see, each named by the moves that lead to it from the root. They may be
/// changed while a search runs.
pub type Paths = Arc<Mutex<Vec<Vec<String>>>>;

/// What a search is asked for.
#[derive(Clone, Copy)]
pub struct SearchTask<'a> {
    /// The search and its parameters.
    pub agent: &'a Agent,
    /// Simulations, time and memory.
    pub budget: &'a Budget,
    /// Where randomness starts.
    pub seed: u64,
    /// Raised by somebody else to end the search.
    pub stop: &'a AtomicBool,
}

/// The move that a search chose, and what it knows of the position for the player who makes it.
#[derive(Clone, Debug, PartialEq)]
pub struct ChosenMove {
    /// The move; none if the search was cancelled before it had one.
    pub text: Option<String>,
    /// Simulations made.
    pub simulations: u64,
    /// What is proven of the position.
    pub bounds: Bounds,
    /// Why the search ended.
    pub stopped: Option<Stopped>,
}

/// A searcher of one game with its parameters. It keeps its memory, and for agents that reuse it the tree of the last
/// search, from one position to the next.
///
/// Every method that takes a position refuses one of another game or of other parameters.
pub trait AnySearcher: Any + Send {
    /// The game with its parameters, in the shortest spelling.
    fn game(&self) -> &str;

    /// Lets agents with `eval=auto` judge by this evaluation; with `None` by the one that comes with the game, if there is
    /// one. Forgets the last search. An error if it is for another game.
    fn set_evaluation(&mut self, evaluation: Option<Evaluation>) -> Result<(), TextError>;

    /// Searches `position` until the budget is used up, the value is proven, or the stop flag is raised.
    ///
    /// The same seed and simulations give the same report, but for the time it took. `observer` is called about ten
    /// times a second with the report so far and those of the `wanted` nodes that are in the tree.
    fn search(
        &mut self,
        position: &dyn AnyGame,
        task: &SearchTask<'_>,
        wanted: &Paths,
        observer: &mut dyn FnMut(&SearchReport, Vec<TreeNode>),
    ) -> Result<SearchReport, TextError>;

    /// Searches as [`search`](AnySearcher::search) does, with nobody watching, for the move alone. A search that fails
    /// inside is an error, after which the searcher starts afresh.
    fn choose(&mut self, position: &dyn AnyGame, task: &SearchTask<'_>) -> Result<ChosenMove, TextError>;

    /// Finds the exact value of `position`, with an agent that [`solves`](Agent::solves).
    ///
    /// `observer` is called about ten times a second; `sink` takes the proofs, if the task asks for them.
    fn solve(
        &mut self,
        position: &dyn AnyGame,
        task: &SolveTask<'_>,
        stop: &AtomicBool,
        observer: &mut dyn FnMut(&SolveProgress),
        sink: &mut ProofSink<'_>,
    ) -> Result<Solution, TextError>;

    /// [`solve`](AnySearcher::solve) with an agent that [keeps tables](Agent::keeps_tables), whose memory is saved now and
    /// then; it may go on from a memory that was saved.
    fn solve_on(
        &mut self,
        position: &dyn AnyGame,
        task: &SolveTask<'_>,
        stop: &AtomicBool,
        observer: &mut dyn FnMut(&SolveProgress),
        sink: &mut ProofSink<'_>,
        checkpoints: Checkpoints<'_>,
    ) -> Result<Solution, TextError>;

    /// Those of the wanted nodes that are in the tree of the last search; none if its agent keeps no tree.
    fn nodes(&self, wanted: &[Vec<String>]) -> Vec<TreeNode>;

    /// Forgets the last search: the next one belongs to another game, or is to be made as if alone.
    fn forget(&mut self);
}

/// Searches as [`AnySearcher::search`] does. A search that fails inside is an error, after which the searcher starts
/// afresh.
pub fn think(
    searcher: &mut Box<dyn AnySearcher>,
    position: &dyn AnyGame,
    task: &SearchTask<'_>,
    observer: &mut dyn FnMut(&SearchReport),
) -> Result<SearchReport, String> {
    let search = || searcher.search(position, task, &Paths::default(), &mut |report, _| observer(report));
    match catch_unwind(AssertUnwindSafe(search)) {
        Ok(found) => found.map_err(|error| error.to_string()),
        Err(panic) => {
            // What a failed search leaves behind is not to be trusted.
            *searcher = position.searcher();
            Err(failed(task.agent, &*panic))
        }
    }
}

/// What is said of a search that failed inside.
fn failed(agent: &Agent, panic: &(dyn Any + Send)) -> String {
    let said = panic.downcast_ref::<String>().map(String::as_str);
    let said = said.or(panic.downcast_ref::<&str>().copied()).unwrap_or("no reason given");
    format!("{agent} failed: {said}")
}

pub(crate) fn searcher<G: Game>(game: &Erased<G>) -> Box<dyn AnySearcher> {
    Box::new(ErasedSearcher::<G> {
        game: game.name(),
        rules: game.rules().to_string(),
        root: game.state().clone(),
        searcher: Searcher::new(),
        given: None,
        evaluation: None,
    })
}

struct ErasedSearcher<G: Game> {
    game: String,
    rules: String,
    /// The root of the last search.
    root: G,
    searcher: Searcher<G>,
    /// What `eval=auto` means, if somebody said so.
    given: Option<Evaluation>,
    /// The parameter `eval` of the agent whose evaluation the searcher has.
    evaluation: Option<String>,
}

impl<G: Game> ErasedSearcher<G> {
    /// The position inside, if it is one of this game.
    fn inside<'a>(&self, position: &'a dyn AnyGame) -> Result<&'a G, TextError> {
        let position: &dyn Any = position;
        match position.downcast_ref::<Erased<G>>() {
            Some(inside) if inside.name() == self.game => Ok(inside.state()),
            _ => Err(TextError::new(format!("this searcher is for positions of {} alone", self.game))),
        }
    }

    /// Makes `position` the root, and gives the searcher the evaluation that the agent asks for.
    fn prepare(&mut self, position: &dyn AnyGame, agent: &Agent) -> Result<(), TextError> {
        self.root.clone_from(self.inside(position)?);
        let wanted = agent.evaluation().filter(|&wanted| self.evaluation.as_deref() != Some(wanted));
        if let Some(text) = wanted {
            let given = self.given.as_ref();
            let evaluator = evaluations::evaluator(&self.game, &self.rules, &self.root, text, given)?;
            self.searcher.set_evaluator(evaluator);
            self.evaluation = Some(text.to_string());
        }
        Ok(())
    }
}

impl<G: Game> AnySearcher for ErasedSearcher<G> {
    fn game(&self) -> &str {
        &self.game
    }

    fn set_evaluation(&mut self, evaluation: Option<Evaluation>) -> Result<(), TextError> {
        if let Some(evaluation) = &evaluation {
            evaluation.fits(&self.game, &self.rules, self.root.feature_count())?;
        }
        self.searcher.set_evaluator(None);
        (self.given, self.evaluation) = (evaluation, None);
        Ok(())
    }

    fn search(
        &mut self,
        position: &dyn AnyGame,
        task: &SearchTask<'_>,
        wanted: &Paths,
        observer: &mut dyn FnMut(&SearchReport, Vec<TreeNode>),
    ) -> Result<SearchReport, TextError> {
        self.prepare(position, task.agent)?;
        let found = Arc::new(Mutex::new(Vec::new()));
        let (shown, asked, root) = (Arc::clone(&found), Arc::clone(wanted), self.root.clone());
        self.searcher.watch(Some(Box::new(move |view| {
            let paths = asked.lock().unwrap_or_else(PoisonError::into_inner).clone();
            *shown.lock().unwrap_or_else(PoisonError::into_inner) = tree::read_all(&root, view, &paths);
        })));
        let root = &self.root;
        let mut observed = |report: &Report<G::Move>| {
            let nodes = std::mem::take(&mut *found.lock().unwrap_or_else(PoisonError::into_inner));
            observer(&report::in_text(root, report), nodes);
        };
        let report = self.searcher.search(task.agent, root, task.budget, task.seed, task.stop, &mut observed);
        self.searcher.watch(None);
        Ok(report::in_text(&self.root, &report))
    }

    fn choose(&mut self, position: &dyn AnyGame, task: &SearchTask<'_>) -> Result<ChosenMove, TextError> {
        self.prepare(position, task.agent)?;
        let search = || self.searcher.search(task.agent, &self.root, task.budget, task.seed, task.stop, &mut |_| {});
        let report = catch_unwind(AssertUnwindSafe(search)).map_err(|panic| {
            // What a failed search leaves behind is not to be trusted.
            (self.searcher, self.evaluation) = (Searcher::new(), None);
            TextError::new(failed(task.agent, &*panic))
        })?;
        Ok(ChosenMove {
            text: report.best.map(|m| self.root.move_text(m)),
            simulations: report.simulations,
            bounds: report.bounds,
            stopped: report.stopped,
        })
    }

    fn solve(
        &mut self,
        position: &dyn AnyGame,
        task: &SolveTask<'_>,
        stop: &AtomicBool,
        observer: &mut dyn FnMut(&SolveProgress),
        sink: &mut ProofSink<'_>,
    ) -> Result<Solution, TextError> {
        self.prepare(position, task.agent)?;
        let solution = self.searcher.solve(task, &self.root, stop, observer);
        Ok(solution::with_proofs(&self.root, &solution, sink))
    }

    fn solve_on(
        &mut self,
        position: &dyn AnyGame,
        task: &SolveTask<'_>,
        stop: &AtomicBool,
        observer: &mut dyn FnMut(&SolveProgress),
        sink: &mut ProofSink<'_>,
        checkpoints: Checkpoints<'_>,
    ) -> Result<Solution, TextError> {
        self.prepare(position, task.agent)?;
        let solution = self.searcher.solve_on(task, &self.root, stop, observer, checkpoints)?;
        Ok(solution::with_proofs(&self.root, &solution, sink))
    }

    fn nodes(&self, wanted: &[Vec<String>]) -> Vec<TreeNode> {
        self.searcher.tree().map_or_else(Vec::new, |view| tree::read_all(&self.root, &view, wanted))
    }

    fn forget(&mut self) {
        self.searcher.forget();
    }
}
