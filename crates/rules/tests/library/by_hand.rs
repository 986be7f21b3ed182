//! Games without another program to compare with: positions made by hand.

use plyproof_core::{Game, Player};
use plyproof_rules::rbg::Visitor;

use super::library;
use super::lockstep::Erase;

/// Plays moves by their texts: the board, and the winner of a finished game.
struct Play<'a>(&'a [&'a str]);

impl Visitor for Play<'_> {
    type Output = (String, Option<Option<Player>>);

    fn visit<G: Game>(self, mut game: G) -> Self::Output {
        for text in self.0 {
            let m = game.parse_move(text).unwrap_or_else(|error| panic!("{error}, at {}", game.position_text()));
            game.play(m);
        }
        let text = game.position_text();
        let board = text.split(' ').next().unwrap_or_default().to_string();
        (board, game.outcome().map(|outcome| outcome.winner()))
    }
}

fn play(name: &str, moves: &[&str]) -> (String, Option<Option<Player>>) {
    library(name, "").start(Play(moves))
}

#[test]
fn yavalath_three_lose_and_four_win() {
    let others = ["hx0y0", "hx4y0", "hx0y8"];
    let game = |stones: &[&str]| {
        let mut moves = Vec::new();
        for (place, stone) in stones.iter().enumerate() {
            moves.push(*stone);
            moves.extend(others.get(place).filter(|_| place + 1 < stones.len()));
        }
        play("yavalath", &moves).1
    };
    assert_eq!(game(&["hx0y4", "hx1y4", "hx3y4"]), None);
    assert_eq!(game(&["hx0y4", "hx1y4", "hx2y4"]), Some(Some(Player::SECOND)));
    assert_eq!(game(&["hx0y4", "hx1y4", "hx3y4", "hx2y4"]), Some(Some(Player::FIRST)));
}

#[test]
fn konane_begins_with_two_stones_beside_each_other() {
    let start = library("konane", "").start(Erase);
    // Two middle stones with four neighbours each, two corners with two.
    assert_eq!((start.lines(1), start.lines(2)), (4, 12));
    let (board, winner) = play("konane", &["rx2y2", "rx2y1", "rx2y4-rx2y3"]);
    assert_eq!((board.as_str(), winner), ("bwbwbw/wb.bwb/bwbwbw/wb.bwb/bw.wbw/wbwbwb", None));
}

#[test]
fn brandubh_takes_between_two_and_keeps_the_throne_free() {
    // Each arm has an outer attacker with four moves and an inner one with six.
    assert_eq!(library("brandubh", "").start(Erase).lines(1), 40);
    let quiet = ["rx3y4-rx0y4", "rx0y4-rx0y5", "rx0y5-rx0y4"];
    let moves = ["rx3y0-rx2y0", quiet[0], "rx2y0-rx2y2", quiet[1], "rx3y1-rx4y1", quiet[2], "rx4y1-rx4y2"];
    let (before, _) = play("brandubh", &moves[..6]);
    let (after, winner) = play("brandubh", &moves);
    let row = |board: &str| board.split('/').nth(2).unwrap_or_default().to_string();
    assert_eq!((row(&before).as_str(), row(&after).as_str(), winner), ("..ad...", "..a.a..", None));
}

#[test]
fn three_men_in_a_row_win() {
    let (_, winner) = play("three_mens_morris", &["rx0y0", "rx0y1", "rx1y0", "rx1y1", "rx2y0"]);
    assert_eq!(winner, Some(Some(Player::FIRST)));
    let (board, winner) =
        play("three_mens_morris", &["rx0y0", "rx0y1", "rx1y0", "rx1y1", "rx2y2", "rx0y2", "rx2y2-rx2y1"]);
    assert_eq!((board.as_str(), winner), ("ww./bbw/b..", None));
}

#[test]
fn thin_ice_breaks_behind_skaters_that_glide_as_far_as_they_can() {
    // From a corner: up to below the enemy, aside to the own skater, and slantwise to below the other enemy.
    assert_eq!(library("thin_ice", "").start(Erase).lines(1), 6);
    let (board, winner) = play("thin_ice", &["rx0y3-rx2y1", "rx0y0-rx0y2"]);
    assert_eq!((board.as_str(), winner), ("h..b/..r./b.../h..r", None));
}
