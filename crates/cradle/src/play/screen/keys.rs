//! What keys and clicks mean.

use ratatui::crossterm::event::{
    Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
};
use ratatui::layout::Position;

use super::state::Mode;

/// What a person asks for with a key or a click.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum UserAction {
    /// Moves the cursor.
    MoveCursor(CursorStep),
    /// Chooses what is under the cursor, or what was typed.
    Choose,
    /// Chooses what this digit names.
    ChooseDigit(usize),
    /// Selects the move that begins with this letter.
    SelectLetter(char),
    /// Chooses what is at this point.
    ChooseAt(Position),
    /// Shows or hides explanations.
    Why,
    /// Takes a move back.
    Undo,
    /// Begins another round.
    NewRound,
    /// Gives up.
    Resign,
    /// Shows what the game is, and what the keys do.
    Help,
    /// Scrolls a text that does not fit.
    Scroll(ScrollStep),
    /// Says yes.
    Agree,
    /// Closes what was opened last.
    Back,
    /// Starts typing a move.
    StartTyping,
    /// Types one more letter.
    Type(char),
    /// Erases the last letter.
    Erase,
    /// Quits, after a question if a round is running.
    Quit,
    /// Ends at once.
    Interrupt,
    /// Gives the terminal back to the shell until the shell continues the program.
    Suspend,
}

/// A step of the cursor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CursorStep {
    Left,
    Right,
    Up,
    Down,
    RowStart,
    RowEnd,
}

/// A step through a text that does not fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ScrollStep {
    LineUp,
    LineDown,
    PageUp,
    PageDown,
    Top,
    Bottom,
}

/// The action of a terminal event, if it has one.
pub(super) fn action(event: &Event, mode: &Mode) -> Option<UserAction> {
    match event {
        Event::Key(key) if key.kind != KeyEventKind::Release => key_action(*key, mode),
        Event::Mouse(MouseEvent { kind, column, row, .. }) => match kind {
            MouseEventKind::Down(MouseButton::Left) => {
                Some(UserAction::ChooseAt(Position::new(*column, *row)))
            }
            MouseEventKind::ScrollUp => Some(UserAction::Scroll(ScrollStep::LineUp)),
            MouseEventKind::ScrollDown => Some(UserAction::Scroll(ScrollStep::LineDown)),
            _ => None,
        },
        _ => None,
    }
}

/// The action of a terminal event in a window that is too small for the game: nobody plays on a
/// board that is not shown.
pub(super) fn action_without_board(event: &Event, mode: &Mode) -> Option<UserAction> {
    let Event::Key(key) = event else { return None };
    if key.kind == KeyEventKind::Release {
        return None;
    }
    control(*key).or_else(|| match (mode, key.code) {
        (Mode::Asking(_), code) => Some(answer(code)),
        (_, KeyCode::Char('q')) => Some(UserAction::Quit),
        _ => None,
    })
}

fn key_action(key: KeyEvent, mode: &Mode) -> Option<UserAction> {
    if key.modifiers.contains(KeyModifiers::CONTROL) {
        return control(key);
    }
    match mode {
        Mode::Playing => playing(key.code),
        Mode::Choosing { .. } => choosing(key.code),
        Mode::Typing(_) => typing(key.code),
        Mode::Asking(_) => Some(answer(key.code)),
        Mode::Reading(_) => reading(key.code),
    }
}

/// The keys that mean the same everywhere.
fn control(key: KeyEvent) -> Option<UserAction> {
    match key.code {
        _ if !key.modifiers.contains(KeyModifiers::CONTROL) => None,
        KeyCode::Char('c') => Some(UserAction::Interrupt),
        KeyCode::Char('z') => Some(UserAction::Suspend),
        _ => None,
    }
}

fn answer(code: KeyCode) -> UserAction {
    match code {
        KeyCode::Char('y' | 'Y') => UserAction::Agree,
        _ => UserAction::Back,
    }
}

fn playing(code: KeyCode) -> Option<UserAction> {
    Some(match code {
        KeyCode::Char('?') => UserAction::Why,
        KeyCode::Char('u') => UserAction::Undo,
        KeyCode::Char('n') => UserAction::NewRound,
        KeyCode::Char('r') => UserAction::Resign,
        KeyCode::Char('q') => UserAction::Quit,
        KeyCode::Char(':') => UserAction::StartTyping,
        KeyCode::Char('i') | KeyCode::F(1) => UserAction::Help,
        KeyCode::PageUp => UserAction::Scroll(ScrollStep::PageUp),
        KeyCode::PageDown => UserAction::Scroll(ScrollStep::PageDown),
        code => return moving(code).or_else(|| choosing_by_name(code)),
    })
}

