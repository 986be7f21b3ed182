//! Lines of plain and gzipped files, in bounded memory.

use std::io::{self, Cursor, Write};

use flate2::Compression;
use flate2::write::GzEncoder;
use plyproof_engine::lines::{LONGEST_LINE, LineError, Lines};

/// The first bytes of gzip data.
const GZIP_MAGIC: [u8; 2] = [0x1f, 0x8b];

fn zipped(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).expect("writing to memory");
    encoder.finish().expect("writing to memory")
}

fn all(bytes: Vec<u8>) -> Result<Vec<String>, LineError> {
    let mut lines = Lines::new(Cursor::new(bytes)).map_err(LineError::Unreadable)?;
    let mut texts = Vec::new();
    while let Some((number, line)) = lines.next_line()? {
        texts.push(format!("{number}:{}", String::from_utf8_lossy(line)));
    }
    Ok(texts)
}

#[test]
fn plain_and_zipped_lines_are_the_same() {
    for text in ["", "a", "a\n", "a\n\nbc", "\n"] {
        let plain = all(text.into()).expect("readable");
        assert_eq!(plain.len(), text.lines().count(), "{text:?}");
        assert_eq!(all(zipped(text.as_bytes())).expect("readable"), plain, "{text:?}");
    }
    assert_eq!(all("a\n\nbc".into()).expect("readable"), ["1:a", "2:", "3:bc"]);
}

#[test]
fn bytes_are_counted_and_a_missing_line_break_is_known() {
    let mut lines = Lines::new(Cursor::new("ab\n\nc")).expect("readable");
    let mut seen = Vec::new();
    while lines.next_line().expect("readable").is_some() {
        seen.push((lines.bytes(), lines.whole()));
    }
    assert_eq!(seen, [(3, true), (4, true), (5, false)]);
}

#[test]
fn files_joined_after_zipping_are_read_to_the_end() {
    let joined = [zipped(b"a\n"), zipped(b"b\n")].concat();
    assert_eq!(all(joined).expect("readable"), ["1:a", "2:b"]);
}

#[test]
fn cut_or_damaged_gzip_is_an_error() {
    let whole = zipped(b"first line\nsecond line\n");
    for cut in [3, 12, whole.len() - 1] {
        assert!(matches!(all(whole[..cut].to_vec()), Err(LineError::Unreadable(_))), "{cut}");
    }
    assert!(matches!(all([&GZIP_MAGIC[..], b"garbage"].concat()), Err(LineError::Unreadable(_))));
}

#[test]
fn gzip_is_read_up_to_a_limit_and_a_plain_file_to_its_end() {
    let text = b"one line\n".repeat(100);
    let read = |bytes: Vec<u8>, most: u64| {
        let mut lines = Lines::within(Cursor::new(bytes), most).expect("readable");
        let mut count = 0;
        while lines.next_line()?.is_some() {
            count += 1;
        }
        Ok::<_, LineError>(count)
    };
    assert_eq!(read(text.clone(), 100).expect("plain"), 100);
    assert_eq!(read(zipped(&text), 900).expect("as long as is allowed"), 100);
    let error = read(zipped(&text), 899).expect_err("one byte too much").to_string();
    assert_eq!(error, "the gzip data unpacks to more than 899 B; unpack the file, which then may have any length");
    // Empty lines are nothing to a caller that skips them, and still they come to an end.
    assert!(matches!(read(zipped(&b"\n".repeat(2000)), 1000), Err(LineError::TooMuch(1000))));
}

#[test]
fn a_line_without_end_is_refused_before_it_fills_the_memory() {
    let endless = Lines::new(io::repeat(b'x')).expect("readable").next_line().map(|_| ());
    assert!(matches!(endless, Err(LineError::TooLong)));
    let longest = [vec![b'x'; LONGEST_LINE], b"\ny".to_vec()].concat();
    assert_eq!(all(longest).expect("just short enough").len(), 2);
    assert!(matches!(all(zipped(&vec![0; LONGEST_LINE + 1])), Err(LineError::TooLong)));
}
