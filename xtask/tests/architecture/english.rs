//! Turns of phrase that have to be read twice, and are banned.

use std::path::Path;

/// Phrases that are banned wherever they stand.
const PHRASES: [&str; 4] = ["so many", "by itself", "gives back", "in the place of"];

/// Openings of sentences that are banned unless the sentence is a question.
const OPENINGS: [&str; 4] = ["Who ", "Whoever ", "Whom ", "Those who "];

/// A complaint for each line of a comment or of prose with a banned turn of phrase.
pub(crate) fn banned(path: &Path, text: &str) -> Vec<String> {
    let is_rust = path.extension().is_some_and(|extension| extension == "rs");
    let lines = text.lines().enumerate().filter_map(|(index, line)| {
        let prose = if is_rust { comment(line)? } else { line };
        let found = phrase(prose).or_else(|| opening(prose))?;
        Some(format!("{}:{}: {:?}", path.display(), index + 1, found.trim_end()))
    });
    lines.collect()
}

/// The text of a line that is a comment.
fn comment(line: &str) -> Option<&str> {
    let text = line.trim_start().strip_prefix("//")?;
    Some(text.trim_start_matches(['/', '!']).trim_start())
}

fn phrase(prose: &str) -> Option<&'static str> {
    PHRASES.into_iter().find(|phrase| prose.contains(phrase))
}

fn opening(prose: &str) -> Option<&'static str> {
    let sentences = prose.split_inclusive(['.', '?', ':']).map(str::trim_start);
    let statements: Vec<&str> = sentences.filter(|sentence| !sentence.ends_with('?')).collect();
    OPENINGS.into_iter().find(|word| statements.iter().any(|text| text.starts_with(word)))
}

fn check(name: &str, text: &str, expected: &[&str]) {
    assert_eq!(banned(Path::new(name), text), expected);
}

#[test]
fn plain_sentences_and_questions_are_accepted() {
    check(
        "a.rs",
        "/// Spectators never wait.\n// Who is to move?\nlet who = \"Who wins so many\";\n",
        &[],
    );
    check("a.md", "The client that asks again has the same seat. Who plays?\n", &[]);
}

#[test]
fn sentences_that_have_to_be_read_twice_are_refused() {
    check("a.rs", "    /// Who asks again has the same seat.\n", &["a.rs:1: \"Who\""]);
    check("a.rs", "//! A seat. Whoever asks has it.\n", &["a.rs:1: \"Whoever\""]);
    check(
        "a.md",
        "It stops by itself.\n\nso many events\n",
        &["a.md:1: \"by itself\"", "a.md:3: \"so many\""],
    );
}
