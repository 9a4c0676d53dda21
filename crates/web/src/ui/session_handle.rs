//! A session as the views use it: the screen to draw, and what the person can do.

mod hints;
mod records;
mod search_worker;

use std::rc::Rc;
use std::time::Duration;

use game::{AnyGame, Refusal};
use reactive_graph::owner::{LocalStorage, StoredValue, on_cleanup};
use reactive_graph::traits::{SetValue as _, UpdateValue as _, WithValue as _};
use table::wire::Emote;

use super::followed::{Followed, keep};
use crate::browser::{
    BrowserSocket, BrowserTimer, Connect, TableConnection, WindowListener, later, now, random,
    window,
};
use crate::explanation::ExplanationPanel;
use crate::language::RuleSentence;
use crate::screen::TableScreen;
use crate::session::{
    Intent, LocalSession, RemoteSession, SessionError, SessionRecord, SessionView, SocketCommand,
    SocketEvent, TableNotice, TableSession, Wake,
};
use crate::storage::{self, StoredSeat};
use crate::texts;

pub(crate) use self::hints::{MoveValue, searched};
pub(crate) use self::search_worker::SharedSearches;

/// A session as the views use it. Copies share one session.
#[derive(Clone, Copy)]
pub(crate) struct SessionHandle {
    session: StoredValue<Box<dyn TableSession>, LocalStorage>,
    /// How to connect to the server; `None` at a table in this browser.
    connect: Option<Connect>,
    /// The connection, if there is one, and a number that tells it from those before it.
    socket: StoredValue<(u32, Option<Box<dyn TableConnection>>), LocalStorage>,
    /// Whether the browser keeps what must survive a reload.
    is_kept: bool,
    /// The browser's timer for the next tick of the session.
    timer: StoredValue<Option<BrowserTimer>, LocalStorage>,
    searches: SharedSearches,
    screen: Followed<Option<TableScreen>>,
    /// Grows whenever the screen changes.
    changes: Followed<u64>,
    pub(crate) note: Followed<StatusNote>,
    pub(crate) error: Followed<Option<SessionError>>,
    /// The moves that the last click could have meant.
    pub(crate) choices: Followed<Vec<String>>,
    /// The short message of each seat of the last seconds, the latest last.
    pub(crate) bubbles: Followed<Vec<Bubble>>,
    /// The earlier position of the round that the board shows; `None` for the present one.
    step: Followed<Option<usize>>,
    /// The squares that the reason of a move is about.
    pub(crate) reason_squares: Followed<Vec<String>>,
    /// What moves are worth, where analysis has said so: the move, the value, and whether it is good
    /// for the player who makes it.
    pub(crate) values: Followed<Vec<MoveValue>>,
}

/// A short message of a seat.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bubble {
    pub(crate) seat: u8,
    pub(crate) emote: Emote,
    /// Tells it from those before it.
    number: u32,
}

/// The text below the status.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct StatusNote {
    pub(crate) news: String,
    /// The reasons of the last refusal, each with the b-threads behind it.
    pub(crate) reasons: Vec<(RuleSentence, Vec<String>)>,
}

impl SessionHandle {
    fn new(session: Box<dyn TableSession>) -> Self {
        let handle = Self {
            session: StoredValue::new_local(session),
            connect: None,
            socket: StoredValue::new_local((0, None)),
            is_kept: true,
            timer: StoredValue::new_local(None),
            searches: SharedSearches::of_page(),
            screen: Followed::new(None),
            changes: Followed::new(0),
            note: Followed::new(StatusNote::default()),
            error: Followed::new(None),
            choices: Followed::new(Vec::new()),
            bubbles: Followed::new(Vec::new()),
            step: Followed::new(None),
            reason_squares: Followed::new(Vec::new()),
            values: Followed::new(Vec::new()),
        };
        on_cleanup(move || {
            handle.drop_socket();
            handle.cancel_timer();
            handle.stop_searching();
        });
        handle
    }

