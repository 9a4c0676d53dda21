//! Messages.

use game::Seat;
use table::wire::{Entries, Resync, Welcome};
use table::{Action, ActionId, ActionVerdict, Entry};

/// Something on its way; it may get lost, come late or come twice.
#[derive(Clone, Debug)]
pub(crate) enum Message {
    /// A client wants something done.
    Act { node: usize, client: usize, action: Action },
    /// A client knows this much and wants the rest.
    Hello { node: usize, client: usize, known: Resync },
    /// How the table stands, and which seat is the client's own.
    Welcome { client: usize, welcome: Box<Welcome> },
    /// What happened, as who holds this seat may see it: that is not sent, but known to who checks.
    Entries { client: usize, seat: Option<Seat>, entries: Entries },
    /// What came of an action.
    ActionVerdict { client: usize, id: ActionId, verdict: ActionVerdict },
    /// The journal has grown.
    Announcement { node: usize },
    /// A node asks the journal.
    Ask { node: usize, number: u64, ask: Ask },
    /// The journal answers.
    Answer { node: usize, number: u64, answer: Answer },
}

impl Message {
    /// The client that it comes from or goes to.
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

    /// Whether a client sends it.
    pub(crate) const fn is_from_a_client(&self) -> bool {
        matches!(self, Self::Act { .. } | Self::Hello { .. })
    }
}

/// What a journal can be asked.
#[derive(Clone, Debug)]
pub(crate) enum Ask {
    Append { after: u64, entries: Vec<Entry> },
    Read { after: u64 },
    Find { id: ActionId },
}

/// What a journal answers.
#[derive(Clone, Debug)]
pub(crate) enum Answer {
    /// The entries were appended.
    Committed,
    /// They were not, because these came first.
    Conflict(Vec<Entry>),
    /// This is what comes after the version.
    Tail(Vec<Entry>),
    /// This is the entry with the id, if there is one.
    Found(Option<Entry>),
}
