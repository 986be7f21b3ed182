//! Games and agents listed with their parameters, for people and as JSON.

use plyproof_engine::{Described, Parameter};
use serde::Serialize;

use crate::output::wrapped;

/// A parameter as JSON has it.
#[derive(Serialize)]
pub struct ListedParameter<'a> {
    name: &'a str,
    default: &'a str,
    allowed: String,
    help: &'a str,
}

/// All parameters of a game or an agent.
pub fn parameters(described: &Described) -> Vec<ListedParameter<'_>> {
    let listed = described.parameters.iter().map(|Parameter { name, default, kind, help }| {
        let allowed = kind.to_string();
        ListedParameter { name, default, allowed, help }
    });
    listed.collect()
}

/// The parameters of one game or agent: default, what is allowed, and what it does, within 100 columns.
pub fn table(parameters: &[ListedParameter<'_>]) -> String {
    let mut text = String::new();
    for ListedParameter { name, default, allowed, help } in parameters {
        text += &format!("  {name}={default}\n");
        let help: Vec<String> = help.split_whitespace().map(str::to_string).collect();
        text += &wrapped("      allowed: ", &[allowed.to_string()]);
        if !help.is_empty() {
            text += &wrapped("      ", &help);
        }
    }
    text
}

/// A line for each, and one for each of its parameters; at the end how to give others, as in `example`.
pub fn text(all: &[&Described], example: &str) -> String {
    let widest = all.iter().map(|described| described.name.len()).max().unwrap_or_default();
    let mut text = String::new();
    for described in all {
        text += &format!("{:widest$}  {}\n", described.name, described.summary);
        for parameter in &described.parameters {
            let given = format!("{}={}", parameter.name, parameter.default);
            text += &format!("{:widest$}    {given:16} {}", "", parameter.kind);
            text += &if parameter.help.is_empty() { "\n".to_string() } else { format!(": {}\n", parameter.help) };
        }
    }
    text + &format!("\nThe values shown are the defaults; give others in parentheses, as in \"{example}\".\n")
}
