//! How much anybody may ask of the server, and how long a connection may keep it waiting.

use std::time::Duration;

/// Bounds on what is sent, kept open and searched. The defaults suit a few people at one machine.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Tabs with a live connection at once.
    pub sessions: usize,
    /// Connections at once, those of the tabs included.
    pub connections: usize,
    /// Connections at once from one address; for IPv6, from one network of 64 bits. It must leave room for every tab of a
    /// browser on this machine, and is a fraction of `connections`, so that one address cannot take them all.
    pub peer: usize,
    /// Bytes of one message.
    pub message: usize,
    /// Moves of one game.
    pub moves: usize,
    /// Nodes of a tree that one tab looks at.
    pub nodes: usize,
    /// Time of one search.
    pub search: Duration,
    /// Time without a sign of life after which a tab is given up.
    pub silence: Duration,
    /// Time from the opening of a connection, or from the end of its last answer, until the header of the next request
    /// must be complete. It limits slow headers and idle connections alike, and does not concern open WebSockets.
    pub header: Duration,
    /// Time without any progress after which the sending of an answer is given up.
    pub stall: Duration,
    /// Time that the body of a request may take however small it is; see `rate`.
    pub body: Duration,
    /// Bytes a second that a body must arrive with, on average, once `body` is over.
    pub rate: u64,
    /// Time that a request waits for others to be done before it is refused as one too many.
    pub wait: Duration,
    /// Certificates that are received or checked at once.
    pub checks: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            sessions: 64,
            connections: 512,
            peer: 128,
            message: 128 << 10,
            moves: 5000,
            nodes: 200,
            search: Duration::from_secs(30 * 60),
            silence: Duration::from_secs(75),
            header: Duration::from_secs(20),
            stall: Duration::from_secs(20),
            body: Duration::from_secs(10),
            rate: 64 << 10,
            wait: Duration::from_secs(20),
            checks: 2,
        }
    }
}
