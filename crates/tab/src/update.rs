//! What a tab is told of a search: only what is visible there and has changed since it was last told.

use std::collections::HashMap;

use plyproof_engine::{MoveReport, SearchReport, TreeNode};
use serde_json::{Map, Value, json};

use crate::protocol::{Role, View};
/// What a search has found and nobody has taken yet.
#[derive(Default)]
pub struct Found {
    /// The report so far.
    pub report: Option<SearchReport>,
    /// How a proof stands, in place of a report.
    pub proof: Option<Map<String, Value>>,
    /// Nodes of the tree.
    pub nodes: Option<Vec<TreeNode>>,
    /// Why the search failed inside.
    pub failure: Option<String>,
}

/// What was told of one search so far.
pub struct SentState {
    id: u64,
    role: Role,
    /// Whether the agent chooses by a sum of terms, if it searches with a tree.
    adds_up: bool,
    /// Whether this search has a tree, as soon as it is known: an agent that judges positions may do without.
    tree: Option<bool>,
    view: View,
    head: Map<String, Value>,
    rows: HashMap<String, Value>,
    nodes: HashMap<Vec<String>, Value>,
}

impl SentState {
    /// A search of which nothing was told yet. `adds_up` says whether the agent chooses by a sum of terms.
    pub fn new(id: u64, role: Role, adds_up: bool, view: View) -> Self {
        Self { id, role, adds_up, tree: None, view, head: Map::new(), rows: HashMap::new(), nodes: HashMap::new() }
    }

