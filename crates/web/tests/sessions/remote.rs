//! Tables on a server, over connections that come and go.

use game::{Code, Reason, Seat};
use serde_json::json;
use table::wire::codes;
use web::screen::{RulesSource, TableScreen};
use web::session::{HOLD_TIME, Intent, Now, SessionError, TableSession as _};
use web::texts::status;

use crate::fake_server::{FakeServer, TestClient};

const ADA: Option<Seat> = Some(Seat::FIRST);
const BOB: Option<Seat> = Some(Seat::SECOND);

#[test]
fn a_move_is_shown_at_once_and_confirmed_by_the_server() {
    let mut server = FakeServer::new();
    let mut ada = TestClient::connect(&mut server, ADA);
    ada.play("b2").unwrap();
    assert_eq!(ada.board(), "    X    ", "before the server has answered");
    assert_eq!(ada.pending().as_deref(), Some("Your move to b2"));
    assert_eq!(ada.view().confirmed.ply(), 0);
    ada.settle(&mut server);
    assert_eq!((ada.pending(), ada.view().confirmed.ply()), (None, 1));
    assert_eq!(ada.session.unanswered(), []);
}

#[test]
fn an_illegal_move_is_not_sent() {
    let mut server = FakeServer::new();
    server.play("b2");
    let mut bob = TestClient::connect(&mut server, BOB);
    let refusal = bob.play("b2").unwrap_err();
    assert_eq!(refusal.to_string(), "That cell is already marked: SquareTaken(b2)");
    bob.settle(&mut server);
    assert_eq!((server.action_count, server.version()), (0, 4));
}

#[test]
fn a_move_without_a_connection_is_delivered_later_and_once() {
    let mut server = FakeServer::new();
    let mut ada = TestClient::connect(&mut server, ADA);
    ada.disconnect();
    assert!(!ada.view().is_connected);
    ada.play("a1").unwrap();
    assert_eq!((ada.board().as_str(), server.action_count), ("X        ", 0));
    ada.reconnect(&mut server);
    assert_eq!((server.action_count, server.version(), ada.pending()), (1, 4, None));
    assert_eq!(ada.notices(), Vec::<String>::new(), "nothing is announced");
}

#[test]
fn a_move_whose_answer_is_lost_is_sent_again_with_the_same_id() {
    let mut server = FakeServer::new();
    let mut ada = TestClient::connect(&mut server, ADA);
    ada.play("a1").unwrap();
    // The server receives it, and the connection breaks before the answer.
    let action = ada.session.unanswered().remove(0);
    server.act(ADA, &action).unwrap();
    server.drop_announcements();
    ada.disconnect();
    assert_eq!(ada.pending().as_deref(), Some("Your move to a1"));
    ada.reconnect(&mut server);
    assert_eq!((server.version(), ada.pending()), (4, None), "the move is in the log once");
    assert_eq!(ada.board(), "X        ");
}

#[test]
fn an_unanswered_action_survives_a_reload_and_is_delivered_once() {
    let mut server = FakeServer::new();
    let mut before = TestClient::connect(&mut server, ADA);
    before.disconnect();
    before.play("c3").unwrap();
    let unanswered = before.session.unanswered();
    let mut after = TestClient::unconnected(&server, ADA, unanswered.clone());
    assert_eq!(
        after.session.unanswered(),
        unanswered,
        "the action is known before there is a connection"
    );
    after.open(&mut server);
    assert_eq!((server.version(), after.board().as_str()), (4, "        X"));
    // A second reload: the action was answered, so nothing is sent.
    let mut again = TestClient::unconnected(&server, ADA, unanswered);
    again.open(&mut server);
    assert_eq!((server.version(), again.session.unanswered()), (4, Vec::new()));
}

#[test]
fn an_overtaken_move_is_rolled_back_with_its_reason() {
    let mut server = FakeServer::new();
    let mut tab = TestClient::connect(&mut server, ADA);
    tab.disconnect();
    tab.play("a1").unwrap();
    // Another tab of the same person was faster.
    server.play("b2");
    server.drop_announcements();
    tab.reconnect(&mut server);
    assert_eq!(tab.board(), "    X    ");
    let notices = tab.notices();
    assert_eq!(notices.len(), 1, "{notices:?}");
    assert!(
        notices[0].starts_with("refused: This move was meant for an earlier position"),
        "{notices:?}"
    );
    assert_eq!((server.version(), tab.session.unanswered()), (4, Vec::new()));
}