    /// A session at a table in this browser.
    pub(crate) fn local(session: LocalSession) -> Self {
        let needs_worker = session.needs_worker();
        let handle = Self::new(Box::new(session.with_pace(pace())));
        if needs_worker {
            handle.start_worker();
        }
        handle.refresh();
        handle
    }

    /// A session that shows a game again.
    pub(crate) fn replay(session: LocalSession) -> Self {
        let handle = Self::new(Box::new(session));
        handle.refresh();
        handle
    }

    /// Follows other tabs in which the same table is played.
    pub(crate) fn follow_other_tabs(self, game: AnyGame) {
        let listener = WindowListener::new("storage", move |_| {
            let Some(SessionRecord::Local(own)) =
                self.session.with_value(|session| session.record())
            else {
                return;
            };
            let Some(saved) = storage::saved_table(own.game(), own.options()) else { return };
            if saved.version() <= own.version() {
                return;
            }
            if let Some(restored) = LocalSession::restore(game.clone(), saved) {
                self.session.set_value(Box::new(restored.with_pace(pace())));
                self.refresh();
            }
        });
        keep(listener);
    }

    /// A session at a table on the server.
    pub(crate) fn remote(id: &str, seat: Option<&StoredSeat>) -> Self {
        let client_id = new_client_id();
        let token = seat.map(|seat| seat.token.clone());
        let unanswered = storage::unanswered(id);
        let (session, commands) = RemoteSession::new(id, token, &client_id, unanswered, now());
        let handle = Self::new(Box::new(session));
        Self { connect: Some(BrowserSocket::connect), ..handle }.connected(commands)
    }

    /// A session of a spectator that neither reads nor changes what the browser keeps.
    pub(crate) fn watching(id: &str) -> Self {
        let client_id = new_client_id();
        let (session, commands) = RemoteSession::new(id, None, &client_id, Vec::new(), now());
        let connect: Option<Connect> = Some(BrowserSocket::connect);
        Self { is_kept: false, connect, ..Self::new(Box::new(session)) }.connected(commands)
    }

    fn connected(self, commands: Vec<SocketCommand>) -> Self {
        self.run(commands);
        self.watch_connection();
        self
    }

    /// Follows what the browser knows about the network and the tab.
    fn watch_connection(self) {
        let reconnect = move || self.update(|session| session.reconnect(now()));
        for event in ["online", "focus", "pageshow"] {
            keep(WindowListener::new(event, move |_| reconnect()));
        }
        keep(WindowListener::new("offline", move |_| self.receive(SocketEvent::Closed)));
        // A page that the browser freezes is away from the table, and may come back.
        keep(WindowListener::new("pagehide", move |_| {
            self.drop_socket();
            self.receive(SocketEvent::Closed);
        }));
    }

    /// Reads the screen, and follows it. An unknown table has default values.
    pub(crate) fn screen<T: Default>(self, read: impl FnOnce(&TableScreen) -> T) -> T {
        // A view that is about to go may read once more after its session has gone.
        self.screen.try_with(|screen| screen.as_ref().map(read)).flatten().unwrap_or_default()
    }

    /// Reads the screen once.
    pub(crate) fn screen_now<T>(self, read: impl FnOnce(&TableScreen) -> T) -> Option<T> {
        self.screen.try_with_untracked(|screen| screen.as_ref().map(read)).flatten()
    }

    /// Whether the server has described the table.
    pub(crate) fn is_known(self) -> bool {
        // A view that is about to go may ask once more after its session has gone.
        self.screen.try_with(Option::is_some).unwrap_or_default()
    }

    /// The number of moves after which the board is shown.
    pub(crate) fn step(self) -> usize {
        let ply = self.screen(|screen| screen.ply as usize);
        self.step.try_get().flatten().unwrap_or(ply).min(ply)
    }

    /// The number of moves after which the board is shown, read once; `None` if the view has gone.
    pub(crate) fn try_step(self) -> Option<usize> {
        let step = self.step.try_get_untracked()?;
        let ply =
            self.screen.try_with_untracked(|screen| screen.as_ref().map(|at| at.ply as usize));
        let ply = ply.flatten()?;
        Some(step.unwrap_or(ply).min(ply))
    }

