//! Rules in either language behind one type: the one place that knows which languages there are.

use std::fmt;
use std::io::BufRead;

use crate::digest::digest;
use crate::rbg::{self, RulesError, Visitor};

/// A language of rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Language {
    /// Regular Boardgames.
    Rbg,
    /// The Game Description Language.
    Gdl,
}

impl Language {
    /// The language that the ending of a file name stands for.
    pub fn of_file(name: &str) -> Option<Self> {
        let ending = name.rsplit_once('.')?.1.to_ascii_lowercase();
        match ending.as_str() {
            "rbg" => Some(Self::Rbg),
            "kif" | "gdl" => Some(Self::Gdl),
            _ => None,
        }
    }

    /// The language of a text under a name: what the ending of the name says, otherwise what the text begins with.
    pub fn of(name: &str, text: &str) -> Self {
        let begins = || text.trim_start_matches('\u{feff}').trim_start().starts_with(['(', ';']);
        Self::of_file(name).unwrap_or_else(|| if begins() { Self::Gdl } else { Self::Rbg })
    }
}

impl fmt::Display for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Rbg => "RBG",
            Self::Gdl => "GDL",
        })
    }
}

/// What a comparison with the games of another program has compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Compared {
    /// Positions whose legal moves agree.
    pub positions: u64,
    /// Games whose results agree.
    pub games: u64,
    /// Counts of lines of play that agree.
    pub perft: u64,
}

/// A game as its rules describe it, in either language.
pub struct AnyRules {
    digest: String,
    rules: Rules,
}

enum Rules {
    Rbg(Box<rbg::Rules>),
}

impl AnyRules {
    /// Reads rules. `overrides` replace the values of [`constants`](AnyRules::constants), by their names.
    pub fn load(language: Language, text: &str, overrides: &[(String, String)]) -> Result<Self, RulesError> {
        let rules = match language {
            Language::Rbg => Rules::Rbg(Box::new(rbg::load(text, overrides)?)),
            Language::Gdl => {
                let message = "rules in GDL cannot be read by this version: expected rules in RBG".to_string();
                return Err(RulesError { line: 0, column: 0, message });
            }
        };
        Ok(Self { digest: digest(text), rules })
    }

    /// The language of the rules.
    pub fn language(&self) -> Language {
        match self.rules {
            Rules::Rbg(_) => Language::Rbg,
        }
    }

    /// The digest of the text, see [`digest`].
    pub fn digest(&self) -> &str {
        &self.digest
    }

    /// The comment in the first line.
    pub fn title(&self) -> Option<&str> {
        match &self.rules {
            Rules::Rbg(rules) => rules.title(),
        }
    }

    /// Names of the players, in order of their seats.
    pub fn players(&self) -> &[String] {
        match &self.rules {
            Rules::Rbg(rules) => rules.players(),
        }
    }

    /// What is probably not meant.
    pub fn warnings(&self) -> &[String] {
        match &self.rules {
            Rules::Rbg(rules) => rules.warnings(),
        }
    }

    /// What `overrides` can replace: names and values.
    pub fn constants(&self) -> &[(String, String)] {
        match &self.rules {
            Rules::Rbg(rules) => rules.constants(),
        }
    }

    /// The game in a sentence, as in `first against second on 9 cells with the pieces none, o, x.`
    pub fn summary(&self) -> String {
        match &self.rules {
            Rules::Rbg(rules) => {
                let pieces: Vec<&str> = rules.pieces().iter().map(|piece| piece.0.as_str()).collect();
                let on = match rules.board().cells.len() {
                    1 => format!("{} on 1 cell", self.players().join(" against ")),
                    cells => format!("{} on {cells} cells", self.players().join(" against ")),
                };
                match pieces.iter().map(|name| name.len() + 2).sum::<usize>() {
                    0..=80 => format!("{on} with the pieces {}.", pieces.join(", ")),
                    _ => format!("{on} with {} kinds of pieces.", pieces.len()),
                }
            }
        }
    }

    /// The rules in RBG, if that is their language: board, pieces and layout, for drawing.
    pub fn as_rbg(&self) -> Option<&rbg::Rules> {
        match &self.rules {
            Rules::Rbg(rules) => Some(rules),
        }
    }

    /// Calls the visitor with the position at the start of the game.
    pub fn start<V: Visitor>(&self, visitor: V) -> V::Output {
        match &self.rules {
            Rules::Rbg(rules) => rules.start(visitor),
        }
    }

    /// Compares the rules with positions, moves and results that another program has written down, perft up to
    /// `most_lines` lines of play. The error is the first difference in full.
    pub fn replay(&self, lines: impl BufRead, most_lines: u64) -> Result<Compared, String> {
        match &self.rules {
            Rules::Rbg(rules) => {
                let rbg::Replayed { positions, games, perft } = rbg::replay(rules, lines, most_lines)?;
                Ok(Compared { positions, games, perft })
            }
        }
    }
}

impl fmt::Debug for AnyRules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AnyRules").field("language", &self.language()).field("digest", &self.digest).finish()
    }
}