#[test]
fn a_move_that_the_server_refuses_is_rolled_back() {
    let mut server = FakeServer::new();
    let mut ada = TestClient::connect(&mut server, ADA);
    server.refusals.push_back(Reason::new(Code::ILLEGAL_MOVE, "The cat sits there").into());
    ada.play("a1").unwrap();
    ada.settle(&mut server);
    assert_eq!((ada.board().as_str(), ada.pending()), ("         ", None));
    assert_eq!(ada.notices(), ["refused: The cat sits there"]);
}

#[test]
fn a_postponed_move_stays_on_the_board_and_is_sent_again() {
    let undecided =
        [codes::UNAVAILABLE, codes::BUSY, codes::TOO_MANY, codes::SET_ASIDE, codes::EARLY];
    for code in undecided {
        let mut server = FakeServer::new();
        let mut ada = TestClient::connect(&mut server, ADA);
        server.refusals.push_back(Reason::new(code.clone(), "Later").into());
        ada.play("a1").unwrap();
        ada.settle(&mut server);
        assert_eq!((ada.board().as_str(), server.version()), ("X        ", 3));
        ada.wait(&mut server);
        assert_eq!((ada.pending(), server.version()), (None, 4));
        let is_announced = ada.notices() == ["Later. We keep retrying."];
        assert_eq!(is_announced, code == codes::UNAVAILABLE, "{code}");
    }
}

#[test]
fn missed_entries_are_fetched() {
    let mut server = FakeServer::new();
    let mut ada = TestClient::connect(&mut server, ADA);
    server.play("a1");
    server.drop_announcements();
    server.play("b2");
    server.broadcast(&mut ada);
    ada.settle(&mut server);
    assert_eq!(ada.board(), "X   O    ");
}

#[test]
fn a_client_that_finds_another_log_starts_over() {
    let mut server = FakeServer::new();
    server.play("a1");
    server.play("b2");
    let mut ada = TestClient::connect(&mut server, ADA);
    assert_eq!(ada.board(), "X   O    ");
    ada.disconnect();
    server.restore(&["c1"]);
    ada.reconnect(&mut server);
    assert_eq!(ada.board(), "  X      ");
    // Bob is in turn now.
    assert_eq!(ada.play("a3").unwrap_err().code(), &Code::NOT_YOUR_TURN);
}

#[test]
fn the_end_of_a_round_is_announced() {
    let mut server = FakeServer::new();
    for chosen in ["a1", "a2", "b1", "b2", "c1"] {
        server.play(chosen);
    }
    server.drop_announcements();
    let mut ada = TestClient::connect(&mut server, ADA);
    let mut bob = TestClient::connect(&mut server, BOB);
    bob.act(Intent::Forfeit).unwrap();
    bob.settle(&mut server);
    assert_eq!(bob.notices(), ["You conceded. Round 2 begins."]);
    ada.disconnect();
    ada.reconnect(&mut server);
    assert_eq!((ada.view().shown.round(), ada.board().as_str()), (2, "         "));
    ada.act(Intent::Forfeit).unwrap();
    ada.settle(&mut server);
    let ended = TableScreen::new(&ada.view()).status;
    assert_eq!(ended.subject + &ended.rest, "You resigned. Bob wins this round.");
}

#[test]
fn presence_says_who_is_connected() {
    let mut server = FakeServer::new();
    let mut ada = TestClient::connect(&mut server, ADA);
    let here = |name: &str| json!({"metas": [{"phx_ref": name}]});
    ada.receive_event("presence_state", &json!({"0": here("a"), "1": here("b")}).to_string());
    assert_eq!(ada.view().connected, Some(&[Seat::FIRST, Seat::SECOND][..]));
    let left = json!({"joins": {}, "leaves": {"1": here("b")}});
    ada.receive_event("presence_diff", &left.to_string());
    assert_eq!(ada.view().connected, Some(&[Seat::FIRST][..]));
}

