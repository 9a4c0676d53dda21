//! Named sets of events.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::{BitAnd, BitOr, Not};
use std::sync::Arc;

use crate::event::Event;

/// A named set of events: listed events, kinds, predicates, and their unions
/// (`|`), intersections (`&`) and complements (`!`).
///
/// Refusals and explanations show the name of a set, which [`EventSet::named`]
/// sets; other sets are named after their parts.
///
/// ```
/// use bthread::EventSet;
///
/// let set = EventSet::one("a") | "b" | ["c", "d"];
/// assert_eq!(set.to_string(), "(a or b or {c, d})");
/// assert_eq!((!set & "e").to_string(), "(not (a or b or {c, d}) and e)");
/// ```
///
/// Listed events and kinds are cheapest. A predicate is called for every event
/// of its kinds, a complement is looked at for every event.
#[derive(Clone)]
pub struct EventSet<E: Event> {
    name: Option<Arc<str>>,
    shape: SetShape<E>,
}

#[derive(Clone, PartialEq, Eq, Hash)]
enum SetShape<E: Event> {
    Listed(Arc<[E]>),
    Kind(E::Kind),
    Matching(Arc<Predicate<E>>),
    Everything,
    Union(Arc<Vec<EventSet<E>>>),
    Intersection(Arc<Intersection<E>>),
    Complement(Arc<EventSet<E>>),
}

/// Two sets, and which of them an index looks up because it has fewer events.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Intersection<E: Event> {
    sets: [EventSet<E>; 2],
    narrower: usize,
}

/// Predicates are compared by name and kinds, because functions cannot be compared.
struct Predicate<E: Event> {
    name: Arc<str>,
    kinds: Option<Box<[E::Kind]>>,
    test: Box<dyn Fn(&E) -> bool + Send + Sync>,
}

/// Where an index finds the events of a set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum IndexKey<'a, E: Event> {
    Event(&'a E),
    Kind(&'a E::Kind),
    Any,
}

/// Whether all events under a key belong to the set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Precision {
    Exact,
    Approximate,
}

impl<E: Event> EventSet<E> {
    fn of(shape: SetShape<E>) -> Self {
        Self { name: None, shape }
    }

    /// Just this event.
    pub fn one(event: E) -> Self {
        Self::several([event])
    }

    /// Just these events.
    pub fn several(events: impl IntoIterator<Item = E>) -> Self {
        Self::of(SetShape::Listed(events.into_iter().collect()))
    }

    /// All events of a kind.
    pub fn kind(kind: E::Kind) -> Self {
        Self::of(SetShape::Kind(kind))
    }

    /// All events of any of these kinds.
    pub fn kinds(kinds: impl IntoIterator<Item = E::Kind>) -> Self {
        Self::union(kinds.into_iter().map(Self::kind))
    }

    /// The events of these kinds for which the predicate holds.
    ///
    /// Give different predicates different names: sets are compared by the names
    /// and kinds of their predicates, because functions cannot be compared.
    pub fn matching(
        name: impl Into<String>,
        kinds: impl IntoIterator<Item = E::Kind>,
        test: impl Fn(&E) -> bool + Send + Sync + 'static,
    ) -> Self {
        Self::predicate(name.into(), Some(kinds.into_iter().collect()), test)
    }

    /// The events of any kind for which the predicate holds.
    ///
    /// The predicate is called for every event; [`EventSet::matching`] is cheaper.
    pub fn matching_any(
        name: impl Into<String>,
        test: impl Fn(&E) -> bool + Send + Sync + 'static,
    ) -> Self {
        Self::predicate(name.into(), None, test)
    }

    fn predicate(
        name: String,
        kinds: Option<Box<[E::Kind]>>,
        test: impl Fn(&E) -> bool + Send + Sync + 'static,
    ) -> Self {
        let test = Box::new(test);
        let name = name.into();
        Self::of(SetShape::Matching(Arc::new(Predicate { name, kinds, test })))
    }

