//! The queue of a connection's outgoing messages.

use std::collections::VecDeque;
use std::future::poll_fn;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};

use axum::extract::ws::Utf8Bytes;
use channels::{JoinAnswer, Json, ReplyStatus, ReplyTo, ServerChannel};
use prometheus_client::metrics::gauge::Gauge;

/// A task of a connection for a table or the lobby.
#[derive(Debug)]
pub(crate) enum Outgoing {
    /// Send a frame that many connections share.
    Frame(Utf8Bytes),
    /// Reply to a push.
    Reply(Box<(ReplyTo, ReplyStatus, Json)>),
    /// Answer a join; if the client is welcome, send these frames after the answer.
    Answer(Box<(ServerChannel, JoinAnswer, Vec<Utf8Bytes>)>),
    /// End a channel with an error: the client must join again.
    Fail(ServerChannel),
}

/// The sending end of a bounded queue to a connection. If the client reads too slowly, the queue is
/// dropped, and all channels of the client must join again.
// Every move passes through two of these. A channel of tokio takes several times as long to send and to
// receive, and more than a kilobyte for each idle connection.
#[derive(Clone, Debug)]
pub(crate) struct Outbox(Arc<SharedOutbox>);

/// The receiving end of an [`Outbox`].
#[derive(Debug)]
pub(crate) struct OutboxReceiver(Arc<SharedOutbox>);

#[derive(Debug)]
struct SharedOutbox {
    state: Mutex<OutboxState>,
    capacity: usize,
    gauge: Gauge,
}

#[derive(Debug, Default)]
struct OutboxState {
    items: VecDeque<Outgoing>,
    /// Wakes the receiver, if it waits.
    waker: Option<Waker>,
    /// Whether an item did not fit.
    is_lagging: bool,
    is_closed: bool,
}

/// An item from an [`OutboxReceiver`].
#[derive(Debug)]
pub(crate) enum OutboxItem {
    /// The next item.
    Outgoing(Outgoing),
    /// Items were lost: all channels must join again.
    Overflow,
}

/// An empty queue with room for more items than this gives the room back.
const KEPT_ROOM: usize = 16;

impl SharedOutbox {
    fn state(&self) -> MutexGuard<'_, OutboxState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes the next item, if there is one.
    fn take(&self, state: &mut OutboxState) -> Option<OutboxItem> {
        if std::mem::take(&mut state.is_lagging) {
            self.clear(state);
            return Some(OutboxItem::Overflow);
        }
        let outgoing = state.items.pop_front()?;
        self.gauge.dec();
        if state.items.is_empty() && state.items.capacity() > KEPT_ROOM {
            state.items = VecDeque::new();
        }
        Some(OutboxItem::Outgoing(outgoing))
    }

    fn clear(&self, state: &mut OutboxState) {
        let dropped = std::mem::take(&mut state.items);
        self.gauge.dec_by(i64::try_from(dropped.len()).unwrap_or(i64::MAX));
    }
}

impl Outbox {
    /// An outbox whose length is part of a gauge.
    pub(crate) fn new(capacity: u32, gauge: &Gauge) -> (Self, OutboxReceiver) {
        let shared = Arc::new(SharedOutbox {
            state: Mutex::default(),
            capacity: capacity.max(1) as usize,
            gauge: gauge.clone(),
        });
        (Self(Arc::clone(&shared)), OutboxReceiver(shared))
    }

    /// Queues an item; returns false if the connection is gone.
    pub(crate) fn send(&self, outgoing: Outgoing) -> bool {
        let mut state = self.0.state();
        if state.is_closed {
            return false;
        }
        if state.items.len() >= self.0.capacity {
            // The receiver has been woken for the items before.
            state.is_lagging = true;
            return true;
        }
        state.items.push_back(outgoing);
        self.0.gauge.inc();
        let waker = state.waker.take();
        drop(state);
        if let Some(waker) = waker {
            waker.wake();
        }
        true
    }

    /// Whether the connection is gone.
    pub(crate) fn is_closed(&self) -> bool {
        self.0.state().is_closed
    }
}