#[test]
fn another_protocol_ends_the_session() {
    let mut server = FakeServer::new();
    let mut client = TestClient::unconnected(&server, None, Vec::new());
    let welcome = server.table.welcome(None, &table::wire::Resync::default());
    let mut welcome = serde_json::to_value(welcome).unwrap();
    welcome["protocol"] = json!(99);
    client.open_with(&mut server, &welcome);
    assert_eq!(client.session.error(), Some(&SessionError::OtherProtocol));
    assert!(!client.is_open, "the session does not retry");
}

#[test]
fn the_server_s_clock_counts() {
    let mut server = FakeServer::new();
    let mut client = TestClient::unconnected(&server, None, Vec::new());
    let mut welcome = server.table.welcome(None, &table::wire::Resync::default());
    welcome.now = Some(7_000);
    client.open_with(&mut server, &serde_json::to_value(welcome).unwrap());
    let later = Now { since_1970: 500, monotonic: 500 };
    assert_eq!(client.session.table_time(later), 7_500);
}

#[test]
fn a_spectator_s_move_is_not_sent() {
    let mut server = FakeServer::new();
    let mut eve = TestClient::connect(&mut server, None);
    assert_eq!(eve.play("a1").unwrap_err().code(), &codes::NO_SEAT);
    eve.settle(&mut server);
    assert_eq!(server.action_count, 0);
}

#[test]
fn garbage_from_the_socket_causes_no_panic() {
    let mut server = FakeServer::new();
    let mut ada = TestClient::connect(&mut server, ADA);
    for text in ["", "null", "[]", "{\"a\":", "[null,null,\"table:abc\",\"entries\",{}]"] {
        ada.receive_text(text);
    }
    assert_eq!(ada.board(), "         ");
}

#[test]
fn a_player_whose_token_is_forgotten_becomes_a_spectator() {
    let mut server = FakeServer::new();
    let mut ada = TestClient::connect(&mut server, ADA);
    ada.play("a1").unwrap();
    ada.disconnect();
    ada.lose_seat();
    ada.reconnect(&mut server);
    assert_eq!(ada.notices()[0], "You have no seat here.");
    ada.wait(&mut server);
    assert!(ada.view().own_seats.is_empty() && ada.view().is_connected);
    assert_eq!((ada.session.error(), ada.board().as_str()), (None, "         "));
}

#[test]
fn a_resignation_is_on_its_way_until_the_server_confirms_it() {
    let mut server = FakeServer::new();
    let mut ada = TestClient::connect(&mut server, ADA);
    ada.disconnect();
    ada.act(Intent::Forfeit).unwrap();
    assert_eq!(ada.pending().as_deref(), Some("Your resignation"));
    ada.reconnect(&mut server);
    assert_eq!((ada.pending(), ada.view().confirmed.round()), (None, 1), "its end is shown");
    ada.act(Intent::NextRound).unwrap();
    assert_eq!(ada.view().confirmed.round(), 2);
}

#[test]
fn a_move_that_is_not_recorded_for_long_says_so_until_it_is() {
    let mut server = FakeServer::new();
    let mut ada = TestClient::connect(&mut server, ADA);
    let busy = || Reason::new(codes::BUSY, "Later".to_owned()).into();
    server.refusals.extend(std::iter::repeat_with(busy).take(6));
    ada.play("a1").unwrap();
    ada.settle(&mut server);
    while ada.time < 2_000 {
        assert_eq!(status(&ada.view()).rest, " is on its way …");
        ada.wait(&mut server);
    }
    let late = status(&ada.view());
    assert_eq!(late.subject + &late.rest, "Your move to a1 is not recorded yet. We keep trying …");
    ada.disconnect();
    assert_eq!(status(&ada.view()).rest, " is on its way …", "the missing connection is shown");
    ada.reconnect(&mut server);
    while ada.pending().is_some() {
        ada.wait(&mut server);
    }
    assert_eq!(server.version(), 4);
    assert_eq!(status(&ada.view()).subject, "Bob");
    server.play("b2");
    server.broadcast(&mut ada);
    ada.play("c3").unwrap();
    assert_eq!(status(&ada.view()).rest, " is on its way …", "the next one is not late");
}

