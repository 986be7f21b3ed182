//! `plyproof solve --ray`: the proof is led by the Python package, which speaks with Ray.

use std::env;
use std::ffi::OsString;
use std::io::{BufRead, BufReader, ErrorKind, Read};
use std::process::{Command, ExitStatus, Stdio};

use plyproof_engine::job_line::JobLine;
use plyproof_engine::{Aim, AnyGame, Interval};

use crate::output::{self, Done, Failure};
use crate::solve::Arguments;
use crate::solve::watch::Watch;

/// The variable that names another Python than `python3`.
const PYTHON: &str = "PLYPROOF_PYTHON";

/// Longest line that the package is expected to print, in bytes.
const LONGEST: u64 = 1 << 26;

/// Solves a position on the cluster at `address`, as `python3 -m plyproof.cluster solve` does.
pub fn solve(game: &dyn AnyGame, address: &str, arguments: &Arguments) -> Done {
    if arguments.goal == Aim::Score {
        return Err(Failure::Misused("--ray finds values, not points: give --goal value, win or draw".to_string()));
    }
    let python = env::var_os(PYTHON).unwrap_or_else(|| "python3".into());
    let name = python.display().to_string();
    let cannot = |error: std::io::Error| match error.kind() {
        ErrorKind::NotFound => {
            Failure::Failed(format!("--ray needs Python, and there is no {name}; {PYTHON} names one"))
        }
        _ => Failure::Failed(format!("{name}: {error}")),
    };
    let there = Command::new(&python).args(["-c", "import plyproof.cluster, ray"]).stderr(Stdio::null()).status();
    if !there.map_err(cannot)?.success() {
        return Err(Failure::Failed(format!(
            "--ray needs the Python package: {name} -m pip install 'plyproof[ray]'; {PYTHON} names another Python"
        )));
    }
    let mut command = Command::new(&python);
    command.args(["-m", "plyproof.cluster", "solve"]);
    command.arg(format!("--position={}", game.position_text())).arg(format!("--goal={}", arguments.goal.word()));
    if address != "local" {
        command.arg(format!("--address={address}"));
    }
    command.args(arguments.jobs.map(|workers| format!("--jobs={workers}")));
    if let Some(bytes) = arguments.memory {
        command.arg(format!("--memory={bytes}"));
    }
    if let Some(time) = arguments.time {
        command.arg(format!("--time={}", time.as_secs_f64()));
    }
    if let Some(every) = arguments.every {
        let Interval::Time(every) = every else {
            return Err(Failure::Misused("--every takes a time with --ray, as in 10m".to_string()));
        };
        command.arg(format!("--every={}", every.as_secs_f64()));
    }
    for (option, path) in [("--checkpoint=", &arguments.checkpoint), ("--certificate=", &arguments.certificate)] {
        if let Some(path) = path {
            let mut option = OsString::from(option);
            option.push(path);
            command.arg(option);
        }
    }
    command.args(arguments.json.then_some("--json"));
    let ended = if arguments.watching.is_on() {
        command.args(["--events", "--"]).arg(game.name());
        watched(command, arguments.watching.start(game)?)
    } else {
        command.arg("--").arg(game.name());
        command.status()
    };
    match ended.map_err(cannot)?.code() {
        Some(0) => Ok(()),
        Some(130) => Err(Failure::Interrupted),
        // It has said why in a line of its own, in the words of the package.
        Some(3) => Err(Failure::Failed("the value is unknown within the limits".to_string())),
        _ => Err(Failure::Failed("the proof on Ray has failed".to_string())),
    }
}

/// Runs the package, which prints a line of JSON for every event, and then the answer, which goes on to whoever called.
fn watched(mut command: Command, mut watch: Watch) -> std::io::Result<ExitStatus> {
    let mut child = command.stdout(Stdio::piped()).spawn()?;
    let mut said = child.stdout.take().map(BufReader::new);
    let mut last = None;
    while let Some(from) = &mut said {
        let mut line = Vec::new();
        if from.take(LONGEST).read_until(b'\n', &mut line)? == 0 {
            break;
        }
        match serde_json::from_slice::<JobLine>(&line) {
            // The page stays open for those who watch until they know it.
            Ok(told) if told.event == "end" => last = Some(told),
            Ok(told) => watch.tell(told),
            Err(_) => drop(output::print(&String::from_utf8_lossy(&line))),
        }
    }
    let ended = child.wait();
    if let Some(JobLine { seconds, standing, .. }) = last {
        watch.end(seconds, standing.value, |known| *known = standing);
    }
    ended
}
