//! The workbench: plyproof in a browser. One server, its page embedded, nothing kept of anybody's game.
//!
//! ```text
//!  browser tab ── HTTP ──▶ guard ─▶ pages, catalogue, recorded matches
//!       │                    │
//!       └── WebSocket ───────┴────▶ socket ─▶ place: what is legal here?        (answered at once)
//!            JSON messages             │
//!                                      └────▶ worker: a search on a thread of its own ─▶ update: what changed
//! ```
//! The page sends game, start position and moves with every question; the server keeps no state but the searches that
//! run for an open tab, and these end with it.

mod assets;
mod board;
mod checking;
mod connections;
mod door;
mod engines;
mod exposition;
mod guard;
mod http;
mod jobs;
mod lease;
mod limits;
mod packed;
mod runs;
mod site;
mod socket;
mod solving;
mod status;
mod worker;

use std::collections::BTreeMap;
use std::fmt;
use std::net::{SocketAddr, TcpListener};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use plyproof_engine::{Agent, Registry, Source};

use crate::connections::Connections;
use crate::engines::Engines;
use crate::guard::Guard;
use crate::lease::Pool;
use crate::runs::Runs;
use crate::solving::Archive;

pub use door::SHORTEST_TOKEN;
pub use limits::Limits;
pub use site::{SiteError, write_site};
pub use status::{StatusOptions, StatusServer};

/// What to serve, and to whom.
#[derive(Clone, Debug)]
pub struct Options {
    /// The games that can be played. No file is read for a name that a page sends: games in rules files are those that were
    /// added.
    pub registry: Registry,
    /// The address or name to listen on; none is this machine alone.
    pub host: Option<String>,
    /// The port; 0 takes any that is free.
    pub port: u16,
    /// What a browser must know to be let in. Needed wherever other machines can reach the server.
    pub token: Option<String>,
    /// A folder with records of matches and results of experiments to show.
    pub runs: Option<PathBuf>,
    /// Bytes that all searches, certificates and files together may take.
    pub memory: u64,
    /// Engines of others by name, which the page may choose as players.
    pub engines: BTreeMap<String, Source>,
    /// Threads of one search at most, and of one whose simulations are not limited.
    pub threads: usize,
    /// How much anybody may ask for.
    pub limits: Limits,
}

/// Why the server could not start or had to end.
#[derive(Clone, Debug, PartialEq)]
pub enum ServeError {
    /// The options do not go together.
    Options(String),
    /// The system did not allow it.
    System(String),
}

impl fmt::Display for ServeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (Self::Options(message) | Self::System(message)) = self;
        f.write_str(message)
    }
}

impl std::error::Error for ServeError {}

/// What every connection shares.
pub(crate) struct Shared {
    pub registry: Registry,
    pub engines: Engines,
    pub guard: Arc<Guard>,
    pub runs: Option<Runs>,
    pub pool: Arc<Pool>,
    pub archive: Arc<Archive>,
    /// Certificates are received and checked a few at a time.
    pub checks: Arc<tokio::sync::Semaphore>,
    /// Rules that pages send are read a few at a time.
    pub compiling: Arc<tokio::sync::Semaphore>,
    /// Records are read a few at a time.
    pub reading: Arc<tokio::sync::Semaphore>,
    pub connections: Arc<Connections>,
    pub limits: Limits,
    pub threads: usize,
    pub sessions: tokio::sync::Semaphore,
    pub closing: AtomicBool,
}

/// What a server holds at a moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Usage {
    /// Open connections.
    pub connections: usize,
    /// Certificates that are received or checked.
    pub checks: usize,
    /// Bytes lent to searches, certificates and files.
    pub memory: u64,
}

/// Tells what a server holds, also while it runs.
#[derive(Clone)]
pub struct Gauge(Arc<Shared>);

impl Gauge {
    /// What the server holds now.
    pub fn usage(&self) -> Usage {
        let Self(shared) = self;
        Usage {
            connections: shared.connections.count(),
            checks: shared.limits.checks - shared.checks.available_permits(),
            memory: shared.pool.lent(),
        }
    }
}

/// Texts of rules read at once: each may take 200 MB and two seconds.
const COMPILERS: usize = 2;

/// Records read at once: a record may take a while, and the threads are shared with everything else.
const READERS: usize = 4;

/// A server that listens and is about to answer.
pub struct Server {
    listener: TcpListener,
    shared: Arc<Shared>,
}

impl Server {
    /// Starts to listen. Nobody is answered before [`run`](Server::run).
    pub fn bind(options: &Options) -> Result<Self, ServeError> {
        if let Some(name) = options.engines.keys().find(|name| Agent::parse(name).is_ok()) {
            return Err(ServeError::Options(format!(
                "{name} is one of our agents; choose another name for the engine"
            )));
        }
        let runs = options.runs.as_deref().map(Runs::open).transpose().map_err(ServeError::Options)?;
        let ways = "--token-file, PLYPROOF_TOKEN or --token";
        let (listener, guard) = door::open(options.host.as_deref(), options.port, options.token.as_deref(), ways)?;
        let pool = Pool::new(options.memory);
        let limits = options.limits.clone();
        let shared = Shared {
            // A page names games; which files there are here is none of its business.
            registry: options.registry.clone().without_files(),
            engines: options.engines.clone(),
            guard: Arc::new(guard),
            runs,
            archive: Arc::new(Archive::new(&pool)),
            pool,
            checks: Arc::new(tokio::sync::Semaphore::new(limits.checks)),
            compiling: Arc::new(tokio::sync::Semaphore::new(COMPILERS)),
            reading: Arc::new(tokio::sync::Semaphore::new(READERS)),
            connections: Connections::new(&limits),
            threads: options.threads.max(1),
            sessions: tokio::sync::Semaphore::new(limits.sessions),
            limits,
            closing: AtomicBool::new(false),
        };
        Ok(Self { listener, shared: Arc::new(shared) })
    }

    /// Where the server listens.
    pub fn address(&self) -> SocketAddr {
        self.shared.guard.address()
    }

    /// What to type into a browser, the token included.
    pub fn url(&self) -> String {
        self.shared.guard.url()
    }

    /// What tells how much the server holds.
    pub fn gauge(&self) -> Gauge {
        Gauge(Arc::clone(&self.shared))
    }

    /// Answers until `stop` is raised; then ends every search and returns.
    pub fn run(self, stop: &AtomicBool) -> Result<(), ServeError> {
        let system = |error: std::io::Error| ServeError::System(error.to_string());
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .max_blocking_threads(16)
            .thread_name("plyproof-web")
            .enable_all()
            .build()
            .map_err(system)?;
        runtime.block_on(async {
            let listener = tokio::net::TcpListener::from_std(self.listener).map_err(system)?;
            let router = http::router(Arc::clone(&self.shared));
            let (open, limits) = (Arc::clone(&self.shared.connections), self.shared.limits.clone());
            let serving = tokio::spawn(connections::serve(listener, open, router, limits));
            let mut look = tokio::time::interval(Duration::from_millis(50));
            while !stop.load(Ordering::Relaxed) && !serving.is_finished() {
                look.tick().await;
            }
            self.shared.closing.store(true, Ordering::Relaxed);
            if serving.is_finished() {
                return Err(ServeError::System("the server failed inside; please report it".to_string()));
            }
            serving.abort();
            Ok(())
        })?;
        // Sockets are dropped with the runtime, and their searches with them.
        runtime.shutdown_timeout(Duration::from_secs(2));
        Ok(())
    }
}
