//! Training: an evaluation plays against itself and learns from its games.

mod game;
mod model;
mod search;
mod state;

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use plyproof_core::{Features, Game, Rng, TextError};

use crate::network::Network;
use game::{Play, Sample, play};
use model::{Model, chance};

/// How to train.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Training {
    /// Hidden units: a multiple of 16, at most [`Network::MOST_HIDDEN`].
    pub hidden: usize,
    /// Threads that play. Their number changes nothing but the time.
    pub threads: usize,
    /// Where randomness starts.
    pub seed: u64,
    /// Bytes for positions to learn from; the oldest go first.
    pub memory: usize,
    /// Positions that the search for a move looks at, on average.
    pub nodes: u64,
    /// The weight of a game's result in what is learned from its positions; the values found by search have the rest.
    pub lambda: f32,
    /// How often a position is learned from, on average, those made by symmetry among them.
    pub lessons: f32,
    /// The size of the first steps, which become smaller towards the end.
    pub rate: f32,
}

impl Default for Training {
    fn default() -> Self {
        Self { hidden: 64, threads: 1, seed: 1, memory: 64 << 20, nodes: 200, lambda: 0.6, lessons: 8.0, rate: 0.003 }
    }
}

/// Positions from which one step is learned.
const BATCH: usize = 256;
/// Positions to play in a round, about; and games at least and at most.
const ROUND: u64 = 2000;
const GAMES: std::ops::RangeInclusive<u64> = 8..=512;
/// One game in so many is held out: nothing is learned from it.
const HELD_OUT: u64 = 16;
/// Positions of held-out games that are kept.
const KEPT: usize = 16_000;
/// The share of the first steps that the last ones have.
const LAST_RATE: f32 = 0.02;
/// Moves after which a training game counts as a draw.
const PLIES: usize = 400;

/// How a training stands.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Standing {
    /// Games played.
    pub games: u64,
    /// Positions of these games.
    pub positions: u64,
    /// Steps of learning.
    pub steps: u64,
    /// The mean log loss over positions of held-out games.
    pub loss: f64,
}

/// A training of an evaluation for a game of two players.
pub struct Trainer<G: Game> {
    start: G,
    training: Training,
    model: Model,
    network: Arc<Network>,
    window: VecDeque<Sample>,
    bytes: usize,
    held_out: VecDeque<Sample>,
    standing: Standing,
    /// The games of the next round.
    round: u64,
    /// Lessons that are due.
    due: f64,
    /// Positions to be there before anything is learned from them.
    refill: usize,
}

impl<G: Game> Trainer<G> {
    /// A training that has not begun. An error if the game or the sizes are not suitable.
    pub fn new(start: &G, training: Training) -> Result<Self, TextError> {
        let (features, hidden) = (start.feature_count(), training.hidden);
        if start.players() != 2 {
            let players = start.players();
            return Err(TextError::new(format!(
                "evaluations are for games of two players, and this one has {players}"
            )));
        }
        if start.outcome().is_some() {
            return Err(TextError::new("the game is over at the start: there is nothing to learn"));
        }
        if !Network::is_size(features, hidden) {
            let most = Network::MOST_FEATURES;
            let what = format!("a network has up to {most} features and 16, 32, … or 256 hidden units");
            return Err(TextError::new(format!("{what}, not {features} and {hidden}")));
        }
        let mut set = Features::default();
        start.features(&mut set);
        let model = Model::new(features, hidden, set.iter().count(), training.seed);
        Ok(Self {
            start: start.clone(),
            training,
            network: Arc::new(model.network()),
            model,
            window: VecDeque::new(),
            bytes: 0,
            held_out: VecDeque::new(),
            standing: Standing::default(),
            round: *GAMES.start(),
            due: 0.0,
            refill: BATCH,
        })
    }

