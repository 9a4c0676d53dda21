//! The code on the page about adding a game is the code in the files.

const PAGE: &str = include_str!("../../../docs/adding-a-game.md");

/// The files that the page quotes.
const FILES: [(&str, &str); 6] = [
    ("crates/games/src/tic_tac_toe/event.rs", include_str!("../src/tic_tac_toe/event.rs")),
    (
        "crates/games/src/tic_tac_toe/event_sets.rs",
        include_str!("../src/tic_tac_toe/event_sets.rs"),
    ),
    ("crates/games/src/tic_tac_toe/rules.rs", include_str!("../src/tic_tac_toe/rules.rs")),
    ("crates/games/src/tic_tac_toe/rulebook.rs", include_str!("../src/tic_tac_toe/rulebook.rs")),
    (
        "crates/games/src/tic_tac_toe/strategies.rs",
        include_str!("../src/tic_tac_toe/strategies.rs"),
    ),
    ("crates/games/src/mnk/rules.rs", include_str!("../src/mnk/rules.rs")),
];

/// Every piece of code on the page, and the last file that is named before it.
fn quotes() -> Vec<(&'static str, &'static str)> {
    let mut quotes = Vec::new();
    let mut file = "";
    for (index, part) in PAGE.split("```").enumerate() {
        if index % 2 == 1 {
            quotes.push((file, part.strip_prefix("rust\n").expect("all code is Rust")));
        } else {
            let names = FILES.iter().filter_map(|(name, _)| Some((part.rfind(name)?, *name)));
            file = names.max().map_or(file, |(_, name)| name);
        }
    }
    quotes
}

/// All but the last piece of code, which is a test to copy; it runs below.
fn quoted_from_files() -> Vec<(&'static str, &'static str)> {
    let mut quotes = quotes();
    quotes.pop();
    quotes
}

#[test]
fn every_quoted_piece_of_code_is_in_its_file() {
    let quotes = quoted_from_files();
    assert_eq!(quotes.len(), 9);
    for (name, quote) in quotes {
        let (_, source) = FILES
            .iter()
            .find(|(file, _)| *file == name)
            .expect("the page names a file of the list before each quote");
        assert!(source.contains(quote), "this is not in {name}:\n{quote}");
    }
}

#[test]
fn every_file_is_quoted() {
    let quotes = quoted_from_files();
    for (name, _) in FILES {
        assert!(quotes.iter().any(|(file, _)| *file == name), "{name}");
    }
}

#[test]
fn the_check_on_the_page_passes() {
    use game::conformance::{Effort, conform};
    use game::{Match, OnIllegalMove, Player, RandomPlayer, ToAct};

    let (_, last) = quotes().pop().expect("the page contains code");
    assert!(last.contains("conform(&game, Effort::default()).unwrap();"), "{last}");
    let game = games::tic_tac_toe::game();
    let counts = conform(&game, Effort::default()).unwrap();
    assert!(counts.illegal_moves > 0);

    assert!(
        last.contains("let outcome = played.run(&mut players, 3, |_, _| ()).unwrap();"),
        "{last}"
    );
    let mut players =
        [1, 2].map(|seed| -> Box<dyn Player<_>> { Box::new(RandomPlayer::seeded(seed)) });
    let mut played = Match::new(game, OnIllegalMove::Loses);
    let outcome = played.run(&mut players, 3, |_, _| ()).unwrap();
    assert_eq!(played.to_act(), ToAct::Nobody(outcome));
}
