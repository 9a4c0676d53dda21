//! What must never leave a run, a set or a snapshot in a wrong state.

use std::fmt;
use std::hash::BuildHasher;
use std::panic::{AssertUnwindSafe, catch_unwind};

use bthread::{
    AddError, BThread, Behaviour, Engine, Event, EventSet, Limits, Observer, Priority, Program,
    ProgramError, RestoreError, Run, Step, SyncPoint, Unobserved, block, request, wait_for,
};
use rustc_hash::FxBuildHasher;

type Word = &'static str;

/// Waits for one word or another, and looks the same in both cases.
#[derive(Clone, PartialEq, Eq, Hash)]
struct WaitsForA;

#[derive(Clone, PartialEq, Eq, Hash)]
struct WaitsForB;

macro_rules! waits {
    ($behaviour:ty, $word:literal) => {
        impl fmt::Debug for $behaviour {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("Waits")
            }
        }

        impl Behaviour<Word> for $behaviour {
            fn sync_point(&self) -> Option<SyncPoint<Word>> {
                Some(wait_for($word).block("never"))
            }

            fn go_on(&mut self, _: &Word) {}
        }
    };
}

waits!(WaitsForA, "a");
waits!(WaitsForB, "b");

/// Expects that a run of one program refuses snapshots of the other, and accepts its own.
fn refuse_each_other<E: Event>(programs: &[Program<E>; 2]) {
    for (own, other) in [(0, 1), (1, 0)] {
        let (mut run, _) = programs[own].start().expect("the program starts");
        let (foreign, _) = programs[other].start().expect("the program starts");
        assert_eq!(run.restore(&foreign.snapshot()), Err(RestoreError::AnotherProgram));
        assert_eq!(
            run.restore(&programs[own].start().expect("the program starts").0.snapshot()),
            Ok(())
        );
    }
}

#[test]
fn a_snapshot_of_a_behaviour_of_another_type_is_refused() {
    refuse_each_other(&[
        Program::new([BThread::behaving("Waits", WaitsForA)]).unwrap(),
        Program::new([BThread::behaving("Waits", WaitsForB)]).unwrap(),
    ]);
}

#[test]
fn a_snapshot_of_another_predicate_with_the_same_name_is_refused() {
    let guard = |set| Program::new([BThread::new("Guard").then(block(set))]).unwrap();
    refuse_each_other(&[
        guard(EventSet::matching("odd", ["a"], |word: &Word| word.len() == 1)),
        guard(EventSet::matching("odd", ["a"], |word: &Word| word.len() == 3)),
    ]);
    refuse_each_other(&[
        guard(EventSet::matching("odd", ["a"], |_: &Word| true)),
        guard(EventSet::matching("odd", ["b"], |_: &Word| true)),
    ]);
}

/// Events whose kinds look alike, and which look alike themselves.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Ball(AlikeKind);

#[derive(Clone, PartialEq, Eq, Hash)]
enum AlikeKind {
    Red,
    Blue,
}

impl fmt::Debug for AlikeKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Debug for Ball {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Display for AlikeKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a ball")
    }
}

impl fmt::Display for Ball {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a ball")
    }
}

impl Event for Ball {
    type Kind = AlikeKind;

    fn kind(&self) -> AlikeKind {
        self.0.clone()
    }
}

#[test]
fn a_snapshot_of_another_kind_or_event_that_looks_alike_is_refused() {
    let guard = |set| Program::new([BThread::new("Guard").then(block(set))]).unwrap();
    let kinds = [AlikeKind::Red, AlikeKind::Blue];
    refuse_each_other(&kinds.clone().map(|kind| guard(EventSet::kind(kind))));
    refuse_each_other(&kinds.map(|kind| guard(EventSet::one(Ball(kind)))));
}

/// Words with more letters than a number, which every set captures.
fn longer_than(letters: usize) -> EventSet<Word> {
    EventSet::matching_any("long", move |word: &Word| word.len() > letters)
}

/// Words that pass a test, which has the type of every other one.
fn passing(test: fn(&Word) -> bool) -> EventSet<Word> {
    EventSet::matching_any("passing", test)
}

