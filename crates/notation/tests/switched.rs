//! Texts with something left out, and what a lab shows of them.

use notation::HighlightKind::{Comment, Declared, Event, Keyword, Number, Sentence};
use notation::{
    BuiltText, Document, HighlightKind, ModelOptions, RunPace, SearchLimits, WeaveForm, WeaveWords,
    weave,
};

const TIC_TAC_TOE: &str = include_str!("../../../games/tic-tac-toe.cradle");
const RUIN: &str = include_str!("../../../games/ruin.cradle");

fn built(text: &str) -> BuiltText {
    Document::read(text).build(&[]).expect("the text is correct")
}

/// The number of states without these names, and the names of the properties.
fn check(names: &[&str]) -> (u64, Vec<String>) {
    let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
    let text = built(TIC_TAC_TOE).without(&names);
    let model = text.model(&ModelOptions::default()).expect("the text is a model");
    let report = model.verify(text.properties(), SearchLimits::default());
    let report = report.expect("every event exists");
    (report.states, report.findings.into_iter().map(|finding| finding.property).collect())
}

#[test]
fn a_text_without_a_family_is_the_model_without_it() {
    let text = built(TIC_TAC_TOE);
    for family in ["PreventXFork", "SquareTaken", "SquareTaken(b2)", "DefaultMoves"] {
        let without = vec![family.to_owned()];
        let options = ModelOptions { without, ..ModelOptions::default() };
        let model = text.model(&options).unwrap();
        let limits = SearchLimits { states: 20_000, ..SearchLimits::default() };
        let expected = model.verify(text.properties(), limits).unwrap();
        let own = text.without(&options.without);
        let model = own.model(&ModelOptions::default()).unwrap();
        let found = model.verify(own.properties(), limits).unwrap();
        assert_eq!((found.states, found.edges), (expected.states, expected.edges), "{family}");
    }
}

#[test]
fn properties_can_be_left_out_and_unknown_names_change_nothing() {
    assert_eq!(check(&[]), (641, vec!["XNeverWins".to_owned(), "EveryGameEnds".to_owned()]));
    assert_eq!(check(&["XNeverWins"]), (641, vec!["EveryGameEnds".to_owned()]));
    assert_eq!(check(&["Moon"]).0, 641);
}

#[test]
fn a_run_knows_where_each_b_thread_stands() {
    let text = built(TIC_TAC_TOE);
    let (mut run, _) = text.start_run(RunPace::Supersteps).unwrap();
    let place = |run: &notation::TextRun, name: &str| {
        let place = run.places().find(|place| place.thread.name().as_str() == name);
        place.map(|place| {
            let (start, end) = (place.span.start as usize, place.span.end as usize);
            (TIC_TAC_TOE.get(start..end).unwrap().to_owned(), place.is_awake)
        })
    };
    let before = ("wait for mark(square)".to_owned(), false);
    assert_eq!(place(&run, "SquareTaken(a1)"), Some(before.clone()));
    run.trigger(&text.event_called("mark(X, a1)").unwrap()).unwrap();
    assert_eq!(place(&run, "SquareTaken(a1)"), Some(("block mark(square)".to_owned(), true)));
    assert_eq!(place(&run, "SquareTaken(c3)"), Some(before));
}

#[test]
fn what_chance_may_draw_has_its_weight() {
    let text = built(RUIN);
    let (run, _) = text.start_run(RunPace::Supersteps).unwrap();
    let weights = text.events().map(|event| run.draw_weight(&event));
    assert!(weights.sum::<u32>() >= 2, "both sides of the coin");
    let (run, _) = built(TIC_TAC_TOE).start_run(RunPace::Supersteps).unwrap();
    let weights = built(TIC_TAC_TOE).events().map(|event| run.draw_weight(&event)).sum::<u32>();
    assert_eq!(weights, 0, "nobody draws in tic-tac-toe");
}

#[test]
fn words_names_events_sentences_and_comments_are_coloured() {
    let text = "# C\nprogram p \"S\"\nevent tea\nthread T\n  3 times: request tea\n";
    let coloured = Document::read(text).highlights();
    let found: Vec<(&str, HighlightKind)> = coloured
        .iter()
        .map(|each| {
            let (start, end) = (each.span.start as usize, each.span.end as usize);
            (text.get(start..end).unwrap(), each.kind)
        })
        .collect();
    assert_eq!(
        found,
        [
            ("# C", Comment),
            ("program", Keyword),
            ("p", Declared),
            ("\"S\"", Sentence),
            ("event", Keyword),
            ("tea", Declared),
            ("thread", Keyword),
            ("T", Declared),
            ("3", Number),
            ("times", Keyword),
            ("request", Keyword),
            ("tea", Event),
        ]
    );
}

#[test]
fn a_weave_on_a_page_has_buttons_and_no_style_of_its_own() {
    let text = built(TIC_TAC_TOE);
    let (mut run, mut steps) = text.start_run(RunPace::Supersteps).unwrap();
    steps.extend(run.trigger(&text.event_called("mark(X, a1)").unwrap()).unwrap());
    let words = WeaveWords::english(&text);
    let page = weave(&text, &steps, WeaveForm::Page { selected: Some(1) }, &words);
    assert_eq!(page.matches("role=\"button\"").count(), 2);
    assert_eq!(page.matches("aria-pressed=\"true\"").count(), 1);
    assert!(!page.contains("<style"), "a page forbids it: {page}");
    let file = weave(&text, &steps, WeaveForm::File, &words);
    assert!(file.contains("<style") && !file.contains("button"), "{file}");
}
