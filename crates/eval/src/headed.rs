//! Files that begin with a line of JSON, which says what they are, and go on with numbers.

use std::io::{self, BufRead, Read, Write};

use plyproof_core::{TextError, checksum};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// Longest header, in bytes.
const LONGEST: u64 = 1 << 14;

/// The first line of a file.
pub(crate) trait Header: Serialize + DeserializeOwned {
    /// The first field, which holds the version of the format; what the file is, with its article; and the version.
    const KIND: (&str, &str, u32);

    /// Where the checksum is: that of this line with an empty checksum, and of all that follows it.
    fn checksum(&mut self) -> &mut String;

    /// The most bytes that follow. An error if the header says what no file has.
    fn longest(&self) -> Result<usize, TextError>;

    /// The bytes that follow, as far as those that are there tell.
    fn length(&self, body: &[u8]) -> usize;
}

/// Writes a file.
pub(crate) fn write<H: Header>(mut header: H, body: &[u8], to: &mut dyn Write) -> io::Result<()> {
    header.checksum().clear();
    *header.checksum() = checksum(&[line(&header).as_bytes(), body]);
    to.write_all(line(&header).as_bytes())?;
    to.write_all(body)?;
    to.flush()
}

/// Reads a file: its header, and as many bytes as should follow it. It takes memory for what the source really has.
pub(crate) fn read<H: Header>(source: &mut dyn BufRead) -> Result<(H, Vec<u8>), TextError> {
    let wrong = |what: String| Err(TextError::new(what));
    let mut header: H = read_header(source)?;
    let longest = header.longest()?;
    let mut body = Vec::new();
    source.take(longest as u64 + 1).read_to_end(&mut body).map_err(unreadable)?;
    let length = header.length(&body);
    if body.len() < length {
        return wrong(format!("it is cut off: {} bytes follow the header, and there should be more", body.len()));
    }
    if body.len() > length {
        return wrong(format!("it is too long: {length} bytes should follow the header"));
    }
    let said = std::mem::take(header.checksum());
    if said != checksum(&[line(&header).as_bytes(), &body]) {
        return wrong("it is damaged: the checksum does not fit".into());
    }
    Ok((header, body))
}

fn read_header<H: Header>(source: &mut dyn BufRead) -> Result<H, TextError> {
    let (field, what, format) = H::KIND;
    let mut bytes = Vec::new();
    source.take(LONGEST).read_until(b'\n', &mut bytes).map_err(unreadable)?;
    let foreign =
        || TextError::new(format!("it is not {what}: it does not begin with a line {{\"{field}\":{format},…"));
    let text = std::str::from_utf8(&bytes).ok().filter(|text| text.ends_with('\n')).ok_or_else(foreign)?;
    let any: serde_json::Value = serde_json::from_str(text).map_err(|_| foreign())?;
    let found = any.get(field).and_then(serde_json::Value::as_u64).ok_or_else(foreign)?;
    if found != u64::from(format) {
        return Err(TextError::new(format!("it is {what} of format {found}, and this program knows format {format}")));
    }
    let header: H = serde_json::from_str(text).map_err(|error| damaged(error.to_string()))?;
    // Spaces or another order would escape the checksum.
    if line(&header) == text { Ok(header) } else { Err(damaged("it is not written as plyproof writes it")) }
}

fn line<H: Header>(header: &H) -> String {
    serde_json::to_string(header).expect("plain data") + "\n"
}

fn damaged(why: impl AsRef<str>) -> TextError {
    TextError::new(format!("its header is damaged: {}", why.as_ref()))
}

fn unreadable(error: io::Error) -> TextError {
    TextError::new(error.to_string())
}
