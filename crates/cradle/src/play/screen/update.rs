//! What keys and clicks do.

use game::Grid;
use ratatui::crossterm::event::Event;
use ratatui::layout::{Position, Rect};

use super::keys::{self, CursorStep, ScrollStep, UserAction};
use super::layout::{BoardPart, ScreenLayout};
use super::state::{
    Confirmation, ExplanationsPanel, Mode, Notice, Overlay, ScreenState, is_played_by_column,
};
use super::{footer, frame, menu};
use crate::play::session::{NextActor, PlayError, PlaySession, has_numbered_cells};
use crate::play::text;

/// What happens after an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Flow {
    Continue,
    /// The shell gets its terminal back for a while.
    Suspend,
    /// The person has quit.
    Quit,
    /// The person has pressed Ctrl-C.
    Interrupt,
}

/// Handles a terminal event in a window of this size.
pub(super) fn handle(
    session: &mut PlaySession,
    state: &mut ScreenState,
    window: Rect,
    event: &Event,
) -> Flow {
    let action = match ScreenLayout::new(window, session.picture().board.as_ref()) {
        Ok(_) => keys::action(event, &state.mode),
        Err(_) => keys::action_without_board(event, &state.mode),
    };
    action.map_or(Flow::Continue, |action| update(session, state, window, action))
}

fn update(
    session: &mut PlaySession,
    state: &mut ScreenState,
    window: Rect,
    action: UserAction,
) -> Flow {
    if let UserAction::Scroll(step) = action {
        scroll(session, state, window, step);
        return Flow::Continue;
    }
    (state.notice, state.scroll) = (None, 0);
    match action {
        UserAction::Interrupt => return Flow::Interrupt,
        UserAction::Suspend => return Flow::Suspend,
        UserAction::Quit => return confirm_if_running(session, state, Confirmation::Quit),
        UserAction::NewRound => return confirm_if_running(session, state, Confirmation::NewRound),
        UserAction::Resign => ask(session, state, Confirmation::Resign),
        UserAction::Agree => return agree(session, state),
        UserAction::Back => back(state),
        UserAction::MoveCursor(step) => move_cursor(session, state, step),
        UserAction::Choose if state.types_quit() => {
            state.mode = Mode::Playing;
            return confirm_if_running(session, state, Confirmation::Quit);
        }
        UserAction::Choose => choose(session, state),
        UserAction::ChooseDigit(digit) => choose_digit(session, state, digit),
        UserAction::SelectLetter(letter) => select_letter(session, state, letter),
        UserAction::ChooseAt(point) => return choose_at(session, state, window, point),
        UserAction::Why => show_explanations(session, state, window),
        UserAction::Help => state.mode = Mode::Reading(Overlay::Help),
        UserAction::Undo => undo(session, state),
        UserAction::StartTyping => state.mode = Mode::Typing(String::new()),
        UserAction::Type(letter) => {
            if let Mode::Typing(words) = &mut state.mode {
                words.push(letter);
            }
        }
        UserAction::Erase => erase(state),
        UserAction::Scroll(_) => {}
    }
    Flow::Continue
}

/// Scrolls the text that does not fit, as far as there is more of it.
fn scroll(session: &PlaySession, state: &mut ScreenState, window: Rect, step: ScrollStep) {
    let Some(text) = frame::scrolling_text(window, session, state) else { return };
    let (now, most, page) = (state.scroll, text.hidden_lines(), text.room().saturating_sub(2));
    state.scroll = match step {
        ScrollStep::LineUp => now.saturating_sub(1),
        ScrollStep::LineDown => now + 1,
        ScrollStep::PageUp => now.saturating_sub(page),
        ScrollStep::PageDown => now + page,
        ScrollStep::Top => 0,
        ScrollStep::Bottom => most,
    }
    .min(most);
}

fn refused(session: &PlaySession, result: Result<(), PlayError>) -> Option<Notice> {
    let error = result.err()?;
    let refusal = text::refusal(session, &error);
    Some(Notice::Refused(match error {
        PlayError::Over(_) => format!("{refusal} {NEXT_ROUND}"),
        PlayError::Refused(_) => refusal,
    }))
}

/// How to play on after the end of a round.
pub(super) const NEXT_ROUND: &str = "Press n for another round.";

fn undo(session: &mut PlaySession, state: &mut ScreenState) {
    state.notice = Some(match session.undo() {
        Ok(()) => Notice::Done("Taken back.".to_owned()),
        Err(error) => Notice::Refused(format!("{error}.")),
    });
}

/// Asks before a running round is lost; otherwise acts at once.
fn confirm_if_running(
    session: &mut PlaySession,
    state: &mut ScreenState,
    question: Confirmation,
) -> Flow {
    if session.is_running() {
        ask(session, state, question);
        return Flow::Continue;
    }
    confirmed(session, state, question)
}

