//! A net at work: which facts hold, kept up to date by what changes.
//!
//! A fact holds if a rule for it does, and a rule holds if no condition of it is unmet. Both are counted, so that a change
//! of a fact only touches the rules that have it. Facts are looked at level by level, and so change at most once.

use super::code::{Code, Effect, Signal};

/// A fact at work.
///
/// ```text
/// support  rules that hold and have the fact as their head
/// level    when it is looked at
/// on       whether it holds
/// waiting  whether it waits to be looked at
/// lost     whether a rule for it does not hold any more, for facts in a circle
/// before   whether it held before its circle was looked at, once it is touched
/// ```
#[derive(Clone, Copy)]
struct Fact {
    support: u32,
    level: u32,
    on: bool,
    waiting: bool,
    lost: bool,
    in_circle: bool,
    touched: bool,
    before: bool,
}

pub(super) struct Net {
    facts: Vec<Fact>,
    /// Conditions of each rule that do not hold, and its head.
    rules: Vec<(u32, u32)>,
    waiting: Vec<Vec<u32>>,
    /// Levels at which facts wait, as bits.
    pending: Vec<u64>,
    /// Facts of the position, as bits.
    pub state: Vec<u64>,
    /// Facts that differ between this position and the next one, as bits; right after [`Net::decide`].
    pub changes: Vec<u64>,
    /// Moves of both roles, as bits, those with a guard as if it was on; how many there are, without a guard and with one.
    moves: [Vec<u64>; 2],
    move_counts: [[u32; 2]; 2],
    does: [Option<u32>; 2],
    /// Edges followed so far.
    pub work: u64,
    touched: Vec<u32>,
    stack: Vec<u32>,
}

pub(super) fn words(bits: usize) -> usize {
    bits.div_ceil(64)
}

fn flip(bits: &mut [u64], bit: u32) {
    bits[bit as usize / 64] ^= 1 << (bit % 64);
}

/// The places of the bits of a set.
pub(super) fn bits(words: &[u64]) -> impl Iterator<Item = u32> + '_ {
    words.iter().enumerate().flat_map(|(place, &word)| bits_of(place, word))
}

/// The places of the bits of a word of a set.
fn bits_of(place: usize, mut word: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let bit = word.trailing_zeros();
        word &= word.wrapping_sub(1);
        (bit < 64).then_some(place as u32 * 64 + bit)
    })
}

impl Net {
    /// The net of a position in which nothing is true.
    pub fn new(code: &Code) -> Self {
        let fact = |place: usize| Fact {
            support: 0,
            level: code.levels[place],
            on: false,
            waiting: false,
            lost: false,
            touched: false,
            before: false,
            in_circle: code.in_circle[place],
        };
        let mut net = Self {
            facts: (0..code.levels.len()).map(fact).collect(),
            rules: code.rules.iter().map(|&(head, unmet)| (unmet, head)).collect(),
            waiting: vec![Vec::new(); code.level_count as usize],
            pending: vec![0; words(code.level_count as usize)],
            state: vec![0; words(code.state.len())],
            changes: vec![0; words(code.state.len())],
            moves: code.moves.each_ref().map(|moves| vec![0; words(moves.len())]),
            move_counts: [[0; 2]; 2],
            does: [None; 2],
            work: 0,
            touched: Vec::new(),
            stack: Vec::new(),
        };
        for (number, &(_, always)) in code.state.iter().enumerate() {
            if always {
                flip(&mut net.changes, number as u32);
            }
        }
        for (role, moves) in code.moves.iter().enumerate() {
            for (number, _) in moves.iter().enumerate().filter(|(_, legal)| legal.1) {
                flip(&mut net.moves[role], number as u32);
                net.move_counts[role][0] += 1;
            }
        }
        // Rules that hold because something is false.
        for place in 0..net.rules.len() {
            let (unmet, head) = net.rules[place];
            if unmet == 0 {
                net.support(head, true);
            }
        }
        for edges in &code.edges {
            for &head in &code.targets[edges[1] as usize..edges[2] as usize] {
                net.support(head, true);
            }
        }
        net.run(code, code.moving);
        net
    }

    /// One more rule for a fact, or one less.
    #[inline(always)]
    fn support(&mut self, head: u32, more: bool) {
        let fact = &mut self.facts[head as usize];
        fact.support = if more { fact.support + 1 } else { fact.support - 1 };
        fact.lost |= !more;
        let look = if fact.in_circle { fact.lost || !fact.on } else { (fact.support > 0) != fact.on };
        if look && !fact.waiting {
            fact.waiting = true;
            let level = fact.level as usize;
            self.pending[level / 64] |= 1 << (level % 64);
            self.waiting[level].push(head);
        }
    }

    #[inline(always)]
    fn rule(&mut self, rule: u32, met: bool) {
        let (unmet, head) = &mut self.rules[rule as usize];
        if met {
            *unmet -= 1;
            if *unmet == 0 {
                let head = *head;
                self.support(head, true);
            }
        } else {
            *unmet += 1;
            if *unmet == 1 {
                let head = *head;
                self.support(head, false);
            }
        }
    }

