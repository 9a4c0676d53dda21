//! What the screen shows.

use game::{MoveExplanation, PositionValue, Seat, StopFlag, Viewer};
use serde_json::json;
use table::wire::ListedTable;
use table::{Clock, Options};
use web::screen::{PlayerPresence, RoundPhase, TableScreen};
use web::session::{Intent, LocalSession, TableSession as _};
use web::texts::computer_reason;

use crate::fake_server::{FakeServer, TestClient};
use crate::local::{act, against, against_at, on_one_screen, play};

fn screen(session: &LocalSession) -> TableScreen {
    TableScreen::new(&session.view().expect("a local table is always known"))
}

fn after(moves: &[&str]) -> LocalSession {
    let mut session = on_one_screen("tic-tac-toe");
    play(&mut session, moves);
    session
}

fn labels(screen: &TableScreen) -> Vec<&str> {
    screen.buttons.iter().map(|button| button.label.as_str()).collect()
}

fn status(screen: &TableScreen) -> String {
    format!("{}{}{}", screen.last_move, screen.status.subject, screen.status.rest)
}

fn wins(screen: &TableScreen) -> Vec<usize> {
    screen.players.iter().map(|player| player.wins).collect()
}

#[test]
fn screen_readers_hear_what_is_on_a_square() {
    let board = screen(&after(&["c2"])).board;
    assert_eq!(board.label(5), "c2, X");
    assert_eq!(board.label(0), "a1, empty");
    assert_eq!((board.columns, board.rows(), board.squares[5].name.as_str()), (3, 3, "c2"));
    assert!(board.squares[5].is_last && board.squares[5].moves.is_empty());
    assert_eq!(board.squares[0].moves, ["a1"]);
}

#[test]
fn the_status_names_the_player_in_turn_and_the_winner() {
    assert_eq!(status(&screen(&after(&[]))), "X’s turn.");
    let screen = screen(&after(&["a1", "a2", "b1", "b2", "c1"]));
    assert_eq!(status(&screen), "X played c1. X won this round.");
    assert_eq!(screen.phase, RoundPhase::Won);
    assert_eq!((labels(&screen), screen.board.winning_runs()), (vec!["Next round"], vec![(0, 2)]));
    assert!(!screen.players.iter().any(|player| player.is_in_turn), "the round is over");
}

#[test]
fn a_round_counts_as_soon_as_it_is_decided() {
    assert_eq!(wins(&screen(&after(&["a1", "a2", "b1", "b2"]))), [0, 0]);
    let mut session = after(&["a1", "a2", "b1", "b2", "c1"]);
    assert_eq!(wins(&screen(&session)), [1, 0], "the next round has not begun yet");
    act(&mut session, Intent::NextRound).unwrap();
    assert_eq!((wins(&screen(&session)), screen(&session).round), (vec![1, 0], 2));
}

#[test]
fn a_move_on_a_decided_board_is_refused_because_the_round_is_over() {
    let session = after(&["a1", "a2", "b1", "b2", "c1"]);
    let refusal = session.view().unwrap().refusal(Intent::play("c3")).unwrap();
    let reasons = web::texts::refusal(&refusal);
    assert_eq!(reasons[0].0.text, "This round is over");
    assert_eq!(reasons[0].1, ["EndOfGame"]);
}

#[test]
fn the_time_limit_is_shown_before_the_clock_runs() {
    let clock = |clock| {
        let server = &mut FakeServer::with(Options { clock, ..Options::default() });
        TableScreen::new(&TestClient::connect(server, None).view()).clock
    };
    assert_eq!(clock(None), None);
    assert_eq!(clock(Some(Clock::PerMove(15_000))).as_deref(), Some("15 s a move"));
    assert_eq!(clock(Some(Clock::PerSide(300_000))).as_deref(), Some("5 min a round"));
    assert_eq!(clock(Some(Clock::PerSide(90_000))).as_deref(), Some("1:30 a round"));
}

#[test]
fn a_cat_s_game_is_a_tie() {
    let mut session = after(&["a1", "b2", "c3", "b1", "b3", "a3", "c1", "c2", "a2"]);
    let drawn = screen(&session);
    assert_eq!((drawn.phase, drawn.ties), (RoundPhase::Drawn, 1));
    assert_eq!((labels(&drawn), drawn.board.winning_runs()), (vec!["Next round"], Vec::new()));
    assert!(status(&drawn).ends_with("A cat’s game: nobody wins."));
    act(&mut session, Intent::NextRound).unwrap();
    let next = screen(&session);
    assert_eq!((next.round, next.ties), (2, 1));
}

