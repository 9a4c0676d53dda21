//! What the reader of texts, the checker and runs say, in the language of the page.
//!
//! They write English with names and numbers in it. A key of the catalogue that has gaps in their places,
//! such as "no event is called `{name}`", finds the translation. What the author of a text has written
//! stays as it is.

use std::cell::RefCell;

use crate::language::{Language, code_in_sentence, language, say, say_with};

/// A sentence with gaps: the key of a translation.
struct Shape {
    key: String,
    /// What stands before the first gap, between gaps, and behind the last one.
    pieces: Vec<String>,
    gaps: Vec<String>,
}

thread_local! {
    // Like the catalogue itself, they stay the same as long as the page.
    static SHAPES: RefCell<Vec<Shape>> = const { RefCell::new(Vec::new()) };
}

/// Gaps that hold sentences or words of ours, and no names.
const SPOKEN_GAPS: [&str; 7] = ["sentence", "expected", "found", "kind", "other", "what", "ends"];

/// Learns the keys of the catalogue, those without gaps excepted.
pub fn know_keys(keys: impl IntoIterator<Item = String>) {
    SHAPES.set(keys.into_iter().filter_map(Shape::of).collect());
}

/// A sentence in the language of the page, if the catalogue knows it.
#[must_use]
pub fn spoken(english: &str) -> String {
    if language() == Language::English {
        return english.to_owned();
    }
    let whole = say(english);
    if whole != english {
        return whole;
    }
    SHAPES.with_borrow(|shapes| {
        let fitting = shapes.iter().filter_map(|shape| Some((shape, shape.values(english)?)));
        // The one that says most itself, and leaves least to its gaps.
        let best = fitting.max_by_key(|(shape, _)| shape.letters());
        best.map_or(whole, |(shape, values)| shape.filled(&values))
    })
}

/// The same for what consists of several parts, with this between them.
pub(super) fn spoken_parts(english: &str, between: &str) -> String {
    english.split(between).map(spoken).collect::<Vec<_>>().join(between)
}

impl Shape {
    fn of(key: String) -> Option<Self> {
        let (mut pieces, mut gaps) = (Vec::new(), Vec::new());
        let mut rest = &*key;
        while let Some((before, behind)) = rest.split_once('{') {
            let (name, behind) = behind.split_once('}')?;
            pieces.push(before.to_owned());
            gaps.push(name.to_owned());
            rest = behind;
        }
        if gaps.is_empty() {
            return None;
        }
        pieces.push(rest.to_owned());
        Some(Self { key, pieces, gaps })
    }

    /// What fills the gaps in a sentence; `None` if it is another sentence.
    fn values<'a>(&self, sentence: &'a str) -> Option<Vec<&'a str>> {
        let (first, others) = self.pieces.split_first()?;
        let (last, between) = others.split_last()?;
        let mut rest = sentence.strip_prefix(&**first)?.strip_suffix(&**last)?;
        let mut values = Vec::new();
        for piece in between {
            let (value, behind) = rest.split_once(&**piece)?;
            values.push(value);
            rest = behind;
        }
        values.push(rest);
        values.iter().all(|value| !value.is_empty()).then_some(values)
    }

    fn letters(&self) -> usize {
        self.pieces.iter().map(String::len).sum()
    }

    fn filled(&self, values: &[&str]) -> String {
        let is_spoken = |gap: &str| SPOKEN_GAPS.contains(&gap);
        let pairs = self.gaps.iter().zip(values);
        let values: Vec<String> = pairs
            .map(
                |(gap, value)| if is_spoken(gap) { spoken(value) } else { code_in_sentence(value) },
            )
            .collect();
        let names = self.gaps.iter().map(String::as_str);
        let filled: Vec<(&str, &str)> = names.zip(values.iter().map(String::as_str)).collect();
        say_with(&self.key, &filled)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::speak;

    /// Speaks German with these sentences.
    fn speak_german(texts: &'static [(&'static str, &'static str)]) {
        let find = move |english: &str| {
            texts.iter().find(|(key, _)| *key == english).map(|(_, words)| (*words).to_owned())
        };
        speak(Language::German, Box::new(find));
        know_keys(texts.iter().map(|(key, _)| (*key).to_owned()));
    }

    #[test]
    fn names_fill_the_gaps_and_unknown_sentences_stay() {
        speak_german(&[
            ("no event is called `{name}`", "kein Ereignis heißt `{name}`"),
            ("{thread}: {sentence}", "{thread}: {sentence}"),
            ("{sentence}; did you mean `{word}`?", "{sentence}; war `{word}` gemeint?"),
        ]);
        let told = spoken("no event is called `marks`; did you mean `mark`?");
        assert_eq!(told, "kein Ereignis heißt `marks`; war `mark` gemeint?");
        assert_eq!(spoken("a square is marked twice"), "a square is marked twice");
        assert_eq!(spoken("no event is called ``"), "no event is called ``", "no gap is empty");
        speak(Language::English, Box::new(|_| None));
        assert_eq!(spoken("no event is called `a`"), "no event is called `a`");
    }

    #[test]
    fn code_stays_from_left_to_right_in_arabic() {
        let key = "waits for {events}";
        let find = move |english: &str| (english == key).then(|| "ينتظر {events}".to_owned());
        speak(Language::Arabic, Box::new(find));
        know_keys([key.to_owned()]);
        assert_eq!(spoken("waits for mark(X)"), "ينتظر \u{2066}mark(X)\u{2069}");
        assert_eq!(spoken("waits for win"), "ينتظر win");
        speak(Language::English, Box::new(|_| None));
    }

    #[test]
    fn the_shape_that_says_most_is_taken_and_names_are_not_translated() {
        speak_german(&[
            ("{event} happens", "{event} geschieht"),
            ("nothing here can request {events}", "nichts kann {events} verlangen"),
            ("requests {events}", "verlangt {events}"),
            ("waits for {events}", "wartet auf {events}"),
            ("win", "Sieg"),
        ]);
        assert_eq!(spoken("win happens"), "win geschieht");
        let parts = spoken_parts("requests win; waits for mark(X) or draw; moon", "; ");
        assert_eq!(parts, "verlangt win; wartet auf mark(X) or draw; moon");
        speak(Language::English, Box::new(|_| None));
    }
}
