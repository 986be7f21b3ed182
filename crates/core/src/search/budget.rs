//! Limits on the simulations, time and memory of a search, and the meter that enforces them. No other file decides by
//! the time.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::search::clock::{Stopwatch, TimeSource};

/// What a search may use. Whatever runs out first ends it; nothing given means until it is stopped or done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Budget {
    /// Simulations (or, for searches without play-outs, expansions), exactly.
    pub simulations: Option<u64>,
    /// Wall-clock time.
    pub time: Option<Duration>,
    /// Bytes for the tree. When used up the search goes on in the tree it has.
    pub memory: Option<usize>,
    /// The clock that the time is taken from.
    pub clock: TimeSource,
    /// Threads that search; one by default. One thread gives the same report for the same seed, several need not.
    pub threads: usize,
    /// Time between two reports to the observer; a tenth of a second by default.
    pub notice: Duration,
}

impl Default for Budget {
    fn default() -> Self {
        Self { simulations: None, time: None, memory: None, clock: TimeSource::default(), threads: 1, notice: NOTICE }
    }
}

impl Budget {
    /// Bytes for the tree when nothing is said.
    pub const MEMORY: usize = 1 << 30;

    /// So many simulations.
    pub fn simulations(n: u64) -> Self {
        Self { simulations: Some(n), ..Self::default() }
    }
}

/// Why a search came to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Stopped {
    /// All simulations were used.
    Simulations,
    /// The time was up.
    Time,
    /// The value of the position is proven: more search would change nothing.
    Proven,
    /// The agent needs no search.
    NoSearchNeeded,
    /// Somebody raised the stop flag.
    Cancelled,
    /// The game was over before the search began.
    GameOver,
    /// There was no room to go on.
    Memory,
}

impl Stopped {
    /// Every reason there is.
    pub const ALL: [Self; 7] = [
        Self::Simulations,
        Self::Time,
        Self::Proven,
        Self::NoSearchNeeded,
        Self::Cancelled,
        Self::GameOver,
        Self::Memory,
    ];

    /// One word for reports.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Simulations => "simulations",
            Self::Time => "time",
            Self::Proven => "proven",
            Self::NoSearchNeeded => "no search needed",
            Self::Cancelled => "cancelled",
            Self::GameOver => "game over",
            Self::Memory => "memory",
        }
    }
}

/// The capacity that a list needs to take `more`, or 0 if it has it. A quarter is added, not as much again: while a list
/// grows the old one and the new one are there at once, and what is left of the memory must do for both.
pub(crate) fn capacity_for<T>(list: &Vec<T>, more: usize) -> usize {
    let needed = list.len() + more;
    if needed <= list.capacity() { 0 } else { needed + needed / 4 + 64 }
}

/// Gives a list the capacity that [`capacity_for`] named.
pub(crate) fn grow<T>(list: &mut Vec<T>, capacity: usize) {
    list.reserve_exact(capacity.saturating_sub(list.len()));
}

/// Bytes of a map with this capacity: a byte more for each place, and one place in eight stays free.
pub(crate) const fn map_bytes<K, V>(capacity: usize) -> usize {
    capacity * ((size_of::<(K, V)>() + 1) * 8 / 7 + 1)
}

/// Counts simulations against a budget and looks at the clock now and then.
pub(crate) struct Meter<'a> {
    budget: &'a Budget,
    stop: &'a AtomicBool,
    /// Raised by a search beside this one that is done.
    overtaken: Option<&'a AtomicBool>,
    began: Stopwatch,
    done: u64,
    /// Next count at which to look at the clock, and how far apart the looks are.
    look_at: u64,
    stride: u64,
    /// Count and time of the last look.
    last: (u64, Duration),
    next_notice: Duration,
}

/// Time between two reports to an observer when nothing is said.
const NOTICE: Duration = Duration::from_millis(100);

/// What the meter says before a simulation.
pub(crate) enum Tick {
    Go,
    /// Go on, but tell the observer first.
    Notice,
    Stop(Stopped),
}

impl<'a> Meter<'a> {
    pub(crate) fn new(budget: &'a Budget, stop: &'a AtomicBool) -> Self {
        Self {
            budget,
            stop,
            overtaken: None,
            began: Stopwatch::start(budget.clock),
            done: 0,
            look_at: 0,
            stride: 1,
            last: (0, Duration::ZERO),
            next_notice: budget.notice,
        }
    }

