//! The first line of a certificate: what is claimed, of which position of which game.

use std::fmt;

use plyproof_core::{Player, TextError, quoted};
use serde_json::{Map, Value};

use crate::claim::Claim;
use crate::error::shown;

/// The versions of the format that this crate reads and writes: 2 is for symmetric certificates, 1 for all others.
pub const FORMATS: [u64; 2] = [1, 2];

/// The claim of a certificate. Prints as the first line of the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// The game with its parameters, in its shortest spelling.
    pub game: String,
    /// Which rules of that game.
    pub rules: RulesId,
    /// The position the claim is about, as the game writes it.
    pub position: String,
    /// Whose result is claimed: the first or the second player of a game for two.
    pub player: Player,
    /// What that player reaches.
    pub goal: Claim,
    /// Whether each entry also stands for its images under the symmetries of the game.
    pub symmetric: bool,
    /// How many entries follow.
    pub entries: u64,
}

/// Which rules a game has, so that a proof under other rules is refused.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum RulesId {
    /// The version of rules written in a program. It goes up whenever a value could change.
    Version(u32),
    /// A digest of rules read from a text, as in `sha256:…`: letters, digits, `:` and `-`.
    Digest(String),
}

impl RulesId {
    /// Longest accepted digest, in bytes.
    const LONGEST_DIGEST: usize = 160;

    /// `version 2`, or `the text with digest sha256:…`.
    pub(crate) fn in_words(&self) -> String {
        match self {
            Self::Version(version) => format!("version {version}"),
            Self::Digest(digest) => format!("the text with digest {digest}"),
        }
    }

    /// `version 2` or `sha256:…`, short enough for a line of figures.
    pub fn name(&self) -> String {
        match self {
            Self::Version(version) => format!("version {version}"),
            Self::Digest(digest) => digest.clone(),
        }
    }

    /// The digest, if the rules were read from a text.
    pub fn text_digest(&self) -> Option<&str> {
        match self {
            Self::Version(_) => None,
            Self::Digest(digest) => Some(digest),
        }
    }

    /// A digest of rules read from a text.
    pub fn digest(text: &str) -> Result<Self, TextError> {
        let allowed = |c: char| c.is_ascii_alphanumeric() || c == ':' || c == '-';
        let fits = !text.is_empty() && text.len() <= Self::LONGEST_DIGEST && text.chars().all(allowed);
        if fits { Ok(Self::Digest(text.to_string())) } else { Err(TextError::expected(text, "a digest of rules")) }
    }
}

impl From<u32> for RulesId {
    fn from(version: u32) -> Self {
        Self::Version(version)
    }
}

/// As the header of a certificate has it.
impl fmt::Display for RulesId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Version(version) => version.fmt(f),
            Self::Digest(digest) => write!(f, "\"{digest}\""),
        }
    }
}

const FIELDS: [&str; 8] =
    ["plyproof-certificate", "game", "rules", "position", "player", "goal", "symmetric", "entries"];

impl Header {
    /// Reads the first line of a certificate, without its line break.
    ///
    /// There is one way to write a header; any other is refused. So nothing in it can be overlooked or read in two ways.
    pub fn parse(line: &str) -> Result<Self, TextError> {
        let Ok(Value::Object(fields)) = serde_json::from_str(line) else {
            return Err(TextError::expected(line, "the header of a certificate, {\"plyproof-certificate\":1,…}"));
        };
        let format = whole(&fields, FIELDS[0])?;
        if !FORMATS.contains(&format) {
            return Err(TextError::new(format!("certificate format {format} is not known, only formats 1 and 2")));
        }
        let player = match text(&fields, "player")? {
            "first" => Player::FIRST,
            "second" => Player::SECOND,
            other => return Err(TextError::expected(other, "a player: first or second")),
        };
        let header = Self {
            game: text(&fields, "game")?.to_string(),
            rules: rules(&fields)?,
            position: text(&fields, "position")?.to_string(),
            player,
            goal: Claim::parse(text(&fields, "goal")?)?,
            // The normal form below ties the field to the format.
            symmetric: fields.get("symmetric") == Some(&Value::Bool(true)),
            entries: whole(&fields, "entries")?,
        };
        if let Some(unknown) = fields.keys().find(|key| !FIELDS.contains(&key.as_str())) {
            return Err(TextError::new(format!("the header has an unknown field {}", quoted(unknown))));
        }
        let normal = header.to_string();
        if normal != line {
            return Err(TextError::new(format!("the header is not in its normal form, {}", shown(&normal))));
        }
        Ok(header)
    }

    /// The whole claim in words: `in loa(size=5) from …, the first player wins`.
    pub fn claim(&self) -> String {
        let Self { game, position, .. } = self;
        let player = seat(self.player);
        let reaches = match self.goal {
            Claim::Win => "wins".to_string(),
            Claim::Draw => "gets at least a draw, endless play being a draw".to_string(),
            Claim::Margin(points) => format!("ends with a margin of at least {points}"),
        };
        format!("in {game} from {position}, the {player} player {reaches}")
    }
}

impl fmt::Display for Header {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let json = |text: &str| Value::from(text).to_string();
        write!(
            f,
            "{{\"{}\":{},\"game\":{},\"rules\":{},\"position\":{},\"player\":\"{}\",\"goal\":\"{}\",{}\"entries\":{}}}",
            FIELDS[0],
            FORMATS[usize::from(self.symmetric)],
            json(&self.game),
            self.rules,
            json(&self.position),
            seat(self.player),
            self.goal,
            if self.symmetric { "\"symmetric\":true," } else { "" },
            self.entries
        )
    }
}

