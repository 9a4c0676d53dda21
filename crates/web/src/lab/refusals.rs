//! Why something does not happen: first what the rules say, then the b-threads behind it.

use notation::RunRefusal;

use super::html::filled;
use super::spoken::spoken;
use super::words::LabWords;

/// A refusal in words: `That square is taken. SquareTaken(b2) blocks mark(b2).`
pub(super) fn refusal_words(refusal: &RunRefusal, words: &LabWords) -> String {
    let RunRefusal::Blocked(explanation) = refusal else {
        return spoken(&refusal.to_string());
    };
    let mut sentences: Vec<String> = Vec::new();
    let said = explanation.blocked_by.iter().filter_map(|each| each.sentence.as_ref());
    for sentence in said.map(|sentence| format!("{sentence}.")) {
        if !sentences.contains(&sentence) {
            sentences.push(sentence);
        }
    }
    if sentences.is_empty() {
        sentences.push(filled(words.refused, &[("event", &explanation.event)]));
    }
    let blocks = explanation
        .blocked_by
        .iter()
        .map(|each| filled(words.blocks, &[("name", &each.thread), ("events", &each.set)]));
    sentences.extend(blocks);
    sentences.join(" ")
}
