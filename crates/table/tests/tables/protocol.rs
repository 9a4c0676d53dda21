//! The page about the protocol says what the code says.

use game::Refusal;
use serde::Serialize;
use serde::de::DeserializeOwned;
use table::{Action, Actor, Body, Doing, Entry};

use crate::sitting::{ONE, Sitting};

const PAGE: &str = include_str!("../../../../docs/protocol.md");

/// The examples under a heading, a line each.
fn examples(heading: &str) -> Vec<&'static str> {
    let section = PAGE.split("\n## ").find(|section| section.starts_with(heading));
    let blocks = section.expect("there is such a heading").split("```").skip(1).step_by(2);
    let lines =
        blocks.flat_map(|block| block.strip_prefix("json\n").expect("all are JSON").lines());
    lines.collect()
}

#[track_caller]
fn check<T: Serialize + DeserializeOwned>(text: &str) -> T {
    let read: T = serde_json::from_str(text).expect("the example can be read");
    assert_eq!(serde_json::to_string(&read).expect("it can be written"), text);
    read
}

#[test]
fn every_entry_on_the_page_is_one_and_every_kind_is_there() {
    let examples = examples("Entries");
    let kind = |text: &&str| {
        let entry: Entry = check(text);
        assert_eq!(Entry::read(text, entry.version), Ok(entry.clone()));
        std::mem::discriminant::<Body>(&entry.body)
    };
    let kinds: Vec<_> = examples.iter().map(kind).collect();
    assert_eq!(kinds.len(), 10);
    assert!((1..10).all(|place| !kinds[..place].contains(&kinds[place])));
}

#[test]
fn every_action_on_the_page_is_one_and_every_kind_is_there() {
    let examples = examples("Actions");
    let kinds: Vec<_> = examples
        .iter()
        .map(|text| std::mem::discriminant::<Doing>(&check::<Action>(text).doing))
        .collect();
    assert_eq!(kinds.len(), 6);
    assert!((1..6).all(|place| !kinds[..place].contains(&kinds[place])));
}

#[test]
fn the_refusal_on_the_page_is_what_a_table_says() {
    let [example] = examples("Refusals")[..] else { unreachable!("there is one example") };
    let mut sitting = Sitting::tic_tac_toe();
    sitting.play_all("a1");
    let (round, ply, chosen) = (1, 1, "a1".parse().expect("it is a text"));
    let refused = sitting.act(Actor::Seat(ONE), Doing::Play { round, ply, chosen });
    assert_eq!(check::<Refusal>(example), refused.expect_err("it is refused"));
}