/// The keys of a page that covers the board.
fn reading(code: KeyCode) -> Option<UserAction> {
    Some(match code {
        KeyCode::Up | KeyCode::Char('k') => UserAction::Scroll(ScrollStep::LineUp),
        KeyCode::Down | KeyCode::Char('j') => UserAction::Scroll(ScrollStep::LineDown),
        KeyCode::PageUp => UserAction::Scroll(ScrollStep::PageUp),
        KeyCode::PageDown => UserAction::Scroll(ScrollStep::PageDown),
        KeyCode::Home => UserAction::Scroll(ScrollStep::Top),
        KeyCode::End => UserAction::Scroll(ScrollStep::Bottom),
        KeyCode::Esc | KeyCode::Enter | KeyCode::F(1) | KeyCode::Char(' ' | '?' | 'i' | 'q') => {
            UserAction::Back
        }
        _ => return None,
    })
}

fn choosing(code: KeyCode) -> Option<UserAction> {
    match code {
        KeyCode::Char('q') => Some(UserAction::Back),
        code => moving(code).or_else(|| choosing_by_name(code)),
    }
}

/// The keys of every list and board.
fn moving(code: KeyCode) -> Option<UserAction> {
    Some(match code {
        KeyCode::Left | KeyCode::Char('h') => UserAction::MoveCursor(CursorStep::Left),
        KeyCode::Right | KeyCode::Char('l') => UserAction::MoveCursor(CursorStep::Right),
        KeyCode::Up | KeyCode::Char('k') => UserAction::MoveCursor(CursorStep::Up),
        KeyCode::Down | KeyCode::Char('j') => UserAction::MoveCursor(CursorStep::Down),
        KeyCode::Home => UserAction::MoveCursor(CursorStep::RowStart),
        KeyCode::End => UserAction::MoveCursor(CursorStep::RowEnd),
        KeyCode::Enter | KeyCode::Char(' ') => UserAction::Choose,
        KeyCode::Esc => UserAction::Back,
        _ => return None,
    })
}

fn choosing_by_name(code: KeyCode) -> Option<UserAction> {
    let KeyCode::Char(letter) = code else { return None };
    Some(match letter.to_digit(10) {
        Some(digit) => UserAction::ChooseDigit(usize::try_from(digit).ok()?),
        None => UserAction::SelectLetter(letter),
    })
}

