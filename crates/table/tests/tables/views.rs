//! What each seat and spectators see, and what they do not.

use game::Viewer;
use table::{Entry, Options, TableSecret, TableState, automatic_entries};

use crate::test_table::{ONE, TWO, TestTable};

/// Everything that a viewer receives while a log grows: entries and states, as bytes.
fn received(test_table: &TestTable, viewer: Viewer) -> String {
    let mut state = TableState::begin(test_table.game(), &test_table.log[0]).expect("it begins");
    let mut text = String::new();
    for entry in &test_table.log[1..] {
        text += &state.visible_entry(entry, viewer).write();
        text += "\n";
        state.fold(entry).expect("it follows");
        text += &serde_json::to_string(&state.view(viewer)).expect("it can be written");
        text += "\n";
    }
    text
}

/// A hand of Kuhn poker with these moves, and the cards that were dealt.
fn hand(number: u8, moves: &str) -> (TestTable, String) {
    let mut test_table = TestTable::full("kuhn-poker", Options::default());
    let deal = automatic_entries(&test_table.state, &TableSecret::new([number; 32]), 0)
        .expect("it is dealt");
    for entry in deal {
        test_table.state.fold(&entry).expect("it follows");
        test_table.log.push(entry);
    }
    let cards = test_table.text();
    test_table.play_all(moves);
    (test_table, cards)
}

#[test]
fn nobody_receives_the_card_of_another_in_any_byte_until_it_is_shown() {
    let mut hands = 0;
    for number in 0..40 {
        for moves in ["", "pass", "bet", "pass bet", "bet pass", "pass bet pass"] {
            let (test_table, cards) = hand(number, moves);
            let [first, second] = [0, 1].map(|place| cards.chars().nth(place).expect("two cards"));
            for (viewer, hidden) in [
                (Viewer::Seat(ONE), vec![second]),
                (Viewer::Seat(TWO), vec![first]),
                (Viewer::Spectator, vec![first, second]),
            ] {
                let text = received(&test_table, viewer);
                for card in hidden {
                    assert!(!text.contains(card), "{viewer} sees {card} of {cards}:\n{text}");
                }
                hands += 1;
            }
            let whole: String = test_table.log.iter().map(Entry::write).collect();
            assert!(whole.contains(&format!("\"drawn\":\"{cards}\"")), "the log itself tells all");
        }
    }
    assert_eq!(hands, 720);
}

#[test]
fn at_a_showdown_everybody_sees_the_cards() {
    let (test_table, cards) = hand(1, "pass pass");
    for viewer in [Viewer::Seat(ONE), Viewer::Seat(TWO), Viewer::Spectator] {
        assert!(received(&test_table, viewer).contains(&cards));
    }
}

#[test]
fn nobody_receives_a_token_or_what_another_has_sealed() {
    let mut test_table = TestTable::full("odds-and-evens", Options::default());
    test_table.play(ONE, "2").expect("both choose");
    for viewer in [Viewer::Seat(TWO), Viewer::Spectator] {
        let text = received(&test_table, viewer);
        assert!(!text.contains("token") && !text.contains("\"move\":\"2\""), "{text}");
        assert!(text.contains("\"sealed\":[0]"), "that it has chosen is known: {text}");
    }
    assert!(received(&test_table, Viewer::Seat(ONE)).contains("\"move\":\"2\""));
    test_table.play(TWO, "1").expect("both choose");
    assert!(received(&test_table, Viewer::Spectator).contains("[0,\"2\"]"), "now it is revealed");
}

#[test]
fn clients_fold_what_they_are_shown_where_nothing_is_hidden() {
    let mut test_table = TestTable::full("odds-and-evens", Options::default());
    test_table.play(ONE, "2").expect("both choose");
    test_table.play(TWO, "1").expect("both choose");
    test_table.next_round(ONE).expect("it is decided");
    let mut server = TableState::begin(test_table.game(), &test_table.log[0]).expect("it begins");
    let mut client = server.clone();
    for entry in &test_table.log[1..] {
        client.fold(&server.visible_entry(entry, Viewer::Seat(TWO))).expect("it follows");
        server.fold(entry).expect("it follows");
        assert_eq!(client.view(Viewer::Seat(TWO)), server.view(Viewer::Seat(TWO)));
    }
}

#[test]
fn a_view_is_read_back_as_it_was_written() {
    let mut test_table = TestTable::tic_tac_toe();
    test_table.play_all("a1 b2");
    let view = test_table.state.view(Viewer::Seat(ONE));
    assert_eq!((view.turn.as_slice(), view.legal_moves.len()), (&[ONE][..], 7));
    let text = serde_json::to_string(&view).expect("it can be written");
    assert_eq!(serde_json::from_str::<table::TableView>(&text).expect("it can be read"), view);
}

#[test]
fn only_what_would_not_be_refused_is_offered() {
    let offered =
        |test_table: &TestTable, seat| test_table.state.view(Viewer::Seat(seat)).legal_moves.len();
    let mut test_table = TestTable::empty("odds-and-evens", Options::default());
    test_table.join("one").expect("the first seat is free");
    assert_eq!(offered(&test_table, ONE), 0, "somebody is missing");
    test_table.join("two").expect("the second seat is free");
    assert_eq!((offered(&test_table, ONE), offered(&test_table, TWO)), (2, 2));
    test_table.play(ONE, "1").expect("both choose");
    assert_eq!(
        (offered(&test_table, ONE), offered(&test_table, TWO)),
        (0, 2),
        "the first has chosen"
    );
}
