//! What guests are told.

use axum::body::Bytes;
use axum::extract::ws::Utf8Bytes;
use channels::{Frame, Json, ShortText};
use game::Seat;
use table::wire::Entries;
use table::{Announcement, TableState};

/// What happened, as some guests may see it.
pub(crate) struct Told<'a> {
    topic: &'a ShortText,
    entries: Entries,
    frame: Option<Utf8Bytes>,
    lines: Option<Bytes>,
}

impl<'a> Told<'a> {
    pub(crate) fn new(
        topic: &'a ShortText,
        state: &TableState,
        news: &[Announcement],
        seat: Option<Seat>,
    ) -> Self {
        let mut entries = Entries { entries: Vec::with_capacity(news.len()), view: None };
        for each in news {
            let Entries { entries: more, view } = each.message_for(state, seat);
            entries.entries.extend(more);
            entries.view = view;
        }
        Self { topic, entries, frame: None, lines: None }
    }

    pub(crate) fn frame(&mut self) -> Utf8Bytes {
        let (topic, entries) = (self.topic, &self.entries);
        let frame = || frame(topic, "entries", Json::written(&entries.write()));
        self.frame.get_or_insert_with(frame).clone()
    }

    pub(crate) fn lines(&mut self) -> Bytes {
        let entries = &self.entries;
        self.lines.get_or_insert_with(|| lines(&entries.entries)).clone()
    }
}

/// Each entry as a line of JSON.
pub(crate) fn lines(entries: &[table::Entry]) -> Bytes {
    let mut text = Vec::new();
    for entry in entries {
        serde_json::to_writer(&mut text, entry).expect("an entry holds texts and numbers");
        text.push(b'\n');
    }
    Bytes::from(text)
}

/// A frame that is the same for everybody on a topic.
pub(crate) fn frame(topic: &ShortText, event: &str, payload: Json) -> Utf8Bytes {
    let event = ShortText::new(event).expect("it is short");
    Frame::broadcast(topic.clone(), event, payload).encode().into()
}
