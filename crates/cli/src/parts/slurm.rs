//! Slurm: the files for sbatch, their submission, and what squeue says.

use std::env;
use std::ffi::{OsStr, OsString};
use std::fmt;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde::{Deserialize, Serialize};

use crate::files;
use crate::input::count;
use crate::output::{self, Done, Failure, visible};

/// What is asked of Slurm.
#[derive(clap::Args)]
pub struct Wishes {
    /// Partition for --slurm
    #[arg(long, value_name = "P", value_parser = word, help_heading = super::HEADING)]
    partition: Option<String>,
    /// Time limit of each part for --slurm, as in 4:00:00; what is left then is submitted again
    #[arg(long = "time", value_name = "T", value_parser = time, help_heading = super::HEADING)]
    time: Option<String>,
    /// Memory of each part for --slurm, as in 4G
    #[arg(long = "mem", value_name = "M", value_parser = memory, help_heading = super::HEADING)]
    mem: Option<String>,
    /// Parts that --slurm runs at the same time at most
    #[arg(long, value_name = "K", value_parser = count::<u32>(1, 100_000), help_heading = super::HEADING)]
    array_limit: Option<u32>,
    /// Write the files of --slurm, and submit nothing
    #[arg(long, help_heading = super::HEADING)]
    dry_run: bool,
}

impl Wishes {
    /// The name of an option that was given.
    pub fn given(&self) -> Option<&'static str> {
        let given = [
            ("partition", self.partition.is_some()),
            ("time", self.time.is_some()),
            ("mem", self.mem.is_some()),
            ("array-limit", self.array_limit.is_some()),
            ("dry-run", self.dry_run),
        ];
        given.into_iter().find(|(_, given)| *given).map(|(name, _)| name)
    }
}

/// What these values may hold is what Slurm knows and no shell or directive could misread.
fn checked(text: &str, allowed: impl Fn(char) -> bool, expected: &str) -> Result<String, String> {
    let fits = (1..=100).contains(&text.len()) && !text.starts_with('-') && text.chars().all(allowed);
    if fits { Ok(text.to_string()) } else { Err(format!("expected {expected}")) }
}

fn word(text: &str) -> Result<String, String> {
    let allowed = |c: char| c.is_ascii_alphanumeric() || "_-.,".contains(c);
    checked(text, allowed, "the name of a partition: letters, digits, _, - and .")
}

fn time(text: &str) -> Result<String, String> {
    checked(text, |c| c.is_ascii_digit() || c == ':' || c == '-', "a time as Slurm writes it, as in 4:00:00 or 2-12")
}

fn memory(text: &str) -> Result<String, String> {
    let number = text.trim_end_matches(['K', 'M', 'G', 'T']);
    let one = text.len() - number.len() <= 1 && !number.is_empty();
    match one && number.chars().all(|c| c.is_ascii_digit()) && number.len() <= 12 {
        true => Ok(text.to_string()),
        false => Err("expected a size as Slurm writes it, as in 4G or 500M".to_string()),
    }
}

/// A command that Slurm is to run in parts.
pub struct Job<'a> {
    /// A name of letters, digits, points and hyphens.
    pub name: &'a str,
    /// The arguments of plyproof for a part, without --part.
    pub play: Vec<OsString>,
    /// The arguments for a collection, without --collect.
    pub collect: Vec<OsString>,
    /// Games at a time in each part.
    pub jobs: usize,
    /// The folder for the files, as an absolute path.
    pub folder: PathBuf,
}

/// The jobs that were submitted last, kept beside the files.
#[derive(Serialize, Deserialize)]
struct Submitted {
    array: u64,
    collect: u64,
    parts: u32,
}

const SUBMITTED: &str = "jobs.json";

/// The absolute path of a folder that may not be there yet.
pub fn absolute(path: &Path) -> Result<PathBuf, Failure> {
    std::path::absolute(path).map_err(|error| Failure::Failed(format!("{}: {error}", path.display())))
}

