//! The lab in another language.

use std::collections::BTreeMap;

use web::lab::know_keys;
use web::language::{Language, speak};

use crate::driver::LabDriver;

/// Speaks German, as a page that has loaded its catalogue.
fn speak_german() {
    let texts: BTreeMap<String, String> =
        serde_json::from_str(include_str!("../../page/lab-texts-de.json")).expect("a catalogue");
    know_keys(texts.keys().cloned());
    speak(Language::German, Box::new(move |english| texts.get(english).cloned()));
}

#[test]
fn a_lesson_is_told_in_the_language_of_the_page() {
    speak_german();
    let mut driver = LabDriver::example("nim");
    driver.act("lesson", "tutorial");
    let panel = driver.panel("lesson");
    assert!(panel.contains("Ein Feld wird einmal besetzt"), "{panel}");
    assert!(panel.contains("Ein B-Thread ist eine Regel."), "{panel}");
    assert!(driver.panel("toolbar").contains("Tic-Tac-Toe, B-Thread für B-Thread"));
    driver.act("lesson-solve", "");
    assert!(driver.panel("lesson").contains("Neun B-Threads, eine Regel."));
}

#[test]
fn mistakes_verdicts_and_results_are_told_in_it_and_what_an_author_wrote_is_not() {
    speak_german();
    let mut driver = LabDriver::example("tic-tac-toe");
    driver.act("switch", "PreventThirdX");
    assert!(driver.panel("proof").contains("win(X) geschieht"), "{}", driver.panel("proof"));
    driver.act("board", "XNeverWins");
    for _ in 0..9 {
        driver.act("forward", "");
    }
    assert!(driver.panel("play").contains("X gewinnt"), "{}", driver.panel("play"));
    let text = driver.lab.text().source().replace("wait for mark(square)", "wait for marks");
    driver.write(&text);
    let mistakes = driver.panel("mistakes");
    assert!(mistakes.contains("kein Ereignis heißt `marks`; war `mark` gemeint?"), "{mistakes}");
    driver.act("lesson", "tutorial");
    let proof = driver.panel("proof");
    assert!(proof.contains("a square is marked twice"), "{proof}");
}

#[test]
fn what_b_threads_do_is_told_in_it() {
    speak_german();
    let mut driver = LabDriver::example("tic-tac-toe");
    driver.act("square", "a1");
    let play = driver.panel("play");
    assert!(play.contains("wartet auf mark(X); blockiert mark(O)"), "{play}");
    assert!(play.contains("aria-label=\"Brett\""), "{play}");
    driver.act("svg", "");
    let saved = format!("{:?}", driver.effects.last());
    assert!(saved.contains("Das Gewebe eines Laufs von tic-tac-toe"), "{saved}");
}
