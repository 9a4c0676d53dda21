//! `cradle run` on a terminal, where lines are edited.

use crate::pseudo_terminal::Terminal;
use crate::{DINING, Texts};

/// A run of this text on a terminal, after its first prompt.
fn typed(name: &str, text: &str, environment: &str) -> (Texts, Terminal) {
    let texts = Texts::with(name, text);
    let folder = texts.path("");
    let command =
        format!("cd {}; {environment} cradle run {name}; echo ended $?", folder.display());
    let mut terminal = Terminal::run(&command);
    terminal.wait_for("> ");
    (texts, terminal)
}

const UP: &str = "\x1b[A";

#[test]
fn tab_completes_events_and_commands_while_they_are_typed() {
    let (_texts, mut terminal) = typed("dining.cradle", DINING, "");
    // Only one event begins like this, although it is written with a space.
    terminal.press("pick(1,\t");
    terminal.wait_for("pick(1, 1)");
    terminal.press("\r");
    terminal.wait_for("* pick(1, 1), requested by Philosopher(1)");
    terminal.wait_for("> ");
    terminal.press("thr\t");
    terminal.wait_for("threads");
    terminal.press("\r");
    terminal.wait_for("Philosopher(1) (line 10): requests pick(1, 2)");
    terminal.wait_for("> ");
    // Events that cannot happen now are completed where they are asked about.
    terminal.press("why rel\t1, 2\t");
    terminal.wait_for("release(1, 2)");
    terminal.press("\r");
    terminal.wait_for("release(1, 2) cannot happen now:");
    terminal.wait_for("> ");
    terminal.press("quit\r");
    terminal.wait_for("ended 0");
    assert_eq!(terminal.exit_code(), Some(0));
}

#[test]
fn a_second_tab_lists_what_can_be_meant() {
    let (_texts, mut terminal) = typed("dining.cradle", DINING, "");
    terminal.press("p\t\t");
    for event in ["pick(1, 1)", "pick(2, 2)", "pick(3, 3)", "pick(4, 4)", "pick(5, 5)", "possible"]
    {
        terminal.wait_for(event);
    }
    terminal.press("\x15quit\r");
    terminal.wait_for("ended 0");
    assert_eq!(terminal.exit_code(), Some(0));
}

#[test]
fn earlier_lines_come_back() {
    let (_texts, mut terminal) = typed("dining.cradle", DINING, "");
    terminal.press("pick(2, 2)\r");
    terminal.wait_for("* pick(2, 2)");
    terminal.wait_for("> ");
    terminal.press("undo\r");
    terminal.wait_for("Taken back.");
    terminal.wait_for("> ");
    terminal.press(&format!("{UP}{UP}\r"));
    terminal.wait_for("* pick(2, 2)");
    terminal.wait_for("> ");
    // Ctrl-D on an empty line ends the input.
    terminal.press("\x04");
    terminal.wait_for("The input has ended.");
    terminal.wait_for("ended 0");
    assert_eq!(terminal.exit_code(), Some(0));
}

#[test]
fn control_c_ends_a_run_that_waits_for_a_line() {
    let (_texts, mut terminal) = typed("dining.cradle", DINING, "");
    terminal.press("pick\x03");
    terminal.wait_for("Ctrl-C ended the run. What was saved is kept.");
    terminal.wait_for("ended 3");
    assert_eq!(terminal.exit_code(), Some(0));
}

#[test]
fn a_terminal_that_cannot_move_its_cursor_takes_whole_lines() {
    let (_texts, mut terminal) = typed("dining.cradle", DINING, "TERM=dumb");
    terminal.press("pick(1\t\n");
    terminal.wait_for("pick(1, 1)");
    terminal.wait_for("> ");
    terminal.press("1\n");
    terminal.wait_for("* pick(1, 1)");
    terminal.wait_for("> ");
    terminal.press("quit\n");
    terminal.wait_for("ended 0");
    assert!(!terminal.shown().contains('\x1b'), "{:?}", terminal.shown());
}

#[test]
fn colours_are_not_used_where_nobody_wants_them() {
    let (_texts, mut terminal) = typed("dining.cradle", DINING, "NO_COLOR=1");
    terminal.press("1\r");
    terminal.wait_for("* pick(1, 1)");
    terminal.wait_for("> ");
    terminal.press("quit\r");
    terminal.wait_for("ended 0");
    assert!(!terminal.shown().contains("\x1b[3"), "{:?}", terminal.shown());
}