/// Writes the files and submits the parts, and a collection that begins when all parts have ended. `open` are the parts
/// that have something to play; none stands for all.
pub(super) fn submit(job: &Job<'_>, wishes: &Wishes, of: u32, round: u32, open: Option<&[u32]>) -> Done {
    // A collection that submits the rest runs as the job that the queue still shows.
    if let Some(queue) = queue(&job.folder).filter(|queue| open.is_none() && !wishes.dry_run && queue.alive() > 0) {
        let (array, collect) = (queue.array, queue.collect);
        return Err(Failure::Failed(format!(
            "jobs {array} and {collect} are still in the queue for this folder; wait for them, or end them with \
             scancel {array} {collect}"
        )));
    }
    let logs = job.folder.join("logs");
    fs::create_dir_all(&logs)
        .map_err(|error| Failure::Failed(format!("cannot make {}: {error}", visible(&logs.display().to_string()))))?;
    let (parts, collect) = (job.folder.join("parts.sbatch"), job.folder.join("collect.sbatch"));
    files::write(&parts, &parts_script(job, wishes, of, round, open)?)?;
    files::write(&collect, &collect_script(job, wishes, of, round)?)?;
    if wishes.dry_run {
        return output::print(&format!(
            "written: {}\nwritten: {}\nsubmit the second with --dependency=afterany:ID, ID being that of the first\n",
            visible(&parts.display().to_string()),
            visible(&collect.display().to_string())
        ));
    }
    let array = sbatch(&parts, None)?;
    let after = sbatch(&collect, Some(array)).map_err(|error| match error {
        Failure::Failed(why) => Failure::Failed(format!("job {array} is submitted, but not its collection: {why}")),
        other => other,
    })?;
    let submitted = Submitted { array, collect: after, parts: of };
    let text = serde_json::to_string(&submitted).map_err(Failure::failed)?;
    files::write(&job.folder.join(SUBMITTED), &(text + "\n"))?;
    let tasks = open.map_or(of as usize, <[u32]>::len);
    let tasks = output::counted(tasks as u64, "part", "parts");
    output::print(&format!("submitted: job {array} with {tasks}, and job {after}, which collects them\n"))
}

fn parts_script(job: &Job<'_>, wishes: &Wishes, of: u32, round: u32, open: Option<&[u32]>) -> Result<String, Failure> {
    let array = open.map_or(format!("1-{of}"), ranges);
    let limit = wishes.array_limit.map_or(String::new(), |limit| format!("%{limit}"));
    let mut text = head(job, wishes, "", "part-%a.log")?;
    text += &format!("#SBATCH --array={array}{limit}\n#SBATCH --cpus-per-task={}\n", job.jobs.max(1));
    text += "#SBATCH --requeue\n#SBATCH --signal=B:TERM@30\n";
    text +=
        "# In place of the shell, so that Slurm's signals reach it: games in play are given up, records are whole.\n";
    let own = [format!("--jobs={}", job.jobs.max(1)), format!("--round={round}"), "--quiet".to_string()];
    let own = own.into_iter().chain([format!("--part=auto/{of}")]).map(OsString::from);
    text += &format!("exec {}\n", command(job.play.iter().cloned().chain(own))?);
    Ok(text)
}

fn collect_script(job: &Job<'_>, wishes: &Wishes, of: u32, round: u32) -> Result<String, Failure> {
    let mut text = head(job, wishes, "-collect", "collect.log")?;
    text += "#SBATCH --requeue\n# What is left is submitted again, if the parts have played anything new.\n";
    let mut own =
        vec!["--collect".to_string(), "--slurm".to_string(), format!("--parts={of}"), format!("--round={round}")];
    own.push(format!("--jobs={}", job.jobs.max(1)));
    own.extend(wishes.array_limit.map(|limit| format!("--array-limit={limit}")));
    let wishes = [("partition", &wishes.partition), ("time", &wishes.time), ("mem", &wishes.mem)];
    own.extend(wishes.iter().filter_map(|(name, value)| Some(format!("--{name}={}", value.as_ref()?))));
    text += &format!("exec {}\n", command(job.collect.iter().cloned().chain(own.into_iter().map(OsString::from)))?);
    Ok(text)
}

