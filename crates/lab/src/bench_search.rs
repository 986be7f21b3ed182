//! What a tree costs beside the play-outs: bare play-outs, `mcts`, `pn-mcts` and `plyproof` from the same position in one run.
//!
//! One thread, processor time. Everything is measured in rounds: in each, every game is measured in turn, and of a game
//! the same number of play-outs and of simulations by each agent, every search from a fresh tree. A disturbance of the
//! machine so hits a round of some game, and a ratio is the median over the rounds. Every other round goes through the
//! measurements backwards, so that a machine that slowly gets faster or slower favours none.

use std::sync::atomic::AtomicBool;

use plyproof_engine::{
    Agent, AnyGame, AnySearcher, Budget, Paths, Registry, Rng, SearchTask, TextError, default_memory,
};
use serde::Serialize;

use crate::bench::rounded;
use crate::cpu_time::CpuTime;

/// What was measured for one game. Rates are totals over all rounds; ratios of rates are medians over the rounds.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SearchSpeed {
    /// The game in its shortest spelling.
    pub game: String,
    /// Play-outs from the start position a processor second.
    pub playouts_per_s: f64,
    /// Simulations of `mcts` a processor second.
    pub mcts_sims_per_s: f64,
    /// Simulations of `pn-mcts` a processor second.
    pub pn_mcts_sims_per_s: f64,
    /// Simulations of `pn-mcts(pn=0)`, which keeps proof numbers and does not use them, a processor second.
    pub pn0_sims_per_s: f64,
    /// Speed of `pn-mcts` against `mcts`.
    pub pn_over_mcts: f64,
    /// Speed of `pn-mcts(pn=0)` against `mcts`: the cost of keeping the numbers alone.
    pub pn0_over_mcts: f64,
    /// Simulations of `plyproof(eval=off)`, whose play-outs look for decisive moves, a processor second.
    pub plyproof_sims_per_s: f64,
    /// Speed of `plyproof(eval=off)` against `mcts`.
    pub plyproof_over_mcts: f64,
    /// Simulations of `plyproof(decisive=tree,eval=off)`, whose play-outs are random, a processor second.
    pub plyproof_random_sims_per_s: f64,
    /// Speed of `plyproof(decisive=tree,eval=off)` against `mcts`.
    pub plyproof_random_over_mcts: f64,
    /// Speed of `mcts` against bare play-outs: the cost of the tree.
    pub mcts_over_playouts: f64,
    /// Bytes of the tree of `pn-mcts` for each position in it.
    pub bytes_per_node: f64,
    /// Bytes of the tree of `pn-mcts` for each simulation.
    pub bytes_per_simulation: f64,
    /// Bytes of the tree of `mcts` for each position in it.
    pub mcts_bytes_per_node: f64,
    /// Bytes of the tree of `mcts` for each simulation.
    pub mcts_bytes_per_simulation: f64,
    /// Positions that `pn-mcts` had in its tree at the end of a round, on average.
    pub nodes: u64,
    /// Simulations of each agent, and play-outs, in a round.
    pub simulations: u64,
    /// Whether the memory was full in some search, so that its tree stopped growing.
    pub full: bool,
    /// Rounds measured.
    pub rounds: usize,
    /// Processor seconds of all measurements.
    pub cpu_seconds: f64,
    /// Where randomness started.
    pub seed: u64,
}

/// Rounds of a measurement.
pub const ROUNDS: usize = 4;

/// The games of a benchmark that names none: those of the paper.
pub const DEFAULT_GAMES: [&str; 6] = ["loa", "loa(size=7)", "minishogi", "awari", "knightthrough", "gomoku"];

/// What some searches came to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SearchTally {
    /// Simulations made. Fewer than asked for only if the position is decided without any.
    pub simulations: u64,
    /// Positions in all trees.
    pub nodes: u64,
    /// Bytes of all trees.
    pub bytes: u64,
    /// Whether a tree had to stop growing.
    pub full: bool,
}

impl SearchTally {
    fn add(&mut self, other: &Self) {
        self.simulations += other.simulations;
        self.nodes += other.nodes;
        self.bytes += other.bytes;
        self.full |= other.full;
    }
}

