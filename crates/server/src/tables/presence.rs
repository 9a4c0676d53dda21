//! What the tables of all servers tell each other about who is there.

use std::sync::Arc;

use tokio::time::{Instant, interval};

use super::Tables;
use crate::TableId;
use crate::journal::{NoticeArrival, NoticeBody, Notices, ServerNotice};
use crate::remote_audience::TELL_EVERY;
use crate::table_request::TableRequest;

impl Tables {
    /// Tells other servers something about a table.
    pub(crate) fn announce(&self, table: TableId, body: NoticeBody) {
        self.journal.announce(ServerNotice { server: self.server, table, body });
    }

    /// Whether everything that servers have told since a moment has arrived.
    pub(crate) fn has_heard_all_since(&self, moment: Instant) -> bool {
        self.last_gap().is_none_or(|gap| gap < moment)
    }

    /// Tells tables in memory what servers announce.
    pub(crate) async fn follow_notices(self: Arc<Self>, mut notices: Notices) {
        while let Some(arrival) = notices.next().await {
            match arrival {
                NoticeArrival::Told(notices) => {
                    for notice in notices.iter() {
                        self.hear(notice);
                    }
                }
                NoticeArrival::Missed => *self.last_gap() = Some(Instant::now()),
            }
        }
    }

    fn hear(self: &Arc<Self>, notice: &ServerNotice) {
        if notice.server != self.server {
            self.tell(notice.table, TableRequest::Heard(notice.clone()));
        } else if notice.body == NoticeBody::WhoIsThere {
            // What has come back has also reached the others, if they are connected.
            self.tell(notice.table, TableRequest::Asked);
        }
    }

    /// Lets all tables tell again who is there, each once in this time. The first byte of its id says when, so
    /// that they do not all tell at once.
    #[expect(clippy::infinite_loop, reason = "its task ends with the server")]
    pub(crate) async fn repeat_presence(self: Arc<Self>) {
        let mut moments = interval(TELL_EVERY / 256);
        loop {
            let mut ids: Vec<_> = self.mailboxes().keys().copied().collect();
            ids.sort_unstable();
            let mut ids = ids.into_iter().peekable();
            for moment in 0..=u8::MAX {
                moments.tick().await;
                while let Some(id) = ids.next_if(|id| id.bits()[0] == moment) {
                    self.tell(id, TableRequest::TellAgain);
                }
            }
        }
    }
}
