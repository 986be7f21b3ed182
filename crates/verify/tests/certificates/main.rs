//! True claims verify, and nothing else does: held against exhaustive search of small games.

mod adversary;
mod games;
mod graph_game;
mod mutations;
mod oracle;
mod refusals;
mod searches;
mod symmetric;
