//! Connections: how many there are, from whom, and how long each may keep the server waiting.
//!
//! A peer without the token can do no more than keep the server waiting: for a header, or until an answer is taken. Where
//! there is no room for a new connection, one that keeps the server waiting gives way, so that such connections lock
//! nobody out, however many there are.

use std::collections::HashMap;
use std::io::{self, Write};
use std::net::{IpAddr, Ipv6Addr};
use std::pin::Pin;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use axum::Router;
use axum::http::StatusCode;
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Notify;
use tokio::time::{Sleep, sleep};

use crate::limits::Limits;

/// Bytes of a connection's buffer, which a header must fit into.
const BUFFER: usize = 64 << 10;

/// Answers every connection, for ever.
pub(crate) async fn serve(listener: TcpListener, open: Arc<Connections>, router: Router, limits: Limits) {
    loop {
        match listener.accept().await {
            Ok((stream, address)) => match open.admit(address.ip()) {
                Ok(seat) => {
                    // Small messages are sent at once; if the system refuses, they are only a little later.
                    let _ = stream.set_nodelay(true);
                    let connection = Connection { stream, stalled: None, stall: limits.stall, seat };
                    tokio::spawn(answer(connection, router.clone(), limits.header));
                }
                Err(why) => turn_away(stream, &why),
            },
            // A peer that is gone already.
            Err(error) if error.kind() == io::ErrorKind::ConnectionAborted => {}
            // Out of descriptors, most likely: a connection that keeps the server waiting gives its own back.
            Err(_) => {
                open.give_way(|_| true);
                sleep(Duration::from_millis(50)).await;
            }
        }
    }
}

/// Answers one connection until it ends, gives way, or is handed over to a WebSocket.
async fn answer(connection: Connection, router: Router, header: Duration) {
    let router = TowerToHyperService::new(router);
    let (open, slot) = (Arc::clone(&connection.seat.open), Arc::clone(&connection.seat.slot));
    let service = service_fn(|request| {
        let (router, open, slot) = (router.clone(), Arc::clone(&open), Arc::clone(&slot));
        async move {
            slot.waits_since.store(BUSY, Ordering::Relaxed);
            let response = router.call(request).await;
            // A WebSocket is watched by its session and never gives way.
            if !response.as_ref().is_ok_and(|response| response.status() == StatusCode::SWITCHING_PROTOCOLS) {
                slot.waits_since.store(open.next_turn(), Ordering::Relaxed);
            }
            response
        }
    });
    let mut builder = http1::Builder::new();
    builder.timer(TokioTimer::new()).header_read_timeout(header).max_buf_size(BUFFER);
    let serving = builder.serve_connection(TokioIo::new(connection), service).with_upgrades();
    tokio::select! {
        // Whatever was wrong with it was the peer's doing.
        _ = serving => {}
        () = slot.gives_way.notified() => {}
    }
}

/// Says why, as far as the peer listens, and closes.
fn turn_away(stream: TcpStream, why: &str) {
    let length = why.len() + 1;
    let answer = format!(
        "HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\nContent-Type: text/plain; charset=utf-8\r\n\
         Content-Length: {length}\r\n\r\n{why}\n"
    );
    if let Ok(mut stream) = stream.into_std() {
        let _ = stream.write(answer.as_bytes());
    }
}

/// In the place of a turn: the server is at work for this connection.
const BUSY: u64 = u64::MAX;

/// All open connections.
pub(crate) struct Connections {
    open: Mutex<Vec<Arc<Slot>>>,
    most: usize,
    most_of_peer: usize,
    turn: AtomicU64,
}

struct Slot {
    peer: IpAddr,
    /// The turn since which the peer is waited for, or [`BUSY`].
    waits_since: AtomicU64,
    gives_way: Notify,
}

/// A place among the open connections, free again when this is dropped.
struct Seat {
    open: Arc<Connections>,
    slot: Arc<Slot>,
}

impl Drop for Seat {
    fn drop(&mut self) {
        self.open.lock().retain(|slot| !Arc::ptr_eq(slot, &self.slot));
    }
}

impl Connections {
    pub(crate) fn new(limits: &Limits) -> Arc<Self> {
        let (most, most_of_peer) = (limits.connections, limits.peer);
        Arc::new(Self { open: Mutex::default(), most, most_of_peer, turn: AtomicU64::new(0) })
    }

