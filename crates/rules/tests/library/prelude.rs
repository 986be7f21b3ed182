//! Every macro of the prelude, on small positions.

use plyproof_core::Game;
use plyproof_rules::rbg::{Visitor, load};

/// All boards after one move, sorted, with a sign for the result: `+` and `-` if the first player has won or lost, `=`
/// for a draw.
struct After;

impl Visitor for After {
    type Output = Vec<String>;

    fn visit<G: Game>(self, start: G) -> Self::Output {
        let mut moves = Vec::new();
        if start.outcome().is_none() {
            start.moves(&mut moves);
        }
        let after = |m| {
            let mut game = start.clone();
            game.play(m);
            let text = game.position_text();
            let sign = game.outcome().map_or("", |outcome| match outcome.winner() {
                Some(player) => ["+", "-"][player.index()],
                None => "=",
            });
            format!("{}{sign}", text.split(' ').next().unwrap_or_default())
        };
        let mut boards: Vec<String> = moves.into_iter().map(after).collect();
        boards.sort();
        boards
    }
}

const HEAD: &str =
    "#use prelude\n#players = a(100), b(100)\n#pieces = empty, foe, king, man, other\n#variables = n(3)\n";

fn text(board: &str, rules: &str) -> String {
    format!("{HEAD}#board = {board}\n#rules = {rules}\n->b anywhere [other] ->>")
}

/// Boards after one move of the first player: `.` empty, `f` foe, `k` king, `m` man, `o` other.
fn after(board: &str, rules: &str) -> Vec<String> {
    let name = |sign: char| match sign {
        'f' => "foe",
        'k' => "king",
        'm' => "man",
        'o' => "other",
        _ => "empty",
    };
    let row = |row: &str| format!("[{}]", row.chars().map(name).collect::<Vec<_>>().join(", "));
    let board = format!("squares({})", board.split('/').map(row).collect::<Vec<_>>().join(" "));
    let text = text(&board, rules);
    load(&text, &[]).unwrap_or_else(|error| panic!("{rules}: {error}")).start(After)
}

fn board(board: &str, rules: &str) -> Vec<String> {
    let text = text(board, rules);
    load(&text, &[]).unwrap_or_else(|error| panic!("{board}: {error}")).start(After)
}

#[test]
fn pieces_step_slide_and_leap() {
    let cases: &[(&str, &str, &[&str])] = &[
        ("m./..", "->a move(man; step(orthogonal); empty) ->>", &[".m/..", "../m."]),
        ("m./..", "->a move(man; step(diagonal); empty) ->>", &["../.m"]),
        ("m./..", "->a move(man; step(queenwise); empty) ->>", &["../.m", "../m.", ".m/.."]),
        ("m.f", "->a move(man; slide(orthogonal); empty, foe) ->>", &["..m", ".mf"]),
        ("mf.", "->a move(man; slide(orthogonal); empty, foe) ->>", &[".m."]),
        ("mf..", "->a move(man; slide_over(orthogonal; empty, foe); empty) ->>", &[".f.m", ".fm."]),
        (
            "m../.k./...",
            "->a move(man; slide(queenwise); empty) ->>",
            &["..m/.k./...", ".../.k./m..", ".../mk./...", ".m./.k./..."],
        ),
        ("m../.../...", "->a move(man; step(knightwise); empty) ->>", &[".../..m/...", ".../.../.m."]),
        ("mkf.", "->a move(man; leap(orthogonal; king); empty, foe) ->>", &[".km."]),
        ("m.", "->a pick(man) right [king] ->>", &[".k"]),
        ("m.", "->a place(king) ->>", &["mk"]),
        (".../m..", "->a drop(king) ->>", &["...\n", "k../m..", ".../mk.", ".../m.k"]),
        (".k/m.", "->a pick(man) up promote(up; man; king) ->>", &["kk/.."]),
        ("./m/.", "->a pick(man) down promote(down; man; king) ->>", &["././k"]),
    ];
    for (start, rules, wanted) in cases {
        let mut wanted: Vec<&str> = wanted.iter().copied().filter(|board| !board.ends_with('\n')).collect();
        wanted.sort_unstable();
        assert_eq!(after(start, rules), wanted, "{start} {rules}");
    }
}

