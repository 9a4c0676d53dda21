//! `cradle run`, at a prompt and for another program.

use std::fs;
use std::path::Path;
use std::process::Command;

use expect_test::{Expect, expect};

use crate::{DINING, Texts, run};

const TIC_TAC_TOE: &str = include_str!("../../../../games/tic-tac-toe.cradle");
const VENDING: &str = include_str!("../../../../games/vending.cradle");
const PAGE: &str = include_str!("../../../../docs/running.md");

/// What the command prints when it reads these lines.
fn check(texts: &Texts, arguments: &[&str], input: &str, expected: &Expect) {
    let (code, out, err) = texts.run(arguments, input);
    expected.assert_eq(&format!("{out}{err}"));
    assert_eq!(code, Some(0));
}

#[test]
fn philosophers_are_run_by_hand_until_they_are_stuck_and_it_says_why() {
    let texts = Texts::with("dining.cradle", DINING);
    check(
        &texts,
        &["run", "dining.cradle", "n=3"],
        "pick(1,1)\n2\npick(3, 3)\nwhy pick(1, 2)\nrelease(1, 1)\nundo\nthreads\nquit\n",
        &expect![[r#"
            dining:n=3: Philosophers around a table.
            Nothing happens automatically: you choose every event.
            Write an event or its number, or: why EVENT, possible, threads, undo, save FILE, help, quit.
              1 pick(1, 1), wanted by Philosopher(1)
              2 pick(2, 2), wanted by Philosopher(2)
              3 pick(3, 3), wanted by Philosopher(3)
            > pick(1,1)
            * pick(1, 1), requested by Philosopher(1)
              1 pick(1, 2), wanted by Philosopher(1)
              2 pick(2, 2), wanted by Philosopher(2)
              3 pick(3, 3), wanted by Philosopher(3)
            > 2
            * pick(2, 2), requested by Philosopher(2)
              1 pick(2, 3), wanted by Philosopher(2)
              2 pick(3, 3), wanted by Philosopher(3)
            > pick(3, 3)
            * pick(3, 3), requested by Philosopher(3)
            It is stuck: everything that is requested is blocked.
              pick(1, 2), requested by Philosopher(1): blocked by Stick(2) (pick(_, 2))
              pick(2, 3), requested by Philosopher(2): blocked by Stick(3) (pick(_, 3))
              pick(3, 1), requested by Philosopher(3): blocked by Stick(1) (pick(_, 1))
            > why pick(1, 2)
            pick(1, 2) cannot happen now:
              requested by Philosopher(1)
              blocked by Stick(2) (pick(_, 2))
            > release(1, 1)
            release(1, 1) cannot happen now: nothing requests it. Nothing changed.
            > undo
            Taken back.
              1 pick(2, 3), wanted by Philosopher(2)
              2 pick(3, 3), wanted by Philosopher(3)
            > threads
            Philosopher(1) (line 10): requests pick(1, 2)
            Philosopher(2) (line 10): requests pick(2, 3)
            Philosopher(3) (line 10): requests pick(3, 3)
            Stick(1) (line 17): waits for release(_, 1); blocks pick(_, 1)
            Stick(2) (line 17): waits for release(_, 2); blocks pick(_, 2)
            Stick(3) (line 17): waits for pick(_, 3); blocks release(_, 3)
            > quit
        "#]],
    );
}

#[test]
fn a_tab_lists_what_can_be_meant_and_mistakes_change_nothing() {
    let texts = Texts::with("vending.cradle", VENDING);
    check(
        &texts,
        &["run", "vending.cradle"],
        "c\t\nx\t\ncion\ncoin\nhelp\nundo\nundo\n",
        &expect![[r#"
            vending: A vending machine for tea and coffee.
            B-threads act by themselves; you act for everybody else.
            Write an event or its number, or: why EVENT, possible, threads, undo, save FILE, help, quit.
              1 coin, wanted by Customer
            > c
            coin
            > x
            Nothing that can happen now begins with "x".
            > cion
            No event is called `cion`; did you mean `coin`? Nothing changed.
            Write help for all commands.
            > coin
            * coin, requested by Customer
              1 coin, wanted by Customer
              2 cancel, wanted by Customer
            > help
            an event, or its number in the list: lets it happen; spaces do not matter
            Tab: completes an event or a command; a second Tab lists what can be meant
            Up and Down: earlier lines
            why EVENT: which b-threads request it, wait for it and block it
            possible: everything that can happen now
            threads: what each b-thread does now
            undo: takes the last event back, and what followed from it
            save FILE: saves the run; the same command with --from FILE goes on there
            quit, exit or q: ends
            > undo
            Taken back.
              1 coin, wanted by Customer
            > undo
            There is nothing to take back.
            > 
            The input has ended.
        "#]],
    );
}

#[test]
fn strategies_answer_and_refusals_have_sentences() {
    let texts = Texts::with("tic-tac-toe.cradle", TIC_TAC_TOE);
    check(
        &texts,
        &["run", "tic-tac-toe.cradle"],
        "mark(X, a1)\nmark(X, a1)\nmark(O, c3)\n",
        &expect![[r#"
            tic-tac-toe: Three in a row on three by three.
            B-threads act by themselves; you act for everybody else.
            Write an event or its number, or: why EVENT, possible, threads, undo, save FILE, help, quit.
              1 mark(X, a1), wanted by any move of X
              2 mark(X, b1), wanted by any move of X
              3 mark(X, c1), wanted by any move of X
              4 mark(X, a2), wanted by any move of X
              5 mark(X, b2), wanted by any move of X
              6 mark(X, c2), wanted by any move of X
              7 mark(X, a3), wanted by any move of X
              8 mark(X, b3), wanted by any move of X
              9 mark(X, c3), wanted by any move of X
            > mark(X, a1)
            * mark(X, a1), a move of X, ends AddThirdO({a1 b1 c1}), AddThirdO({a1 a2 a3}), AddThirdO({a1 b2 c3}), PreventXFork({c1 a2} a1), PreventXFork({b1 a3} a1), PreventAnotherXFork({c1 a3}), PreventYetAnotherXFork({b1 a2} a1)
            * mark(O, b2), requested by DefaultMoves, ends PreventThirdX({a2 b2 c2}), PreventThirdX({b1 b2 b3}), PreventThirdX({a1 b2 c3}), PreventThirdX({c1 b2 a3})
              1 mark(X, b1), wanted by any move of X
              2 mark(X, c1), wanted by any move of X
              3 mark(X, a2), wanted by any move of X
              4 mark(X, c2), wanted by any move of X
              5 mark(X, a3), wanted by any move of X
              6 mark(X, b3), wanted by any move of X
              7 mark(X, c3), wanted by any move of X
            > mark(X, a1)
            mark(X, a1) is blocked by SquareTaken(a1) (mark(a1)): That square is taken. Nothing changed.
            > mark(O, c3)
            mark(O, c3) is blocked by EnforceTurns (mark(O)): It is not your turn. Nothing changed.
            > 
            The input has ended.
        "#]],
    );
}

#[test]
fn a_saved_run_goes_on_and_no_file_is_overwritten() {
    let texts = Texts::with("vending.cradle", VENDING);
    let (_, out, _) = texts.run(&["run", "vending.cradle"], "coin\nsave paid\nsave paid\n");
    assert!(out.contains("Saved in paid.\n"), "{out}");
    assert!(out.contains("paid exists already and was not changed: choose another name."), "{out}");
    let arguments = ["run", "vending.cradle", "--from", "paid"];
    let (code, out, _) = texts.run(&arguments, "coin\nchoose(tea)\n");
    assert!(out.contains("* serve(tea), requested by Serve\n"), "{out}");
    assert_eq!(code, Some(0));
    fs::write(texts.path("paid"), "{}").unwrap();
    let (code, _, err) = texts.run(&arguments, "");
    assert!(err.starts_with("error: paid is no saved run"), "{err}");
    assert_eq!(code, Some(2));
}

#[test]
fn b_threads_that_never_stop_are_refused_at_the_start() {
    let text = "program p\nevent tick\nevent stop\nthread T: forever: request tick\nworld W: request stop\n";
    let texts = Texts::with("p.cradle", text);
    let (code, _, err) = texts.run(&["run", "p.cradle"], "");
    assert_eq!(err, "error: the b-threads of p.cradle never stop by themselves: write --step\n");
    assert_eq!(code, Some(2));
    let (code, out, _) = texts.run(&["run", "p.cradle", "--step"], "tick\n");
    assert!(out.contains("* tick, requested by T\n"), "{out}");
    assert_eq!(code, Some(0));
}

/// Long and strange lines get one answer each, and the next line is still understood.
#[test]
fn hostile_lines_are_answered_with_one_sentence_each() {
    let texts = Texts::with("vending.cradle", VENDING);
    let long = "x".repeat(2 << 20);
    let deep = "[".repeat(100_000);
    let input =
        format!("{long}\n{deep}\n{{\"trigger\": 3}}\n\n\"undo\"\n{{\"trigger\": \"coin\"}}\n");
    let (code, out, _) = texts.run(&["run", "vending.cradle", "--json"], &input);
    let lines: Vec<serde_json::Value> =
        out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((code, lines.len()), (Some(0), 7));
    for line in &lines[1..6] {
        let mistake = line["mistake"].as_str().unwrap();
        assert!(mistake.len() < 400, "{mistake}");
    }
    assert_eq!(lines[6]["happened"][0]["event"], "coin");
}

#[test]
fn every_kind_of_line_is_answered_with_json() {
    let texts = Texts::with("vending.cradle", VENDING);
    let input = "{\"trigger\": \"coin\"}\n{\"trigger\": \"choose(tea)\"}\n{\"explain\": \"coin\"}\n\
                 \"threads\"\n\"snapshot\"\n\"undo\"\n\"possible\"\n{\"trigger\": \"tea\"}\n";
    let (_, out, _) = texts.run(&["run", "vending.cradle", "--json"], input);
    // The fingerprint is of this version of the text.
    expect![[r#"
        {"happened":[],"status":"open","result":null,"possible":[{"event":"coin","wanted_by":["Customer"]}],"violations":[]}
        {"happened":[{"event":"coin","requested_by":["Customer"],"waited_for_by":["Coins","NothingForFree"],"interrupted":[]}],"status":"open","result":null,"possible":[{"event":"coin","wanted_by":["Customer"]},{"event":"cancel","wanted_by":["Customer"]}],"violations":[]}
        {"refused":{"sentence":"choose(tea) is blocked by Coins (choose)","explanation":{"event":"choose(tea)","requested_by":["Customer"],"waited_for_by":[{"thread":"Serve","set":"choose(_)"}],"blocked_by":[{"thread":"Coins","set":"choose"}],"interrupts":[]}},"status":"open","result":null,"possible":[{"event":"coin","wanted_by":["Customer"]},{"event":"cancel","wanted_by":["Customer"]}],"violations":[]}
        {"explanation":{"event":"coin","requested_by":["Customer"],"waited_for_by":[{"thread":"Coins","set":"coin"},{"thread":"NothingForFree","set":"coin"}],"blocked_by":[],"interrupts":[]},"status":"open","result":null,"possible":[{"event":"coin","wanted_by":["Customer"]},{"event":"cancel","wanted_by":["Customer"]}],"violations":[]}
        {"threads":[{"name":"Customer","line":14,"does":"requests coin, cancel, choose(tea), choose(coffee)"},{"name":"Coins","line":17,"does":"waits for coin or refund; blocks choose"},{"name":"Serve","line":34,"does":"waits for choose(_)"},{"name":"Refund","line":39,"does":"waits for cancel"},{"name":"Stock(tea)","line":44,"does":"waits for serve(tea)"},{"name":"Stock(coffee)","line":44,"does":"waits for serve(coffee)"},{"name":"NothingForFree","line":48,"does":"waits for coin or refund or serve"}],"status":"open","result":null,"possible":[{"event":"coin","wanted_by":["Customer"]},{"event":"cancel","wanted_by":["Customer"]}],"violations":[]}
        {"snapshot":{"text":"vending","fingerprint":"a11e6b6bbcc74d2a","states":[0,1,0,0,0,0,1],"result":null,"scores":[]},"status":"open","result":null,"possible":[{"event":"coin","wanted_by":["Customer"]},{"event":"cancel","wanted_by":["Customer"]}],"violations":[]}
        {"happened":[],"status":"open","result":null,"possible":[{"event":"coin","wanted_by":["Customer"]}],"violations":[]}
        {"happened":[],"status":"open","result":null,"possible":[{"event":"coin","wanted_by":["Customer"]}],"violations":[]}
        {"refused":{"sentence":"no event is called `tea`"},"status":"open","result":null,"possible":[{"event":"coin","wanted_by":["Customer"]}],"violations":[]}
    "#]].assert_eq(&out);
}

/// The part of the page after a heading of a block.
fn block(language: &str) -> &'static str {
    let start = PAGE.split(&format!("```{language}\n")).nth(1).expect("the page has the block");
    start.split("```").next().expect("a block ends")
}

#[test]
fn the_program_of_the_page_prints_what_the_page_says() {
    let texts = Texts::with("vending.cradle", VENDING);
    fs::write(texts.path("buy.py"), block("python")).unwrap();
    let python = Command::new("python3")
        .args(["buy.py", env!("CARGO_BIN_EXE_cradle"), "vending.cradle"])
        .current_dir(texts.path(""))
        .output()
        .expect("python3 is installed");
    assert_eq!(String::from_utf8(python.stderr).unwrap(), "");
    assert_eq!(String::from_utf8(python.stdout).unwrap(), block("text"));
    assert_eq!(block("python").lines().count(), 31);
}

#[test]
fn the_page_shows_what_the_command_prints() {
    let games = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let (_, out, _) = run(&games, &["run", "games/dining.cradle", "n=3"], "");
    let shown = block("console").split_once('\n').expect("the command comes first").1;
    assert!(out.starts_with(shown.trim_end()), "{out}");
}

#[test]
fn built_in_games_and_programs_are_run_like_files() {
    let texts = Texts::with("dining.cradle", DINING);
    let input = "pick(1,1)\n2\npick(3, 3)\nwhy pick(1, 2)\nquit\n";
    for (file, built_in) in [
        (vec!["run", "dining.cradle", "n=3"], vec!["run", "dining", "n=3"]),
        (vec!["run", "dining.cradle", "n=3"], vec!["run", "dining:3"]),
        (vec!["run", "dining.cradle:n=4"], vec!["run", "dining:n=4"]),
    ] {
        let expected = texts.run(&file, input);
        assert_eq!(expected.0, Some(0));
        assert_eq!(texts.run(&built_in, input), expected, "{built_in:?}");
    }
    let (code, out, _) = texts.run(&["run", "mnk:3,4,3"], "mark(X, a4)\nmark(O, a4)\nquit\n");
    assert!(out.contains("mark(O, a4) is blocked by SquareTaken(a4)"), "{out}");
    assert_eq!(code, Some(0));
    for (wrong, sentence) in [
        ("kuhn-poker", "no b-threads are called \"kuhn-poker\""),
        ("moon", "name a file that ends in .cradle, or one of tic-tac-toe, misere"),
        ("nim:1,2", "no parameter"),
    ] {
        let (code, out, err) = texts.run(&["run", wrong], "");
        assert!(err.contains(sentence), "{out}{err}");
        assert_eq!(code, Some(2), "{wrong}");
    }
}
