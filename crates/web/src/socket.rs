//! One tab: its questions are answered in order, its searches run beside, and all end when it closes.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use axum::extract::ws::{Message, WebSocket};
use plyproof_engine::{Agent, Budget, Source, TimeSource, quoted};
use plyproof_tab::{
    Fault, Request, Role, SearchRequest, SentState, View, check_rules, checked_seconds, format_rules, open_place,
    read_games, small_tree, write_games,
};
use serde_json::json;
use tokio::runtime::Handle;
use tokio::sync::{Notify, OwnedSemaphorePermit};
use tokio::time::{Instant, interval, timeout};

use crate::Shared;
use crate::engines::{self, EngineSeat, EngineTask};
use crate::jobs::{HasRules, Job};
use crate::worker::{KeptSearch, Kind, Task, Worker};

/// Time between two signs of life that we ask for.
const PING: Duration = Duration::from_secs(20);
/// A tab that takes no message for so long is gone.
const SENDING: Duration = Duration::from_secs(20);

/// Matches and measurements that a tab may have running.
const MOST_JOBS: usize = 4;

struct Session {
    shared: Arc<Shared>,
    news: Arc<Notify>,
    searches: HashMap<Role, (Worker, SentState)>,
    jobs: HashMap<u64, Job>,
    /// What the last search for a move of each side has left, of the game that is played.
    kept: Vec<KeptSearch>,
    /// Engines of others in the game that is played.
    engines: Vec<EngineSeat>,
}

/// Serves one tab until it closes, falls silent, or the server ends.
pub(crate) async fn serve(mut socket: WebSocket, shared: Arc<Shared>) {
    let Ok(_seat) = shared.sessions.try_acquire() else {
        let most = shared.limits.sessions;
        let why = format!("{most} tabs are open already, which is all this server serves; close one and reload");
        let _ = send(&mut socket, Fault { id: None, role: None, message: why }.to_json()).await;
        return;
    };
    let mut session = Session {
        shared: Arc::clone(&shared),
        news: Arc::default(),
        searches: HashMap::new(),
        jobs: HashMap::new(),
        kept: Vec::new(),
        engines: Vec::new(),
    };
    let news = Arc::clone(&session.news);
    let mut ping = interval(PING);
    let mut heard = Instant::now();
    loop {
        tokio::select! {
            message = socket.recv() => {
                heard = Instant::now();
                let text = match message {
                    Some(Ok(Message::Text(text))) => text,
                    Some(Ok(Message::Binary(_))) => {
                        let message = "messages are JSON text, not bytes".to_string();
                        if !send(&mut socket, Fault { id: None, role: None, message }.to_json()).await { break }
                        continue;
                    }
                    Some(Ok(Message::Ping(_) | Message::Pong(_))) => continue,
                    Some(Ok(Message::Close(_)) | Err(_)) | None => break,
                };
                let answer = session.answer(text.as_str()).await.unwrap_or_else(|fault| Some(fault.to_json()));
                if let Some(answer) = answer && !send(&mut socket, answer).await { break }
            }
            () = news.notified() => {
                for message in session.updates() {
                    if !send(&mut socket, message).await { return }
                }
            }
            _ = ping.tick() => {
                if heard.elapsed() > shared.limits.silence || shared.closing.load(Ordering::Relaxed) { break }
                if timeout(SENDING, socket.send(Message::Ping(Vec::new().into()))).await.is_err() { break }
            }
        }
    }
}

/// Whether the message was taken.
async fn send(socket: &mut WebSocket, text: String) -> bool {
    matches!(timeout(SENDING, socket.send(Message::Text(text.into()))).await, Ok(Ok(())))
}