#[test]
fn captures_by_leap_between_and_by_flips() {
    let cases: &[(&str, &str, &[&str])] = &[
        ("mf.", "->a pick(man) capture_leap(orthogonal; foe) [man] ->>", &["..m"]),
        ("mf.f.", "->a pick(man) (capture_leap(orthogonal; foe))^2 [man] ->>", &["....m"]),
        ("mff", "->a pick(man) capture_leap(orthogonal; foe) [man] ->>", &[]),
        (".fm/f../m..", "->a {empty} [man] ->> capture_between(orthogonal_pairs; foe; man)", &["m.m/.../m.."]),
        (".fmf", "->a {empty} [man] ->> capture_between(orthogonal_pairs; foe; man)", &["m.mf"]),
        (".ff", "->a {empty} [man] ->> capture_between(orthogonal_pairs; foe; man)", &["mff"]),
        (
            ".ffmm/f..../.ff..",
            "->a {empty} {? flanks(queenwise; foe; man)} ->> flip(queenwise_pairs; foe; man) [man]",
            &["mmmmm/f..../.ff.."],
        ),
        (
            ".ff/ff./m.m",
            "->a {empty} {? flanks(queenwise; foe; man)} ->> flip(queenwise_pairs; foe; man) [man]",
            &["mff/mm./m.m"],
        ),
        (".f.", "->a {empty} {? flanks(queenwise; foe; man)} ->> flip(queenwise_pairs; foe; man) [man]", &[]),
    ];
    for (start, rules, wanted) in cases {
        assert_eq!(after(start, rules), *wanted, "{start} {rules}");
    }
}

/// Whether `condition` holds at the first cell of a board.
fn holds(start: &str, condition: &str) -> bool {
    match after(start, &format!("->a {{? {condition}}} [king] ->>")).len() {
        0 => false,
        1 => true,
        more => panic!("{more} ways through {condition}"),
    }
}

#[test]
fn conditions_say_what_is_on_the_board() {
    let cases = [
        ("mmm.", "in_row(3; man; orthogonal_lines)", true),
        ("mm.m", "in_row(3; man; orthogonal_lines)", false),
        ("mmmm", "in_row(3; man; orthogonal_lines)", true),
        ("mmm.", "in_exact_row(3; man; queenwise_lines)", true),
        ("mmmm", "in_exact_row(3; man; queenwise_lines)", false),
        ("m../.m./..m", "in_row(3; man; diagonal_lines)", true),
        ("m../.m./..m", "in_row(3; man; orthogonal_lines)", false),
        ("mm/.m", "touches(orthogonal; man; down)", true),
        ("mm/f.", "touches(orthogonal; man; down)", false),
        ("mm/.m", "connects(orthogonal; man; up; down)", true),
        ("m./.m", "connects(orthogonal; man; up; down)", false),
        ("m./.m", "connects(queenwise; man; up; down)", true),
        ("m./.m", "all_connected(orthogonal; man; other)", false),
        ("m./.m", "all_connected(queenwise; man; other)", true),
        ("m.m/...", "all_connected(queenwise; man; other)", false),
        ("m..", "all_connected(queenwise; man; other)", true),
        ("...", "all_connected(queenwise; man; other)", false),
        ("m.", "reached(left)", true),
        ("m.", "reached(right)", false),
        ("m.", "none_left(foe)", true),
        ("mf", "none_left(foe)", false),
        ("mf", "full", true),
        ("m.", "full", false),
    ];
    for (board, condition, wanted) in cases {
        assert_eq!(holds(board, condition), wanted, "{board} {condition}");
    }
}

#[test]
fn games_end_as_they_say() {
    let cases: &[(&str, &str, &[&str])] = &[
        ("m.", "->a place(man) ->> win(a; b)", &["mm+"]),
        ("m.", "->a place(man) ->> win(b; a)", &["mm-"]),
        ("m.", "->a place(man) ->> draw(a; b)", &["mm="]),
        ("m.", "->a place(man) ->> leads(b; a) end_if(full)", &["mm-"]),
        ("m.", "->a place(man) ->> even(a; b) end_if(full)", &["mm="]),
        ("m.", "->a place(man) ->> win_if(full; a; b)", &["mm+"]),
        ("m.", "->a place(man) ->> win_if({? {foe}}; a; b)", &["mm"]),
        ("m.", "->a place(man) ->> draw_if(full; a; b)", &["mm="]),
        ("mf.", "->a place(man) ->> most_wins(a; man; b; foe)", &["mfm+"]),
        ("ff.", "->a place(man) ->> most_wins(a; man; b; foe)", &["ffm-"]),
        (".f", "->a place(man) ->> most_wins(a; man; b; foe)", &["mf="]),
        ("ff.", "->a place(man) ->> points(a; man; b; foe)", &["ffm-"]),
        ("m", "->a or_pass(place(king)) ->>", &["m"]),
        (".", "->a or_pass(place(king)) ->>", &["k"]),
        (".", "gain(n) ->a pay(n) place(man) ->>", &["m"]),
        (".", "->a pay(n) place(man) ->>", &[]),
        (".", "gain(n) reset(n) ->a pay(n) place(man) ->>", &[]),
        (".", "->a place(man) ->> limit(n; 1; draw(a; b))", &["m"]),
        (".", "gain(n) ->a place(man) ->> limit(n; 1; draw(a; b))", &["m="]),
        ("..", "alternate(->a place(man) ->>; ->b place(foe) ->>)", &[".m", "m."]),
        ("....", "double(->a place(man) ->>; ->b place(foe) ->>)", &["...m", "..m.", ".m..", "m..."]),
    ];
    for (start, rules, wanted) in cases {
        assert_eq!(after(start, rules), *wanted, "{start} {rules}");
    }
}

