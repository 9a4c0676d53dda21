//! Each property, on a small program for which it holds and on one that violates it.

use bthread::{
    BThread, Behaviour, OpenStateSpace, Priority, Program, Random, Strategy, SyncPoint, block,
    request, request_any, violation, wait_for,
};
use checker::{
    BProgram, Bisimulation, Checker, Coverage, Identity, Order, Property, Report, Verdict,
};

type Word = &'static str;
type Model<S> = BProgram<OpenStateSpace<Word>, S>;

fn space(threads: &[BThread<Word>]) -> OpenStateSpace<Word> {
    Program::new(threads.iter().cloned()).expect("the names differ").space()
}

fn exhaustive(threads: &[BThread<Word>]) -> Model<Random> {
    BProgram::exhaustive(space(threads))
}

/// Checks a property exhaustively, and returns the verdict and the trace.
fn check(threads: &[BThread<Word>], property: Property<Model<Random>>) -> (Verdict, String) {
    let model = exhaustive(threads);
    let report = Checker::new(&model).property(property).collect_all().run();
    let report = report.expect("open programs know all events");
    assert_eq!(report.coverage, Coverage::Complete);
    let finding = &report.findings[0];
    let trace = finding.trace.as_ref().map(ToString::to_string);
    (finding.verdict, trace.unwrap_or_default())
}

fn holds() -> (Verdict, String) {
    (Verdict::Holds, String::new())
}

fn broken(trace: &str) -> (Verdict, String) {
    (Verdict::Violated, trace.to_owned())
}

/// Two visitors who enter and leave for ever.
fn visitors() -> [BThread<Word>; 2] {
    [("A", "a enters", "a leaves"), ("B", "b enters", "b leaves")].map(|(name, enters, leaves)| {
        BThread::new(name).then(request(enters)).then(request(leaves)).forever()
    })
}

/// Only one visitor may be inside.
fn mutex() -> BThread<Word> {
    BThread::new("Mutex")
        .then(wait_for(["a enters", "b enters"]))
        .then(wait_for(["a leaves", "b leaves"]).block(["a enters", "b enters"]))
        .forever()
}

#[test]
fn an_event_never_happens() {
    let alarm =
        BThread::new("Alarm").then(wait_for("a enters")).then(request_any(["b enters", "alarm"]));
    let never = || Property::never("no alarm", |event: &Word| *event == "alarm");
    let guard = BThread::new("Guard").then(block("alarm"));
    let [a, b] = visitors();
    assert_eq!(check(&[a.clone(), b.clone(), alarm.clone(), guard], never()), holds());
    assert_eq!(check(&[a, b, alarm], never()), broken("a enters, alarm"));
}

#[test]
fn a_predicate_always_holds() {
    let both_inside = |model: &Model<Random>, state: &_| {
        ["A", "B"].iter().all(|name| {
            let point = model.sync_point(state, name).expect("visitors never end");
            point.requests()[0].ends_with("leaves")
        })
    };
    let always = || {
        Property::always("never both inside", move |model: &Model<Random>, state| {
            !both_inside(model, state)
        })
    };
    let [a, b] = visitors();
    assert_eq!(check(&[a.clone(), b.clone(), mutex()], always()), holds());
    assert_eq!(check(&[a, b], always()), broken("a enters, b enters"));
}

#[test]
fn no_state_is_stuck() {
    let wall = BThread::new("Wall")
        .then(wait_for("b leaves"))
        .then(block(["a enters", "b enters", "a leaves"]));
    let [a, b] = visitors();
    let no_stuck = Property::no_stuck_state;
    assert_eq!(check(&[a.clone(), b.clone(), mutex()], no_stuck()), holds());
    assert_eq!(check(&[a, b, wall], no_stuck()), broken("b enters, b leaves"));
    // Waiting and finished states are not stuck.
    assert_eq!(check(&[BThread::new("Waits").then(wait_for("a"))], no_stuck()), holds());
    assert_eq!(check(&[], no_stuck()), holds());
}

#[test]
fn an_event_can_happen() {
    let happens = || Property::happens("b enters", |event: &Word| *event == "b enters");
    let [a, b] = visitors();
    let closed = BThread::new("Closed").then(block("b enters"));
    assert_eq!(check(&[a.clone(), b.clone()], happens()), (Verdict::Holds, "b enters".to_owned()));
    assert_eq!(check(&[a, b, closed], happens()), broken(""));
}

