//! The b-thread: one rule, one behaviour.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use crate::behaviour::{AnyBehaviour, Behaviour, Held};
use crate::event::Event;
use crate::event_set::EventSet;
use crate::name::Name;
#[cfg(feature = "serde")]
use crate::persistence::Codec;
use crate::script::{Repeat, Script};
use crate::sync_point::SyncPoint;

/// A b-thread as a value: its name, what it does, and how far it has come.
///
/// ```
/// use bthread::{BThread, request, wait_for};
///
/// let mut kettle = BThread::new("Kettle").then(wait_for("filled")).then(request("boiling"));
/// assert_eq!(kettle.sync_point().unwrap().to_string(), "wait for filled");
/// kettle.go_on(&"filled");
/// assert_eq!(kettle.sync_point().unwrap().requests(), ["boiling"]);
/// kettle.go_on(&"boiling");
/// assert!(kettle.has_ended());
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct BThread<E: Event> {
    name: Name,
    body: Body<E>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Body<E: Event> {
    Script { script: Arc<Script<E>>, position: u32 },
    Behaviour(Stateful<E>),
}

/// How far a behaviour has come.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Stateful<E: Event> {
    pub(crate) state: State<E>,
    /// Sync points were added that only a script can hold; a program refuses it.
    pub(crate) is_mixed: bool,
}

/// How far a behaviour has come, or `None` once it has ended.
pub(crate) type State<E> = Option<Box<dyn AnyBehaviour<E>>>;

impl<E: Event> BThread<E> {
    /// A b-thread that follows a script, to which [`BThread::then`] adds sync points.
    pub fn new(name: impl Into<Name>) -> Self {
        let body = Body::Script { script: Arc::new(Script::new()), position: 0 };
        Self { name: name.into(), body }
    }

    /// One member of a family of b-threads that follow scripts.
    pub fn of(family: impl fmt::Display, parameter: impl fmt::Display) -> Self {
        Self::new(Name::of(family, parameter))
    }

    /// A b-thread with a state of its own.
    ///
    /// With the feature `serde`, `BThread::persistent` makes one that a snapshot
    /// can write down.
    pub fn behaving(name: impl Into<Name>, behaviour: impl Behaviour<E>) -> Self {
        Self::held(name.into(), Box::new(Held::new(behaviour)))
    }

    /// A b-thread with a state of its own that a snapshot can write down.
    #[cfg(feature = "serde")]
    pub fn persistent<B>(name: impl Into<Name>, behaviour: B) -> Self
    where
        B: Behaviour<E> + serde::Serialize + serde::de::DeserializeOwned,
    {
        Self::held(name.into(), Box::new(Held::written_with(behaviour, Codec::new())))
    }

    fn held(name: Name, state: Box<dyn AnyBehaviour<E>>) -> Self {
        let state = state.sync_point().is_some().then_some(state);
        Self { name, body: Body::Behaviour(Stateful { state, is_mixed: false }) }
    }

    /// Adds a sync point at the end of the script.
    ///
    /// A b-thread with a state has no script: a program refuses it with
    /// [`ProgramError::Mixed`](crate::ProgramError::Mixed) if one is added.
    #[must_use]
    pub fn then(self, point: SyncPoint<E>) -> Self {
        self.edit(|script| script.push(point))
    }

    /// Starts the script over whenever it is through.
    #[must_use]
    pub fn forever(self) -> Self {
        self.edit(|script| script.repeat(Repeat::Forever))
    }

    /// Goes through the script so many times.
    #[must_use]
    pub fn times(self, times: u32) -> Self {
        self.edit(|script| script.repeat(Repeat::Times(times)))
    }

    /// Starts the script over while the event that brought it to its end is one of the set.
    #[must_use]
    pub fn repeat_while(self, set: impl Into<EventSet<E>>) -> Self {
        self.edit(|script| script.repeat(Repeat::While(set.into())))
    }

    fn edit(mut self, edit: impl FnOnce(&mut Script<E>)) -> Self {
        match &mut self.body {
            Body::Script { script, .. } => edit(Arc::make_mut(script)),
            Body::Behaviour(stateful) => stateful.is_mixed = true,
        }
        self
    }

    /// What the b-thread is called.
    pub fn name(&self) -> &Name {
        &self.name
    }

    /// Where the b-thread stands, or `None` when it has ended.
    pub fn sync_point(&self) -> Option<Cow<'_, SyncPoint<E>>> {
        match &self.body {
            Body::Script { script, position } => script.point(*position).map(Cow::Borrowed),
            Body::Behaviour(stateful) => stateful.sync_point().map(Cow::Owned),
        }
    }

    /// Whether the b-thread is through.
    pub fn has_ended(&self) -> bool {
        match &self.body {
            Body::Script { script, position } => *position >= script.end(),
            Body::Behaviour(stateful) => stateful.state.is_none(),
        }
    }

    /// Goes on to the next sync point because of an event that was requested or waited for.
    pub fn go_on(&mut self, event: &E) {
        match &mut self.body {
            Body::Script { script, position } => *position = script.next(*position, event),
            Body::Behaviour(stateful) => go_on(&mut stateful.state, event),
        }
    }

    /// Ends the b-thread where it stands.
    pub fn end(&mut self) {
        match &mut self.body {
            Body::Script { script, position } => *position = script.end(),
            Body::Behaviour(stateful) => stateful.state = None,
        }
    }

    /// The state, if it has one instead of a script.
    pub(crate) fn state(&self) -> Option<&State<E>> {
        match &self.body {
            Body::Script { .. } => None,
            Body::Behaviour(stateful) => Some(&stateful.state),
        }
    }

    /// Writes down all that it does, for a fingerprint.
    pub(crate) fn spell(&self, out: &mut dyn fmt::Write) -> fmt::Result {
        writeln!(out, "{}", self.name)?;
        match &self.body {
            Body::Script { script, .. } => script.spell(out),
            Body::Behaviour(_) => write!(out, "{self}"),
        }
    }

    /// The same b-thread, at its end if it is past it.
    ///
    /// A script that was shortened after it went on would be.
    pub(crate) fn clamped(mut self) -> Self {
        if let Body::Script { script, position } = &mut self.body {
            *position = script.end().min(*position);
        }
        self
    }

    pub(crate) fn body(&self) -> &Body<E> {
        &self.body
    }

    pub(crate) fn body_mut(&mut self) -> &mut Body<E> {
        &mut self.body
    }
}

/// Lets a behaviour go on; a state without a sync point is dropped, so that
/// ended b-threads are equal however they ended.
pub(crate) fn go_on<E: Event>(state: &mut State<E>, event: &E) {
    if let Some(behaviour) = state {
        behaviour.go_on(event);
        if behaviour.sync_point().is_none() {
            *state = None;
        }
    }
}

impl<E: Event> Stateful<E> {
    fn sync_point(&self) -> Option<SyncPoint<E>> {
        self.state.as_ref().and_then(|state| state.sync_point())
    }
}

/// The name and, line by line, what the b-thread does.
impl<E: Event> fmt::Display for BThread<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.name)?;
        match &self.body {
            Body::Script { script, .. } => script.fmt(f),
            Body::Behaviour(stateful) => match &stateful.state {
                Some(state) => writeln!(f, "  {state:?}"),
                None => Ok(()),
            },
        }
    }
}
