//! Doing what a person wants.

use game::Grid;
use ratatui::layout::{Position, Rect};

use super::keys::{Action, Way};
use super::plan::Plan;
use super::view::{Mode, Notice, Page, Question, Reasons, View, is_played_by_column};
use crate::play::session::{Awaited, Denial, Session};
use crate::play::words;

/// Whether the person has enough.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Flow {
    GoOn,
    End,
}

/// Does what a person wants in a window of this size.
pub(super) fn act(session: &mut Session, view: &mut View, window: Rect, action: Action) -> Flow {
    view.notice = None;
    match action {
        Action::Leave => return Flow::End,
        Action::Quit => return ask_first(session, view, Question::Quit),
        Action::NewRound => return ask_first(session, view, Question::NewRound),
        Action::Resign => return ask(session, view, Question::Resign),
        Action::Agree => return agree(session, view),
        Action::Back => back(view),
        Action::Go(way) => go(session, view, way),
        Action::Choose => choose(session, view),
        Action::ChooseNumber(number) => choose_number(session, view, number),
        Action::ChooseLetter(letter) => choose_letter(session, view, letter),
        Action::ChooseAt(point) => choose_at(session, view, window, point),
        Action::Why => show_reasons(session, view, window),
        Action::Help => view.mode = Mode::Reading(Page::Help),
        Action::Undo => {
            let undone = session.undo().map(|()| "Taken back.".to_owned());
            view.notice = Some(match undone {
                Ok(said) => Notice::Done(said),
                Err(error) => Notice::Refused(format!("{error}.")),
            });
        }
        Action::StartTyping => view.mode = Mode::Typing(String::new()),
        Action::Type(letter) => {
            if let Mode::Typing(words) = &mut view.mode {
                words.push(letter);
            }
        }
        Action::Erase => erase(view),
    }
    Flow::GoOn
}

fn denied(session: &Session, result: Result<(), Denial>) -> Option<Notice> {
    let denial = result.err()?;
    let said = words::denial(session, &denial);
    Some(Notice::Refused(match denial {
        Denial::Over(_) => format!("{said} {GO_ON}"),
        Denial::Refused(_) => said,
    }))
}

/// How to go on after the end of a round.
pub(super) const GO_ON: &str = "Press n for another round.";

/// Asks before a round is lost that is not over.
fn ask_first(session: &mut Session, view: &mut View, question: Question) -> Flow {
    if session.is_running() {
        return ask(session, view, question);
    }
    done(session, view, question)
}

fn ask(session: &Session, view: &mut View, question: Question) -> Flow {
    match session.awaited() {
        Awaited::Nobody(outcome) => view.notice = denied(session, Err(Denial::Over(outcome))),
        _ => view.mode = Mode::Asking(question),
    }
    Flow::GoOn
}

fn agree(session: &mut Session, view: &mut View) -> Flow {
    match std::mem::replace(&mut view.mode, Mode::Playing) {
        Mode::Asking(question) => done(session, view, question),
        _ => Flow::GoOn,
    }
}

/// Does what a person was asked about, or needed not be.
fn done(session: &mut Session, view: &mut View, question: Question) -> Flow {
    match question {
        Question::Quit => return Flow::End,
        Question::NewRound => session.new_round(),
        Question::Resign => {
            let resigned = session.resign();
            view.notice = denied(session, resigned);
        }
    }
    Flow::GoOn
}

/// Shows or hides reasons beside the board, or above it where there is no room beside it.
fn show_reasons(session: &Session, view: &mut View, window: Rect) {
    let plan = Plan::new(window, session.picture().board.as_ref());
    match (plan, view.reasons) {
        (Ok(Plan { panel: None, .. }), _) => view.mode = Mode::Reading(Page::Reasons),
        (_, Reasons::Hidden) => view.reasons = Reasons::VisibleEntry,
        (_, Reasons::VisibleEntry) => view.reasons = Reasons::Hidden,
    }
}

