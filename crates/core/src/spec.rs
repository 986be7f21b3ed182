//! Names with parameters, `name(param=value,…)`: one grammar for games and agents alike.
//!
//! A [`Described`] thing lists its parameters; [`Params::resolve`] checks a text against that list, and the result
//! prints back in its shortest form: only what differs from the default, in the listed order.

mod described;

use std::fmt;
use std::sync::Arc;

use crate::game::{TextError, quoted};

pub use described::{Described, Description, Kind, Parameter};

/// A name and its arguments as written, not yet checked against anything.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spec {
    /// The part before the parenthesis: a word, or the name of a file with rules, without quotation marks around it.
    pub name: String,
    /// `(Some(parameter), value)`, or `(None, value)` for an argument given by place.
    pub arguments: Vec<(Option<String>, String)>,
}

impl Spec {
    /// Longest accepted text, in bytes. Longer input is a mistake, not a name.
    pub const LONGEST: usize = 4096;

    /// Splits `name(a=1,b='2, 3')`. Spaces around names and values do not matter; parentheses inside values must balance,
    /// unless the value stands between single quotation marks, in which two of them stand for one. The name may stand
    /// between quotation marks too, for a file whose name holds a parenthesis: `'games (old)/mine.rbg'(size=7)`.
    pub fn parse(text: &str) -> Result<Self, TextError> {
        let wrong =
            |why: &str| TextError::new(format!("{} is not of the form name(param=value,…): {why}", quoted(text)));
        if text.len() > Self::LONGEST {
            return Err(wrong("it is too long"));
        }
        let (name, rest) = split_name(text.trim()).ok_or_else(|| wrong("the quotation marks do not match"))?;
        let rest = match rest {
            "" => None,
            rest => Some(rest.strip_prefix('(').ok_or_else(|| wrong("expected ( behind the name"))?),
        };
        if !is_name(&name) && !is_file_name(&name) {
            return Err(wrong("the name is made of letters, digits and -"));
        }
        let mut arguments = Vec::new();
        if let Some(rest) = rest {
            let inner = rest.strip_suffix(')').ok_or_else(|| wrong("the closing parenthesis is missing"))?;
            for part in
                split_top_level(inner).ok_or_else(|| wrong("the parentheses or quotation marks do not match"))?
            {
                let part = part.trim();
                if part.is_empty() {
                    if inner.trim().is_empty() {
                        break;
                    }
                    return Err(wrong("there is an empty argument"));
                }
                match part.split_once('=').filter(|(key, _)| !key.contains('\'')) {
                    Some((key, value)) => {
                        arguments.push((Some(key.trim().to_string()), unquoted(value.trim())));
                    }
                    None => arguments.push((None, unquoted(part))),
                }
            }
        }
        Ok(Self { name, arguments })
    }

    /// A name as [`Spec::parse`] reads it: between quotation marks if it needs them.
    pub fn quoted_name(name: &str) -> String {
        let plain = |c: char| c.is_alphanumeric() || "-_²./\\:+@~".contains(c);
        match name.chars().all(plain) {
            true => name.to_string(),
            false => format!("'{}'", name.replace('\'', "''")),
        }
    }

    /// A value as [`Spec::parse`] reads it: between quotation marks if it needs them.
    pub fn quoted_value(value: &str) -> String {
        let plain = |c: char| !c.is_whitespace() && !"(),='".contains(c);
        match !value.is_empty() && value.chars().all(plain) {
            true => value.to_string(),
            false => format!("'{}'", value.replace('\'', "''")),
        }
    }
}

/// The name, without quotation marks around it, and the parenthesis behind it; `None` if the quotation marks do not match.
fn split_name(text: &str) -> Option<(String, &str)> {
    let Some(inner) = text.strip_prefix('\'') else {
        let (name, rest) = text.split_at(text.find('(').unwrap_or(text.len()));
        return Some((name.trim_end().to_string(), rest));
    };
    let mut name = String::new();
    let mut chars = inner.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        // Two of them stand for one.
        if c != '\'' || chars.next_if(|next| next.1 == '\'').is_some() {
            name.push(c);
        } else {
            return Some((name, inner[at + 1..].trim_start()));
        }
    }
    None
}

