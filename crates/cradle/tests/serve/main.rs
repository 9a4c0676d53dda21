//! What `cradle serve` does: the page about it says what the program does.

mod curl;
mod deaf;
mod process;

use process::Process;
use server::Limits;

const PAGE: &str = include_str!("../../../../docs/server.md");

#[test]
fn the_page_lists_every_limit_as_it_is() {
    let mut rows = Vec::new();
    for (name, meaning, usual) in Limits::ALL {
        rows.push(format!("| `{name}` | {} | {} |", grouped(*usual), meaning.trim()));
    }
    let section = PAGE.split("\n## Limits").nth(1).expect("there are limits");
    let listed: Vec<&str> = section.lines().filter(|line| line.starts_with("| `")).collect();
    assert_eq!(listed, rows);
}

#[test]
fn the_server_says_at_the_end_what_has_become_of_the_tables() {
    let folder = tempfile::tempdir().expect("there is a folder");
    let kept = Process::start(folder.path()).goodbye();
    assert_eq!(kept, "Everything is written down. Goodbye.");
    let gone = Process::start_with(&["--journal", "memory"]).goodbye();
    assert_eq!(gone, "The tables were in memory and are gone. Goodbye.");
}

/// A number as people write it.
fn grouped(number: u32) -> String {
    let digits = number.to_string();
    let first = digits.len() % 3;
    let (head, tail) = digits.split_at(first);
    let groups = tail.as_bytes().chunks(3).map(|group| String::from_utf8_lossy(group).into_owned());
    let head = (!head.is_empty()).then(|| head.to_owned());
    head.into_iter().chain(groups).collect::<Vec<_>>().join(",")
}
