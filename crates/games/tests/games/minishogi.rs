//! MiniShogi: counts from other engines, the contract, each odd rule on a board made for it, and a slow generator
//! written from the rules alone.

use std::collections::BTreeSet;

use plyproof_core::contract::{Contract, check, mangle};
use plyproof_core::perft::perft;
use plyproof_core::spec::{Params, Spec};
use plyproof_core::{Game, Outcome, Player, Rng};
use plyproof_games::minishogi::{MINISHOGI, MiniShogi};

fn start(spec: &str) -> MiniShogi {
    MiniShogi::start(&Params::resolve(&MINISHOGI, &Spec::parse(spec).expect(spec)).expect(spec))
}

fn position(sfen: &str) -> MiniShogi {
    start("minishogi").parse_position(sfen).expect(sfen)
}

fn moves(game: &MiniShogi) -> BTreeSet<String> {
    let mut moves = Vec::new();
    game.moves(&mut moves);
    moves.into_iter().map(|m| game.move_text(m)).collect()
}

/// The legal moves that begin so, without that beginning.
fn moves_from(sfen: &str, from: &str) -> String {
    let all = moves(&position(sfen));
    all.iter().filter_map(|m| m.strip_prefix(from)).collect::<Vec<_>>().join(" ")
}

fn play(game: &mut MiniShogi, texts: &str) {
    for text in texts.split_ascii_whitespace() {
        assert_eq!(game.outcome(), None, "before {text}");
        game.play(game.parse_move(text).expect(text));
    }
}

#[test]
fn perft_agrees_with_fairy_stockfish_and_ludii() {
    for (depth, nodes) in (1..).zip([14, 181, 2512, 35401, 533_203]) {
        assert_eq!(perft(&start("minishogi"), depth).nodes, nodes, "depth {depth}");
    }
}

#[test]
fn minishogi_keeps_the_contract() {
    for spec in ["minishogi", "minishogi(repetition=standard)"] {
        if let Err(broken) = check(&start(spec), &Contract { playouts: 2000, ..Contract::default() }) {
            panic!("{broken}");
        }
    }
}

#[test]
fn odd_positions_keep_the_contract() {
    for sfen in [
        "4k/5/5/5/K4 b 2R2B2G2S2P 1",
        "4k/5/5/5/K4 w 2R2B2G2S2P 1",
        "+R+B+S+pk/5/5/5/K+P+s+b+r w 2G 1",
        "1RB1k/SGP2/3P1/GS3/K1BR1 b - 1",
        "4k/5/5/5/K4 b - 1",
        "r3k/5/5/5/K4 b - 1",
    ] {
        // Without the rule of repetition bare kings play on for ever: keep those games short.
        let contract = Contract { games: 4, playouts: 400, ply_limit: 300, ..Contract::default() };
        for spec in ["minishogi", "minishogi(repetition=standard)"] {
            let game = start(spec).parse_position(sfen).expect(sfen);
            if let Err(broken) = check(&game, &contract) {
                panic!("{spec}: {broken}");
            }
        }
    }
}

#[test]
fn a_pawn_drop_may_check_but_not_mate() {
    for (sfen, allowed) in [
        ("3pk/5/3G1/5/K4 b P 1", false),
        // The king can go to d5.
        ("4k/5/3G1/5/K4 b P 1", true),
        // The rook can take the pawn, and so can the silver, unless it is pinned.
        ("3pk/r4/3G1/5/1K3 b P 1", true),
        ("3sk/5/3G1/5/K4 b P 1", true),
        ("R2sk/5/3G1/5/K4 b P 1", false),
        // Nobody guards the pawn.
        ("3pk/5/5/3G1/K4 b P 1", true),
        // The same for the second player.
        ("4k/5/1g3/5/KP3 w p 1", false),
        ("4k/5/1g3/5/K4 w p 1", true),
    ] {
        let drop = if sfen.contains(" b ") { "P*e4" } else { "P*a2" };
        assert_eq!(moves(&position(sfen)).contains(drop), allowed, "{drop} in {sfen}");
    }
    // Mate with any other piece, or with a pawn that was on the board, is fine.
    let mut game = position("3pk/5/3G1/5/K4 b G 1");
    play(&mut game, "G*e4");
    assert_eq!(game.outcome(), Some(Outcome::win(Player::FIRST)));
    let mut game = position("3pk/5/3GP/5/K4 b - 1");
    play(&mut game, "e3e4");
    assert_eq!(game.outcome(), Some(Outcome::win(Player::FIRST)));
}

