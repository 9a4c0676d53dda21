//! What keys and clicks mean.

use ratatui::crossterm::event::{
    Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
};
use ratatui::layout::Position;

use super::view::Mode;

/// What a person wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Action {
    /// To move the cursor.
    Go(Way),
    /// What is under the cursor, or what was typed.
    Choose,
    /// The cell or the move of this number, counted from 0.
    ChooseNumber(usize),
    /// The move in this cell that begins with this letter.
    ChooseLetter(char),
    /// What is at this point.
    ChooseAt(Position),
    /// To see reasons, or not to.
    Why,
    /// To take a move back.
    Undo,
    /// Another round.
    NewRound,
    /// To give up.
    Resign,
    /// To see what the game is, and what the keys are.
    Help,
    /// Yes.
    Agree,
    /// To leave what was begun.
    Back,
    /// To write a move.
    StartTyping,
    /// One more letter.
    Type(char),
    /// One letter less.
    Erase,
    /// To end, perhaps after a question.
    Quit,
    /// To end at once.
    Leave,
}

/// Where the cursor goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    Left,
    Right,
    Up,
    Down,
    /// The beginning of the row.
    Begin,
    /// The end of the row.
    End,
}

/// What an event of the terminal means; `None` if it means nothing.
pub(super) fn action(event: &Event, mode: &Mode) -> Option<Action> {
    match event {
        Event::Key(key) if key.kind != KeyEventKind::Release => key_action(*key, mode),
        Event::Mouse(MouseEvent {
            kind: MouseEventKind::Down(MouseButton::Left),
            column,
            row,
            ..
        }) => Some(Action::ChooseAt(Position::new(*column, *row))),
        _ => None,
    }
}

fn key_action(key: KeyEvent, mode: &Mode) -> Option<Action> {
    if key.modifiers.contains(KeyModifiers::CONTROL) {
        return (key.code == KeyCode::Char('c')).then_some(Action::Leave);
    }
    match mode {
        Mode::Playing => playing(key.code),
        Mode::Choosing { .. } => choosing(key.code),
        Mode::Typing(_) => typing(key.code),
        Mode::Asking(_) => Some(match key.code {
            KeyCode::Char('y' | 'Y') => Action::Agree,
            _ => Action::Back,
        }),
        Mode::Reading(_) => reading(key.code),
    }
}

fn playing(code: KeyCode) -> Option<Action> {
    Some(match code {
        KeyCode::Char('?') => Action::Why,
        KeyCode::Char('u') => Action::Undo,
        KeyCode::Char('n') => Action::NewRound,
        KeyCode::Char('r') => Action::Resign,
        KeyCode::Char('q') => Action::Quit,
        KeyCode::Char(':') => Action::StartTyping,
        KeyCode::Char('i') | KeyCode::F(1) => Action::Help,
        code => return moving(code).or_else(|| choosing_by_name(code)),
    })
}

/// Nobody plays on a board that is covered.
fn reading(code: KeyCode) -> Option<Action> {
    let closes = matches!(
        code,
        KeyCode::Esc | KeyCode::Enter | KeyCode::F(1) | KeyCode::Char(' ' | '?' | 'i' | 'q')
    );
    closes.then_some(Action::Back)
}

fn choosing(code: KeyCode) -> Option<Action> {
    match code {
        KeyCode::Char('q') => Some(Action::Back),
        code => moving(code).or_else(|| choosing_by_name(code)),
    }
}

/// The keys that mean the same wherever there is a cursor.
fn moving(code: KeyCode) -> Option<Action> {
    Some(match code {
        KeyCode::Left | KeyCode::Char('h') => Action::Go(Way::Left),
        KeyCode::Right | KeyCode::Char('l') => Action::Go(Way::Right),
        KeyCode::Up | KeyCode::Char('k') => Action::Go(Way::Up),
        KeyCode::Down | KeyCode::Char('j') => Action::Go(Way::Down),
        KeyCode::Home => Action::Go(Way::Begin),
        KeyCode::End => Action::Go(Way::End),
        KeyCode::Enter | KeyCode::Char(' ') => Action::Choose,
        KeyCode::Esc => Action::Back,
        _ => return None,
    })
}

fn choosing_by_name(code: KeyCode) -> Option<Action> {
    let KeyCode::Char(letter) = code else { return None };
    match letter.to_digit(10) {
        Some(0) => None,
        Some(digit) => Some(Action::ChooseNumber(usize::try_from(digit).ok()? - 1)),
        None => Some(Action::ChooseLetter(letter)),
    }
}

