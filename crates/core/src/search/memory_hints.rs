//! Hints to the processor and the system about memory. They change how fast a search is, and nothing else.
#![allow(unsafe_code)]

/// Asks the processor to bring a value into its caches.
#[inline(always)]
pub(crate) fn prefetch<T>(value: &T) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: a prefetch reads nothing that the program can see and faults on no address; this one is of a live value.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(value).cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = value;
}

/// Asks the system to back memory that has not been written to yet by large pages: a table is read at random, and with
/// small pages nearly every look-up would miss the translation cache.
pub(crate) fn prefer_huge_pages<T>(memory: &mut [T]) {
    #[cfg(target_os = "linux")]
    {
        const HUGE: usize = 1 << 21;
        let start = memory.as_ptr().addr().next_multiple_of(HUGE);
        let end = (memory.as_ptr().addr() + size_of_val(memory)) / HUGE * HUGE;
        if end > start {
            // SAFETY: the advice covers whole pages inside memory that we hold exclusively, and changes no content. If
            // the system refuses, nothing happens.
            unsafe {
                libc::madvise(memory.as_mut_ptr().with_addr(start).cast(), end - start, libc::MADV_HUGEPAGE);
            }
        }
    }
    #[cfg(not(target_os = "linux"))]
    let _ = memory;
}
