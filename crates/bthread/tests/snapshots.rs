//! Taking, comparing, restoring and serializing snapshots.

#[path = "../examples/tic_tac_toe/rules.rs"]
mod rules;

use bthread::{
    BThread, Engine, Limits, Priority, Program, Random, RestoreError, Run, StateSpace, Strategy,
    Unobserved, block, request, wait_for,
};
use rules::{Move, alphabet, game, x};

/// The events of a run when these moves are tried.
fn play<M: Engine<Event = Move>, S: Strategy<Move>>(run: &mut Run<M, S>, moves: &[u8]) -> String {
    let supersteps = moves.iter().filter_map(|square| run.trigger(x(*square)).ok());
    let events = supersteps.flat_map(|superstep| superstep.events);
    events.map(|event| event.to_string()).collect::<Vec<_>>().join(" ")
}

#[test]
fn a_restored_run_continues_like_the_first_one_in_both_engines() {
    let (mut open, _) = game().start().unwrap();
    let (mut closed, _) = game().close(alphabet()).unwrap().start().unwrap();
    play(&mut open, &[5, 0]);
    play(&mut closed, &[5, 0]);
    let snapshot = open.snapshot();
    assert_eq!(closed.snapshot(), snapshot);

    let rest = play(&mut open, &[7, 6, 3]);
    assert_eq!(rest, "X7 O2 X6 O8 X3 XWin[0,3,6]");
    assert_ne!(open.snapshot(), snapshot);
    closed.restore(&snapshot).unwrap();
    assert_eq!(play(&mut closed, &[7, 6, 3]), rest);
    let (mut fresh, _) = game().start().unwrap();
    fresh.restore(&snapshot).unwrap();
    assert_eq!(fresh.snapshot(), snapshot);
    assert_eq!(play(&mut fresh, &[7, 6, 3]), rest);
}

#[test]
fn a_snapshot_contains_the_state_of_a_random_strategy() {
    let coins = || {
        let tosses =
            ["heads", "tails"].map(|side| BThread::new(side).then(request(side)).forever());
        let gate = BThread::new("Gate")
            .then(block(["heads", "tails"]).wait_for("toss"))
            .then(wait_for(["heads", "tails"]))
            .forever();
        Program::new(tosses.into_iter().chain([gate])).unwrap()
    };
    let strategy = Random::seeded(5);
    let mut run = coins().start_with(strategy, Limits::default(), &mut Unobserved).unwrap();
    let toss = |run: &mut Run<_, Random>| run.trigger("toss").unwrap().events[1];
    let mut tosses = || (0..40).map(|_| toss(&mut run)).collect::<Vec<_>>();
    assert_ne!(tosses(), tosses());
    let snapshot = run.snapshot();
    let first: Vec<_> = (0..40).map(|_| toss(&mut run)).collect();
    run.restore(&snapshot).unwrap();
    let again: Vec<_> = (0..40).map(|_| toss(&mut run)).collect();
    assert_eq!(first, again);
}

#[test]
fn a_snapshot_contains_the_queue_and_the_b_threads_that_were_added() {
    let program = Program::new([BThread::new("Gate").then(block("a").wait_for("go"))]).unwrap();
    let (mut run, _) = program.start().unwrap();
    run.enqueue("a").unwrap();
    run.add(BThread::new("Echo").then(wait_for("a")).then(request("b"))).unwrap();
    let snapshot = run.snapshot();
    let (mut fresh, _) = program.start().unwrap();
    assert_ne!(fresh.snapshot(), snapshot);
    fresh.restore(&snapshot).unwrap();
    assert_eq!(fresh.trigger("go").unwrap().events, ["go", "a", "b"]);
    let (mut closed, _) = program.close(["a", "b", "go"]).unwrap().start().unwrap();
    closed.restore(&snapshot).unwrap();
    assert_eq!(closed.trigger("go").unwrap().events, ["go", "a", "b"]);
}

