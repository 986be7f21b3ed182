//! `plyproof train`: an evaluation learned by self-play.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use plyproof_engine::evaluations::{BestUse, Training};
use plyproof_engine::units::{duration_text, elapsed_text, parse_duration, parse_size};
use plyproof_engine::{Registry, TextError};
use plyproof_lab::learning::{Check, Comparison, Learned, Learning, Length, News, Score, learn, state_file};
use serde::Serialize;

use crate::input::{cores, count, threads, whole};
use crate::interrupt::stop_on_interrupt;
use crate::matches::MOST_GAMES;
use crate::output::{self, Done, Failure, grouped, visible};
use crate::progress::clock;
use crate::summary_text::{percent, record};
use crate::terminal::{Line, StatusLine, put};

/// Learn an evaluation of positions by self-play
#[derive(clap::Args)]
#[command(
    after_help = "The evaluation is a file, which agents use with eval=FILE, as in \"plyproof(eval=breakthrough.eval)\".\n\
    While it learns, the program tells the loss on games that it does not learn from, and the results of quick \
    games against the last checkpoint and against plyproof(eval=off). At the end, matches find out which search \
    plays best by the evaluation.\n\
    The same command goes on with a training that was interrupted or killed. With --games and the same seed the \
    network is the same again, whatever the number of threads.\n\nExamples:\n  \
    plyproof train breakthrough\n  \
    plyproof train \"loa(size=7)\" --time 30min --hidden 32 --out loa7.eval\n  \
    plyproof train connect4 --games 20k --seed 7 --threads 1\n  \
    plyproof match breakthrough --a \"plyproof(eval=breakthrough.eval)\" \\\n      \
    --b \"plyproof(eval=off)\" --time 0.1s"
)]
pub struct Arguments {
    /// Game with its parameters, as in "breakthrough(size=5x6)"; `plyproof games` lists them
    game: String,
    /// Time to train [default: 10min]
    #[arg(long, value_name = "T", value_parser = parse_duration)]
    time: Option<Duration>,
    /// Train for so many games instead of a time
    #[arg(long, value_name = "N", value_parser = count::<u64>(1, 1_000_000_000_000), conflicts_with = "time")]
    games: Option<u64>,
    /// File for the evaluation [default: the name of the game with .eval]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Hidden units of the network: a multiple of 16, at most 256
    #[arg(long, value_name = "N", default_value_t = 64, value_parser = count::<usize>(16, 256))]
    hidden: usize,
    /// Threads that play [default: one for each core]
    #[arg(long, value_name = "N", value_parser = threads)]
    threads: Option<usize>,
    /// Seed of the random numbers
    #[arg(long, value_name = "S", default_value_t = 1, value_parser = whole)]
    seed: u64,
    /// Memory for the positions that it learns from
    #[arg(long, value_name = "M", default_value = "64MiB", value_parser = parse_size)]
    memory: u64,
    /// Positions that the search for a move looks at in a training game, on average
    #[arg(long, value_name = "N", default_value_t = Training::default().nodes, value_parser = count::<u64>(1, 1_000_000))]
    nodes: u64,
    /// Weight of the results of games in what is learned, from 0 to 1; values found by search have the rest
    #[arg(long, value_name = "W", default_value_t = Training::default().lambda, value_parser = share)]
    lambda: f32,
    /// How often a position is learned from, on average
    #[arg(long, value_name = "N", default_value_t = Training::default().lessons, value_parser = size)]
    lessons: f32,
    /// Size of the first steps of learning
    #[arg(long, value_name = "R", default_value_t = Training::default().rate, value_parser = size)]
    rate: f32,
    /// Games of each match at the end, which find out the best search; 0 for none [default: 20; with --games, 0]
    #[arg(long, value_name = "N", value_parser = count::<u32>(0, MOST_GAMES))]
    best_use: Option<u32>,
    /// Time for each move of these matches
    #[arg(long, value_name = "T", default_value = "50ms", value_parser = parse_duration)]
    move_time: Duration,
    /// Print no progress, and play no matches on the way
    #[arg(long)]
    quiet: bool,
    /// Print a JSON object
    #[arg(long)]
    json: bool,
}

