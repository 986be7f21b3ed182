//! The tests of the engine, in one program.
//!
//! All of them are here and none in `src`: the library compiles every search for every game, and unit tests would
//! compile it a second time.

mod any_game;
mod any_parameters;
mod certificates;
mod checkpoints;
mod clocks;
mod evaluations;
mod fingerprints;
mod game_from_data;
mod jobs;
mod lines;
mod memory;
mod players;
mod registry;
mod reports;
mod rules_files;
mod searcher;
mod table_agents;
mod units;
mod whole_file;
mod why;

fn open(text: &str) -> Result<Box<dyn plyproof_engine::AnyGame>, plyproof_engine::TextError> {
    plyproof_engine::Registry::builtin().open(text)
}
