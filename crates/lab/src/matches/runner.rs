//! Plays the games of a match that are not recorded yet, several at a time.

use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::thread;
use std::time::Duration;

use crate::matches::game::{GameTask, MatchSpace};
use crate::matches::record::{Header, RecordFile};
use crate::matches::summary::{Ledger, Summary};
use crate::matches::{MatchError, MatchPlan};

/// How often the stop flag of the caller is looked at.
const LOOK: Duration = Duration::from_millis(50);

/// Plays a match: what `plan` asks for and the record at `out`, if there is one, does not hold yet.
///
/// `jobs` games are played at a time, each search on one thread; 0 means one for each processor. `progress` is called
/// with the statistics so far once before the first game and after every game. When `stop` is raised, games in
/// play are given up and the summary of the finished ones is returned with `complete` false.
pub fn run(
    plan: &MatchPlan,
    jobs: usize,
    out: Option<&Path>,
    stop: &AtomicBool,
    progress: &mut dyn FnMut(&Summary),
) -> Result<Summary, MatchError> {
    let (start, config) = plan.check()?;
    let mut ledger = Ledger::new(config.clone());
    let opened = out.map(|path| {
        RecordFile::open(path, &Header::new(config, plan.shard), &mut |game| {
            // A record may hold more than is asked for today; what counts is the plan.
            if plan.plays(game.pair) {
                ledger.add(&game);
            }
        })
    });
    let (mut record, set_aside) = match opened.transpose()? {
        Some(opened) => (Some(opened.file), opened.set_aside),
        None => (None, None),
    };
    let resumed = ledger.len() as u32;
    let todo: Vec<(u32, u32)> = plan
        .own_pairs()
        .flat_map(|pair| [(pair, 0), (pair, 1)])
        .filter(|&(pair, game)| !ledger.has(pair, game))
        .collect();
    let planned = 2 * plan.own_pairs().count() as u32;
    let summary = |ledger: &Ledger| {
        let mut summary = ledger.summary();
        summary.planned = planned;
        summary.complete = summary.games >= planned || ledger.decided();
        summary.resumed = resumed;
        summary.set_aside.clone_from(&set_aside);
        summary
    };
    progress(&summary(&ledger));
    let workers = if jobs == 0 { thread::available_parallelism().map_or(1, usize::from) } else { jobs };
    let (halt, next) = (AtomicBool::new(ledger.decided()), AtomicUsize::new(0));
    let mut failed = None;
    thread::scope(|scope| {
        // No games wait in between: who finishes one waits until it is recorded.
        let (sender, finished) = sync_channel(0);
        for _ in 0..workers.min(todo.len()) {
            let sender = sender.clone();
            let (todo, halt, next, start) = (&todo, &halt, &next, &start);
            scope.spawn(move || {
                let mut space = MatchSpace::default();
                while let Some(&(pair, game)) = todo.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let (seed, openings, max_plies) = (plan.seed, plan.openings, plan.max_plies);
                    let task = GameTask { a: &plan.a, b: &plan.b, seed, pair, game, openings, max_plies };
                    let Some(record) = start.play_match_game(&task, &mut space, halt) else { break };
                    if sender.send(record).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        loop {
            match finished.recv_timeout(LOOK) {
                Ok(game) if failed.is_none() => match record.as_mut().map_or(Ok(()), |record| record.append(&game)) {
                    Ok(()) => {
                        ledger.add(&game);
                        progress(&summary(&ledger));
                    }
                    Err(error) => failed = Some(error),
                },
                Ok(_) => {}
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
            if stop.load(Ordering::Relaxed) || ledger.decided() || failed.is_some() {
                halt.store(true, Ordering::Relaxed);
            }
        }
    });
    match failed {
        Some(error) => Err(error),
        None => Ok(summary(&ledger)),
    }
}
