//! Games by name: a value that every front end is given, and that a program can add its own games to.

use std::fmt;
use std::sync::Arc;

use plyproof_core::spec::{Described, Params, Spec, is_file_name, unknown_name};
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
use crate::rules::{self, AnyRules, Compiled, RulesError, Source};
use crate::tables::{Indexed, TableFamily};

/// A game that can be opened by name: its public face, the identity of its rules, and how to open it.
#[derive(Clone)]
pub struct GameEntry {
    described: Arc<Described>,
    rules: RulesId,
    open: Arc<Opener>,
    tables: Option<Arc<dyn TableFamily>>,
    source: Option<Arc<Source>>,
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
        Self { described: described.into(), rules: rules.into(), open: Arc::new(open), tables: None, source: None }
    }

    /// A game from a text of its rules, for programs without files. What the name ends in says which language the rules
    /// are in (`.rbg`, `.kif`); if it has no such ending, the text does. The digest of the text is the
    /// identity of the rules; macros of one number or word, or of rows of cells, are the parameters of the game.
    pub fn from_rules(name: &str, text: &str) -> Result<Self, RulesError> {
        rules::entry(name, text, &Compiled::default())
    }

    pub(crate) fn with_source(mut self, source: Source) -> Self {
        self.source = Some(Arc::new(source));
        self
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

    /// The text of the rules, for a game that is read from one.
    pub fn rules_text(&self) -> Option<&str> {
        self.source.as_ref().map(|source| source.text())
    }

    pub(crate) fn tables(&self) -> Option<&dyn TableFamily> {
        self.tables.as_deref()
    }
}

impl fmt::Debug for GameEntry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.described.name, self.rules)
    }
}

/// The games that can be opened by name. A plain value: a program adds its own games to a copy and hands that on.
///
/// A name that ends in `.rbg`, `.kif` or `.gdl` is that of a file with the rules of a game, which is read whenever the game
/// is opened; [`Registry::without_files`] is for names from people who must not name files.
#[derive(Clone)]
pub struct Registry {
    entries: Vec<GameEntry>,
    /// Whether names of files are names of games.
    files: bool,
    /// What was compiled lately; copies share it.
    compiled: Compiled,
}

impl Default for Registry {
    fn default() -> Self {
        Self::empty()
    }
}

impl Registry {
    /// No games at all, except those in rules files.
    pub fn empty() -> Self {
        Self { entries: Vec::new(), files: true, compiled: Compiled::default() }
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
        Self { entries, ..Self::empty() }
    }

    /// The games of this registry, and no file is ever read for a name: what a server gives to strangers. Games that were
    /// added from rules stay.
    pub fn without_files(mut self) -> Self {
        self.files = false;
        self
    }

    /// Adds a game from a text of its rules, see [`GameEntry::from_rules`]. The name may be that of a file, which is then
    /// not read.
    pub fn add_rules(&mut self, name: &str, text: &str) -> Result<GameEntry, RulesError> {
        let entry = rules::entry(name, text, &self.compiled)?;
        let refused = |error: TextError| RulesError { line: 0, column: 0, message: error.to_string() };
        self.add(entry.clone()).map_err(refused)?;
        Ok(entry)
    }

    /// Adds a game that a name leads to, and so reads its rules file for the last time. Adds nothing if the game has
    /// been added before.
    pub fn add_file(&mut self, file: &str) -> Result<GameEntry, TextError> {
        match self.entry(file) {
            Some(entry) => Ok(entry.clone()),
            None => {
                let entry = rules::open_file(file, &self.compiled)?;
                self.entries.push(entry.clone());
                Ok(entry)
            }
        }
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

    /// The start position of a game by name and parameters, for example `breakthrough(size=5x6)`, or by the name of a
    /// rules file, `rules/mine.rbg(size=7)`.
    pub fn open(&self, text: &str) -> Result<Box<dyn AnyGame>, TextError> {
        let (entry, params) = self.find(text)?;
        (entry.open)(&params, &entry.rules)
    }

    /// The compiled rules of a game that is read from a text; `None` for other games.
    pub fn rules_of(&self, text: &str) -> Result<Option<Arc<AnyRules>>, TextError> {
        let (entry, params) = self.find(text)?;
        let rules = entry.source.as_ref().map(|source| source.rules(&params));
        rules.transpose().map_err(|error| TextError::new(error.to_string()))
    }

    fn find(&self, text: &str) -> Result<(GameEntry, Params), TextError> {
        let spec = Spec::parse(text)?;
        let entry = match self.entry(&spec.name) {
            Some(entry) => entry.clone(),
            None if self.files && is_file_name(&spec.name) => rules::open_file(&spec.name, &self.compiled)?,
            None => return Err(self.unknown(&spec.name)),
        };
        let params = Params::resolve(&entry.described, &spec)?;
        Ok((entry, params))
    }

    fn unknown(&self, name: &str) -> TextError {
        if is_file_name(name) {
            return TextError::new(format!("{}: no file can be named here; send the text of the rules", quoted(name)));
        }
        let names = self.entries.iter().map(|entry| entry.described.name.as_str());
        let error = unknown_name("game", name, names);
        if self.files { TextError::new(format!("{error}; or a rules file such as my-game.rbg")) } else { error }
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
