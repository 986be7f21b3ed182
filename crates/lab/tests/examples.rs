//! The example programs run to their end.

use std::error::Error;

#[path = "../examples/library.rs"]
mod library;
#[path = "../examples/own_bonus.rs"]
mod own_bonus;

#[test]
fn the_walk_through_the_library_runs() -> Result<(), Box<dyn Error>> {
    library::main()
}

#[test]
fn a_bonus_of_ones_own_searches_and_plays_a_match() -> Result<(), Box<dyn Error>> {
    own_bonus::main()
}
