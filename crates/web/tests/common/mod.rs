//! A server of its own for each test, and what asks it.

// Every test program uses a part of this.
#![allow(dead_code)]

use std::collections::BTreeMap;
use std::future::Future;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use futures_util::StreamExt;
use plyproof_engine::Source;
use plyproof_web::{Gauge, Limits, Options, Server, Usage};
use tokio::net::TcpStream as AsyncStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::http::HeaderName;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream};

/// A server on a free port of this machine; it ends with this.
pub struct Running {
    address: SocketAddr,
    gauge: Gauge,
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
    runtime: tokio::runtime::Runtime,
}

pub type Socket = WebSocketStream<MaybeTlsStream<AsyncStream>>;

impl Running {
    pub fn start() -> Self {
        Self::with(Limits::default(), None)
    }

    pub fn with(limits: Limits, token: Option<&str>) -> Self {
        Self::with_memory(2 << 30, limits, token)
    }

    pub fn with_memory(memory: u64, limits: Limits, token: Option<&str>) -> Self {
        Self::serving(Options { memory, limits, token: token.map(str::to_string), ..Self::options() })
    }

    /// With a folder of runs.
    pub fn with_runs(folder: &Path) -> Self {
        Self::serving(Options { runs: Some(folder.to_path_buf()), ..Self::options() })
    }

    /// With engines by name.
    pub fn with_engines(engines: BTreeMap<String, Source>) -> Self {
        Self::serving(Options { engines, ..Self::options() })
    }

    /// With games of its own.
    pub fn with_games(registry: plyproof_engine::Registry) -> Self {
        Self::serving(Options { registry, ..Self::options() })
    }

    fn options() -> Options {
        let (registry, limits) = (plyproof_engine::Registry::builtin(), Limits::default());
        Options {
            registry,
            host: None,
            port: 0,
            token: None,
            runs: None,
            engines: BTreeMap::new(),
            memory: 2 << 30,
            threads: 1,
            limits,
        }
    }

    fn serving(options: Options) -> Self {
        let server = Server::bind(&options).expect("a free port");
        let (address, gauge) = (server.address(), server.gauge());
        let stop = Arc::new(AtomicBool::new(false));
        let raised = Arc::clone(&stop);
        let thread = thread::spawn(move || server.run(&raised).expect("served"));
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build();
        Self { address, gauge, stop, thread: Some(thread), runtime: runtime.expect("a runtime") }
    }

    pub fn address(&self) -> SocketAddr {
        self.address
    }

    pub fn host(&self) -> String {
        self.address.to_string()
    }

    /// What the server holds now.
    pub fn usage(&self) -> Usage {
        self.gauge.usage()
    }

    /// Waits until the server is as is said; a minute is for a machine that is busy with other things.
    #[track_caller]
    pub fn comes_to(&self, what: &str, mut done: impl FnMut(Usage) -> bool) {
        let began = Instant::now();
        while !done(self.usage()) {
            assert!(began.elapsed() < Duration::from_secs(60), "not {what}: {:?}", self.usage());
            thread::sleep(Duration::from_millis(5));
        }
    }

    pub fn block_on<T>(&self, work: impl Future<Output = T>) -> T {
        self.runtime.block_on(work)
    }

    /// Sends a request as it stands; the answer.
    pub fn ask(&self, request: &str) -> String {
        self.ask_bytes(request.as_bytes())
    }

    pub fn ask_bytes(&self, request: &[u8]) -> String {
        let mut stream = TcpStream::connect(self.address).expect("the server listens");
        stream.set_read_timeout(Some(Duration::from_secs(30))).expect("a timeout");
        stream.write_all(request).expect("sent");
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        String::from_utf8_lossy(&answer).into_owned()
    }

    pub fn get(&self, path: &str) -> String {
        self.ask(&format!("GET {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n", self.address))
    }

    /// Waits until no search is left; a minute is for a machine that is busy with other things.
    pub fn searches_end(&self) {
        let began = Instant::now();
        while search_threads() > 0 {
            assert!(began.elapsed() < Duration::from_secs(60), "{} searches go on", search_threads());
            thread::sleep(Duration::from_millis(5));
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// Opens a socket as a page does, with further headers.
pub async fn connect(server: &Running, headers: &[(&'static str, &str)]) -> Result<Socket, String> {
    let mut request = format!("ws://{}/socket", server.host()).into_client_request().map_err(|e| e.to_string())?;
    for (name, value) in headers {
        let value = value.parse().map_err(|_| "no header".to_string())?;
        request.headers_mut().insert(HeaderName::from_bytes(name.as_bytes()).map_err(|e| e.to_string())?, value);
    }
    let (socket, _) = tokio_tungstenite::connect_async(request).await.map_err(|error| error.to_string())?;
    Ok(socket)
}

/// The next text; none once the socket is closed.
pub async fn next_text(socket: &mut Socket) -> Option<String> {
    loop {
        match tokio::time::timeout(Duration::from_secs(60), socket.next()).await.ok()?? {
            Ok(Message::Text(text)) => return Some(text.to_string()),
            Ok(Message::Close(_)) | Err(_) => return None,
            Ok(_) => {}
        }
    }
}

/// Threads of this process that search, where the system tells.
pub fn search_threads() -> usize {
    let Ok(tasks) = std::fs::read_dir("/proc/self/task") else { return 0 };
    let name = |task: std::fs::DirEntry| std::fs::read_to_string(task.path().join("comm")).unwrap_or_default();
    tasks.flatten().map(name).filter(|name| name.trim() == "plyproof-search").count()
}

/// A generator for tests: the same messages every time.
pub struct Rng(pub u64);

impl Rng {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }
}

/// Bytes of this process in memory, where the system tells.
pub fn resident() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap_or("0 kB");
    line.trim().trim_end_matches("kB").trim().parse::<u64>().unwrap_or(0) * 1024
}
