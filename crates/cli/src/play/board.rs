//! Boards for a terminal: pieces in the colours of the players, and what the last move changed.

/// The start of the colour of each player's pieces, and of what the last move changed.
const FIRST: &str = "\x1b[33m";
const SECOND: &str = "\x1b[36m";
const CHANGED: &str = "\x1b[7m";
const END: &str = "\x1b[0m";

/// The board `now`; with colours if `color`, and with what differs from `before` marked.
///
/// A board is text of the game's own; pieces are known by their letters: capital letters and x belong to the first player,
/// other letters to the second.
pub fn draw(before: Option<&str>, now: &str, color: bool) -> String {
    let old: Vec<Vec<char>> = before.unwrap_or(now).lines().map(|line| line.chars().collect()).collect();
    let mut text = String::new();
    for (row, line) in now.lines().enumerate() {
        let named = names_files(line) || line.contains(':');
        for (column, c) in line.chars().enumerate() {
            let changed =
                old.get(row).and_then(|line| line.get(column)).is_some_and(|old| *old != c) && !c.is_whitespace();
            let piece = match c {
                _ if named => "",
                'x' => FIRST,
                c if c.is_uppercase() => FIRST,
                c if c.is_lowercase() => SECOND,
                _ => "",
            };
            if color && (changed || !piece.is_empty()) {
                text.push_str(piece);
                if changed {
                    text.push_str(CHANGED);
                }
                text.push(c);
                text.push_str(END);
            } else {
                text.push(c);
            }
        }
        text.push('\n');
    }
    text
}

/// Whether a line holds the letters of the files: a b c and so on.
fn names_files(line: &str) -> bool {
    let mut words = line.split_whitespace();
    words.next() == Some("a") && words.next().is_none_or(|word| word == "b")
}

#[cfg(test)]
mod tests {
    use super::*;

    const BEFORE: &str = " 2 o .\n 1 x .\n   a b";
    const NOW: &str = " 2 x .\n 1 . .\n   a b";

    #[test]
    fn without_colours_the_board_is_the_game_s_own_text() {
        assert_eq!(draw(Some(BEFORE), NOW, false), format!("{NOW}\n"));
    }

    #[test]
    fn pieces_have_colours_and_what_changed_is_marked() {
        let text = draw(Some(BEFORE), NOW, true);
        assert!(text.starts_with(" 2 \x1b[33m\x1b[7mx\x1b[0m .\n 1 \x1b[7m.\x1b[0m .\n"), "{text:?}");
        assert!(text.ends_with("   a b\n"), "coordinates have no colour: {text:?}");
        assert!(draw(None, BEFORE, true).contains("\x1b[36mo\x1b[0m"));
    }
}
