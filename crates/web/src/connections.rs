//! The listening socket with two limits: how many connections there are, and how long one may be silent.

use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::serve::Listener;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, Sleep, sleep};

use crate::limits::Limits;

/// A listener that waits while too many connections are open.
pub(crate) struct Capped {
    listener: TcpListener,
    permits: Arc<Semaphore>,
    silence: Duration,
}

impl Capped {
    pub(crate) fn new(listener: TcpListener, limits: &Limits) -> Self {
        Self { listener, permits: Arc::new(Semaphore::new(limits.connections)), silence: limits.silence }
    }
}

impl Listener for Capped {
    type Io = Connection;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Connection, SocketAddr) {
        loop {
            let Ok(permit) = Arc::clone(&self.permits).acquire_owned().await else { std::future::pending().await };
            match self.listener.accept().await {
                Ok((stream, address)) => {
                    // Small messages are sent at once; if the system refuses, they are only a little later.
                    let _ = stream.set_nodelay(true);
                    let timer = Box::pin(sleep(self.silence));
                    return (Connection { stream, timer, silence: self.silence, _permit: permit }, address);
                }
                // Out of descriptors, or a peer that is gone already: neither ends the server.
                Err(_) => sleep(Duration::from_millis(50)).await,
            }
        }
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }
}

/// A connection that fails once nothing was read for too long.
pub(crate) struct Connection {
    stream: TcpStream,
    timer: Pin<Box<Sleep>>,
    silence: Duration,
    _permit: OwnedSemaphorePermit,
}

impl AsyncRead for Connection {
    fn poll_read(mut self: Pin<&mut Self>, context: &mut Context<'_>, into: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        match Pin::new(&mut self.stream).poll_read(context, into) {
            Poll::Ready(done) => {
                let next = Instant::now() + self.silence;
                self.timer.as_mut().reset(next);
                Poll::Ready(done)
            }
            Poll::Pending => match self.timer.as_mut().poll(context) {
                Poll::Ready(()) => Poll::Ready(Err(io::ErrorKind::TimedOut.into())),
                Poll::Pending => Poll::Pending,
            },
        }
    }
}

impl AsyncWrite for Connection {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(context, bytes)
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
        Pin::new(&mut self.stream).poll_write_vectored(context, parts)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }
}
