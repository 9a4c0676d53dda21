//! The rules alone: X and O may make any move that the rules allow.

use bthread::{ClosedRun, Limits, Random, Status};
use expect_test::{Expect, expect};
use games::tic_tac_toe::{BThreads, Board, Event, Mark, Square, alphabet};

use crate::plain_board::PlainBoard;
use crate::play::{Node, after, is_allowed, moves_of_both, start, walk};

/// The move `X_<row,column>` or `O_<row,column>`.
fn mark(mark: Mark, row: u8, column: u8) -> Event {
    Event::Mark(mark, Square::at(row, column).expect("rows and columns are 0 to 2"))
}

/// Makes the moves; returns the events.
fn played(run: &mut ClosedRun<Event>, moves: &[Event]) -> Vec<Event> {
    let made = moves.iter().map(|made| run.trigger(*made).expect("the move is allowed").events);
    made.flatten().collect()
}

/// Makes moves in turn, X first, and checks the events or the refusal of the last one.
fn check(moves: &str, expected: &Expect) {
    let (mut run, _) = BThreads::for_people().program().start().expect("the opening ends");
    let mut answer = String::new();
    for (index, square) in moves.split_whitespace().enumerate() {
        let by = if index.is_multiple_of(2) { Mark::X } else { Mark::O };
        let made = Event::Mark(by, square.parse().expect("the text is a square"));
        answer = match run.trigger(made) {
            Ok(superstep) => format!("{:?}", superstep.events),
            Err(error) => error.to_string(),
        };
    }
    expected.assert_eq(&answer);
}

