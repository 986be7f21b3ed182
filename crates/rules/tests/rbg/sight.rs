//! What is seen of games by their rules alone: wins, threats, that they end; and play-outs that make use of it.

use plyproof_core::{DecisivePlayouts, Defence, Game, Outcome, PLY_LIMIT, Player, Rng, listed_playout};
use plyproof_rules::rbg::Visitor;

use super::{loaded, own};

/// What a game says of itself: decisive, traced, repeats, draws.
struct Says;

impl Visitor for Says {
    type Output = (DecisivePlayouts, bool, bool, bool);

    fn visit<G: Game>(self, game: G) -> Self::Output {
        (game.decisive_playouts(), game.traces_playouts(), game.may_repeat(), game.may_draw())
    }
}

#[test]
fn rules_tell_what_can_be_seen_and_how_games_end() {
    let says = |name: &str| loaded(&own(name)).start(Says);
    let both = DecisivePlayouts::WinsAndDefences;
    assert_eq!(says("three-in-a-row.rbg"), (both, true, false, true));
    // Pawns only go ahead. The score is the mover's after every move, so that a player without a move loses, which is
    // not looked for.
    assert_eq!(says("pawns.rbg"), (DecisivePlayouts::Wins, false, false, false));
    // Connections take too long to look for in play-outs.
    assert_eq!(says("hexagon.rbg"), (DecisivePlayouts::None, true, false, true));
}

/// The defences after some moves, as texts.
struct Defences<'a>(&'a [&'a str]);

impl Visitor for Defences<'_> {
    type Output = (Defence, Vec<String>);

    fn visit<G: Game>(self, mut game: G) -> Self::Output {
        for text in self.0 {
            let m = game.parse_move(text).unwrap_or_else(|error| panic!("{error}, at {}", game.position_text()));
            game.play(m);
        }
        let mut moves = Vec::new();
        let defence = game.defences(&mut moves);
        (defence, moves.into_iter().map(|m| game.move_text(m)).collect())
    }
}

#[test]
fn a_threat_is_met_on_its_cell_and_two_threats_are_hopeless() {
    let line = |moves: &[&str]| loaded(&own("three-in-a-row.rbg")).start(Defences(moves));
    assert_eq!(line(&["rx0y0", "rx1y1"]), (Defence::NotNeeded, vec![]));
    assert_eq!(line(&["rx0y0", "rx1y1", "rx2y0"]), (Defence::Needed, vec!["rx1y0".to_string()]));
    assert_eq!(line(&["rx0y0", "rx1y0", "rx2y2", "rx2y1", "rx0y2"]).0, Defence::Hopeless);
}

/// Three in a row and not more, on three rows of eight.
const EXACT: &str = "#use prelude
#players = a(100), b(100)
#pieces = empty, aStone, bStone
#variables =
#board = squares(repeat(3; row_of(8; empty)))
#turn(me; other) = ->me place(me~Stone) ->> win_if(in_exact_row(3; me~Stone; orthogonal_lines); me; other)
#rules = even(a; b) alternate(turn(a; b); turn(b; a))";

#[test]
fn a_cell_that_may_not_be_the_winners_is_no_defence() {
    let row = |moves: &[&str]| loaded(EXACT).start(Defences(moves));
    assert_eq!(row(&["rx0y1", "rx0y0", "rx1y1"]), (Defence::Needed, vec!["rx2y1".to_string()]));
    // Either end makes three, and neither three is spoilt at the other end.
    assert_eq!(row(&["rx3y1", "rx0y0", "rx4y1"]), (Defence::Hopeless, vec![]));
}

/// The number of unlikely moves after one move.
struct Far<'a>(&'a str);

impl Visitor for Far<'_> {
    type Output = (usize, usize);

    fn visit<G: Game>(self, mut game: G) -> Self::Output {
        let count = |game: &G| {
            let (mut moves, mut far) = (Vec::new(), Vec::new());
            game.moves(&mut moves);
            game.unlikely_moves(&moves, &mut far);
            far.len()
        };
        let before = count(&game);
        let m = game.parse_move(self.0).expect("a move");
        game.play(m);
        (before, count(&game))
    }
}

#[test]
fn moves_far_from_all_stones_are_unlikely() {
    // Eight cells are within three steps of the corner.
    assert_eq!(loaded(EXACT).start(Far("rx0y0")), (0, 24 - 1 - 8));
    // Connections are made from afar.
    assert_eq!(loaded(&own("hexagon.rbg")).start(Far("hx0y0")), (0, 0));
}

/// Means of the length and of the first player's wins, of plain play-outs and of those by their definition.
struct Means(u32);

impl Visitor for Means {
    type Output = [(f64, f64); 2];

    fn visit<G: Game>(self, start: G) -> Self::Output {
        let mut rng = Rng::new(7);
        let mut mean = |listed: bool| {
            let (mut plies, mut wins) = (0, 0);
            for _ in 0..self.0 {
                let mut game = start.clone();
                let playout = if listed {
                    listed_playout(&mut game, &mut rng, PLY_LIMIT)
                } else {
                    game.playout(&mut rng, PLY_LIMIT)
                };
                plies += playout.plies;
                wins += u32::from(playout.outcome == Outcome::win(Player::FIRST));
            }
            (f64::from(plies) / f64::from(self.0), f64::from(wins) / f64::from(self.0))
        };
        [mean(false), mean(true)]
    }
}

#[test]
fn filled_boards_end_when_and_how_games_move_by_move_end() {
    for name in ["three-in-a-row.rbg", "hexagon.rbg"] {
        let [(plies, wins), (listed, won)] = loaded(&own(name)).start(Means(20_000));
        // Five standard deviations or more: plies vary by about 1, wins by less than a half.
        assert!((plies - listed).abs() < 0.06, "{name}: {plies} plies, {listed} move by move");
        assert!((wins - won).abs() < 0.025, "{name}: {wins} wins, {won} move by move");
    }
}
