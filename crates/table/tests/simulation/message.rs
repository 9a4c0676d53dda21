//! What travels.

use table::{Action, ActionId, Entry, Verdict};

/// Something on its way; it may get lost, come late or come twice.
#[derive(Clone, Debug)]
pub(crate) enum Message {
    /// A client wants something done.
    Act { node: usize, client: usize, action: Action },
    /// A client knows this much and wants the rest.
    Hello { node: usize, client: usize, from: u64 },
    /// What happened.
    Entries { client: usize, entries: Vec<Entry> },
    /// What came of an action.
    Verdict { client: usize, id: ActionId, verdict: Verdict },
    /// A node asks the journal.
    Ask { node: usize, number: u64, ask: Ask },
    /// The journal answers.
    Answer { node: usize, number: u64, answer: Answer },
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
    Committed,
    Tail(Vec<Entry>),
    Found(Option<u64>),
}
