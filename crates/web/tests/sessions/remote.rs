//! Tables on a server, through connections that come and go.

use game::{Code, Reason, Seat};
use serde_json::json;
use web::sitting::{Deed, Trouble};

use crate::hall::{Guest, Hall};

const ADA: Option<Seat> = Some(Seat::FIRST);
const BOB: Option<Seat> = Some(Seat::SECOND);

#[test]
fn a_move_is_shown_at_once_and_confirmed_by_the_server() {
    let mut hall = Hall::new();
    let mut ada = Guest::arrive(&mut hall, ADA);
    ada.play("b2").unwrap();
    assert_eq!(ada.board(), "    X    ", "before anybody has answered");
    assert_eq!((ada.seen().underway, ada.seen().confirmed.ply()), (Some("Your move to b2"), 0));
    ada.settle(&mut hall);
    assert_eq!((ada.seen().underway, ada.seen().confirmed.ply()), (None, 1));
    assert_eq!(ada.remote.unanswered(), []);
}

#[test]
fn what_the_rules_refuse_is_not_even_sent() {
    let mut hall = Hall::new();
    hall.play("b2");
    let mut bob = Guest::arrive(&mut hall, BOB);
    let refusal = bob.play("b2").unwrap_err();
    assert_eq!(refusal.to_string(), "That cell is already marked: SquareTaken(b2)");
    bob.settle(&mut hall);
    assert_eq!((hall.asked, hall.version()), (0, 4));
}

#[test]
fn a_move_without_a_connection_is_kept_and_delivered_once() {
    let mut hall = Hall::new();
    let mut ada = Guest::arrive(&mut hall, ADA);
    ada.cut();
    assert!(!ada.seen().is_connected);
    ada.play("a1").unwrap();
    assert_eq!((ada.board().as_str(), hall.asked), ("X        ", 0));
    ada.come_back(&mut hall);
    assert_eq!((hall.asked, hall.version(), ada.seen().underway), (1, 4, None));
    assert_eq!(ada.told(), Vec::<String>::new(), "there is nothing to say about it");
}

#[test]
fn a_move_whose_answer_is_lost_is_sent_again_under_its_name() {
    let mut hall = Hall::new();
    let mut ada = Guest::arrive(&mut hall, ADA);
    ada.play("a1").unwrap();
    // The server gets it, and the connection is gone before it can say so.
    let action = ada.remote.unanswered().remove(0);
    hall.act(ADA, &action).unwrap();
    drop(hall.live.take_news());
    ada.cut();
    assert_eq!(ada.seen().underway, Some("Your move to a1"));
    ada.come_back(&mut hall);
    assert_eq!((hall.version(), ada.seen().underway), (4, None), "it is in the log once");
    assert_eq!(ada.board(), "X        ");
}

#[test]
fn what_another_page_left_unanswered_is_delivered_once() {
    let mut hall = Hall::new();
    let mut before = Guest::arrive(&mut hall, ADA);
    before.cut();
    before.play("c3").unwrap();
    let unanswered = before.remote.unanswered();
    assert_eq!(unanswered.len(), 1);
    let mut after = Guest::outside(&hall, ADA, unanswered.clone());
    assert_eq!(after.remote.unanswered(), unanswered, "also before there is a connection");
    after.open(&mut hall);
    assert_eq!((hall.version(), after.board().as_str()), (4, "        X"));
    // The same once more: it was answered, so nothing is sent.
    let again = Guest::outside(&hall, ADA, unanswered);
    let mut again = again;
    again.open(&mut hall);
    assert_eq!((hall.version(), again.remote.unanswered()), (4, Vec::new()));
}