impl Session {
    /// The answer to a message, if it is one that is answered.
    async fn answer(&mut self, text: &str) -> Result<Option<String>, Fault> {
        match Request::parse(text)? {
            Request::Hello { id } => Ok(Some(json!({"id": id, "hello": env!("CARGO_PKG_VERSION")}).to_string())),
            Request::Position { id, at, agent, draw } => {
                let shared = Arc::clone(&self.shared);
                let turn = told(id, turn(&self.shared, at.rules.is_some()).await)?;
                let opened = run_blocking(move || {
                    let _turn = turn;
                    let opened = open_place(&shared.registry, &at, shared.limits.moves)?;
                    if let Some(agent) = agent {
                        engines::check(&shared.engines, &agent, &*opened.game)?;
                    }
                    opened.describe(draw)
                })
                .await;
                let described = opened.map_err(|message| Fault { id: Some(id), role: None, message })?;
                Ok(Some(json!({"id": id, "position": described}).to_string()))
            }
            Request::Rules { id, name, text } => {
                let shared = Arc::clone(&self.shared);
                let turn = told(id, turn(&self.shared, true).await)?;
                let checked = run_blocking(move || {
                    let _turn = turn;
                    let began = std::time::Instant::now();
                    check_rules(&shared.registry, &name, &text, move || began.elapsed())
                });
                Ok(Some(json!({"id": id, "rules": told(id, checked.await)?}).to_string()))
            }
            Request::Format { id, name, text } => {
                let turn = told(id, turn(&self.shared, true).await)?;
                let formatted = run_blocking(move || {
                    let _turn = turn;
                    format_rules(&name, &text)
                });
                Ok(Some(json!({"id": id, "text": told(id, formatted.await)?}).to_string()))
            }
            Request::Read { id, text, rules } => {
                let shared = Arc::clone(&self.shared);
                let turn = told(id, turn(&self.shared, !rules.is_empty()).await)?;
                let read = run_blocking(move || {
                    let _turn = turn;
                    read_games(&shared.registry, &text, &rules)
                })
                .await;
                Ok(Some(json!({"id": id, "games": told(id, read)?}).to_string()))
            }
            Request::Write { id, format, games } => {
                let shared = Arc::clone(&self.shared);
                let turn = told(id, turn(&self.shared, games.iter().any(|game| game.rules.is_some())).await)?;
                let written = run_blocking(move || {
                    let _turn = turn;
                    write_games(&shared.registry, &games, &format)
                })
                .await;
                Ok(Some(json!({"id": id, "text": told(id, written)?}).to_string()))
            }
            Request::Step(step) => {
                let (id, shared) = (step.id, Arc::clone(&self.shared));
                let lease = told(id, self.shared.pool.lend())?;
                let turn = told(id, turn(&self.shared, step.at.rules.is_some()).await)?;
                let work = move || {
                    let _kept = (lease, turn);
                    small_tree(&shared.registry, &step, TimeSource::default(), shared.limits.moves)
                };
                Ok(Some(json!({"id": id, "tree": told(id, run_blocking(work).await)?}).to_string()))
            }
            Request::Match(asked) => {
                let id = asked.id;
                told(id, self.room_for_a_job())?;
                let job = told(id, begun(asked, Job::play, &self.shared, &self.news).await)?;
                self.jobs.insert(id, job);
                Ok(None)
            }
            Request::Balance(asked) => {
                let id = asked.id;
                told(id, self.room_for_a_job())?;
                let job = told(id, begun(asked, Job::measure, &self.shared, &self.news).await)?;
                self.jobs.insert(id, job);
                Ok(None)
            }
            Request::EndJob { id } => {
                if let Some(job) = self.jobs.get(&id) {
                    job.end();
                }
                Ok(None)
            }
            Request::Search(search) => {
                let (id, role) = (search.id, search.role);
                if let Some((before, _)) = self.searches.remove(&role) {
                    self.engines.extend(before.engine());
                    self.kept.extend(before.into_kept());
                }
                let started = self.start(search).await;
                started.map_err(|message| Fault { id: Some(id), role: Some(role), message })?;
                Ok(None)
            }
            Request::Stop { role } => {
                if let Some((worker, _)) = self.searches.get(&role) {
                    worker.halt();
                }
                Ok(None)
            }
            Request::Watch { role, view } => {
                let view = self.checked(view).map_err(|message| Fault { id: None, role: Some(role), message })?;
                if let Some((worker, sent)) = self.searches.get_mut(&role) {
                    worker.show(SentState::wanted(&view));
                    sent.set_view(view);
                }
                Ok(None)
            }
        }
    }

