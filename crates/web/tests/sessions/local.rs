//! Tables in this browser.

use game::Seat;
use table::Options;
use web::sitting::{Deed, Local};

use crate::scenes::board;

pub(crate) fn against(level: &str, is_second: bool) -> Local {
    let computer = Some(level.to_owned());
    let computers = if is_second { vec![computer, None] } else { vec![None, computer] };
    let game = games::catalog::game("tic-tac-toe").expect("it is in the catalog");
    let mut local = Local::new(game, Options { computers, ..Options::default() }, [3; 32], 1_000)
        .expect("the computer can play");
    settle(&mut local);
    local
}

pub(crate) fn settle(local: &mut Local) {
    while local.go_on(2_000) {}
}

pub(crate) fn play(local: &mut Local, moves: &[&str]) {
    for chosen in moves {
        local.act(Deed::play(chosen), 2_000).expect("it is legal");
        settle(local);
    }
}

#[test]
fn the_computer_answers_by_its_b_threads_and_says_why() {
    let mut local = against("bthreads", false);
    play(&mut local, &["a1"]);
    assert_eq!(board(&local), "X   O    ");
    let [(ply, why)] = local.seen().reasons else { panic!("it has chosen once") };
    assert_eq!((*ply, &*why.wanted_by), (1, &["DefaultMoves".to_owned()][..]));
}

#[test]
fn the_computer_begins_where_the_person_plays_second() {
    let mut local = against("bthreads", true);
    assert_eq!((board(&local).as_str(), local.seen().own), ("    X    ", &[Seat::SECOND][..]));
    play(&mut local, &["a1"]);
    assert_eq!(local.seen().shown.ply(), 3);
}

#[test]
fn a_refused_move_changes_nothing() {
    let mut local = against("bthreads", false);
    play(&mut local, &["a1"]);
    let refusal = local.act(Deed::play("b2"), 3_000).unwrap_err();
    assert_eq!(refusal.to_string(), "That cell is already marked: SquareTaken(b2)");
    assert_eq!(board(&local), "X   O    ");
}

#[test]
fn two_people_share_a_screen() {
    let game = games::catalog::game("tic-tac-toe").unwrap();
    let mut local = Local::new(game, Options::default(), [3; 32], 1).unwrap();
    play(&mut local, &["a1", "b2", "a2", "c3", "a3"]);
    assert_eq!(board(&local), "X  XO X O");
    let seen = local.seen();
    assert_eq!(seen.shown.outcome().unwrap().winner(), Some(Seat::FIRST));
    assert_eq!(seen.acting(), Some(Seat::SECOND), "who has lost concedes");
    local.act(Deed::Forfeit, 5).unwrap();
    assert_eq!((local.seen().shown.round(), local.seen().shown.wins(Seat::FIRST)), (2, 1));
}

#[test]
fn a_table_is_restored_as_it_was_kept_in_the_middle_of_any_game() {
    let game = games::catalog::game("tic-tac-toe").unwrap();
    let mut local = against("bthreads", false);
    for chosen in ["a1", "c3", "b3", "a3", "c2"] {
        if local.seen().shown.outcome().is_some() {
            break;
        }
        // What the computer has taken is no move any more.
        drop(local.act(Deed::play(chosen), 2_000));
        settle(&mut local);
        let saved = serde_json::to_string(&local.saved([3; 32]).unwrap()).unwrap();
        let restored =
            Local::restored(game.clone(), serde_json::from_str(&saved).unwrap()).unwrap();
        assert_eq!(board(&restored), board(&local));
        assert_eq!(restored.seen().reasons, local.seen().reasons);
        assert_eq!(restored.seen().own, local.seen().own);
    }
}

#[test]
fn the_score_of_a_series_is_kept_too() {
    let game = games::catalog::game("tic-tac-toe").unwrap();
    let mut local = Local::new(game.clone(), Options::default(), [3; 32], 1).unwrap();
    play(&mut local, &["a1", "b2", "a2", "c3", "a3"]);
    local.act(Deed::Forfeit, 5).unwrap();
    play(&mut local, &["b2"]);
    let restored = Local::restored(game, local.saved([3; 32]).unwrap()).unwrap();
    assert_eq!((restored.seen().shown.round(), restored.seen().shown.wins(Seat::FIRST)), (2, 1));
    assert_eq!(board(&restored), "    X    ");
}

#[test]
fn who_cannot_play_there_is_not_let_in() {
    let game = games::catalog::game("misere").unwrap();
    let computers = vec![None, Some("bthreads".to_owned())];
    assert!(Local::new(game, Options { computers, ..Options::default() }, [3; 32], 1).is_err());
}