/// What is about to be measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress<'a> {
    /// The game.
    pub game: &'a str,
    /// The round, from 1; 0 while it is found out how many simulations fill one.
    pub round: usize,
}

/// Measures searches from the start position of each game, about `seconds` of processor time a game besides some for
/// finding out how many simulations that makes. `progress` is told before each part.
pub fn searches(
    registry: &Registry,
    games: &[String],
    seconds: f64,
    seed: u64,
    progress: &mut dyn FnMut(Progress<'_>),
) -> Result<Vec<SearchSpeed>, TextError> {
    let agents = [
        Agent::parse("mcts")?,
        Agent::parse("pn-mcts")?,
        Agent::parse("pn-mcts(pn=0)")?,
        Agent::parse("plyproof(eval=off)")?,
        Agent::parse("plyproof(decisive=tree,eval=off)")?,
    ];
    let memory = usize::try_from(default_memory()).unwrap_or(usize::MAX) / games.len().max(1);
    let mut runs = Vec::with_capacity(games.len());
    for game in games {
        let game = registry.open(game)?;
        let searcher = game.searcher();
        runs.push(Run {
            name: game.name(),
            game,
            searcher,
            agents: &agents,
            memory,
            simulations: 64,
            rounds: Vec::new(),
        });
    }
    for run in &mut runs {
        progress(Progress { game: &run.name, round: 0 });
        run.warm_up(seconds / ROUNDS as f64);
    }
    for round in 0..ROUNDS {
        for run in &mut runs {
            progress(Progress { game: &run.name, round: round + 1 });
            let measured = run.measure(seed.wrapping_add(round as u64), round % 2 == 1);
            run.rounds.push(measured);
        }
    }
    Ok(runs.into_iter().map(|run| run.result(seed)).collect())
}

/// What is measured in a round; the searches in the order of the agents.
const PLAYOUTS: usize = 0;
const MCTS: usize = 1;
const PN_MCTS: usize = 2;
const PN_0: usize = 3;
const PLYPROOF: usize = 4;
const PLYPROOF_RANDOM: usize = 5;
const MEASUREMENTS: usize = 6;

/// One round of a game: what was done and how long it took, by measurement.
type Round = [(SearchTally, f64); MEASUREMENTS];

struct Run<'a> {
    name: String,
    game: Box<dyn AnyGame>,
    searcher: Box<dyn AnySearcher>,
    agents: &'a [Agent; MEASUREMENTS - 1],
    memory: usize,
    /// Simulations, and play-outs, of a measurement.
    simulations: u64,
    rounds: Vec<Round>,
}

