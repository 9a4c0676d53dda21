//! Tests for the engine's thirteen rules, named after them. Each checks an open run, a
//! closed run, and a closed run whose table is full.

mod both_ways;

use std::hash::{BuildHasher, Hash};

use both_ways::{ALPHABET, Log, Word, both_ways, both_ways_within};
use bthread::{
    AddError, AnyBThread, BThread, Behaviour, BlockedEvent, Candidate, Cause, Choices,
    EnqueueError, Event, EventSet, Feedback, Handled, Limits, Name, Program, ProgramError, Random,
    Status, Strategy, SuperstepError, SyncPoint, TriggerError, block, interrupt, request,
    request_any, wait_for,
};

#[test]
fn rule_01_a_program_is_an_ordered_list_of_uniquely_named_b_threads() {
    let low = || BThread::of("Low", 1).then(request("b"));
    let high = || BThread::of("High", 1).then(request("a"));
    both_ways([high(), low()], |_, opening| assert_eq!(opening, ["a", "b"]));
    both_ways([low(), high()], |_, opening| assert_eq!(opening, ["b", "a"]));

    let twice = Program::new([high(), low(), high()]);
    assert_eq!(twice, Err(ProgramError::DuplicateName(Name::of("High", 1))));

    let family = Program::new([high(), BThread::of("High", 2), low()]).unwrap();
    let named = |words| family.named(words).map(|thread| thread.name().to_string()).collect();
    let names: [Vec<String>; 3] = ["High", "High(2)", "Middle"].map(named);
    assert_eq!(names, [vec!["High(1)", "High(2)"], vec!["High(2)"], vec![]]);
}

#[test]
fn rule_02_a_b_thread_is_a_value() {
    let script = || BThread::new("Script").then(wait_for("a")).then(request("b")).forever();
    assert_eq!((script(), hash(&script())), (script(), hash(&script())));
    let scripted = || AnyBThread::from(script());
    let stateful = || BThread::behaving("Count", Count { left: 2 });
    let makers: [&dyn Fn() -> AnyBThread<Word>; 2] = [&scripted, &stateful];
    for make in makers {
        let (one, mut other) = (make(), make());
        assert_eq!(one, other);
        assert_eq!(hash(&one), hash(&other));
        other.go_on(&"a");
        assert_ne!(one, other);
        assert_eq!(other, other.clone());
    }
    // Earlier events leave no trace.
    let mut around = scripted();
    around.go_on(&"a");
    around.go_on(&"b");
    assert_eq!(around, scripted());
    // Ended b-threads are equal, however they ended.
    let (mut counted, mut interrupted) = (stateful(), stateful());
    counted.go_on(&"a");
    counted.go_on(&"a");
    interrupted.end();
    assert!(counted.has_ended());
    assert_eq!(counted, interrupted);
}

#[test]
fn rule_02_a_script_is_repeated_a_number_of_times_for_ever_or_while_a_condition_holds() {
    let twice = BThread::new("Twice").then(wait_for("go")).then(request("a")).times(2);
    both_ways([twice], |run, _| {
        assert_eq!(run.trigger("go").unwrap().events, ["go", "a"]);
        assert_eq!(run.trigger("go").unwrap().events, ["go", "a"]);
        assert_eq!(run.status(), Status::Finished);
    });
    let forever = BThread::new("Forever").then(wait_for("go")).then(request("a")).forever();
    both_ways([forever], |run, _| {
        for _ in 0..5 {
            assert_eq!(run.trigger("go").unwrap().events, ["go", "a"]);
        }
    });
    let until_stop =
        BThread::new("While").then(wait_for(["go", "stop"])).repeat_while(!EventSet::from("stop"));
    both_ways([until_stop], |run, _| {
        run.trigger("go").unwrap();
        run.trigger("go").unwrap();
        assert_eq!(run.status(), Status::Waiting);
        run.trigger("stop").unwrap();
        assert_eq!(run.status(), Status::Finished);
    });
    let never = BThread::new("Never").then(request("a")).times(0);
    both_ways([never, BThread::new("Empty").forever()], |run, opening| {
        assert_eq!((opening, run.status()), (vec![], Status::Finished));
    });
}