#[test]
fn a_file_holds_one_unpromoted_pawn_a_side() {
    let rank = |n: u32| ["b", "c", "d", "e"].map(|file| format!("{file}{n}"));
    let mut elsewhere: Vec<String> = (1..=4).flat_map(rank).collect();
    elsewhere.sort();
    assert_eq!(moves_from("4k/5/5/P4/K4 b P 1", "P*"), elsewhere.join(" "));
    assert_eq!(moves_from("4k/5/5/p4/1K3 b P 1", "P*a"), "1 3 4");
    assert_eq!(moves_from("4k/5/5/+P4/K4 b P 1", "P*a"), "3 4");
    assert_eq!(moves_from("4k/p4/5/5/1K3 w p 1", "P*a"), "");
    assert_eq!(moves_from("4k/5/5/5/1K3 w p 1", "P*a"), "2 3 4 5");
}

#[test]
fn pawns_must_promote_and_golds_and_kings_cannot() {
    assert_eq!(moves_from("4k/P4/5/5/K4 b - 1", "a4"), "a5+");
    assert_eq!(moves_from("4k/5/5/4p/K4 w - 1", "e2"), "e1+");
    assert_eq!(moves_from("4k/5/P4/5/K4 b - 1", "a3"), "a4");
    assert_eq!(moves_from("4k/G4/5/5/K4 b - 1", "a4"), "a3 a5 b4 b5");
    assert_eq!(moves_from("4k/+P4/5/5/K4 b - 1", "a4"), "a3 a5 b4 b5");
    assert_eq!(moves_from("4k/K4/5/5/5 b - 1", "a4"), "a3 a5 b3 b4 b5");
}

#[test]
fn promotion_is_a_choice_into_within_and_out_of_the_last_rank() {
    assert_eq!(moves_from("4k/S4/5/5/K4 b - 1", "a4"), "a5 a5+ b3 b5 b5+");
    assert_eq!(moves_from("S3k/5/5/5/K4 b - 1", "a5"), "b4 b4+");
    assert_eq!(moves_from("R2pk/5/5/5/1K3 b - 1", "a5b"), "5 5+");
    assert_eq!(moves_from("4k/5/5/5/K2s1 w - 1", "d1"), "c2 c2+ e2 e2+");
    assert_eq!(moves_from("+S3k/5/5/5/K4 b - 1", "a5"), "a4 b5");
}

#[test]
fn captured_pieces_change_sides_unpromoted() {
    let mut game = position("4k/5/5/+r4/K4 b - 1");
    play(&mut game, "a1a2");
    assert_eq!(game.position_text(), "4k/5/5/K4/5 w R 1");
    play(&mut game, "e5d5 R*a5");
    assert_eq!(game.position_text(), "R2k1/5/5/K4/5 w - 1");
}

#[test]
fn a_pinned_piece_stays_on_its_line() {
    assert_eq!(moves_from("r3k/5/5/S4/K4 b - 1", "a2"), "a3");
    assert_eq!(moves_from("4k/5/2b2/1R3/K4 b - 1", "b2"), "");
    assert_eq!(moves_from("3k1/5/2+b2/1B3/K4 b - 1", "b2"), "c3");
    // Two pieces in between: neither is pinned. A rook does not pin along a diagonal.
    assert_eq!(moves_from("r3k/5/P4/S4/K4 b - 1", "a2"), "b1 b3");
    assert_eq!(moves_from("4k/5/2r2/1S3/K4 b - 1", "b2"), "a3 b3 c1 c3");
}

