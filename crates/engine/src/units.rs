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
const DURATIONS: [(&str, f64); 4] = [("s", 1.0), ("ms", 1e-3), ("m", 60.0), ("h", 3600.0)];

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

/// Reads `1s`, `250ms`, `2m`, `1h` or a bare number of seconds.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read_in_thousands_and_in_powers_of_two() {
        for (text, bytes) in [
            ("1024", 1024),
            ("0", 0),
            ("512MB", 512_000_000),
            ("512mb", 512_000_000),
            (" 2 GiB ", 2 << 30),
            ("1.5GB", 1_500_000_000),
            ("1KB", 1000),
            ("1KiB", 1024),
            ("16G", 16_000_000_000),
            ("7B", 7),
            ("0.5TB", 500_000_000_000),
        ] {
            assert_eq!(parse_size(text), Ok(bytes), "{text}");
        }
    }

    #[test]
    fn durations_are_read_with_and_without_unit() {
        let ms = Duration::from_millis;
        for (text, time) in [
            ("1s", ms(1000)),
            ("250ms", ms(250)),
            ("2m", ms(120_000)),
            ("0.5", ms(500)),
            ("1.5 h", ms(5_400_000)),
            ("0", ms(0)),
            (".5s", ms(500)),
        ] {
            assert_eq!(parse_duration(text), Ok(time), "{text}");
        }
    }

    #[test]
    fn what_is_neither_is_refused_with_what_would_be() {
        let nines = "9".repeat(1000);
        for text in ["", "MB", "-1", "1XB", "1 2MB", "1.2.3", "1e9", "NaN", "inf", "0x10", "1MB/s", "١", "1\u{a0}é"] {
            let size = parse_size(text).expect_err(text).to_string();
            assert!(size.contains("a size, as in 512MB") && !size.contains('\n'), "{size}");
            let time = parse_duration(text).expect_err(text).to_string();
            assert!(time.contains("a duration, as in 1s") && !time.contains('\n'), "{time}");
        }
        assert!(parse_duration("1M").is_err(), "months or minutes?");
        assert!(parse_duration("5d").is_err());
        for text in ["9999999TB", "99999999999999999999999", nines.as_str()] {
            let error = parse_size(text).expect_err(text).to_string();
            assert!((error.contains("too large") || error.contains("a size, as in")) && error.len() < 200, "{error}");
        }
        assert!(parse_duration("1000000h").expect_err("long").to_string().contains("too long"));
        assert!(parse_duration(&nines).is_err());
    }

    #[test]
    fn sizes_and_durations_print_short() {
        let sizes = [0, 816, 1000, 1234, 65_536, 999_999, 512_000_000, 1 << 30, 25_000_000_000, 2_000_000_000_000_000];
        let expected = ["0 B", "816 B", "1 kB", "1.23 kB", "65.5 kB", "1 MB", "512 MB", "1.07 GB", "25 GB", "2000 TB"];
        assert_eq!(sizes.map(size_text), expected);
        let times = [0, 250, 1000, 2500, 60_000, 90_000, 7_200_000].map(Duration::from_millis);
        assert_eq!(times.map(duration_text), ["0 s", "250 ms", "1 s", "2.5 s", "1 m", "90 s", "2 h"]);
        let measured = [0.0, 0.000_078, 0.003_6, 0.25, 0.9999, 12.344].map(elapsed_text);
        assert_eq!(measured, ["0.000 ms", "0.078 ms", "3.6 ms", "250 ms", "1.00 s", "12.34 s"]);
    }
}
