//! plyproof on the command line. One file a command; each reads its arguments, asks `plyproof-lab`, and prints.

mod agents;
mod bench;
mod bench_search;
mod experiment;
mod games;
mod input;
mod interrupt;
mod listing;
mod matches;
mod output;
mod perft;
mod progress;
mod puzzles;
mod replay;
mod report;
mod search;
mod serve;
mod show;
mod solve;
mod summary_text;
mod sweep;
mod table;
mod tournament;
mod verify;

use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};

use crate::output::Done;

#[derive(Parser)]
#[command(
    name = "plyproof",
    version,
    about = "Plays, proves and measures two-player board games.",
    after_help = "A game is a name with parameters, as in \"breakthrough(size=5x6)\"; quote it for the shell.\n\
        Exit codes: 0 fine, 1 failed, 2 misused, 130 interrupted, 143 terminated."
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
    Search(search::Arguments),
    Solve(solve::Arguments),
    Puzzles(puzzles::Arguments),
    Match(matches::Arguments),
    Tournament(tournament::Arguments),
    Report(report::Arguments),
    Sweep(sweep::Arguments),
    Experiment(experiment::Arguments),
    Perft(perft::Arguments),
    Replay(replay::Arguments),
    Table(table::Arguments),
    Verify(verify::Arguments),
    Bench(bench::Arguments),
    Serve(serve::Arguments),
}

const FIRST_STEPS: &str = "\
plyproof plays, proves and measures two-player board games.

First commands to try:
  plyproof games                            every game, its rules and parameters
  plyproof agents                           every way to search
  plyproof show knightthrough               the board and the legal moves
  plyproof search loa --sims 20000          the best move, and what is proven
  plyproof solve tictactoe                  the exact value of a position
  plyproof serve --open                     the workbench: play, analyse and prove in a browser
  plyproof match                            pn-mcts against mcts at Lines of Action
  plyproof perft breakthrough 4 --divide    count positions, move by move
  plyproof bench playouts                   random games a second, game by game
  plyproof help                             all commands; every command has --help
";

fn main() -> ExitCode {
    let read = command().try_get_matches().and_then(|matches| Arguments::from_arg_matches(&matches));
    output::exit_code(match read {
        Ok(arguments) => run(arguments),
        Err(error) => output::usage(&error),
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
    with_negatives(Arguments::command())
}

fn run(arguments: Arguments) -> Done {
    match arguments.command {
        None => output::print(FIRST_STEPS),
        Some(Command::Games(arguments)) => games::run(&arguments),
        Some(Command::Agents(arguments)) => agents::run(&arguments),
        Some(Command::Show(arguments)) => show::run(&arguments),
        Some(Command::Search(arguments)) => search::run(&arguments),
        Some(Command::Solve(arguments)) => solve::run(&arguments),
        Some(Command::Puzzles(arguments)) => puzzles::run(&arguments),
        Some(Command::Match(arguments)) => matches::run(&arguments),
        Some(Command::Tournament(arguments)) => tournament::run(&arguments),
        Some(Command::Report(arguments)) => report::run(&arguments),
        Some(Command::Sweep(arguments)) => sweep::run(&arguments),
        Some(Command::Experiment(arguments)) => experiment::run(&arguments),
        Some(Command::Perft(arguments)) => perft::run(&arguments),
        Some(Command::Replay(arguments)) => replay::run(&arguments),
        Some(Command::Table(arguments)) => table::run(&arguments),
        Some(Command::Verify(arguments)) => verify::run(&arguments),
        Some(Command::Bench(arguments)) => bench::run(&arguments),
        Some(Command::Serve(arguments)) => serve::run(&arguments),
    }
}
