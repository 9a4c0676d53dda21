//! Tic-tac-toe grown b-thread by b-thread, and every game of the finished program.

#[path = "../examples/tic_tac_toe/rules.rs"]
mod rules;

use std::borrow::Cow;
use std::cell::RefCell;

use bthread::{
    AnyBThread, BThread, Engine, EventSet, Explanations, Feedback, OpenRun, Program, Run,
    TriggerError, request_any,
};
use rules::{
    Kind, Mark, Move, default_moves, enforce_turns, game, o, player_wins, squares_taken,
    start_at_center, stop_game, x,
};

/// Triggers moves in a program of these b-threads, and checks what feedback handlers see.
fn check(
    threads: Vec<impl Into<AnyBThread<Move>>>,
    triggers: &[Move],
    kinds: &[Kind],
    expected: &str,
) {
    let program = Program::new(threads).expect("the names differ");
    let (mut run, _) = program.start().expect("the opening ends");
    let seen = RefCell::new(Vec::new());
    let kinds = EventSet::kinds(kinds.iter().copied());
    let mut feedback =
        Feedback::new().on(kinds, |event: &Move, _| seen.borrow_mut().push(event.to_string()));
    for event in triggers {
        feedback.trigger(&mut run, event.clone()).expect("handlers trigger nothing");
    }
    drop(feedback);
    assert_eq!(seen.into_inner().join(" "), expected);
}

const MARKS: [Kind; 2] = [Kind::Marks(Mark::X), Kind::Marks(Mark::O)];
const WINS: [Kind; 2] = [Kind::Wins(Mark::X), Kind::Wins(Mark::O)];

fn detecting() -> Vec<BThread<Move>> {
    player_wins(Mark::O).chain(player_wins(Mark::X)).collect()
}

fn taking_turns() -> Vec<BThread<Move>> {
    [detecting(), vec![enforce_turns()]].concat()
}

fn on_free_squares() -> Vec<BThread<Move>> {
    taking_turns().into_iter().chain(squares_taken()).collect()
}

fn stopping() -> Vec<BThread<Move>> {
    [on_free_squares(), vec![stop_game()]].concat()
}

#[test]
fn player_wins_detects_a_line_of_either_player() {
    let alone = [x(1), x(4), x(7)];
    check(detecting(), &alone, &WINS, "XWin[1,4,7]");
    check(detecting(), &[o(2), o(4), o(6)], &WINS, "OWin[2,4,6]");
    check(detecting(), &[x(1), o(4), x(7)], &WINS, "");
}

#[test]
fn enforce_turns_lets_x_move_only_once_before_o() {
    check(taking_turns(), &[x(1), x(4), x(7)], &MARKS, "X1");
    check(taking_turns(), &[x(1), o(4), x(7)], &MARKS, "X1 O4 X7");
}

#[test]
fn squares_taken_refuses_a_move_on_a_taken_square() {
    check(on_free_squares(), &[x(0), o(0)], &[Kind::Marks(Mark::O)], "");
    check(on_free_squares(), &[x(0), o(1)], &[Kind::Marks(Mark::O)], "O1");
}

#[test]
fn stop_game_refuses_moves_after_a_win() {
    let triggers = [x(0), o(1), x(4), o(2), x(8), o(7)];
    let all = [MARKS, WINS].concat();
    check(stopping(), &triggers, &all, "X0 O1 X4 O2 X8 XWin[0,4,8]");
    check(on_free_squares(), &triggers, &all, "X0 O1 X4 O2 X8 XWin[0,4,8] O7");
}

#[test]
fn default_moves_play_o_on_the_first_free_square() {
    let threads = stopping().into_iter().chain(default_moves()).collect();
    let all = [MARKS, WINS].concat();
    check(threads, &[x(0), x(4), x(8)], &all, "X0 O1 X4 O2 X8 XWin[0,4,8]");
}

#[test]
fn start_at_center_plays_o_in_the_centre_first() {
    let threads = stopping().into_iter().chain([start_at_center()]).chain(default_moves());
    check(threads.collect(), &[x(0), x(4), x(8)], &MARKS, "X0 O4 X8 O1");
}

#[test]
fn prevent_x_from_completing_a_line_answers_two_xs() {
    let threads = game().threads().to_vec();
    check(threads, &[x(0), x(3)], &MARKS, "X0 O4 X3 O6");
}

#[test]
fn game_1_is_won_by_x_in_the_first_column() {
    let triggers = [5, 0, 7, 6, 3].map(x);
    let all = [MARKS, WINS].concat();
    let threads = game().threads().to_vec();
    check(threads, &triggers, &all, "X5 O4 X0 O1 X7 O2 X6 O8 X3 XWin[0,3,6]");
}

const ALL_GAMES: &str = include_str!("data/seed000-all-827-games.txt");

