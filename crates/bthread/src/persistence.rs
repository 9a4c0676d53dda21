//! Serializing snapshots with serde.

use std::fmt;
use std::marker::PhantomData;

use serde::de::{DeserializeOwned, DeserializeSeed, Deserializer, Error as _, SeqAccess, Visitor};
use serde::ser::{SerializeSeq, SerializeTuple};
use serde::{Deserialize, Serialize, Serializer};

use crate::any_b_thread::{AnyBThread, BehaviourState, Body};
use crate::behaviour::AnyBehaviour;
use crate::event::Event;
use crate::name::Name;
use crate::program::Program;
use crate::snapshot::{Snapshot, ThreadStates};
use crate::strategy::Strategy;

/// How to serialize the state of a behaviour and to read it back.
pub(crate) struct Codec<B> {
    write: fn(&B) -> &dyn erased_serde::Serialize,
    read: fn(&mut dyn erased_serde::Deserializer<'_>) -> Result<B, erased_serde::Error>,
}

/// A state that was read, or why it could not be read.
pub(crate) type ReadBehaviour<E> = Result<Box<dyn AnyBehaviour<E>>, erased_serde::Error>;

impl<B: Serialize + DeserializeOwned> Codec<B> {
    pub(crate) fn new() -> Self {
        Self { write: |behaviour| behaviour, read: |from| erased_serde::deserialize(from) }
    }
}

impl<B> Codec<B> {
    pub(crate) fn written<'a>(&self, behaviour: &'a B) -> &'a dyn erased_serde::Serialize {
        (self.write)(behaviour)
    }

    pub(crate) fn read(
        &self,
        from: &mut dyn erased_serde::Deserializer<'_>,
    ) -> Result<B, erased_serde::Error> {
        (self.read)(from)
    }
}

impl<B> Clone for Codec<B> {
    fn clone(&self) -> Self {
        Self { write: self.write, read: self.read }
    }
}

/// A tuple: the program's fingerprint, the positions of b-threads with scripts, the
/// states of the others, the b-threads that were added (name and position or state),
/// the queue and the strategy.
///
/// Fails if a b-thread has a state that [`BThread::persistent`](crate::BThread::persistent)
/// did not make.
impl<E: Event + Serialize, S: Strategy<E> + Serialize> Serialize for Snapshot<E, S> {
    fn serialize<Z: Serializer>(&self, serializer: Z) -> Result<Z::Ok, Z::Error> {
        let ThreadStates { positions, states, added } = self.unpacked();
        let states: Vec<_> = states.iter().map(WrittenState).collect();
        let added: Vec<_> = added.iter().map(WrittenThread).collect();
        let mut tuple = serializer.serialize_tuple(6)?;
        tuple.serialize_element(&format!("{:016x}", self.fingerprint()))?;
        tuple.serialize_element(&positions)?;
        tuple.serialize_element(&states)?;
        tuple.serialize_element(&added)?;
        tuple.serialize_element(self.queue())?;
        tuple.serialize_element(self.strategy())?;
        tuple.end()
    }
}

struct WrittenState<'a, E: Event>(&'a BehaviourState<E>);

impl<E: Event> Serialize for WrittenState<'_, E> {
    fn serialize<Z: Serializer>(&self, serializer: Z) -> Result<Z::Ok, Z::Error> {
        // A list of one or none, because some formats write a unit state like `None`.
        let mut list = serializer.serialize_seq(Some(usize::from(self.0.is_some())))?;
        if let Some(state) = self.0 {
            list.serialize_element(state.written().ok_or_else(|| cannot_be_written(&**state))?)?;
        }
        list.end()
    }
}

fn cannot_be_written<E: Event, R: serde::ser::Error>(state: &dyn AnyBehaviour<E>) -> R {
    let hint = "make its b-thread with BThread::persistent";
    R::custom(format_args!("The state {state:?} cannot be serialized; {hint}"))
}

