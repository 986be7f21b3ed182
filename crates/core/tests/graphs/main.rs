//! Searches on graphs with cycles, against values worked out here.

mod dfpn;
mod graph;
