//! Requirements that are watched for ever or not, fairness, and depth-first search.

use std::convert::Infallible;

use bthread::{
    BThread, ClosedStateSpace, Program, Random, request, request_any, violation, wait_for,
};
use checker::{BProgram, Checker, Coverage, Finding, Order, Property, Verdict};

type Word = &'static str;
type Model = BProgram<ClosedStateSpace<Word>, Random>;

fn model(threads: impl IntoIterator<Item = BThread<Word>>) -> Model {
    let program = Program::new(threads).expect("the names differ");
    let space = program.closed_space(["a", "b", "c", "d"]).expect("all words are known");
    BProgram::exhaustive(space)
}

fn finding(model: &Model, property: Property<Model>) -> Finding<Word> {
    let report = Checker::new(model).property(property).run().expect("all words are known");
    report.findings.into_iter().next().expect("there is one property")
}

/// Says a word again and again: any of three.
fn speaker() -> BThread<Word> {
    BThread::new("Speaker").then(request_any(["a", "b", "c"])).forever()
}

/// No b may follow an a, unless a c comes in between.
fn requirement(second: bthread::SyncPoint<Word>) -> BThread<Word> {
    BThread::new("NoBAfterA")
        .then(wait_for("a"))
        .then(second)
        .then(violation("b after a"))
        .forever()
}

/// Says only a, c and then a, b.
fn careful_speaker() -> BThread<Word> {
    BThread::new("Speaker").then(["a", "c", "a", "b"].map(request))
}

#[test]
fn a_requirement_that_an_interrupt_ends_is_watched_only_until_then() {
    let model = model([careful_speaker(), requirement(wait_for("b").interrupt("c"))]);
    let finding = finding(&model, Property::requirement("NoBAfterA"));
    assert_eq!(finding.verdict, Verdict::Holds);
    let caution = finding.caution.as_deref().expect("it is no longer watched after c");
    assert!(caution.starts_with("NoBAfterA watches only until c (a, c): "), "{caution}");
    assert!(finding.to_string().ends_with(caution));
}

#[test]
fn a_requirement_that_starts_over_is_watched_for_ever() {
    let model = model([careful_speaker(), requirement(wait_for("b").start_over("c"))]);
    let finding = finding(&model, Property::requirement("NoBAfterA"));
    assert_eq!((finding.verdict, finding.caution), (Verdict::Violated, None));
    assert_eq!(finding.trace.expect("there is one").to_string(), "a, c, a, b");
}

#[test]
fn a_requirement_that_ends_as_it_should_needs_no_caution() {
    let once = BThread::new("NoBAfterA")
        .then(wait_for("a"))
        .then(wait_for("b").interrupt("c"))
        .then(violation("b after a"));
    let model = model([careful_speaker(), once]);
    assert_eq!(finding(&model, Property::requirement("NoBAfterA")).caution, None);
}

#[test]
fn a_requirement_that_ends_with_the_program_needs_no_caution() {
    let ends = |last| {
        let speaker = BThread::new("Speaker").then(["a", "c"].map(request)).then(last);
        let until_c = requirement(wait_for("b").interrupt("c"));
        finding(&model([speaker, until_c]), Property::requirement("NoBAfterA")).caution
    };
    assert_eq!(ends(None), None);
    assert!(ends(Some(request("d"))).is_some());
}

#[test]
fn that_nothing_is_violated_is_said_with_the_same_caution() {
    let no_violation = |second, others: Option<BThread<Word>>| {
        let threads = [careful_speaker(), requirement(second)];
        finding(&model(threads.into_iter().chain(others)), Property::no_violation())
    };
    let until_c = no_violation(wait_for("b").interrupt("c"), None);
    assert_eq!(until_c.verdict, Verdict::Holds);
    let caution = until_c.caution.as_deref().expect("it is no longer watched after c");
    assert!(caution.starts_with("NoBAfterA watches only until c (a, c): "), "{caution}");
    let for_ever = no_violation(wait_for("b").start_over("c"), None);
    assert_eq!((for_ever.verdict, for_ever.caution), (Verdict::Violated, None));
    // A b-thread that never reports a violation may end.
    let listener = BThread::new("Listener").then(wait_for("b").interrupt("c")).forever();
    let beside_it = no_violation(wait_for("b").start_over("d"), Some(listener));
    assert_eq!((beside_it.verdict, beside_it.caution), (Verdict::Violated, None));
}

/// Wants d at last, and must not wait for ever.
fn wish() -> BThread<Word> {
    BThread::new("Wish").then(request("d").hot())
}

#[test]
fn fairness_is_assumed_only_where_it_is_asked_for() {
    let model = model([speaker(), wish()]);
    for property in [Property::no_hot_thread_cycle, Property::no_hot_system_cycle, || {
        Property::requirement("Wish")
    }] {
        assert_eq!(finding(&model, property()).verdict, Verdict::Violated);
        assert_eq!(finding(&model, property().fair()).verdict, Verdict::Holds);
    }
}