    /// A meter of the same time for one of several threads, which does not count for all: `budget` should have no limit
    /// of simulations.
    pub(crate) fn of_thread<'b>(&self, budget: &'b Budget) -> Meter<'b>
    where
        'a: 'b,
    {
        let (stop, overtaken, began, next_notice) = (self.stop, self.overtaken, self.began, self.next_notice);
        Meter { budget, stop, overtaken, began, done: 0, look_at: 0, stride: 1, last: (0, self.elapsed()), next_notice }
    }

    /// The meter of a search that also stops when `flag` is raised.
    pub(crate) fn or_when(self, flag: &'a AtomicBool) -> Self {
        Self { overtaken: Some(flag), ..self }
    }

    pub(crate) fn done(&self) -> u64 {
        self.done
    }

    pub(crate) fn budget(&self) -> &'a Budget {
        self.budget
    }

    pub(crate) fn stop_flag(&self) -> &'a AtomicBool {
        self.stop
    }

    /// Steps that are left.
    pub(crate) fn steps_left(&self) -> u64 {
        self.budget.simulations.map_or(u64::MAX, |all| all.saturating_sub(self.done))
    }

    /// At most so many steps of what is left of the budget, for a search within the search by one thread.
    pub(crate) fn part(&self, steps: u64) -> Budget {
        let left = self.budget.simulations.map_or(steps, |all| all.saturating_sub(self.done).min(steps));
        let time = self.budget.time.map(|all| all.saturating_sub(self.began.elapsed()));
        Budget { simulations: Some(left), time, threads: 1, ..self.budget.clone() }
    }

    /// Counts up to `done` steps, as far as the budget goes.
    pub(crate) fn count_to(&mut self, done: u64) {
        self.done = self.budget.simulations.unwrap_or(u64::MAX).min(done);
    }

    /// Counts what such a search cost, as far as the budget goes.
    pub(crate) fn add(&mut self, cost: u64) {
        self.done = self.budget.simulations.unwrap_or(u64::MAX).min(self.done + cost);
    }

    /// Simulations that may be made with the one just counted.
    #[inline(always)]
    pub(crate) fn left(&self) -> u64 {
        self.budget.simulations.map_or(u64::MAX, |all| all + 1 - self.done)
    }

    /// The last simulation did not come about.
    pub(crate) fn take_back(&mut self) {
        self.done -= 1;
    }

    pub(crate) fn elapsed(&self) -> Duration {
        self.began.elapsed()
    }

    /// Whether the time is up or the stop flag is raised, for work that is no step.
    pub(crate) fn is_over(&self) -> bool {
        self.stop.load(Ordering::Relaxed) || self.budget.time.is_some_and(|time| self.elapsed() >= time)
    }

    /// Counts one more simulation, unless the budget is used up.
    #[inline(always)]
    pub(crate) fn tick(&mut self) -> Tick {
        if self.done >= self.look_at {
            match self.look() {
                Tick::Go => {}
                other => return other,
            }
        }
        if self.budget.simulations == Some(self.done) {
            return Tick::Stop(Stopped::Simulations);
        }
        self.done += 1;
        Tick::Go
    }

    /// Looks at the stop flag and the clock, and sets the distance to the next look to about half a millisecond.
    #[cold]
    fn look(&mut self) -> Tick {
        if self.stop.load(Ordering::Relaxed) || self.overtaken.is_some_and(|flag| flag.load(Ordering::Relaxed)) {
            return Tick::Stop(Stopped::Cancelled);
        }
        let elapsed = self.began.elapsed();
        if self.budget.time.is_some_and(|time| elapsed >= time) {
            return Tick::Stop(Stopped::Time);
        }
        // Simulations may become dearer on the way, so the slower pace counts: that of all or of those since the last look.
        let pace = |done: u64, time: Duration| done.max(1) as f64 / time.as_secs_f64().max(1e-6);
        let recent = pace(self.done.saturating_sub(self.last.0), elapsed.saturating_sub(self.last.1));
        let pace = pace(self.done, elapsed).min(recent);
        self.last = (self.done, elapsed);
        self.stride = ((pace * 5e-4) as u64).clamp(1, 2 * self.stride).min(4096);
        self.look_at = self.done + self.stride;
        if elapsed >= self.next_notice {
            self.next_notice = elapsed + self.budget.notice;
            return Tick::Notice;
        }
        Tick::Go
    }
}