    /// Plays some games with the network as it stands, and learns from them. `share` is how much of the training is done,
    /// from 0 to 1: towards the end, steps become smaller. False, with nothing done, if somebody raised `stop`.
    ///
    /// The same seed and shares give the same network, on every machine and with any number of threads.
    pub fn round(&mut self, share: f64, stop: &AtomicBool) -> bool {
        let played = self.play(stop);
        if stop.load(Ordering::Relaxed) {
            return false;
        }
        let before = self.standing.positions;
        for (samples, positions) in played {
            let held_out = self.standing.games % HELD_OUT == HELD_OUT - 1;
            self.standing.games += 1;
            self.standing.positions += positions;
            if held_out {
                self.held_out.extend(samples);
            } else {
                self.due += f64::from(self.training.lessons) * positions as f64;
                samples.into_iter().for_each(|sample| self.keep(sample));
            }
        }
        self.held_out.drain(..self.held_out.len().saturating_sub(KEPT));
        let mean = (self.standing.positions - before).div_ceil(self.round).max(1);
        self.round = (ROUND / mean).clamp(*GAMES.start(), *GAMES.end());
        self.learn(share as f32);
        self.network = Arc::new(self.model.network());
        true
    }

    /// The network as it stands.
    pub fn network(&self) -> Arc<Network> {
        Arc::clone(&self.network)
    }

    /// Games played so far.
    pub fn games(&self) -> u64 {
        self.standing.games
    }

    /// How the training stands. It takes a look at all positions of held-out games.
    pub fn standing(&mut self) -> Standing {
        let mut sum = 0.0;
        for sample in &self.held_out {
            let (found, target) = (chance(self.model.value(&sample.features)), f64::from(sample.target));
            let found = f64::from(found).clamp(1e-9, 1.0 - 1e-9);
            sum -= target * found.ln() + (1.0 - target) * (1.0 - found).ln();
        }
        Standing { loss: sum / self.held_out.len().max(1) as f64, ..self.standing }
    }

    /// The games of a round, in order.
    fn play(&self, stop: &AtomicBool) -> Vec<(Vec<Sample>, u64)> {
        let settings = Play { nodes: self.training.nodes.max(1), lambda: self.training.lambda, plies: PLIES };
        let one = |game: u64| {
            let mut rng = Rng::stream(self.training.seed, self.standing.games + game);
            play(&self.start, &self.network, settings, &mut rng, stop)
        };
        let threads = self.training.threads.clamp(1, self.round as usize);
        if threads == 1 {
            return (0..self.round).map(one).collect();
        }
        let (next, played) = (AtomicU64::new(0), Mutex::new(Vec::new()));
        std::thread::scope(|scope| {
            for _ in 0..threads {
                scope.spawn(|| {
                    loop {
                        let game = next.fetch_add(1, Ordering::Relaxed);
                        if game >= self.round {
                            break;
                        }
                        let game = (game, one(game));
                        played.lock().unwrap_or_else(PoisonError::into_inner).push(game);
                    }
                });
            }
        });
        let mut played = played.into_inner().unwrap_or_else(PoisonError::into_inner);
        played.sort_by_key(|(game, _)| *game);
        played.into_iter().map(|(_, game)| game).collect()
    }

    /// Keeps a sample to learn from, in place of the oldest ones.
    fn keep(&mut self, sample: Sample) {
        let bytes = |sample: &Sample| size_of::<Sample>() + 2 * sample.features.len() + 16;
        self.model.see(&sample.features);
        self.bytes += bytes(&sample);
        self.window.push_back(sample);
        while self.bytes > self.training.memory && self.window.len() > BATCH {
            self.bytes -= self.window.pop_front().map_or(0, |oldest| bytes(&oldest));
        }
    }

    /// Learns the lessons that are due.
    fn learn(&mut self, share: f32) {
        if self.window.len() < self.refill {
            self.due = 0.0;
            return;
        }
        let rate = self.training.rate * (1.0 - share.clamp(0.0, 1.0) * (1.0 - LAST_RATE));
        while self.due >= BATCH as f64 {
            self.due -= BATCH as f64;
            self.standing.steps += 1;
            let mut rng = Rng::stream(!self.training.seed, self.standing.steps);
            for _ in 0..BATCH {
                self.model.add_gradient(&self.window[rng.below(self.window.len())]);
            }
            self.model.step(BATCH, rate);
        }
    }
}