impl OutboxReceiver {
    /// Waits for the next item.
    pub(crate) async fn next(&mut self) -> OutboxItem {
        poll_fn(|context| self.poll_next(context)).await
    }

    /// The next item, once there is one.
    pub(crate) fn poll_next(&mut self, context: &mut Context<'_>) -> Poll<OutboxItem> {
        let mut state = self.0.state();
        if let Some(item) = self.0.take(&mut state) {
            return Poll::Ready(item);
        }
        if !state.waker.as_ref().is_some_and(|waker| waker.will_wake(context.waker())) {
            state.waker = Some(context.waker().clone());
        }
        Poll::Pending
    }

    /// The next item, if there is one already.
    pub(crate) fn try_next(&mut self) -> Option<OutboxItem> {
        self.0.take(&mut self.0.state())
    }
}

impl Drop for OutboxReceiver {
    fn drop(&mut self) {
        let mut state = self.0.state();
        state.is_closed = true;
        state.waker = None;
        self.0.clear(&mut state);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(text: &'static str) -> Outgoing {
        Outgoing::Frame(Utf8Bytes::from_static(text))
    }

    #[test]
    fn items_are_received_in_order() {
        let (outbox, mut receiver) = Outbox::new(2, &Gauge::default());
        assert!(outbox.send(frame("1")) && outbox.send(frame("2")));
        for expected in ["1", "2"] {
            let item = receiver.try_next();
            let is_it = matches!(item, Some(OutboxItem::Outgoing(Outgoing::Frame(text))) if text.as_str() == expected);
            assert!(is_it, "{expected}");
        }
        assert!(receiver.try_next().is_none());
    }

    #[test]
    fn a_slow_reader_learns_that_items_were_lost() {
        let (outbox, mut receiver) = Outbox::new(2, &Gauge::default());
        for text in ["1", "2", "3"] {
            assert!(outbox.send(frame(text)), "the connection is still there");
        }
        assert!(matches!(receiver.try_next(), Some(OutboxItem::Overflow)));
        assert!(receiver.try_next().is_none(), "the items before it are gone, too");
        assert!(outbox.send(frame("4")));
        assert!(matches!(receiver.try_next(), Some(OutboxItem::Outgoing(_))), "it works again");
        drop(receiver);
        assert!(!outbox.send(frame("5")), "the connection is gone");
    }

    #[test]
    fn the_gauge_has_the_items_that_wait() {
        let gauge = Gauge::default();
        let ((first, mut receiver), (second, dropped)) =
            (Outbox::new(2, &gauge), Outbox::new(9, &gauge));
        assert!(first.send(frame("1")) && first.send(frame("2")) && first.send(frame("3")));
        assert!(second.send(frame("4")) && second.send(frame("5")));
        assert_eq!(gauge.get(), 4, "one did not fit");
        drop(dropped);
        assert!(second.is_closed() && !second.send(frame("6")));
        assert_eq!(gauge.get(), 2);
        assert!(matches!(receiver.try_next(), Some(OutboxItem::Overflow)));
        assert_eq!(gauge.get(), 0);
        assert!(first.send(frame("7")) && receiver.try_next().is_some());
        assert_eq!(gauge.get(), 0);
    }

    #[tokio::test]
    async fn a_receiver_that_waits_is_woken_by_the_next_item() {
        let (outbox, mut receiver) = Outbox::new(1_000, &Gauge::default());
        let received = tokio::spawn(async move {
            let mut count = 0;
            while count < 1_000 && matches!(receiver.next().await, OutboxItem::Outgoing(_)) {
                count += 1;
            }
            (count, receiver)
        });
        for _ in 0..1_000 {
            assert!(outbox.send(frame("1")));
            tokio::task::yield_now().await;
        }
        let (count, receiver) = received.await.unwrap();
        assert_eq!(count, 1_000);
        assert!(receiver.0.state().items.capacity() <= KEPT_ROOM, "the room is given back");
    }
}
