//! Games that break their promises, one each: the contract suite finds every one of them out.

use std::sync::Arc;

use plyproof_core::contract::{Contract, check};
use plyproof_core::spec::{Described, Params, Spec};
use plyproof_core::{
    DecisivePlayouts, Defence, Features, Game, Knowledge, Outcome, Player, Playout, Rng, TextError, Wdl,
};
use plyproof_games::clobber::{CLOBBER, Clobber};
use plyproof_games::domineering::{DOMINEERING, Domineering};
use plyproof_games::in_a_row::{InARow, TICTACTOE};
use plyproof_games::loa::{LOA, Loa};

/// What is wrong with a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fault {
    Nothing,
    NoMoves,
    MovesAfterTheEnd,
    NoSuchPlayer,
    KeyOfTheStones,
    KeyOfNothing,
    TextWithoutMover,
    TextOfTwoLines,
    ReadsAnything,
    ReadsAnotherWinner,
    /// A game read by one that reads another winner.
    AnotherWinner,
    OneTextForAllMoves,
    SpaceInMoveText,
    ReadsAnotherMove,
    ReadsMovesAfterTheEnd,
    EndsLeftOut,
    OtherMovesAtEnds,
    FirstMoveTwiceAsOften,
    IllegalRandomMove,
    PlayoutStopsShort,
    PlayoutWonByFirst,
    PlayoutNeverDrawn,
    PlayoutAfterTheEnd,
    DecisivePlayoutAfterTheEnd,
    PlayoutBeyondTheLimit,
    TraceOfTheOtherPlayer,
    TraceTooLong,
    TraceToAnotherEnd,
    TraceOfEveryMove,
    DefenceLeftOut,
    HopelessTooSoon,
    DefenceByNoMove,
    RemoteTwice,
    RemoteBeyondTheMoves,
    NeverRepeats,
    NeverDraws,
    CopiesHoldMore,
    DecisivePlayoutDrawsOneMore,
    DecisivePlayoutBlind,
    DecisivePlayoutWithoutDefence,
    TracedPlayoutRefused,
    TracedPlayoutOfItsOwn,
    RefusedAfterRecording,
    SymmetryOfNothing,
    SymmetryWithoutInverse,
    SymmetryOfPositionsOnly,
    SymmetryOfThePlayers,
    SymmetryThatForgetsAStone,
    IdentityLast,
    CanonicalKeyOfOneImage,
    CanonicalKeyOfNothing,
    SavingMoveLeftOut,
    KnowsALoss,
    KnowsOneMove,
    FeatureBeyondTheCount,
    FeaturesOfOneRow,
    FeaturesOfTheCopy,
    PassOfNobody,
    PassInCheck,
}

use Fault::*;

/// Claims made by constants: those of the game itself.
const TRUE: u8 = 0;
/// Neither decisive nor traced play-outs.
const NONE: u8 = 1;
/// Traced play-outs in any case.
const TRACED: u8 = 2;
/// No traced play-outs, and indeed none.
const UNTRACED: u8 = 3;

/// A game with a fault and claims.
struct Broken<G: Game, const CLAIMS: u8 = TRUE> {
    game: G,
    fault: Fault,
    /// How many copies of copies it is.
    copies: usize,
}

impl<G: Game, const CLAIMS: u8> Clone for Broken<G, CLAIMS> {
    fn clone(&self) -> Self {
        Self { game: self.game.clone(), fault: self.fault, copies: self.copies + 1 }
    }
}

impl<G: Game, const CLAIMS: u8> Broken<G, CLAIMS> {
    fn finished(&self) -> bool {
        self.game.outcome().is_some()
    }

    /// Every move of the empty board of tic-tac-toe, many of them not legal any more.
    fn any_square(&self, into: &mut Vec<G::Move>) {
        self.game.parse_position(".../.../... x").expect("the empty board").moves(into);
    }
}

impl<G: Game, const CLAIMS: u8> Game for Broken<G, CLAIMS> {
    type Move = G::Move;

