//! A game that nobody knew of when the program was compiled: its name, title, rules, parameters and notations come from
//! data, and it goes through every door that a game of plyproof goes through.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use plyproof_core::mix64;
use plyproof_engine::{
    Agent, Aim, Budget, Contract, Described, Game, GameEntry, Kind, Outcome, Parameter, Params, Player, Registry,
    SolveTask, TextError, Wdl, certificate,
};

/// A family of games of taking coins from piles, as a file might describe it.
const DATA: &str = "name: take-away\ntitle: Take Away\npiles: left=3 middle=4 right=5\nnotation: sums";

/// A position: coins on each pile, whose names are those of the parameters.
#[derive(Clone)]
struct TakeAway {
    names: Arc<[String]>,
    notation: String,
    piles: Vec<u8>,
    mover: Player,
}

impl Game for TakeAway {
    /// A pile and how many coins to take.
    type Move = (u8, u8);

    fn to_move(&self) -> Player {
        self.mover
    }

    fn outcome(&self) -> Option<Outcome> {
        self.piles.iter().all(|&coins| coins == 0).then(|| Outcome::win(self.mover.other()))
    }

    fn moves(&self, into: &mut Vec<(u8, u8)>) {
        for (pile, &coins) in (0..).zip(&self.piles) {
            into.extend((1..=coins).map(|take| (pile, take)));
        }
    }

    fn play(&mut self, (pile, take): (u8, u8)) {
        self.piles[usize::from(pile)] -= take;
        self.mover = self.mover.other();
    }

    fn key(&self) -> u64 {
        self.piles.iter().fold(self.mover.index() as u64, |key, &coins| mix64(key ^ u64::from(coins) << 8))
    }

    fn position_text(&self) -> String {
        let piles: Vec<String> = self.piles.iter().map(u8::to_string).collect();
        format!("{} {}", piles.join("/"), self.mover)
    }

    fn parse_position(&self, text: &str) -> Result<Self, TextError> {
        let wrong = || TextError::expected(text, "piles and a player, as in \"3/4/5 1\"");
        let (piles, mover) = text.split_once(' ').ok_or_else(wrong)?;
        let piles: Vec<u8> =
            piles.split('/').map(|pile| pile.parse().map_err(|_| wrong())).collect::<Result<_, _>>()?;
        let mover = if mover == "1" { Player::FIRST } else { Player::SECOND };
        let read = Self { piles, mover, ..self.clone() };
        if read.piles.len() == self.piles.len() && read.position_text() == text { Ok(read) } else { Err(wrong()) }
    }

    fn move_text(&self, (pile, take): (u8, u8)) -> String {
        format!("{}-{take}", self.names[usize::from(pile)])
    }

    fn parse_move(&self, text: &str) -> Result<(u8, u8), TextError> {
        let mut moves = Vec::new();
        self.moves(&mut moves);
        let meant =
            |&m: &(u8, u8)| self.move_text(m) == text || self.move_text_in(&self.notation, m).as_deref() == Some(text);
        moves.into_iter().find(meant).ok_or_else(|| TextError::expected(text, "a pile and coins, as in left-2"))
    }

    fn heap_bytes(&self) -> usize {
        self.piles.capacity() + self.notation.capacity()
    }

    fn notations(&self) -> Vec<String> {
        vec![self.notation.clone()]
    }

    fn move_text_in(&self, notation: &str, (pile, take): (u8, u8)) -> Option<String> {
        (notation == self.notation).then(|| format!("{}:{take}", pile + 1))
    }
}

/// The entry that the data describe.
fn entry(data: &str) -> GameEntry {
    let field = |name: &str| {
        let line = data.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "));
        line.unwrap_or_else(|| panic!("{name} is not in {data}")).to_string()
    };
    let piles = field("piles");
    let piles: Vec<(&str, &str)> = piles.split(' ').filter_map(|pile| pile.split_once('=')).collect();
    let parameters = piles
        .iter()
        .map(|(name, coins)| Parameter::new(*name, *coins, Kind::Whole(0, 9), format!("coins on the {name} pile")));
    let summary = format!("Take coins from one of {} piles; whoever takes the last coin wins.", piles.len());
    let described = Described::new(field("name"), field("title"), summary).with(parameters);
    let names: Arc<[String]> = piles.iter().map(|(name, _)| name.to_string()).collect();
    let notation = field("notation");
    GameEntry::new(described, 1, move |params: &Params| TakeAway {
        piles: names.iter().map(|name| params.whole(name) as u8).collect(),
        names: Arc::clone(&names),
        notation: notation.clone(),
        mover: Player::FIRST,
    })
}