struct WrittenThread<'a, E: Event>(&'a AnyBThread<E>);

impl<E: Event> Serialize for WrittenThread<'_, E> {
    fn serialize<Z: Serializer>(&self, serializer: Z) -> Result<Z::Ok, Z::Error> {
        let mut tuple = serializer.serialize_tuple(2)?;
        tuple.serialize_element(self.0.name().as_str())?;
        match self.0.body() {
            Body::Script { position, .. } => tuple.serialize_element(position)?,
            Body::Behaviour(state) => tuple.serialize_element(&WrittenState(state))?,
        }
        tuple.end()
    }
}

impl<E: Event> Program<E> {
    /// Reads a snapshot of a run of this program.
    ///
    /// `added` are the b-threads that may have been added to the run. A snapshot
    /// contains only their names and how far they had come.
    ///
    /// A written snapshot knows its program by the texts of the b-threads: their names, and how events,
    /// kinds and states are shown by `Debug`.
    ///
    /// # Errors
    /// If the input is no snapshot, or one of another program.
    pub fn read_snapshot<'de, S, D>(
        &self,
        from: D,
        added: &[AnyBThread<E>],
    ) -> Result<Snapshot<E, S>, D::Error>
    where
        E: Deserialize<'de>,
        S: Strategy<E> + Deserialize<'de>,
        D: Deserializer<'de>,
    {
        from.deserialize_tuple(6, SnapshotReader { program: self, added, strategy: PhantomData })
    }
}

struct SnapshotReader<'a, E: Event, S> {
    program: &'a Program<E>,
    added: &'a [AnyBThread<E>],
    strategy: PhantomData<S>,
}

impl<'de, E, S> Visitor<'de> for SnapshotReader<'_, E, S>
where
    E: Event + Deserialize<'de>,
    S: Strategy<E> + Deserialize<'de>,
{
    type Value = Snapshot<E, S>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a snapshot: fingerprint, positions, states, added b-threads, queue, strategy")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut parts: A) -> Result<Self::Value, A::Error> {
        let fingerprint: String = part(&mut parts, &self, 0)?;
        if fingerprint != format!("{:016x}", self.program.fingerprint().text) {
            return Err(A::Error::custom("The snapshot was taken of another program"));
        }
        let positions = part(&mut parts, &self, 1)?;
        let states = parts.next_element_seed(StatesReader(self.program))?;
        let states = states.ok_or_else(|| A::Error::invalid_length(2, &self))?;
        let added = parts.next_element_seed(AddedReader(self.added))?;
        let added = added.ok_or_else(|| A::Error::invalid_length(3, &self))?;
        let queue: Vec<E> = part(&mut parts, &self, 4)?;
        let strategy: S = part(&mut parts, &self, 5)?;
        let thread_states = ThreadStates { positions, states, added };
        if !thread_states.fits(self.program) {
            return Err(A::Error::custom("The snapshot does not fit the program"));
        }
        Ok(Snapshot::new(self.program, thread_states, queue, strategy))
    }
}

fn part<'de, A: SeqAccess<'de>, T: Deserialize<'de>>(
    parts: &mut A,
    expected: &dyn serde::de::Expected,
    number: usize,
) -> Result<T, A::Error> {
    parts.next_element()?.ok_or_else(|| A::Error::invalid_length(number, expected))
}

/// Reads the states of all b-threads that have one, in order.
struct StatesReader<'a, E: Event>(&'a Program<E>);

impl<'de, E: Event> DeserializeSeed<'de> for StatesReader<'_, E> {
    type Value = Vec<BehaviourState<E>>;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<Self::Value, D::Error> {
        from.deserialize_seq(self)
    }
}

