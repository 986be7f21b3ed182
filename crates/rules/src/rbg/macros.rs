//! The sections of a file, and the expansion of macros.
//!
//! A macro sees the macros defined before it and nothing else, so that no macro can call itself.

use std::collections::HashMap;

use super::builtins::{self, Values};
use super::error::Fault;
use super::lexer::{Kind, Name, Names, Token, tokens};
use super::limits;
use super::prelude;

/// What a file must say, besides macros.
pub(super) const SECTIONS: [&str; 5] = ["players", "pieces", "variables", "board", "rules"];

struct Macro {
    params: Vec<Name>,
    body: Vec<Token>,
    /// Its place among all definitions and sections.
    order: usize,
    /// Whether it is of the prelude, not of the file.
    prelude: bool,
}

/// A macro without parameters, for people who want to change it.
pub(super) struct Constant {
    pub name: String,
    /// The body as it is written, without comments.
    pub value: String,
}

/// Whether the text of a macro is something to choose, and no part of the rules: one number or word, or rows of cells.
fn is_parameter(body: &[Token]) -> bool {
    let plain = |token: &Token| matches!(token.kind, Kind::Word(_) | Kind::Number(_));
    let row = |token: &Token| plain(token) || token.is("[") || token.is(",") || token.is("]");
    match body {
        [token] => plain(token),
        [first, .., last] => first.is("[") && last.is("]") && body.iter().all(row) && body.iter().any(|t| t.is(",")),
        [] => false,
    }
}

/// A file cut into definitions.
pub(super) struct Definitions {
    macros: HashMap<Name, Vec<Macro>>,
    /// Name, body, order and place.
    sections: Vec<(Vec<Token>, usize, u32)>,
    /// Whether the file asks for the prelude.
    pub prelude: bool,
    pub constants: Vec<Constant>,
    pub warnings: Vec<String>,
}

impl Definitions {
    pub fn read(text: &str, names: &mut Names, overrides: &[(String, String)]) -> Result<Self, Fault> {
        let all = tokens(text, names)?;
        let Some(first) = all.first() else {
            return Err(Fault::new(0, "the file is empty: expected #players = … and four more sections"));
        };
        if !first.is("#") {
            return Err(first.fault(format!("expected #, found {}", first.shown(names))));
        }
        let mut found: [Option<(Vec<Token>, usize, u32)>; 5] = [const { None }; 5];
        let mut definitions = Self {
            macros: HashMap::new(),
            sections: Vec::new(),
            prelude: false,
            constants: Vec::new(),
            warnings: Vec::new(),
        };
        let mut changed = vec![false; overrides.len()];
        let mut parts: Vec<&[Token]> = all[1..].split(|token| token.is("#")).collect();
        for place in (0..parts.len()).rev() {
            if prelude::asked(parts[place], names)? {
                parts.remove(place);
                definitions.prelude = true;
            }
        }
        let first = if definitions.prelude { definitions.add_prelude(names)? } else { 0 };
        for (order, part) in (first..).zip(parts) {
            let (head, name, params, rest) = head(part, all[all.len() - 1], names)?;
            if let Some(section) = SECTIONS.iter().position(|&section| section == names.text(name)) {
                if !params.is_empty() {
                    return Err(head.fault(format!("the section {} has no parameters", names.text(name))));
                }
                if found[section].is_some() {
                    return Err(head.fault(format!("a second section {}", names.text(name))));
                }
                found[section] = Some((rest.to_vec(), order, head.at));
                continue;
            }
            let mut body = rest.to_vec();
            if params.is_empty() {
                let mut value = source(text, rest);
                for (place, (key, new)) in overrides.iter().enumerate() {
                    if key == names.text(name) {
                        let wrong = |fault: Fault| head.fault(format!("the value of {key}: {}", fault.message));
                        body = tokens(new, names).map_err(wrong)?;
                        for token in &mut body {
                            (token.at, token.site) = (head.at, head.at);
                        }
                        if let Some(hash) = body.iter().find(|token| token.is("#")) {
                            return Err(hash.fault(format!("the value of {key} may not hold #")));
                        }
                        value.clone_from(new);
                        changed[place] = true;
                    }
                }
                if is_parameter(rest) {
                    definitions.constants.push(Constant { name: names.text(name).to_string(), value });
                }
            }
            let versions = definitions.macros.entry(name).or_default();
            if versions.iter().any(|other| other.params.len() == params.len() && !other.prelude) {
                definitions.warnings.push(format!("the macro {} is defined twice", names.text(name)));
            }
            versions.push(Macro { params, body, order, prelude: false });
        }
        if let Some(place) = changed.iter().position(|changed| !changed) {
            let known: Vec<&str> = definitions.constants.iter().map(|constant| constant.name.as_str()).collect();
            let known = if known.is_empty() { "none".to_string() } else { known.join(", ") };
            let wanted = plyproof_core::quoted(&overrides[place].0);
            return Err(Fault::new(
                Fault::NOWHERE,
                format!("no macro without parameters is called {wanted}; there are: {known}"),
            ));
        }
        for (place, section) in found.into_iter().enumerate() {
            let section =
                section.ok_or_else(|| Fault::new(text.len() as u32, format!("no section #{} = …", SECTIONS[place])))?;
            definitions.sections.push(section);
        }
        Ok(definitions)
    }

