//! Evaluations by the name of their game: those that come with plyproof, those in files, and their training.
//!
//! `docs/learning.md` explains them; the network, its file and its training are in `plyproof-eval`.

mod embedded;

use std::fmt;
use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

pub use embedded::{built_in, embedded};
pub use plyproof_core::BestUse;
use plyproof_core::{Evaluator, Game, Logit, Outcome, TextError};
use plyproof_eval::explain;
pub use plyproof_eval::{Evaluation, Network, Record, Standing, Trainer, Training};

use crate::any_game::{AnyGame, Erased};
use crate::whole_file::WholeFile;

/// Reads the evaluation in a file. The error names the file.
pub fn read(path: &Path) -> Result<Evaluation, TextError> {
    let evaluation = open(path).map_err(|error| named(path, error)).map(Evaluation::read)?;
    evaluation.map_err(|error| named(path, error))
}

/// Opens a regular file. Looked at before it is opened: a pipe would be waited for.
fn open(path: &Path) -> io::Result<BufReader<File>> {
    if !fs::metadata(path)?.is_file() {
        return Err(io::Error::other("it is not a regular file"));
    }
    File::open(path).map(BufReader::new)
}

fn named(path: &Path, error: impl fmt::Display) -> TextError {
    TextError::new(format!("{}: {error}", path.display()))
}

/// Writes an evaluation to a file, which is there in full or not at all.
pub fn write(evaluation: &Evaluation, path: &Path) -> io::Result<()> {
    let mut file = BufWriter::new(WholeFile::create(path)?);
    evaluation.write(&mut file)?;
    file.into_inner().map_err(io::IntoInnerError::into_error)?.finish()
}

/// What the parameter `eval` of an agent means for a game: `auto`, or the name of a file. With `auto`, `given` comes before
/// the evaluation that plyproof comes with.
pub(crate) fn evaluator<G: Game>(
    game: &str,
    rules: &str,
    position: &G,
    text: &str,
    given: Option<&Evaluation>,
) -> Result<Option<Arc<dyn Evaluator<G>>>, TextError> {
    let made = match (text, given) {
        ("auto", Some(given)) => given.evaluator(game, rules, position, "given")?,
        ("auto", None) => match embedded::built_in_for(game, rules) {
            Some(built_in) => built_in.evaluator(game, rules, position, "built-in")?,
            None => return Ok(None),
        },
        (file, _) => {
            let evaluation = read(Path::new(file))?;
            let made = evaluation.evaluator(game, rules, position, file);
            made.map_err(|error| named(Path::new(file), error))?
        }
    };
    Ok(Some(Arc::new(made)))
}

/// How an evaluation judges a position, and what that rests on.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct Judgement {
    /// The expected score of the player to move, from 0 to 1.
    pub score: f64,
    /// The same as a natural logit.
    pub logit: f64,
    /// Every legal move, the best one first.
    pub moves: Vec<JudgedMove>,
    /// Every feature of the position, the one that matters most first.
    pub features: Vec<JudgedFeature>,
}

/// A move, and how the position after it looks for the player who makes it.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct JudgedMove {
    /// The move.
    #[serde(rename = "move")]
    pub text: String,
    /// The expected score, from 0 to 1.
    pub score: f64,
    /// Whether the move ends the game, so that the score is the result.
    pub ends: bool,
}

/// A feature of a position.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
pub struct JudgedFeature {
    /// Its number.
    pub feature: usize,
    /// How much smaller the logit would be without it.
    pub logit: f64,
}

pub(crate) fn judged<G: Game>(game: &Erased<G>, evaluation: &Evaluation) -> Result<Judgement, TextError> {
    let state = game.state();
    evaluation.fits(&game.name(), &game.rules().to_string(), state.feature_count())?;
    let explained = explain(state, &evaluation.network)?;
    let natural = |logit: i32| f64::from(logit) / f64::from(Logit::ONE);
    let score = |logit: Logit| 0.5 + 0.5 * f64::from(logit.mean());
    let mover = state.to_move();
    let ended = |outcome: Outcome| 0.5 + 0.5 * f64::from(outcome.of(mover).value());
    let moves = explained.moves.into_iter().map(|(m, found)| JudgedMove {
        text: state.move_text(m),
        score: found.map_or_else(ended, score),
        ends: found.is_err(),
    });
    let features =
        explained.features.into_iter().map(|(feature, change)| JudgedFeature { feature, logit: natural(change) });
    Ok(Judgement {
        score: score(explained.value),
        logit: natural(explained.value.0),
        moves: moves.collect(),
        features: features.collect(),
    })
}

/// A training of an evaluation for a game whose type is not known.
pub trait AnyTraining: Send {
    /// Plays some games and learns from them; see [`Trainer::round`].
    fn round(&mut self, share: f64, stop: &AtomicBool) -> bool;

    /// Games played so far.
    fn games(&self) -> u64;

    /// How the training stands; see [`Trainer::standing`].
    fn standing(&mut self) -> Standing;

    /// The evaluation as it stands, made as `record` says.
    fn evaluation(&self, record: Record) -> Evaluation;

    /// Writes the state of the training, which took so many seconds so far, to a file.
    fn save(&mut self, seconds: f64, path: &Path) -> io::Result<()>;

    /// Goes on from the state in a file, if there is one, and returns the seconds that the training took so far. The error
    /// names the file.
    fn resume(&mut self, path: &Path) -> Result<Option<f64>, TextError>;
}

struct ErasedTraining<G: Game> {
    game: String,
    rules: String,
    about: String,
    trainer: Trainer<G>,
}

pub(crate) fn training<G: Game>(game: &Erased<G>, training: Training) -> Result<Box<dyn AnyTraining>, TextError> {
    let (name, rules) = (game.name(), game.rules().to_string());
    let Training { hidden, seed, nodes, lambda, lessons, rate, .. } = training;
    let about = format!(
        "{name}, rules {rules}, hidden {hidden}, seed {seed}, nodes {nodes}, lambda {lambda}, lessons {lessons}, rate {rate}"
    );
    let trainer = Trainer::new(game.state(), training)?;
    Ok(Box::new(ErasedTraining { game: name, rules, about, trainer }))
}

impl<G: Game> AnyTraining for ErasedTraining<G> {
    fn round(&mut self, share: f64, stop: &AtomicBool) -> bool {
        self.trainer.round(share, stop)
    }

    fn games(&self) -> u64 {
        self.trainer.games()
    }

    fn standing(&mut self) -> Standing {
        self.trainer.standing()
    }

    fn evaluation(&self, record: Record) -> Evaluation {
        let (game, rules) = (self.game.clone(), self.rules.clone());
        Evaluation { game, rules, best_use: None, record, network: self.trainer.network() }
    }

    fn save(&mut self, seconds: f64, path: &Path) -> io::Result<()> {
        let mut file = BufWriter::new(WholeFile::create(path)?);
        self.trainer.save(&self.about, seconds, &mut file)?;
        file.into_inner().map_err(io::IntoInnerError::into_error)?.finish()
    }

    fn resume(&mut self, path: &Path) -> Result<Option<f64>, TextError> {
        match open(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(named(path, error)),
            Ok(source) => {
                let resumed = self.trainer.resume(&self.about, source);
                resumed.map(Some).map_err(|error| named(path, error))
            }
        }
    }
}