    /// Asks an engine for its move.
    async fn ask(&mut self, search: SearchRequest, source: Source) -> Result<(), String> {
        let limits = &self.shared.limits;
        let time = search.seconds.map(checked_seconds).transpose()?.unwrap_or(limits.search).min(limits.search);
        let (at, shared) = (search.at, Arc::clone(&self.shared));
        let moves = at.moves.clone();
        let turn = turn(&self.shared, at.rules.is_some()).await?;
        let opened = run_blocking(move || {
            let _turn = turn;
            open_place(&shared.registry, &at, shared.limits.moves)
        })
        .await?;
        let budget = Budget { simulations: search.simulations, time: Some(time), ..Budget::default() };
        let seats = std::mem::take(&mut self.engines);
        let task = EngineTask { name: search.agent, source, opened, moves, budget, seats };
        let worker = Worker::ask(task, Arc::clone(&self.news))?;
        let sent = SentState::new(search.id, search.role, false, View::default());
        self.searches.insert(search.role, (worker, sent));
        Ok(())
    }

    async fn start(&mut self, search: SearchRequest) -> Result<(), String> {
        if search.role == Role::Play
            && let Some(source) = self.shared.engines.get(&search.agent).cloned()
        {
            return self.ask(search, source).await;
        }
        let agent = Agent::parse(&search.agent).map_err(|error| error.to_string())?;
        if search.role == Role::Solve && !agent.solves() {
            return Err(format!(
                "{agent} proves nothing; portfolio, df-pn, alpha-beta, pns, pn2, pn-mcts, plyproof and minimax do"
            ));
        }
        let (asked, most) = (agent.threads(&Budget::default()), self.shared.threads);
        if asked > most {
            return Err(format!("{agent} asks for {asked} threads; a search may have {most} here"));
        }
        let view = self.checked(search.view)?;
        let limits = &self.shared.limits;
        let asked = search.seconds.map(checked_seconds).transpose()?;
        let time = asked.unwrap_or(limits.search).min(limits.search);
        let at = search.at;
        let shared = Arc::clone(&self.shared);
        let judging = agent.clone();
        let turn = turn(&self.shared, at.rules.is_some()).await?;
        let opened = run_blocking(move || {
            let _turn = turn;
            let opened = open_place(&shared.registry, &at, shared.limits.moves)?;
            opened.game.check_evaluation(&judging).map_err(|error| error.to_string())?;
            Ok(opened)
        });
        let opened = opened.await?;
        let (mover, game) = (opened.game.to_move().index(), opened.game.name());
        discard(self.kept.extract_if(.., |kept| kept.search.game() != game).collect::<Vec<_>>());
        let kept = match search.role {
            Role::Play => self.kept.iter().position(|kept| kept.mover == mover).map(|at| self.kept.swap_remove(at)),
            _ => None,
        };
        let (last, lease) = match kept {
            Some(KeptSearch { search, lease, .. }) => (Some(search), lease),
            None => (None, self.shared.pool.lend()?),
        };
        let adds_up = agent.adds_up_terms();
        let memory = usize::try_from(lease.bytes()).unwrap_or(usize::MAX);
        // So many simulations are asked for to be repeated, which only one thread does.
        let threads = if search.simulations.is_some() { 1 } else { self.shared.threads };
        let simulations = search.simulations;
        let budget = Budget { simulations, time: Some(time), memory: Some(memory), threads, ..Budget::default() };
        let seed = search.seed.unwrap_or(1);
        let kind = match search.role {
            Role::Play => Kind::Move(last.unwrap_or_else(|| opened.game.searcher())),
            Role::Analyse | Role::Compare | Role::Review | Role::Hint => Kind::Look,
            Role::Solve => Kind::Proof(Arc::clone(&self.shared.archive)),
        };
        let task = Task { game: opened.game, agent, budget, seed, lease, kind };
        let worker = Worker::start(task, SentState::wanted(&view), Arc::clone(&self.news))?;
        self.searches.insert(search.role, (worker, SentState::new(search.id, search.role, adds_up, view)));
        Ok(())
    }

