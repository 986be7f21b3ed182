//! Regular Boardgames (RBG): boards as graphs, moves as regular expressions.
