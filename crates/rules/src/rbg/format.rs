//! One way to lay out a rules file: the tokens and comments of the author, and the line breaks between them.
//!
//! Every definition begins a line, what continues it is indented by its brackets, and the spaces around signs are always
//! those of the files in this repository. Where a bracket follows a word or a bracket, the author's choice stays, because
//! `next(a)` and `next (a)` read differently to people.

use super::error::{Fault, RulesError};
use super::lexer::{Kind, Names, Token, tokens};
use super::limits;

/// Columns that a bracket indents by.
const INDENT: usize = 4;

/// The text in its normal layout. Its tokens are those of `text`; a text in its normal layout stays as it is.
pub fn format(text: &str) -> Result<String, RulesError> {
    if text.len() > limits::TEXT {
        let message = format!("a rules file of {} bytes: expected at most {}", text.len(), limits::TEXT);
        return Err(RulesError { line: 1, column: 1, message });
    }
    let text = text.trim_start_matches('\u{feff}').replace("\r\n", "\n");
    laid_out(&text).map_err(|fault| fault.placed(&text))
}

fn laid_out(text: &str) -> Result<String, Fault> {
    let names = &mut Names::default();
    let tokens = tokens(text, names)?;
    let mut layout = Layout { out: String::new(), open: Vec::new(), before: None, line_open: false };
    let mut at = 0;
    for (place, token) in tokens.iter().enumerate() {
        let from = token.at as usize;
        layout.gap(&text[at..from], Some(token));
        let length = match token.kind {
            Kind::Word(name) | Kind::Number(name) => names.text(name).len(),
            Kind::Sign(sign) => sign.len(),
        };
        at = from + length;
        layout.token(token, tokens.get(place + 1), &text[from..at]);
    }
    layout.gap(&text[at..], None);
    let mut out = layout.out;
    out.truncate(out.trim_end().len());
    if !out.is_empty() {
        out.push('\n');
    }
    Ok(out)
}

/// A piece of the text between two tokens.
enum Piece<'a> {
    /// Line breaks.
    Breaks(usize),
    /// A comment without the line break at its end.
    Comment(&'a str),
}

/// Line breaks and comments between two tokens; spaces are left out.
fn pieces(gap: &str) -> Vec<Piece<'_>> {
    let (mut pieces, mut rest) = (Vec::new(), gap);
    loop {
        let spaces = rest.len() - rest.trim_start().len();
        let breaks = rest[..spaces].bytes().filter(|&byte| byte == b'\n').count();
        if breaks > 0 {
            pieces.push(Piece::Breaks(breaks));
        }
        rest = &rest[spaces..];
        let end = match rest.get(..2) {
            Some("//") => rest.find('\n').unwrap_or(rest.len()),
            Some("/*") => rest[2..].find("*/").map_or(rest.len(), |end| end + 4),
            _ => return pieces,
        };
        pieces.push(Piece::Comment(rest[..end].trim_end()));
        rest = &rest[end..];
    }
}

struct Layout {
    out: String,
    /// Brackets that are open, and whether what is in them is arithmetic.
    open: Vec<bool>,
    /// The token before, whether it is an operand, and whether a gap follows it.
    before: Option<Before>,
    /// Whether something stands in the line already.
    line_open: bool,
}

struct Before {
    sign: &'static str,
    operand: bool,
    gap: bool,
}

impl Layout {
    fn new_line(&mut self, count: usize) {
        self.out.truncate(self.out.trim_end_matches(' ').len());
        if self.out.is_empty() {
            return;
        }
        let there = self.out.len() - self.out.trim_end_matches('\n').len();
        // At most one empty line.
        (there..count.min(2)).for_each(|_| self.out.push('\n'));
        self.line_open = false;
    }

    fn indent(&mut self, next: Option<&Token>) {
        let closes = next.is_some_and(|token| [")", "]", "}"].iter().any(|sign| token.is(sign)));
        let columns = match next {
            None => 0,
            Some(token) if token.is("#") => 0,
            Some(_) if closes => INDENT * self.open.len().saturating_sub(1),
            Some(_) => INDENT * self.open.len().max(1),
        };
        // Depth beyond all reason is not for reading.
        self.out.extend(std::iter::repeat_n(' ', columns.min(80)));
        self.line_open = true;
    }

    /// What stands between the token before and `next`; nothing is next at the end.
    fn gap(&mut self, gap: &str, next: Option<&Token>) {
        if let Some(before) = &mut self.before {
            before.gap = !gap.is_empty();
        }
        for piece in pieces(gap) {
            match piece {
                Piece::Breaks(count) => self.new_line(count),
                Piece::Comment(comment) => {
                    if self.line_open {
                        self.out.push(' ');
                    } else {
                        self.indent(next);
                    }
                    self.out.push_str(comment);
                    self.line_open = true;
                    if let Some(before) = &mut self.before {
                        (before.sign, before.gap) = ("comment", true);
                    }
                    if comment.starts_with("//") {
                        self.new_line(1);
                    }
                }
            }
        }
    }

