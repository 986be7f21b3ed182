//! What there is to know about a game or an agent without opening it. All of it is owned data, so that a program can
//! describe a game that it learns about while it runs.

use std::fmt;
use std::sync::{Arc, LazyLock};

use super::{distance, is_file_name, is_name, parse_board, parse_count, short_number};
use crate::game::{TextError, quoted};

/// What values a parameter takes.
#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    /// A whole number from the first to the second, both included.
    Whole(i64, i64),
    /// One of these words.
    Choice(Vec<String>),
    /// A board size: files `x` ranks, or one number for both.
    Board {
        /// Fewest files and ranks.
        least: (u8, u8),
        /// Most files and ranks.
        most: (u8, u8),
    },
    /// A decimal number in this range; these words are allowed as well.
    Real(f64, f64, Vec<String>),
    /// A whole number from the first to the second, both included; these words are allowed as well.
    Count(i64, i64, Vec<String>),
    /// Any text without a comma, for example a file name.
    Text,
    /// Any text on one line; it stands between quotation marks where the grammar needs them.
    Phrase,
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Whole(least, most) => write!(f, "{least}..{most}"),
            Self::Choice(words) => f.write_str(&words.join("|")),
            Self::Board { least, most } => write!(f, "WxH from {}x{} to {}x{}", least.0, least.1, most.0, most.1),
            Self::Real(least, most, words) => {
                write!(f, "{least}..{most}")?;
                words.iter().try_for_each(|word| write!(f, "|{word}"))
            }
            Self::Count(least, most, words) => {
                write!(f, "{least}..{most}")?;
                words.iter().try_for_each(|word| write!(f, "|{word}"))
            }
            Self::Text | Self::Phrase => f.write_str("text"),
        }
    }
}

impl Kind {
    /// One of these words.
    pub fn choice(words: &[&str]) -> Self {
        Self::Choice(owned(words))
    }

    /// `true` or `false`.
    pub fn flag() -> Self {
        Self::choice(&["true", "false"])
    }

    /// A decimal number in this range, or one of these words.
    pub fn real(least: f64, most: f64, words: &[&str]) -> Self {
        Self::Real(least, most, owned(words))
    }

    /// A whole number in this range, or one of these words.
    pub fn count(least: i64, most: i64, words: &[&str]) -> Self {
        Self::Count(least, most, owned(words))
    }

    /// The words that are allowed as they stand.
    pub fn words(&self) -> &[String] {
        match self {
            Self::Choice(words) | Self::Real(_, _, words) | Self::Count(_, _, words) => words,
            Self::Whole(..) | Self::Board { .. } | Self::Text | Self::Phrase => &[],
        }
    }

    /// The value in its shortest spelling, or `None` if it is not allowed.
    pub(super) fn normal(&self, text: &str) -> Option<String> {
        if self.words().iter().any(|word| word == text) {
            return Some(text.to_string());
        }
        match *self {
            Self::Whole(least, most) | Self::Count(least, most, _) => {
                let number = text.parse().ok().or_else(|| i64::try_from(parse_count(text)?).ok())?;
                (least..=most).contains(&number).then(|| number.to_string())
            }
            Self::Choice(_) => None,
            Self::Board { least, most } => {
                let (width, height) = parse_board(text)?;
                let fits = (least.0..=most.0).contains(&width) && (least.1..=most.1).contains(&height);
                fits.then(|| if width == height { width.to_string() } else { format!("{width}x{height}") })
            }
            Self::Real(least, most, _) => {
                let number: f64 = text.parse().ok()?;
                (number >= least && number <= most).then(|| short_number(number))
            }
            Self::Text => (!text.is_empty() && !text.contains(',')).then(|| text.to_string()),
            Self::Phrase => (!text.trim().is_empty() && !text.contains(char::is_control)).then(|| text.to_string()),
        }
    }
}

fn owned(words: &[&str]) -> Vec<String> {
    words.iter().map(ToString::to_string).collect()
}

/// One parameter of a game or an agent.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    /// The word before the equals sign.
    pub name: String,
    /// The value taken when none is given, in its shortest spelling.
    pub default: String,
    /// What is allowed.
    pub kind: Kind,
    /// What it does, in a few words.
    pub help: String,
}