#[test]
fn boards_have_their_shapes() {
    let cells = |text: &str| board(text, "->a [man] ->>")[0].replace('m', ".");
    assert_eq!(cells("squares(repeat(2; row_of(3; empty)))"), ".../...");
    assert_eq!(cells("hexagons(rhombus(3; empty)) #anywhere = anyhex"), "./../.../../.");
    assert_eq!(cells("hexagons(hexhex(2; empty)) #anywhere = anyhex"), "../.../..");
    assert_eq!(cells("hexagons(triangle(3; empty)) #anywhere = anyhex"), "./../...");
}

#[test]
fn discs_flip_along_the_lines_of_hexagons() {
    // From the lower left: northeast a foe and then a man, northwest a foe at the rim, east a foe at the rim.
    let rules = "->a anyhex {empty} {? flanks(hexwise; foe; man)} ->> flip(hexwise_pairs; foe; man) [man]";
    let shape = "hexagons([man, man] [foe, foe, man] [empty, foe]) #anywhere = anyhex";
    assert_eq!(board(shape, rules), ["mm/fmm/mf"]);
}

#[test]
fn every_cell_can_be_chosen_on_every_board() {
    let count = |text: &str, rules: &str| board(text, rules).len();
    let holes = "squares([empty, , empty] [empty, empty, empty] [, , empty])";
    assert_eq!(count(holes, "->a anywhere [man] ->>"), 6);
    for (shape, cells) in [("rhombus(4; empty)", 16), ("hexhex(3; empty)", 19), ("triangle(4; empty)", 10)] {
        let count = count(&format!("hexagons({shape}) #anywhere = anyhex"), "->a place_hex(man) ->>");
        assert_eq!(count, cells, "{shape}");
    }
}

#[test]
fn lists_and_numbers_are_worked_out() {
    let cases: &[(&str, &[&str])] = &[
        ("->a any(d; right, right right; d [man]) ->>", &[".m.", "..m"]),
        ("->a any(there:back; right:left; there [man] back [king]) ->>", &["km."]),
        ("->a each(p; man, king; [p] right) ->>", &["mk."]),
        ("->a each(p; man, king; [p] right + {foe}) ->>", &["mk."]),
        ("->a repeat(2; [man] right) ->>", &["mm."]),
        ("->a repeat(0; [man] right) [king] ->>", &["k.."]),
        ("->a (any(d; ; d) + right [man]) ->>", &[".m."]),
        ("->a right^number(6 / 3 - 1) [man] ->>", &[".m."]),
        ("->a right^number(1 + 2 * 3 - 5) [man] ->>", &["..m"]),
        ("->a any(n; range(0; 2); right^n [man]) ->>", &["m..", ".m.", "..m"]),
        ("->a if(2 > 1; [man]; [king]) ->>", &["m.."]),
        ("->a if(exact == loose; [man]; [king]) ->>", &["k.."]),
        ("->a if(exact != loose; [man]; ) ->>", &["m.."]),
        ("->a any(way; right right; way*) [man] ->>", &["m..", "..m"]),
        ("->a any(way; right right; (way [man])*) {man} ->>", &["..m"]),
    ];
    for (rules, wanted) in cases {
        let mut wanted: Vec<&str> = wanted.to_vec();
        wanted.sort_unstable();
        assert_eq!(after("...", rules), wanted, "{rules}");
    }
    let declared = "#use prelude\n#players = a(1), b(1)\n#pieces = empty, list(n; range(1; 3); stone~n)\n\
                    #variables = list(n; range(1; 2); step~n(4)), step(3)\n#board = squares([list(2; empty)])\n\
                    #rules = ->a [list(n; range(1; 3); stone~n)] [$ step = 3] ->>";
    let rules = load(declared, &[]).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(rules.variables().len(), 5);
    assert_eq!(rules.start(After).len(), 3);
}

fn error(rules: &str) -> String {
    let text = format!("{HEAD}#board = squares([empty])\n#rules = {rules}");
    load(&text, &[]).err().map(|error| error.to_string()).unwrap_or_default()
}