impl Run<'_> {
    /// Finds how many simulations fill a round of `seconds`, and takes the memory that it needs from the system.
    fn warm_up(&mut self, seconds: f64) {
        loop {
            let used: f64 = self.measure(0, false).iter().map(|(_, seconds)| seconds).sum();
            // Long enough to tell the rest by proportion, and far shorter than a round.
            if used >= seconds / 16.0 || self.simulations > u64::MAX / 4 {
                self.simulations = ((self.simulations as f64 * seconds / used) as u64).max(1);
                break;
            }
            self.simulations *= 2;
        }
        // The largest of the trees: pages touched for the first time would slow down the first round.
        self.simulate(&self.agents[PN_MCTS - 1], 0);
    }

    /// Makes as many simulations as a measurement has in one fresh tree; in several, where a proof ends a search before.
    fn simulate(&mut self, agent: &Agent, seed: u64) -> SearchTally {
        let (mut tally, stop) = (SearchTally::default(), AtomicBool::new(false));
        for again in 0.. {
            let budget =
                Budget { memory: Some(self.memory), ..Budget::simulations(self.simulations - tally.simulations) };
            let task = SearchTask { agent, budget: &budget, seed: seed.wrapping_add(again), stop: &stop };
            let searched = self.searcher.search(&*self.game, &task, &Paths::default(), &mut |_, _| {});
            let report = searched.unwrap_or_else(|error| unreachable!("the searcher is of this game: {error}"));
            tally.add(&SearchTally {
                simulations: report.simulations,
                nodes: report.nodes,
                bytes: report.bytes,
                full: report.full_after.is_some(),
            });
            if report.simulations == 0 || tally.simulations >= self.simulations {
                break;
            }
        }
        tally
    }

    fn measure(&mut self, seed: u64, backwards: bool) -> Round {
        let mut round = Round::default();
        for place in 0..MEASUREMENTS {
            let what = if backwards { MEASUREMENTS - 1 - place } else { place };
            let time = CpuTime::start();
            let tally = match what {
                PLAYOUTS => {
                    let playouts = self.game.measure_playouts(&mut Rng::new(seed), self.simulations).playouts;
                    SearchTally { simulations: playouts, ..SearchTally::default() }
                }
                _ => self.simulate(&self.agents[what - 1], seed),
            };
            round[what] = (tally, time.seconds());
        }
        round
    }

    fn result(self, seed: u64) -> SearchSpeed {
        let total = |what: usize| {
            let mut sum = (SearchTally::default(), 0.0);
            for round in &self.rounds {
                sum.0.add(&round[what].0);
                sum.1 += round[what].1;
            }
            sum
        };
        let rate = |(tally, seconds): (SearchTally, f64)| tally.simulations as f64 / seconds;
        let ratio = |of: usize, to: usize| {
            let ratios = self.rounds.iter().map(|round| rate(round[of]) / rate(round[to]));
            rounded(median(ratios.collect()), 1e4)
        };
        let (mcts, pn) = (total(MCTS).0, total(PN_MCTS).0);
        let per_node = |tally: SearchTally| rounded(tally.bytes as f64 / tally.nodes as f64, 1e3);
        let per_simulation = |tally: SearchTally| rounded(tally.bytes as f64 / tally.simulations as f64, 1e3);
        SearchSpeed {
            playouts_per_s: rounded(rate(total(PLAYOUTS)), 10.0),
            mcts_sims_per_s: rounded(rate(total(MCTS)), 10.0),
            pn_mcts_sims_per_s: rounded(rate(total(PN_MCTS)), 10.0),
            pn0_sims_per_s: rounded(rate(total(PN_0)), 10.0),
            plyproof_sims_per_s: rounded(rate(total(PLYPROOF)), 10.0),
            plyproof_over_mcts: ratio(PLYPROOF, MCTS),
            plyproof_random_sims_per_s: rounded(rate(total(PLYPROOF_RANDOM)), 10.0),
            plyproof_random_over_mcts: ratio(PLYPROOF_RANDOM, MCTS),
            pn_over_mcts: ratio(PN_MCTS, MCTS),
            pn0_over_mcts: ratio(PN_0, MCTS),
            mcts_over_playouts: ratio(MCTS, PLAYOUTS),
            bytes_per_node: per_node(pn),
            bytes_per_simulation: per_simulation(pn),
            mcts_bytes_per_node: per_node(mcts),
            mcts_bytes_per_simulation: per_simulation(mcts),
            nodes: pn.nodes / self.rounds.len().max(1) as u64,
            simulations: self.simulations,
            full: (MCTS..MEASUREMENTS).any(|what| total(what).0.full),
            rounds: self.rounds.len(),
            cpu_seconds: rounded((0..MEASUREMENTS).map(|what| total(what).1).sum(), 1e6),
            seed,
            game: self.name,
        }
    }
}

