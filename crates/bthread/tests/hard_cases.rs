//! Cases that once went wrong, or easily could.

use bthread::{
    AnyBThread, BThread, Behaviour, EventSet, Feedback, FreeEnvironment, Limits, Priority, Program,
    ProgramError, RestoreError, StateSpace, Status, Strategy, SyncPoint, Unobserved, block,
    request, request_any, violation, wait_for,
};

type Word = &'static str;

/// The events that a strategy may choose at the start of a program.
fn choices(program: &Program<Word>, strategy: &impl Strategy<Word>) -> Vec<Word> {
    let space = program.space();
    let mut events = Vec::new();
    let shown = space.successors(&space.start(), strategy, &mut |event, _| events.push(*event));
    shown.expect("open programs know all events");
    events
}

#[test]
fn a_script_past_its_end_has_ended_in_every_engine() {
    let mut past = AnyBThread::from(BThread::new("Past").then(request("boom")));
    past.go_on(&"boom");
    past.go_on(&"boom");
    assert!(past.has_ended());
    let mut ended = AnyBThread::from(BThread::new("Ended").then(request("boom")).forever());
    ended.end();
    ended.go_on(&"boom");
    assert!(ended.has_ended());

    let program = Program::new([past, ended]).unwrap();
    let (mut run, opening) = program.start().unwrap();
    assert_eq!((opening.events.len(), run.status()), (0, Status::Finished));
    assert_eq!(run.restore(&run.snapshot()), Ok(()));
    assert_eq!(choices(&program, &Priority), [""; 0]);
    let closed = program.closed_space(["boom"]).unwrap();
    assert_eq!(closed.snapshot(&closed.start()), run.snapshot());
}

#[test]
fn a_hundred_sets_are_intersected_quickly() {
    let names: Vec<Word> = (0..100).map(|number| &*format!("e{number}").leak()).collect();
    let sets = names.iter().map(|name| !EventSet::one(*name));
    let all = sets.reduce(|all, set| all & set).unwrap();
    let program = Program::new([BThread::new("Guard").then(block(all))]).unwrap();
    let (run, _) = program.start().unwrap();
    assert!(run.allows(&"e7") && !run.allows(&"else"));
}

#[test]
fn a_set_is_used_again_by_reference_and_a_list_of_sets_is_their_union() {
    let (vowels, others) = (EventSet::several(["a", "e"]), EventSet::several(["b", "c"]));
    let thread = BThread::new("Reader")
        .then(wait_for(&vowels).block(&others))
        .then(wait_for([vowels, others]).block("d"));
    let (mut run, _) = Program::new([thread]).unwrap().start().unwrap();
    assert!(run.trigger("b").is_err(), "only vowels first");
    assert_eq!(run.trigger("e").unwrap().events, ["e"]);
    assert!(run.trigger("d").is_err());
    assert_eq!(run.trigger("c").unwrap().events, ["c"]);
    assert_eq!(run.status(), Status::Finished);
}

#[test]
fn a_union_of_a_hundred_thousand_sets_does_not_nest() {
    let sets = (0..100_000).map(|_| EventSet::one("a"));
    let all = sets.reduce(|all, set| all | set).unwrap() | "b";
    assert!(all.contains(&"b") && !all.contains(&"c"));
    let program = Program::new([BThread::new("Guard").then(block(all))]).unwrap();
    assert!(!program.start().unwrap().0.allows(&"a"));
}

#[test]
fn b_threads_that_do_nothing_fit_behind_a_full_word() {
    for count in [63, 64, 65, 127, 128, 129] {
        let threads = (0..count).map(|number| BThread::of("One", number).then(request("a")));
        let empty = (0..3).map(|number| BThread::of("Empty", number));
        let program = Program::new(threads.chain(empty)).unwrap();
        let space = program.closed_space(["a"]).unwrap();
        let mut ends = Vec::new();
        space.successors(&space.start(), &Priority, &mut |_, next| ends.push(next)).unwrap();
        assert_eq!(space.status(&ends[0]), Status::Finished);
    }
}

