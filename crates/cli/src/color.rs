//! Colours on a terminal, for those who want them.

use std::io::{self, IsTerminal};

/// When to use colours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum Color {
    /// On a terminal, unless the environment variable NO_COLOR is set
    #[default]
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

impl Color {
    /// Whether standard output gets colours.
    pub fn is_on(self) -> bool {
        let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
        let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
        match self {
            Self::Always => true,
            Self::Never => false,
            Self::Auto => !set("NO_COLOR") && !dumb && io::stdout().is_terminal(),
        }
    }
}
