//! What is asked of a game.

use bthread::Name;

use super::property::{Absence, Asked, RequirementName};
use super::subject::Subject;
use crate::nearest::UnknownName;

/// What is asked of a game, and how far one may look for the answers.
#[derive(Debug)]
pub(super) struct Questions {
    /// The b-threads and families that are taken away.
    pub(super) without: Vec<String>,
    /// What is asked, each once.
    pub(super) asked: Vec<Asked>,
    /// Whether the first violation is enough.
    pub(super) extent: Extent,
    /// How many states may be seen.
    pub(super) max_states: Option<u64>,
    /// How many threads look.
    pub(super) threads: u16,
    /// How many states are drawn, if any.
    pub(super) drawn: Option<usize>,
}

/// How much is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Extent {
    FirstViolation,
    AllViolations,
}

/// Why a question makes no sense. Nothing was checked.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum Senseless {
    /// Nobody has this name.
    #[error(transparent)]
    Unknown(#[from] UnknownName),
    /// A requirement is asked about, and its b-thread is taken away.
    #[error("{0} cannot be checked without its own b-thread")]
    TakenAway(&'static str),
    /// All requirements are taken away, and nothing else is asked.
    #[error("all requirements are taken away, so there is nothing to check")]
    Nothing,
}

/// The words, each once, if all of them name b-threads or families of the game.
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

/// The names that the words are compared with: the members of the family that they name, or else
/// all families.
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

/// What is asked of the game: the properties of these names or, if there are none, its requirements.
pub(super) fn asked(
    subject: &dyn Subject,
    names: &[String],
    without: &[String],
) -> Result<Vec<Asked>, Senseless> {
    let remains = |thread: &str| !without.iter().any(|words| Name::from(thread).is(words));
    if names.is_empty() {
        let requirements = subject.requirements().iter().copied();
        let left = requirements.filter(|requirement| remains(requirement.thread));
        let asked: Vec<Asked> = left.map(Asked::Requirement).collect();
        return if asked.is_empty() { Err(Senseless::Nothing) } else { Ok(asked) };
    }
    let mut asked = Vec::new();
    for name in names {
        let property = find(subject.requirements(), name)?;
        match property {
            Asked::Requirement(requirement) if !remains(requirement.thread) => {
                return Err(Senseless::TakenAway(requirement.thread));
            }
            _ if asked.contains(&property) => {}
            _ => asked.push(property),
        }
    }
    Ok(asked)
}

fn find(requirements: &[RequirementName], name: &str) -> Result<Asked, UnknownName> {
    let requirements = requirements.iter().copied().map(Asked::Requirement);
    let all: Vec<Asked> = requirements.chain(Absence::ALL.map(Asked::Absence)).collect();
    let found = all.iter().copied().find(|asked| asked.name() == name);
    let known = || all.iter().copied().map(Asked::name).collect();
    found.ok_or_else(|| UnknownName::new("property", name, known()))
}
