//! Games that are drawn at random, with variations and everything that can be said about a move: what is written is read
//! back as the same game, and the same text is written again. Mangled files never cause a panic.

use plyproof_engine::{AnyGame, Outcome, Player, Registry, Rng, Wdl};
use plyproof_notation::{Format, GameFile, Mark, MoveTree, Notes, RecordedGame};

/// Games of every kind of notation, small ones so that they come to their ends.
const GAMES: [&str; 8] = [
    "breakthrough(size=3x5)",
    "awari",
    "minishogi",
    "minishogi(repetition=standard)",
    "gomoku(size=5)",
    "hex(size=4)",
    "amazons(size=6)",
    "connect4(width=4,height=3)",
];

const COMMENTS: [&str; 8] = [
    "",
    "plain",
    "two\nlines",
    "(not) a [variation] {nor} a \"text\"",
    "back\\slash } and ] and : ;",
    "Zürich ½ 将棋 🙂",
    "1. e4 1-0 * $7 !?",
    "\nlast\n\nline",
];

/// What a format can hold.
#[derive(Clone, Copy, PartialEq)]
struct Holds {
    notes: bool,
    own_start: bool,
    tabs: bool,
    blank_lines: bool,
}

fn random_game(start: &str, rng: &mut Rng, holds: Holds) -> RecordedGame {
    let own = Registry::builtin().open(start).expect("a game");
    let mut game = RecordedGame::new(own.clone());
    if holds.own_start && rng.below(3) == 0 {
        let mut position = own.clone();
        for text in own.random_opening(rng, 3, 100).unwrap_or_default() {
            position.play(&text).expect("legal");
        }
        game = RecordedGame::from_position(own, position);
    }
    for (name, value) in [("First", "Ada \"A\" \\ L."), ("Seed", "7"), ("Zone", "x:y]z"), ("Event", "Ü")] {
        if rng.below(2) == 0 {
            game.headers.set(name, value).expect("a sound header");
        }
    }
    if rng.below(2) == 0 {
        game.tree.notes_mut(MoveTree::ROOT).set_comment(COMMENTS[rng.below(COMMENTS.len() - 1)]);
    }
    let mut open: Vec<(_, Box<dyn AnyGame>)> = vec![(MoveTree::ROOT, game.start().clone_box())];
    for _ in 0..1 + rng.below(40) {
        let place = if rng.below(4) == 0 { rng.below(open.len()) } else { open.len() - 1 };
        let (node, position) = &open[place];
        let moves = position.legal_moves();
        if moves.is_empty() {
            continue;
        }
        let text = &moves[rng.below(moves.len())];
        let mut next = position.clone();
        next.play(text).expect("legal");
        let added = game.tree.add(*node, text).expect("room");
        if rng.below(3) == 0 {
            say(game.tree.notes_mut(added), rng, holds);
        }
        open.push((added, next));
    }
    let end = game.position(game.tree.last()).expect("legal moves");
    let results = [None, Some(Outcome::DRAW), Some(Outcome::win(Player::FIRST)), Some(Outcome::win(Player::SECOND))];
    game.result = end.outcome().or(results[rng.below(4)]);
    game.check().expect("a sound game");
    game
}

fn say(notes: &mut Notes, rng: &mut Rng, holds: Holds) {
    let comments = if holds.blank_lines { COMMENTS.len() } else { COMMENTS.len() - 1 };
    notes.set_comment(COMMENTS[rng.below(comments)]);
    if holds.tabs && rng.below(4) == 0 {
        notes.add_comment("a\ttab");
    }
    if holds.notes {
        notes.mark = (rng.below(2) == 0).then(|| Mark::ALL[rng.below(6)]);
        notes.set_value((rng.below(2) == 0).then(|| rng.below(2001) as f64 / 1000.0 - 1.0));
        notes.proven = [None, Some(Wdl::Win), Some(Wdl::Draw), Some(Wdl::Loss)][rng.below(4)];
        notes.simulations = (rng.below(2) == 0).then(|| rng.below(100_000) as u64);
        notes.set_seconds((rng.below(2) == 0).then(|| rng.below(100_000) as f64 / 999.0));
    }
}

fn read(text: String) -> Result<Vec<RecordedGame>, String> {
    let registry = Registry::builtin();
    let opened = GameFile::open(&registry, std::io::Cursor::new(text)).expect("memory is readable");
    let mut file = opened.map_err(|error| error.to_string())?;
    let mut games = Vec::new();
    while let Some(game) = file.next_game().map_err(|error| error.to_string())? {
        games.push(game);
    }
    Ok(games)
}