fn share(text: &str) -> Result<f32, String> {
    let share = text.parse().ok().filter(|share| (0.0..=1.0).contains(share));
    share.ok_or_else(|| "expected a number from 0 to 1".to_string())
}

fn size(text: &str) -> Result<f32, String> {
    let size = text.parse().ok().filter(|size: &f32| *size > 0.0 && *size <= 1000.0);
    size.ok_or_else(|| "expected a number above 0 and at most 1000".to_string())
}

/// What `--json` prints.
#[derive(Serialize)]
struct Json<'a> {
    file: String,
    bytes: u64,
    game: &'a str,
    rules: &'a str,
    features: usize,
    hidden: usize,
    seed: u64,
    seconds: f64,
    games: u64,
    positions: u64,
    loss: f64,
    best_use: Option<&'static str>,
    checks: &'a [Check],
    matches: &'a [Comparison],
    complete: bool,
}

pub fn run(registry: &Registry, arguments: &Arguments) -> Done {
    let game = registry.open(&arguments.game).map_err(Failure::misused)?;
    let length = match (arguments.games, arguments.time) {
        (Some(games), _) => Length::Games(games),
        (None, time) => Length::Time(time.unwrap_or(Duration::from_secs(600))),
    };
    let training = Training {
        hidden: arguments.hidden,
        threads: arguments.threads.unwrap_or_else(cores),
        seed: arguments.seed,
        memory: usize::try_from(arguments.memory).unwrap_or(usize::MAX),
        nodes: arguments.nodes,
        lambda: arguments.lambda,
        lessons: arguments.lessons,
        rate: arguments.rate,
    };
    // What cannot be trained is a misuse, and is found out at once.
    game.training(training).map_err(Failure::misused)?;
    let learning = Learning {
        out: arguments.out.clone().unwrap_or_else(|| file_name(&game.name())),
        command: command(&game.name(), length, &training),
        matches: !arguments.quiet,
        best_use: arguments.best_use.unwrap_or(if arguments.games.is_some() { 0 } else { 20 }),
        move_time: arguments.move_time,
        game,
        training,
        length,
    };
    let stop = stop_on_interrupt()?;
    let mut live = Live::new(&learning, arguments.quiet);
    let learned = learn(&learning, &stop, &mut |news| live.tell(news));
    live.status.clear();
    let learned = learned.map_err(|error: TextError| Failure::failed(error))?;
    let bytes = std::fs::metadata(&learning.out).map_or(0, |meta| meta.len());
    if arguments.json {
        print_json(&learning, &learned, bytes)?;
    } else {
        output::print(&text(&learning, &learned, bytes))?;
    }
    if learned.complete { Ok(()) } else { Err(Failure::Interrupted) }
}

/// The name of the game as a file can have it.
fn file_name(game: &str) -> PathBuf {
    let name: String = game.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
    PathBuf::from(format!("{}.eval", name.trim_end_matches('-')))
}

/// A command that makes the evaluation again: all that it depends on.
fn command(game: &str, length: Length, training: &Training) -> String {
    let mut command = format!("plyproof train \"{game}\"");
    match length {
        Length::Games(games) => command += &format!(" --games {games}"),
        Length::Time(time) => command += &format!(" --time {}", duration_text(time)),
    }
    let usual = Training::default();
    let options = [
        ("hidden", training.hidden.to_string(), usual.hidden.to_string()),
        ("seed", training.seed.to_string(), usual.seed.to_string()),
        ("memory", training.memory.to_string(), usual.memory.to_string()),
        ("nodes", training.nodes.to_string(), usual.nodes.to_string()),
        ("lambda", training.lambda.to_string(), usual.lambda.to_string()),
        ("lessons", training.lessons.to_string(), usual.lessons.to_string()),
        ("rate", training.rate.to_string(), usual.rate.to_string()),
    ];
    for (name, value, _) in options.into_iter().filter(|(_, value, usual)| value != usual) {
        command += &format!(" --{name} {value}");
    }
    command
}

/// Tells of a training on standard error.
struct Live {
    quiet: bool,
    status: StatusLine,
    game: String,
    length: Length,
    began: Instant,
}

