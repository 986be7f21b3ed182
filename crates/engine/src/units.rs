//! Sizes and durations as people write them: `512MB`, `2GiB`, `250ms`, `2m`.

use std::time::Duration;

pub use plyproof_core::spec::parse_count;
use plyproof_core::{TextError, quoted};

/// Names of sizes, in lower case, with their bytes. The first five are those that are printed.
const SIZES: [(&str, u64); 13] = [
    ("b", 1),
    ("kb", 1_000),
    ("mb", 1_000_000),
    ("gb", 1_000_000_000),
    ("tb", 1_000_000_000_000),
    ("kib", 1 << 10),
    ("mib", 1 << 20),
    ("gib", 1 << 30),
    ("tib", 1 << 40),
    ("k", 1_000),
    ("m", 1_000_000),
    ("g", 1_000_000_000),
    ("t", 1_000_000_000_000),
];

/// Names of durations with their seconds.
const DURATIONS: [(&str, f64); 5] = [("s", 1.0), ("ms", 1e-3), ("m", 60.0), ("min", 60.0), ("h", 3600.0)];

/// Largest size that is read: a million terabytes.
const LARGEST: f64 = 1e18;
/// Longest duration that is read, in seconds: about thirty years.
const LONGEST: f64 = 1e9;

/// Reads `512MB`, `2GiB`, `1.5GB` or a bare number of bytes. Capitals do not matter.
pub fn parse_size(text: &str) -> Result<u64, TextError> {
    let expected = || TextError::expected(text, "a size, as in 512MB, 2GiB or 1024 (bytes)");
    let (number, unit) = split(text).ok_or_else(expected)?;
    let unit = unit.to_ascii_lowercase();
    let bytes = if unit.is_empty() { Some(1) } else { find(&SIZES, &unit) }.ok_or_else(expected)?;
    let size = number * bytes as f64;
    if size > LARGEST {
        return Err(TextError::new(format!("the size {} is too large", quoted(text))));
    }
    Ok(size as u64)
}

/// Reads `1s`, `250ms`, `2m`, `2min`, `1h` or a bare number of seconds.
pub fn parse_duration(text: &str) -> Result<Duration, TextError> {
    let expected = || TextError::expected(text, "a duration, as in 1s, 250ms, 2m or 0.5 (seconds)");
    let (number, unit) = split(text).ok_or_else(expected)?;
    let seconds = number * if unit.is_empty() { Some(1.0) } else { find(&DURATIONS, unit) }.ok_or_else(expected)?;
    if seconds > LONGEST {
        return Err(TextError::new(format!("the duration {} is too long", quoted(text))));
    }
    Duration::try_from_secs_f64(seconds).map_err(|_| expected())
}

/// A size for people, to three digits: `512 MB`, `1.07 GB`, `816 B`.
pub fn size_text(bytes: u64) -> String {
    let place = SIZES[..5].iter().rposition(|&(_, unit)| bytes >= unit).unwrap_or_default();
    let (mut name, mut unit) = SIZES[place];
    // 999,999 bytes are 1.00 MB, not 1000 kB.
    if place < 4 && (bytes as f64 / unit as f64).round() >= 1000.0 {
        (name, unit) = SIZES[place + 1];
    }
    let name = if name == "kb" { "kB".to_string() } else { name.to_ascii_uppercase() };
    if unit == 1 { format!("{bytes} {name}") } else { format!("{} {name}", three_digits(bytes as f64 / unit as f64)) }
}

/// A duration for people: `250 ms`, `1 s`, `2.5 s`, `2 m`.
pub fn duration_text(time: Duration) -> String {
    let seconds = time.as_secs_f64();
    let whole = |unit: f64| seconds >= unit && seconds % unit == 0.0;
    match () {
        () if whole(3600.0) => format!("{} h", seconds / 3600.0),
        () if whole(60.0) => format!("{} m", seconds / 60.0),
        () if seconds < 1.0 && seconds > 0.0 => format!("{} ms", (seconds * 1e6).round() / 1e3),
        () => format!("{} s", (seconds * 1e3).round() / 1e3),
    }
}

/// A time that was measured, for people: `0.078 ms`, `3.6 ms`, `12.34 s`.
pub fn elapsed_text(seconds: f64) -> String {
    match seconds {
        s if s < 1e-3 => format!("{:.3} ms", s * 1e3),
        s if s < 0.9995 => format!("{} ms", three_digits(s * 1e3)),
        s => format!("{s:.2} s"),
    }
}

fn three_digits(number: f64) -> String {
    let decimals = if number < 9.995 {
        2
    } else if number < 99.95 {
        1
    } else {
        0
    };
    let text = format!("{number:.decimals$}");
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_string() } else { text }
}

fn find<T: Copy>(units: &[(&str, T)], name: &str) -> Option<T> {
    units.iter().find(|(known, _)| *known == name).map(|&(_, unit)| unit)
}

/// A number from 0, digits and perhaps a point, and what stands behind it.
fn split(text: &str) -> Option<(f64, &str)> {
    let text = text.trim();
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let number: f64 = text[..end].parse().ok()?;
    Some((number, text[end..].trim_start())).filter(|(number, _)| number.is_finite())
}
