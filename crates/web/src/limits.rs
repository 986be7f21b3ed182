//! How much anybody may ask of the server.

use std::time::Duration;

/// Bounds on what is sent, kept open and searched. The defaults suit a few people at one machine.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Tabs with a live connection at once.
    pub sessions: usize,
    /// Connections at once, those of the tabs included.
    pub connections: usize,
    /// Bytes of one message.
    pub message: usize,
    /// Moves of one game.
    pub moves: usize,
    /// Nodes of a tree that one tab looks at.
    pub nodes: usize,
    /// Time of one search.
    pub search: Duration,
    /// Time without a sign of life after which a connection is closed.
    pub silence: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            sessions: 64,
            connections: 512,
            message: 128 << 10,
            moves: 5000,
            nodes: 200,
            search: Duration::from_secs(30 * 60),
            silence: Duration::from_secs(75),
        }
    }
}
