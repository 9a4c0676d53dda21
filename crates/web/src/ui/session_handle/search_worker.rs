//! The worker that searches for a table, started when it is needed first.

use std::collections::BTreeMap;

use leptos::prelude::*;

use super::{SessionHandle, StatusNote};
use crate::browser::{BrowserWorker, now};
use crate::language::say;
use crate::searching::{SearchAnswer, SearchMessage, SearchReply, SearchRequest};

/// The worker of a table, and who waits for its replies.
#[derive(Default)]
pub(super) struct SearchWorker {
    worker: Option<BrowserWorker>,
    /// The number of the last request.
    id: u32,
    waiting: BTreeMap<u32, Box<dyn FnOnce(SearchAnswer)>>,
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
        let has_worker = self.searches.try_update_value(|searches| {
            let Some(worker) = &searches.worker else { return false };
            searches.id += 1;
            let message = SearchMessage { id: searches.id, request };
            if let Ok(text) = serde_json::to_string(&message) {
                searches.waiting.insert(message.id, Box::new(then));
                worker.send(text);
            }
            true
        });
        if has_worker == Some(false) {
            self.show_news(&no_worker());
        }
    }

    /// Starts the worker, so that it is there when it is needed.
    pub(super) fn start_worker(self) {
        self.searches.try_update_value(|searches| {
            if searches.worker.is_none() {
                let failed = move || self.show_news(&no_worker());
                searches.worker = BrowserWorker::start(move |text| self.hear(text), failed);
            }
        });
    }

    fn hear(self, text: &str) {
        let Ok(SearchReply { id, answer }) = serde_json::from_str(text) else { return };
        let then = self.searches.try_update_value(|searches| searches.waiting.remove(&id));
        if let Some(Some(then)) = then {
            then(answer);
        }
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

    /// Ends the worker, whatever it does.
    pub(super) fn stop_searching(self) {
        self.searches.try_update_value(|searches| *searches = SearchWorker::default());
    }

    pub(super) fn show_news(self, news: &str) {
        drop(self.note.try_set(StatusNote { news: news.to_owned(), ..StatusNote::default() }));
    }
}
