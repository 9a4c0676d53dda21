//! What `cradle match` prints.

use expect_test::{Expect, expect};

use crate::command::{complaint, cradle, printed};

#[track_caller]
fn check(arguments: &[&str], expected: &Expect) {
    expected.assert_eq(&printed(&[&["match"], arguments].concat()));
}

#[track_caller]
fn refused(arguments: &[&str], expected: &str) {
    assert_eq!(complaint(&[&["match"], arguments].concat()), (2, expected.to_owned()));
}

#[test]
fn tic_tac_toe_is_printed_as_ludorum_prints_it_and_the_line_of_the_win_is_named() {
    let x = "scripted:7/2/6/0";
    let o = "scripted:3/5/8/4";
    let out = printed(&["match", "tic-tac-toe", x, o, "--seed", "1"]);
    let expected = "[         ]\tmoves: {\"X\":7}\n\
                    [       X ]\tmoves: {\"O\":3}\n\
                    [   O   X ]\tmoves: {\"X\":2}\n\
                    [  XO   X ]\tmoves: {\"O\":5}\n\
                    [  XO O X ]\tmoves: {\"X\":6}\n\
                    [  XO OXX ]\tmoves: {\"O\":8}\n\
                    [  XO OXXO]\tmoves: {\"X\":0}\n\
                    [X XO OXXO]\tmoves: {\"O\":4}\n\
                    [X XOOOXXO]\tresult: {\"X\":-1,\"O\":1}\tOWin[3,4,5]\n";
    assert_eq!(out, expected);
}

#[test]
fn the_same_seed_is_the_same_match_and_another_one_is_not() {
    let play = |seed| printed(&["match", "tic-tac-toe", "random", "perfect", "--seed", seed]);
    assert_eq!(play("7"), play("7"));
    let others: Vec<String> = ["8", "9", "10"].map(play).into();
    assert!(others.iter().any(|other| *other != play("7")));
}

#[test]
fn without_a_seed_the_chosen_one_is_printed() {
    let answer = cradle(&["match", "pig:10", "random", "random"]);
    assert_eq!(answer.code, 0);
    let seed = answer.err.strip_prefix("seed ").unwrap().trim_end();
    let again = printed(&["match", "pig:10", "random", "random", "--seed", seed]);
    assert_eq!(again, answer.out);
}