#[test]
fn a_move_that_was_overtaken_is_taken_back_with_its_reason() {
    let mut hall = Hall::new();
    let mut tab = Guest::arrive(&mut hall, ADA);
    tab.cut();
    tab.play("a1").unwrap();
    // The other tab of the same person was faster.
    hall.play("b2");
    drop(hall.live.take_news());
    tab.come_back(&mut hall);
    assert_eq!(tab.board(), "    X    ");
    let told = tab.told();
    assert_eq!(told.len(), 1, "{told:?}");
    assert!(
        told[0].starts_with("refused: This move was meant for an earlier position"),
        "{told:?}"
    );
    assert_eq!((hall.version(), tab.remote.unanswered()), (4, Vec::new()));
}

#[test]
fn a_move_that_the_server_refuses_is_taken_back() {
    let mut hall = Hall::new();
    let mut ada = Guest::arrive(&mut hall, ADA);
    hall.refusals.push_back(Reason::new(Code::ILLEGAL_MOVE, "The cat sits there").into());
    ada.play("a1").unwrap();
    ada.settle(&mut hall);
    assert_eq!((ada.board().as_str(), ada.seen().underway), ("         ", None));
    assert_eq!(ada.told(), ["refused: The cat sits there"]);
}

#[test]
fn a_move_that_the_server_puts_off_is_sent_again_and_stays_on_the_board() {
    for code in ["unavailable", "busy", "too_many", "set_aside", "early"] {
        let mut hall = Hall::new();
        let mut ada = Guest::arrive(&mut hall, ADA);
        let code: Code = serde_json::from_value(json!(code)).unwrap();
        let reason =
            Reason { code: code.clone(), message: "Later".to_owned(), because: Vec::new() };
        hall.refusals.push_back(reason.into());
        ada.play("a1").unwrap();
        ada.settle(&mut hall);
        assert_eq!((ada.board().as_str(), hall.version()), ("X        ", 3));
        ada.wait(&mut hall);
        assert_eq!((ada.seen().underway, hall.version()), (None, 4));
        let is_told = ada.told() == ["Later. It is tried again by itself."];
        assert_eq!(is_told, code.as_str() == "unavailable", "{code}");
    }
}

#[test]
fn what_was_missed_is_asked_for() {
    let mut hall = Hall::new();
    let mut ada = Guest::arrive(&mut hall, ADA);
    hall.play("a1");
    drop(hall.live.take_news());
    hall.play("b2");
    hall.tell(&mut ada);
    ada.settle(&mut hall);
    assert_eq!(ada.board(), "X   O    ");
}

#[test]
fn who_comes_back_to_another_log_starts_over() {
    let mut hall = Hall::new();
    hall.play("a1");
    hall.play("b2");
    let mut ada = Guest::arrive(&mut hall, ADA);
    assert_eq!(ada.board(), "X   O    ");
    ada.cut();
    hall.restore(&["c1"]);
    ada.come_back(&mut hall);
    assert_eq!(ada.board(), "  X      ");
    // Bob is in turn now, so that is what Ada is told.
    assert_eq!(ada.play("a3").unwrap_err().code(), &Code::NOT_YOUR_TURN);
}

#[test]
fn what_happens_at_the_table_is_told_in_words() {
    let mut hall = Hall::new();
    for chosen in ["a1", "a2", "b1", "b2", "c1"] {
        hall.play(chosen);
    }
    drop(hall.live.take_news());
    let (mut ada, mut bob) = (Guest::arrive(&mut hall, ADA), Guest::arrive(&mut hall, BOB));
    bob.act(Deed::Forfeit).unwrap();
    bob.settle(&mut hall);
    assert_eq!(bob.told(), ["You conceded. Round 2 begins."]);
    ada.cut();
    ada.come_back(&mut hall);
    assert_eq!((ada.seen().shown.round(), ada.board().as_str()), (2, "         "));
    ada.act(Deed::Forfeit).unwrap();
    ada.settle(&mut hall);
    assert_eq!(ada.told().last().unwrap(), "You resigned. Round 3 begins.");
}

