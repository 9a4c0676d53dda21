//! What is on the screen.

use game::Seat;
use table::{Clock, Options};
use web::scene::{Presence, Scene, Stage, objection};
use web::sitting::{Deed, Local};

use crate::hall::{Guest, Hall};
use crate::local::{against, play};

pub(crate) fn board(local: &Local) -> String {
    let state = local.seen().shown;
    game::Game::text(state.game(), state.position())
}

fn shared() -> Local {
    let game = games::catalog::game("tic-tac-toe").expect("it is in the catalog");
    Local::new(game, Options::default(), [3; 32], 1).expect("people can play")
}

fn labels(scene: &Scene) -> Vec<&str> {
    scene.deeds.iter().map(|offer| offer.label).collect()
}

fn status(scene: &Scene) -> String {
    format!("{}{}{}", scene.last_move, scene.status.who, scene.status.rest)
}

#[test]
fn squares_are_named_for_who_does_not_see_them() {
    let mut local = shared();
    play(&mut local, &["c2"]);
    let scene = Scene::new(&local.seen());
    assert_eq!(scene.label(5), "row 2, column 3, X");
    assert_eq!(scene.label(0), "row 1, column 1, empty");
    assert_eq!((scene.columns, scene.rows(), scene.squares[5].name.as_str()), (3, 3, "c2"));
    assert!(scene.squares[5].is_last && scene.squares[5].moves.is_empty());
    assert_eq!(scene.squares[0].moves, ["a1"]);
}

#[test]
fn the_status_says_whose_turn_it_is_and_who_has_won() {
    let mut local = shared();
    assert_eq!(status(&Scene::new(&local.seen())), "X’s turn.");
    play(&mut local, &["a1", "a2", "b1", "b2", "c1"]);
    let scene = Scene::new(&local.seen());
    assert_eq!(
        (status(&scene).as_str(), scene.stage),
        ("X played c1. X won this round.", Stage::Won)
    );
    assert_eq!((labels(&scene), scene.winning_runs()), (vec!["Concede"], vec![(0, 2)]));
    assert!(!scene.players.iter().any(|player| player.is_in_turn), "nobody moves any more");
}

#[test]
fn who_points_at_a_board_that_is_decided_is_told_that_the_round_is_over() {
    let mut local = shared();
    play(&mut local, &["a1", "a2", "b1", "b2", "c1"]);
    let refusal = objection(&local.seen(), Deed::play("c3")).unwrap();
    let words = web::words::refusal(&refusal);
    assert_eq!(words[0], ("This round is over".to_owned(), vec!["EndOfGame".to_owned()]));
}

#[test]
fn a_clock_is_announced_before_it_runs() {
    let clock = |clock| {
        let hall = &mut Hall::with(Options { clock, ..Options::default() });
        Scene::new(&Guest::arrive(hall, None).seen()).clock
    };
    assert_eq!(clock(None), None);
    assert_eq!(clock(Some(Clock::PerMove(15_000))).as_deref(), Some("15 s a move"));
    assert_eq!(clock(Some(Clock::PerSide(300_000))).as_deref(), Some("5 min a round"));
    assert_eq!(clock(Some(Clock::PerSide(90_000))).as_deref(), Some("1:30 a round"));
}

#[test]
fn a_cat_s_game_is_called_a_tie() {
    let mut local = shared();
    play(&mut local, &["a1", "b2", "c3", "b1", "b3", "a3", "c1", "c2", "a2"]);
    let scene = Scene::new(&local.seen());
    assert_eq!(scene.stage, Stage::Drawn);
    assert_eq!((labels(&scene), scene.winning_runs()), (vec!["Call it a tie"], Vec::new()));
    assert!(status(&scene).ends_with("A cat’s game: nobody wins."));
    local.act(Deed::Tie, 9).unwrap();
    let scene = Scene::new(&local.seen());
    assert_eq!((scene.round, scene.ties), (2, 1));
}

#[test]
fn two_lines_at_once_are_two_golden_threads() {
    let mut local = shared();
    play(&mut local, &["a1", "a2", "b1", "b2", "c2", "a3", "c3", "b3", "c1"]);
    let scene = Scene::new(&local.seen());
    assert_eq!((scene.stage, scene.winning_runs()), (Stage::Won, vec![(0, 2), (2, 8)]));
}

#[test]
fn only_who_is_in_turn_may_resign() {
    let mut hall = Hall::new();
    let ada = Guest::arrive(&mut hall, Some(Seat::FIRST));
    let bob = Guest::arrive(&mut hall, Some(Seat::SECOND));
    let watcher = Guest::arrive(&mut hall, None);
    assert_eq!(labels(&Scene::new(&ada.seen())), ["Resign"]);
    assert_eq!(labels(&Scene::new(&bob.seen())), Vec::<&str>::new());
    assert_eq!(labels(&Scene::new(&watcher.seen())), Vec::<&str>::new());
}

#[test]
fn a_move_that_nobody_has_confirmed_is_pending() {
    let mut hall = Hall::new();
    let mut ada = Guest::arrive(&mut hall, Some(Seat::FIRST));
    ada.play("c1").unwrap();
    let scene = Scene::new(&ada.seen());
    assert!(scene.squares[2].is_pending);
    assert_eq!(scene.label(2), "row 1, column 3, X, on its way");
    assert_eq!(status(&scene), "Your move to c1 is on its way …");
    ada.settle(&mut hall);
    assert!(!Scene::new(&ada.seen()).squares[2].is_pending);
}

#[test]
fn who_is_away_is_said_to_be() {
    let mut hall = Hall::new();
    let mut bob = Guest::arrive(&mut hall, Some(Seat::SECOND));
    let here = serde_json::json!({"metas": [{"phx_ref": "a"}]});
    bob.hear_event("presence_state", &serde_json::json!({"1": here}).to_string());
    let scene = Scene::new(&bob.seen());
    assert_eq!(scene.players[0].presence, Presence::Away);
    assert_eq!(scene.players[1].presence, Presence::Here);
    assert_eq!(status(&scene), "Ada lost the connection; the game waits.");
    bob.cut();
    let scene = Scene::new(&bob.seen());
    assert_eq!(scene.players[1].presence, Presence::Away, "who cannot be heard is not here");
    assert!(!scene.is_connected);
}

#[test]
fn against_the_computer_there_is_one_of_us() {
    let local = against("bthreads", false);
    let scene = Scene::new(&local.seen());
    let names: Vec<_> = scene.players.iter().map(|player| player.name.as_str()).collect();
    assert_eq!(names, ["You", "Computer"]);
    assert_eq!(
        (status(&scene).as_str(), scene.players[1].presence),
        ("Your turn.", Presence::Computer)
    );
}
