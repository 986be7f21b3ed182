//! Rules files that are made to take time or memory.
//!
//! A program of its own, because the memory of the whole process is measured.

use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use plyproof_core::{Game, Rng};
use plyproof_rules::Language;
use plyproof_rules::check::{Clock, Limits, check};
use plyproof_rules::rbg::{Visitor, load};

/// Processor time of this thread in seconds, or time where the system does not tell.
fn seconds(start: Instant) -> f64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanoseconds = text.split(' ').next().and_then(|field| field.parse::<f64>().ok());
    nanoseconds.map_or_else(|| start.elapsed().as_secs_f64(), |nanoseconds| nanoseconds / 1e9)
}

/// The largest memory of this process so far in MB, if the system tells.
fn megabytes() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    Some(line.split_whitespace().nth(1)?.parse::<u64>().ok()? / 1024)
}

struct ThreeMoves;

impl Visitor for ThreeMoves {
    type Output = ();

    fn visit<G: Game>(self, mut game: G) {
        let mut rng = Rng::new(1);
        for _ in 0..3 {
            if game.outcome().is_some() {
                return;
            }
            let m = game.random_move(&mut rng);
            game.play(m);
        }
    }
}

/// Processor time of this thread.
fn now() -> Duration {
    static BEGAN: OnceLock<Instant> = OnceLock::new();
    Duration::from_secs_f64(seconds(*BEGAN.get_or_init(Instant::now)))
}

/// A check, as `plyproof rules check` makes it, takes no more time than that command may.
fn checked_in_time(what: &str, text: &str) {
    let before = now();
    let clock = Clock { now: Arc::new(move || now() - before), most: Duration::from_millis(500) };
    let _ = check(Language::Rbg, text, &[], &Limits { clock: Some(clock), ..Limits::default() });
    let spent = now() - before;
    assert!(spent < Duration::from_secs(2), "{what}: a check took {spent:?}");
}

const HEAD: &str = "#players = a(1), b(1)\n#pieces = e, x\n#variables = n(3)\n";

fn square(size: usize) -> String {
    let line = format!("[{}]", vec!["e"; size].join(","));
    format!("{HEAD}#board = rectangle(up, down, left, right, {})\n", vec![line.as_str(); size].join(" "))
}