#[test]
fn a_snapshot_with_a_longer_queue_than_the_run_allows_is_refused() {
    let program = Program::new([BThread::new("Wall").then(block("a"))]).unwrap();
    let (mut full, _) = program.start().unwrap();
    full.enqueue("a").unwrap();
    full.enqueue("a").unwrap();
    let limits = Limits { queued: 1, ..Limits::default() };
    let mut small = program.start_with(Priority, limits, &mut Unobserved).unwrap();
    assert_eq!(small.restore(&full.snapshot()), Err(RestoreError::QueueTooLong { limit: 1 }));
    assert_eq!(small.queued().len(), 0);
}

#[test]
fn programs_with_different_sets_of_the_same_name_are_different() {
    let guard = |set: [Word; 2]| {
        let moves = EventSet::several(set).named("moves");
        Program::new([BThread::new("Guard").then(block(moves))]).unwrap().start().unwrap().0
    };
    let mut run = guard(["a", "b"]);
    assert_eq!(run.restore(&guard(["a", "c"]).snapshot()), Err(RestoreError::AnotherProgram));
    assert_eq!(run.restore(&guard(["a", "b"]).snapshot()), Ok(()));
}

#[test]
fn a_b_thread_without_a_name_or_with_too_long_a_script_is_refused() {
    assert_eq!(Program::new([BThread::<Word>::new("")]), Err(ProgramError::Nameless));
    let long = BThread::new("Long").then(request("a")).then(request("b")).times(u32::MAX);
    assert_eq!(Program::new([long]), Err(ProgramError::ScriptTooLong("Long".into())));
}

/// Waits for ever.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Silent;

impl Behaviour<Word> for Silent {
    fn sync_point(&self) -> Option<SyncPoint<Word>> {
        Some(wait_for("never"))
    }

    fn go_on(&mut self, _: &Word) {}
}

#[test]
fn the_environment_may_request_what_the_program_requests_too() {
    let program = Program::new([
        BThread::of("Environment", 1).then(request("a")),
        BThread::new("Helper").then(request_any(["b", "c"])),
        BThread::of("Environment", 2).then(request("b")),
    ]);
    let program = program.unwrap();
    assert_eq!(choices(&program, &FreeEnvironment::seeded(["Environment"], 0)), ["a", "b"]);
    assert_eq!(
        choices(&program, &FreeEnvironment::seeded(["Environment(2)"], 0)),
        ["a"],
        "the program is first"
    );
}

#[test]
fn a_b_thread_with_a_state_has_no_symmetry() {
    let swap = |event: &Word| match *event {
        "a" => "b",
        "b" => "a",
        other => other,
    };
    let threads = || ["a", "b"].map(|event| BThread::new(event).then(request(event)));
    let plain = Program::new(threads()).unwrap().closed_space(["a", "b", "never"]).unwrap();
    assert!(plain.permutation(swap).is_ok());
    let [a, b] = threads();
    let program = Program::new([a.into(), b.into(), BThread::behaving("Silent", Silent)]).unwrap();
    let space = program.closed_space(["a", "b", "never"]).unwrap();
    let refused = space.permutation(swap).unwrap_err();
    assert_eq!(refused.to_string(), "No b-thread is the image of Silent");
    assert!(space.permutation(|event| *event).is_ok());
}

#[test]
fn a_feedback_limit_of_zero_triggers_nothing() {
    let program = Program::new([BThread::new("Opens").then(request("a"))]).unwrap();
    let (mut run, opening) = program.start().unwrap();
    let mut echo = Feedback::new().limit(0).on("a", |_, triggers| triggers.trigger("b"));
    let endless = echo.deliver(&mut run, &opening).unwrap_err();
    assert_eq!((endless.reactions.supersteps.len(), endless.dropped), (0, vec!["b"]));
    let endless = echo.trigger(&mut run, "a").unwrap_err();
    assert_eq!((endless.reactions.supersteps.len(), endless.dropped), (1, vec!["b"]));
}

#[test]
fn a_violation_is_displayed_with_its_sentence() {
    let point: SyncPoint<Word> = violation("X has won");
    assert_eq!(
        (point.violated(), point.to_string().as_str()),
        (Some("X has won"), "violated: X has won")
    );
}
