//! The task that serves one table.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt;
use tokio::sync::mpsc;
use tokio::time::{Instant, sleep_until};

use crate::TableId;
use crate::desk::{Desk, NotLoaded, Stale, Went};
use crate::house::House;
use crate::request::{Request, codes, refusal};
use crate::room::Room;

/// Serves a table until nobody needs it. Whatever fails in it, the table begins again from its journal
/// and the guests stay.
pub(crate) async fn host(house: Arc<House>, id: TableId, mut mailbox: mpsc::Receiver<Request>) {
    let mut room = Room::new(&house, id);
    let mut failures: Vec<Instant> = Vec::new();
    loop {
        let served = AssertUnwindSafe(serve(&house, id, &mut mailbox, &mut room));
        match served.catch_unwind().await {
            Ok(End::NotNeeded) => {
                if house.forget(id, &mailbox) {
                    return;
                }
            }
            Ok(End::NotLoaded(NotLoaded::NoTable)) => {
                let gone = || refusal(codes::NO_TABLE, "There is no such table");
                refuse_all(&house, id, &mut mailbox, Instant::now(), &gone).await;
                return;
            }
            Ok(End::NotLoaded(NotLoaded::Journal(error))) => {
                tracing::warn!(table = %id.short(), %error, "a table cannot be read");
                let away =
                    || refusal(codes::UNAVAILABLE, "The server cannot read this table: try again");
                room.fail_all();
                refuse_all(&house, id, &mut mailbox, Instant::now() + RETRY, &away).await;
                return;
            }
            Ok(End::NotLoaded(error)) => {
                tracing::error!(table = %id.short(), %error, "a table is set aside");
                return set_aside(&house, id, mailbox, room).await;
            }
            Ok(End::Stale(error)) => {
                tracing::warn!(table = %id.short(), %error, "a table is read again");
                house.metrics.restarts.inc();
                tokio::time::sleep(RETRY / 4).await;
            }
            Err(_panic) => {
                house.metrics.restarts.inc();
                let now = Instant::now();
                failures.retain(|failure| now - *failure < Duration::from_mins(1));
                failures.push(now);
                tracing::error!(table = %id.short(), times = failures.len(), "a table failed");
                if failures.len() > house.limits.table_failures as usize {
                    return set_aside(&house, id, mailbox, room).await;
                }
            }
        }
    }
}

const RETRY: Duration = Duration::from_secs(1);

/// Why a table is no longer served.
enum End {
    NotNeeded,
    NotLoaded(NotLoaded),
    Stale(Stale),
}

async fn set_aside(
    house: &Arc<House>,
    id: TableId,
    mut mailbox: mpsc::Receiver<Request>,
    mut room: Room,
) {
    house.metrics.set_aside.inc();
    let why = "This table keeps failing and was set aside; other tables go on";
    let aside = || refusal(codes::SET_ASIDE, why);
    room.fail_all();
    let until = Instant::now() + Duration::from_millis(house.limits.set_aside.into());
    refuse_all(house, id, &mut mailbox, until, &aside).await;
}

/// Refuses what comes until a time and until nothing waits, then forgets the table.
async fn refuse_all(
    house: &Arc<House>,
    id: TableId,
    mailbox: &mut mpsc::Receiver<Request>,
    until: Instant,
    why: &(dyn Fn() -> game::Refusal + Sync),
) {
    loop {
        tokio::select! {
            biased;
            request = mailbox.recv() => match request {
                Some(request) => request.refuse(why()),
                // The server stops.
                None => return,
            },
            () = sleep_until(until) => if house.forget(id, mailbox) { return },
        }
    }
}

/// Serves a table as long as nothing fails.
async fn serve(
    house: &Arc<House>,
    id: TableId,
    mailbox: &mut mpsc::Receiver<Request>,
    room: &mut Room,
) -> End {
    let mut desk = match Desk::load(Arc::clone(house), id).await {
        Ok(desk) => desk,
        Err(error) => return End::NotLoaded(error),
    };
    room.catch_up(&desk);
    let idle = Duration::from_millis(house.limits.table_idle.into());
    let mut quiet_since = Instant::now();
    // Set only when it must ring earlier than it would: most requests leave it alone.
    let alarm = sleep_until(quiet_since + idle);
    tokio::pin!(alarm);
    loop {
        let went = match settle(&mut desk, room).await {
            Ok(went) => went,
            Err(stale) => return End::Stale(stale),
        };
        let deadline = desk.state().deadline();
        let wake = match (went, deadline) {
            (Went::NotYet, _) => Instant::now() + RETRY,
            (_, Some((_, end))) => house.instant_of(end),
            (_, None) => quiet_since + idle,
        };
        if wake < alarm.deadline() {
            alarm.as_mut().reset(wake);
        }
        tokio::select! {
            biased;
            request = mailbox.recv() => {
                let Some(request) = request else { return End::NotNeeded };
                if let Err(stale) = room.handle(&mut desk, request).await {
                    return End::Stale(stale);
                }
                quiet_since = Instant::now();
            }
            () = &mut alarm => {
                if Instant::now() < wake {
                    alarm.as_mut().reset(wake);
                    continue;
                }
                alarm.as_mut().reset(Instant::now() + idle);
                room.sweep();
                if went != Went::NotYet && deadline.is_none() && room.is_empty() {
                    room.nobody_is_there(desk.state());
                    return End::NotNeeded;
                }
                quiet_since = Instant::now();
            }
        }
    }
}

/// Tells what happened, and lets the table do what it does by itself until somebody is awaited.
async fn settle(desk: &mut Desk, room: &mut Room) -> Result<Went, Stale> {
    loop {
        let news = desk.live.take_announcements();
        if !news.is_empty() {
            room.tell(desk.state(), &news);
            desk.keep_snapshot();
        }
        let went = desk.go_on().await?;
        if went != Went::On {
            return Ok(went);
        }
    }
}
