//! The rules of a small program on packed states, as tables.

use std::ops::Range;

use rustc_hash::FxHashMap;

use super::blueprint::{Blueprint, EventLists};
use super::local_reader::bits;
use super::packed_state::{Field, Layout, PackedState};
use crate::event::Event;
use crate::strategy::Possible;

/// The rules of a program with at most 64 events whose b-threads follow short scripts.
///
/// A state is cut into parts of a few bits. For each value of a part, a table says what its
/// b-threads request and block, and for each event how it changes the part. So a state costs as many
/// look-ups as it has parts, and an edge as many as there are parts that its event concerns.
pub(super) struct PackedRules {
    parts: Vec<StatePart>,
    /// For each part, for each of its values.
    stands: Vec<PartStand>,
    /// For each event, the parts that it may change.
    moves: EventLists<PartMove>,
    /// For a part and an event, the bits of each value that change.
    changes: Vec<u16>,
    order: RequestOrder,
    /// Whether all b-threads are in the first word.
    is_one_word: bool,
}

/// The fields of some adjacent b-threads in one word.
struct StatePart {
    field: Field,
    /// Its bits, shifted to the lowest place.
    mask: u64,
    /// Where its stands begin.
    stands: usize,
    threads: Range<u32>,
}

/// What b-threads request and block, a bit for each event.
#[derive(Clone, Copy, Default)]
struct PartStand {
    requested: u64,
    blocked: u64,
}

/// A part that an event may change.
#[derive(Clone, Copy)]
struct PartMove {
    word: u32,
    shift: u32,
    /// Its bits, shifted to the lowest place.
    mask: u64,
    /// Where its changes begin.
    changes: usize,
}

/// How the events that can happen are put in order: those that b-threads of higher priority request
/// come first.
#[derive(Clone, Copy, PartialEq, Eq)]
enum RequestOrder {
    /// The order of their numbers, in every state.
    Numbers,
    /// The b-threads must be asked.
    Threads,
}

/// Which of the events that can happen are wanted.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum WantedEvents {
    First,
    All,
    HighestPriority,
}

impl WantedEvents {
    /// Those that a strategy may choose, unless only the strategy knows.
    pub(super) fn of(possible: Possible) -> Option<Self> {
        match possible {
            Possible::First => Some(Self::First),
            Possible::All => Some(Self::All),
            Possible::HighestPriority => Some(Self::HighestPriority),
            Possible::Some => None,
        }
    }
}

/// The most events: one bit for each in a word.
const MOST_EVENTS: u32 = u64::BITS;

/// The most parts. For more b-threads it is faster to change what is known about the last state.
const MOST_PARTS: usize = 128;

/// The most stands, so that the processor keeps them near.
const MOST_STANDS: usize = 2_048;

/// The most bits of a part.
const MOST_BITS: u8 = 8;

impl PackedRules {
    /// The rules of a program, unless it is too large.
    pub(super) fn new<E: Event>(blueprint: &Blueprint<E>, layout: &Layout) -> Option<Self> {
        let is_small = blueprint.alphabet.width() <= MOST_EVENTS && blueprint.is_short();
        if !is_small || layout.fields.iter().any(|field| field.bits > MOST_BITS) {
            return None;
        }
        let mut sizes = (1..=MOST_BITS).rev().map(|bits| cut(&layout.fields, bits));
        let stands = |parts: &[StatePart]| parts.iter().map(StatePart::values).sum::<usize>();
        let parts = sizes.find(|parts| stands(parts) <= MOST_STANDS)?;
        if parts.len() > MOST_PARTS {
            return None;
        }
        let mut rules = Self {
            parts,
            stands: Vec::new(),
            moves: EventLists::new(Vec::new()),
            changes: Vec::new(),
            order: order(blueprint),
            is_one_word: layout.words == 1,
        };
        rules.list_stands(blueprint, layout);
        rules.list_moves(blueprint, layout);
        Some(rules)
    }

    fn list_stands<E: Event>(&mut self, blueprint: &Blueprint<E>, layout: &Layout) {
        for part in &mut self.parts {
            part.stands = self.stands.len();
            part.mask = part.values() as u64 - 1;
            for value in 0..part.values() {
                let mut stand = PartStand::default();
                for (thread, local) in part.locals(layout, value as u64) {
                    if let Some(letters) = blueprint.script_letters(thread, local) {
                        stand.requested |= letters.requested.first_word();
                        stand.blocked |= letters.blocks.first_word();
                    }
                }
                self.stands.push(stand);
            }
        }
    }