#[test]
fn a_verdict_on_endless_runs_says_what_it_assumes_about_fairness() {
    let model = model([speaker(), wish()]);
    for property in [Property::no_hot_thread_cycle, Property::no_hot_system_cycle, || {
        Property::requirement("Wish")
    }] {
        let unfair = finding(&model, property());
        let expected = "no fairness is assumed: `Property::fair` leaves out runs in which a hot request \
                        is possible again and again and never happens";
        assert_eq!(unfair.fairness.as_deref(), Some(expected));
        assert!(unfair.to_string().ends_with(expected), "{unfair}");
        let fair = finding(&model, property().fair());
        let expected =
            "a hot request that is possible again and again is assumed to happen at last";
        assert_eq!(fair.fairness.as_deref(), Some(expected));
    }
    // What is violated in every run, or about no run at all, says nothing of the kind.
    assert_eq!(finding(&model, Property::no_hot_end().fair()).fairness, None);
    let cold = BThread::new("Cold").then(wait_for("d")).then(violation("d happened"));
    let violated = finding(&self::model([wish(), cold]), Property::requirement("Cold").fair());
    assert_eq!((violated.verdict, violated.fairness), (Verdict::Violated, None));
}

#[test]
fn a_search_that_is_cut_short_does_not_take_a_request_for_impossible() {
    let model = model([speaker(), wish()]);
    let checker = Checker::new(&model).max_states(1).collect_all();
    let report = checker.property(Property::requirement("Wish").fair()).run();
    let report = report.expect("all words are known");
    assert_eq!((report.states, report.findings[0].verdict), (1, Verdict::Unknown));
}

#[test]
fn a_hot_request_that_is_possible_only_for_a_while_is_not_saved_by_fairness() {
    // After the first b, d is blocked for ever.
    let gate = BThread::new("Gate").then(wait_for("b")).then(wait_for("d").block("d"));
    let model = model([speaker(), gate, wish()]);
    let finding = finding(&model, Property::no_hot_thread_cycle().fair());
    assert_eq!(finding.verdict, Verdict::Violated);
    let trace = finding.trace.expect("there is one");
    assert!(trace.to_string().starts_with("b, and then for ever: "), "{trace}");
}

#[test]
fn a_hot_b_thread_that_waits_is_saved_by_the_hot_request_of_another() {
    let waiter = BThread::new("Waiter").then(wait_for("d").hot());
    let property = || Property::requirement("Waiter").fair();
    let with_wish = model([speaker(), waiter.clone(), wish()]);
    assert_eq!(finding(&with_wish, property()).verdict, Verdict::Holds);
    let without = model([speaker(), waiter]);
    assert_eq!(finding(&without, property()).verdict, Verdict::Violated);
}

/// A long way and a short one to the same place: four a, or b; two more steps follow.
fn two_ways() -> Model {
    let long = BThread::new("Long").then(request("a").interrupt("b").times(4));
    let short = BThread::new("Short").then(request("b").interrupt("a"));
    let end = BThread::new("End")
        .then(wait_for("b").wait_for("a"))
        .then(request("c").block(["a", "b"]))
        .then(request("d"));
    model([short, long, end])
}

#[test]
fn both_orders_report_the_same_depth_and_leave_out_the_same_states() {
    let model = two_ways();
    let search = |order, depth| {
        let checker = Checker::new(&model).order(order).max_depth(depth).collect_all();
        let report = checker.run().expect("all words are known");
        (report.states, report.edges, report.depth, report.coverage)
    };
    for depth in (0..8).chain([u64::MAX]) {
        let wide = search(Order::BreadthFirst, depth);
        assert_eq!(search(Order::DepthFirst, depth), wide, "at most {depth} deep");
    }
    assert_eq!(search(Order::DepthFirst, u64::MAX).3, Coverage::Complete);
}

/// Numbers below a hundred, with steps of seven and of one.
struct Stairs;

impl checker::Model for Stairs {
    type State = u32;
    type Action = u32;
    type Error = Infallible;

    fn start(&self) -> u32 {
        0
    }

    fn successors(&self, at: &u32, show: &mut dyn FnMut(&u32, u32)) -> Result<(), Infallible> {
        [7, 1].iter().filter(|step| at + *step < 100).for_each(|step| show(step, at + step));
        Ok(())
    }
}

#[test]
fn a_depth_first_search_finds_what_is_near_although_it_came_by_a_long_way_first() {
    for depth in [0, 1, 3, 10, 14, 50, u64::MAX] {
        for is_compact in [false, true] {
            let search = |order| {
                let checker = Checker::new(&Stairs).order(order).max_depth(depth).collect_all();
                let near = Property::reachable("28 is reachable", |_, at: &u32| *at == 28);
                let checker = checker.property(near);
                let checker = if is_compact { checker.compact() } else { checker };
                let report = checker.run().unwrap_or_else(|never| match never {});
                let verdict = report.findings[0].verdict;
                (report.states, report.edges, report.depth, report.coverage, verdict)
            };
            let deep = search(Order::DepthFirst);
            assert_eq!(deep, search(Order::BreadthFirst), "at most {depth} deep");
            assert_eq!(deep.4 == Verdict::Holds, depth > 4, "28 is four steps away");
        }
    }
}
