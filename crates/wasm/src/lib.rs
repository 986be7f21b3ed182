//! The engine as a WebAssembly module without any glue: JSON in, JSON out, through the module's memory.
//!
//! [`answer`] is all there is; `exports.rs` lends it to JavaScript:
//!
//! ```text
//! input  = plyproof_alloc(length)            room for the request, to be filled with UTF-8
//! answer = plyproof_call(input, length)      takes the request back, returns where the answer is
//! length = plyproof_length()                 how long that answer is
//!          plyproof_free(answer, length)     gives it back
//! ```
//!
//! The module imports two functions: `plyproof.now`, milliseconds since a moment that stays the same, as
//! `performance.now` counts them; and `plyproof.tell(address, length)`, which hears of a search of the page while it runs,
//! as UTF-8 that it may read until it returns.

mod clock;
mod exports;
mod tab;

use std::sync::atomic::AtomicBool;
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use plyproof_engine::certificate::{self, Limits};
use plyproof_engine::{Agent, Aim, AnyGame, Budget, Registry, SolveTask};
use serde::Deserialize;
use serde_json::{Value, json};

/// Bytes for a search, a proof or a check when nothing is said: browsers give a page a few hundred megabytes.
const MEMORY: u64 = 256 << 20;

/// What is asked for: `{"call": "search", "game": "loa", …}`.
#[derive(Deserialize)]
#[serde(tag = "call", rename_all = "lowercase")]
enum Request {
    /// A report of the position.
    Search(Question),
    /// The exact value of the position, and the certificates that prove it.
    Solve(Question),
    /// Whether a certificate holds.
    Verify(Check),
    /// A message of the workbench's page, as a server would get it.
    Tab {
        /// The message.
        message: plyproof_tab::Request,
    },
}

/// A position, and what may be used to find out about it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Question {
    game: String,
    /// The rules of the game, if it is read from a text.
    rules: Option<String>,
    /// Where to begin, if not at the start of the game; then these moves are played.
    position: Option<String>,
    #[serde(default)]
    moves: Vec<String>,
    agent: Option<String>,
    seed: Option<u64>,
    /// Simulations or nodes.
    simulations: Option<u64>,
    milliseconds: Option<u64>,
    /// Bytes.
    memory: Option<u64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Check {
    /// Its text, not compressed.
    certificate: String,
    /// Bytes.
    memory: Option<u64>,
    /// The game whose rules are read from a text, and the text, if the certificate is about one.
    game: Option<String>,
    rules: Option<String>,
}

/// Answers one request, given as JSON: a report as `plyproof search --json` has it, a solution with its
/// `certificates`, or the `claim` of a certificate that holds. What cannot be answered gives `{"error": "…"}`.
pub fn answer(request: &str) -> String {
    let answered = serde_json::from_str(request).map_err(|error| format!("the request: {error}")).and_then(answered);
    answered.unwrap_or_else(|error| json!({ "error": error })).to_string()
}

fn answered(request: Request) -> Result<Value, String> {
    // Compiled rules are kept from one request to the next.
    static REGISTRY: LazyLock<Registry> = LazyLock::new(|| Registry::builtin().without_files());
    let registry = &*REGISTRY;
    match request {
        Request::Tab { message } => tab::answered(registry, message, &mut exports::tell),
        Request::Search(question) => {
            let (game, agent, budget) = (question.game(registry)?, question.agent("plyproof")?, question.budget()?);
            let seed = question.seed.unwrap_or(1);
            let report = game.search(&agent, &budget, seed, &AtomicBool::new(false), &mut |_| {});
            let report = report.map_err(|error| error.to_string())?;
            serde_json::to_value(report).map_err(|error| error.to_string())
        }
        Request::Solve(question) => {
            let (game, agent, budget) = (question.game(registry)?, question.agent("df-pn")?, question.budget()?);
            if !agent.solves() {
                return Err(format!("{agent} proves nothing; df-pn does"));
            }
            let seed = question.seed.unwrap_or(1);
            let task = SolveTask { agent: &agent, aim: Aim::Value, all_moves: false, proofs: true, budget, seed };
            solved(&*game, &task)
        }
        Request::Verify(Check { certificate, memory, game, rules }) => {
            let registry = plyproof_tab::registry_with(registry, game.as_deref().unwrap_or("-"), rules.as_deref())?;
            let bytes: Arc<[u8]> = certificate.into_bytes().into();
            let stop = AtomicBool::new(false);
            let limits = Limits { memory: memory.unwrap_or(MEMORY), stop: &stop, progress: &mut |_| {} };
            let checked = certificate::verify_bytes(&registry, &bytes, limits).map_err(|error| error.to_string())?;
            Ok(json!({ "claim": checked.header.claim(), "entries": checked.header.entries }))
        }
    }
}