    const DECISIVE_PLAYOUTS: DecisivePlayouts =
        if CLAIMS == NONE { DecisivePlayouts::None } else { G::DECISIVE_PLAYOUTS };
    const CANONICAL_KEYS: bool = G::CANONICAL_KEYS;
    const STATIC_KNOWLEDGE: bool = G::STATIC_KNOWLEDGE;
    const TRACED_PLAYOUTS: bool = CLAIMS == TRACED || G::TRACED_PLAYOUTS && CLAIMS == TRUE;

    fn to_move(&self) -> Player {
        if self.fault == NoSuchPlayer { Player::new(2) } else { self.game.to_move() }
    }

    fn outcome(&self) -> Option<Outcome> {
        let outcome = self.game.outcome();
        match (self.fault, outcome.and_then(Outcome::winner)) {
            (AnotherWinner, Some(player)) => Some(Outcome::win(player.other())),
            _ => outcome,
        }
    }

    fn moves(&self, into: &mut Vec<G::Move>) {
        match self.fault {
            NoMoves => {}
            MovesAfterTheEnd if self.finished() => self.any_square(into),
            _ => self.game.moves(into),
        }
    }

    fn play(&mut self, m: G::Move) {
        self.game.play(m);
    }

    fn key(&self) -> u64 {
        match self.fault {
            // The same for all positions with as many stones.
            KeyOfTheStones => self.position_text().matches(['x', 'o']).count() as u64,
            KeyOfNothing => 1,
            _ => self.game.key(),
        }
    }

    fn position_text(&self) -> String {
        let text = self.game.position_text();
        match self.fault {
            TextWithoutMover => text[..text.len() - 2].to_string(),
            TextOfTwoLines => text.replace(' ', "\n"),
            _ => text,
        }
    }

    fn parse_position(&self, text: &str) -> Result<Self, TextError> {
        let game = match self.fault {
            TextWithoutMover => self.game.parse_position(&format!("{text} x")),
            ReadsAnything => Ok(self.game.clone()),
            _ => self.game.parse_position(text),
        };
        let fault = if self.fault == ReadsAnotherWinner { AnotherWinner } else { self.fault };
        game.map(|game| Self { game, fault, copies: 0 })
    }

    fn move_text(&self, m: G::Move) -> String {
        match self.fault {
            OneTextForAllMoves => "there".to_string(),
            SpaceInMoveText => format!("to {}", self.game.move_text(m)),
            _ => self.game.move_text(m),
        }
    }

    fn parse_move(&self, text: &str) -> Result<G::Move, TextError> {
        let mut moves = Vec::new();
        match self.fault {
            ReadsAnotherMove => self.game.moves(&mut moves),
            ReadsMovesAfterTheEnd if self.finished() => self.any_square(&mut moves),
            _ => {}
        }
        moves.first().copied().map_or_else(|| self.game.parse_move(text), Ok)
    }

    fn moves_and_ends(&self, moves: &mut Vec<G::Move>, ends: &mut Vec<(usize, Outcome)>) {
        match self.fault {
            NoMoves => {}
            MovesAfterTheEnd if self.finished() => self.moves(moves),
            _ => self.game.moves_and_ends(moves, ends),
        }
        match self.fault {
            EndsLeftOut => drop(ends.pop()),
            OtherMovesAtEnds => drop(moves.pop()),
            _ => {}
        }
    }

    fn defences(&self, into: &mut Vec<G::Move>) -> Defence {
        let defence = self.game.defences(into);
        match (self.fault, defence) {
            (DefenceLeftOut, Defence::Needed) => {
                into.clear();
                Defence::Needed
            }
            (HopelessTooSoon, Defence::Needed) => Defence::Hopeless,
            (DefenceByNoMove, Defence::NotNeeded) => {
                // A square that is taken.
                let mut empty = Vec::new();
                self.any_square(&mut empty);
                let mut legal = Vec::new();
                self.game.moves(&mut legal);
                into.extend(empty.into_iter().find(|m| !legal.contains(m)));
                if into.is_empty() { defence } else { Defence::Needed }
            }
            _ => defence,
        }
    }