impl Parameter {
    /// A parameter from its four parts.
    pub fn new(name: impl Into<String>, default: impl Into<String>, kind: Kind, help: impl Into<String>) -> Self {
        Self { name: name.into(), default: default.into(), kind, help: help.into() }
    }

    /// The parameter with another default.
    pub fn with_default(self, default: impl Into<String>) -> Self {
        Self { default: default.into(), ..self }
    }
}

/// The public face of a game or an agent: everything that listings, forms and error messages say about it.
#[derive(Clone, Debug, PartialEq)]
pub struct Described {
    /// The name before the parenthesis, as in `loa`.
    pub name: String,
    /// The name for people, as in "Lines of Action".
    pub title: String,
    /// One line: the rules of a game, or what an agent does.
    pub summary: String,
    /// All parameters, in the order in which they print and in which unnamed values are taken.
    pub parameters: Vec<Parameter>,
}

/// A description that a program has as a `static`; it is made when it is first looked at.
///
/// ```
/// use plyproof_core::spec::{Described, Description, Kind, Params, Spec};
///
/// static CHOMP: Description = Description::new(|| {
///     Described::new("chomp", "Chomp", "Bite into a square and eat all squares below it and to its right.")
///         .parameter("rows", "4", Kind::Whole(1, 6), "rows of squares")
///         .parameter("poison", "first", Kind::choice(&["first", "last"]), "the square that loses")
///         .into()
/// });
///
/// let params = Params::resolve(&CHOMP, &Spec::parse("chomp(rows=3)")?)?;
/// assert_eq!((params.whole("rows"), params.text("poison")), (3, "first"));
/// # Ok::<(), plyproof_core::TextError>(())
/// ```
pub type Description = LazyLock<Arc<Described>>;

impl Described {
    /// A game or an agent without parameters.
    pub fn new(name: impl Into<String>, title: impl Into<String>, summary: impl Into<String>) -> Self {
        Self { name: name.into(), title: title.into(), summary: summary.into(), parameters: Vec::new() }
    }

    /// The description with one more parameter.
    pub fn parameter(
        self,
        name: impl Into<String>,
        default: impl Into<String>,
        kind: Kind,
        help: impl Into<String>,
    ) -> Self {
        self.with([Parameter::new(name, default, kind, help)])
    }

    /// The description with these parameters behind those that it has.
    pub fn with(mut self, parameters: impl IntoIterator<Item = Parameter>) -> Self {
        self.parameters.extend(parameters);
        self
    }

    /// Whether the grammar of names can express all of it, so that every value that is read prints back: for
    /// descriptions that come from data.
    pub fn check(&self) -> Result<(), TextError> {
        let wrong = |what: String| Err(TextError::new(what));
        let word = is_name(&self.name) && self.name.len() <= 100;
        if !word && !is_file_name(&self.name) {
            return wrong(format!("{} cannot be a name: at most 100 letters, digits and -", quoted(&self.name)));
        }
        for (what, line) in [("title", &self.title), ("summary", &self.summary)] {
            if line.trim().is_empty() || line.contains(char::is_control) {
                return wrong(format!(
                    "the {what} of {} is {}; it has to be one line of text",
                    self.name,
                    quoted(line)
                ));
            }
        }
        for (place, Parameter { name, default, kind, help }) in self.parameters.iter().enumerate() {
            if !is_name(name) {
                let name = quoted(name);
                return wrong(format!("{name} cannot be a parameter of {}: use letters, digits and -", self.name));
            }
            let of = format!("{name} of {}", self.name);
            if self.parameters[..place].iter().any(|before| before.name == *name) {
                return wrong(format!("there are two parameters {of}; each needs a name of its own"));
            }
            if help.contains(char::is_control) {
                return wrong(format!("the help of {of} is {}; it has to be one line of text", quoted(help)));
            }
            let reads_back = |word: &str| !word.is_empty() && word.trim() == word && !word.contains(['(', ')', ',']);
            if let Some(word) = kind.words().iter().find(|word| !reads_back(word)) {
                return wrong(format!("{of} cannot be {}: use words without commas and parentheses", quoted(word)));
            }
            let unset = *kind == Kind::Text && default.is_empty();
            if !unset && kind.normal(default).as_deref() != Some(default) {
                return wrong(match kind.normal(default) {
                    Some(normal) => format!("the default of {of} is {}; write {normal}", quoted(default)),
                    None => format!("the default of {of} is {}, which is not in {kind}", quoted(default)),
                });
            }
        }
        Ok(())
    }

