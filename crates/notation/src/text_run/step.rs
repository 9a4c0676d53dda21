//! What happened in one step of a run.

use bthread::Name;
use serde::Serialize;

use super::TextRun;
use crate::text_event::TextEvent;
use crate::thread_table::LocalPoint;

/// One event that happened, and the b-threads that took part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunStep {
    /// The event.
    pub event: TextEvent,
    /// The seat whose move it is, if it is one.
    pub seat: Option<String>,
    /// The b-threads that took part, in the order of the text.
    pub parts: Vec<(Name, ThreadPart)>,
    /// The b-threads that ended.
    pub ended: Vec<Name>,
}

/// How a b-thread took part in an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ThreadPart {
    /// It requested the event, and went on.
    Requested,
    /// It waited for the event, and went on.
    Waited,
    /// It was interrupted, and has ended.
    Interrupted,
    /// It blocked what another b-thread requested at that moment, and nothing else blocked that.
    Blocked,
}

impl TextRun {
    /// The step that an event is in the present state.
    pub(super) fn step_of(&self, event: u32) -> RunStep {
        let kept_off = self.kept_off(event);
        let part = |name: &Name, point: &LocalPoint| {
            if point.is_interrupted_by(event) {
                Some(ThreadPart::Interrupted)
            } else if point.after(event).is_some() {
                let has_requested = point.requests.iter().any(|(own, _)| *own == event);
                let resorts = point.otherwise.iter().any(|set| set.bits.contains(event));
                let is_own = has_requested || resorts;
                Some(if is_own { ThreadPart::Requested } else { ThreadPart::Waited })
            } else {
                kept_off.contains(&name).then_some(ThreadPart::Blocked)
            }
        };
        let parts = self
            .live()
            .filter_map(|(thread, point)| Some((thread.name.clone(), part(&thread.name, point)?)));
        let parts = parts.collect();
        let mover = self.text.0.meanings.events.get(event as usize).and_then(|each| each.mover);
        let seats = self.text.seats();
        let seat = mover.and_then(|seat| seats.get(usize::from(seat)));
        let seat = seat.map(|name| (*name).to_owned());
        RunStep { event: self.text.event(event), seat, parts, ended: Vec::new() }
    }
}

impl TextRun {
    /// The b-threads without which something else could have happened: each is the only one that
    /// blocks a request of another b-thread.
    fn kept_off(&self, event: u32) -> Vec<&Name> {
        let mut blockers: Vec<&Name> = Vec::new();
        for (thread, point) in self.live() {
            for (request, _) in point.requests.iter().filter(|(request, _)| *request != event) {
                let blocks =
                    |point: &LocalPoint| point.blocks.iter().any(|set| set.bits.contains(*request));
                let mut blocking = self.live().filter(|(_, point)| blocks(point));
                let only = blocking.next().filter(|_| blocking.next().is_none());
                let other = only.map(|(by, _)| &by.name).filter(|name| **name != thread.name);
                blockers.extend(other.filter(|name| !blockers.contains(name)));
            }
        }
        blockers
    }
}

impl RunStep {
    /// The b-threads that took part in this way.
    pub fn who(&self, part: ThreadPart) -> impl Iterator<Item = &Name> {
        self.parts.iter().filter(move |(_, own)| *own == part).map(|(name, _)| name)
    }
}
