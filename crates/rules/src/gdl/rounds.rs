//! Rules applied round by round: joins of conditions.

use std::rc::Rc;

use super::ground::Grounder;
use super::intern::hash;
use super::kif::Fault;
use super::limits;
use super::syntax::{Kind, Literal, Pattern, Predicate, Term};
use super::views::leaves;

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

impl Grounder {
    /// Applies rules until nothing new follows; `members` are the predicates that may grow.
    pub fn rounds(&mut self, rules: &[usize], members: &[Predicate]) -> Result<(), Fault> {
        members.iter().for_each(|&member| self.grows[member as usize] = true);
        let done = self.rounds_of(rules, members);
        members.iter().for_each(|&member| self.grows[member as usize] = false);
        done
    }

    fn rounds_of(&mut self, rules: &[usize], members: &[Predicate]) -> Result<(), Fault> {
        let all = self.rules.clone();
        for &rule in rules {
            for &view in self.view_of[rule].iter().filter(|&&view| view != usize::MAX) {
                let view = &mut self.views[view];
                if !self.grows[view.predicate as usize] {
                    view.old = view.atoms.len();
                    view.now = view.old;
                }
            }
        }
        let views: Vec<usize> = members.iter().flat_map(|&member| self.views_of[member as usize].clone()).collect();
        let mut ways = Vec::new();
        for &rule in rules {
            let before = ways.len();
            let grows = |literal: &Literal| matches!(literal, Literal::Is(atom) if self.grows[atom.predicate as usize]);
            ways.extend((0..all[rule].body.len()).filter(|&place| grows(&all[rule].body[place])).map(|p| (rule, p)));
            if ways.len() == before {
                let plan = self.plan(rule, None)?;
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
                // Sizes grow quickly at first, then slowly, and the order of conditions follows them.
                let plan = match &plans[way] {
                    Some(plan) if round > 8 && !round.is_power_of_two() => plan.clone(),
                    _ => Rc::new(self.plan(rule, Some(place))?),
                };
                plans[way] = Some(plan.clone());
                self.run(&plan, 0)?;
            }
        }
        Ok(())
    }

    /// In which order the conditions of a rule are looked at, `first` first.
    fn plan(&mut self, rule: usize, first: Option<usize>) -> Result<Plan, Fault> {
        let rules = self.rules.clone();
        let body = &rules[rule].body;
        // Every choice compares the conditions that are left, and plans are kept: long rules are dear.
        self.steps += (body.len() * body.len() * body.len() / 4) as u64;
        if self.steps > limits::STEPS {
            return Err(self.too_many_steps(rule));
        }
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
            steps.push(self.scan(rule, literal, first, known));
            known |= body[literal].mask();
        }
        Ok(Plan { rule, steps })
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

    fn scan(&mut self, rule: usize, literal: usize, first: Option<usize>, known: u128) -> Step {
        let rules = self.rules.clone();
        let view = self.view_of[rule][literal];
        let mut columns = Vec::new();
        let predicate = rules[rule].body[literal].atom().map_or(0, |atom| atom.predicate);
        leaves(rules[rule].body[literal].atom().map_or(&[][..], |atom| &atom.arguments), &mut columns);
        let range = match first {
            Some(first) if first == literal => Range::New,
            Some(first) if literal < first && self.grows[predicate as usize] => Range::Old,
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
                if self.holds(plan.rule, *literal) {
                    self.run(plan, step + 1)
                } else {
                    Ok(())
                }
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
                    let matches =
                        row < high && keys.iter().all(|&(column, source)| values[column] == self.value(source));
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
            let message =
                format!("more than {} facts once variables are replaced by what they can stand for", limits::ATOMS);
            return Err(Fault::new(rule.at, message));
        }
        self.add(head)
    }
}
