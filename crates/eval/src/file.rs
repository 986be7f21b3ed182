//! Evaluations in files: a line of JSON that says what it is, then the numbers of the network.
//!
//! ```text
//! file    = header "\n" | used | offset (i32) | biases | outputs | rows         all numbers are little-endian
//! used    = a bit for each feature, from the lowest bit of the first byte on: whether it has a row
//! biases  = hidden × i16
//! outputs = hidden × i8
//! rows    = for each feature with a row, hidden × i16; the weights of the others are 0
//! ```

use std::io::{self, BufRead, Write};
use std::sync::Arc;

use plyproof_core::{BestUse, Game, TextError, checksum, quoted};
use serde::{Deserialize, Serialize};

use crate::evaluator::NetworkEvaluator;
use crate::headed;
use crate::network::Network;

/// A trained network, and what it is for.
#[derive(Clone, Debug, PartialEq)]
pub struct Evaluation {
    /// The game with its parameters, in the shortest spelling.
    pub game: String,
    /// The identity of its rules, as certificates spell it.
    pub rules: String,
    /// The search that plays best by it; none if that was not measured.
    pub best_use: Option<BestUse>,
    /// How it was made.
    pub record: Record,
    /// What judges positions.
    pub network: Arc<Network>,
}

/// How an evaluation was made.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Record {
    /// The command, with which it can be made again.
    pub command: String,
    /// Where randomness started.
    pub seed: u64,
    /// Games that it played against itself.
    pub games: u64,
    /// Positions of these games from which it learned.
    pub positions: u64,
    /// Seconds that the training took.
    pub seconds: u64,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Header {
    #[serde(rename = "plyproof-evaluation")]
    format: u32,
    game: String,
    rules: String,
    features: usize,
    hidden: usize,
    scale: i32,
    best_use: Option<String>,
    record: Record,
    checksum: String,
}

impl headed::Header for Header {
    const KIND: (&str, &str, u32) = ("plyproof-evaluation", "an evaluation", 1);

    fn checksum(&mut self) -> &mut String {
        &mut self.checksum
    }

    fn longest(&self) -> Result<usize, TextError> {
        if !Network::is_size(self.features, self.hidden) {
            let (features, hidden) = (self.features, self.hidden);
            return wrong(format!(
                "its header says {features} features and {hidden} hidden units, which no network has"
            ));
        }
        Ok(self.layout(self.features).bytes())
    }

    fn length(&self, body: &[u8]) -> usize {
        let used = &body[..self.features.div_ceil(8).min(body.len())];
        self.layout(used.iter().map(|byte| byte.count_ones() as usize).sum()).bytes()
    }
}

impl Header {
    fn layout(&self, rows: usize) -> Layout {
        Layout { features: self.features, hidden: self.hidden, rows }
    }
}

fn wrong<T>(what: impl Into<String>) -> Result<T, TextError> {
    Err(TextError::new(what))
}

impl Evaluation {
    /// Reads an evaluation. It takes memory for what the source really has, and refuses one that goes on after its end.
    pub fn read(mut source: impl BufRead) -> Result<Self, TextError> {
        let (header, body) = headed::read::<Header>(&mut source)?;
        let Some(network) = header.layout(0).network(&body, header.scale) else {
            return wrong("it is damaged: a number of the network is beyond its limit");
        };
        let best_use = match &header.best_use {
            None => None,
            Some(word) => match BestUse::ALL.into_iter().find(|best| best.word() == word) {
                None => return wrong(format!("its header is damaged: best_use is {}", quoted(word))),
                found => found,
            },
        };
        Ok(Self { game: header.game, rules: header.rules, best_use, record: header.record, network: Arc::new(network) })
    }