    /// `pn-mcts has no parameter "cpn" (did you mean pn?): pn is 0..1e9 (default 1)`; the names of all parameters where
    /// none is near.
    pub(super) fn unknown_parameter(&self, given: &str) -> TextError {
        let has_none = format!("{} has no parameter {}", self.name, quoted(given));
        let lower = given.to_lowercase();
        // Parameters are short words: half of the letters must be right.
        let near = self.parameters.iter().map(|p| (distance(&lower, &p.name), p));
        let near = near.filter(|(d, p)| *d <= 2 && 2 * d <= lower.chars().count().max(p.name.len()));
        TextError::new(match near.min_by_key(|(d, _)| *d) {
            Some((_, Parameter { name, kind, default, .. })) => {
                format!("{has_none} (did you mean {name}?): {name} is {kind} (default {default})")
            }
            None if self.parameters.is_empty() => format!("{has_none}; it takes none"),
            None => {
                let names: Vec<&str> = self.parameters.iter().map(|p| p.name.as_str()).collect();
                format!("{has_none}; its parameters are {}", names.join(", "))
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::AGENTS;
    use crate::spec::{Params, Spec};

    fn toy() -> Described {
        Described::new("toy", "Toy", "For tests.").parameter("n", "3", Kind::Whole(1, 19), "a number")
    }

    #[test]
    fn a_description_that_the_grammar_cannot_express_is_refused() {
        toy().check().expect("a sound description");
        toy().parameter("file", "", Kind::Text, "").check().expect("a text may be empty unless it is given");
        for (described, says) in [
            (Described { name: "two words".to_string(), ..toy() }, "\"two words\" cannot be a name"),
            (Described { name: "x".repeat(101), ..toy() }, "at most 100 letters"),
            (Described { title: " ".to_string(), ..toy() }, "the title of toy is \" \""),
            (Described { summary: "two\nlines".to_string(), ..toy() }, "the summary of toy"),
            (toy().parameter("n", "1", Kind::Whole(1, 2), ""), "two parameters n of toy"),
            (toy().parameter("a=b", "1", Kind::Whole(1, 2), ""), "\"a=b\" cannot be a parameter of toy"),
            (toy().parameter("m", "1", Kind::Whole(1, 2), "two\nlines"), "the help of m of toy"),
            (
                toy().parameter("m", "0", Kind::Whole(1, 2), ""),
                "the default of m of toy is \"0\", which is not in 1..2",
            ),
            (toy().parameter("m", "1", Kind::Whole(2, 1), ""), "which is not in 2..1"),
            (toy().parameter("m", "01", Kind::Whole(1, 2), ""), "the default of m of toy is \"01\"; write 1"),
            (toy().parameter("m", "x", Kind::choice(&[]), ""), "the default of m of toy is \"x\""),
            (toy().parameter("m", "a", Kind::choice(&["a", "b,c"]), ""), "m of toy cannot be \"b,c\""),
            (toy().parameter("m", "1", Kind::real(0.0, 1.0, &[" off"]), ""), "m of toy cannot be \" off\""),
            (toy().parameter("m", "NaN", Kind::real(0.0, f64::NAN, &[]), ""), "the default of m of toy"),
        ] {
            let error = described.check().expect_err(says).to_string();
            assert!(error.contains(says) && !error.contains('\n'), "{says}: {error}");
        }
    }

    #[test]
    fn every_agent_has_a_sound_description() {
        for described in AGENTS.iter() {
            described.check().expect("the grammar can express it");
        }
    }

    #[test]
    fn a_description_from_data_reads_and_prints_like_a_fixed_one() {
        let data = [("files", 7), ("ranks", 6)];
        let parameters = data.iter().map(|(name, n)| Parameter::new(*name, n.to_string(), Kind::Whole(1, 2 * n), ""));
        let described = Arc::new(Described::new(format!("own-{}", data.len()), "Own", "From data.").with(parameters));
        described.check().expect("a sound description");
        let spec = Spec::parse("own-2(ranks=12,files=7)").expect("a name");
        let params = Params::resolve(&described, &spec).expect("allowed values");
        assert_eq!((params.to_string().as_str(), params.whole("ranks")), ("own-2(ranks=12)", 12));
    }
}
