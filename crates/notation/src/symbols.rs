//! Everything that a text declares: parameters, sets, rows and events.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::span::Span;
use crate::values::{TextValue, ValueKind};

/// What was declared so far.
#[derive(Clone, Debug, Default)]
pub(crate) struct Symbols {
    pub(crate) parameters: Vec<(String, i64)>,
    /// Lists of names: the members of sets that are no numbers.
    pub(crate) lists: Vec<NameList>,
    pub(crate) sets: Vec<NamedSet>,
    pub(crate) tables: Vec<RowTable>,
    pub(crate) families: Vec<EventFamily>,
    /// The values with names.
    pub(crate) values: FxHashMap<String, TextValue>,
    /// The number of the list of seats, in a game.
    pub(crate) seats: Option<u32>,
    /// Names whose declarations have mistakes. They are not reported once more where they are used.
    pub(crate) broken: Vec<String>,
    /// Names that are declared further below.
    pub(crate) later: Vec<String>,
}

#[derive(Clone, Debug)]
pub(crate) struct NameList {
    pub(crate) set: String,
    pub(crate) names: Vec<String>,
    /// The number of columns, if it is a grid.
    pub(crate) columns: Option<u32>,
    pub(crate) is_ring: bool,
}

/// A declared set.
#[derive(Clone, Debug)]
pub(crate) struct NamedSet {
    pub(crate) name: String,
    /// In the order of the declaration.
    pub(crate) members: Arc<[TextValue]>,
    pub(crate) kind: ValueKind,
    pub(crate) is_ring: bool,
    /// Whether it was declared as `lines of`.
    pub(crate) is_lines: bool,
    places: FxHashMap<TextValue, u32>,
    /// The set as a value.
    value: TextValue,
}

#[derive(Clone, Debug)]
pub(crate) struct RowTable {
    pub(crate) columns: Vec<(String, ValueKind)>,
    pub(crate) rows: Vec<Vec<TextValue>>,
}

/// The events of one name.
#[derive(Clone, Debug)]
pub(crate) struct EventFamily {
    pub(crate) name: String,
    pub(crate) span: Span,
    pub(crate) parameters: Vec<EventParameter>,
    /// The number of its first event, and how many it has.
    pub(crate) first: u32,
    pub(crate) count: u32,
    /// The places of the arguments of each event in the sets of its parameters.
    pub(crate) arguments: Vec<u32>,
    /// Whether it has an event for every combination of values.
    pub(crate) is_full: bool,
}

#[derive(Clone, Debug)]
pub(crate) struct EventParameter {
    pub(crate) name: String,
    pub(crate) set: u32,
}

impl NamedSet {
    pub(crate) fn new(name: String, members: Vec<TextValue>, kind: ValueKind) -> Self {
        let places = (0..).zip(&members).map(|(place, member)| (member.clone(), place)).collect();
        let value = TextValue::set(members.clone());
        let members = members.into();
        Self { name, members, kind, is_ring: false, is_lines: false, places, value }
    }

    /// The place of a value in the set.
    pub(crate) fn place(&self, value: &TextValue) -> Option<u32> {
        // To look up a set, all of it is read.
        let can_be_member = matches!(self.kind, ValueKind::SetOf(_) | ValueKind::Unknown)
            || !matches!(value, TextValue::Set(_));
        if can_be_member { self.places.get(value).copied() } else { None }
    }

    /// The set as a value.
    pub(crate) fn value(&self) -> TextValue {
        self.value.clone()
    }
}

impl EventFamily {
    /// The places of the arguments of an event in the sets of the parameters.
    pub(crate) fn arguments_of(&self, event: u32) -> &[u32] {
        let width = self.parameters.len();
        let start = (event - self.first) as usize * width;
        self.arguments.get(start..start + width).unwrap_or(&[])
    }

    pub(crate) fn has(&self, event: u32) -> bool {
        (self.first..self.first + self.count).contains(&event)
    }

    pub(crate) fn parameter(&self, name: &str) -> Option<usize> {
        self.parameters.iter().position(|parameter| parameter.name == name)
    }
}

impl Symbols {
    pub(crate) fn set_number(&self, name: &str) -> Option<u32> {
        let place = self.sets.iter().position(|set| set.name == name)?;
        u32::try_from(place).ok()
    }

    pub(crate) fn set(&self, number: u32) -> &NamedSet {
        &self.sets[number as usize]
    }

    pub(crate) fn parameter(&self, name: &str) -> Option<i64> {
        self.parameters.iter().find(|(known, _)| known == name).map(|(_, value)| *value)
    }

    pub(crate) fn family_number(&self, name: &str) -> Option<usize> {
        self.families.iter().position(|family| family.name == name)
    }

    /// The argument of an event for a parameter of its family.
    pub(crate) fn argument(&self, family: &EventFamily, event: u32, parameter: usize) -> TextValue {
        let set = self.set(family.parameters[parameter].set);
        let place = family.arguments_of(event).get(parameter).copied().unwrap_or(0);
        set.members.get(place as usize).cloned().unwrap_or(TextValue::Missing)
    }

    /// The number of events.
    pub(crate) fn events(&self) -> u32 {
        self.families.last().map_or(0, |family| family.first + family.count)
    }

    /// The number of a seat that a value is.
    pub(crate) fn seat(&self, value: &TextValue) -> Option<u8> {
        match value {
            TextValue::Member(list, place) if Some(*list) == self.seats => {
                u8::try_from(*place).ok()
            }
            _ => None,
        }
    }

    /// A value as it is written.
    pub(crate) fn write(&self, value: &TextValue) -> String {
        match value {
            TextValue::Missing => "nobody".to_owned(),
            TextValue::Number(number) => number.to_string(),
            TextValue::Member(list, place) => {
                let list = &self.lists[*list as usize];
                list.names.get(*place as usize).cloned().unwrap_or_default()
            }
            TextValue::Set(members) => format!("{{{}}}", self.write_all(members, " ")),
            TextValue::Row(table, row) => {
                let row = &self.tables[*table as usize].rows[*row as usize];
                self.write_all(row, " ")
            }
        }
    }

    pub(crate) fn write_all(&self, values: &[TextValue], between: &str) -> String {
        values.iter().map(|value| self.write(value)).collect::<Vec<_>>().join(between)
    }

    /// A kind in words: `a number`, `a square`.
    pub(crate) fn describe(&self, kind: &ValueKind) -> String {
        match kind {
            ValueKind::Unknown => "a value".to_owned(),
            ValueKind::Number => "a number".to_owned(),
            ValueKind::Member(list) => format!("a `{}`", self.lists[*list as usize].set),
            ValueKind::SetOf(member) => match &**member {
                ValueKind::Number => "a set of numbers".to_owned(),
                ValueKind::Member(list) => {
                    format!("a set of `{}`", self.lists[*list as usize].set)
                }
                _ => "a set".to_owned(),
            },
            ValueKind::Row(_) => "a row".to_owned(),
        }
    }
}
