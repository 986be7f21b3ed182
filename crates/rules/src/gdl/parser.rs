//! Expressions into rules.

use plyproof_core::quoted;

use super::kif::{Expression, Fault};
use super::limits;
use super::syntax::{Atom, Kind, Literal, Names, Pattern, Rule, mask};

/// A file as rules without `or`, and what looks odd in it.
#[derive(Clone)]
pub(super) struct Parsed {
    pub names: Names,
    pub rules: Vec<Rule>,
    pub warnings: Vec<(u32, String)>,
}

pub(super) fn parse(expressions: &[Expression]) -> Result<Parsed, Fault> {
    let mut parser = Parser { names: Names::default(), rules: Vec::new(), warnings: Vec::new(), variables: Vec::new() };
    // Specials first, so that they are there whatever the file says.
    for (word, _, arity) in Kind::WORDS {
        parser.names.predicate(word, arity, Names::UNNAMED);
    }
    for expression in expressions {
        parser.sentence(expression)?;
        if parser.rules.len() > limits::RULES {
            let message = format!("more than {} rules and facts, every or written out", limits::RULES);
            return Err(Fault::new(expression.at(), message));
        }
    }
    for info in parser.names.predicates.iter_mut().filter(|info| info.at == Names::UNNAMED) {
        info.at = 0;
    }
    Ok(Parsed { names: parser.names, rules: parser.rules, warnings: parser.warnings })
}

struct Parser<'a> {
    names: Names,
    rules: Vec<Rule>,
    warnings: Vec<(u32, String)>,
    /// Of the rule that is read, by number.
    variables: Vec<&'a str>,
}

/// Conditions in a row.
type Conjunction = Vec<Literal>;

fn is_arrow(expression: &Expression) -> bool {
    matches!(expression, Expression::Word(_, "<="))
}

impl<'a> Parser<'a> {
    fn sentence(&mut self, expression: &Expression<'a>) -> Result<(), Fault> {
        self.variables.clear();
        let (head, body) = match expression {
            Expression::List(at, list) => match &list[..] {
                [arrow, head, body @ ..] if is_arrow(arrow) => (head, body),
                [head, arrow, body @ ..] if is_arrow(arrow) => (head, body),
                [arrow] if is_arrow(arrow) => {
                    return Err(Fault::new(*at, "a rule without a head: expected (<= HEAD CONDITION …)"));
                }
                _ => (expression, &[][..]),
            },
            Expression::Word(..) => (expression, &[][..]),
        };
        let at = head.at();
        let atom = self.head(head)?;
        let mut bodies: Vec<Conjunction> = vec![Vec::new()];
        for condition in body {
            let arms = self.condition(condition, false)?;
            bodies = product(bodies, arms, condition.at())?;
        }
        for body in bodies {
            self.rule(Rule { head: atom.clone(), body, at })?;
        }
        Ok(())
    }

    fn head(&mut self, expression: &Expression<'a>) -> Result<Atom, Fault> {
        let word = expression.head().unwrap_or_default();
        let wrong = |message: String| Err(Fault::new(expression.at(), message));
        if connective(word).is_some() || word.eq_ignore_ascii_case("distinct") || word == "<=" {
            return wrong(format!("{} cannot be the head of a rule: expected a predicate", quoted(word)));
        }
        let atom = self.atom(expression)?;
        match self.names.kind(atom.predicate) {
            Kind::True => {
                wrong("a rule cannot have true as its head: expected next, or init for the start".to_string())
            }
            Kind::Does => {
                wrong("a rule cannot have does as its head: expected legal for moves that are possible".to_string())
            }
            _ if word.eq_ignore_ascii_case("sees") && atom.arguments.len() == 2 => wrong(
                "sees tells a role what others do not know: only games without hidden information are played".into(),
            ),
            _ => Ok(atom),
        }
    }