/// The lines that both files begin with.
fn head(job: &Job<'_>, wishes: &Wishes, ending: &str, log: &str) -> Result<String, Failure> {
    let here = env::current_dir().map_err(|error| Failure::Failed(format!("the current folder: {error}")))?;
    let logs = format!("{}/{log}", directive(&job.folder.join("logs"))?.replace('%', "%%"));
    let mut text = format!(
        "#!/bin/bash\n#SBATCH --job-name=plyproof-{}{ending}\n#SBATCH --chdir=\"{}\"\n#SBATCH --output=\"{logs}\"\n\
         #SBATCH --open-mode=append\n",
        job.name,
        directive(&here)?
    );
    for (name, value) in [("partition", &wishes.partition), ("time", &wishes.time), ("mem", &wishes.mem)] {
        if let Some(value) = value {
            text += &format!("#SBATCH --{name}={value}\n");
        }
    }
    Ok(text)
}

/// A path between the double quotes of a directive.
fn directive(path: &Path) -> Result<String, Failure> {
    let text = path.to_str().filter(|text| !text.chars().any(|c| c.is_control() || c == '"' || c == '\\'));
    text.map(str::to_string).ok_or_else(|| {
        let path = visible(&path.display().to_string());
        Failure::Failed(format!("{path}: Slurm reads no path with quotes, backslashes or control characters"))
    })
}

/// This program with these arguments, quoted for a shell.
fn command(arguments: impl Iterator<Item = OsString>) -> Result<String, Failure> {
    let program = env::current_exe().map_err(|error| Failure::Failed(format!("where plyproof is: {error}")))?;
    let words = [program.into_os_string()].into_iter().chain(arguments).map(|word| shell_word(&word));
    Ok(words.collect::<Result<Vec<_>, _>>()?.join(" "))
}

/// A word that a shell takes as it is, whatever it holds.
fn shell_word(word: &OsStr) -> Result<String, Failure> {
    let text = word.to_str().filter(|text| !text.contains('\0'));
    let text = text.ok_or_else(|| {
        Failure::Failed(format!(
            "{}: not UTF-8, which a file for sbatch has to be",
            visible(&word.display().to_string())
        ))
    })?;
    let plain = |c: char| c.is_ascii_alphanumeric() || "_-./=,:+@".contains(c);
    match !text.is_empty() && text.chars().all(plain) {
        true => Ok(text.to_string()),
        false => Ok(format!("'{}'", text.replace('\'', r"'\''"))),
    }
}

/// `1-3,7`: what an array has, in few characters.
fn ranges(numbers: &[u32]) -> String {
    let mut runs: Vec<(u32, u32)> = Vec::new();
    for &number in numbers {
        match runs.last_mut() {
            Some((_, last)) if *last + 1 == number => *last = number,
            _ => runs.push((number, number)),
        }
    }
    let run = |&(first, last): &(u32, u32)| if first == last { first.to_string() } else { format!("{first}-{last}") };
    runs.iter().map(run).collect::<Vec<_>>().join(",")
}

