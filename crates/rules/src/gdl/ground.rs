//! Variables replaced by everything that they can stand for.
//!
//! What does not depend on the position is worked out once and for all. For the rest, a round finds out what follows from
//! the facts that the last round found possible, conditions with `not` taken as possible; every way in which a rule can
//! apply is written down once.

use std::rc::Rc;

use super::demand::demand;
use super::intern::Table;
use super::kif::Fault;
use super::limits;
use super::parser::Parsed;
use super::split::{dependence, split};
use super::strata::{components, rows};
use super::syntax::{Kind, Literal, Names, Pattern, Predicate, Rule, Term};
use super::views::{Shape, View, leaves};

/// Rules without variables.
pub(super) struct Ground {
    pub names: Names,
    /// Facts: a predicate with its terms.
    pub atoms: Table,
    /// Whether a fact may ever be true.
    pub possible: Vec<bool>,
    /// For each instance of a rule: the fact that it makes true.
    pub heads: Vec<u32>,
    /// Where its conditions begin in `literals`.
    pub starts: Vec<u32>,
    /// Places of rules in the text.
    pub places: Vec<u32>,
    /// Facts, doubled; plus one if they must be false.
    pub literals: Vec<u32>,
    pub roles: Vec<Term>,
    /// Facts `true` at the start.
    pub start: Vec<u32>,
}

/// Rules on their way to a ground program.
pub(super) struct Grounder {
    pub ground: Ground,
    pub rules: Rc<Vec<Rule>>,
    pub dynamic: Vec<bool>,
    pub views: Vec<View>,
    pub views_of: Vec<Vec<usize>>,
    /// The view of each condition, by rule.
    pub view_of: Vec<Vec<usize>>,
    pub binding: Vec<Term>,
    pub chosen: Vec<u32>,
    /// Predicates that grow in the rounds at work.
    pub grows: Vec<bool>,
    pub steps: u64,
    terms: Specials,
    scratch: Vec<u32>,
}

struct Specials {
    is_true: Predicate,
    does: Predicate,
}

/// Replaces the variables of all rules.
///
/// Most files ask for nearly all that is possible. Where that is too much, rules are applied on demand only.
pub(super) fn ground(parsed: Parsed) -> Result<Ground, Fault> {
    let again = parsed.clone();
    match ground_by(parsed, false) {
        Err(fault) if fault.large => ground_by(again, true),
        done => done,
    }
}

fn ground_by(parsed: Parsed, on_demand: bool) -> Result<Ground, Fault> {
    let Parsed { mut names, rules, .. } = parsed;
    let (mut dynamic, useful) = dependence(&names, &rules);
    let rules: Vec<Rule> = rules.into_iter().filter(|rule| useful[rule.head.predicate as usize]).collect();
    let (facts, rules): (Vec<Rule>, Vec<Rule>) = rules.into_iter().partition(|rule| rule.body.is_empty());
    // Facts that depend on nothing need no demand; all others of their predicates may.
    let rules = if on_demand { demand(&mut names, rules, &mut dynamic) } else { rules };
    let rules = split(&mut names, rules, &mut dynamic);
    let specials = Specials { is_true: names.special(Kind::True), does: names.special(Kind::Does) };
    let ground = Ground {
        names,
        atoms: Table::default(),
        possible: vec![],
        heads: vec![],
        starts: vec![0],
        places: vec![],
        literals: vec![],
        roles: vec![],
        start: vec![],
    };
    let predicates = ground.names.predicates.len();
    let longest = rules.iter().map(|rule| rule.body.len()).max().unwrap_or(0);
    let mut grounder = Grounder {
        ground,
        rules: Rc::new(rules),
        dynamic,
        views: vec![],
        views_of: vec![Vec::new(); predicates],
        view_of: vec![],
        binding: vec![0; limits::CONDITIONS + 8],
        chosen: vec![0; longest],
        grows: vec![false; predicates],
        steps: 0,
        terms: specials,
        scratch: vec![],
    };
    grounder.make_views();
    for fact in &facts {
        let atom = grounder.atom(fact.head.predicate, &fact.head.arguments)?;
        if grounder.dynamic[fact.head.predicate as usize] {
            grounder.instance(atom, fact.at)?;
        }
        grounder.add(atom)?;
    }
    grounder.strata()?;
    grounder.begin()?;
    let moving: Vec<usize> =
        (0..grounder.rules.len()).filter(|&rule| grounder.is_dynamic(grounder.rules[rule].head.predicate)).collect();
    let members: Vec<Predicate> = (0..predicates as u32).filter(|&p| grounder.is_dynamic(p)).collect();
    grounder.rounds(&moving, &members)?;
    Ok(grounder.ground)
}