#[test]
fn rule_03_a_sync_point_requests_waits_blocks_is_interrupted_and_may_be_hot() {
    let point = request("a")
        .request_any(["b", "c"])
        .wait_for("d")
        .block(["go", "stop"])
        .interrupt("lose")
        .hot()
        .at_priority(7);
    assert_eq!(point.requests(), ["a", "b", "c"]);
    assert!(point.waits()[0].contains(&"d"));
    assert!(point.blocks()[0].contains(&"stop"));
    assert!(point.interrupts()[0].contains(&"lose"));
    assert!(point.is_hot() && !wait_for("d").is_hot());
    assert_eq!((point.priority(), wait_for("d").priority()), (Some(7), None));
    assert_eq!(
        point.to_string(),
        "hot; at priority 7; request a, b, c; wait for d; block {go, stop}; interrupted by lose"
    );
    // Requests are tried in order.
    let picky = BThread::new("Picky").then(request_any(["a", "b", "c"]));
    let blocker = BThread::new("Blocker").then(block("a"));
    both_ways([picky, blocker], |_, opening| assert_eq!(opening, ["b"]));
}

#[test]
fn rule_04_event_sets_are_named_and_combine() {
    let vowels = || EventSet::matching_any("vowels", |event: &&str| event.starts_with(['a', 'e']));
    let early = || EventSet::several(["a", "b", "c"]).named("early letters");
    let sets = [
        (EventSet::one("a"), "a", vec!["a"]),
        (early(), "early letters", vec!["a", "b", "c"]),
        (EventSet::kind("d"), "d", vec!["d"]),
        (EventSet::kinds(["a", "d"]), "(a or d)", vec!["a", "d"]),
        (vowels(), "vowels", vec!["a"]),
        (
            EventSet::matching("short", ["go", "win"], |event: &Word| event.len() == 2),
            "short",
            vec!["go"],
        ),
        (early() & !vowels(), "(early letters and not vowels)", vec!["b", "c"]),
        (vowels() | "d", "(vowels or d)", vec!["a", "d"]),
        (EventSet::everything(), "everything", ALPHABET.to_vec()),
        (EventSet::nothing(), "nothing", vec![]),
    ];
    for (set, name, events) in sets {
        assert_eq!(set.to_string(), name);
        let members: Vec<_> = ALPHABET.into_iter().filter(|event| set.contains(event)).collect();
        assert_eq!(members, events, "{name}");
        // The index of a run agrees with the set.
        both_ways([BThread::new("Guard").then(block(set.clone()))], |run, _| {
            let free = |event: &&'static str| run.explain(event).is_allowed();
            let blocked: Vec<_> = ALPHABET.into_iter().filter(|event| !free(event)).collect();
            assert_eq!(blocked, events, "{name}");
            for event in ALPHABET {
                assert_eq!(run.trigger(event).is_err(), events.contains(&event), "{name} {event}");
            }
        });
    }
    assert_eq!(early(), early());
    assert_ne!(early(), EventSet::several(["a", "b", "c"]));
}

#[test]
fn rule_05_an_event_can_happen_if_it_is_requested_and_not_blocked() {
    let requester = BThread::new("Requester").then(request("a"));
    let blocker = BThread::new("Blocker").then(block("a").wait_for("go"));
    both_ways([requester, blocker], |run, opening| {
        assert_eq!(opening, [""; 0]);
        assert_eq!(run.trigger("go").unwrap().events, ["go", "a"]);
    });
    let own_blocker = BThread::new("Itself").then(request("a").block("a"));
    both_ways([own_blocker], |run, opening| {
        assert_eq!((opening, run.status()), (vec![], Status::Stuck));
    });
}

