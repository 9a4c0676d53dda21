//! Journals that several servers share.

use std::sync::Arc;
use std::time::Duration;

use server::{MemoryJournal, NatsJournal, NatsSettings};

use crate::nats_server::{Flushing, NatsServer};
use crate::test_server::{Setup, TestServer};

/// A journal that several servers share.
enum SharedJournal {
    Memory(Arc<MemoryJournal>),
    /// Each server has a connection of its own.
    Nats(Box<NatsSettings>),
}

impl SharedJournal {
    fn in_memory() -> Self {
        Self::Memory(Arc::new(MemoryJournal::shared().expect("the system has random bytes")))
    }

    /// A server on this journal.
    async fn setup(&self) -> Setup {
        match self {
            Self::Memory(journal) => Setup::on(journal),
            Self::Nats(settings) => {
                let opened = NatsJournal::open(settings).await;
                Setup::on(&Arc::new(opened.expect("the journal opens")))
            }
        }
    }

    /// One server for each clock, which is ahead by this time.
    async fn nodes<const N: usize>(&self, ahead: [Duration; N]) -> [TestServer; N] {
        let mut nodes = Vec::new();
        for ahead in ahead {
            nodes.push(self.setup().await.later(ahead).start().await);
        }
        nodes.try_into().ok().expect("a server was started for each clock")
    }
}

/// Servers that share a journal in memory.
pub(crate) async fn nodes<const N: usize>() -> [TestServer; N] {
    SharedJournal::in_memory().nodes([Duration::ZERO; N]).await
}

/// Runs a test on servers that share a journal in memory and, where there is a NATS server, on servers that share
/// one in NATS. The clock of each of them is ahead by this time.
pub(crate) async fn on_each_journal_with<const N: usize>(
    ahead: [Duration; N],
    test: impl AsyncFn([TestServer; N]),
) {
    test(SharedJournal::in_memory().nodes(ahead).await).await;
    let Some(nats) = NatsServer::start(Flushing::Always) else { return };
    test(SharedJournal::Nats(Box::new(nats.settings("shared"))).nodes(ahead).await).await;
}

/// The same with clocks that are right.
pub(crate) async fn on_each_journal<const N: usize>(test: impl AsyncFn([TestServer; N])) {
    on_each_journal_with([Duration::ZERO; N], test).await;
}