    /// Adds the macros of the prelude; returns the order of what follows them.
    fn add_prelude(&mut self, names: &mut Names) -> Result<usize, Fault> {
        let all = prelude::read(names)?;
        let mut next = 0;
        for part in all.split(|token| token.is("#")).filter(|part| !part.is_empty()) {
            let (_, name, params, rest) = head(part, part[0], names)?;
            let body = rest.to_vec();
            self.macros.entry(name).or_default().push(Macro { params, body, order: next, prelude: true });
            next += 1;
        }
        Ok(next)
    }

    /// Whether the prelude has a macro of this name without parameters, and the file has none.
    pub fn is_plain_word(&self, name: Name) -> bool {
        let versions = self.macros.get(&name).map_or(&[][..], |versions| versions);
        let plain = versions.iter().rev().find(|version| version.params.is_empty());
        plain.is_some_and(|version| version.prelude)
    }

    /// Where a section begins.
    pub fn place(&self, section: usize) -> u32 {
        self.sections[section].2
    }

    /// A section with all macros expanded, and its place for errors at its end.
    pub fn section(&self, section: usize, names: &mut Names, budget: &mut usize) -> Result<(Vec<Token>, u32), Fault> {
        let (body, order, at) = &self.sections[section];
        let mut expansion = Expansion { definitions: self, names, budget, depth: 0, declares: section <= 2 };
        let mut out = Vec::new();
        expansion.expand(body, Scope { order: *order, params: &Values::new(), site: None }, &mut out)?;
        Ok((out, *at))
    }
}

/// A definition, in parts: its name twice, its parameters and its body.
type Head<'a> = (Token, Name, Vec<Name>, &'a [Token]);

/// `name(a; b) = …`; `last` is the last token of the file.
fn head<'a>(part: &'a [Token], last: Token, names: &Names) -> Result<Head<'a>, Fault> {
    let (name, head) = match part.first() {
        Some(token @ Token { kind: Kind::Word(name), .. }) => (*name, *token),
        Some(token) => return Err(token.fault(format!("expected a name after #, found {}", token.shown(names)))),
        None => return Err(last.fault("expected a name after #")),
    };
    let mut rest = &part[1..];
    let mut params = Vec::new();
    if rest.first().is_some_and(|token| token.is("(")) {
        (params, rest) = parameters(rest, names)?;
    }
    match rest.first() {
        Some(token) if token.is("=") => Ok((head, name, params, &rest[1..])),
        Some(token) => Err(token.fault(format!("expected =, found {}", token.shown(names)))),
        None => Err(head.fault(format!("expected = after {}", head.shown(names)))),
    }
}

