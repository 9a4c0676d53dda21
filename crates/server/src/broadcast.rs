//! Entries as they are sent to several subscribers, encoded once.

use axum::body::Bytes;
use axum::extract::ws::Utf8Bytes;
use channels::{Frame, Json, ShortText};
use table::Entry;
use table::wire::Entries;

/// Entries for all subscribers that may see the same.
pub(crate) struct Broadcast<'a> {
    topic: &'a ShortText,
    entries: Entries,
    frame: Option<Utf8Bytes>,
    lines: Option<Bytes>,
}

impl<'a> Broadcast<'a> {
    pub(crate) const fn new(topic: &'a ShortText, entries: Entries) -> Self {
        Self { topic, entries, frame: None, lines: None }
    }

    /// The entries as a frame.
    pub(crate) fn frame(&mut self) -> Utf8Bytes {
        let (topic, entries) = (self.topic, &self.entries);
        let frame = || frame(topic, "entries", Json::written(&entries.write()));
        self.frame.get_or_insert_with(frame).clone()
    }

    /// The entries as lines of JSON.
    pub(crate) fn lines(&mut self) -> Bytes {
        let entries = &self.entries;
        self.lines.get_or_insert_with(|| lines(&entries.entries)).clone()
    }
}

/// One line of JSON for each entry.
pub(crate) fn lines(entries: &[Entry]) -> Bytes {
    let mut text = Vec::new();
    for entry in entries {
        serde_json::to_writer(&mut text, entry).expect("an entry serializes");
        text.push(b'\n');
    }
    Bytes::from(text)
}

/// A frame that is the same for all clients on a topic.
pub(crate) fn frame(topic: &ShortText, event: &str, payload: Json) -> Utf8Bytes {
    let event = ShortText::new(event).expect("the text is short");
    Frame::broadcast(topic.clone(), event, payload).encode().into()
}