#[test]
fn a_state_can_be_reached() {
    let waits_inside = || {
        Property::reachable("b inside", |model: &Model<Random>, state| {
            model.sync_point(state, "B").is_some_and(|point| point.requests() == ["b leaves"])
        })
    };
    let [a, b] = visitors();
    let closed = BThread::new("Closed").then(block("b enters"));
    let reached = check(&[a.clone(), b.clone()], waits_inside());
    assert_eq!(reached, (Verdict::Holds, "b enters".to_owned()));
    assert_eq!(check(&[a, b, closed], waits_inside()), broken(""));
}

#[test]
fn an_assertion_inside_a_b_thread_is_a_requirement() {
    let no_crowd = BThread::new("NoCrowd")
        .then(wait_for(["a enters", "b enters"]))
        .then(wait_for(["a enters", "b enters"]).interrupt(["a leaves", "b leaves"]))
        .then(violation("two are inside"));
    let [a, b] = visitors();
    let mutual = [a.clone(), b.clone(), mutex(), no_crowd.clone()];
    assert_eq!(check(&mutual, Property::no_violation()), holds());
    assert_eq!(check(&mutual, Property::requirement("NoCrowd")), holds());
    let crowd = [a, b, no_crowd];
    assert_eq!(check(&crowd, Property::no_violation()), broken("a enters, b enters"));
    assert_eq!(check(&crowd, Property::requirement("NoCrowd")), broken("a enters, b enters"));
    assert_eq!(check(&crowd, Property::requirement("Somebody")).0, Verdict::Unknown);
}

#[test]
fn one_violation_does_not_hide_another_unless_the_search_halts_there() {
    let says =
        |name: Word, event| BThread::new(name).then(wait_for(event)).then(violation("it happened"));
    let script = BThread::new("Script").then(request("a")).then(request("b"));
    let threads = [script, says("NoA", "a"), says("NoB", "b")];
    let model = exhaustive(&threads);
    let checker = || {
        let [a, b] = ["NoA", "NoB"].map(Property::requirement);
        Checker::new(&model).property(a).property(b).collect_all()
    };
    let verdicts = |report: Report<Word>| {
        report.findings.iter().map(|finding| finding.verdict).collect::<Vec<_>>()
    };
    assert_eq!(verdicts(checker().run().unwrap()), [Verdict::Violated, Verdict::Violated]);
    let halting = checker().halt_at_violations().run().unwrap();
    assert_eq!((halting.states, halting.edges), (2, 1));
    assert_eq!(verdicts(halting), [Verdict::Violated, Verdict::Unknown]);
}

#[test]
fn a_misspelt_name_proves_nothing() {
    let says = BThread::of("No", "a").then(wait_for("a")).then(violation("it happened"));
    let threads = [BThread::new("Script").then(request("a")), says];
    assert_eq!(check(&threads, Property::requirement("No")), broken("a"), "the whole family");
    assert_eq!(check(&threads, Property::requirement("No(a)")), broken("a"));
    assert_eq!(check(&threads, Property::requirement("Typo")).0, Verdict::Unknown);
    let model = BProgram::against(space(&threads), ["Wrold"]);
    let report = Checker::new(&model).property(Property::no_stuck_state()).run().unwrap();
    let sentence = "the strategy refers to Wrold, but no b-thread has that name";
    assert_eq!(
        (report.verdict(), report.findings[0].sentence.as_str()),
        (Verdict::Unknown, sentence)
    );
}

#[test]
fn a_property_that_distinguishes_symmetric_states_is_unknown_with_symmetry() {
    let swap = |event: &Word| match *event {
        "p" => "q",
        "q" => "p",
        "a" => "b",
        "b" => "a",
        other => other,
    };
    let threads = [
        BThread::new("P").then(wait_for("p")).then(request("a")),
        BThread::new("Q").then(wait_for("q")).then(request("b")),
        BThread::new("Either").then(request_any(["p", "q"])),
    ];
    let space = Program::new(threads).unwrap().closed_space(["p", "q", "a", "b"]).unwrap();
    let model = BProgram::exhaustive(space).symmetric([swap]).unwrap();
    let no_b = || Property::never("no b", |event: &Word| *event == "b");
    let neither = || Property::never("neither", |event: &Word| ["a", "b"].contains(event));
    let checker = || Checker::new(&model).property(no_b()).property(neither().symmetric());
    let verdicts = |report: Report<Word>| {
        report.findings.iter().map(|finding| finding.verdict).collect::<Vec<_>>()
    };
    let full = checker().collect_all().run().unwrap();
    assert_eq!((full.states, verdicts(full.clone())), (5, vec![Verdict::Violated; 2]));
    // A case that settles nothing does not stop the search.
    let alone = Checker::new(&model).property(no_b()).symmetry().run().unwrap();
    assert_eq!((alone.states, alone.coverage), (3, Coverage::Complete));
    let reduced = checker().symmetry().collect_all().run().unwrap();
    let expected = vec![Verdict::Unknown, Verdict::Violated];
    assert_eq!((reduced.states, verdicts(reduced)), (3, expected));
}

