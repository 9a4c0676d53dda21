//! The language of the page. Sentences stand in the code in English, which is also their key in the
//! catalogues of the other languages: `page/texts-de.json` for the page, `page/lab-texts-de.json` for the
//! lab. A browser loads one of these files if its person does not read English.
//!
//! - A gap is written `{name}`.
//! - A sentence about a number has several forms, separated by `|`: English has two, and other
//!   languages as many as [`Language::forms`] says.
//! - `tests/languages` compares the sentences in the code, the documents and the catalogues.

use std::cell::RefCell;
use std::fmt;

/// A language that the page speaks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Language {
    /// English, in which the sentences are written.
    #[default]
    English,
    /// German.
    German,
    /// Spanish.
    Spanish,
    /// Japanese.
    Japanese,
    /// Arabic, which is written from right to left.
    Arabic,
}

impl Language {
    /// All languages, English first.
    pub const ALL: [Self; 5] =
        [Self::English, Self::German, Self::Spanish, Self::Japanese, Self::Arabic];

    /// The language with this code; English if there is none.
    #[must_use]
    pub fn of(code: &str) -> Self {
        Self::ALL.into_iter().find(|language| language.code() == code).unwrap_or_default()
    }

    /// Its code, as in the attribute `lang` of a document.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::German => "de",
            Self::Spanish => "es",
            Self::Japanese => "ja",
            Self::Arabic => "ar",
        }
    }

    /// The number of forms of a sentence about a number.
    #[must_use]
    pub const fn forms(self) -> usize {
        match self {
            Self::Japanese => 1,
            Self::English | Self::German | Self::Spanish => 2,
            Self::Arabic => 6,
        }
    }

    /// The form for a number, as Unicode's CLDR has it: for Arabic zero, one, two, few, many, other.
    const fn form(self, count: usize) -> usize {
        match (self, count) {
            (Self::Arabic, 0..=2) => count,
            (Self::Arabic, _) => match count % 100 {
                3..=10 => 3,
                11..=99 => 4,
                _ => 5,
            },
            (Self::Japanese, _) | (_, 1) => 0,
            _ => 1,
        }
    }
}

/// Code in a sentence, such as `mark(X, b2)`: from left to right where the sentence is not.
#[must_use]
pub fn code_in_sentence(code: &str) -> String {
    let turns = language() == Language::Arabic && code.contains('(');
    // Without these marks the last bracket would stand before the code.
    if turns { format!("\u{2066}{code}\u{2069}") } else { code.to_owned() }
}

/// A function that finds the translation of an English sentence.
pub type Lookup = Box<dyn Fn(&str) -> Option<String>>;

/// The language of this page, and its sentences.
#[derive(Default)]
struct Catalogue {
    language: Language,
    find: Option<Lookup>,
}

impl fmt::Debug for Catalogue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Catalogue").field("language", &self.language).finish_non_exhaustive()
    }
}

thread_local! {
    // A page has one language from its start to its end: whoever chooses another one loads the page again.
    // Passed as a value it would be a parameter of nearly every function that writes a sentence.
    static CATALOGUE: RefCell<Catalogue> = RefCell::new(Catalogue::default());
}

/// Speaks a language from now on. Sentences that `find` does not find stay English.
pub fn speak(language: Language, find: Lookup) {
    CATALOGUE.set(Catalogue { language, find: Some(find) });
}

/// The language of the page.
#[must_use]
pub fn language() -> Language {
    CATALOGUE.with_borrow(|catalogue| catalogue.language)
}

/// The translation of an English sentence; `None` if there is none, or if the page speaks English.
fn find(english: &str) -> Option<String> {
    CATALOGUE.with_borrow(|catalogue| catalogue.find.as_ref()?(english))
}

/// A sentence in the language of the page.
#[must_use]
pub fn say(english: &str) -> String {
    find(english).unwrap_or_else(|| english.to_owned())
}

/// A sentence with its gaps filled: `say_with("{name} has joined.", &[("name", "Ada")])`.
#[must_use]
pub fn say_with(english: &str, gaps: &[(&str, &str)]) -> String {
    fill(&say(english), gaps)
}

/// A sentence about a number, which fills the gap `{count}`: `say_count("{count} tie|{count} ties", 2)`.
#[must_use]
pub fn say_count(english: &str, count: usize) -> String {
    let (forms, language) = match find(english) {
        Some(forms) => (forms, language()),
        None => (english.to_owned(), Language::English),
    };
    let form = forms.split('|').nth(language.form(count)).unwrap_or(&forms);
    fill(form, &[("count", &count.to_string())])
}

/// Fills gaps. What goes into a gap is not read again.
fn fill(template: &str, gaps: &[(&str, &str)]) -> String {
    let mut filled = String::with_capacity(template.len());
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('{') {
        filled += before;
        let Some((name, behind)) = after.split_once('}') else {
            filled.push('{');
            rest = after;
            break;
        };
        match gaps.iter().find(|(gap, _)| *gap == name) {
            Some((_, value)) => filled += value,
            None => filled.extend(["{", name, "}"]),
        }
        rest = behind;
    }
    filled + rest
}