#[test]
fn a_check_is_answered_by_taking_blocking_or_running() {
    let single = "r3k/5/5/5/K3B b S 1";
    assert_eq!(
        moves(&position(single)).into_iter().collect::<Vec<_>>().join(" "),
        "S*a2 S*a3 S*a4 a1b1 a1b2 e1a5 e1a5+"
    );
    // Two at once: only the king helps, and not behind itself on the same line.
    let double = "r3k/5/2b2/5/K2G1 b G 1";
    assert_eq!(moves(&position(double)).into_iter().collect::<Vec<_>>(), ["a1b1"]);
    let behind = "r3k/5/K4/5/5 b - 1";
    assert_eq!(moves(&position(behind)).into_iter().collect::<Vec<_>>().join(" "), "a3b2 a3b3 a3b4");
}

#[test]
fn a_player_without_a_move_loses_in_check_or_not() {
    let stalemate = position("1r2k/5/g4/5/K4 b - 1");
    assert_eq!(stalemate.outcome(), Some(Outcome::win(Player::SECOND)));
    assert!(moves(&stalemate).is_empty());
    assert_eq!(position("1r2k/5/g4/5/K4 b P 1").outcome(), None);
    assert_eq!(position("4k/3G1/4G/5/K4 w - 1").outcome(), Some(Outcome::win(Player::FIRST)), "mate");
}

#[test]
fn the_fourth_time_a_position_occurs_loses_for_the_first_player() {
    let cycle = "e1e2 a5a4 e2e1 a4a5 ";
    let mut game = start("minishogi(repetition=standard)");
    play(&mut game, &cycle.repeat(3));
    assert_eq!(game.outcome(), Some(Outcome::win(Player::SECOND)));
    assert!(moves(&game).is_empty());
    assert!(game.position_text().starts_with("rbsgk/4p/5/P4/KGSBR b - 1 moves e1e2 a5a4 e2e1"));
    let mut game = start("minishogi");
    play(&mut game, &cycle.repeat(5));
    assert_eq!((game.outcome(), game.key()), (None, start("minishogi").key()));
}

#[test]
fn whoever_does_nothing_but_give_check_loses_by_repetition() {
    let standard = start("minishogi(repetition=standard)");
    for (sfen, before, cycle, winner) in [
        // The second player checks with every move.
        ("r3k/5/5/5/K4 b - 1", "", "a1b1 a5b5 b1a1 b5a5", Player::FIRST),
        // One quiet move in each round.
        ("r3k/5/5/5/K4 b - 1", "", "a1b1 a5c5 b1a1 c5a5", Player::SECOND),
        // A quiet move before the first occurrence does not count.
        ("2r1k/5/5/5/K4 w - 1", "c5d5 a1b1 d5b5", "b1a1 b5a5 a1b1 a5b5", Player::FIRST),
        // The first player checks with every move, or nobody does.
        ("4k/5/5/5/K3R w - 1", "", "e5d5 e1d1 d5e5 d1e1", Player::SECOND),
        ("4k/5/5/5/K4 w - 1", "", "e5d5 a1b1 d5e5 b1a1", Player::SECOND),
    ] {
        let mut game = standard.parse_position(sfen).expect(sfen);
        play(&mut game, before);
        play(&mut game, &[cycle; 3].join(" "));
        assert_eq!(game.outcome(), Some(Outcome::win(winner)), "{sfen} {before} {cycle}");
    }
}

#[test]
fn a_copy_over_an_old_position_has_its_past_too() {
    let mut old = start("minishogi(repetition=standard)");
    let mut game = old.clone();
    play(&mut old, "a2a3 e4e3");
    play(&mut game, "e1e2 a5a4 e2e1");
    old.clone_from(&game);
    assert_eq!((old.position_text(), old.key(), old.outcome()), (game.position_text(), game.key(), None));
}

#[test]
fn positions_are_read_with_dots_and_any_counter() {
    for text in [
        "rbsgk/4p/5/P4/KGSBR b -",
        "rbsgk/....p/2.11/P4/KGSBR b - 99999999999999999999999",
        " rbsgk/4p/5/P4/KGSBR  b - 7 moves ",
    ] {
        assert_eq!(position(text).position_text(), "rbsgk/4p/5/P4/KGSBR b - 1", "{text}");
    }
    assert_eq!(position("4k/5/5/5/K4 w p2rPbBG").position_text(), "4k/5/5/5/K4 w BGP2rbp 1");
}

