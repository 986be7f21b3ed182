//! What a look-ahead that changes nothing asks for, cell by cell: one of some lists of pieces on cells.
//!
//! In this form it does not matter in which direction a row is walked along.

use super::super::board::Board;
use super::super::syntax::{Node, PieceMask};
use super::spend;

/// Cells, in rising order, and the pieces of which one must be there.
pub(super) type Cube = Vec<(u16, PieceMask)>;

/// For each cell the lists of which one must be fulfilled, sorted; none of them asks for all that another one asks for.
pub(super) type Cubes = Vec<Vec<Cube>>;

/// Most ways under way from one cell.
const WAYS: usize = 300;

pub(super) struct Reader<'a> {
    pub board: &'a Board,
    pub all: PieceMask,
    pub budget: &'a mut u64,
}

type Way = (u16, Cube);

impl Reader<'_> {
    /// What rules ask for at each cell, if it is known to hold one of the pieces `known`; `None` if that cannot be told in
    /// this form.
    pub fn cubes(&mut self, rules: &Node, known: PieceMask) -> Option<Cubes> {
        let known = known & self.all;
        (0..self.board.cells.len() as u16)
            .map(|cell| {
                let cube = if known == self.all { Vec::new() } else { vec![(cell, known)] };
                let ways = self.ways(rules, vec![(cell, cube)], 0)?;
                let mut cubes: Vec<Cube> = ways.into_iter().map(|way| way.1).collect();
                cubes.iter_mut().for_each(|cube| cube.retain(|&literal| literal != (cell, known)));
                let cubes = self.shortest(cubes)?;
                spend(self.budget, cubes.iter().map(|cube| 64 * (cube.len() + 1)).sum())?;
                Some(cubes)
            })
            .collect()
    }

    /// Leaves out what asks for all that another one asks for.
    fn shortest(&mut self, mut cubes: Vec<Cube>) -> Option<Vec<Cube>> {
        spend(self.budget, cubes.len() * cubes.len() * 4)?;
        cubes.sort();
        cubes.dedup();
        let implied = |cube: &Cube| cubes.iter().any(|other| other != cube && implies(cube, other));
        Some(cubes.iter().filter(|cube| !implied(cube)).cloned().collect())
    }

    /// The ways behind some rules.
    fn ways(&mut self, rules: &Node, from: Vec<Way>, depth: usize) -> Option<Vec<Way>> {
        spend(self.budget, from.len() * 20 + 20)?;
        if from.len() > WAYS || depth > 60 {
            return None;
        }
        Some(match rules {
            Node::Sequence(parts) => {
                let mut ways = from;
                for part in parts {
                    ways = self.ways(part, ways, depth + 1)?;
                }
                ways
            }
            Node::Sum(parts) => {
                let mut ways = Vec::new();
                for part in parts {
                    ways.extend(self.ways(part, from.clone(), depth + 1)?);
                }
                ways
            }
            Node::Star(part) => {
                let mut all = from.clone();
                let mut open = from;
                while !open.is_empty() {
                    let next = self.ways(part, open, depth + 1)?;
                    open = Vec::new();
                    for way in next {
                        spend(self.budget, all.len())?;
                        if !all.iter().any(|other| other.0 == way.0 && implies(&way.1, &other.1)) {
                            all.push(way.clone());
                            open.push(way);
                        }
                    }
                    if all.len() > WAYS {
                        return None;
                    }
                }
                all
            }
            Node::Shift(direction) => {
                let step = |(cell, cube): Way| {
                    let to = self.board.cells[usize::from(cell)].neighbours[usize::from(*direction)]?;
                    Some((to, cube))
                };
                from.into_iter().filter_map(step).collect()
            }
            Node::On(mask) => from.into_iter().filter_map(|(cell, cube)| self.with(cube, cell, *mask, cell)).collect(),
            Node::Look { negated, rules } => {
                let mut ways = Vec::new();
                for (cell, cube) in from {
                    let inner = self.ways(rules, vec![(cell, Vec::new())], depth + 1)?;
                    let inner = self.shortest(inner.into_iter().map(|way| way.1).collect())?;
                    let wanted = if *negated { self.negated(inner)? } else { inner };
                    for more in wanted {
                        let all = more
                            .iter()
                            .try_fold((cell, cube.clone()), |(_, cube), &(at, mask)| self.with(cube, at, mask, cell));
                        ways.extend(all);
                    }
                }
                ways
            }
            _ => return None,
        })
    }

    /// A way at `here` that asks for one more thing; `None` if that can never be.
    fn with(&self, mut cube: Cube, cell: u16, mask: PieceMask, here: u16) -> Option<Way> {
        match cube.binary_search_by_key(&cell, |literal| literal.0) {
            Ok(place) => {
                cube[place].1 &= mask;
                if cube[place].1 == 0 {
                    return None;
                }
            }
            Err(_) if mask & self.all == self.all => {}
            Err(_) if mask & self.all == 0 => return None,
            Err(place) => cube.insert(place, (cell, mask & self.all)),
        }
        Some((here, cube))
    }

    /// What fails to fulfil all of some lists.
    fn negated(&mut self, cubes: Vec<Cube>) -> Option<Vec<Cube>> {
        let mut all = vec![Cube::new()];
        for cube in cubes {
            let mut next = Vec::new();
            for one in &all {
                for &(cell, mask) in &cube {
                    next.extend(self.with(one.clone(), cell, self.all & !mask, cell).map(|way| way.1));
                }
            }
            if next.len() > WAYS {
                return None;
            }
            all = self.shortest(next)?;
        }
        Some(all)
    }
}

/// Whether one list asks for all that another one asks for.
fn implies(cube: &Cube, other: &Cube) -> bool {
    other.iter().all(|&(cell, mask)| {
        cube.binary_search_by_key(&cell, |literal| literal.0).is_ok_and(|place| cube[place].1 & !mask == 0)
    })
}

/// The same for the images of the cells.
pub(super) fn image(cubes: &Cubes, map: &[u16], budget: &mut u64) -> Option<Cubes> {
    let mut image = vec![Vec::new(); cubes.len()];
    for (cell, lists) in cubes.iter().enumerate() {
        spend(budget, 10 + lists.iter().map(|cube| 10 * cube.len()).sum::<usize>())?;
        let turned = |cube: &Cube| {
            let mut cube: Cube = cube.iter().map(|&(cell, mask)| (map[usize::from(cell)], mask)).collect();
            cube.sort_unstable();
            cube
        };
        let mut lists: Vec<Cube> = lists.iter().map(turned).collect();
        lists.sort();
        image[usize::from(map[cell])] = lists;
    }
    Some(image)
}
