//! Messages between clients, nodes and the journal.

use game::Seat;
use table::wire::{Entries, Resync, Welcome};
use table::{Action, ActionId, ActionVerdict, Entry};

/// A message in flight. It may be lost, delayed or repeated.
#[derive(Clone, Debug)]
pub(crate) enum Message {
    /// A client sends an action.
    Act { node: usize, client: usize, action: Action },
    /// A client asks for the entries that it is missing.
    Hello { node: usize, client: usize, known: Resync },
    /// The state of the table, and the client's seat.
    Welcome { client: usize, welcome: Box<Welcome> },
    /// Entries as the holder of this seat may see them. Only the checks read the seat.
    Entries { client: usize, seat: Option<Seat>, entries: Entries },
    /// The verdict on an action.
    ActionVerdict { client: usize, id: ActionId, verdict: ActionVerdict },
    /// The journal has grown.
    Announcement { node: usize },
    /// A node asks the journal.
    Ask { node: usize, number: u64, ask: Ask },
    /// The journal answers.
    Answer { node: usize, number: u64, answer: Answer },
}

impl Message {
    /// The client that sends or receives it.
    pub(crate) const fn client(&self) -> Option<usize> {
        match self {
            Self::Act { client, .. }
            | Self::Hello { client, .. }
            | Self::Welcome { client, .. }
            | Self::Entries { client, .. }
            | Self::ActionVerdict { client, .. } => Some(*client),
            Self::Announcement { .. } | Self::Ask { .. } | Self::Answer { .. } => None,
        }
    }

    /// Whether a client sent it.
    pub(crate) const fn is_from_a_client(&self) -> bool {
        matches!(self, Self::Act { .. } | Self::Hello { .. })
    }
}

/// A request to the journal.
#[derive(Clone, Debug)]
pub(crate) enum Ask {
    Append { after: u64, entries: Vec<Entry> },
    Read { after: u64 },
    Find { id: ActionId },
}

/// An answer of the journal.
#[derive(Clone, Debug)]
pub(crate) enum Answer {
    /// The entries were appended.
    Committed,
    /// They were not, because these entries came first.
    Conflict(Vec<Entry>),
    /// The entries after the version.
    Tail(Vec<Entry>),
    /// The entry with the id, if any.
    Found(Option<Entry>),
}
