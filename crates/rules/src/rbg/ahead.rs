//! A proof that no position comes back where pieces only ever go ahead or take.
//!
//! Cells with the empty piece never become fewer, because a move empties the cell that it leaves; where they do not become
//! more, the piece that moved has gone in the one direction in which all pieces of its kind go. So either number of the
//! pair "empty cells, steps made ahead" grows, and the first one never falls.

use super::automaton::Effect;
use super::engine::Code;
use super::info::Info;
use super::keeper::KeeperStep;
use super::program::{Op, Value};
use super::sets::Set;

/// Whether all moves lead ahead, so that no position comes back.
pub(super) fn only_ahead<S: Set>(code: &Code<S>, info: &Info) -> bool {
    let mut ahead = Ahead { empty: None, directions: vec![0; info.pieces.len()] };
    let players = code.effects.iter().zip(&info.indices).enumerate();
    let mut players = players.filter(|(_, (effect, index))| **index > 0 && matches!(effect, Effect::Player(_)));
    players.all(|(switch, _)| ahead.player(code, switch).is_some())
}

struct Ahead {
    /// What a move leaves behind.
    empty: Option<u8>,
    /// For each piece the sign of its displacements, 0 as long as none is known.
    directions: Vec<i32>,
}

impl Ahead {
    /// Looks at all moves behind the switch to a player; `None` if one of them may not go ahead.
    fn player<S: Set>(&mut self, code: &Code<S>, switch: usize) -> Option<()> {
        let program = &code.after[switch];
        for out in &program.outs {
            let Effect::Put(empty) = code.effects.get(usize::from(out.modifier))? else { return None };
            let lanes = code.lanes[usize::from(out.modifier)].as_ref().filter(|lanes| lanes.rest.is_none())?;
            if *self.empty.get_or_insert(*empty) != *empty {
                return None;
            }
            let Value::Register(register) = out.cells else { return None };
            let from = program.ops.iter().find_map(|op| match op {
                Op::OnConst { to, mask, .. } | Op::On { to, mask, .. } if *to == register => Some(*mask),
                _ => None,
            });
            let mask = &code.masks[usize::from(from?)];
            let piece = (mask.more.is_empty() && !mask.none && mask.first != *empty).then_some(mask.first)?;
            for lane in &lanes.lanes {
                let direction = &mut self.directions[usize::from(piece)];
                if lane.by == 0 || *direction == -lane.by.signum() {
                    return None;
                }
                *direction = lane.by.signum();
                let (switch, chain) = lane.modifiers.split_last()?;
                let mut put = None;
                for &modifier in chain {
                    if let Effect::Put(next) = code.effects[usize::from(modifier)] {
                        put = Some(next);
                    }
                }
                lands(code, code.first_steps[usize::from(*switch)], put, piece, &mut 200)?;
            }
        }
        Some(())
    }
}

/// Whether the keeper leaves `piece` on the cell of a switch wherever the game goes on, and changes no other cell; `put` is
/// what was put there last.
fn lands<S: Set>(code: &Code<S>, at: u32, put: Option<u8>, piece: u8, fuel: &mut u32) -> Option<()> {
    *fuel = fuel.checked_sub(1)?;
    match code.keeper[at as usize] {
        KeeperStep::End => Some(()),
        KeeperStep::Run(_) => None,
        KeeperStep::Switch(switch) => match code.effects[usize::from(switch)] {
            Effect::Keeper => lands(code, code.first_steps[usize::from(switch)], put, piece, fuel),
            _ => (put == Some(piece)).then_some(()),
        },
        KeeperStep::Apply { modifier, then } => {
            let put = match code.effects[usize::from(modifier)] {
                Effect::Put(next) => Some(next),
                _ => put,
            };
            lands(code, then, put, piece, fuel)
        }
        KeeperStep::If { yes, no, .. } => {
            lands(code, yes, put, piece, fuel)?;
            lands(code, no, put, piece, fuel)
        }
    }
}
