//! What was probably meant.

/// How similar a misspelt word is at least: 1 means equal.
const LEAST_SIMILAR: f64 = 0.6;

/// The longest word that is compared, and the most known words that it is compared with, because
/// comparing takes as many steps as both are long.
const LONGEST: usize = 40;
const MOST_KNOWN: usize = 500;

/// "; did you mean `mark`?" if a known word is similar, otherwise nothing.
#[expect(single_use_lifetimes, reason = "an anonymous lifetime cannot stand in `impl Trait` yet")]
pub(crate) fn did_you_mean<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    let mut best: Option<(f64, &str)> = None;
    let known = known.into_iter().take(if word.len() > LONGEST { 0 } else { MOST_KNOWN });
    for candidate in known.filter(|candidate| candidate.len() <= LONGEST) {
        let similarity = strsim::normalized_damerau_levenshtein(word, candidate);
        if similarity >= LEAST_SIMILAR && best.is_none_or(|(known, _)| similarity > known) {
            best = Some((similarity, candidate));
        }
    }
    best.map_or_else(String::new, |(_, candidate)| format!("; did you mean `{candidate}`?"))
}
