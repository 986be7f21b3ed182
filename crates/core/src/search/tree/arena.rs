//! Memory that grows as a list does, and that several threads of one search may write at once, each its own part.
//!
//! The unsafe code of the tree is here, and in `shared.rs`, which makes views. An [`Arena`] either owns its memory or is a view of another one.
//! Every access is checked against the bounds and makes a reference to exactly the items that it names, never to the whole
//! memory, so that references made by two threads overlap only if the threads name the same items.
//!
//! # Why threads never name the same items at the same time
//! - An item belongs to a block of the tree, to a list of moves or to the chunk from which a thread takes new ones.
//! - A chunk belongs to the thread that claimed it (`claims.rs`): the counters of claims are behind a lock.
//! - A block is reached by one link, from its parent's block, or is the root. A thread that searches below a child takes
//!   the link out of the parent (`mcts/threads.rs`), under the lock of the search: from then on nobody else reaches the
//!   blocks below. It puts the link back under that lock. All other blocks are touched under that lock alone.
//! - A block that was left for a larger one goes to the list of free blocks of the thread that left it.
//!
//! The lock orders what one thread wrote before what the next one reads. ThreadSanitizer checks this argument.

#![allow(unsafe_code)]

use std::ops::{Index, IndexMut, Range};

/// A list of plain items, or a view of one.
#[derive(Debug)]
pub(super) struct Arena<T> {
    /// The memory, if this is no view. Its items are reached through `first` alone.
    list: Vec<T>,
    first: *mut T,
    len: usize,
    view: bool,
}

// SAFETY: as for `Vec<T>`, which an arena owns; for views see the promise of `view`.
unsafe impl<T: Send> Send for Arena<T> {}
// SAFETY: a shared reference only reads.
unsafe impl<T: Sync> Sync for Arena<T> {}

impl<T: Copy> Arena<T> {
    pub(super) fn new() -> Self {
        let mut list = Vec::new();
        let first = list.as_mut_ptr();
        Self { list, first, len: 0, view: false }
    }

    /// A view of all the memory that the list has room for.
    ///
    /// # Safety
    /// The view must not be used once the arena was dropped or changed. Items that the arena does not have must not be named
    /// before they were filled ([`fill`](Arena::fill)). While there are views, two threads must never name the same item at
    /// the same time, unless both only read it, be it by the arena or by a view of it.
    pub(super) unsafe fn view(&mut self) -> Self {
        assert!(!self.view, "a view of a view could outlive the memory");
        Self { list: Vec::new(), first: self.first, len: self.list.capacity(), view: true }
    }

    /// Fills items of a view that nobody else names.
    pub(super) fn fill(&mut self, range: Range<usize>, value: T) {
        self.check(&range);
        // SAFETY: within the memory; a write asks nothing of what was there before.
        range.for_each(|at| unsafe { self.first.add(at).write(value) });
    }

    /// The list ends at `len` from now on: views have filled the items up to there.
    ///
    /// # Safety
    /// They must have.
    pub(super) unsafe fn end_at(&mut self, len: usize) {
        assert!(len <= self.list.capacity() && !self.view, "the memory ends at {}", self.list.capacity());
        self.len = len;
    }

    /// Items that there is room for where the memory is.
    pub(super) fn room(&self) -> usize {
        self.list.capacity()
    }

    #[inline(always)]
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// Changes the list as a whole: its length, its capacity, or the place where it lies.
    #[inline(always)]
    pub(super) fn change<R>(&mut self, change: impl FnOnce(&mut Vec<T>) -> R) -> R {
        assert!(!self.view, "a view has no list of its own");
        // SAFETY: all items up to `len` were written, by the list or through `first`, which points to them.
        unsafe { self.list.set_len(self.len) };
        let result = change(&mut self.list);
        (self.first, self.len) = (self.list.as_mut_ptr(), self.list.len());
        result
    }

    #[inline(always)]
    fn check(&self, range: &Range<usize>) {
        assert!(range.start <= range.end && range.end <= self.len, "the arena ends at {}", self.len);
    }

    #[inline(always)]
    pub(super) fn swap(&mut self, a: usize, b: usize) {
        (self[a], self[b]) = (self[b], self[a]);
    }

    /// Copies items to where `to` is, as [`slice::copy_within`] does.
    #[inline(always)]
    pub(super) fn copy_within(&mut self, range: Range<usize>, to: usize) {
        let count = range.len();
        self.check(&range);
        self.check(&(to..to + count));
        // SAFETY: both ranges were checked; the copy allows them to overlap.
        unsafe { self.first.add(range.start).copy_to(self.first.add(to), count) }
    }
}

impl<T: Copy> Index<usize> for Arena<T> {
    type Output = T;

    #[inline(always)]
    fn index(&self, at: usize) -> &T {
        assert!(at < self.len, "the arena ends at {}", self.len);
        // SAFETY: within the bounds, and written before it was counted in `len`.
        unsafe { &*self.first.add(at) }
    }
}

impl<T: Copy> IndexMut<usize> for Arena<T> {
    #[inline(always)]
    fn index_mut(&mut self, at: usize) -> &mut T {
        assert!(at < self.len, "the arena ends at {}", self.len);
        // SAFETY: as above; the arena is borrowed, and no other thread names this item.
        unsafe { &mut *self.first.add(at) }
    }
}

impl<T: Copy> Index<Range<usize>> for Arena<T> {
    type Output = [T];

    #[inline(always)]
    fn index(&self, range: Range<usize>) -> &[T] {
        self.check(&range);
        // SAFETY: within the bounds, and written before they were counted in `len`.
        unsafe { std::slice::from_raw_parts(self.first.add(range.start), range.end - range.start) }
    }
}

impl<T: Copy> IndexMut<Range<usize>> for Arena<T> {
    #[inline(always)]
    fn index_mut(&mut self, range: Range<usize>) -> &mut [T] {
        self.check(&range);
        // SAFETY: as above; the arena is borrowed, and no other thread names these items.
        unsafe { std::slice::from_raw_parts_mut(self.first.add(range.start), range.end - range.start) }
    }
}
