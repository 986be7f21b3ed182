//! Checksums of files.

use crate::rng::mix64;

/// 64 bits that change when anything in the parts changes, as hexadecimal digits: against accidents, not against malice.
/// Every part begins a word of its own, and the length of the last one counts.
pub fn checksum(parts: &[&[u8]]) -> String {
    let mut sum = mix64(parts.last().map_or(0, |part| part.len() as u64));
    for part in parts {
        for chunk in part.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            sum = mix64(sum.rotate_left(23) ^ u64::from_le_bytes(word));
        }
    }
    format!("{sum:016x}")
}
