//! Search by jobs finds the known values of small games on clusters with delays and failures and on threads, and its
//! certificates hold.

use std::sync::atomic::AtomicBool;

use plyproof_core::search::jobs::{
    Cluster, Coordinator, Executor, JobSettings, JobThreads, Sharing, Simulator, WriteLimits, run,
};
use plyproof_core::search::{Aim, Budget};
use plyproof_core::{Game, Rng, Wdl};
use plyproof_games::clobber::{CLOBBER, Clobber};
use plyproof_games::connect4::{CONNECT4, Connect4};
use plyproof_games::domineering::{DOMINEERING, Domineering};
use plyproof_games::hex::{HEX, Hex};
use plyproof_games::in_a_row::{InARow, MNK, TICTACTOE};
use plyproof_games::loa::{LOA, Loa};
use plyproof_games::othello::{OTHELLO, Othello};
use plyproof_games::through::{BREAKTHROUGH, KNIGHTTHROUGH, Through};

use crate::solving::{params, verified};

fn solved<G: Game>(start: &G, value: Wdl, executor: &mut dyn Executor<G>, settings: &JobSettings) -> Coordinator<G> {
    let mut coordinator = Coordinator::new(start, Aim::Value, settings.clone());
    // The state goes through bytes now and then, as if the coordinator had been killed.
    for events in [20, 60, usize::MAX] {
        let mut left = events;
        run(&mut coordinator, executor, &mut |_, _| {
            left -= 1;
            left > 0
        });
        let bytes = coordinator.save();
        coordinator = Coordinator::restore(start, Aim::Value, settings.clone(), &bytes).expect("the same search");
    }
    assert_eq!(coordinator.bounds().value(), Some(value), "{}", start.position_text());
    coordinator
}

/// By two clusters that lose and repeat results, and by two threads; the proofs of each are verified.
fn by_all<G: Game>(start: &G, value: Wdl) {
    let settings = JobSettings { smallest: 30, ..JobSettings::default() };
    let mut found = Vec::new();
    for seed in 0..2 {
        let mut rng = Rng::new(seed ^ start.key());
        let cluster = Cluster {
            together: 1 + rng.below(3),
            memory: 1 << 20,
            latency: rng.below(2_000_000) as u64,
            stragglers: 0.2,
            slowness: 1 + rng.below(100) as u64,
            losses: 0.1,
            repeats: 0.1,
            seed,
            ..Cluster::of(1 + rng.below(12))
        };
        found.push(solved(start, value, &mut Simulator::new(cluster), &settings));
    }
    found.push(solved(start, value, &mut JobThreads::new(2, 1 << 24, Sharing::One), &settings));
    let limits = WriteLimits { budget: Budget { memory: Some(1 << 28), ..Budget::default() } };
    for coordinator in found {
        let proofs = coordinator.proofs(&limits, &AtomicBool::new(false));
        assert_eq!(proofs.len(), if value == Wdl::Draw { 2 } else { 1 });
        proofs.iter().for_each(|proof| {
            verified(start, proof);
        });
    }
}

#[test]
fn boards_that_fill_up_have_their_known_values() {
    use Wdl::{Draw, Loss, Win};
    by_all(&InARow::tictactoe(&params(&TICTACTOE, "tictactoe")), Draw);
    for (text, value) in [("mnk(m=4,n=3,k=3)", Win), ("mnk(m=4,n=4,k=4)", Draw)] {
        by_all(&InARow::mnk(&params(&MNK, text)), value);
    }
    for (text, value) in [("connect4(width=4,height=4)", Draw), ("connect4(width=4,height=5)", Draw)] {
        by_all(&Connect4::start(&params(&CONNECT4, text)), value);
    }
    for text in ["hex(size=2)", "hex(size=3)"] {
        by_all(&Hex::start(&params(&HEX, text)), Win);
    }
    by_all(&Othello::start(&params(&OTHELLO, "othello(size=4)")), Loss);
    for (text, value) in [("domineering(size=4x4)", Win), ("domineering(size=5x5)", Loss)] {
        by_all(&Domineering::start(&params(&DOMINEERING, text)), value);
    }
    for text in ["clobber(size=3x3)", "clobber(size=4x4)"] {
        by_all(&Clobber::start(&params(&CLOBBER, text)), Win);
    }
}

#[test]
fn games_of_pieces_that_move_have_their_known_values() {
    use Wdl::{Loss, Win};
    for (text, value) in [("3x4", Loss), ("3x5", Loss), ("3x6", Win), ("4x4", Loss), ("5x4", Loss), ("6x4", Loss)] {
        let text = format!("breakthrough(size={text})");
        by_all(&Through::breakthrough(&params(&BREAKTHROUGH, &text)), value);
    }
    for (text, value) in
        [("4x4", Win), ("4x5", Win), ("5x5", Win), ("4x6", Win), ("5x6", Win), ("3x6", Loss), ("3x7", Loss)]
    {
        let text = format!("knightthrough(size={text})");
        by_all(&Through::knightthrough(&params(&KNIGHTTHROUGH, &text)), value);
    }
    // Positions repeat here.
    for (text, value) in [("loa(size=3)", Loss), ("loa(size=4)", Win)] {
        by_all(&Loa::<u64>::start(&params(&LOA, text)), value);
    }
}
