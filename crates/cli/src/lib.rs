//! The command line of plyproof. Each command has one file, which reads the arguments, calls `plyproof-engine` or
//! `plyproof-lab`, and prints the answer.
//!
//! A program with games of its own gets every command, the workbench included, by adding the games to the registry:
//! `plyproof::main_with(&registry)` is the whole of its `main`.

mod agents;
mod analyse;
mod balance;
mod bench;
mod bench_search;
mod color;
mod convert;
mod engine;
mod evaluate;
mod experiment;
mod files;
mod games;
mod input;
mod interrupt;
mod listing;
mod manuals;
mod matches;
mod output;
mod perft;
mod play;
mod progress;
mod puzzles;
mod replay;
mod report;
mod rules;
mod search;
mod serve;
mod show;
mod site;
mod solve;
mod summary_text;
mod sweep;
mod table;
mod terminal;
mod tournament;
mod train;
mod verify;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};

use plyproof_engine::Registry;

use crate::output::Done;

#[derive(Parser)]
#[command(
    name = "plyproof",
    version,
    about = "Plays, proves and measures two-player board games.",
    after_help = "A game is a name with parameters, as in \"breakthrough(size=5x6)\", or a rules file, as in \
        \"rules/mine.rbg(size=7)\"; quote it for the shell. Counts may be written as 1000, 1_000, 1e3, 10k or 1M.\n\n\
        Exit codes:\n  \
        0    the command did what it was asked to do\n  \
        1    the command failed, or the answer is no: a file cannot be read or\n       \
        written, a certificate does not hold, recorded games differ from the\n       \
        rules, a value stays unknown within the limits\n  \
        2    the command line is wrong: an unknown command, option, game or agent,\n       \
        a text that is not a position, an illegal move\n  \
        130  interrupted by Ctrl-C; the results so far are printed\n  \
        143  terminated by SIGTERM, as after Ctrl-C"
)]
struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    Games(games::Arguments),
    Agents(agents::Arguments),
    Show(show::Arguments),
    Play(play::Arguments),
    Search(search::Arguments),
    Solve(solve::Arguments),
    Analyse(analyse::Arguments),
    Puzzles(puzzles::Arguments),
    Match(matches::Arguments),
    Tournament(tournament::Arguments),
    Report(report::Arguments),
    Sweep(sweep::Arguments),
    Balance(balance::Arguments),
    Experiment(experiment::Arguments),
    Perft(perft::Arguments),
    Replay(replay::Arguments),
    Rules(rules::Arguments),
    Convert(convert::Arguments),
    Table(table::Arguments),
    Train(train::Arguments),
    Eval(evaluate::Arguments),
    Verify(verify::Arguments),
    Bench(bench::Arguments),
    Serve(serve::Arguments),
    Site(site::Arguments),
    Engine(engine::Arguments),
    Completions(manuals::Completions),
    Man(manuals::Man),
}

const FIRST_STEPS: &str = "\
plyproof plays, proves and measures two-player board games.

First commands to try:
  plyproof games                            every game, its rules and parameters
  plyproof agents                           every agent and its parameters
  plyproof show knightthrough               the board and the legal moves
  plyproof search loa --sims 20000          the best move, and what is proven
  plyproof play connect4                    play against the program
  plyproof solve tictactoe                  the exact value of a position
  plyproof train breakthrough --time 10min  learn an evaluation by self-play
  plyproof serve --open                     the workbench: play, analyse and prove in a browser
  plyproof match                            pn-mcts against mcts at Lines of Action
  plyproof perft breakthrough 4 --divide    count lines of play, move by move
  plyproof rules check mine.rbg             what a rules file of yours says and how it plays
  plyproof bench playouts                   random play-outs per second, game by game
  plyproof help                             all commands; every command has --help
";

/// Runs the command line of this process with the games of `registry`, and returns the exit code.
pub fn main_with(registry: &Registry) -> ExitCode {
    let read = command().try_get_matches().and_then(|matches| Arguments::from_arg_matches(&matches));
    output::exit_code(match read {
        Ok(arguments) => run(registry, arguments),
        Err(error) => output::usage(&error, &helping(&command(), std::env::args_os().skip(1))),
    })
}

/// The commands with their arguments. A negative number is a value everywhere, so that the one who reads it can say what
/// would be right; otherwise it is taken for an unknown option.
fn command() -> clap::Command {
    fn with_negatives(command: clap::Command) -> clap::Command {
        command
            .mut_args(|arg| if arg.get_action().takes_values() { arg.allow_negative_numbers(true) } else { arg })
            .mut_subcommands(with_negatives)
    }
    // Examples are at most 80 columns wide, so that none is broken; longer lines than 100 columns are hard to read.
    let columns = terminal::watched_columns().unwrap_or(WIDEST_HELP);
    with_negatives(Arguments::command()).term_width(columns.clamp(NARROWEST_HELP, WIDEST_HELP))
}

/// Columns of help at least and at most.
const NARROWEST_HELP: usize = 80;
const WIDEST_HELP: usize = 100;