#[test]
fn a_maximum_depth_leaves_out_only_deeper_states() {
    let ways = BThread::new("Ways").then(request_any(["a", "b"])).then(request_any(["c", "d"]));
    let deep = BThread::new("Deep").then(wait_for("b")).then(request("e")).then(request("f"));
    let model = exhaustive(&[ways, deep]);
    for order in [Order::BreadthFirst, Order::DepthFirst] {
        let never = Property::never("no e", |event: &Word| *event == "e");
        let report =
            Checker::new(&model).property(never).order(order).max_depth(2).collect_all().run();
        let report = report.unwrap();
        assert_eq!(report.findings[0].verdict, Verdict::Violated, "{order:?}");
        assert_eq!((report.coverage, report.depth), (Coverage::CutShortByDepth(2), 2));
    }
}

#[test]
fn a_search_with_a_maximum_depth_is_incomplete_even_if_it_stops_at_a_finding() {
    let threads = [
        BThread::new("Ways").then(request_any(["a", "b"])),
        BThread::new("Deep").then(wait_for("b")).then(request("e")).then(request("f")),
        BThread::new("Gate").then(block("x").wait_for("a")),
        BThread::new("Round").then(request("x")).forever(),
    ];
    let model = exhaustive(&threads);
    for order in [Order::BreadthFirst, Order::DepthFirst] {
        let [no_x, no_f] = ["x", "f"]
            .map(|word| Property::never(format!("no {word}"), move |event: &Word| *event == word));
        let checker = Checker::new(&model).property(no_x).property(no_f).order(order);
        let report = checker.max_depth(2).run().unwrap();
        let verdicts = report.findings.iter().map(|finding| finding.verdict).collect::<Vec<_>>();
        assert_eq!(verdicts, [Verdict::Violated, Verdict::Unknown], "{order:?}");
        assert_ne!(report.coverage, Coverage::Complete, "{order:?}");
    }
}

#[test]
fn models_that_end_with_a_different_status_are_not_alike() {
    let sentence = |left: &BThread<Word>, right: [&BThread<Word>; 2]| {
        let left = exhaustive(std::slice::from_ref(left));
        let right = exhaustive(&right.map(Clone::clone));
        let both = Bisimulation::new(&left, &right);
        let report = Checker::new(&both).property(Property::no_violation()).run().unwrap();
        report.findings[0].sentence.clone()
    };
    let once = BThread::new("Once").then(request("a"));
    let stuck = BThread::new("Stuck").then(request("b").block("b"));
    let silent = BThread::new("Silent");
    assert_eq!(sentence(&once, [&once, &silent]), "holds");
    let different = "Bisimulation: the left model is Finished, the right one Stuck";
    assert_eq!(sentence(&once, [&once, &stuck]), different);
}

#[test]
fn the_program_counter_counts() {
    let twice = |ending: SyncPoint<Word>| {
        [BThread::new("Twice").then(request("a")).then(request("a")).then(ending)]
    };
    assert_eq!(check(&twice(violation("two")), Property::no_violation()), broken("a, a"));
    assert_eq!(check(&twice(wait_for("b")), Property::no_violation()), holds());
}

#[test]
fn no_program_ends_while_a_b_thread_is_hot() {
    let owes = |answer: SyncPoint<Word>| {
        [
            BThread::new("Asks").then(request("question")),
            BThread::new("Owes").then(wait_for("question")).then(wait_for("answer").hot()),
            BThread::new("Answers").then(answer).then(request("answer")),
        ]
    };
    let kept = owes(wait_for("question"));
    let forgotten = owes(wait_for("another question"));
    assert_eq!(check(&kept, Property::no_hot_end()), holds());
    assert_eq!(check(&forgotten, Property::no_hot_end()), broken("question"));
    assert_eq!(check(&kept, Property::requirement("Owes")), holds());
    assert_eq!(check(&forgotten, Property::requirement("Owes")), broken("question"));
}

