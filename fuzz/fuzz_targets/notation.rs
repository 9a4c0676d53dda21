//! Any text: it is read, formatted and built within bounds, or its mistakes are told.

#![no_main]

use notation::{BuildLimits, Document};

libfuzzer_sys::fuzz_target!(|text: &str| {
    let limits = BuildLimits { steps: 100_000, ..BuildLimits::default() };
    let document = Document::read_within(text, limits);
    if let Ok(formatted) = document.format() {
        let again = Document::read_within(formatted.as_str(), limits).format();
        assert_eq!(again.as_ref(), Ok(&formatted));
        let bare = |text: &str| text.split_whitespace().collect::<String>();
        assert_eq!(bare(&formatted), bare(document.text()));
    }
    match document.build(&[]) {
        Ok(built) => drop(built.game()),
        Err(mistakes) => mistakes.iter().for_each(|each| drop(each.render("fuzz", text))),
    }
});