    /// Shows the board after this many moves.
    pub(crate) fn go_to(self, step: usize) {
        let ply = self.screen_now(|screen| screen.ply as usize).unwrap_or_default();
        self.step.set((step < ply).then_some(step));
        self.refresh();
    }

    /// Shows the present position.
    pub(crate) fn go_to_present(self) {
        self.go_to(usize::MAX);
    }

    /// The b-threads after `step` moves.
    pub(crate) fn explanation(self, step: usize) -> ExplanationPanel {
        self.changes.track();
        self.with_view(|view| ExplanationPanel::new(view, step)).unwrap_or_default()
    }

    fn with_view<T>(self, read: impl FnOnce(&SessionView<'_>) -> T) -> Option<T> {
        self.session.with_value(|session| session.view().map(|view| read(&view)))
    }

    /// The time on the clock that the table's deadlines refer to, in milliseconds since 1970.
    pub(crate) fn table_time(self) -> u64 {
        self.session.with_value(|session| session.table_time(now()))
    }

    /// Makes a move.
    pub(crate) fn play(self, chosen: &str) {
        self.act(Intent::play(chosen));
    }

    /// Asks which of several moves the person means.
    pub(crate) fn choose_among(self, moves: Vec<String>) {
        self.choices.set(moves);
    }

    /// Says why a move is not legal.
    pub(crate) fn explain_refusal(self, chosen: &str) {
        match self.with_view(|view| view.refusal(Intent::play(chosen))) {
            Some(Some(refusal)) => self.show_refusal(&refusal),
            Some(None) => {}
            // Only the server knows the rules.
            None => self.play(chosen),
        }
    }

    fn show_refusal(self, refusal: &Refusal) {
        self.note.set(StatusNote { reasons: texts::refusal(refusal), ..StatusNote::default() });
    }

    /// Does what the person wants.
    pub(crate) fn act(self, intent: Intent) {
        self.choices.set(Vec::new());
        self.note.set(StatusNote::default());
        match self.session.try_update_value(|session| session.act(intent, now())) {
            Some(Ok(commands)) => self.run(commands),
            Some(Err(refusal)) => self.show_refusal(&refusal),
            None => {}
        }
    }

    /// Does what the person wants, also while the page still shows a round that has ended.
    pub(crate) fn act_now(self, intent: Intent) {
        let is_held = self.with_view(|view| view.ending.is_some()).unwrap_or_else(|| {
            let viewed = self.session.with_value(|session| session.viewed());
            viewed.is_some_and(|viewed| viewed.ending.is_some())
        });
        if is_held {
            self.act(Intent::NextRound);
        }
        self.act(intent);
    }

    /// Sends a short message to the other players.
    pub(crate) fn emote(self, emote: Emote) {
        self.update(|session| session.emote(emote, now()));
    }

    fn receive(self, event: SocketEvent) {
        self.update(|session| session.receive(event, now()));
    }

    fn update(self, change: impl FnOnce(&mut dyn TableSession) -> Vec<SocketCommand>) {
        if let Some(commands) = self.session.try_update_value(|session| change(&mut **session)) {
            self.run(commands);
        }
    }

    /// Runs socket commands and shows what has changed.
    fn run(self, commands: Vec<SocketCommand>) {
        for command in commands {
            match command {
                SocketCommand::Open => self.open_socket(),
                SocketCommand::Close => self.drop_socket(),
                SocketCommand::Send(text) => {
                    self.socket.try_with_value(|(_, socket)| {
                        if let Some(socket) = socket {
                            socket.send(&text);
                        }
                    });
                }
            }
        }
        self.refresh();
    }

    fn open_socket(self) {
        self.drop_socket();
        let Some(number) = self.socket.try_with_value(|(number, _)| *number) else { return };
        let hear = move |event| {
            let is_current = self.socket.try_with_value(|(current, _)| *current == number);
            if is_current == Some(true) {
                self.receive(event);
            }
        };
        match self.connect.and_then(|connect| connect(Rc::new(hear))) {
            Some(socket) => {
                self.socket.try_update_value(|(_, current)| *current = Some(socket));
            }
            None => self.receive(SocketEvent::Closed),
        }
    }

    /// Closes the socket and ignores what it still reports.
    fn drop_socket(self) {
        self.socket.try_update_value(|(number, socket)| {
            *number += 1;
            *socket = None;
        });
    }

    /// Shows the table as it is now, stores what must survive a reload, and sets the timer.
    fn refresh(self) {
        let Some(notices) = self.session.try_update_value(|session| session.take_notices()) else {
            return;
        };
        let step = self.step.get_untracked().unwrap_or(usize::MAX);
        let screen = self.with_view(|view| TableScreen::at(view, step));
        let viewed = || self.session.with_value(|session| session.viewed());
        self.show_screen(screen.or_else(|| viewed().as_ref().map(TableScreen::of_viewed)));
        let error = self.session.with_value(|session| session.error().cloned());
        if self.error.with_untracked(|before| *before != error) {
            self.error.set(error);
        }
        self.show_notices(notices);
        self.save();
        self.set_timer();
        self.search_turn();
    }

    fn show_screen(self, screen: Option<TableScreen>) {
        if self.screen.with_untracked(|before| *before == screen) {
            return;
        }
        // A refusal in another position may not hold any more.
        let position = |screen: &Option<TableScreen>| screen.as_ref().map(|at| (at.round, at.ply));
        let has_moved = self.screen.with_untracked(position) != position(&screen);
        if has_moved && self.step.get_untracked().is_some() {
            // Playing on returns to the present.
            self.step.set(None);
            return self.show_screen(self.with_view(TableScreen::new));
        }
        if has_moved && !self.values.with_untracked(Vec::is_empty) {
            self.values.set(Vec::new());
        }
        if has_moved && self.note.with_untracked(|note| !note.reasons.is_empty()) {
            self.note.set(StatusNote::default());
        }
        self.remember_end(screen.as_ref());
        self.screen.set(screen);
        self.changes.update(|changes| *changes += 1);
    }

    fn show_notices(self, notices: Vec<TableNotice>) {
        let mut note = StatusNote::default();
        for notice in notices {
            match notice {
                TableNotice::Refused(refusal) => note.reasons = texts::refusal(&refusal),
                TableNotice::News(news) => note.news = news,
                TableNotice::Emote(seat, emote) => self.show_bubble(seat.number(), emote),
            }
        }
        if note != StatusNote::default() {
            self.note.set(note);
        }
    }

    fn show_bubble(self, seat: u8, emote: Emote) {
        let number =
            self.bubbles.with_untracked(|all| all.last().map_or(0, |last| last.number + 1));
        self.bubbles.update(|all| {
            all.retain(|bubble| bubble.seat != seat);
            all.push(Bubble { seat, emote, number });
        });
        let fade = move || self.bubbles.update(|all| all.retain(|bubble| bubble.number != number));
        later(Duration::from_secs(4), fade);
    }

    fn set_timer(self) {
        self.cancel_timer();
        let tick = move || self.update(|session| session.tick(now()));
        let timer = match self.session.with_value(|session| session.wake()) {
            Some(Wake::NextFrame) => Some(BrowserTimer::next_frame(tick)),
            Some(Wake::At(time)) => {
                let delay = Duration::from_millis(time.saturating_sub(now().monotonic).max(4));
                Some(BrowserTimer::after(delay, tick))
            }
            None => None,
        };
        self.timer.try_update_value(|current| *current = timer);
    }

    fn cancel_timer(self) {
        drop(self.timer.try_update_value(Option::take));
    }
}

/// The milliseconds that the computer waits before a move, so that people see one mark after the
/// other; none for people who want no motion.
fn pace() -> u64 {
    let query = window().match_media("(prefers-reduced-motion: reduce)").ok().flatten();
    if query.is_some_and(|query| query.matches()) { 0 } else { 400 }
}

fn new_client_id() -> String {
    format!("p{:016x}", u64::from_be_bytes(random()))
}
