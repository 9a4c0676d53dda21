//! What can happen.

use std::fmt::{Debug, Display};
use std::hash::Hash;

/// Something that can happen: your own type, usually an enum.
///
/// Events that belong together share a *kind*: all X moves, all wins. A set of a
/// whole kind is as cheap as a set of one event, and a predicate is only called
/// for events of the kinds that it names. Without kinds, three lines make an
/// event type (see [`plain_event`](crate::plain_event)):
///
/// ```
/// #[derive(Clone, Debug, PartialEq, Eq, Hash)]
/// enum Lamp { On, Off }
/// bthread::plain_event!(Lamp);
///
/// use bthread::{BThread, Program, request};
///
/// let blink = BThread::new("Blink").then([Lamp::On, Lamp::Off].map(request)).times(2);
/// let (_, opening) = Program::new([blink])?.start()?;
/// assert_eq!(opening.events, [Lamp::On, Lamp::Off, Lamp::On, Lamp::Off]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an event",
    label = "not an event",
    note = "to request one of several events, write `request_any([a, b])`; to wait for several, write `wait_for([a, b])`",
    note = "`bthread::plain_event!({Self});` makes an event of your own type"
)]
pub trait Event: Clone + Eq + Hash + Debug + Display + Send + Sync + 'static {
    /// What events that belong together have in common.
    type Kind: Clone + Eq + Hash + Debug + Display + Send + Sync + 'static;

    /// The kind of this event.
    fn kind(&self) -> Self::Kind;
}

/// Words are events for small programs and first steps; each is a kind of its own.
impl Event for &'static str {
    type Kind = Self;

    fn kind(&self) -> Self {
        self
    }
}

/// Makes an [`Event`] of a type that wants no kinds: each event is a kind of its
/// own and is displayed as `Debug` shows it.
#[macro_export]
macro_rules! plain_event {
    ($event:ty) => {
        impl $crate::Event for $event {
            type Kind = Self;

            fn kind(&self) -> Self {
                self.clone()
            }
        }

        impl ::std::fmt::Display for $event {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                ::std::fmt::Debug::fmt(self, f)
            }
        }
    };
}
