//! What a tab is told of a search: only what is visible there and has changed since it was last told.

use std::collections::HashMap;

use plyproof_engine::{SearchReport, TreeNode};
use serde_json::{Map, Value, json};

use crate::protocol::{Role, View};
use crate::why::Formula;
use crate::worker::Found;

/// What was told of one search so far.
pub(crate) struct Told {
    id: u64,
    role: Role,
    formula: Option<Formula>,
    pub view: View,
    head: Map<String, Value>,
    rows: HashMap<String, Value>,
    nodes: HashMap<Vec<String>, Value>,
}

impl Told {
    pub(crate) fn nothing(id: u64, role: Role, formula: Option<Formula>, view: View) -> Self {
        Self { id, role, formula, view, head: Map::new(), rows: HashMap::new(), nodes: HashMap::new() }
    }

    /// The message for what was found; none if nothing of it is new.
    pub(crate) fn message(&mut self, found: &Found) -> Option<String> {
        if let Some(failure) = &found.failure {
            return Some(json!({"id": self.id, "role": self.role, "error": failure}).to_string());
        }
        let mut message = Map::new();
        if let Some(report) = &found.report {
            let head = self.head(report);
            if !head.is_empty() {
                message.insert("head".to_string(), head.into());
            }
            let rows = self.rows(report);
            if !rows.is_empty() {
                message.insert("rows".to_string(), rows.into());
            }
        }
        if let Some(proof) = &found.proof {
            let head = self.changed(proof.clone());
            if !head.is_empty() {
                message.insert("head".to_string(), head.into());
            }
        }
        if let Some(nodes) = &found.nodes {
            let nodes = self.nodes(nodes);
            if !nodes.is_empty() {
                message.insert("nodes".to_string(), nodes.into());
            }
        }
        if message.is_empty() {
            return None;
        }
        message.insert("id".to_string(), self.id.into());
        message.insert("role".to_string(), json!(self.role));
        Some(json!({ "search": message }).to_string())
    }

    /// Another view: what becomes visible by it is told anew.
    pub(crate) fn look(&mut self, view: View) {
        self.nodes.retain(|path, _| view.nodes.contains(path));
        if view.why != self.view.why {
            self.rows.clear();
        }
        self.view = view;
    }

    fn head(&mut self, report: &SearchReport) -> Map<String, Value> {
        let Ok(Value::Object(mut whole)) = serde_json::to_value(report) else { return Map::new() };
        whole.remove("moves");
        whole.insert(
            "formula".to_string(),
            self.formula.is_some_and(|formula| formula.tells(report.moves.len())).into(),
        );
        self.changed(whole)
    }

    /// What of a head is not known yet.
    fn changed(&mut self, mut whole: Map<String, Value>) -> Map<String, Value> {
        whole.retain(|name, value| self.head.get(name) != Some(value));
        self.head.extend(whole.clone());
        whole
    }

    /// Rows are lists, `[move, visits, mean, pn, dpn, rank, least, most, terms]`: there may be hundreds, ten times a second.
    fn rows(&mut self, report: &SearchReport) -> Vec<Value> {
        let terms = self.formula.filter(|_| self.view.why).map(|formula| formula.terms(report));
        let mut changed = Vec::new();
        for (place, found) in report.moves.iter().enumerate() {
            let decided = found.value.is_some();
            if place >= self.view.moves && !decided {
                continue;
            }
            let number = |n: Option<plyproof_engine::ProofNumber>| match n.map(plyproof_engine::ProofNumber::leaves) {
                None => Value::Null,
                Some(None) => "inf".into(),
                Some(Some(leaves)) => leaves.into(),
            };
            let mut row = json!([
                found.text,
                found.visits,
                rounded(found.mean),
                number(found.pn),
                number(found.dpn),
                found.rank,
                found.bounds.least.value(),
                found.bounds.most.value(),
            ]);
            if let (Some(terms), Value::Array(row)) = (&terms, &mut row) {
                row.push(terms[place].map_or(Value::Null, |terms| json!(terms.map(rounded))));
            }
            if self.rows.get(&found.text) != Some(&row) {
                self.rows.insert(found.text.clone(), row.clone());
                changed.push(row);
            }
        }
        changed
    }

    fn nodes(&mut self, nodes: &[TreeNode]) -> Vec<Value> {
        let mut changed = Vec::new();
        for node in nodes {
            let Ok(value) = serde_json::to_value(node) else { continue };
            if self.nodes.get(&node.path) != Some(&value) {
                self.nodes.insert(node.path.clone(), value.clone());
                changed.push(value);
            }
        }
        changed
    }
}

/// Four digits are more than anybody sees.
fn rounded(value: f64) -> f64 {
    (value * 1e4).round() / 1e4
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use plyproof_engine::{Agent, Budget, Registry};

    use super::*;

    fn report(simulations: u64) -> SearchReport {
        let agent = Agent::parse("pn-mcts").expect("an agent");
        let game = Registry::builtin().open("knightthrough").expect("a game");
        game.search(&agent, &Budget::simulations(simulations), 1, &AtomicBool::new(false), &mut |_| {})
    }

    fn told(told: &mut Told, report: SearchReport) -> Option<Value> {
        let found = Found { report: Some(report), ..Found::default() };
        told.message(&found).map(|text| serde_json::from_str::<Value>(&text).expect("JSON")["search"].clone())
    }

    #[test]
    fn only_what_changed_and_can_be_seen_is_told() {
        let view = View { moves: 5, ..View::default() };
        let mut seen = Told::nothing(9, Role::Analyse, None, view);
        let first = report(500);
        let message = told(&mut seen, first.clone()).expect("news");
        assert_eq!((&message["id"], &message["role"]), (&json!(9), &json!("analyse")));
        assert_eq!(message["rows"].as_array().map(Vec::len), Some(5));
        assert_eq!(message["rows"][0][0], json!(first.moves[0].text));
        assert_eq!(message["head"]["simulations"], json!(500));
        assert_eq!(told(&mut seen, first.clone()), None, "nothing is new");
        let mut later = first.clone();
        (later.simulations, later.moves[1].visits) = (501, later.moves[1].visits + 1);
        let message = told(&mut seen, later).expect("news");
        assert_eq!(message["head"], json!({"simulations": 501}));
        assert_eq!(message["rows"].as_array().map(Vec::len), Some(1));
    }

    #[test]
    fn terms_come_when_they_are_looked_at() {
        let formula = Formula::of(&Agent::parse("pn-mcts").expect("an agent"));
        let mut seen = Told::nothing(1, Role::Analyse, formula, View { moves: 100, ..View::default() });
        let report = report(500);
        let message = told(&mut seen, report.clone()).expect("news");
        assert_eq!(message["rows"][0].as_array().map(Vec::len), Some(8));
        seen.look(View { moves: 100, why: true, ..View::default() });
        let message = told(&mut seen, report).expect("the terms are new");
        assert_eq!(message["rows"][0][8].as_array().map(Vec::len), Some(3));
    }
}
