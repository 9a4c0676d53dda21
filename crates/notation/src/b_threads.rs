//! B-threads of the engine, made of tables.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use bthread::sorting::sort;
use bthread::{AnyBThread, BThread, Behaviour, EventSet, Name, SyncPoint, request_any, violation};
use rustc_hash::FxHashMap;

use crate::event_bits::EventBits;
use crate::syntax::ThreadRoleWord;
use crate::text_event::{EventNames, TextEvent, TextEventKind};
use crate::thread_table::{ENDED, LocalPoint, NamedEvents, ScriptRepetition, ThreadTable};
use crate::world_histories::WorldHistories;

/// How the sync points of a b-thread are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ThreadForm {
    /// For a game: it waits for what chance draws and for what happens otherwise.
    Played,
    /// For a checker: it requests what chance draws. It also waits for sets that tell the weights of
    /// that.
    Modelled,
    /// It only requests what happens otherwise, and follows the b-thread itself.
    Otherwise,
}

/// Makes b-threads, and shares the sets of events among them.
pub(crate) struct BThreadMaker<'a> {
    names: &'a Arc<EventNames>,
    sets: FxHashMap<*const NamedEvents, EventSet<TextEvent>>,
}

/// The largest set whose events are listed. Larger ones are asked about each event.
const MOST_LISTED: usize = 64;

impl<'a> BThreadMaker<'a> {
    pub(crate) fn new(names: &'a Arc<EventNames>) -> Self {
        Self { names, sets: FxHashMap::default() }
    }

    /// The b-thread of a table.
    pub(crate) fn thread(
        &mut self,
        name: Name,
        role: ThreadRoleWord,
        table: &Arc<ThreadTable>,
        form: ThreadForm,
    ) -> AnyBThread<TextEvent> {
        let points = table.states.iter().map(|point| self.point(point, role, form)).collect();
        following(name, table, points)
    }

    /// A b-thread of the world whose states tell what it has seen. Where it chooses by that, it also
    /// waits for a set that tells the state.
    pub(crate) fn remembering(
        &mut self,
        name: Name,
        histories: &WorldHistories,
    ) -> AnyBThread<TextEvent> {
        let states = histories.table.states.iter();
        let mut points: Vec<SyncPoint<TextEvent>> = states
            .map(|point| self.point(point, ThreadRoleWord::World, ThreadForm::Modelled))
            .collect();
        for &state in &histories.choices {
            let point = &mut points[state as usize];
            *point = std::mem::take(point).wait_for(place(&name, state));
        }
        following(name, &histories.table, points)
    }

    fn point(
        &mut self,
        point: &LocalPoint,
        role: ThreadRoleWord,
        form: ThreadForm,
    ) -> SyncPoint<TextEvent> {
        if let Some(sentence) = &point.violation {
            return violation(sentence.as_str());
        }
        let requests = point.requests.iter().map(|(event, _)| TextEvent::new(*event, self.names));
        let mut made = match (form, role) {
            (ThreadForm::Played, ThreadRoleWord::Chance) if !point.requests.is_empty() => {
                SyncPoint::default().wait_for(self.drawn(point))
            }
            (ThreadForm::Otherwise, _) => {
                let own = requests.collect::<Vec<_>>();
                let resorts = point.otherwise.iter().flat_map(|set| set.bits.iter());
                let resorts = resorts.map(|event| TextEvent::new(event, self.names));
                let made = request_any(resorts);
                if own.is_empty() { made } else { made.wait_for(own) }
            }
            (ThreadForm::Modelled, ThreadRoleWord::Chance) if is_weighted(point) => {
                // The set tells the weights, which a request does not have.
                request_any(requests).wait_for(self.drawn(point))
            }
            _ => request_any(requests),
        };
        for set in &point.waits {
            made = made.wait_for(self.set(set));
        }
        if form != ThreadForm::Otherwise {
            for set in &point.otherwise {
                made = made.wait_for(self.otherwise(set, role));
            }
            for set in &point.blocks {
                made = made.block(self.set(set));
            }
        }
        for set in &point.interrupts {
            made = made.interrupt(self.set(set));
        }
        if point.is_hot && form != ThreadForm::Otherwise { made.hot() } else { made }
    }

    /// The set of what chance draws in a state.
    pub(crate) fn drawn(&self, point: &LocalPoint) -> EventSet<TextEvent> {
        let events = point.requests.iter().map(|(event, _)| TextEvent::new(*event, self.names));
        let text = if is_weighted(point) {
            let each =
                |(event, weight): &(u32, u32)| format!("{} {weight}", self.names.name(*event));
            point.requests.iter().map(each).collect::<Vec<_>>().join(", ")
        } else {
            point.request_texts().join(", ")
        };
        EventSet::several(events).named(format!("drawn {text}"))
    }

