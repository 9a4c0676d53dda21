//! Named sets of events.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::{BitAnd, BitOr, Not};
use std::sync::Arc;

use crate::event::Event;

/// A named set of events: some events, all of a kind, what a predicate says,
/// and their unions (`|`), intersections (`&`) and complements (`!`).
///
/// A set is a value. Its name, given with [`EventSet::named`] or made from its
/// parts, is what refusals and explanations show.
///
/// One event, several, or a kind cost least; a predicate is asked about every
/// event of its kinds, and a complement about every event.
#[derive(Clone)]
pub struct EventSet<E: Event> {
    name: Option<Arc<str>>,
    shape: Shape<E>,
}

#[derive(Clone, PartialEq, Eq, Hash)]
enum Shape<E: Event> {
    Listed(Arc<[E]>),
    Kind(E::Kind),
    Matching(Arc<Predicate<E>>),
    Everything,
    Union(Arc<Vec<EventSet<E>>>),
    Intersection(Arc<Intersection<E>>),
    Complement(Arc<EventSet<E>>),
}

/// Two sets, the one of which an index looks at for fewer events first.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Intersection<E: Event> {
    sets: [EventSet<E>; 2],
    narrower: usize,
}

/// The name is the identity: functions cannot be compared.
struct Predicate<E: Event> {
    name: Arc<str>,
    kinds: Option<Box<[E::Kind]>>,
    test: Box<dyn Fn(&E) -> bool + Send + Sync>,
}

/// Where an index must look so as not to miss an event of a set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Key<'a, E: Event> {
    Event(&'a E),
    Kind(&'a E::Kind),
    Any,
}

/// Whether everything under a key belongs to the set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Precision {
    Exact,
    Approximate,
}

impl<E: Event> EventSet<E> {
    fn of(shape: Shape<E>) -> Self {
        Self { name: None, shape }
    }

    /// Just this event.
    pub fn one(event: E) -> Self {
        Self::several([event])
    }

    /// Just these events.
    pub fn several(events: impl IntoIterator<Item = E>) -> Self {
        Self::of(Shape::Listed(events.into_iter().collect()))
    }

    /// All events of a kind.
    pub fn kind(kind: E::Kind) -> Self {
        Self::of(Shape::Kind(kind))
    }

    /// All events of any of these kinds.
    pub fn kinds(kinds: impl IntoIterator<Item = E::Kind>) -> Self {
        Self::union(kinds.into_iter().map(Self::kind))
    }

    /// The events of these kinds for which the predicate holds.
    ///
    /// Predicates are compared by name and kinds, because functions cannot be
    /// compared: give different predicates different names.
    pub fn matching(
        name: impl Into<String>,
        kinds: impl IntoIterator<Item = E::Kind>,
        test: impl Fn(&E) -> bool + Send + Sync + 'static,
    ) -> Self {
        Self::predicate(name.into(), Some(kinds.into_iter().collect()), test)
    }

