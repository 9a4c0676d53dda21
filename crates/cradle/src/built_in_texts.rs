//! The games and programs as text that the command brings along.

use anyhow::bail;

/// A text for each game of the catalog that can be written in b-threads, and for each example.
const TEXTS: [(&str, &str); 21] = [
    ("tic-tac-toe", include_str!("../../../games/tic-tac-toe.cradle")),
    ("misere", include_str!("../../../games/misere.cradle")),
    ("wild", include_str!("../../../games/wild.cradle")),
    ("notakto", include_str!("../../../games/notakto.cradle")),
    ("mnk", include_str!("../../../games/mnk.cradle")),
    ("connect-four", include_str!("../../../games/connect.cradle")),
    ("ultimate", include_str!("../../../games/ultimate.cradle")),
    ("pig", include_str!("../../../games/pig.cradle")),
    ("pig-hold", include_str!("../../../games/pig-hold.cradle")),
    ("crossing", include_str!("../../../games/crossing.cradle")),
    ("dining", include_str!("../../../games/dining.cradle")),
    ("dots-and-boxes", include_str!("../../../games/dots-and-boxes.cradle")),
    ("fox-and-hounds", include_str!("../../../games/fox-and-hounds.cradle")),
    ("hanoi", include_str!("../../../games/hanoi.cradle")),
    ("hot-and-cold", include_str!("../../../games/hot-and-cold.cradle")),
    ("maze", include_str!("../../../games/maze.cradle")),
    ("monty-hall", include_str!("../../../games/monty-hall.cradle")),
    ("nim", include_str!("../../../games/nim.cradle")),
    ("ruin", include_str!("../../../games/ruin.cradle")),
    ("tutorial", include_str!("../../../games/tutorial.cradle")),
    ("vending", include_str!("../../../games/vending.cradle")),
];

/// Whether there is a text of this name.
pub(crate) fn has(name: &str) -> bool {
    TEXTS.iter().any(|(known, _)| *known == name)
}

/// The names of all texts.
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    TEXTS.iter().map(|(name, _)| *name)
}

/// The text of this name.
///
/// # Errors
/// If there is none, with the names of all.
pub(crate) fn text(name: &str) -> anyhow::Result<&'static str> {
    if let Some((_, text)) = TEXTS.iter().find(|(known, _)| *known == name) {
        return Ok(text);
    }
    let names: Vec<&str> = names().collect();
    bail!(
        "no b-threads are called {name:?}: name a file that ends in .cradle, or one of {}",
        names.join(", ")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_text_of_the_repository_is_built_in() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../games");
        let mut files: Vec<String> = std::fs::read_dir(folder)
            .unwrap()
            .map(|file| std::fs::read_to_string(file.unwrap().path()).unwrap())
            .collect();
        let mut texts: Vec<String> = TEXTS.iter().map(|(_, text)| (*text).to_owned()).collect();
        files.sort();
        texts.sort();
        assert_eq!(texts, files);
    }

    #[test]
    fn games_without_b_threads_are_refused() {
        let refused = text("kuhn-poker").unwrap_err().to_string();
        assert!(refused.starts_with("no b-threads are called \"kuhn-poker\""), "{refused}");
    }
}