impl Grounder {
    pub fn is_dynamic(&self, predicate: Predicate) -> bool {
        self.dynamic[predicate as usize]
    }

    fn make_views(&mut self) {
        for rule in self.rules.clone().iter() {
            let mut views = Vec::new();
            for literal in &rule.body {
                let Literal::Is(atom) = literal else {
                    views.push(usize::MAX);
                    continue;
                };
                let shape: Vec<Shape> = atom.arguments.iter().map(Shape::of).collect();
                let of = &mut self.views_of[atom.predicate as usize];
                let known = of.iter().copied().find(|&view| self.views[view].shape == shape);
                views.push(known.unwrap_or_else(|| {
                    let mut columns = Vec::new();
                    leaves(&atom.arguments, &mut columns);
                    self.views.push(View::new(atom.predicate, shape, columns.len()));
                    of.push(self.views.len() - 1);
                    self.views.len() - 1
                }));
            }
            self.view_of.push(views);
        }
    }

    pub fn term(&mut self, pattern: &Pattern) -> Term {
        match pattern {
            Pattern::Variable(variable) => self.binding[usize::from(*variable)],
            Pattern::Ground(term) => *term,
            Pattern::Function(word, arguments) => {
                let arguments: Vec<Term> = arguments.iter().map(|argument| self.term(argument)).collect();
                self.ground.names.term(*word, &arguments)
            }
        }
    }

    pub fn atom(&mut self, predicate: Predicate, patterns: &[Pattern]) -> Result<u32, Fault> {
        let mut arguments = std::mem::take(&mut self.scratch);
        arguments.clear();
        for pattern in patterns {
            let term = self.term(pattern);
            arguments.push(term);
        }
        let atom = self.ground.atoms.intern(predicate, &arguments);
        self.scratch = arguments;
        if atom as usize == self.ground.possible.len() {
            self.ground.possible.push(false);
        }
        Ok(atom)
    }

    /// Notes that a fact may be true, and what follows from that at once.
    pub fn add(&mut self, atom: u32) -> Result<(), Fault> {
        if std::mem::replace(&mut self.ground.possible[atom as usize], true) {
            return Ok(());
        }
        let predicate = self.ground.atoms.head(atom);
        for &view in &self.views_of[predicate as usize] {
            self.views[view].add(&self.ground.names.terms, atom, self.ground.atoms.arguments(atom));
        }
        self.steps += self.views_of[predicate as usize].len() as u64;
        let follows = match self.ground.names.kind(predicate) {
            Kind::Next => self.terms.is_true,
            Kind::Legal if self.ground.roles.contains(&self.ground.atoms.arguments(atom)[0]) => self.terms.does,
            _ => return Ok(()),
        };
        self.same_arguments(follows, atom).and_then(|atom| self.add(atom))
    }

    fn same_arguments(&mut self, predicate: Predicate, atom: u32) -> Result<u32, Fault> {
        let arguments: Vec<Pattern> =
            self.ground.atoms.arguments(atom).iter().map(|&term| Pattern::Ground(term)).collect();
        self.atom(predicate, &arguments)
    }

    /// A way to apply a rule, whose conditions are in `literals` already.
    pub fn instance(&mut self, head: u32, place: u32) -> Result<(), Fault> {
        let ground = &mut self.ground;
        ground.heads.push(head);
        ground.places.push(place);
        ground.starts.push(ground.literals.len() as u32);
        let too_large = |what: &str, limit: usize| {
            let message = format!("more than {limit} {what} once variables are replaced by what they can stand for");
            Err(Fault::large(place, message))
        };
        if ground.literals.len() + ground.heads.len() > limits::LITERALS {
            return too_large("conditions", limits::LITERALS);
        }
        if ground.atoms.len() > limits::ATOMS {
            return too_large("facts", limits::ATOMS);
        }
        if ground.names.terms.len() > limits::TERMS {
            return too_large("terms", limits::TERMS);
        }
        Ok(())
    }

