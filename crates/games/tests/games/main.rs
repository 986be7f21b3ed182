//! The tests of the games, in one program: what is generic over the game is compiled for each game once.

mod awari;
mod boards;
mod broken_games;
mod canonical_keys;
mod contract;
mod cycles;
mod decisive;
mod jobs;
mod long_games;
mod minishogi;
mod reference;
mod reference_rules;
mod searches;
mod solving;
mod static_knowledge;
