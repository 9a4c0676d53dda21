//! O with its strategies against every X, with all of them and without each one.

use std::collections::BTreeSet;

use bthread::{Explanations, Status};
use expect_test::{Expect, expect};
use games::tic_tac_toe::{BThreads, Board, Event, Mark, Square};

use crate::play::{
    STRATEGIES, explained, games_against_every_x, has_one_result, moves_of_x, shortest_broken,
    walk, x, x_wins,
};

/// Plays all games without the strategy, and checks the shortest one that violates a requirement:
/// the first of these in the order of squares.
fn check_without(strategy: &str, broken: fn(&[Event]) -> bool, expected: &Expect) {
    let threads = BThreads::for_a_person_as_x().without(strategy);
    let games = games_against_every_x(&threads);
    let shortest = shortest_broken(&games).expect("a game violates a requirement");
    assert!(broken(shortest));
    let board: Board = shortest.iter().collect();
    expected.assert_eq(&format!("{}\n\n{board}", explained(&threads, shortest)));
}

#[test]
fn with_all_strategies_x_never_wins_and_every_game_has_one_result() {
    let games = games_against_every_x(&BThreads::for_a_person_as_x());
    assert!(!games.iter().any(|game| x_wins(game)));
    assert!(games.iter().all(|game| has_one_result(game)));
    let o_wins = games.iter().filter(|game| game.contains(&Event::Win(Mark::O))).count();
    let draws = games.iter().filter(|game| game.contains(&Event::Draw)).count();
    assert_eq!((games.len(), o_wins, draws), (457, 328, 129));
}

