//! `cradle play` on a terminal, with the keys that the terminal handles itself.

use crate::pseudo_terminal::Terminal;

const ENTER_SCREEN: &str = "\x1b[?1049h";
const LEAVE_SCREEN: &str = "\x1b[?1049l";
const SHOW_CURSOR: &str = "\x1b[?25h";

#[test]
fn control_c_cuts_the_game_short() {
    let mut terminal = Terminal::run("cradle play --seed 1");
    terminal.wait_for("resign");
    terminal.press("\x03");
    terminal.wait_for(LEAVE_SCREEN);
    terminal.wait_for("No round was finished.");
    assert_eq!(terminal.exit_code(), Some(3));
}

#[test]
fn quitting_is_fine() {
    let mut terminal = Terminal::run("cradle play --seed 1");
    terminal.wait_for("resign");
    terminal.press("q");
    terminal.wait_for(LEAVE_SCREEN);
    assert_eq!(terminal.exit_code(), Some(0));
}

#[test]
fn control_z_gives_the_terminal_back_until_the_shell_continues_the_game() {
    let mut terminal =
        Terminal::run("set -m; cradle play --seed 1; echo stopped $?; fg; echo ended $?");
    terminal.wait_for(ENTER_SCREEN);
    terminal.wait_for("resign");
    terminal.press("\x1a");
    terminal.wait_for(SHOW_CURSOR);
    terminal.wait_for(LEAVE_SCREEN);
    terminal.wait_for("stopped 148");
    terminal.wait_for(ENTER_SCREEN);
    terminal.wait_for("resign");
    terminal.press("q");
    terminal.wait_for(LEAVE_SCREEN);
    terminal.wait_for("ended 0");
    assert_eq!(terminal.exit_code(), Some(0));
}

#[test]
fn a_terminal_without_unicode_gets_ascii() {
    for (arguments, is_ascii) in [("", false), (" --charset ascii", true)] {
        let mut terminal = Terminal::run(&format!("cradle play --seed 1{arguments}"));
        terminal.wait_for(ENTER_SCREEN);
        terminal.wait_for("resign");
        terminal.press("44");
        terminal.wait_for("SquareTaken");
        assert_eq!(terminal.shown().is_ascii(), is_ascii, "{}", terminal.shown());
        terminal.press("\x03");
        assert_eq!(terminal.exit_code(), Some(3));
    }
}
