//! A b-thread as a table: how far it can come, and what it does there.

use std::sync::Arc;

use crate::evaluate::Variables;
use crate::event_bits::EventBits;
use crate::span::Span;

/// A set of events with the text that names it.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct NamedEvents {
    pub(crate) bits: EventBits,
    pub(crate) text: String,
}

/// All states of a b-thread, the first one first.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct ThreadTable {
    pub(crate) states: Vec<LocalPoint>,
}

/// The number of the state of a b-thread that has ended.
pub(crate) const ENDED: u32 = u32::MAX;

/// One state of a b-thread.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub(crate) struct LocalPoint {
    /// The requested events in order, with weights.
    pub(crate) requests: Vec<(u32, u32)>,
    pub(crate) waits: Vec<Arc<NamedEvents>>,
    pub(crate) blocks: Vec<Arc<NamedEvents>>,
    pub(crate) interrupts: Vec<Arc<NamedEvents>>,
    /// The events that are requested where nothing else can happen.
    pub(crate) otherwise: Vec<Arc<NamedEvents>>,
    /// The requested sets, in order.
    pub(crate) request_sets: Vec<Arc<NamedEvents>>,
    pub(crate) is_hot: bool,
    pub(crate) violation: Option<String>,
    /// Sets of events with the state to which they lead. No event is in two of them.
    pub(crate) next: Vec<(EventBits, u32)>,
    /// Where it stands in the text; nowhere for a requirement that has failed.
    pub(crate) span: Option<Span>,
    /// The values of the variables that may still be read.
    pub(crate) variables: Variables,
}

impl LocalPoint {
    /// A state in which a requirement has failed.
    pub(crate) fn violated(sentence: String) -> Self {
        Self { violation: Some(sentence), ..Self::default() }
    }

    /// The state after an event, if the b-thread goes on at it.
    pub(crate) fn after(&self, event: u32) -> Option<u32> {
        self.next.iter().find(|(events, _)| events.contains(event)).map(|(_, state)| *state)
    }

    /// The texts of the requested sets.
    pub(crate) fn request_texts(&self) -> Vec<String> {
        self.request_sets.iter().map(|set| set.text.clone()).collect()
    }

    /// The events that it requests and does not block itself.
    pub(crate) fn own_choices(&self) -> Vec<u32> {
        let is_blocked = |event: u32| self.blocks.iter().any(|set| set.bits.contains(event));
        let requests = self.requests.iter().map(|(event, _)| *event);
        requests.filter(|event| !is_blocked(*event)).collect()
    }

    pub(crate) fn is_interrupted_by(&self, event: u32) -> bool {
        self.interrupts.iter().any(|set| set.bits.contains(event))
    }
}

impl ThreadTable {
    /// The state after an event: the same one if the event does not concern the b-thread.
    pub(crate) fn step(&self, state: u32, event: u32) -> u32 {
        match self.states.get(state as usize) {
            None => ENDED,
            Some(point) if point.is_interrupted_by(event) => ENDED,
            Some(point) => point.after(event).unwrap_or(state),
        }
    }

    /// Whether the b-thread goes on for ever unless an interrupt ends it or it reports a violation.
    pub(crate) fn ends_only_by_interrupts(&self) -> bool {
        let is_last = |point: &LocalPoint| point.next.iter().any(|(_, state)| *state == ENDED);
        let can_be_ended =
            |point: &LocalPoint| point.interrupts.iter().any(|set| !set.bits.is_empty());
        !self.states.iter().any(is_last) && self.states.iter().any(can_be_ended)
    }

    /// The states that are in no loop and after no loop, each before those to which it leads.
    pub(crate) fn acyclic_order(&self) -> Vec<u32> {
        let targets = |point: &LocalPoint| {
            point.next.iter().map(|(_, target)| *target as usize).collect::<Vec<_>>()
        };
        let mut entries = vec![0_u32; self.states.len()];
        for target in self.states.iter().flat_map(targets) {
            if let Some(entries) = entries.get_mut(target) {
                *entries += 1;
            }
        }
        // All states can be reached from the first one, so an order of the others begins with it.
        let mut order: Vec<u32> = if entries.first() == Some(&0) { vec![0] } else { Vec::new() };
        let mut next = 0;
        while let Some(&state) = order.get(next) {
            next += 1;
            for target in targets(&self.states[state as usize]) {
                if let Some(entries) = entries.get_mut(target) {
                    *entries -= 1;
                    if *entries == 0 {
                        order.extend(u32::try_from(target));
                    }
                }
            }
        }
        order
    }

    /// Whether the b-thread is a script: each state leads to the one after it, and the last one to
    /// the end or back to the first.
    pub(crate) fn script(&self) -> Option<ScriptRepetition> {
        let count = u32::try_from(self.states.len()).ok()?;
        let mut repetition = ScriptRepetition::Once;
        for (number, point) in (0..).zip(&self.states) {
            let is_last = number + 1 == count;
            let mut targets = point.next.iter().map(|(_, target)| *target);
            let first = targets.next();
            if targets.any(|target| Some(target) != first) {
                return None;
            }
            match first {
                // A b-thread that stays for ever is the last one of a script, too.
                None | Some(ENDED) if is_last => {}
                Some(0) if is_last => repetition = ScriptRepetition::Forever,
                Some(target) if !is_last && target == number + 1 => {}
                _ => return None,
            }
        }
        Some(repetition)
    }
}

/// Whether a script starts over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ScriptRepetition {
    Once,
    Forever,
}