impl<'de, E: Event> Visitor<'de> for StatesReader<'_, E> {
    type Value = Vec<BehaviourState<E>>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a state for each b-thread that has one")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut parts: A) -> Result<Self::Value, A::Error> {
        let mut states = Vec::new();
        for thread in self.0.threads() {
            if thread.state().is_some() {
                let state = parts.next_element_seed(StateReader(thread))?;
                states.push(state.ok_or_else(|| A::Error::invalid_length(states.len(), &self))?);
            }
        }
        Ok(states)
    }
}

/// Reads the state of a b-thread: a list of one, or an empty one if it has ended.
struct StateReader<'a, E: Event>(&'a AnyBThread<E>);

impl<'de, E: Event> DeserializeSeed<'de> for StateReader<'_, E> {
    type Value = BehaviourState<E>;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<Self::Value, D::Error> {
        from.deserialize_seq(self)
    }
}

impl<'de, E: Event> Visitor<'de> for StateReader<'_, E> {
    type Value = BehaviourState<E>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a list of at most one state of {}", self.0.name())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut parts: A) -> Result<Self::Value, A::Error> {
        let state = parts.next_element_seed(BehaviourReader(self.0))?;
        Ok(state.filter(|state| state.sync_point().is_some()))
    }
}

/// Reads the state of a behaviour.
struct BehaviourReader<'a, E: Event>(&'a AnyBThread<E>);

impl<'de, E: Event> DeserializeSeed<'de> for BehaviourReader<'_, E> {
    type Value = Box<dyn AnyBehaviour<E>>;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<Self::Value, D::Error> {
        let prototype = self.0.state().and_then(Option::as_ref);
        let mut from = <dyn erased_serde::Deserializer<'_>>::erase(from);
        let read = prototype.and_then(|prototype| prototype.read(&mut from));
        let read = read.ok_or_else(|| {
            let hint = "make it with BThread::persistent";
            D::Error::custom(format_args!("The state of {} cannot be read; {hint}", self.0.name()))
        })?;
        read.map_err(D::Error::custom)
    }
}

/// Reads the b-threads that were added, and how far they had come.
struct AddedReader<'a, E: Event>(&'a [AnyBThread<E>]);

impl<'de, E: Event> DeserializeSeed<'de> for AddedReader<'_, E> {
    type Value = Vec<AnyBThread<E>>;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<Self::Value, D::Error> {
        from.deserialize_seq(self)
    }
}

impl<'de, E: Event> Visitor<'de> for AddedReader<'_, E> {
    type Value = Vec<AnyBThread<E>>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("b-threads that were added to the run")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut parts: A) -> Result<Self::Value, A::Error> {
        let mut added = Vec::new();
        while let Some(thread) = parts.next_element_seed(ThreadReader(self.0))? {
            added.push(thread);
        }
        Ok(added)
    }
}

/// Reads the name of a b-thread that was added, and how far it had come.
struct ThreadReader<'a, E: Event>(&'a [AnyBThread<E>]);

impl<'de, E: Event> DeserializeSeed<'de> for ThreadReader<'_, E> {
    type Value = AnyBThread<E>;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<Self::Value, D::Error> {
        from.deserialize_tuple(2, self)
    }
}

impl<'de, E: Event> Visitor<'de> for ThreadReader<'_, E> {
    type Value = AnyBThread<E>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the name of a b-thread, and its position or state")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut parts: A) -> Result<Self::Value, A::Error> {
        let name = Name::from(part::<A, String>(&mut parts, &self, 0)?);
        let mut threads = self.0.iter();
        let found = threads.find(|thread| *thread.name() == name).ok_or_else(|| {
            A::Error::custom(format_args!("{name} was added to the run; pass it in `added`"))
        })?;
        let mut thread = found.clone();
        match thread.body_mut() {
            Body::Script { position, .. } => *position = part(&mut parts, &self, 1)?,
            Body::Behaviour(state) => {
                let read = parts.next_element_seed(StateReader(found))?;
                *state = read.ok_or_else(|| A::Error::invalid_length(1, &self))?;
            }
        }
        Ok(thread)
    }
}
