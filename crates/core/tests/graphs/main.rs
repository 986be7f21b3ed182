//! Searches and proofs on graphs with cycles, against values and lengths worked out here.

mod alphabeta;
mod dfpn;
mod graph;
mod jobs;
mod judged;
mod knowledge;
mod proofs;
