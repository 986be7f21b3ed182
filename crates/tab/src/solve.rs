//! Proofs, in the words of a search: how one stands, and what it came to.

use plyproof_engine::{ProofNumber, ProofNumbers, Solution, SolveProgress};
use serde_json::{Map, Value, json};

/// How it stands, as the head of an update.
pub fn solving(state: &SolveProgress) -> Map<String, Value> {
    let number = |n: ProofNumber| n.leaves().map_or(Value::from("inf"), Value::from);
    let seconds = state.elapsed.as_secs_f64();
    let rate = if seconds > 0.0 { (state.nodes as f64 / seconds).round() } else { 0.0 };
    let numbers = state.numbers.unwrap_or(ProofNumbers::UNKNOWN);
    let mut head = Map::new();
    head.insert("prover".to_string(), (state.goal.player.index() + 1).into());
    head.insert("numbers".to_string(), json!({"pn": number(numbers.pn), "dpn": number(numbers.dpn)}));
    head.insert("simulations".to_string(), state.nodes.into());
    head.insert("simulations_per_s".to_string(), rate.into());
    head.insert("seconds".to_string(), ((seconds * 1e3).round() / 1e3).into());
    head
}

/// What a proof has come to, in the words of a search.
pub fn solved(solution: &Solution) -> Map<String, Value> {
    let mut head = match serde_json::to_value(solution) {
        Ok(Value::Object(head)) => head,
        _ => Map::new(),
    };
    rename(&mut head, "nodes", "simulations");
    rename(&mut head, "nodes_per_s", "simulations_per_s");
    head
}

fn rename(head: &mut Map<String, Value>, old: &str, new: &str) {
    if let Some(value) = head.remove(old) {
        head.insert(new.to_string(), value);
    }
}

/// What a browser calls a certificate: `loa-size-5.cert`, and `-2` for the second proof of a draw.
pub fn certificate_name(game: &str, before: usize) -> String {
    let plain: String = game.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
    let mut name = plain.trim_matches('-').replace("--", "-");
    name.truncate(60);
    if before > 0 {
        name += &format!("-{}", before + 1);
    }
    name + ".cert"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn certificates_are_named_by_their_game() {
        assert_eq!(certificate_name("loa(size=5,both=mover)", 0), "loa-size-5-both-mover.cert");
        assert_eq!(certificate_name("../../etc", 1), "etc-2.cert");
    }
}