#[test]
fn rule_06_the_strategy_chooses_and_by_default_the_first_request_of_the_first_b_thread() {
    let threads = || {
        [
            BThread::new("Blocked").then(request("d")),
            BThread::new("First").then(request_any(["c", "a"])),
            BThread::new("Second").then(request("b")),
            BThread::new("Guard").then(block(["c", "d"])),
        ]
    };
    both_ways(threads(), |_, opening| assert_eq!(opening, ["a", "b"]));

    let program = Program::new(threads()).unwrap();
    let automaton = program.close(ALPHABET).unwrap();
    let play = |strategy: Random| {
        let (mut open, mut closed): (Vec<Word>, Vec<Word>) = (Vec::new(), Vec::new());
        program.start_with(strategy.clone(), Limits::default(), &mut open).unwrap();
        automaton.start_with(strategy, Limits::default(), &mut closed).unwrap();
        assert_eq!(open, closed);
        open
    };
    let orders: Vec<_> = (0..20).map(|seed| play(Random::seeded(seed))).collect();
    assert!(orders.contains(&vec!["a", "b"]) && orders.contains(&vec!["b", "a"]));
    assert_eq!(play(Random::seeded(3)), play(Random::seeded(3)));

    let mut last: Vec<Word> = Vec::new();
    program.start_with(LastOfAll, Limits::default(), &mut last).unwrap();
    assert_eq!(last, ["b", "a"]);
}

#[test]
fn rule_07_interrupted_b_threads_end_first_then_requesters_of_an_equal_event_and_waiters_go_on() {
    let threads = [
        BThread::new("Requester").then(wait_for("go")).then(request("a")).then(wait_for("win")),
        BThread::new("SameRequest").then(request("a").wait_for("b")).then(wait_for("win")),
        BThread::new("OtherRequest").then(request("c")).then(wait_for("win")),
        BThread::new("Guard").then(block(["a", "c"]).wait_for("go")).then(block("c")),
        BThread::new("Waiter").then(wait_for("a")).then(wait_for("win")),
        BThread::new("Both").then(wait_for("a").interrupt("a")).then(request("lose")),
        BThread::new("Interrupted").then(interrupt("a")).then(request("lose")),
    ];
    both_ways(threads, |run, _| {
        assert_eq!(run.trigger("go").unwrap().events, ["go", "a"]);
        assert_eq!(
            run.live(),
            [
                "Requester: wait for win",
                "SameRequest: wait for win",
                "OtherRequest: request c",
                "Guard: block c",
                "Waiter: wait for win",
            ]
        );
    });
}

#[test]
fn rule_08_a_superstep_continues_until_nothing_can_happen_and_an_endless_one_is_undone() {
    let limits = Limits { steps: 100, ..Limits::default() };
    let domino =
        |number: &'static str, next| BThread::new(number).then(wait_for(number)).then(next);
    both_ways([domino("a", request("b")), domino("b", request("c"))], |run, _| {
        assert_eq!(run.trigger("a").unwrap().events, ["a", "b", "c"]);
    });

    let endless =
        BThread::new("Endless").then(wait_for("go")).then(request("a")).then(request("b"));
    let loops = BThread::new("Loop").then(wait_for("b")).then(request("c")).forever();
    let spins = BThread::new("Spin").then(wait_for("c")).then(request("b")).forever();
    both_ways_within(limits, [endless, loops, spins], |run| {
        let run = run.unwrap();
        run.enqueue("d").unwrap();
        let before = run.live();
        let mut log = Log::default();
        let error = TriggerError::Superstep(SuperstepError::Endless { budget: 100, next: "b" });
        assert_eq!(run.stream("go", &mut log), Err(error.clone()));
        assert_eq!((log.0.len(), log.0.last().unwrap().as_str()), (101, "undone"));
        assert_eq!(run.live(), before);
        assert_eq!(run.trigger("go"), Err(error), "it is as endless as before");
        assert_eq!(run.trigger("a").unwrap().events, ["a"], "and the run continues");
    });

    let at_once = BThread::new("AtOnce").then(request("a")).forever();
    both_ways_within(limits, [at_once], |run| {
        assert_eq!(run.err(), Some(SuperstepError::Endless { budget: 100, next: "a" }));
    });
    let just_enough = BThread::new("JustEnough").then(request("a")).times(100);
    both_ways_within(limits, [just_enough], |run| assert_eq!(run.unwrap().live(), [""; 0]));
}