    /// Connections at the moment.
    pub(crate) fn count(&self) -> usize {
        self.lock().len()
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Arc<Slot>>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn next_turn(&self) -> u64 {
        self.turn.fetch_add(1, Ordering::Relaxed)
    }

    /// A seat for a new connection, or why there is none: all are taken, and the server is at work for every one of them.
    fn admit(self: &Arc<Self>, address: IpAddr) -> Result<Seat, String> {
        let peer = peer(address);
        let of_peer = self.lock().iter().filter(|slot| slot.peer == peer).count();
        if of_peer >= self.most_of_peer && !self.give_way(|slot| slot.peer == peer) {
            let most = self.most_of_peer;
            return Err(format!("this address has {most} connections in use already; close a tab and try again"));
        }
        if self.count() >= self.most && !self.give_way(|_| true) {
            let most = self.most;
            return Err(format!("the server has {most} connections in use already; try again in a moment"));
        }
        let slot = Arc::new(Slot { peer, waits_since: AtomicU64::new(self.next_turn()), gives_way: Notify::new() });
        self.lock().push(Arc::clone(&slot));
        Ok(Seat { open: Arc::clone(self), slot })
    }

    /// Closes the connection that has kept the server waiting longest, of the address with the most connections. False if
    /// none does.
    fn give_way(&self, of: impl Fn(&Slot) -> bool) -> bool {
        let mut open = self.lock();
        let mut among = HashMap::new();
        open.iter().for_each(|slot| *among.entry(slot.peer).or_insert(0) += 1);
        let waits = |slot: &Slot| slot.waits_since.load(Ordering::Relaxed);
        let waiting = open.iter().enumerate().filter(|(_, slot)| waits(slot) != BUSY && of(slot));
        let chosen = waiting.max_by_key(|(_, slot)| (among[&slot.peer], std::cmp::Reverse(waits(slot))));
        let Some((at, _)) = chosen else { return false };
        open.swap_remove(at).gives_way.notify_one();
        true
    }
}

/// What counts as one address: whoever has one of IPv6 usually has 2^64 of them.
fn peer(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V4(address) => IpAddr::V4(address),
        IpAddr::V6(address) => IpAddr::V6(Ipv6Addr::from_bits(address.to_bits() >> 64 << 64)),
    }
}

/// A connection that fails when nothing of an answer is taken for too long.
struct Connection {
    stream: TcpStream,
    /// Runs while the peer takes nothing.
    stalled: Option<Pin<Box<Sleep>>>,
    stall: Duration,
    seat: Seat,
}

impl Connection {
    /// What came of an attempt to write, and an error where the attempts have failed for too long.
    fn unless_stalled(&mut self, context: &mut Context<'_>, wrote: Poll<io::Result<usize>>) -> Poll<io::Result<usize>> {
        if wrote.is_ready() {
            self.stalled = None;
            return wrote;
        }
        let stall = self.stall;
        let timer = self.stalled.get_or_insert_with(|| Box::pin(sleep(stall)));
        timer.as_mut().poll(context).map(|()| Err(io::ErrorKind::TimedOut.into()))
    }
}

impl AsyncRead for Connection {
    fn poll_read(mut self: Pin<&mut Self>, context: &mut Context<'_>, into: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, into)
    }
}

impl AsyncWrite for Connection {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let wrote = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.unless_stalled(context, wrote)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let wrote = Pin::new(&mut self.stream).poll_write_vectored(context, parts);
        self.unless_stalled(context, wrote)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(text: &str) -> IpAddr {
        text.parse().expect("an address")
    }

    fn connections(most: usize, most_of_peer: usize) -> Arc<Connections> {
        Connections::new(&Limits { connections: most, peer: most_of_peer, ..Limits::default() })
    }

    fn is_open(seat: &Seat) -> bool {
        seat.open.lock().iter().any(|slot| Arc::ptr_eq(slot, &seat.slot))
    }

    fn works(seat: &Seat) {
        seat.slot.waits_since.store(BUSY, Ordering::Relaxed);
    }

    #[test]
    fn the_oldest_silent_connection_of_an_address_gives_way_to_its_next() {
        let open = connections(10, 3);
        let seats: Vec<Seat> = (0..3).map(|_| open.admit(address("10.0.0.1")).expect("a seat")).collect();
        let other = open.admit(address("10.0.0.2")).expect("a seat");
        works(&seats[0]);
        let next = open.admit(address("10.0.0.1")).expect("a seat");
        assert_eq!(seats.iter().map(is_open).collect::<Vec<_>>(), [true, false, true]);
        assert!(is_open(&next) && is_open(&other));
        for seat in [&seats[2], &next] {
            works(seat);
        }
        let why = open.admit(address("10.0.0.1")).err().expect("no seat");
        assert!(why.contains("3 connections"), "{why}");
        assert!(open.admit(address("10.0.0.2")).is_ok());
        drop(seats);
        assert_eq!(open.count(), 2, "those of the other address and the last of the first");
        assert!(open.admit(address("10.0.0.1")).is_ok());
    }

    #[test]
    fn whoever_has_most_connections_gives_way_when_all_are_taken() {
        let open = connections(4, 3);
        let few = open.admit(address("10.0.0.2")).expect("a seat");
        let many: Vec<Seat> = (0..3).map(|_| open.admit(address("10.0.0.1")).expect("a seat")).collect();
        let third = open.admit(address("10.0.0.3")).expect("a seat");
        assert!(is_open(&few) && is_open(&third) && !is_open(&many[0]) && open.count() == 4);
        [&few, &many[1], &many[2], &third].into_iter().for_each(works);
        let why = open.admit(address("10.0.0.4")).err().expect("no seat");
        assert!(why.contains("4 connections"), "{why}");
    }

    #[test]
    fn one_network_of_ipv6_is_one_address_and_a_mapped_one_is_that_of_ipv4() {
        assert_eq!(peer(address("2001:db8::1")), peer(address("2001:db8::ffff:1")));
        assert_ne!(peer(address("2001:db8::1")), peer(address("2001:db8:0:1::1")));
        assert_eq!(peer(address("::ffff:10.0.0.1")), address("10.0.0.1"));
        assert_ne!(peer(address("10.0.0.1")), peer(address("10.0.0.2")));
    }
}
