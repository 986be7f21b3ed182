//! `table=FILE` among the parameters of an agent.
//!
//! Core reads no files, so the table is no business of its agents: the parameter is taken out of the text here, and the
//! agent plays a game that ends where the table knows the value.

use std::fmt;
use std::path::{Path, PathBuf};

use plyproof_core::TextError;
use plyproof_core::search::Agent;
use plyproof_core::spec::Spec;

use super::{TableError, attach};
use crate::any_game::AnyGame;
use crate::registry::Registry;

/// An agent and the table it looks into, if any: `df-pn(table=awari9.table)`.
#[derive(Clone, Debug, PartialEq)]
pub struct TabledAgent {
    /// The agent without the table.
    pub agent: Agent,
    /// The file of the table.
    pub table: Option<PathBuf>,
}

impl TabledAgent {
    /// Reads `name(param=value,…)`, in which `table=FILE` may be one of the parameters.
    pub fn parse(text: &str) -> Result<Self, TextError> {
        let mut spec = Spec::parse(text)?;
        let is_table = |argument: &(Option<String>, String)| argument.0.as_deref() == Some("table");
        let mut tables = spec.arguments.iter().filter(|argument| is_table(argument)).map(|(_, file)| file.clone());
        let (table, another) = (tables.next(), tables.next().is_some());
        drop(tables);
        let Some(file) = table else { return Ok(Self { agent: Agent::parse(text)?, table: None }) };
        spec.arguments.retain(|argument| !is_table(argument));
        let arguments: Vec<String> = spec
            .arguments
            .iter()
            .map(|(name, value)| name.as_ref().map_or(value.clone(), |name| format!("{name}={value}")))
            .collect();
        let agent = Agent::parse(&format!("{}({})", spec.name, arguments.join(",")))?;
        let refused = |why: String| Err(TextError::new(why));
        match agent.name() {
            _ if another => refused(format!("table is given twice for {}", agent.name())),
            _ if file.is_empty() => refused("table= needs the name of a file, as in table=awari9.table".to_string()),
            "random" | "minimax" => refused(format!("{} cannot use a table", agent.name())),
            _ => Ok(Self { agent, table: Some(PathBuf::from(file)) }),
        }
    }

    /// The game this agent searches: `game` itself, or one that ends where the table knows the value.
    pub fn view(&self, registry: &Registry, game: Box<dyn AnyGame>) -> Result<Box<dyn AnyGame>, TableError> {
        match &self.table {
            Some(path) => attach(registry, &*game, path),
            None => Ok(game),
        }
    }

    /// The file of the table.
    pub fn file(&self) -> Option<&Path> {
        self.table.as_deref()
    }
}

impl fmt::Display for TabledAgent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(file) = self.file() else { return self.agent.fmt(f) };
        let agent = self.agent.to_string();
        match agent.strip_suffix(')') {
            Some(rest) => write!(f, "{rest},table={})", file.display()),
            None => write!(f, "{agent}(table={})", file.display()),
        }
    }
}
