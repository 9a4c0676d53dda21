//! Dining philosophers have the known numbers of states and edges.

#[path = "../../bthread/examples/dining_philosophers/table.rs"]
mod table;

use bthread::StateSpace;
use checker::{BProgram, Checker, Property, Report, Verdict};
use table::{Action, actions, philosophers};

fn check<P: StateSpace<Event = Action>>(space: P, threads: usize) -> Report<Action> {
    let model = BProgram::exhaustive(space);
    let checker = Checker::new(&model).property(Property::no_stuck_state()).collect_all();
    checker.threads(threads).run().expect("all actions are known")
}

#[test]
fn states_and_edges_are_counted_as_known() {
    let known = [(2, 10, 14), (3, 35, 75), (4, 118, 340), (5, 392, 1_415)];
    for (seats, states, edges) in known {
        let report = check(philosophers(seats).closed_space(actions(seats)).unwrap(), 1);
        assert_eq!((report.states, report.edges, report.stuck), (states, edges, 1));
        assert_eq!(check(philosophers(seats).space(), 1), report, "open and closed agree");
        assert_eq!(check(philosophers(seats).space(), 2), report, "two threads agree");
    }
}

#[test]
fn the_shortest_trace_to_a_stuck_state_is_a_right_stick_each() {
    for seats in 2..=5 {
        let report = check(philosophers(seats).closed_space(actions(seats)).unwrap(), 1);
        let finding = report.finding("no stuck state").unwrap();
        assert_eq!(finding.verdict, Verdict::Violated);
        let trace: Vec<_> =
            finding.trace.as_ref().unwrap().actions.iter().map(ToString::to_string).collect();
        let expected: Vec<_> =
            (0..seats).map(|seat| format!("philosopher {seat} picks the right stick")).collect();
        assert_eq!(trace, expected);
    }
}

#[test]
fn several_threads_report_the_same_of_many_states() {
    let model = BProgram::exhaustive(philosophers(9).closed_space(actions(9)).unwrap());
    let search = |threads, is_compact| {
        let checker = Checker::new(&model).property(Property::no_stuck_state()).collect_all();
        let checker = if is_compact { checker.compact() } else { checker };
        checker.threads(threads).run().expect("all actions are known")
    };
    for is_compact in [false, true] {
        let alone = search(1, is_compact);
        assert_eq!((alone.states, alone.edges, alone.stuck), (46_763, 304_137, 1));
        for threads in [2, 3] {
            assert_eq!(search(threads, is_compact), alone, "{threads} threads");
        }
    }
}