    /// The events of whatever kind for which the predicate holds.
    ///
    /// Every event is tested; [`EventSet::matching`] costs less.
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
        Self::of(Shape::Matching(Arc::new(Predicate { name, kinds, test })))
    }

    /// Every event there is.
    #[must_use]
    pub fn everything() -> Self {
        Self::of(Shape::Everything)
    }

    /// No event at all.
    #[must_use]
    pub fn nothing() -> Self {
        Self::several([])
    }

    /// The events of any of the sets.
    ///
    /// ```
    /// use bthread::EventSet;
    ///
    /// let set = EventSet::one("a") | "b".into() | "c".into();
    /// assert_eq!(set.to_string(), "(a or b or c)");
    /// assert_eq!((!set & EventSet::everything()).to_string(), "(not (a or b or c) and everything)");
    /// ```
    pub fn union(sets: impl IntoIterator<Item = Self>) -> Self {
        Self::of(Shape::Union(Arc::new(sets.into_iter().collect())))
    }

    /// The same set under a name of its own.
    #[must_use]
    pub fn named(mut self, name: impl Into<String>) -> Self {
        self.name = Some(name.into().into());
        self
    }

    /// Writes down the name and what is behind it, for a fingerprint.
    pub(crate) fn spell(&self, out: &mut dyn fmt::Write) -> fmt::Result {
        if let Some(name) = &self.name {
            write!(out, "{name}=")?;
        }
        match &self.shape {
            Shape::Union(sets) => sets.iter().try_for_each(|set| set.spell(out)),
            Shape::Intersection(both) => both.sets.iter().try_for_each(|set| set.spell(out)),
            Shape::Complement(set) => {
                out.write_str("not ")?;
                set.spell(out)
            }
            Shape::Listed(_) | Shape::Kind(_) | Shape::Matching(_) | Shape::Everything => Ok(()),
        }?;
        write!(out, "{};", self.shape)
    }

    /// Whether the event belongs to the set.
    pub fn contains(&self, event: &E) -> bool {
        match &self.shape {
            Shape::Listed(events) => events.contains(event),
            Shape::Kind(kind) => event.kind() == *kind,
            Shape::Matching(predicate) => predicate.contains(event),
            Shape::Everything => true,
            Shape::Union(sets) => sets.iter().any(|set| set.contains(event)),
            Shape::Intersection(both) => both.sets.iter().all(|set| set.contains(event)),
            Shape::Complement(set) => !set.contains(event),
        }
    }

    /// Shows each key under which an index finds the events of this set.
    pub(crate) fn keys<'a>(&'a self, show: &mut dyn FnMut(Key<'a, E>, Precision)) {
        match &self.shape {
            Shape::Listed(events) => {
                for event in events.iter() {
                    show(Key::Event(event), Precision::Exact);
                }
            }
            Shape::Kind(kind) => show(Key::Kind(kind), Precision::Exact),
            Shape::Matching(predicate) => predicate.keys(show),
            Shape::Everything => show(Key::Any, Precision::Exact),
            Shape::Union(sets) => sets.iter().for_each(|set| set.keys(show)),
            Shape::Intersection(both) => both.narrower().keys(&mut |key, _| match key {
                Key::Event(event) if !self.contains(event) => {}
                Key::Event(_) => show(key, Precision::Exact),
                Key::Kind(_) | Key::Any => show(key, Precision::Approximate),
            }),
            Shape::Complement(_) => show(Key::Any, Precision::Approximate),
        }
    }

    /// How many events an index looks at, roughly: a kind counts as many, any as more.
    fn breadth(&self) -> u64 {
        let mut breadth = 0_u64;
        self.keys(&mut |key, _| {
            breadth += match key {
                Key::Event(_) => 1,
                Key::Kind(_) => 1 << 16,
                Key::Any => 1 << 32,
            };
        });
        breadth
    }
}

impl<E: Event> Intersection<E> {
    fn new(sets: [EventSet<E>; 2]) -> Self {
        // Found out once: an intersection of intersections would ask again and again.
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

    fn keys<'a>(&'a self, show: &mut dyn FnMut(Key<'a, E>, Precision)) {
        match &self.kinds {
            None => show(Key::Any, Precision::Approximate),
            Some(kinds) => {
                for kind in kinds {
                    show(Key::Kind(kind), Precision::Approximate);
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

impl<E: Event> BitOr for EventSet<E> {
    type Output = Self;

    /// Goes on with a union that has no name of its own, so that long ones do not nest.
    fn bitor(mut self, other: Self) -> Self {
        if let (None, Shape::Union(sets)) = (&self.name, &mut self.shape) {
            Arc::make_mut(sets).push(other);
            return self;
        }
        Self::union([self, other])
    }
}

impl<E: Event> BitAnd for EventSet<E> {
    type Output = Self;

    fn bitand(self, other: Self) -> Self {
        Self::of(Shape::Intersection(Arc::new(Intersection::new([self, other]))))
    }
}

impl<E: Event> Not for EventSet<E> {
    type Output = Self;

    fn not(self) -> Self {
        Self::of(Shape::Complement(Arc::new(self)))
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

impl<E: Event> fmt::Display for Shape<E> {
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