#[test]
fn without_add_third_o_x_wins() {
    check_without(
        "AddThirdO",
        x_wins,
        &expect![[r#"
        X b2
        O a1 DefaultMoves
        X c2
        O a2 PreventThirdX(a2,b2,c2)
        X c1
        O c3 PreventThirdX(c1,c2,c3)
        X a3
        XWin DetectXWin(c1,b2,a3)

        O . X
        O X X
        X . O"#]],
    );
}

#[test]
fn without_prevent_third_x_x_wins() {
    check_without(
        "PreventThirdX",
        x_wins,
        &expect![[r#"
        X a1
        O b2 DefaultMoves
        X c1
        O a3 DefaultMoves
        X b1
        XWin DetectXWin(a1,b1,c1)

        X X X
        . O .
        O . ."#]],
    );
}

#[test]
fn without_prevent_x_fork_x_wins() {
    check_without(
        "PreventXFork",
        x_wins,
        &expect![[r#"
        X a1
        O b2 DefaultMoves
        X b3
        O c1 DefaultMoves
        X a3
        O c3 PreventThirdX(a3,b3,c3)
        X a2
        XWin DetectXWin(a1,a2,a3)

        X . O
        X O .
        X X O"#]],
    );
}

#[test]
fn without_prevent_another_x_fork_x_wins() {
    check_without(
        "PreventAnotherXFork",
        x_wins,
        &expect![[r#"
        X a1
        O b2 DefaultMoves
        X c3
        O c1 DefaultMoves
        X a3
        O b3 PreventThirdX(a3,b3,c3)
        X a2
        XWin DetectXWin(a1,a2,a3)

        X . O
        X O .
        X O X"#]],
    );
}

#[test]
fn without_prevent_yet_another_x_fork_x_wins() {
    check_without(
        "PreventYetAnotherXFork",
        x_wins,
        &expect![[r#"
        X c2
        O b2 DefaultMoves
        X b3
        O a1 DefaultMoves
        X c3
        O a3 PreventThirdX(a3,b3,c3)
        X c1
        XWin DetectXWin(c1,c2,c3)

        O . X
        . O X
        O X X"#]],
    );
}

#[test]
fn without_default_moves_o_gets_stuck() {
    let threads = BThreads::for_a_person_as_x().without("DefaultMoves");
    assert!(!games_against_every_x(&threads).iter().any(|game| x_wins(game)));
    check_without(
        "DefaultMoves",
        |game| !has_one_result(game),
        &expect![[r#"
        X a1

        X . .
        . . .
        . . ."#]],
    );
}

#[test]
fn games_against_every_x_without_one_strategy_are_counted() {
    let lines = STRATEGIES.map(|strategy| {
        let games = games_against_every_x(&BThreads::for_a_person_as_x().without(strategy));
        let ending = |last: &Event| games.iter().filter(|game| game.last() == Some(last)).count();
        let [x, o] = [Mark::X, Mark::O].map(|mark| ending(&Event::Win(mark)));
        let (all, draws) = (games.len(), ending(&Event::Draw));
        format!("{strategy}: {all} games, X wins {x}, O wins {o}, draws {draws}\n")
    });
    expect![[r#"
        AddThirdO: 663 games, X wins 22, O wins 322, draws 319
        PreventThirdX: 505 games, X wins 168, O wins 299, draws 38
        PreventXFork: 489 games, X wins 6, O wins 354, draws 129
        PreventAnotherXFork: 457 games, X wins 4, O wins 324, draws 129
        PreventYetAnotherXFork: 457 games, X wins 2, O wins 328, draws 127
        DefaultMoves: 9 games, X wins 0, O wins 0, draws 0
    "#]]
    .assert_eq(&lines.concat());
}

#[test]
fn o_answers_the_second_x_where_it_would_make_a_fork() {
    let threads = BThreads::for_a_person_as_x();
    let mut lines = Vec::new();
    for first in Square::ALL {
        for second in Square::ALL.into_iter().filter(|second| *second != first) {
            let (mut run, _) = threads.program().start().unwrap();
            run.trigger(x(first)).unwrap();
            let mut explained = Explanations::default();
            if run.trigger_observed(x(second), &mut explained).is_err() {
                continue;
            }
            let answer = &explained.steps[1];
            let by = answer.requested_by.first().unwrap();
            if by.family().ends_with("Fork") {
                lines.push(format!("{} ({by})\n", answer.event));
            }
        }
    }
    lines.sort_unstable();
    assert_eq!(lines.len(), 28);
    lines.dedup();
    expect![[r#"
        O a1 (PreventXFork(a3,b1))
        O a1 (PreventXFork(c1,a2))
        O a1 (PreventYetAnotherXFork(b1,a2))
        O a3 (PreventXFork(a1,b3))
        O a3 (PreventXFork(c3,a2))
        O a3 (PreventYetAnotherXFork(a2,b3))
        O b1 (PreventAnotherXFork(a1,c3))
        O b1 (PreventAnotherXFork(c1,a3))
        O c1 (PreventXFork(a1,c2))
        O c1 (PreventXFork(c3,b1))
        O c1 (PreventYetAnotherXFork(b1,c2))
        O c3 (PreventXFork(a3,c2))
        O c3 (PreventXFork(c1,b3))
        O c3 (PreventYetAnotherXFork(c2,b3))
    "#]]
    .assert_eq(&lines.concat());
}

#[test]
fn strategies_are_listed_by_priority() {
    let threads = BThreads::o_against_any_x();
    let mut families: Vec<&str> = threads.strategies().iter().map(|t| t.name().family()).collect();
    families.dedup();
    assert_eq!(families, STRATEGIES);
}

#[test]
fn no_strategy_blocks_anything() {
    for taken_away in STRATEGIES {
        let threads = BThreads::for_a_person_as_x().without(taken_away);
        let families: BTreeSet<_> = STRATEGIES.into_iter().collect();
        walk(&threads, &moves_of_x(), &mut |node| {
            node.run.visit_live(|name, point| {
                assert!(!families.contains(name.family()) || point.blocks().is_empty(), "{name}");
            });
        });
    }
}

#[test]
fn no_b_thread_requests_an_event_after_the_end() {
    walk(&BThreads::for_a_person_as_x(), &moves_of_x(), &mut |node| {
        let expected = if node.allowed.is_empty() { Status::Waiting } else { Status::Stuck };
        assert_eq!(node.run.status(), expected, "{:?}", node.events);
    });
}
