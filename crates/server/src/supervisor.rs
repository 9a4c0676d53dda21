//! Runs the task of one table, and restarts it when it fails.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt;
use tokio::time::{Instant, sleep_until};

use table::wire::codes;

use crate::TableId;
use crate::audience::Audience;
use crate::gauged_queue::GaugedReceiver;
use crate::journal::JournalError;
use crate::journaled_table::{LoadError, ReloadNeeded};
use crate::refusals::refusal;
use crate::table_deletion::Deletion;
use crate::table_request::TableRequest;
use crate::table_task::{RETRY, TableTask};
use crate::tables::Tables;
use crate::work_pool::Payer;

/// Why a server that is older than others cannot let players in, until it is replaced.
const WRITTEN_BY_A_NEWER_SERVER: &str = "A newer server has written something to this table that this server \
     cannot read before it is upgraded. Nothing has changed: try again";

/// Runs a table until no client needs it. If the task fails, the table is loaded again from its journal,
/// and its subscribers stay connected.
pub(crate) async fn run_table(
    tables: Arc<Tables>,
    payer: Payer,
    id: TableId,
    mut mailbox: GaugedReceiver<(Payer, TableRequest)>,
) {
    let mut audience = Audience::new(&tables, id);
    let mut failures: Vec<Instant> = Vec::new();
    loop {
        let task = AssertUnwindSafe(run_task(&tables, payer, id, &mut mailbox, &mut audience));
        match task.catch_unwind().await {
            Ok(TaskEnd::NotNeeded) => {
                if tables.evict(id, &mailbox) {
                    return;
                }
            }
            Ok(TaskEnd::NotLoaded(LoadError::NoTable) | TaskEnd::Reload(ReloadNeeded::Deleted)) => {
                // They join again, and learn that there is no such table.
                audience.fail_all();
                refuse_all(&tables, id, &mut mailbox, Instant::now(), &no_table).await;
                return;
            }
            Ok(TaskEnd::NotLoaded(LoadError::Journal(error))) => {
                tracing::warn!(table = %id.short(), %error, "a table cannot be loaded");
                let why = match error {
                    JournalError::Unreadable { .. } => WRITTEN_BY_A_NEWER_SERVER,
                    _ => "The server cannot read this table. Nothing has changed: try again",
                };
                let refusal = || refusal(codes::UNAVAILABLE, why);
                audience.fail_all();
                refuse_all(&tables, id, &mut mailbox, Instant::now() + RETRY, &refusal).await;
                return;
            }
            Ok(TaskEnd::NotLoaded(LoadError::Refused(refused))) => {
                audience.fail_all();
                let refusal = || game::Refusal::from(refused);
                refuse_all(&tables, id, &mut mailbox, Instant::now(), &refusal).await;
                return;
            }
            Ok(TaskEnd::NotLoaded(error)) => {
                tracing::error!(table = %id.short(), %error, "a table is set aside");
                return set_aside(&tables, id, mailbox, audience).await;
            }
            Ok(TaskEnd::Reload(reason)) => {
                tracing::warn!(table = %id.short(), %reason, "a table is loaded again");
                tables.metrics.restarts.inc();
                tokio::time::sleep(RETRY / 4).await;
            }
            Err(_panic) => {
                tables.metrics.restarts.inc();
                let now = Instant::now();
                failures.retain(|failure| now - *failure < Duration::from_mins(1));
                failures.push(now);
                tracing::error!(table = %id.short(), failures = failures.len(), "a table failed");
                if failures.len() > tables.limits().table_failures as usize {
                    return set_aside(&tables, id, mailbox, audience).await;
                }
            }
        }
    }
}

/// Deletes a table that is not in memory. Requests that come meanwhile are answered afterwards.
pub(crate) async fn delete_table(
    tables: Arc<Tables>,
    id: TableId,
    deletion: Deletion,
    mut mailbox: GaugedReceiver<(Payer, TableRequest)>,
) {
    if deletion.perform(&tables, id).await {
        refuse_all(&tables, id, &mut mailbox, Instant::now(), &no_table).await;
    } else if !tables.evict(id, &mailbox) {
        run_table(tables, Payer::Server, id, mailbox).await;
    }
}

fn no_table() -> game::Refusal {
    refusal(codes::NO_TABLE, "There is no such table")
}

/// Why the task of a table ended.
enum TaskEnd {
    NotNeeded,
    NotLoaded(LoadError),
    Reload(ReloadNeeded),
}

async fn run_task(
    tables: &Arc<Tables>,
    payer: Payer,
    id: TableId,
    mailbox: &mut GaugedReceiver<(Payer, TableRequest)>,
    audience: &mut Audience,
) -> TaskEnd {
    let mut task = match TableTask::load(tables, payer, id, audience).await {
        Ok(task) => task,
        Err(error) => return TaskEnd::NotLoaded(error),
    };
    match task.serve(mailbox).await {
        Ok(()) => TaskEnd::NotNeeded,
        Err(reason) => TaskEnd::Reload(reason),
    }
}

/// Refuses all requests to a table that keeps failing, for as long as the limits say.
async fn set_aside(
    tables: &Arc<Tables>,
    id: TableId,
    mut mailbox: GaugedReceiver<(Payer, TableRequest)>,
    mut audience: Audience,
) {
    tables.metrics.set_aside.inc();
    let why =
        "This table keeps failing and was set aside for a while. Other tables are not affected";
    let refusal = || refusal(codes::SET_ASIDE, why);
    audience.fail_all();
    let until = Instant::now() + Duration::from_millis(tables.limits().set_aside.into());
    refuse_all(tables, id, &mut mailbox, until, &refusal).await;
}

/// Refuses all requests until a time and until none is waiting, then evicts the table. The table can be
/// deleted.
async fn refuse_all(
    tables: &Arc<Tables>,
    id: TableId,
    mailbox: &mut GaugedReceiver<(Payer, TableRequest)>,
    mut until: Instant,
    mut refusal: &(dyn Fn() -> game::Refusal + Sync),
) {
    loop {
        tokio::select! {
            biased;
            request = mailbox.recv() => match request {
                Some((_, TableRequest::Delete(deletion))) => {
                    if deletion.perform(tables, id).await {
                        (until, refusal) = (Instant::now(), &no_table);
                    }
                }
                Some((_, request)) => request.refuse(refusal()),
                // The server is shutting down.
                None => return,
            },
            () = sleep_until(until) => if tables.evict(id, mailbox) { return },
        }
    }
}
