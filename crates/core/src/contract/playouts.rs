//! What a game claims of its decisive and traced play-outs, held against what they do.

use super::{Violation, Walk, loses_at_once};
use crate::game::{DecisivePlayouts, Defence, Game, PLY_LIMIT};
use crate::outcome::Outcome;
use crate::rng::Rng;

/// How decisive play-outs fared at the positions of the walk at which one move decides.
#[derive(Default)]
pub(super) struct Decisions {
    /// Positions whose mover could win at once, and play-outs from there that did not.
    wins: u32,
    missed: u32,
    /// Play-outs from positions with a threat that could be met, and those of them that lost to it at once.
    threats: u32,
    lost: u32,
    /// Such losses to be expected of random moves.
    random: f64,
}

/// Play-outs from each position with a threat.
const TRIES: u32 = 8;

impl<G: Game> Walk<'_, G> {
    /// Decisive play-outs from an unfinished position. What a few play-outs do not show is summed up for
    /// [`Walk::decided`].
    pub(super) fn decisive(&mut self, game: &G, moves: &[G::Move], ends: &[(usize, Outcome)]) -> Result<(), Violation> {
        let seed = self.rng.next_u64();
        let mut rng = Rng::new(seed);
        if game.decisive_playouts() == DecisivePlayouts::None {
            // Every fourth position is enough: its play-out goes through many more.
            if self.kept.positions % 4 == 1 {
                let mut plain = Rng::new(seed);
                let same = game.clone().playout(&mut plain, PLY_LIMIT)
                    == game.clone().decisive_playout(&mut rng, PLY_LIMIT)
                    && plain.next_u64() == rng.next_u64();
                promise!(game, same, "decisive play-outs differ from plain ones, though the game claims none");
            }
            return Ok(());
        }
        let mover = game.to_move();
        if ends.iter().any(|(_, outcome)| outcome.winner() == Some(mover)) {
            let playout = game.clone().decisive_playout(&mut rng, PLY_LIMIT);
            self.decisions.wins += 1;
            self.decisions.missed += u32::from(playout.plies != 1 || playout.outcome.winner() != Some(mover));
        } else if game.decisive_playouts() == DecisivePlayouts::WinsAndDefences && game.players() == 2 {
            let mut defences = Vec::new();
            if game.defences(&mut defences) != Defence::Needed || defences.iter().all(|&m| loses_at_once(game, m)) {
                return Ok(());
            }
            // Where few moves lose, they may do so by themselves, and there is no threat that a play-out could see.
            let losing = moves.iter().filter(|&&m| loses_at_once(game, m)).count();
            if losing * 2 <= moves.len() {
                return Ok(());
            }
            self.decisions.threats += TRIES;
            self.decisions.random += f64::from(TRIES) * losing as f64 / moves.len() as f64;
            for _ in 0..TRIES {
                let playout = game.clone().decisive_playout(&mut rng, PLY_LIMIT);
                let lost = playout.plies <= 2 && playout.outcome.winner() == Some(mover.other());
                self.decisions.lost += u32::from(lost);
            }
        }
        Ok(())
    }

    /// Half of the wins have to be seen, nine of ten by a game that also sees defences, and threats met at least twice as
    /// often as by random moves, with room for chance where there were few of them.
    pub(super) fn decided(&self) -> Result<(), Violation> {
        let Decisions { wins, missed, threats, lost, random } = self.decisions;
        let tenths = if self.start.decisive_playouts() == DecisivePlayouts::WinsAndDefences { 1 } else { 5 };
        promise!(
            self.start,
            missed * 10 <= tenths * (wins + 10),
            "decisive play-outs missed {missed} of {wins} wins in one move, though the game claims to see them"
        );
        let most = random / 2.0 + 3.0 * (random / 2.0).sqrt() + 1.0;
        promise!(
            self.start,
            f64::from(lost) <= most,
            "{lost} of {threats} decisive play-outs lost at once where there was a defence; random moves lose {random:.1}"
        );
        Ok(())
    }

    /// A traced play-out is the untraced one, its moves are legal, by the right player, and lead to its result.
    pub(super) fn traced(&mut self, game: &G, decisive: bool) -> Result<(), Violation> {
        let seed = self.rng.next_u64();
        let (mut trace, mut moves, mut now) = (Vec::new(), Vec::new(), game.clone());
        let mut copy = game.clone();
        let traced = copy.traced_playout(&mut Rng::new(seed), PLY_LIMIT, decisive, &mut trace);
        let claim = if game.traces_playouts() { "claims them" } else { "does not claim them" };
        let said = if traced.is_some() { "some" } else { "none" };
        promise!(
            game,
            traced.is_some() == game.traces_playouts(),
            "traced_playout gave {said}, but the game {claim} by traces_playouts"
        );
        let Some(playout) = traced else {
            let untouched = trace.is_empty() && copy.key() == game.key();
            promise!(game, untouched, "traced_playout gave none, but moved or recorded something");
            return Ok(());
        };
        promise!(
            game,
            trace.len() <= playout.plies as usize,
            "a play-out of {} plies reported {}",
            playout.plies,
            trace.len()
        );
        for (place, &(player, m)) in trace.iter().enumerate() {
            let new = !trace[..place].contains(&(player, m));
            promise!(game, new, "a play-out reported one move of a player twice: {}", now.move_text(m));
            moves.clear();
            now.moves(&mut moves);
            let right = now.outcome().is_none() && now.to_move() == player && moves.contains(&m);
            promise!(game, right, "a play-out reported a move that is not possible in {}", now.position_text());
            now.play(m);
        }
        let told = now.outcome().unwrap_or(playout.outcome);
        promise!(
            game,
            told == playout.outcome,
            "a play-out that gave \"{}\" reported moves to \"{told}\"",
            playout.outcome
        );
        let mut rng = Rng::new(seed);
        let mut copy = game.clone();
        let plain =
            if decisive { copy.decisive_playout(&mut rng, PLY_LIMIT) } else { copy.playout(&mut rng, PLY_LIMIT) };
        let (is, should) = (super::gave(playout), super::gave(plain));
        promise!(game, playout == plain, "a traced play-out gave {is}, the untraced one {should}");
        Ok(())
    }
}