    fn list_moves<E: Event>(&mut self, blueprint: &Blueprint<E>, layout: &Layout) {
        let mut known: FxHashMap<Vec<u16>, u32> = FxHashMap::default();
        let mut lists = Vec::new();
        for event in 0..blueprint.alphabet.width() {
            let concerned = blueprint.concerned(event);
            let mut list = Vec::new();
            for part in &self.parts {
                let first = concerned.partition_point(|each| each.thread < part.threads.start);
                if concerned.get(first).is_none_or(|each| each.thread >= part.threads.end) {
                    continue;
                }
                let values = (0..part.values()).map(|value| value as u64);
                let changes: Vec<u16> =
                    values.map(|value| part.change(blueprint, layout, value, event)).collect();
                let next = u32::try_from(self.changes.len()).expect("changes fit into memory");
                let changes = *known.entry(changes).or_insert_with_key(|changes| {
                    self.changes.extend(changes);
                    next
                });
                let Field { word, shift, .. } = part.field;
                let mask = part.values() as u64 - 1;
                list.push(PartMove { word, shift: shift.into(), mask, changes: changes as usize });
            }
            lists.push(list);
        }
        self.moves = EventLists::new(lists);
    }

    /// The state after an event.
    #[inline]
    fn after(&self, state: &PackedState, event: u32) -> PackedState {
        if let Some([mut word, upper]) = state.few_words()
            && self.is_one_word
        {
            for change in self.moves.of(event) {
                word ^= self.change(change, word);
            }
            return PackedState::of_few_words([word, upper]);
        }
        let mut next = state.clone();
        let words = next.words_mut();
        for change in self.moves.of(event) {
            let word = &mut words[change.word as usize];
            *word ^= self.change(change, *word);
        }
        next
    }

    /// The bits of a word that change.
    #[inline]
    fn change(&self, PartMove { shift, mask, changes, .. }: &PartMove, word: u64) -> u64 {
        u64::from(self.changes[changes + low_bits(word >> shift, *mask)]) << shift
    }
}

/// The bits of a word in a mask of few bits, as an index.
#[inline]
fn low_bits(word: u64, mask: u64) -> usize {
    usize::from((word & mask).to_le_bytes()[0])
}

impl StatePart {
    /// The number of its values.
    fn values(&self) -> usize {
        1 << self.field.bits
    }

    /// The b-threads of the part and their positions, for a value of the part.
    fn locals(&self, layout: &Layout, value: u64) -> impl Iterator<Item = (u32, u32)> {
        let word = value << self.field.shift;
        let threads = self.threads.clone();
        threads.map(move |thread| (thread, layout.fields[thread as usize].value(word)))
    }

    /// The bits of a value that an event changes.
    fn change<E: Event>(
        &self,
        blueprint: &Blueprint<E>,
        layout: &Layout,
        value: u64,
        event: u32,
    ) -> u16 {
        let mut change = 0;
        for (thread, local) in self.locals(layout, value) {
            if let Some(next) = blueprint.script_step(thread, local, event) {
                let shift = layout.fields[thread as usize].shift - self.field.shift;
                change |= (local ^ next) << shift;
            }
        }
        u16::try_from(change).expect("a part has at most 8 bits")
    }
}

/// Cuts states into parts of at most this many bits, or of one field.
fn cut(fields: &[Field], most: u8) -> Vec<StatePart> {
    let mut parts: Vec<StatePart> = Vec::new();
    for (thread, field) in (0..).zip(fields) {
        match parts.last_mut() {
            Some(part) if part.field.word == field.word && part.field.bits + field.bits <= most => {
                part.field.bits += field.bits;
                part.threads.end = thread + 1;
            }
            _ => {
                let threads = thread..thread + 1;
                parts.push(StatePart { field: *field, mask: 0, stands: 0, threads });
            }
        }
    }
    parts
}

/// Whether events are always requested in the order of their numbers: only one b-thread ever
/// requests each, b-threads of higher priority request smaller ones, and all prefer smaller ones.
fn order<E: Event>(blueprint: &Blueprint<E>) -> RequestOrder {
    let requesters = (0..blueprint.alphabet.width()).map(|event| blueprint.requesters(event));
    let has_one_each = requesters.clone().all(|threads| threads.len() <= 1);
    let is_sorted = requesters.flatten().is_sorted();
    let threads = 0..blueprint.threads() as usize;
    let mut points = threads.flat_map(|thread| blueprint.script(thread));
    if has_one_each && is_sorted && points.all(|letters| letters.is_ascending) {
        RequestOrder::Numbers
    } else {
        RequestOrder::Threads
    }
}

