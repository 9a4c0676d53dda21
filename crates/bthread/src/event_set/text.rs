//! The text of a set of events.

use std::fmt;

use super::{EventSet, SetShape};
use crate::event::Event;

impl<E: Event> fmt::Display for EventSet<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut left = vec![SetText::Set(self)];
        while let Some(next) = left.pop() {
            match next {
                SetText::Word(word) => f.write_str(word)?,
                SetText::Set(set) => set.write(f, &mut left)?,
            }
        }
        Ok(())
    }
}

/// A part of the text of a set.
enum SetText<'a, E: Event> {
    Word(&'static str),
    Set(&'a EventSet<E>),
}

impl<E: Event> EventSet<E> {
    /// Writes the beginning of the text, and puts the rest on the stack.
    fn write<'a>(
        &'a self,
        f: &mut fmt::Formatter<'_>,
        left: &mut Vec<SetText<'a, E>>,
    ) -> fmt::Result {
        if let Some(name) = &self.name {
            return f.write_str(name);
        }
        match &self.shape {
            SetShape::Listed(events) => match &**events {
                [] => f.write_str("nothing"),
                [event] => fmt::Display::fmt(event, f),
                several => write_joined(f, several, "{", ", ", "}"),
            },
            SetShape::Kind(kind) => fmt::Display::fmt(kind, f),
            SetShape::Matching(predicate) => f.write_str(&predicate.name),
            SetShape::Everything => f.write_str("everything"),
            SetShape::Union(sets) => match &***sets {
                [] => f.write_str("nothing"),
                [set] => {
                    left.push(SetText::Set(set));
                    Ok(())
                }
                several => {
                    push_joined(left, several, " or ");
                    f.write_str("(")
                }
            },
            SetShape::Intersection(both) => {
                push_joined(left, &both.sets, " and ");
                f.write_str("(")
            }
            SetShape::Complement(set) => {
                left.push(SetText::Set(set));
                f.write_str("not ")
            }
        }
    }
}

/// Puts sets with words between them on the stack, and a closing bracket behind them.
fn push_joined<'a, E: Event>(
    left: &mut Vec<SetText<'a, E>>,
    sets: &'a [EventSet<E>],
    between: &'static str,
) {
    left.push(SetText::Word(")"));
    for (place, set) in sets.iter().enumerate().rev() {
        left.push(SetText::Set(set));
        if place > 0 {
            left.push(SetText::Word(between));
        }
    }
}

impl<E: Event> fmt::Debug for EventSet<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "EventSet({self})")
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