    fn token(&mut self, token: &Token, after: Option<&Token>, text: &str) {
        let sign = match token.kind {
            Kind::Sign(sign) => sign,
            Kind::Word(_) | Kind::Number(_) => "",
        };
        if sign == "#" {
            self.open.clear();
            self.new_line(1);
        }
        if !self.line_open {
            self.indent(Some(token));
        } else if self.spaced(sign) {
            self.out.push(' ');
        }
        self.out.push_str(text);
        match sign {
            "(" | "[" | "{" => {
                let inherited = sign == "(" && self.open.last() == Some(&true);
                self.open.push(inherited || (sign != "(" && after.is_some_and(|after| after.is("$"))));
            }
            ")" | "]" | "}" => drop(self.open.pop()),
            // Behind a comma in `[$ a = 1, b = 2]` nothing changes.
            _ => {}
        }
        let operand = matches!(sign, "" | ")" | "]" | "}");
        self.before = Some(Before { sign, operand, gap: false });
    }

    /// Whether a space stands before this sign; words and numbers are the empty sign.
    fn spaced(&self, sign: &str) -> bool {
        let Some(Before { sign: before, operand, gap }) = &self.before else { return false };
        let arithmetic = self.open.last() == Some(&true);
        match (*before, sign) {
            ("comment", _) => true,
            ("#" | "~" | "(" | "[" | "->" | "^", _) | (_, ")" | "]" | "}" | "," | ";" | ":" | "~" | "^") => false,
            ("{", _) => false,
            ("," | ";" | ":" | "?" | "!" | "$" | "=" | "+" | "->>", _) => true,
            ("==" | "!=" | "<=" | ">=" | "<" | ">", _) => true,
            (_, "==" | "!=" | "<=" | ">=" | "<" | ">" | "=" | "+" | "->>" | "->") => true,
            ("*" | "/", _) | (_, "*" | "/") if arithmetic => true,
            (_, "*") => false,
            // A minus behind an operand is between two, any other one is a sign.
            ("-", _) => self.out.ends_with(" -") && *gap,
            (_, "-") => *operand && *gap,
            ("", "") => true,
            _ => *gap,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::rules::load;
    use super::*;

    #[test]
    fn files_have_one_layout() {
        for (text, wanted) in [
            ("", ""),
            ("#a=b c\n", "#a = b c\n"),
            ("#a = (b+c)*(d)  // why\n\n\n\n  // what\n#b=c", "#a = (b + c)*(d) // why\n\n// what\n#b = c\n"),
            ("#t( a;b )={$a>=1}[$a=a-1 , b=2*(a+1)]->>", "#t(a; b) = {$ a >= 1} [$ a = a-1, b = 2 * (a + 1)] ->>\n"),
            (
                "#r = (\n->me next(a)\nnext (a) { ! x }\n) #s = 1",
                "#r = (\n    ->me next(a)\n    next (a) {! x}\n)\n#s = 1\n",
            ),
            ("#r = a /* one\n two */ b\n", "#r = a /* one\n two */ b\n"),
            ("#board=line [e,x]{up:a,down : b}", "#board = line [e, x]{up: a, down: b}\n"),
            ("#r = a~b x ^ 3 ( a )* ", "#r = a~b x^3 (a)*\n"),
        ] {
            // Brackets of a test and what stands before it keep their distance.
            let found = format(text).expect(text);
            assert_eq!(found.replace("}[", "} ["), wanted.replace("}[", "} ["), "{text:?}");
            assert_eq!(format(&found).expect("its own layout"), found);
        }
        assert!(format("#a = @").is_err_and(|error| (error.line, error.column) == (1, 6)));
        assert!(format("#a = /* b").is_err_and(|error| error.line == 1));
    }

    fn words(text: &str) -> Vec<String> {
        let names = &mut Names::default();
        let tokens = tokens(text, names).expect("tokens");
        tokens.iter().map(|token| token.shown(names)).collect()
    }

    #[test]
    fn the_layout_of_a_file_changes_no_token() {
        for text in [
            include_str!("../../tests/data/choice.rbg"),
            include_str!("../../tests/data/cube.rbg"),
            include_str!("../../tests/data/pits.rbg"),
            include_str!("../../tests/data/three-in-a-row.rbg"),
        ] {
            // Where line breaks are put in, comments to the end of a line would become rules.
            let bare = text.lines().map(|line| line.split("//").next().unwrap_or("")).collect::<Vec<_>>().join("\n");
            for text in [text.to_string(), text.replace('\n', " \n\n\t"), bare.replace(' ', "\n /* why */ ")] {
                let found = format(&text).expect("a layout");
                assert_eq!(format(&found).expect("its own layout"), found);
                assert_eq!(words(&found), words(&text));
                let expanded = |text: &str| load(text, &[]).map(|rules| rules.expanded());
                assert_eq!(expanded(&found).expect("sound rules"), expanded(&text).expect("sound rules"));
            }
        }
    }
}
