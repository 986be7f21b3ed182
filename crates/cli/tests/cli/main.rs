//! The built binary, command by command.

mod bad_input;
mod certificates;
mod checkpoints;
mod commands;
mod documents;
#[cfg(unix)]
mod engines;
mod exit_codes;
mod game_files;
mod json;
mod learning;
#[cfg(target_os = "linux")]
mod limits;
mod matches;
#[cfg(target_os = "linux")]
mod memory;
mod parts;
mod play;
mod rules;
mod run;
mod search;
mod serve;
mod solve;
mod sweeps;
mod tables;
#[cfg(target_os = "linux")]
mod terminal;
mod workspace;
