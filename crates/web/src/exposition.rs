//! How a proof by jobs stands, in the text format of Prometheus (version 0.0.4).

use std::fmt::Write;

use plyproof_engine::ProofNumber;
use plyproof_engine::job_line::JobStanding;

/// What the format calls itself.
pub(crate) const KIND: &str = "text/plain; version=0.0.4; charset=utf-8";

/// All metrics.
pub(crate) fn text(game: &str, seconds: f64, standing: &JobStanding) -> String {
    let JobStanding { done, flying, stale, lost, refused, retried, shared, restarts, .. } = *standing;
    let JobStanding { nodes, positions, bytes, workers, busy, player, numbers, saved, value, .. } = *standing;
    let mut text = Exposition(String::new());
    let version = env!("CARGO_PKG_VERSION");
    let labels = format!("{{game=\"{}\",version=\"{version}\"}}", escaped(game));
    text.metric("plyproof_proof_info", "gauge", "The game that is solved, and by which version.", &labels, "1");
    for (name, help, count) in [
        ("jobs_done", "Jobs whose result was used.", done),
        ("jobs_late", "Jobs whose result came too late, or twice.", stale),
        ("jobs_lost", "Jobs that were lost.", lost),
        ("jobs_refused", "Results that cannot be those of their job.", refused),
        ("jobs_retried", "Jobs handed out again after the one before was lost or refused.", retried),
        ("answers_shared", "Positions of the tree that a job for another position has decided.", shared),
        ("restarts", "How often the search went on from a checkpoint.", restarts),
        ("nodes", "Positions opened by jobs.", nodes),
    ] {
        text.metric(&format!("plyproof_{name}_total"), "counter", help, "", &count.to_string());
    }
    for (name, help, number) in [
        ("jobs_in_flight", "Jobs whose results are waited for.", flying),
        ("workers", "Workers that there are.", workers),
        ("workers_busy", "Workers that have a job.", busy),
        ("tree_positions", "Positions in the tree of the coordinator.", positions),
        ("tree_bytes", "Bytes of that tree, roughly.", bytes),
        ("solved", "1 if the value is known, otherwise 0.", u64::from(value.is_some())),
    ] {
        text.metric(&format!("plyproof_{name}"), "gauge", help, "", &number.to_string());
    }
    if let (Some(player), Some(numbers)) = (player, numbers) {
        let labels = format!("{{player=\"{player}\"}}");
        let number = |n: ProofNumber| n.leaves().map_or_else(|| "+Inf".to_string(), |n| n.to_string());
        let [pn, dpn] = [number(numbers.pn), number(numbers.dpn)];
        let help = "Proof number of the root: does this player win?";
        text.metric("plyproof_root_proof_number", "gauge", help, &labels, &pn);
        let help = "Disproof number of the root: does this player win?";
        text.metric("plyproof_root_disproof_number", "gauge", help, &labels, &dpn);
    }
    if let Some(saved) = saved {
        let help = "Time since the state was saved.";
        text.metric("plyproof_checkpoint_age_seconds", "gauge", help, "", &saved.to_string());
    }
    let help = "Time that the search has taken, in all processes together.";
    text.metric("plyproof_elapsed_seconds", "gauge", help, "", &seconds.to_string());
    text.0
}

struct Exposition(String);

impl Exposition {
    fn metric(&mut self, name: &str, kind: &str, help: &str, labels: &str, value: &str) {
        // Writing to a text does not fail.
        let _ = write!(self.0, "# HELP {name} {help}\n# TYPE {name} {kind}\n{name}{labels} {value}\n");
    }
}

/// The value of a label.
fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}

#[cfg(test)]
mod tests {
    use plyproof_engine::ProofNumbers;

    use super::*;

    #[test]
    fn every_metric_has_a_help_and_a_type_before_its_one_sample() {
        let numbers = Some(ProofNumbers { pn: ProofNumber::finite(3), dpn: ProofNumber::INFINITE });
        let standing = JobStanding { done: 7, player: Some(1), numbers, saved: Some(1.5), ..JobStanding::default() };
        let text = text("a \"game\"\\\n", 2.25, &standing);
        assert!(text.ends_with('\n'));
        let lines: Vec<&str> = text.lines().collect();
        for group in lines.chunks(3) {
            let [help, kind, sample] = group else { panic!("{group:?}") };
            let name = sample.split(['{', ' ']).next().expect("a name");
            assert!(help.strip_prefix(&format!("# HELP {name} ")).is_some_and(|help| help.ends_with(['.', '?'])));
            let counts = if name.ends_with("_total") { "counter" } else { "gauge" };
            assert_eq!(*kind, format!("# TYPE {name} {counts}"));
            let value = sample.rsplit(' ').next().expect("a value");
            assert!(value == "+Inf" || value.parse::<f64>().is_ok(), "{sample}");
        }
        for sample in [
            "plyproof_jobs_done_total 7",
            "plyproof_root_proof_number{player=\"1\"} 3",
            "plyproof_root_disproof_number{player=\"1\"} +Inf",
            "plyproof_checkpoint_age_seconds 1.5",
            "plyproof_elapsed_seconds 2.25",
        ] {
            assert!(lines.contains(&sample), "{sample} is missing in {text}");
        }
        assert!(lines[2].starts_with("plyproof_proof_info{game=\"a \\\"game\\\"\\\\\\n\","), "{}", lines[2]);
    }
}