/// A sentence that comes from the rules of a game or from a table. Their English is not in the code of
/// the page, so a translation may be missing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RuleSentence {
    /// The sentence.
    pub text: String,
    /// Its language, if it is not the one of the page.
    pub lang: Option<&'static str>,
}

impl RuleSentence {
    /// Translates what rules say, if the catalogue knows it. Numbers and squares fill the gaps of its key,
    /// in their order: `It completed {1} in a row.`
    #[must_use]
    pub fn new(english: &str) -> Self {
        if let Some(text) = translated_rule(english) {
            return Self { text, lang: None };
        }
        let lang = (language() != Language::English).then_some("en");
        Self { text: english.to_owned(), lang }
    }

    /// A sentence in the language of the page.
    #[must_use]
    pub const fn said(text: String) -> Self {
        Self { text, lang: None }
    }
}

/// What rules say, translated if the catalogue knows it.
#[must_use]
pub fn say_rule(english: &str) -> String {
    RuleSentence::new(english).text
}

fn translated_rule(english: &str) -> Option<String> {
    if let Some(whole) = find(english) {
        return Some(whole);
    }
    let (key, values) = with_gaps(english);
    let found = find(&key)?;
    let names: Vec<String> = (1..=values.len()).map(|number| number.to_string()).collect();
    let gaps: Vec<(&str, &str)> =
        names.iter().map(String::as_str).zip(values.iter().copied()).collect();
    Some(fill(&found, &gaps))
}

/// The sentence with a gap in place of each word with a digit, and these words.
fn with_gaps(english: &str) -> (String, Vec<&str>) {
    let (mut key, mut values) = (String::new(), Vec::new());
    let mut rest = english;
    while !rest.is_empty() {
        // The library's tables of all letters would make the page larger.
        let is_word = rest.starts_with(|letter: char| letter.is_ascii_alphanumeric());
        let end = rest.find(|letter: char| letter.is_ascii_alphanumeric() != is_word);
        let (piece, behind) = rest.split_at(end.unwrap_or(rest.len()));
        if piece.contains(|letter: char| letter.is_ascii_digit()) {
            values.push(piece);
            key.extend(["{", &values.len().to_string(), "}"]);
        } else {
            key += piece;
        }
        rest = behind;
    }
    (key, values)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Speaks a language with one sentence, and returns what is said.
    fn check(
        language: Language,
        key: &'static str,
        words: &'static str,
        said: &dyn Fn() -> String,
    ) -> String {
        speak(language, Box::new(move |english| (english == key).then(|| words.to_owned())));
        let text = said();
        CATALOGUE.set(Catalogue::default());
        text
    }

    #[test]
    fn english_is_said_as_it_is_written() {
        assert_eq!(say("Resign"), "Resign");
        assert_eq!(say_with("{name} has joined.", &[("name", "Ada")]), "Ada has joined.");
        let ties = [0, 1, 2].map(|count| say_count("{count} tie|{count} ties", count));
        assert_eq!(ties, ["0 ties", "1 tie", "2 ties"]);
        assert_eq!(RuleSentence::new("It is not your turn").lang, None);
    }

    #[test]
    fn a_translation_takes_the_place_of_the_english_and_a_missing_one_does_not() {
        let (key, words) = ("{name} has joined.", "{name} ist dabei.");
        let joined = || say_with("{name} has joined.", &[("name", "Ada")]);
        assert_eq!(check(Language::German, key, words, &joined), "Ada ist dabei.");
        assert_eq!(check(Language::German, key, words, &|| say("Resign")), "Resign");
    }

    #[test]
    fn what_a_person_is_called_is_no_gap() {
        let said = say_with("{name} and {other}", &[("name", "{other}"), ("other", "Bob")]);
        assert_eq!(said, "{other} and Bob");
        assert_eq!(say_with("{unknown} {", &[]), "{unknown} {");
    }

    #[test]
    fn each_language_has_its_own_forms_for_numbers() {
        let (key, words) =
            ("{count} tie|{count} ties", "zero|one|two|few {count}|many {count}|other {count}");
        let forms = [0, 1, 2, 3, 11, 100, 103].map(|count| {
            check(Language::Arabic, key, words, &|| say_count("{count} tie|{count} ties", count))
        });
        assert_eq!(forms, ["zero", "one", "two", "few 3", "many 11", "other 100", "few 103"]);
        let one = |count| check(Language::Japanese, key, "{count}回", &|| say_count(key, count));
        assert_eq!([one(1), one(5)], ["1回", "5回"]);
    }

    #[test]
    fn numbers_and_squares_of_rules_fill_gaps_and_unknown_rules_stay_english() {
        let (key, words) = ("You must play in the board from {1} to {2}", "Von {1} bis {2}");
        let known = || say_rule("You must play in the board from d4 to f6");
        assert_eq!(check(Language::German, key, words, &known), "Von d4 bis f6");
        let lang = || RuleSentence::new("An own rule").lang.unwrap_or_default().to_owned();
        assert_eq!(check(Language::German, key, words, &lang), "en");
    }

    #[test]
    fn a_language_is_found_by_its_code() {
        for language in Language::ALL {
            assert_eq!(Language::of(language.code()), language);
        }
        assert_eq!(Language::of("xx"), Language::English);
    }
}
