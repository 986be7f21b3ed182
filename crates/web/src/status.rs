//! The status page of a proof by jobs, and its figures for Prometheus: a small server beside the search.
//!
//! The page asks for `/status.json?after=N&page=ID`, and is answered when something has happened after the N-th line. So a
//! question is open nearly always, and at the end the server stays until every page has the last figures.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::Bytes;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::middleware::from_fn_with_state;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use plyproof_engine::job_line::JobLine;
use serde::Deserialize;
use tokio::sync::{Notify, watch};
use tokio::time::timeout;

use crate::board::Board;
use crate::connections::{self, Connections};
use crate::http::refuse;
use crate::{Limits, ServeError, assets, door, exposition, guard};

/// Time between two answers to one page at least.
const PAUSE: Duration = Duration::from_millis(200);
/// Time until a page is answered although nothing has happened.
const PATIENCE: Duration = Duration::from_secs(20);
/// Pages that are waited for at the end at most.
const PAGES: usize = 64;
/// Longest name of a page.
const NAME: usize = 40;

/// What is watched, and by whom.
#[derive(Clone, Debug, Default)]
pub struct StatusOptions {
    /// The address or name to listen on; none is this machine alone.
    pub host: Option<String>,
    /// The port; 0 takes any that is free.
    pub port: u16,
    /// What a browser must know to be let in, and a program as `Authorization: Bearer`. Needed wherever other machines can
    /// reach the server.
    pub token: Option<String>,
    /// The game that is solved.
    pub game: String,
    /// The position.
    pub position: String,
}

/// A server beside a search, on a thread of its own.
pub struct StatusServer {
    shared: Arc<Shared>,
    url: String,
    stop: Arc<Notify>,
    thread: Option<JoinHandle<()>>,
}

struct Shared {
    board: Mutex<Board>,
    /// The number of the last line, and whether the search has ended.
    news: watch::Sender<(u64, bool)>,
    /// Pages that do not have the last figures yet.
    pages: Mutex<BTreeSet<String>>,
}

impl StatusServer {
    /// Listens and answers.
    pub fn start(options: &StatusOptions) -> Result<Self, ServeError> {
        let ways = "--metrics-token-file or PLYPROOF_TOKEN";
        let (listener, guard) = door::open(options.host.as_deref(), options.port, options.token.as_deref(), ways)?;
        let url = guard.url();
        let board = Mutex::new(Board::new(&options.game, &options.position));
        let shared = Arc::new(Shared { board, news: watch::Sender::new((0, false)), pages: Mutex::default() });
        let system = |error: std::io::Error| ServeError::System(error.to_string());
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(system)?;
        let listener = {
            let _inside = runtime.enter();
            tokio::net::TcpListener::from_std(listener).map_err(system)?
        };
        let seconds = Duration::from_secs;
        let limits = Limits { connections: 64, peer: 32, header: seconds(30), stall: seconds(10), ..Limits::default() };
        let router = router(Arc::clone(&shared), Arc::new(guard));
        let stop = Arc::new(Notify::new());
        let ends = Arc::clone(&stop);
        let serve = move || {
            runtime.block_on(async {
                tokio::select! {
                    () = connections::serve(listener, Connections::new(&limits), router, limits) => {}
                    () = ends.notified() => {}
                }
            });
        };
        let thread = std::thread::Builder::new().name("plyproof-status".to_string()).spawn(serve).map_err(system)?;
        Ok(Self { shared, url, stop, thread: Some(thread) })
    }

    /// What to type into a browser, the token included.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Pages that do not have the last figures yet, as far as they are waited for.
    pub fn pages(&self) -> usize {
        locked(&self.shared.pages).len()
    }

    /// Takes up what has happened.
    pub fn tell(&self, line: &JobLine) {
        let mut board = locked(&self.shared.board);
        board.tell(line);
        let news = (board.sequence, board.ended);
        drop(board);
        self.shared.news.send_replace(news);
    }

