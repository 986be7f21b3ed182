//! Positions that random games seldom reach, made at random from fixed seeds, each as text.
//!
//! All are possible texts: stones and seeds add up, nobody has won twice, and no king that could be taken stands there.
//! Some are finished.

use plyproof_core::Rng;

use super::{Awari, Cells, Gomoku, Knightthrough, Leaps, Minishogi, Reference, Rules, at, count, sign, write_position};

fn chance(rng: &mut Rng, one_in: usize) -> bool {
    rng.below(one_in) == 0
}

/// A number from `least` to `most`, both included.
fn between(rng: &mut Rng, least: usize, most: usize) -> usize {
    least + rng.below(most - least + 1)
}

fn empty_squares(cells: &Cells) -> Vec<(usize, usize)> {
    let all = (0..cells.len()).flat_map(|rank| (0..cells[rank].len()).map(move |file| (file, rank)));
    all.filter(|&(file, rank)| cells[rank][file] == '.').collect()
}

/// Puts up to `number` stones on random empty squares that `fits` allows.
fn scatter(cells: &mut Cells, stone: char, number: usize, rng: &mut Rng, fits: impl Fn(usize, usize) -> bool) {
    for _ in 0..number {
        let free: Vec<_> = empty_squares(cells).into_iter().filter(|&(file, rank)| fits(file, rank)).collect();
        if free.is_empty() {
            return;
        }
        let (file, rank) = free[rng.below(free.len())];
        cells[rank][file] = stone;
    }
}

fn touches(cells: &Cells, file: usize, rank: usize, stone: char) -> bool {
    let near = (-1..=1).flat_map(|dx| (-1..=1).map(move |dy| (dx, dy)));
    near.filter(|&step| step != (0, 0)).any(|(dx, dy)| at(cells, file as i32 + dx, rank as i32 + dy) == Some(stone))
}

/// Lines of Action: few stones, a single stone, connected and nearly connected sides, hemmed-in and crowded stones.
pub fn odd_loa(size: usize, number: usize, seed: u64) -> Vec<String> {
    let mut rng = Rng::new(seed);
    (0..number).map(|index| loa(size, index, &mut rng)).collect()
}

fn loa(size: usize, index: usize, rng: &mut Rng) -> String {
    let mut cells = vec![vec!['.'; size]; size];
    let mover = between(rng, 1, 2);
    let colours = if chance(rng, 2) { ['x', 'o'] } else { ['o', 'x'] };
    match index % 8 {
        0 | 1 => {
            for stone in colours {
                let stones = between(rng, 2, 4);
                scatter(&mut cells, stone, stones, rng, |_, _| true);
            }
        }
        2 => {
            scatter(&mut cells, colours[0], 1, rng, |_, _| true);
            let stones = between(rng, 1, size);
            scatter(&mut cells, colours[1], stones, rng, |_, _| true);
        }
        // Groups, each with (3 and 4) or without (5) a stray stone: one move may connect one side or both.
        kind @ 3..=5 => {
            for stone in colours {
                scatter(&mut cells, stone, 1, rng, |_, _| true);
                for _ in 0..between(rng, 1, size - 1) {
                    let board = cells.clone();
                    scatter(&mut cells, stone, 1, rng, |file, rank| touches(&board, file, rank, stone));
                }
                if kind < 5 {
                    scatter(&mut cells, stone, 1, rng, |_, _| true);
                }
            }
        }
        // Stones in opposite corners behind enemies: nothing but a pass is left if that side is to move.
        6 => {
            let last = size - 1;
            for (corner, inner) in [(0, 1), (last, last - 1)] {
                cells[corner][corner] = colours[0];
                for (file, rank) in [(corner, inner), (inner, corner), (inner, inner)] {
                    cells[rank][file] = colours[1];
                }
            }
            let stones = rng.below(3);
            scatter(&mut cells, colours[1], stones, rng, |_, _| true);
        }
        // A full board has no move at all. A wall between the stones of one colour and one stone of the wall's colour
        // alone in a corner keep both sides unconnected; then some stones are taken off.
        _ => {
            let wall = between(rng, 2, size - 2);
            for row in &mut cells {
                row.fill(colours[1]);
                row[wall] = colours[0];
            }
            cells[0][0] = colours[0];
            for _ in 0..rng.below(4) {
                let (file, rank) = (rng.below(size), rng.below(size));
                cells[rank][file] = '.';
            }
        }
    }
    if count(&cells, 'x') == 0 || count(&cells, 'o') == 0 {
        return loa(size, index, rng);
    }
    write_position(&cells, mover, 0)
}

