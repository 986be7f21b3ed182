//! Memory for the lists of the tree: all of it at once where address space costs nothing, else in steps.

/// Whether memory that was asked for is taken only when it is first written, and addresses are plenty. In WebAssembly
/// neither is so, and elsewhere 32 bits of addresses are too few to ask for more than is needed.
pub(super) const LAZY: bool = cfg!(target_pointer_width = "64");
/// Bytes of the first step.
const FIRST: usize = 1 << 16;

/// The most bytes a tree may take: no list can be longer, and on a machine of 32 bits sums of bytes stay in range.
pub(super) const MOST: usize = isize::MAX as usize;

/// Prepares an empty list that may take up to `bytes` later on. Where it can it asks for the address space, so that
/// the list never has to be copied as it grows.
pub(super) fn prepare<T>(list: &mut Vec<T>, bytes: usize) {
    if LAZY {
        // Places are numbered by 32 bits.
        let _ = list.try_reserve_exact((bytes / size_of::<T>().max(1)).min(u32::MAX as usize));
    }
}

/// Makes room for `more` items in a list that may take up to `bytes`; whether there is room now.
#[inline(always)]
pub(super) fn make<T>(list: &mut Vec<T>, more: usize, bytes: usize) -> bool {
    list.capacity() - list.len() >= more || step(list, more, bytes)
}

/// A step is a quarter of what is there, not beyond `bytes`: doubling would take up to twice the budget. Where the
/// system has no memory for a step, the items alone may still fit.
#[cold]
fn step<T>(list: &mut Vec<T>, more: usize, bytes: usize) -> bool {
    let size = size_of::<T>().max(1);
    let left = (bytes / size).saturating_sub(list.len());
    let step = (list.len() / 4).max(FIRST / size).min(left).max(more);
    list.try_reserve_exact(step).is_ok() || list.try_reserve_exact(more).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_grows_in_steps_and_not_beyond_its_budget() {
        let (mut list, bytes) = (Vec::<u32>::new(), 10 << 20);
        let mut steps = 0;
        while list.len() * 4 + 12 <= bytes {
            let before = list.capacity();
            assert!(make(&mut list, 3, bytes));
            steps += u32::from(list.capacity() > before);
            let spare = (list.capacity() - list.len()) * 4;
            assert!(spare <= list.len().max(FIRST) + 12, "{spare} spare bytes behind {} items", list.len());
            assert!(list.capacity() * 4 <= bytes);
            list.extend([1, 2, 3]);
        }
        assert!((10..60).contains(&steps), "{steps} steps");
        assert!(make(&mut list, 100, bytes), "what must fit may exceed the budget");
        assert!(list.capacity() <= list.len() + 100);
    }

    #[test]
    fn memory_that_the_system_does_not_have_is_refused() {
        let mut list = vec![0u64; 8];
        assert!(!make(&mut list, usize::MAX / 16, usize::MAX));
        assert_eq!(list.len(), 8, "and nothing is lost");
    }
}