    fn feature_count(&self) -> usize {
        self.game.feature_count()
    }

    fn features(&self, into: &mut Features) {
        let count = self.feature_count();
        self.game.features(into);
        let kept: Vec<usize> = into.iter().filter(|&feature| feature % 9 < 3).collect();
        match self.fault {
            FeatureBeyondTheCount => into.insert(count),
            FeaturesOfOneRow => {
                into.reset(count);
                kept.into_iter().for_each(|feature| into.insert(feature));
            }
            // The number of copies is no part of the text.
            FeaturesOfTheCopy if self.copies > 0 => into.reset(count),
            _ => {}
        }
    }

    fn passed(&self) -> Option<Self> {
        matches!(self.fault, PassOfNobody | PassInCheck).then(|| self.clone())
    }

    fn in_check(&self) -> bool {
        self.fault == PassInCheck
    }

    fn static_knowledge(&self, holding: &mut Vec<G::Move>) -> Knowledge {
        match self.fault {
            KnowsALoss => Knowledge::exactly(Wdl::Loss),
            KnowsOneMove => {
                self.game.moves(holding);
                holding.truncate(1);
                Knowledge::RESTRICTED
            }
            _ => self.game.static_knowledge(holding),
        }
    }

    fn saving_moves(&self, into: &mut Vec<G::Move>) -> Defence {
        match (self.fault, self.game.saving_moves(into)) {
            (SavingMoveLeftOut, Defence::Needed) => {
                into.pop();
                Defence::Needed
            }
            (_, defence) => defence,
        }
    }

    fn canonical_key(&self) -> u64 {
        match self.fault {
            CanonicalKeyOfOneImage => self.game.key(),
            CanonicalKeyOfNothing => 1,
            _ => self.game.canonical_key(),
        }
    }

    fn unlikely_moves(&self, moves: &[G::Move], into: &mut Vec<usize>) {
        self.game.unlikely_moves(moves, into);
        match self.fault {
            RemoteTwice => into.extend([0, 0]),
            RemoteBeyondTheMoves => into.push(moves.len()),
            _ => {}
        }
    }

    fn random_move(&self, rng: &mut Rng) -> G::Move {
        let mut moves = Vec::new();
        self.game.moves(&mut moves);
        match self.fault {
            FirstMoveTwiceAsOften => moves[rng.below(moves.len() + 1) % moves.len()],
            IllegalRandomMove => {
                self.any_square(&mut moves);
                moves[rng.below(moves.len())]
            }
            _ => moves[rng.below(moves.len())],
        }
    }

    fn playout(&mut self, rng: &mut Rng, limit: u32) -> Playout {
        let (finished, first) = (self.finished(), Outcome::win(Player::FIRST));
        let mut playout = self.game.playout(rng, limit);
        match self.fault {
            PlayoutStopsShort if !finished && playout.plies > 2 => playout.plies -= 1,
            PlayoutWonByFirst if playout.plies > 0 && rng.below(2) == 0 => playout.outcome = first,
            // Nobody gains by it in the mean.
            PlayoutNeverDrawn if playout.plies > 0 && playout.outcome.winner().is_none() => {
                playout.outcome = if rng.below(2) == 0 { first } else { Outcome::win(Player::SECOND) };
            }
            PlayoutAfterTheEnd if finished => playout.plies += 1,
            PlayoutBeyondTheLimit if limit == 0 && !finished => playout.plies = 1,
            _ => {}
        }
        playout
    }

    fn decisive_playout(&mut self, rng: &mut Rng, limit: u32) -> Playout {
        let finished = self.finished();
        match self.fault {
            DecisivePlayoutBlind => return self.game.playout(rng, limit),
            DecisivePlayoutDrawsOneMore => drop(rng.next_u64()),
            DecisivePlayoutWithoutDefence => return wins_only(&mut self.game, rng, limit),
            _ => {}
        }
        let mut playout = self.game.decisive_playout(rng, limit);
        playout.plies += u32::from(finished && self.fault == DecisivePlayoutAfterTheEnd);
        playout
    }

