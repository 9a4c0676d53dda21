//! A game on a screen, for tests.

use expect_test::Expect;
use game::Seat;
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::buffer::Buffer;
use ratatui::crossterm::event::{
    Event, KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
};
use ratatui::layout::{Position, Rect};

use super::charset::Charset;
use super::frame::draw;
use super::layout::ScreenLayout;
use super::palette::Palette;
use super::state::ScreenState;
use super::update::{Flow, handle};
use crate::names;
use crate::play::participant::Opponent;
use crate::play::session::{PlaySession, Rotation};

/// A game on a screen.
#[derive(Debug)]
pub(super) struct TestScreen {
    pub(super) session: PlaySession,
    pub(super) state: ScreenState,
    /// What the last event led to.
    pub(super) flow: Flow,
    window: Rect,
}

impl TestScreen {
    /// A game on 80 by 24 characters without colours; a person plays in the first seat.
    pub(super) fn new(game: &str, against: &str) -> Self {
        let game = names::game(game).expect("tests name known games");
        let opponent = Opponent::named(against).expect("tests name known players");
        let session = PlaySession::new(game, Seat::FIRST, opponent, Rotation::EachRound, 3);
        let session = session.expect("tests name players that can play");
        let state = ScreenState::new(&session, Palette::Plain, Charset::Unicode);
        let mut screen =
            Self { session, state, flow: Flow::Continue, window: Rect::new(0, 0, 80, 24) };
        screen.session.settle();
        screen
    }

    /// The same on a screen of this size.
    pub(super) fn sized(self, columns: u16, rows: u16) -> Self {
        Self { window: Rect::new(0, 0, columns, rows), ..self }
    }

    /// The same after these letters; a line break is the Enter key.
    pub(super) fn keys(self, keys: &str) -> Self {
        keys.chars().fold(self, |screen, letter| match letter {
            '\n' => screen.key(KeyCode::Enter),
            letter => screen.key(KeyCode::Char(letter)),
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
        self.flow = handle(&mut self.session, &mut self.state, self.window, event);
        self.session.settle();
        self
    }

    /// The layout of the screen.
    pub(super) fn layout(&self) -> ScreenLayout {
        let board = self.session.picture().board;
        ScreenLayout::new(self.window, board.as_ref()).expect("the window is large enough")
    }

    /// The screen.
    pub(super) fn buffer(&self) -> Buffer {
        let backend = TestBackend::new(self.window.width, self.window.height);
        let mut terminal = Terminal::new(backend).expect("it is made of memory");
        let drawn = terminal.draw(|frame| draw(frame.buffer_mut(), &self.session, &self.state));
        drawn.expect("it is made of memory").buffer.clone()
    }

    /// Compares the characters on the screen.
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
