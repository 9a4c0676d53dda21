//! The example texts.

use notation::{BuiltText, Document, GivenParameter};

use crate::games_folder::TEXTS;

/// The text of this name.
pub(crate) fn text(name: &str) -> &'static str {
    TEXTS.iter().find(|(known, _)| *known == name).expect("the example exists").1
}

/// The text of this name with parameters such as `n=6`.
pub(crate) fn built(name: &str, given: &[&str]) -> BuiltText {
    built_text(name, text(name), given)
}

/// Builds a text, or shows its mistakes.
pub(crate) fn built_text(name: &str, text: &str, given: &[&str]) -> BuiltText {
    let given: Vec<GivenParameter> =
        given.iter().map(|given| given.parse().expect("the text can be read")).collect();
    Document::read(text).build(&given).unwrap_or_else(|diagnostics| {
        let shown: Vec<String> =
            diagnostics.iter().map(|diagnostic| diagnostic.render(name, text)).collect();
        unreachable!("{}", shown.join("\n"))
    })
}
