//! B-threads as programs run them: scripted or with a state, and how far each has come.

use std::any::TypeId;
use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use crate::behaviour::{AnyBehaviour, Behaviour, StoredBehaviour};
use crate::event::Event;
use crate::event_set::Predicate;
use crate::name::Name;
#[cfg(feature = "serde")]
use crate::persistence::Codec;
use crate::script::Script;
use crate::sync_point::SyncPoint;

/// Any b-thread as a value: its name, its script or state, and how far it has come.
///
/// Scripts become one with `into`; [`BThread::behaving`](crate::BThread::behaving)
/// makes one with a state. Programs take both.
///
/// ```
/// use bthread::{AnyBThread, BThread, request, wait_for};
///
/// let kettle = BThread::new("Kettle").then(wait_for("filled")).then(request("boiling"));
/// let mut kettle = AnyBThread::from(kettle);
/// assert_eq!(kettle.sync_point().unwrap().to_string(), "wait for filled");
/// kettle.go_on(&"filled");
/// assert_eq!(kettle.sync_point().unwrap().requests(), ["boiling"]);
/// kettle.go_on(&"boiling");
/// assert!(kettle.has_ended());
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct AnyBThread<E: Event> {
    name: Name,
    body: Body<E>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Body<E: Event> {
    Script { script: Arc<Script<E>>, position: u32 },
    Behaviour(BehaviourState<E>),
}

/// The state of a behaviour, or `None` once it has ended.
pub(crate) type BehaviourState<E> = Option<Box<dyn AnyBehaviour<E>>>;

impl<E: Event> AnyBThread<E> {
    pub(crate) fn scripted(name: Name, script: Script<E>) -> Self {
        Self { name, body: Body::Script { script: Arc::new(script), position: 0 } }
    }

    pub(crate) fn behaving(name: Name, behaviour: impl Behaviour<E>) -> Self {
        Self::stateful(name, Box::new(StoredBehaviour::new(behaviour)))
    }

    #[cfg(feature = "serde")]
    pub(crate) fn persistent<B>(name: Name, behaviour: B) -> Self
    where
        B: Behaviour<E> + serde::Serialize + serde::de::DeserializeOwned,
    {
        Self::stateful(name, Box::new(StoredBehaviour::with_codec(behaviour, Codec::new())))
    }

    /// A list of b-threads, scripted or not.
    ///
    /// ```
    /// use bthread::{AnyBThread, BThread, request};
    ///
    /// let rules = AnyBThread::all(["a", "b"].map(|word| BThread::new(word).then(request(word))));
    /// assert_eq!(rules.len(), 2);
    /// ```
    pub fn all(threads: impl IntoIterator<Item = impl Into<Self>>) -> Vec<Self> {
        threads.into_iter().map(Into::into).collect()
    }

    fn stateful(name: Name, state: Box<dyn AnyBehaviour<E>>) -> Self {
        let state = state.sync_point().is_some().then_some(state);
        Self { name, body: Body::Behaviour(state) }
    }

    /// The name of the b-thread.
    pub fn name(&self) -> &Name {
        &self.name
    }

    /// The present sync point, or `None` if the b-thread has ended.
    pub fn sync_point(&self) -> Option<Cow<'_, SyncPoint<E>>> {
        match &self.body {
            Body::Script { script, position } => script.point(*position).map(Cow::Borrowed),
            Body::Behaviour(state) => {
                state.as_ref().and_then(|state| state.sync_point()).map(Cow::Owned)
            }
        }
    }

    /// Whether the b-thread has ended.
    pub fn has_ended(&self) -> bool {
        match &self.body {
            Body::Script { script, position } => *position >= script.end(),
            Body::Behaviour(state) => state.is_none(),
        }
    }

    /// Whether the b-thread may reach a sync point that passes the test; `None` if it has a state, so
    /// that its sync points are unknown.
    pub fn may_reach(&self, test: impl Fn(&SyncPoint<E>) -> bool) -> Option<bool> {
        match &self.body {
            Body::Script { script, .. } => Some(script.points().iter().any(test)),
            Body::Behaviour(_) => None,
        }
    }

    /// Goes on to the next sync point, after an event that the present one requests or waits for.
    pub fn go_on(&mut self, event: &E) {
        match &mut self.body {
            Body::Script { script, position } => *position = script.next(*position, event),
            Body::Behaviour(state) => go_on(state, event),
        }
    }

    /// Ends the b-thread.
    pub fn end(&mut self) {
        match &mut self.body {
            Body::Script { script, position } => *position = script.end(),
            Body::Behaviour(state) => *state = None,
        }
    }

    /// The state, unless the b-thread follows a script.
    pub(crate) fn state(&self) -> Option<&BehaviourState<E>> {
        match &self.body {
            Body::Script { .. } => None,
            Body::Behaviour(state) => Some(state),
        }
    }

    /// Writes the whole definition, for a fingerprint.
    pub(crate) fn spell(&self, out: &mut dyn fmt::Write) -> fmt::Result {
        writeln!(out, "{}", self.name)?;
        match &self.body {
            Body::Script { script, .. } => script.spell(out),
            Body::Behaviour(_) => write!(out, "{self}"),
        }
    }

    /// Calls `show` with the type of the behaviour, or the types of all predicates in the script.
    pub(crate) fn types(&self, show: &mut dyn FnMut(TypeId)) {
        match &self.body {
            Body::Script { .. } => self.predicates(&mut |each| show(each.test_type())),
            Body::Behaviour(Some(state)) => show(state.behaviour().type_id()),
            Body::Behaviour(None) => {}
        }
    }

    /// Calls `show` with all predicates in the script.
    pub(crate) fn predicates<'a>(&'a self, show: &mut dyn FnMut(&'a Predicate<E>)) {
        if let Body::Script { script, .. } = &self.body {
            script.predicates(show);
        }
    }

    pub(crate) fn body(&self) -> &Body<E> {
        &self.body
    }

    pub(crate) fn body_mut(&mut self) -> &mut Body<E> {
        &mut self.body
    }
}

/// Lets a behaviour go on. A state without a sync point is dropped, so that
/// ended b-threads are equal however they ended.
pub(crate) fn go_on<E: Event>(state: &mut BehaviourState<E>, event: &E) {
    if let Some(behaviour) = state {
        behaviour.go_on(event);
        if behaviour.sync_point().is_none() {
            *state = None;
        }
    }
}

/// The name, and line by line the script, or the state.
impl<E: Event> fmt::Display for AnyBThread<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.name)?;
        match &self.body {
            Body::Script { script, .. } => script.fmt(f),
            Body::Behaviour(Some(state)) => writeln!(f, "  {state:?}"),
            Body::Behaviour(None) => Ok(()),
        }
    }
}
