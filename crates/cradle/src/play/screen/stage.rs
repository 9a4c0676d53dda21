//! A game and a screen for tests.

use expect_test::Expect;
use game::Seat;
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::buffer::Buffer;
use ratatui::crossterm::event::{
    Event, KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
};
use ratatui::layout::{Position, Rect};

use super::acting::{Flow, act};
use super::frame::draw;
use super::keys::action;
use super::palette::Palette;
use super::plan::Plan;
use super::view::View;
use crate::names;
use crate::play::session::Session;
use crate::play::sitter::Opponent;

/// A game, and a screen of some size on which it is played.
#[derive(Debug)]
pub(super) struct Stage {
    pub(super) session: Session,
    pub(super) view: View,
    /// Whether the person has enough.
    pub(super) flow: Flow,
    window: Rect,
}

impl Stage {
    /// A game on a usual terminal without colours; a person plays in the first seat.
    pub(super) fn new(game: &str, against: &str) -> Self {
        let game = names::game(game).expect("tests name known games");
        let opponent = Opponent::named(against).expect("tests name known players");
        let session = Session::new(game, Seat::FIRST, &opponent, 3).expect("it can be played");
        let view = View::new(&session, Palette::Plain);
        let mut stage = Self { session, view, flow: Flow::GoOn, window: Rect::new(0, 0, 80, 24) };
        stage.session.settle();
        stage
    }

    /// The same on a screen of another size.
    pub(super) fn sized(self, columns: u16, rows: u16) -> Self {
        Self { window: Rect::new(0, 0, columns, rows), ..self }
    }

    /// The same after these letters; a line break is the Enter key.
    pub(super) fn keys(self, keys: &str) -> Self {
        keys.chars().fold(self, |stage, letter| match letter {
            '\n' => stage.key(KeyCode::Enter),
            letter => stage.key(KeyCode::Char(letter)),
        })
    }

    /// The same after one key.
    pub(super) fn key(self, code: KeyCode) -> Self {
        self.event(&Event::Key(KeyEvent::new(code, KeyModifiers::NONE)))
    }

    /// The same after a letter with the Control key.
    pub(super) fn control(self, letter: char) -> Self {
        self.event(&Event::Key(KeyEvent::new(KeyCode::Char(letter), KeyModifiers::CONTROL)))
    }

    /// The same after a click.
    pub(super) fn click(self, column: u16, row: u16) -> Self {
        let (kind, modifiers) = (MouseEventKind::Down(MouseButton::Left), KeyModifiers::NONE);
        self.event(&Event::Mouse(MouseEvent { kind, column, row, modifiers }))
    }

    fn event(mut self, event: &Event) -> Self {
        if let Some(action) = action(event, &self.view.mode) {
            self.flow = act(&mut self.session, &mut self.view, self.window, action);
            self.session.settle();
        }
        self
    }

    /// Where everything is.
    pub(super) fn plan(&self) -> Plan {
        let board = self.session.picture().board;
        Plan::new(self.window, board.as_ref()).expect("the window is large enough")
    }

    /// What stands on the screen.
    pub(super) fn buffer(&self) -> Buffer {
        let backend = TestBackend::new(self.window.width, self.window.height);
        let mut terminal = Terminal::new(backend).expect("it is made of memory");
        let drawn = terminal.draw(|frame| draw(frame.buffer_mut(), &self.session, &self.view));
        drawn.expect("it is made of memory").buffer.clone()
    }

    /// Compares what stands on the screen, without colours.
    #[track_caller]
    pub(super) fn check(&self, expected: &Expect) {
        let buffer = self.buffer();
        let letter = |column, row| buffer[Position::new(column, row)].symbol();
        let line =
            |row| (0..self.window.width).map(|column| letter(column, row)).collect::<String>();
        let lines = (0..self.window.height).map(|row| line(row).trim_end().to_owned() + "\n");
        expected.assert_eq(&lines.collect::<String>());
    }
}