#[test]
fn two_winning_lines_are_two_golden_threads() {
    let screen = screen(&after(&["a1", "a2", "b1", "b2", "c2", "a3", "c3", "b3", "c1"]));
    assert_eq!(screen.phase, RoundPhase::Won);
    assert_eq!(screen.board.winning_runs(), [(0, 2), (2, 8)]);
}

#[test]
fn both_players_can_resign_and_spectators_cannot() {
    let mut server = FakeServer::new();
    let ada = TestClient::connect(&mut server, Some(Seat::FIRST));
    let bob = TestClient::connect(&mut server, Some(Seat::SECOND));
    let spectator = TestClient::connect(&mut server, None);
    assert_eq!(labels(&TableScreen::new(&ada.view())), ["Resign"]);
    assert_eq!(labels(&TableScreen::new(&bob.view())), ["Resign"]);
    assert_eq!(labels(&TableScreen::new(&spectator.view())), Vec::<&str>::new());
}

#[test]
fn an_unconfirmed_move_is_pending() {
    let mut server = FakeServer::new();
    let mut ada = TestClient::connect(&mut server, Some(Seat::FIRST));
    ada.play("c1").unwrap();
    let screen = TableScreen::new(&ada.view());
    assert!(screen.board.squares[2].is_pending);
    assert_eq!(screen.board.label(2), "c1, X, on its way");
    assert_eq!(status(&screen), "Your move to c1 is on its way …");
    ada.settle(&mut server);
    assert!(!TableScreen::new(&ada.view()).board.squares[2].is_pending);
}

#[test]
fn a_player_without_a_connection_is_away() {
    let mut server = FakeServer::new();
    let mut bob = TestClient::connect(&mut server, Some(Seat::SECOND));
    let here = json!({"metas": [{"phx_ref": "a"}]});
    bob.receive_event("presence_state", &json!({"1": here}).to_string());
    let screen = TableScreen::new(&bob.view());
    assert_eq!(screen.players[0].presence, PlayerPresence::Away);
    assert_eq!(screen.players[1].presence, PlayerPresence::Here);
    assert_eq!(status(&screen), "Ada lost the connection; the game waits.");
    bob.disconnect();
    let screen = TableScreen::new(&bob.view());
    assert_eq!(screen.players[1].presence, PlayerPresence::Offline, "bob is not away from himself");
    assert!(!screen.is_connected);
}

#[test]
fn against_the_computer_the_person_is_called_you() {
    let screen = screen(&against("bthreads", false));
    let names: Vec<_> = screen.players.iter().map(|player| player.name.as_str()).collect();
    assert_eq!(names, ["You", "Computer"]);
    assert_eq!(status(&screen), "Your turn.");
    assert_eq!(screen.players[1].presence, PlayerPresence::Computer);
}

#[test]
fn a_plain_board_has_no_blocks() {
    let board = screen(&after(&["b2"])).board;
    assert_eq!((board.blocks, board.block_side), (Vec::new(), 1));
}

#[test]
fn ultimate_shows_which_boards_are_open() {
    let mut session = on_one_screen("ultimate");
    let first = screen(&session).board;
    let open = |board: &web::screen::BoardScreen| -> Vec<String> {
        let open = board.blocks.iter().filter(|block| block.open_to.is_some());
        open.map(|block| format!("{} to {}", block.first, block.last)).collect()
    };
    assert_eq!((first.block_side, open(&first).len()), (3, 9));
    play(&mut session, &["b1"]);
    let second = screen(&session).board;
    assert_eq!(open(&second), ["d1 to f3"]);
    assert_eq!(second.blocks[1].open_to, Some(Seat::SECOND));
    let label = "d1, empty, board d1 to f3, open for the next move";
    assert_eq!(second.label(3), label);
    assert_eq!(second.label(0), "a1, empty, board a1 to c3");
    assert_eq!(second.label(1), "b1, X, board a1 to c3");
}

#[test]
fn ultimate_shows_who_has_won_a_board() {
    let mut session = on_one_screen("ultimate");
    play(&mut session, &["d4", "b2", "e4", "e2", "f4"]);
    let board = screen(&session).board;
    assert_eq!(board.blocks[4].owner, Some(("X".to_owned(), Seat::FIRST)));
    assert_eq!(board.label(40), "e5, empty, board d4 to f6, won by X");
    assert_eq!(board.winning_runs(), [], "the round goes on");
}

