//! Another device: its holder offers a seat with a secret, which works once.

use game::{Refusal, Viewer};
use table::{
    Action, ActionBody, ActionId, ActionVerdict, Actor, Attempt, AttemptStep, Decision, Digest,
    Entry, Options, TableState, Token,
};

use crate::test_table::{ONE, TWO, TestTable, message};

fn secret(number: u8) -> Token {
    Token::new([number; 16])
}

fn offer(test_table: &mut TestTable, number: u8) -> Result<Decision, Refusal> {
    let version = test_table.state.version();
    let secret = secret(number).digest();
    test_table.act(Actor::Seat(ONE), ActionBody::OfferSeat { secret, version })
}

fn take_over(test_table: &mut TestTable, number: u8, token: &[u8]) -> Result<Decision, Refusal> {
    let (secret, token) = (secret(number), Digest::of(token));
    test_table.act(Actor::Stranger, ActionBody::TakeOver { secret, token })
}

const USED: &str = "This code has been used, or is not valid any more: show a new one";

#[test]
fn another_device_takes_a_seat_over_once_and_the_old_token_ends() {
    let mut test_table = TestTable::tic_tac_toe();
    test_table.play_all("b2");
    offer(&mut test_table, 7).expect("the player holds the seat");
    assert_eq!(message(take_over(&mut test_table, 8, b"new")), USED, "another secret");
    take_over(&mut test_table, 7, b"new").expect("the seat is offered");
    assert_eq!(test_table.state.holder(Digest::of(b"new")), Some(ONE));
    assert_eq!(test_table.state.holder(Digest::of(b"one")), None, "the old token holds nothing");
    let name = test_table.state.occupant(ONE).map(|occupant| occupant.name.to_string());
    assert_eq!(name.as_deref(), Some("one"));
    assert_eq!(message(take_over(&mut test_table, 7, b"third")), USED);
    let state = TableState::after(test_table.game(), &test_table.log).expect("the log folds");
    assert_eq!(state.holder(Digest::of(b"new")), Some(ONE));
}

#[test]
fn an_offer_ends_with_a_new_one_with_a_move_and_with_the_round() {
    let mut test_table = TestTable::tic_tac_toe();
    offer(&mut test_table, 1).expect("the player holds the seat");
    offer(&mut test_table, 2).expect("the player holds the seat");
    assert_eq!(message(take_over(&mut test_table, 1, b"new")), USED);
    test_table.play_all("b2");
    assert_eq!(message(take_over(&mut test_table, 2, b"new")), USED);
    offer(&mut test_table, 3).expect("the player holds the seat");
    test_table.play_all("a1");
    test_table.forfeit(TWO).expect("the round is open");
    assert_eq!(message(take_over(&mut test_table, 3, b"new")), USED);
}

#[test]
fn an_offer_survives_a_move_of_the_other_player_and_a_second_try() {
    let mut test_table = TestTable::tic_tac_toe();
    test_table.play_all("b2");
    offer(&mut test_table, 3).expect("the player holds the seat");
    test_table.play_all("a1");
    let (secret, token) = (secret(3), Digest::of(b"new"));
    let id = test_table.id();
    let action = Action { id, body: ActionBody::TakeOver { secret, token } };
    test_table.submit(&action, Actor::Stranger).expect("the seat is offered");
    let known = Decision::Known(test_table.state.version());
    for actor in [Actor::Stranger, Actor::Token(token)] {
        assert_eq!(test_table.submit(&action, actor), Ok(known.clone()), "the answer was lost");
    }
}

#[test]
fn a_device_that_holds_a_seat_takes_no_other_one_and_a_stranger_offers_none() {
    let mut test_table = TestTable::tic_tac_toe();
    offer(&mut test_table, 4).expect("the player holds the seat");
    let taken = "This device holds a seat at this table already";
    assert_eq!(message(take_over(&mut test_table, 4, b"two")), taken);
    let body = ActionBody::TakeOver { secret: secret(4), token: Digest::of(b"new") };
    assert_eq!(message(test_table.act(Actor::Seat(TWO), body)), taken);
    let (secret, version) = (secret(5).digest(), test_table.state.version());
    let body = ActionBody::OfferSeat { secret, version };
    let refused = message(test_table.act(Actor::Stranger, body));
    assert_eq!(refused, "You have no seat at this table");
}

