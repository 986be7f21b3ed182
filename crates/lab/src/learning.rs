//! A training of an evaluation with all that belongs to it: how long it takes, what it can be resumed from, how strong the
//! evaluation is on the way, and which search plays best by it in the end.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use plyproof_engine::evaluations::{self, AnyTraining, BestUse, Evaluation, Record, Standing, Training};
use plyproof_engine::{Agent, AnyGame, Budget, GivenSource, Source, TextError};
use serde::Serialize;

use crate::matches::stats::wilson95;
use crate::matches::{MatchPlan, Side, Summary, run};

/// What to train, and for how long.
#[derive(Clone, Debug)]
pub struct Learning {
    /// The position that training games start from.
    pub game: Box<dyn AnyGame>,
    /// How to train.
    pub training: Training,
    /// When the training ends.
    pub length: Length,
    /// The file for the evaluation. The state of the training is beside it, under the same name with `.state`.
    pub out: PathBuf,
    /// What the evaluation says of how it was made.
    pub command: String,
    /// Whether the evaluation plays matches on the way, for a twentieth of the time.
    pub matches: bool,
    /// Games of each match at the end that finds out which search plays best; 0 for none.
    pub best_use: u32,
    /// Time for each move of the matches at the end.
    pub move_time: Duration,
}

/// When a training ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Length {
    /// After so many games. The network then depends on the settings alone.
    Games(u64),
    /// After so much time, that of interrupted runs included.
    Time(Duration),
}

/// Games of a match, counted for the evaluation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Score {
    /// Games won.
    pub wins: u32,
    /// Games nobody won.
    pub draws: u32,
    /// Games lost.
    pub losses: u32,
}

impl Score {
    fn add(&mut self, summary: &Summary) {
        self.wins += summary.wins;
        self.draws += summary.draws;
        self.losses += summary.losses;
    }

    /// Games played.
    pub fn games(self) -> u32 {
        self.wins + self.draws + self.losses
    }

    /// Points a game, and Wilson's interval of it. None without games.
    pub fn interval(self) -> Option<(f64, [f64; 2])> {
        let (points, games) = (f64::from(self.wins) + 0.5 * f64::from(self.draws), f64::from(self.games()));
        Some((points / games, wilson95(points, games)?))
    }
}

impl Serialize for Score {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Fields {
            wins: u32,
            draws: u32,
            losses: u32,
            score: Option<f64>,
            score95: Option<[f64; 2]>,
        }
        let Self { wins, draws, losses } = *self;
        let (score, score95) = self.interval().unzip();
        Fields { wins, draws, losses, score, score95 }.serialize(serializer)
    }
}

/// How a training stood at one moment.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Check {
    /// Seconds of training so far.
    pub seconds: f64,
    /// Training games so far.
    pub games: u64,
    /// Positions of these games.
    pub positions: u64,
    /// The log loss over positions of games from which nothing is learned.
    pub loss: f64,
    /// Games since the check before, against the evaluation of that check.
    pub against_last: Score,
    /// Games since the check before, against `plyproof(eval=off)`.
    pub against_off: Score,
}

/// A match at the end.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Comparison {
    /// The agent whose score it is.
    pub a: String,
    /// The other one.
    pub b: String,
    /// The games.
    pub score: Score,
}

/// What came of a training.
#[derive(Clone, Debug)]
pub struct Learned {
    /// The evaluation, which is in the file.
    pub evaluation: Evaluation,
    /// How the training stood on the way, the last time at its end.
    pub checks: Vec<Check>,
    /// The matches at the end.
    pub comparisons: Vec<Comparison>,
    /// Whether nobody stopped it.
    pub complete: bool,
}

