//! The memory of the machine. What Linux writes is read by private functions, so the file is compiled here again.

#[path = "../../src/memory.rs"]
mod memory_of_the_machine;

use memory_of_the_machine::{default_memory, group_limit, machine_memory, memory_total};

#[test]
fn memory_is_read_from_what_linux_writes() {
    assert_eq!(memory_total("MemTotal:       16384 kB\nMemFree:  1 kB\n"), Some(16384 * 1024));
    assert_eq!(memory_total("MemFree:  1 kB\nMemTotal: 2 kB"), Some(2048));
    for text in ["", "MemTotal: many kB", "MemTotal: 0 kB", "MemTotal: 7", "MemTotal: 18446744073709551615 kB"] {
        assert_eq!(memory_total(text), None, "{text}");
    }
    assert_eq!([group_limit("536870912\n"), group_limit("max\n"), group_limit("")], [Some(1 << 29), None, None]);
}

#[test]
fn the_default_is_a_quarter_of_what_there_is() {
    assert!(default_memory() > 0);
    if let Some(bytes) = machine_memory() {
        assert_eq!(default_memory(), bytes / 4);
    }
}
