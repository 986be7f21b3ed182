//! Engines of others as players on the page: only those that the server was started with.

mod common;

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use common::{Running, Socket, connect, next_text};
use futures_util::SinkExt;
use plyproof_engine::{
    Allowance, AnyGame, Bounds, Cause, ChosenMove, Lost, MatchPlayer, PlayerSource, Registry, Source,
};
use serde_json::{Value, json};
use tokio_tungstenite::tungstenite::Message;

/// What the engines of a test were told.
#[derive(Default)]
struct Told {
    games: AtomicUsize,
    moves: Mutex<Vec<String>>,
    gone: AtomicUsize,
}

/// An engine that plays the last legal move, gives up once it was told four moves, and plays nothing but tic-tac-toe.
struct Last(Arc<Told>);

struct LastPlayer(Arc<Told>);

impl PlayerSource for Last {
    fn spec(&self) -> String {
        "engine(cmd=last,protocol=ugi)".to_string()
    }

    fn player(&self, _game: &dyn AnyGame) -> Result<Box<dyn MatchPlayer>, String> {
        Ok(Box::new(LastPlayer(Arc::clone(&self.0))))
    }

    fn check(&self, game: &dyn AnyGame) -> Result<(), String> {
        if game.name() == "tictactoe" { Ok(()) } else { Err(format!("it does not play {}", game.name())) }
    }
}

impl MatchPlayer for LastPlayer {
    fn new_game(&mut self, _start: &dyn AnyGame) -> Result<(), String> {
        self.0.games.fetch_add(1, Ordering::Relaxed);
        Ok(())
    }

    fn played(&mut self, text: &str) {
        self.0.moves.lock().expect("no panic").push(text.to_string());
    }

    fn choose(
        &mut self,
        position: &dyn AnyGame,
        _allowance: &Allowance,
        _seed: u64,
        _stop: &AtomicBool,
    ) -> Result<ChosenMove, Lost> {
        if self.0.moves.lock().expect("no panic").len() >= 4 {
            return Err(Lost { cause: Cause::Resigned, why: "it gave up".to_string() });
        }
        let text = position.legal_moves().pop();
        Ok(ChosenMove { text, simulations: 7, bounds: Bounds::OPEN, stopped: None })
    }
}

impl Drop for LastPlayer {
    fn drop(&mut self) {
        self.0.gone.fetch_add(1, Ordering::Relaxed);
    }
}

async fn ask(tab: &mut Socket, request: Value) -> Value {
    tab.send(Message::text(request.to_string())).await.expect("sent");
    serde_json::from_str(&next_text(tab).await.expect("an answer")).expect("JSON")
}

fn search(id: u64, role: &str, moves: &[&str]) -> Value {
    json!({"do": "search", "id": id, "role": role, "at": {"game": "tictactoe", "moves": moves}, "agent": "last", "seconds": 1})
}

#[test]
fn an_engine_moves_goes_on_from_move_to_move_and_says_why_it_has_no_move() {
    let told = Arc::new(Told::default());
    let server = Running::with_engines(BTreeMap::from([("last".to_string(), Source::new(Last(Arc::clone(&told))))]));
    server.block_on(async {
        let mut tab = connect(&server, &[]).await.expect("a socket");
        let first = ask(&mut tab, search(1, "play", &["a1"])).await;
        assert_eq!(first["search"]["head"]["best"], "c3", "{first}");
        assert_eq!(first["search"]["head"]["simulations"], 7);
        let second = ask(&mut tab, search(2, "play", &["a1", "c3", "a2"])).await;
        assert_eq!(second["search"]["head"]["best"], "b3", "{second}");
        assert_eq!(told.games.load(Ordering::Relaxed), 1, "the engine of the first move went on");
        assert_eq!(*told.moves.lock().expect("no panic"), ["a1", "c3", "a2"], "it was told each move once");
        let third = ask(&mut tab, search(3, "play", &["a1", "c3", "a2", "b3", "b1"])).await;
        assert!(third["error"].as_str().is_some_and(|why| why == "last: it gave up"), "{third}");
        // What was taken back is another game for the engine.
        told.moves.lock().expect("no panic").clear();
        let again = ask(&mut tab, search(4, "play", &["b2"])).await;
        assert_eq!(again["search"]["head"]["best"], "c3", "{again}");
        assert_eq!(told.games.load(Ordering::Relaxed), 2);
    });
    drop(server);
    assert_eq!(told.gone.load(Ordering::Relaxed), 2, "engines end with their tab");
}

#[test]
fn the_page_chooses_engines_by_name_only_and_for_games_that_they_play() {
    let engines = BTreeMap::from([("last".to_string(), Source::new(Last(Arc::default())))]);
    let server = Running::with_engines(engines);
    server.block_on(async {
        let mut tab = connect(&server, &[]).await.expect("a socket");
        let position =
            |game: &str, agent: &str| json!({"do": "position", "id": 1, "at": {"game": game}, "agent": agent});
        let fine = ask(&mut tab, position("tictactoe", "last")).await;
        assert!(fine["position"].is_object(), "{fine}");
        let refused = ask(&mut tab, position("loa", "last")).await;
        assert_eq!(refused["error"], "last: it does not play loa", "{refused}");
        for agent in ["engine(cmd='touch x',protocol=ugi)", "lost"] {
            let refused = ask(&mut tab, position("tictactoe", agent)).await;
            assert!(refused["error"].as_str().is_some_and(|why| why.contains("unknown agent")), "{refused}");
            let started = json!({"do": "search", "id": 2, "role": "play", "at": {"game": "tictactoe"}, "agent": agent});
            let refused = ask(&mut tab, started).await;
            assert!(refused["error"].as_str().is_some_and(|why| why.contains("unknown agent")), "{refused}");
        }
        let analysis = ask(&mut tab, search(3, "analyse", &[])).await;
        assert!(analysis["error"].is_string(), "an engine plays and analyses nothing: {analysis}");
    });
}

#[test]
fn an_engine_may_not_have_the_name_of_an_agent() {
    let engines = BTreeMap::from([("mcts".to_string(), Source::new(Last(Arc::default())))]);
    let options = plyproof_web::Options {
        registry: Registry::builtin(),
        host: None,
        port: 0,
        token: None,
        runs: None,
        engines,
        memory: 1 << 26,
        threads: 1,
        limits: plyproof_web::Limits::default(),
    };
    let refused = plyproof_web::Server::bind(&options).err().expect("refused").to_string();
    assert!(refused.contains("mcts is one of our agents"), "{refused}");
}
