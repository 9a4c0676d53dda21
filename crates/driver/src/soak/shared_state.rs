//! What all players of a soak share.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::net::SocketAddr;

use tokio::sync::watch;
use tokio::time::Instant;

use crate::latencies::Latencies;

/// What all players of a soak share: the address of the server, the phase, the counters.
#[derive(Debug)]
pub(crate) struct SharedState {
    server: watch::Sender<Option<SocketAddr>>,
    phase: watch::Sender<Phase>,
    /// When a fault ended, until the server acknowledges an action.
    recovering_since: Cell<Option<Instant>>,
    /// Whether servers of an older build run, whose rules may differ.
    has_older_servers: Cell<bool>,
    pub(crate) counters: RefCell<Counters>,
}

/// The phase of a soak.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Phase {
    /// Players play.
    Playing,
    /// Players finish pending actions and begin nothing.
    Paused,
    /// Players leave.
    Over,
}

/// The counters of a soak.
#[derive(Clone, Debug, Default)]
pub(crate) struct Counters {
    /// The faults that were injected, and the misbehaviour of players.
    pub(crate) faults: BTreeMap<&'static str, u64>,
    pub(crate) acknowledged: u64,
    pub(crate) refused: u64,
    /// Actions that the server could not decide: their players send them again.
    pub(crate) undecided: u64,
    pub(crate) recoveries: Latencies,
}

impl Counters {
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

impl SharedState {
    pub(crate) fn new() -> Self {
        Self {
            server: watch::Sender::new(None),
            phase: watch::Sender::new(Phase::Playing),
            recovering_since: Cell::new(None),
            has_older_servers: Cell::new(false),
            counters: RefCell::default(),
        }
    }

    pub(crate) fn phase(&self) -> Phase {
        *self.phase.borrow()
    }

    pub(crate) fn enter(&self, phase: Phase) {
        self.phase.send_replace(phase);
    }

    pub(crate) fn watch_phase(&self) -> watch::Receiver<Phase> {
        self.phase.subscribe()
    }

    /// Publishes the address of the server, or that it is down.
    pub(crate) fn set_server(&self, address: Option<SocketAddr>) {
        self.server.send_replace(address);
    }

    /// Waits for the address of the server; returns none if the soak ends first.
    pub(crate) async fn server(&self) -> Option<SocketAddr> {
        let (mut server, mut phase) = (self.server.subscribe(), self.phase.subscribe());
        tokio::select! {
            found = server.wait_for(Option::is_some) => *found.ok()?,
            _ = phase.wait_for(|phase| *phase == Phase::Over) => None,
        }
    }

    /// Says whether servers of an older build run.
    pub(crate) fn set_older_servers(&self, are_there: bool) {
        self.has_older_servers.set(are_there);
    }

    /// Whether servers of an older build run.
    pub(crate) fn has_older_servers(&self) -> bool {
        self.has_older_servers.get()
    }

    /// Starts the measurement of a recovery.
    pub(crate) fn begin_recovery(&self, at: Instant) {
        self.recovering_since.set(Some(at));
    }

    /// Whether the server has acknowledged nothing since the last fault ended.
    pub(crate) fn is_recovering(&self) -> bool {
        self.recovering_since.get().is_some()
    }

    /// Counts an acknowledgement, and ends the measurement of a recovery.
    pub(crate) fn acknowledged(&self) {
        let mut counters = self.counters.borrow_mut();
        counters.acknowledged += 1;
        if let Some(began) = self.recovering_since.take() {
            counters.recoveries.push(began.elapsed());
        }
    }

    pub(crate) fn count_fault(&self, fault: &'static str) {
        *self.counters.borrow_mut().faults.entry(fault).or_default() += 1;
    }
}