#[test]
fn a_long_delay_is_announced_once() {
    let mut server = FakeServer::new();
    let mut ada = TestClient::connect(&mut server, ADA);
    let full = Reason::new(codes::UNAVAILABLE, "The disk is full".to_owned());
    server.refusals.extend([full.clone().into(), full.into()]);
    ada.play("a1").unwrap();
    ada.settle(&mut server);
    ada.wait(&mut server);
    assert_eq!(ada.notices(), ["The disk is full. We keep retrying."]);
    ada.wait(&mut server);
    assert_eq!((server.version(), ada.pending()), (4, None));
}

#[test]
fn a_round_that_somebody_else_ends_stays_for_a_while() {
    let mut server = FakeServer::new();
    for chosen in ["a1", "a2", "b1", "b2", "c1"] {
        server.play(chosen);
    }
    server.drop_announcements();
    let mut ada = TestClient::connect(&mut server, ADA);
    server.go_to_next_round(Seat::SECOND);
    server.broadcast(&mut ada);
    let held = TableScreen::new(&ada.view());
    assert_eq!((held.round, held.status.rest.as_str()), (1, " this round. Bob is ready."));
    assert_eq!(ada.board(), "XXXOO    ");
    ada.wait_for(HOLD_TIME, &mut server);
    assert_eq!((ada.view().shown.round(), ada.board().trim()), (2, ""));
}

#[test]
fn a_round_that_time_ended_says_so_until_the_player_goes_on() {
    let mut server = FakeServer::new();
    server.play("b2");
    server.drop_announcements();
    let mut ada = TestClient::connect(&mut server, ADA);
    server.time_out(Seat::SECOND);
    server.broadcast(&mut ada);
    let held = TableScreen::new(&ada.view());
    let said = format!("{}{}", held.status.subject, held.status.rest);
    assert_eq!(said, "Bob ran out of time. You win this round.");
    assert_eq!((held.players[0].wins, ada.board().as_str()), (1, "    X    "));
    assert_eq!(ada.notices(), Vec::<String>::new(), "the status says it");
    ada.act(Intent::NextRound).unwrap();
    assert_eq!(ada.view().shown.round(), 2);
    assert_eq!(server.version(), 5, "the next round had begun already: nothing was sent");
}

#[test]
fn a_game_that_hides_something_is_shown_by_the_server() {
    let mut server = kuhn_poker();
    let mut ada = TestClient::connect(&mut server, ADA);
    let mut eve = TestClient::connect(&mut server, None);
    let notes = |client: &TestClient| {
        let viewed = client.session.viewed().expect("the server shows it");
        TableScreen::of_viewed(&viewed).notes
    };
    let hidden =
        |client: &TestClient| notes(client).iter().filter(|note| note.text.ends_with('?')).count();
    assert_eq!((hidden(&ada), hidden(&eve)), (1, 2), "ada sees her own card");
    let screen = TableScreen::of_viewed(&ada.session.viewed().unwrap());
    assert_eq!(screen.status.subject + &screen.status.rest, "Your turn.");
    assert_eq!(screen.other_moves, ["pass", "bet"]);
    assert_eq!(screen.players[1].name, "Bob");
    ada.play("bet").unwrap();
    ada.settle(&mut server);
    let screen = TableScreen::of_viewed(&ada.session.viewed().unwrap());
    assert_eq!(
        (screen.status.subject + &screen.status.rest, screen.ply),
        ("Bob’s turn.".to_owned(), 2)
    );
    ada.play("bet").unwrap();
    ada.settle(&mut server);
    assert!(ada.notices().iter().any(|notice| notice.starts_with("refused: It is not your turn")));
    eve.play("bet").unwrap();
    assert_eq!(server.action_count, 2, "a spectator sends nothing");
}

/// A game of Kuhn poker in which both have a card.
fn kuhn_poker() -> FakeServer {
    let mut server = FakeServer::of("kuhn-poker", table::Options::default());
    server.go_on();
    server.drop_announcements();
    server
}

