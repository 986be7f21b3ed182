//! Rules with their terms, predicates and variables.

use std::collections::HashMap;

use super::intern::Table;

/// The words that have a meaning of their own as predicates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Kind {
    Role,
    Init,
    True,
    Next,
    Legal,
    Does,
    Goal,
    Terminal,
    Base,
    Input,
    /// A predicate of the file's own.
    Own,
    /// Made when rules are split.
    Split,
    /// What is asked of another predicate.
    Demand,
}

impl Kind {
    pub const WORDS: [(&'static str, Self, usize); 10] = [
        ("role", Self::Role, 1),
        ("init", Self::Init, 1),
        ("true", Self::True, 1),
        ("next", Self::Next, 1),
        ("legal", Self::Legal, 2),
        ("does", Self::Does, 2),
        ("goal", Self::Goal, 2),
        ("terminal", Self::Terminal, 0),
        ("base", Self::Base, 1),
        ("input", Self::Input, 2),
    ];

    /// The kind and the number of arguments of a word, in any case.
    pub fn of(word: &str) -> Option<(Self, usize)> {
        let found = Self::WORDS.iter().find(|(text, ..)| text.eq_ignore_ascii_case(word));
        found.map(|&(_, kind, arity)| (kind, arity))
    }
}

pub(super) type Predicate = u32;
pub(super) type Term = u32;

#[derive(Clone, Debug)]
pub(super) struct PredicateInfo {
    pub kind: Kind,
    pub name: String,
    pub arity: usize,
    /// Where it is first named.
    pub at: u32,
}

/// A term with variables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Pattern {
    Variable(u16),
    Ground(Term),
    Function(u32, Vec<Pattern>),
}

impl Pattern {
    pub fn variables(&self, visit: &mut impl FnMut(u16)) {
        match self {
            Self::Variable(variable) => visit(*variable),
            Self::Ground(_) => {}
            Self::Function(_, arguments) => arguments.iter().for_each(|argument| argument.variables(visit)),
        }
    }
}

/// A condition, or the head of a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Atom {
    pub predicate: Predicate,
    pub arguments: Vec<Pattern>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Literal {
    Is(Atom),
    Not(Atom),
    Distinct(Pattern, Pattern),
    /// What `not` makes of `distinct`.
    Same(Pattern, Pattern),
}

impl Literal {
    pub fn variables(&self, visit: &mut impl FnMut(u16)) {
        match self {
            Self::Is(atom) | Self::Not(atom) => atom.arguments.iter().for_each(|a| a.variables(visit)),
            Self::Distinct(a, b) | Self::Same(a, b) => {
                a.variables(visit);
                b.variables(visit);
            }
        }
    }

    pub fn mask(&self) -> u128 {
        let mut mask = 0;
        self.variables(&mut |variable| mask |= 1 << variable);
        mask
    }

    pub fn atom(&self) -> Option<&Atom> {
        match self {
            Self::Is(atom) | Self::Not(atom) => Some(atom),
            Self::Distinct(..) | Self::Same(..) => None,
        }
    }
}

/// Variables of patterns as bits.
pub(super) fn mask(patterns: &[Pattern]) -> u128 {
    let mut mask = 0;
    patterns.iter().for_each(|pattern| pattern.variables(&mut |variable| mask |= 1 << variable));
    mask
}

#[derive(Clone, Debug)]
pub(super) struct Rule {
    pub head: Atom,
    pub body: Vec<Literal>,
    pub at: u32,
}

/// Words, terms and predicates.
#[derive(Clone, Default)]
pub(super) struct Names {
    words: Vec<String>,
    places: HashMap<String, u32>,
    pub terms: Table,
    depths: Vec<u32>,
    pub predicates: Vec<PredicateInfo>,
    known: HashMap<(String, usize), Predicate>,
}

impl Names {
    /// The place of a predicate that the file has not named yet.
    pub const UNNAMED: u32 = u32::MAX;

    pub fn word(&mut self, text: &str) -> u32 {
        if let Some(&place) = self.places.get(text) {
            return place;
        }
        let place = self.words.len() as u32;
        self.words.push(text.to_string());
        self.places.insert(text.to_string(), place);
        place
    }

    pub fn word_text(&self, word: u32) -> &str {
        &self.words[word as usize]
    }

    pub fn term(&mut self, word: u32, arguments: &[Term]) -> Term {
        let term = self.terms.intern(word, arguments);
        if term as usize == self.depths.len() {
            let depth = arguments.iter().map(|&argument| self.depths[argument as usize]).max().unwrap_or(0);
            self.depths.push(depth + 1);
        }
        term
    }

    pub fn depth(&self, term: Term) -> u32 {
        self.depths[term as usize]
    }

    /// The predicate of this name, keywords in any case.
    pub fn predicate(&mut self, name: &str, arity: usize, at: u32) -> Predicate {
        let kind = Kind::of(name).map_or(Kind::Own, |found| found.0);
        let name = if kind == Kind::Own { name.to_string() } else { name.to_ascii_lowercase() };
        let next = self.predicates.len() as Predicate;
        let predicate = *self.known.entry((name.clone(), arity)).or_insert(next);
        if predicate == next {
            self.predicates.push(PredicateInfo { kind, name, arity, at });
        }
        // Words with a meaning of their own are there before the file is read.
        let info = &mut self.predicates[predicate as usize];
        if info.at == Self::UNNAMED {
            info.at = at;
        }
        predicate
    }

    /// A predicate that no file can name.
    pub fn split(&mut self, of: &str, arity: usize, at: u32) -> Predicate {
        let name = format!("part of {of}");
        self.predicates.push(PredicateInfo { kind: Kind::Split, name, arity, at });
        self.predicates.len() as Predicate - 1
    }

    /// What is asked of a predicate.
    pub fn demand(&mut self, of: &str, arity: usize) -> Predicate {
        let name = format!("demand for {of}");
        self.predicates.push(PredicateInfo { kind: Kind::Demand, name, arity, at: 0 });
        self.predicates.len() as Predicate - 1
    }

    pub fn kind(&self, predicate: Predicate) -> Kind {
        self.predicates[predicate as usize].kind
    }

    pub fn special(&mut self, kind: Kind) -> Predicate {
        let (name, _, arity) = Kind::WORDS[kind as usize];
        self.predicate(name, arity, Self::UNNAMED)
    }

    /// A term as it is written in a file: `(cell 1 b)`.
    pub fn kif(&self, term: Term) -> String {
        let (word, arguments) = (self.word_text(self.terms.head(term)), self.terms.arguments(term));
        if arguments.is_empty() {
            return word.to_string();
        }
        let arguments: Vec<String> = arguments.iter().map(|&argument| self.kif(argument)).collect();
        format!("({word} {})", arguments.join(" "))
    }

    /// A term without spaces: `cell(1,b)`.
    pub fn compact(&self, term: Term) -> String {
        let (word, arguments) = (self.word_text(self.terms.head(term)), self.terms.arguments(term));
        // A word may hold commas, which would make two terms look alike.
        let word = word.replace('%', "%25").replace(',', "%2C");
        if arguments.is_empty() {
            return word;
        }
        let arguments: Vec<String> = arguments.iter().map(|&argument| self.compact(argument)).collect();
        format!("{word}({})", arguments.join(","))
    }
}