/// Awari: few seeds, holes that go round more than once, starved sides, chains of captures, the last move before the end.
pub fn odd_awari(rules: Rules, number: usize, seed: u64) -> Vec<String> {
    let mut rng = Rng::new(seed);
    (0..number).map(|index| awari(rules, index, &mut rng)).collect()
}

fn awari(rules: Rules, index: usize, rng: &mut Rng) -> String {
    let mover = between(rng, 1, 2);
    let mut own = [0u32; 6];
    let mut other = [0u32; 6];
    let sow = |rows: &mut [&mut [u32; 6]], seeds: usize, rng: &mut Rng| {
        for _ in 0..seeds {
            let row = rng.below(rows.len());
            rows[row][rng.below(6)] += 1;
        }
    };
    match index % 8 {
        0 => {
            let seeds = between(rng, 2, 8);
            sow(&mut [&mut own, &mut other], seeds, rng);
        }
        // 12, 23, 34 and 45 seeds end just behind the hole they come from.
        1 => {
            let seeds = [11, 12, 13, 22, 23, 24, 33, 34, 35, 45][rng.below(10)];
            own[if chance(rng, 2) { 5 } else { rng.below(6) }] = seeds;
            let more = rng.below(49 - seeds as usize);
            sow(&mut [&mut own, &mut other], more, rng);
        }
        2 => {
            let seeds = between(rng, 2, 20);
            sow(&mut [&mut own], seeds, rng);
        }
        3 => {
            let seeds = between(rng, 2, 20);
            sow(&mut [&mut other], seeds, rng);
        }
        // Every hole of the opponent, or of a part of its row, becomes 2 or 3 when one more falls in.
        4 | 5 => {
            for hole in other.iter_mut().skip(rng.below(4)) {
                *hole = if index % 8 == 5 && chance(rng, 3) { rng.below(5) } else { between(rng, 1, 2) } as u32;
            }
            own = own.map(|_| rng.below(5) as u32);
            for hole in 0..6 {
                if chance(rng, 3) {
                    own[hole] = between(rng, 6 - hole, 11 - hole) as u32;
                }
            }
            while own.iter().sum::<u32>() + other.iter().sum::<u32>() > 48 {
                own[rng.below(6)] = 0;
            }
        }
        6 => {
            own = own.map(|_| rng.below(2) as u32);
            other = other.map(|_| rng.below(2) as u32);
            own[rng.below(6)] = 2;
        }
        _ => sow(&mut [&mut own, &mut other], 48, rng),
    }
    let (first, second) = if mover == 1 { (own, other) } else { (other, own) };
    let captured = 48 - first.iter().chain(&second).sum::<u32>() as usize;
    // With 25 a game of Oware is over; under the paper's rules every split is possible.
    let any_split = if rules == Rules::Oware { chance(rng, 10) } else { chance(rng, 2) };
    let store = if any_split { rng.below(captured + 1) } else { between(rng, captured.max(24) - 24, captured.min(24)) };
    let holes: Vec<String> = first.iter().chain(&second).map(u32::to_string).collect();
    let text = format!("{}|{store},{} {mover}", holes.join(","), captured - store);
    Awari::start(rules).parse(&text).position()
}

/// MiniShogi: any placement of all twelve pieces; the mover in check; a pawn drop that would mate; hardly a move left.
pub fn odd_minishogi(number: usize, seed: u64) -> Vec<String> {
    let mut rng = Rng::new(seed);
    (0..number).map(|index| minishogi(index, &mut rng)).collect()
}