/// `(a; b)` at the head of a definition, and what follows it.
fn parameters<'a>(tokens: &'a [Token], names: &Names) -> Result<(Vec<Name>, &'a [Token]), Fault> {
    let mut params = Vec::new();
    let mut place = 1;
    loop {
        match tokens.get(place).map(|token| token.kind) {
            Some(Kind::Word(name)) if params.contains(&name) => {
                return Err(tokens[place].fault(format!("a second parameter {}", tokens[place].shown(names))));
            }
            Some(Kind::Word(name)) => params.push(name),
            Some(_) => {
                let message = format!("expected a parameter's name, found {}", tokens[place].shown(names));
                return Err(tokens[place].fault(message));
            }
            None => return Err(tokens[place - 1].fault("this list of parameters has no end: expected )")),
        }
        match tokens.get(place + 1) {
            Some(token) if token.is(")") => return Ok((params, &tokens[place + 2..])),
            Some(token) if token.is(";") => place += 2,
            Some(token) => return Err(token.fault(format!("expected ; or ), found {}", token.shown(names)))),
            None => return Err(tokens[place].fault("this list of parameters has no end: expected )")),
        }
    }
}

/// The text of some tokens on one line, as it is written in the file.
fn source(text: &str, tokens: &[Token]) -> String {
    let (Some(first), Some(last)) = (tokens.first(), tokens.last()) else {
        return String::new();
    };
    let end = text[last.at as usize..].find(['#', '\n']).map_or(text.len(), |length| last.at as usize + length);
    let lines = text[first.at as usize..end].lines().map(|line| line.split("//").next().unwrap_or("").trim());
    lines.filter(|line| !line.is_empty()).collect::<Vec<_>>().join(" ")
}

/// What a text sees that is being expanded.
#[derive(Clone, Copy)]
pub(super) struct Scope<'a> {
    /// The macros that were defined before this one.
    order: usize,
    pub params: &'a Values,
    /// Where the outermost macro was used that the text comes from.
    site: Option<u32>,
}

impl<'a> Scope<'a> {
    /// The scope of what a form is given: only macros are places of use.
    pub fn of_form(self, at: Token, params: &'a Values) -> Self {
        Self { order: self.order, params, site: (at.at != at.site).then_some(at.site) }
    }
}

pub(super) struct Expansion<'a> {
    pub definitions: &'a Definitions,
    pub names: &'a mut Names,
    /// Tokens that may still be made.
    pub budget: &'a mut usize,
    depth: usize,
    /// Whether players, pieces or variables are declared, whose names may be those of macros of the prelude.
    declares: bool,
}