    /// The set of what happens otherwise. Its name tells whether chance draws it.
    pub(crate) fn otherwise(&self, set: &NamedEvents, role: ThreadRoleWord) -> EventSet<TextEvent> {
        let events = set.bits.iter().map(|event| TextEvent::new(event, self.names));
        let drawn = if role == ThreadRoleWord::Chance { "drawn " } else { "" };
        EventSet::several(events).named(format!("{drawn}otherwise {}", set.text))
    }

    fn set(&mut self, set: &Arc<NamedEvents>) -> EventSet<TextEvent> {
        let names = self.names;
        self.sets
            .entry(Arc::as_ptr(set))
            .or_insert_with(|| event_set(names, &set.bits).named(&*set.text))
            .clone()
    }
}

/// Whether chance draws some of its events more often than others.
pub(crate) fn is_weighted(point: &LocalPoint) -> bool {
    point.requests.iter().any(|(_, weight)| *weight != 1)
}

/// A b-thread with these sync points: a script if it is one, otherwise a state with a step function.
fn following(
    name: Name,
    table: &Arc<ThreadTable>,
    points: Vec<SyncPoint<TextEvent>>,
) -> AnyBThread<TextEvent> {
    match table.script() {
        Some(ScriptRepetition::Once) => BThread::new(name).then(points).into(),
        Some(ScriptRepetition::Forever) => BThread::new(name).then(points).forever().into(),
        None => {
            let table = Arc::clone(table);
            BThread::behaving(name, TableBehaviour { table, points: points.into(), state: 0 })
        }
    }
}

/// An empty set of events, whose name tells a state of a b-thread.
pub(crate) fn place(thread: &Name, state: u32) -> EventSet<TextEvent> {
    EventSet::several([]).named(format!("{thread} at {state}"))
}

/// The cheapest form of a set of events.
fn event_set(names: &Arc<EventNames>, bits: &EventBits) -> EventSet<TextEvent> {
    if bits.len() == names.events() as usize {
        return EventSet::everything();
    }
    let mut kinds: Vec<u32> = bits.iter().map(|event| names.kind(event)).collect();
    sort(&mut kinds);
    kinds.dedup();
    let of_kinds =
        (0..names.events()).filter(|event| kinds.binary_search(&names.kind(*event)).is_ok());
    let is_whole = of_kinds.count() == bits.len();
    let kinds = kinds.into_iter().map(|kind| TextEventKind::new(kind, names));
    if is_whole && bits.len() > 1 {
        EventSet::kinds(kinds)
    } else if bits.len() <= MOST_LISTED {
        EventSet::several(bits.iter().map(|event| TextEvent::new(event, names)))
    } else {
        let bits = bits.clone();
        let text: Vec<String> = bits.iter().map(|event| event.to_string()).collect();
        // The name tells sets apart, so it lists the events.
        EventSet::matching(text.join(" "), kinds, move |event: &TextEvent| {
            bits.contains(event.number())
        })
    }
}

/// A b-thread that follows its table.
#[derive(Clone)]
pub(crate) struct TableBehaviour {
    pub(crate) table: Arc<ThreadTable>,
    pub(crate) points: Arc<[SyncPoint<TextEvent>]>,
    pub(crate) state: u32,
}

impl Behaviour<TextEvent> for TableBehaviour {
    fn sync_point(&self) -> Option<SyncPoint<TextEvent>> {
        self.points.get(self.state as usize).cloned()
    }

    fn go_on(&mut self, event: &TextEvent) {
        let point = self.table.states.get(self.state as usize);
        self.state = point.and_then(|point| point.after(event.number())).unwrap_or(ENDED);
    }
}

impl PartialEq for TableBehaviour {
    fn eq(&self, other: &Self) -> bool {
        let is_same = Arc::ptr_eq(&self.points, &other.points) || self.points == other.points;
        self.state == other.state && is_same
    }
}

impl Eq for TableBehaviour {}

impl Hash for TableBehaviour {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u32(self.state);
    }
}

/// The number of the state, which is enough to tell states of one b-thread apart.
impl std::fmt::Debug for TableBehaviour {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.points.get(self.state as usize) {
            Some(point) => write!(f, "state {}: {point}", self.state),
            None => f.write_str("ended"),
        }
    }
}
