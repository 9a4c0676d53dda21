//! The memory of a search, as the allocator counts it. One test, because the allocator counts for the
//! whole process.

#[path = "../../bthread/examples/dining_philosophers/table.rs"]
mod table;

use std::alloc::System;

use checker::{BProgram, Checker, Property};
use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

const SEATS: u8 = 8;
const STATES: u64 = 14_158;

/// The most bytes that a search holds after one of its batches, for each state.
fn bytes_per_state(is_compact: bool) -> usize {
    let space = table::philosophers(SEATS).closed_space(table::actions(SEATS));
    let model = BProgram::exhaustive(space.expect("all actions are known"));
    let region = Region::new(ALLOCATOR);
    let mut most = 0;
    let checker = Checker::new(&model).property(Property::no_stuck_state()).collect_all();
    let checker = checker.on_progress(|_| {
        let stats = region.change();
        most = most.max(stats.bytes_allocated - stats.bytes_deallocated);
    });
    let checker = if is_compact { checker.compact() } else { checker };
    assert_eq!(checker.run().expect("all successors are known").states, STATES);
    most / usize::try_from(STATES).expect("there are few")
}

#[test]
fn a_compact_search_takes_far_less_memory() {
    let (exact, compact) = (bytes_per_state(false), bytes_per_state(true));
    // 24 bytes of a state, four of its parent and about seven in the table. Vectors and the table may
    // have twice the room that they need.
    assert!((35..=56).contains(&exact), "an exact search takes {exact} bytes for each state");
    assert!(compact * 3 <= exact * 2, "{compact} bytes instead of {exact}");
}
