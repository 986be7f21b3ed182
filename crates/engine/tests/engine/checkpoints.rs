//! Checkpoints of solvers: searches that go on in pieces, and damaged files.

use std::io::Read;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use plyproof_core::search::{Agent, Aim, Budget, Checkpoints, Interval, Save, SolveTask, Standing};
use plyproof_engine::checkpoint::{Checkpoint, open};
use plyproof_engine::{Solution, TextError};

/// Solves, at most `nodes` positions long, with a checkpoint at `path`.
fn solve(path: &Path, game: &str, agent: &str, nodes: Option<u64>) -> Result<Solution, TextError> {
    let game = crate::open(game).expect("a game");
    let named = Agent::parse(agent).expect("an agent");
    let memory = 4 << 20;
    let head = Checkpoint::new(&*game, Aim::Value, agent.to_string(), memory);
    let mut found = open(path)?;
    if let Some(found) = &found {
        head.fits(&found.head)?;
    }
    let budget = Budget { memory: Some(memory), simulations: nodes, ..Budget::default() };
    let task = SolveTask { agent: &named, aim: Aim::Value, all_moves: false, proofs: false, budget, seed: 1 };
    let from = found.as_mut().map(|found| &mut *found.memory as &mut dyn Read);
    let mut save = |standing: Standing, save: &mut Save<'_>| {
        head.write(path, standing, save).expect("written");
    };
    let checkpoints = Checkpoints { every: Interval::Nodes(3000), from, save: &mut save };
    let stop = AtomicBool::new(false);
    game.searcher().solve_on(&*game, &task, &stop, &mut |_| {}, &mut |_, _| Ok(()), checkpoints)
}

#[test]
fn a_search_goes_on_in_pieces_and_every_damaged_checkpoint_is_refused() {
    let folder = std::env::temp_dir().join(format!("plyproof-checkpoint-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    for (agent, game) in [
        ("portfolio", "breakthrough(size=3x5)"),
        ("df-pn", "connect4(width=4,height=4)"),
        ("alpha-beta", "breakthrough(size=3x5)"),
        ("df-pn", "loa(size=5)"),
    ] {
        let path = folder.join(format!("{agent} {game}"));
        let whole = solve(&folder.join("other"), game, agent, None).expect("solved");
        std::fs::remove_file(folder.join("other")).expect("removed");
        let (mut pieces, mut nodes) = (0, 0);
        let last = loop {
            pieces += 1;
            let part = solve(&path, game, agent, Some(4001)).expect("solved");
            assert!(part.nodes <= nodes + 4001 && part.nodes >= nodes, "{agent}: {} after {nodes}", part.nodes);
            nodes = part.nodes;
            if part.value.is_some() {
                break part;
            }
        };
        assert_eq!(last.value, whole.value, "{agent} {game}");
        assert!(pieces > 1 && last.nodes < 3 * whole.nodes, "{agent}: {} in {pieces}, {}", last.nodes, whole.nodes);
        let again = solve(&path, game, agent, Some(1)).expect("solved");
        assert_eq!((again.value, again.nodes), (last.value, last.nodes), "nothing is left to search");
        let error = |text: Result<Solution, TextError>| text.expect_err("a damaged file").to_string();
        assert!(error(solve(&path, "tictactoe", agent, None)).contains("another game"));
        assert!(error(solve(&path, game, "df-pn(leaf=unit)", None)).contains("another agent"));
        let bytes = std::fs::read(&path).expect("a file");
        let damaged = folder.join("damaged");
        for part in 0..60 {
            let at = part * (bytes.len() - 1) / 59;
            std::fs::write(&damaged, &bytes[..at]).expect("written");
            let told = error(solve(&damaged, game, agent, None));
            assert!(told.contains("cut off") || at < 22 && told.contains("no checkpoint"), "{at}: {told}");
            let mut flipped = bytes.clone();
            flipped[at] ^= 1 << (part % 8);
            std::fs::write(&damaged, &flipped).expect("written");
            error(solve(&damaged, game, agent, None));
        }
        std::fs::remove_file(&damaged).expect("removed");
    }
    std::fs::remove_dir_all(&folder).expect("removed");
}
