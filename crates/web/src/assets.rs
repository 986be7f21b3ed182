//! The page's files, part of the program: nothing to install, nothing to lose.

use std::sync::{LazyLock, OnceLock};

use crate::packed::packed;

/// Content type and bytes of the file at a path of the server.
pub(crate) fn find(path: &str) -> Option<(&'static str, &'static [u8])> {
    let (name, bytes) = FILES[place(path)?];
    let kind = match name.rsplit_once('.')?.1 {
        "html" => "text/html; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "svg" => "image/svg+xml",
        "rbg" | "kif" => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    };
    Some((kind, bytes))
}

fn place(path: &str) -> Option<usize> {
    let path = if path == "/" { "/index.html" } else { path };
    FILES.iter().position(|(name, _)| path.strip_prefix('/') == Some(name))
}

/// The same bytes as gzip, packed when they are first asked for; none if that would not make them shorter.
pub(crate) fn find_packed(path: &str) -> Option<&'static [u8]> {
    static PACKED: LazyLock<Vec<OnceLock<Option<Vec<u8>>>>> =
        LazyLock::new(|| FILES.iter().map(|_| OnceLock::new()).collect());
    let place = place(path)?;
    PACKED[place].get_or_init(|| packed(FILES[place].1)).as_deref()
}

macro_rules! files {
    ($($name:literal),* $(,)?) => {
        &[$(($name, include_bytes!(concat!("../page/", $name)))),*]
    };
}

pub(crate) static FILES: &[(&str, &[u8])] = files![
    "index.html",
    "boards.css",
    "style.css",
    "icon.svg",
    "main.js",
    "agents.js",
    "backend.js",
    "board.js",
    "boards/awari.js",
    "boards/facts.js",
    "boards/fromrules.js",
    "boards/generic.js",
    "boards/graph.js",
    "boards/grid.js",
    "boards/hex.js",
    "boards/index.js",
    "boards/minishogi.js",
    "boards/owners.js",
    "boards/pieces.js",
    "boards/points.js",
    "boards/stones.js",
    "boards/textgrid.js",
    "boards/winning.js",
    "choices.js",
    "clock.js",
    "controls.js",
    "dom.js",
    "editor.js",
    "engine.js",
    "files.js",
    "game.js",
    "gametree.js",
    "keys.js",
    "levels.js",
    "library.js",
    "link.js",
    "local.js",
    "notice.js",
    "opening.js",
    "overlay.js",
    "panel.js",
    "picker.js",
    "play.js",
    "questions.js",
    "review.js",
    "rulefiles/bring.js",
    "rulefiles/editor.js",
    "rulefiles/gallery.js",
    "rulefiles/highlight.js",
    "rulefiles/known.js",
    "rulefiles/rules.css",
    "rulefiles/source.js",
    "rulefiles/starters/hex.rbg",
    "rulefiles/starters/pawns.rbg",
    "rulefiles/starters/ring.rbg",
    "rulefiles/starters/tic-tac-toe.rbg",
    "rulefiles/trial.js",
    "rules.js",
    "scene.js",
    "settings.js",
    "sounds.js",
    "spec.js",
    "strips.js",
    "treepicture.js",
    "undo.js",
    "views/advice.js",
    "views/card.js",
    "views/experiments.js",
    "views/home.js",
    "views/hover.js",
    "views/learn.js",
    "views/markdown.js",
    "views/moves.js",
    "views/mygames.js",
    "views/newgame.js",
    "views/proof.js",
    "views/studio.js",
    "views/table.js",
    "views/tree.js",
    "views/values.js",
    "views/why.js",
    "words.js",
    "worker.js",
];

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn every_file_of_the_page_is_served_and_none_is_forgotten() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("page");
        let mut waiting = vec![folder.clone()];
        let mut count = 0;
        while let Some(next) = waiting.pop() {
            for entry in std::fs::read_dir(next).expect("the folder of the page").flatten() {
                let path = entry.path();
                if path.is_dir() {
                    waiting.push(path);
                    continue;
                }
                let name = path.strip_prefix(&folder).expect("inside").display().to_string().replace('\\', "/");
                let found = find(&format!("/{name}"));
                assert!(found.is_some_and(|(_, bytes)| !bytes.is_empty()), "{name} is missing in assets.rs");
                count += 1;
            }
        }
        assert_eq!(count, FILES.len());
        assert!(find("/").is_some_and(|(kind, _)| kind.starts_with("text/html")));
        assert!(find("/../Cargo.toml").is_none() && find("").is_none() && find("//index.html").is_none());
    }

    #[test]
    fn the_page_has_no_script_or_style_inside() {
        let (_, bytes) = find("/").expect("the page");
        let text = String::from_utf8_lossy(bytes);
        for part in ["<style", " style=", " onclick=", "javascript:"] {
            assert!(!text.contains(part), "{part} breaks the content security policy");
        }
        assert_eq!(text.matches("<script").count(), text.matches("<script type=\"module\" src=").count());
    }
}
