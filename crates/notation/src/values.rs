//! Values and their kinds.

use std::cmp::Ordering;
use std::sync::Arc;

use bthread::sorting::sort;

/// A value: a number, a member of a declared set, a set of values, or a row.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum TextValue {
    /// No value: a square beyond the edge, nobody.
    Missing,
    Number(i64),
    /// A member of the list of names of this number.
    Member(u32, u32),
    /// A set, sorted and without repetitions.
    Set(Arc<[Self]>),
    /// A row of the table of this number.
    Row(u32, u32),
}

/// What a value is. Values of different kinds are never equal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ValueKind {
    /// Any kind: nobody, or the members of an empty set.
    Unknown,
    Number,
    Member(u32),
    SetOf(Box<Self>),
    Row(u32),
}

impl TextValue {
    /// The set of these values.
    pub(crate) fn set(mut members: Vec<Self>) -> Self {
        members.retain(|member| *member != Self::Missing);
        sort(&mut members);
        members.dedup();
        Self::Set(members.into())
    }

    /// The members of a set; the value alone if it is no set, and nothing if it is missing.
    pub(crate) fn members(&self) -> &[Self] {
        match self {
            Self::Missing => &[],
            Self::Set(members) => members,
            other => std::slice::from_ref(other),
        }
    }

    /// The number of values that it consists of, members of members included.
    pub(crate) fn size(&self) -> usize {
        match self {
            Self::Set(members) => 1 + members.iter().map(Self::size).sum::<usize>(),
            _ => 1,
        }
    }

    pub(crate) fn contains(&self, value: &Self) -> bool {
        match self {
            Self::Set(members) => members.binary_search(value).is_ok(),
            other => other == value && *value != Self::Missing,
        }
    }

    /// The order of two values, if they are of one kind.
    pub(crate) fn order(&self, other: &Self) -> Option<Ordering> {
        match (self, other) {
            (Self::Number(one), Self::Number(other)) => Some(one.cmp(other)),
            (Self::Member(kind, one), Self::Member(same, other)) if kind == same => {
                Some(one.cmp(other))
            }
            (one, other) if one == other => Some(Ordering::Equal),
            _ => None,
        }
    }
}

impl ValueKind {
    pub(crate) fn set_of(self) -> Self {
        Self::SetOf(Box::new(self))
    }

    /// The kind of both, if a value can be of both.
    pub(crate) fn with(&self, other: &Self) -> Option<Self> {
        match (self, other) {
            (Self::Unknown, other) => Some(other.clone()),
            (one, Self::Unknown) => Some(one.clone()),
            (Self::SetOf(one), Self::SetOf(other)) => Some(one.with(other)?.set_of()),
            (one, other) => (one == other).then(|| one.clone()),
        }
    }

    /// The kind of the members, if it is a set.
    pub(crate) fn member(&self) -> Option<&Self> {
        match self {
            Self::SetOf(member) => Some(member),
            _ => None,
        }
    }
}
