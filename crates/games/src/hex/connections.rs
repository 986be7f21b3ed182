//! Virtual connections: what a player of Hex can connect whatever the opponent does (H-search: Anshelevich, A Hierarchical
//! Approach to Computer Hex, 2002).
//!
//! A *point* is a side of the player, a group of stones or an empty cell. Two points are connected, with a set of empty
//! cells called the carrier, if the player can join them by answering the opponent's moves within the carrier; they are
//! *nearly* connected if the player can do so by moving first. An empty cell at the end of a connection counts as the
//! player's stone.
//!
//! - Neighbours are connected with an empty carrier.
//! - Two connections that meet at a point and share no cell make one connection if that point is stones, and a near
//!   connection, which begins with a move to that point, if it is empty (the AND rule).
//! - Near connections of two points without a cell that is in all of them make a connection: an opponent's move spoils
//!   one of them at most, in some cell (the OR rule).
//!
//! Only a few carriers are kept for each pair of points. So some connections are missed, and none is wrong.
//!
//! ```text
//! bit = row * 8 + file, for boards of up to 8x8; a cell touches -1, +1, -8, -7, +7, +8
//! ```

const NOT_A: u64 = 0xfefe_fefe_fefe_fefe;
const NOT_H: u64 = 0x7f7f_7f7f_7f7f_7f7f;

/// Carriers that are kept for each pair of points, of connections and of near ones.
const SURE: usize = 4;
const NEAR: usize = 10;
/// Near connections that the OR rule puts together at most.
const TOGETHER: usize = 4;
/// Connections found after which the search ends.
const ENOUGH: usize = 6000;

/// The two sides of the player.
const SIDES: (usize, usize) = (0, 1);

/// How a player's sides are connected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Link {
    /// Whoever moves first.
    Sure,
    /// If the player moves first; the cells that all ways to connect them have in common.
    Near(u64),
    /// Not as far as known.
    None,
}

struct Point {
    /// The empty cell; nothing for sides and stones.
    cell: u64,
    /// The empty cells next to it.
    beside: u64,
}

struct Search {
    points: Vec<Point>,
    sure: Vec<Few<SURE>>,
    near: Vec<Few<NEAR>>,
    /// Connections from which others have not been derived yet.
    open: Vec<(u8, u8, u64)>,
}

/// A short list of carriers, none of which contains another.
#[derive(Clone, Copy)]
struct Few<const N: usize> {
    carriers: [u64; N],
    count: usize,
}

impl<const N: usize> Few<N> {
    const NONE: Self = Self { carriers: [0; N], count: 0 };

    #[inline(always)]
    fn list(&self) -> &[u64] {
        &self.carriers[..self.count]
    }

    #[inline(always)]
    fn has_part_of(&self, carrier: u64) -> bool {
        self.list().iter().any(|&known| known & !carrier == 0)
    }

    /// Takes the carrier in, if there is room once those that contain it are gone.
    #[inline(always)]
    fn add(&mut self, carrier: u64) -> bool {
        let mut kept = 0;
        for at in 0..self.count {
            if carrier & !self.carriers[at] != 0 {
                self.carriers[kept] = self.carriers[at];
                kept += 1;
            }
        }
        self.count = kept;
        if kept == N {
            return false;
        }
        self.carriers[kept] = carrier;
        self.count += 1;
        true
    }
}

#[inline(always)]
fn around(set: u64) -> u64 {
    let right = set << 1 & NOT_A;
    let left = set >> 1 & NOT_H;
    right | left | set << 8 | set >> 8 | right >> 8 | left << 8
}

/// The cells of `stones` that are connected to `from`.
fn group(from: u64, stones: u64) -> u64 {
    let mut reached = from & stones;
    loop {
        let next = (reached | around(reached)) & stones;
        if next == reached {
            return reached;
        }
        reached = next;
    }
}

/// How the sides of a player with these stones are connected. With `any`, the first near connection found ends the
/// search, and its cells are what it tells.
pub(super) fn link(stones: u64, empty: u64, sides: [u64; 2], any: bool) -> Link {
    let mut search = Search::new(stones, empty, sides);
    search.find(any);
    let between = search.pair(SIDES.0, SIDES.1);
    if search.sure[between].count > 0 {
        return Link::Sure;
    }
    let near = search.near[between].list();
    if near.is_empty() { Link::None } else { Link::Near(near.iter().fold(u64::MAX, |all, carrier| all & carrier)) }
}

