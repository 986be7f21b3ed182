//! What a certificate claims of a player.

use std::fmt;

use plyproof_core::{Outcome, Player, TextError, Wdl};

/// What a player is claimed to reach, whatever the opponent does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Claim {
    /// The player wins, after finitely many moves.
    Win,
    /// The player does not lose. A game without end counts as a draw.
    Draw,
    /// The game ends, and the player is then at least this many points ahead; negative: at most so many behind.
    Margin(i32),
}

impl Claim {
    /// Reads `win`, `draw` or `margin>=K`.
    pub fn parse(text: &str) -> Result<Self, TextError> {
        let claim = match text {
            "win" => Some(Self::Win),
            "draw" => Some(Self::Draw),
            _ => text.strip_prefix("margin>=").and_then(|points| points.parse().ok()).map(Self::Margin),
        };
        // One spelling for each claim: not "margin>=+07".
        claim
            .filter(|claim| claim.to_string() == text)
            .ok_or_else(|| TextError::expected(text, "a goal: win, draw, or margin>=K as in margin>=-3"))
    }

    /// Whether a finished game is what `player` is claimed to reach.
    ///
    /// A draw is a margin of 0. A win without points has no margin, and satisfies none.
    pub fn reached(self, outcome: Outcome, player: Player) -> bool {
        match self {
            Self::Win => outcome.of(player) == Wdl::Win,
            Self::Draw => outcome.of(player) != Wdl::Loss,
            Self::Margin(least) => margin(outcome, player).is_some_and(|points| points >= least),
        }
    }

    /// Whether every line of play must come to an end. Then a proof may not go in circles.
    pub const fn must_end(self) -> bool {
        match self {
            Self::Win | Self::Margin(_) => true,
            Self::Draw => false,
        }
    }
}

/// Points by which `player` is ahead at the end of a two-player game, if it has points.
fn margin(outcome: Outcome, player: Player) -> Option<i32> {
    let points = i32::from(outcome.margin());
    match outcome.winner() {
        None => Some(0),
        Some(_) if points <= 0 => None,
        Some(winner) => Some(if winner == player { points } else { -points }),
    }
}

impl fmt::Display for Claim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Win => f.write_str("win"),
            Self::Draw => f.write_str("draw"),
            Self::Margin(least) => write!(f, "margin>={least}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn claims_have_one_spelling() {
        for text in ["win", "draw", "margin>=0", "margin>=-48", "margin>=2147483647"] {
            assert_eq!(Claim::parse(text).expect(text).to_string(), text);
        }
        for text in ["", "Win", "loss", "margin", "margin>=", "margin>=+1", "margin>=01", "margin>=-0", "margin>=9e9"] {
            assert!(Claim::parse(text).expect_err(text).to_string().contains("win, draw, or margin>=K"), "{text}");
        }
    }

    #[test]
    fn a_claim_is_reached_by_results_that_are_at_least_as_good() {
        let (first, second) = (Player::FIRST, Player::SECOND);
        let results = [Outcome::by_points(5), Outcome::DRAW, Outcome::by_points(-5), Outcome::win(first)];
        for (claim, of_first, of_second) in [
            (Claim::Win, [true, false, false, true], [false, false, true, false]),
            (Claim::Draw, [true, true, false, true], [false, true, true, false]),
            (Claim::Margin(5), [true, false, false, false], [false, false, true, false]),
            (Claim::Margin(6), [false; 4], [false; 4]),
            (Claim::Margin(0), [true, true, false, false], [false, true, true, false]),
            (Claim::Margin(-5), [true, true, true, false], [true, true, true, false]),
            (Claim::Margin(i32::MIN), [true, true, true, false], [true, true, true, false]),
        ] {
            assert_eq!(results.map(|outcome| claim.reached(outcome, first)), of_first, "{claim}");
            assert_eq!(results.map(|outcome| claim.reached(outcome, second)), of_second, "{claim}");
        }
    }
}