    /// All events.
    #[must_use]
    pub fn everything() -> Self {
        Self::of(SetShape::Everything)
    }

    /// No events.
    #[must_use]
    pub fn nothing() -> Self {
        Self::several([])
    }

    /// The events of any of the sets.
    pub fn union(sets: impl IntoIterator<Item = Self>) -> Self {
        Self::of(SetShape::Union(Arc::new(sets.into_iter().collect())))
    }

    /// Names the set.
    #[must_use]
    pub fn named(mut self, name: impl Into<String>) -> Self {
        self.name = Some(name.into().into());
        self
    }

    /// Writes the name and the definition, for a fingerprint.
    pub(crate) fn spell(&self, out: &mut dyn fmt::Write) -> fmt::Result {
        if let Some(name) = &self.name {
            write!(out, "{name}=")?;
        }
        match &self.shape {
            SetShape::Union(sets) => sets.iter().try_for_each(|set| set.spell(out)),
            SetShape::Intersection(both) => both.sets.iter().try_for_each(|set| set.spell(out)),
            SetShape::Complement(set) => {
                out.write_str("not ")?;
                set.spell(out)
            }
            SetShape::Listed(_)
            | SetShape::Kind(_)
            | SetShape::Matching(_)
            | SetShape::Everything => Ok(()),
        }?;
        write!(out, "{};", self.shape)
    }

    /// Whether the event belongs to the set.
    pub fn contains(&self, event: &E) -> bool {
        match &self.shape {
            SetShape::Listed(events) => events.contains(event),
            SetShape::Kind(kind) => event.kind() == *kind,
            SetShape::Matching(predicate) => predicate.contains(event),
            SetShape::Everything => true,
            SetShape::Union(sets) => sets.iter().any(|set| set.contains(event)),
            SetShape::Intersection(both) => both.sets.iter().all(|set| set.contains(event)),
            SetShape::Complement(set) => !set.contains(event),
        }
    }

    /// Calls `show` with each key under which an index finds the events of this set.
    pub(crate) fn keys<'a>(&'a self, show: &mut dyn FnMut(IndexKey<'a, E>, Precision)) {
        match &self.shape {
            SetShape::Listed(events) => {
                for event in events.iter() {
                    show(IndexKey::Event(event), Precision::Exact);
                }
            }
            SetShape::Kind(kind) => show(IndexKey::Kind(kind), Precision::Exact),
            SetShape::Matching(predicate) => predicate.keys(show),
            SetShape::Everything => show(IndexKey::Any, Precision::Exact),
            SetShape::Union(sets) => sets.iter().for_each(|set| set.keys(show)),
            SetShape::Intersection(both) => both.narrower().keys(&mut |key, _| match key {
                IndexKey::Event(event) if !self.contains(event) => {}
                IndexKey::Event(_) => show(key, Precision::Exact),
                IndexKey::Kind(_) | IndexKey::Any => show(key, Precision::Approximate),
            }),
            SetShape::Complement(_) => show(IndexKey::Any, Precision::Approximate),
        }
    }

    /// A rough size of the set: a kind counts as many events, a set that may contain any as more.
    fn breadth(&self) -> u64 {
        let mut breadth = 0_u64;
        self.keys(&mut |key, _| {
            breadth += match key {
                IndexKey::Event(_) => 1,
                IndexKey::Kind(_) => 1 << 16,
                IndexKey::Any => 1 << 32,
            };
        });
        breadth
    }
}

impl<E: Event> Intersection<E> {
    fn new(sets: [EventSet<E>; 2]) -> Self {
        // Computed once: nested intersections would compute it again and again.
        let narrower = usize::from(sets[1].breadth() < sets[0].breadth());
        Self { sets, narrower }
    }

    fn narrower(&self) -> &EventSet<E> {
        &self.sets[self.narrower]
    }
}

