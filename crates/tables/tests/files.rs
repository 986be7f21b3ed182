//! Tables in files: what was written is read back, and nothing else is.

mod common;

use common::{build_within, made, params};
use plyproof_core::Indexing;
use plyproof_games::awari::{AWARI, Endgames};
use plyproof_games::loa::{Boards, LOA};
use plyproof_tables::{BuildError, Named, Table, header_of};

fn named() -> Named {
    Named { game: "awari".to_string(), rules: 1, limit: Some(3) }
}

fn written() -> Vec<u8> {
    let mut bytes = Vec::new();
    made::<Endgames>(&AWARI, "awari", Some(3)).write(&named(), &mut bytes).expect("memory can be written");
    bytes
}

fn endgames() -> Endgames {
    Endgames::new(&params(&AWARI, "awari"), Some(3)).expect("endgames")
}

fn refused(bytes: &[u8]) -> String {
    let error = Table::read(endgames(), &named(), bytes).err().expect("this must not be read").to_string();
    assert!(!error.contains('\n') && error.len() < 300, "{error}");
    error
}

#[test]
fn a_table_comes_back_from_its_file() {
    let (bytes, table) = (written(), made::<Endgames>(&AWARI, "awari", Some(3)));
    let read = Table::read(endgames(), &named(), &bytes[..]).expect("a table");
    assert_eq!((read.values(), read.counts()), (table.values(), table.counts()));
    assert_eq!(header_of(&bytes[..]).expect("a header"), named());
}

#[test]
fn no_changed_byte_and_no_cut_goes_unnoticed() {
    let bytes = written();
    for at in 0..bytes.len() {
        for bit in [0, 3, 5, 7] {
            let mut changed = bytes.clone();
            changed[at] ^= 1 << bit;
            refused(&changed);
        }
        refused(&bytes[..at]);
    }
    refused(&[&bytes[..], b"\0"].concat());
}

#[test]
fn what_is_wrong_is_said() {
    let text = String::from_utf8_lossy(&written()).into_owned();
    let header = text.split_inclusive('\n').next().expect("a header").to_string();
    let values = &written()[header.len()..];
    let with = |from: &str, to: &str| {
        assert!(header.contains(from), "{header}");
        refused(&[header.replacen(from, to, 1).as_bytes(), values].concat())
    };
    for (from, to, part) in [
        ("table\":1", "table\":2", "table format 2 is not known, only format 1"),
        ("awari", "oware", "it is a table of \"oware\", not of awari"),
        ("\"rules\":1", "\"rules\":2", "version 2 of the rules of awari, not version 1"),
        ("\"limit\":3", "\"limit\":4", "positions where there are"),
        ("\"positions\":", "\"positions\":9999999999999", "positions where there are"),
        ("\"win\":", "\"win\":1", "the checksum does not fit"),
        ("\"win\":", "\"won\":", "its header is damaged: unknown field `won`"),
        ("{", "{ ", "not written as tables write it"),
    ] {
        let error = with(from, to);
        assert!(error.contains(part), "{error}");
    }
    for foreign in [&b""[..], b"{}\n", b"\x1f\x8b\x08\0", b"[1]\n", &[b'x'; 1 << 20]] {
        assert!(refused(foreign).contains("it is not a table"));
    }
    assert!(refused(&written()[..written().len() - 1]).contains("it is cut off"));
    assert!(refused(&[&written()[..], b"x"].concat()).contains("it is too long"));
}

#[test]
fn too_little_memory_is_said_before_it_is_taken() {
    let boards = || Boards::new(&params(&LOA, "loa(size=4)"), None).expect("boards");
    for memory in [0, 1 << 19, 1 << 20] {
        match build_within(boards(), memory) {
            Err(BuildError::Memory(bytes)) => assert!(bytes > memory),
            other => panic!("{:?}", other.err()),
        }
    }
}