    fn checked(&self, view: View) -> Result<View, String> {
        let most = self.shared.limits.nodes;
        let longest = view.nodes.iter().map(Vec::len).max().unwrap_or_default();
        if view.nodes.len() > most || longest > self.shared.limits.moves {
            return Err(format!("a tab may look at {most} nodes of a tree at once, not {}", view.nodes.len()));
        }
        Ok(view)
    }

    fn room_for_a_job(&self) -> Result<(), String> {
        match self.jobs.len() {
            MOST_JOBS.. => {
                Err(format!("{MOST_JOBS} matches and measurements of this tab are running; end one of them"))
            }
            _ => Ok(()),
        }
    }

    /// News of all searches and jobs, as messages.
    fn updates(&mut self) -> Vec<String> {
        let searches = self.searches.values_mut().filter_map(|(worker, sent)| sent.message(&worker.take()));
        let mut messages: Vec<String> = searches.collect();
        messages.extend(self.jobs.values().flat_map(Job::take));
        self.jobs.retain(|_, job| !job.is_over());
        messages
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        let engines = std::mem::take(&mut self.engines);
        discard((std::mem::take(&mut self.searches), std::mem::take(&mut self.kept), engines));
    }
}

/// The right to work on rules that a page has sent, which few questions have at the same time; none is needed for other
/// games, so that nobody waits for rules that are not theirs.
async fn turn(shared: &Shared, rules: bool) -> Result<Option<OwnedSemaphorePermit>, String> {
    if !rules {
        return Ok(None);
    }
    match timeout(shared.limits.wait, Arc::clone(&shared.compiling).acquire_owned()).await {
        Ok(Ok(turn)) => Ok(Some(turn)),
        _ => Err("the rules of other games are being read; try again in a moment".to_string()),
    }
}

/// Begins the work that a request asks for.
type Begin<R> = fn(R, &Arc<Shared>, &Arc<Notify>) -> Result<Job, String>;

/// A match or a measurement, begun where the reading of its rules holds up nobody else.
async fn begun<R: HasRules + Send + 'static>(
    asked: R,
    begin: Begin<R>,
    shared: &Arc<Shared>,
    news: &Arc<Notify>,
) -> Result<Job, String> {
    let turn = turn(shared, asked.has_rules()).await?;
    let (shared, news) = (Arc::clone(shared), Arc::clone(news));
    run_blocking(move || {
        let _turn = turn;
        begin(asked, &shared, &news)
    })
    .await
}

/// What a question came to, or the message that says why it has no answer.
fn told<T>(id: u64, found: Result<T, String>) -> Result<T, Fault> {
    found.map_err(|message| Fault { id: Some(id), role: None, message })
}

/// Drops search trees where it holds up nobody else: giving back a gigabyte takes a while.
fn discard<T: Send + 'static>(trees: T) {
    // Without a runtime, when the server ends, they are dropped here.
    if let Ok(runtime) = Handle::try_current() {
        runtime.spawn_blocking(move || drop(trees));
    }
}

/// Runs something that may take milliseconds where it holds up nobody else.
async fn run_blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, String> + Send + 'static,
) -> Result<T, String> {
    match tokio::task::spawn_blocking(work).await {
        Ok(done) => done,
        Err(error) => Err(format!("that failed inside the server ({}); please report it", quoted(&error.to_string()))),
    }
}
