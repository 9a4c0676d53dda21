//! What happens in a session.

use super::*;
use crate::names;

fn session(game: &str, seat: Seat, against: &str) -> PlaySession {
    let opponent = Opponent::named(against).unwrap();
    let game = names::game(game).unwrap();
    let mut session = PlaySession::new(game, seat, opponent, Rotation::EachRound, 7).unwrap();
    session.settle();
    session
}

fn play(session: &mut PlaySession, moves: &str) {
    for words in moves.split_whitespace() {
        session.play(words).unwrap();
        session.settle();
    }
}

fn text(session: &PlaySession) -> String {
    session.game.view(session.current.position(), session.viewer())
}

/// The points of both participants, and the number of draws.
fn points(session: &PlaySession) -> [i64; 3] {
    let score = session.score();
    [score.points(0), score.points(1), score.draws().into()]
}

#[test]
fn the_computer_answers_and_the_person_is_to_move_again() {
    let mut session = session("tic-tac-toe", Seat::FIRST, "scripted:b2/b1");
    play(&mut session, "a1 c3");
    assert_eq!(text(&session), "XO  O   X");
    assert_eq!(session.next_actor(), NextActor::Person(Seat::FIRST));
}

#[test]
fn the_computer_opens_if_it_has_the_first_seat() {
    let session = session("tic-tac-toe", Seat::SECOND, "scripted:b2");
    assert_eq!(text(&session), "    X    ");
    assert_eq!(session.last_computer_move().unwrap().chosen.as_str(), "b2");
}

#[test]
fn a_refused_move_changes_nothing() {
    let mut session = session("tic-tac-toe", Seat::FIRST, "scripted:b2");
    play(&mut session, "a1");
    let refusal = session.play("a1").unwrap_err();
    assert_eq!(refusal.to_string(), "That cell is already marked: SquareTaken(a1)");
    assert_eq!(text(&session), "X   O    ");
    assert_eq!(session.next_actor(), NextActor::Person(Seat::FIRST));
}

#[test]
fn undo_takes_the_answer_of_the_computer_back_too() {
    let mut session = session("tic-tac-toe", Seat::FIRST, "scripted:b2/b1");
    play(&mut session, "a1 c3");
    session.undo().unwrap();
    assert_eq!(text(&session), "X   O    ");
    assert_eq!(session.last_computer_move().unwrap().chosen.as_str(), "b2");
    session.undo().unwrap();
    assert_eq!((text(&session).as_str(), session.last_computer_move()), ("         ", None));
    assert_eq!(session.undo(), Err(UndoError::Nothing));
}

#[test]
fn undo_takes_back_what_chance_drew_and_it_draws_the_same_again() {
    let mut session = session("pig", Seat::FIRST, "random");
    let start = text(&session);
    play(&mut session, "roll");
    let rolled = text(&session);
    session.undo().unwrap();
    assert_eq!(text(&session), start);
    play(&mut session, "roll");
    assert_eq!(text(&session), rolled);
}

#[test]
fn undo_takes_the_end_of_a_round_and_its_score_back() {
    let mut session = session("tic-tac-toe", Seat::FIRST, "human");
    play(&mut session, "a1 b1 a2 b2 a3");
    assert_eq!(session.next_actor(), NextActor::Nobody(Outcome::won_by(Seat::FIRST)));
    assert_eq!(points(&session), [1, 0, 0]);
    session.undo().unwrap();
    assert_eq!(session.next_actor(), NextActor::Person(Seat::FIRST));
    assert_eq!(points(&session), [0, 0, 0]);
}

#[test]
fn undo_takes_back_a_sealed_move() {
    let mut session = session("odds-and-evens", Seat::FIRST, "human");
    play(&mut session, "1");
    assert_eq!(session.next_actor(), NextActor::Person(Seat::SECOND));
    session.undo().unwrap();
    assert_eq!(session.next_actor(), NextActor::Person(Seat::FIRST));
    play(&mut session, "2 1");
    assert_eq!(points(&session), [1, 0, 0]);
}

#[test]
fn giving_up_loses_and_can_be_taken_back() {
    let mut session = session("tic-tac-toe", Seat::FIRST, "scripted:b2");
    play(&mut session, "a1");
    session.resign().unwrap();
    assert_eq!(points(&session), [0, 1, 0]);
    let over = Err(PlayError::Over(Outcome::won_by(Seat::SECOND)));
    assert_eq!((session.resign(), session.play("c3")), (over.clone(), over));
    session.undo().unwrap();
    assert_eq!((text(&session).as_str(), points(&session)), ("X   O    ", [0, 0, 0]));
}

#[test]
fn a_computer_player_that_cannot_go_on_gives_up() {
    let mut ended = session("tic-tac-toe", Seat::FIRST, "scripted:");
    play(&mut ended, "a1");
    assert_eq!(ended.gave_up(), Some("O gives up: the script has no more moves after 0"));
    assert_eq!(points(&ended), [1, 0, 0]);
    ended.undo().unwrap();
    assert_eq!((ended.gave_up(), points(&ended)), (None, [0, 0, 0]));

    let mut refused = session("tic-tac-toe", Seat::FIRST, "scripted:a1");
    play(&mut refused, "a1");
    assert_eq!(
        refused.gave_up(),
        Some("O gives up: a1 is refused: That cell is already marked: SquareTaken(a1)")
    );
}

