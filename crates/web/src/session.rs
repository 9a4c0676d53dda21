//! One person's part in a table, without a browser.
//!
//! A [`TableSession`] takes intents, clock readings and socket events, and returns the socket commands
//! that the caller must run. [`LocalSession`] holds the whole table; [`RemoteSession`] follows a
//! table on a server.

mod error;
mod finished_round;
mod intent;
mod local;
mod notice;
mod remote;
mod round_explanations;
mod view;
mod viewed_table;

use game::Refusal;
use table::Entry;
use table::wire::Emote;

use crate::searching::SearchRequest;

pub use error::SessionError;
pub use finished_round::{FinishedRound, HOLD_TIME, RoundEnding};
pub use intent::Intent;
pub use local::{LocalSession, SavedTable};
pub use notice::TableNotice;
pub use remote::{HEARTBEAT, RemoteSession};
pub use view::SessionView;
pub use viewed_table::ViewedTable;

/// One person's part in a table.
///
/// Call [`TableSession::tick`] when [`TableSession::wake`] says so, and run the socket commands that each
/// call returns. A session without a socket keeps the default methods.
pub trait TableSession {
    /// The table as this person sees it; `None` until the server has described it.
    fn view(&self) -> Option<SessionView<'_>>;

    /// Does what the person wants.
    ///
    /// # Errors
    /// If the table refuses it as it is shown. Nothing has changed then.
    fn act(&mut self, intent: Intent, now: Now) -> Result<Vec<SocketCommand>, Refusal>;

    /// Does whatever is due.
    fn tick(&mut self, now: Now) -> Vec<SocketCommand>;

    /// When the next [`TableSession::tick`] is due.
    fn wake(&self) -> Option<Wake>;

    /// Returns the notices since the last call.
    fn take_notices(&mut self) -> Vec<TableNotice>;

    /// What must survive a reload of the page.
    fn record(&self) -> Option<SessionRecord>;

    /// The table as the server shows it, if the page cannot follow its log.
    fn viewed(&self) -> Option<ViewedTable> {
        None
    }

    /// Why the table cannot be shown.
    fn error(&self) -> Option<&SessionError> {
        None
    }

    /// Sends a short message to the other players.
    fn emote(&mut self, _emote: Emote, _now: Now) -> Vec<SocketCommand> {
        Vec::new()
    }

    /// Handles news from the socket.
    fn receive(&mut self, _event: SocketEvent, _now: Now) -> Vec<SocketCommand> {
        Vec::new()
    }

    /// Connects now instead of waiting for the next retry.
    fn reconnect(&mut self, _now: Now) -> Vec<SocketCommand> {
        Vec::new()
    }

    /// What a worker must search for, once.
    fn take_search(&mut self) -> Option<SearchRequest> {
        None
    }

    /// The entries that a worker has found.
    fn found(&mut self, _entries: Vec<Entry>, _now: Now) -> Vec<SocketCommand> {
        Vec::new()
    }

    /// The time on the clock that the table's deadlines refer to, in milliseconds since 1970.
    fn table_time(&self, now: Now) -> u64 {
        now.since_1970
    }
}

/// A reading of both clocks, in milliseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Now {
    /// The wall clock.
    pub since_1970: u64,
    /// A clock that never goes back.
    pub monotonic: u64,
}

/// When a session needs its next [`TableSession::tick`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wake {
    /// As soon as the screen has been drawn.
    NextFrame,
    /// At this time on the monotonic clock.
    At(u64),
}

/// What the caller must do with the socket.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SocketCommand {
    /// Open a socket and report [`SocketEvent::Opened`] or [`SocketEvent::Closed`].
    Open,
    /// Close the socket.
    Close,
    /// Send this text.
    Send(String),
}

/// What the socket reports.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SocketEvent {
    /// It is open.
    Opened,
    /// A text arrived.
    Received(String),
    /// It is closed, or could not be opened.
    Closed,
}

/// What must survive a reload of the page.
#[derive(Clone, Debug)]
pub enum SessionRecord {
    /// A whole table in this browser.
    Local(SavedTable),
    /// The actions for a table on a server that nobody has answered yet.
    Remote {
        /// The id of the table.
        table: String,
        /// The actions as JSON, oldest first; empty if there are none.
        unanswered: String,
    },
}
