//! `cradle verify` on files.

use expect_test::expect;

use crate::{CROSSING, Texts, check};

#[test]
fn a_table_says_what_goes_wrong_without_each_b_thread() {
    let texts = Texts::with("crossing.cradle", CROSSING);
    check(
        &texts,
        &["verify", "crossing.cradle", "--each"],
        &expect![[r#"
        0
        crossing: A level crossing

        without             states  what goes wrong
        (nothing)                7  nothing
        Train                    2  NoCrash holds only because nothing here can request
                                    enter or leave
        Cars                     5  NoCrash holds only because nothing here can request
                                    car_in or car_out
        Barrier                  4  TrainsPass: Train can stay at its `must` for ever
        NoCarWhileLowered       29  NoCrash: a car meets a train after 4 events
        NoTrainWhileRaised      35  NoCrash: a car meets a train after 3 events
                                    NobodyIsStuck: every requested event is blocked
                                    after 4 events
        Signal                  25  NoCrash: a car meets a train after 8 events
                                    TrainsPass: Train can stay at its `must` for ever
        WaitForCars             18  NoCrash: a train meets a car after 4 events
    "#]],
    );
}

const PIG: &str = "\
game flip \"Whoever throws heads first wins\"
seats a, b
event throw(seat)  move of seat
event heads
event tails
event win(seat)    win of seat

rule EndOfGame \"The game is over\" game_over
  wait for win
  block any

rule Turns \"It is not your turn\" not_your_turn
  forever
    wait for throw(a), block throw(b)
    wait for tails, block throw
    wait for throw(b), block throw(a)
    wait for tails, block throw

chance Coin
  forever
    wait for throw
    request heads, tails

rule Win(seat)
  forever
    wait for throw(seat)
    either
      wait for heads
      request win(seat), block throw
      block any
    or
      wait for tails

require FirstIsBetter: probability of win(a) == 2/3
require Throws: expected number of throw until win == 2
";

#[test]
fn a_game_of_chance_has_a_probability() {
    let texts = Texts::with("flip.cradle", PIG);
    let (code, out, err) = texts.run(&["verify", "flip.cradle"], "");
    assert_eq!((code, err.as_str()), (Some(0), ""), "{out}");
    assert!(out.contains("FirstIsBetter: holds: the probability of win(a) is 2/3\n"), "{out}");
    assert!(out.contains("until win(a) or win(b) is 2\n"), "{out}");
    let text = PIG.replace("2/3", "1/2");
    let texts = Texts::with("flip.cradle", &text);
    let (code, out, _) = texts.run(&["verify", "flip.cradle"], "");
    assert_eq!(code, Some(1));
    assert!(out.contains("FirstIsBetter: violated: the probability of win(a) is 2/3\n"), "{out}");
    assert!(out.contains("A run by choices that break FirstIsBetter:\n"), "{out}");
}

#[test]
fn the_seats_of_a_file_play_as_the_command_line_says() {
    let text = include_str!("../../../../games/tic-tac-toe.cradle");
    let texts = Texts::with("ttt.cradle", text);
    let (code, out, _) = texts.run(&["verify", "ttt.cradle", "--seat", "O=any"], "");
    assert!(out.contains("XNeverWins: violated: win(X) happens"), "{out}");
    assert_eq!(code, Some(1));
    let (code, out, _) = texts.run(&["verify", "ttt.cradle", "--without", "DetectWin"], "");
    let expected = "holds, but only because nothing here can request win(X)";
    assert!(out.contains(expected), "{out}");
    assert_eq!(code, Some(0), "{out}");
    let (_, _, err) = texts.run(&["verify", "ttt.cradle", "--seat", "X=bthreads"], "");
    assert_eq!(err, "error: no strategies are written as b-threads for X\n");
}

#[test]
fn the_states_of_a_file_are_drawn() {
    let texts = Texts::with("crossing.cradle", CROSSING);
    let (code, out, err) = texts.run(&["verify", "crossing.cradle", "--dot", "-"], "");
    assert!(out.starts_with("digraph states {\n") && out.contains("label=\"approach\""), "{out}");
    assert!(err.contains("NoCrash: holds\n"), "{err}");
    assert_eq!(code, Some(0));
}

#[test]
fn a_game_that_requires_nothing_is_checked_as_every_game() {
    let nim = include_str!("../../../../games/nim.cradle");
    let (text, _) = nim.split_once("require ").expect("nim requires something");
    let texts = Texts::with("nim.cradle", text);
    let (code, out, err) = texts.run(&["verify", "nim.cradle"], "");
    assert_eq!((code, err.as_str()), (Some(0), ""), "{out}");
    assert!(out.contains("Every game ends with exactly one result: holds\n"), "{out}");
    assert!(out.contains("Nobody is stuck without a legal move: holds\n"));
    let (code, out, _) = texts.run(&["verify", "nim.cradle", "--without", "LastOneWins"], "");
    assert_eq!(code, Some(1), "{out}");
    assert!(out.contains("exactly one result: violated: it ends without a result\n"), "{out}");
    // A game that requires something can be asked for it, too.
    let texts = Texts::with("nim.cradle", nim);
    let (_, out, _) = texts.run(&["verify", "nim.cradle"], "");
    assert!(!out.contains("exactly one result"), "{out}");
    let asked = ["verify", "nim.cradle", "--property", "ExactlyOneResult"];
    let (code, out, _) = texts.run(&asked, "");
    assert_eq!(code, Some(0), "{out}");
    assert!(out.contains("Every game ends with exactly one result: holds\n"), "{out}");
}

#[test]
fn the_bound_of_a_search_is_exact() {
    let texts = Texts::with("nim.cradle", include_str!("../../../../games/nim.cradle"));
    for threads in ["1", "2"] {
        let arguments = ["verify", "nim.cradle", "--max-states", "99", "--threads", threads];
        let (code, out, _) = texts.run(&arguments, "");
        assert_eq!(code, Some(3), "{out}");
        assert!(out.contains("\n99 states, "), "{out}");
    }
}

/// Two crashes are possible in the same state, and one requirement counts before, the other after.
#[test]
fn states_are_counted_once_and_it_says_which() {
    let text = "\
program road \"Two roads cross\"
set side = left, right
event drive
event crash(side)
thread Car
  2 times: request drive
  request crash
require NoCrash: never crash
require NobodyCrashes
  wait for crash
  fail \"there is a crash\"
";
    let texts = Texts::with("road.cradle", text);
    let (code, out, _) = texts.run(&["verify", "road.cradle", "--all"], "");
    assert_eq!(code, Some(1));
    let before = "NoCrash: violated: crash(left) happens (possible in 1 state)\n";
    assert!(out.contains(before), "{out}");
    assert!(out.contains("NobodyCrashes: violated: there is a crash (in 1 state)\n"), "{out}");
}