#[test]
fn hostile_files_are_refused_or_played_within_two_seconds_and_200_megabytes() {
    let small = square(3);
    let doubling = (1..40).map(|n| format!("#m{n} = m{0} m{0}\n", n - 1)).collect::<String>();
    let noise = |alphabet: &[u8]| {
        let mut rng = Rng::new(7);
        (0..10_000_000).map(|_| char::from(alphabet[rng.below(alphabet.len())])).collect::<String>()
    };
    let long = |part: &str, times: usize| part.repeat(times);
    // What has to be in the error; nothing where the file is harmless.
    let cases: Vec<(&str, String, &str)> = vec![
        ("macros that double", format!("{small}#m0 = up\n{doubling}#rules = ->a m39 [x] ->>"), "tokens"),
        ("macros that double nothing", format!("{small}#m0 = \n{doubling}#rules = ->a m39 [x] ->>"), "tokens"),
        (
            "arguments that double",
            format!("{small}#f(x1) = x1 x1\n#rules = ->a {}up{} ->>", long("f(", 150), long(")", 150)),
            "tokens",
        ),
        (
            "a deep argument",
            format!("{small}#f(x1) = x1\n#rules = ->a {}up{} ->>", long("f(", 50_000), long(")", 50_000)),
            "within each other",
        ),
        (
            "names that grow",
            format!(
                "{small}#g0 = abcdefghij\n{}#rules = ->a g30 ->>",
                (1..31).map(|n| format!("#g{n} = g{0}~g{0}\n", n - 1)).collect::<String>()
            ),
            "characters",
        ),
        (
            "deep brackets",
            format!("{small}#rules = ->a {}up{} ->>", long("(", 100_000), long(")", 100_000)),
            "brackets",
        ),
        (
            "deep look-aheads",
            format!("{small}#rules = ->a {}up{} ->>", long("{? ", 100_000), long("}", 100_000)),
            "brackets",
        ),
        (
            "deep arithmetic",
            format!("{small}#rules = ->a [$ n = {}1{}] ->>", long("(", 100_000), long(")", 100_000)),
            "brackets",
        ),
        ("long arithmetic", format!("{small}#rules = ->a [$ n = 1{}] ->>", long(" + 1", 100_000)), "operands"),
        ("minus signs", format!("{small}#rules = ->a [$ n = {}1] ->>", long("-", 100_000)), "brackets"),
        ("powers of powers", format!("{small}#rules = ->a up^9999^9999^9999 [x] ->>"), "actions"),
        ("a power of zero", format!("{small}#rules = ->a up^0^9999^9999^9999 [x] ->>"), ""),
        ("many stars", format!("{small}#rules = ->a up{} [x] ->>", long("*", 100_000)), ""),
        ("stars in stars", format!("{small}#rules = ->a {}up{} [x] ->>", long("(left ", 150), long(")*", 150)), ""),
        ("many sums", format!("{small}#rules = ->a ({}) [x] ->>", vec!["up"; 50_000].join("+")), ""),
        ("sums of modifiers", format!("{small}#rules = ->a ({}) ->>", vec!["[x]"; 50_000].join("+")), ""),
        ("sums in a row", format!("{small}#rules = ->a {} [x] ->>", long("(up + down + left)", 15_000)), ""),
        ("modifiers in a row", format!("{small}#rules = ->a {} ->>", long("[x] (up + down)* {x}", 10_000)), ""),
        ("stars in a row", format!("{small}#rules = ->a {} [x] ->>", long("(up {e})* (left {x})*", 6_000)), ""),
        (
            "look-aheads in a row",
            format!(
                "{small}#rules = ->a {} [x] ->>",
                (0..4000).map(|n| format!("{{? up^{} {{x}}}}", n % 50)).collect::<String>()
            ),
            "",
        ),
        ("a large board", format!("{}#rules = ->a (up* + down*)(left* + right*) [x] ->>", square(100)), "cells"),
        (
            "a wide board",
            format!(
                "{HEAD}#board = rectangle(up, down, left, right, [{}])\n#rules = ->a up",
                vec!["e"; 500_000].join(",")
            ),
            "cells",
        ),
        (
            "a board as large as can be",
            format!("{}#rules = (->a (up* + down*)(left* + right*) {{e}} [x] ->>)*", square(35)),
            "",
        ),
        (
            "ways over a large board",
            format!(
                "{}#rules = (->a {} [x] ->>)*",
                square(35),
                (0..3000).map(|n| format!("(up^{} right^{})* (down^{})*", n % 11, n % 7, n % 5)).collect::<String>()
            ),
            "",
        ),
        (
            "many directions",
            format!(
                "{HEAD}#board = {}\n#rules = ->a up",
                (0..100).map(|n| format!("c{n} [e] {{d{n}: c{n}}} ")).collect::<String>()
            ),
            "directions",
        ),
        (
            "many pieces",
            format!(
                "#players = a(1), b(1)\n#pieces = {}\n#variables =\n#board = c [p1] {{}}\n#rules = ->a",
                (0..1000).map(|n| format!("p{n},")).collect::<String>()
            ),
            "pieces",
        ),
        ("a keeper without end", format!("{small}#rules = ->a up* [x] ->> ([x] ->>)*"), ""),
        ("a keeper that goes round", format!("{small}#rules = ->a up* [x] ->> (up + down)* ([e] [x])* {{e}} ->>"), ""),
        ("moves without end", format!("{small}#rules = ->a ((up + down + left + right) ([e] + [x]))* ->>"), ""),
        (
            "a look-ahead without end",
            format!("{small}#rules = ->a up* {{? ((up + down + left + right) ([e] + [x]))* {{}} }} [x] ->>"),
            "",
        ),
        (
            "many moves",
            format!(
                "{}#rules = (->a (up* + down*)(left* + right*) [x] (up* + down*)(left* + right*) [x] (up* + down*)(left* + right*) [x] ->>)*",
                square(35)
            ),
            "",
        ),
        ("noise", noise(b"abc #=(){}[]~+*^;,.->?!$0123456789\n"), "bytes"),
        ("noise of letters", noise(b"abc"), "bytes"),
        ("2 MB of letters", noise(b"abc")[..2_000_000].to_string(), "expected #"),
        ("2 MB of signs", format!("#{}", &noise(b"#=(){}[]~+*^;,.->?!$\n")[..2_000_000]), "tokens"),
        ("2 MB of names", format!("{small}#m = {}\n#rules = ->a", long("q;", 900_000)), "tokens"),
        (
            "definitions",
            format!("{small}{}#rules = ->a up", (0..150_000).map(|n| format!("#x{n} = x\n")).collect::<String>()),
            "",
        ),
        ("no end of a comment", format!("{small}/*{}", long("*", 1_000_000)), "no end"),
        ("zero", "\0".repeat(1_000_000), "no part"),
    ];
    for (what, text, wanted) in cases {
        let clock = Instant::now();
        let before = seconds(clock);
        let refused = match load(&text, &[]) {
            Ok(rules) => {
                rules.start(ThreeMoves);
                String::new()
            }
            Err(error) => {
                assert!(error.line > 0 && error.column > 0, "{what}: {error}");
                error.to_string()
            }
        };
        let spent = seconds(clock) - before;
        if refused.is_empty() {
            checked_in_time(what, &text);
        }
        assert!(refused.contains(wanted) && (wanted.is_empty() || !refused.is_empty()), "{what}: {refused:?}");
        assert!(refused.len() < 300 && !refused.contains('\n'), "{what}: {refused:?}");
        assert!(spent < 2.0, "{what}: {spent:.1} seconds, {refused:?}");
        if let Some(megabytes) = megabytes() {
            assert!(megabytes < 200, "{what}: {megabytes} MB");
        }
    }
}