/// Certificates are for two players; a third one prints as a word that no header may have.
fn seat(player: Player) -> &'static str {
    match player {
        Player::FIRST => "first",
        Player::SECOND => "second",
        _ => "third",
    }
}

fn text<'a>(fields: &'a Map<String, Value>, name: &str) -> Result<&'a str, TextError> {
    fields.get(name).and_then(Value::as_str).ok_or_else(|| wrong(name, "a text"))
}

fn whole(fields: &Map<String, Value>, name: &str) -> Result<u64, TextError> {
    fields.get(name).and_then(Value::as_u64).ok_or_else(|| wrong(name, "a whole number"))
}

fn rules(fields: &Map<String, Value>) -> Result<RulesId, TextError> {
    if let Some(digest) = fields.get("rules").and_then(Value::as_str) {
        return RulesId::digest(digest);
    }
    let version = fields.get("rules").and_then(Value::as_u64);
    let version = version.ok_or_else(|| wrong("rules", "a whole number or a digest"))?;
    let version = u32::try_from(version).map_err(|_| TextError::new("the version of the rules is too large"))?;
    Ok(RulesId::Version(version))
}

fn wrong(name: &str, what: &str) -> TextError {
    TextError::new(format!("the header of a certificate needs {what} as \"{name}\""))
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINE: &str = "{\"plyproof-certificate\":1,\"game\":\"loa(size=5)\",\"rules\":1,\"position\":\"a \\\"b\",\
        \"player\":\"second\",\"goal\":\"margin>=-3\",\"entries\":7}";

    #[test]
    fn a_header_reads_and_prints_back() {
        let header = Header::parse(LINE).expect("a header");
        assert_eq!(
            (header.position.as_str(), header.player, header.goal),
            ("a \"b", Player::SECOND, Claim::Margin(-3))
        );
        assert_eq!((header.rules.clone(), header.entries), (RulesId::Version(1), 7));
        assert_eq!(header.to_string(), LINE);
        let digest = LINE.replace("\"rules\":1", "\"rules\":\"sha256:0a-9\"");
        let header = Header::parse(&digest).expect("a header with a digest");
        assert_eq!((&header.rules, header.to_string()), (&RulesId::Digest("sha256:0a-9".to_string()), digest));
        let symmetric = LINE.replace(":1,\"game", ":2,\"game").replace("\"entries", "\"symmetric\":true,\"entries");
        let images = Header::parse(&symmetric).expect("a symmetric header");
        assert_eq!((images.symmetric, images.to_string()), (true, symmetric));
        assert_eq!(header.claim(), "in loa(size=5) from a \"b, the second player ends with a margin of at least -3");
    }

    #[test]
    fn headers_that_could_be_read_in_two_ways_are_refused() {
        for (from, to, part) in [
            (LINE, "", "is not the header of a certificate"),
            (LINE, "[1]", "is not the header of a certificate"),
            ("\"plyproof-certificate\":1", "\"plyproof-certificate\":3", "format 3 is not known"),
            ("\"plyproof-certificate\":1", "\"plyproof-certificate\":2", "not in its normal form"),
            ("\"entries\":7", "\"symmetric\":true,\"entries\":7", "not in its normal form"),
            ("\"entries\":7", "\"symmetric\":false,\"entries\":7", "not in its normal form"),
            ("\"plyproof-certificate\":1,", "", "a whole number as \"plyproof-certificate\""),
            ("\"rules\":1", "\"rules\":-1", "a whole number or a digest as \"rules\""),
            ("\"rules\":1", "\"rules\":\"sha256:a b\"", "is not a digest of rules"),
            ("\"rules\":1", "\"rules\":\"\"", "is not a digest of rules"),
            ("\"rules\":1", "\"rules\":4294967297", "too large"),
            ("\"rules\":1", "\"rules\":1.0", "a whole number or a digest as \"rules\""),
            ("\"rules\":1", "\"rules\":1,\"rules\":1", "not in its normal form"),
            ("\"rules\":1", "\"rules\": 1", "not in its normal form"),
            ("\"goal\":\"margin>=-3\"", "\"goal\":\"win\",\"goal\":\"margin>=-3\"", "not in its normal form"),
            ("\"game\":\"loa(size=5)\"", "\"game\":5", "a text as \"game\""),
            ("\"a \\\"b\"", "\"\\u0061 \\\"b\"", "not in its normal form"),
            ("second", "third", "first or second"),
            ("margin>=-3", "margin>=-03", "win, draw, or margin>=K"),
            ("\"entries\":7", "\"entries\":7,\"note\":\"\"", "unknown field \"note\""),
            ("\"entries\":7}", "\"entries\":7} ", "not in its normal form"),
        ] {
            assert!(LINE.contains(from), "{from}");
            let line = LINE.replace(from, to);
            let error = Header::parse(&line).expect_err(&line).to_string();
            assert!(error.contains(part) && !error.contains('\n'), "{line}: {error}");
        }
        assert!(Header::parse(&"[".repeat(100_000)).is_err(), "depth must not matter");
        let third = Header { player: Player::new(2), ..Header::parse(LINE).expect("a header") };
        assert!(Header::parse(&third.to_string()).is_err());
    }
}