#[test]
fn who_is_connected_follows_presence() {
    let mut hall = Hall::new();
    let mut ada = Guest::arrive(&mut hall, ADA);
    let here = |name: &str| json!({"metas": [{"phx_ref": name}]});
    ada.hear_event("presence_state", &json!({"0": here("a"), "1": here("b")}).to_string());
    assert_eq!(ada.seen().connected, Some(&[Seat::FIRST, Seat::SECOND][..]));
    let gone = json!({"joins": {}, "leaves": {"1": here("b")}});
    ada.hear_event("presence_diff", &gone.to_string());
    assert_eq!(ada.seen().connected, Some(&[Seat::FIRST][..]));
}

#[test]
fn a_page_of_another_protocol_says_so() {
    let mut hall = Hall::new();
    let mut guest = Guest::outside(&hall, None, Vec::new());
    let mut welcome =
        serde_json::to_value(hall.live.welcome(None, &table::wire::Resync::default())).unwrap();
    welcome["protocol"] = json!(99);
    guest.open_with(&mut hall, &welcome);
    assert_eq!(guest.remote.trouble(), Some(&Trouble::OtherProtocol));
    assert!(!guest.is_open, "it does not try again");
}

#[test]
fn who_looks_on_does_nothing() {
    let mut hall = Hall::new();
    let mut eve = Guest::arrive(&mut hall, None);
    assert_eq!(eve.play("a1").unwrap_err().code().as_str(), "no_seat");
    eve.settle(&mut hall);
    assert_eq!(hall.asked, 0);
}

#[test]
fn what_is_no_frame_is_trouble_and_no_panic() {
    let mut hall = Hall::new();
    let mut ada = Guest::arrive(&mut hall, ADA);
    for text in ["", "null", "[]", "{\"a\":", "[null,null,\"table:abc\",\"entries\",{}]"] {
        drop(ada.remote.heard(text, 1));
    }
    assert_eq!(ada.board(), "         ");
}

#[test]
fn a_game_that_hides_something_is_named_as_one_that_this_page_cannot_show() {
    let mut hall = Hall::of("kuhn-poker", table::Options::default());
    let guest = Guest::arrive(&mut hall, None);
    let unknown = Trouble::UnknownGame("kuhn-poker".to_owned());
    assert_eq!((guest.remote.trouble(), guest.is_open), (Some(&unknown), false));
}

#[test]
fn whoever_holds_no_seat_any_more_looks_on_and_may_sit_down_again() {
    let mut hall = Hall::new();
    let mut ada = Guest::arrive(&mut hall, ADA);
    ada.play("a1").unwrap();
    ada.cut();
    ada.lose_seat();
    ada.come_back(&mut hall);
    assert_eq!(ada.told()[0], "You have no seat here.");
    ada.wait(&mut hall);
    assert!(ada.seen().own.is_empty() && ada.seen().is_connected);
    assert_eq!((ada.remote.trouble(), ada.board().as_str()), (None, "         "));
}

#[test]
fn giving_up_is_on_its_way_until_the_server_has_said_so() {
    let mut hall = Hall::new();
    let mut ada = Guest::arrive(&mut hall, ADA);
    ada.cut();
    ada.act(Deed::Forfeit).unwrap();
    assert_eq!(ada.seen().underway, Some("Giving up"));
    ada.come_back(&mut hall);
    assert_eq!((ada.seen().underway, ada.seen().confirmed.round()), (None, 2));
}

#[test]
fn why_a_move_is_put_off_is_told_once() {
    let mut hall = Hall::new();
    let mut ada = Guest::arrive(&mut hall, ADA);
    let full = Reason::new(Code::new("unavailable"), "The disk is full".to_owned());
    hall.refusals.extend([full.clone().into(), full.into()]);
    ada.play("a1").unwrap();
    ada.settle(&mut hall);
    ada.wait(&mut hall);
    assert_eq!(ada.told(), ["The disk is full. It is tried again by itself."]);
    ada.wait(&mut hall);
    assert_eq!((hall.version(), ada.seen().underway), (4, None));
}
