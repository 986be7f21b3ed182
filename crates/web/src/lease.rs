//! The memory of all searches, certificates and files together, lent to each and given back when it ends.

use std::sync::{Arc, Mutex, PoisonError};

/// Bytes that all share.
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

    /// Memory for something of this size; an error in words if there is not so much left.
    pub(crate) fn lend_bytes(self: &Arc<Self>, bytes: u64) -> Result<Lease, String> {
        let mut lease = Lease { pool: Arc::clone(self), bytes: 0 };
        lease.grow(bytes)?;
        Ok(lease)
    }

    /// Memory for something that is not known to be large: at most this, and at most half of what is left.
    pub(crate) fn lend_at_most(self: &Arc<Self>, bytes: u64) -> Lease {
        let mut free = self.free.lock().unwrap_or_else(PoisonError::into_inner);
        let bytes = bytes.min(*free / 2);
        *free -= bytes;
        Lease { pool: Arc::clone(self), bytes }
    }

    /// Bytes that are lent.
    pub(crate) fn lent(&self) -> u64 {
        self.all - self.free()
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

/// Memory that is lent, given back when this is dropped.
pub(crate) struct Lease {
    pool: Arc<Pool>,
    bytes: u64,
}

impl Lease {
    pub(crate) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Takes more of it; an error in words if there is not so much left.
    pub(crate) fn grow(&mut self, more: u64) -> Result<(), String> {
        let mut free = self.pool.free.lock().unwrap_or_else(PoisonError::into_inner);
        if more > *free {
            let megabytes = (self.bytes.saturating_add(more) >> 20).max(1);
            return Err(format!(
                "{megabytes} MB of memory are not free at the moment: end a search or close a tab, and try again"
            ));
        }
        *free -= more;
        self.bytes += more;
        Ok(())
    }

    /// Gives back all but this much.
    pub(crate) fn shrink_to(&mut self, bytes: u64) {
        let less = self.bytes.saturating_sub(bytes);
        self.bytes -= less;
        *self.pool.free.lock().unwrap_or_else(PoisonError::into_inner) += less;
    }

    /// Whether so much is free that this may be kept between two searches.
    pub(crate) fn may_be_kept(&self) -> bool {
        self.pool.free() >= self.pool.all / 2
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        *self.pool.free.lock().unwrap_or_else(PoisonError::into_inner) += self.bytes;
    }
}

/// Bytes together with the memory that is lent for them.
pub(crate) struct Leased {
    bytes: Vec<u8>,
    _lease: Lease,
}

impl Leased {
    /// Of the lease, what the bytes do not need is given back.
    pub(crate) fn new(mut bytes: Vec<u8>, mut lease: Lease) -> Self {
        bytes.shrink_to_fit();
        lease.shrink_to(bytes.len() as u64);
        Self { bytes, _lease: lease }
    }
}

impl AsRef<[u8]> for Leased {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
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

    #[test]
    fn a_lease_grows_as_far_as_there_is_memory_and_shrinks_to_what_is_used() {
        let pool = Pool::new(10 << 20);
        let mut lease = pool.lend_bytes(4 << 20).expect("memory");
        assert!(lease.grow(4 << 20).is_ok());
        assert!(lease.grow(4 << 20).is_err_and(|why| why.contains("12 MB of memory are not free")));
        assert!(lease.grow(u64::MAX).is_err() && pool.lend_bytes(u64::MAX).is_err());
        assert_eq!((lease.bytes(), pool.lent()), (8 << 20, 8 << 20));
        assert_eq!(pool.lend_at_most(64 << 20).bytes(), 1 << 20);
        lease.shrink_to(1 << 20);
        lease.shrink_to(2 << 20);
        assert_eq!((lease.bytes(), pool.lent()), (1 << 20, 1 << 20));
        drop(lease);
        assert!(pool.is_whole());
    }
}