impl<E: Event> Predicate<E> {
    fn contains(&self, event: &E) -> bool {
        self.kinds.as_ref().is_none_or(|kinds| kinds.contains(&event.kind())) && (self.test)(event)
    }

    fn keys<'a>(&'a self, show: &mut dyn FnMut(IndexKey<'a, E>, Precision)) {
        match &self.kinds {
            None => show(IndexKey::Any, Precision::Approximate),
            Some(kinds) => {
                for kind in kinds {
                    show(IndexKey::Kind(kind), Precision::Approximate);
                }
            }
        }
    }
}

impl<E: Event> From<E> for EventSet<E> {
    fn from(event: E) -> Self {
        Self::one(event)
    }
}

impl<E: Event, const N: usize> From<[E; N]> for EventSet<E> {
    fn from(events: [E; N]) -> Self {
        Self::several(events)
    }
}

impl<E: Event> From<Vec<E>> for EventSet<E> {
    fn from(events: Vec<E>) -> Self {
        Self::several(events)
    }
}

impl<E: Event, S: Into<Self>> BitOr<S> for EventSet<E> {
    type Output = Self;

    /// Extends a union that has no name of its own, so that long unions do not nest.
    fn bitor(mut self, other: S) -> Self {
        let other = other.into();
        if let (None, SetShape::Union(sets)) = (&self.name, &mut self.shape) {
            Arc::make_mut(sets).push(other);
            return self;
        }
        Self::union([self, other])
    }
}

impl<E: Event, S: Into<Self>> BitAnd<S> for EventSet<E> {
    type Output = Self;

    fn bitand(self, other: S) -> Self {
        Self::of(SetShape::Intersection(Arc::new(Intersection::new([self, other.into()]))))
    }
}

impl<E: Event> Not for EventSet<E> {
    type Output = Self;

    fn not(self) -> Self {
        Self::of(SetShape::Complement(Arc::new(self)))
    }
}

impl<E: Event> PartialEq for EventSet<E> {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name && self.shape == other.shape
    }
}

impl<E: Event> Eq for EventSet<E> {}

impl<E: Event> Hash for EventSet<E> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.name.hash(state);
        self.shape.hash(state);
    }
}

impl<E: Event> PartialEq for Predicate<E> {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name && self.kinds == other.kinds
    }
}

impl<E: Event> Eq for Predicate<E> {}

impl<E: Event> Hash for Predicate<E> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.name.hash(state);
        self.kinds.hash(state);
    }
}

impl<E: Event> fmt::Display for EventSet<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.name {
            Some(name) => f.write_str(name),
            None => self.shape.fmt(f),
        }
    }
}

impl<E: Event> fmt::Debug for EventSet<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "EventSet({self})")
    }
}

impl<E: Event> fmt::Display for SetShape<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Listed(events) => match &**events {
                [] => f.write_str("nothing"),
                [event] => fmt::Display::fmt(event, f),
                several => write_joined(f, several, "{", ", ", "}"),
            },
            Self::Kind(kind) => fmt::Display::fmt(kind, f),
            Self::Matching(predicate) => f.write_str(&predicate.name),
            Self::Everything => f.write_str("everything"),
            Self::Union(sets) => match &***sets {
                [] => f.write_str("nothing"),
                [set] => fmt::Display::fmt(set, f),
                several => write_joined(f, several, "(", " or ", ")"),
            },
            Self::Intersection(both) => write_joined(f, &both.sets, "(", " and ", ")"),
            Self::Complement(set) => write!(f, "not {set}"),
        }
    }
}

fn write_joined<T: fmt::Display>(
    f: &mut fmt::Formatter<'_>,
    items: &[T],
    open: &str,
    between: &str,
    close: &str,
) -> fmt::Result {
    f.write_str(open)?;
    for (index, item) in items.iter().enumerate() {
        if index > 0 {
            f.write_str(between)?;
        }
        item.fmt(f)?;
    }
    f.write_str(close)
}
