//! Every sentence of the page and the lab in every language.
//!
//! The sentences are found where they stand: in the code, in the scripts and in the documents. A
//! catalogue has all of them and nothing else.

mod literals;
mod reader_sentences;
mod sources;

use std::collections::{BTreeMap, BTreeSet};

use game::{Game as _, Seat};
use games::catalog::CATALOG;
use web::lab::LESSONS;
use web::language::{Language, RuleSentence, say, speak};

use self::literals::literals;
use self::reader_sentences::reader_sentences;
use self::sources::{KeyUse, lab_sentences, page_file, page_sentences, rust_files, view_text};

const TRANSLATIONS: [Language; 4] =
    [Language::German, Language::Spanish, Language::Japanese, Language::Arabic];

/// What games and tables say, as `games`, `game`, `table` and `server` write it. Words with digits are gaps.
const RULE_SENTENCES: [&str; 66] = [
    "First",
    "Second",
    "Odds",
    "Evens",
    "It completed three in a row.",
    "It stopped X from completing three in a row.",
    "It stopped O from completing three in a row.",
    "It prevented a fork: two threats of X at once.",
    "Nothing was urgent, so it took the best free square: centre, corner, edge.",
    "It completed {1} in a row.",
    "It made its line {1} long.",
    "It stopped a line that was {1} long.",
    "Nothing was urgent, so it took the free square nearest to the middle.",
    "It is the only move.",
    "That cell is already marked",
    "It is not your turn",
    "The game is over",
    "That column is full",
    "That board is already decided",
    "You must play in the board from {1} to {2}",
    "X must play in the board from {1} to {2}",
    "O must play in the board from {1} to {2}",
    "X may play in any board that is neither won nor full",
    "O may play in any board that is neither won nor full",
    "You have nothing to hold: roll first",
    "You have enough to win: hold",
    "{1} points win",
    "First has {1}",
    "Second has {1}",
    "First has rolled {1} in this turn",
    "Second has rolled {1} in this turn",
    "First has rolled {1} in this turn and rolls",
    "Second has rolled {1} in this turn and rolls",
    "First has won",
    "Second has won",
    "The cards are not dealt yet",
    "{1} chips are staked",
    "Odds and Evens have shown nothing",
    "Odds shows {1}, Evens shows {2}",
    "You have no seat at this table",
    "That seat is not free",
    "This seat is taken: show its token to come back to it",
    "You are at the table already",
    "The round is not over",
    "You have already chosen",
    "Others came first too often: try again",
    "You cannot claim your own round",
    "This log is too long to move a seat: open a new table",
    "This code has been used, or is not valid any more: show a new one",
    "This device holds a seat at this table already",
    "This table has ended: open a new one",
    "Moves are not taken back in games that hide something",
    "Moves are not taken back in games of chance, or where players choose at the same time",
    "Moves are taken back only at tables of two",
    "You have no move to take back",
    "You have asked already",
    "The other player has asked already: answer first",
    "This was declined already: you may ask again after the next move",
    "Nobody has asked you to take a move back",
    "The round is over",
    "A computer player is never absent",
    "Only the round of a player who has to move can be claimed",
    "The table has ended already",
    "A table ends between two rounds: finish this one first",
    "The other player may come back: you can claim the round in {1} s",
    "The other player is connected: wait for the move",
];

/// The moves that have words for names.
const MOVES: [&str; 4] = ["roll", "hold", "bet", "pass"];

/// The sentences of the page, and how they are used.
fn page() -> BTreeMap<String, KeyUse> {
    let mut keys = page_sentences();
    let listed = CATALOG.iter().flat_map(|listed| [listed.title, listed.how_to_play]);
    let rules = listed.chain(RULE_SENTENCES).chain(MOVES);
    keys.extend(rules.map(|sentence| (sentence.to_owned(), KeyUse::Sentence)));
    keys
}