/// Endings of files with rules of games.
pub const RULES_ENDINGS: [&str; 3] = [".rbg", ".kif", ".gdl"];

/// Whether a name is that of a file: it has the ending of a file with rules, or a separator of folders.
pub fn is_file_name(name: &str) -> bool {
    let ending = |ending: &&str| {
        let from = name.len().checked_sub(ending.len()).and_then(|from| name.get(from..));
        from.is_some_and(|end| end.eq_ignore_ascii_case(ending))
    };
    let file = name.contains(['/', '\\']) || RULES_ENDINGS.iter().any(ending);
    file && name.len() <= 1000 && name.trim() == name && !name.contains(char::is_control)
}

/// A value without the quotation marks around it, if it has any.
fn unquoted(value: &str) -> String {
    let inner = value.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\''));
    inner.map_or_else(|| value.to_string(), |inner| inner.replace("''", "'"))
}

/// Whether this can stand before the parenthesis.
fn is_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || "-_²".contains(c))
}

/// Parts between commas outside parentheses and quotation marks; `None` if these do not balance.
fn split_top_level(text: &str) -> Option<Vec<&str>> {
    let (mut depth, mut from, mut parts, mut quoted) = (0usize, 0, Vec::new(), false);
    for (at, c) in text.char_indices() {
        match c {
            '\'' => quoted = !quoted,
            _ if quoted => {}
            '(' => depth += 1,
            ')' => depth = depth.checked_sub(1)?,
            ',' if depth == 0 => {
                parts.push(&text[from..at]);
                from = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&text[from..]);
    (depth == 0 && !quoted).then_some(parts)
}

/// Reads a count as people write it: `1000`, `1_000`, `1e3`, `2.5e6`, `10k` or `1M`. Other texts, fractions and numbers
/// above [`u64::MAX`] are `None`; nothing is ever rounded.
pub fn parse_count(text: &str) -> Option<u64> {
    let text = text.trim();
    let (number, zeros): (&str, usize) = match text.split_once(['e', 'E']) {
        // Two digits reach beyond the largest count; more would only be work.
        Some((number, zeros)) if (1..=2).contains(&zeros.len()) => (number, digits(zeros)?.parse().ok()?),
        Some(_) => return None,
        None => match text.strip_suffix(['k', 'K']) {
            Some(number) => (number, 3),
            None => text.strip_suffix(['m', 'M']).map_or((text, 0), |number| (number, 6)),
        },
    };
    let (whole, part) = number.split_once('.').unwrap_or((number, "0"));
    let (whole, part) = (digits(whole)?, digits(part)?);
    let part = part.trim_end_matches('0');
    // A digit that is left behind the point is a fraction.
    let missing = zeros.checked_sub(part.len())?;
    let all = whole + part + &"0".repeat(missing);
    let all = all.trim_start_matches('0');
    if all.is_empty() { Some(0) } else { all.parse().ok() }
}

/// The digits of a number in which single underscores may part groups; `None` for anything else.
fn digits(text: &str) -> Option<String> {
    let grouped = text.split('_').all(|group| !group.is_empty() && group.bytes().all(|b| b.is_ascii_digit()));
    grouped.then(|| text.replace('_', ""))
}

fn parse_board(text: &str) -> Option<(u8, u8)> {
    let (width, height) = text.split_once(['x', 'X']).unwrap_or((text, text));
    let side = |part: &str| if part.bytes().all(|b| b.is_ascii_digit()) { part.parse().ok() } else { None };
    Some((side(width)?, side(height)?))
}

/// Large round numbers as `1e6`, all others as Rust prints them: whichever is shorter.
fn short_number(number: f64) -> String {
    let (plain, scientific) = (format!("{number}"), format!("{number:e}"));
    if scientific.len() < plain.len() { scientific } else { plain }
}

/// Checked values for every parameter of a [`Described`] thing. Prints as the shortest spec that means the same.
#[derive(Clone, Debug, PartialEq)]
pub struct Params {
    described: Arc<Described>,
    values: Vec<String>,
}

impl Params {
    /// The defaults of everything.
    pub fn defaults(described: &Arc<Described>) -> Self {
        Self {
            described: Arc::clone(described),
            values: described.parameters.iter().map(|p| p.default.clone()).collect(),
        }
    }

    /// Checks the arguments of `spec` one by one. The name is the caller's business.
    pub fn resolve(described: &Arc<Described>, spec: &Spec) -> Result<Self, TextError> {
        let mut params = Self::defaults(described);
        let mut given = vec![false; described.parameters.len()];
        for (place, (key, value)) in spec.arguments.iter().enumerate() {
            let index = match key {
                Some(key) => described.parameters.iter().position(|p| p.name == *key),
                None => (place < described.parameters.len()).then_some(place),
            };
            let Some(index) = index else {
                let what = key.as_deref().unwrap_or(value);
                return Err(described.unknown_parameter(what));
            };
            let parameter = &described.parameters[index];
            if std::mem::replace(&mut given[index], true) {
                return Err(TextError::new(format!("{} is given twice for {}", parameter.name, described.name)));
            }
            params.values[index] = parameter.kind.normal(value).ok_or_else(|| {
                TextError::new(format!(
                    "{}={} is not allowed for {}: {} is {} (default {})",
                    parameter.name,
                    quoted(value).trim_matches('"'),
                    described.name,
                    parameter.name,
                    parameter.kind,
                    parameter.default
                ))
            })?;
        }
        Ok(params)
    }

    /// What these values belong to.
    pub fn described(&self) -> &Described {
        &self.described
    }

    /// The value of a parameter as text.
    ///
    /// # Panics
    /// If there is no such parameter: the names are fixed in the program.
    pub fn text(&self, name: &str) -> &str {
        let index = self.described.parameters.iter().position(|p| p.name == name);
        &self.values[index.unwrap_or_else(|| panic!("{} has no parameter {name}", self.described.name))]
    }

    /// The value of a [`Kind::Whole`] parameter.
    pub fn whole(&self, name: &str) -> i64 {
        self.text(name).parse().unwrap_or_else(|_| panic!("{name} is not a whole number"))
    }

    /// The value of a parameter that is `true` or `false`, [`Kind::flag`].
    pub fn flag(&self, name: &str) -> bool {
        self.text(name) == "true"
    }

    /// The value of a [`Kind::Real`] or [`Kind::Count`] parameter, unless it is one of its words.
    pub fn real(&self, name: &str) -> Option<f64> {
        self.text(name).parse().ok()
    }

    /// The value of a [`Kind::Board`] parameter: files, ranks.
    pub fn board(&self, name: &str) -> (usize, usize) {
        let (width, height) = parse_board(self.text(name)).unwrap_or_else(|| panic!("{name} is not a board size"));
        (width.into(), height.into())
    }
}

impl fmt::Display for Params {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&Spec::quoted_name(&self.described.name))?;
        let pairs = self.described.parameters.iter().zip(&self.values);
        let written = |(p, value): (&Parameter, &String)| match p.kind {
            Kind::Phrase => format!("{}={}", p.name, Spec::quoted_value(value)),
            _ => format!("{}={value}", p.name),
        };
        let given: Vec<String> = pairs.filter(|(p, value)| p.default != **value).map(written).collect();
        if given.is_empty() { Ok(()) } else { write!(f, "({})", given.join(",")) }
    }
}

