//! What servers tell each other, on its way. Notices have a channel of their own, so that many of them delay no
//! entries.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rustc_hash::FxHashMap;
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::broadcast::{self, Receiver};

use super::{NoticeBody, ServerNotice};
use crate::TableId;

/// What arrives from other servers, and from this one.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum NoticeArrival {
    /// Servers tell something about tables.
    Told(Arc<[ServerNotice]>),
    /// Some notices were lost.
    Missed,
}

/// A receiver of the notices of all servers.
#[derive(Debug)]
pub struct Notices(Option<Receiver<NoticeArrival>>);

impl Notices {
    /// The notices of a journal that no other server has open.
    #[must_use]
    pub const fn none() -> Self {
        Self(None)
    }

    /// Waits for the next notices; returns none if there will be none.
    ///
    /// If the caller is too slow to receive everything, it receives [`NoticeArrival::Missed`].
    pub async fn next(&mut self) -> Option<NoticeArrival> {
        match self.0.as_mut()?.recv().await {
            Ok(arrival) => Some(arrival),
            Err(RecvError::Lagged(_)) => Some(NoticeArrival::Missed),
            Err(RecvError::Closed) => None,
        }
    }
}

/// The number of arrivals that wait for a slow receiver. One of them may have the notices of many tables.
const CAPACITY: usize = 4_096;

/// The sending end of [`Notices`].
#[derive(Clone, Debug)]
pub(super) struct NoticeSender(broadcast::Sender<NoticeArrival>);

impl Default for NoticeSender {
    fn default() -> Self {
        Self(broadcast::Sender::new(CAPACITY))
    }
}

impl NoticeSender {
    /// A receiver of everything from now on.
    pub(super) fn subscribe(&self) -> Notices {
        Notices(Some(self.0.subscribe()))
    }

    pub(super) fn send(&self, arrival: NoticeArrival) {
        // It fails if there is no receiver.
        self.0.send(arrival).map(drop).unwrap_or_default();
    }
}

/// The largest number of emotes that wait. Later ones are dropped.
const MAX_EMOTES: usize = 1_024;

/// What a server has not told yet. Of each table there are at most one list of connections, the newest, and one
/// question. So they take memory for the tables of the server only, and none of them is dropped.
#[derive(Debug, Default)]
pub(super) struct PendingNotices(Mutex<PendingOfTables>);

#[derive(Debug, Default)]
struct PendingOfTables {
    /// By table, and whether it is a question.
    states: FxHashMap<(TableId, bool), ServerNotice>,
    emotes: Vec<ServerNotice>,
}

impl PendingNotices {
    pub(super) fn add(&self, notice: ServerNotice) {
        let mut pending = self.pending();
        let is_question = match notice.body {
            NoticeBody::Emoted(..) if pending.emotes.len() < MAX_EMOTES => {
                return pending.emotes.push(notice);
            }
            NoticeBody::Emoted(..) => return,
            NoticeBody::WhoIsThere => true,
            NoticeBody::Present(_) => false,
        };
        pending.states.insert((notice.table, is_question), notice);
    }

    /// Everything that waits, which waits no more.
    pub(super) fn take(&self) -> Vec<ServerNotice> {
        let PendingOfTables { states, emotes } = std::mem::take(&mut *self.pending());
        states.into_values().chain(emotes).collect()
    }

    fn pending(&self) -> MutexGuard<'_, PendingOfTables> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use game::Seat;
    use table::wire::Emote;

    use super::*;

    fn notice(table: u16, body: NoticeBody) -> ServerNotice {
        let mut id = [0; 16];
        id[..2].copy_from_slice(&table.to_be_bytes());
        ServerNotice { server: 1, table: TableId::new(id), body }
    }

    #[test]
    fn only_the_newest_list_of_connections_waits_and_no_table_is_forgotten() {
        let pending = PendingNotices::default();
        for table in 0..20_000 {
            pending.add(notice(table, NoticeBody::WhoIsThere));
            pending.add(notice(table, NoticeBody::Present(Vec::new())));
            pending.add(notice(table, NoticeBody::Present(vec![Some(Seat::FIRST)])));
        }
        let taken = pending.take();
        assert_eq!(taken.len(), 40_000);
        assert!(!taken.iter().any(|notice| notice.body == NoticeBody::Present(Vec::new())));
        assert_eq!(pending.take(), []);
    }

    #[test]
    fn emotes_wait_in_order_up_to_a_bound() {
        let pending = PendingNotices::default();
        let emotes = [Emote::GoodLuck, Emote::Hello];
        for number in 0..2 * MAX_EMOTES {
            pending.add(notice(1, NoticeBody::Emoted(Seat::FIRST, emotes[number % 2])));
        }
        let taken = pending.take();
        assert_eq!(taken.len(), MAX_EMOTES);
        assert_eq!(taken[0].body, NoticeBody::Emoted(Seat::FIRST, Emote::GoodLuck));
        assert_eq!(taken[1].body, NoticeBody::Emoted(Seat::FIRST, Emote::Hello));
    }
}
