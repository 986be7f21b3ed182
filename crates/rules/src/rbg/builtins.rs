//! What the prelude can do and plain macros cannot: lists, repetition, numbers worked out while the file is read.
//!
//! | | expands to |
//! |---|---|
//! | `any(d; up, down; rules)` | `(rules + rules)`, with `up` and `down` in place of `d` |
//! | `each(d; up, down; rules)` | `rules rules` |
//! | `list(n; range(1; 3); p~n)` | `p1, p2, p3` |
//! | `list(3; empty)` | `empty, empty, empty` |
//! | `repeat(3; text)` | `text text text` |
//! | `range(1; 4)` | `1, 2, 3, 4` |
//! | `number(k - 1)` | one number |
//! | `if(k > 2; text; other)` | one of the two |
//!
//! An item of a list may have parts, `up:down`, for as many names, `way:back`.

use std::collections::HashMap;

use plyproof_core::quoted;

use super::error::Fault;
use super::lexer::{Kind, Name, Names, Token};
use super::limits;
use super::macros::{Expansion, Scope, arguments};

/// What names stand for while a text is expanded.
pub(super) type Values = HashMap<Name, Vec<Token>>;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Builtin {
    Any,
    Each,
    List,
    ListOf,
    Repeat,
    Range,
    Number,
    If,
}