/// Leaves what was begun last.
fn back(view: &mut View) {
    if std::mem::replace(&mut view.mode, Mode::Playing) == Mode::Playing {
        view.reasons = Reasons::Hidden;
    }
}

fn erase(view: &mut View) {
    if let Mode::Typing(words) = &mut view.mode
        && words.pop().is_none()
    {
        view.mode = Mode::Playing;
    }
}

fn go(session: &Session, view: &mut View, way: Way) {
    if let Mode::Choosing { moves, cursor } = &mut view.mode {
        *cursor = along(*cursor, moves.len(), way);
        return;
    }
    view.cursor = match session.picture().board {
        Some(board) if is_played_by_column(&board) && matches!(way, Way::Up | Way::Down) => {
            view.cursor
        }
        Some(board) => across(view.cursor, &board, way),
        None => along(view.cursor, session.legal_moves().len(), way),
    };
}

/// The next place in a list.
fn along(cursor: usize, length: usize, way: Way) -> usize {
    let last = length.saturating_sub(1);
    match way {
        Way::Left | Way::Up => cursor.min(last).saturating_sub(1),
        Way::Right | Way::Down => (cursor + 1).min(last),
        Way::Begin => 0,
        Way::End => last,
    }
}

/// The next place on a board.
fn across(cursor: usize, board: &Grid, way: Way) -> usize {
    let columns = usize::from(board.columns);
    let (column, row) = (cursor % columns, cursor / columns);
    let (column, row) = match way {
        Way::Left => (column.saturating_sub(1), row),
        Way::Right => ((column + 1).min(columns - 1), row),
        Way::Up => (column, row.saturating_sub(1)),
        Way::Down => (column, (row + 1).min(board.rows() - 1)),
        Way::Begin => (0, row),
        Way::End => (columns - 1, row),
    };
    row * columns + column
}

fn choose(session: &mut Session, view: &mut View) {
    match std::mem::replace(&mut view.mode, Mode::Playing) {
        Mode::Playing => match view.pointed(session, &session.picture()) {
            Some((_, moves)) => play_one_of(session, view, &moves),
            // Where there is no board, nothing is offered after the end.
            None => play(session, view, ""),
        },
        Mode::Choosing { moves, cursor } => play(session, view, &moves[cursor]),
        Mode::Typing(words) if words.trim().is_empty() => {}
        Mode::Typing(words) => play(session, view, &words),
        Mode::Asking(_) | Mode::Reading(_) => {}
    }
}

fn play(session: &mut Session, view: &mut View, words: &str) {
    let played = session.play(words);
    view.notice = denied(session, played);
    // Where there is no board, the cursor would show the next person what this one chose.
    if view.notice.is_none() && session.picture().board.is_none() {
        view.cursor = 0;
    }
}

/// Plays what pointing at one place means, and asks if that may be several things.
fn play_one_of(session: &mut Session, view: &mut View, moves: &[String]) {
    let is_legal = |words: &&String| session.check(words).is_ok();
    let legal: Vec<String> = moves.iter().filter(is_legal).cloned().collect();
    match (legal.as_slice(), moves) {
        ([only], _) | ([], [only, ..]) => play(session, view, only),
        ([], []) => {}
        (_, _) => view.mode = Mode::Choosing { moves: legal, cursor: 0 },
    }
}

/// Digits name the entries of a menu, and the cells of a board of nine.
fn choose_number(session: &mut Session, view: &mut View, number: usize) {
    if let Mode::Choosing { moves, .. } = &view.mode {
        if let Some(words) = moves.get(number).cloned() {
            view.mode = Mode::Playing;
            play(session, view, &words);
        }
        return;
    }
    let numbered = match session.picture().board {
        Some(board) if board.columns == 3 && board.cells.len() == 9 => 9,
        Some(_) => 0,
        None => session.legal_moves().len(),
    };
    if number < numbered {
        view.cursor = number;
        choose(session, view);
    }
}

