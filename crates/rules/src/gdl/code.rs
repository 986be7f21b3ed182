//! Rules as a net: facts, and what changes when one of them does.

use super::ground::{Ground, circle};
use super::guard::Guard;
use super::kif::Fault;
use super::net::words;
use super::simplify::{Simple, Value};
use super::strata::{components, rows};
use super::syntax::Kind;

/// What a change of a fact means outside of the net.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Effect {
    Nothing,
    /// A fact of the position.
    State(u32),
    /// A fact of the next position.
    Next(u32),
    /// A move of the first or of the second role.
    Legal(u8, u32),
}

/// A fact that may be known for good.
#[derive(Clone, Copy, Debug)]
pub(super) enum Signal {
    Never,
    Always,
    Fact(u32),
}

/// The places of the edges of a fact: to heads of rules with this condition alone, and without it; to rules with this
/// condition among others, and without it; and of the circle of rules that the fact is in, to heads and to rules.
pub(super) type Edges = [u32; 7];

/// Facts, rules and edges.
pub(super) struct Code {
    pub edges: Vec<Edges>,
    pub targets: Vec<u32>,
    pub effects: Vec<Effect>,
    /// A fact is worked out after all facts of lower levels.
    pub levels: Vec<u32>,
    pub in_circle: Vec<bool>,
    /// Levels from here on depend on the moves that are made.
    pub moving: u32,
    pub level_count: u32,
    /// For rules with several conditions: the head, and how many conditions do not hold if every fact is false.
    pub rules: Vec<(u32, u32)>,
    /// Facts of the position, by number: where they are in the net, and whether they always come next.
    pub state: Vec<(u32, bool)>,
    /// Moves of both roles: where they are in the net if that matters, and whether they are always legal.
    pub moves: [Vec<(Option<u32>, bool)>; 2],
    /// For both roles: the fact without which they do not have some of their moves, and these moves as bits.
    pub guards: [Signal; 2],
    pub guarded: [Vec<u64>; 2],
    pub terminal: Signal,
    /// Goals of both roles.
    pub goals: [Vec<(i32, Signal)>; 2],
}

/// The facts of positions and the moves of both roles, as atoms.
pub(super) struct Interface {
    pub state: Vec<u32>,
    /// Moves as atoms with `legal`.
    pub moves: [Vec<u32>; 2],
    pub goals: [Vec<(i32, u32)>; 2],
}

struct Builder<'a> {
    ground: &'a Ground,
    simple: &'a Simple,
    /// The number of each atom in the net.
    places: Vec<u32>,
    atoms: Vec<u32>,
}

const NONE: u32 = u32::MAX;

impl Builder<'_> {
    fn add(&mut self, atom: u32) -> u32 {
        if self.places[atom as usize] == NONE {
            self.places[atom as usize] = self.atoms.len() as u32;
            self.atoms.push(atom);
        }
        self.places[atom as usize]
    }

    fn signal(&self, atom: Option<u32>) -> Signal {
        match atom.map(|atom| (self.simple.values[atom as usize], self.places[atom as usize])) {
            Some((Value::Always, _)) => Signal::Always,
            Some((Value::Open, place)) if place != NONE => Signal::Fact(place),
            _ => Signal::Never,
        }
    }
}