/// The sentences of the lab: its own, those of the lessons, and those of the reader and the checker.
fn lab() -> BTreeMap<String, KeyUse> {
    let mut keys = lab_sentences();
    let steps = LESSONS.iter().flat_map(|lesson| lesson.steps);
    // A step that is called like a b-thread has that name in all languages.
    let titles = steps.clone().map(|step| step.title).filter(|title| title.contains(' '));
    let stories = steps.flat_map(|step| [step.story, step.done]);
    let said = LESSONS.iter().map(|lesson| lesson.title).chain(titles).chain(stories);
    keys.extend(said.chain(reader_sentences()).map(|said| (said.to_owned(), KeyUse::Sentence)));
    keys
}

fn catalogue(name: &str, language: Language) -> BTreeMap<String, String> {
    let text = page_file(&format!("{name}-{}.json", language.code()));
    serde_json::from_str(&text).expect("a catalogue maps sentences to sentences")
}

/// Everything that is wrong with a catalogue.
fn problems(
    language: Language,
    keys: &BTreeMap<String, KeyUse>,
    catalogue: &BTreeMap<String, String>,
) -> Vec<String> {
    let mut problems = Vec::new();
    for key in keys.keys().filter(|key| !catalogue.contains_key(*key)) {
        problems.push(format!("{language:?} lacks {key:?}"));
    }
    for (key, words) in catalogue {
        let Some(usage) = keys.get(key) else {
            problems.push(format!("nothing says {key:?}"));
            continue;
        };
        let forms = if *usage == KeyUse::Counted { language.forms() } else { 1 };
        let has_forms = *usage != KeyUse::Counted || words.split('|').count() == forms;
        if gaps(key) != gaps(words) {
            problems.push(format!("{language:?} has other gaps in {words:?}"));
        }
        if !has_forms {
            problems.push(format!("{language:?} needs {forms} forms of {key:?}"));
        }
        if key.starts_with('[') != (words.starts_with('[') && words.contains(']')) {
            problems.push(format!("{language:?} does not begin {words:?} with its subject"));
        }
        if words.trim() != words || words.is_empty() {
            problems.push(format!("{language:?} has blanks around {words:?}"));
        }
    }
    problems
}

/// The names of the gaps of a sentence.
fn gaps(sentence: &str) -> BTreeSet<&str> {
    let pieces = sentence.split('{').skip(1);
    pieces.filter_map(|piece| piece.split_once('}')).map(|(name, _)| name).collect()
}

#[test]
fn every_language_has_every_sentence_of_the_page_with_the_same_gaps() {
    let keys = page();
    assert!(keys.len() > 300, "{}", keys.len());
    for language in TRANSLATIONS {
        let found = problems(language, &keys, &catalogue("texts", language));
        assert!(found.is_empty(), "{found:#?}");
    }
}

#[test]
fn every_language_has_every_sentence_of_the_lab_with_the_same_gaps() {
    let keys = lab();
    assert!(keys.len() > 300, "{}", keys.len());
    for language in TRANSLATIONS {
        let found = problems(language, &keys, &catalogue("lab-texts", language));
        assert!(found.is_empty(), "{found:#?}");
    }
}

#[test]
fn a_catalogue_with_a_mistake_is_noticed() {
    let keys = page();
    let check = |key: &str, words: Option<&str>| {
        let mut changed = catalogue("texts", Language::German);
        match words {
            Some(words) => changed.insert(key.to_owned(), words.to_owned()),
            None => changed.remove(key),
        };
        let found = problems(Language::German, &keys, &changed);
        assert_eq!(found.len(), 1, "{key}: {found:?}");
    };
    check("Resign", None);
    check("Nobody says this.", Some("Niemand sagt das."));
    check("{name} has joined.", Some("Jemand ist dabei."));
    check("{count} tie|{count} ties", Some("{count} Unentschieden"));
    check("[Your turn].", Some("Du bist dran."));
    check("Resign", Some("Aufgeben "));
}