/// Letters name the moves in a cell that begin with them.
fn choose_letter(session: &mut Session, view: &mut View, letter: char) {
    let moves = match &view.mode {
        Mode::Choosing { moves, .. } => moves.clone(),
        _ => candidates(session, view),
    };
    let begins = |words: &&String| {
        words.chars().next().is_some_and(|first| first.eq_ignore_ascii_case(&letter))
    };
    let found: Vec<&String> = moves.iter().filter(begins).collect();
    // The only move of a cell is named by the cell: its letter is the name of a column.
    if let ([words], true) = (found.as_slice(), moves.len() > 1) {
        view.mode = Mode::Playing;
        play(session, view, words);
    }
}

/// The moves among which a letter may choose.
fn candidates(session: &Session, view: &View) -> Vec<String> {
    let picture = session.picture();
    match picture.board {
        Some(_) => view.pointed(session, &picture).map_or_else(Vec::new, |(_, moves)| moves),
        None => session.legal_moves().iter().map(ToString::to_string).collect(),
    }
}

fn choose_at(session: &mut Session, view: &mut View, window: Rect, point: Position) {
    let picture = session.picture();
    let Ok(plan) = Plan::new(window, picture.board.as_ref()) else { return };
    if let Mode::Asking(_) | Mode::Reading(_) = &view.mode {
        view.mode = Mode::Playing;
        return;
    }
    if let Mode::Choosing { moves, .. } = &view.mode {
        match plan.popup_entry_at(point, view.cursor, moves) {
            Some(entry) => choose_number(session, view, entry),
            None => view.mode = Mode::Playing,
        }
        return;
    }
    let place = match plan.board {
        Some(board) => board.place_at(point),
        None => plan.entry_at(point, &picture.notes, &session.legal_moves()),
    };
    if let Some(place) = place {
        view.mode = Mode::Playing;
        view.cursor = place;
        choose(session, view);
    }
}

#[cfg(test)]
mod tests {
    use game::Game;
    use ratatui::crossterm::event::KeyCode;

    use super::*;
    use crate::play::screen::stage::Stage;

    fn log(stage: &Stage) -> String {
        let log = words::log(&stage.session);
        let lines = log.iter().map(|entry| words::line(&stage.session, entry));
        lines.collect::<Vec<_>>().join(", ")
    }

    fn people(game: &str) -> Stage {
        Stage::new(game, "human")
    }

    #[test]
    fn the_cursor_stays_on_the_board() {
        let cursor = |keys: &str| people("tic-tac-toe").keys(keys).view.cursor;
        assert_eq!(["", "h", "hh", "k", "kkk", "lj", "ljlj"].map(cursor), [4, 3, 3, 1, 1, 8, 8]);
        let ends = people("connect-four").key(KeyCode::Home).view.cursor;
        assert_eq!((ends, people("connect-four").key(KeyCode::End).view.cursor), (21, 27));
    }

    #[test]
    fn where_a_move_names_a_column_the_cursor_is_where_the_piece_will_land() {
        let place = |keys: &str| {
            let stage = people("connect-four").keys(keys);
            stage.view.place(&stage.session, &stage.session.picture().board.unwrap())
        };
        assert_eq!(["", "j", "k", "h", "\n", "\n\n"].map(place), [38, 38, 38, 37, 31, 24]);
        assert_eq!(place("\n\n\n\n\n\n"), 3);
    }

    #[test]
    fn enter_digits_and_clicks_play() {
        assert_eq!(log(&people("tic-tac-toe").keys("\n1 ")), "X b2, O a1");
        let stage = people("tic-tac-toe");
        let cell = stage.plan().board.unwrap().cell(5);
        assert_eq!(log(&stage.click(cell.x, cell.y)), "X c2");
        assert_eq!(log(&people("tic-tac-toe").click(0, 0)), "");
    }

