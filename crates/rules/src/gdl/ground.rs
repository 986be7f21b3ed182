//! Variables replaced by everything that they can stand for.
//!
//! What does not depend on the position is worked out once and for all. For the rest, a round finds out what follows from
//! the facts that the last round found possible, conditions with `not` taken as possible; every way in which a rule can
//! apply is written down once.

use std::rc::Rc;

use super::demand::demand;
use super::intern::{Table, hash};
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

#[derive(Clone, Copy, PartialEq, Eq)]
enum Range {
    /// Rows that were there before the last round.
    Old,
    /// Rows of the last round.
    New,
    Both,
}

#[derive(Clone, Copy)]
enum Source {
    Variable(u16),
    Term(Term),
}

enum Step {
    Scan {
        view: usize,
        literal: usize,
        range: Range,
        index: Option<usize>,
        /// Columns with values that are known.
        keys: Vec<(usize, Source)>,
        /// Columns that say what a variable stands for.
        sets: Vec<(usize, u16)>,
        /// Columns of variables that an earlier column of this row has set.
        again: Vec<(usize, u16)>,
    },
    /// A condition whose variables are all known, and which does not depend on the position.
    Test(usize),
}

struct Plan {
    rule: usize,
    steps: Vec<Step>,
}

struct Grounder {
    ground: Ground,
    rules: Rc<Vec<Rule>>,
    dynamic: Vec<bool>,
    views: Vec<View>,
    views_of: Vec<Vec<usize>>,
    /// The view of each condition, by rule.
    view_of: Vec<Vec<usize>>,
    binding: Vec<Term>,
    chosen: Vec<u32>,
    steps: u64,
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
    let mut grounder = Grounder {
        ground,
        rules: Rc::new(rules),
        dynamic,
        views: vec![],
        views_of: vec![Vec::new(); predicates],
        view_of: vec![],
        binding: vec![0; limits::CONDITIONS + 8],
        chosen: vec![0; limits::CONDITIONS + 8],
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
    fn is_dynamic(&self, predicate: Predicate) -> bool {
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

    fn term(&mut self, pattern: &Pattern) -> Term {
        match pattern {
            Pattern::Variable(variable) => self.binding[usize::from(*variable)],
            Pattern::Ground(term) => *term,
            Pattern::Function(word, arguments) => {
                let arguments: Vec<Term> = arguments.iter().map(|argument| self.term(argument)).collect();
                self.ground.names.term(*word, &arguments)
            }
        }
    }

    fn atom(&mut self, predicate: Predicate, patterns: &[Pattern]) -> Result<u32, Fault> {
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
    fn add(&mut self, atom: u32) -> Result<(), Fault> {
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
    fn instance(&mut self, head: u32, place: u32) -> Result<(), Fault> {
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
                let inside = |literal: &&Literal| matches!(literal, Literal::Not(atom) if group.contains(&atom.predicate));
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
                _ => format!("{} roles ({}): only games of two players are played", self.ground.roles.len(), names.join(", ")),
            };
            let place = self.ground.names.predicates[0].at;
            return Err(Fault::new(place, message));
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

    /// Applies rules until nothing new follows; `members` are the predicates that may grow.
    fn rounds(&mut self, rules: &[usize], members: &[Predicate]) -> Result<(), Fault> {
        let all = self.rules.clone();
        let mut grows = vec![false; self.ground.names.predicates.len()];
        members.iter().for_each(|&member| grows[member as usize] = true);
        for view in self.views.iter_mut().filter(|view| !grows[view.predicate as usize]) {
            view.old = view.atoms.len();
            view.now = view.old;
        }
        let growing = |literal: &Literal| matches!(literal, Literal::Is(atom) if grows[atom.predicate as usize]);
        let views: Vec<usize> =
            (0..self.views.len()).filter(|&view| grows[self.views[view].predicate as usize]).collect();
        let mut ways = Vec::new();
        for &rule in rules {
            let before = ways.len();
            ways.extend((0..all[rule].body.len()).filter(|&place| growing(&all[rule].body[place])).map(|p| (rule, p)));
            if ways.len() == before {
                let plan = self.plan(rule, None, &grows);
                self.run(&plan, 0)?;
            }
        }
        let mut plans: Vec<Option<Rc<Plan>>> = vec![None; ways.len()];
        for round in 0u32.. {
            let mut changed = false;
            for &view in &views {
                let view = &mut self.views[view];
                view.old = view.now;
                view.now = view.atoms.len();
                changed |= view.old < view.now;
            }
            if !changed {
                return Ok(());
            }
            self.steps += ways.len() as u64;
            for (way, &(rule, place)) in ways.iter().enumerate() {
                let view = &self.views[self.view_of[rule][place]];
                if view.old == view.now {
                    continue;
                }
                // Sizes settle after a few rounds, and the order of conditions with them.
                let plan = match &plans[way] {
                    Some(plan) if round > 8 => plan.clone(),
                    _ => Rc::new(self.plan(rule, Some(place), &grows)),
                };
                plans[way] = Some(plan.clone());
                self.run(&plan, 0)?;
            }
        }
        Ok(())
    }

    /// In which order the conditions of a rule are looked at, `first` first.
    fn plan(&mut self, rule: usize, first: Option<usize>, grows: &[bool]) -> Plan {
        let rules = self.rules.clone();
        let body = &rules[rule].body;
        let mut waiting: Vec<usize> = (0..body.len()).filter(|&l| matches!(body[l], Literal::Is(_))).collect();
        let mut tests: Vec<usize> = (0..body.len()).filter(|&l| self.is_test(&body[l])).collect();
        let (mut steps, mut known) = (Vec::new(), 0u128);
        loop {
            tests.retain(|&test| {
                let ready = body[test].mask() & !known == 0;
                if ready {
                    steps.push(Step::Test(test));
                }
                !ready
            });
            let best = match first.filter(|_| steps.iter().all(|step| matches!(step, Step::Test(_)))) {
                Some(first) if waiting.contains(&first) => Some(first),
                _ => waiting.iter().copied().min_by(|&a, &b| {
                    self.ways(rule, &body[a], a, known).total_cmp(&self.ways(rule, &body[b], b, known))
                }),
            };
            let Some(literal) = best else { break };
            waiting.retain(|&other| other != literal);
            steps.push(self.scan(rule, literal, first, known, grows));
            known |= body[literal].mask();
        }
        Plan { rule, steps }
    }

    fn is_test(&self, literal: &Literal) -> bool {
        match literal {
            Literal::Is(_) => false,
            Literal::Not(atom) => !self.is_dynamic(atom.predicate),
            Literal::Distinct(..) | Literal::Same(..) => true,
        }
    }

    /// An estimate of the rows that match a condition.
    fn ways(&self, rule: usize, literal: &Literal, place: usize, known: u128) -> f64 {
        let view = &self.views[self.view_of[rule][place]];
        let mut columns = Vec::new();
        leaves(literal.atom().map_or(&[][..], |atom| &atom.arguments), &mut columns);
        let is_free = |pattern: &&&Pattern| matches!(pattern, Pattern::Variable(v) if known >> v & 1 == 0);
        let free = columns.iter().filter(is_free).count();
        let rows = view.atoms.len().max(1) as f64;
        if free == 0 { 0.0 } else { rows.powf(free as f64 / columns.len() as f64) }
    }

    fn scan(&mut self, rule: usize, literal: usize, first: Option<usize>, known: u128, grows: &[bool]) -> Step {
        let rules = self.rules.clone();
        let view = self.view_of[rule][literal];
        let mut columns = Vec::new();
        let predicate = rules[rule].body[literal].atom().map_or(0, |atom| atom.predicate);
        leaves(rules[rule].body[literal].atom().map_or(&[][..], |atom| &atom.arguments), &mut columns);
        let range = match first {
            Some(first) if first == literal => Range::New,
            Some(first) if literal < first && grows[predicate as usize] => Range::Old,
            _ => Range::Both,
        };
        let (mut keys, mut sets, mut again, mut set) = (Vec::new(), Vec::new(), Vec::new(), 0u128);
        for (column, pattern) in columns.into_iter().enumerate() {
            match pattern {
                Pattern::Ground(term) => keys.push((column, Source::Term(*term))),
                Pattern::Variable(variable) if known >> variable & 1 != 0 => {
                    keys.push((column, Source::Variable(*variable)));
                }
                Pattern::Variable(variable) if set >> variable & 1 != 0 => again.push((column, *variable)),
                Pattern::Variable(variable) => {
                    set |= 1 << variable;
                    sets.push((column, *variable));
                }
                Pattern::Function(..) => {}
            }
        }
        let by: Vec<usize> = keys.iter().map(|key| key.0).collect();
        let index = (!by.is_empty() && by.len() <= 60 && range != Range::New).then(|| self.views[view].index(&by));
        Step::Scan { view, literal, range, index, keys, sets, again }
    }

    fn value(&self, source: Source) -> Term {
        match source {
            Source::Variable(variable) => self.binding[usize::from(variable)],
            Source::Term(term) => term,
        }
    }

    fn too_many_steps(&self, rule: usize) -> Fault {
        let (number, what) =
            if self.steps > limits::STEPS { (limits::STEPS, "steps") } else { (limits::TERMS as u64, "terms") };
        let message = format!("replacing variables by what they can stand for takes more than {number} {what}");
        Fault::large(self.rules[rule].at, message)
    }

    fn run(&mut self, plan: &Plan, step: usize) -> Result<(), Fault> {
        self.steps += 1;
        if self.steps > limits::STEPS || self.ground.names.terms.len() > limits::TERMS {
            return Err(self.too_many_steps(plan.rule));
        }
        match plan.steps.get(step) {
            None => self.apply(plan.rule),
            Some(Step::Test(literal)) => {
                if self.holds(plan.rule, *literal) { self.run(plan, step + 1) } else { Ok(()) }
            }
            Some(Step::Scan { view, literal, range, index, keys, sets, again }) => {
                let rows = &self.views[*view];
                let (low, high) = match range {
                    Range::Old => (0, rows.old),
                    Range::New => (rows.old, rows.now),
                    Range::Both => (0, rows.now),
                };
                let mut next = match index {
                    None => (low < high).then_some(low),
                    Some(index) => {
                        let mut key = [0; 120];
                        keys.iter().zip(&mut key).for_each(|(&(_, source), key)| *key = self.value(source));
                        rows.newest(*index, hash(0, &key[..keys.len()]))
                    }
                };
                while let Some(row) = next {
                    let rows = &self.views[*view];
                    let values = rows.row(row);
                    let matches = row < high && keys.iter().all(|&(column, source)| values[column] == self.value(source));
                    next = match index {
                        None => (row + 1 < high).then_some(row + 1),
                        Some(index) => rows.older(*index, row),
                    };
                    if !matches {
                        self.steps += 1;
                        if self.steps > limits::STEPS {
                            return Err(self.too_many_steps(plan.rule));
                        }
                        continue;
                    }
                    for &(column, variable) in sets {
                        self.binding[usize::from(variable)] = values[column];
                    }
                    if again.iter().any(|&(column, variable)| values[column] != self.binding[usize::from(variable)]) {
                        self.steps += 1;
                        if self.steps > limits::STEPS {
                            return Err(self.too_many_steps(plan.rule));
                        }
                        continue;
                    }
                    self.chosen[*literal] = rows.atoms[row];
                    self.run(plan, step + 1)?;
                }
                Ok(())
            }
        }
    }

    /// Whether a condition holds that does not depend on the position.
    fn holds(&mut self, rule: usize, literal: usize) -> bool {
        let rules = self.rules.clone();
        match &rules[rule].body[literal] {
            Literal::Distinct(a, b) => self.term(a) != self.term(b),
            Literal::Same(a, b) => self.term(a) == self.term(b),
            Literal::Is(atom) | Literal::Not(atom) => {
                let arguments: Vec<Term> = atom.arguments.iter().map(|argument| self.term(argument)).collect();
                let found = self.ground.atoms.find(atom.predicate, &arguments);
                !found.is_some_and(|atom| self.ground.possible[atom as usize])
            }
        }
    }

    /// Writes down an instance of a rule, and that its head is possible.
    fn apply(&mut self, rule: usize) -> Result<(), Fault> {
        let rules = self.rules.clone();
        let rule = &rules[rule];
        let head = self.atom(rule.head.predicate, &rule.head.arguments)?;
        for &term in self.ground.atoms.arguments(head) {
            if self.ground.names.depth(term) > limits::TERM_DEPTH {
                let message = format!(
                    "terms grow without end: {} is more than {} deep; expected counters as constants in a row, as in (succ 1 2)",
                    plyproof_core::quoted(&self.ground.names.kif(term)),
                    limits::TERM_DEPTH
                );
                return Err(Fault::new(rule.at, message));
            }
        }
        let asks = self.ground.names.kind(rule.head.predicate) == Kind::Demand;
        if self.is_dynamic(rule.head.predicate) && !asks {
            for (place, literal) in rule.body.iter().enumerate() {
                match literal {
                    Literal::Is(atom) if self.ground.names.kind(atom.predicate) == Kind::Demand => {}
                    Literal::Is(atom) if self.is_dynamic(atom.predicate) => {
                        self.ground.literals.push(self.chosen[place] * 2);
                    }
                    Literal::Not(atom) if self.is_dynamic(atom.predicate) => {
                        let not = self.atom(atom.predicate, &atom.arguments)?;
                        self.ground.literals.push(not * 2 + 1);
                    }
                    _ => {}
                }
            }
            self.instance(head, rule.at)?;
        } else if self.ground.atoms.len() > limits::ATOMS {
            let message = format!("more than {} facts once variables are replaced by what they can stand for", limits::ATOMS);
            return Err(Fault::new(rule.at, message));
        }
        self.add(head)
    }
}

/// What to say about a predicate that depends on its own negation.
pub(super) fn circle(name: &str) -> String {
    format!("whether {name} holds depends on whether it does not: expected no circle of rules through a not")
}
