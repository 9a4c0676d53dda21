//! The blocks of `docs/notation.md` are texts without mistakes and warnings, in form.

use checker::Verdict;
use notation::{Document, ModelOptions, SearchLimits};

const PAGE: &str = include_str!("../../../docs/notation.md");

/// The blocks of the page that are texts.
fn blocks() -> Vec<&'static str> {
    let parts = PAGE.split("```cradle\n").skip(1);
    parts.map(|part| part.split("```").next().expect("a block ends")).collect()
}

#[test]
fn every_block_is_read_formatted_and_proved() {
    let blocks = blocks();
    assert_eq!(blocks.len(), 3);
    for text in blocks {
        let document = Document::read(text);
        assert_eq!(document.check(&[]), [], "{text}");
        assert_eq!(document.format().as_deref(), Ok(text));
        let built = document.build(&[]).unwrap();
        let model = built.model(&ModelOptions::default()).unwrap();
        let report = model.verify(built.properties(), SearchLimits::default()).unwrap();
        assert_eq!(report.verdict(), Verdict::Holds, "{text}");
    }
}