#[test]
fn the_offer_and_the_new_token_are_seen_by_nobody() {
    let mut test_table = TestTable::tic_tac_toe();
    offer(&mut test_table, 4).expect("the player holds the seat");
    take_over(&mut test_table, 4, b"new").expect("the seat is offered");
    for entry in &test_table.log[3..] {
        assert!(entry.write().len() > 150, "the log has the digest");
        for viewer in [Viewer::Spectator, Viewer::Seat(ONE), Viewer::Seat(TWO)] {
            let shown = test_table.state.visible_entry(entry, viewer).write();
            assert!(!shown.contains("secret") && !shown.contains("token"), "{shown}");
        }
    }
    let mut client = TestTable::tic_tac_toe().state;
    let shown = |entry: &Entry| test_table.state.visible_entry(entry, Viewer::Spectator);
    test_table.log[3..].iter().for_each(|entry| client.fold(&shown(entry)).expect("it follows"));
}

#[test]
fn an_offer_ends_with_a_sealed_move() {
    let mut test_table = TestTable::full("odds-and-evens", Options::default());
    offer(&mut test_table, 1).expect("the player holds the seat");
    test_table.play(TWO, "2").expect("both seats choose");
    assert!(test_table.state.is_offered(ONE), "the other player has chosen");
    test_table.play(ONE, "1").expect("both seats choose");
    assert_eq!(message(take_over(&mut test_table, 1, b"new")), USED);
}

#[test]
fn a_late_duplicate_of_an_offer_that_the_state_has_forgotten_is_refused() {
    let mut test_table = TestTable::tic_tac_toe();
    let (secret, version) = (secret(1).digest(), test_table.state.version());
    let (id, body) = (test_table.id(), ActionBody::OfferSeat { secret, version });
    let action = Action { id, body };
    test_table.submit(&action, Actor::Seat(ONE)).expect("the player holds the seat");
    test_table.play_all("a1 b1 a2 b2 c1 a3 c3");
    let known = test_table.submit(&action, Actor::Seat(ONE));
    assert_eq!(known, Ok(Decision::Known(version + 1)), "it is remembered");
    test_table.play_all("b3");
    let late = message(test_table.submit(&action, Actor::Seat(ONE)));
    assert_eq!(late, "This offer was meant for an earlier position");
    offer(&mut test_table, 2).expect("a new offer is for this state");
}

/// A move of the old device while another one takes the seat over at another server.
fn overtaken(by: Actor) -> AttemptStep {
    let mut elsewhere = TestTable::tic_tac_toe();
    let mut state = elsewhere.state.clone();
    let chosen = "b2".parse().expect("the move text is valid");
    let body = ActionBody::Play { round: 1, ply: 0, chosen };
    let id = ActionId::new("old", 1).expect("the id is valid");
    let (mut attempt, step) = Attempt::begin(&state, Action { id, body }, by, 0);
    assert!(matches!(step, AttemptStep::Append { .. }), "{step:?}");
    offer(&mut elsewhere, 1).expect("the player holds the seat");
    take_over(&mut elsewhere, 1, b"new").expect("the seat is offered");
    let step = attempt.conflicted(&mut state, &elsewhere.log[3..]).expect("the entries follow");
    if matches!(step, AttemptStep::Find { .. }) { attempt.found(&state, None) } else { step }
}

#[test]
fn the_old_device_does_not_act_after_the_seat_was_taken_over_at_another_server() {
    for by in [Actor::Seat(ONE), Actor::Token(Digest::of(b"one"))] {
        let AttemptStep::Done(ActionVerdict::Refused(refusal)) = overtaken(by) else {
            panic!("the action is refused")
        };
        assert_eq!(refusal.message(), "You have no seat at this table");
    }
}

#[test]
fn a_move_that_came_before_the_seat_was_taken_over_counts() {
    let mut elsewhere = TestTable::tic_tac_toe();
    let mut state = elsewhere.state.clone();
    let chosen = "b2".parse().expect("the move text is valid");
    let body = ActionBody::Play { round: 1, ply: 0, chosen };
    let action = Action { id: elsewhere.id(), body };
    let by = Actor::Seat(ONE);
    let (mut attempt, _) = Attempt::begin(&state, action.clone(), by, 0);
    elsewhere.submit(&action, by).expect("the move is legal");
    offer(&mut elsewhere, 1).expect("the player holds the seat");
    take_over(&mut elsewhere, 1, b"new").expect("the seat is offered");
    let step = attempt.conflicted(&mut state, &elsewhere.log[3..]).expect("the entries follow");
    assert_eq!(step, AttemptStep::Done(ActionVerdict::Committed(4)), "its answer was lost");
}
