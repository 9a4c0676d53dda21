//! The memory of a search, as the allocator counts it. One test, because the allocator counts for the
//! whole process.

#[path = "../../bthread/examples/dining_philosophers/table.rs"]
mod table;

use std::alloc::System;

use bthread::{ClosedStateSpace, Random};
use checker::{BProgram, Checker};
use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

type Philosophers = BProgram<ClosedStateSpace<table::Action>, Random>;

/// The most bytes that a search has in use between two batches.
fn most_bytes(checker: Checker<'_, Philosophers>) -> usize {
    let region = Region::new(ALLOCATOR);
    let mut most = 0;
    let checker = checker.on_progress(|_| {
        let stats = region.change();
        most = most.max(stats.bytes_allocated.saturating_sub(stats.bytes_deallocated));
    });
    let report = checker.run().expect("all actions are known");
    assert_eq!(report.states, 46_763);
    most
}

#[test]
fn a_compact_search_takes_much_less_memory() {
    let space = table::philosophers(9).closed_space(table::actions(9));
    let model = BProgram::exhaustive(space.expect("all actions are known"));
    let whole = most_bytes(Checker::new(&model));
    let compact = most_bytes(Checker::new(&model).compact());
    assert!(4 * compact <= 3 * whole, "compact takes {compact} bytes, whole states take {whole}");
}
