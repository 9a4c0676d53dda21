//! Serving, from the first connection to the last.

use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt as _;
use futures_util::future::{BoxFuture, FusedFuture as _};
use tokio::net::TcpListener;
use tokio::sync::{mpsc, watch};
use tokio::time::{sleep, timeout};
use tokio_util::task::{AbortOnDropHandle, TaskTracker};

use crate::accept::{Acceptor, Users};
use crate::admin::admin_router;
use crate::app::{App, router};
use crate::catalog::Catalog;
use crate::config::LiveConfig;
use crate::deadlines::watch_deadlines;
use crate::journal::{Directory, Journal};
use crate::keeping::keep_for;
use crate::page::Page;
use crate::phase::{CurrentPhase, ServingPhase};
use crate::tables::Tables;
use crate::tls::Tls;

/// The services that a server needs.
#[derive(Clone, Debug)]
pub struct Services {
    /// Keeps the logs of tables.
    pub journal: Arc<dyn Journal>,
    /// Keeps the list of open tables.
    pub directory: Arc<dyn Directory>,
    /// Knows the games.
    pub catalog: Arc<dyn Catalog>,
    /// The page for players, if there is one.
    pub page: Option<Arc<Page>>,
}

/// The listeners of a server.
#[derive(Debug)]
pub struct Listeners {
    /// For everybody.
    pub public: Listener,
    /// For operators, if they have one of their own.
    pub admin: Option<Listener>,
}

/// A socket that accepts connections.
#[derive(Debug)]
pub struct Listener {
    /// The socket.
    pub socket: TcpListener,
    /// The certificate, if connections are encrypted.
    pub tls: Option<Arc<Tls>>,
}

/// Requests to stop, each with its reason, as in `SIGTERM`. The first one lets the server finish its
/// work, the second one ends it at once. A sender that is dropped asks once.
pub type StopRequests = mpsc::Receiver<&'static str>;

/// Serves until it is asked to stop. Then the server is no longer ready (for as long as the limit
/// `drain` says), accepts no more connections, finishes the requests in progress, closes sockets so
/// that their clients reconnect, lets tables finish their work (within the limit `shutdown`), and
/// closes the journal.
///
/// # Errors
/// If the journal cannot be closed.
// A future without a type of its own: otherwise the crate that awaits it would compile all that the
// server does for a connection, once more and with its own profile.
pub fn serve(
    listeners: Listeners,
    services: Services,
    config: Arc<LiveConfig>,
    stop: StopRequests,
) -> BoxFuture<'static, Result<(), crate::JournalError>> {
    Box::pin(serve_until_stopped(listeners, services, config, stop))
}

async fn serve_until_stopped(
    listeners: Listeners,
    services: Services,
    config: Arc<LiveConfig>,
    stop: StopRequests,
) -> Result<(), crate::JournalError> {
    let Services { journal, directory, catalog, page } = services;
    let (phase, current) = CurrentPhase::new();
    let keep = config.get().keep;
    let tables = Arc::new(Tables::new(Arc::clone(&journal), directory, catalog, config));
    let app = Arc::new(App::new(Arc::clone(&tables), page, current, &listeners));
    let Listeners { public, admin } = listeners;
    let reloads = Arc::clone(&tables).reload_after_losses(tables.journal.losses());
    let _reloads = AbortOnDropHandle::new(tokio::spawn(reloads));
    let arrivals = tables.is_shared().then(|| tables.journal.arrivals());
    let arrivals = arrivals.map(|arrivals| Arc::clone(&tables).follow_arrivals(arrivals));
    let _arrivals = arrivals.map(tokio::spawn).map(AbortOnDropHandle::new);
    let notices = tables.is_shared().then(|| tables.journal.notices());
    let notices = notices.map(|notices| Arc::clone(&tables).follow_notices(notices));
    let _notices = notices.map(tokio::spawn).map(AbortOnDropHandle::new);
    let presence = tables.is_shared().then(|| Arc::clone(&tables).repeat_presence());
    let _presence = presence.map(tokio::spawn).map(AbortOnDropHandle::new);
    let _tidying = AbortOnDropHandle::new(tokio::spawn(Arc::clone(&tables).tidy_games()));
    let keeping = keep.map(|keep| tokio::spawn(keep_for(Arc::clone(&tables), keep)));
    let _keeping = keeping.map(AbortOnDropHandle::new);
    let admin = admin.map(|admin| AdminTask::start(&app, admin));
    serve_everybody(&app, public, &phase, stop).await;
    let closed = journal.close().await;
    // Last of all, so that operators can look until the end.
    if let Some(admin) = admin {
        admin.stop().await;
    }
    closed
}

/// Serves the listener for everybody until the last table has ended.
async fn serve_everybody(
    app: &Arc<App>,
    Listener { socket, tls }: Listener,
    phase: &watch::Sender<ServingPhase>,
    mut stop: StopRequests,
) {
    let deadlines = tokio::spawn(watch_deadlines(Arc::clone(&app.tables)));
    let deadlines = AbortOnDropHandle::new(deadlines);
    let (connections, router) = (TaskTracker::new(), router(Arc::clone(app)));
    let acceptor = Acceptor::new(Arc::clone(app), router, tls, app.phase.clone(), Users::Everybody);
    let mut accepting = Box::pin(acceptor.run(socket, connections.clone()));
    let why = tokio::select! {
        why = stop.recv() => why.unwrap_or("its owner is gone"),
        never = &mut accepting => never,
    };
    tracing::info!(why, "the server is shutting down");
    let mut hurry = pin!(
        async {
            match stop.recv().await {
                Some(why) => tracing::warn!(why, "the server ends at once"),
                None => std::future::pending().await,
            }
        }
        .fuse()
    );
    phase.send_replace(ServingPhase::Draining);
    let limits = app.tables.limits();
    tokio::select! {
        () = sleep(Duration::from_millis(limits.drain.into())) => {}
        () = &mut hurry => {}
        never = &mut accepting => never,
    }
    // The socket is closed with it.
    drop(accepting);
    phase.send_replace(ServingPhase::Stopping);
    let finished = async {
        connections.close();
        connections.wait().await;
        app.sockets.close();
        app.sockets.wait().await;
        drop(deadlines);
        app.tables.close();
        app.tables.tasks.wait().await;
    };
    if !hurry.is_terminated() {
        tokio::select! {
            () = finished => {}
            () = sleep(Duration::from_millis(limits.shutdown.into())) => {}
            () = hurry => {}
        }
    }
    app.tables.close();
}

/// The task that accepts the connections of operators.
struct AdminTask {
    accepting: AbortOnDropHandle<()>,
    connections: TaskTracker,
    phase: watch::Sender<ServingPhase>,
}

impl AdminTask {
    fn start(app: &Arc<App>, Listener { socket, tls }: Listener) -> Self {
        let (phase, current) = CurrentPhase::new();
        let router = admin_router(Arc::clone(app));
        let acceptor = Acceptor::new(Arc::clone(app), router, tls, current, Users::Operators);
        let connections = TaskTracker::new();
        let accepting = acceptor.run(socket, connections.clone());
        #[expect(clippy::redundant_async_block, reason = "the type of the future cannot be named")]
        let accepting = tokio::spawn(async move { accepting.await });
        Self { accepting: AbortOnDropHandle::new(accepting), connections, phase }
    }

    /// Ends all connections. An answer that is being sent gets a second.
    async fn stop(self) {
        drop(self.accepting);
        self.phase.send_replace(ServingPhase::Stopping);
        self.connections.close();
        drop(timeout(Duration::from_secs(1), self.connections.wait()).await);
    }
}
