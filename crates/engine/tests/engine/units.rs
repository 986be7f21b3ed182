//! Sizes and durations as text.

use std::time::Duration;

use plyproof_engine::units::{duration_text, elapsed_text, parse_duration, parse_size, size_text};

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
        ("10min", ms(600_000)),
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
