//! Entries as they are sent to several subscribers, encoded once.

use axum::body::Bytes;
use axum::extract::ws::Utf8Bytes;
use channels::{Frame, Json, ShortText};
use table::wire::Entries;
use table::{Entry, TableView};

/// Entries for all subscribers that may see the same.
pub(crate) struct Broadcast<'a, V> {
    topic: &'a ShortText,
    entries: Entries,
    /// Returns the table after the entries.
    view: V,
    frame: Option<Utf8Bytes>,
    lines: Option<Bytes>,
    view_line: Option<Bytes>,
}

impl<'a, V: Fn() -> TableView> Broadcast<'a, V> {
    pub(crate) const fn new(topic: &'a ShortText, entries: Entries, view: V) -> Self {
        Self { topic, entries, view, frame: None, lines: None, view_line: None }
    }

    /// The entries as a frame.
    pub(crate) fn frame(&mut self) -> Utf8Bytes {
        let (topic, entries) = (self.topic, &self.entries);
        let frame = || Frame::encode_broadcast(topic, "entries", |text| entries.push_to(text));
        self.frame.get_or_insert_with(|| frame().into()).clone()
    }

    /// The entries as lines of JSON.
    pub(crate) fn lines(&mut self) -> Bytes {
        let entries = &self.entries;
        self.lines.get_or_insert_with(|| lines(&entries.entries)).clone()
    }

    /// The entries and the table after them as one line of JSON.
    pub(crate) fn view_line(&mut self) -> Bytes {
        let (entries, view) = (&self.entries.entries, &self.view);
        self.view_line.get_or_insert_with(|| view_line(entries.clone(), Some(view()))).clone()
    }
}

/// One line of JSON for each entry.
pub(crate) fn lines(entries: &[Entry]) -> Bytes {
    Bytes::from(entries.iter().map(|entry| entry.write() + "\n").collect::<String>())
}

/// One line of JSON for several entries and, unless more entries follow, the table after them.
pub(crate) fn view_line(entries: Vec<Entry>, view: Option<TableView>) -> Bytes {
    let line = Entries { entries, view: view.map(Box::new) };
    Bytes::from(line.write() + "\n")
}

/// A frame that is the same for all clients on a topic.
pub(crate) fn frame(topic: &ShortText, event: &str, payload: Json) -> Utf8Bytes {
    let event = ShortText::new(event).expect("the text is short");
    Frame::broadcast(topic.clone(), event, payload).encode().into()
}
