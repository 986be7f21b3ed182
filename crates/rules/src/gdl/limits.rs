//! Limits on rules files, so that no text takes much memory or time.

/// Bytes of a rules file.
pub const TEXT: usize = 2 << 20;
/// Brackets within brackets.
pub const DEPTH: usize = 60;
/// Lists and words of a file.
pub const EXPRESSIONS: usize = 300_000;
/// Rules after every `or` is written out.
pub const RULES: usize = 50_000;
/// Conditions of a rule, and variables of a rule.
pub const CONDITIONS: usize = 120;
/// Conditions that a single rule may grow to when every `or` is written out.
pub const WRITTEN_OUT: usize = 20_000;
/// Terms within terms, as in `(s (s (s 0)))`.
pub const TERM_DEPTH: u32 = 16;
/// Different terms.
pub const TERMS: usize = 500_000;
/// Different facts that may be true, moves among them.
pub const ATOMS: usize = 600_000;
/// Conditions of all rules, once variables are replaced by everything that they can stand for.
pub const LITERALS: usize = 4_000_000;
/// Elementary steps of the replacement of variables.
pub const STEPS: u64 = 60_000_000;
/// Joint moves without a choice that are played in a row: a longer run is taken for endless and ends the game as a draw.
pub const FORCED: u64 = 1_000;
/// Elementary steps that such a run may take, and the search for positions in which both players choose.
pub const RUN: u64 = 20_000_000;
/// Steps of the exploration at load.
pub const EXPLORATION: u64 = 12_000_000;
