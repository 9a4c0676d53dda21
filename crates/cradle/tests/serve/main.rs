//! `cradle serve`, and what `docs/server.md` says about it.

mod analysis;
mod curl;
mod log_lines;
mod lost_output;
mod process;
mod reloading;
mod signals;
mod text_games;
mod two_players;

use process::Process;
use server::Limits;

const PAGE: &str = include_str!("../../../../docs/server.md");

#[test]
fn the_page_lists_every_limit() {
    let mut rows = Vec::new();
    for (name, meaning, default) in Limits::ALL {
        rows.push(format!("| `{name}` | {} | {} |", grouped(*default), meaning.trim()));
    }
    let section = PAGE.split("\n## ").find(|section| section.starts_with("Limits"));
    let section = section.expect("there are limits");
    let listed: Vec<&str> = section.lines().filter(|line| line.starts_with("| `")).collect();
    assert_eq!(listed, rows);
}

#[test]
fn the_goodbye_says_whether_moves_are_saved() {
    let folder = tempfile::tempdir().expect("there is a folder");
    let kept = Process::start(folder.path()).goodbye();
    assert_eq!(kept, "All moves are saved. Goodbye.");
    let lost = Process::start_with(&["--journal", "memory"]).goodbye();
    assert_eq!(lost, "The tables were in memory and are gone. Goodbye.");
}

/// A number with separated thousands.
fn grouped(number: u32) -> String {
    let digits = number.to_string();
    let first = digits.len() % 3;
    let (head, tail) = digits.split_at(first);
    let groups = tail.as_bytes().chunks(3).map(|group| String::from_utf8_lossy(group).into_owned());
    let head = (!head.is_empty()).then(|| head.to_owned());
    head.into_iter().chain(groups).collect::<Vec<_>>().join(",")
}