fn typing(code: KeyCode) -> Option<Action> {
    match code {
        KeyCode::Enter => Some(Action::Choose),
        KeyCode::Esc => Some(Action::Back),
        KeyCode::Backspace => Some(Action::Erase),
        KeyCode::Char(letter) => Some(Action::Type(letter)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::play::screen::view::{Page, Question};

    fn of_key(code: KeyCode, mode: &Mode) -> Option<Action> {
        action(&Event::Key(KeyEvent::new(code, KeyModifiers::NONE)), mode)
    }

    fn of_letter(letter: char, mode: &Mode) -> Option<Action> {
        of_key(KeyCode::Char(letter), mode)
    }

    fn menu() -> Mode {
        Mode::Choosing { moves: vec!["Xb2".to_owned(), "Ob2".to_owned()], cursor: 0 }
    }

    #[test]
    fn arrows_and_letters_move_the_cursor() {
        let arrows = [KeyCode::Left, KeyCode::Down, KeyCode::Up, KeyCode::Right];
        let ways = [Way::Left, Way::Down, Way::Up, Way::Right];
        for ((arrow, letter), way) in arrows.into_iter().zip("hjkl".chars()).zip(ways) {
            assert_eq!(of_key(arrow, &Mode::Playing), Some(Action::Go(way)));
            assert_eq!(of_letter(letter, &Mode::Playing), Some(Action::Go(way)));
            assert_eq!(of_key(arrow, &menu()), Some(Action::Go(way)));
            assert_eq!(of_letter(letter, &menu()), Some(Action::Go(way)));
        }
    }

    #[test]
    fn enter_and_space_choose() {
        for code in [KeyCode::Enter, KeyCode::Char(' ')] {
            assert_eq!(of_key(code, &Mode::Playing), Some(Action::Choose));
            assert_eq!(of_key(code, &menu()), Some(Action::Choose));
        }
    }

    #[test]
    fn digits_are_counted_from_one() {
        assert_eq!(of_letter('1', &Mode::Playing), Some(Action::ChooseNumber(0)));
        assert_eq!(of_letter('9', &Mode::Playing), Some(Action::ChooseNumber(8)));
        assert_eq!(of_letter('0', &Mode::Playing), None);
    }

    #[test]
    fn other_letters_choose_a_mark() {
        assert_eq!(of_letter('x', &Mode::Playing), Some(Action::ChooseLetter('x')));
        assert_eq!(of_letter('o', &menu()), Some(Action::ChooseLetter('o')));
    }

    #[test]
    fn what_is_typed_is_no_command() {
        let typing = Mode::Typing("b".to_owned());
        for letter in ['q', 'u', '?', ':', '1', ' '] {
            assert_eq!(of_letter(letter, &typing), Some(Action::Type(letter)));
        }
        assert_eq!(of_key(KeyCode::Backspace, &typing), Some(Action::Erase));
        assert_eq!(of_key(KeyCode::Enter, &typing), Some(Action::Choose));
    }

    #[test]
    fn only_y_is_yes() {
        let asking = Mode::Asking(Question::Resign);
        assert_eq!(of_letter('y', &asking), Some(Action::Agree));
        for code in [KeyCode::Char('n'), KeyCode::Enter, KeyCode::Esc] {
            assert_eq!(of_key(code, &asking), Some(Action::Back));
        }
    }

    #[test]
    fn a_page_over_the_board_can_only_be_closed() {
        let reading = Mode::Reading(Page::Reasons);
        for code in [KeyCode::Esc, KeyCode::Enter, KeyCode::Char('?'), KeyCode::Char('q')] {
            assert_eq!(of_key(code, &reading), Some(Action::Back));
        }
        for code in [KeyCode::Left, KeyCode::Char('5'), KeyCode::Char('u'), KeyCode::Char('n')] {
            assert_eq!(of_key(code, &reading), None);
        }
    }

    #[test]
    fn control_c_quits_from_everywhere_and_other_controls_do_nothing() {
        let asking = Mode::Asking(Question::Quit);
        for mode in [Mode::Playing, menu(), Mode::Typing(String::new()), asking] {
            let control = |letter| {
                let key = KeyEvent::new(KeyCode::Char(letter), KeyModifiers::CONTROL);
                action(&Event::Key(key), &mode)
            };
            assert_eq!(control('c'), Some(Action::Leave));
            assert_eq!(control('u'), None);
        }
    }

    #[test]
    fn a_click_chooses_and_other_events_mean_nothing() {
        let (column, row, modifiers) = (4, 7, KeyModifiers::NONE);
        let mouse = |kind| {
            let event = Event::Mouse(MouseEvent { kind, column, row, modifiers });
            action(&event, &Mode::Playing)
        };
        let left = mouse(MouseEventKind::Down(MouseButton::Left));
        assert_eq!(left, Some(Action::ChooseAt(Position::new(4, 7))));
        assert_eq!(mouse(MouseEventKind::Up(MouseButton::Left)), None);
        assert_eq!(mouse(MouseEventKind::Moved), None);
        assert_eq!(action(&Event::Resize(80, 24), &Mode::Playing), None);
        let released =
            KeyEvent::new_with_kind(KeyCode::Enter, KeyModifiers::NONE, KeyEventKind::Release);
        assert_eq!(action(&Event::Key(released), &Mode::Playing), None);
    }
}