#[test]
fn a_snapshot_of_another_program_is_refused_and_nothing_changes() {
    let (other, _) = Program::new(rules::squares_taken()).unwrap().start().unwrap();
    let (mut open, _) = game().start().unwrap();
    let (mut closed, _) = game().close(alphabet()).unwrap().start().unwrap();
    play(&mut open, &[5]);
    play(&mut closed, &[5]);
    let before = open.snapshot();
    assert_eq!(open.restore(&other.snapshot()), Err(RestoreError::AnotherProgram));
    assert_eq!(closed.restore(&other.snapshot()), Err(RestoreError::AnotherProgram));
    assert_eq!((open.snapshot(), closed.snapshot()), (before.clone(), before));
}

#[test]
fn a_snapshot_from_the_middle_of_a_superstep_is_refused_by_runs() {
    let program = Program::new([BThread::new("A").then(request("a")).then(wait_for("b"))]).unwrap();
    let (space, (mut run, _)) = (program.space(), program.start().unwrap());
    let before = run.snapshot();
    let start = space.snapshot(&space.start());
    assert_eq!(run.restore(&start), Err(RestoreError::NotQuiet));
    assert_eq!(run.snapshot(), before);
    let mut ends = Vec::new();
    space.successors(&space.start(), &Priority, &mut |_, next| ends.push(next)).unwrap();
    assert_eq!(run.restore(&space.snapshot(&ends[0])), Ok(()));
}

#[test]
fn a_closed_run_refuses_a_snapshot_with_events_outside_of_its_alphabet() {
    let program = Program::new([BThread::new("Gate").then(block("a").wait_for("go"))]).unwrap();
    let (mut closed, _) = program.close(["go"]).unwrap().start().unwrap();
    let before = closed.snapshot();

    let (mut queued, _) = program.start().unwrap();
    queued.enqueue("a").unwrap();
    assert!(matches!(closed.restore(&queued.snapshot()), Err(RestoreError::OutsideAlphabet(_))));

    let (mut added, _) = program.start().unwrap();
    added.add(BThread::new("Stranger").then(request("a"))).unwrap();
    assert!(matches!(closed.restore(&added.snapshot()), Err(RestoreError::OutsideAlphabet(_))));
    assert_eq!(closed.snapshot(), before);
}

#[cfg(feature = "serde")]
mod serialized {
    use bthread::{
        AnyBThread, BThread, Behaviour, Limits, OpenRun, Priority, Program, Random, Snapshot,
        SyncPoint, Unobserved, block, request, wait_for,
    };
    use serde::{Deserialize, Serialize};

    /// Counts, and requests "few" or "many" when asked.
    #[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
    struct Counter {
        counted: u32,
        is_asked: bool,
    }

