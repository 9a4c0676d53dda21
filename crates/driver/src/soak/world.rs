//! What all players of a soak share.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::net::SocketAddr;

use tokio::sync::watch;
use tokio::time::Instant;

use crate::latencies::Latencies;

/// What all players of a soak share: where the server is, what goes on, what was counted.
#[derive(Debug)]
pub(crate) struct World {
    server: watch::Sender<Option<SocketAddr>>,
    stage: watch::Sender<Stage>,
    /// When the server was started, until something is acknowledged.
    restarted: Cell<Option<Instant>>,
    pub(crate) tally: RefCell<Tally>,
}

/// What players do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stage {
    /// They play.
    Playing,
    /// They listen, and begin nothing.
    Paused,
    /// They go home.
    Over,
}

/// What was counted.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tally {
    pub(crate) faults: BTreeMap<&'static str, u64>,
    pub(crate) acknowledged: u64,
    pub(crate) refused: u64,
    pub(crate) undecided: u64,
    pub(crate) recoveries: Latencies,
}

impl Tally {
    pub(crate) fn append(&mut self, other: Self) {
        for (fault, count) in other.faults {
            *self.faults.entry(fault).or_default() += count;
        }
        self.acknowledged += other.acknowledged;
        self.refused += other.refused;
        self.undecided += other.undecided;
        self.recoveries.append(other.recoveries);
    }
}

impl World {
    pub(crate) fn new() -> Self {
        Self {
            server: watch::Sender::new(None),
            stage: watch::Sender::new(Stage::Playing),
            restarted: Cell::new(None),
            tally: RefCell::default(),
        }
    }

    pub(crate) fn stage(&self) -> Stage {
        *self.stage.borrow()
    }

    pub(crate) fn enter(&self, stage: Stage) {
        self.stage.send_replace(stage);
    }

    pub(crate) fn watch_stage(&self) -> watch::Receiver<Stage> {
        self.stage.subscribe()
    }

    /// The server is there now, or is not.
    pub(crate) fn move_server(&self, address: Option<SocketAddr>) {
        self.server.send_replace(address);
    }

    /// Waits until the server is there; gives nothing if all go home.
    pub(crate) async fn server(&self) -> Option<SocketAddr> {
        let (mut server, mut stage) = (self.server.subscribe(), self.stage.subscribe());
        tokio::select! {
            found = server.wait_for(Option::is_some) => *found.ok()?,
            _ = stage.wait_for(|stage| *stage == Stage::Over) => None,
        }
    }

    /// The server is being started now.
    pub(crate) fn begin_recovery(&self, at: Instant) {
        self.restarted.set(Some(at));
    }

    /// Whether nothing was acknowledged since the server was started.
    pub(crate) fn is_recovering(&self) -> bool {
        self.restarted.get().is_some()
    }

    /// Something was acknowledged.
    pub(crate) fn acknowledged(&self) {
        let mut tally = self.tally.borrow_mut();
        tally.acknowledged += 1;
        if let Some(began) = self.restarted.take() {
            tally.recoveries.push(began.elapsed());
        }
    }

    pub(crate) fn count(&self, fault: &'static str) {
        *self.tally.borrow_mut().faults.entry(fault).or_default() += 1;
    }
}
