//! The journal in memory.

use std::sync::Arc;

use server::{Directory, Journal, MemoryJournal};

use crate::conformance::conformance;
use crate::fixtures::TestJournal;
use crate::rules::conformance_with_rules;

struct InMemory(Arc<MemoryJournal>);

impl TestJournal for InMemory {
    fn journal(&self) -> Arc<dyn Journal> {
        Arc::<MemoryJournal>::clone(&self.0)
    }

    fn directory(&self) -> Arc<dyn Directory> {
        Arc::<MemoryJournal>::clone(&self.0)
    }

    fn reopened(self: Box<Self>) -> Option<Box<dyn TestJournal>> {
        None
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn the_journal_in_memory_conforms() {
    let make =
        || -> Box<dyn TestJournal> { Box::new(InMemory(Arc::new(MemoryJournal::new().unwrap()))) };
    conformance(make).await;
    conformance_with_rules(make).await;
}
