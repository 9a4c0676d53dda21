//! Texts of moves and draws.

use rustc_hash::FxHashSet;

use super::legality::is_mute;
use super::violation::{TextKind, Violation};
use crate::game::Textual;
use crate::refusal::Refusal;

/// The first moves, or draws, that occurred, in the order in which they occurred.
pub(super) struct Texts<W> {
    most: usize,
    list: Vec<W>,
    known: FxHashSet<W>,
}

impl<W: Textual> Texts<W> {
    pub(super) fn at_most(most: usize) -> Self {
        Self { most, list: Vec::new(), known: FxHashSet::default() }
    }

    /// Remembers a value, and returns whether it is new. A full list takes no new ones.
    pub(super) fn remember(&mut self, value: &W) -> bool {
        let is_new = self.list.len() < self.most && self.known.insert(value.clone());
        if is_new {
            self.list.push(value.clone());
        }
        is_new
    }

    pub(super) fn list(&self) -> &[W] {
        &self.list
    }
}

/// The text of a value is read as this value.
pub(super) fn check_read_back<W: Textual>(
    kind: TextKind,
    value: &W,
    read: impl Fn(&str) -> Result<W, Refusal>,
) -> Result<(), Violation> {
    let text = value.to_string();
    match read(&text) {
        Ok(read) if read == *value => Ok(()),
        Ok(read) => {
            let (value, read) = (format!("{value:?}"), format!("{read:?}"));
            Err(Violation::Misread { kind, value, text, read })
        }
        Err(refusal) => Err(Violation::Unreadable { kind, text, refusal: Box::new(refusal) }),
    }
}

/// A text that need not be a move or a draw is refused, or read as a value that can be written.
/// Returns the number of refusals.
pub(super) fn check_harmless<W: Textual>(
    kind: TextKind,
    text: &str,
    read: impl Fn(&str) -> Result<W, Refusal>,
) -> Result<u64, Violation> {
    match read(text) {
        Ok(value) => check_read_back(kind, &value, read).map(|()| 0),
        Err(refusal) if is_mute(&refusal) => {
            Err(Violation::MuteReading { kind, text: text.to_owned() })
        }
        Err(_) => Ok(1),
    }
}

/// Texts that are hardly moves of any game.
pub(super) fn nonsense() -> impl Iterator<Item = String> {
    let short = ["", " ", "\u{0}", "-1", "0", "NaN", "null", "undefined", "a,b", "\u{1f4a5}", "é1"];
    let long = ["x".repeat(65), "1".repeat(65), "\u{e9}".repeat(33), "9".repeat(10_000)];
    short.into_iter().map(str::to_owned).chain(long)
}

/// Texts that are nearly a move or a draw.
pub(super) fn misspellings(value: &impl Textual) -> [String; 6] {
    let text = value.to_string();
    [
        format!(" {text}"),
        format!("{text} "),
        format!("{text}{text}"),
        format!("{text}\u{0}"),
        text.chars().rev().collect(),
        text.to_uppercase(),
    ]
}