#[test]
fn translations_are_not_the_english() {
    let same = ["Cat’s Cradle", "API", "Notakto", "Pig", "Name", "{event}:", "{reason}."];
    for (name, language) in ["texts", "lab-texts"]
        .into_iter()
        .flat_map(|name| TRANSLATIONS.map(|language| (name, language)))
    {
        let equal = catalogue(name, language).into_iter().filter(|(key, words)| key == words);
        let equal: Vec<String> = equal.map(|(key, _)| key).collect();
        let is_known = |key: &&String| same.contains(&key.as_str());
        // Words such as `Computer`, `No` and `{seconds} s` are the same in two languages.
        let unknown = equal.iter().filter(|key| !is_known(key) && key.split(' ').count() > 3);
        assert_eq!(unknown.collect::<Vec<_>>(), Vec::<&String>::new(), "{language:?}");
    }
}

#[test]
fn rules_say_what_the_catalogues_translate() {
    let sources: String =
        rust_files(&["../games/src", "../game/src", "../table/src", "../server/src"])
            .into_iter()
            .map(|(_, text)| text)
            .collect();
    // Names of seats are gaps in the code, and numbers in the catalogue.
    let plain = sources.replace("{} ", "").replace(" {}", "");
    // The page makes a sentence of what a player says.
    let plain = plain.replace("\"it is the only move\"", "\"It is the only move.\"");
    for sentence in RULE_SENTENCES {
        let without_seat =
            ["First ", "Second ", "X ", "O "].iter().find_map(|seat| sentence.strip_prefix(seat));
        let words =
            without_seat.unwrap_or(sentence).split(['{', '}']).filter(|piece| piece.len() > 3);
        for piece in words {
            let piece = piece.trim();
            assert!(
                sources.contains(piece) || plain.contains(piece),
                "no rule says {piece:?} of {sentence:?}"
            );
        }
    }
}

#[test]
fn a_refusal_of_a_built_in_game_is_said_in_german() {
    let texts = catalogue("texts", Language::German);
    speak(Language::German, Box::new(move |english| texts.get(english).cloned()));
    let game = games::catalog::game("tic-tac-toe").unwrap();
    let mut position = game.start();
    let square = game.read_move("b2").unwrap();
    game.advance(&mut position, Seat::FIRST, square.clone()).unwrap();
    let refusal = game.advance(&mut position, Seat::SECOND, square).unwrap_err();
    let said = RuleSentence::new(refusal.message());
    assert_eq!((said.text.as_str(), said.lang), ("Dieses Feld ist schon besetzt", None));
    let unknown = RuleSentence::new("A rule of somebody");
    assert_eq!((unknown.text.as_str(), unknown.lang), ("A rule of somebody", Some("en")));
    assert_eq!(say("Resign"), "Aufgeben");
}

#[test]
fn the_views_hold_no_sentence_of_their_own() {
    for (file, source) in rust_files(&["src/ui"]) {
        let found: Vec<String> = literals(&source).iter().filter_map(view_text).collect();
        assert!(found.is_empty(), "{file} says without `say`: {found:?}");
    }
}

#[test]
fn a_sentence_in_a_view_is_noticed() {
    for view in [
        r#"view! { <b>"Level"</b> }"#,
        r#"view! { <p>{sentence}" "<b>"Play on"</b></p> }"#,
        r#"view! { <div aria-label="Board"></div> }"#,
        r#"button("small", "New table", move || go())"#,
        r#"let news = format!("{name} has left the table.");"#,
        r#"answer.set("Looking …".to_owned())"#,
    ] {
        let found: Vec<String> = literals(view).iter().filter_map(view_text).collect();
        assert_eq!(found.len(), 1, "{view}: {found:?}");
    }
    for view in [
        r#"view! { <b class="button main">{say("Level")}</b> }"#,
        r#"drop(x).expect("a window has a history. Always.")"#,
        r#"view! { <span>" · "</span> }"#,
    ] {
        let found: Vec<String> = literals(view).iter().filter_map(view_text).collect();
        assert!(found.is_empty(), "{view}: {found:?}");
    }
}