/// Submits a file; the number of the job.
fn sbatch(file: &Path, after: Option<u64>) -> Result<u64, Failure> {
    let mut command = Command::new("sbatch");
    command.arg("--parsable").args(after.map(|id| format!("--dependency=afterany:{id}"))).arg(file);
    let run = command.output().map_err(|error| match error.kind() {
        ErrorKind::NotFound => Failure::Failed(
            "there is no sbatch here; --dry-run writes the files, for a machine that has it".to_string(),
        ),
        _ => Failure::Failed(format!("sbatch: {error}")),
    })?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).split_whitespace().collect::<Vec<_>>().join(" ");
    let out = text(&run.stdout);
    let id = out.split(';').next().and_then(|id| id.parse().ok()).filter(|_| run.status.success());
    id.ok_or_else(|| Failure::Failed(visible(&format!("sbatch: {} {out}", text(&run.stderr)))))
}

/// What the queue holds of the jobs submitted last for a folder.
#[derive(Serialize)]
pub struct Queue {
    /// The job of the parts.
    array: u64,
    /// The job that collects them.
    collect: u64,
    /// How many parts it has.
    pub parts: u32,
    /// Jobs that run; none where there is no squeue.
    running: Option<usize>,
    /// Jobs that wait.
    waiting: Option<usize>,
}

impl Queue {
    fn alive(&self) -> usize {
        self.running.unwrap_or(0) + self.waiting.unwrap_or(0)
    }
}

impl fmt::Display for Queue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "queue: jobs {} and {}", self.array, self.collect)?;
        match (self.running, self.waiting) {
            (Some(0), Some(0)) => f.write_str(" have ended"),
            (Some(running), Some(waiting)) => write!(f, ", {running} running and {waiting} waiting"),
            _ => f.write_str("; there is no squeue here to ask"),
        }
    }
}

/// Asks the queue; none if nothing was submitted for this folder.
pub fn queue(folder: &Path) -> Option<Queue> {
    let text = fs::read_to_string(folder.join(SUBMITTED)).ok()?;
    let Submitted { array, collect, parts } = serde_json::from_str(&text).ok()?;
    let ask = |id: u64| {
        let run =
            Command::new("squeue").args(["--noheader", "--array", "--format=%T", &format!("--jobs={id}")]).output();
        // A job that has ended long ago is one that squeue does not know.
        run.ok().map(|run| String::from_utf8_lossy(&run.stdout).to_string())
    };
    let states = ask(array).zip(ask(collect)).map(|(parts, after)| parts + &after);
    let (running, waiting) = match &states {
        None => (None, None),
        Some(states) => {
            let running = states.split_whitespace().filter(|state| *state != "PENDING").count();
            (Some(running), Some(states.split_whitespace().count() - running))
        }
    };
    Some(Queue { array, collect, parts, running, waiting })
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn words_for_a_shell_stay_single_words() {
        for text in
            ["plain", "", "a b", "it's", "$(reboot)", "`x`", "a;b|c&d", "x\ny", "\\", "\"", "~", "*", "#", "ö", "'';'"]
        {
            let word = shell_word(OsStr::new(text)).unwrap_or_else(|_| panic!("{text}"));
            let script = format!("printf '[%s]' {word}");
            let run = Command::new("sh").args(["-c", &script]).output().expect("a shell");
            assert_eq!(String::from_utf8_lossy(&run.stdout), format!("[{text}]"), "{word}");
        }
    }

    #[test]
    fn values_of_directives_hold_nothing_else() {
        for text in ["", "-p", "a b", "a\n#SBATCH --wrap=x", "a;b", "$(x)", "ä"] {
            assert!(word(text).is_err() && time(text).is_err() && memory(text).is_err(), "{text}");
        }
        assert!(word("gpu_a-1.x").is_ok() && time("2-12:00").is_ok() && memory("4G").is_ok() && memory("500").is_ok());
        assert!(memory("G").is_err() && memory("4GG").is_err() && time("4h").is_err());
        assert!(directive(Path::new("/a b/c%")).is_ok() && directive(Path::new("/a\"b")).is_err());
        assert!(directive(Path::new("/a\n#SBATCH --wrap=x")).is_err());
        assert_eq!(ranges(&[1, 2, 3, 5, 8, 9]), "1-3,5,8-9");
    }
}