fn ask(session: &PlaySession, state: &mut ScreenState, question: Confirmation) {
    match session.next_actor() {
        NextActor::Nobody(outcome) => {
            state.notice = refused(session, Err(PlayError::Over(outcome)));
        }
        _ => state.mode = Mode::Asking(question),
    }
}

fn agree(session: &mut PlaySession, state: &mut ScreenState) -> Flow {
    match std::mem::replace(&mut state.mode, Mode::Playing) {
        Mode::Asking(question) => confirmed(session, state, question),
        _ => Flow::Continue,
    }
}

/// Does what the person has confirmed.
fn confirmed(session: &mut PlaySession, state: &mut ScreenState, question: Confirmation) -> Flow {
    match question {
        Confirmation::Quit => return Flow::Quit,
        Confirmation::NewRound => {
            let change = session.new_round();
            state.notice = Some(Notice::Done(text::new_round(session, change)));
        }
        Confirmation::Resign => {
            let resigned = session.resign();
            state.notice = refused(session, resigned);
        }
    }
    Flow::Continue
}

/// Shows or hides explanations beside the board; over the board if there is no room beside it.
fn show_explanations(session: &PlaySession, state: &mut ScreenState, window: Rect) {
    let layout = ScreenLayout::new(window, session.picture().board.as_ref());
    match (layout, state.explanations) {
        (Ok(ScreenLayout { panel: None, .. }), _) => {
            state.mode = Mode::Reading(Overlay::Explanations);
        }
        (_, ExplanationsPanel::Hidden) => state.explanations = ExplanationsPanel::Shown,
        (_, ExplanationsPanel::Shown) => state.explanations = ExplanationsPanel::Hidden,
    }
}

/// Closes what was opened last.
fn back(state: &mut ScreenState) {
    if std::mem::replace(&mut state.mode, Mode::Playing) == Mode::Playing {
        state.explanations = ExplanationsPanel::Hidden;
    }
}

fn erase(state: &mut ScreenState) {
    if let Mode::Typing(words) = &mut state.mode
        && words.pop().is_none()
    {
        state.mode = Mode::Playing;
    }
}

fn move_cursor(session: &PlaySession, state: &mut ScreenState, step: CursorStep) {
    if let Mode::Choosing { moves, cursor } = &mut state.mode {
        *cursor = next_in_list(*cursor, moves.len(), step);
        return;
    }
    state.cursor = match session.picture().board {
        Some(board) if is_played_by_column(&board) && is_vertical(step) => state.cursor,
        Some(board) => next_on_board(state.cursor, &board, step),
        None => next_in_list(state.cursor, session.legal_moves().len(), step),
    };
}

fn is_vertical(step: CursorStep) -> bool {
    matches!(step, CursorStep::Up | CursorStep::Down)
}

fn next_in_list(cursor: usize, length: usize, step: CursorStep) -> usize {
    let last = length.saturating_sub(1);
    match step {
        CursorStep::Left | CursorStep::Up => cursor.min(last).saturating_sub(1),
        CursorStep::Right | CursorStep::Down => (cursor + 1).min(last),
        CursorStep::RowStart => 0,
        CursorStep::RowEnd => last,
    }
}

fn next_on_board(cursor: usize, board: &Grid, step: CursorStep) -> usize {
    let columns = usize::from(board.columns);
    let (column, row) = (cursor % columns, cursor / columns);
    let (column, row) = match step {
        CursorStep::Left => (column.saturating_sub(1), row),
        CursorStep::Right => ((column + 1).min(columns - 1), row),
        CursorStep::Up => (column, row.saturating_sub(1)),
        CursorStep::Down => (column, (row + 1).min(board.rows() - 1)),
        CursorStep::RowStart => (0, row),
        CursorStep::RowEnd => (columns - 1, row),
    };
    row * columns + column
}

fn choose(session: &mut PlaySession, state: &mut ScreenState) {
    match std::mem::replace(&mut state.mode, Mode::Playing) {
        Mode::Playing => match state.pointed(session, &session.picture()) {
            Some((_, moves)) => play_one_of(session, state, &moves),
            // A game without a board offers nothing after the end.
            None => play(session, state, ""),
        },
        Mode::Choosing { moves, cursor } => play(session, state, &moves[cursor]),
        Mode::Typing(words) if words.trim().is_empty() => {}
        Mode::Typing(words) => play(session, state, &words),
        Mode::Asking(_) | Mode::Reading(_) => {}
    }
}

fn play(session: &mut PlaySession, state: &mut ScreenState, words: &str) {
    let played = session.play(words);
    state.notice = refused(session, played);
    // Without a board, the cursor would show the next person what this one chose.
    if state.notice.is_none() && session.picture().board.is_none() {
        state.cursor = 0;
    }
}

/// Plays the only legal move at a place, or asks which one.
fn play_one_of(session: &mut PlaySession, state: &mut ScreenState, moves: &[String]) {
    let legal = legal_among(session, moves);
    match (legal.as_slice(), moves) {
        ([only], _) | ([], [only, ..]) => play(session, state, only),
        ([], []) => {}
        (_, _) => state.mode = Mode::Choosing { moves: legal, cursor: 0 },
    }
}