/// The command line for the help on what was called: `plyproof bench search --help`.
fn helping(command: &clap::Command, arguments: impl Iterator<Item = OsString>) -> String {
    let (mut at, mut path) = (command, command.get_name().to_string());
    for argument in arguments {
        let Some(next) = argument.to_str().and_then(|name| at.find_subcommand(name)) else { break };
        path += &format!(" {}", next.get_name());
        at = next;
    }
    path + " --help"
}

fn run(registry: &Registry, arguments: Arguments) -> Done {
    match arguments.command {
        None => output::print(FIRST_STEPS),
        Some(Command::Games(arguments)) => games::run(registry, &arguments),
        Some(Command::Agents(arguments)) => agents::run(&arguments),
        Some(Command::Show(arguments)) => show::run(registry, &arguments),
        Some(Command::Play(arguments)) => play::run(registry, &arguments),
        Some(Command::Analyse(arguments)) => analyse::run(registry, &arguments),
        Some(Command::Balance(arguments)) => balance::run(registry, &arguments),
        Some(Command::Convert(arguments)) => convert::run(registry, &arguments),
        Some(Command::Completions(arguments)) => manuals::completions(&arguments),
        Some(Command::Man(arguments)) => manuals::man(&arguments),
        Some(Command::Search(arguments)) => search::run(registry, &arguments),
        Some(Command::Solve(arguments)) => solve::run(registry, &arguments),
        Some(Command::Puzzles(arguments)) => puzzles::run(registry, &arguments),
        Some(Command::Match(arguments)) => matches::run(registry, &arguments),
        Some(Command::Tournament(arguments)) => tournament::run(registry, &arguments),
        Some(Command::Report(arguments)) => report::run(&arguments),
        Some(Command::Sweep(arguments)) => sweep::run(registry, &arguments),
        Some(Command::Experiment(arguments)) => experiment::run(registry, &arguments),
        Some(Command::Perft(arguments)) => perft::run(registry, &arguments),
        Some(Command::Replay(arguments)) => replay::run(registry, &arguments),
        Some(Command::Rules(arguments)) => rules::run(&arguments),
        Some(Command::Table(arguments)) => table::run(registry, &arguments),
        Some(Command::Train(arguments)) => train::run(registry, &arguments),
        Some(Command::Eval(arguments)) => evaluate::run(registry, &arguments),
        Some(Command::Verify(arguments)) => verify::run(registry, &arguments),
        Some(Command::Bench(arguments)) => bench::run(registry, &arguments),
        Some(Command::Serve(arguments)) => serve::run(registry, &arguments),
        Some(Command::Site(arguments)) => site::run(registry, &arguments),
        Some(Command::Engine(arguments)) => engine::run(registry, &arguments),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every command with what is typed to call it.
    fn commands() -> Vec<(String, clap::Command)> {
        fn add(all: &mut Vec<(String, clap::Command)>, path: &str, command: &clap::Command) {
            all.push((path.to_string(), command.clone()));
            for below in command.get_subcommands() {
                add(all, &format!("{path} {}", below.get_name()), below);
            }
        }
        let mut all = Vec::new();
        add(&mut all, "plyproof", &command());
        all
    }

    fn footer(command: &clap::Command) -> String {
        command.get_after_help().map(ToString::to_string).unwrap_or_default()
    }

    #[test]
    fn a_footer_is_broken_by_the_terminal_alone() {
        for (path, command) in commands() {
            for line in footer(&command).lines().filter(|line| !line.starts_with("  ")) {
                assert!(line.is_empty() || line.ends_with(['.', ':']), "{path}: a line ends in mid-sentence: {line}");
            }
        }
    }

    #[test]
    fn no_example_is_broken_in_mid_command() {
        for (path, command) in commands() {
            for line in footer(&command).lines().filter(|line| line.starts_with("  ")) {
                assert!(line.chars().count() <= NARROWEST_HELP, "{path}: {line}");
            }
        }
    }

    #[test]
    fn help_is_as_wide_as_the_terminal_within_limits() {
        for columns in [NARROWEST_HELP, WIDEST_HELP] {
            let mut command = command().term_width(columns);
            command.build();
            let below = command.find_subcommand_mut("experiment").expect("a command");
            let help = below.render_help().to_string();
            let widest = help.lines().map(|line| line.chars().count()).max();
            assert!(widest.is_some_and(|widest| (columns - 10..=columns).contains(&widest)), "{columns}: {help}");
            let text: String = help.split_whitespace().collect::<Vec<_>>().join(" ");
            assert!(
                text.contains(
                    "in the paper's time, which keeps the overhead of the paper's program; the mode time gives"
                ),
                "{help}"
            );
        }
    }

    #[test]
    fn an_error_names_the_help_of_the_command_that_was_called() {
        let named = |line: &str| helping(&command(), line.split(' ').map(OsString::from));
        assert_eq!(named("search loa --simz 5"), "plyproof search --help");
        assert_eq!(named("bench search --game"), "plyproof bench search --help");
        assert_eq!(named("serch loa"), "plyproof --help");
    }
}