fn typing(code: KeyCode) -> Option<UserAction> {
    match code {
        KeyCode::Enter => Some(UserAction::Choose),
        KeyCode::Esc => Some(UserAction::Back),
        KeyCode::Backspace => Some(UserAction::Erase),
        KeyCode::Char(letter) => Some(UserAction::Type(letter)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::play::screen::state::{Confirmation, Overlay};

    fn of_key(code: KeyCode, mode: &Mode) -> Option<UserAction> {
        action(&Event::Key(KeyEvent::new(code, KeyModifiers::NONE)), mode)
    }

    fn of_letter(letter: char, mode: &Mode) -> Option<UserAction> {
        of_key(KeyCode::Char(letter), mode)
    }

    fn menu() -> Mode {
        Mode::Choosing { moves: vec!["Xb2".to_owned(), "Ob2".to_owned()], cursor: 0 }
    }

    #[test]
    fn arrows_and_letters_move_the_cursor() {
        let arrows = [KeyCode::Left, KeyCode::Down, KeyCode::Up, KeyCode::Right];
        let steps = [CursorStep::Left, CursorStep::Down, CursorStep::Up, CursorStep::Right];
        for ((arrow, letter), step) in arrows.into_iter().zip("hjkl".chars()).zip(steps) {
            assert_eq!(of_key(arrow, &Mode::Playing), Some(UserAction::MoveCursor(step)));
            assert_eq!(of_letter(letter, &Mode::Playing), Some(UserAction::MoveCursor(step)));
            assert_eq!(of_key(arrow, &menu()), Some(UserAction::MoveCursor(step)));
            assert_eq!(of_letter(letter, &menu()), Some(UserAction::MoveCursor(step)));
        }
    }

    #[test]
    fn enter_and_space_choose() {
        for code in [KeyCode::Enter, KeyCode::Char(' ')] {
            assert_eq!(of_key(code, &Mode::Playing), Some(UserAction::Choose));
            assert_eq!(of_key(code, &menu()), Some(UserAction::Choose));
        }
    }

    #[test]
    fn digits_stand_for_themselves() {
        for digit in 0..=9 {
            let key = char::from_digit(digit, 10).unwrap();
            let expected = UserAction::ChooseDigit(usize::try_from(digit).unwrap());
            assert_eq!(of_letter(key, &Mode::Playing), Some(expected));
        }
    }

    #[test]
    fn other_letters_select_a_mark() {
        assert_eq!(of_letter('x', &Mode::Playing), Some(UserAction::SelectLetter('x')));
        assert_eq!(of_letter('o', &menu()), Some(UserAction::SelectLetter('o')));
    }

    #[test]
    fn typed_letters_are_not_commands() {
        let typing = Mode::Typing("b".to_owned());
        for letter in ['q', 'u', '?', ':', '1', ' '] {
            assert_eq!(of_letter(letter, &typing), Some(UserAction::Type(letter)));
        }
        assert_eq!(of_key(KeyCode::Backspace, &typing), Some(UserAction::Erase));
        assert_eq!(of_key(KeyCode::Enter, &typing), Some(UserAction::Choose));
    }

    #[test]
    fn only_y_is_yes() {
        let asking = Mode::Asking(Confirmation::Resign);
        assert_eq!(of_letter('y', &asking), Some(UserAction::Agree));
        for code in [KeyCode::Char('n'), KeyCode::Enter, KeyCode::Esc] {
            assert_eq!(of_key(code, &asking), Some(UserAction::Back));
        }
    }

    #[test]
    fn a_page_over_the_board_can_only_be_scrolled_and_closed() {
        let reading = Mode::Reading(Overlay::Explanations);
        for code in [KeyCode::Esc, KeyCode::Enter, KeyCode::Char('?'), KeyCode::Char('q')] {
            assert_eq!(of_key(code, &reading), Some(UserAction::Back));
        }
        let down = Some(UserAction::Scroll(ScrollStep::LineDown));
        assert_eq!([of_key(KeyCode::Down, &reading), of_letter('j', &reading)], [down; 2]);
        let end = Some(UserAction::Scroll(ScrollStep::Bottom));
        assert_eq!(of_key(KeyCode::End, &reading), end);
        for code in [KeyCode::Left, KeyCode::Char('5'), KeyCode::Char('u'), KeyCode::Char('n')] {
            assert_eq!(of_key(code, &reading), None);
        }
    }

    #[test]
    fn control_c_and_control_z_work_everywhere_and_other_controls_do_nothing() {
        let asking = Mode::Asking(Confirmation::Quit);
        for mode in [Mode::Playing, menu(), Mode::Typing(String::new()), asking] {
            let control = |letter| {
                let key = KeyEvent::new(KeyCode::Char(letter), KeyModifiers::CONTROL);
                action(&Event::Key(key), &mode)
            };
            assert_eq!(control('c'), Some(UserAction::Interrupt));
            assert_eq!(control('z'), Some(UserAction::Suspend));
            assert_eq!(control('u'), None);
        }
    }

    #[test]
    fn a_click_chooses_the_wheel_scrolls_and_other_events_mean_nothing() {
        let (column, row, modifiers) = (4, 7, KeyModifiers::NONE);
        let mouse = |kind| {
            let event = Event::Mouse(MouseEvent { kind, column, row, modifiers });
            action(&event, &Mode::Playing)
        };
        let left = mouse(MouseEventKind::Down(MouseButton::Left));
        assert_eq!(left, Some(UserAction::ChooseAt(Position::new(4, 7))));
        let down = Some(UserAction::Scroll(ScrollStep::LineDown));
        assert_eq!(mouse(MouseEventKind::ScrollDown), down);
        assert_eq!(mouse(MouseEventKind::Up(MouseButton::Left)), None);
        assert_eq!(mouse(MouseEventKind::Moved), None);
        assert_eq!(action(&Event::Resize(80, 24), &Mode::Playing), None);
        let released =
            KeyEvent::new_with_kind(KeyCode::Enter, KeyModifiers::NONE, KeyEventKind::Release);
        assert_eq!(action(&Event::Key(released), &Mode::Playing), None);
    }

    #[test]
    fn without_a_visible_board_a_person_can_only_leave() {
        let small = |code, modifiers, mode: &Mode| {
            action_without_board(&Event::Key(KeyEvent::new(code, modifiers)), mode)
        };
        let press = |code| small(code, KeyModifiers::NONE, &Mode::Playing);
        assert_eq!(press(KeyCode::Char('q')), Some(UserAction::Quit));
        for code in [KeyCode::Enter, KeyCode::Char('4'), KeyCode::Char('n'), KeyCode::Left] {
            assert_eq!(press(code), None);
        }
        let control = |letter| small(KeyCode::Char(letter), KeyModifiers::CONTROL, &menu());
        assert_eq!(control('c'), Some(UserAction::Interrupt));
        assert_eq!(control('z'), Some(UserAction::Suspend));
        let asking = Mode::Asking(Confirmation::Quit);
        let yes = small(KeyCode::Char('y'), KeyModifiers::NONE, &asking);
        assert_eq!(yes, Some(UserAction::Agree));
    }
}
