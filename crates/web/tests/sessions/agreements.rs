//! Takebacks, claims and the end of a table, as the page shows them.

use game::Seat;
use table::Options;
use web::screen::{TableScreen, TakebackScreen};
use web::session::{Intent, LocalSession, TableSession as _};
use web::texts::status;

use crate::fake_server::{FakeServer, TestClient};
use crate::local::{act, against, on_one_screen, play};

const ADA: Option<Seat> = Some(Seat::FIRST);
const BOB: Option<Seat> = Some(Seat::SECOND);

fn screen(session: &LocalSession) -> TableScreen {
    TableScreen::new(&session.view().expect("a local table is always known"))
}

fn board(session: &LocalSession) -> String {
    let state = session.view().expect("a local table is always known").shown;
    game::Game::text(state.game(), state.position())
}

/// Two people at a table after two moves, who have seen everything.
fn two_people() -> (FakeServer, TestClient, TestClient) {
    let mut server = FakeServer::new();
    server.play("a1");
    server.play("b2");
    let ada = TestClient::connect(&mut server, ADA);
    let mut bob = TestClient::connect(&mut server, BOB);
    server.drop_announcements();
    bob.notices();
    (server, ada, bob)
}

/// The client hears of what it has missed.
fn look(client: &mut TestClient, server: &mut FakeServer) {
    client.disconnect();
    client.reconnect(server);
}

fn shown(client: &TestClient) -> TakebackScreen {
    TableScreen::new(&client.view()).takeback
}

#[test]
fn the_other_person_is_asked_and_agrees() {
    let (mut server, mut ada, mut bob) = two_people();
    assert_eq!(shown(&bob), TakebackScreen::CanAsk);
    bob.act(Intent::AskTakeback).unwrap();
    bob.settle(&mut server);
    assert_eq!(shown(&bob), TakebackScreen::Waits);
    look(&mut ada, &mut server);
    assert_eq!(shown(&ada), TakebackScreen::Answers(Seat::SECOND));
    ada.act(Intent::GrantTakeback).unwrap();
    ada.settle(&mut server);
    assert_eq!((ada.board().as_str(), shown(&ada)), ("X        ", TakebackScreen::CanAsk));
    look(&mut bob, &mut server);
    assert_eq!(bob.board(), "X        ");
    assert_eq!(bob.notices(), ["Ada agreed: your move is taken back."]);
    assert_eq!(status(&bob.view()).subject, "Your turn");
    let screen = TableScreen::new(&bob.view());
    assert_eq!(screen.ply, 1, "the slider counts moves, not takebacks");
}

#[test]
fn the_other_person_is_asked_and_does_not_agree() {
    let (mut server, mut ada, mut bob) = two_people();
    bob.act(Intent::AskTakeback).unwrap();
    bob.settle(&mut server);
    look(&mut ada, &mut server);
    ada.act(Intent::DeclineTakeback).unwrap();
    ada.settle(&mut server);
    look(&mut bob, &mut server);
    assert_eq!(bob.board(), "X   O    ");
    assert_eq!(bob.notices(), ["Ada did not agree: your move stays."]);
    assert_eq!(shown(&bob), TakebackScreen::None, "nobody asks twice");
    let refusal = bob.act(Intent::AskTakeback).unwrap_err();
    assert_eq!(refusal.code().as_str(), "already_asked");
}

#[test]
fn the_computer_agrees_at_once_and_its_explanations_stay_with_their_moves() {
    let mut session = against("bthreads", false);
    assert_eq!(screen(&session).takeback, TakebackScreen::None, "there is no move yet");
    play(&mut session, &["a1", "c3"]);
    let (before, because) = (board(&session), screen(&session).because);
    assert!(!because.text.is_empty());
    act(&mut session, Intent::AskTakeback).unwrap();
    assert_eq!(board(&session), "X   O    ");
    assert_eq!(session.view().unwrap().explanations.len(), 1);
    play(&mut session, &["c3"]);
    assert_eq!((board(&session), screen(&session).because), (before, because));
}

#[test]
fn people_on_one_screen_take_the_last_move_back_whoever_made_it() {
    let mut session = on_one_screen("tic-tac-toe");
    play(&mut session, &["a1"]);
    assert_eq!(screen(&session).takeback, TakebackScreen::CanAsk);
    act(&mut session, Intent::AskTakeback).unwrap();
    assert_eq!(board(&session), "         ");
    play(&mut session, &["b2", "a1"]);
    act(&mut session, Intent::AskTakeback).unwrap();
    assert_eq!(board(&session), "    X    ");
}

#[test]
fn dice_are_not_taken_back() {
    let mut session = on_one_screen("pig");
    play(&mut session, &["roll"]);
    assert_eq!(screen(&session).takeback, TakebackScreen::None);
    assert!(act(&mut session, Intent::AskTakeback).is_err());
}

#[test]
fn a_restored_table_keeps_what_was_taken_back() {
    let mut session = against("bthreads", false);
    play(&mut session, &["a1"]);
    act(&mut session, Intent::AskTakeback).unwrap();
    play(&mut session, &["b2"]);
    let before = board(&session);
    let Some(web::session::SessionRecord::Local(saved)) = session.record() else {
        unreachable!("it is local")
    };
    let game = games::catalog::game("tic-tac-toe").unwrap();
    let restored = LocalSession::restore(game, saved).expect("the table is readable");
    assert_eq!(board(&restored), before);
}

#[test]
fn only_the_round_of_a_person_who_has_to_move_can_be_claimed_and_its_end_is_shown() {
    let (mut server, mut ada, _) = two_people();
    assert_eq!(TableScreen::new(&ada.view()).claimable, None, "it is the own turn");
    ada.play("c3").unwrap();
    ada.settle(&mut server);
    assert_eq!(TableScreen::new(&ada.view()).claimable, BOB);
    ada.act(Intent::Claim(Seat::SECOND)).unwrap();
    ada.settle(&mut server);
    let line = status(&ada.view());
    assert_eq!(line.subject + &line.rest, "Bob was away. You win this round.");
    ada.act(Intent::NextRound).unwrap();
    assert_eq!((ada.view().shown.round(), ada.board().as_str()), (2, "         "));
    let computer = against("random", false);
    assert_eq!(screen(&computer).claimable, None);
}

#[test]
fn an_ended_table_has_no_next_round() {
    let mut server = FakeServer::of("pig", Options::default());
    let mut ada = TestClient::connect(&mut server, ADA);
    assert!(!TableScreen::new(&ada.view()).has_drawn);
    ada.act(Intent::End).unwrap();
    ada.settle(&mut server);
    let screen = TableScreen::new(&ada.view());
    assert!(screen.has_ended && screen.buttons.is_empty(), "{:?}", screen.buttons);
    assert!(ada.play("roll").is_err());
}

#[test]
fn the_old_device_reads_that_its_seat_is_on_another_one() {
    let (mut server, mut ada, _) = two_people();
    let secret = table::Token::new([4; 16]).digest();
    ada.act(Intent::OfferSeat(secret)).unwrap();
    ada.settle(&mut server);
    ada.disconnect();
    ada.lose_seat();
    ada.reconnect(&mut server);
    assert_eq!(ada.notices(), ["Your seat is on another device now. Here you watch."]);
}
