//! Errors name the place and what would be right.

use plyproof_rules::rbg::load;

const HEAD: &str = "#players = a(1), b(1)\n#pieces = e, x\n#variables = n(3)\n";
const BOARD: &str = "#board = rectangle(up, down, left, right, [e, e] [e, x])\n";

fn error(text: &str) -> String {
    load(text, &[]).err().map(|error| error.to_string()).unwrap_or_default()
}

#[test]
fn errors_have_a_place_and_a_remedy() {
    let rules = |rules: &str| error(&format!("{HEAD}{BOARD}#rules = {rules}"));
    let cases = [
        (
            rules("->a upp [x] ->>"),
            "line 5, column 14: \"upp\" is neither a direction nor a macro defined above; directions: down, left, right, up",
        ),
        (rules("->a {y} ->>"), "line 5, column 15: \"y\" is no piece of #pieces"),
        (rules("->c [x] ->>"), "line 5, column 12: \"c\" is no player of #players"),
        (rules("->a x ->>"), "line 5, column 14: \"x\" is a piece: expected {x} or [x]"),
        (rules("->a [$ m = 1] ->>"), "line 5, column 17: \"m\" is neither a variable nor a player"),
        (rules("->a [$ n + 1] ->>"), "line 5, column 19: expected =, found \"+\""),
        (rules("->a {$ n + 1} ->>"), "line 5, column 22: expected ==, !=, <, <=, > or >=, found \"}\""),
        (rules("->a (up + ) ->>"), "line 5, column 20: expected an action (a dot does nothing), found \")\""),
        (rules("->a (up"), "line 5, column 15: expected ) after this"),
        (rules("->a {? ->> } ->>"), "line 5, column 17: a switch of the player inside of a look-ahead {? …} or {! …}"),
        (rules("->a up^x ->>"), "line 5, column 17: expected a number, found \"x\""),
        (rules("up ->> left"), "line 5, column 2: no player ever chooses: expected ->player somewhere in #rules"),
        (rules(""), "line 5, column 2: the section #rules is empty"),
        (rules("->a § ->>"), "line 5, column 14: \"§\" is no part of the language of rules"),
        (rules("->a /* ->>"), "line 5, column 14: this comment has no end: expected */"),
        (format!("x{HEAD}"), ""),
        (error("players = a(1)"), "line 1, column 1: expected #, found \"players\""),
        (error(""), "line 1, column 1: the file is empty: expected #players = … and four more sections"),
        (error(HEAD), "line 4, column 1: no section #board = …"),
        (error(&format!("{HEAD}{BOARD}{BOARD}#rules = ->a")), "line 5, column 2: a second section board"),
        (
            error(&format!("#players = a(1)\n#pieces = e\n#variables =\n{BOARD}#rules = ->a")),
            "line 4, column 54: \"x\" is no piece of #pieces",
        ),
        (
            error(&format!("#players = a(1), b(1), c(1)\n#pieces = e, x\n#variables =\n{BOARD}#rules = ->a up ->>")),
            "line 1, column 2: 3 players in #players: only games of two players are played",
        ),
        (
            error(&format!("{HEAD}#board = rectangle(up, down, left, right, [e, e] [e])\n#rules = ->a")),
            "line 4, column 50: this line has 1 places, the first one 2",
        ),
        (
            error(&format!("{HEAD}#board = c [e] {{next: d}}\n#rules = ->a")),
            "line 4, column 23: no cell is called \"d\"",
        ),
        (
            error(&format!("{HEAD}#board = hexagon(a1, b1, c1, d1, e1, f1, [e] [e, e, e])\n#rules = ->a")),
            "line 4, column 42: row 2 of the hexagon has 3 cells after a row of 1: expected rows that grow by one, then shrink by one",
        ),
        (
            error(&format!("{HEAD}{BOARD}#go(way) = way way\n#rules = ->a go(up; down) ->>")),
            "line 6, column 14: the macro \"go\" takes 1 arguments, and here are 2",
        ),
        (
            error(&format!("{HEAD}{BOARD}#go(way) = way {{y}}\n#rules = ->a go(up) ->>")),
            "line 5, column 17: \"y\" is no piece of #pieces (in a macro used in line 6, column 14)",
        ),
        (
            error(&format!("{HEAD}{BOARD}#go = up ~\n#rules = ->a go ->>")),
            "line 5, column 10: ~ pastes two tokens: expected a name after it",
        ),
        (
            error(&format!("{HEAD}{BOARD}#go = up ~ {{x}}\n#rules = ->a go ->>")),
            "line 5, column 12: ~ cannot paste \"up\" and \"{\": expected names or numbers (in a macro used in line 6, column 14)",
        ),
    ];
    for (found, wanted) in cases {
        assert!(wanted.is_empty() || found == wanted, "{found:?}, expected {wanted:?}");
        assert!(!found.is_empty(), "no error, expected {wanted:?}");
    }
}

#[test]
fn an_unknown_override_names_the_macros_that_there_are() {
    let text = format!("{HEAD}{BOARD}#goal = n\n#rules = ->a {{$ goal == 0}} up ->>");
    let change = |key: &str, value: &str| load(&text, &[(key.to_string(), value.to_string())]);
    let found = change("gaol", "2").err().map(|error| error.to_string());
    assert_eq!(found.as_deref(), Some("no macro without parameters is called \"gaol\"; there are: goal"));
    assert_eq!(change("goal", "2").map(|rules| rules.constants().to_vec()), Ok(vec![("goal".into(), "2".into())]));
    let found = change("goal", "2 #rules = up").err().map(|error| error.to_string());
    assert_eq!(found.as_deref(), Some("line 5, column 2: the value of goal may not hold #"));
}
