//! `plyproof match`: two agents against each other.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use plyproof_engine::units::parse_size;
use plyproof_engine::{AnyGame, Budget, Registry};
use plyproof_lab::matches::{self, Book, CheckedPlan, MatchError, MatchPlan, Part, PartRecords, Side, TimeLimit};
use plyproof_lab::sweep::PartDone;
use plyproof_protocols::source;

use crate::input::{count, whole};
use crate::interrupt::stop_on_interrupt;
use crate::output::{self, Done, Failure};
use crate::progress::Progress;
use crate::summary_text;

/// Play two agents or engines against each other, in pairs of games with swapped sides
#[derive(clap::Args)]
#[command(
    after_help = "The results are those of A. Win rates leave out draws; a score counts a draw as half a win. Elo is logistic, \
    with an interval computed from pairs of games.\n\
    With fixed simulations a seed always gives the same games, whatever --jobs is. An odd number of games is rounded \
    up.\n\
    If the record (--out) exists, the match resumes where it stopped; the number of games may be larger than \
    before.\n\
    A program by others is engine(cmd='path arguments',protocol=ugi|usi|uci|gomocup|gtp); further parameters are its \
    options. docs/engines.md says more.\n\n\
    Examples:\n  \
    plyproof match\n  \
    plyproof match loa pn-mcts mcts --sims-a 173 --sims-b 189 --out loa.jsonl\n  \
    plyproof match knightthrough \"pn-mcts(pn=2)\" pn-mcts --sprt 0,20 --games 2k\n  \
    plyproof match hex plyproof mcts --time 100ms --openings 4 --memory 256MB\n  \
    plyproof match gomoku plyproof \"engine(cmd=pela,protocol=gomocup)\" --time 1s\n  \
    plyproof match gomoku --games 1000 --shard 3/8 --out part3.jsonl --json\n  \
    plyproof match gomoku --games 1000 --part 3/8 --out gomoku.jsonl\n  \
    plyproof match gomoku --games 1000 --collect --out gomoku.jsonl"
)]
pub struct Arguments {
    /// Game with its parameters, as in "loa(size=7)"; `plyproof games` lists them
    #[arg(default_value = "loa")]
    game: String,
    /// Agent A with its parameters, as in "pn-mcts(pn=2)"
    #[arg(default_value = "pn-mcts")]
    a: String,
    /// Agent B
    #[arg(default_value = "mcts")]
    b: String,
    #[command(flatten)]
    play: Play,
    #[command(flatten)]
    budgets: Budgets,
    /// Simulations per move, for A alone
    #[arg(long, value_name = "N", value_parser = count::<u64>(1, u64::MAX))]
    sims_a: Option<u64>,
    /// Simulations per move, for B alone
    #[arg(long, value_name = "N", value_parser = count::<u64>(1, u64::MAX))]
    sims_b: Option<u64>,
    /// Time per move or game, for A alone
    #[arg(long, value_name = "T", value_parser = TimeLimit::parse)]
    time_a: Option<TimeLimit>,
    /// Time per move or game, for B alone
    #[arg(long, value_name = "T", value_parser = TimeLimit::parse)]
    time_b: Option<TimeLimit>,
    /// Stop as soon as a sequential test (5 % error) decides whether A is better by ELO0 or by ELO1
    #[arg(long, value_name = "ELO0,ELO1", value_parser = matches::parse_sprt, allow_hyphen_values = true)]
    sprt: Option<(f64, f64)>,
    /// Play only part I of N of the pairs; `plyproof report` merges the records
    #[arg(long, value_name = "I/N", value_parser = shard)]
    shard: Option<(u32, u32)>,
    /// Play only part I of N, into the folder FILE.parts; auto takes I from SLURM_ARRAY_TASK_ID or JOB_COMPLETION_INDEX
    #[arg(long, value_name = "I/N|auto/N", value_parser = crate::parts::part, requires = "out", conflicts_with_all = ["shard", "collect"])]
    part: Option<Part>,
    /// Merge the records of the parts into FILE, and say what is missing
    #[arg(long, requires = "out", conflicts_with = "shard")]
    collect: bool,
    /// Pairs that all parts together play of a sequential test before it is collected
    #[arg(long, value_name = "PAIRS", default_value_t = 100, value_parser = count::<u32>(1, 500_000))]
    round: u32,
    /// Record every game in this file, or resume the match of an existing record
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Print a JSON object
    #[arg(long)]
    json: bool,
}