    /// Whether it is for this game, rules and number of features; if not, what differs.
    pub fn fits(&self, game: &str, rules: &str, features: usize) -> Result<(), TextError> {
        if self.game != game {
            return wrong(format!("it is an evaluation for {}, not for {game}", quoted(&self.game)));
        }
        if self.rules != rules {
            let found = quoted(&self.rules);
            return wrong(format!("it is about version {found} of the rules of {game}, not version {rules}"));
        }
        let found = self.network.features();
        if found != features {
            return wrong(format!(
                "it was made for {found} features of positions of {game}, which now have {features}"
            ));
        }
        Ok(())
    }

    /// Writes the evaluation.
    pub fn write(&self, mut to: impl Write) -> io::Result<()> {
        let header = Header {
            format: <Header as headed::Header>::KIND.2,
            game: self.game.clone(),
            rules: self.rules.clone(),
            features: self.network.features(),
            hidden: self.network.hidden(),
            scale: self.network.scale,
            best_use: self.best_use.map(|best| best.word().to_string()),
            record: self.record.clone(),
            checksum: String::new(),
        };
        headed::write(header, &body(&self.network), &mut to)
    }

    /// An evaluator for the game of `position`, which is called `name` and the digest. An error if the evaluation is not for
    /// this game, rules and features.
    pub fn evaluator<G: Game>(
        &self,
        game: &str,
        rules: &str,
        position: &G,
        name: &str,
    ) -> Result<NetworkEvaluator, TextError> {
        self.fits(game, rules, position.feature_count())?;
        let best_use = self.best_use.unwrap_or(BestUse::AlphaBeta);
        NetworkEvaluator::new(position, Arc::clone(&self.network), format!("{name} {}", self.digest()), best_use)
    }

    /// Some digits that tell this evaluation from others, for reports.
    pub fn digest(&self) -> String {
        checksum(&[&body(&self.network)])[..8].to_string()
    }
}

/// Where the numbers of a network are.
struct Layout {
    features: usize,
    hidden: usize,
    rows: usize,
}

impl Layout {
    fn bytes(&self) -> usize {
        self.features.div_ceil(8) + 4 + self.hidden * (2 + 1 + 2 * self.rows)
    }

    /// The network in these bytes, of which there are as many as there should be.
    fn network(&self, bytes: &[u8], scale: i32) -> Option<Network> {
        let (used, rest) = bytes.split_at_checked(self.features.div_ceil(8))?;
        let (offset, rest) = rest.split_first_chunk()?;
        let (biases, rest) = rest.split_at_checked(2 * self.hidden)?;
        let (output, rows) = rest.split_at_checked(self.hidden)?;
        let output: Vec<i16> = output.iter().map(|&byte| i16::from(byte as i8)).collect();
        let mut weights = vec![0; self.features * self.hidden];
        let mut rows = rows.chunks_exact(2 * self.hidden);
        for feature in (0..used.len() * 8).filter(|feature| used[feature / 8] >> (feature % 8) & 1 != 0) {
            weights.chunks_exact_mut(self.hidden).nth(feature)?.copy_from_slice(&numbers(rows.next()?));
        }
        let fits = scale >= 0 && Network::are_outputs(&output);
        fits.then(|| Network::new(&numbers(biases), &weights, &output, scale, i32::from_le_bytes(*offset)))
    }
}

fn numbers(bytes: &[u8]) -> Vec<i16> {
    bytes.as_chunks().0.iter().map(|&number| i16::from_le_bytes(number)).collect()
}

/// What follows the header.
fn body(network: &Network) -> Vec<u8> {
    let row = |feature: usize| network.row(feature);
    let is_used = |&feature: &usize| row(feature).any(|weight| weight != 0);
    let mut bytes = vec![0; network.features().div_ceil(8)];
    for feature in (0..network.features()).filter(is_used) {
        bytes[feature / 8] |= 1 << (feature % 8);
    }
    bytes.extend(network.offset.to_le_bytes());
    bytes.extend(network.all_biases().flat_map(i16::to_le_bytes));
    bytes.extend(network.outputs().map(|weight| weight as u8));
    bytes.extend((0..network.features()).filter(is_used).flat_map(|feature| row(feature).flat_map(i16::to_le_bytes)));
    bytes
}