impl Search {
    fn new(stones: u64, empty: u64, sides: [u64; 2]) -> Self {
        let mut points = Vec::with_capacity(66);
        let mut left = stones;
        for side in sides {
            let joined = group(side, stones);
            left &= !joined;
            points.push(Point { cell: 0, beside: (side | around(joined)) & empty });
        }
        while left != 0 {
            let joined = group(left & left.wrapping_neg(), stones);
            left &= !joined;
            points.push(Point { cell: 0, beside: around(joined) & empty });
        }
        let mut cells = empty;
        while cells != 0 {
            let cell = cells & cells.wrapping_neg();
            cells ^= cell;
            points.push(Point { cell, beside: around(cell) & empty });
        }
        let pairs = points.len() * points.len();
        let mut search =
            Self { points, sure: vec![Few::NONE; pairs], near: vec![Few::NONE; pairs], open: Vec::with_capacity(256) };
        for b in 0..search.points.len() {
            let cell = search.points[b].cell;
            for a in (0..b).filter(|_| cell != 0) {
                if search.points[a].beside & cell != 0 {
                    search.connect(a, b, 0);
                }
            }
        }
        search
    }

    /// The place of a pair; every pair has two, of which the one that is asked for in ascending order is used.
    #[inline(always)]
    fn pair(&self, a: usize, b: usize) -> usize {
        a.min(b) * self.points.len() + a.max(b)
    }

    /// Derives connections from those in the list, in the order in which they were found.
    fn find(&mut self, any: bool) {
        let between = self.pair(SIDES.0, SIDES.1);
        let mut next = 0;
        while let Some(&(i, j, carrier)) = self.open.get(next) {
            next += 1;
            self.extend(i.into(), j.into(), carrier);
            self.extend(j.into(), i.into(), carrier);
            let done = self.sure[between].count > 0 || any && self.near[between].count > 0;
            if done || next > ENOUGH {
                return;
            }
        }
    }

    /// The AND rule: from `a` to `middle` with `carrier`, and on to any other point.
    fn extend(&mut self, a: usize, middle: usize, carrier: u64) {
        // Whoever is at a side need not go through it.
        if middle <= SIDES.1 {
            return;
        }
        let (from, through) = (self.points[a].cell, self.points[middle].cell);
        for b in 0..self.points.len() {
            if b == a || b == middle || self.points[b].cell & carrier != 0 {
                continue;
            }
            let onward = self.sure[self.pair(middle, b)];
            for &second in onward.list().iter().filter(|&&second| second & (carrier | from) == 0) {
                if through == 0 {
                    self.connect(a, b, carrier | second);
                } else {
                    self.nearly_connect(a, b, carrier | second | through);
                }
            }
        }
    }

    #[inline(always)]
    fn connect(&mut self, a: usize, b: usize, carrier: u64) {
        let pair = self.pair(a, b);
        if !self.sure[pair].has_part_of(carrier) && self.sure[pair].add(carrier) {
            self.open.push((a as u8, b as u8, carrier));
        }
    }

    #[inline(always)]
    fn nearly_connect(&mut self, a: usize, b: usize, carrier: u64) {
        let pair = self.pair(a, b);
        let known = self.sure[pair].has_part_of(carrier) || self.near[pair].has_part_of(carrier);
        if !known && self.near[pair].add(carrier) {
            let others = self.near[pair];
            self.put_together(a, b, others.list(), carrier, carrier, 1);
        }
    }

    /// The OR rule: near connections in which together no cell is common.
    fn put_together(&mut self, a: usize, b: usize, others: &[u64], common: u64, all: u64, many: usize) {
        for (at, &carrier) in others.iter().enumerate() {
            let left = common & carrier;
            if left == 0 {
                self.connect(a, b, all | carrier);
            } else if left != common && many + 1 < TOGETHER {
                self.put_together(a, b, &others[at + 1..], left, all | carrier, many + 1);
            }
        }
    }
}