/// The middle value, or the mean of the two in the middle; not a number if there is none.
fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    let half = values.len() / 2;
    match values.len() {
        0 => f64::NAN,
        n if n % 2 == 1 => values[half],
        _ => (values[half - 1] + values[half]) / 2.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn speeds(games: &[&str], seed: u64) -> Vec<SearchSpeed> {
        let games: Vec<String> = games.iter().map(|game| game.to_string()).collect();
        searches(&Registry::builtin(), &games, 0.05, seed, &mut |_| {}).expect("known games")
    }

    #[test]
    fn figures_fit_together_and_come_in_the_order_asked_for() {
        let time = CpuTime::start();
        let speeds = speeds(&["loa( size = 7 )", "awari"], 3);
        assert_eq!([&speeds[0].game, &speeds[1].game], ["loa(size=7)", "awari"]);
        let used: f64 = speeds.iter().map(|speed| speed.cpu_seconds).sum();
        assert!(used <= time.seconds(), "{used} s reported, {} s used", time.seconds());
        for speed in speeds {
            let done = (speed.rounds as u64 * speed.simulations) as f64;
            let rates = [
                speed.playouts_per_s,
                speed.mcts_sims_per_s,
                speed.pn_mcts_sims_per_s,
                speed.pn0_sims_per_s,
                speed.plyproof_sims_per_s,
                speed.plyproof_random_sims_per_s,
            ];
            let seconds: f64 = rates.iter().map(|rate| done / rate).sum();
            assert!((seconds / speed.cpu_seconds - 1.0).abs() < 0.01, "{speed:?}");
            let bytes = (speed.bytes_per_node, speed.nodes as f64 / speed.simulations as f64);
            assert!((bytes.0 * bytes.1 / speed.bytes_per_simulation - 1.0).abs() < 0.05, "{speed:?}");
            assert!(speed.mcts_bytes_per_node > 0.0 && speed.mcts_bytes_per_simulation > 0.0, "{speed:?}");
            assert!((speed.rounds, speed.seed, speed.full) == (ROUNDS, 3, false), "{speed:?}");
        }
    }

    fn run<'a>(
        game: Box<dyn AnyGame>,
        agents: &'a [Agent; MEASUREMENTS - 1],
        simulations: u64,
        memory: usize,
    ) -> Run<'a> {
        let (name, searcher) = (game.name(), game.searcher());
        Run { name, game, searcher, agents, memory, simulations, rounds: Vec::new() }
    }

    fn agents(spec: &str) -> [Agent; MEASUREMENTS - 1] {
        std::array::from_fn(|_| Agent::parse(spec).expect("an agent"))
    }

    #[test]
    fn a_game_that_is_proven_early_is_searched_again_and_a_decided_one_does_not_hang() {
        let agents = agents("pn-mcts");
        let mut hex = Registry::builtin().open("hex(size=3)").expect("a game");
        assert_eq!(run(hex.clone(), &agents, 5000, 1 << 20).simulate(&agents[0], 1).simulations, 5000);
        for text in ["b2", "a1", "b1", "a2"] {
            hex.play(text).expect("legal");
        }
        let won = run(hex, &agents, 5000, 1 << 20).simulate(&agents[0], 1);
        assert_eq!(won.simulations, 0, "one move wins: nothing is left to simulate");
    }

    #[test]
    fn searches_that_fill_the_memory_say_so() {
        let agents = agents("mcts");
        let mut run = run(Registry::builtin().open("gomoku").expect("a game"), &agents, 2000, 1 << 12);
        assert!(run.simulate(&agents[0], 1).full);
        run.memory = 1 << 26;
        let roomy = run.simulate(&agents[0], 1);
        assert!(!roomy.full && roomy.simulations == 2000 && roomy.nodes > 2000, "{roomy:?}");
        assert_eq!(run.simulate(&agents[0], 1), roomy, "a kept searcher gives the same tree");
    }

    #[test]
    fn the_median_is_the_middle() {
        assert_eq!((median(vec![3.0, 1.0, 2.0]), median(vec![4.0, 1.0, 2.0, 100.0])), (2.0, 3.0));
        assert!(median(Vec::new()).is_nan());
    }

    #[test]
    fn the_default_games_are_known_and_unknown_ones_are_refused() {
        assert!(
            DEFAULT_GAMES.iter().all(|game| Registry::builtin().open(game).is_ok_and(|opened| opened.name() == *game))
        );
        assert!(searches(&Registry::builtin(), &["chess".to_string()], 0.01, 1, &mut |_| {}).is_err());
    }

    #[test]
    fn progress_is_told_in_rounds_over_all_games() {
        let mut told = Vec::new();
        let games = ["hex(size=3)".to_string(), "tictactoe".to_string()];
        searches(&Registry::builtin(), &games, 0.01, 1, &mut |now| told.push((now.game.to_string(), now.round)))
            .expect("known games");
        let expected: Vec<_> = (0..=ROUNDS).flat_map(|round| games.clone().map(|game| (game, round))).collect();
        assert_eq!(told, expected);
    }
}
