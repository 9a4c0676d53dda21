//! Nothing that a text contains panics, hangs or takes much memory.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use game::{Game, Generator};
use notation::{BuildLimits, Document, ModelOptions};

use crate::games_folder::TEXTS;

/// What takes the place of parts of a text.
const PIECES: [&str; 40] = [
    "",
    " ",
    "\n",
    "\t",
    "\"",
    "#",
    "(",
    ")",
    "{",
    "}",
    ",",
    ":",
    ".",
    "..",
    "?",
    "_",
    "-",
    "*",
    "+",
    "==",
    "not ",
    "or",
    "and",
    "except",
    "any",
    "forever",
    "9999999",
    "0",
    "-1",
    "1000000",
    "while 1 > 0",
    "either",
    "must",
    "otherwise any",
    "keep x = x",
    "?x",
    "lines of 3 in square",
    "é",
    "\u{0}",
    "block any",
];

fn below(generator: &mut Generator, bound: usize) -> usize {
    usize::try_from(generator.below(bound as u64)).expect("it is below a usize")
}

/// A place between two characters.
fn place(generator: &mut Generator, text: &str) -> usize {
    let at = below(generator, text.len() + 1);
    (at..=text.len()).find(|at| text.is_char_boundary(*at)).unwrap_or(text.len())
}

/// A word, or a few characters, of a text.
fn part<'a>(generator: &mut Generator, text: &'a str) -> &'a str {
    let start = place(generator, text);
    let end = (start + below(generator, 30)).min(text.len());
    let end = (end..=text.len()).find(|at| text.is_char_boundary(*at)).unwrap_or(text.len());
    text.get(start..end).expect("both are between characters")
}

fn mutated(generator: &mut Generator) -> String {
    let mut text = TEXTS[below(generator, TEXTS.len())].1.to_owned();
    for _ in 0..=below(generator, 3) {
        let start = place(generator, &text);
        let cut =
            part(generator, text.get(start..).unwrap_or_default()).len().min(text.len() - start);
        let end = if below(generator, 2) == 0 { start } else { start + cut };
        let end = (end..=text.len())
            .find(|at| text.is_char_boundary(*at))
            .expect("the end is between characters");
        let piece = match below(generator, 3) {
            0 => PIECES[below(generator, PIECES.len())].to_owned(),
            1 => {
                let (_, other) = TEXTS[below(generator, TEXTS.len())];
                part(generator, other).to_owned()
            }
            _ => part(generator, &text).to_owned(),
        };
        text.replace_range(start..end, &piece);
    }
    text
}

/// The text without spaces and lines.
fn bare(text: &str) -> String {
    text.split_whitespace().collect()
}

/// Everything that a stranger can have done with a text. Returns whether it had no mistake.
///
/// Most texts are built within few steps only, because a bound is what stops a text.
fn law(text: &str, number: u64) -> bool {
    let steps = if number.is_multiple_of(16) { 30_000 } else { 1500 };
    let limits = BuildLimits { steps, ..BuildLimits::default() };
    let document = Document::read_within(text, limits);
    if number.is_multiple_of(4)
        && let Ok(formatted) = document.format()
    {
        let again = Document::read_within(formatted.as_str(), limits);
        assert_eq!(again.format().as_ref(), Ok(&formatted), "{text}");
        assert_eq!(bare(&formatted), bare(document.text()), "only spaces may change");
        if number.is_multiple_of(32) {
            let told = |document: &Document| -> Vec<_> {
                document.check(&[]).into_iter().map(|each| (each.code, each.message)).collect()
            };
            assert_eq!(told(&again), told(&document), "{text}");
        }
    }
    match document.build(&[]) {
        Err(mistakes) => {
            assert!(!mistakes.is_empty(), "{text}");
            for mistake in &mistakes {
                assert!(mistake.render("a", text).contains(&mistake.code.to_string()), "{text}");
            }
            false
        }
        Ok(built) => {
            built.model(&ModelOptions::default()).expect("the text has a model");
            if let Ok(game) = built.game() {
                let position = game.start();
                drop(game.text(&position));
            }
            true
        }
    }
}

#[test]
fn a_hundred_thousand_mutations_are_read() {
    const MUTATIONS: u64 = 100_000;
    const LANES: u64 = 4;
    let fine = AtomicUsize::new(0);
    thread::scope(|scope| {
        for lane in 0..LANES {
            let fine = &fine;
            scope.spawn(move || {
                let mut generator = Generator::seeded(lane);
                for number in 0..MUTATIONS / LANES {
                    let is_fine = law(&mutated(&mut generator), number);
                    fine.fetch_add(usize::from(is_fine), Ordering::Relaxed);
                }
            });
        }
    });
    // Mutations of comments and names change nothing, so some texts are still built.
    assert!(fine.into_inner() > 1000);
}
