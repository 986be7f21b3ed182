//! Errors name the place and what would be right.

use plyproof_core::{Game, Outcome};
use plyproof_rules::gdl::{Visitor, load};

const HEAD: &str = "(role a) (role b) (init (turn a)) (other a b) (other b a)\n";
const TURNS: &str =
    "(<= (next (turn ?p)) (true (turn ?q)) (other ?p ?q)) (<= (legal ?p wait) (true (turn ?q)) (other ?p ?q))\n";

fn error(text: &str) -> String {
    load(text).err().map(|error| error.to_string()).unwrap_or_default()
}

#[test]
fn errors_have_a_place_and_a_remedy() {
    let rules = |rules: &str| error(&format!("{HEAD}{TURNS}{rules}"));
    let unbound = "expected a condition without not that has it";
    let cases = [
        (rules("(<= (f ?x) (not (g ?x)))"), format!("line 3, column 5: no condition says what ?x in the head stands for: {unbound}")),
        (rules("(f ?x)"), format!("line 3, column 1: no condition says what ?x in the head stands for: {unbound}")),
        (
            rules("(<= f (true (turn ?x)) (distinct ?x ?y))"),
            format!("line 3, column 5: no condition says what ?y in a distinct stands for: {unbound}"),
        ),
        (
            rules("(<= f (not (g ?y)) (distinct ?y a))"),
            format!("line 3, column 5: no condition says what ?y in a not stands for: {unbound}"),
        ),
        (rules("(<= f (true))"), "line 3, column 7: true takes 1 arguments, and here are 0".into()),
        (rules("(<= (legal a) f)"), "line 3, column 5: legal takes 2 arguments, and here are 1".into()),
        (rules("(<= f (not g h))"), "line 3, column 7: not takes one condition, and here are 2".into()),
        (rules("(<= f (distinct a))"), "line 3, column 7: distinct takes two terms, and here are 1".into()),
        (rules("(<=)"), "line 3, column 1: a rule without a head: expected (<= HEAD CONDITION …)".into()),
        (
            rules("(<= (true f) g)"),
            "line 3, column 5: a rule cannot have true as its head: expected next, or init for the start".into(),
        ),
        (
            rules("(<= (does a f) g)"),
            "line 3, column 5: a rule cannot have does as its head: expected legal for moves that are possible".into(),
        ),
        (rules("(<= (or f) g)"), "line 3, column 5: \"or\" cannot be the head of a rule: expected a predicate".into()),
        (rules("(<= f (<= g h))"), "line 3, column 7: a rule within a rule: expected a condition".into()),
        (rules("(<= f (?x a))"), "line 3, column 7: the variable \"?x\" is no predicate: expected a name".into()),
        (rules("(<= f (g (?x a)))"), "line 3, column 10: the variable \"?x\" is no name of a term".into()),
        (rules("(<= f ())"), "line 3, column 7: expected the name of a predicate after (".into()),
        (rules("(<= f g"), "line 3, column 1: this ( is never closed: expected a )".into()),
        (rules("(f))"), "line 3, column 4: this ) closes no (".into()),
        (rules("(f \u{1})"), "line 3, column 4: \"\\u{1}\" is no part of the language of rules".into()),
        (
            rules("(<= f (true (turn a)) (not g)) (<= g (true (turn a)) (not f)) (<= terminal f)"),
            "line 3, column 5: whether f holds depends on whether it does not: expected no circle of rules through a not".into(),
        ),
        (
            rules("(<= terminal (does a wait))"),
            "line 3, column 5: terminal depends on does: expected that it depends on the position alone".into(),
        ),
        (error(""), "line 1, column 1: the file names no player: expected (role NAME) twice".into()),
        (error("; c\n(f a) (role x)"), "line 2, column 7: one role, x: only games of two players are played".into()),
        (
            error("(role a) (role b) (role c)"),
            "line 1, column 1: 3 roles (a, b, c): only games of two players are played".into(),
        ),
        (
            rules("(<= (legal ?p (m ?q)) (role ?p) (role ?q))"),
            "line 2, column 58: both roles choose at once after 0 moves of a random game, from 2 and 3 moves: \
             only games of taking turns are played"
                .into(),
        ),
    ];
    for (found, wanted) in cases {
        assert_eq!(found, wanted);
    }
}

