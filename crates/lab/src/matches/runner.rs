//! Plays the games of a match that are not recorded yet, several at a time.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crate::matches::game::{GameRecord, GameTask, Seats};
use crate::matches::record::RecordFile;
use crate::matches::summary::{Ledger, Summary};
use crate::matches::{CheckedPlan, MatchError, MatchPlan};

/// How often the stop flag of the caller is looked at.
const LOOK: Duration = Duration::from_millis(50);

/// Plays all games of a plan and returns them, without a record. When `stop` is raised the games finished so far.
pub fn play_all(plan: &MatchPlan, jobs: usize, stop: &AtomicBool) -> Result<Vec<GameRecord>, MatchError> {
    let mut games = Vec::new();
    play(&plan.clone().check()?, jobs, None, stop, &mut |_| {}, &mut |game| games.push(game.clone()), &|_| Ok(()))?;
    games.sort_by_key(|game| (game.pair, game.game));
    Ok(games)
}

/// Plays a match: what `plan` asks for and the record at `out`, if there is one, does not hold yet.
///
/// `jobs` games are played at a time, each search on one thread; 0 means one for each processor. `progress` is called
/// with the statistics so far once before the first game and after every game; where there are thousands of games,
/// whose statistics take time, after some of them, but about once a second and after the last one. When `stop` is raised,
/// games in play are given up and the summary of the finished ones is returned with `complete` false.
///
/// Where the system has fewer threads than `jobs`, the match goes on with half of those that it has: whatever limit was
/// met, of processes or of memory, the games need some room below it.
pub fn run(
    plan: &MatchPlan,
    jobs: usize,
    out: Option<&Path>,
    stop: &AtomicBool,
    progress: &mut dyn FnMut(&Summary),
) -> Result<Summary, MatchError> {
    run_checked(&plan.clone().check()?, jobs, out, stop, progress)
}

/// Plays a match as [`run`] does, by a plan that was checked before.
pub fn run_checked(
    plan: &CheckedPlan,
    jobs: usize,
    out: Option<&Path>,
    stop: &AtomicBool,
    progress: &mut dyn FnMut(&Summary),
) -> Result<Summary, MatchError> {
    play(plan, jobs, out, stop, progress, &mut |_| {}, &|_| Ok(()))
}

/// Plays a match as [`run_checked`] does; `finished` is called with each game that is played now, in the order of their
/// ends, before the statistics with it.
pub fn run_each(
    plan: &CheckedPlan,
    jobs: usize,
    out: Option<&Path>,
    stop: &AtomicBool,
    progress: &mut dyn FnMut(&Summary),
    finished: &mut dyn FnMut(&GameRecord),
) -> Result<Summary, MatchError> {
    play(plan, jobs, out, stop, progress, finished, &|_| Ok(()))
}

/// Says after which games a summary is due. A summary looks at all games, so that one after every game would take time
/// that grows with the square of their number.
struct Due {
    /// Games in the last summary, and when it was made.
    games: usize,
    at: Instant,
}

impl Due {
    /// Games up to which each has its summary.
    const EACH: usize = 1000;
    /// The share of new games, one in so many, that makes a summary due.
    const SHARE: usize = 256;
    /// Time after which a summary is due however few games are new.
    const LATEST: Duration = Duration::from_secs(1);

    fn now(games: usize) -> Self {
        Self { games, at: Instant::now() }
    }

    fn is_due(&self, games: usize) -> bool {
        let new = games.saturating_sub(self.games);
        games <= Self::EACH || new >= games / Self::SHARE || self.at.elapsed() >= Self::LATEST
    }
}

