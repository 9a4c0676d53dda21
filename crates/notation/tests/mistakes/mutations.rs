//! Nothing that a text contains panics, hangs or takes much memory.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use bthread::Limits;
use game::{AnyGame, AnyPosition, Game, Generator, Turn};
use notation::{BuildLimits, BuiltText, Document, ModelOptions, RunPace, SearchLimits};

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

/// A text in which one word is another word of the same text, or in which a line is missing or stands
/// twice: it often has no mistake.
fn mildly_mutated(generator: &mut Generator) -> String {
    let text = TEXTS[below(generator, TEXTS.len())].1;
    if below(generator, 3) > 0 {
        let words: Vec<(usize, &str)> = words(text).collect();
        let (at, word) = words[below(generator, words.len())];
        let other = words[below(generator, words.len())].1;
        let mut text = text.to_owned();
        text.replace_range(at..at + word.len(), other);
        return text;
    }
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let chosen = below(generator, lines.len());
    let copies = 2 * below(generator, 2);
    let numbered = lines.iter().enumerate();
    let repeated = numbered.map(|(at, line)| line.repeat(if at == chosen { copies } else { 1 }));
    repeated.collect()
}

/// The words and numbers of a text, each with its place.
fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(move |word| (word.as_ptr() as usize - text.as_ptr() as usize, word))
}

/// What became of a text that was built within enough steps for every example.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Doings {
    texts: u64,
    built: u64,
    /// Searches that found states, runs with steps, and games with moves.
    searched: u64,
    ran: u64,
    played: u64,
}

/// Enough steps to build every example.
const STEPS: u64 = 4_000_000;

/// The most plies of a game that is played out, and the most events that follow from one.
const PLIES: u32 = 50;
const FOLLOWING: u64 = 1_000;

/// Everything that can be done with a text that has no mistake: it is verified, run event by event and
/// played.
fn use_text(text: &str, generator: &mut Generator, doings: &mut Doings) {
    let limits = BuildLimits { steps: STEPS, ..BuildLimits::default() };
    doings.texts += 1;
    let Ok(built) = Document::read_within(text, limits).build(&[]) else { return };
    doings.built += 1;
    let model = built.model(&ModelOptions::default()).expect("the text has a model");
    let limits = SearchLimits { states: 200, ..SearchLimits::default() };
    let report = model.verify(&built.usual_properties(), limits).expect("all events are declared");
    let told = report.findings.iter().map(ToString::to_string).collect::<String>();
    assert!(!told.contains('\u{0}') || text.contains('\u{0}'), "{told}");
    doings.searched += u64::from(report.states > 1);
    doings.ran += u64::from(run(&built, generator) > 0);
    if let Ok(game) = built.any_game_within("text", 1 << 16, following()) {
        doings.played += u64::from(play(&game, generator) > 0);
    }
}

fn following() -> Limits {
    Limits { steps: FOLLOWING, ..Limits::default() }
}

/// Runs a text for twenty events, and goes back to a snapshot after each. Returns how many there were.
fn run(built: &BuiltText, generator: &mut Generator) -> u32 {
    let (mut run, _) = built.start_run(RunPace::Steps).expect("nothing happens by itself");
    for step in 0..20 {
        let possible = run.possible();
        if possible.is_empty() {
            return step;
        }
        let chosen = &possible[below(generator, possible.len())].event;
        let (before, snapshot) = (run.clone(), run.snapshot());
        run.trigger(chosen).expect("it is possible");
        let after = run.snapshot();
        run.restore(&snapshot).expect("it is of this text");
        assert_eq!(run.possible(), before.possible(), "a snapshot is the whole state");
        run.trigger(chosen).expect("it is possible again");
        assert_eq!(run.snapshot(), after, "the same event leads to the same state");
    }
    20
}

/// Plays a game at random. Returns the number of plies.
fn play(game: &AnyGame, generator: &mut Generator) -> u32 {
    let mut position: AnyPosition = game.start();
    for ply in 0..PLIES {
        let moved = match game.turn(&position) {
            Turn::Over(_) => return ply,
            Turn::Chance => {
                let chances = game.chances(&position);
                let (drawn, _) = &chances[below(generator, chances.len())];
                game.apply_chance(&mut position, drawn);
                !game.is_broken(&position)
            }
            Turn::One(seat) => {
                let moves: Vec<_> = game.legal_moves(&position, seat).collect();
                let chosen = moves.get(below(generator, moves.len().max(1)));
                let next =
                    chosen.and_then(|chosen| game.play(&position, seat, chosen.clone()).ok());
                next.map(|next| position = next).is_some()
            }
            Turn::Several(_) => false,
        };
        if !moved {
            return ply;
        }
    }
    PLIES
}

#[test]
fn mutations_without_mistakes_are_verified_run_and_played() {
    let mut doings = Doings::default();
    let mut generator = Generator::seeded(18);
    for (_, text) in TEXTS {
        use_text(text, &mut generator, &mut doings);
    }
    let examples = TEXTS.len() as u64;
    assert_eq!((doings.texts, doings.built), (examples, examples), "{doings:?}");
    for _ in 0..600 {
        use_text(&mildly_mutated(&mut generator), &mut generator, &mut doings);
    }
    let fair = |count: u64| count * 10 > doings.texts;
    assert!(fair(doings.built) && fair(doings.searched) && fair(doings.ran), "{doings:?}");
    assert!(fair(doings.played * 2), "{doings:?}");
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