#[test]
fn a_closed_run_refuses_a_snapshot_of_a_predicate_that_answers_otherwise() {
    let guard = |set| {
        let thread = BThread::new("Guard").then(wait_for("go")).then(block(set));
        Program::new([thread]).unwrap().close(["go", "a", "bcd"]).unwrap()
    };
    let pairs: [[EventSet<Word>; 2]; 3] = [
        [longer_than(2), longer_than(3)],
        [passing(|word| word.len() == 1), passing(|word| word.len() == 3)],
        [longer_than(2) | "a", !longer_than(2) | "a"].map(|set| set.named("alike")),
    ];
    for pair in pairs {
        let [own, other] = pair.clone().map(guard);
        let foreign = other.start().unwrap().0.snapshot();
        let (mut run, _) = own.start().unwrap();
        run.trigger("go").unwrap();
        let before = run.snapshot();
        assert_eq!(run.restore(&foreign), Err(RestoreError::AnotherProgram));
        assert_eq!(run.snapshot(), before);
        // An equal program that was built anew is no other one.
        let [rebuilt, _] = pair.map(guard);
        let same = rebuilt.start().unwrap().0.snapshot();
        assert_eq!(run.restore(&same), Ok(()));
        assert!(run.allows(&"a") && run.allows(&"bcd"));
    }
}

/// A set that is nested as deeply as said, and contains everything but "a" or only "a".
fn nested(depth: u32) -> EventSet<Word> {
    (0..depth).fold(EventSet::one("a"), |set, _| !set)
}

#[test]
fn a_set_that_is_nested_deeply_is_printed_compared_and_dropped() {
    let set = nested(100_000);
    assert!(set.contains(&"a") && !set.contains(&"b"));
    assert_eq!(set.to_string().len(), "not ".len() * 100_000 + 1);
    let same = nested(100_000);
    assert!(set == same && set != nested(100_001));
    assert_eq!(FxBuildHasher.hash_one(&set), FxBuildHasher.hash_one(&same));
    let program = Program::new([BThread::new("Guard").then(block(set.clone()))]).unwrap();
    let (run, _) = program.start().unwrap();
    assert!(!run.allows(&"a") && run.allows(&"b"));
    assert_eq!(run.snapshot(), program.start().unwrap().0.snapshot());
    let automaton = program.close(["a", "b"]).unwrap();
    let (closed, _) = automaton.start().unwrap();
    assert!(!closed.allows(&"a") && closed.allows(&"b"));
    drop(nested(1_000_000));
}

#[test]
fn unions_and_intersections_that_are_nested_deeply_contain_what_they_should() {
    let mut set = EventSet::one("a");
    for _ in 0..50_000 {
        set = EventSet::union([set, EventSet::one("b")]) & !EventSet::one("c");
    }
    assert!(set.contains(&"a") && set.contains(&"b") && !set.contains(&"c"));
    assert!(set.to_string().ends_with("or b) and not c)"));
}

/// Panics at an event.
struct PanicsAt(Word);

impl Observer<Word> for PanicsAt {
    fn step(&mut self, step: &Step<'_, Word>) {
        assert!(*step.event() != self.0, "the observer panics");
    }

    fn undone(&mut self) {}
}

/// A trigger is followed by two more events.
fn three_steps() -> Program<Word> {
    Program::new([BThread::new("Steps").then(wait_for("go")).then(["b", "c"].map(request))])
        .expect("the program is valid")
}

fn survive_a_panic<N: Engine<Event = Word>>(mut run: Run<N>) {
    let before = run.snapshot();
    for word in ["go", "b", "c"] {
        let panicked = catch_unwind(AssertUnwindSafe(|| {
            run.trigger_observed("go", &mut PanicsAt(word)).map(drop)
        }));
        assert!(panicked.is_err());
        assert_eq!(run.snapshot(), before, "after a panic at {word}");
    }
    assert_eq!(run.trigger("go").expect("the event is possible").events, ["go", "b", "c"]);
}

