//! Lists of numbers, each kept once and known by its place: terms and atoms.

/// A table of pairs of a head and arguments.
///
/// ```text
/// nodes    head and start of the arguments; the next node's start is their end
/// slots    places of nodes + 1 by hash, with open addressing; a power of two, at most half full
/// ```
#[derive(Clone)]
pub(super) struct Table {
    nodes: Vec<(u32, u32)>,
    arguments: Vec<u32>,
    slots: Vec<u32>,
}

/// A hash of numbers, for tables that no adversary can fill: limits keep them small.
pub(super) fn hash(head: u32, arguments: &[u32]) -> u64 {
    let mix = |hash: u64, word: u32| (hash ^ u64::from(word)).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29);
    let hash = arguments.iter().fold(mix(0x51_7cc1, head), |hash, &word| mix(hash, word));
    hash ^ hash >> 32
}

impl Default for Table {
    fn default() -> Self {
        Self { nodes: vec![], arguments: vec![], slots: vec![0; 64] }
    }
}

impl Table {
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    pub fn head(&self, node: u32) -> u32 {
        self.nodes[node as usize].0
    }

    pub fn arguments(&self, node: u32) -> &[u32] {
        let start = self.nodes[node as usize].1 as usize;
        let end = self.nodes.get(node as usize + 1).map_or(self.arguments.len(), |next| next.1 as usize);
        &self.arguments[start..end]
    }

    pub fn find(&self, head: u32, arguments: &[u32]) -> Option<u32> {
        let mask = self.slots.len() - 1;
        let mut slot = hash(head, arguments) as usize & mask;
        while self.slots[slot] > 0 {
            let node = self.slots[slot] - 1;
            if self.head(node) == head && self.arguments(node) == arguments {
                return Some(node);
            }
            slot = (slot + 1) & mask;
        }
        None
    }

    /// The place of this pair, which is new if it is the greatest so far.
    pub fn intern(&mut self, head: u32, arguments: &[u32]) -> u32 {
        if let Some(node) = self.find(head, arguments) {
            return node;
        }
        let node = self.nodes.len() as u32;
        self.nodes.push((head, self.arguments.len() as u32));
        self.arguments.extend_from_slice(arguments);
        if self.nodes.len() * 2 > self.slots.len() {
            let mut slots = vec![0; self.slots.len() * 4];
            (0..=node).for_each(|node| insert(&mut slots, node, hash(self.head(node), self.arguments(node))));
            self.slots = slots;
        } else {
            insert(&mut self.slots, node, hash(head, arguments));
        }
        node
    }
}

fn insert(slots: &mut [u32], node: u32, hash: u64) {
    let mask = slots.len() - 1;
    let mut slot = hash as usize & mask;
    while slots[slot] > 0 {
        slot = (slot + 1) & mask;
    }
    slots[slot] = node + 1;
}