impl Builtin {
    const NAMES: [(&'static str, usize, Self); 8] = [
        ("any", 3, Self::Any),
        ("each", 3, Self::Each),
        ("list", 2, Self::List),
        ("list", 3, Self::ListOf),
        ("repeat", 2, Self::Repeat),
        ("range", 2, Self::Range),
        ("number", 1, Self::Number),
        ("if", 3, Self::If),
    ];

    /// Whether there is one with this name.
    fn exists(name: &str) -> bool {
        Self::NAMES.iter().any(|known| known.0 == name)
    }

    /// The one with this name and this number of arguments.
    fn find(token: Token, name: &str, arguments: usize) -> Result<Self, Fault> {
        let known = || Self::NAMES.iter().filter(|known| known.0 == name);
        if let Some(found) = known().find(|known| known.1 == arguments) {
            return Ok(found.2);
        }
        let counts: Vec<String> = known().map(|known| known.1.to_string()).collect();
        let counts = counts.join(" or ");
        Err(token.fault(format!("{} of the prelude takes {counts} arguments, and here are {arguments}", quoted(name))))
    }
}

/// Appends the expansion of one of the forms, if `name` at `at` is one and the file asks for the prelude. `place` is behind
/// the name; returns the place behind the arguments.
pub(super) fn form(
    expansion: &mut Expansion,
    name: Name,
    body: &[Token],
    place: usize,
    scope: Scope,
    at: Token,
    out: &mut Vec<Token>,
) -> Result<Option<usize>, Fault> {
    let called = body.get(place).is_some_and(|token| token.is("("));
    if !expansion.definitions.prelude || !called || !Builtin::exists(expansion.names.text(name)) {
        return Ok(None);
    }
    let (arguments, next) = arguments(body, place)?;
    // A text that is not taken costs time as well.
    *expansion.budget = expansion.budget.saturating_sub(next - place);
    let builtin = Builtin::find(at, expansion.names.text(name), arguments.len())?;
    let scope = scope.of_form(at, scope.params);
    let expanded = |expansion: &mut Expansion, argument: &[Token]| {
        let mut tokens = Vec::new();
        expansion.expand(argument, scope, &mut tokens).map(|()| tokens)
    };
    let number = |expansion: &mut Expansion, argument: &[Token]| {
        let tokens = expanded(expansion, argument)?;
        value(at, &tokens, expansion.names)
    };
    let text = arguments[arguments.len() - 1];
    match builtin {
        Builtin::Number => {
            let number = number(expansion, text)?;
            push_number(expansion, at, number, out)?;
        }
        Builtin::If => {
            let comparison = expanded(expansion, arguments[0])?;
            let holds = condition(at, &comparison, expansion.names)?;
            expansion.expand(if holds { arguments[1] } else { text }, scope, out)?;
        }
        Builtin::Range => {
            let (from, to) = (number(expansion, arguments[0])?, number(expansion, text)?);
            for number in from..=to {
                if number > from {
                    expansion.push(Token { kind: Kind::Sign(","), ..at }, out)?;
                }
                push_number(expansion, at, number, out)?;
            }
        }
        Builtin::List | Builtin::Repeat => {
            let times = number(expansion, arguments[0])?.max(0) as usize;
            rounds(expansion, builtin, times, at, out, |expansion, _, out| expansion.expand(text, scope, out))?;
        }
        Builtin::Any | Builtin::Each | Builtin::ListOf => {
            let names = pattern(at, arguments[0])?;
            let tokens = expanded(expansion, arguments[1])?;
            let items = items(&tokens);
            // Names and values are copied for every item.
            let copied = scope.params.values().map(|value| value.len() + 1).sum::<usize>();
            rounds(expansion, builtin, items.len(), at, out, |expansion, round, out| {
                *expansion.budget = expansion.budget.saturating_sub(copied);
                let values = bound(at, scope.params, &names, items[round])?;
                expansion.expand(text, scope.of_form(at, &values), out)
            })?;
        }
    }
    Ok(Some(next))
}

/// Appends the texts of all rounds, with what stands around and between them.
fn rounds(
    expansion: &mut Expansion,
    builtin: Builtin,
    times: usize,
    at: Token,
    out: &mut Vec<Token>,
    mut text: impl FnMut(&mut Expansion, usize, &mut Vec<Token>) -> Result<(), Fault>,
) -> Result<(), Fault> {
    let sign = |sign: &'static str| Token { kind: Kind::Sign(sign), ..at };
    let (before, between, after) = match builtin {
        // No item at all: no way through.
        Builtin::Any if times == 0 => (Some("{"), None, Some("}")),
        Builtin::Any => (Some("("), Some("+"), Some(")")),
        Builtin::List | Builtin::ListOf => (None, Some(","), None),
        _ => (None, None, None),
    };
    if let Some(before) = before {
        expansion.push(sign(before), out)?;
    }
    for round in 0..times {
        expansion.spend(&[at])?;
        if let Some(between) = between.filter(|_| round > 0) {
            expansion.push(sign(between), out)?;
        }
        let start = out.len();
        text(expansion, round, out)?;
        if between.is_none() && is_sum(&out[start..]) {
            out.insert(start, sign("("));
            expansion.push(sign(")"), out)?;
        }
    }
    if let Some(after) = after {
        expansion.push(sign(after), out)?;
    }
    Ok(())
}

fn push_number(expansion: &mut Expansion, at: Token, number: i64, out: &mut Vec<Token>) -> Result<(), Fault> {
    if number < 0 {
        return Err(at.fault(format!("{number} is below 0")));
    }
    let name = expansion.names.name(&number.to_string());
    expansion.push(Token { kind: Kind::Number(name), ..at }, out)
}

/// Cuts at the commas that are in no brackets.
fn items(tokens: &[Token]) -> Vec<&[Token]> {
    if tokens.is_empty() { Vec::new() } else { cut(tokens, ",") }
}

/// Cuts at the signs that are in no brackets.
fn cut<'a>(tokens: &'a [Token], sign: &str) -> Vec<&'a [Token]> {
    let (mut parts, mut start, mut depth) = (Vec::new(), 0, 0i32);
    for (place, token) in tokens.iter().enumerate() {
        depth += nesting(*token);
        if depth == 0 && token.is(sign) {
            parts.push(&tokens[start..place]);
            start = place + 1;
        }
    }
    parts.push(&tokens[start..]);
    parts
}

fn nesting(token: Token) -> i32 {
    match token.kind {
        Kind::Sign("(" | "[" | "{") => 1,
        Kind::Sign(")" | "]" | "}") => -1,
        _ => 0,
    }
}

/// Whether the text is a choice that needs brackets when something stands beside it.
fn is_sum(tokens: &[Token]) -> bool {
    cut(tokens, "+").len() > 1
}

/// `d`, or `way:back`: the names that stand for the parts of an item.
fn pattern(at: Token, tokens: &[Token]) -> Result<Vec<Name>, Fault> {
    let name = |part: &[Token]| match part {
        [Token { kind: Kind::Word(name), .. }] => Ok(*name),
        _ => Err(part.first().copied().unwrap_or(at).fault("expected a name for the items of the list, such as d")),
    };
    cut(tokens, ":").into_iter().map(name).collect()
}