/// Finds the successors of states in the tables.
pub(super) struct RulesExplorer<'a, E: Event> {
    rules: &'a PackedRules,
    blueprint: &'a Blueprint<E>,
    layout: &'a Layout,
    wanted: WantedEvents,
    /// Whether the b-threads must be asked for the order, or for their priorities.
    order: RequestOrder,
    /// The parts whose b-threads request something.
    asking: Vec<u32>,
    events: Vec<u32>,
}

impl<'a, E: Event> RulesExplorer<'a, E> {
    pub(super) fn new(
        rules: &'a PackedRules,
        blueprint: &'a Blueprint<E>,
        layout: &'a Layout,
        wanted: WantedEvents,
    ) -> Self {
        let order = match wanted {
            WantedEvents::First | WantedEvents::All => rules.order,
            WantedEvents::HighestPriority => RequestOrder::Threads,
        };
        Self { rules, blueprint, layout, wanted, order, asking: Vec::new(), events: Vec::new() }
    }

    /// Calls `show` with each wanted event and the state after it.
    pub(super) fn successors(
        &mut self,
        state: &PackedState,
        show: &mut dyn FnMut(&E, PackedState),
    ) {
        let enabled = self.enabled(state);
        let alphabet = &self.blueprint.alphabet;
        match (self.order, self.wanted) {
            _ if enabled == 0 => {}
            (RequestOrder::Numbers, WantedEvents::First) => {
                let event = enabled.trailing_zeros();
                show(alphabet.event(event), self.rules.after(state, event));
            }
            (RequestOrder::Numbers, WantedEvents::All) => {
                for event in bits(enabled) {
                    show(alphabet.event(event), self.rules.after(state, event));
                }
            }
            _ => {
                self.ask_threads(state, enabled);
                for &event in &self.events {
                    show(alphabet.event(event), self.rules.after(state, event));
                }
            }
        }
    }

    /// The events that can happen. Also notes the parts whose b-threads request something.
    #[inline]
    fn enabled(&mut self, state: &PackedState) -> u64 {
        let (words, rules) = (state.words(), self.rules);
        let mut all = PartStand::default();
        let mut add = |part: &StatePart| {
            let word = words[part.field.word as usize];
            let stand = rules.stands[part.stands + low_bits(word >> part.field.shift, part.mask)];
            all.requested |= stand.requested;
            all.blocked |= stand.blocked;
            stand.requested != 0
        };
        if self.order == RequestOrder::Numbers {
            rules.parts.iter().for_each(|part| {
                add(part);
            });
        } else {
            self.asking.clear();
            let asking = (0..).zip(&rules.parts).filter(|(_, part)| add(part));
            self.asking.extend(asking.map(|(number, _)| number));
        }
        all.requested & !all.blocked
    }

    /// Lists the wanted events, in the order of the first b-threads that request them.
    fn ask_threads(&mut self, state: &PackedState, enabled: u64) {
        let Self { rules, blueprint, layout, wanted, asking, events, .. } = self;
        events.clear();
        let mut left = enabled;
        // The highest priority of a sync point that requests one of them, and those at it.
        let (mut highest, mut best) = (None, 0);
        for &number in &*asking {
            let part = &rules.parts[number as usize];
            let word = state.words()[part.field.word as usize];
            for thread in part.threads.clone() {
                let local = layout.fields[thread as usize].value(word);
                let Some(letters) = blueprint.script_letters(thread, local) else { continue };
                let requested = letters.requested.first_word() & enabled;
                if requested == 0 {
                    continue;
                }
                if letters.priority > highest {
                    (highest, best) = (letters.priority, requested);
                } else if letters.priority == highest {
                    best |= requested;
                }
                for &request in &letters.requests {
                    if left >> request & 1 == 1 {
                        left &= !(1 << request);
                        events.push(request);
                    }
                }
                if *wanted == WantedEvents::First {
                    events.truncate(1);
                    return;
                }
                if left == 0 && *wanted == WantedEvents::All {
                    return;
                }
            }
        }
        if *wanted == WantedEvents::HighestPriority {
            events.retain(|event| best >> event & 1 == 1);
        }
    }
}
