//! Named sets of events.

mod text;

use std::any::TypeId;
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

#[derive(Clone)]
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
struct Intersection<E: Event> {
    sets: [EventSet<E>; 2],
    narrower: usize,
    /// The breadth of the narrower one. Nested intersections would compute it again and again.
    breadth: u64,
}

/// Predicates are compared by name and kinds, because functions cannot be compared.
pub(crate) struct Predicate<E: Event> {
    name: Arc<str>,
    kinds: Option<Box<[E::Kind]>>,
    test: Box<dyn Fn(&E) -> bool + Send + Sync>,
    /// The type of the test, by which a process tells most tests apart.
    test_type: TypeId,
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
        let test_type = type_of(&test);
        let (name, test) = (name.into(), Box::new(test));
        Self::of(SetShape::Matching(Arc::new(Predicate { name, kinds, test, test_type })))
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

    /// The sets of which this one is made.
    fn parts(&self) -> &[Self] {
        match &self.shape {
            SetShape::Union(sets) => sets,
            SetShape::Intersection(both) => &both.sets,
            SetShape::Complement(set) => std::slice::from_ref(set),
            SetShape::Listed(_)
            | SetShape::Kind(_)
            | SetShape::Matching(_)
            | SetShape::Everything => &[],
        }
    }

    /// This set and all sets of which it is made, each before its parts. No function recurses along
    /// them, because they may be nested deeply.
    fn all_parts(&self) -> impl Iterator<Item = &Self> {
        let mut left = vec![self];
        std::iter::from_fn(move || {
            let set = left.pop()?;
            left.extend(set.parts().iter().rev());
            Some(set)
        })
    }

    /// Writes the names and the definition, for a fingerprint.
    pub(crate) fn spell(&self, out: &mut dyn fmt::Write) -> fmt::Result {
        for set in self.all_parts() {
            if let Some(name) = &set.name {
                write!(out, "{name}=")?;
            }
            match &set.shape {
                SetShape::Listed(events) => write!(out, "{events:?};")?,
                SetShape::Kind(kind) => write!(out, "kind {kind:?};")?,
                SetShape::Matching(predicate) => {
                    write!(out, "{} of {:?};", predicate.name, predicate.kinds)?;
                }
                SetShape::Everything => out.write_str("everything;")?,
                SetShape::Union(sets) => write!(out, "any of {}:", sets.len())?,
                SetShape::Intersection(_) => out.write_str("both:")?,
                SetShape::Complement(_) => out.write_str("not:")?,
            }
        }
        Ok(())
    }

    /// Calls `show` with all predicates.
    pub(crate) fn predicates<'a>(&'a self, show: &mut dyn FnMut(&'a Predicate<E>)) {
        for set in self.all_parts() {
            if let SetShape::Matching(predicate) = &set.shape {
                show(predicate);
            }
        }
    }

    /// Whether it is [`EventSet::everything`].
    pub(crate) fn is_everything(&self) -> bool {
        matches!(self.shape, SetShape::Everything)
    }

    /// Whether a predicate is part of it.
    pub(crate) fn has_predicate(&self) -> bool {
        self.all_parts().any(|set| matches!(set.shape, SetShape::Matching(_)))
    }

    /// Whether the event belongs to the set.
    pub fn contains(&self, event: &E) -> bool {
        self.contains_within(event, SHALLOW)
    }

    /// Recurses for shallow sets, which are the usual ones.
    fn contains_within(&self, event: &E, depth: u32) -> bool {
        let Some(deeper) = depth.checked_sub(1) else { return self.contains_deep(event) };
        match &self.shape {
            SetShape::Union(sets) => sets.iter().any(|set| set.contains_within(event, deeper)),
            SetShape::Intersection(both) => {
                both.sets.iter().all(|set| set.contains_within(event, deeper))
            }
            SetShape::Complement(set) => !set.contains_within(event, deeper),
            shape => shape.lists(event),
        }
    }