#[test]
fn all_827_games_against_every_x_are_played_as_recorded() {
    let program = game();
    assert_eq!(program.threads().len(), 45);
    let (open, _) = program.start().unwrap();
    let (closed, _) = program.close(rules::alphabet()).unwrap().start().unwrap();
    let (crowded, _) = program.close_with_cap(rules::alphabet(), 50).unwrap().start().unwrap();
    let games: Vec<&str> = ALL_GAMES.lines().collect();
    assert_eq!(all_games(&open), games);
    assert_eq!(all_games(&closed), games);
    assert_eq!(all_games(&crowded), games);
    let ending = |end: &str| games.iter().filter(|game| game.contains(end)).count();
    assert_eq!((games.len(), ending("XWin"), ending("OWin")), (827, 70, 386));
}

/// The comparison above can fail: b-threads that continue only after their own requests play other
/// games.
#[test]
fn if_b_threads_do_not_wait_for_other_o_moves_16_games_differ() {
    let finished = game();
    let literal = finished.threads().iter().map(|thread| {
        let mut copy = BThread::new(thread.name().clone());
        let mut walk = thread.clone();
        // These three families follow a script to its end.
        if !["XWins", "OWins", "StopXWin", "StartAtCenter"].contains(&thread.name().family()) {
            return walk;
        }
        while let Some(point) = walk.sync_point().map(Cow::into_owned) {
            let requests = point.requests().to_vec();
            copy = copy.then(if requests.is_empty() { point } else { request_any(requests) });
            walk.go_on(&x(0));
        }
        copy.into()
    });
    let (run, _) = Program::new(literal).unwrap().start().unwrap();
    let played = all_games(&run);
    let differing = played.iter().zip(ALL_GAMES.lines()).filter(|(ours, theirs)| ours != theirs);
    assert_eq!((played.len(), differing.count()), (827, 16));
}

fn all_games<M: Engine<Event = Move>>(run: &Run<M>) -> Vec<String> {
    let mut games = Vec::new();
    play_on(run, &mut Vec::new(), &mut games);
    games
}

fn play_on<M: Engine<Event = Move>>(
    run: &Run<M>,
    so_far: &mut Vec<String>,
    games: &mut Vec<String>,
) {
    let mut is_over = true;
    for square in 0..9 {
        let mut next = run.clone();
        let Ok(superstep) = next.trigger(x(square)) else {
            continue;
        };
        is_over = false;
        let length = so_far.len();
        so_far.extend(superstep.events.iter().map(ToString::to_string));
        play_on(&next, so_far, games);
        so_far.truncate(length);
    }
    if is_over {
        games.push(so_far.join(" "));
    }
}

#[test]
fn a_refused_move_names_the_b_threads_that_block_it() {
    let (mut run, _) = game().start().unwrap();
    run.trigger(x(0)).unwrap();
    let refused = |run: &mut OpenRun<Move>, event| match run.trigger(event) {
        Err(TriggerError::Refused(refusal)) => refusal.to_string(),
        other => panic!("{other:?}"),
    };
    assert_eq!(refused(&mut run, x(0)), "X0 is blocked by SquareTaken(0) (marks on 0)");
    assert_eq!(
        refused(&mut run, o(0)),
        "O0 is blocked by EnforceTurns (all O moves), SquareTaken(0) (marks on 0)"
    );
}

#[test]
fn an_explained_move_of_o_names_its_requester_and_the_requests_that_lost() {
    let (mut run, _) = game().start().unwrap();
    run.trigger(x(0)).unwrap();
    let mut explained = Explanations::default();
    run.trigger_observed(x(8), &mut explained).unwrap();
    expect_test::expect![[r#"
        O1: requested by DefaultMoves(1)
          went on: OWins(0,1,2), OWins(1,4,7), EnforceTurns, SquareTaken(1), StopXWin(0,4,8), DefaultMoves(1)
          StopXWin(0,4,8) requested O0, blocked by SquareTaken(0) (marks on 0)
          StopXWin(0,4,8) requested O4, blocked by SquareTaken(4) (marks on 4)
          StopXWin(0,4,8) requested O8, blocked by SquareTaken(8) (marks on 8)
          DefaultMoves(0) requested O0, blocked by SquareTaken(0) (marks on 0)
          DefaultMoves(2) requested O2, but DefaultMoves(1) was chosen
          DefaultMoves(3) requested O3, but DefaultMoves(1) was chosen
          DefaultMoves(4) requested O4, blocked by SquareTaken(4) (marks on 4)
          DefaultMoves(5) requested O5, but DefaultMoves(1) was chosen
          DefaultMoves(6) requested O6, but DefaultMoves(1) was chosen
          DefaultMoves(7) requested O7, but DefaultMoves(1) was chosen
          DefaultMoves(8) requested O8, blocked by SquareTaken(8) (marks on 8)"#]].assert_eq(&explained.steps[1].to_string());
}
