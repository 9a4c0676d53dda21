//! What may happen although no b-thread requests it: what chance draws, and last resorts.

use bthread::{Automaton, AutomatonState, Event, EventSet, Limits, Priority};
use rustc_hash::FxHashMap;

/// Events that may happen while a b-thread waits for a certain set.
///
/// The b-threads of a rulebook never request what chance draws, because requests happen at once.
/// They wait for a set instead, and the rulebook says what that set offers.
#[derive(Clone, Debug)]
pub struct Offer<E: Event> {
    /// The set that a b-thread waits for while it makes the offer.
    pub set: EventSet<E>,
    /// When one of the events happens.
    pub kind: OfferKind,
    /// The events with their weights. Events that are blocked do not happen.
    pub events: Vec<(E, u32)>,
}

/// When an offered event happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OfferKind {
    /// Chance draws it.
    Chance,
    /// The first of them happens where nothing else can, moves of seats included.
    Otherwise,
    /// Chance draws it where nothing else can happen, moves of seats and last resorts included.
    ChanceOtherwise,
}

/// The offers of a rulebook, by the sets that make them.
pub(super) struct Offers<E: Event> {
    by_set: FxHashMap<EventSet<E>, (OfferKind, Vec<Weighted>)>,
    /// The numbers of the events that chance can draw, by their texts.
    pub(super) drawn: FxHashMap<String, u32>,
}

/// The number of an event, and its weight.
pub(super) type Weighted = (u32, u32);

impl<E: Event> Offers<E> {
    pub(super) fn new(automaton: &Automaton<E>, offers: Vec<Offer<E>>) -> Self {
        let mut all = Self { by_set: FxHashMap::default(), drawn: FxHashMap::default() };
        for Offer { set, kind, events } in offers {
            let weighted = |(event, weight): &(E, u32)| {
                automaton.number(event).map(|number| (number, (*weight).max(1)))
            };
            let numbers: Vec<Weighted> = events.iter().filter_map(weighted).collect();
            if kind != OfferKind::Otherwise {
                let texts = numbers.iter().map(|(number, _)| {
                    (automaton.alphabet()[*number as usize].to_string(), *number)
                });
                all.drawn.extend(texts);
            }
            all.by_set.insert(set, (kind, numbers));
        }
        all
    }

    pub(super) fn is_empty(&self) -> bool {
        self.by_set.is_empty()
    }

    /// What chance may draw: what it draws where nothing else can happen only if it draws nothing else.
    pub(super) fn draws(&self, state: &AutomatonState<E>) -> Vec<Weighted> {
        let drawn = self.of(state, OfferKind::Chance);
        if drawn.is_empty() { self.of(state, OfferKind::ChanceOtherwise) } else { drawn }
    }

    /// What the b-thread of highest priority offers that offers anything of this kind.
    pub(super) fn of(&self, state: &AutomatonState<E>, kind: OfferKind) -> Vec<Weighted> {
        let is_possible =
            |number: u32| state.unblocked(number / u64::BITS) >> (number % u64::BITS) & 1 == 1;
        let mut offered = Vec::new();
        state.clone().resume(Priority, Limits::default()).visit_live(|_, point| {
            let sets = point.waits().iter().filter_map(|set| self.by_set.get(set));
            for (_, events) in sets.filter(|(offered, _)| *offered == kind) {
                if offered.is_empty() {
                    let possible = events.iter().filter(|(number, _)| is_possible(*number));
                    offered.extend(possible.copied());
                }
            }
        });
        offered
    }
}
