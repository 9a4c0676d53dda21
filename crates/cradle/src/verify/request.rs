//! What to verify, and how far to search.

use bthread::Name;

use super::property::{CheckedProperty, GeneralProperty, RequirementName};
use super::subject::Subject;
use crate::nearest::UnknownName;

/// What to verify, and how far to search.
#[derive(Debug)]
pub(super) struct VerifyRequest {
    /// The b-threads and families to remove.
    pub(super) without: Vec<String>,
    /// The properties, each once.
    pub(super) properties: Vec<CheckedProperty>,
    /// Where the search stops.
    pub(super) extent: SearchExtent,
    /// The most states to visit.
    pub(super) max_states: Option<u64>,
    /// The number of threads that search.
    pub(super) threads: u16,
    /// The number of states to draw, if any.
    pub(super) drawn: Option<usize>,
}

/// Where the search stops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SearchExtent {
    FirstViolation,
    AllViolations,
}

/// Why a request makes no sense. Nothing was checked.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum InvalidRequest {
    /// No property has this name.
    #[error(transparent)]
    Unknown(#[from] UnknownName),
    /// The request removes the b-thread of a property that it asks for.
    #[error("{0} cannot be checked without its own b-thread")]
    TakenAway(&'static str),
    /// The request removes all requirements and asks for nothing else.
    #[error("all requirements are removed, so there is nothing to check")]
    Nothing,
}

/// The words, each once. Every one must name a b-thread or a family of the game.
pub(super) fn known_threads(
    subject: &dyn Subject,
    words: &[String],
) -> Result<Vec<String>, UnknownName> {
    let threads = subject.threads();
    let mut known: Vec<String> = Vec::new();
    for words in words {
        if !threads.iter().any(|name| name.is(words)) {
            let comparable = comparable(&threads, words);
            return Err(UnknownName::new("b-thread or family", words, comparable));
        }
        if !known.contains(words) {
            known.push(words.clone());
        }
    }
    Ok(known)
}

/// The names to compare with unknown words: the members of the family that they name, or else all
/// families.
fn comparable<'a>(threads: &'a [Name], words: &str) -> Vec<&'a str> {
    let family = Name::from(words);
    let members = threads.iter().filter(|name| name.family() == family.family());
    let mut known: Vec<&str> = members.map(Name::as_str).collect();
    if known.is_empty() {
        known = threads.iter().map(Name::family).collect();
        known.dedup();
    }
    known
}

/// The properties with these names; without names, the requirements of the game.
pub(super) fn properties(
    subject: &dyn Subject,
    names: &[String],
    without: &[String],
) -> Result<Vec<CheckedProperty>, InvalidRequest> {
    let remains = |thread: &str| !without.iter().any(|words| Name::from(thread).is(words));
    if names.is_empty() {
        let requirements = subject.requirements().iter().copied();
        let left = requirements.filter(|requirement| remains(requirement.thread));
        let properties: Vec<CheckedProperty> = left.map(CheckedProperty::Requirement).collect();
        return if properties.is_empty() { Err(InvalidRequest::Nothing) } else { Ok(properties) };
    }
    let mut properties = Vec::new();
    for name in names {
        let property = find(subject.requirements(), name)?;
        match property {
            CheckedProperty::Requirement(requirement) if !remains(requirement.thread) => {
                return Err(InvalidRequest::TakenAway(requirement.thread));
            }
            _ if properties.contains(&property) => {}
            _ => properties.push(property),
        }
    }
    Ok(properties)
}

fn find(requirements: &[RequirementName], name: &str) -> Result<CheckedProperty, UnknownName> {
    let requirements = requirements.iter().copied().map(CheckedProperty::Requirement);
    let all: Vec<CheckedProperty> =
        requirements.chain(GeneralProperty::ALL.map(CheckedProperty::GeneralProperty)).collect();
    let found = all.iter().copied().find(|property| property.name() == name);
    let known = || all.iter().copied().map(CheckedProperty::name).collect();
    found.ok_or_else(|| UnknownName::new("property", name, known()))
}