#[test]
fn rule_09_an_unblocked_trigger_happens_and_a_blocked_one_is_refused_with_its_blockers() {
    let threads = [
        BThread::new("Opens").then(request("b")),
        BThread::new("Listens").then(wait_for("a")),
        BThread::new("Guard").then(block(EventSet::several(["c", "d"]).named("the late ones"))),
        BThread::new("Wall").then(block("c").block(EventSet::everything() & "c")),
    ];
    both_ways(threads, |run, opening| {
        assert_eq!(opening, ["b"]);
        assert_eq!(run.trigger("a").unwrap().handled, Handled::Yes);
        let ignored = run.trigger("a").unwrap();
        assert_eq!((ignored.events, ignored.handled), (vec!["a"], Handled::No));

        let before = run.live();
        let Err(TriggerError::Refused(refusal)) = run.trigger("c") else { panic!("c is blocked") };
        let blockers: Vec<_> = refusal.blockers.iter().map(ToString::to_string).collect();
        let wall = ["Guard (the late ones)", "Wall (c)", "Wall ((everything and c))"];
        assert_eq!(blockers, wall);
        assert_eq!(
            refusal.to_string(),
            "c is blocked by Guard (the late ones), Wall (c), Wall ((everything and c))"
        );
        assert_eq!(run.live(), before);
    });
}

#[test]
fn rule_09_enqueued_events_wait_until_they_are_unblocked_first_come_first_served() {
    let limits = Limits { queued: 3, ..Limits::default() };
    let gate = BThread::new("Gate").then(block(["a", "b", "c"]).wait_for("go")).then(block("c"));
    both_ways_within(limits, [gate], |run| {
        let run = run.unwrap();
        assert_eq!(run.enqueue("d").unwrap().events, ["d"], "it is not blocked");
        for event in ["c", "b", "a"] {
            assert_eq!(run.enqueue(event).unwrap().events, [""; 0]);
        }
        let full = EnqueueError::QueueFull { event: "a", limit: 3 };
        assert_eq!(run.enqueue("a"), Err(full));
        assert_eq!(run.queued(), ["c", "b", "a"]);
        assert_eq!(run.trigger("go").unwrap().events, ["go", "b", "a"]);
        assert_eq!(run.queued(), ["c"]);
    });
}

#[test]
fn rule_10_feedback_receives_the_events_in_order_after_the_superstep_and_triggers_supersteps() {
    let threads = [
        BThread::new("Answer").then(wait_for("a")).then(request("b")).forever(),
        BThread::new("Guard").then(block("d")),
    ];
    let program = Program::new(threads).unwrap();
    let (mut run, _) = program.start().unwrap();
    let seen = std::cell::RefCell::new(Vec::new());
    let mut feedback = Feedback::new()
        .on("a", |event, triggers| {
            seen.borrow_mut().push(*event);
            triggers.trigger("c");
            triggers.trigger("d");
        })
        .on(EventSet::everything(), |event, _| seen.borrow_mut().push(*event));
    let reactions = feedback.trigger(&mut run, "a").unwrap().supersteps;
    drop(feedback);
    let happened: Vec<_> = reactions.iter().flatten().map(|step| step.events.clone()).collect();
    assert_eq!(happened, [vec!["a", "b"], vec!["c"]]);
    assert!(matches!(&reactions[2], Err(TriggerError::Refused(BlockedEvent { event: "d", .. }))));
    assert_eq!(*seen.borrow(), ["a", "a", "b", "c"], "handlers are called after the superstep");

    let mut echo = Feedback::new().limit(10).on("a", |_, triggers| triggers.trigger("a"));
    let endless = echo.trigger(&mut run, "a").unwrap_err();
    assert_eq!((endless.reactions.supersteps.len(), endless.dropped), (11, vec!["a"]));
}

#[test]
fn rule_11_added_b_threads_come_last_in_priority() {
    let opener = BThread::new("Old").then(wait_for("go")).then(request("a"));
    both_ways([opener], |run, _| {
        let newcomer = || BThread::new("New").then(request("b").wait_for("go")).then(request("c"));
        assert_eq!(run.add_any(newcomer().into()).unwrap().events, ["b", "c"]);
        assert_eq!(
            run.add_any(newcomer().into()).unwrap().events,
            ["b", "c"],
            "its name was free again"
        );
        let waits = BThread::new("Waits").then(wait_for("go")).then(request("d"));
        run.add_any(waits.clone().into()).unwrap();
        let duplicate = AddError::Program(ProgramError::DuplicateName("Waits".into()));
        assert_eq!(run.add_any(waits.into()), Err(duplicate));
        let old = AddError::Program(ProgramError::DuplicateName("Old".into()));
        assert_eq!(run.add_any(BThread::new("Old").into()), Err(old));
        assert_eq!(run.trigger("go").unwrap().events, ["go", "a", "d"]);
    });
}

