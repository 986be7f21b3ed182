//! The protocols by name.

use std::fmt;

use plyproof_core::TextError;
use plyproof_core::spec::unknown_name;

/// A protocol between engines and the programs that run them. [docs/engines.md] says which commands are understood.
///
/// [docs/engines.md]: https://github.com/plyproof/plyproof/blob/main/docs/engines.md
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Protocol {
    /// The universal game interface: every game, in plyproof's own notation.
    Ugi,
    /// The universal Shogi interface.
    Usi,
    /// The universal chess interface, with variants by the option `UCI_Variant`.
    Uci,
    /// The protocol of the Gomocup tournaments, also called that of Piskvork.
    Gomocup,
    /// The Go text protocol, version 2.
    Gtp,
}

impl Protocol {
    /// Every protocol there is.
    pub const ALL: [Self; 5] = [Self::Ugi, Self::Usi, Self::Uci, Self::Gomocup, Self::Gtp];

    /// Its name in lower case.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Ugi => "ugi",
            Self::Usi => "usi",
            Self::Uci => "uci",
            Self::Gomocup => "gomocup",
            Self::Gtp => "gtp",
        }
    }

    /// The protocol of this name.
    pub fn parse(text: &str) -> Result<Self, TextError> {
        let found = Self::ALL.into_iter().find(|protocol| protocol.word() == text);
        found.ok_or_else(|| unknown_name("protocol", text, Self::ALL.map(Self::word)))
    }

    /// The protocol whose manager begins with this line, if it can be told: UGI, USI and UCI begin with their names,
    /// Gomocup with words in capitals, and GTP with one of its commands.
    pub fn recognised(line: &str) -> Option<Self> {
        let mut words = line.split_ascii_whitespace();
        let mut first = words.next()?;
        if first.bytes().all(|byte| byte.is_ascii_digit()) {
            // The identity of a GTP command.
            first = words.next()?;
        }
        match first {
            "ugi" => Some(Self::Ugi),
            "usi" => Some(Self::Usi),
            "uci" => Some(Self::Uci),
            "START" | "RECTSTART" | "ABOUT" | "INFO" | "BEGIN" | "BOARD" | "END" => Some(Self::Gomocup),
            "protocol_version" | "name" | "version" | "list_commands" | "known_command" | "boardsize"
            | "clear_board" | "komi" | "play" | "genmove" | "showboard" | "time_settings" => Some(Self::Gtp),
            _ => None,
        }
    }

    /// The game that is played if nobody names one.
    pub const fn usual_game(self) -> &'static str {
        match self {
            Self::Ugi => "loa",
            Self::Usi | Self::Uci => "minishogi(repetition=standard)",
            Self::Gomocup | Self::Gtp => "gomoku",
        }
    }
}

impl fmt::Display for Protocol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_protocol_is_known_by_its_name_and_by_its_first_line() {
        for protocol in Protocol::ALL {
            assert_eq!(Protocol::parse(protocol.word()), Ok(protocol));
        }
        let error = Protocol::parse("ugl").expect_err("no protocol").to_string();
        assert_eq!(error, "unknown protocol \"ugl\" (did you mean ugi?); known: ugi, usi, uci, gomocup, gtp");
        for (line, protocol) in [
            ("ugi", Some(Protocol::Ugi)),
            ("START 15", Some(Protocol::Gomocup)),
            ("12 name", Some(Protocol::Gtp)),
            ("list_commands", Some(Protocol::Gtp)),
            ("isready", None),
            ("7", None),
            ("", None),
        ] {
            assert_eq!(Protocol::recognised(line), protocol, "{line}");
        }
    }
}
