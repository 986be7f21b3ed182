//! Work of minutes that a tab begins: matches and measurements of balance, each on a thread of its own. It ends with its tab.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use plyproof_engine::{Agent, AnyGame, Budget, Source, quoted};
use plyproof_lab::balance::{Balance, BalancePlan};
use plyproof_lab::matches::{MatchPlan, Side, Summary, run_checked};
use plyproof_tab::{BalanceRequest, MatchRequest, Seat, registry_with};
use serde_json::{Value, json};
use tokio::sync::Notify;

use crate::Shared;
use crate::engines::Engines;

/// Games of a match or of a measurement at each strength, at most.
const MOST_GAMES: u32 = 2000;
/// Simulations for each move, at most.
const MOST_SIMULATIONS: u64 = 1_000_000;
/// Strengths of a measurement, at most.
const MOST_STRENGTHS: usize = 6;
/// Random games of a measurement.
const RANDOM_GAMES: u64 = 2000;
/// Time between two reports of a match.
const PAUSE: Duration = Duration::from_millis(300);
/// What the solver may use for the value of a start position.
const SOLVER_NODES: u64 = 300_000;

/// Work that goes on until it is done, told to end, or dropped.
pub(crate) struct Job {
    inner: Arc<Inner>,
}

struct Inner {
    id: u64,
    stop: AtomicBool,
    over: AtomicBool,
    out: Mutex<Vec<String>>,
    news: Arc<Notify>,
}

impl Inner {
    fn tell(&self, mut what: Value) {
        what["id"] = self.id.into();
        let mut out = self.out.lock().unwrap_or_else(PoisonError::into_inner);
        out.push(json!({ "job": what }).to_string());
        self.news.notify_one();
    }
}

impl Job {
    /// Plays a match and records it in the folder of the runs, where the page finds it.
    pub(crate) fn play(asked: MatchRequest, shared: &Arc<Shared>, news: &Arc<Notify>) -> Result<Self, String> {
        let runs = shared.runs.as_ref().ok_or("start the workbench with --runs DIR, where matches are recorded")?;
        checked_games(asked.games)?;
        let game = open(shared, &asked.game, asked.rules.as_deref())?;
        let path = runs.new_record(&asked.name)?;
        let lease = shared.pool.lend()?;
        let memory = usize::try_from(lease.bytes() / 2).unwrap_or(usize::MAX);
        let (a, b) = (side(&asked.a, memory, &shared.engines)?, side(&asked.b, memory, &shared.engines)?);
        let plan = MatchPlan { games: asked.games, seed: asked.seed.unwrap_or(1), ..MatchPlan::new(game, a, b) };
        let checked = plan.check().map_err(|error| error.to_string())?;
        let name = runs.name_of(&path);
        Self::start(asked.id, news, move |job| {
            let _lease = lease;
            let mut due = Instant::now();
            let mut progress = |summary: &Summary| {
                if Instant::now() >= due || summary.complete {
                    due = Instant::now() + PAUSE;
                    job.tell(json!({ "match": name, "summary": summary }));
                }
            };
            let played = run_checked(&checked, 1, Some(&path), &job.stop, &mut progress);
            played
                .map(|summary| json!({ "match": name, "summary": summary, "over": true }))
                .map_err(|error| error.to_string())
        })
    }

    /// Measures how balanced a game is, by self-play at several strengths and by a solver.
    pub(crate) fn measure(asked: BalanceRequest, shared: &Arc<Shared>, news: &Arc<Notify>) -> Result<Self, String> {
        checked_games(asked.games)?;
        if asked.simulations.len() > MOST_STRENGTHS {
            return Err(format!("at most {MOST_STRENGTHS} strengths are measured at once"));
        }
        for &simulations in &asked.simulations {
            checked_simulations(simulations)?;
        }
        Agent::parse(&asked.agent).map_err(|error| error.to_string())?;
        let game = open(shared, &asked.game, asked.rules.as_deref())?;
        let lease = shared.pool.lend()?;
        let memory = usize::try_from(lease.bytes()).unwrap_or(usize::MAX);
        Self::start(asked.id, news, move |job| {
            let _lease = lease;
            let mut whole: Option<Balance> = None;
            // One strength after the other, so that each is told when it is known.
            let strengths: Vec<Vec<u64>> =
                std::iter::once(Vec::new()).chain(asked.simulations.iter().map(|&n| vec![n])).collect();
            for (place, simulations) in strengths.into_iter().enumerate() {
                if job.stop.load(Ordering::Relaxed) {
                    break;
                }
                let solve = Budget { memory: Some(memory), ..Budget::simulations(SOLVER_NODES) };
                let plan = BalancePlan {
                    agent: asked.agent.clone(),
                    simulations,
                    games: asked.games,
                    openings: 0,
                    seed: 1,
                    random_games: if place == 0 { RANDOM_GAMES } else { 1 },
                    solve: (place == 0).then_some(solve),
                    records: None,
                };
                let measured = Balance::measure(&plan, &*game, 1, &job.stop, &mut |_| {});
                let measured = measured.map_err(|error| error.to_string())?;
                match &mut whole {
                    None => whole = Some(measured),
                    // The first strength of each is random play, which was measured already.
                    Some(whole) => {
                        whole.play.extend(measured.play.into_iter().skip(1));
                        whole.complete = measured.complete;
                    }
                }
                job.tell(json!({ "balance": whole }));
            }
            Ok(json!({ "balance": whole, "over": true }))
        })
    }