#[track_caller]
fn round_trip(format: Format, names: &[&str], count: usize, holds: Holds) -> Vec<String> {
    let mut rng = Rng::new(17);
    let mut texts = Vec::new();
    for name in names {
        let games: Vec<RecordedGame> = (0..count).map(|_| random_game(name, &mut rng, holds)).collect();
        let each: Vec<String> = games.iter().map(|game| format.text(game).expect("can be written")).collect();
        let together = if format == Format::Kif { each.clone() } else { vec![each.concat()] };
        let mut back = Vec::new();
        for text in together {
            back.extend(read(text.clone()).unwrap_or_else(|error| panic!("{error}\n{text}")));
        }
        assert_eq!(back.len(), games.len());
        for ((game, back), text) in games.iter().zip(&mut back).zip(&each) {
            if format == Format::Kif {
                // The word for the end of a game says why it ended, whatever our game says.
                back.headers.set("Reason", "").expect("a sound header");
            }
            assert_eq!(game, back, "{text}");
            assert_eq!(&format.text(back).expect("can be written"), text, "written again");
        }
        texts.extend(each);
    }
    texts
}

const ALL: Holds = Holds { notes: true, own_start: true, tabs: true, blank_lines: true };

#[test]
fn every_game_is_read_back_as_it_was_written() {
    let texts = round_trip(Format::Games, &GAMES, 25, ALL);
    assert!(texts.iter().all(|text| text.ends_with("\n\n") && !text.contains("\n\n\n[")));
    assert!(texts.iter().any(|text| text.contains("((") || text.contains(") (")), "variations were drawn");
}

#[test]
fn gomoku_and_hex_are_read_back_from_sgf() {
    let names = ["gomoku(size=5)", "gomoku(size=6,exact=false)", "hex(size=4)", "hex(size=12)"];
    let texts = round_trip(Format::Sgf, &names, 25, Holds { tabs: false, ..ALL });
    assert!(texts.iter().any(|text| text.contains("AB[") && text.contains("PL[W]")), "own start positions were drawn");
}

#[test]
fn minishogi_is_read_back_from_kif() {
    let names = ["minishogi", "minishogi(repetition=standard)"];
    let texts =
        round_trip(Format::Kif, &names, 40, Holds { notes: false, own_start: false, tabs: true, blank_lines: false });
    for part in ["変化：", "打\n", "成(", "*plain\n", "中断\n"] {
        assert!(texts.iter().any(|text| text.contains(part)), "{part} was not drawn");
    }
}

#[test]
fn the_moves_of_minishogi_are_read_back_from_usi() {
    let mut rng = Rng::new(3);
    for _ in 0..40 {
        let game = random_game("minishogi", &mut rng, ALL);
        let text = Format::Usi.text(&game).expect("can be written");
        let back = read(text.clone()).unwrap_or_else(|error| panic!("{error}\n{text}"));
        assert_eq!((back.len(), back[0].moves().collect::<Vec<_>>()), (1, game.moves().collect::<Vec<_>>()));
        assert_eq!(back[0].start().position_text(), game.start().position_text());
        assert_eq!(Format::Usi.text(&back[0]).expect("can be written"), text);
    }
}

#[test]
fn mangled_files_are_read_or_refused_in_one_line() {
    let mut rng = Rng::new(5);
    let (mut read_anyway, mut refused) = (0, 0);
    for format in Format::ALL {
        let name = ["awari", "hex(size=4)", "minishogi", "minishogi"]
            [Format::ALL.iter().position(|f| *f == format).expect("a format")];
        for _ in 0..60 {
            let holds = Holds { own_start: format != Format::Kif, ..ALL };
            let text = format.text(&random_game(name, &mut rng, holds)).expect("can be written");
            for _ in 0..10 {
                match read(mangled(&text, &mut rng)) {
                    Ok(games) => {
                        read_anyway += 1;
                        for game in games {
                            game.check().expect("what was read is a sound game");
                        }
                    }
                    Err(error) => {
                        refused += 1;
                        assert!(error.starts_with("line ") && error.contains(", column "), "{error}");
                        assert!(!error.contains(char::is_control) && error.chars().count() < 1500, "{error:?}");
                    }
                }
            }
        }
    }
    assert!(read_anyway > 100 && refused > 100, "{read_anyway} {refused}");
}

/// The text with a few characters taken away, doubled, exchanged or replaced.
fn mangled(text: &str, rng: &mut Rng) -> String {
    let signs: Vec<char> = "()[]{};\"\\!?$*-./ \n\t0123456789abcdefBWx:：手同\u{0}\u{7f}🙂".chars().collect();
    let mut letters: Vec<char> = text.chars().collect();
    for _ in 0..1 + rng.below(3) {
        let at = rng.below(letters.len().max(1)).min(letters.len().saturating_sub(1));
        match rng.below(5) {
            0 if !letters.is_empty() => drop(letters.remove(at)),
            1 if !letters.is_empty() => letters.insert(at, letters[at]),
            2 if !letters.is_empty() => letters[at] = signs[rng.below(signs.len())],
            3 if letters.len() > 1 => letters.swap(at, 0),
            _ if rng.below(10) == 0 => letters.truncate(at),
            _ => letters.insert(at, signs[rng.below(signs.len())]),
        }
    }
    letters.into_iter().collect()
}