fn registry() -> Registry {
    let mut registry = Registry::builtin();
    registry.add(entry(DATA)).expect("a new name and a sound description");
    registry
}

#[test]
fn a_game_described_by_data_is_opened_listed_and_keeps_the_contract() {
    let registry = registry();
    let described = registry.entry("take-away").expect("the added game").described();
    assert_eq!(described.title, "Take Away");
    assert_eq!(described.summary, "Take coins from one of 3 piles; whoever takes the last coin wins.");
    let game = registry.open("take-away(right=7, left=3)").expect("allowed values");
    assert_eq!((game.name(), game.position_text()), ("take-away(right=7)".to_string(), "3/4/7 1".to_string()));
    assert_eq!(game.notations(), ["sums"]);
    assert_eq!(game.move_in("sums", "middle-2").expect("a legal move"), "2:2");
    game.check_contract(&Contract::default()).expect("every promise kept");
    let error = registry.open("take-away(rihgt=1)").expect_err("no such pile").to_string();
    assert!(error.contains("did you mean right?"), "{error}");
}

#[test]
fn a_game_described_by_data_is_searched_solved_certified_and_verified() {
    let (registry, stop) = (registry(), AtomicBool::new(false));
    // Nim: 3, 4 and 5 are won for the player to move, by leaving 1, 4 and 5; 1, 4 and 5 are lost.
    let game = registry.open("take-away").expect("the added game");
    let agent = Agent::parse("plyproof").expect("an agent");
    let report = game.search(&agent, &Budget::simulations(20_000), 1, &stop, &mut |_| {}).expect("a search");
    assert_eq!(report.best.as_deref(), Some("left-2"), "{report:?}");
    let solver = Agent::parse("df-pn").expect("an agent");
    for (spec, value, claim) in [
        ("take-away", Wdl::Win, "in take-away from 3/4/5 1, the first player wins"),
        ("take-away(left=1)", Wdl::Loss, "in take-away(left=1) from 1/4/5 1, the second player wins"),
    ] {
        let game = registry.open(spec).expect("the added game");
        let budget = Budget { memory: Some(16 << 20), ..Budget::default() };
        let task = SolveTask { agent: &solver, aim: Aim::Value, all_moves: false, proofs: true, budget, seed: 1 };
        let mut bytes = Vec::new();
        let solution = game.solve(&task, &stop, &mut |_| {}, &mut |proof, lines| {
            bytes = certificate::packed(&*game, proof, lines, 1 << 20).map_err(|error| error.to_string())?;
            Ok(())
        });
        let solution = solution.expect("a search");
        assert_eq!((solution.value, solution.proofs.len()), (Some(value), 1), "{spec}");
        let bytes: Arc<[u8]> = bytes.into();
        let verify = |registry: &Registry| {
            let limits = certificate::Limits { memory: 1 << 20, stop: &stop, progress: &mut |_| {} };
            certificate::verify_bytes(registry, &bytes, limits)
        };
        assert_eq!(verify(&registry).expect("a true claim").header.claim(), claim);
        assert!(verify(&Registry::builtin()).is_err(), "a registry without the game cannot verify");
    }
}

#[test]
fn a_description_that_cannot_be_written_is_refused_before_anything_opens() {
    for (from, to, says) in [
        ("name: take-away", "name: take away", "\"take away\" cannot be a name"),
        ("name: take-away", "name: loa", "there is a game \"loa\" already"),
        ("left=3", "left=12", "the default of left of take-away is \"12\", which is not in 0..9"),
        ("right=5", "left=5", "two parameters left of take-away"),
    ] {
        let error = Registry::builtin().add(entry(&DATA.replace(from, to))).expect_err(says).to_string();
        assert!(error.contains(says), "{error}");
    }
    let unsound = entry(&DATA.replace("left=3", "left=many"));
    assert!(unsound.open_default().is_err(), "its default is no number of coins");
}
