//! Everything the opponent can do, until the prover is to move again or the game is over.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};

use plyproof_core::{Game, Player};

use crate::claim::Claim;
use crate::error::shown;
use crate::listed::Listed;

/// Follows the replies of the opponent. Mostly that is one move deep, but a player may move several times in a row.
pub(crate) struct Replies<'a, G: Game> {
    pub(crate) player: Player,
    pub(crate) goal: Claim,
    pub(crate) stop: &'a AtomicBool,
    /// What is said of a position that is not among the proven ones.
    pub(crate) missing: &'static str,
    /// Positions looked at after a move of the opponent, in all calls.
    pub(crate) looked_at: u64,
    /// Lists of moves to use again: one for each position on the way down.
    spare: Vec<Vec<G::Move>>,
}

/// Said when all of the certificate is known.
pub(crate) const NOT_LISTED: &str = "is not in the certificate";

/// Why the replies do not prove what they should.
pub(crate) enum Unproven {
    /// The start itself comes down "to …", and nothing is proven there.
    Start(String),
    /// A reply leads where nothing is proven.
    Reply(String),
    Memory,
    Stopped,
}

/// A position at which the opponent chooses, on the way down.
struct Frame<G: Game> {
    state: G,
    moves: Vec<G::Move>,
    /// How many of the moves were tried.
    tried: usize,
    /// The key under which it is remembered; none as long as there is only this one.
    text: Option<String>,
}

/// What is known of a position of the opponent in one call.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Known {
    /// It is on the way down: to come back to it is to go round in a circle.
    Open,
    /// Everything below it is covered.
    Covered,
}

impl<'a, G: Game> Replies<'a, G> {
    pub(crate) fn new(player: Player, goal: Claim, stop: &'a AtomicBool) -> Self {
        let missing = if goal.must_end() { "is not proven above" } else { NOT_LISTED };
        Self { player, goal, stop, missing, looked_at: 0, spare: Vec::new() }
    }

    /// Whether every way the opponent can go on from `start` ends in the goal or comes to a position of `proven`.
    ///
    /// The stack and what it remembers are kept on the heap and count as memory of the set: neither a long row of
    /// moves nor a circle of them can do harm.
    pub(crate) fn all_lead_to(&mut self, proven: &Listed, start: &G) -> Result<(), Unproven> {
        if self.settled(proven, start).map_err(Unproven::Start)? {
            return Ok(());
        }
        let mut known: HashMap<String, Known> = HashMap::new();
        let mut taken = 0;
        let mut way = vec![self.frame(start.clone())];
        let mut next = start.clone();
        while let Some(top) = way.last_mut() {
            let Some(&reply) = top.moves.get(top.tried) else {
                if let Some(frame) = way.pop() {
                    known.extend(frame.text.map(|text| (text, Known::Covered)));
                    self.spare.push(frame.moves);
                }
                continue;
            };
            top.tried += 1;
            next.clone_from(&top.state);
            next.play(reply);
            self.looked_at += 1;
            if self.settled(proven, &next).map_err(|where_to| fault(&way, &where_to))? {
                continue;
            }
            // The opponent moves again. From here on positions are remembered, the first included.
            if self.stop.load(Ordering::Relaxed) {
                return Err(Unproven::Stopped);
            }
            if let Some(first) = way.first_mut().filter(|first| first.text.is_none()) {
                let text = first.state.position_text();
                known.insert(text.clone(), Known::Open);
                first.text = Some(text);
            }
            let text = next.position_text();
            match known.get(&text) {
                Some(Known::Open) if self.goal.must_end() => {
                    let where_to = format!("back to {}, so that the game need not end", shown(&text));
                    return Err(fault(&way, &where_to));
                }
                Some(_) => {}
                None => {
                    let frame = Frame { text: Some(text.clone()), ..self.frame(next.clone()) };
                    taken += 2 * text.len() + size_of::<Frame<G>>() + size_of::<(String, Known)>() * 2;
                    taken += frame.moves.capacity() * size_of::<G::Move>();
                    if !proven.set.has_room_for(taken) {
                        return Err(Unproven::Memory);
                    }
                    known.insert(text, Known::Open);
                    way.push(frame);
                }
            }
        }
        Ok(())
    }

    /// `false` if the opponent is to move, `true` if all is well here; the error says where we are and what is wrong.
    fn settled(&self, proven: &Listed, state: &G) -> Result<bool, String> {
        if let Some(outcome) = state.outcome() {
            if self.goal.reached(outcome, self.player) {
                return Ok(true);
            }
            return Err(format!(
                "to {}, where the game is over ({outcome}) without the goal",
                shown(&state.position_text())
            ));
        }
        if state.to_move() != self.player {
            return Ok(false);
        }
        let text = state.position_text();
        if proven.covers(state, &text) {
            return Ok(true);
        }
        Err(format!("to {}, which {}", shown(&text), self.missing))
    }

    fn frame(&mut self, state: G) -> Frame<G> {
        let mut moves = self.spare.pop().unwrap_or_default();
        moves.clear();
        state.moves(&mut moves);
        Frame { state, moves, tried: 0, text: None }
    }
}

/// `the reply d3 leads to …`, or `the replies d3 e4 lead to …` for several in a row.
fn fault<G: Game>(way: &[Frame<G>], where_to: &str) -> Unproven {
    const SHOWN: usize = 10;
    let mut replies: Vec<String> = way
        .iter()
        .take(SHOWN)
        .filter_map(|frame| Some(frame.state.move_text(*frame.moves.get(frame.tried.checked_sub(1)?)?)))
        .collect();
    if way.len() > SHOWN {
        replies.push(format!("… ({} in all)", way.len()));
    }
    let (reply, leads) = if way.len() == 1 { ("reply", "leads") } else { ("replies", "lead") };
    Unproven::Reply(format!("the {reply} {} {leads} {where_to}", shown(&replies.join(" "))))
}