    #[test]
    fn digits_mean_cells_only_where_there_are_nine() {
        assert_eq!(log(&people("connect-four").keys("1")), "");
        assert_eq!(log(&people("misere").keys("9")), "X c3");
    }

    #[test]
    fn a_refused_move_says_why_and_changes_nothing() {
        let stage = people("tic-tac-toe").keys("55");
        let why = "That cell is already marked: SquareTaken(b2).".to_owned();
        assert_eq!(
            (log(&stage).as_str(), stage.view.notice.clone()),
            ("X b2", Some(Notice::Refused(why)))
        );
        assert_eq!(stage.keys("h").view.notice, None);
    }

    #[test]
    fn a_cell_with_several_moves_is_played_by_menu_letter_or_click() {
        assert_eq!(log(&people("wild").keys("\nj\n")), "First Ob2");
        let down = people("wild").keys("\n").key(KeyCode::Down).keys("\n");
        assert_eq!(log(&down), "First Ob2");
        assert_eq!(log(&people("wild").keys("\no")), "First Ob2");
        assert_eq!(log(&people("wild").keys("o")), "First Ob2");
        assert_eq!(log(&people("wild").keys("\n2")), "First Ob2");
        let cell = people("wild").plan().board.unwrap().cell(4);
        let (x, y) = (cell.x + cell.width / 2, cell.y + cell.height / 2);
        assert_eq!(log(&people("wild").keys("\n").click(x, y)), "First Ob2");
        assert_eq!(log(&people("wild").keys("\n").click(0, 0)), "");
    }

    #[test]
    fn a_letter_that_names_a_column_is_no_move() {
        assert_eq!(log(&people("tic-tac-toe").keys("bac")), "");
        assert_eq!(log(&people("connect-four").keys("d")), "");
    }

    #[test]
    fn any_move_can_be_written() {
        assert_eq!(log(&people("mnk:12,12,5").keys(":l12\n")), "X l12");
        let stage = people("tic-tac-toe").keys(":zz\n");
        assert_eq!((log(&stage).as_str(), &stage.view.mode), ("", &Mode::Playing));
        assert!(matches!(stage.view.notice, Some(Notice::Refused(_))));
        let erased = people("tic-tac-toe").keys(":b").key(KeyCode::Backspace);
        assert_eq!(erased.view.mode, Mode::Typing(String::new()));
        assert_eq!(erased.key(KeyCode::Backspace).view.mode, Mode::Playing);
    }

    #[test]
    fn a_game_without_a_board_is_played_from_its_menu() {
        assert!(log(&people("pig").keys("1")).starts_with("A roll, Chance drew "));
        // The cursor does not show the second person what the first one chose.
        assert_eq!(log(&people("odds-and-evens").keys("2\n")), "Odds 2, Evens 1");
        let poker = || Stage::new("kuhn-poker", "scripted:pass");
        assert!(log(&poker().keys("b")).ends_with("You bet, Second pass"));
        assert!(log(&poker().key(KeyCode::Down).keys("\n")).contains("You bet"));
        let stage = poker();
        let (notes, moves) = (stage.session.picture().notes, stage.session.legal_moves());
        let is_bet = |point: &Position| stage.plan().entry_at(*point, &notes, &moves) == Some(1);
        let point = Rect::new(0, 0, 80, 24).positions().find(is_bet).unwrap();
        assert!(log(&stage.click(point.x, point.y)).contains("You bet"));
    }

    #[test]
    fn giving_up_must_be_confirmed() {
        let wins = |keys: &str| {
            let score = people("tic-tac-toe").keys(keys).session.score();
            score.wins(game::Seat::SECOND)
        };
        assert_eq!(["r", "rn", "ry", "r\n"].map(wins), [0, 0, 1, 0]);
    }