    /// As [`EventSet::contains`], without recursion.
    fn contains_deep(&self, event: &E) -> bool {
        // The sets that are being decided, each with the number of parts that were looked at.
        let mut open: Vec<(&Self, usize)> = vec![(self, 0)];
        let mut latest = None;
        while let Some((set, seen)) = open.last_mut() {
            let decided = match (&set.shape, latest.take()) {
                (SetShape::Union(_), Some(true)) => Some(true),
                (SetShape::Intersection(_), Some(false)) => Some(false),
                (SetShape::Complement(_), Some(inner)) => Some(!inner),
                _ => None,
            };
            let next = if decided.is_some() { None } else { set.parts().get(*seen) };
            if let Some(next) = next {
                *seen += 1;
                open.push((next, 0));
                continue;
            }
            latest = Some(decided.unwrap_or_else(|| match &set.shape {
                SetShape::Union(_) => false,
                SetShape::Intersection(_) | SetShape::Complement(_) => true,
                shape => shape.lists(event),
            }));
            open.pop();
        }
        latest.unwrap_or(false)
    }

    /// Calls `show` with each key under which an index finds the events of this set.
    pub(crate) fn keys<'a>(&'a self, show: &mut dyn FnMut(IndexKey<'a, E>, Precision)) {
        // Each set with the intersection that it is a part of: an event belongs to this one only if
        // it belongs to that.
        let mut left: Vec<(&Self, Option<&Self>)> = vec![(self, None)];
        while let Some((set, whole)) = left.pop() {
            let precision = if whole.is_some() { Precision::Approximate } else { Precision::Exact };
            match &set.shape {
                SetShape::Listed(events) => {
                    let is_in = |event: &&E| whole.is_none_or(|whole| whole.contains(event));
                    for event in events.iter().filter(is_in) {
                        show(IndexKey::Event(event), Precision::Exact);
                    }
                }
                SetShape::Kind(kind) => show(IndexKey::Kind(kind), precision),
                SetShape::Matching(predicate) => predicate.keys(show),
                SetShape::Everything => show(IndexKey::Any, precision),
                SetShape::Union(sets) => left.extend(sets.iter().rev().map(|set| (set, whole))),
                SetShape::Intersection(both) => left.push((both.narrower(), whole.or(Some(set)))),
                SetShape::Complement(_) => show(IndexKey::Any, Precision::Approximate),
            }
        }
    }

    /// A rough size of the set: a kind counts as many events, a set that may contain any as more.
    fn breadth(&self) -> u64 {
        const KIND: u64 = 1 << 16;
        const ANY: u64 = 1 << 32;
        let mut breadth = 0_u64;
        let mut left = vec![self];
        while let Some(set) = left.pop() {
            breadth = breadth.saturating_add(match &set.shape {
                SetShape::Listed(events) => events.len() as u64,
                SetShape::Kind(_) => KIND,
                SetShape::Matching(predicate) => {
                    predicate.kinds.as_ref().map_or(ANY, |kinds| kinds.len() as u64 * KIND)
                }
                SetShape::Everything | SetShape::Complement(_) => ANY,
                SetShape::Intersection(both) => both.breadth,
                SetShape::Union(sets) => {
                    left.extend(sets.iter());
                    0
                }
            });
        }
        breadth
    }
}

/// Deeper sets are decided without recursion.
const SHALLOW: u32 = 64;

fn type_of<T: 'static>(_: &T) -> TypeId {
    TypeId::of::<T>()
}

impl<E: Event> SetShape<E> {
    /// Whether a set without parts contains the event.
    fn lists(&self, event: &E) -> bool {
        match self {
            Self::Listed(events) => events.contains(event),
            Self::Kind(kind) => event.kind() == *kind,
            Self::Matching(predicate) => predicate.contains(event),
            Self::Everything => true,
            Self::Union(_) | Self::Intersection(_) | Self::Complement(_) => false,
        }
    }

