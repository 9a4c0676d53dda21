//! Tables in this browser.

use game::Seat;
use table::{Options, TableState};
use web::session::{Intent, LocalSession, Now, SavedTable, SessionRecord, TableSession, Wake};

const SECRET: [u8; 32] = [3; 32];

fn now(milliseconds: u64) -> Now {
    Now { since_1970: milliseconds, monotonic: milliseconds }
}

pub(crate) fn on_one_screen(game: &str) -> LocalSession {
    let game = games::catalog::game(game).expect("the game is in the catalog");
    LocalSession::new(game, Options::default(), SECRET, now(1)).expect("people can play")
}

pub(crate) fn against(level: &str, is_second: bool) -> LocalSession {
    against_at("tic-tac-toe", level, is_second)
}

pub(crate) fn against_at(game: &str, level: &str, is_second: bool) -> LocalSession {
    let computer = Some(level.to_owned());
    let computers = if is_second { vec![computer, None] } else { vec![None, computer] };
    let game = games::catalog::game(game).expect("the game is in the catalog");
    let options = Options { computers, ..Options::default() };
    let mut session =
        LocalSession::new(game, options, SECRET, now(1_000)).expect("the computer can play");
    settle(&mut session);
    session
}

/// Ticks until the session is idle.
fn settle(session: &mut LocalSession) {
    while session.wake() == Some(Wake::NextFrame) {
        assert_eq!(session.tick(now(2_000)), [], "a local session has no socket");
    }
}

pub(crate) fn act(session: &mut LocalSession, intent: Intent) -> Result<(), game::Refusal> {
    session.act(intent, now(2_000))?;
    settle(session);
    Ok(())
}

pub(crate) fn play(session: &mut LocalSession, moves: &[&str]) {
    for chosen in moves {
        act(session, Intent::play(chosen)).expect("the move is legal");
    }
}

fn state(session: &LocalSession) -> &TableState {
    session.view().expect("a local table is always known").shown
}

fn board(session: &LocalSession) -> String {
    let state = state(session);
    game::Game::text(state.game(), state.position())
}

fn saved(session: &LocalSession) -> SavedTable {
    let Some(SessionRecord::Local(saved)) = session.record() else { unreachable!("it is local") };
    saved
}

fn restored(session: &LocalSession) -> LocalSession {
    let text = saved(session).write();
    let game = state(session).game().clone();
    let saved = SavedTable::read(&text).expect("the text was written above");
    LocalSession::restore(game, saved).expect("a saved table can be restored")
}

#[test]
fn the_computer_replies_and_explains_its_move() {
    let mut session = against("bthreads", false);
    play(&mut session, &["a1"]);
    assert_eq!(board(&session), "X   O    ");
    let [(ply, explanation)] = session.view().unwrap().explanations else {
        panic!("the computer has made one move")
    };
    assert_eq!((*ply, &*explanation.wanted_by), (1, &["DefaultMoves".to_owned()][..]));
}

#[test]
fn the_computer_opens_if_the_person_plays_second() {
    let mut session = against("bthreads", true);
    assert_eq!(board(&session), "    X    ");
    assert_eq!(session.view().unwrap().own_seats, [Seat::SECOND]);
    play(&mut session, &["a1"]);
    assert_eq!(state(&session).ply(), 3);
}

#[test]
fn a_refused_move_changes_nothing() {
    let mut session = against("bthreads", false);
    play(&mut session, &["a1"]);
    let refusal = act(&mut session, Intent::play("b2")).unwrap_err();
    assert_eq!(refusal.to_string(), "That cell is already marked: SquareTaken(b2)");
    assert_eq!(board(&session), "X   O    ");
}

#[test]
fn two_people_share_a_screen() {
    let mut session = on_one_screen("tic-tac-toe");
    play(&mut session, &["a1", "b2", "a2", "c3", "a3"]);
    assert_eq!(board(&session), "X  XO X O");
    let view = session.view().unwrap();
    assert_eq!(view.shown.outcome().unwrap().winner(), Some(Seat::FIRST));
    assert_eq!(view.acting_seat(), Some(Seat::SECOND), "the loser concedes");
    act(&mut session, Intent::NextRound).unwrap();
    assert_eq!((state(&session).round(), state(&session).wins(Seat::FIRST)), (2, 1));
}

#[test]
fn a_table_is_restored_in_the_middle_of_any_game() {
    let mut session = against("bthreads", false);
    for chosen in ["a1", "c3", "b3", "a3", "c2"] {
        if state(&session).outcome().is_some() {
            break;
        }
        // The computer may have taken the square.
        drop(act(&mut session, Intent::play(chosen)));
        let restored = restored(&session);
        assert_eq!(board(&restored), board(&session));
        let (before, after) = (session.view().unwrap(), restored.view().unwrap());
        assert_eq!(after.explanations, before.explanations);
        assert_eq!(after.own_seats, before.own_seats);
        assert_eq!(saved(&restored).options(), saved(&session).options());
    }
}

#[test]
fn the_score_of_a_series_is_restored() {
    let mut session = on_one_screen("tic-tac-toe");
    play(&mut session, &["a1", "b2", "a2", "c3", "a3"]);
    act(&mut session, Intent::NextRound).unwrap();
    play(&mut session, &["b2"]);
    let restored = restored(&session);
    assert_eq!((state(&restored).round(), state(&restored).wins(Seat::FIRST)), (2, 1));
    assert_eq!(board(&restored), "    X    ");
}

#[test]
fn a_computer_that_cannot_play_the_game_is_refused() {
    let game = games::catalog::game("misere").unwrap();
    let computers = vec![None, Some("bthreads".to_owned())];
    let options = Options { computers, ..Options::default() };
    assert!(LocalSession::new(game, options, SECRET, now(1)).is_err());
}

#[test]
fn the_computer_waits_a_moment_before_it_moves() {
    let mut session = against("bthreads", false).with_pace(400);
    session.act(Intent::play("a1"), now(2_000)).unwrap();
    assert_eq!(session.wake(), Some(Wake::At(2_400)));
    assert_eq!(board(&session), "X        ", "the person's mark is tied first");
    session.tick(now(2_400));
    assert_eq!(board(&session), "X   O    ");
    let mut hurried = against("bthreads", false);
    hurried.act(Intent::play("a1"), now(2_000)).unwrap();
    assert_eq!(hurried.wake(), Some(Wake::NextFrame));
}

#[test]
fn a_replay_shows_every_position_and_stores_nothing() {
    for (name, plies, step, text) in [
        ("tic-tac-toe", "a1.b2.c3", 3, "X   O   X"),
        ("odds-and-evens", "1+2", 1, ""),
        ("pig", "roll.~4.hold", 3, ""),
    ] {
        let replay = web::replay::GameReplay::read(name, plies).expect("the game is legal");
        let session = LocalSession::replay(&replay).expect("the table accepts it");
        assert_eq!(state(&session).history().len(), step, "{name}");
        if !text.is_empty() {
            assert_eq!(board(&session), text);
        }
        assert!(session.record().is_none() && session.wake().is_none());
        assert!(session.view().unwrap().own_seats.is_empty(), "nobody plays");
    }
}