#[test]
fn impossible_positions_are_refused_in_one_line() {
    for (text, part) in [
        ("4k/5/5/5/5 b - 1", "player 1 has no king"),
        ("4k/5/5/5/K3K b - 1", "player 1 has two kings"),
        ("5/5/5/5/K4 b - 1", "player 2 has no king"),
        ("4k/5/5/5/K+R1rR b - 1", "more than two rooks"),
        ("4k/5/5/5/K4 b 2Pp 1", "more than two pawns"),
        ("4k/5/5/+P4/K4 b 999999999999999999999p 1", "more than two pawns"),
        ("P3k/5/5/5/K4 b - 1", "last rank"),
        ("4k/5/5/5/K3p b - 1", "last rank"),
        ("4k/P4/P4/5/K4 b - 1", "two pawns on a file"),
        ("4k/5/5/5/K3R b - 1", "the king of player 2 could be taken"),
        ("5/5/5/3k1/3K1 w - 1", "could be taken"),
        ("4k/5/5/5/K+G3 b - 1", "\"G\" is none of"),
        ("4k/5/5/5/K+1+R1 b - 1", "\"1\" is none of"),
        ("4k/5/5/5/K3+ b - 1", "rank 1 has not 5 squares"),
        ("4k/5/5/6/K4 b - 1", "rank 2 has not 5 squares"),
        ("4kg/5/5/5/K4 b - 1", "rank 5 has not 5 squares"),
        ("4k/5/5/K4 b - 1", "5 ranks"),
        ("4k/5/5/5/K4/5 b - 1", "more than 5 ranks"),
        ("4k/5/5/5/K4 x - 1", "side to move"),
        ("4k/5/5/5/K4 b K 1", "what the players hold"),
        ("4k/5/5/5/K4 b 2 1", "what the players hold"),
        ("4k/5/5/5/K4 b 0P 1", "what the players hold"),
        ("4k/5/5/5/K4 b - 1 2", "expected SFEN"),
        ("4k/5/5/5/K4", "expected SFEN"),
        ("", "expected SFEN"),
        ("4k/5/5/5/K4 b - 1 moves a1a1", "not a legal move"),
    ] {
        let error = start("minishogi").parse_position(text).expect_err(text).to_string();
        assert!(error.contains(part) && !error.contains('\n'), "{text}: {error}");
    }
}

#[test]
fn large_texts_are_refused_at_once() {
    let long = "e1e2 a5a4 e2e1 a4a5 ".repeat(500_000);
    for text in ["x".repeat(10_000_000), "k/".repeat(5_000_000), format!("rbsgk/4p/5/P4/KGSBR b - 1 moves {long}")] {
        for spec in ["minishogi", "minishogi(repetition=standard)"] {
            let error = start(spec).parse_position(&text).expect_err("too long").to_string();
            assert!(error.len() < 400, "{error}");
            assert!(start(spec).parse_move(&text).is_err());
        }
    }
}

#[test]
fn moves_are_read_and_written_as_usi_too() {
    for (sfen, own, usi) in [
        ("rbsgk/4p/5/P4/KGSBR b - 1", "a2a3", "5d5c"),
        ("4k/2S2/5/5/K4 b - 1", "c4c5+", "3b3a+"),
        ("4k/5/5/5/K4 b P 1", "P*c3", "P*3c"),
        ("4k/5/5/5/K4 w - 1", "e5e4", "1a1b"),
    ] {
        let game = position(sfen);
        let m = game.parse_move(own).expect(own);
        assert_eq!(game.parse_move(usi), Ok(m));
        assert_eq!(game.move_text_in("usi", m).as_deref(), Some(usi));
        assert_eq!(game.move_text_in("csa", m), None);
        assert_eq!(game.position_text_in("usi").as_deref(), Some(sfen));
    }
    for wrong in
        ["", "a", "a2", "a2a", "a2a3+", "a2a3++", "p*c3", "K*c3", "P*c", "P*c33", "é2a3", "a2é3", "6d6c", "**c3"]
    {
        let error = start("minishogi").parse_move(wrong).expect_err(wrong).to_string();
        assert!(error.contains("legal"), "{error}");
    }
}