fn legal_among(session: &PlaySession, moves: &[String]) -> Vec<String> {
    moves.iter().filter(|words| session.check(words).is_ok()).cloned().collect()
}

/// Plays what a digit names: a square of a small board, or an entry of a list.
fn choose_digit(session: &mut PlaySession, state: &mut ScreenState, digit: usize) {
    if let Mode::Choosing { moves, .. } = &state.mode {
        match menu::entry_with_digit(moves, digit) {
            Some(entry) => {
                let words = moves[entry].clone();
                state.mode = Mode::Playing;
                play(session, state, &words);
            }
            None => state.notice = Some(Notice::Refused(menu::how_to_choose(moves))),
        }
        return;
    }
    let place = match session.picture().board {
        Some(board) => {
            Some(digit).filter(|_| has_numbered_cells(&board) && digit < board.cells.len())
        }
        None => menu::entry_with_digit(&legal_words(session), digit),
    };
    if let Some(place) = place {
        state.cursor = place;
        choose(session, state);
    }
}

/// Selects the move that begins with a letter. Only Enter plays it: a slip of the finger costs
/// nothing.
fn select_letter(session: &mut PlaySession, state: &mut ScreenState, letter: char) {
    if let Mode::Choosing { moves, cursor } = &mut state.mode {
        *cursor = only_beginning_with(moves, letter).unwrap_or(*cursor);
        return;
    }
    let picture = session.picture();
    if picture.board.is_none() {
        let found = only_beginning_with(&legal_words(session), letter);
        state.cursor = found.unwrap_or(state.cursor);
        return;
    }
    let moves = state.pointed(session, &picture).map_or_else(Vec::new, |(_, moves)| moves);
    // The only move on a square needs no letter; its first letter is the name of a column.
    if moves.len() < 2 || only_beginning_with(&moves, letter).is_none() {
        return;
    }
    let legal = legal_among(session, &moves);
    match only_beginning_with(&legal, letter) {
        Some(cursor) => state.mode = Mode::Choosing { moves: legal, cursor },
        None => play(session, state, &moves[0]),
    }
}

/// The number of the only move that begins with a letter.
fn only_beginning_with(moves: &[String], letter: char) -> Option<usize> {
    let begins = |words: &String| {
        words.chars().next().is_some_and(|first| first.eq_ignore_ascii_case(&letter))
    };
    let mut found = moves.iter().enumerate().filter(|(_, words)| begins(words));
    let (number, _) = found.next()?;
    found.next().is_none().then_some(number)
}

fn legal_words(session: &PlaySession) -> Vec<String> {
    session.legal_moves().iter().map(ToString::to_string).collect()
}

fn choose_at(
    session: &mut PlaySession,
    state: &mut ScreenState,
    window: Rect,
    point: Position,
) -> Flow {
    let picture = session.picture();
    let Ok(layout) = ScreenLayout::new(window, picture.board.as_ref()) else {
        return Flow::Continue;
    };
    if layout.footer.contains(point) {
        let action = footer::action_at(point, layout.footer, session, state);
        return action.map_or(Flow::Continue, |action| update(session, state, window, action));
    }
    match &state.mode {
        Mode::Asking(_) | Mode::Reading(_) => state.mode = Mode::Playing,
        Mode::Choosing { moves, .. } => match layout.popup_entry_at(point, state.cursor, moves) {
            Some(entry) => {
                let words = moves[entry].clone();
                state.mode = Mode::Playing;
                play(session, state, &words);
            }
            None => state.mode = Mode::Playing,
        },
        Mode::Playing | Mode::Typing(_) => {
            if let Some(board) = layout.board {
                click_board(session, state, board.part_at(point));
            } else {
                let entry = layout.entry_at(point, &picture.notes, &session.legal_moves());
                click_cell(session, state, entry);
            }
        }
    }
    Flow::Continue
}

/// A click on a cell plays there. A click on the name of a column or row moves the cursor there, and
/// plays if the column alone is a move.
fn click_board(session: &mut PlaySession, state: &mut ScreenState, part: Option<BoardPart>) {
    let Some(board) = session.picture().board else { return };
    let columns = usize::from(board.columns);
    match part {
        Some(BoardPart::Column(column)) if is_played_by_column(&board) => {
            click_cell(session, state, Some(column));
        }
        Some(BoardPart::Column(column)) => {
            state.cursor = state.cursor / columns * columns + column;
        }
        Some(BoardPart::Row(row)) => state.cursor = row * columns + state.cursor % columns,
        Some(BoardPart::Cell(place)) => click_cell(session, state, Some(place)),
        None => {}
    }
}

fn click_cell(session: &mut PlaySession, state: &mut ScreenState, place: Option<usize>) {
    if let Some(place) = place {
        state.mode = Mode::Playing;
        state.cursor = place;
        choose(session, state);
    }
}

#[cfg(test)]
mod tests;
