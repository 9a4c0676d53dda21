//! Why an event can happen now, or cannot.

use std::fmt;
use std::sync::Arc;

use bthread::Name;
use serde::Serialize;

use super::TextRun;
use crate::built::BuiltText;
use crate::text_event::TextEvent;
use crate::thread_table::{LocalPoint, NamedEvents};

/// What wants an event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EventWish {
    /// A b-thread that requests it.
    Thread(Name),
    /// A seat that may make this move.
    Seat(String),
}

/// A b-thread, and one of its sets of events.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ThreadSet {
    /// The b-thread.
    pub thread: String,
    /// The set, as it is written.
    pub set: String,
    /// What the rule says to a player, if it says something.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sentence: Option<String>,
}

/// The b-threads that an event concerns now.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RunExplanation {
    /// The event.
    pub event: String,
    /// What requests it: b-threads, or the seat whose move it is.
    pub requested_by: Vec<String>,
    /// The b-threads that wait for it.
    pub waited_for_by: Vec<ThreadSet>,
    /// The b-threads that block it.
    pub blocked_by: Vec<ThreadSet>,
    /// The b-threads that it would end.
    pub interrupts: Vec<ThreadSet>,
}

impl TextRun {
    /// The b-threads that an event concerns now.
    #[must_use]
    pub fn explain(&self, event: &TextEvent) -> RunExplanation {
        let number = event.number();
        let mut requested_by = Vec::new();
        let (mut waited_for_by, mut blocked_by, mut interrupts) =
            (Vec::new(), Vec::new(), Vec::new());
        for (thread, point) in self.live() {
            let is_requested = point.requests.iter().any(|(own, _)| *own == number)
                || point.otherwise.iter().any(|set| set.bits.contains(number));
            requested_by.extend(is_requested.then(|| thread.name.to_string()));
            for (sets, known) in [
                (&point.waits, &mut waited_for_by),
                (&point.blocks, &mut blocked_by),
                (&point.interrupts, &mut interrupts),
            ] {
                let sets = sets.iter().filter(|set| set.bits.contains(number));
                known.extend(sets.map(|set| ThreadSet {
                    thread: thread.name.to_string(),
                    set: set.text.clone(),
                    sentence: thread.sentence.as_deref().map(str::to_owned),
                }));
            }
        }
        let mover = self.text.0.meanings.events.get(number as usize).and_then(|each| each.mover);
        let seat = mover.and_then(game::Seat::new).filter(|seat| !self.played.contains(*seat));
        let seats = self.text.seats();
        let seat = seat.and_then(|seat| seats.get(seat.index()));
        requested_by.extend(seat.map(|name| format!("any move of {name}")));
        let event = event.to_string();
        RunExplanation { event, requested_by, waited_for_by, blocked_by, interrupts }
    }
}

impl RunExplanation {
    /// Why it is refused, if b-threads block it.
    pub(crate) fn refusal(&self) -> String {
        format!("{} is blocked by {}", self.event, listed(&self.blocked_by))
    }
}

fn listed(sets: &[ThreadSet]) -> String {
    sets.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

/// What a b-thread does at a sync point, in words.
pub(super) fn describe(text: &BuiltText, point: &LocalPoint) -> String {
    if let Some(sentence) = &point.violation {
        return format!("has failed: {sentence}");
    }
    let mut parts = Vec::new();
    if !point.requests.is_empty() {
        let weights = point.requests.iter().any(|(_, weight)| *weight != 1);
        let weighted = |(event, weight): &(u32, u32)| {
            let event = text.0.names.name(*event);
            if weights { format!("{event} {weight}") } else { event.to_owned() }
        };
        let is_short = point.requests.len() <= MOST_LISTED;
        let requests: Vec<String> = if is_short {
            point.requests.iter().map(weighted).collect()
        } else {
            point.request_texts()
        };
        parts.push(format!("requests {}", requests.join(", ")));
    }
    for (word, sets) in [
        ("waits for", &point.waits),
        ("blocks", &point.blocks),
        ("is interrupted by", &point.interrupts),
        ("otherwise requests", &point.otherwise),
    ] {
        if !sets.is_empty() {
            parts.push(format!("{word} {}", joined(sets)));
        }
    }
    let must = if point.is_hot { "must go on: " } else { "" };
    format!("{must}{}", parts.join("; "))
}

/// The most requests that are written one by one.
const MOST_LISTED: usize = 9;

fn joined(sets: &[Arc<NamedEvents>]) -> String {
    sets.iter().map(|set| set.text.as_str()).collect::<Vec<_>>().join(" or ")
}

impl fmt::Display for ThreadSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.thread, self.set)?;
        match &self.sentence {
            Some(sentence) => write!(f, ": {sentence}"),
            None => Ok(()),
        }
    }
}

impl fmt::Display for EventWish {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Thread(name) => write!(f, "{name}"),
            Self::Seat(name) => write!(f, "any move of {name}"),
        }
    }
}

impl fmt::Display for RunExplanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut lines = Vec::new();
        if self.requested_by.is_empty() {
            lines.push("requested by nothing".to_owned());
        } else {
            lines.push(format!("requested by {}", self.requested_by.join(", ")));
        }
        for (words, sets) in [
            ("waited for by", &self.waited_for_by),
            ("blocked by", &self.blocked_by),
            ("would end", &self.interrupts),
        ] {
            if !sets.is_empty() {
                lines.push(format!("{words} {}", listed(sets)));
            }
        }
        f.write_str(&lines.join("\n"))
    }
}
