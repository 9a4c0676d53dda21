//! The views of seats and spectators.

use game::Viewer;
use table::{Entry, Options, TableSecret, TableState, automatic_entries};

use crate::test_table::{ONE, TWO, TestTable};

/// All entries and views that a viewer receives while a log grows, as text.
fn received(test_table: &TestTable, viewer: Viewer) -> String {
    let mut state = TableState::begin(test_table.game(), &test_table.log[0])
        .expect("the first entry creates a table");
    let mut text = String::new();
    for entry in &test_table.log[1..] {
        text += &state.visible_entry(entry, viewer).write();
        text += "\n";
        state.fold(entry).expect("the entry follows the log");
        text += &serde_json::to_string(&state.view(viewer)).expect("the value serializes");
        text += "\n";
    }
    text
}

/// A hand of Kuhn poker with these moves, and the cards that were dealt.
fn hand(number: u8, moves: &str) -> (TestTable, String) {
    let mut test_table = TestTable::full("kuhn-poker", Options::default());
    let deal = automatic_entries(&test_table.state, &TableSecret::new([number; 32]), 0)
        .expect("the cards are dealt");
    for entry in deal {
        test_table.state.fold(&entry).expect("the entry follows the log");
        test_table.log.push(entry);
    }
    let cards = test_table.text();
    test_table.play_all(moves);
    (test_table, cards)
}

#[test]
fn no_byte_reveals_an_opponents_card_before_the_showdown() {
    let mut hands = 0;
    for number in 0..40 {
        for moves in ["", "pass", "bet", "pass bet", "bet pass", "pass bet pass"] {
            let (test_table, cards) = hand(number, moves);
            let [first, second] =
                [0, 1].map(|place| cards.chars().nth(place).expect("there are two cards"));
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
            assert!(
                whole.contains(&format!("\"drawn\":\"{cards}\"")),
                "the log itself has all cards"
            );
        }
    }
    assert_eq!(hands, 720);
}

#[test]
fn a_showdown_reveals_the_cards_to_all_viewers() {
    let (test_table, cards) = hand(1, "pass pass");
    for viewer in [Viewer::Seat(ONE), Viewer::Seat(TWO), Viewer::Spectator] {
        assert!(received(&test_table, viewer).contains(&cards));
    }
}

#[test]
fn no_viewer_receives_a_token_or_the_sealed_move_of_another_seat() {
    let mut test_table = TestTable::full("odds-and-evens", Options::default());
    test_table.play(ONE, "2").expect("both seats choose");
    for viewer in [Viewer::Seat(TWO), Viewer::Spectator] {
        let text = received(&test_table, viewer);
        assert!(!text.contains("token") && !text.contains("\"move\":\"2\""), "{text}");
        assert!(text.contains("\"sealed\":[0]"), "the sealed seats are public: {text}");
    }
    assert!(received(&test_table, Viewer::Seat(ONE)).contains("\"move\":\"2\""));
    test_table.play(TWO, "1").expect("both seats choose");
    assert!(received(&test_table, Viewer::Spectator).contains("[0,\"2\"]"), "the move is revealed");
}

#[test]
fn clients_can_fold_visible_entries_of_a_game_without_hidden_information() {
    let mut test_table = TestTable::full("odds-and-evens", Options::default());
    test_table.play(ONE, "2").expect("both seats choose");
    test_table.play(TWO, "1").expect("both seats choose");
    test_table.next_round(ONE).expect("the round is decided");
    let mut server = TableState::begin(test_table.game(), &test_table.log[0])
        .expect("the first entry creates a table");
    let mut client = server.clone();
    for entry in &test_table.log[1..] {
        client
            .fold(&server.visible_entry(entry, Viewer::Seat(TWO)))
            .expect("the entry follows the log");
        server.fold(entry).expect("the entry follows the log");
        assert_eq!(client.view(Viewer::Seat(TWO)), server.view(Viewer::Seat(TWO)));
    }
}

#[test]
fn a_view_survives_a_round_trip() {
    let mut test_table = TestTable::tic_tac_toe();
    test_table.play_all("a1 b2");
    let view = test_table.state.view(Viewer::Seat(ONE));
    assert_eq!((view.turn.as_slice(), view.legal_moves.len()), (&[ONE][..], 7));
    let text = serde_json::to_string(&view).expect("the value serializes");
    assert_eq!(serde_json::from_str::<table::TableView>(&text).expect("the text is valid"), view);
}

#[test]
fn only_legal_moves_are_offered() {
    let offered =
        |test_table: &TestTable, seat| test_table.state.view(Viewer::Seat(seat)).legal_moves.len();
    let mut test_table = TestTable::empty("odds-and-evens", Options::default());
    test_table.join("one").expect("the first seat is free");
    assert_eq!(offered(&test_table, ONE), 0, "the second player is missing");
    test_table.join("two").expect("the second seat is free");
    assert_eq!((offered(&test_table, ONE), offered(&test_table, TWO)), (2, 2));
    test_table.play(ONE, "1").expect("both seats choose");
    assert_eq!(
        (offered(&test_table, ONE), offered(&test_table, TWO)),
        (0, 2),
        "the first seat has chosen"
    );
}