#[test]
fn no_cycle_keeps_one_b_thread_hot() {
    let wants = BThread::new("Wants")
        .then(request("start"))
        .then(wait_for("served").hot())
        .then(wait_for("never"));
    let idle = BThread::new("Idle").then(wait_for("start")).then(request("tick")).forever();
    let server = BThread::new("Server").then(wait_for("start")).then(request("served"));
    let no_cycle = Property::no_hot_thread_cycle;
    // The clock may tick for ever, without a turn of the server.
    let ticking =
        BThread::new("Clock").then(wait_for("start")).then(request("tick")).then(wait_for("start"));
    assert_eq!(check(&[wants.clone(), ticking, server.clone()], no_cycle()), holds());
    let unfair = BThread::new("Clock").then(request("tick")).forever();
    let (verdict, trace) = check(&[wants.clone(), unfair, server.clone()], no_cycle());
    assert_eq!((verdict, trace.as_str()), (Verdict::Violated, "start, and then for ever: tick"));
    // With priorities the server comes first, and no b-thread stays hot.
    let fair = [wants, server, BThread::new("Clock").then(request("tick")).forever()];
    let model = BProgram::new(space(&fair), Priority);
    let report = Checker::new(&model).property(no_cycle_of(&model)).run().unwrap();
    assert_eq!(report.verdict(), Verdict::Holds);
    assert_eq!(check(&[idle], Property::no_hot_thread_cycle()), holds());
}

fn no_cycle_of<S: Strategy<Word> + Sync>(_: &Model<S>) -> Property<Model<S>> {
    Property::no_hot_thread_cycle()
}

#[test]
fn no_cycle_keeps_some_b_thread_hot_at_all_times() {
    let relay = |hot: bool| {
        let baton = |point: SyncPoint<Word>| if hot { point.hot() } else { point };
        [
            BThread::new("First").then(request("pass").hot()).then(wait_for("back")).forever(),
            BThread::new("Second").then(wait_for("pass")).then(baton(request("back"))).forever(),
        ]
    };
    // No b-thread is always hot, but one of them always is.
    assert_eq!(check(&relay(true), Property::no_hot_thread_cycle()), holds());
    let (verdict, trace) = check(&relay(true), Property::no_hot_system_cycle());
    assert_eq!((verdict, trace.as_str()), (Verdict::Violated, "and then for ever: pass, back"));
    assert_eq!(check(&relay(false), Property::no_hot_system_cycle()), holds());
}

#[test]
fn a_cycle_that_is_not_on_the_search_path_is_found() {
    // Two paths lead to the same pair of states; the second one closes the cycle.
    let hot = BThread::new("Hot")
        .then(wait_for("left").hot().wait_for("right"))
        .then(wait_for("out").hot());
    let walker = BThread::new("Walker").then(request_any(["left", "right"]));
    let wheel = BThread::new("Wheel").then(request("turn")).then(request("turn back")).forever();
    let (verdict, trace) = check(&[hot, walker, wheel], Property::no_hot_thread_cycle());
    assert_eq!(
        (verdict, trace.as_str()),
        (Verdict::Violated, "and then for ever: turn, turn back")
    );
}

/// X and O move once each; O follows its priorities.
fn small_game() -> [BThread<Word>; 4] {
    [
        BThread::new("Turns")
            .then(wait_for(["x1", "x2"]).block(["o1", "o2"]))
            .then(wait_for(["o1", "o2"]).block(["x1", "x2"]))
            .forever(),
        BThread::new("Once")
            .then(wait_for(["x1", "x2"]))
            .then(wait_for(["o1", "o2"]))
            .then(block(["x1", "x2"])),
        BThread::new("O").then(request_any(["o2", "o1"])),
        BThread::new("AnyX").then(request_any(["x1", "x2"])),
    ]
}