    /// Everything that does not depend on the position, in an order in which `not` can be asked.
    fn strata(&mut self) -> Result<(), Fault> {
        let rules = self.rules.clone();
        let count = self.ground.names.predicates.len();
        let still: Vec<usize> = (0..rules.len()).filter(|&rule| !self.is_dynamic(rules[rule].head.predicate)).collect();
        let mut pairs = Vec::new();
        for &rule in &still {
            let atoms = rules[rule].body.iter().filter_map(|literal| literal.atom());
            pairs.extend(atoms.map(|atom| (rules[rule].head.predicate, atom.predicate)));
        }
        pairs.sort_unstable();
        pairs.dedup();
        let (starts, targets) = rows(count, &pairs);
        let groups = components(count, &starts, &targets);
        let mut group_of = vec![0; count];
        for (place, group) in groups.iter().enumerate() {
            group.iter().for_each(|&predicate| group_of[predicate as usize] = place);
        }
        let mut rules_of = vec![Vec::new(); groups.len()];
        still.iter().for_each(|&rule| rules_of[group_of[rules[rule].head.predicate as usize]].push(rule));
        for (group, of) in groups.iter().zip(&rules_of) {
            for &rule in of {
                let inside =
                    |literal: &&Literal| matches!(literal, Literal::Not(atom) if group.contains(&atom.predicate));
                if let Some(atom) = rules[rule].body.iter().find(inside).and_then(|literal| literal.atom()) {
                    let name = &self.ground.names.predicates[atom.predicate as usize].name;
                    return Err(Fault::new(rules[rule].at, circle(name)));
                }
            }
            if !of.is_empty() {
                self.rounds(of, group)?;
            }
        }
        Ok(())
    }

    /// Roles, and what is true at the start.
    fn begin(&mut self) -> Result<(), Fault> {
        let of_kind = |grounder: &Self, kind: Kind| -> Vec<u32> {
            let ground = &grounder.ground;
            let is = |&atom: &u32| ground.possible[atom as usize] && ground.names.kind(ground.atoms.head(atom)) == kind;
            (0..ground.atoms.len() as u32).filter(is).collect()
        };
        let roles = of_kind(self, Kind::Role);
        self.ground.roles = roles.iter().map(|&role| self.ground.atoms.arguments(role)[0]).collect();
        if self.ground.roles.len() != 2 {
            let names: Vec<String> =
                self.ground.roles.iter().take(9).map(|&role| self.ground.names.compact(role)).collect();
            let message = match names.len() {
                0 => "the file names no player: expected (role NAME) twice".to_string(),
                1 => format!("one role, {}: only games of two players are played", names[0]),
                _ => format!(
                    "{} roles ({}): only games of two players are played",
                    self.ground.roles.len(),
                    names.join(", ")
                ),
            };
            let place = self.ground.names.predicates[0].at;
            return Err(Fault::new(place, message));
        }
        let random = |&&role: &&Term| self.ground.names.compact(role) == "random";
        if self.ground.roles.iter().find(random).is_some() {
            let message = "the role random stands for chance: only games without chance are played";
            return Err(Fault::new(self.ground.names.predicates[0].at, message));
        }
        for atom in of_kind(self, Kind::Init) {
            let holds = self.same_arguments(self.terms.is_true, atom)?;
            self.add(holds)?;
            self.ground.start.push(holds);
        }
        // Moves that are facts: they were there before the roles were known.
        for atom in of_kind(self, Kind::Legal) {
            if self.ground.roles.contains(&self.ground.atoms.arguments(atom)[0]) {
                let does = self.same_arguments(self.terms.does, atom)?;
                self.add(does)?;
            }
        }
        Ok(())
    }
}

/// What to say about a predicate that depends on its own negation.
pub(super) fn circle(name: &str) -> String {
    format!("whether {name} holds depends on whether it does not: expected no circle of rules through a not")
}
