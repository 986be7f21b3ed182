//! The memory of all searches together, lent to each and given back when it ends.

use std::sync::{Arc, Mutex, PoisonError};

/// Bytes that searches share.
pub(crate) struct Pool {
    all: u64,
    free: Mutex<u64>,
}

/// A search never gets more than this: enough for about twenty million nodes.
const MOST: u64 = 1 << 30;
/// With less than this a search is not worth starting.
const LEAST: u64 = 8 << 20;
/// A search gets one part in so many of what is free, so that later ones find something too.
const PARTS: u64 = 16;

impl Pool {
    pub(crate) fn new(bytes: u64) -> Arc<Self> {
        Arc::new(Self { all: bytes, free: Mutex::new(bytes) })
    }

    /// Memory for one search; an error in words if there is none left.
    pub(crate) fn lend(self: &Arc<Self>) -> Result<Lease, String> {
        let mut free = self.free.lock().unwrap_or_else(PoisonError::into_inner);
        let bytes = (*free / PARTS).clamp(LEAST, MOST);
        if bytes > *free {
            return Err("too many searches are running: end one of them, or close a tab".to_string());
        }
        *free -= bytes;
        Ok(Lease { pool: Arc::clone(self), bytes })
    }

    /// Whether nothing of it is lent.
    #[cfg(test)]
    pub(crate) fn is_whole(&self) -> bool {
        self.free() == self.all
    }

    fn free(&self) -> u64 {
        *self.free.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Memory lent to a search, given back when this is dropped.
pub(crate) struct Lease {
    pool: Arc<Pool>,
    bytes: u64,
}

impl Lease {
    pub(crate) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Whether so much is free that this may be kept between two searches.
    pub(crate) fn may_rest(&self) -> bool {
        self.pool.free() >= self.pool.all / 2
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        *self.pool.free.lock().unwrap_or_else(PoisonError::into_inner) += self.bytes;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fifty_searches_fit_into_two_gigabytes_and_all_comes_back() {
        let total = 2 << 30;
        let pool = Pool::new(total);
        let leases: Vec<Lease> = (0..56).map(|n| pool.lend().unwrap_or_else(|why| panic!("{n}: {why}"))).collect();
        assert!(leases[0].bytes() > 100 << 20);
        assert_eq!(leases.iter().map(Lease::bytes).sum::<u64>() + pool.free(), total);
        drop(leases);
        assert_eq!(pool.free(), total);
    }

    #[test]
    fn what_is_not_there_is_not_lent() {
        let pool = Pool::new(20 << 20);
        let (one, two) = (pool.lend(), pool.lend());
        assert!(one.is_ok() && two.is_ok());
        assert!(pool.lend().is_err_and(|why| why.contains("too many searches")));
        drop(one);
        assert!(pool.lend().is_ok());
    }
}