/// What is told of a training while it runs.
pub enum News<'a> {
    /// It goes on after so many seconds of earlier runs.
    Resumed(f64),
    /// How it stands, about once a second: the share that is done, and a check that is not complete yet.
    Standing(f64, &'a Check),
    /// A check is complete.
    Checked(&'a Check),
    /// A match at the end goes on.
    Comparing(&'a Comparison),
    /// A match at the end is over.
    Compared(&'a Comparison),
}

/// Checks in a whole training.
const CHECKS: u32 = 8;
/// Seconds between two states of a training that are written.
const SAVED: f64 = 30.0;
/// The share of the time that matches take on the way.
const MATCHES: f64 = 0.05;
/// Time for each move of such a match.
const QUICK: Duration = Duration::from_millis(20);
/// Bytes for each player of a match.
const MEMORY: usize = 64 << 20;
/// Random plies at the start of each pair of games, and plies after which a game is drawn.
const OPENING: u32 = 2;
const LONGEST: u32 = 500;

/// Where the state of the training of this file is kept.
pub fn state_file(out: &Path) -> PathBuf {
    let mut name = out.as_os_str().to_owned();
    name.push(".state");
    name.into()
}

/// Trains an evaluation and writes it to its file. If the file of the state is there, the training goes on from it. When
/// `stop` is raised, the state and the evaluation so far are written.
pub fn learn(plan: &Learning, stop: &AtomicBool, told: &mut dyn FnMut(&News<'_>)) -> Result<Learned, TextError> {
    let mut trainer = plan.game.training(plan.training)?;
    let state = state_file(&plan.out);
    let before = trainer.resume(&state)?;
    if let Some(seconds) = before {
        told(&News::Resumed(seconds));
    }
    let mut run = Run {
        plan,
        stop,
        began: Instant::now(),
        before: before.unwrap_or(0.0),
        matched: 0.0,
        pairs: 0,
        last: None,
        check: Check {
            seconds: 0.0,
            games: 0,
            positions: 0,
            loss: 0.0,
            against_last: Score::default(),
            against_off: Score::default(),
        },
    };
    // Found out before the work, not after it.
    run.save(&mut *trainer)?;
    let mut checks = Vec::new();
    let mut next_check = run.share(trainer.games()) + 1.0 / f64::from(CHECKS);
    let (mut saved, mut shown) = (run.seconds(), 0.0);
    loop {
        let share = run.share(trainer.games());
        if share >= 1.0 || !trainer.round(share, stop) {
            break;
        }
        let seconds = run.seconds();
        if plan.matches && run.matched < MATCHES * (seconds - run.before) {
            run.play_pair(&trainer.evaluation(Record::default()))?;
        }
        if seconds >= saved + SAVED {
            run.save(&mut *trainer)?;
            saved = seconds;
        }
        if share >= next_check {
            next_check += 1.0 / f64::from(CHECKS);
            checks.push(run.checked(&mut *trainer, told));
        } else if seconds >= shown + 1.0 {
            run.look(&mut *trainer);
            told(&News::Standing(share, &run.check));
            shown = seconds;
        }
    }
    checks.push(run.checked(&mut *trainer, told));
    let mut evaluation = trainer.evaluation(run.record());
    let mut comparisons = Vec::new();
    let mut complete = !stop.load(Ordering::Relaxed);
    if complete {
        evaluation.best_use = run.best_use(&evaluation, &mut comparisons, told)?;
        complete = !stop.load(Ordering::Relaxed);
    }
    write(&evaluation, &plan.out)?;
    if complete {
        // What is left of it would be taken for a training to go on with.
        let _ = std::fs::remove_file(state);
    } else {
        run.save(&mut *trainer)?;
    }
    Ok(Learned { evaluation, checks, comparisons, complete })
}

fn write(evaluation: &Evaluation, path: &Path) -> Result<(), TextError> {
    evaluations::write(evaluation, path)
        .map_err(|error| TextError::new(format!("cannot write {}: {error}", path.display())))
}

/// A training under way.
struct Run<'a> {
    plan: &'a Learning,
    stop: &'a AtomicBool,
    began: Instant,
    /// Seconds of earlier runs.
    before: f64,
    /// Seconds that matches took.
    matched: f64,
    pairs: u64,
    /// The evaluation of the last check.
    last: Option<Evaluation>,
    /// What the next check says so far.
    check: Check,
}

impl Run<'_> {
    fn seconds(&self) -> f64 {
        self.before + self.began.elapsed().as_secs_f64()
    }

    fn share(&self, played: u64) -> f64 {
        match self.plan.length {
            Length::Games(games) => played as f64 / games.max(1) as f64,
            Length::Time(time) => self.seconds() / time.as_secs_f64().max(1e-3),
        }
    }

    /// How the evaluation of the last check was made.
    fn record(&self) -> Record {
        Record {
            command: self.plan.command.clone(),
            seed: self.plan.training.seed,
            games: self.check.games,
            positions: self.check.positions,
            // With a number of games the file depends on nothing but the settings.
            seconds: match self.plan.length {
                Length::Games(_) => 0,
                Length::Time(_) => self.check.seconds.round() as u64,
            },
        }
    }

    fn save(&self, trainer: &mut dyn AnyTraining) -> Result<(), TextError> {
        let path = state_file(&self.plan.out);
        let saved = trainer.save(self.seconds(), &path);
        saved.map_err(|error| TextError::new(format!("cannot write {}: {error}", path.display())))
    }

    /// Brings the numbers of the check up to date.
    fn look(&mut self, trainer: &mut dyn AnyTraining) {
        let Standing { games, positions, loss, .. } = trainer.standing();
        self.check = Check { seconds: self.seconds(), games, positions, loss, ..self.check };
    }

    /// Completes a check, and begins the next one.
    fn checked(&mut self, trainer: &mut dyn AnyTraining, told: &mut dyn FnMut(&News<'_>)) -> Check {
        self.look(trainer);
        let check = self.check;
        told(&News::Checked(&check));
        self.last = Some(trainer.evaluation(Record::default()));
        (self.check.against_last, self.check.against_off) = (Score::default(), Score::default());
        check
    }

    /// Plays two games with sides swapped, by turns against the evaluation of the last check and without any.
    fn play_pair(&mut self, evaluation: &Evaluation) -> Result<(), TextError> {
        let began = Instant::now();
        self.pairs += 1;
        let ours = player("alpha-beta(eval=auto)", Some(evaluation))?;
        let last = self.last.as_ref().filter(|_| self.pairs.is_multiple_of(2));
        let theirs = match last {
            Some(last) => player("alpha-beta(eval=auto)", Some(last))?,
            None => player("plyproof(eval=off)", None)?,
        };
        let summary = self.play([ours, theirs], 2, QUICK, 1, &mut |_| {})?;
        let score = if last.is_some() { &mut self.check.against_last } else { &mut self.check.against_off };
        score.add(&summary);
        self.matched += began.elapsed().as_secs_f64();
        Ok(())
    }

    fn play(
        &self,
        players: [Source; 2],
        games: u32,
        time: Duration,
        jobs: usize,
        told: &mut dyn FnMut(&Summary),
    ) -> Result<Summary, TextError> {
        let budget = Budget { time: Some(time), memory: Some(MEMORY), ..Budget::default() };
        let [a, b] = players.map(|source| Side::new(source, budget.clone()));
        let seed = plyproof_core::mix64(self.plan.training.seed ^ self.pairs);
        let plan = MatchPlan {
            games,
            seed,
            openings: OPENING,
            max_plies: LONGEST,
            ..MatchPlan::new(self.plan.game.clone(), a, b)
        };
        run(&plan, jobs, None, self.stop, told).map_err(|error| TextError::new(error.to_string()))
    }

    /// Finds out by matches which search plays best by the evaluation, or whether play-outs do better.
    fn best_use(
        &mut self,
        evaluation: &Evaluation,
        comparisons: &mut Vec<Comparison>,
        told: &mut dyn FnMut(&News<'_>),
    ) -> Result<Option<BestUse>, TextError> {
        if self.plan.best_use == 0 {
            return Ok(None);
        }
        let (trees, alpha_beta) = ("plyproof(eval=auto,search=tree)", "plyproof(eval=auto,search=alpha-beta)");
        let Some(first) = self.compare([alpha_beta, trees], evaluation, comparisons, told)? else { return Ok(None) };
        let (best, best_use) = if first >= 0.5 { (alpha_beta, BestUse::AlphaBeta) } else { (trees, BestUse::Tree) };
        let Some(second) = self.compare([best, "plyproof(eval=off)"], evaluation, comparisons, told)? else {
            return Ok(None);
        };
        Ok(Some(if second >= 0.5 { best_use } else { BestUse::Nowhere }))
    }

    /// The score of the first of two agents; none if somebody stopped the match.
    fn compare(
        &mut self,
        agents: [&str; 2],
        evaluation: &Evaluation,
        comparisons: &mut Vec<Comparison>,
        told: &mut dyn FnMut(&News<'_>),
    ) -> Result<Option<f64>, TextError> {
        let [a, b] = agents.map(String::from);
        let mut comparison = Comparison { a, b, score: Score::default() };
        let players = [player(agents[0], Some(evaluation))?, player(agents[1], Some(evaluation))?];
        self.pairs += 1;
        let (games, time, jobs) = (self.plan.best_use, self.plan.move_time, self.plan.training.threads);
        self.play(players, games, time, jobs, &mut |summary| {
            comparison.score = Score::default();
            comparison.score.add(summary);
            told(&News::Comparing(&comparison));
        })?;
        if self.stop.load(Ordering::Relaxed) {
            return Ok(None);
        }
        told(&News::Compared(&comparison));
        let score = comparison.score.interval().map(|(score, _)| score);
        comparisons.push(comparison);
        Ok(score)
    }
}

fn player(agent: &str, evaluation: Option<&Evaluation>) -> Result<Source, TextError> {
    let agent = Agent::parse(agent)?;
    Ok(match evaluation {
        Some(evaluation) => Source::new(GivenSource { agent, evaluation: evaluation.clone() }),
        None => agent.into(),
    })
}
