//! Texts of moves and of what chance draws.

use rustc_hash::FxHashSet;

use super::legality::is_mute;
use super::violation::{Violation, WordKind};
use crate::game::Word;
use crate::refusal::Refusal;

/// The first words that were met, in the order in which they were met.
pub(super) struct Words<W> {
    most: usize,
    list: Vec<W>,
    known: FxHashSet<W>,
}

impl<W: Word> Words<W> {
    pub(super) fn at_most(most: usize) -> Self {
        Self { most, list: Vec::new(), known: FxHashSet::default() }
    }

    /// Remembers a word, and says whether it is new; none is when enough are known.
    pub(super) fn meet(&mut self, word: &W) -> bool {
        let is_new = self.list.len() < self.most && self.known.insert(word.clone());
        if is_new {
            self.list.push(word.clone());
        }
        is_new
    }

    pub(super) fn list(&self) -> &[W] {
        &self.list
    }
}

/// The text of a word is read as this word.
pub(super) fn reads_back<W: Word>(
    kind: WordKind,
    word: &W,
    read: impl Fn(&str) -> Result<W, Refusal>,
) -> Result<(), Violation> {
    let text = word.to_string();
    match read(&text) {
        Ok(read) if read == *word => Ok(()),
        Ok(read) => {
            let (word, read) = (format!("{word:?}"), format!("{read:?}"));
            Err(Violation::Misread { kind, word, text, read })
        }
        Err(refusal) => Err(Violation::Unreadable { kind, text, refusal: Box::new(refusal) }),
    }
}

/// A text that need not be a word is refused, or read as a word that can be written; says how often
/// it was refused.
pub(super) fn is_harmless<W: Word>(
    kind: WordKind,
    text: &str,
    read: impl Fn(&str) -> Result<W, Refusal>,
) -> Result<u64, Violation> {
    match read(text) {
        Ok(word) => reads_back(kind, &word, read).map(|()| 0),
        Err(refusal) if is_mute(&refusal) => {
            Err(Violation::MuteReading { kind, text: text.to_owned() })
        }
        Err(_) => Ok(1),
    }
}

/// Texts that are hardly words of any game.
pub(super) fn nonsense() -> impl Iterator<Item = String> {
    let short = ["", " ", "\u{0}", "-1", "0", "NaN", "null", "undefined", "a,b", "\u{1f4a5}", "é1"];
    let long = ["x".repeat(65), "1".repeat(65), "\u{e9}".repeat(33), "9".repeat(10_000)];
    short.into_iter().map(str::to_owned).chain(long)
}

/// Texts that are nearly a word.
pub(super) fn misspellings(word: &impl Word) -> [String; 6] {
    let text = word.to_string();
    [
        format!(" {text}"),
        format!("{text} "),
        format!("{text}{text}"),
        format!("{text}\u{0}"),
        text.chars().rev().collect(),
        text.to_uppercase(),
    ]
}
