//! What waits for a thread.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// A bounded queue whose items are taken many at a time: nobody waits to put one in, and whoever
/// takes waits for the first and gets what is there.
#[derive(Debug)]
pub(super) struct Queue<T> {
    waiting: Mutex<Waiting<T>>,
    filled: Condvar,
    most: usize,
}

#[derive(Debug)]
struct Waiting<T> {
    items: VecDeque<T>,
    is_closed: bool,
    /// How many wait for an item: to wake nobody is a call of the system all the same.
    takers: usize,
}

/// Why an item was not put into a queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NotQueued {
    Full,
    Closed,
}

impl<T> Queue<T> {
    pub(super) fn new(most: usize) -> Self {
        let waiting = Waiting { items: VecDeque::new(), is_closed: false, takers: 0 };
        Self { waiting: Mutex::new(waiting), filled: Condvar::new(), most }
    }

    pub(super) fn push(&self, item: T) -> Result<(), NotQueued> {
        let mut waiting = self.lock();
        if waiting.is_closed {
            return Err(NotQueued::Closed);
        }
        if waiting.items.len() >= self.most {
            return Err(NotQueued::Full);
        }
        waiting.items.push_back(item);
        let is_awaited = waiting.takers > 0;
        drop(waiting);
        if is_awaited {
            self.filled.notify_one();
        }
        Ok(())
    }

    /// Waits for items and takes them, at most so many. There are none only when the queue is
    /// closed and empty.
    pub(super) fn take(&self, most: usize) -> Vec<T> {
        let mut waiting = self.filled();
        let most = waiting.items.len().min(most);
        waiting.items.drain(..most).collect()
    }

    /// The same, but once there is something it waits a little for more, until there is enough.
    pub(super) fn take_enough(&self, most: usize, enough: usize, patience: Duration) -> Vec<T> {
        drop(self.filled());
        // Who puts something in need not wake anybody meanwhile.
        let begun = Instant::now();
        while begun.elapsed() < patience {
            let waiting = self.lock();
            if waiting.items.len() >= enough || waiting.is_closed {
                break;
            }
            drop(waiting);
            std::thread::sleep(patience / 4);
        }
        self.take(most)
    }

    /// Waits so long for an item; gives whether none came. A closed queue does not rest.
    pub(super) fn rests(&self, patience: Duration) -> bool {
        let mut waiting = self.lock();
        waiting.takers += 1;
        let waited = self.filled.wait_timeout_while(waiting, patience, Waiting::is_idle);
        let (mut waiting, waited) = waited.unwrap_or_else(PoisonError::into_inner);
        waiting.takers -= 1;
        waited.timed_out()
    }

    /// Takes nothing more in; what is there can still be taken.
    pub(super) fn close(&self) {
        self.lock().is_closed = true;
        self.filled.notify_all();
    }

    /// Takes nothing more in and drops what is there.
    pub(super) fn abandon(&self) {
        let mut waiting = self.lock();
        waiting.is_closed = true;
        let abandoned = std::mem::take(&mut waiting.items);
        drop(waiting);
        self.filled.notify_all();
        drop(abandoned);
    }

    /// Waits for an item, or for the end.
    fn filled(&self) -> MutexGuard<'_, Waiting<T>> {
        let mut waiting = self.lock();
        waiting.takers += 1;
        let waiting = self.filled.wait_while(waiting, Waiting::is_idle);
        let mut waiting = waiting.unwrap_or_else(PoisonError::into_inner);
        waiting.takers -= 1;
        waiting
    }

    fn lock(&self) -> MutexGuard<'_, Waiting<T>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T> Waiting<T> {
    /// Whether somebody who wants to take something waits. (A condition variable lends it like this.)
    fn is_idle(&mut self) -> bool {
        self.items.is_empty() && !self.is_closed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_are_taken_in_order_and_at_most_so_many() {
        let queue = Queue::new(10);
        (0..5).for_each(|item| queue.push(item).unwrap());
        assert_eq!((queue.take(3), queue.take(3)), (vec![0, 1, 2], vec![3, 4]));
    }

    #[test]
    fn who_waits_for_enough_takes_it_at_once_and_otherwise_what_has_come() {
        let (queue, long) = (Queue::new(10), Duration::from_hours(1));
        (0..5).for_each(|item| queue.push(item).unwrap());
        assert_eq!(queue.take_enough(9, 5, long), vec![0, 1, 2, 3, 4]);
        queue.push(5).unwrap();
        assert_eq!(queue.take_enough(9, 5, Duration::from_millis(1)), vec![5]);
        queue.push(6).unwrap();
        queue.close();
        assert_eq!(queue.take_enough(9, 5, long), vec![6], "no more can come");
        assert!(queue.take_enough(9, 5, long).is_empty());
    }

    #[test]
    fn a_queue_rests_while_nothing_comes_and_it_is_open() {
        let (queue, long) = (Queue::new(10), Duration::from_hours(1));
        assert!(queue.rests(Duration::ZERO));
        queue.push(1).unwrap();
        assert!(!queue.rests(long));
        assert_eq!(queue.take(9), vec![1]);
        queue.close();
        assert!(!queue.rests(long));
    }

    #[test]
    fn a_full_queue_takes_nothing_in_until_something_was_taken() {
        let queue = Queue::new(1);
        assert_eq!((queue.push(1), queue.push(2)), (Ok(()), Err(NotQueued::Full)));
        assert_eq!((queue.take(9), queue.push(2)), (vec![1], Ok(())));
    }

    #[test]
    fn a_closed_queue_gives_what_it_has_and_then_nothing() {
        let queue = Queue::new(9);
        queue.push(1).unwrap();
        queue.close();
        assert_eq!(queue.push(2), Err(NotQueued::Closed));
        assert_eq!((queue.take(9), queue.take(9)), (vec![1], vec![]));
    }

    #[test]
    fn an_abandoned_queue_gives_nothing() {
        let queue = Queue::new(9);
        queue.push(1).unwrap();
        queue.abandon();
        assert_eq!((queue.push(2), queue.take(9)), (Err(NotQueued::Closed), vec![]));
    }
}