    fn start(
        id: u64,
        news: &Arc<Notify>,
        work: impl FnOnce(&Inner) -> Result<Value, String> + Send + 'static,
    ) -> Result<Self, String> {
        let inner = Arc::new(Inner {
            id,
            stop: AtomicBool::new(false),
            over: AtomicBool::new(false),
            out: Mutex::default(),
            news: Arc::clone(news),
        });
        let theirs = Arc::clone(&inner);
        let run = move || {
            let failed = "that failed inside the server; please report it".to_string();
            let done = catch_unwind(AssertUnwindSafe(|| work(&theirs))).unwrap_or(Err(failed));
            let last = done.unwrap_or_else(|error| json!({ "error": error, "over": true }));
            theirs.tell(last);
            theirs.over.store(true, Ordering::Release);
            theirs.news.notify_one();
        };
        let thread = thread::Builder::new().name("plyproof-job".to_string()).spawn(run);
        thread.map_err(|error| format!("no thread could be had for it: {error}"))?;
        Ok(Self { inner })
    }

    /// Ends the work; what is known so far is told.
    pub(crate) fn end(&self) {
        self.inner.stop.store(true, Ordering::Relaxed);
    }

    /// The messages that nobody has taken yet.
    pub(crate) fn take(&self) -> Vec<String> {
        std::mem::take(&mut *self.inner.out.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Whether nothing more is to come.
    pub(crate) fn is_over(&self) -> bool {
        self.inner.over.load(Ordering::Acquire)
            && self.inner.out.lock().unwrap_or_else(PoisonError::into_inner).is_empty()
    }
}

impl Drop for Job {
    fn drop(&mut self) {
        self.end();
    }
}

/// A request for work, which may be about a game whose rules the page has sent.
pub(crate) trait HasRules {
    fn has_rules(&self) -> bool;
}

impl HasRules for MatchRequest {
    fn has_rules(&self) -> bool {
        self.rules.is_some()
    }
}

impl HasRules for BalanceRequest {
    fn has_rules(&self) -> bool {
        self.rules.is_some()
    }
}

fn open(shared: &Shared, game: &str, rules: Option<&str>) -> Result<Box<dyn AnyGame>, String> {
    let registry = registry_with(&shared.registry, game, rules)?;
    registry.open(game).map_err(|error| error.to_string())
}

fn side(seat: &Seat, memory: usize, engines: &Engines) -> Result<Side, String> {
    let simulations = checked_simulations(seat.simulations)?;
    let budget = Budget { memory: Some(memory), ..Budget::simulations(simulations) };
    if let Some(engine) = engines.get(&seat.agent) {
        return Ok(Side::new(engine.clone(), budget));
    }
    let agent = Agent::parse(&seat.agent).map_err(|error| error.to_string())?;
    if agent.threads(&Budget::default()) > 1 {
        return Err(format!("{agent} asks for several threads; a match from the page has one for each search"));
    }
    Ok(Side::new(Source::from(agent), budget))
}

fn checked_games(games: u32) -> Result<(), String> {
    match games {
        2..=MOST_GAMES if games.is_multiple_of(2) => Ok(()),
        _ => Err(format!(
            "{} is not a number of games: expected an even number up to {MOST_GAMES}",
            quoted(&games.to_string())
        )),
    }
}

fn checked_simulations(simulations: u64) -> Result<u64, String> {
    match simulations {
        1..=MOST_SIMULATIONS => Ok(simulations),
        _ => Err(format!("{simulations} simulations a move: expected 1 to {MOST_SIMULATIONS}")),
    }
}
