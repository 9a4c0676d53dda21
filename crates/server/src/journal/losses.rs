//! Logs that are no longer what they were.

use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::RecvError;

use crate::TableId;

/// Where entries that had been acknowledged may be gone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Loss {
    /// In the log of this table.
    Of(TableId),
    /// In any log.
    Anywhere,
}

/// What a journal has lost since somebody began to ask.
#[derive(Debug)]
pub struct Losses(Receiver<Loss>);

impl Losses {
    /// What this receiver hears of.
    pub const fn new(receiver: Receiver<Loss>) -> Self {
        Self(receiver)
    }

    /// Waits for the next loss; nothing once the journal is closed.
    ///
    /// Who asks too rarely is not told of each: then it is [`Loss::Anywhere`].
    pub async fn next(&mut self) -> Option<Loss> {
        match self.0.recv().await {
            Ok(loss) => Some(loss),
            Err(RecvError::Lagged(_)) => Some(Loss::Anywhere),
            Err(RecvError::Closed) => None,
        }
    }
}