#[test]
fn warnings_name_what_looks_like_a_mistake() {
    let text = format!(
        "{HEAD}{TURNS}(<= (legal ?p (m ?q)) (true (turn ?p)) (role ?q)) (<= terminal (full ?x ?y) (not (g ?z)))\n(goal a high)"
    );
    let rules = load(&text).expect("rules");
    assert_eq!(
        rules.warnings(),
        [
            "line 3, column 55: ?z stands within a not alone: read as \"there is no ?z\"",
            "line 3, column 64: nothing says when full with 2 arguments holds: it never does",
            "line 3, column 82: nothing says when g with 1 arguments holds: it never does",
            "line 4, column 1: the goal high is no number from 0 to 100: it never counts",
        ]
    );
}

/// The result of a game whose first move ends it.
struct Ends;

impl Visitor for Ends {
    type Output = Option<Outcome>;

    fn visit<G: Game>(self, mut game: G) -> Option<Outcome> {
        let mut moves = Vec::new();
        game.moves(&mut moves);
        game.play(*moves.first()?);
        game.outcome()
    }
}

#[test]
fn goals_that_are_missing_are_filled_in() {
    use plyproof_core::Player;
    let outcome = |rules: &str| {
        let text = format!(
            "{HEAD}{TURNS}(<= (legal ?p (m ?q)) (true (turn ?p)) (role ?q)) (<= terminal (true (turn b))) {rules}"
        );
        load(&text).unwrap_or_else(|error| panic!("{error}")).start(Ends)
    };
    let (first, second) = (Some(Outcome::win(Player::FIRST)), Some(Outcome::win(Player::SECOND)));
    assert_eq!(outcome("(goal a 100) (goal b 0)"), first);
    assert_eq!(outcome("(goal a 100)"), first);
    assert_eq!(outcome("(goal a 0)"), second);
    assert_eq!(outcome("(goal b 100)"), second);
    assert_eq!(outcome("(goal b 50)"), Some(Outcome::DRAW));
    assert_eq!(outcome("(goal a 100) (goal a 50) (goal b 100)"), second);
    assert_eq!(outcome("(goal c 100)"), Some(Outcome::DRAW));
    assert_eq!(outcome("(goal a 70) (goal b 30)"), Some(Outcome::by_points(40)));
}

#[test]
fn a_role_without_a_move_and_a_choice_of_both_end_the_game_as_a_draw() {
    let game = |rules: &str| {
        format!(
            "{HEAD}(<= (legal ?p (m ?q)) (true (turn ?p)) (role ?q)) (<= terminal (true (turn c))) (<= (goal ?p 100) (role ?p)) {rules}"
        )
    };
    // Role b has nothing to wait with.
    let rules = load(&game("(<= (next (turn ?p)) (true (turn ?q)) (other ?p ?q))")).expect("rules");
    assert_eq!(rules.start(Ends), None);
    assert!(
        rules.warnings()[0]
            .ends_with("role 2 has no legal move after 0 moves of a random game, which is not over: a draw")
    );
    // Both at once, but only in positions that the rules of this game do not reach.
    let rules =
        load(&format!("{HEAD}{TURNS}(<= (legal ?p (m ?q)) (true (turn ?p)) (role ?q)) (<= terminal (true (turn c)))"));
    let both = rules.expect("rules").start(Reads("turn(a) turn(b)"));
    assert_eq!(both, Some(Outcome::DRAW));
}

struct Reads<'a>(&'a str);

impl Visitor for Reads<'_> {
    type Output = Option<Outcome>;

    fn visit<G: Game>(self, start: G) -> Self::Output {
        start.parse_position(self.0).unwrap_or_else(|error| panic!("{error}")).outcome()
    }
}
