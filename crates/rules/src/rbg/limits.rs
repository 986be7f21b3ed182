//! Limits on rules files, so that no text takes much memory or time.

/// Bytes of a rules file.
pub const TEXT: usize = 2 << 20;
/// Tokens after all macros are expanded.
pub const TOKENS: usize = 1 << 20;
/// Macros within macros, and brackets within brackets.
pub const DEPTH: usize = 200;
/// Cells of a board.
pub const CELLS: usize = 1280;
/// Names of directions.
pub const DIRECTIONS: usize = 64;
/// Names of pieces.
pub const PIECES: usize = 90;
/// Variables, scores included.
pub const VARIABLES: usize = 250;
/// Actions of the rules after powers are written out.
pub const ACTIONS: usize = 60_000;
/// The largest bound of a variable.
pub const BOUND: u32 = 1_000_000_000;
/// Modifiers of a single move.
pub const MOVE_LENGTH: usize = 120;
/// Bytes of the tables that rules are compiled to.
pub const TABLES: usize = 64 << 20;
/// Elementary steps of the compilation, in which every cell of a closure counts.
pub const COMPILATION: u64 = 150_000_000;
/// Switches that the keeper makes in a row: a longer run is taken for endless and ends the game as a draw.
pub const KEEPER_STEPS: u32 = 20_000;
/// Steps of one exploration: what the ways on from a position, or of the keeper to the next switch, may take.
pub const EXPLORATION: u64 = 4_000_000;
