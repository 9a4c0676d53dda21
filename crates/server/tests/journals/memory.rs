//! The journal in memory.

use std::sync::Arc;

use server::{Directory, Journal, MemoryJournal};

use crate::conformance::conformance;
use crate::material::Subject;

struct InMemory(Arc<MemoryJournal>);

impl Subject for InMemory {
    fn journal(&self) -> Arc<dyn Journal> {
        Arc::<MemoryJournal>::clone(&self.0)
    }

    fn directory(&self) -> Arc<dyn Directory> {
        Arc::<MemoryJournal>::clone(&self.0)
    }

    fn reopened(self: Box<Self>) -> Option<Box<dyn Subject>> {
        None
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn the_journal_in_memory_does_what_every_journal_does() {
    conformance(|| Box::new(InMemory(Arc::new(MemoryJournal::new().unwrap())))).await;
}