    /// Turns a fact on or off, and tells the rules that have it.
    fn toggle(&mut self, code: &Code, place: u32) {
        let fact = &mut self.facts[place as usize];
        fact.on = !fact.on;
        let on = fact.on;
        self.tell(code, place, on);
    }

    #[inline]
    fn tell(&mut self, code: &Code, place: u32, on: bool) {
        match code.effects[place as usize] {
            Effect::Nothing => {}
            Effect::State(number) => {
                flip(&mut self.state, number);
                flip(&mut self.changes, number);
            }
            Effect::Next(number) => flip(&mut self.changes, number),
            Effect::Legal(role, number) => {
                let role = usize::from(role);
                flip(&mut self.moves[role], number);
                let guarded = code.guarded[role][number as usize / 64] >> (number % 64) & 1;
                let count = &mut self.move_counts[role][guarded as usize];
                *count = if on { *count + 1 } else { *count - 1 };
            }
        }
        let edges = &code.edges[place as usize];
        let [first, not, rules, rules_not, end, ..] = edges.map(|edge| edge as usize);
        self.work += (end - first) as u64 + 1;
        for &head in &code.targets[first..not] {
            self.support(head, on);
        }
        for &head in &code.targets[not..rules] {
            self.support(head, !on);
        }
        for &rule in &code.targets[rules..rules_not] {
            self.rule(rule, on);
        }
        for &rule in &code.targets[rules_not..end] {
            self.rule(rule, !on);
        }
    }

    /// Looks at the facts that wait at levels below `end`.
    fn run(&mut self, code: &Code, end: u32) {
        let mut word = 0;
        while word < self.pending.len() {
            let pending = self.pending[word];
            if pending == 0 {
                word += 1;
                continue;
            }
            let level = word * 64 + pending.trailing_zeros() as usize;
            if level >= end as usize {
                return;
            }
            self.pending[word] &= pending - 1;
            let mut waiting = std::mem::take(&mut self.waiting[level]);
            if waiting.iter().any(|&place| self.facts[place as usize].in_circle) {
                self.circle(code, &waiting);
            }
            while let Some(place) = waiting.pop() {
                let fact = &mut self.facts[place as usize];
                fact.waiting = false;
                fact.lost = false;
                if !fact.in_circle && (fact.support > 0) != fact.on {
                    self.toggle(code, place);
                }
            }
            self.waiting[level] = waiting;
        }
    }

    /// Facts that support each other: what has lost a rule is taken back with all that follows from it, and then what
    /// still has a rule is put back.
    fn circle(&mut self, code: &Code, waiting: &[u32]) {
        for &place in waiting {
            let fact = self.facts[place as usize];
            if fact.in_circle && fact.lost && fact.on {
                self.turn(place, false);
            }
        }
        while let Some(place) = self.stack.pop() {
            self.inside(code, place, false);
        }
        let taken_back = self.touched.len();
        for number in 0..taken_back + waiting.len() {
            let place = if number < taken_back { self.touched[number] } else { waiting[number - taken_back] };
            let fact = self.facts[place as usize];
            if fact.in_circle && fact.support > 0 && !fact.on {
                self.turn(place, true);
            }
        }
        while let Some(place) = self.stack.pop() {
            self.inside(code, place, true);
        }
        let mut touched = std::mem::take(&mut self.touched);
        for place in touched.drain(..) {
            let fact = &mut self.facts[place as usize];
            fact.touched = false;
            let on = fact.on;
            if on != fact.before {
                self.tell(code, place, on);
            }
        }
        self.touched = touched;
    }

    /// Turns a fact in a circle on or off; others in the circle hear of it later, and all others in the end.
    fn turn(&mut self, place: u32, on: bool) {
        let fact = &mut self.facts[place as usize];
        if !fact.touched {
            fact.touched = true;
            fact.before = fact.on;
            self.touched.push(place);
        }
        fact.on = on;
        self.stack.push(place);
    }

    /// Tells the rules of the circle that a fact is on or off.
    fn inside(&mut self, code: &Code, place: u32, on: bool) {
        let [first, rules, end] = [4, 5, 6].map(|edge| code.edges[place as usize][edge] as usize);
        self.work += (end - first) as u64 + 1;
        for edge in first..end {
            let mut head = code.targets[edge];
            if edge >= rules {
                let (unmet, of) = &mut self.rules[head as usize];
                head = *of;
                *unmet = if on { *unmet - 1 } else { *unmet + 1 };
                if *unmet != u32::from(!on) {
                    continue;
                }
            }
            let fact = &mut self.facts[head as usize];
            fact.support = if on { fact.support + 1 } else { fact.support - 1 };
            if fact.on != on {
                self.turn(head, on);
            }
        }
    }

