//! B-threads with a state of their own, for what a script cannot express.

use std::any::Any;
use std::fmt::Debug;
use std::hash::{Hash, Hasher};

use crate::event::Event;
#[cfg(feature = "serde")]
use crate::persistence::{Codec, ReadBehaviour};
use crate::sync_point::SyncPoint;

/// A state with a step function.
///
/// The state must depend only on the events that it saw. It must not panic, and
/// neither must a predicate: a run in which that happened must not be used again.
///
/// ```
/// use bthread::{BThread, Behaviour, Program, SyncPoint, request, wait_for};
///
/// /// Rings once for every three steps.
/// #[derive(Clone, Debug, PartialEq, Eq, Hash)]
/// struct Pedometer {
///     steps: u32,
/// }
///
/// impl Behaviour<&'static str> for Pedometer {
///     fn sync_point(&self) -> Option<SyncPoint<&'static str>> {
///         Some(if self.steps == 3 { request("ring") } else { wait_for("step") })
///     }
///
///     fn go_on(&mut self, event: &&'static str) {
///         self.steps = if *event == "step" { self.steps + 1 } else { 0 };
///     }
/// }
///
/// let program = Program::new([BThread::behaving("Pedometer", Pedometer { steps: 0 })])?;
/// let (mut run, _) = program.start()?;
/// run.trigger("step")?;
/// run.trigger("step")?;
/// assert_eq!(run.trigger("step")?.events, ["step", "ring"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Behaviour<E: Event>: Clone + Eq + Hash + Debug + Send + Sync + 'static {
    /// The present sync point, or `None` if the b-thread has ended.
    fn sync_point(&self) -> Option<SyncPoint<E>>;

    /// Goes on to the next sync point, after an event that the present one
    /// requests or waits for.
    fn go_on(&mut self, event: &E);
}

/// A behaviour of any type.
pub(crate) trait AnyBehaviour<E: Event>: Debug + Send + Sync {
    fn sync_point(&self) -> Option<SyncPoint<E>>;
    fn go_on(&mut self, event: &E);
    fn boxed_clone(&self) -> Box<dyn AnyBehaviour<E>>;
    fn is_equal(&self, other: &dyn AnyBehaviour<E>) -> bool;
    fn feed(&self, hasher: &mut dyn Hasher);
    fn behaviour(&self) -> &dyn Any;

    /// The state for a serializer, if it can be serialized.
    #[cfg(feature = "serde")]
    fn written(&self) -> Option<&dyn erased_serde::Serialize>;

    /// Reads another state of the same behaviour, if it can be serialized.
    #[cfg(feature = "serde")]
    fn read(&self, from: &mut dyn erased_serde::Deserializer<'_>) -> Option<ReadBehaviour<E>>;
}

/// A behaviour, and how to serialize it.
#[derive(Clone)]
pub(crate) struct StoredBehaviour<B> {
    behaviour: B,
    #[cfg(feature = "serde")]
    codec: Option<Codec<B>>,
}

impl<B> StoredBehaviour<B> {
    pub(crate) fn new(behaviour: B) -> Self {
        Self {
            behaviour,
            #[cfg(feature = "serde")]
            codec: None,
        }
    }

    #[cfg(feature = "serde")]
    pub(crate) fn with_codec(behaviour: B, codec: Codec<B>) -> Self {
        Self { behaviour, codec: Some(codec) }
    }
}

impl<E: Event, B: Behaviour<E>> AnyBehaviour<E> for StoredBehaviour<B> {
    fn sync_point(&self) -> Option<SyncPoint<E>> {
        self.behaviour.sync_point()
    }

    fn go_on(&mut self, event: &E) {
        self.behaviour.go_on(event);
    }

    fn boxed_clone(&self) -> Box<dyn AnyBehaviour<E>> {
        Box::new(self.clone())
    }

    fn is_equal(&self, other: &dyn AnyBehaviour<E>) -> bool {
        other.behaviour().downcast_ref() == Some(&self.behaviour)
    }

    fn feed(&self, mut hasher: &mut dyn Hasher) {
        self.behaviour.hash(&mut hasher);
    }

    fn behaviour(&self) -> &dyn Any {
        &self.behaviour
    }

    #[cfg(feature = "serde")]
    fn written(&self) -> Option<&dyn erased_serde::Serialize> {
        self.codec.as_ref().map(|codec| codec.written(&self.behaviour))
    }

    #[cfg(feature = "serde")]
    fn read(&self, from: &mut dyn erased_serde::Deserializer<'_>) -> Option<ReadBehaviour<E>> {
        let codec = self.codec.as_ref()?;
        let read = codec.read(from);
        Some(read.map(|behaviour| -> Box<dyn AnyBehaviour<E>> {
            Box::new(Self { behaviour, codec: self.codec.clone() })
        }))
    }
}

impl<B: Debug> Debug for StoredBehaviour<B> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.behaviour.fmt(f)
    }
}

impl<E: Event> Clone for Box<dyn AnyBehaviour<E>> {
    fn clone(&self) -> Self {
        (**self).boxed_clone()
    }
}

impl<E: Event> PartialEq for Box<dyn AnyBehaviour<E>> {
    fn eq(&self, other: &Self) -> bool {
        (**self).is_equal(&**other)
    }
}

impl<E: Event> Eq for Box<dyn AnyBehaviour<E>> {}

impl<E: Event> Hash for Box<dyn AnyBehaviour<E>> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (**self).feed(state);
    }
}
