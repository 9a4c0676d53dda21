//! What the reader of texts, the checker, runs and the server say in the lab.

use std::collections::BTreeMap;

use web::lab::{know_keys, spoken};
use web::language::{Language, speak};

use super::literals::{Literal, literals};
use super::sources::rust_files;
use super::{TRANSLATIONS, catalogue};

/// The sentences, one on each line.
const SENTENCES: &str = include_str!("reader_sentences.txt");

/// All sentences, with gaps for names and numbers.
pub(crate) fn reader_sentences() -> impl Iterator<Item = &'static str> {
    SENTENCES.lines()
}

/// The files in which every text with several words is said to a person.
const SPEAKING: [&str; 10] = [
    "../notation/src/build",
    "../notation/src/build.rs",
    "../notation/src/compile",
    "../notation/src/declare",
    "../notation/src/declare.rs",
    "../notation/src/lexer.rs",
    "../notation/src/limits.rs",
    "../notation/src/parser",
    "../notation/src/resolver",
    "../notation/src/verify",
];

/// Pieces of sentences, which are listed as a whole.
const PIECES: [&str; 9] = [
    "{} is {values}",
    "the probability of {}",
    "the expected number of {} until {}",
    "any move of {seat}",
    "it holds in every run",
    "mark(X)",
    "there are none",
    "there are {}",
    "no parameter is called `{}`: {list}{hint}",
];

/// Speaks a language with these sentences.
fn speak_with(language: Language, texts: BTreeMap<String, String>) {
    know_keys(texts.keys().cloned());
    speak(language, Box::new(move |english| texts.get(english).cloned()));
}

/// A sentence with something in its gaps, each with another thing.
fn filled(template: &str) -> String {
    let (mut out, mut rest, mut count) = (String::new(), template, 0_u32);
    while let Some((before, behind)) = rest.split_once('{') {
        let (_, behind) = behind.split_once('}').expect("a gap ends");
        count += 1;
        out.extend([before, "x", &count.to_string()]);
        rest = behind;
    }
    out + rest
}

/// What a program says instead of this literal; `None` if nobody hears it.
fn said(literal: &Literal) -> Option<String> {
    let Literal { before, text } = literal;
    let is_for_us = ["expect(", "unreachable!(", "reason =", "starts_with("];
    let is_sentence = text.trim().contains(' ') && text.chars().any(char::is_alphabetic);
    if !is_sentence || is_for_us.iter().any(|end| before.ends_with(end)) {
        return None;
    }
    // What was probably meant is added to a sentence.
    let plain = text.replace("{hint}", "");
    let plain = match plain.strip_suffix("`{}") {
        Some(whole) if whole.matches('`').count() % 2 == 1 => format!("{whole}`"),
        _ => plain,
    };
    let joined = plain.starts_with([' ', ',', ';']);
    Some(filled(&if joined { format!("x{plain}") } else { plain }))
}

#[test]
fn whatever_the_reader_of_texts_and_the_checker_say_is_listed() {
    let listed = reader_sentences().map(|key| (key.to_owned(), format!("«{key}»")));
    speak_with(Language::German, listed.collect());
    let (mut missing, mut found) = (Vec::new(), 0);
    for (file, source) in rust_files(&SPEAKING) {
        for literal in literals(&source) {
            let is_piece = PIECES.contains(&literal.text.trim());
            let Some(sentence) = said(&literal).filter(|_| !is_piece) else { continue };
            found += 1;
            if spoken(&sentence) == sentence {
                missing.push(format!("{file}: {:?}", literal.text));
            }
        }
    }
    assert!(found > 100, "{found}");
    assert!(missing.is_empty(), "{missing:#?}");
    assert_eq!(spoken("a sentence that nobody listed"), "a sentence that nobody listed");
}

#[test]
fn every_sentence_of_the_reader_finds_its_own_translation() {
    for language in TRANSLATIONS {
        let texts = catalogue("lab-texts", language);
        speak_with(language, texts.clone());
        for key in reader_sentences() {
            let names = key.split('{').skip(1).filter_map(|piece| piece.split_once('}'));
            let expected =
                (1..).zip(names).fold(texts[key].clone(), |text, (number, (name, _))| {
                    text.replace(&format!("{{{name}}}"), &format!("x{number}"))
                });
            assert_eq!(spoken(&filled(key)), expected, "{language:?} {key}");
        }
    }
}

#[test]
fn a_mistake_of_a_text_is_told_in_german() {
    speak_with(Language::German, catalogue("lab-texts", Language::German));
    let text = "game g\nseats X, O\nset square = 1..3\nevent mark(seat, square) move of seat\n\
                rule A\n  wait for marks(X)\n";
    let mistakes = notation::Document::read(text).build(&[]).unwrap_err();
    let told: Vec<String> = mistakes.iter().map(|mistake| spoken(&mistake.message)).collect();
    assert_eq!(told, ["kein Ereignis heißt `marks`; war `mark` gemeint?"]);
}