/// The round that is shown, what is said of it, the rounds that each player has won, and the buttons.
fn shown(client: &TestClient) -> (u32, String, Vec<usize>, Vec<String>) {
    let screen = TableScreen::of_viewed(&client.session.viewed().expect("the server shows it"));
    let wins = screen.players.iter().map(|player| player.wins).collect();
    let buttons = screen.buttons.into_iter().map(|button| button.label).collect();
    (screen.round, screen.status.subject + &screen.status.rest, wins, buttons)
}

#[test]
fn a_round_that_time_ended_stays_where_the_server_shows_the_table() {
    let mut server = kuhn_poker();
    server.play("bet");
    server.drop_announcements();
    let mut ada = TestClient::connect(&mut server, ADA);
    let mut eve = TestClient::connect(&mut server, None);
    server.time_out(Seat::SECOND);
    server.broadcast_to(&mut [&mut ada, &mut eve]);
    let said = "Bob ran out of time. You win this round.".to_owned();
    let button = || vec!["Next round".to_owned()];
    assert_eq!(shown(&ada), (1, said, vec![1, 0], button()));
    assert_eq!(shown(&eve).1, "Bob ran out of time. Ada wins this round.");
    let (sent, version) = (server.action_count, server.version());
    ada.act(Intent::NextRound).unwrap();
    ada.settle(&mut server);
    assert_eq!((shown(&ada).0, server.action_count, server.version()), (2, sent, version));
    assert_eq!(shown(&eve).0, 1, "she has not gone on");
    eve.wait_for(HOLD_TIME, &mut server);
    assert_eq!(shown(&eve).0, 2);
}

#[test]
fn a_decided_round_stays_where_the_server_shows_the_table_until_the_person_goes_on() {
    let mut server = kuhn_poker();
    server.play("bet");
    server.play("pass");
    server.drop_announcements();
    let mut ada = TestClient::connect(&mut server, ADA);
    let mut bob = TestClient::connect(&mut server, BOB);
    server.go_to_next_round(Seat::FIRST);
    server.broadcast_to(&mut [&mut ada, &mut bob]);
    assert_eq!(shown(&ada).0, 2, "she went on");
    let (round, said, wins, buttons) = shown(&bob);
    assert_eq!((round, said.as_str()), (1, "Ada won this round. Ada is ready."));
    assert_eq!((wins, buttons), (vec![1, 0], vec!["Next round".to_owned()]));
    bob.act(Intent::NextRound).unwrap();
    assert_eq!(shown(&bob).0, 2);
}

#[test]
fn sentences_of_rules_that_a_player_wrote_are_marked_as_theirs() {
    let text = include_str!("../../../../games/tic-tac-toe.cradle");
    for (own_rules, source, said) in [
        (true, RulesSource::Player, "refused: The author of these rules says: “"),
        (false, RulesSource::Text, "refused: "),
    ] {
        let options = table::Options { own_rules, ..table::Options::default() };
        let mut server = FakeServer::of_text("tic-tac-toe@00ff", text, options);
        server.play("b2");
        server.drop_announcements();
        let mut bob = TestClient::connect(&mut server, Some(Seat::SECOND));
        let screen = TableScreen::of_viewed(&bob.session.viewed().expect("the server shows it"));
        assert_eq!((screen.rules_source, screen.game.as_str()), (source, "Tic-tac-toe"));
        let taken = screen.board.squares.iter().find(|square| square.name == "b2").unwrap();
        assert_eq!((taken.moves.len(), taken.any_move.as_deref()), (0, Some("b2")));
        bob.play("b2").unwrap();
        bob.settle(&mut server);
        let notices = bob.notices();
        let refused = notices.iter().find(|notice| notice.starts_with("refused"));
        assert_eq!(refused.map(|notice| notice.starts_with(said)), Some(true), "{notices:?}");
        assert_eq!(refused.map(|notice| notice.contains("says:")), Some(own_rules), "{notices:?}");
        let watched = TestClient::connect(&mut server, None).session.viewed().unwrap();
        let squares = TableScreen::of_viewed(&watched).board.squares;
        assert!(squares.iter().all(|square| square.any_move.is_none()), "a spectator asks nothing");
    }
}