    fn atom(&mut self, expression: &Expression<'a>) -> Result<Atom, Fault> {
        let at = expression.at();
        let Some(word) = expression.head() else {
            return Err(Fault::new(at, "expected the name of a predicate after ("));
        };
        if word.starts_with('?') {
            return Err(Fault::new(at, format!("the variable {} is no predicate: expected a name", quoted(word))));
        }
        let arguments = expression.rest();
        if let Some((_, arity)) = Kind::of(word)
            && arity != arguments.len()
        {
            let message = format!("{word} takes {arity} arguments, and here are {}", arguments.len());
            return Err(Fault::new(at, message));
        }
        if arguments.len() > 60 {
            return Err(Fault::new(at, format!("{} arguments: expected at most 60", arguments.len())));
        }
        let predicate = self.names.predicate(word, arguments.len(), at);
        let arguments = arguments.iter().map(|argument| self.pattern(argument)).collect::<Result<_, _>>()?;
        Ok(Atom { predicate, arguments })
    }

    fn pattern(&mut self, expression: &Expression<'a>) -> Result<Pattern, Fault> {
        let at = expression.at();
        if let Expression::Word(_, word) = expression
            && word.starts_with('?')
        {
            let known = self.variables.iter().position(|variable| variable == word);
            let place = known.unwrap_or(self.variables.len());
            if place == self.variables.len() {
                if place == limits::CONDITIONS {
                    return Err(Fault::new(at, format!("more than {} variables in one rule", limits::CONDITIONS)));
                }
                self.variables.push(word);
            }
            return Ok(Pattern::Variable(place as u16));
        }
        let Some(word) = expression.head() else {
            return Err(Fault::new(at, "expected a word after ("));
        };
        if word.starts_with('?') {
            return Err(Fault::new(at, format!("the variable {} is no name of a term", quoted(word))));
        }
        if expression.rest().len() > 60 {
            return Err(Fault::new(at, format!("{} arguments: expected at most 60", expression.rest().len())));
        }
        let word = self.names.word(word);
        let arguments: Vec<Pattern> =
            expression.rest().iter().map(|argument| self.pattern(argument)).collect::<Result<_, _>>()?;
        let ground: Option<Vec<u32>> = arguments
            .iter()
            .map(|argument| if let Pattern::Ground(term) = argument { Some(*term) } else { None })
            .collect();
        match ground {
            Some(ground) => {
                let term = self.names.term(word, &ground);
                if self.names.depth(term) > limits::TERM_DEPTH {
                    return Err(Fault::new(
                        at,
                        format!("terms more than {} deep within each other", limits::TERM_DEPTH),
                    ));
                }
                Ok(Pattern::Ground(term))
            }
            None => Ok(Pattern::Function(word, arguments)),
        }
    }

    /// The condition, or its negation, as conjunctions of which one must hold.
    fn condition(&mut self, expression: &Expression<'a>, negated: bool) -> Result<Vec<Conjunction>, Fault> {
        let at = expression.at();
        let word = expression.head().unwrap_or_default();
        let arguments = expression.rest();
        if let Some(connective) = connective(word)
            && matches!(expression, Expression::List(..))
        {
            if connective == Connective::Not {
                let [inner] = arguments else {
                    return Err(Fault::new(at, format!("not takes one condition, and here are {}", arguments.len())));
                };
                return self.condition(inner, !negated);
            }
            let all = (connective == Connective::And) != negated;
            let mut whole: Vec<Conjunction> = if all { vec![Vec::new()] } else { Vec::new() };
            for argument in arguments {
                let arms = self.condition(argument, negated)?;
                if all {
                    whole = product(whole, arms, at)?;
                } else {
                    whole.extend(arms);
                }
            }
            return Ok(whole);
        }
        if word.eq_ignore_ascii_case("distinct") {
            let [a, b] = arguments else {
                return Err(Fault::new(at, format!("distinct takes two terms, and here are {}", arguments.len())));
            };
            let (a, b) = (self.pattern(a)?, self.pattern(b)?);
            return Ok(distinct(a, b, negated));
        }
        if word == "<=" {
            return Err(Fault::new(at, "a rule within a rule: expected a condition"));
        }
        let atom = self.atom(expression)?;
        Ok(vec![vec![if negated { Literal::Not(atom) } else { Literal::Is(atom) }]])
    }

