//! How long a player may think about a move, and when a search has enough.

use std::time::Duration;

use plyproof_engine::{Bounds, Clock, MoveReport, Pacer, SearchReport, Thinking};

fn ms(millis: u64) -> Duration {
    Duration::from_millis(millis)
}

const OVERHEAD: Duration = Duration::from_millis(10);

#[test]
fn a_share_of_the_clock_leaves_time_for_the_rest_of_the_game() {
    let usual = |left, increment| {
        let clock = Clock { left: ms(left), increment: ms(increment), ..Clock::default() };
        clock.thinking(OVERHEAD).usual
    };
    assert_eq!(usual(10_010, 0), ms(400));
    assert_eq!(usual(10_010, 100), ms(475));
    assert_eq!(usual(5, 1000), Duration::ZERO, "nothing is left to think with");
}

#[test]
fn a_move_limit_is_used_but_for_the_overhead() {
    assert_eq!(Thinking::for_move(ms(100), OVERHEAD), Thinking { usual: ms(90), most: ms(90) });
    assert_eq!(Thinking::for_move(ms(20), OVERHEAD), Thinking { usual: ms(15), most: ms(15) });
    let clock = Clock { left: ms(100_000), move_limit: Some(ms(100)), ..Clock::default() };
    assert_eq!(clock.thinking(OVERHEAD), Thinking { usual: ms(90), most: ms(90) });
}

#[test]
fn the_moves_before_a_control_share_all_of_the_clock() {
    let clock = |moves: u32| Clock {
        left: ms(1000 + 10 * u64::from(moves.max(1))),
        moves_to_go: Some(moves),
        ..Clock::default()
    };
    assert_eq!(clock(10).thinking(OVERHEAD), Thinking { usual: ms(100), most: ms(400) });
    assert_eq!(clock(1).thinking(OVERHEAD), Thinking { usual: ms(1000), most: ms(1000) });
    assert_eq!(clock(0).thinking(OVERHEAD), clock(1).thinking(OVERHEAD));
}

#[test]
fn byoyomi_is_used_up_because_it_cannot_be_saved() {
    let clock = Clock { byoyomi: ms(1000), ..Clock::default() };
    assert_eq!(clock.thinking(OVERHEAD), Thinking { usual: ms(990), most: ms(990) });
    let clock = Clock { left: ms(2500), byoyomi: ms(1000), ..Clock::default() };
    assert_eq!(clock.thinking(OVERHEAD), Thinking { usual: ms(1090), most: ms(1390) });
}

/// Plays a game of `moves` moves in which every move takes all the time that is allowed, and some milliseconds more on
/// its way. Returns the least time that was left.
fn least_left(start: Clock, moves: u32, late: Duration) -> Option<Duration> {
    let (mut clock, mut least) = (start, Duration::MAX);
    for number in 0..moves {
        let used = clock.thinking(OVERHEAD).most + late;
        if start.move_limit.is_some_and(|limit| used > limit) {
            return None;
        }
        let beyond = used.saturating_sub(clock.left);
        if beyond > clock.byoyomi {
            return None;
        }
        clock.left = clock.left.saturating_sub(used);
        least = least.min(clock.left + clock.byoyomi);
        clock.left += clock.increment;
        if let Some(period) = start.moves_to_go {
            let to_go = period - (number + 1) % period;
            clock.moves_to_go = Some(to_go);
            if to_go == period {
                clock.left += start.left;
            }
        }
    }
    Some(least)
}

#[test]
fn no_clock_ever_runs_out() {
    let clock = Clock::default;
    for start in [
        Clock { left: ms(1000), increment: ms(100), ..clock() },
        Clock { left: ms(10), increment: ms(10), ..clock() },
        Clock { left: ms(10_000), increment: ms(20), ..clock() },
        Clock { left: ms(3_600_000), increment: ms(30_000), ..clock() },
        Clock { left: ms(1000), byoyomi: ms(100), ..clock() },
        Clock { byoyomi: ms(100), ..clock() },
        Clock { left: ms(1000), moves_to_go: Some(10), ..clock() },
        Clock { left: ms(5000), moves_to_go: Some(1), ..clock() },
        Clock { left: ms(300_000), moves_to_go: Some(40), ..clock() },
        Clock { left: ms(1 << 40), move_limit: Some(ms(100)), ..clock() },
        Clock { left: ms(1000), increment: ms(10), move_limit: Some(ms(100)), ..clock() },
    ] {
        // With 100 ms and more a move the way of a move may take all of the overhead.
        assert!(least_left(start, 10_000, OVERHEAD).is_some(), "{start:?}");
    }
    // Without increment the clock only ends when every move takes time on its way.
    let sudden = Clock { left: ms(1000), ..clock() };
    assert!(least_left(sudden, 100_000, Duration::ZERO).is_some());
    assert_eq!(least_left(Clock { left: ms(5), ..clock() }, 1, ms(6)), None, "the test can fail");
}

