//! Any text: it is read, formatted and built within bounds, or its mistakes are told.

#![no_main]

use game::Generator;
use notation::{BuildLimits, BuiltText, Document, ModelOptions, RunPace, SearchLimits};

libfuzzer_sys::fuzz_target!(|text: &str| {
    let limits = BuildLimits { steps: 4_000_000, ..BuildLimits::default() };
    let document = Document::read_within(text, limits);
    if let Ok(formatted) = document.format() {
        let again = Document::read_within(formatted.as_str(), limits).format();
        assert_eq!(again.as_ref(), Ok(&formatted));
        let bare = |text: &str| text.split_whitespace().collect::<String>();
        assert_eq!(bare(&formatted), bare(document.text()));
    }
    match document.build(&[]) {
        Ok(built) => use_text(&built, text.len() as u64),
        Err(mistakes) => mistakes.iter().for_each(|each| drop(each.render("fuzz", text))),
    }
});

/// Verifies a text, runs it for some events, and makes a game of it.
fn use_text(built: &BuiltText, seed: u64) {
    let model = built.model(&ModelOptions::default()).expect("the text has a model");
    let limits = SearchLimits { states: 200, ..SearchLimits::default() };
    let report = model.verify(&built.usual_properties(), limits).expect("all events are declared");
    report.findings.iter().for_each(|finding| drop(finding.to_string()));
    let mut generator = Generator::seeded(seed);
    let (mut run, _) = built.start_run(RunPace::Steps).expect("nothing happens by itself");
    for _ in 0..20 {
        let possible = run.possible();
        if possible.is_empty() {
            break;
        }
        let chosen = generator.below(possible.len() as u64) as usize;
        let snapshot = run.snapshot();
        run.trigger(&possible[chosen].event).expect("it is possible");
        run.restore(&snapshot).expect("it is of this text");
        assert_eq!(run.possible(), possible);
        run.trigger(&possible[chosen].event).expect("it is possible again");
    }
    drop(built.any_game_called("fuzz", 1 << 16));
}