#[test]
fn only_finished_rounds_count() {
    let mut session = session("tic-tac-toe", Seat::FIRST, "human");
    play(&mut session, "a1 b1 a2 b2 a3");
    session.new_round();
    play(&mut session, "a1");
    session.new_round();
    assert_eq!((session.round(), points(&session)), (3, [1, 0, 0]));
    play(&mut session, "c1 a1 c2 a2 b3 a3");
    assert_eq!(points(&session), [1, 1, 0]);
}

#[test]
fn the_cells_of_the_last_move_are_fresh() {
    let mut session = session("connect-four", Seat::FIRST, "human");
    assert!(session.fresh_cells().is_empty());
    play(&mut session, "d d");
    assert_eq!(session.fresh_cells(), [4 * 7 + 3]);
}

#[test]
fn the_end_of_a_round_is_the_only_reason_against_any_move() {
    let mut session = session("tic-tac-toe", Seat::FIRST, "human");
    assert_eq!(session.check("b3").map(|chosen| chosen.to_string()), Ok("b3".to_owned()));
    play(&mut session, "a1 b1 a2 b2 a3");
    let over = PlayError::Over(Outcome::won_by(Seat::FIRST));
    assert_eq!(
        ["a1", "b3", "zz"].map(|words| session.check(words)),
        [(); 3].map(|()| Err(over.clone()))
    );
}

#[test]
fn only_a_round_with_a_move_and_no_end_is_running() {
    let mut session = session("tic-tac-toe", Seat::FIRST, "human");
    assert!(!session.is_running());
    play(&mut session, "a1");
    assert!(session.is_running());
    session.resign().unwrap();
    assert!(!session.is_running());
}

#[test]
fn a_move_knows_where_its_piece_would_fall() {
    let mut session = session("connect-four", Seat::FIRST, "human");
    assert_eq!(session.cells_changed_by("d"), [5 * 7 + 3]);
    play(&mut session, "d d d d d d");
    assert!(session.cells_changed_by("d").is_empty());
}

#[test]
fn spaces_in_a_move_are_forgiven_where_they_cannot_be_read() {
    let mut session = session("wild", Seat::FIRST, "human");
    session.play(" O b2 ").unwrap();
    assert_eq!(text(&session), "... .O. ...");
    let refusal = session.play("O z9").unwrap_err().to_string();
    assert!(refusal.contains("\"O z9\""), "{refusal}");
}

#[test]
fn marks_that_both_seats_may_write_belong_to_nobody() {
    let owned = |game| session(game, Seat::FIRST, "random").has_owned_pieces();
    assert_eq!(["tic-tac-toe", "connect-four", "pig"].map(owned), [true; 3]);
    assert_eq!(["wild", "notakto"].map(owned), [false; 2]);
}

#[test]
fn a_person_does_not_see_the_cards_of_the_computer() {
    let session = session("kuhn-poker", Seat::SECOND, "random");
    assert!(text(&session).starts_with('?'), "{}", text(&session));
    assert_eq!(session.viewer(), Viewer::Seat(Seat::SECOND));
}

#[test]
fn the_same_seed_and_the_same_moves_make_the_same_game() {
    let played = || {
        let mut session = session("pig", Seat::SECOND, "random");
        play(&mut session, "roll");
        format!("{:?}", session.current.history())
    };
    assert_eq!(played(), played());
}

#[test]
fn a_game_with_hidden_cards_has_no_undo() {
    let mut session = session("kuhn-poker", Seat::FIRST, "random");
    play(&mut session, "bet");
    assert_eq!(session.undo(), Err(UndoError::Hidden));
}

#[test]
fn seats_are_swapped_each_round_and_points_stay_with_their_participant() {
    let mut session = session("tic-tac-toe", Seat::FIRST, "scripted:b1/b2/b3");
    play(&mut session, "a1 a2 a3");
    assert_eq!(points(&session), [1, 0, 0]);
    assert_eq!(session.new_round(), SeatChange::Swapped);
    session.settle();
    assert_eq!((session.only_person(), text(&session).as_str()), (Some(Seat::SECOND), " X       "));
    play(&mut session, "a1 a2");
    assert_eq!(points(&session), [1, 1, 0], "the script has won as X");
    assert_eq!(session.new_round(), SeatChange::Swapped);
    assert_eq!((session.only_person(), points(&session)), (Some(Seat::FIRST), [1, 1, 0]));
}

#[test]
fn seats_stay_if_the_person_wants_it_or_the_opponent_cannot_play_the_other_one() {
    let opponent = Opponent::named("bthreads").unwrap();
    let game = names::game("tic-tac-toe").unwrap();
    let mut kept = PlaySession::new(game, Seat::FIRST, opponent, Rotation::Never, 7).unwrap();
    assert_eq!((kept.new_round(), kept.only_person()), (SeatChange::Kept, Some(Seat::FIRST)));
}
