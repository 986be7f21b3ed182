//! Macros of ours that a file asks for with the line `#use prelude`; `docs/rules.md` teaches them.

use super::error::Fault;
use super::lexer::{Kind, Names, Token, tokens};

/// The macros of the prelude, in the language of rules and the forms of `builtins.rs`.
pub(super) const TEXT: &str = include_str!("prelude.rbg");

/// Tokens of the prelude have places from here on, which no text of a user reaches.
const BASE: u32 = 1 << 30;

/// Whether a part between two `#` is `use prelude`.
pub(super) fn asked(part: &[Token], names: &Names) -> Result<bool, Fault> {
    let is = |token: &Token, word: &str| matches!(token.kind, Kind::Word(name) if names.text(name) == word);
    match part {
        [first, second] if is(first, "use") && is(second, "prelude") => Ok(true),
        [first, second, ..] if is(first, "use") && matches!(second.kind, Kind::Word(_)) => {
            let wrong = if is(second, "prelude") { part[2] } else { *second };
            Err(wrong.fault(format!("expected #use prelude and a new line, found {}", wrong.shown(names))))
        }
        _ => Ok(false),
    }
}

/// The text of the prelude, if `text` asks for it: it belongs to the rules then.
pub fn prelude_of(text: &str) -> Option<&'static str> {
    let names = &mut Names::default();
    let all = tokens(text, names).ok()?;
    all.split(|token| token.is("#")).any(|part| asked(part, names).unwrap_or(false)).then_some(TEXT)
}

/// The tokens of the prelude.
pub(super) fn read(names: &mut Names) -> Result<Vec<Token>, Fault> {
    let mut all = tokens(TEXT, names)?;
    for token in &mut all {
        token.at += BASE;
        token.site = token.at;
    }
    Ok(all)
}

/// The macro of the prelude that a place is in.
pub(super) fn macro_at(at: u32) -> Option<&'static str> {
    let at = at.checked_sub(BASE)? as usize;
    let head = TEXT.get(..at)?.rfind("\n#").map_or(0, |newline| newline + 1);
    let name = TEXT.get(head + 1..)?;
    name.get(..name.find(|c: char| !c.is_ascii_alphanumeric() && c != '_')?)
}
