//! Rules files that are made to take time or memory.
//!
//! A program of its own, because the memory of the whole process is measured.

use std::time::Instant;

use plyproof_core::{Game, Rng};
use plyproof_rules::gdl::{Visitor, load};

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

const ROLES: &str = "(role a) (role b) (init (turn a)) (<= (legal ?p (m ?x)) (true (turn ?p)) (n ?x)) \
    (<= (legal ?p w) (role ?p) (not (true (turn ?p)))) (<= (next (turn ?p)) (role ?p) (not (true (turn ?p)))) \
    (n 1) (n 2) (<= terminal (true end)) (<= (goal ?p 50) (role ?p))\n";

/// `(p 1) … (p n)`
fn numbers(name: &str, n: usize) -> String {
    (1..=n).map(|number| format!("({name} {number}) ")).collect()
}

#[test]
fn hostile_files_are_refused_or_played_within_two_seconds_and_200_megabytes() {
    let noise = |alphabet: &[u8], length: usize| {
        let mut rng = Rng::new(7);
        (0..length).map(|_| char::from(alphabet[rng.below(alphabet.len())])).collect::<String>()
    };
    let long = |part: &str, times: usize| part.repeat(times);
    let many = |n: usize, rule: &str| (0..n).map(|n| rule.replace('#', &n.to_string())).collect::<String>();
    let wide = |arity: usize| (0..arity).map(|n| format!("?x{n} ")).collect::<String>();
    let choices = |arity: usize, arms: usize| {
        (0..arity).map(|n| format!("(or {}) ", many(arms, &format!("(d# ?x{n}) ")))).collect::<String>()
    };
    let domains = |arity: usize| (0..arity).map(|n| format!("(d ?x{n}) ")).collect::<String>();
    // What has to be in the error; nothing where the file is harmless.
    let cases: Vec<(&str, String, &str)> = vec![
        ("an ordinary file", ROLES.to_string(), ""),
        ("10 MB of noise", noise(b"abc ()?<=;\n", 10_000_000), "bytes"),
        ("2 MB of letters", noise(b"abc", 2_000_000), "a word of"),
        ("2 MB of words", noise(b"ab \n", 2_000_000), "words and brackets"),
        ("2 MB of signs", noise(b"ab ?()\n", 2_000_000), ""),
        ("2 MB of facts", format!("{ROLES}{}", many(55_000, "(f # g#)\n")), "rules and facts"),
        ("2 MB of facts of the position", format!("{ROLES}{}", many(42_000, "(init (f #))\n")), ""),
        ("zero", "\0".repeat(1_000_000), "no part"),
        ("deep brackets", long("(", 900_000), "within each other"),
        ("closing brackets", format!("{ROLES}{}", long(")", 900_000)), "closes no"),
        ("a deep term", format!("{ROLES}(f {}0{})", long("(s ", 40), long(")", 40)), "deep within"),
        ("a growing term", format!("{ROLES}(init (c 0)) (<= (next (c (s ?x))) (true (c ?x)))"), "grow without end"),
        ("a doubling term", format!("{ROLES}(init (c 0)) (<= (next (c (s ?x ?y))) (true (c ?x)) (true (c ?y)))"), ""),
        (
            "a growing constant relation",
            format!("{ROLES}(c 0) (<= (c (s ?x)) (c ?x)) (<= terminal (c ?x) (true (turn ?x)))"),
            "grow without end",
        ),
        (
            "a wide product",
            format!(
                "{ROLES}{}(<= (next (f {w})) {}) (<= terminal (true (f {w})))",
                numbers("d", 40),
                domains(6),
                w = wide(6)
            ),
            "once variables are replaced",
        ),
        (
            "a wide product of facts that stay",
            format!(
                "{ROLES}{}(<= (f {w}) {}) (<= terminal (f {w}) (true end))",
                numbers("d", 40),
                domains(6),
                w = wide(6)
            ),
            "",
        ),
        (
            "a wide product with nothing in it",
            format!("{ROLES}{}(<= terminal {} (true end) (none ?x0))", numbers("d", 2000), domains(9)),
            "",
        ),
        (
            "a join without results",
            format!("{ROLES}{}(<= terminal {} (distinct ?x0 ?x0) (true end))", numbers("d", 3000), domains(7)),
            "",
        ),
        (
            "products of moves and facts",
            format!(
                "{ROLES}{}(<= (legal ?p (k ?x ?y ?z)) (true (turn ?p)) (d ?x) (d ?y) (d ?z)) \
                 (<= (next (f ?x ?y ?z)) (does ?p (k ?x ?y ?v)) (d ?z) (not (does ?p (k ?z ?z ?z)))) \
                 (<= terminal (true (f ?x ?y ?z)))",
                numbers("d", 60)
            ),
            "once variables are replaced",
        ),
        (
            "a join of terms",
            format!(
                "{ROLES}{}(<= terminal (true (turn a)) (d ?x) (d ?y) (distinct (f ?x ?y) (f ?x ?y)))",
                numbers("d", 30_000)
            ),
            "takes more than",
        ),
        (
            "a join without results by rows",
            format!(
                "{ROLES}{}{}(<= terminal (true (turn a)) (d ?x) (e ?y ?y))",
                numbers("d", 20_000),
                many(20_000, "(e # x) ")
            ),
            "takes more than",
        ),
        ("or upon or", format!("{ROLES}(<= (f {}) {})", wide(9), choices(9, 9)), "every or written out"),
        (
            "many rules by or",
            format!("{ROLES}{}", many(900, &format!("(<= (f# {}) {})\n", wide(3), choices(3, 8)))),
            "rules and facts, every or written out",
        ),
        (
            "rules with many variables",
            format!(
                "{ROLES}{}",
                many(
                    350,
                    &format!(
                        "(<= (next f#) {})\n",
                        (0..100).map(|n| format!("(true (g ?y{n} ?y{}))", n + 1)).collect::<String>()
                    )
                )
            ),
            "",
        ),
        (
            "a circle through not",
            format!("{ROLES}(<= f (not g)) (<= g (not h)) (<= h (not f)) (<= terminal f (true end))"),
            "depends on whether it does not",
        ),
        (
            "a circle through not in the position",
            format!("{ROLES}(<= f (true (turn a)) (not g)) (<= g (not f)) (<= terminal f)"),
            "depends on whether it does not",
        ),
        (
            "a long chain of names",
            format!(
                "{ROLES}{}(<= f0 (true (turn a))) (<= terminal f40000 (true end))",
                many(40_000, "(<= f#x f#) ").replace('x', "")
            ),
            "",
        ),
        (
            "a long chain of constant names",
            format!(
                "{ROLES}(f0 x) {}(<= terminal (f25000 x) (true end))",
                (0..25_000).map(|n| format!("(<= (f{} x) (f{n} x)) ", n + 1)).collect::<String>()
            ),
            "",
        ),
        (
            "rules with many conditions that hold",
            format!(
                "{ROLES}(init (g 0 0)) (<= (next (g 1 1)) (true (turn a))) {}",
                many(
                    400,
                    &format!(
                        "(<= (next (h #)) {})\n",
                        (0..55).map(|n| format!("(true (g ?y{n} ?y{}))", n + 1)).collect::<String>()
                    )
                )
            ),
            "takes more than",
        ),
        (
            "a game as large as may be",
            format!(
                "{ROLES}{}(<= (legal ?p (k ?x ?y)) (true (turn ?p)) (d ?x) (d ?y)) \
                 (<= (next (f ?x ?y)) (does ?p (k ?v ?w)) (d ?x) (d ?y) (distinct ?x ?v)) \
                 (<= terminal (true (f ?x ?y)) (true (f ?y ?x)) (distinct ?x ?y))",
                numbers("d", 31)
            ),
            "",
        ),
        (
            "a long circle of names",
            format!(
                "{ROLES}{}(<= terminal f1)",
                (0..40_000).map(|n| format!("(<= f{n} f{}) ", (n + 1) % 40_000)).collect::<String>()
            ),
            "",
        ),
        (
            "a long chain of steps without a choice",
            format!(
                "(role a) (role b) (init (s 0)) (<= (legal ?p w) (role ?p)) \
                 {}(<= (next (s ?y)) (true (s ?x)) (t ?x ?y)) (<= terminal (true (s 30000))) (<= (goal ?p 50) (role ?p))",
                (0..30_000).map(|n| format!("(t {n} {}) ", n + 1)).collect::<String>()
            ),
            "",
        ),
        (
            "a game without end and choice",
            "(role a) (role b) (init s) (<= (legal ?p w) (role ?p)) (<= (next s) (true s)) (<= terminal (true never))"
                .into(),
            "",
        ),
        (
            "a large graph with connections",
            format!(
                "{ROLES}{}{}(<= (next (on ?x)) (node ?x) (does ?p (m 1))) (<= (c ?x ?y) (true (on ?x)) (e ?x ?y)) \
                 (<= (c ?x ?z) (c ?x ?y) (e ?y ?z) (true (on ?z))) (<= terminal (c 1 1))",
                numbers("node", 600),
                (1..600).map(|n| format!("(e {n} {}) (e {0} {n}) ", n + 1)).collect::<String>()
            ),
            "",
        ),
    ];
    for (what, text, wanted) in cases {
        let clock = Instant::now();
        let before = seconds(clock);
        let refused = match load(&text) {
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
        assert!(refused.contains(wanted) && (wanted.is_empty() || !refused.is_empty()), "{what}: {refused:?}");
        assert!(refused.len() < 400 && !refused.contains('\n'), "{what}: {refused:?}");
        assert!(spent < 2.0, "{what}: {spent:.1} seconds, {refused:?}");
        if let Some(megabytes) = megabytes() {
            assert!(megabytes < 200, "{what}: {megabytes} MB");
        }
    }
}
