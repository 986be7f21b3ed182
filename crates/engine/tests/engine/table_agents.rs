//! Agents with an endgame table.

use std::path::Path;

use plyproof_engine::tables::TabledAgent;

#[test]
fn the_table_is_taken_out_and_the_rest_is_read_as_before() {
    for (text, shortest, file) in [
        ("df-pn", "df-pn", None),
        ("df-pn(table=a.table)", "df-pn(table=a.table)", Some("a.table")),
        ("pn-mcts( table = some/a(1).table , pn=2)", "pn-mcts(pn=2,table=some/a(1).table)", Some("some/a(1).table")),
    ] {
        let read = TabledAgent::parse(text).expect(text);
        assert_eq!((read.to_string().as_str(), read.file()), (shortest, file.map(Path::new)));
        assert_eq!(TabledAgent::parse(shortest).expect(shortest), read);
    }
}

#[test]
fn a_table_that_is_of_no_use_is_refused() {
    for (text, part) in [
        ("random(table=a)", "random cannot use a table"),
        ("minimax(table=a)", "minimax cannot use a table"),
        ("pns(table=)", "needs the name of a file"),
        ("pns(table=a,table=b)", "given twice"),
        ("dfpn(table=a)", "did you mean df-pn?"),
        ("pns(tables=a)", "no parameter \"tables\""),
    ] {
        let error = TabledAgent::parse(text).expect_err(text).to_string();
        assert!(error.contains(part) && !error.contains('\n'), "{error}");
    }
}
