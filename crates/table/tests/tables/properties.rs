//! The laws under random input.

use proptest::prelude::*;
use table::Options;

use crate::laws::{log_law, message_law};
use crate::test_table::{ONE, TWO, TestTable};

/// Logs with all kinds of entries.
fn logs() -> Vec<String> {
    let mut rounds = TestTable::tic_tac_toe();
    rounds.play_all("a1 a2 b1 b2 c1");
    rounds.forfeit(TWO).expect("the seat has lost the round");
    rounds.play_all("a1 b2 c3 a2 c2 c1 a3 b3 b1");
    rounds.tie(TWO).expect("the board is filled");
    rounds.leave(ONE).expect("a player may leave at any time");
    let mut at_once = TestTable::full("odds-and-evens", Options::default());
    at_once.play(ONE, "1").expect("both seats choose");
    at_once.play(TWO, "2").expect("both seats choose");
    at_once.next_round(ONE).expect("the round is decided");
    let clock = Some(table::Clock::PerSide(5));
    let computers = vec![None, Some("random".to_owned())];
    let options = Options { clock, computers, alternate: true, ..Options::default() };
    let mut pig = TestTable::empty("pig", options);
    pig.join("one").expect("the first seat is free");
    pig.play(ONE, "roll").expect("the move is legal");
    let drawn = table::automatic_entries(&pig.state, &table::TableSecret::new([1; 32]), 0);
    pig.log.extend(drawn.expect("a die is rolled"));
    let write = |test_table: TestTable| -> String {
        test_table.log.iter().map(|entry| entry.write() + "\n").collect()
    };
    [rounds, at_once, pig].map(write).into()
}

/// The examples of the protocol page, with the names of their events.
fn messages() -> Vec<String> {
    let page = include_str!("../../../../docs/protocol.md");
    let section =
        page.split("\n## Messages").nth(1).expect("the page has a section about messages");
    let examples = section.lines().filter(|line| line.starts_with('{'));
    let events = ["act", "resync", "emote", "entries", "phx_join"];
    let messages =
        examples.flat_map(|text| events.iter().map(move |event| format!("{event}\n{text}")));
    messages.collect()
}

/// One of these texts with some characters replaced, removed or inserted, and lines moved.
fn nearly(texts: Vec<String>) -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        "\\PC",
        "[0-9]{1,22}",
        Just("null".to_owned()),
        Just("\"".to_owned()),
        Just("{}".to_owned()),
        Just("[[[[".to_owned()),
        Just("\\u0000".to_owned()),
        Just("18446744073709551615".to_owned()),
        Just(String::new()),
    ];
    let edits = prop::collection::vec((any::<prop::sample::Index>(), 0_usize..12, piece), 0..4);
    let swap =
        prop::option::weighted(0.2, (any::<prop::sample::Index>(), any::<prop::sample::Index>()));
    (prop::sample::select(texts), edits, swap).prop_map(|(text, edits, swap)| {
        let mut characters: Vec<char> = text.chars().collect();
        for (place, length, piece) in edits {
            let first = place.index(characters.len() + 1);
            let last = (first + length).min(characters.len());
            characters.splice(first..last, piece.chars());
        }
        let text: String = characters.into_iter().collect();
        let mut lines: Vec<&str> = text.lines().collect();
        if let Some((one, other)) = swap
            && !lines.is_empty()
        {
            let (one, other) = (one.index(lines.len()), other.index(lines.len()));
            lines.swap(one, other);
        }
        lines.join("\n")
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4_096, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_log_is_read_or_refused(log in nearly(logs())) {
        log_law(&log);
    }

    #[test]
    fn any_message_is_read_or_refused(message in nearly(messages())) {
        message_law(&message);
    }

    #[test]
    fn any_text_is_read_or_refused(text in any::<String>()) {
        log_law(&text);
        message_law(&text);
    }
}

/// The laws are not vacuous: the log of a table is accepted completely.
#[test]
fn whole_logs_and_messages_obey_the_laws() {
    for log in logs() {
        assert_eq!(log_law(&log), log.lines().count() as u64);
    }
    let messages = messages();
    assert_eq!(messages.len(), 50);
    for message in messages {
        message_law(&message);
    }
}
