//! The laboratory: matches between players, sweeps, statistics, the experiments of the PN-MCTS paper, figures, replays of
//! recorded games, puzzles and benchmarks. Games, searches and certificates by name come from `plyproof-engine`.

pub mod analysis;
pub mod balance;
pub mod bench;
pub mod bench_search;
mod cpu_time;
pub mod experiment;
pub mod game_files;
pub mod learning;
pub mod levels;
pub mod matches;
pub mod plot;
pub mod puzzles;
pub mod replay;
pub mod sweep;

pub use cpu_time::CpuTime;