fn minishogi(index: usize, rng: &mut Rng) -> String {
    for _ in 0..1_000_000 {
        let text = placement(rng, index % 5 == 2);
        let game = Minishogi::start().parse(&text);
        let wanted = !game.attacked(3 - game.mover())
            && match index % 5 {
                1 => game.attacked(game.mover()),
                2 => !game.mating_pawn_drops().is_empty(),
                3 => game.legal().len() <= 3,
                _ => true,
            };
        if wanted {
            return text;
        }
    }
    panic!("no position of kind {} in a million placements: the slow rules must be wrong", index % 5)
}

/// All twelve pieces at random, in the form of SFEN; kings may be attacked. With `pawn_before_king` the player to move
/// holds a pawn and the enemy king is on its back rank.
fn placement(rng: &mut Rng, pawn_before_king: bool) -> String {
    let mover = between(rng, 1, 2);
    let mut board = vec![vec![String::new(); 5]; 5];
    let mut hands = String::new();
    let in_hand = between(rng, 0, 10);
    let free = |board: &[Vec<String>], rng: &mut Rng| loop {
        let (file, rank) = (rng.below(5), rng.below(5));
        if board[rank][file].is_empty() {
            return (file, rank);
        }
    };
    let cased = |kind: char, owner: usize| if owner == 1 { kind } else { kind.to_ascii_lowercase() };
    for owner in [1, 2] {
        let (file, mut rank) = free(&board, rng);
        if pawn_before_king && owner != mover {
            rank = if owner == 1 { 0 } else { 4 };
        }
        if !board[rank][file].is_empty() {
            return placement(rng, pawn_before_king);
        }
        board[rank][file] = cased('K', owner).to_string();
    }
    for (nth, kind) in "PPRRBBGGSS".chars().enumerate() {
        let pawn_of_mover = pawn_before_king && nth == 0;
        let owner = if pawn_of_mover { mover } else { between(rng, 1, 2) };
        let letter = cased(kind, owner);
        if pawn_of_mover || rng.below(10) < in_hand {
            hands.push(letter);
            continue;
        }
        let (file, rank) = free(&board, rng);
        let second_pawn = board.iter().any(|row| row[file] == letter.to_string());
        let last_rank = if owner == 1 { 4 } else { 0 };
        let must_promote = kind == 'P' && (second_pawn || rank == last_rank);
        let promoted = kind != 'G' && (must_promote || chance(rng, 3));
        board[rank][file] = if promoted { format!("+{letter}") } else { letter.to_string() };
    }
    let mut sorted = String::new();
    for letter in "RBGSPrbgsp".chars() {
        match hands.matches(letter).count() {
            0 => {}
            1 => sorted.push(letter),
            several => sorted += &format!("{several}{letter}"),
        }
    }
    let rows: Vec<String> = board
        .iter()
        .rev()
        .map(|row| {
            let signs = row.iter().map(|cell| if cell.is_empty() { "." } else { cell }).collect::<String>();
            (1..=5).rev().fold(signs, |signs, run| signs.replace(&".".repeat(run), &run.to_string()))
        })
        .collect();
    let hands = if sorted.is_empty() { "-" } else { &sorted };
    format!("{} {} {hands} 1", rows.join("/"), if mover == 1 { 'b' } else { 'w' })
}

/// Knightthrough: few knights, knights a leap from the far row, crowded boards, games just won in either way.
pub fn odd_knightthrough(width: usize, height: usize, number: usize, seed: u64) -> Vec<String> {
    let mut rng = Rng::new(seed);
    (0..number).map(|index| knightthrough(width, height, index, &mut rng)).collect()
}

