//! The state of a training in bytes, from which it goes on after it was interrupted: what was learned, without the
//! positions from which it was.
//!
//! ```text
//! state = header "\n" | seen | numbers | means | squares | left     a byte for each feature, then f32, little-endian
//! ```

use std::io::{self, BufRead, Write};

use plyproof_core::{Game, TextError, quoted};
use serde::{Deserialize, Serialize};

use super::{GAMES, Standing, Trainer};
use crate::headed;
use crate::network::Network;

/// Positions that a training waits for when it goes on, at most, before it learns from them.
const REFILL: usize = 50_000;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Header {
    #[serde(rename = "plyproof-training")]
    format: u32,
    /// What is trained and how, in the words of the caller.
    about: String,
    features: usize,
    hidden: usize,
    games: u64,
    positions: u64,
    steps: u64,
    round: u64,
    window: usize,
    seconds: f64,
    checksum: String,
}

impl headed::Header for Header {
    const KIND: (&str, &str, u32) = ("plyproof-training", "the state of a training", 1);

    fn checksum(&mut self) -> &mut String {
        &mut self.checksum
    }

    fn longest(&self) -> Result<usize, TextError> {
        if Network::is_size(self.features, self.hidden) && GAMES.contains(&self.round) && self.seconds >= 0.0 {
            Ok(self.length(&[]))
        } else {
            Err(TextError::new("its header says what no training has"))
        }
    }

    fn length(&self, _body: &[u8]) -> usize {
        self.features + 4 * (3 * ((self.features + 2) * self.hidden + 1) + 2)
    }
}

impl<G: Game> Trainer<G> {
    /// Writes the state of the training. `about` says what is trained and how, `seconds` how long it took so far.
    pub fn save(&mut self, about: &str, seconds: f64, mut to: impl Write) -> io::Result<()> {
        let header = Header {
            format: <Header as headed::Header>::KIND.2,
            about: about.to_string(),
            features: self.network.features(),
            hidden: self.network.hidden(),
            games: self.standing.games,
            positions: self.standing.positions,
            steps: self.standing.steps,
            round: self.round,
            window: self.window.len(),
            seconds,
            checksum: String::new(),
        };
        let (seen, numbers) = self.model.parts();
        let mut body: Vec<u8> = seen.iter().map(|&seen| seen.into()).collect();
        body.extend(numbers.iter().flat_map(|part| part.iter().flat_map(|number| number.to_le_bytes())));
        headed::write(header, &body, &mut to)
    }

    /// Goes on from a state that was [saved](Trainer::save) with the same words about it, and returns the seconds that the
    /// training took so far. The positions to learn from are played anew.
    pub fn resume(&mut self, about: &str, mut source: impl BufRead) -> Result<f64, TextError> {
        let (header, body) = headed::read::<Header>(&mut source)?;
        if header.about != about {
            let (found, wanted) = (quoted(&header.about), quoted(about));
            return Err(TextError::new(format!("it is the state of another training, {found}, not of {wanted}")));
        }
        if (header.features, header.hidden) != (self.network.features(), self.network.hidden()) {
            return Err(TextError::new("it is the state of a training with other features or hidden units"));
        }
        let (seen, numbers) = self.model.parts();
        let (of_features, mut rest) = body.split_at(seen.len());
        seen.iter_mut().zip(of_features).for_each(|(seen, &byte)| *seen = byte != 0);
        for part in numbers {
            let (own, others) = rest.split_at(4 * part.len());
            part.iter_mut().zip(own.as_chunks().0).for_each(|(number, &bytes)| *number = f32::from_le_bytes(bytes));
            rest = others;
        }
        let Header { games, positions, steps, .. } = header;
        self.standing = Standing { games, positions, steps, loss: 0.0 };
        self.round = header.round;
        self.refill = header.window.min(REFILL);
        self.network = self.model.network().into();
        Ok(header.seconds)
    }
}
