//! B-threads as they are written: a name and a script.

use std::fmt;

use crate::any_b_thread::AnyBThread;
use crate::behaviour::Behaviour;
use crate::event::Event;
use crate::event_set::EventSet;
use crate::name::Name;
use crate::script::{Repeat, Script};
use crate::sync_point::SyncPoint;

/// A b-thread that follows a script: sync points in order, repeated if needed.
///
/// ```
/// use bthread::{BThread, Program, request, wait_for};
///
/// let kettle = BThread::new("Kettle").then(wait_for("filled")).then(request("boiling"));
/// let guests = BThread::new("Guests").then(request("pour").block("filled").times(3));
/// let (mut run, opening) = Program::new([kettle, guests])?.start()?;
/// assert_eq!(opening.events, ["pour", "pour", "pour"]);
/// assert_eq!(run.trigger("filled")?.events, ["filled", "boiling"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// A script cannot count or branch. A b-thread that must do so is a [`Behaviour`]
/// (see [`BThread::behaving`]). It has no script, so nothing can be added to it:
///
/// ```compile_fail,E0599
/// # use bthread::{BThread, Behaviour, SyncPoint, request};
/// # #[derive(Clone, Debug, PartialEq, Eq, Hash)]
/// # struct Pedometer;
/// # impl Behaviour<&'static str> for Pedometer {
/// #     fn sync_point(&self) -> Option<SyncPoint<&'static str>> { None }
/// #     fn go_on(&mut self, _: &&'static str) {}
/// # }
/// BThread::behaving("Pedometer", Pedometer).then(request("ring"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct BThread<E: Event> {
    name: Name,
    script: Script<E>,
}

impl<E: Event> BThread<E> {
    /// A b-thread without sync points; [`BThread::then`] adds them.
    pub fn new(name: impl Into<Name>) -> Self {
        Self { name: name.into(), script: Script::new() }
    }

    /// One member of a family of b-threads, such as `SquareTaken(b2)`.
    pub fn of(family: impl fmt::Display, parameter: impl fmt::Display) -> Self {
        Self::new(Name::of(family, parameter))
    }

    /// A b-thread with a state of its own instead of a script.
    ///
    /// Snapshots with such a b-thread cannot be serialized, unless
    /// `BThread::persistent` (feature `serde`) made it.
    pub fn behaving(name: impl Into<Name>, behaviour: impl Behaviour<E>) -> AnyBThread<E> {
        AnyBThread::behaving(name.into(), behaviour)
    }

    /// A b-thread with a state of its own that can be serialized.
    #[cfg(feature = "serde")]
    pub fn persistent<B>(name: impl Into<Name>, behaviour: B) -> AnyBThread<E>
    where
        B: Behaviour<E> + serde::Serialize + serde::de::DeserializeOwned,
    {
        AnyBThread::persistent(name.into(), behaviour)
    }

    /// Adds a sync point, or several, to the end of the script.
    ///
    /// ```
    /// use bthread::{BThread, request, wait_for};
    ///
    /// let parade = ["elephant", "lion", "clown"].map(request);
    /// let show = BThread::new("Show").then(wait_for("bell").times(3)).then(parade);
    /// # let _ = show;
    /// ```
    #[must_use]
    pub fn then(mut self, points: impl IntoIterator<Item = SyncPoint<E>>) -> Self {
        self.script.extend(points);
        self
    }

    /// Adds sync points that repeat for ever, after those that were added before.
    ///
    /// ```
    /// use bthread::{BThread, Program, request, wait_for};
    ///
    /// let lamp = BThread::new("Lamp").then(wait_for("power")).then_forever([
    ///     wait_for("press"),
    ///     request("on"),
    /// ]);
    /// let (mut run, _) = Program::new([lamp])?.start()?;
    /// run.trigger("power")?;
    /// for _ in 0..3 {
    ///     assert_eq!(run.trigger("press")?.events, ["press", "on"]);
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn then_forever(self, points: impl IntoIterator<Item = SyncPoint<E>>) -> Self {
        self.then_while(EventSet::everything(), points)
    }

    /// Adds sync points that repeat as long as their last event is in the set. More sync points may
    /// follow.
    ///
    /// ```
    /// use bthread::{BThread, Program, request, wait_for};
    ///
    /// let cook = BThread::new("Cook")
    ///     .then(request("fry"))
    ///     .then_while("more", [wait_for(["more", "enough"])])
    ///     .then(request("serve"));
    /// let (mut run, _) = Program::new([cook])?.start()?;
    /// assert_eq!(run.trigger("more")?.events, ["more"]);
    /// assert_eq!(run.trigger("more")?.events, ["more"]);
    /// assert_eq!(run.trigger("enough")?.events, ["enough", "serve"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn then_while(
        mut self,
        again: impl Into<EventSet<E>>,
        points: impl IntoIterator<Item = SyncPoint<E>>,
    ) -> Self {
        self.script.extend_with_loop(again.into(), points);
        self
    }

    /// Repeats the whole script for ever.
    #[must_use]
    pub fn forever(self) -> Self {
        self.repeat(Repeat::Forever)
    }

    /// Goes through the whole script `times` times.
    #[must_use]
    pub fn times(self, times: u32) -> Self {
        self.repeat(Repeat::Times(times))
    }

    /// Repeats the whole script as long as its last event is in the set.
    #[must_use]
    pub fn repeat_while(self, set: impl Into<EventSet<E>>) -> Self {
        self.repeat(Repeat::While(set.into()))
    }

    fn repeat(mut self, repeat: Repeat<E>) -> Self {
        self.script.repeat(repeat);
        self
    }

    /// The name of the b-thread.
    pub fn name(&self) -> &Name {
        &self.name
    }
}

impl<E: Event> From<BThread<E>> for AnyBThread<E> {
    fn from(BThread { name, script }: BThread<E>) -> Self {
        Self::scripted(name, script)
    }
}