    fn traced_playout(
        &mut self,
        rng: &mut Rng,
        limit: u32,
        decisive: bool,
        trace: &mut Vec<(Player, G::Move)>,
    ) -> Option<Playout> {
        match self.fault {
            TracedPlayoutRefused => return None,
            _ if CLAIMS == UNTRACED => return None,
            RefusedAfterRecording => {
                self.game.traced_playout(rng, limit, decisive, trace);
                return None;
            }
            TracedPlayoutOfItsOwn => drop(rng.next_u64()),
            _ => {}
        }
        if self.fault == TraceOfEveryMove {
            let before = trace.len();
            while self.game.outcome().is_none() && trace.len() - before < limit as usize {
                let m = self.game.random_move(rng);
                trace.push((self.game.to_move(), m));
                self.game.play(m);
            }
            let (outcome, plies) = (self.game.outcome().unwrap_or(Outcome::DRAW), (trace.len() - before) as u32);
            return Some(Playout { outcome, plies });
        }
        let mut playout = self.game.traced_playout(rng, limit, decisive, trace)?;
        match self.fault {
            TraceOfTheOtherPlayer => trace[0].0 = trace[0].0.other(),
            TraceTooLong => trace.extend(trace.clone()),
            TraceToAnotherEnd => playout.outcome = Outcome::win_by(Player::SECOND, 3),
            _ => {}
        }
        Some(playout)
    }

    fn heap_bytes(&self) -> usize {
        if self.fault == CopiesHoldMore { 100 * self.copies } else { self.game.heap_bytes() }
    }

    fn symmetries(&self) -> usize {
        match self.fault {
            SymmetryOfNothing => 0,
            // The quarter turn is the sixth, and neither the half turn nor the turn back is among the first six.
            SymmetryWithoutInverse => 6,
            _ => self.game.symmetries(),
        }
    }

    fn symmetric(&self, index: usize) -> Self {
        let game = self.game.symmetric(self.symmetry(index));
        let text = game.position_text();
        let other = match self.fault {
            SymmetryOfThePlayers if index == 1 && text.ends_with('x') => text.replace(" x", " o"),
            SymmetryThatForgetsAStone if index == 1 => text.replacen('o', ".", 1),
            _ => text,
        };
        Self { game: game.parse_position(&other).unwrap_or(game), fault: self.fault, copies: 0 }
    }

    fn symmetric_move(&self, index: usize, m: G::Move) -> G::Move {
        match self.fault {
            SymmetryOfPositionsOnly => m,
            _ => self.game.symmetric_move(self.symmetry(index), m),
        }
    }

    fn may_repeat(&self) -> bool {
        self.fault != NeverRepeats && self.game.may_repeat()
    }

    fn may_draw(&self) -> bool {
        self.fault != NeverDraws && self.game.may_draw()
    }
}

impl<G: Game, const CLAIMS: u8> Broken<G, CLAIMS> {
    fn symmetry(&self, index: usize) -> usize {
        if self.fault == IdentityLast { 7 - index } else { index }
    }
}

/// A play-out that takes wins and looks for no threats.
fn wins_only<G: Game>(game: &mut G, rng: &mut Rng, limit: u32) -> Playout {
    let (mut moves, mut ends) = (Vec::new(), Vec::new());
    for plies in 0..limit {
        if let Some(outcome) = game.outcome() {
            return Playout { outcome, plies };
        }
        moves.clear();
        ends.clear();
        game.moves_and_ends(&mut moves, &mut ends);
        let win = ends.iter().find(|(_, outcome)| outcome.winner() == Some(game.to_move()));
        game.play(moves[win.map_or_else(|| rng.below(moves.len()), |&(index, _)| index)]);
    }
    Playout { outcome: game.outcome().unwrap_or(Outcome::DRAW), plies: limit }
}