#[test]
fn the_board_shows_promotion_and_both_hands() {
    assert_eq!(
        position("4k/5/2+R2/5/K1+s2 w 2Pb 1").board(),
        [
            " 5  .  .  .  .  k",
            " 4  .  .  .  .  .",
            " 3  .  . +R  .  .",
            " 2  .  .  .  .  .",
            " 1  K  . +s  .  .",
            "    a  b  c  d  e",
            "in hand: first player 2P, second player b",
        ]
        .join("\n")
    );
}

#[test]
fn a_slow_generator_made_from_the_rules_finds_the_same_moves() {
    let (mut rng, mut compared, mut ended) = (Rng::new(11), 0, 0);
    while compared < 20_000 {
        let text = random_position(&mut rng);
        let Ok(game) = start("minishogi").parse_position(&text) else { continue };
        compared += 1;
        let by_rules = Slow::read(&text).legal();
        assert_eq!(moves(&game), by_rules, "{text}");
        assert_eq!(game.outcome().is_some(), by_rules.is_empty(), "{text}");
        ended += u32::from(by_rules.is_empty());
        // Whatever is read can be played to the end, and damaged text never panics.
        let length = game.clone().playout(&mut rng, 100).plies;
        assert_eq!(length == 0, by_rules.is_empty(), "{text}");
        let _ = game.parse_position(&mangle(&text, &mut rng));
    }
    assert!(ended > 20, "positions without moves were among them: {ended}");
}

/// SFEN of kings and other pieces thrown on the board or into hands. Often not a possible position.
fn random_position(rng: &mut Rng) -> String {
    let mut cells = vec![String::from("."); 25];
    let mut hands = String::new();
    // Crowding pieces near the second king makes mates and pins frequent.
    let crowded = rng.below(2) == 0;
    for kind in ["K", "k", "P", "P", "S", "S", "G", "G", "B", "B", "R", "R"] {
        let piece = if kind.eq_ignore_ascii_case("k") || rng.below(2) == 0 { kind.into() } else { kind.to_lowercase() };
        let at = rng.below(if crowded { 15 } else { 25 });
        match rng.below(4) {
            0 if !kind.eq_ignore_ascii_case("k") => hands.push_str(&piece),
            1 if !"KkG".contains(kind) => cells[at] = format!("+{piece}"),
            _ => cells[at] = piece,
        }
    }
    let rows: Vec<String> = cells.chunks(5).map(|row| row.concat()).collect();
    let hands = if hands.is_empty() { "-" } else { &hands };
    format!("{} {} {hands}", rows.join("/"), ["b", "w"][rng.below(2)])
}

/// A position as a plain grid; `[rank][file]`, letters as in SFEN, promoted pieces with 128 added.
#[derive(Clone)]
struct Slow {
    cells: [[u8; 5]; 5],
    hands: Vec<u8>,
    mover: usize,
}

const PROMOTED: u8 = 128;
/// Rank and file, counted from 0; perhaps beyond the edge.
type At = (i32, i32);

impl Slow {
    fn read(text: &str) -> Self {
        let words: Vec<&str> = text.split(' ').collect();
        let mut cells = [[0; 5]; 5];
        for (row, rank) in words[0].split('/').zip((0..5).rev()) {
            let (mut file, mut promoted) = (0, 0);
            for sign in row.bytes() {
                if sign == b'+' {
                    promoted = PROMOTED;
                    continue;
                }
                cells[rank][file] = if sign == b'.' { 0 } else { sign + promoted };
                (file, promoted) = (file + 1, 0);
            }
        }
        let hands = words[2].bytes().filter(|&b| b != b'-').collect();
        Self { cells, hands, mover: usize::from(words[1] == "w") }
    }

    fn owner(cell: u8) -> Option<usize> {
        (cell != 0).then(|| usize::from((cell & !PROMOTED).is_ascii_lowercase()))
    }

