//! Writes certificates, so that all who find proofs write them alike.

use std::io::{self, ErrorKind, Write};

use plyproof_core::quoted;

use crate::header::Header;
use crate::lines::LONGEST_LINE;

/// Writes a certificate line by line.
///
/// It keeps the format and nothing else: whether the entries prove the claim is for [`verify`](crate::verify) to say.
/// For goals that must come to an end ([`Claim::must_end`](crate::Claim::must_end)) every entry may rely only on those
/// written before it; for a draw the order does not matter. No position may come twice.
pub struct Writer<W: Write> {
    out: W,
    missing: u64,
}

impl<W: Write> Writer<W> {
    /// Writes the header. Many small writes follow: give it a buffered `out`.
    pub fn new(mut out: W, header: &Header) -> io::Result<Self> {
        let line = header.to_string();
        // What cannot be read back must not be written: a third player, or a position that is too long.
        if line.len() >= LONGEST_LINE || Header::parse(&line).ok().as_ref() != Some(header) {
            return Err(unfit(format!("no certificate can have the header {}", quoted(&line))));
        }
        writeln!(out, "{line}")?;
        Ok(Self { out, missing: header.entries })
    }

    /// Writes that the prover, who is to move at `position`, plays `played`, both as the game writes them.
    pub fn entry(&mut self, position: &str, played: &str) -> io::Result<()> {
        if [position, played].iter().any(|text| text.contains(['\t', '\n'])) {
            return Err(unfit(format!("{} or {} has a tab or line break in it", quoted(position), quoted(played))));
        }
        if position.len() + played.len() + 2 > LONGEST_LINE {
            return Err(unfit(format!("the position {} is too long for a certificate", quoted(position))));
        }
        self.missing =
            self.missing.checked_sub(1).ok_or_else(|| unfit("more entries than the header says".to_string()))?;
        writeln!(self.out, "{position}\t{played}")
    }

    /// Flushes and gives back what was written to. Fails if entries are missing.
    pub fn finish(mut self) -> io::Result<W> {
        if self.missing > 0 {
            return Err(unfit(format!("{} entries fewer than the header says", self.missing)));
        }
        self.out.flush()?;
        Ok(self.out)
    }
}

fn unfit(why: String) -> io::Error {
    io::Error::new(ErrorKind::InvalidInput, why)
}

#[cfg(test)]
mod tests {
    use plyproof_core::Player;

    use super::*;
    use crate::claim::Claim;

    fn header(entries: u64) -> Header {
        let (game, position) = ("coins".to_string(), "4 1".to_string());
        Header { game, rules: 1.into(), position, player: Player::FIRST, goal: Claim::Win, symmetric: false, entries }
    }

    #[test]
    fn entries_that_would_break_the_format_are_not_written() {
        let mut writer = Writer::new(Vec::new(), &header(1)).expect("a header");
        let long = "x".repeat(LONGEST_LINE);
        for (position, played) in [("a\tb", "c"), ("a", "b\nc"), (&long, "c")] {
            assert!(writer.entry(position, played).is_err(), "{position} {played}");
        }
        writer.entry("a", "b").expect("room for one");
        assert!(writer.entry("c", "d").expect_err("too many").to_string().contains("more entries"));
        let text = String::from_utf8(writer.finish().expect("complete")).expect("text");
        assert_eq!(text, format!("{}\na\tb\n", header(1)));
    }

    #[test]
    fn a_certificate_is_complete_or_not_finished() {
        let writer = Writer::new(Vec::new(), &header(2)).expect("a header");
        assert_eq!(writer.finish().expect_err("empty").to_string(), "2 entries fewer than the header says");
        let third = Header { player: Player::new(2), ..header(0) };
        assert!(Writer::new(Vec::new(), &third).is_err());
        assert!(Writer::new(Vec::new(), &Header { position: "x".repeat(LONGEST_LINE), ..header(0) }).is_err());
    }
}