fn knightthrough(width: usize, height: usize, index: usize, rng: &mut Rng) -> String {
    let mut cells = vec![vec!['.'; width]; height];
    let mover = between(rng, 1, 2);
    let top = height - 1;
    // Steps still to go to the far row.
    let to_go = |player: usize, rank: usize| if player == 1 { top - rank } else { rank };
    for player in [1, 2] {
        let (least, most, farthest) = match index % 5 {
            0 => (1, 4, top),
            1 => (1, 4, 2),
            2 => (width, width * height / 2, top),
            // Just won: by reaching the far row, by taking the last knight.
            3 => (2, 4, top),
            _ if player == mover => (0, 0, top),
            _ => (1, 4, top),
        };
        let knights = between(rng, least, most);
        scatter(&mut cells, sign(player), knights, rng, |_, rank| (1..=farthest).contains(&to_go(player, rank)));
        if index % 5 == 3 && player != mover {
            scatter(&mut cells, sign(player), 1, rng, |_, rank| to_go(player, rank) == 0);
        }
    }
    let nobody_left = count(&cells, sign(3 - mover)) == 0 || (index % 5 != 4 && count(&cells, sign(mover)) == 0);
    if nobody_left {
        return knightthrough(width, height, index, rng);
    }
    let text = write_position(&cells, mover, 0);
    Knightthrough::start(width, height, Leaps::All).parse(&text).position()
}

/// Gomoku: many runs of four and more with and without gaps, boards nearly full, and games just won.
pub fn odd_gomoku(size: usize, exact: bool, number: usize, seed: u64) -> Vec<String> {
    let mut rng = Rng::new(seed);
    (0..number).map(|index| gomoku(size, exact, index, &mut rng)).collect()
}

fn gomoku(size: usize, exact: bool, index: usize, rng: &mut Rng) -> String {
    loop {
        let mut cells = vec![vec!['.'; size]; size];
        let mover = between(rng, 1, 2);
        if index % 4 == 3 {
            nearly_full(&mut cells, rng);
        } else {
            for _ in 0..between(rng, 1, size / 2) {
                plant_line(&mut cells, rng);
            }
        }
        // The side that lags behind catches up: player 1 is one ahead if and only if player 2 is to move.
        let ahead = mover - 1;
        let (first, second) = (count(&cells, 'x'), count(&cells, 'o'));
        if first < second + ahead {
            scatter(&mut cells, 'x', second + ahead - first, rng, |_, _| true);
        } else {
            scatter(&mut cells, 'o', first - second - ahead, rng, |_, _| true);
        }
        if count(&cells, 'x') != count(&cells, 'o') + ahead {
            continue;
        }
        let game = Gomoku::start(size, exact).parse(&write_position(&cells, mover, 0));
        if !game.has_five(mover) && (!game.has_five(3 - mover) || chance(rng, 8)) {
            return game.position();
        }
    }
}

/// Pairs in a row, changing with each rank, leave no long run in any direction; some stones change sides, some go.
fn nearly_full(cells: &mut Cells, rng: &mut Rng) {
    let size = cells.len();
    let shift = rng.below(4);
    for (rank, row) in cells.iter_mut().enumerate() {
        for (file, cell) in row.iter_mut().enumerate() {
            *cell = sign(1 + ((file + shift) / 2 + rank) % 2);
        }
    }
    for _ in 0..rng.below(size) {
        cells[rng.below(size)][rng.below(size)] = sign(between(rng, 1, 2));
    }
    for _ in 0..between(rng, 0, 2 * size) {
        cells[rng.below(size)][rng.below(size)] = '.';
    }
}

/// Up to nine points in a row, most of them of one colour.
fn plant_line(cells: &mut Cells, rng: &mut Rng) {
    let size = cells.len();
    let (dx, dy) = [(1, 0), (0, 1), (1, 1), (1, -1)][rng.below(4)];
    let (file, rank) = (rng.below(size) as i32, rng.below(size) as i32);
    let player = between(rng, 1, 2);
    for step in 0..between(rng, 5, 9) as i32 {
        let (x, y) = (file + step * dx, rank + step * dy);
        if at(cells, x, y).is_some() {
            cells[y as usize][x as usize] = match rng.below(20) {
                0 => sign(3 - player),
                1..=4 => '.',
                _ => sign(player),
            };
        }
    }
}
