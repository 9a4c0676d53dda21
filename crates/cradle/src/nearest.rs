//! Suggestions for misspelled names.

/// An unknown name, with the known ones.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("no {kind} is called {words:?}; known, nearest first: {}", .known.join(", "))]
pub(crate) struct UnknownName {
    kind: &'static str,
    words: String,
    known: Vec<String>,
}

impl UnknownName {
    /// The error for a name that nothing of this kind has.
    pub(crate) fn new(kind: &'static str, words: &str, known: Vec<&str>) -> Self {
        let known = nearest_first(words, known).into_iter().map(str::to_owned).collect();
        Self { kind, words: words.to_owned(), known }
    }
}

/// The name nearest to the words.
pub(crate) fn nearest<'a>(words: &str, names: &'a [String]) -> Option<&'a str> {
    nearest_first(words, names.iter().map(String::as_str).collect()).first().copied()
}

/// The names, nearest to the words first. Equally near ones keep their order.
fn nearest_first<'a>(words: &str, mut names: Vec<&'a str>) -> Vec<&'a str> {
    let words = words.to_lowercase();
    names.sort_by(|a, b| likeness(&words, b).total_cmp(&likeness(&words, a)));
    names
}

/// The likeness of a name: more than 1 if the words are a part of it, otherwise at most 1.
fn likeness(words: &str, name: &str) -> f64 {
    let name = name.to_lowercase();
    let is_part = !words.is_empty() && name.contains(words);
    let likeness = strsim::jaro_winkler(words, &name);
    if is_part { 1.0 + likeness } else { likeness }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(words: &str, names: &[&str], expected: &[&str]) {
        assert_eq!(nearest_first(words, names.to_vec()), expected);
    }

    #[test]
    fn a_slip_of_the_finger_is_nearest() {
        check("pgi", &["kuhn-poker", "pig", "wild"], &["pig", "wild", "kuhn-poker"]);
    }

    #[test]
    fn a_part_of_a_name_is_nearer_than_a_short_name() {
        check("Fork", &["AnyX", "PreventXFork"], &["PreventXFork", "AnyX"]);
    }

    #[test]
    fn capitals_do_not_matter() {
        check("ANYX", &["AnyO", "AnyX"], &["AnyX", "AnyO"]);
    }

    #[test]
    fn equally_near_names_stay_in_order() {
        check("", &["b", "a"], &["b", "a"]);
    }

    #[test]
    fn the_refusal_is_one_sentence() {
        let error = UnknownName::new("game", "pgi", vec!["wild", "pig"]);
        let expected = "no game is called \"pgi\"; known, nearest first: pig, wild";
        assert_eq!(error.to_string(), expected);
    }
}
