//! Properties that hold only because nothing was there to break them.

use game::ModelActor;

use crate::built::{BuiltThread, ChanceQuantity, TextClaim, TextProperty};
use crate::event_bits::EventBits;
use crate::text_model::TextModel;
use crate::thread_table::ThreadTable;

impl TextModel {
    /// Why a property that holds says nothing, if so.
    pub(super) fn vacuity(&self, property: &TextProperty, edges: u64) -> Option<String> {
        if edges == 0 && !matches!(property.claim, TextClaim::EndsWith(_)) {
            return Some("nothing can happen at all".to_owned());
        }
        match &property.claim {
            TextClaim::Never(set)
            | TextClaim::Quantity { quantity: ChanceQuantity::Probability(set), .. } => {
                self.nothing_requests(set)
            }
            TextClaim::Requirement => {
                let requestable = self.requestable();
                let watchers = self.text().threads().iter();
                let mut watchers = watchers.filter(|thread| thread.name().is(&property.name));
                watchers
                    .all(|thread| !can_fail(&thread.table, &requestable))
                    .then(|| self.missing(property))
            }
            TextClaim::NeverStaysAtMust => {
                let is_hot = |thread: &BuiltThread| {
                    self.knows_thread(thread)
                        && thread.table.states.iter().any(|point| point.is_hot)
                };
                let is_there = self.text().threads().iter().any(is_hot);
                (!is_there).then(|| "no b-thread has a `must`".to_owned())
            }
            _ => None,
        }
    }

    fn knows_thread(&self, thread: &BuiltThread) -> bool {
        checker::Model::knows(self, thread.name().as_str())
    }

    /// Why a requirement cannot fail: it has no `fail`, or nobody can request what it waits for.
    fn missing(&self, property: &TextProperty) -> String {
        let watchers = self.text().threads().iter();
        let watchers = watchers.filter(|thread| thread.name().is(&property.name));
        let points = || watchers.clone().flat_map(|thread| &thread.table.states);
        if !points().any(|point| point.violation.is_some()) {
            return "it has no `fail`".to_owned();
        }
        let points = points();
        let awaited: Vec<&EventBits> =
            points.flat_map(|point| point.next.iter().map(|(events, _)| events)).collect();
        let requestable = self.requestable();
        let is_missing = |event: &u32| {
            awaited.iter().any(|set| set.contains(*event)) && !requestable.contains(*event)
        };
        self.named((0..self.text().0.names.events()).filter(is_missing))
    }

    /// That no b-thread of the model can request any of these events, if so.
    fn nothing_requests(&self, set: &EventBits) -> Option<String> {
        if set.is_empty() {
            return Some("there is no such event".to_owned());
        }
        let is_nothing = !set.meets(&self.requestable());
        is_nothing.then(|| self.named(set.iter()))
    }

    fn named(&self, events: impl Iterator<Item = u32>) -> String {
        let names: Vec<String> = events.map(|event| self.text().event(event).to_string()).collect();
        match names.len() {
            ..=3 => format!("nothing here can request {}", names.join(" or ")),
            many => format!("nothing here can request any of {many} events"),
        }
    }

    /// All events that a b-thread of the model requests somewhere, and all moves of free seats.
    fn requestable(&self) -> EventBits {
        let text = self.text();
        let mut events = EventBits::empty(text.0.names.events());
        let present = text.threads().iter().filter(|thread| self.knows_thread(thread));
        for point in present.flat_map(|thread| &thread.table.states) {
            point.requests.iter().for_each(|(event, _)| events.insert(*event));
            point.otherwise.iter().for_each(|set| events.extend(&set.bits));
        }
        let is_free = |seat: &str| {
            let name = bthread::Name::from(format!("any move of {seat}"));
            self.actor(&name) == ModelActor::FreeSeat
        };
        let free: Vec<bool> = text.seats().into_iter().map(is_free).collect();
        for (event, meaning) in (0..).zip(&text.0.meanings.events) {
            if meaning.mover.is_some_and(|seat| free.get(usize::from(seat)) == Some(&true)) {
                events.insert(event);
            }
        }
        events
    }
}

/// Whether a watcher can come to a violation by these events.
fn can_fail(table: &ThreadTable, requestable: &EventBits) -> bool {
    let mut is_seen = vec![false; table.states.len()];
    let mut open = vec![0];
    while let Some(state) = open.pop() {
        let Some(point) = table.states.get(state as usize) else { continue };
        if point.violation.is_some() || point.is_hot {
            return true;
        }
        if !std::mem::replace(&mut is_seen[state as usize], true) {
            let next = point.next.iter().filter(|(events, _)| events.meets(requestable));
            open.extend(next.map(|(_, target)| *target));
        }
    }
    false
}
