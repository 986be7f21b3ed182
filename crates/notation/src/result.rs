//! Results of games as text: `1-0`, `0-1`, `1/2-1/2`, and `*` where none is known.

use plyproof_engine::{Outcome, Player, TextError, Wdl, quoted};

/// The text for an unknown result.
pub const UNKNOWN: &str = "*";

/// `1-0`, `0-1` or `1/2-1/2`, one part for each of the players, the winners sharing one point; `*` if it is not known.
pub fn result_text(result: Option<Outcome>, players: usize) -> String {
    let Some(outcome) = result else { return UNKNOWN.to_string() };
    let best: Vec<bool> = (0..players).map(|index| outcome.of(Player::new(index)) != Wdl::Loss).collect();
    let share = match best.iter().filter(|&&best| best).count() {
        0 | 1 => "1".to_string(),
        winners => format!("1/{winners}"),
    };
    let parts: Vec<&str> = best.iter().map(|&best| if best { share.as_str() } else { "0" }).collect();
    parts.join("-")
}

/// Reads a result of a game for so many players. A margin is not part of the text.
pub fn parse_result(text: &str, players: usize) -> Result<Option<Outcome>, TextError> {
    if text == UNKNOWN {
        return Ok(None);
    }
    let all = (1u16 << players) - 1;
    let of = |set: u16| match set {
        set if set.count_ones() == 1 => Outcome::win(Player::new(set.trailing_zeros() as usize)),
        set if set == all => Outcome::DRAW,
        set => Outcome::shared(set as u8),
    };
    let found = (1..=all).map(of).find(|&outcome| result_text(Some(outcome), players) == text);
    found.map(Some).ok_or_else(|| {
        let known =
            if players == 2 { "1-0, 0-1, 1/2-1/2".to_string() } else { format!("{players} numbers as in 1-0-0") };
        TextError::new(format!("{} is not a result: expected {known} or *", quoted(text)))
    })
}

/// Whether a text is written as a result of any game is, so that it cannot be a move without quotation marks.
pub(crate) fn like_result(text: &str) -> bool {
    let part = |part: &str| matches!(part, "0" | "1") || part.strip_prefix("1/").is_some_and(|n| n.len() == 1);
    text == UNKNOWN || text.contains('-') && text.split('-').all(part)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_result_reads_back_and_others_are_refused() {
        for players in 1..=8 {
            assert_eq!(parse_result("*", players), Ok(None));
            for set in 1..1u16 << players {
                let outcome = if set.count_ones() == 1 {
                    Outcome::win(Player::new(set.trailing_zeros() as usize))
                } else {
                    Outcome::shared(set as u8)
                };
                let text = result_text(Some(outcome), players);
                let read = parse_result(&text, players).expect(&text).expect("known");
                for player in (0..players).map(Player::new) {
                    assert_eq!(read.of(player), outcome.of(player), "{text}");
                }
                assert!(players == 1 || like_result(&text), "{text}");
            }
        }
        assert_eq!(result_text(Some(Outcome::DRAW), 2), "1/2-1/2");
        for text in ["", "1", "2-0", "1-1", "0-0", "1/2", "1-0-0", "draw", "1/2-0"] {
            let error = parse_result(text, 2).expect_err(text).to_string();
            assert!(error.ends_with("is not a result: expected 1-0, 0-1, 1/2-1/2 or *"), "{error}");
        }
    }
}
