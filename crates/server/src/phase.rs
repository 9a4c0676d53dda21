//! The phases of a server's life.

use tokio::sync::watch;

/// What a server is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum ServingPhase {
    /// It serves.
    Serving,
    /// It still serves but is not ready: load balancers notice, and no table is created.
    Draining,
    /// It accepts no more connections, and those that are open end.
    Stopping,
}

/// The phase of a server, for all who must know it.
#[derive(Clone, Debug)]
pub(crate) struct CurrentPhase(watch::Receiver<ServingPhase>);

impl CurrentPhase {
    /// A phase that begins with serving, and the sender that changes it.
    pub(crate) fn new() -> (watch::Sender<ServingPhase>, Self) {
        let (sender, receiver) = watch::channel(ServingPhase::Serving);
        (sender, Self(receiver))
    }

    pub(crate) fn now(&self) -> ServingPhase {
        *self.0.borrow()
    }

    /// Completes when open connections must end.
    pub(crate) fn stopping(&self) -> impl Future<Output = ()> + Send + use<> {
        let mut receiver = self.0.clone();
        // A server that is gone has stopped, too.
        async move { drop(receiver.wait_for(|phase| *phase == ServingPhase::Stopping).await) }
    }
}