#[test]
fn only_the_environment_may_choose_freely() {
    let count = |environment: &[&str]| {
        let model = BProgram::against(space(&small_game()), environment.iter().copied());
        let report = Checker::new(&model).run().unwrap();
        (report.states, report.edges)
    };
    // No b-thread remembers which x move it was, so there are always three states.
    assert_eq!(count(&["AnyX"]), (3, 3), "two x moves and one answer");
    assert_eq!(count(&["AnyX", "O"]), (3, 4), "two x moves and two answers");
    assert_eq!(count(&["Nobody"]), (3, 2), "everything by priority");
}

/// Counts for ever.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Counter(u64);

impl Behaviour<Word> for Counter {
    fn sync_point(&self) -> Option<SyncPoint<Word>> {
        Some(request("tick"))
    }

    fn go_on(&mut self, _: &Word) {
        self.0 += 1;
    }
}

fn endless() -> Model<Random> {
    let program =
        Program::new([BThread::behaving("Counter", Counter(0))]).expect("the b-thread has a name");
    BProgram::exhaustive(program.space())
}

#[test]
fn a_search_that_was_cut_short_never_claims_that_something_holds() {
    let model = endless();
    let check = |checker: Checker<'_, Model<Random>>| checker.run().unwrap();
    let never = || Property::never("no tock", |event: &Word| *event == "tock");
    let happens = || Property::happens("a tock", |event: &Word| *event == "tock");
    let all = || Checker::new(&model).property(never()).property(happens()).collect_all();
    let by_states = check(all().max_states(100));
    assert_eq!(by_states.coverage, Coverage::CutShortByStates(100));
    let by_depth = check(all().max_depth(50));
    assert_eq!((by_depth.coverage, by_depth.states), (Coverage::CutShortByDepth(50), 51));
    for report in [by_states, by_depth] {
        assert_eq!(report.verdict(), Verdict::Unknown);
        assert!(report.findings.iter().all(|finding| finding.verdict == Verdict::Unknown));
    }
    let found =
        check(Checker::new(&model).property(Property::never("no tick", |_| true)).max_depth(50));
    assert_eq!((found.verdict(), found.states), (Verdict::Violated, 2), "the search stops at once");
}

#[test]
fn a_search_that_stops_early_leaves_other_properties_unknown() {
    let [a, b] = visitors();
    let model = exhaustive(&[a, b]);
    let run = |checker: Checker<'_, Model<Random>>| -> Report<Word> {
        let never = Property::never("nobody enters", |event: &Word| event.ends_with("enters"));
        let stuck = Property::no_stuck_state();
        checker.property(never).property(stuck).run().unwrap()
    };
    let stopped = run(Checker::new(&model));
    assert_eq!(stopped.coverage, Coverage::StoppedAtFinding);
    let verdicts: Vec<_> = stopped.findings.iter().map(|finding| finding.verdict).collect();
    assert_eq!(verdicts, [Verdict::Violated, Verdict::Unknown]);
    let all = run(Checker::new(&model).collect_all());
    let verdicts: Vec<_> = all.findings.iter().map(|finding| finding.verdict).collect();
    // Somebody can enter in three states; in the first of them, both can.
    assert_eq!((verdicts, all.findings[0].cases), (vec![Verdict::Violated, Verdict::Holds], 3));
}

#[test]
fn a_depth_first_search_visits_the_same_states() {
    let [a, b] = visitors();
    let model = exhaustive(&[a, b, mutex()]);
    let run = |order| {
        Checker::new(&model).property(Property::no_stuck_state()).order(order).run().unwrap()
    };
    let (wide, deep) = (run(Order::BreadthFirst), run(Order::DepthFirst));
    assert_eq!(
        (wide.states, wide.edges, wide.verdict()),
        (deep.states, deep.edges, deep.verdict())
    );
    assert_eq!((wide.states, wide.edges), (3, 4));
}

#[test]
fn a_compact_search_has_the_same_counts_and_reports_that_it_is_probabilistic() {
    let [a, b] = visitors();
    let hot = BThread::new("Hot").then(wait_for("never").hot());
    let threads = [a, b, mutex(), hot];
    let model = exhaustive(&threads);
    let run = |checker: Checker<'_, Model<Random>>| {
        let never = Property::never("b stays out", |event: &Word| *event == "b enters");
        checker
            .property(never)
            .property(Property::no_hot_thread_cycle())
            .collect_all()
            .run()
            .unwrap()
    };
    let (exact, compact) = (run(Checker::new(&model)), run(Checker::new(&model).compact()));
    assert_eq!(exact.identity, Identity::Exact);
    assert_eq!((exact.states, exact.edges), (compact.states, compact.edges));
    assert_eq!(exact.findings[0], compact.findings[0]);
    let Identity::Probabilistic { risk } = compact.identity else { panic!("it is not exact") };
    assert!(0.0 < risk && risk < 1e-15, "{risk}");
    assert_eq!(compact.findings[1].verdict, Verdict::Unknown, "cycles need whole states");
    assert!(compact.to_string().contains("probabilistic: 64 bits per state"));
}