/// `unknown game "lao"; known: loa, …`, with the nearest name first if one is near.
pub fn unknown_name<'a>(what: &str, name: &str, known: impl IntoIterator<Item = &'a str>) -> TextError {
    let known: Vec<&str> = known.into_iter().collect();
    let lower = name.to_lowercase();
    let near = known.iter().filter(|k| k.len() <= 40).map(|k| (distance(&lower, k), *k)).min();
    let hint = match near {
        Some((d, k)) if d <= 2 && d < k.len() => format!(" (did you mean {k}?)"),
        _ => String::new(),
    };
    TextError::new(format!("unknown {what} {}{hint}; known: {}", quoted(name), known.join(", ")))
}

/// Edits between two words, swaps of neighbours counted once; capped for long input.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().take(40).collect(), b.chars().take(40).collect());
    let mut table = vec![vec![0usize; b.len() + 1]; a.len() + 1];
    for i in 0..=a.len() {
        for j in 0..=b.len() {
            if i == 0 || j == 0 {
                table[i][j] = i + j;
                continue;
            }
            let replace = table[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut best = replace.min(table[i - 1][j] + 1).min(table[i][j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(table[i - 2][j - 2] + 1);
            }
            table[i][j] = best;
        }
    }
    table[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    static TOY: Description = Description::new(|| {
        Described::new("toy", "Toy", "For tests.")
            .parameter("size", "8", Kind::Board { least: (4, 4), most: (8, 8) }, "files x ranks")
            .parameter("both", "draw", Kind::choice(&["draw", "mover"]), "")
            .parameter("n", "3", Kind::Whole(1, 19), "")
            .parameter("c", "1", Kind::real(0.0, 1e9, &["auto"]), "")
            .into()
    });

    fn short(text: &str) -> Result<String, String> {
        let spec = Spec::parse(text).map_err(|e| e.to_string())?;
        Params::resolve(&TOY, &spec).map(|p| p.to_string()).map_err(|e| e.to_string())
    }

    #[test]
    fn specs_print_back_in_their_shortest_form() {
        for (text, shortest) in [
            ("toy", "toy"),
            ("toy()", "toy"),
            ("toy(size=8x8, both=draw)", "toy"),
            (" toy ( n = 4 , size = 5X6 ) ", "toy(size=5x6,n=4)"),
            ("toy(5x5,mover)", "toy(size=5,both=mover)"),
            ("toy(c=1000000)", "toy(c=1e6)"),
            ("toy(c=1.0)", "toy"),
            ("toy(c=auto,n=03)", "toy(c=auto)"),
        ] {
            assert_eq!(short(text).as_deref(), Ok(shortest), "{text}");
            assert_eq!(short(shortest).as_deref(), Ok(shortest));
        }
    }

    #[test]
    fn a_name_may_be_that_of_a_file() {
        for (text, name, arguments) in [
            ("rules/a.rbg", "rules/a.rbg", 0),
            (" ../a-b.KIF ( size = 7 ) ", "../a-b.KIF", 1),
            ("C:\\games\\a.gdl(1,2)", "C:\\games\\a.gdl", 2),
            ("my games/a.rbg(1)", "my games/a.rbg", 1),
            ("'games (old)/it''s.rbg' (1)", "games (old)/it's.rbg", 1),
            ("'a.rbg'", "a.rbg", 0),
            ("'loa'(5)", "loa", 1),
        ] {
            let spec = Spec::parse(text).unwrap_or_else(|error| panic!("{error}"));
            assert_eq!((spec.name.as_str(), spec.arguments.len()), (name, arguments), "{text}");
            let quoted = Spec::quoted_name(name);
            assert_eq!(Spec::parse(&quoted).map(|spec| spec.name), Ok(name.to_string()), "{quoted}");
        }
        assert_eq!(Spec::quoted_name("a/b-c.rbg"), "a/b-c.rbg");
        for (text, says) in [
            ("'a.rbg", "quotation marks do not match"),
            ("'a.rbg''", "quotation marks do not match"),
            ("'a.rbg'7", "expected ( behind the name"),
            ("''", "letters, digits"),
            ("'two words'", "letters, digits"),
            ("a.rbgg", "letters, digits"),
            ("a\tb.rbg", "letters, digits"),
        ] {
            let error = Spec::parse(text).expect_err(text).to_string();
            assert!(error.contains(says), "{text}: {error}");
        }
    }

    #[test]
    fn a_phrase_prints_between_quotation_marks_where_it_needs_them() {
        let described = Described::new("toy", "Toy", "For tests.").parameter("line", "a, b", Kind::Phrase, "").into();
        for (text, shortest) in
            [("toy(line='a, b')", "toy"), ("toy(c)", "toy(line=c)"), ("toy('[c, d]')", "toy(line='[c, d]')")]
        {
            let params = Params::resolve(&described, &Spec::parse(text).expect(text)).expect(text);
            assert_eq!(params.to_string(), shortest);
        }
        assert!(Params::resolve(&described, &Spec::parse("toy(' ')").expect("a spec")).is_err());
    }

    #[test]
    fn a_value_between_quotation_marks_may_hold_anything() {
        for value in ["a b", "a,b", "(", "x=y", "it's", "'", "", " ", "plain"] {
            for text in
                [format!("engine(cmd={},b=1)", Spec::quoted_value(value)), format!("e({})", Spec::quoted_value(value))]
            {
                let spec = Spec::parse(&text).unwrap_or_else(|error| panic!("{error}"));
                assert_eq!(spec.arguments[0].1, value, "{text}");
            }
        }
        assert_eq!(Spec::quoted_value("plain"), "plain");
    }

    #[test]
    fn wrong_values_are_told_what_is_allowed() {
        for (text, part) in [
            ("toy(size=9)", "size is WxH from 4x4 to 8x8 (default 8)"),
            ("toy(size=5x)", "size is WxH"),
            ("toy(size=+5)", "size is WxH"),
            ("toy(both=x)", "both is draw|mover"),
            ("toy(n=0)", "n is 1..19"),
            ("toy(n=1,n=2)", "n is given twice"),
            ("toy(speed=1)", "toy has no parameter \"speed\"; its parameters are size, both, n, c"),
            ("toy(5,draw,3,1,7)", "has no parameter \"7\""),
            ("toy(c=nan)", "c is 0..1000000000|auto"),
            ("toy(", "closing parenthesis"),
            ("toy(a=(1)", "do not match"),
            ("toy(a='1)", "quotation marks do not match"),
            ("toy(n=1,,)", "empty argument"),
            ("", "letters, digits"),
            ("a b", "letters, digits"),
        ] {
            let error = short(text).expect_err(text);
            assert!(error.contains(part), "{text}: {error}");
        }
        assert!(short(&"(".repeat(100_000)).expect_err("too long").len() < 200);
    }

    #[test]
    fn an_unknown_parameter_is_answered_by_the_nearest_one_alone() {
        for (text, says) in [
            ("toy(Boht=x)", "toy has no parameter \"Boht\" (did you mean both?): both is draw|mover (default draw)"),
            ("toy(c_=1)", "(did you mean c?): c is"),
            ("toy(N=1)", "(did you mean n?): n is 1..19 (default 3)"),
        ] {
            let error = short(text).expect_err(text);
            assert!(error.contains(says) && !error.contains("size"), "{text}: {error}");
        }
    }

    #[test]
    fn counts_are_read_as_people_write_them_and_never_rounded() {
        for (text, count) in [
            ("0", 0),
            ("007", 7),
            ("1_000", 1000),
            ("1e3", 1000),
            ("1E3", 1000),
            ("2.5e6", 2_500_000),
            ("1.50k", 1500),
            ("10k", 10_000),
            ("1M", 1_000_000),
            (" 12 ", 12),
            ("0e99", 0),
            ("18446744073709551615", u64::MAX),
        ] {
            assert_eq!(parse_count(text), Some(count), "{text}");
        }
        let nines = "9".repeat(5000);
        for text in [
            "",
            "e3",
            "1e",
            "1e-3",
            "1e+3",
            "1e999",
            "1e20",
            "1.5",
            "1.2345k",
            "-1",
            "+1",
            "1__0",
            "_1",
            "1_",
            "1,000",
            "0x10",
            "k",
            ".5k",
            "1.k",
            "1kk",
            "ten",
            "١",
            "18446744073709551616",
            &nines,
        ] {
            assert_eq!(parse_count(text), None, "{text}");
        }
        assert_eq!(short("toy(n=1e1)").as_deref(), Ok("toy(n=10)"));
    }

    #[test]
    fn an_unknown_name_lists_the_known_ones_and_guesses() {
        let error = unknown_name("game", "lao", ["loa", "awari"]).to_string();
        assert_eq!(error, "unknown game \"lao\" (did you mean loa?); known: loa, awari");
        assert!(!unknown_name("game", "chess", ["loa"]).to_string().contains("mean"));
    }
}