    /// Moves the parts to a list, unless other sets share them.
    fn hand_over(&mut self, parts: &mut Vec<EventSet<E>>) {
        let everything = || EventSet::of(Self::Everything);
        match self {
            Self::Union(sets) => {
                if let Some(sets) = Arc::get_mut(sets) {
                    parts.append(sets);
                }
            }
            Self::Intersection(both) => {
                if let Some(both) = Arc::get_mut(both) {
                    let [left, right] = &mut both.sets;
                    parts.extend([left, right].map(|set| std::mem::replace(set, everything())));
                }
            }
            Self::Complement(set) => {
                if let Some(set) = Arc::get_mut(set) {
                    parts.push(std::mem::replace(set, everything()));
                }
            }
            Self::Listed(_) | Self::Kind(_) | Self::Matching(_) | Self::Everything => {}
        }
    }

    /// Whether both are equal, except for their parts.
    fn is_like(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Listed(own), Self::Listed(other)) => own == other,
            (Self::Kind(own), Self::Kind(other)) => own == other,
            (Self::Matching(own), Self::Matching(other)) => own == other,
            (Self::Union(own), Self::Union(other)) => own.len() == other.len(),
            (Self::Everything, Self::Everything)
            | (Self::Intersection(_), Self::Intersection(_))
            | (Self::Complement(_), Self::Complement(_)) => true,
            _ => false,
        }
    }
}

/// Sets that are nested deeply would overflow the stack if each dropped its parts.
impl<E: Event> Drop for EventSet<E> {
    fn drop(&mut self) {
        let mut parts = Vec::new();
        self.shape.hand_over(&mut parts);
        while let Some(mut set) = parts.pop() {
            set.shape.hand_over(&mut parts);
        }
    }
}

impl<E: Event> Intersection<E> {
    fn new(sets: [EventSet<E>; 2]) -> Self {
        let breadths = [sets[0].breadth(), sets[1].breadth()];
        let narrower = usize::from(breadths[1] < breadths[0]);
        Self { sets, narrower, breadth: breadths[narrower] }
    }

    fn narrower(&self) -> &EventSet<E> {
        &self.sets[self.narrower]
    }
}

impl<E: Event> Predicate<E> {
    /// The type of the test.
    pub(crate) fn test_type(&self) -> TypeId {
        self.test_type
    }

    /// Whether this predicate has the same answers for some events as the other one.
    pub(crate) fn answers_like(&self, other: &Self, events: &[E]) -> bool {
        events.iter().all(|event| self.contains(event) == other.contains(event))
    }

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

/// A set that is used again.
impl<E: Event> From<&Self> for EventSet<E> {
    fn from(set: &Self) -> Self {
        set.clone()
    }
}

/// The union of the sets.
impl<E: Event, const N: usize> From<[Self; N]> for EventSet<E> {
    fn from(sets: [Self; N]) -> Self {
        Self::union(sets)
    }
}

/// The union of the sets.
impl<E: Event> From<Vec<Self>> for EventSet<E> {
    fn from(sets: Vec<Self>) -> Self {
        Self::union(sets)
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
        let mut pairs = vec![(self, other)];
        while let Some((own, other)) = pairs.pop() {
            if own.name != other.name || !own.shape.is_like(&other.shape) {
                return false;
            }
            pairs.extend(own.parts().iter().zip(other.parts()));
        }
        true
    }
}

impl<E: Event> Eq for EventSet<E> {}

impl<E: Event> Hash for EventSet<E> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        for set in self.all_parts() {
            set.name.hash(state);
            std::mem::discriminant(&set.shape).hash(state);
            match &set.shape {
                SetShape::Listed(events) => events.hash(state),
                SetShape::Kind(kind) => kind.hash(state),
                SetShape::Matching(predicate) => predicate.hash(state),
                SetShape::Union(sets) => sets.len().hash(state),
                SetShape::Everything | SetShape::Intersection(_) | SetShape::Complement(_) => {}
            }
        }
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