#[test]
fn a_spectator_sees_the_open_board_too() {
    let mut server = FakeServer::of("ultimate", Options::default());
    server.play("b1");
    let spectator = TestClient::connect(&mut server, None);
    let board = TableScreen::new(&spectator.view()).board;
    assert_eq!(board.blocks.iter().filter(|block| block.open_to.is_some()).count(), 1);
    assert!(
        board.squares.iter().all(|square| square.moves.is_empty()),
        "a spectator cannot play there"
    );
}

#[test]
fn the_computer_says_why_in_one_sentence() {
    let mut session = against("bthreads", false);
    assert_eq!(screen(&session).because.text, "", "nobody has moved");
    play(&mut session, &["a1"]);
    let default = "Nothing was urgent, so it took the best free square: centre, corner, edge.";
    assert_eq!(screen(&session).because.text, default);
    play(&mut session, &["c3"]);
    assert_eq!(screen(&session).because.text, "It prevented a fork: two threats of X at once.");
    assert_eq!(screen(&session).players[1].level.as_deref(), Some("Teacher"));
    let mut fair = against("fair", false);
    play(&mut fair, &["a1"]);
    assert_eq!(screen(&fair).because.text, "It tried out many games, and this move did best.");
    let mut perfect = against("perfect", false);
    play(&mut perfect, &["a1"]);
    assert_eq!(screen(&perfect).because.text, "A draw for O; 7 other moves are worse.");
    assert_eq!(screen(&after(&["a1"])).because.text, "", "a person needs no reason");
}

#[test]
fn a_level_that_does_not_search_does_not_say_that_it_tried_out_games() {
    let mut session = against_at("pig", "hard", true);
    let mut turns = 0;
    while screen(&session).because.text.is_empty() {
        // After a 1 it is the computer's turn, and nobody may hold.
        for chosen in ["roll", "hold"] {
            drop(act(&mut session, Intent::play(chosen)));
        }
        turns += 1;
        assert!(turns < 50, "the computer holds sooner or later");
    }
    let because = screen(&session).because.text;
    assert!(because.starts_with("Hold leads to an estimate of "), "{because}");
}

#[test]
fn a_computer_with_one_move_does_not_say_that_it_tried_out_games() {
    let mut session = against("fair", false);
    play(&mut session, &["a1"]);
    let view = session.view().unwrap();
    let reason = |sentence: &str| {
        let (sentence, wanted_by) = (sentence.to_owned(), Vec::new());
        let explanation = MoveExplanation { sentence, wanted_by, alternatives: Vec::new() };
        computer_reason(view.shown, Some(&explanation)).text
    };
    assert_eq!(reason("it is the only move"), "It is the only move.");
    assert_eq!(
        reason("mcts expects +0.120 for O after 6 simulations; b2 was tried 3 times"),
        "It tried out many games, and this move did best."
    );
}

#[test]
fn the_board_goes_back_to_any_move_of_the_round() {
    let session = after(&["a1", "b2", "c3"]);
    let view = session.view().unwrap();
    let marks = |step: usize| {
        let screen = TableScreen::at(&view, step);
        let squares = screen.board.squares.iter();
        let marks = squares.map(|square| square.mark.as_ref().map_or(".", |(symbol, _)| symbol));
        (marks.collect::<String>(), screen.is_past)
    };
    assert_eq!(marks(0), (".........".to_owned(), true));
    assert_eq!(marks(2), ("X...O....".to_owned(), true));
    assert_eq!(marks(3), ("X...O...X".to_owned(), false));
    let past = TableScreen::at(&view, 1).board;
    assert!(past.squares[0].is_last, "the last move of that position");
    assert!(past.squares.iter().all(|square| square.moves.is_empty()), "the past cannot be played");
}

#[test]
fn a_resigned_round_stays_until_the_person_goes_on() {
    let mut session = against("bthreads", false);
    play(&mut session, &["a1"]);
    act(&mut session, Intent::Forfeit).unwrap();
    let ended = screen(&session);
    assert_eq!(
        status(&ended),
        "The computer played b2. You resigned. The computer wins this round."
    );
    assert_eq!((ended.round, wins(&ended), labels(&ended)), (1, vec![0, 1], vec!["Next round"]));
    assert_eq!(ended.board.label(0), "a1, X");
    assert!(ended.board.squares.iter().all(|square| square.moves.is_empty()), "it is over");
    act(&mut session, Intent::NextRound).unwrap();
    let next = screen(&session);
    assert_eq!(
        (next.round, wins(&next), next.board.label(0).as_str()),
        (2, vec![0, 1], "a1, empty")
    );
}