#[test]
fn times_at_the_ends_of_their_range_are_divided_too() {
    for time in [Duration::ZERO, Duration::from_nanos(1), Duration::from_millis(u64::MAX)] {
        let clock = Clock { left: time, ..Clock::default() };
        assert!(clock.thinking(OVERHEAD).usual <= time);
        assert!(Thinking::for_move(time, OVERHEAD).most <= time);
    }
}

fn report(seconds: f64, moves: &[(&str, u64, f64)]) -> SearchReport {
    let described = |&(text, visits, mean): &(&str, u64, f64)| MoveReport {
        text: text.to_string(),
        visits,
        mean,
        at_most: false,
        pn: None,
        dpn: None,
        rank: None,
        value: None,
        bounds: Bounds::OPEN,
        terms: None,
        next: false,
    };
    let simulations = moves.iter().map(|m| m.1).sum();
    SearchReport {
        best: moves.first().map(|m| m.0.to_string()),
        value: None,
        bounds: Bounds::OPEN,
        numbers: None,
        line: Vec::new(),
        moves: moves.iter().map(described).collect(),
        simulations,
        nodes: 0,
        bytes: 0,
        seconds,
        simulations_per_s: 0.0,
        stopped: None,
        full_after: None,
    }
}

fn pacer() -> Pacer {
    Pacer::new(Thinking { usual: ms(1000), most: ms(4000) })
}

#[test]
fn a_search_ends_at_the_usual_time_where_the_best_move_is_clear() {
    let mut pacer = pacer();
    assert!(!pacer.has_enough(&report(0.1, &[("a", 60, 0.5), ("b", 40, 0.1)])));
    assert!(!pacer.has_enough(&report(0.9, &[("a", 460, 0.5), ("b", 440, 0.1)])));
    assert!(pacer.has_enough(&report(1.0, &[("a", 520, 0.5), ("b", 480, 0.1)])));
}

#[test]
fn a_search_ends_early_when_the_second_move_cannot_catch_up() {
    assert!(!pacer().has_enough(&report(0.5, &[("a", 740, 0.5), ("b", 260, 0.1)])), "1,000 more are to come");
    assert!(pacer().has_enough(&report(0.6, &[("a", 900, 0.5), ("b", 100, 0.1)])), "667 more are to come");
    assert!(pacer().has_enough(&report(0.01, &[("a", 1, 0.5)])), "a single move");
}

#[test]
fn a_search_goes_on_while_the_best_move_is_in_doubt() {
    let unclear = [("a", 520, 0.1), ("b", 480, 0.5)];
    let mut other_is_better = pacer();
    assert!(!other_is_better.has_enough(&report(0.1, &unclear)));
    assert!(!other_is_better.has_enough(&report(1.0, &unclear)));
    assert!(!other_is_better.has_enough(&report(3.9, &unclear)));
    assert!(other_is_better.has_enough(&report(4.0, &unclear)), "never longer than this");
    let mut new = pacer();
    assert!(!new.has_enough(&report(0.9, &[("b", 460, 0.5), ("a", 440, 0.1)])));
    assert!(!new.has_enough(&report(1.2, &[("a", 620, 0.5), ("b", 580, 0.1)])), "since 1.2");
    assert!(!new.has_enough(&report(1.7, &[("a", 920, 0.5), ("b", 780, 0.1)])));
    assert!(new.has_enough(&report(1.9, &[("a", 1020, 0.5), ("b", 880, 0.1)])));
}

#[test]
fn the_clock_of_a_search_that_pondered_begins_later() {
    let mut pacer = Pacer::from(Thinking { usual: ms(1000), most: ms(4000) }, ms(10_000));
    let even = [("a", 60, 0.5), ("b", 59, 0.1)];
    assert!(!pacer.has_enough(&report(1.0, &even)) && !pacer.has_enough(&report(10.9, &even)));
    assert!(pacer.has_enough(&report(11.0, &even)));
}