/// How to play, as matches and tournaments take it.
#[derive(clap::Args)]
pub struct Play {
    /// Number of games, played in pairs with swapped sides
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = count::<u32>(1, MOST_GAMES))]
    pub games: u32,
    /// Seed of the random numbers
    #[arg(long, value_name = "S", default_value_t = 1, value_parser = whole)]
    pub seed: u64,
    /// Random plies at the start, or a file with an opening on each line; equal in both games of a pair
    #[arg(long, value_name = "K|FILE", default_value = "0", value_parser = openings)]
    openings: Openings,
    /// Position to start from instead of the start position
    #[arg(long, value_name = "P")]
    position: Option<String>,
    /// End a game as soon as the solver knows its value, which it looks for after every ply
    #[arg(long)]
    pub adjudicate_proven: bool,
    /// Ply limit, at which a game is cut and counts as a draw
    #[arg(long, value_name = "N", default_value_t = 2500, value_parser = count::<u32>(1, u32::MAX.into()))]
    pub max_plies: u32,
    /// Games played at the same time [default: one for each processor]
    #[arg(long, value_name = "N", value_parser = count::<u16>(1, MOST_JOBS))]
    jobs: Option<u16>,
    /// Print no progress
    #[arg(long)]
    pub quiet: bool,
}

/// What every side may use for a move.
#[derive(clap::Args)]
pub struct Budgets {
    /// Simulations per move [default: 1000 if --time is not given]
    #[arg(long, value_name = "N", value_parser = count::<u64>(1, u64::MAX))]
    sims: Option<u64>,
    /// Time per move, as in 1s or 250ms, or per game with an increment, as in 10s+0.1s; together with --sims, whichever is used up first
    #[arg(long, value_name = "T", value_parser = TimeLimit::parse)]
    time: Option<TimeLimit>,
    /// Memory for each tree, as in 512MB [default: 1GiB]
    #[arg(long, value_name = "M", value_parser = parse_size)]
    memory: Option<u64>,
}

/// Games of a match at most.
pub const MOST_GAMES: u64 = 1_000_000;
/// Games at a time at most.
pub const MOST_JOBS: u64 = 4096;
/// Simulations a move if nothing is said.
const DEFAULT_SIMULATIONS: u64 = 1000;

impl Play {
    /// Games to play at a time; 0 is one for each processor.
    pub fn jobs(&self) -> usize {
        self.jobs.unwrap_or_default().into()
    }

    /// The game from the position that games start from, and that position if one was given.
    pub fn start(&self, registry: &Registry, game: &str) -> Result<(Box<dyn AnyGame>, Option<String>), Failure> {
        let game = registry.open(game).map_err(Failure::misused)?;
        match &self.position {
            None => Ok((game, None)),
            Some(text) => {
                let start = game.parse_position(text.trim()).map_err(Failure::misused)?;
                let text = start.position_text();
                Ok((start, Some(text)))
            }
        }
    }

    /// Random plies, and the openings of a file.
    pub fn openings(&self, start: &dyn AnyGame) -> Result<(u32, Option<Arc<Book>>), Failure> {
        match &self.openings {
            Openings::Random(plies) => Ok((*plies, None)),
            Openings::File(path) => Ok((0, Some(Arc::new(Book::read(path, start).map_err(failure)?)))),
        }
    }
}

/// How games begin.
#[derive(Clone)]
enum Openings {
    Random(u32),
    File(PathBuf),
}

fn openings(text: &str) -> Result<Openings, String> {
    let number = text.starts_with(|c: char| c.is_ascii_digit() || c == '-') && !std::path::Path::new(text).exists();
    match number {
        true => count::<u32>(0, u32::MAX.into())(text).map(Openings::Random),
        false => Ok(Openings::File(PathBuf::from(text))),
    }
}

impl Budgets {
    /// The budget of a side, with what is given for it alone.
    pub fn side(
        &self,
        registry: &Registry,
        agent: &str,
        own_sims: Option<u64>,
        own_time: Option<TimeLimit>,
    ) -> Result<Side, Failure> {
        let source = source(registry, agent).map_err(Failure::misused)?;
        let limit = own_time.or(self.time);
        let simulations = own_sims.or(self.sims).or(limit.is_none().then_some(DEFAULT_SIMULATIONS));
        let (time, clock) = match limit {
            Some(TimeLimit::Move(time)) => (Some(time), None),
            Some(TimeLimit::Game(clock)) => (None, Some(clock)),
            None => (None, None),
        };
        let memory = self.memory.map(|bytes| usize::try_from(bytes).unwrap_or(usize::MAX));
        Ok(Side { clock, ..Side::new(source, Budget { simulations, time, memory, ..Budget::default() }) })
    }
}

fn shard(text: &str) -> Result<(u32, u32), String> {
    let both = text.split_once('/').and_then(|(a, b)| Some((a.trim().parse().ok()?, b.trim().parse().ok()?)));
    both.ok_or_else(|| "a shard is its number and how many there are, as in 3/8".to_string())
}