#[test]
fn a_match_goes_to_the_first_who_wins_three_rounds() {
    let mut session = on_one_screen("tic-tac-toe");
    for round in 1..=3 {
        play(&mut session, &["a1", "a2", "b1", "b2", "c1"]);
        let end = screen(&session);
        let (won, button) = match round {
            3 => ("X won the match, 3 : 0.", "Rematch"),
            _ => ("X won this round.", "Next round"),
        };
        assert!(status(&end).ends_with(won), "{}", status(&end));
        assert_eq!((labels(&end), wins(&end)), (vec![button], vec![round, 0]));
        act(&mut session, Intent::NextRound).unwrap();
    }
    assert_eq!(wins(&screen(&session)), [0, 0], "the next match begins at 0 : 0");
    play(&mut session, &["a1", "a2", "b1", "b2"]);
    act(&mut session, Intent::Forfeit).unwrap();
    assert_eq!(wins(&screen(&session)), [0, 1], "X resigned");
}

#[test]
fn a_player_who_left_is_here_again_with_a_connection_whether_or_not_the_page_knows_the_rules() {
    for game in ["tic-tac-toe", "kuhn-poker"] {
        let mut server = FakeServer::of(game, Options::default());
        server.go_on();
        let mut ada = TestClient::connect(&mut server, Some(Seat::FIRST));
        ada.act(Intent::Leave).unwrap();
        ada.settle(&mut server);
        server.drop_announcements();
        let mut bob = TestClient::connect(&mut server, Some(Seat::SECOND));
        let presence = |bob: &TestClient| {
            let viewed = bob.session.viewed();
            let screen = viewed.as_ref().map(TableScreen::of_viewed);
            screen.unwrap_or_else(|| TableScreen::new(&bob.view())).players[0].presence
        };
        let here = json!({"metas": [{"phx_ref": "a"}]});
        bob.receive_event("presence_state", &json!({"1": here}).to_string());
        assert_eq!(presence(&bob), PlayerPresence::Left, "{game}");
        bob.receive_event("presence_state", &json!({"0": here, "1": here}).to_string());
        assert_eq!(presence(&bob), PlayerPresence::Here, "{game}");
    }
}

#[test]
fn an_exact_value_is_a_win_a_draw_or_a_loss_only_if_chance_cannot_change_it() {
    let told = |expected, exact, plies| {
        web::texts::value(&PositionValue { expected, exact, plies, score: None })
    };
    assert_eq!(told(1.0, true, Some(3)), "win in 3");
    assert_eq!(told(-1.0, true, None), "loss");
    assert_eq!(told(1e-12, true, None), "draw");
    assert_eq!(told(0.26, true, None), "63 %");
    assert_eq!(told(-0.5, true, Some(3)), "25 %");
    assert_eq!(told(0.26, false, None), "about 63 %");
}

#[test]
fn hints_are_given_against_the_computer_alone() {
    let mut session = against("bthreads", false);
    play(&mut session, &["a1", "c3"]);
    assert!(screen(&session).can_hint);
    let budget = game::AnalysisBudget { positions: 20_000, simulations: 100 };
    let state = session.view().unwrap().shown;
    // O threatens to complete column b.
    let analysis = state.game().analyze(state.position(), budget, &StopFlag::default()).unwrap();
    assert_eq!(
        web::texts::hint(state, &analysis).unwrap(),
        "Try b3: draw; 4 other moves are worse."
    );
    assert!(!screen(&after(&["a1"])).can_hint, "two people share the screen");
    let mut server = FakeServer::new();
    let ada = TestClient::connect(&mut server, Some(Seat::FIRST));
    assert!(!TableScreen::new(&ada.view()).can_hint, "another person plays");
}

#[test]
fn a_public_table_is_listed_with_its_players_and_the_score() {
    let table = |free_seats| ListedTable {
        id: "t".to_owned(),
        game: "tic-tac-toe".to_owned(),
        created_at: 0,
        free_seats,
    };
    let mut session = after(&["a1", "a2", "b1", "b2", "c1"]);
    act(&mut session, Intent::NextRound).unwrap();
    let view = session.view().unwrap().shown.view(Viewer::Spectator);
    assert_eq!(web::texts::watched(&table(0), Some(&view)), "X – O, 1 : 0, round 2");
    assert_eq!(web::texts::watched(&table(1), Some(&view)), "X – O waits for a player");
    assert_eq!(web::texts::watched(&table(0), None), "in play");
    let computer = against("bthreads", false).view().unwrap().shown.view(Viewer::Spectator);
    assert_eq!(
        web::texts::watched(&table(0), Some(&computer)),
        "You – Computer (Teacher), 0 : 0, round 1"
    );
}