    /// Takes up how the search has ended, and stays for `most` at most until every page has it.
    pub fn end(self, line: &JobLine, most: Duration) {
        self.tell(line);
        let began = Instant::now();
        while self.pages() > 0 && began.elapsed() < most {
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

impl Drop for StatusServer {
    fn drop(&mut self) {
        self.stop.notify_one();
        // It fails if the thread does, and then there is no server any more either.
        let _ = self.thread.take().map(JoinHandle::join);
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn router(shared: Arc<Shared>, guard: Arc<guard::Guard>) -> Router {
    Router::new()
        .route("/status.json", get(figures))
        .route("/metrics", get(metrics))
        .fallback(get(page))
        .layer(from_fn_with_state(guard, guard::check))
        .with_state(shared)
}

async fn page(uri: axum::http::Uri) -> Response {
    let own = |kind, bytes: &'static [u8]| ([(CONTENT_TYPE, kind)], bytes).into_response();
    match uri.path() {
        "/" => own("text/html; charset=utf-8", include_bytes!("../status/index.html")),
        "/status.css" => own("text/css; charset=utf-8", include_bytes!("../status/status.css")),
        "/status.js" => own("text/javascript; charset=utf-8", include_bytes!("../status/status.js")),
        "/graph.js" => own("text/javascript; charset=utf-8", include_bytes!("../status/graph.js")),
        path @ ("/style.css" | "/icon.svg" | "/dom.js") => match assets::find(path) {
            Some((kind, bytes)) => own(kind, bytes),
            None => refuse(StatusCode::NOT_FOUND, NOTHING),
        },
        _ => refuse(StatusCode::NOT_FOUND, NOTHING),
    }
}

const NOTHING: &str = "there is nothing at this address; / is the page, /status.json and /metrics have its figures";

async fn metrics(State(shared): State<Arc<Shared>>) -> Response {
    let text = {
        let board = locked(&shared.board);
        exposition::text(&board.game, board.seconds, &board.standing)
    };
    ([(CONTENT_TYPE, exposition::KIND)], text).into_response()
}

#[derive(Deserialize)]
struct Asked {
    /// The number of the line that the page has seen last.
    after: Option<u64>,
    /// What the page calls itself.
    page: Option<String>,
}

async fn figures(State(shared): State<Arc<Shared>>, asked: Result<Query<Asked>, QueryRejection>) -> Response {
    let Ok(Query(Asked { after, page })) = asked else {
        return refuse(StatusCode::BAD_REQUEST, "ask for /status.json, or for /status.json?after=NUMBER&page=NAME");
    };
    let mut reader = page.and_then(|name| Reader::new(&shared, name));
    if let Some(after) = after {
        let mut news = shared.news.subscribe();
        // The end is told at once, everything else now and then.
        let _ = timeout(PAUSE, news.wait_for(|&(_, ended)| ended)).await;
        let _ = timeout(PATIENCE, news.wait_for(|&(last, ended)| last > after || ended)).await;
    }
    let (text, ended) = {
        let board = locked(&shared.board);
        (board.json().to_string(), board.ended)
    };
    if let Some(reader) = &mut reader {
        reader.comes_back = !ended;
    }
    // The page counts as one without the figures until the bytes are sent.
    ([(CONTENT_TYPE, "application/json")], Bytes::from_owner(Sent { text, _reader: reader })).into_response()
}

/// A page with an open question.
struct Reader {
    shared: Arc<Shared>,
    name: String,
    /// Whether another question of this page is expected.
    comes_back: bool,
}

impl Reader {
    fn new(shared: &Arc<Shared>, name: String) -> Option<Self> {
        let mut pages = locked(&shared.pages);
        let is_known = pages.contains(&name);
        if !is_known && (name.len() > NAME || pages.len() >= PAGES) {
            return None;
        }
        pages.insert(name.clone());
        drop(pages);
        Some(Self { shared: Arc::clone(shared), name, comes_back: false })
    }
}

impl Drop for Reader {
    fn drop(&mut self) {
        // A page that was closed does not come back.
        if !self.comes_back {
            locked(&self.shared.pages).remove(&self.name);
        }
    }
}

/// An answer, and who gets it.
struct Sent {
    text: String,
    _reader: Option<Reader>,
}

impl AsRef<[u8]> for Sent {
    fn as_ref(&self) -> &[u8] {
        self.text.as_bytes()
    }
}
