//! What to verify, and how far to search.

use anyhow::{Result, bail};
use bthread::Name;
use game::{Seat, Seats};

use super::subject::{KnownProperty, Subject};
use crate::nearest::UnknownName;

/// What to verify, and how far to search.
#[derive(Clone, Debug)]
pub(super) struct VerifyRequest {
    /// The b-threads and families to remove.
    pub(super) without: Vec<String>,
    /// The seats that follow their strategies. All others may make any move.
    pub(super) strategists: Seats,
    /// The properties, each once.
    pub(super) properties: Vec<KnownProperty>,
    /// What is assumed about endless runs of games whose rules are b-threads in Rust.
    pub(super) fairness: FairnessAssumption,
    /// Where the search stops.
    pub(super) extent: SearchExtent,
    /// The most states to visit.
    pub(super) max_states: u64,
    /// The number of threads that search.
    pub(super) threads: u16,
    /// The number of states to draw, if any.
    pub(super) drawn: Option<usize>,
}

/// What is assumed about endless runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FairnessAssumption {
    /// Nothing.
    None,
    /// A hot request that is possible again and again happens at last.
    HotRequests,
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
    TakenAway(String),
    /// The request removes all requirements and asks for nothing else.
    #[error("all requirements are removed, so there is nothing to check")]
    Nothing,
}

/// The seats that follow their strategies, given words such as `O=any`.
pub(super) fn strategists(subject: &dyn Subject, words: &[String]) -> Result<Seats> {
    let seats = subject.seats();
    let numbered = || (0..).filter_map(Seat::new).zip(&seats);
    let mut following: Seats =
        numbered().filter(|(_, seat)| seat.follows).map(|(number, _)| number).collect();
    for given in words {
        let Some((name, how)) = given.split_once('=') else {
            bail!("{given:?} is no seat with its player: write NAME=bthreads or NAME=any");
        };
        let is_it = |number: Seat, known: &str| {
            known.eq_ignore_ascii_case(name) || (number.index() + 1).to_string() == name
        };
        let found = numbered().find(|(number, seat)| is_it(*number, &seat.name));
        let known = || seats.iter().map(|seat| seat.name.as_str()).collect();
        let (number, seat) = found.ok_or_else(|| UnknownName::new("seat", name, known()))?;
        match how {
            "any" => following = following.iter().filter(|seat| *seat != number).collect(),
            "bthreads" if seat.has_strategies => following = following.with(number),
            "bthreads" => bail!("no strategies are written as b-threads for {}", seat.name),
            _ => bail!("{how:?} is no way to play {}: write bthreads or any", seat.name),
        }
    }
    Ok(following)
}

/// The words, each once. Every one must name a b-thread or a family of the game.
pub(super) fn known_threads(
    threads: &[Name],
    words: &[String],
) -> Result<Vec<String>, UnknownName> {
    let mut known: Vec<String> = Vec::new();
    for words in words {
        if !threads.iter().any(|name| name.is(words)) {
            let comparable = comparable(threads, words);
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

/// Whether a property can be checked without these b-threads.
fn remains(property: &KnownProperty, without: &[String]) -> bool {
    let name = Name::from(property.name.as_str());
    !property.is_thread || !without.iter().any(|words| name.is(words))
}

/// The properties with these names; without names, the usual ones.
pub(super) fn properties(
    known: &[KnownProperty],
    names: &[String],
    without: &[String],
) -> Result<Vec<KnownProperty>, InvalidRequest> {
    if names.is_empty() {
        let usual = known.iter().filter(|property| property.is_usual);
        let left: Vec<KnownProperty> =
            usual.clone().filter(|property| remains(property, without)).cloned().collect();
        let is_nothing = left.is_empty() && usual.count() > 0;
        return if is_nothing { Err(InvalidRequest::Nothing) } else { Ok(left) };
    }
    let mut properties = Vec::new();
    for name in names {
        let found = known.iter().find(|property| property.name == *name);
        let all = || known.iter().map(|property| property.name.as_str()).collect();
        let property = found.ok_or_else(|| UnknownName::new("property", name, all()))?;
        if !remains(property, without) {
            return Err(InvalidRequest::TakenAway(property.name.clone()));
        }
        if !properties.contains(property) {
            properties.push(property.clone());
        }
    }
    Ok(properties)
}