    /// Makes this the net of another position.
    pub fn go_to(&mut self, code: &Code, state: &[u64]) {
        for (word, &wanted) in state.iter().enumerate() {
            let mut different = self.state[word] ^ wanted;
            while different != 0 {
                let number = word * 64 + different.trailing_zeros() as usize;
                different &= different - 1;
                self.toggle(code, code.state[number].0);
            }
        }
        self.run(code, code.moving);
    }

    /// Works out what two moves change: afterwards it is in [`Net::changes`].
    pub fn decide(&mut self, code: &Code, moves: [u32; 2]) {
        for (role, made) in moves.into_iter().enumerate() {
            if self.does[role] == Some(made) {
                continue;
            }
            let before = self.does[role].replace(made);
            for number in before.into_iter().chain([made]) {
                if let Some(place) = code.moves[role][number as usize].0 {
                    self.toggle(code, place);
                }
            }
        }
        self.run(code, code.level_count);
    }

    /// Goes on to the position after the moves that were decided on.
    pub fn advance(&mut self, code: &Code) {
        for word in 0..self.changes.len() {
            let mut different = self.changes[word];
            while different != 0 {
                let number = word * 64 + different.trailing_zeros() as usize;
                different &= different - 1;
                self.toggle(code, code.state[number].0);
            }
        }
        self.run(code, code.moving);
    }

    pub fn holds(&self, signal: Signal) -> bool {
        match signal {
            Signal::Never => false,
            Signal::Always => true,
            Signal::Fact(place) => self.facts[place as usize].on,
        }
    }

    /// The goal of a role, if there is exactly one.
    pub fn goal(&self, code: &Code, role: usize) -> Option<i32> {
        let mut goals = code.goals[role].iter().filter(|&&(_, signal)| self.holds(signal)).map(|goal| goal.0);
        let first = goals.next();
        if goals.next().is_some() { None } else { first }
    }

    /// How many legal moves both roles have.
    pub fn counts(&self, code: &Code) -> [u32; 2] {
        [0, 1].map(|role| {
            let [free, guarded] = self.move_counts[role];
            if self.holds(code.guards[role]) { free + guarded } else { free }
        })
    }

    /// The legal moves of a role in words.
    #[inline(always)]
    fn legal_words(&self, code: &Code, role: usize) -> impl Iterator<Item = u64> {
        let closed = if self.holds(code.guards[role]) { 0 } else { u64::MAX };
        self.moves[role].iter().zip(&code.guarded[role]).map(move |(&moves, &guarded)| moves & !(guarded & closed))
    }

    /// The legal moves of a role.
    pub fn legal(&self, code: &Code, role: usize) -> impl Iterator<Item = u32> {
        self.legal_words(code, role).enumerate().flat_map(|(place, word)| bits_of(place, word))
    }

    pub fn is_legal(&self, code: &Code, role: usize, number: u32) -> bool {
        self.legal_words(code, role).nth(number as usize / 64).is_some_and(|word| word >> (number % 64) & 1 != 0)
    }

    /// The legal move of a role with this number among its legal moves.
    pub fn legal_move(&self, code: &Code, role: usize, mut number: u32) -> u32 {
        for (place, mut word) in self.legal_words(code, role).enumerate() {
            let count = word.count_ones();
            if number >= count {
                number -= count;
                continue;
            }
            (0..number).for_each(|_| word &= word - 1);
            return place as u32 * 64 + word.trailing_zeros();
        }
        0
    }
}

#[cfg(test)]
mod tests {
    use plyproof_core::Rng;

    use super::super::rules::game;
    use super::*;

    /// Whether every fact of two nets holds in both or in none, leaving out those that depend on moves.
    fn same(code: &Code, a: &Net, b: &Net) -> bool {
        let still = |place: &usize| code.levels[*place] < code.moving;
        (0..code.levels.len()).filter(still).all(|place| a.facts[place].on == b.facts[place].on)
    }

    #[test]
    fn a_net_kept_up_to_date_is_one_made_afresh() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data");
        for name in ["line.kif", "twice.kif", "points.kif", "paths.kif", "walks.kif", "frames.kif"] {
            let text = std::fs::read_to_string(folder.join(name)).expect("a rules file");
            let loaded = game(&text, true).expect("rules");
            let code = &loaded.shared.code;
            let (mut net, mut rng) = (Net::new(code), Rng::new(1));
            for _ in 0..30 {
                net.go_to(code, &loaded.start);
                while !net.holds(code.terminal) {
                    let moves = [0, 1]
                        .map(|role| net.legal_move(code, role, rng.below(net.counts(code)[role] as usize) as u32));
                    net.decide(code, moves);
                    let mut fresh = Net::new(code);
                    fresh.go_to(code, &net.state);
                    assert!(same(code, &net, &fresh), "{name}");
                    fresh.decide(code, moves);
                    assert_eq!(fresh.changes, net.changes, "{name}");
                    net.advance(code);
                }
            }
        }
    }
}
