//! The examples of the protocol page agree with the code.

use game::{Refusal, Viewer};
use serde::Serialize;
use serde::de::DeserializeOwned;
use table::wire::{Accepted, Entries, FromClient, FromServer, Hello, Resync, Welcome};
use table::{
    Action, ActionBody, Actor, Entry, EntryBody, FoldEntries, LiveTable, Options, TableSecret,
    TableView, automatic_entries,
};

use crate::test_table::{ONE, TestTable};

const PAGE: &str = include_str!("../../../../docs/protocol.md");

/// The examples under a heading, one per line.
fn examples(heading: &str) -> Vec<&'static str> {
    let section = PAGE.split("\n## ").find(|section| section.starts_with(heading));
    let blocks = section.expect("the heading exists").split("```").skip(1).step_by(2);
    let lines =
        blocks.flat_map(|block| block.strip_prefix("json\n").expect("every block is JSON").lines());
    lines.collect()
}

#[track_caller]
fn check<T: Serialize + DeserializeOwned>(text: &str) -> T {
    let read: T = serde_json::from_str(text).expect("the example can be read");
    assert_eq!(serde_json::to_string(&read).expect("the value serializes"), text);
    read
}

#[test]
fn every_entry_on_the_page_is_valid_and_every_kind_is_present() {
    let examples = examples("Entries");
    let kind = |text: &&str| {
        let entry: Entry = check(text);
        assert_eq!(Entry::read(text, entry.version), Ok(entry.clone()));
        std::mem::discriminant::<EntryBody>(&entry.body)
    };
    let kinds: Vec<_> = examples.iter().map(kind).collect();
    let again = |place: &usize| kinds[..*place].contains(&kinds[*place]);
    assert_eq!(kinds.len(), Entry::KINDS.len() + 1);
    let repeated = (1..kinds.len()).filter(again).collect::<Vec<_>>();
    assert_eq!(repeated, [4], "the only repeated kind is a move");
}

#[test]
fn every_action_on_the_page_is_valid_and_every_kind_is_present() {
    let examples = examples("Actions");
    let kinds: Vec<_> = examples
        .iter()
        .map(|text| std::mem::discriminant::<ActionBody>(&check::<Action>(text).body))
        .collect();
    assert_eq!(kinds.len(), 13);
    assert!((1..13).all(|place| !kinds[..place].contains(&kinds[place])));
}

/// A live table after the first move.
fn live() -> LiveTable {
    let test_table = TestTable::tic_tac_toe();
    let mut live =
        LiveTable::new(test_table.state.clone(), TableSecret::new([1; 32]), "5f3a".to_owned());
    let mut next = test_table;
    next.play_all("b2");
    let last = next.log.last().expect("a move was made");
    live.fold_all(std::slice::from_ref(last)).expect("the entry follows the log");
    live
}

/// The message with a computer player's move.
fn answered() -> Entries {
    let computers = vec![None, Some("bthreads".to_owned())];
    let mut test_table =
        TestTable::empty("tic-tac-toe", Options { computers, ..Options::default() });
    test_table.join("one").expect("the first seat is free");
    test_table.play_all("a1");
    let secret = TableSecret::new([1; 32]);
    let own = automatic_entries(&test_table.state, &secret, 1_004).expect("the table can continue");
    let mut live = LiveTable::new(test_table.state, secret, "5f3a".to_owned());
    live.fold_all(&own).expect("the entry follows the log");
    let announcements = live.take_announcements();
    let [announcement] = &announcements[..] else { unreachable!("there is one announcement") };
    announcement.message_for(live.state(), Some(ONE))
}

/// The first line of a stream with views: nothing has happened since the version that the client knows.
fn first_line() -> Entries {
    let view = TestTable::full("pig", Options::default()).state.view(Viewer::Seat(ONE));
    Entries { entries: Vec::new(), view: Some(Box::new(view)) }
}

#[test]
fn every_message_on_the_page_is_valid() {
    let examples = examples("Messages");
    let [hello, welcome, act, accepted, resync, entries, reasoned, line, emote, emoted] =
        examples[..]
    else {
        unreachable!("there are {} examples", examples.len())
    };
    check::<Hello>(hello);
    assert_eq!(Hello::read(hello).expect("the text is valid").from, Some(3));
    for (event, text) in [("act", act), ("resync", resync), ("emote", emote)] {
        let read = FromClient::read(event, text).expect("the text is valid");
        let written = serde_json::to_string(&read).expect("the value serializes");
        assert_eq!((read.event(), written.as_str()), (event, text));
    }
    for text in [entries, reasoned] {
        let read = FromServer::<TableView>::read("entries", text).expect("the text is valid");
        let FromServer::Entries(read) = read else { panic!("{text}") };
        assert_eq!(read.write(), text);
    }
    assert_eq!(
        FromServer::<TableView>::read("emote", emoted),
        Ok(FromServer::Emote(check(emoted)))
    );
    assert_eq!(check::<Accepted>(accepted), Accepted { version: 5 });
    let expected = live().welcome(Some(ONE), &Resync::default());
    assert_eq!(check::<Welcome>(welcome), expected);
    let announcements = live().take_announcements();
    let [announcement] = &announcements[..] else { unreachable!("there is one announcement") };
    assert_eq!(check::<Entries>(entries), announcement.message_for(live().state(), Some(ONE)));
    assert_eq!(check::<Entries>(reasoned), answered());
    assert_eq!(check::<Entries>(line), first_line());
}

#[test]
fn the_refusal_on_the_page_is_the_refusal_of_a_table() {
    let [example] = examples("Refusals")[..] else { unreachable!("the section has one example") };
    let mut test_table = TestTable::tic_tac_toe();
    test_table.play_all("a1");
    let (round, ply, chosen) = (1, 1, "a1".parse().expect("the move text is valid"));
    let refused = test_table.act(Actor::Seat(ONE), ActionBody::Play { round, ply, chosen });
    assert_eq!(check::<Refusal>(example), refused.expect_err("the action is refused"));
}