/// Plays a match as [`run`] does; `finished` is called with each game that was played. `may_start` is asked before each
/// thread, so that tests can refuse one as a system does.
fn play(
    plan: &CheckedPlan,
    jobs: usize,
    out: Option<&Path>,
    stop: &AtomicBool,
    progress: &mut dyn FnMut(&Summary),
    finished: &mut dyn FnMut(&GameRecord),
    may_start: &dyn Fn(usize) -> io::Result<()>,
) -> Result<Summary, MatchError> {
    let start = &*plan.game;
    let mut ledger = Ledger::new(plan.config().clone());
    let opened = out.map(|path| {
        RecordFile::open(path, &plan.header(), &mut |game| {
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
    let todo: Vec<(u32, u32)> = plan.own_games().filter(|&(pair, game)| !ledger.has(pair, game)).collect();
    let planned = resumed + todo.len() as u32;
    let summary = |ledger: &Ledger| {
        let mut summary = ledger.summary();
        summary.planned = planned;
        summary.complete = summary.games >= planned || ledger.decided();
        summary.resumed = resumed;
        summary.set_aside.clone_from(&set_aside);
        summary
    };
    progress(&summary(&ledger));
    let mut due = Due::now(ledger.len());
    let workers = if jobs == 0 { thread::available_parallelism().map_or(1, usize::from) } else { jobs };
    let (halt, next) = (AtomicBool::new(ledger.decided()), AtomicUsize::new(0));
    let (mut failed, room, begin) = (None, OnceLock::new(), OnceLock::new());
    // What a game panicked with that is not ours: it goes on in the caller's thread, with its own message.
    let panicked = Mutex::new(None);
    thread::scope(|scope| {
        // No games wait in between: who finishes one waits until it is recorded.
        let (sender, receiver) = sync_channel(0);
        let wanted = workers.min(todo.len());
        let (mut threads, mut refused) = (Vec::with_capacity(wanted), None);
        for worker in 0..wanted {
            let sender = sender.clone();
            let (todo, halt, next, room, begin, panicked) = (&todo, &halt, &next, &room, &begin, &panicked);
            let work = move || {
                // Nobody begins before it is known how many there are, and those too many are gone.
                if worker >= *room.wait() {
                    return;
                }
                begin.wait();
                let mut seats = Seats::new(start, &plan.a, &plan.b);
                while let Some(&(pair, game)) = todo.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let (seed, openings, max_plies) = (plan.seed, plan.openings, plan.max_plies);
                    let line = plan.book.as_ref().and_then(|book| book.line(pair));
                    let (a, b, adjudicate) = (&plan.a, &plan.b, plan.adjudicate);
                    let task = GameTask { a, b, seed, pair, game, openings, line, max_plies, adjudicate };
                    match catch_unwind(AssertUnwindSafe(|| seats.play(start, &task, halt))) {
                        Ok(Some(record)) => {
                            if sender.send(record).is_err() {
                                break;
                            }
                        }
                        Ok(None) => break,
                        Err(panic) => {
                            *panicked.lock().unwrap_or_else(PoisonError::into_inner) = Some(panic);
                            halt.store(true, Ordering::Relaxed);
                            break;
                        }
                    }
                }
            };
            let started = may_start(worker).and_then(|()| thread::Builder::new().spawn_scoped(scope, work));
            match started {
                Ok(thread) => threads.push(thread),
                Err(error) => {
                    refused = Some(error);
                    break;
                }
            }
        }
        if let Some(error) = refused.as_ref().filter(|_| threads.is_empty()) {
            failed = Some(MatchError::System(format!(
                "the system has no thread to play on: {error}; fewer programs at a time or a higher limit would do"
            )));
        }
        let kept = if refused.is_some() { threads.len().div_ceil(2) } else { threads.len() };
        room.get_or_init(|| kept);
        for thread in threads.split_off(kept) {
            // It has done nothing that could fail.
            let _ = thread.join();
        }
        begin.get_or_init(|| ());
        drop(sender);
        loop {
            match receiver.recv_timeout(LOOK) {
                Ok(game) if failed.is_none() => match record.as_mut().map_or(Ok(()), |record| record.append(&game)) {
                    Ok(()) => {
                        ledger.add(&game);
                        finished(&game);
                        if due.is_due(ledger.len()) {
                            progress(&summary(&ledger));
                            due = Due::now(ledger.len());
                        }
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
    if let Some(panic) = panicked.into_inner().unwrap_or_else(PoisonError::into_inner) {
        resume_unwind(panic);
    }
    match failed {
        Some(error) => Err(error),
        None => {
            let last = summary(&ledger);
            if due.games != ledger.len() {
                progress(&last);
            }
            Ok(last)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::matches::Side;

    #[test]
    fn a_match_goes_on_with_the_threads_that_can_be_had() {
        let side = |agent| Side::parse(agent, 5).expect("an agent");
        let start = plyproof_engine::Registry::builtin().open("tictactoe").expect("a game");
        let plan = MatchPlan { games: 24, ..MatchPlan::new(start, side("mcts"), side("random")) };
        let play = |had: usize| {
            let may_start =
                |worker: usize| if worker < had { Ok(()) } else { Err(io::Error::from(io::ErrorKind::WouldBlock)) };
            super::play(
                &plan.clone().check().expect("a sound plan"),
                8,
                None,
                &AtomicBool::new(false),
                &mut |_| {},
                &mut |_| {},
                &may_start,
            )
        };
        let whole = play(8).expect("all of them");
        for had in [1, 2, 5] {
            let played = play(had).expect("some of them");
            assert_eq!((played.games, played.complete, played.wins), (24, true, whole.wins), "{had}");
        }
        let error = play(0).expect_err("none at all");
        assert!(matches!(&error, MatchError::System(why) if why.contains("no thread to play on")), "{error}");
    }

    #[test]
    fn in_a_long_match_not_every_game_is_followed_by_a_summary_but_the_last_one_is() {
        let side = || Side::parse("random", 1).expect("an agent");
        let start = plyproof_engine::Registry::builtin().open("tictactoe").expect("a game");
        let plan = MatchPlan { games: 8000, ..MatchPlan::new(start, side(), side()) };
        let mut shown = Vec::new();
        run(&plan, 1, None, &AtomicBool::new(false), &mut |summary| shown.push(summary.games)).expect("a sound plan");
        let each: Vec<u32> = (0..=Due::EACH as u32).collect();
        assert_eq!(shown[..=Due::EACH], each, "short matches show every game");
        assert!(shown.is_sorted() && shown.last() == Some(&8000));
        assert!(shown.len() < 4000, "{} summaries of 8000 games", shown.len());
    }
}
