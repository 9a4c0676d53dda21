//! Where the sentences stand: code, scripts and documents.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::literals::{Literal, literals};

/// How a sentence is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum KeyUse {
    /// As it is, or with gaps.
    Sentence,
    /// With a number, for which it has several forms.
    Counted,
}

/// The functions that say a sentence.
const SAYERS: [(&str, KeyUse); 4] = [
    ("say(", KeyUse::Sentence),
    ("say_with(", KeyUse::Sentence),
    ("about(", KeyUse::Sentence),
    ("say_count(", KeyUse::Counted),
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).to_owned()
}

/// A file of the page that is not Rust.
pub(crate) fn page_file(name: &str) -> String {
    std::fs::read_to_string(root().join("page").join(name)).expect("the file is readable")
}

/// The Rust files below these folders, with their paths.
pub(crate) fn rust_files(folders: &[&str]) -> Vec<(String, String)> {
    let mut waiting: Vec<PathBuf> = folders.iter().map(|folder| root().join(folder)).collect();
    let mut files = Vec::new();
    while let Some(path) = waiting.pop() {
        if path.is_dir() {
            let entries = std::fs::read_dir(&path).expect("the folder is readable");
            waiting.extend(entries.map(|entry| entry.expect("it is readable").path()));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = std::fs::read_to_string(&path).expect("the file is readable");
            files.push((path.display().to_string(), text));
        }
    }
    files.sort();
    files
}

fn said(literal: &Literal) -> Option<(String, KeyUse)> {
    let is_sayer = |(name, _): &&(&str, KeyUse)| {
        let before = literal.before.strip_suffix(name);
        before.is_some_and(|before| {
            !before.ends_with(|letter: char| letter.is_alphanumeric() || letter == '_')
        })
    };
    let (_, usage) = SAYERS.iter().find(is_sayer)?;
    Some((literal.text.clone(), *usage))
}

/// The sentences that a source says.
fn said_in(source: &str) -> Vec<(String, KeyUse)> {
    literals(source).iter().filter_map(said).collect()
}

fn is_lab(file: &str) -> bool {
    file.ends_with("/src/lab.rs") || file.contains("/src/lab/")
}

/// The sentences of the page.
pub(crate) fn page_sentences() -> BTreeMap<String, KeyUse> {
    let files = rust_files(&["src"]).into_iter();
    let files = files.filter(|(file, _)| !is_lab(file) && !file.ends_with("/language.rs"));
    let files = files.flat_map(|(_, source)| said_in(&source));
    let mut keys: BTreeMap<String, KeyUse> = files.collect();
    keys.extend(document("index.html"));
    for script in ["boot.js", "choices.js"] {
        keys.extend(said_in(&page_file(script)));
    }
    keys
}

/// The sentences of the lab.
pub(crate) fn lab_sentences() -> BTreeMap<String, KeyUse> {
    let files = rust_files(&["src/lab", "src/lab.rs"]);
    let mut keys: BTreeMap<String, KeyUse> =
        files.iter().flat_map(|(_, source)| said_in(source)).collect();
    let (_, words) = files
        .iter()
        .find(|(file, _)| file.ends_with("/lab/words.rs"))
        .expect("the lab has its words in one file");
    // Its fields: `share: "Share link",`.
    let fields = literals(words).into_iter().filter(|literal| literal.before.ends_with(':'));
    keys.extend(fields.map(|literal| (literal.text, KeyUse::Sentence)));
    keys.extend(document("lab.html"));
    keys
}

/// What a document says: its texts, and the attributes that people read or hear.
fn document(name: &str) -> Vec<(String, KeyUse)> {
    let text = page_file(name);
    // Nothing translates what is shown without scripts.
    let (before, rest) = text.split_once("<noscript>").expect("there is a text without scripts");
    let (_, after) = rest.split_once("</noscript>").expect("it ends");
    let text = [before, after].concat();
    let mut found = Vec::new();
    for piece in text.split('<') {
        let Some((tag, words)) = piece.split_once('>') else { continue };
        for name in ["aria-label=\"", "placeholder=\""] {
            let value = tag.split_once(name).and_then(|(_, rest)| rest.split_once('"'));
            found.extend(value.map(|(value, _)| value.to_owned()));
        }
        let is_code = tag.starts_with("code");
        // The names of languages are in these languages.
        let is_language = tag.starts_with("option") && tag.contains("lang=");
        if !is_code && !is_language {
            found.push(words.trim().replace("&nbsp;", ""));
        }
    }
    let is_sentence = |words: &String| {
        let letters = words.chars().filter(char::is_ascii_alphabetic).count();
        // An example of a code is the same in all languages.
        letters > 1 && words != "bodaki-murosi"
    };
    found.into_iter().filter(is_sentence).map(|words| (words, KeyUse::Sentence)).collect()
}

/// A text that a view shows without saying it; `None` for anything else.
pub(crate) fn view_text(literal: &Literal) -> Option<String> {
    let Literal { before, text } = literal;
    let has_words = text.chars().filter(|letter| letter.is_alphabetic()).count() > 1;
    let is_content = before.ends_with('>') && !before.ends_with("=>") && !before.ends_with("->");
    let is_attribute =
        ["aria-label=", "title=", "placeholder=", "alt="].iter().any(|name| before.ends_with(name));
    let is_label = before.rsplit_once("button(").is_some_and(|(_, arguments)| {
        arguments.matches('"').count() % 2 == 0
            && arguments.ends_with(',')
            && !arguments.contains(')')
            && text.starts_with(|letter: char| letter.is_uppercase())
    });
    let is_sentence = text.contains(' ')
        && (text.ends_with(['.', '…', '?', '!']) || text.contains(". "))
        && text.contains(|letter: char| letter.is_lowercase());
    let is_explained = before.ends_with("expect(") || before.ends_with("reason =");
    let is_shown = is_content || is_attribute || is_label || is_sentence;
    (has_words && is_shown && !is_explained && said(literal).is_none()).then(|| text.clone())
}