#[test]
fn draws_are_printed_between_the_moves() {
    check(
        &["kuhn-poker", "scripted:bet", "scripted:pass", "--seed", "3"],
        &expect![[r#"
            [not dealt]	chance: "KJ"
            [KJ]	moves: {"First":"bet"}
            [KJ bet]	moves: {"Second":"pass"}
            [KJ bet pass]	result: {"First":1,"Second":-1}
        "#]],
    );
}

#[test]
fn simultaneous_moves_are_one_line() {
    check(
        &["odds-and-evens", "scripted:1", "scripted:2", "--seed", "1"],
        &expect![[r#"
            [Odds and Evens have shown nothing]	moves: {"Odds":"1","Evens":"2"}
            [Odds shows 1, Evens shows 2]	result: {"Odds":1,"Evens":-1}
        "#]],
    );
}

#[test]
fn an_illegal_move_loses() {
    check(
        &["tic-tac-toe", "scripted:b2/b2", "scripted:a1", "--seed", "1"],
        &expect![[r#"
            [         ]	moves: {"X":4}
            [    X    ]	moves: {"O":0}
            [O   X    ]	error: {"X":4}	That cell is already marked: SquareTaken(b2)
            [O   X    ]	result: {"X":-1,"O":1}
        "#]],
    );
}

#[test]
fn a_script_that_is_asked_again_makes_its_next_move() {
    check(
        &[
            "tic-tac-toe",
            "scripted:b2/b2/a1/c2/a2",
            "scripted:a1/b2/c1/a3",
            "--illegal",
            "ask-again",
            "--seed",
            "1",
        ],
        &expect![[r#"
            [         ]	moves: {"X":4}
            [    X    ]	moves: {"O":0}
            [O   X    ]	error: {"X":4}	That cell is already marked: SquareTaken(b2)
            [O   X    ]	error: {"X":0}	That cell is already marked: SquareTaken(a1)
            [O   X    ]	moves: {"X":5}
            [O   XX   ]	error: {"O":4}	That cell is already marked: SquareTaken(b2)
            [O   XX   ]	moves: {"O":2}
            [O O XX   ]	moves: {"X":3}
            [O OXXX   ]	result: {"X":1,"O":-1}	XWin[3,4,5]
        "#]],
    );
}

#[test]
fn a_player_that_never_makes_a_legal_move_stops_the_match() {
    let script = format!("scripted:b2{}", "/b2".repeat(20));
    let answer = cradle(&[
        "match",
        "tic-tac-toe",
        &script,
        "scripted:a1",
        "--illegal",
        "ask-again",
        "--seed",
        "1",
    ]);
    assert_eq!(answer.code, 3);
    assert_eq!(answer.out.lines().filter(|line| line.contains("\terror: ")).count(), 16);
    assert!(answer.err.starts_with("error: tic-tac-toe was cut short: X "), "{}", answer.err);
    assert!(answer.err.contains("SquareTaken(b2)"), "{}", answer.err);
}

#[test]
fn the_result_can_be_printed_alone() {
    let script = ["match", "tic-tac-toe", "scripted:a1/b1/c1", "scripted:a2/b2", "--seed", "1"];
    let result = printed(&[&script[..], &["--result"]].concat());
    assert_eq!(result, "{\"X\":1,\"O\":-1}\n");
    let json = printed(&[&script[..], &["--result", "--json"]].concat());
    assert_eq!(
        json.lines().collect::<Vec<_>>(),
        [printed(&[&script[..], &["--json"]].concat()).lines().last().expect("a match has an end")]
    );
    let stopped = cradle(&["match", "tic-tac-toe", "scripted:b2", "scripted:a1", "--result"]);
    assert_eq!((stopped.code, stopped.out.as_str()), (3, ""));
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_cuts_a_match_short() {
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_cradle"));
    command.args(["match", "pig:10", "random", "random", "--seed", "1"]).stdout(full);
    assert_eq!(command.status().unwrap().code(), Some(3));
}

#[test]
fn a_script_that_ends_cuts_a_match_short() {
    let answer = cradle(&["match", "tic-tac-toe", "scripted:b2", "scripted:a1", "--seed", "1"]);
    assert_eq!((answer.code, answer.out.lines().count()), (3, 2));
    assert_eq!(
        answer.err,
        "error: tic-tac-toe was cut short: X cannot go on: the script has no more moves after 1\n"
    );
}

#[test]
fn json_explains_the_moves_of_b_threads() {
    let out = printed(&[
        "match",
        "tic-tac-toe",
        "scripted:a1/b1/c2/a2",
        "bthreads",
        "--seed",
        "1",
        "--json",
    ]);
    let lines: Vec<serde_json::Value> =
        out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines[0]["event"], "begin");
    assert_eq!(lines[0]["players"]["O"], "bthreads");
    assert_eq!(lines[4]["moves"]["O"], "c1");
    assert_eq!(lines[4]["why"]["O"]["wanted_by"][0], "PreventThirdX(a1,b1,c1)");
    let last = lines.last().unwrap();
    assert_eq!((&last["event"], &last["result"]["O"]), (&"end".into(), &1.into()));
}

#[test]
fn wrong_names_list_the_right_ones_nearest_first() {
    refused(
        &["tictactoe", "random", "random"],
        "no game is called \"tictactoe\"; known, nearest first: tic-tac-toe, ultimate, \
         connect-four, notakto, misere, pig, kuhn-poker, odds-and-evens, wild, mnk",
    );
    refused(
        &["tic-tac-toe", "rando", "random"],
        "no player is called \"rando\"; known, nearest first: random, hard, scripted:MOVE/MOVE, \
         bthreads, easy, fair, perfect, heuristic, cfr:ITERATIONS, alphabeta:DEPTH, \
         expectiminimax:DEPTH, mcts:SIMULATIONS",
    );
}

#[test]
fn what_cannot_be_played_is_refused_in_one_sentence() {
    refused(&["tic-tac-toe", "random"], "tic-tac-toe is played by X and O, but 1 player was given");
    refused(
        &["pig", "random", "random", "random"],
        "pig is played by A and B, but 3 players were given",
    );
    refused(
        &["pig:difference", "random", "perfect"],
        "perfect cannot play B in pig:difference: chance decides there",
    );
    refused(
        &["kuhn-poker", "perfect", "random"],
        "perfect cannot play First in kuhn-poker: something is hidden there",
    );
    refused(
        &["misere", "bthreads", "random"],
        "bthreads cannot play X in misere: no strategies are written as b-threads for it",
    );
    refused(&["tic-tac-toe", "human", "random"], "people play with `cradle play tic-tac-toe`");
    refused(
        &["mnk", "random", "random"],
        "mnk needs parameters: write mnk:columns,rows,length, as in mnk:6,5,4",
    );
}