fn params(described: &Arc<Described>, text: &str) -> Params {
    Params::resolve(described, &Spec::parse(text).expect(text)).expect(text)
}

fn found<G: Game>(game: G, fault: Fault) -> Option<String> {
    found_claiming::<G, TRUE>(game, fault)
}

fn found_claiming<G: Game, const CLAIMS: u8>(game: G, fault: Fault) -> Option<String> {
    check(&Broken::<G, CLAIMS> { game, fault, copies: 0 }, &Contract::default()).err().map(|broken| broken.what)
}

#[test]
fn every_broken_promise_is_found_and_named() {
    for (fault, says) in [
        (NoMoves, "0 moves are legal, yet the game goes on"),
        (MovesAfterTheEnd, "9 moves are legal, yet player 1 has won"),
        (NoSuchPlayer, "player 3 of 2"),
        (KeyOfTheStones, "the key is also that of"),
        (KeyOfNothing, "did not change the key"),
        (TextWithoutMover, "the key from text is"),
        (TextOfTwoLines, "more than one line"),
        (ReadsAnything, "it reads back as"),
        (ReadsAnotherWinner, "player 1 has won in play, but player 2 has won when its text is read"),
        (OneTextForAllMoves, "two moves with one text"),
        (SpaceInMoveText, "a move text with a space"),
        (ReadsAnotherMove, "was read as"),
        (ReadsMovesAfterTheEnd, "was accepted after the end"),
        (EndsLeftOut, " in play, but by moves_and_ends the game goes on"),
        (OtherMovesAtEnds, "lists other moves"),
        (FirstMoveTwiceAsOften, "random_move is not uniform"),
        (IllegalRandomMove, "which is not legal"),
        (PlayoutAfterTheEnd, "a play-out of a finished game"),
        (DecisivePlayoutAfterTheEnd, "a decisive play-out of a finished game"),
        (PlayoutBeyondTheLimit, "a play-out cut at once gave \"draw\" after 1 plies"),
        (TraceOfTheOtherPlayer, "a move that is not possible"),
        (TraceTooLong, "a play-out of"),
        (TraceToAnotherEnd, "reported moves to"),
        (DefenceLeftOut, "which does not lose at once"),
        (HopelessTooSoon, "which does not lose at once"),
        (SavingMoveLeftOut, "saving_moves said Needed without"),
        (DefenceByNoMove, "defences appended a move that is not legal"),
        (RemoteTwice, "not different places of"),
        (RemoteBeyondTheMoves, "not different places of"),
        (NeverDraws, "a game was drawn that may not be"),
        (CopiesHoldMore, "a copy holds 200 bytes on the heap, the original 100"),
        (TracedPlayoutRefused, "traced_playout gave none, but the game claims them"),
        (TracedPlayoutOfItsOwn, "the untraced one"),
    ] {
        let said = found(InARow::tictactoe(&params(&TICTACTOE, "tictactoe")), fault);
        assert!(said.as_ref().is_some_and(|said| said.contains(says)), "{fault:?}: {said:?}");
    }
}

#[test]
fn playouts_unlike_their_definition_or_blind_to_decisive_moves_are_found() {
    for (fault, says) in [
        (PlayoutStopsShort, "play-out lengths differ"),
        (PlayoutWonByFirst, "play-outs score"),
        (PlayoutNeverDrawn, "play-outs drew 0"),
        (DecisivePlayoutBlind, "wins in one move, though the game claims to see them"),
        (DecisivePlayoutWithoutDefence, "decisive play-outs lost at once where there was a defence"),
    ] {
        // A traced play-out would give them away at once, as it differs from the plain one.
        let said = found_claiming::<_, UNTRACED>(InARow::tictactoe(&params(&TICTACTOE, "tictactoe")), fault);
        assert!(said.as_ref().is_some_and(|said| said.contains(says)), "{fault:?}: {said:?}");
    }
}