impl Live {
    fn new(learning: &Learning, quiet: bool) -> Self {
        let (game, length) = (learning.game.name(), learning.length);
        Self { quiet, status: StatusLine::new(!quiet), game, length, began: Instant::now() }
    }

    fn tell(&mut self, news: &News<'_>) {
        match news {
            News::Resumed(seconds) => self.say(&format!("goes on after {} of training", elapsed_text(*seconds))),
            News::Standing(share, check) => self.status.show(&self.line(*share, check)),
            News::Checked(check) => self.say(&self.line(1.0, check).whole()),
            News::Comparing(comparison) => {
                if self.status.is_due() {
                    self.status.show(&Line::new(&self.game).part(1, comparison_text(comparison)));
                }
            }
            News::Compared(comparison) => self.say(&comparison_text(comparison)),
        }
    }

    /// Says something that stays.
    fn say(&mut self, text: &str) {
        if !self.quiet {
            self.status.clear();
            put(&format!("{}\n", visible(text)));
        }
    }

    fn line(&self, share: f64, check: &Check) -> Line {
        let mut line = Line::new(&self.game).part(6, elapsed_text(check.seconds));
        if share < 1.0 {
            let left = match self.length {
                Length::Time(time) => time.as_secs_f64() - check.seconds,
                Length::Games(_) => self.began.elapsed().as_secs_f64() * (1.0 - share) / share.max(1e-3),
            };
            line = line.part(4, format!("{} left", clock(left.max(0.0))));
        }
        line = line.part(3, format!("{} games", grouped(check.games)));
        line = line.part(1, format!("{} positions", grouped(check.positions)));
        line = line.part(5, format!("loss {:.4}", check.loss));
        for (what, score) in [("checkpoint", check.against_last), ("eval=off", check.against_off)] {
            if score.games() > 0 {
                line = line.part(2, format!("against {what} {}", score_text(score)));
            }
        }
        line
    }
}

/// `+3 =0 -1, 75.0 % (30.1-95.4 %)`.
fn score_text(score: Score) -> String {
    let games = record(score.wins, score.draws, score.losses);
    let share = |share| percent(Some(share));
    match score.interval() {
        Some((points, [low, high])) => format!("{games}, {} (95 %: {} to {})", share(points), share(low), share(high)),
        None => games,
    }
}

fn comparison_text(comparison: &Comparison) -> String {
    format!("{} against {}: {}", comparison.a, comparison.b, score_text(comparison.score))
}

fn print_json(learning: &Learning, learned: &Learned, bytes: u64) -> Done {
    let (evaluation, check) = (&learned.evaluation, learned.checks.last());
    output::print_json(&Json {
        file: learning.out.display().to_string(),
        bytes,
        game: &evaluation.game,
        rules: &evaluation.rules,
        features: evaluation.network.features(),
        hidden: evaluation.network.hidden(),
        seed: evaluation.record.seed,
        seconds: check.map_or(0.0, |check| check.seconds),
        games: evaluation.record.games,
        positions: evaluation.record.positions,
        loss: check.map_or(0.0, |check| check.loss),
        best_use: evaluation.best_use.map(BestUse::word),
        checks: &learned.checks,
        matches: &learned.comparisons,
        complete: learned.complete,
    })
}

fn text(learning: &Learning, learned: &Learned, bytes: u64) -> String {
    let (evaluation, out) = (&learned.evaluation, learning.out.display());
    let mut text = format!("{out}: an evaluation for {} in {} bytes\n", evaluation.game, grouped(bytes));
    if let Some(check) = learned.checks.last() {
        text += &format!(
            "{} games, {} positions, {}; loss {:.4}\n",
            grouped(check.games),
            grouped(check.positions),
            elapsed_text(check.seconds),
            check.loss
        );
    }
    for comparison in &learned.comparisons {
        text += &format!("{}\n", comparison_text(comparison));
    }
    if let Some(best) = evaluation.best_use {
        text += &format!("best used by: {}\n", best.word());
    }
    if !learned.complete {
        let state = state_file(&learning.out);
        text += &format!("interrupted; the same command goes on from {}\n", state.display());
    }
    text
}
