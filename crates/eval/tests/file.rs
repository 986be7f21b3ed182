//! Files of evaluations come back as they were written, and nothing else is read.

use plyproof_core::{BestUse, Rng};
use plyproof_eval::{Evaluation, Network, Record};

fn example() -> Evaluation {
    Evaluation {
        game: "loa(size=7)".into(),
        rules: "1".into(),
        best_use: Some(BestUse::AlphaBeta),
        record: Record { command: "plyproof train".into(), seed: 7, games: 3, positions: 99, seconds: 60 },
        network: Network::random(70, 32, &mut Rng::new(3)).into(),
    }
}

fn written(evaluation: &Evaluation) -> Vec<u8> {
    let mut bytes = Vec::new();
    evaluation.write(&mut bytes).expect("memory");
    bytes
}

fn refusal(bytes: &[u8]) -> String {
    let error = Evaluation::read(bytes).expect_err("not an evaluation").to_string();
    assert!(!error.contains('\n') && error.len() < 300, "{error}");
    error
}

#[test]
fn an_evaluation_comes_back_from_its_file() {
    for best_use in [None, Some(BestUse::Nowhere), Some(BestUse::Tree), Some(BestUse::AlphaBeta)] {
        let evaluation = Evaluation { best_use, ..example() };
        assert_eq!(Evaluation::read(&written(&evaluation)[..]).expect("its file"), evaluation);
    }
}

#[test]
fn a_file_with_any_other_byte_is_refused() {
    let bytes = written(&example());
    for at in 0..bytes.len() {
        for flip in [1, 0x10, 0x80] {
            let mut broken = bytes.clone();
            broken[at] ^= flip;
            refusal(&broken);
        }
    }
}

#[test]
fn a_file_that_ends_early_or_late_is_refused() {
    let bytes = written(&example());
    for length in 0..bytes.len() {
        refusal(&bytes[..length]);
    }
    let header = bytes.iter().position(|&byte| byte == b'\n').expect("a header") + 1;
    assert!(refusal(&bytes[..header - 1]).starts_with("it is not an evaluation: it does not begin with a line {"));
    let cut = refusal(&bytes[..bytes.len() - 1]);
    assert!(cut.starts_with("it is cut off: "), "{cut}");
    let long = refusal(&[&bytes[..], b"x"].concat());
    assert_eq!(long, format!("it is too long: {} bytes should follow the header", bytes.len() - header));
}

#[test]
fn headers_that_lie_are_refused_with_what_is_wrong() {
    let bytes = written(&example());
    let end = bytes.iter().position(|&byte| byte == b'\n').expect("a header");
    let header = String::from_utf8(bytes[..end].to_vec()).expect("text");
    for (from, to, what) in [
        ("evaluation\":1", "evaluation\":2", "it is an evaluation of format 2, and this program knows format 1"),
        ("evaluation\":1", "table\":1", "it is not an evaluation: "),
        ("\"hidden\":32", "\"hidden\":40", "its header says 70 features and 40 hidden units, which no network has"),
        ("\"hidden\":32", "\"hidden\":512", "its header says 70 features and 512 hidden units"),
        ("\"features\":70", "\"features\":0", "its header says 0 features"),
        ("\"features\":70", "\"features\":99999999999", "its header says 99999999999 features"),
        ("\"features\":70", "\"features\":60000", "it is cut off: "),
        ("\"features\":70", "\"features\":-1", "its header is damaged: "),
        ("loa(size=7)", "loa(size=6)", "it is damaged: the checksum does not fit"),
        ("alpha-beta", "somewhere", "it is damaged: the checksum does not fit"),
        (",\"rules\"", ", \"rules\"", "its header is damaged: it is not written as plyproof writes it"),
    ] {
        let lie = header.replace(from, to);
        assert_ne!(lie, header, "{from}");
        let error = refusal(&[lie.as_bytes(), &bytes[end..]].concat());
        assert!(error.starts_with(what), "{to}: {error}");
    }
}

#[test]
fn an_evaluation_is_for_one_game_with_its_rules_and_features() {
    let evaluation = example();
    assert_eq!(evaluation.fits("loa(size=7)", "1", 70), Ok(()));
    for (game, rules, features, what) in [
        ("loa", "1", 70, "it is an evaluation for \"loa(size=7)\", not for loa"),
        ("loa(size=7)", "2", 70, "it is about version \"1\" of the rules of loa(size=7), not version 2"),
        ("loa(size=7)", "1", 80, "it was made for 70 features of positions of loa(size=7), which now have 80"),
    ] {
        assert_eq!(evaluation.fits(game, rules, features).expect_err(what).to_string(), what);
    }
}