pub fn run(registry: &Registry, arguments: &Arguments) -> Done {
    let play = &arguments.play;
    let (game, position) = play.start(registry, &arguments.game)?;
    let (openings, book) = play.openings(&*game)?;
    let plan = MatchPlan {
        game,
        a: arguments.budgets.side(registry, &arguments.a, arguments.sims_a, arguments.time_a)?,
        b: arguments.budgets.side(registry, &arguments.b, arguments.sims_b, arguments.time_b)?,
        games: play.games,
        seed: play.seed,
        openings,
        book,
        position,
        adjudicate: play.adjudicate_proven,
        max_plies: play.max_plies,
        sprt: arguments.sprt,
        shard: arguments.shard,
    };
    let plan = plan.check().map_err(failure)?;
    let records = arguments.out.as_deref().map(PartRecords::beside);
    let stop = stop_on_interrupt()?;
    if let (Some(part), Some(records)) = (arguments.part, &records) {
        return play_part(&plan, part, records, arguments, &stop);
    }
    if let (true, Some(records)) = (arguments.collect, &records) {
        return collect(&plan, records, arguments);
    }
    let mut progress = Progress::new(play.quiet);
    let mut first = true;
    let out = arguments.out.as_deref();
    let played = matches::run_checked(&plan, play.jobs(), out, &stop, &mut |summary| {
        if std::mem::take(&mut first) {
            if play.games % 2 == 1 {
                progress.note(&format!("games come in pairs: {} instead of {}", play.games + 1, play.games));
            }
            progress.resumed(summary);
        }
        progress.show(summary);
    });
    progress.clear();
    let summary = played.map_err(failure)?;
    if arguments.json {
        output::print_json(&summary)?;
    } else {
        output::print(&summary_text::text(&summary))?;
    }
    if stop.load(Ordering::Relaxed) && !summary.complete { Err(Failure::Interrupted) } else { Ok(()) }
}

/// Plays what no record has of a part.
fn play_part(plan: &CheckedPlan, part: Part, records: &PartRecords, arguments: &Arguments, stop: &AtomicBool) -> Done {
    let mut progress = Progress::new(arguments.play.quiet);
    progress.next(format!("part {part}"));
    let jobs = arguments.play.jobs();
    let mut first = true;
    let played = records.play(plan, part.shard(0), arguments.round, jobs, stop, &mut |summary| {
        if std::mem::take(&mut first) {
            progress.resumed(summary);
        }
        progress.show(summary);
    });
    progress.clear();
    let summary = played.map_err(failure)?;
    let left = if summary.complete { 0 } else { summary.planned.saturating_sub(summary.games) };
    let (resumed, played) = (summary.resumed, summary.games.saturating_sub(summary.resumed));
    let done = PartDone { resumed: resumed.into(), played: played.into(), left: left.into() };
    crate::parts::told(part, &done, arguments.json)?;
    if stop.load(Ordering::Relaxed) { Err(Failure::Interrupted) } else { Ok(()) }
}

/// Merges the records of the parts and prints their summary.
fn collect(plan: &CheckedPlan, records: &PartRecords, arguments: &Arguments) -> Done {
    if !records.folder.is_dir() {
        let folder = records.folder.display();
        return Err(Failure::Failed(format!("{folder}: no part is played; --part 1/8 plays one of eight")));
    }
    let _lock = matches::lock_folder(&records.folder).map_err(failure)?;
    let gathered = records.gather(plan).map_err(failure)?;
    let merged = matches::merge(&[&records.merged]);
    let Some(merged) = merged.map_err(failure)?.pop() else { return Ok(()) };
    let (tally, mut summary) = (gathered.tally, merged.summary);
    (summary.planned, summary.complete) = (tally.planned, tally.complete());
    if arguments.json {
        output::print_json(&summary)?;
    } else {
        output::print(&summary_text::text(&summary))?;
    }
    if tally.complete() {
        return Ok(());
    }
    if plan.sprt.is_some() {
        let why = "the sequential test goes on: play all parts again, then collect";
        return Err(Failure::Failed(why.to_string()));
    }
    let pairs = output::counted(tally.missing.len() as u64, "pair is", "pairs are");
    let of = tally.dealt.last().copied().unwrap_or(1);
    let mut parts: Vec<u32> = tally.missing.iter().map(|&pair| Part::of_pair(pair, 0, of).number).collect();
    parts.sort_unstable();
    parts.dedup();
    let parts = parts.iter().map(u32::to_string).collect::<Vec<_>>().join(", ");
    Err(Failure::Failed(format!("{pairs} missing, of the parts {parts} of {of}: play them again, then collect")))
}

/// A plan that cannot be played is misuse; trouble with a record or with the system is a failure.
pub fn failure(error: MatchError) -> Failure {
    match error {
        MatchError::Plan(message) => Failure::Misused(message),
        MatchError::Record(message) | MatchError::System(message) => Failure::Failed(message),
    }
}
