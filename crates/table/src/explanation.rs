//! The explanation that travels with a computer's move.

use game::MoveExplanation;
use serde::Serialize;

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
    let mut left = MAX_BYTES - json_length(&short);
    let all = wanted_by.len();
    short.wanted_by = prefix(wanted_by, r#","wanted_by":[]"#, &mut left);
    if short.wanted_by.len() == all {
        short.alternatives = prefix(alternatives, r#","alternatives":[]"#, &mut left);
    }
    short
}

/// Whether an explanation is short enough for an entry.
pub(crate) fn fits(explanation: &MoveExplanation) -> bool {
    json_length(explanation) <= MAX_BYTES
}

/// The items from the front of a list that fit into `left` bytes of JSON, with the field around them.
fn prefix<T: Serialize>(list: Vec<T>, field: &str, left: &mut usize) -> Vec<T> {
    // The first item has no comma before it.
    let Some(mut room) = (*left + 1).checked_sub(field.len()) else { return Vec::new() };
    let fits = |item: &T| match room.checked_sub(json_length(item) + 1) {
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
    let mut excess = json_length(explanation).saturating_sub(MAX_BYTES);
    while excess > 0
        && let Some(last) = explanation.sentence.pop()
    {
        // Without its two quotation marks.
        excess = excess.saturating_sub(json_length(&last) - 2);
    }
}

fn json_length<T: Serialize>(value: &T) -> usize {
    serde_json::to_string(value).expect("an explanation serializes").len()
}

#[cfg(test)]
mod tests {
    use game::Alternative;

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
