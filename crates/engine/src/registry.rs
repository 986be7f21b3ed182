//! Games by name: a value that every front end is given, and that a program can add its own games to.

use std::fmt;
use std::sync::Arc;

use plyproof_core::spec::{Described, Params, Spec, unknown_name};
use plyproof_core::{Game, Indexing, TextError, quoted};
use plyproof_games::amazons::{AMAZONS, Amazons};
use plyproof_games::awari::{AWARI, Awari};
use plyproof_games::clobber::{CLOBBER, Clobber};
use plyproof_games::connect4::{CONNECT4, Connect4};
use plyproof_games::domineering::{DOMINEERING, Domineering};
use plyproof_games::hex::{HEX, Hex};
use plyproof_games::in_a_row::{GOMOKU, InARow, MNK, TICTACTOE};
use plyproof_games::loa::{LOA, Loa};
use plyproof_games::minishogi::{MINISHOGI, MiniShogi};
use plyproof_games::othello::{OTHELLO, Othello};
use plyproof_games::through::{BREAKTHROUGH, KNIGHTTHROUGH, Through};

use plyproof_games::awari::Endgames;
use plyproof_games::loa::Boards;
use plyproof_verify::RulesId;

use crate::any_game::{AnyGame, erase};
use crate::tables::{Indexed, TableFamily};

/// A game that can be opened by name: its public face, the identity of its rules, and how to open it.
#[derive(Clone)]
pub struct GameEntry {
    described: Arc<Described>,
    rules: RulesId,
    open: Arc<Opener>,
    tables: Option<Arc<dyn TableFamily>>,
}

type Opener = dyn Fn(&Params, &RulesId) -> Result<Box<dyn AnyGame>, TextError> + Send + Sync;

impl GameEntry {
    /// A game whose start position `start` makes from checked parameters.
    ///
    /// `rules` goes up, or is another digest, whenever a value could change: proofs under other rules are refused.
    pub fn new<G: Game>(
        described: impl Into<Arc<Described>>,
        rules: impl Into<RulesId>,
        start: impl Fn(&Params) -> G + Send + Sync + 'static,
    ) -> Self {
        Self::with_opener(described, rules, move |params, rules| {
            Ok(erase(params.clone(), rules.clone(), start(params)))
        })
    }

    /// A game whose parameters decide about its type, or that may refuse some of them.
    pub fn with_opener(
        described: impl Into<Arc<Described>>,
        rules: impl Into<RulesId>,
        open: impl Fn(&Params, &RulesId) -> Result<Box<dyn AnyGame>, TextError> + Send + Sync + 'static,
    ) -> Self {
        Self { described: described.into(), rules: rules.into(), open: Arc::new(open), tables: None }
    }

    /// The game with tables of exact values over the numbering `I` of its positions.
    fn with_tables<I: Indexing>(mut self) -> Self {
        self.tables = Some(Arc::new(Indexed::<I>::new()));
        self
    }

    /// Name, title, rules in a line, and parameters.
    pub fn described(&self) -> &Described {
        &self.described
    }

    /// Which rules the game has.
    pub fn rules(&self) -> &RulesId {
        &self.rules
    }

    /// The start position with default parameters.
    pub fn open_default(&self) -> Result<Box<dyn AnyGame>, TextError> {
        self.described.check()?;
        (self.open)(&Params::defaults(&self.described), &self.rules)
    }

    pub(crate) fn tables(&self) -> Option<&dyn TableFamily> {
        self.tables.as_deref()
    }
}

/// The games that can be opened by name. A plain value: a program adds its own games to a copy and hands that on.
#[derive(Clone, Default)]
pub struct Registry {
    entries: Vec<GameEntry>,
}

impl Registry {
    /// No games at all.
    pub fn empty() -> Self {
        Self::default()
    }

    /// The games that plyproof comes with, in the order in which they are listed to people.
    pub fn builtin() -> Self {
        let entries = vec![
            GameEntry::with_opener(LOA.clone(), 1, open_loa).with_tables::<Boards>(),
            GameEntry::new(AWARI.clone(), 1, Awari::start).with_tables::<Endgames>(),
            GameEntry::new(MINISHOGI.clone(), 1, MiniShogi::start),
            GameEntry::new(GOMOKU.clone(), 1, InARow::gomoku),
            GameEntry::new(KNIGHTTHROUGH.clone(), 1, Through::knightthrough),
            GameEntry::new(TICTACTOE.clone(), 1, InARow::tictactoe),
            GameEntry::new(MNK.clone(), 1, InARow::mnk),
            GameEntry::new(CONNECT4.clone(), 1, Connect4::start),
            GameEntry::new(BREAKTHROUGH.clone(), 1, Through::breakthrough),
            GameEntry::new(HEX.clone(), 1, Hex::start),
            GameEntry::new(OTHELLO.clone(), 1, Othello::start),
            GameEntry::new(DOMINEERING.clone(), 1, Domineering::start),
            GameEntry::new(CLOBBER.clone(), 1, Clobber::start),
            GameEntry::new(AMAZONS.clone(), 1, Amazons::start),
        ];
        Self { entries }
    }

    /// Adds a game; an error if there is one of that name already, or if its description is not sound.
    pub fn add(&mut self, entry: GameEntry) -> Result<(), TextError> {
        entry.described.check()?;
        let name = &entry.described.name;
        if self.entry(name).is_some() {
            return Err(TextError::new(format!("there is a game {} already; choose another name", quoted(name))));
        }
        self.entries.push(entry);
        Ok(())
    }

    /// Every game, in the order in which they were added.
    pub fn entries(&self) -> impl Iterator<Item = &GameEntry> {
        self.entries.iter()
    }

    /// The game of this name.
    pub fn entry(&self, name: &str) -> Option<&GameEntry> {
        self.entries.iter().find(|entry| entry.described.name == name)
    }

    /// The start position of a game by name and parameters, for example `breakthrough(size=5x6)`.
    pub fn open(&self, text: &str) -> Result<Box<dyn AnyGame>, TextError> {
        let spec = Spec::parse(text)?;
        let names = || self.entries.iter().map(|entry| entry.described.name.as_str());
        let entry = self.entry(&spec.name).ok_or_else(|| unknown_name("game", &spec.name, names()))?;
        (entry.open)(&Params::resolve(&entry.described, &spec)?, &entry.rules)
    }
}

impl fmt::Debug for Registry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.entries.iter().map(|entry| &entry.described.name)).finish()
    }
}

/// A 9x9 board needs the wider word.
fn open_loa(params: &Params, rules: &RulesId) -> Result<Box<dyn AnyGame>, TextError> {
    let (params, rules) = (params.clone(), rules.clone());
    Ok(if params.whole("size") > 8 {
        let state = Loa::<u128>::start(&params);
        erase(params, rules, state)
    } else {
        let state = Loa::<u64>::start(&params);
        erase(params, rules, state)
    })
}
