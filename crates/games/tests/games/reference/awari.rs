//! Awari by the book, under both sets of rules.

use super::Reference;

/// Which rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rules {
    /// The opponent must have a seed after each move; passes; the end comes when no hole holds two.
    Paper,
    /// Capturing everything captures nothing; a repetition or a player who cannot move ends the game; 25 seeds win.
    Oware,
}

type Holes = [[u32; 6]; 2];

/// A position of Awari.
#[derive(Clone, Debug)]
pub struct Awari {
    rules: Rules,
    /// `holes[0]` are player 1's holes 1 to 6.
    holes: Holes,
    stores: [u32; 2],
    mover: usize,
    passes: usize,
    /// Oware: positions since the last capture, this one among them.
    seen: Vec<(Holes, usize)>,
    /// Oware: this position is among the earlier ones.
    repeated: bool,
}

impl Awari {
    /// Four seeds in each hole.
    pub fn start(rules: Rules) -> Self {
        Self::new(rules, [[4; 6]; 2], [0, 0], 1, 0)
    }

    fn new(rules: Rules, holes: Holes, stores: [u32; 2], mover: usize, passes: usize) -> Self {
        Self { rules, holes, stores, mover, passes, seen: vec![(holes, mover)], repeated: false }
    }

    fn row(&self, player: usize) -> u32 {
        self.holes[player - 1].iter().sum()
    }

    /// Sows hole 0 to 5 of the mover and captures. Whose turn it is does not change.
    fn sow(&mut self, origin: usize) {
        let own = self.mover - 1;
        let opponent = 1 - own;
        let mut hand = self.holes[own][origin];
        self.holes[own][origin] = 0;
        let (mut side, mut hole) = (own, origin);
        while hand > 0 {
            (side, hole) = if hole == 5 { (1 - side, 0) } else { (side, hole + 1) };
            if (side, hole) != (own, origin) {
                self.holes[side][hole] += 1;
                hand -= 1;
            }
        }
        if side != opponent {
            return;
        }
        let mut captured = Vec::new();
        for back in (0..=hole).rev() {
            if self.holes[opponent][back] != 2 && self.holes[opponent][back] != 3 {
                break;
            }
            captured.push(back);
        }
        let seeds: u32 = captured.iter().map(|&back| self.holes[opponent][back]).sum();
        if self.rules == Rules::Oware && seeds == self.row(opponent + 1) {
            return;
        }
        for back in captured {
            self.holes[opponent][back] = 0;
        }
        self.stores[own] += seeds;
    }

    fn sowings(&self) -> Vec<String> {
        let mut moves = Vec::new();
        for hole in 0..6 {
            if self.holes[self.mover - 1][hole] == 0 {
                continue;
            }
            let mut next = self.clone();
            next.sow(hole);
            // Under Oware rules this can only be so if the opponent had none before.
            if next.row(3 - self.mover) > 0 {
                moves.push((hole + 1).to_string());
            }
        }
        moves
    }

    /// The captured seeds; under Oware rules, once finished, with what each side keeps of its own row.
    fn points(&self) -> [u32; 2] {
        [self.stores[0] + self.row(1), self.stores[1] + self.row(2)]
    }
}

fn compare_points([first, second]: [u32; 2]) -> i32 {
    match first.cmp(&second) {
        std::cmp::Ordering::Greater => 1,
        std::cmp::Ordering::Equal => 0,
        std::cmp::Ordering::Less => -1,
    }
}

impl Reference for Awari {
    fn mover(&self) -> usize {
        self.mover
    }

    fn legal(&self) -> Vec<String> {
        if self.result().is_some() {
            return Vec::new();
        }
        let moves = self.sowings();
        if moves.is_empty() { vec!["pass".to_string()] } else { moves }
    }

    fn play(&mut self, text: &str) {
        if text == "pass" {
            self.passes += 1;
            self.mover = 3 - self.mover;
            return;
        }
        self.passes = 0;
        let before = self.stores;
        let hole: usize = text.parse().expect(text);
        self.sow(hole - 1);
        self.mover = 3 - self.mover;
        if self.stores != before {
            self.seen.clear();
        }
        let now = (self.holes, self.mover);
        self.repeated = self.seen.contains(&now);
        self.seen.push(now);
    }

    fn result(&self) -> Option<i32> {
        match self.rules {
            Rules::Paper => {
                if self.holes.iter().flatten().all(|&seeds| seeds <= 1) {
                    Some(compare_points(self.stores))
                } else {
                    (self.passes == 2).then_some(0)
                }
            }
            Rules::Oware => {
                if self.stores[0] > 24 {
                    Some(1)
                } else if self.stores[1] > 24 {
                    Some(-1)
                } else if self.repeated || self.sowings().is_empty() {
                    Some(compare_points(self.points()))
                } else {
                    None
                }
            }
        }
    }

    fn position(&self) -> String {
        let holes: Vec<String> = self.holes.iter().flatten().map(u32::to_string).collect();
        let [first, second] = self.stores;
        format!("{}|{first},{second} {}{}", holes.join(","), self.mover, " pass".repeat(self.passes))
    }

    fn parse(&self, text: &str) -> Self {
        let words: Vec<&str> = text.split(' ').collect();
        let (board, stores) = words[0].split_once('|').expect(text);
        let numbers = |part: &str| part.split(',').map(|n| n.parse().expect(text)).collect::<Vec<u32>>();
        let (board, stores) = (numbers(board), numbers(stores));
        let mut holes = [[0; 6]; 2];
        for (index, &seeds) in board.iter().enumerate() {
            holes[index / 6][index % 6] = seeds;
        }
        let read = Self::new(self.rules, holes, [stores[0], stores[1]], words[1].parse().expect(text), words.len() - 2);
        assert_eq!(read.position(), text);
        read
    }

    /// Under Oware rules the text of a game goes on with its history, and a game that ended by counting the rows may
    /// show them counted.
    fn agrees(&self, text: &str) -> bool {
        if self.rules == Rules::Paper {
            return text == self.position();
        }
        let goes_on = |own: &str| text == own || text.starts_with(&format!("{own} "));
        let mut counted = self.clone();
        counted.stores = self.points();
        counted.holes = [[0; 6]; 2];
        goes_on(&self.position()) || (self.result().is_some() && goes_on(&counted.position()))
    }
}
