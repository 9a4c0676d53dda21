//! The events of a text.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use crate::limits::{Budget, Exceeded};
use crate::symbols::Symbols;

/// An event of a text: `mark(X, b2)`.
///
/// Events of one text are compared by number; do not compare events of different texts.
#[derive(Clone)]
pub struct TextEvent {
    number: u32,
    names: Arc<EventNames>,
}

/// A kind of events of a text: all events of a family, or all moves of a seat in it.
#[derive(Clone)]
pub struct TextEventKind {
    number: u32,
    names: Arc<EventNames>,
}

/// What an event takes besides its name, in bytes, about.
const EVENT_BYTES: usize = 100;

/// The names of all events and kinds of a text.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct EventNames {
    names: Vec<Box<str>>,
    kinds: Vec<u32>,
    kind_names: Vec<Box<str>>,
}

impl EventNames {
    /// The names of all events. Moves of different seats are of different kinds; `movers` says
    /// which parameter of each family is the seat that moves.
    ///
    /// # Errors
    /// If they are too long together.
    pub(crate) fn new(
        symbols: &Symbols,
        movers: &[Option<usize>],
        budget: &mut Budget,
    ) -> Result<Self, Exceeded> {
        let mut all = Self::default();
        for (family, mover) in symbols.families.iter().zip(movers) {
            let first_kind = all.kind_names.len();
            let seats = mover.map(|mover| symbols.set(family.parameters[mover].set));
            match seats {
                None => all.kind_names.push(family.name.as_str().into()),
                Some(seats) => {
                    let name = |seat| format!("{}({})", family.name, symbols.write(seat)).into();
                    all.kind_names.extend(seats.members.iter().map(name));
                }
            }
            for event in family.first..family.first + family.count {
                let places = family.arguments_of(event);
                let kind = mover.map_or(0, |mover| places[mover] as usize);
                all.kinds.push(u32::try_from(first_kind + kind).unwrap_or(u32::MAX));
                let values: Vec<_> = (0..places.len())
                    .map(|parameter| symbols.argument(family, event, parameter))
                    .collect();
                let values = symbols.write_all(&values, ", ");
                let name = &family.name;
                let text =
                    if places.is_empty() { name.clone() } else { format!("{name}({values})") };
                budget.steps(1 + text.len() / 8)?;
                budget.keep(EVENT_BYTES + text.len())?;
                all.names.push(text.into());
            }
        }
        Ok(all)
    }

    pub(crate) fn name(&self, event: u32) -> &str {
        self.names.get(event as usize).map_or("", |name| name)
    }

    pub(crate) fn kind(&self, event: u32) -> u32 {
        self.kinds.get(event as usize).copied().unwrap_or(0)
    }

    pub(crate) fn events(&self) -> u32 {
        u32::try_from(self.names.len()).unwrap_or(u32::MAX)
    }
}

impl TextEvent {
    pub(crate) fn new(number: u32, names: &Arc<EventNames>) -> Self {
        Self { number, names: Arc::clone(names) }
    }

    /// Its place in the alphabet.
    #[must_use]
    pub fn number(&self) -> u32 {
        self.number
    }

    /// The event as it is written.
    #[must_use]
    pub fn as_str(&self) -> &str {
        self.names.name(self.number)
    }
}

impl TextEventKind {
    pub(crate) fn new(number: u32, names: &Arc<EventNames>) -> Self {
        Self { number, names: Arc::clone(names) }
    }

    fn as_str(&self) -> &str {
        self.names.kind_names.get(self.number as usize).map_or("", |name| name)
    }
}

impl bthread::Event for TextEvent {
    type Kind = TextEventKind;

    fn kind(&self) -> TextEventKind {
        TextEventKind::new(self.names.kind(self.number), &self.names)
    }
}

macro_rules! by_number {
    ($($name:ident),*) => {$(
        impl PartialEq for $name {
            fn eq(&self, other: &Self) -> bool {
                self.number == other.number
            }
        }

        impl Eq for $name {}

        impl Hash for $name {
            fn hash<H: Hasher>(&self, state: &mut H) {
                state.write_u32(self.number);
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(self.as_str())
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.as_str())
            }
        }
    )*};
}

by_number!(TextEvent, TextEventKind);
