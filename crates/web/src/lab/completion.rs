//! Completion of the word that is being written.

use notation::escaped;

use super::html::Html;
use super::state::{Lab, LabEffect};

/// The words that can stand where a person writes.
#[derive(Debug, Default)]
pub(super) struct Completions {
    /// The number of bytes of each word that are written already.
    written: usize,
    words: Vec<String>,
}

/// The most words that are offered.
const MOST_OFFERED: usize = 16;

impl Lab {
    /// Completes the word before a byte of the text: at once if only one fits, otherwise it offers
    /// all that do.
    pub fn complete(&mut self, byte: u32) -> Vec<LabEffect> {
        let before = self.text().source().get(..byte as usize).unwrap_or_default();
        let is_letter = |letter: char| letter.is_alphanumeric() || letter == '_';
        let written = before.len() - before.trim_end_matches(is_letter).len();
        let prefix = before.get(before.len() - written..).unwrap_or_default().to_owned();
        let known = self.text().document().completions_at(byte).into_iter().map(|(word, _)| word);
        let words: Vec<String> = known
            .filter(|word| word.starts_with(&prefix) && word.len() > prefix.len())
            .take(MOST_OFFERED)
            .collect();
        let effects = match &*words {
            [] => vec![LabEffect::Announce(self.words().no_completion.to_owned())],
            [only] => vec![LabEffect::Type(only.get(written..).unwrap_or_default().to_owned())],
            [first, ..] => vec![LabEffect::Focus(format!("do-complete-{first}"))],
        };
        let words = if words.len() > 1 { words } else { Vec::new() };
        *self.completions_mut() = Completions { written, words };
        effects
    }

    /// Writes the rest of an offered word.
    pub(super) fn complete_with(&mut self, word: &str) -> Vec<LabEffect> {
        let written = self.completions().written;
        *self.completions_mut() = Completions::default();
        vec![LabEffect::Type(word.get(written..).unwrap_or_default().to_owned())]
    }

    /// The offered words.
    pub(super) fn completion_panel(&self) -> String {
        let words = self.words();
        let mut html = Html::default();
        if self.completions().words.is_empty() {
            return String::new();
        }
        let label = escaped(words.completions);
        html.add(format_args!("<div class=\"events\" role=\"group\" aria-label=\"{label}\">"));
        for word in &self.completions().words {
            html.button("complete", word, word);
        }
        html.add(format_args!("</div>"));
        html.finish()
    }
}