    /// The message for what was found; none if nothing of it is new.
    pub fn message(&mut self, found: &Found) -> Option<String> {
        if let Some(failure) = &found.failure {
            return Some(json!({"id": self.id, "role": self.role, "error": failure}).to_string());
        }
        let mut message = Map::new();
        // The root is always among the nodes of a search that has a tree.
        self.tree = found.nodes.as_ref().map(|nodes| !nodes.is_empty()).or(self.tree);
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

    /// The nodes to ask a search for: the root, which says whether there is a tree, and what is visible of it.
    pub fn wanted(view: &View) -> Vec<Vec<String>> {
        let root = (!view.nodes.contains(&Vec::new())).then(Vec::new);
        root.into_iter().chain(view.nodes.iter().cloned()).collect()
    }

    /// Another view: what becomes visible by it is told anew.
    pub fn set_view(&mut self, view: View) {
        self.nodes.retain(|path, _| view.nodes.contains(path));
        self.view = view;
    }

    fn head(&mut self, report: &SearchReport) -> Map<String, Value> {
        let Ok(Value::Object(mut whole)) = serde_json::to_value(report) else { return Map::new() };
        whole.remove("moves");
        whole.insert("adds_up".to_string(), (self.adds_up && self.tree != Some(false)).into());
        whole.insert("tree".to_string(), json!(self.tree));
        if self.view.why {
            let names = report.moves.iter().find_map(|found| found.terms.as_ref());
            let names: Option<Vec<&str>> = names.map(|terms| terms.parts.iter().map(|part| &*part.0).collect());
            whole.insert("terms".to_string(), json!(names));
            let next: Vec<&MoveReport> = report.moves.iter().filter(|found| found.next).collect();
            let only = if let [only] = next[..] { Some(&only.text) } else { None };
            whole.insert("next".to_string(), json!({"count": next.len(), "move": only}));
        }
        self.changed(whole)
    }

    /// What of a head is not known yet.
    fn changed(&mut self, mut whole: Map<String, Value>) -> Map<String, Value> {
        whole.retain(|name, value| self.head.get(name) != Some(value));
        self.head.extend(whole.clone());
        whole
    }

    /// Rows are lists, `[move, visits, mean, pn, dpn, rank, least, most, at_most, terms]`: there may be hundreds, ten times a second.
    /// Terms are a list too: the score, and the terms that the head names. Only what is visible is told; a row that no
    /// longer is loses its terms, so that all terms on the page are of one moment.
    fn rows(&mut self, report: &SearchReport) -> Vec<Value> {
        let why = self.view.why;
        let single = why && report.moves.iter().filter(|found| found.next).count() == 1;
        let mut changed = Vec::new();
        for (place, found) in report.moves.iter().enumerate() {
            let visible = place < self.view.moves || found.value.is_some() || single && found.next;
            let had_terms = || self.rows.get(&found.text).is_some_and(|row| row[9].is_array());
            if !visible && !had_terms() {
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
                u8::from(found.at_most),
            ]);
            if let (Value::Array(row), Some(terms)) = (&mut row, &found.terms)
                && why
                && visible
            {
                let parts = terms.parts.iter().map(|part| part.1);
                row.push(std::iter::once(terms.score).chain(parts).map(rounded).collect());
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
        for node in nodes.iter().filter(|node| !node.path.is_empty() || self.view.nodes.contains(&node.path)) {
            let Ok(mut value) = serde_json::to_value(node) else { continue };
            // The page shows the terms of the root alone, which come with the rows.
            for child in value["children"].as_array_mut().into_iter().flatten().filter_map(Value::as_object_mut) {
                child.remove("terms");
                child.remove("next");
            }
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
        searched("knightthrough", "pn-mcts", simulations)
    }

    fn searched(game: &str, agent: &str, simulations: u64) -> SearchReport {
        let agent = Agent::parse(agent).expect("an agent");
        let game = Registry::builtin().open(game).expect("a game");
        let budget = Budget::simulations(simulations);
        game.search(&agent, &budget, 1, &AtomicBool::new(false), &mut |_| {}).expect("no file is missing")
    }

    fn sent(state: &mut SentState, report: SearchReport) -> Option<Value> {
        let found = Found { report: Some(report), ..Found::default() };
        state.message(&found).map(|text| serde_json::from_str::<Value>(&text).expect("JSON")["search"].clone())
    }

    #[test]
    fn only_what_changed_and_can_be_seen_is_told() {
        let view = View { moves: 5, ..View::default() };
        let mut seen = SentState::new(9, Role::Analyse, false, view);
        let first = report(500);
        let message = sent(&mut seen, first.clone()).expect("news");
        assert_eq!((&message["id"], &message["role"]), (&json!(9), &json!("analyse")));
        assert_eq!(message["rows"].as_array().map(Vec::len), Some(5));
        assert_eq!(message["rows"][0][0], json!(first.moves[0].text));
        assert_eq!(message["head"]["simulations"], json!(500));
        assert_eq!(sent(&mut seen, first.clone()), None, "nothing is new");
        let mut later = first.clone();
        (later.simulations, later.moves[1].visits) = (501, later.moves[1].visits + 1);
        let message = sent(&mut seen, later).expect("news");
        assert_eq!(message["head"], json!({"simulations": 501}));
        assert_eq!(message["rows"].as_array().map(Vec::len), Some(1));
    }

    #[test]
    fn a_search_without_a_tree_says_so_and_adds_up_no_terms() {
        let root =
            TreeNode { path: vec![], mover: 1, kind: None, visits: 50, pn: None, dpn: None, children: Vec::new() };
        for (nodes, tree) in [(vec![], false), (vec![root], true)] {
            let mut seen = SentState::new(1, Role::Analyse, true, View::default());
            let found = Found { report: Some(report(50)), nodes: Some(nodes), ..Found::default() };
            let text = seen.message(&found).expect("news");
            let message = serde_json::from_str::<Value>(&text).expect("JSON")["search"].clone();
            assert_eq!((&message["head"]["tree"], &message["head"]["adds_up"]), (&json!(tree), &json!(tree)));
            assert_eq!(message["nodes"], Value::Null, "nobody looks at the root");
            // The last report comes without nodes.
            assert_eq!(sent(&mut seen, report(51)).expect("news")["head"]["tree"], Value::Null, "it is as before");
        }
    }

    #[test]
    fn terms_come_when_they_are_looked_at() {
        let mut seen = SentState::new(1, Role::Analyse, true, View { moves: 100, ..View::default() });
        let report = report(500);
        let message = sent(&mut seen, report.clone()).expect("news");
        assert_eq!((message["rows"][0].as_array().map(Vec::len), &message["head"]["terms"]), (Some(9), &Value::Null));
        seen.set_view(View { moves: 100, why: true, ..View::default() });
        let message = sent(&mut seen, report.clone()).expect("the terms are new");
        assert_eq!(message["head"]["terms"], json!(["mean", "exploration", "rank"]));
        let row = message["rows"][0][9].as_array().expect("terms");
        let numbers: Vec<f64> = row.iter().filter_map(Value::as_f64).collect();
        assert!(numbers.len() == 4 && (numbers[0] - numbers[1..].iter().sum::<f64>()).abs() < 3e-4, "{row:?}");
        let next: Vec<&str> = report.moves.iter().filter(|found| found.next).map(|found| &*found.text).collect();
        assert_eq!(message["head"]["next"], json!({"count": 1, "move": next[0]}));
        seen.set_view(View { moves: 100, ..View::default() });
        let message = sent(&mut seen, report).expect("the terms are gone");
        assert_eq!(message["rows"][0].as_array().map(Vec::len), Some(9));
    }

    #[test]
    fn the_next_move_is_told_wherever_it_stands_and_no_terms_are_left_from_before() {
        let mut seen = SentState::new(1, Role::Analyse, true, View { moves: 3, why: true, ..View::default() });
        let mut shown: HashMap<String, bool> = HashMap::new();
        for simulations in (200..400).step_by(7) {
            let report = searched("gomoku(size=11)", "plyproof(prove=off)", simulations);
            let message = sent(&mut seen, report.clone()).expect("news");
            for row in message["rows"].as_array().into_iter().flatten() {
                shown.insert(row[0].as_str().expect("a move").to_string(), row[9].is_array());
            }
            let with_terms = || shown.iter().filter(|row| *row.1).map(|row| row.0.as_str());
            let next: Vec<&MoveReport> = report.moves.iter().filter(|found| found.next).collect();
            if let [only] = next[..] {
                assert!(with_terms().any(|text| text == only.text), "{} is next: {shown:?}", only.text);
            }
            let visible = |text: &str| {
                let decided = report.moves.iter().filter(|found| found.value.is_some());
                report.moves.iter().take(3).chain(decided).chain(next.iter().copied()).any(|found| found.text == text)
            };
            assert!(with_terms().all(visible), "after {simulations} simulations: {shown:?}");
        }
    }
}