    /// Checks that a rule says what each of its variables stands for.
    fn rule(&mut self, mut rule: Rule) -> Result<(), Fault> {
        let mut body = Vec::with_capacity(rule.body.len());
        for literal in rule.body {
            if !body.contains(&literal) {
                body.push(literal);
            }
        }
        let positive = |literal: &&Literal| matches!(literal, Literal::Is(_));
        let bound = body.iter().filter(positive).fold(0, |mask, literal: &Literal| mask | literal.mask());
        let first = |mask: u128| self.variables[mask.trailing_zeros() as usize];
        let free = mask(&rule.head.arguments) & !bound;
        if free != 0 {
            let message = format!(
                "no condition says what {} in the head stands for: expected a condition without not that has it",
                first(free)
            );
            return Err(Fault::new(rule.at, message));
        }
        for place in 0..body.len() {
            let free = body[place].mask() & !bound;
            if free == 0 {
                continue;
            }
            match &body[place] {
                Literal::Not(atom) => {
                    // A variable of its own within not: for no value of it.
                    let elsewhere = body.iter().enumerate().filter(|&(other, _)| other != place);
                    let elsewhere = elsewhere.fold(0, |mask, (_, literal)| mask | literal.mask());
                    if free & elsewhere != 0 {
                        let message = format!(
                            "no condition says what {} in a not stands for: expected a condition without not that has it",
                            first(free)
                        );
                        return Err(Fault::new(rule.at, message));
                    }
                    let warning = format!("{} stands within a not alone: read as \"there is no {0}\"", first(free));
                    self.warnings.push((rule.at, warning));
                    let atom = atom.clone();
                    let kept: Vec<Pattern> = bits(body[place].mask() & bound).map(Pattern::Variable).collect();
                    let predicate = self.names.split("a not", kept.len(), rule.at);
                    let head = Atom { predicate, arguments: kept };
                    self.rules.push(Rule { head: head.clone(), body: vec![Literal::Is(atom)], at: rule.at });
                    body[place] = Literal::Not(head);
                }
                _ => {
                    let message = format!(
                        "no condition says what {} in a distinct stands for: expected a condition without not that has it",
                        first(free)
                    );
                    return Err(Fault::new(rule.at, message));
                }
            }
        }
        if body.len() > limits::CONDITIONS {
            let message = format!("a rule of {} conditions: expected at most {}", body.len(), limits::CONDITIONS);
            return Err(Fault::new(rule.at, message));
        }
        rule.body = body;
        self.rules.push(rule);
        Ok(())
    }
}

fn distinct(a: Pattern, b: Pattern, negated: bool) -> Vec<Conjunction> {
    match (&a, &b) {
        (Pattern::Ground(first), Pattern::Ground(second)) if (first == second) != negated => vec![],
        (Pattern::Ground(_), Pattern::Ground(_)) => vec![vec![]],
        _ => vec![vec![if negated { Literal::Same(a, b) } else { Literal::Distinct(a, b) }]],
    }
}

/// The places of the bits of a mask.
pub(super) fn bits(mask: u128) -> impl Iterator<Item = u16> {
    (0..128).filter(move |place| mask >> place & 1 != 0)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Connective {
    Not,
    And,
    Or,
}

fn connective(word: &str) -> Option<Connective> {
    let words = [("not", Connective::Not), ("and", Connective::And), ("or", Connective::Or)];
    words.iter().find(|(text, _)| text.eq_ignore_ascii_case(word)).map(|found| found.1)
}

/// Every way to take one of each.
fn product(left: Vec<Conjunction>, right: Vec<Conjunction>, at: u32) -> Result<Vec<Conjunction>, Fault> {
    let size = |side: &[Conjunction]| side.iter().map(|conjunction| conjunction.len() + 1).sum::<usize>();
    if size(&left).saturating_mul(right.len()) + size(&right).saturating_mul(left.len()) > limits::WRITTEN_OUT {
        let message = format!("more than {} conditions in one rule, every or written out", limits::WRITTEN_OUT);
        return Err(Fault::new(at, message));
    }
    let both = |a: &Conjunction, b: &Conjunction| a.iter().chain(b).cloned().collect();
    Ok(left.iter().flat_map(|a| right.iter().map(move |b| both(a, b))).collect())
}