    /// Squares a piece could go to, own pieces and kings' safety aside.
    fn targets(&self, rank: i32, file: i32) -> Vec<At> {
        let cell = self.cells[rank as usize][file as usize];
        let up = if Self::owner(cell) == Some(0) { 1 } else { -1 };
        let straight = [(1, 0), (-1, 0), (0, 1), (0, -1)];
        let diagonal = [(1, 1), (1, -1), (-1, 1), (-1, -1)];
        let gold = vec![(up, 0), (up, 1), (up, -1), (0, 1), (0, -1), (-up, 0)];
        let everywhere = [straight, diagonal].concat();
        let (steps, slides) = match ((cell & !PROMOTED).to_ascii_uppercase(), cell & PROMOTED != 0) {
            (b'P', false) => (vec![(up, 0)], vec![]),
            (b'S', false) => (vec![(up, 0), (up, 1), (up, -1), (-up, 1), (-up, -1)], vec![]),
            (b'G', _) | (b'P' | b'S', true) => (gold, vec![]),
            (b'B', false) => (vec![], diagonal.to_vec()),
            (b'B', true) => (straight.to_vec(), diagonal.to_vec()),
            (b'R', false) => (vec![], straight.to_vec()),
            (b'R', true) => (diagonal.to_vec(), straight.to_vec()),
            _ => (everywhere, vec![]),
        };
        let inside = |(r, f): At| (0..5).contains(&r) && (0..5).contains(&f);
        let mut found: Vec<_> = steps.iter().map(|s| (rank + s.0, file + s.1)).filter(|&at| inside(at)).collect();
        for way in slides {
            let mut at = (rank + way.0, file + way.1);
            while inside(at) {
                found.push(at);
                if self.cells[at.0 as usize][at.1 as usize] != 0 {
                    break;
                }
                at = (at.0 + way.0, at.1 + way.1);
            }
        }
        found
    }

    /// Whether the player to move could take the enemy king.
    fn takes_king(&self) -> bool {
        self.steps().iter().any(|&(_, _, to)| self.cells[to.0 as usize][to.1 as usize].eq_ignore_ascii_case(&b'k'))
    }

    /// Piece, from and to of all board moves, kings' safety aside.
    fn steps(&self) -> Vec<(u8, At, At)> {
        let mut found = Vec::new();
        for (rank, file) in (0..25).map(|i| (i / 5, i % 5)) {
            let cell = self.cells[rank as usize][file as usize];
            if Self::owner(cell) == Some(self.mover) {
                let to = self.targets(rank, file).into_iter();
                found
                    .extend(to.map(|to| (cell, (rank, file), to)).filter(|(_, _, (r, f))| {
                        Self::owner(self.cells[*r as usize][*f as usize]) != Some(self.mover)
                    }));
            }
        }
        found
    }

    /// The position after `cell` appears on `to`, if that leaves the own king safe.
    fn after(&self, cell: u8, from: Option<At>, to: At) -> Option<Self> {
        let mut next = self.clone();
        if let Some((rank, file)) = from {
            next.cells[rank as usize][file as usize] = 0;
        }
        next.cells[to.0 as usize][to.1 as usize] = cell;
        next.mover = 1 - self.mover;
        (!next.takes_king()).then_some(next)
    }

    fn legal(&self) -> BTreeSet<String> {
        let name = |(rank, file): At| format!("{}{}", char::from(b'a' + file as u8), rank + 1);
        let far = if self.mover == 0 { 4 } else { 0 };
        let mut found = BTreeSet::new();
        for (cell, from, to) in self.steps() {
            if self.after(cell, Some(from), to).is_none() {
                continue;
            }
            let may = b"PSBRpsbr".contains(&cell) && (from.0 == far || to.0 == far);
            if may {
                found.insert(name(from) + &name(to) + "+");
            }
            if !(may && cell.eq_ignore_ascii_case(&b'p')) {
                found.insert(name(from) + &name(to));
            }
        }
        for &held in self.hands.iter().filter(|&&held| Self::owner(held) == Some(self.mover)) {
            for to in (0..25).map(|i| (i / 5, i % 5)).filter(|&(r, f)| self.cells[r as usize][f as usize] == 0) {
                let Some(next) = self.after(held, None, to) else { continue };
                if held.eq_ignore_ascii_case(&b'p') {
                    let doubled = self.cells.iter().any(|row| row[to.1 as usize] == held);
                    let checks = Self { mover: self.mover, ..next.clone() }.takes_king();
                    if to.0 == far || doubled || checks && next.legal().is_empty() {
                        continue;
                    }
                }
                found.insert(format!("{}*{}", char::from(held).to_ascii_uppercase(), name(to)));
            }
        }
        found
    }
}