/// `values` with the parts of an item in place of `names`.
fn bound(at: Token, values: &Values, names: &[Name], item: &[Token]) -> Result<Values, Fault> {
    let parts = cut(item, ":");
    let parts = if names.len() == 1 { vec![item] } else { parts };
    if parts.len() != names.len() {
        let message = format!("an item of {} parts, and {} names for them", parts.len(), names.len());
        return Err(item.first().copied().unwrap_or(at).fault(message));
    }
    let mut values = values.clone();
    for (&name, part) in names.iter().zip(parts) {
        let mut value = part.to_vec();
        // `up left` must stay together in `way*`.
        if let [first, .., last] = *part
            && part.iter().all(|token| matches!(token.kind, Kind::Word(_)))
        {
            value.insert(0, Token { kind: Kind::Sign("("), ..first });
            value.push(Token { kind: Kind::Sign(")"), ..last });
        }
        values.insert(name, value);
    }
    Ok(values)
}

/// The value of a sum of numbers; binds as arithmetic in rules does.
fn value(at: Token, tokens: &[Token], names: &Names) -> Result<i64, Fault> {
    let mut sum = Sum { at, tokens, place: 0, names };
    let value = sum.level(0, 0)?;
    match tokens.get(sum.place) {
        None => Ok(value),
        Some(token) => Err(token.fault(format!("expected the end of a number, found {}", token.shown(names)))),
    }
}

struct Sum<'a> {
    at: Token,
    tokens: &'a [Token],
    place: usize,
    names: &'a Names,
}

impl Sum<'_> {
    fn level(&mut self, level: usize, depth: usize) -> Result<i64, Fault> {
        let Some(&sign) = ["+", "-", "*", "/"].get(level) else {
            return self.operand(depth);
        };
        let mut result = self.level(level + 1, depth)?;
        while let Some(&token) = self.tokens.get(self.place).filter(|token| token.is(sign)) {
            self.place += 1;
            let right = self.level(level + 1, depth)?;
            let next = match sign {
                "+" => result.checked_add(right),
                "-" => result.checked_sub(right),
                "*" => result.checked_mul(right),
                _ => result.checked_div(right),
            };
            let next = next.filter(|next| next.unsigned_abs() < 1 << 62);
            result = next.ok_or_else(|| token.fault("a division by zero, or a number of more than 62 bits"))?;
        }
        Ok(result)
    }

    fn operand(&mut self, depth: usize) -> Result<i64, Fault> {
        let Some(&token) = self.tokens.get(self.place) else {
            return Err(self.tokens.last().copied().unwrap_or(self.at).fault("expected a number after this"));
        };
        if depth > limits::DEPTH {
            return Err(token.fault(format!("more than {} brackets within each other", limits::DEPTH)));
        }
        self.place += 1;
        match token.kind {
            Kind::Number(name) => {
                let value = self.names.text(name).parse::<u32>().ok();
                Ok(value.ok_or_else(|| token.fault("a number of more than 32 bits"))?.into())
            }
            Kind::Sign("-") => Ok(-self.operand(depth + 1)?),
            Kind::Sign("(") => {
                let inner = self.level(0, depth + 1)?;
                if !self.tokens.get(self.place).is_some_and(|token| token.is(")")) {
                    return Err(token.fault("this bracket has no end: expected )"));
                }
                self.place += 1;
                Ok(inner)
            }
            _ => {
                let shown = token.shown(self.names);
                Err(token.fault(format!("expected a number that is known when the file is read, found {shown}")))
            }
        }
    }
}

/// Whether `a == b`, `a < b` and so on, of numbers, or of names for `==` and `!=`.
fn condition(at: Token, tokens: &[Token], names: &Names) -> Result<bool, Fault> {
    let signs = ["==", "!=", "<=", ">=", "<", ">"];
    let found = tokens.iter().position(|token| signs.iter().any(|sign| token.is(sign)));
    let Some(place) = found else {
        let message = "expected a comparison such as size > 4: if(…) is decided when the file is read, \
                       and {? …} while a game is played";
        return Err(tokens.first().copied().unwrap_or(at).fault(message));
    };
    let (left, right, sign) = (&tokens[..place], &tokens[place + 1..], tokens[place]);
    let word = |side: &[Token]| match side {
        [Token { kind: Kind::Word(name), .. }] => Some(*name),
        _ => None,
    };
    if let (Some(left), Some(right)) = (word(left), word(right))
        && (sign.is("==") || sign.is("!="))
    {
        return Ok((left == right) == sign.is("=="));
    }
    let (left, right) = (value(sign, left, names)?, value(sign, right, names)?);
    Ok(match sign.kind {
        Kind::Sign("==") => left == right,
        Kind::Sign("!=") => left != right,
        Kind::Sign("<") => left < right,
        Kind::Sign("<=") => left <= right,
        Kind::Sign(">") => left > right,
        _ => left >= right,
    })
}
