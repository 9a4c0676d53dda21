//! The explanation that travels with a computer's move.

use game::{Alternative, MoveExplanation};

/// The most bytes of JSON that an explanation in a log has: entries stay small.
pub(crate) const MAX_BYTES: usize = 1024;

/// Shortens an explanation until it fits into an entry: the last alternatives go first, then the
/// last b-threads that wanted the move, then the end of the sentence. Equal explanations are
/// shortened equally, so two nodes still write the same entry.
pub(crate) fn shortened(explanation: MoveExplanation) -> MoveExplanation {
    if fits(&explanation) {
        return explanation;
    }
    let MoveExplanation { sentence, wanted_by, alternatives } = explanation;
    let mut short = MoveExplanation { sentence, wanted_by: Vec::new(), alternatives: Vec::new() };
    cut_sentence(&mut short);
    let mut left = MAX_BYTES - short.json_length();
    let all = wanted_by.len();
    short.wanted_by = prefix(wanted_by, r#","wanted_by":[]"#, &mut left);
    if short.wanted_by.len() == all {
        short.alternatives = prefix(alternatives, r#","alternatives":[]"#, &mut left);
    }
    short
}

/// Whether an explanation is short enough for an entry.
pub(crate) fn fits(explanation: &MoveExplanation) -> bool {
    explanation.json_length() <= MAX_BYTES
}

/// The items from the front of a list that fit into `left` bytes of JSON, with the field around them.
fn prefix<T: JsonLength>(list: Vec<T>, field: &str, left: &mut usize) -> Vec<T> {
    // The first item has no comma before it.
    let Some(mut room) = (*left + 1).checked_sub(field.len()) else { return Vec::new() };
    let fits = |item: &T| match room.checked_sub(item.json_length() + 1) {
        Some(rest) => {
            room = rest;
            true
        }
        None => false,
    };
    let kept: Vec<T> = list.into_iter().take_while(fits).collect();
    if !kept.is_empty() {
        *left = room;
    }
    kept
}

/// Drops characters from the end of the sentence until the explanation fits.
fn cut_sentence(explanation: &mut MoveExplanation) {
    let mut excess = explanation.json_length().saturating_sub(MAX_BYTES);
    while excess > 0
        && let Some(last) = explanation.sentence.pop()
    {
        excess = excess.saturating_sub(length_in_text(last));
    }
}

/// What knows how long its JSON is, without writing it: programs that write no JSON need not contain the code
/// that does.
trait JsonLength {
    fn json_length(&self) -> usize;
}

impl JsonLength for String {
    fn json_length(&self) -> usize {
        2 + self.chars().map(length_in_text).sum::<usize>()
    }
}

impl<T: JsonLength> JsonLength for Vec<T> {
    fn json_length(&self) -> usize {
        let commas = self.len().saturating_sub(1);
        2 + commas + self.iter().map(T::json_length).sum::<usize>()
    }
}

impl JsonLength for Alternative {
    fn json_length(&self) -> usize {
        let Self { thread, wanted, lost_to } = self;
        let names = r#"{"thread":,"wanted":,"lost_to":}"#.len();
        names + thread.json_length() + wanted.json_length() + lost_to.json_length()
    }
}

impl JsonLength for MoveExplanation {
    fn json_length(&self) -> usize {
        let Self { sentence, wanted_by, alternatives } = self;
        let list = |name: &str, length: usize, is_empty: bool| {
            if is_empty { 0 } else { name.len() + length }
        };
        r#"{"sentence":}"#.len()
            + sentence.json_length()
            + list(r#","wanted_by":"#, wanted_by.json_length(), wanted_by.is_empty())
            + list(r#","alternatives":"#, alternatives.json_length(), alternatives.is_empty())
    }
}

/// The bytes of a letter in a string of JSON.
const fn length_in_text(letter: char) -> usize {
    match letter {
        '"' | '\\' | '\n' | '\r' | '\t' | '\u{8}' | '\u{c}' => 2,
        '\0'..' ' => 6,
        _ => letter.len_utf8(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn explanation(sentence: &str, wanted_by: usize, alternatives: usize) -> MoveExplanation {
        let alternative = |number| Alternative {
            thread: format!("Thread({number})"),
            wanted: "O b2".to_owned(),
            lost_to: vec!["Winner".to_owned()],
        };
        MoveExplanation {
            sentence: sentence.to_owned(),
            wanted_by: (0..wanted_by).map(|number| format!("Wants({number})")).collect(),
            alternatives: (0..alternatives).map(alternative).collect(),
        }
    }

    #[test]
    fn a_length_is_that_of_the_written_json() {
        let letters: String = (0..0x300).filter_map(char::from_u32).chain(['🧶', '漢']).collect();
        for sentence in ["", "short", &letters] {
            for (wanted_by, alternatives) in [(0, 0), (1, 0), (0, 1), (3, 2)] {
                let explanation = explanation(sentence, wanted_by, alternatives);
                let written = serde_json::to_string(&explanation).expect("it serializes");
                assert_eq!(explanation.json_length(), written.len(), "{written}");
            }
        }
    }

    #[test]
    fn a_short_explanation_is_not_shortened() {
        let short = explanation("DefaultMoves wanted O b2", 2, 3);
        assert_eq!(shortened(short.clone()), short);
    }

    #[test]
    fn every_explanation_fits_and_nothing_that_fits_is_dropped() {
        for sentence in ["", "short", &"x".repeat(960), &"\"ß\u{1}".repeat(300)] {
            for wanted_by in [0, 1, 5, 200] {
                for alternatives in [0, 1, 30, 300] {
                    let long = explanation(sentence, wanted_by, alternatives);
                    let short = shortened(long.clone());
                    assert!(fits(&short), "{short:?}");
                    assert!(long.sentence.starts_with(&short.sentence));
                    assert!(long.wanted_by.starts_with(&short.wanted_by));
                    assert!(long.alternatives.starts_with(&short.alternatives));
                    assert!(short == long || !fits(&one_more(&short, &long)), "{short:?}");
                }
            }
        }
    }

    /// The shortened explanation with the first thing that was dropped.
    fn one_more(short: &MoveExplanation, long: &MoveExplanation) -> MoveExplanation {
        let mut more = short.clone();
        if let Some(next) = long.sentence.chars().nth(short.sentence.chars().count()) {
            more.sentence.push(next);
        } else if let Some(next) = long.wanted_by.get(short.wanted_by.len()) {
            more.wanted_by.push(next.clone());
        } else if let Some(next) = long.alternatives.get(short.alternatives.len()) {
            more.alternatives.push(next.clone());
        }
        more
    }

    #[test]
    fn alternatives_go_before_the_threads_that_wanted_the_move_and_those_before_the_sentence() {
        let counts = |sentence: &str, wanted_by, alternatives| {
            let short = shortened(explanation(sentence, wanted_by, alternatives));
            (short.sentence.len(), short.wanted_by.len(), short.alternatives.len())
        };
        assert_eq!(counts("short", 5, 300), (5, 5, 15));
        assert_eq!(counts("short", 200, 300), (5, 83, 0));
        assert_eq!(counts(&"x".repeat(2000), 200, 300), (1009, 0, 0));
    }
}
