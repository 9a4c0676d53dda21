//! The worker that searches for the tables of a page, started when it is needed first.

use reactive_graph::owner::{LocalStorage, StoredValue, provide_context, use_context};
use reactive_graph::traits::UpdateValue as _;

use super::{SessionHandle, StatusNote};
use crate::browser::{BrowserWorker, now};
use crate::language::say;
use crate::searching::{SearchAnswer, SearchMessage, SearchReply, SearchRequest};

/// The worker of a page, which the tables that it shows one after the other share: its program is loaded
/// and its games are built once.
#[derive(Clone, Copy)]
pub(crate) struct SharedSearches(StoredValue<SearchWorker, LocalStorage>);

/// A worker, and who waits for its replies.
#[derive(Default)]
struct SearchWorker {
    worker: Option<BrowserWorker>,
    /// The number of the last request.
    id: u32,
    waiting: Vec<WaitingTable>,
}

/// A table that waits for a reply.
struct WaitingTable {
    /// The number of its request.
    id: u32,
    handle: SessionHandle,
    then: Box<dyn FnOnce(SearchAnswer)>,
}

impl SharedSearches {
    /// Makes one worker for all views below.
    pub(crate) fn provide() {
        provide_context(Self(StoredValue::new_local(SearchWorker::default())));
    }

    /// The worker of the page.
    pub(super) fn of_page() -> Self {
        use_context().unwrap_or_else(|| Self(StoredValue::new_local(SearchWorker::default())))
    }

    /// Starts the worker, so that it is there when it is needed.
    fn start(self) {
        self.0.try_update_value(|searches| {
            if searches.worker.is_none() {
                let failed = move || self.fail();
                searches.worker = BrowserWorker::start(move |text| self.hear(text), failed);
            }
        });
    }

    fn hear(self, text: &str) {
        let Some(SearchReply { id, answer }) = SearchReply::read(text) else { return };
        let waiting = self.0.try_update_value(|searches| {
            let place = searches.waiting.iter().position(|waiting| waiting.id == id)?;
            Some(searches.waiting.swap_remove(place))
        });
        if let Some(Some(waiting)) = waiting {
            (waiting.then)(answer);
        }
    }

    /// Tells everybody who waits that the worker cannot be loaded. The next search tries again.
    fn fail(self) {
        let failed = self.0.try_update_value(std::mem::take);
        for table in failed.unwrap_or_default().waiting {
            table.handle.show_news(&no_worker());
        }
    }
}

/// What people read if the searches are missing.
fn no_worker() -> String {
    say(
        "The computer's part of the page could not be loaded. Check the connection and reload the page, \
         or choose the level Teacher.",
    )
}

impl SessionHandle {
    /// Asks the worker; `then` gets the answer, unless the view has gone.
    pub(crate) fn search(self, request: SearchRequest, then: impl FnOnce(SearchAnswer) + 'static) {
        self.start_worker();
        let then: Box<dyn FnOnce(SearchAnswer)> = Box::new(then);
        let has_worker = self.searches.0.try_update_value(|searches| {
            let Some(worker) = &searches.worker else { return false };
            searches.id += 1;
            let message = SearchMessage { id: searches.id, request };
            worker.send(message.write());
            searches.waiting.push(WaitingTable { id: message.id, handle: self, then });
            true
        });
        if has_worker == Some(false) {
            self.show_news(&no_worker());
        }
    }

    /// Starts the worker, so that it is there when it is needed.
    pub(super) fn start_worker(self) {
        self.searches.start();
    }

    /// Lets the worker search for the computer's move, if the session waits for one.
    pub(super) fn search_turn(self) {
        let request = self.session.try_update_value(|session| session.take_search()).flatten();
        let Some(request) = request else { return };
        self.search(request, move |answer| {
            if let SearchAnswer::Turn(entries) = answer {
                self.update(|session| session.found(entries, now()));
            }
        });
    }

    /// Ends the worker if it searches for this table. The next table that needs one starts another.
    pub(super) fn stop_searching(self) {
        self.searches.0.try_update_value(|searches| {
            if searches.waiting.iter().any(|waiting| waiting.handle.session == self.session) {
                *searches = SearchWorker::default();
            }
        });
    }

    pub(super) fn show_news(self, news: &str) {
        self.note.set(StatusNote { news: news.to_owned(), ..StatusNote::default() });
    }
}