#[test]
fn a_panicking_observer_leaves_the_run_as_it_was() {
    let program = three_steps();
    survive_a_panic(program.start().unwrap().0);
    for cap in [1, 2, 100] {
        let automaton = program.close_with_cap(["go", "b", "c"], cap).unwrap();
        survive_a_panic(automaton.start().unwrap().0);
        survive_a_panic(automaton.start().unwrap().0);
    }
}

fn survive_a_panic_of_additions<N: Engine<Event = Word>>(mut run: Run<N>) {
    let before = run.snapshot();
    let late = |name| BThread::new(name).then(request("b"));
    let panicked = catch_unwind(AssertUnwindSafe(|| {
        run.add_observed([late("One")], &mut PanicsAt("b")).map(drop)
    }));
    assert!(panicked.is_err());
    assert_eq!(run.snapshot(), before, "after a panic of the observer");
    let panicked = catch_unwind(AssertUnwindSafe(|| {
        let threads = ["One", "Two"].into_iter().map(|name| {
            assert!(name != "Two", "the list panics");
            late(name)
        });
        run.add_observed(threads, &mut Unobserved).map(drop)
    }));
    assert!(panicked.is_err());
    assert_eq!(run.snapshot(), before, "after a panic of the list");
    assert_eq!(run.trigger("go").expect("the event is possible").events, ["go", "b", "c"]);
    assert_eq!(run.add(late("One")).expect("nobody has the name").events, ["b"]);
}

#[test]
fn a_panic_while_b_threads_are_added_leaves_the_run_as_it_was() {
    let program = three_steps();
    survive_a_panic_of_additions(program.start().unwrap().0);
    for cap in [1, 2, 100] {
        let automaton = program.close_with_cap(["go", "b", "c"], cap).unwrap();
        survive_a_panic_of_additions(automaton.start().unwrap().0);
    }
}

#[test]
fn a_panicking_observer_leaves_a_state_of_an_automaton_as_it_was() {
    let automaton = three_steps().close(["go", "b", "c"]).unwrap();
    let mut state = automaton.start().unwrap().0.state();
    let before = state.clone();
    // The first trigger is built step by step, the second is followed in the table.
    for _ in 0..2 {
        for word in ["go", "b", "c"] {
            let panicked = catch_unwind(AssertUnwindSafe(|| {
                if state.follow(0, &mut PanicsAt(word)).is_none() {
                    state.trigger_observed(0, Limits::default(), &mut PanicsAt(word)).unwrap();
                }
            }));
            assert!(panicked.is_err());
            assert_eq!(state, before, "after a panic at {word}");
        }
        let mut tried = state.clone();
        tried.trigger_observed(0, Limits::default(), &mut Unobserved).unwrap();
    }
}

fn reuse_names<N: Engine<Event = Word>>(mut run: Run<N>) {
    let hello = || BThread::new("Greeter").then(request("hello"));
    let taken = Err(AddError::Program(ProgramError::DuplicateName("Waiter".into())));
    // The program's own greeter has ended, its waiter has not.
    assert_eq!(run.add(hello()).expect("the b-thread can be added").events, ["hello"]);
    assert_eq!(run.add(hello()).expect("the b-thread can be added").events, ["hello"]);
    assert_eq!(run.add(BThread::new("Waiter").then(request("hello"))), taken);
    run.trigger("go").expect("the event is possible");
    let stays = BThread::new("Waiter").then(wait_for("go"));
    assert_eq!(run.add(stays.clone()).expect("the b-thread can be added").events, [""; 0]);
    assert_eq!(run.add(stays), taken);
    let snapshot = run.snapshot();
    assert_eq!(run.restore(&snapshot), Ok(()));
    let mut live = Vec::new();
    run.visit_live(|name, _| live.push(name.to_string()));
    assert_eq!(live, ["Waiter"]);
}

#[test]
fn the_name_of_a_b_thread_that_has_ended_can_be_used_again() {
    let program = Program::new([
        BThread::new("Greeter").then(request("hello")),
        BThread::new("Waiter").then(wait_for("go")),
    ]);
    let program = program.unwrap();
    reuse_names(program.start_with(Priority, Limits::default(), &mut Unobserved).unwrap());
    reuse_names(program.close(["hello", "go"]).unwrap().start().unwrap().0);
}