#[test]
fn a_trace_is_replayed_with_explanations() {
    let model = BProgram::against(space(&small_game()), ["AnyX"]);
    let never = Property::never("no o2", |event: &Word| *event == "o2");
    let report = Checker::new(&model).property(never).run().unwrap();
    let trace = report.findings[0].trace.as_ref().unwrap();
    let steps: Vec<_> = model.replay(trace).iter().map(ToString::to_string).collect();
    expect_test::expect![[r#"
        x1: requested by AnyX
          went on: Turns, Once, AnyX
          O requested o2, blocked by Turns ({o1, o2})
          O requested o1, blocked by Turns ({o1, o2})
          AnyX also requested x2o2: requested by O
          went on: Turns, Once, O
          O also requested o1"#]]
    .assert_eq(&steps.concat());
}

#[test]
fn a_graph_shows_states_actions_and_the_trace() {
    let [a, b] = visitors();
    let model = exhaustive(&[a, b]);
    let draw = |limit| {
        let never = Property::never("b stays out", |event: &Word| *event == "b enters");
        Checker::new(&model).property(never).collect_all().draw(limit).run().unwrap().graph.unwrap()
    };
    expect_test::expect![[r#"
        digraph states {
          node [shape=circle, fontsize=10];
          0 [label="0", color=red, penwidth=2];
          1 [label="1"];
          2 [label="2", color=red, penwidth=2];
          3 [label="3"];
          0 -> 1 [label="a enters"];
          0 -> 2 [label="b enters", color=red, penwidth=2];
          1 -> 0 [label="a leaves"];
          1 -> 3 [label="b enters"];
          2 -> 3 [label="a enters"];
          2 -> 0 [label="b leaves"];
          3 -> 2 [label="a leaves"];
          3 -> 1 [label="b leaves"];
        }
    "#]]
    .assert_eq(&draw(10).to_dot());
    expect_test::expect![[r#"
        flowchart TD
          s0(("0"))
          style s0 stroke:red,stroke-width:3px
          s1(("1"))
          s2(("2"))
          style s2 stroke:red,stroke-width:3px
          s0 -->|"a enters"| s1
          s0 -->|"b enters"| s2
          linkStyle 1 stroke:red,stroke-width:3px
          s1 -->|"a leaves"| s0
          s2 -->|"b leaves"| s0
          more["and 1 more state"]
    "#]]
    .assert_eq(&draw(2).to_mermaid());
}

#[test]
fn a_report_is_written_as_text_and_as_json() {
    let [a, b] = visitors();
    let model = exhaustive(&[a, b]);
    let never = Property::never("b stays out", |event: &Word| *event == "b enters");
    let report = Checker::new(&model)
        .property(never)
        .property(Property::no_stuck_state())
        .collect_all()
        .run();
    let report = report.unwrap();
    expect_test::expect![[r#"
        b stays out: violated: b enters happens
          b enters
        no stuck state: holds
        4 states, 8 edges, depth 2, 0 terminal, 0 stuck
        complete: every state was visited"#]]
    .assert_eq(&report.to_string());
    expect_test::expect![[r#"
        {
          "findings": [
            {
              "property": "b stays out",
              "verdict": "violated",
              "sentence": "b enters happens",
              "cases": 2,
              "trace": {
                "actions": [
                  "b enters"
                ],
                "cycle_from": null
              }
            },
            {
              "property": "no stuck state",
              "verdict": "holds",
              "sentence": "holds",
              "cases": 0,
              "trace": null
            }
          ],
          "states": 4,
          "edges": 8,
          "depth": 2,
          "terminal": 0,
          "stuck": 0,
          "coverage": "complete",
          "identity": "exact"
        }"#]]
    .assert_eq(&serde_json::to_string_pretty(&report).unwrap());
}