#[test]
fn the_printed_game_of_seven_moves_is_won_by_x() {
    use Mark::{O, X};
    let moves = [(X, 0, 0), (O, 1, 1), (X, 2, 1), (O, 0, 2), (X, 2, 0), (O, 1, 0), (X, 2, 2)];
    let moves = moves.map(|(by, row, column)| mark(by, row, column));
    let mut run = start(&BThreads::for_people());
    let events = played(&mut run, &moves);
    assert_eq!(events, [&moves[..], &[Event::Win(X)]].concat());
    expect![[r#"
        X . O
        O O .
        X X X"#]]
    .assert_eq(&events.into_iter().collect::<Board>().to_string());
    assert!(alphabet().all(|event| !is_allowed(&run, event)));
    assert_eq!(run.status(), Status::Waiting);
}

#[test]
fn a_free_square_is_marked() {
    check("a1 b2", &expect!["[O b2]"]);
}

#[test]
fn a_taken_square_is_refused() {
    check("a1 a1", &expect!["O a1 is blocked by SquareTaken(a1) (marks on a1)"]);
}

#[test]
fn a_move_out_of_turn_is_refused() {
    let mut run = start(&BThreads::for_people());
    let Err(error) = run.trigger(mark(Mark::O, 1, 1)) else { panic!("X opens") };
    assert_eq!(error.to_string(), "O b2 is blocked by EnforceTurns (all O marks)");
}

#[test]
fn a_move_after_the_end_is_refused_with_all_reasons_in_order() {
    check("a1 a2 b1 b2 c1", &expect!["[X c1, XWin]"]);
    check("a1 a2 b1 b2 c1 c2", &expect!["O c2 is blocked by EndOfGame (all marks)"]);
    let mut run = start(&BThreads::for_people());
    let line =
        [(Mark::X, 0, 0), (Mark::O, 1, 0), (Mark::X, 0, 1), (Mark::O, 1, 1), (Mark::X, 0, 2)];
    played(&mut run, &line.map(|(by, row, column)| mark(by, row, column)));
    let Err(error) = run.trigger(mark(Mark::X, 0, 0)) else { panic!("the game is over") };
    expect![[r#"X a1 is blocked by EndOfGame (all marks), EnforceTurns (all X marks), SquareTaken(a1) (marks on a1)"#]]
        .assert_eq(&error.to_string());
}

#[test]
fn a_ninth_move_that_wins_is_a_win_and_not_a_draw() {
    check("a1 b1 c1 a2 b2 c2 b3 a3 c3", &expect!["[X c3, XWin]"]);
}

#[test]
fn a_ninth_move_that_wins_nothing_is_a_draw() {
    check("a1 b1 c1 b2 a2 a3 c2 c3 b3", &expect!["[X b3, draw]"]);
}

#[test]
fn two_lines_completed_at_once_are_one_win() {
    check("a1 b2 b1 a2 c2 b3 c3 a3 c1", &expect!["[X c1, XWin]"]);
}

#[test]
fn all_255168_games_have_exactly_one_result_which_comes_last() {
    let mut nodes_per_ply = [0; 10];
    let (mut x_wins, mut o_wins, mut draws) = (0, 0, 0);
    walk(&BThreads::for_people(), &moves_of_both(), &mut |Node { run, events, allowed }| {
        nodes_per_ply[events.iter().filter(|event| !event.is_result()).count()] += 1;
        assert_eq!(run.status(), Status::Waiting);
        let first_result = events.iter().position(|event| event.is_result());
        assert_eq!(first_result, allowed.is_empty().then(|| events.len() - 1));
        match events.last() {
            Some(Event::Win(Mark::X)) => x_wins += 1,
            Some(Event::Win(Mark::O)) => o_wins += 1,
            Some(Event::Draw) => draws += 1,
            Some(Event::Mark(..)) | None => {}
        }
    });
    let known = [1, 9, 72, 504, 3_024, 15_120, 54_720, 148_176, 200_448, 127_872];
    assert_eq!(nodes_per_ply, known);
    assert_eq!([x_wins, o_wins, draws], [131_184, 77_904, 46_080]);
    assert_eq!(x_wins + o_wins + draws, 255_168);
}

/// The events up to the first disagreement with a plain board in the tree of all games.
fn first_disagreement(threads: &BThreads) -> Option<Vec<Event>> {
    disagreement_after(&start(threads), &[])
}

fn disagreement_after(run: &ClosedRun<Event>, events: &[Event]) -> Option<Vec<Event>> {
    let board = PlainBoard::after(events);
    let (legal, mut moves) = (board.legal_moves(), moves_of_both());
    if let Some(other) = moves.iter().find(|made| is_allowed(run, **made) != legal.contains(made)) {
        return Some([events, &[*other]].concat());
    }
    moves.retain(|made| legal.contains(made));
    moves.into_iter().find_map(|made| {
        let (next, happened) = after(run, made);
        let events = [events, &happened].concat();
        if happened == board.outcome(made) {
            disagreement_after(&next, &events)
        } else {
            Some(events)
        }
    })
}

#[test]
fn the_rules_agree_with_a_plain_board_on_every_move_of_every_game() {
    assert_eq!(first_disagreement(&BThreads::for_people()), None);
}

#[test]
fn without_any_one_rule_the_game_differs() {
    let rules =
        ["EndOfGame", "EnforceTurns", "SquareTaken", "DetectXWin", "DetectOWin", "DetectDraw"];
    let lines = rules.map(|rule| {
        let game = first_disagreement(&BThreads::for_people().without(rule)).unwrap();
        format!("{rule}: {game:?}\n")
    });
    expect![[r#"
        EndOfGame: [X a1, O b1, X c1, O a2, X b2, O c2, X a3, XWin, O b3]
        EnforceTurns: [O a1]
        SquareTaken: [X a1, O a1]
        DetectXWin: [X a1, O b1, X c1, O a2, X b2, O c2, X a3]
        DetectOWin: [X a1, O b1, X c1, O a2, X c2, O b2, X a3, O b3]
        DetectDraw: [X a1, O b1, X c1, O a2, X b2, O a3, X c2, O c3, X b3]
    "#]]
    .assert_eq(&lines.concat());
}

#[test]
fn a_win_is_called_before_the_next_move_whatever_strategy_chooses() {
    let program = BThreads::any_x_against_any_o().program();
    let (mut wins, mut draws) = (0, 0);
    for seed in 0..500 {
        let mut events: Vec<Event> = Vec::new();
        let run = program.start_with(Random::seeded(seed), Limits::default(), &mut events).unwrap();
        assert_eq!(run.status(), Status::Waiting);
        let mut expected = Vec::new();
        for made in events.iter().filter(|event| !event.is_result()) {
            let board = PlainBoard::after(&expected);
            assert!(board.legal_moves().contains(made));
            expected.extend(board.outcome(*made));
        }
        assert_eq!(events, expected);
        match events.last() {
            Some(Event::Win(_)) => wins += 1,
            Some(Event::Draw) => draws += 1,
            _ => panic!("no result: {events:?}"),
        }
    }
    assert!(wins > 300 && draws > 20, "{wins} wins and {draws} draws");
}
