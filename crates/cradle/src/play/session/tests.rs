//! What happens in a session.

use super::*;
use crate::names;

fn session(game: &str, seat: Seat, against: &str) -> Session {
    let opponent = Opponent::named(against).unwrap();
    let mut session = Session::new(names::game(game).unwrap(), seat, &opponent, 7).unwrap();
    session.settle();
    session
}

fn play(session: &mut Session, moves: &str) {
    for words in moves.split_whitespace() {
        session.play(words).unwrap();
        session.settle();
    }
}

fn text(session: &Session) -> String {
    session.game.view(session.current.position(), session.viewer())
}

fn wins(session: &Session) -> [u32; 3] {
    let score = session.score();
    [score.wins(Seat::FIRST), score.wins(Seat::SECOND), score.draws()]
}

#[test]
fn the_computer_answers_and_a_person_is_awaited_again() {
    let mut session = session("tic-tac-toe", Seat::FIRST, "scripted:b2/b1");
    play(&mut session, "a1 c3");
    assert_eq!(text(&session), "XO  O   X");
    assert_eq!(session.awaited(), Awaited::Person(Seat::FIRST));
}

#[test]
fn the_computer_opens_if_it_sits_in_the_first_seat() {
    let session = session("tic-tac-toe", Seat::SECOND, "scripted:b2");
    assert_eq!(text(&session), "    X    ");
    assert_eq!(session.last_chosen().unwrap().chosen.as_str(), "b2");
}

#[test]
fn a_refused_move_changes_nothing() {
    let mut session = session("tic-tac-toe", Seat::FIRST, "scripted:b2");
    play(&mut session, "a1");
    let refusal = session.play("a1").unwrap_err();
    assert_eq!(refusal.to_string(), "That cell is already marked: SquareTaken(a1)");
    assert_eq!(text(&session), "X   O    ");
    assert_eq!(session.awaited(), Awaited::Person(Seat::FIRST));
}

#[test]
fn undo_takes_the_answer_of_the_computer_back_too() {
    let mut session = session("tic-tac-toe", Seat::FIRST, "scripted:b2/b1");
    play(&mut session, "a1 c3");
    session.undo().unwrap();
    assert_eq!(text(&session), "X   O    ");
    assert_eq!(session.last_chosen().unwrap().chosen.as_str(), "b2");
    session.undo().unwrap();
    assert_eq!((text(&session).as_str(), session.last_chosen()), ("         ", None));
    assert_eq!(session.undo(), Err(CannotUndo::Nothing));
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
    assert_eq!(session.awaited(), Awaited::Nobody(Outcome::won_by(Seat::FIRST)));
    assert_eq!(wins(&session), [1, 0, 0]);
    session.undo().unwrap();
    assert_eq!(session.awaited(), Awaited::Person(Seat::FIRST));
    assert_eq!(wins(&session), [0, 0, 0]);
}

#[test]
fn undo_opens_what_was_sealed() {
    let mut session = session("odds-and-evens", Seat::FIRST, "human");
    play(&mut session, "1");
    assert_eq!(session.awaited(), Awaited::Person(Seat::SECOND));
    session.undo().unwrap();
    assert_eq!(session.awaited(), Awaited::Person(Seat::FIRST));
    play(&mut session, "2 1");
    assert_eq!(wins(&session), [1, 0, 0]);
}

#[test]
fn who_gives_up_loses_and_can_take_it_back() {
    let mut session = session("tic-tac-toe", Seat::FIRST, "scripted:b2");
    play(&mut session, "a1");
    session.resign().unwrap();
    assert_eq!(wins(&session), [0, 1, 0]);
    let over = Err(Denial::Over(Outcome::won_by(Seat::SECOND)));
    assert_eq!((session.resign(), session.play("c3")), (over.clone(), over));
    session.undo().unwrap();
    assert_eq!((text(&session).as_str(), wins(&session)), ("X   O    ", [0, 0, 0]));
}

#[test]
fn a_computer_player_that_cannot_go_on_gives_up() {
    let mut ended = session("tic-tac-toe", Seat::FIRST, "scripted:");
    play(&mut ended, "a1");
    assert_eq!(ended.gave_up(), Some("O gives up: the script has no more moves after 0"));
    assert_eq!(wins(&ended), [1, 0, 0]);
    ended.undo().unwrap();
    assert_eq!((ended.gave_up(), wins(&ended)), (None, [0, 0, 0]));

    let mut refused = session("tic-tac-toe", Seat::FIRST, "scripted:a1");
    play(&mut refused, "a1");
    assert_eq!(
        refused.gave_up(),
        Some("O gives up: a1 is refused: That cell is already marked: SquareTaken(a1)")
    );
}

#[test]
fn rounds_are_counted_and_only_those_that_are_over_are_scored() {
    let mut session = session("tic-tac-toe", Seat::FIRST, "human");
    play(&mut session, "a1 b1 a2 b2 a3");
    session.new_round();
    play(&mut session, "a1");
    session.new_round();
    assert_eq!((session.round(), wins(&session)), (3, [1, 0, 0]));
    play(&mut session, "c1 a1 c2 a2 b3 a3");
    assert_eq!(wins(&session), [1, 1, 0]);
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
    let over = Denial::Over(Outcome::won_by(Seat::FIRST));
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
fn it_is_known_where_a_piece_would_fall() {
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
fn marks_that_both_seats_write_belong_to_nobody() {
    let owned = |game| session(game, Seat::FIRST, "random").has_owned_pieces();
    assert_eq!(["tic-tac-toe", "connect-four", "pig"].map(owned), [true; 3]);
    assert_eq!(["wild", "notakto"].map(owned), [false; 2]);
}

#[test]
fn who_plays_alone_does_not_see_the_cards_of_the_other() {
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
fn what_was_seen_is_not_taken_back() {
    let mut session = session("kuhn-poker", Seat::FIRST, "random");
    play(&mut session, "bet");
    assert_eq!(session.undo(), Err(CannotUndo::Hidden));
}
