//! How a search by jobs is watched from outside: a log of what happens, a status page, and metrics for Prometheus.

use std::fs::{File, OpenOptions};
use std::io::{LineWriter, Write};
use std::path::PathBuf;
use std::time::Duration;

use plyproof_engine::job_line::{JobLine, JobStanding};
use plyproof_engine::{AnyGame, Wdl};
use plyproof_web::{ServeError, StatusOptions, StatusServer};

use crate::output::{Failure, note};
use crate::serve::given_token;

/// How long open pages are waited for at the end.
const PATIENCE: Duration = Duration::from_secs(10);

/// Who may watch, and how.
#[derive(clap::Args)]
pub struct Watching {
    /// Append what happens to every job to this file, as lines of JSON; with --jobs or --ray
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
    /// Show how the search stands on a page at this port, and at /metrics for Prometheus; 0 is any free port; with --jobs or --ray
    #[arg(long, value_name = "PORT")]
    metrics: Option<u16>,
    /// Address or name for --metrics to listen on [default: this machine only]
    #[arg(long, value_name = "H", requires = "metrics")]
    metrics_host: Option<String>,
    /// File whose only line is the secret that --metrics asks for [default: PLYPROOF_TOKEN, if it is set]
    #[arg(long, value_name = "FILE", requires = "metrics")]
    metrics_token_file: Option<PathBuf>,
}

/// What is told to those who watch.
#[derive(Default)]
pub struct Watch {
    log: Option<(PathBuf, LineWriter<File>)>,
    server: Option<StatusServer>,
    last: Option<JobLine>,
}

impl Watching {
    /// Whether anybody is to be told anything.
    pub fn is_on(&self) -> bool {
        self.log.is_some() || self.metrics.is_some()
    }

    /// Opens the log and the page, and says where the page is.
    pub fn start(&self, game: &dyn AnyGame) -> Result<Watch, Failure> {
        let mut watch = Watch::default();
        if let Some(path) = &self.log {
            let opened = OpenOptions::new().create(true).append(true).open(path);
            let file = opened.map_err(|error| Failure::Failed(format!("cannot write {}: {error}", path.display())))?;
            watch.log = Some((path.clone(), LineWriter::new(file)));
        }
        if let Some(port) = self.metrics {
            let given = self.metrics_token_file.as_deref().map(|path| ("--metrics-token-file", path));
            let token = given_token(None, given)?;
            let (host, game, position) = (self.metrics_host.clone(), game.name(), game.position_text());
            let options = StatusOptions { host, port, token, game, position };
            let server = StatusServer::start(&options).map_err(|error| match error {
                ServeError::Options(why) => Failure::Misused(format!("--metrics {port}: {why}")),
                ServeError::System(why) => Failure::Failed(format!("--metrics {port}: {why}")),
            })?;
            note(&format!("The proof can be watched at {}", server.url()))?;
            watch.server = Some(server);
        }
        Ok(watch)
    }
}

impl Watch {
    /// Whether anybody is told anything.
    pub fn is_on(&self) -> bool {
        self.log.is_some() || self.server.is_some()
    }

    /// Tells what has happened. A log that cannot be written any more is given up with a word about it: the proof is worth
    /// more than its log.
    pub fn tell(&mut self, line: JobLine) {
        if let Some(server) = &self.server {
            server.tell(&line);
        }
        if line.event != "look"
            && let Some((path, log)) = &mut self.log
            && let Err(error) = write(log, &line)
        {
            let _ = note(&format!("nothing more is written to {}: {error}", path.display()));
            self.log = None;
        }
        self.last = Some(line);
    }

    /// Tells that the state was saved.
    pub fn saved(&mut self) {
        if let Some(JobLine { seconds, standing, .. }) = self.last {
            self.tell(JobLine::new("checkpoint", seconds, JobStanding { saved: Some(0.0), ..standing }));
        }
    }

    /// Tells how the search has ended, and waits until open pages know. `finish` fills in what is known by now.
    pub fn end(mut self, seconds: f64, value: Option<Wdl>, finish: impl FnOnce(&mut JobStanding)) {
        let mut standing = self.last.as_ref().map_or_else(JobStanding::default, |line| line.standing);
        (standing.flying, standing.busy, standing.value) = (0, 0, value);
        finish(&mut standing);
        let line = JobLine::new("end", seconds, standing);
        let server = self.server.take();
        self.tell(line.clone());
        if let Some(server) = server {
            server.end(&line, PATIENCE);
        }
    }
}

fn write(log: &mut LineWriter<File>, line: &JobLine) -> std::io::Result<()> {
    let text = serde_json::to_string(line)?;
    writeln!(log, "{text}")
}
