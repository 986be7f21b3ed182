//! Proofs: a position solved on a thread of its own, and the certificates that come of it, kept for as long as the tab.

use std::collections::HashMap;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use plyproof_engine::{Agent, Aim, AnyGame, Budget, ProofHead, SolveTask, certificate};
use plyproof_tab::{certificate_name, solved, solving};
use serde_json::{Map, Value, json};

use crate::lease::{Leased, Pool};

/// Largest certificate that is kept, in gzipped bytes.
pub(crate) const LARGEST: usize = 64 << 20;

/// A certificate that can be fetched by its key while somebody holds this.
pub(crate) struct Certificate {
    pub packed: Leased,
    /// What a browser calls the file.
    pub name: String,
}

/// A certificate that is being sent.
pub(crate) struct Held(pub Arc<Certificate>);

impl AsRef<[u8]> for Held {
    fn as_ref(&self) -> &[u8] {
        self.0.packed.as_ref()
    }
}

/// Certificates by their keys. The keys are random: knowing one is having been told.
pub(crate) struct Archive {
    pool: Arc<Pool>,
    kept: Mutex<HashMap<String, Weak<Certificate>>>,
}

impl Archive {
    /// What is kept takes its memory from `pool`.
    pub(crate) fn new(pool: &Arc<Pool>) -> Self {
        Self { pool: Arc::clone(pool), kept: Mutex::default() }
    }

    /// Keeps a certificate for as long as the returned pointer lives.
    fn keep(&self, certificate: Certificate) -> (String, Arc<Certificate>) {
        let random = || RandomState::new().build_hasher().finish();
        let key = format!("{:016x}{:016x}", random(), random());
        let certificate = Arc::new(certificate);
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.retain(|_, old| old.strong_count() > 0);
        kept.insert(key.clone(), Arc::downgrade(&certificate));
        (key, certificate)
    }

    pub(crate) fn find(&self, key: &str) -> Option<Arc<Certificate>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner).get(key)?.upgrade()
    }
}

/// Solves a position. `tell` hears how it stands, in the same words as of a search; the certificates live as long as what
/// is returned.
pub(crate) fn solve(
    game: &dyn AnyGame,
    agent: &Agent,
    budget: &Budget,
    stop: &AtomicBool,
    archive: &Archive,
    tell: &mut dyn FnMut(Map<String, Value>),
) -> Vec<Arc<Certificate>> {
    let task = SolveTask { agent, aim: Aim::Value, all_moves: false, proofs: true, budget: budget.clone(), seed: 1 };
    let (mut kept, mut listed) = (Vec::new(), Vec::new());
    let mut sink = |claim: &ProofHead, lines: &mut dyn Iterator<Item = (String, String)>| {
        let lease = archive.pool.lend_at_most(LARGEST as u64);
        let most = usize::try_from(lease.bytes()).unwrap_or(LARGEST);
        let bytes = certificate::packed(game, claim, lines, most).map_err(|error| error.to_string())?;
        let size = bytes.len();
        let name = certificate_name(&game.name(), kept.len()) + ".gz";
        let (key, certificate) = archive.keep(Certificate { packed: Leased::new(bytes, lease), name: name.clone() });
        kept.push(certificate);
        let (player, goal, entries) = (claim.player.index() + 1, claim.claim.to_string(), claim.entries);
        listed
            .push(json!({"key": key, "name": name, "player": player, "goal": goal, "entries": entries, "bytes": size}));
        Ok(())
    };
    let solution = game.solve(&task, stop, &mut |state| tell(solving(state)), &mut sink);
    let solution = solution.unwrap_or_else(|error| unreachable!("the agent was checked: {error}"));
    let mut head = solved(&solution);
    head.insert("certificates".to_string(), listed.into());
    tell(head);
    kept
}

#[cfg(test)]
mod tests {
    use plyproof_engine::Registry;
    use plyproof_engine::certificate::{Limits, verify_bytes};

    use super::*;

    #[test]
    fn a_proof_can_be_fetched_while_it_is_held_and_holds() {
        let pool = Pool::new(1 << 30);
        let archive = Archive::new(&pool);
        let game =
            Registry::builtin().open("tictactoe").expect("a game").parse_position("x.x/.o./o.. x").expect("a position");
        let agent = Agent::parse("df-pn").expect("an agent");
        let budget = Budget { memory: Some(16 << 20), ..Budget::default() };
        let stop = AtomicBool::new(false);
        let mut last = Map::new();
        let held = solve(&*game, &agent, &budget, &stop, &archive, &mut |head| last = head);
        assert_eq!((&last["value"], &last["stopped"]), (&json!("win"), &json!("proven")));
        assert_eq!(last["line"].as_array().map(Vec::len), Some(1));
        let key = last["certificates"][0]["key"].as_str().expect("a key").to_string();
        let found = archive.find(&key).expect("held");
        assert_eq!(found.name, "tictactoe.cert.gz");
        let bytes: Arc<[u8]> = found.packed.as_ref().into();
        assert_eq!(pool.lent(), bytes.len() as u64, "the certificate counts against the budget");
        let limits = Limits { memory: 1 << 20, stop: &stop, progress: &mut |_| {} };
        let checked = verify_bytes(&Registry::builtin(), &bytes, limits).expect("it holds");
        assert!(checked.header.claim().contains("the first player wins"), "{}", checked.header.claim());
        drop((held, found));
        assert!(archive.find(&key).is_none() && pool.is_whole());
    }

    #[test]
    fn a_proof_without_memory_for_its_certificate_says_so() {
        let pool = Pool::new(64);
        let archive = Archive::new(&pool);
        let game =
            Registry::builtin().open("tictactoe").expect("a game").parse_position("x.x/.o./o.. x").expect("a position");
        let agent = Agent::parse("df-pn").expect("an agent");
        let budget = Budget { memory: Some(16 << 20), ..Budget::default() };
        let mut last = Map::new();
        let held = solve(&*game, &agent, &budget, &AtomicBool::new(false), &archive, &mut |head| last = head);
        assert!(held.is_empty() && pool.is_whole());
        assert_eq!((&last["value"], &last["certificates"]), (&json!("win"), &json!([])));
    }
}
