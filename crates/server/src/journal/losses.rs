//! Notices that logs may have lost entries.

use std::sync::{Mutex, PoisonError};

use tokio::sync::broadcast::error::RecvError;
use tokio::sync::broadcast::{self, Receiver};

use crate::TableId;

/// Where acknowledged entries may have been lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Loss {
    /// In the log of this table.
    Table(TableId),
    /// In the log of any table.
    AnyTable,
}

/// A receiver of the losses of a journal.
#[derive(Debug)]
pub struct Losses(Receiver<Loss>);

impl Losses {
    /// The losses that this receiver receives.
    pub const fn new(receiver: Receiver<Loss>) -> Self {
        Self(receiver)
    }

    /// Waits for the next loss; returns none once the journal is closed.
    ///
    /// If the caller is too slow to receive every loss, it receives [`Loss::AnyTable`].
    pub async fn next(&mut self) -> Option<Loss> {
        match self.0.recv().await {
            Ok(loss) => Some(loss),
            Err(RecvError::Lagged(_)) => Some(Loss::AnyTable),
            Err(RecvError::Closed) => None,
        }
    }
}

/// The number of losses that wait for a slow receiver.
const CAPACITY: usize = 64;

/// The sending end of [`Losses`].
#[derive(Debug)]
pub(super) struct LossSender(Mutex<Option<broadcast::Sender<Loss>>>);

impl Default for LossSender {
    fn default() -> Self {
        Self(Mutex::new(Some(broadcast::Sender::new(CAPACITY))))
    }
}

impl LossSender {
    /// A receiver of all losses from now on.
    pub(super) fn subscribe(&self) -> Losses {
        let sender = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let closed = || broadcast::channel(1).1;
        Losses::new(sender.as_ref().map_or_else(closed, broadcast::Sender::subscribe))
    }

    pub(super) fn send(&self, loss: Loss) {
        if let Some(sender) = &*self.0.lock().unwrap_or_else(PoisonError::into_inner) {
            // It fails if there is no receiver.
            sender.send(loss).unwrap_or_default();
        }
    }

    /// Ends all receivers.
    pub(super) fn close(&self) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take();
    }
}
