//! The example texts.

use notation::{BuiltText, Document, GivenParameter};

/// The texts by name.
pub(crate) const TEXTS: [(&str, &str); 11] = [
    ("connect", include_str!("../programs/connect.cradle")),
    ("crossing", include_str!("../programs/crossing.cradle")),
    ("dining", include_str!("../programs/dining.cradle")),
    ("fox-and-hounds", include_str!("../programs/fox-and-hounds.cradle")),
    ("hanoi", include_str!("../programs/hanoi.cradle")),
    ("hot-and-cold", include_str!("../programs/hot-and-cold.cradle")),
    ("monty-hall", include_str!("../programs/monty-hall.cradle")),
    ("nim", include_str!("../programs/nim.cradle")),
    ("pig", include_str!("../programs/pig.cradle")),
    ("ruin", include_str!("../programs/ruin.cradle")),
    ("tic-tac-toe", include_str!("../programs/tic-tac-toe.cradle")),
];

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