impl Expansion<'_> {
    /// Appends `body` with its macros and parameters expanded.
    pub fn expand(&mut self, body: &[Token], scope: Scope, out: &mut Vec<Token>) -> Result<(), Fault> {
        if self.depth == limits::DEPTH {
            let message = format!("more than {} macros within each other", limits::DEPTH);
            return Err(Fault::new(body.first().map_or(0, |token| token.at), message));
        }
        self.depth += 1;
        self.spend(body)?;
        let first = out.len();
        let mut paste = false;
        let mut place = 0;
        while place < body.len() {
            let mut token = body[place];
            if token.is("~") {
                return Err(token.fault("~ pastes two tokens: expected a name before it"));
            }
            token.site = scope.site.unwrap_or(token.site);
            let start = out.len();
            place += 1;
            let found = match token.kind {
                Kind::Word(name) => self.replacement(name, body, place, scope, token, out)?,
                _ => None,
            };
            match found {
                Some(next) => place = next,
                None => self.push(token, out)?,
            }
            if paste && out.len() > start {
                let right = out.remove(start);
                self.paste(&mut out[start - 1], right)?;
            }
            paste = false;
            if let Some(tilde) = body.get(place).filter(|token| token.is("~")) {
                paste = out.len() > first;
                place += 1;
                if place == body.len() {
                    return Err(tilde.fault("~ pastes two tokens: expected a name after it"));
                }
            }
        }
        self.depth -= 1;
        Ok(())
    }

    /// Appends what stands for a parameter or a macro, if `name` is one; returns the place after its arguments.
    fn replacement(
        &mut self,
        name: Name,
        body: &[Token],
        place: usize,
        scope: Scope,
        token: Token,
        out: &mut Vec<Token>,
    ) -> Result<Option<usize>, Fault> {
        if let Some(value) = scope.params.get(&name) {
            for &token in value {
                self.push(token, out)?;
            }
            return Ok(Some(place));
        }
        let definitions = self.definitions;
        let Some(versions) = definitions.macros.get(&name) else {
            return builtins::form(self, name, body, place, scope, token, out);
        };
        let declares = self.declares;
        let visible =
            || versions.iter().rev().filter(|version| version.order < scope.order && !(declares && version.prelude));
        let plain = visible().find(|version| version.params.is_empty());
        let site = Some(token.site);
        if body.get(place).is_some_and(|token| token.is("(")) && visible().any(|version| !version.params.is_empty()) {
            let (arguments, next) = arguments(body, place)?;
            if let Some(version) = visible().find(|version| version.params.len() == arguments.len()) {
                let mut values = Values::new();
                for (&param, argument) in version.params.iter().zip(arguments) {
                    let mut value = Vec::new();
                    self.expand(argument, Scope { site, ..scope }, &mut value)?;
                    values.insert(param, value);
                }
                self.expand(&version.body, Scope { order: version.order, params: &values, site }, out)?;
                return Ok(Some(next));
            }
            if plain.is_none() {
                let mut known: Vec<usize> = visible().map(|version| version.params.len()).collect();
                known.sort_unstable();
                let known: Vec<String> = known.iter().map(usize::to_string).collect();
                let (name, given) = (token.shown(self.names), arguments.len());
                let known = known.join(" or ");
                return Err(token.fault(format!("the macro {name} takes {known} arguments, and here are {given}")));
            }
        }
        match plain {
            Some(version) => {
                self.expand(&version.body, Scope { order: version.order, params: &Values::new(), site }, out)?;
                Ok(Some(place))
            }
            None => match visible().next() {
                // A piece or a variable may have the name of a macro of the prelude.
                Some(version) if version.prelude => Ok(None),
                Some(version) => {
                    let (name, wanted) = (token.shown(self.names), version.params.len());
                    Err(token.fault(format!("the macro {name} takes {wanted} arguments: expected (")))
                }
                None => Ok(None),
            },
        }
    }

    pub fn push(&mut self, token: Token, out: &mut Vec<Token>) -> Result<(), Fault> {
        self.spend(&[token])?;
        out.push(token);
        Ok(())
    }

    /// Counts one token, or one use of a macro: those that expand to nothing cost time as well.
    pub fn spend(&mut self, tokens: &[Token]) -> Result<(), Fault> {
        if *self.budget == 0 {
            let message = format!("the macros expand to more than {} tokens", limits::TOKENS);
            return Err(tokens
                .first()
                .map_or_else(|| Fault::new(0, message.clone()), |token| token.fault(message.clone())));
        }
        *self.budget -= 1;
        Ok(())
    }

    fn paste(&mut self, left: &mut Token, right: Token) -> Result<(), Fault> {
        let (Kind::Word(a) | Kind::Number(a), Kind::Word(b) | Kind::Number(b)) = (left.kind, right.kind) else {
            let (a, b) = (left.shown(self.names), right.shown(self.names));
            return Err(right.fault(format!("~ cannot paste {a} and {b}: expected names or numbers")));
        };
        let text = format!("{}{}", self.names.text(a), self.names.text(b));
        if text.len() > 1000 {
            return Err(right.fault("a name of more than 1000 characters"));
        }
        let name = self.names.name(&text);
        left.kind = match (left.kind, right.kind) {
            (Kind::Number(_), Kind::Number(_)) => Kind::Number(name),
            (Kind::Number(_), _) => {
                return Err(right.fault(format!("~ makes {text}, which is neither a name nor a number")));
            }
            _ => Kind::Word(name),
        };
        Ok(())
    }
}

/// The arguments in the brackets that begin at `place`, and the place after them.
pub(super) fn arguments(body: &[Token], place: usize) -> Result<(Vec<&[Token]>, usize), Fault> {
    let mut arguments = Vec::new();
    let (mut depth, mut start) = (0, place + 1);
    for (end, token) in body.iter().enumerate().skip(place) {
        if token.is("(") {
            depth += 1;
        } else if token.is(")") {
            depth -= 1;
            if depth == 0 {
                arguments.push(&body[start..end]);
                return Ok((arguments, end + 1));
            }
        } else if token.is(";") && depth == 1 {
            arguments.push(&body[start..end]);
            start = end + 1;
        }
    }
    Err(body[place].fault("these arguments have no end: expected )"))
}