fn solved(game: &dyn AnyGame, task: &SolveTask<'_>) -> Result<Value, String> {
    let mut certificates = Vec::new();
    let solution = game.solve(task, &AtomicBool::new(false), &mut |_| {}, &mut |head, entries| {
        let text = certificate::text(game, head, entries).map_err(|error| error.to_string())?;
        certificates.push(text);
        Ok(())
    });
    let solution = solution.map_err(|error| error.to_string())?;
    let mut answer = serde_json::to_value(solution).map_err(|error| error.to_string())?;
    answer["certificates"] = certificates.into();
    Ok(answer)
}

impl Question {
    fn game(&self, registry: &Registry) -> Result<Box<dyn AnyGame>, String> {
        let registry = plyproof_tab::registry_with(registry, &self.game, self.rules.as_deref())?;
        let mut game = registry.open(&self.game).map_err(|error| error.to_string())?;
        if let Some(position) = &self.position {
            game = game.parse_position(position).map_err(|error| error.to_string())?;
        }
        for (ply, text) in self.moves.iter().enumerate() {
            game.play(text).map_err(|error| format!("move {}: {error}", ply + 1))?;
        }
        Ok(game)
    }

    fn agent(&self, default: &str) -> Result<Agent, String> {
        Agent::parse(self.agent.as_deref().unwrap_or(default)).map_err(|error| error.to_string())
    }

    /// Nobody can stop a search in here, so that one without an end is refused.
    fn budget(&self) -> Result<Budget, String> {
        if self.simulations.is_none() && self.milliseconds.is_none() {
            return Err("no simulations and no milliseconds are given, and nobody could end it; give one".to_string());
        }
        let memory = usize::try_from(self.memory.unwrap_or(MEMORY)).unwrap_or(usize::MAX);
        Ok(Budget {
            simulations: self.simulations,
            time: self.milliseconds.map(Duration::from_millis),
            memory: Some(memory),
            clock: clock::source(),
            ..Budget::default()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ask(request: Value) -> Value {
        serde_json::from_str(&answer(&request.to_string())).expect("an answer is JSON")
    }

    #[test]
    fn what_cannot_be_answered_is_refused_in_words() {
        let refused = |request: Value, part: &str| {
            let error = ask(request)["error"].as_str().expect("an error").to_string();
            assert!(error.contains(part), "{error}");
        };
        assert!(answer("{").contains("the request: "));
        refused(json!({"call": "guess"}), "unknown variant `guess`");
        refused(json!({"call": "search", "game": "lao", "simulations": 1}), "did you mean loa");
        refused(json!({"call": "search", "game": "loa"}), "give one");
        refused(json!({"call": "search", "game": "loa", "sims": 1}), "unknown field `sims`");
        refused(json!({"call": "search", "game": "tictactoe", "moves": ["a1", "a1"], "simulations": 1}), "move 2: ");
        refused(json!({"call": "solve", "game": "loa", "agent": "mcts", "simulations": 1}), "proves nothing");
        refused(json!({"call": "verify", "certificate": "no"}), "line 1");
    }

    #[test]
    fn a_proof_is_checked_by_the_certificate_that_comes_with_it() {
        let solution =
            ask(json!({"call": "solve", "game": "tictactoe", "moves": ["a1", "a2"], "simulations": 100_000}));
        assert_eq!(solution["value"], "win");
        let certificate = solution["certificates"][0].as_str().expect("a certificate");
        let checked = ask(json!({"call": "verify", "certificate": certificate}));
        assert!(checked["claim"].as_str().is_some_and(|claim| claim.ends_with("the first player wins")), "{checked}");
        let (head, _) = certificate.trim_end().rsplit_once('\n').expect("lines");
        let cut = ask(json!({"call": "verify", "certificate": head}));
        assert!(cut["error"].is_string(), "{cut}");
    }
}
