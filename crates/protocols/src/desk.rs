//! What an engine knows between two commands: its options, the game and the position, and the searcher with its memory.

use plyproof_core::TextError;
use plyproof_engine::tables::TabledAgent;
use plyproof_engine::{Agent, AnyGame, AnySearcher, Budget, Registry, quoted};

/// How an engine is set up before the first command.
#[derive(Clone, Debug)]
pub struct Setup {
    /// The games it plays.
    pub registry: Registry,
    /// The game, if one is named; else the protocol's usual one.
    pub game: Option<String>,
    /// The agent.
    pub agent: String,
    /// Threads that search.
    pub threads: usize,
    /// Bytes for the tree.
    pub memory: usize,
    /// Where randomness starts.
    pub seed: u64,
}

impl Setup {
    /// Most threads that an option may ask for.
    pub const MOST_THREADS: usize = 1024;

    /// The agent `plyproof` on one thread with a quarter of a gigabyte.
    pub fn new(registry: Registry) -> Self {
        Self { registry, game: None, agent: "plyproof".to_string(), threads: 1, memory: 1 << 28, seed: 1 }
    }
}

/// The state of an engine.
pub(crate) struct Desk {
    setup: Setup,
    agent: TabledAgent,
    /// The start position of the game.
    start: Box<dyn AnyGame>,
    /// Where the search starts.
    position: Box<dyn AnyGame>,
    /// What was wrong with the last position that was sent; there is nothing to search then.
    fault: Option<String>,
    /// The searcher, unless a search has it, and the view of the game that it searches.
    searcher: Option<Box<dyn AnySearcher>>,
    view: Box<dyn AnyGame>,
    /// Searches of this game so far, for their seeds.
    searches: u64,
}

impl Desk {
    pub(crate) fn new(setup: &Setup, usual_game: &str) -> Result<Self, TextError> {
        let start = setup.registry.open(setup.game.as_deref().unwrap_or(usual_game))?;
        let agent = TabledAgent::parse(&setup.agent)?;
        let view = view_of(&setup.registry, &agent, &*start)?;
        let (position, setup) = (start.clone_box(), setup.clone());
        Ok(Self { setup, agent, start, position, fault: None, searcher: None, view, searches: 0 })
    }

    pub(crate) fn registry(&self) -> &Registry {
        &self.setup.registry
    }

    pub(crate) fn start(&self) -> &dyn AnyGame {
        &*self.start
    }

    pub(crate) fn position(&self) -> &dyn AnyGame {
        &*self.position
    }

    pub(crate) fn fault(&self) -> Option<&str> {
        self.fault.as_deref()
    }

    pub(crate) fn agent(&self) -> &Agent {
        &self.agent.agent
    }

    pub(crate) fn setup(&self) -> &Setup {
        &self.setup
    }

    /// A budget with the memory and the threads of the options.
    pub(crate) fn budget(&self) -> Budget {
        Budget { memory: Some(self.setup.memory), threads: self.setup.threads, ..Budget::default() }
    }

    /// Plays another game from now on.
    pub(crate) fn open(&mut self, game: &str) -> Result<(), TextError> {
        let start = self.setup.registry.open(game)?;
        let view = view_of(&self.setup.registry, &self.agent, &*start)?;
        self.position = start.clone_box();
        (self.start, self.view, self.searcher, self.fault) = (start, view, None, None);
        Ok(())
    }

    /// A game begins: nothing of the game before matters.
    pub(crate) fn new_game(&mut self) {
        self.position = self.start.clone_box();
        (self.fault, self.searches) = (None, 0);
        if let Some(searcher) = &mut self.searcher {
            searcher.forget();
        }
    }

    /// The next search starts from here.
    pub(crate) fn set_position(&mut self, position: Box<dyn AnyGame>) {
        (self.position, self.fault) = (position, None);
    }

    /// There is no position to search, because what was sent is wrong.
    pub(crate) fn set_fault(&mut self, why: String) {
        self.fault = Some(why);
    }

    /// Plays a legal move.
    pub(crate) fn play(&mut self, text: &str) -> Result<(), TextError> {
        self.position.play(text)
    }

    /// Sets one of the options that every protocol has, by its name in any case. The error says what would be right.
    pub(crate) fn set_option(&mut self, name: &str, value: &str) -> Result<(), TextError> {
        let number = |least: u64, most: u64| {
            let number = value.parse().ok().filter(|number| (least..=most).contains(number));
            number.ok_or_else(|| TextError::new(format!("{name} is {least} to {most}, not {}", quoted(value))))
        };
        match name.to_ascii_lowercase().as_str() {
            "game" => self.open(value)?,
            "agent" => {
                let agent = TabledAgent::parse(value)?;
                self.view = view_of(&self.setup.registry, &agent, &*self.start)?;
                (self.agent, self.searcher) = (agent, None);
            }
            "threads" => self.setup.threads = number(1, Setup::MOST_THREADS as u64)? as usize,
            "hash" | "usi_hash" => {
                self.setup.memory = usize::try_from(number(1, MOST_MEGABYTES)? << 20).unwrap_or(usize::MAX);
                self.searcher = None;
            }
            "seed" => self.setup.seed = number(0, u64::MAX)?,
            _ => {
                let known = ["Game", "Agent", "Threads", "Hash", "Seed"];
                return Err(plyproof_core::spec::unknown_name("option", name, known));
            }
        }
        Ok(())
    }

    /// What a search of the position needs.
    pub(crate) fn lend(&mut self) -> Result<Lent, TextError> {
        let seen = match self.agent.file() {
            Some(_) => self.view.parse_position(&self.position.position_text())?,
            None => self.position.clone_box(),
        };
        let searcher = self.searcher.take().filter(|searcher| searcher.game() == seen.name());
        let seed = plyproof_core::mix64(self.setup.seed ^ plyproof_core::mix64(self.searches));
        self.searches += 1;
        Ok(Lent { searcher: searcher.unwrap_or_else(|| seen.searcher()), position: seen, seed })
    }

    /// Takes the searcher back, for the next position of this game.
    pub(crate) fn give_back(&mut self, searcher: Box<dyn AnySearcher>) {
        self.searcher = Some(searcher);
    }
}

/// What a search is lent.
pub(crate) struct Lent {
    /// To be given back.
    pub(crate) searcher: Box<dyn AnySearcher>,
    /// The position as it is to be searched.
    pub(crate) position: Box<dyn AnyGame>,
    pub(crate) seed: u64,
}

/// Most megabytes that the option Hash takes.
pub(crate) const MOST_MEGABYTES: u64 = 1 << 20;

/// The game as the agent searches it. An error if its table or its evaluation cannot be used.
fn view_of(registry: &Registry, agent: &TabledAgent, game: &dyn AnyGame) -> Result<Box<dyn AnyGame>, TextError> {
    let view = agent.view(registry, game.clone_box()).map_err(|error| TextError::new(error.to_string()))?;
    view.check_evaluation(&agent.agent)?;
    Ok(view)
}
