//! `plyproof engine`: plyproof behind an engine protocol, and a test of the engines of others.

use std::io::{self, BufWriter, ErrorKind};
use std::time::Duration;

use plyproof_engine::Registry;
use plyproof_engine::units::{parse_duration, parse_size};
use plyproof_protocols::{CheckTask, EngineCommand, Protocol, Setup, check_engine, serve};

use crate::input::{memory, threads, whole};
use crate::output::{self, Done, Failure};

/// Be an engine for other programs (UGI, USI, UCI, Gomocup, GTP), or test an engine
#[derive(clap::Args)]
#[command(
    after_help = "Commands are read from standard input, and answers go to standard output, until the other program says that it \
    has enough. The protocol is recognised by the first line. docs/engines.md lists the commands of each protocol and \
    says how to add plyproof to the programs that run engines.\n\
    With --check, plyproof tests an engine instead: how it greets, whether it answers during a search, stops, keeps its \
    time, and survives positions and commands that are wrong. The exit code is 1 if something fails.\n\n\
    Examples:\n  \
    plyproof engine\n  \
    plyproof engine --protocol gtp --game \"hex(size=9)\" --agent pn-mcts\n  \
    plyproof engine --check \"plyproof engine\" --protocol ugi --game loa\n  \
    uci2wb -s \"plyproof engine\""
)]
pub struct Arguments {
    /// Protocol: ugi, usi, uci, gomocup or gtp [default: recognised by the first line]
    #[arg(long, value_name = "P", value_parser = protocol)]
    protocol: Option<Protocol>,
    /// Game with its parameters [default: loa for ugi, minishogi for usi and uci, gomoku for gomocup and gtp]
    #[arg(long, value_name = "G")]
    game: Option<String>,
    /// Agent with its parameters, as in "pn-mcts(pn=2)"
    #[arg(long, value_name = "SPEC", default_value = "plyproof")]
    agent: String,
    /// Threads that search
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = threads)]
    threads: usize,
    /// Memory for the tree, as in 512MB [default: a quarter of the machine's]
    #[arg(long, value_name = "M", value_parser = parse_size)]
    memory: Option<u64>,
    /// Seed of the random numbers
    #[arg(long, value_name = "S", default_value_t = 1, value_parser = whole)]
    seed: u64,
    /// Test the engine that this command line starts, instead of being one
    #[arg(long, value_name = "CMD", requires = "protocol")]
    check: Option<String>,
    /// Options for the engine that is tested, as in UCI_Variant=minishogi
    #[arg(long, value_name = "NAME=VALUE", requires = "check")]
    option: Vec<String>,
    /// How long the tested engine may take for what needs no search
    #[arg(long, value_name = "T", default_value = "10s", value_parser = parse_duration, requires = "check")]
    patience: Duration,
}

fn protocol(text: &str) -> Result<Protocol, String> {
    Protocol::parse(text).map_err(|error| error.to_string())
}

pub fn run(registry: &Registry, arguments: &Arguments) -> Done {
    if let (Some(command), Some(protocol)) = (&arguments.check, arguments.protocol) {
        return check(registry, arguments, command, protocol);
    }
    let setup = Setup {
        registry: registry.clone(),
        game: arguments.game.clone(),
        agent: arguments.agent.clone(),
        threads: arguments.threads,
        memory: memory(arguments.memory)?,
        seed: arguments.seed,
    };
    let served = serve(&setup, arguments.protocol, io::stdin(), BufWriter::new(io::stdout()));
    served.map_err(|error| match error.kind() {
        ErrorKind::InvalidInput => Failure::Misused(error.to_string()),
        _ => Failure::failed(error),
    })
}

fn check(registry: &Registry, arguments: &Arguments, command: &str, protocol: Protocol) -> Done {
    let options = arguments.option.iter().map(|option| {
        let both = option.split_once('=').map(|(name, value)| (name.to_string(), value.to_string()));
        both.ok_or_else(|| Failure::Misused(format!("--option {option} is not of the form NAME=VALUE")))
    });
    let options = options.collect::<Result<Vec<_>, _>>()?;
    let command = EngineCommand::parse(command).map_err(Failure::misused)?;
    let game = registry.open(arguments.game.as_deref().unwrap_or(protocol.usual_game())).map_err(Failure::misused)?;
    let task = CheckTask { command, protocol, game, options, patience: arguments.patience };
    let report = check_engine(&task, &mut |line| output::print(&format!("{line}\n")).is_ok());
    let failed = report.failed();
    match failed {
        0 => Ok(()),
        1 => Err(Failure::Failed("1 check failed".to_string())),
        _ => Err(Failure::Failed(format!("{failed} checks failed"))),
    }
}