    impl Behaviour<&'static str> for Counter {
        fn sync_point(&self) -> Option<SyncPoint<&'static str>> {
            let answer = if self.counted > 2 { "many" } else { "few" };
            match self {
                Self { is_asked: true, .. } => Some(request(answer)),
                Self { counted: 9, .. } => None,
                Self { .. } => Some(wait_for(["one", "ask"])),
            }
        }

        fn go_on(&mut self, event: &&'static str) {
            self.is_asked = *event == "ask";
            self.counted += u32::from(*event == "one");
        }
    }

    const START: Counter = Counter { counted: 0, is_asked: false };

    fn program() -> Program<&'static str> {
        let script = BThread::new("Pairs").then(wait_for("one").times(2)).forever();
        let gate = BThread::new("Gate").then(block("later").wait_for("go"));
        let counter = BThread::persistent("Counter", START);
        Program::new([script.into(), counter, gate.into()]).expect("the names differ")
    }

    fn added() -> [AnyBThread<&'static str>; 2] {
        let script = BThread::new("Script").then(wait_for("one")).then(wait_for("never"));
        [script.into(), BThread::persistent("Another", START)]
    }

    fn run() -> OpenRun<&'static str, Random> {
        let strategy = Random::seeded(3);
        let mut run = program()
            .start_with(strategy, Limits::default(), &mut Unobserved)
            .expect("the opening ends");
        for thread in added() {
            run.add(thread).expect("the name is free");
        }
        run.enqueue("later").expect("the queue has room");
        run.trigger("one").expect("no b-thread blocks it");
        run
    }

    fn read(
        text: &'static str,
        added: &[AnyBThread<&'static str>],
    ) -> Result<Snapshot<&'static str, Random>, String> {
        let mut from = serde_json::Deserializer::from_str(text);
        program().read_snapshot(&mut from, added).map_err(|error| error.to_string())
    }

    fn written(run: &OpenRun<&'static str, Random>) -> &'static str {
        // Words are static events, so their text must outlive the test.
        serde_json::to_string(&run.snapshot()).expect("every state can be serialized").leak()
    }

    #[test]
    fn a_snapshot_is_read_as_it_was_written() {
        let mut run = run();
        let text = written(&run);
        let snapshot = read(text, &added()).unwrap();
        assert_eq!(snapshot, run.snapshot());
        run.trigger("one").unwrap();
        run.trigger("one").unwrap();
        assert_eq!(run.trigger("ask").unwrap().events, ["ask", "many"]);
        run.restore(&snapshot).unwrap();
        assert_eq!(run.trigger("ask").unwrap().events, ["ask", "few"]);
    }

    #[test]
    fn a_b_thread_that_has_ended_is_read_as_ended() {
        let mut run = run();
        for _ in 0..9 {
            run.trigger("one").unwrap();
        }
        assert_eq!(read(written(&run), &added()), Ok(run.snapshot()));
    }

    /// A state without content.
    #[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
    struct Guard;

    impl Behaviour<&'static str> for Guard {
        fn sync_point(&self) -> Option<SyncPoint<&'static str>> {
            Some(block("go"))
        }

        fn go_on(&mut self, _: &&'static str) {}
    }

    #[test]
    fn a_state_without_content_survives_serialization() {
        let program = Program::new([BThread::persistent("Guard", Guard)]).unwrap();
        let (mut run, _) = program.start().unwrap();
        let text: &'static str = serde_json::to_string(&run.snapshot()).unwrap().leak();
        let mut from = serde_json::Deserializer::from_str(text);
        let snapshot = program.read_snapshot::<Priority, _>(&mut from, &[]).unwrap();
        assert_eq!(snapshot, run.snapshot());
        run.restore(&snapshot).unwrap();
        assert!(!run.allows(&"go"));
    }

    #[test]
    fn input_that_is_no_snapshot_of_the_program_is_refused_with_a_sentence() {
        let text = written(&run());
        let check = |text: String, added: &[AnyBThread<_>], expected: &str| {
            let error = read(text.leak(), added).expect_err("the text is not a snapshot");
            assert!(error.starts_with(expected), "{error}");
        };
        check(text.replacen("[1", "[7", 1), &added(), "The snapshot does not fit the program");
        check(text.replacen("[1", "[-1", 1), &added(), "invalid value");
        check(text.replacen('"', "\"0", 1), &added(), "The snapshot was taken of another program");
        check(text.to_owned(), &[], "Script was added to the run; pass it in `added`");
        let half: String = text.chars().take(text.len() / 2).collect();
        check(half, &added(), "EOF while parsing");
        check("[]".to_owned(), &added(), "invalid length 0, expected a snapshot");
    }

    #[test]
    fn a_state_that_cannot_be_serialized_is_refused_with_a_sentence() {
        let program = Program::new([BThread::behaving("Counter", START)]).unwrap();
        let (run, _) = program.start().unwrap();
        let error = serde_json::to_string(&run.snapshot()).unwrap_err().to_string();
        assert!(error.ends_with("make its b-thread with BThread::persistent"), "{error}");
        let (run, _) =
            Program::new([BThread::persistent("Counter", START)]).unwrap().start().unwrap();
        let text: &'static str = serde_json::to_string(&run.snapshot()).unwrap().leak();
        let mut from = serde_json::Deserializer::from_str(text);
        let read = program.read_snapshot::<Priority, _>(&mut from, &[]).unwrap_err().to_string();
        assert!(read.starts_with("The state of Counter cannot be read"), "{read}");
    }
}
