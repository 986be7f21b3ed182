//! The line of a text that an error is about, with a mark below the place.

use crate::rbg::RulesError;

/// Columns that are shown of a long line.
const WIDTH: usize = 100;

/// The line of the error and a mark below its column, each with its line number or room for it; `None` if the error has
/// no place in the text.
///
/// ```text
/// 12 | #turn(me; piece) = ->me anywhere {nnoe} ->> [piece]
///    |                                   ^
/// ```
pub fn excerpt(text: &str, error: &RulesError) -> Option<String> {
    let line = text.lines().nth(error.line.checked_sub(1)? as usize).unwrap_or("");
    let column = (error.column.max(1) - 1) as usize;
    // A long line is shown around the place.
    let from = if column > WIDTH - 10 { column - WIDTH / 2 } else { 0 };
    let shown = |c: char| if c.is_control() { ' ' } else { c };
    let part: String = line.chars().skip(from).take(WIDTH).map(shown).collect();
    let number = error.line.to_string();
    let mark = " ".repeat(column - from);
    Some(format!("{number} | {}\n{:width$} | {mark}^", part.trim_end(), "", width = number.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mark_is_below_the_place() {
        let error = |line, column| RulesError { line, column, message: String::new() };
        assert_eq!(excerpt("a\nüb\tc d\n", &error(2, 4)).as_deref(), Some("2 | üb c d\n  |    ^"));
        assert_eq!(excerpt("a\n", &error(9, 1)).as_deref(), Some("9 | \n  | ^"));
        assert_eq!(excerpt("a\n", &error(0, 0)), None);
        let long = "x".repeat(1_000_000);
        let shown = excerpt(&long, &error(1, 500_000)).expect("a place");
        assert!(shown.len() < 250 && shown.lines().nth(1).is_some_and(|mark| mark.len() == 55), "{shown}");
    }
}