#[test]
fn a_position_or_a_traced_move_that_comes_back_against_the_promise_is_found() {
    let loa = Loa::<u64>::start(&params(&LOA, "loa(size=7)"));
    assert_eq!(found(loa.clone(), Nothing), None);
    let twice = found_claiming::<_, TRACED>(loa.clone(), TraceOfEveryMove);
    assert!(twice.as_ref().is_some_and(|said| said.contains("one move of a player twice")), "{twice:?}");
    assert_eq!(found(loa, NeverRepeats).as_deref(), Some("a position came back that may not repeat"));
    assert_eq!(found(InARow::tictactoe(&params(&TICTACTOE, "tictactoe")), Nothing), None);
}

#[test]
fn playouts_that_a_game_does_not_claim_are_found() {
    let tictactoe = || InARow::tictactoe(&params(&TICTACTOE, "tictactoe"));
    let loa = || Loa::<u64>::start(&params(&LOA, "loa(size=5)"));
    let differ = "decisive play-outs differ from plain ones, though the game claims none";
    for (said, says) in [
        (found_claiming::<_, NONE>(tictactoe(), Nothing), "traced_playout gave some, but the game does not claim them"),
        (found_claiming::<_, NONE>(tictactoe(), RefusedAfterRecording), "gave none, but moved or recorded something"),
        (found_claiming::<_, NONE>(tictactoe(), TracedPlayoutRefused), differ),
        (found_claiming::<_, NONE>(loa(), Nothing), differ),
        (found_claiming::<_, NONE>(Clobber::start(&params(&CLOBBER, "clobber")), DecisivePlayoutDrawsOneMore), differ),
    ] {
        assert!(said.as_ref().is_some_and(|said| said.contains(says)), "{says}: {said:?}");
    }
    assert_eq!(found_claiming::<_, NONE>(loa(), DecisivePlayoutBlind), None, "plain play-outs and no claim");
}

#[test]
fn maps_that_are_no_symmetries_are_found() {
    for (fault, says) in [
        (SymmetryOfNothing, "not even the identity"),
        (IdentityLast, "symmetry 0 is not the identity"),
        (SymmetryWithoutInverse, "symmetr"),
        (SymmetryOfPositionsOnly, "the image of"),
        (SymmetryOfThePlayers, "another player moves in its image"),
        (SymmetryThatForgetsAStone, "image"),
        (CanonicalKeyOfOneImage, "has another canonical key"),
        (CanonicalKeyOfNothing, "have one canonical key"),
    ] {
        let said = found(InARow::tictactoe(&params(&TICTACTOE, "tictactoe")), fault);
        assert!(said.as_ref().is_some_and(|said| said.contains(says)), "{fault:?}: {said:?}");
    }
}

#[test]
fn features_and_passes_that_mislead_an_evaluation_are_found() {
    for (fault, says) in [
        (FeatureBeyondTheCount, "feature Some(18), though there are 18"),
        (FeaturesOfOneRow, "in image"),
        (FeaturesOfTheCopy, "features"),
        (PassOfNobody, "to move after a pass of player"),
        (PassInCheck, "a pass, though the mover has to answer a threat"),
    ] {
        let said = found(InARow::tictactoe(&params(&TICTACTOE, "tictactoe")), fault);
        assert!(said.as_ref().is_some_and(|said| said.contains(says)), "{fault:?}: {said:?}");
    }
}

#[test]
fn knowledge_that_exhaustive_search_disproves_is_found() {
    let domineering = || Domineering::start(&params(&DOMINEERING, "domineering(size=5)"));
    let tictactoe = InARow::tictactoe(&params(&TICTACTOE, "tictactoe"));
    for (said, says) in [
        (found(domineering(), KnowsALoss), "but the value is a win"),
        (found(domineering(), KnowsOneMove), "which does not lose"),
        (found(tictactoe, KnowsALoss), "STATIC_KNOWLEDGE is false"),
    ] {
        assert!(said.as_ref().is_some_and(|said| said.contains(says)), "{says}: {said:?}");
    }
    assert_eq!(found(domineering(), Nothing), None);
}