    #[test]
    fn a_running_round_is_left_only_after_a_question() {
        let round = |keys: &str| people("tic-tac-toe").keys(keys).session.round();
        assert_eq!(["n", "1n", "1nn", "1n\n", "1ny", "15243n"].map(round), [2, 1, 1, 1, 2, 2]);
        let flow = |keys: &str| people("tic-tac-toe").keys(keys).flow;
        assert_eq!(["q", "1qy", "15243q"].map(flow), [Flow::End; 3]);
        assert_eq!(["1q", "1qn", "1q\n", "ryu1q"].map(flow), [Flow::GoOn; 4]);
        assert_eq!(people("tic-tac-toe").keys("1").control('c').flow, Flow::End);
    }

    #[test]
    fn a_move_after_the_end_says_how_to_go_on() {
        let said =
            Notice::Refused("The round is over: X has won. Press n for another round.".to_owned());
        for keys in ["15243\n", "152439", "15243r", "15243:c3\n"] {
            let stage = people("tic-tac-toe").keys(keys);
            assert_eq!(stage.view.notice, Some(said.clone()), "{keys:?}");
            assert_eq!(stage.view.mode, Mode::Playing);
        }
        let odds = people("odds-and-evens").keys("12\n");
        assert!(matches!(odds.view.notice, Some(Notice::Refused(_))));
    }

    #[test]
    fn nobody_plays_under_reasons_that_cover_the_board() {
        let covered = || people("tic-tac-toe").sized(40, 14).keys("?");
        assert_eq!(covered().view.mode, Mode::Reading(Page::Reasons));
        let stage = covered().keys("hk5un");
        assert_eq!((log(&stage).as_str(), stage.view.cursor), ("", 4));
        for keys in ["\n", "?", " "] {
            let stage = covered().keys(keys);
            assert_eq!((log(&stage).as_str(), &stage.view.mode), ("", &Mode::Playing));
        }
        let stage = covered().key(KeyCode::Esc);
        assert_eq!((stage.flow, &stage.view.mode), (Flow::GoOn, &Mode::Playing));
        assert_eq!(log(&covered().click(20, 6)), "");
        assert_eq!(people("tic-tac-toe").keys("?").view.mode, Mode::Playing);
    }

    #[test]
    fn the_game_is_explained_on_a_page_of_its_own() {
        for stage in [people("pig").keys("i"), people("pig").key(KeyCode::F(1))] {
            assert_eq!(stage.view.mode, Mode::Reading(Page::Help));
            assert_eq!(stage.key(KeyCode::Esc).view.mode, Mode::Playing);
        }
    }

    #[test]
    fn undo_and_new_rounds_have_keys() {
        assert_eq!(log(&people("tic-tac-toe").keys("15u")), "X a1");
        let stage = people("tic-tac-toe").keys("u");
        let said = Notice::Refused("There is nothing to take back.".to_owned());
        assert_eq!(stage.view.notice, Some(said));
        let stage = stage.keys("1ny");
        assert_eq!((log(&stage).as_str(), stage.session.round()), ("", 2));
    }

    #[test]
    fn escape_closes_the_innermost_thing_and_never_quits() {
        for keys in ["", "?", ":b", "\n", "r"] {
            let stage = people("wild").keys(keys).key(KeyCode::Esc);
            assert_eq!((stage.flow, &stage.view.mode), (Flow::GoOn, &Mode::Playing));
            assert_eq!(stage.view.reasons, Reasons::Hidden);
        }
        assert_eq!(people("wild").keys("??").view.reasons, Reasons::Hidden);
    }

    #[test]
    fn every_game_survives_every_key() {
        let keys = "\n 123456789hjklxo?u:b2\n\nnyrnry?\nui\n?";
        for name in games::catalog::names() {
            let name = if name == "mnk" { "mnk:19,19,5" } else { name };
            let stage = Stage::new(name, "random").keys(keys).sized(40, 24).keys(keys);
            assert_eq!(stage.session.game().name(), name);
            drop(stage.buffer());
        }
    }
}