pub(super) fn build(
    ground: &Ground,
    simple: &Simple,
    interface: &Interface,
    guards: &[Option<Guard>; 2],
) -> Result<Code, Fault> {
    let mut builder = Builder { ground, simple, places: vec![NONE; ground.atoms.len()], atoms: Vec::new() };
    for &atom in &interface.state {
        builder.add(atom);
    }
    for instance in 0..simple.instances.len() {
        builder.add(simple.instances[instance].0);
        for &literal in simple.literals(instance) {
            builder.add(literal / 2);
        }
    }
    let count = builder.atoms.len();
    let at = |atom: u32| builder.places[atom as usize];

    // From heads to conditions: components come out with conditions first.
    let mut pairs = Vec::with_capacity(simple.literals.len());
    for instance in 0..simple.instances.len() {
        let head = at(simple.instances[instance].0);
        pairs.extend(simple.literals(instance).iter().map(|&literal| (head, at(literal / 2))));
    }
    let (starts, targets) = rows(count, &pairs);
    drop(pairs);
    let groups = components(count, &starts, &targets);
    let mut group_of = vec![0u32; count];
    for (number, group) in groups.iter().enumerate() {
        group.iter().for_each(|&member| group_of[member as usize] = number as u32);
    }
    let kinds: Vec<Kind> = builder.atoms.iter().map(|&atom| ground.names.kind(ground.atoms.head(atom))).collect();
    let mut after_moves: Vec<bool> = kinds.iter().map(|&kind| kind == Kind::Does).collect();
    let (mut levels, mut in_circle) = (vec![0u32; count], vec![false; count]);
    let mut highest = [0u32; 2];
    for (number, group) in groups.iter().enumerate() {
        let conditions = |member: &u32| {
            let member = *member as usize;
            targets[starts[member] as usize..starts[member + 1] as usize].iter().map(|&target| target as usize)
        };
        let mut level = 0;
        let mut moving = group.iter().any(|&member| after_moves[member as usize]);
        moving |= group.iter().flat_map(conditions).any(|condition| after_moves[condition]);
        let mut circular = group.len() > 1;
        for condition in group.iter().flat_map(conditions) {
            if group_of[condition] as usize == number {
                circular = true;
            } else if after_moves[condition] == moving {
                level = level.max(levels[condition] + 1);
            }
        }
        let input = |member: &u32| matches!(kinds[*member as usize], Kind::True | Kind::Does);
        if !group.iter().any(input) {
            level = level.max(1);
        }
        for &member in group {
            let member = member as usize;
            (levels[member], in_circle[member], after_moves[member]) = (level, circular, moving);
        }
        highest[usize::from(moving)] = highest[usize::from(moving)].max(level);
    }
    let wrong = (0..count)
        .find(|&place| after_moves[place] && matches!(kinds[place], Kind::Legal | Kind::Goal | Kind::Terminal));
    if let Some(place) = wrong {
        let info = &ground.names.predicates[ground.atoms.head(builder.atoms[place]) as usize];
        let message = format!("{} depends on does: expected that it depends on the position alone", info.name);
        return Err(Fault::new(info.at, message));
    }
    let moving = highest[0] + 1;
    (0..count).filter(|&place| after_moves[place]).for_each(|place| levels[place] += moving);

    let mut rules = Vec::new();
    // Edges by fact and sort.
    let mut edges = Vec::with_capacity(simple.literals.len());
    for instance in 0..simple.instances.len() {
        let (head, _, text) = simple.instances[instance];
        let (head, literals) = (at(head), simple.literals(instance));
        let mut unmet = 0;
        for &literal in literals {
            let (fact, not) = (at(literal / 2), literal & 1);
            let inside = group_of[fact as usize] == group_of[head as usize];
            if inside && not == 1 {
                let name = &ground.names.predicates[ground.atoms.head(builder.atoms[head as usize]) as usize].name;
                return Err(Fault::new(text, circle(name.trim_start_matches("part of "))));
            }
            unmet += 1 - not;
            let alone = literals.len() == 1;
            let sort = if inside { 4 } else { not } + if alone { 0 } else { 1 + u32::from(!inside) };
            let target = if alone { head } else { rules.len() as u32 };
            edges.push((fact * 6 + sort, target));
        }
        if literals.len() > 1 {
            rules.push((head, unmet));
        }
    }
    let (starts, targets) = rows(count * 6, &edges);
    drop(edges);
    let mut effects = vec![Effect::Nothing; count];
    let next = (0..ground.names.predicates.len() as u32).find(|&p| ground.names.kind(p) == Kind::Next).unwrap_or(0);
    let does = (0..ground.names.predicates.len() as u32).find(|&p| ground.names.kind(p) == Kind::Does).unwrap_or(0);
    let mut state = Vec::new();
    for (number, &atom) in interface.state.iter().enumerate() {
        effects[at(atom) as usize] = Effect::State(number as u32);
        let follows = builder.signal(ground.atoms.find(next, ground.atoms.arguments(atom)));
        if let Signal::Fact(place) = follows {
            effects[place as usize] = Effect::Next(number as u32);
        }
        state.push((at(atom), matches!(follows, Signal::Always)));
    }
    let mut moves = [Vec::new(), Vec::new()];
    for (role, legal) in interface.moves.iter().enumerate() {
        for (number, &atom) in legal.iter().enumerate() {
            let signal = builder.signal(Some(atom));
            if let Signal::Fact(place) = signal {
                effects[place as usize] = Effect::Legal(role as u8, number as u32);
            }
            let done = ground.atoms.find(does, ground.atoms.arguments(atom)).map(at).filter(|&place| place != NONE);
            moves[role].push((done, matches!(signal, Signal::Always)));
        }
    }
    let mut guarded = interface.moves.each_ref().map(|moves| vec![0; words(moves.len())]);
    for (role, guard) in guards.iter().enumerate() {
        let is_guarded = |atom: &u32| guard.as_ref().is_some_and(|guard| guard.moves.binary_search(atom).is_ok());
        for (number, _) in interface.moves[role].iter().enumerate().filter(|(_, atom)| is_guarded(atom)) {
            guarded[role][number / 64] |= 1 << (number % 64);
        }
    }
    let terminal = (0..ground.atoms.len() as u32)
        .find(|&atom| builder.ground.names.kind(ground.atoms.head(atom)) == Kind::Terminal);
    let goals = interface.goals.each_ref();
    let goals = goals.map(|of| of.iter().map(|&(value, atom)| (value, builder.signal(Some(atom)))).collect());
    Ok(Code {
        edges: (0..count).map(|fact| std::array::from_fn(|sort| starts[fact * 6 + sort])).collect(),
        targets,
        effects,
        levels,
        in_circle,
        moving,
        level_count: moving + highest[1] + 1,
        rules,
        state,
        moves,
        guards: guards
            .each_ref()
            .map(|guard| guard.as_ref().map_or(Signal::Always, |guard| builder.signal(Some(guard.fact)))),
        guarded,
        terminal: builder.signal(terminal),
        goals,
    })
}