#[test]
fn errors_name_the_macro_and_the_place_of_its_use() {
    let cases = [
        (
            error("->a move(man; step(orthogonal)) ->>"),
            "line 6, column 14: the macro \"move\" takes 3 arguments, and here are 2",
        ),
        (
            error("->a move(man; step(sideways); empty) ->>"),
            "line 6, column 29: \"sideways\" is neither a direction nor a macro defined above; directions: down, left, right, up (in a macro used in line 6, column 14)",
        ),
        (
            error("->a place_hex(man) ->>"),
            "line 6, column 14: \"northwest\" is neither a direction nor a macro defined above; directions: down, left, right, up (in the macro hexwise of the prelude, used here)",
        ),
        (error("->a any(d; up) ->>"), "line 6, column 14: \"any\" of the prelude takes 3 arguments, and here are 2"),
        (error("->a any([; up; d) ->>"), "line 6, column 18: expected a name for the items of the list, such as d"),
        (error("->a any(a:b; up; a) ->>"), "line 6, column 23: an item of 1 parts, and 2 names for them"),
        (error("->a up^number(1 - 2) ->>"), "line 6, column 17: -1 is below 0"),
        (
            error("->a up^number(n) ->>"),
            "line 6, column 24: expected a number that is known when the file is read, found \"n\"",
        ),
        (error("->a up^number(1 / 0) ->>"), "line 6, column 26: a division by zero, or a number of more than 62 bits"),
        (
            error("->a if({man}; up; down) ->>"),
            "line 6, column 17: expected a comparison such as size > 4: if(…) is decided when the file is read, and {? …} while a game is played",
        ),
        (error("->a repeat(2000000; ) ->>"), "line 6, column 14: the macros expand to more than 1048576 tokens"),
        (
            error("->a each(x; range(1; 3000); each(y; range(1; 3000); )) up ->>"),
            "line 6, column 38: the macros expand to more than 1048576 tokens",
        ),
    ];
    for (found, wanted) in cases {
        assert_eq!(found, wanted);
    }
    let plain = "#players = a(1), b(1)\n#use prelude and more\n";
    let found = load(plain, &[]).err().map(|error| error.to_string());
    assert_eq!(found.as_deref(), Some("line 2, column 14: expected #use prelude and a new line, found \"and\""));
}

#[test]
fn a_file_without_the_line_has_no_prelude() {
    let text = "#players = a(1), b(1)\n#pieces = empty, man\n#variables =\n#board = rectangle(up, down, left, right, [empty])\n\
                #list(x) = [x]\n#rules = ->a list(man) ->>";
    assert!(load(text, &[]).is_ok());
    let found = load(&text.replace("list(man)", "place(man)"), &[]).err().map(|error| error.to_string());
    assert!(found.is_some_and(|error| error.contains("\"place\" is neither a direction nor a macro")));
    // With it, macros of the file come before those of the prelude, and the prelude's own do not change.
    let own = format!("#use prelude\n{}", text.replace("list(man)", "place(man)").replace("#list(x)", "#place(x)"));
    assert!(load(&own, &[]).is_ok_and(|rules| rules.warnings().is_empty() && rules.constants().is_empty()));
}

#[test]
fn pieces_may_have_the_names_of_macros_with_arguments() {
    let game = |piece: &str| {
        let text = format!(
            "#use prelude\n#players = a(1), b(1)\n#pieces = empty, {piece}\n#variables = step(3)\n\
             #board = squares([list(2; empty)])\n#rules = ->a place({piece}) [$ step = 1] ->>"
        );
        load(&text, &[]).map(|rules| rules.start(After).len()).map_err(|error| error.to_string())
    };
    assert_eq!(game("king"), Ok(2));
    assert_eq!(game("drop"), Ok(2));
    let wanted = "line 3, column 18: \"full\" is a word of the prelude: choose another name";
    assert_eq!(game("full"), Err(wanted.to_string()));
}

#[test]
fn the_digest_covers_the_prelude_where_a_file_asks_for_it() {
    let of = |text: &str| {
        let rules = plyproof_rules::AnyRules::load(plyproof_rules::Language::Rbg, text, &[]).expect("rules");
        rules.digest().to_string()
    };
    let plain = "#players = a(1), b(1)\n#pieces = x\n#variables =\n#board = c [x] {}\n#rules = ->a [x] ->>";
    assert_eq!(of(plain), plyproof_rules::digest(plain));
    let asking = format!("#use prelude\n{plain}");
    assert_ne!(of(&asking), plyproof_rules::digest(&asking));
}