#[test]
fn rule_11_a_b_thread_that_makes_the_run_endless_is_not_added() {
    let limits = Limits { steps: 10, ..Limits::default() };
    both_ways_within(limits, [BThread::new("Quiet").then(wait_for("a"))], |run| {
        let run = run.unwrap();
        let before = run.live();
        let spin = BThread::new("Spin").then(request("b")).forever();
        let endless = AddError::Superstep(SuperstepError::Endless { budget: 10, next: "b" });
        assert_eq!(run.add_any(spin.clone().into()), Err(endless.clone()));
        assert_eq!(run.live(), before);
        assert_eq!(run.add_any(spin.into()), Err(endless), "its name is still free");
        assert_eq!(run.trigger("b").unwrap().handled, Handled::No);
    });
}

#[test]
fn rule_12_a_quiet_program_is_finished_waiting_or_stuck() {
    let threads = [
        BThread::new("Waits").then(wait_for("a")).then(request("b")),
        BThread::new("Guard").then(block("b").wait_for("go")),
    ];
    both_ways(threads, |run, _| {
        assert_eq!(run.status(), Status::Waiting);
        run.trigger("a").unwrap();
        assert_eq!(run.status(), Status::Stuck);
        run.trigger("go").unwrap();
        assert_eq!(run.status(), Status::Finished);
    });
    both_ways([], |run, _| assert_eq!(run.status(), Status::Finished));
}

#[test]
fn rule_13_everything_can_be_explained() {
    let threads = [
        BThread::new("Wants").then(wait_for("go")).then(request_any(["c", "a"])),
        BThread::new("WantsToo").then(wait_for("go")).then(request("a").request("d")),
        BThread::new("WantsElse").then(wait_for("go")).then(request("b").interrupt("a")),
        BThread::new("Waits").then(wait_for(EventSet::several(["a", "b"]).named("early"))),
        BThread::new("Guard").then(block("c").wait_for("win")),
    ];
    both_ways(threads, |run, _| {
        let steps = run.explain_trigger("go");
        assert_eq!((&steps[0].cause, steps[0].event), (&Cause::Triggered, "go"));
        expect_test::expect![[r"
            a: requested by Wants
              also requested by WantsToo
              went on: Wants, WantsToo, Waits
              interrupted: WantsElse
              Wants requested c, blocked by Guard (c)
              WantsToo requested d, but Wants was chosen
              WantsElse requested b, but Wants was chosen
        "]]
        .assert_eq(&format!("{}\n", steps[1]));
        assert_eq!(steps.len(), 2);
    });
    let quiet = [
        BThread::new("Wants").then(request("c").interrupt("c")),
        BThread::new("Waits").then(wait_for(EventSet::everything())),
        BThread::new("Guard").then(block("c").wait_for("win")),
    ];
    both_ways(quiet, |run, _| {
        expect_test::expect![[r"
            c is requested by Wants
            c is waited for by Waits (everything)
            c is blocked by Guard (c)
            c would end Wants (c)
        "]]
        .assert_eq(&format!("{}\n", run.explain("c")));
    });
    both_ways([], |run, _| {
        assert_eq!(run.explain("a").to_string(), "a concerns no b-thread");
    });
}

/// Waits for a number of events `a`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Count {
    left: u32,
}

impl Behaviour<&'static str> for Count {
    fn sync_point(&self) -> Option<SyncPoint<&'static str>> {
        (self.left > 0).then(|| wait_for("a"))
    }

    fn go_on(&mut self, _: &&'static str) {
        self.left -= 1;
    }
}

/// Chooses the last of all possible events.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct LastOfAll;

impl<E: Event> Strategy<E> for LastOfAll {
    fn choose<'a>(&mut self, choices: &Choices<'a, E>) -> Candidate<'a, E> {
        *choices.all().last().expect("there is at least one")
    }
}

fn hash(value: &impl Hash) -> u64 {
    rustc_hash::FxBuildHasher.hash_one(value)
}
