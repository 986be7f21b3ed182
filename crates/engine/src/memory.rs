//! How much memory the machine has, and what a search takes of it when nothing is said.

/// Bytes a search may take when nothing is said: a quarter of the machine's memory, or 1 GiB where it is not known.
pub fn default_memory() -> u64 {
    machine_memory().map_or(1 << 30, |bytes| bytes / 4)
}

/// Bytes of memory this process can have at most, where the system tells: on Linux, the machine's or the limit of the
/// control group, whichever is lower.
pub fn machine_memory() -> Option<u64> {
    if !cfg!(target_os = "linux") {
        return None;
    }
    let read = |path| std::fs::read_to_string(path).ok();
    let total = read("/proc/meminfo").as_deref().and_then(memory_total);
    let group = read("/sys/fs/cgroup/memory.max").as_deref().and_then(group_limit);
    total.into_iter().chain(group).min()
}

/// `MemTotal:       16384 kB`, somewhere in the text; the unit is 1024 bytes, whatever it says.
pub(crate) fn memory_total(meminfo: &str) -> Option<u64> {
    let line = meminfo.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kilobytes.checked_mul(1024).filter(|&bytes| bytes > 0)
}

/// A number of bytes, or the word `max` where there is no limit.
pub(crate) fn group_limit(text: &str) -> Option<u64> {
    text.trim().parse().ok().filter(|&bytes| bytes > 0)
}
