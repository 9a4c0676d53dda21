//! A queue to a thread.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// A bounded queue. Pushing never blocks; taking blocks until there is an item, and takes many at once.
#[derive(Debug)]
pub(super) struct Queue<T> {
    state: Mutex<QueueState<T>>,
    filled: Condvar,
    capacity: usize,
}

#[derive(Debug)]
struct QueueState<T> {
    items: VecDeque<T>,
    is_closed: bool,
    /// The number of threads that wait for an item. Without it, every push would cost a system call.
    takers: usize,
}

/// Why an item was not pushed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PushError {
    Full,
    Closed,
}

impl<T> Queue<T> {
    pub(super) fn new(capacity: usize) -> Self {
        let state = QueueState { items: VecDeque::new(), is_closed: false, takers: 0 };
        Self { state: Mutex::new(state), filled: Condvar::new(), capacity }
    }

    pub(super) fn push(&self, item: T) -> Result<(), PushError> {
        let mut waiting = self.lock();
        if waiting.is_closed {
            return Err(PushError::Closed);
        }
        if waiting.items.len() >= self.capacity {
            return Err(PushError::Full);
        }
        waiting.items.push_back(item);
        let is_awaited = waiting.takers > 0;
        drop(waiting);
        if is_awaited {
            self.filled.notify_one();
        }
        Ok(())
    }

    /// Waits for items and takes at most `limit` of them. Returns none only if the queue is closed and
    /// empty.
    pub(super) fn take(&self, limit: usize) -> Vec<T> {
        let mut waiting = self.wait();
        let count = waiting.items.len().min(limit);
        waiting.items.drain(..count).collect()
    }

    /// Like [`Queue::take`], but after the first item it waits up to `time` until there are `enough`.
    pub(super) fn take_enough(&self, limit: usize, enough: usize, time: Duration) -> Vec<T> {
        drop(self.wait());
        // It sleeps instead of waiting, so that a push need not wake it.
        let started = Instant::now();
        while started.elapsed() < time {
            let waiting = self.lock();
            if waiting.items.len() >= enough || waiting.is_closed {
                break;
            }
            drop(waiting);
            std::thread::sleep(time / 4);
        }
        self.take(limit)
    }

    /// Waits up to `time` for an item; returns whether none came. A closed queue is never idle.
    pub(super) fn is_idle_for(&self, time: Duration) -> bool {
        let mut waiting = self.lock();
        waiting.takers += 1;
        let waited = self.filled.wait_timeout_while(waiting, time, QueueState::is_idle);
        let (mut waiting, waited) = waited.unwrap_or_else(PoisonError::into_inner);
        waiting.takers -= 1;
        waited.timed_out()
    }

    /// The number of items in the queue.
    pub(super) fn len(&self) -> usize {
        self.lock().items.len()
    }

    /// Refuses further items; those in the queue can still be taken.
    pub(super) fn close(&self) {
        self.lock().is_closed = true;
        self.filled.notify_all();
    }

    /// Refuses further items, and drops those in the queue.
    pub(super) fn abandon(&self) {
        let mut waiting = self.lock();
        waiting.is_closed = true;
        let abandoned = std::mem::take(&mut waiting.items);
        drop(waiting);
        self.filled.notify_all();
        drop(abandoned);
    }

    /// Waits for an item or for the end of the queue.
    fn wait(&self) -> MutexGuard<'_, QueueState<T>> {
        let mut waiting = self.lock();
        waiting.takers += 1;
        let waiting = self.filled.wait_while(waiting, QueueState::is_idle);
        let mut waiting = waiting.unwrap_or_else(PoisonError::into_inner);
        waiting.takers -= 1;
        waiting
    }

    fn lock(&self) -> MutexGuard<'_, QueueState<T>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T> QueueState<T> {
    /// Whether there is nothing to take yet. (Condition variables pass `&mut`.)
    fn is_idle(&mut self) -> bool {
        self.items.is_empty() && !self.is_closed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_are_taken_in_order_up_to_the_limit() {
        let queue = Queue::new(10);
        (0..5).for_each(|item| queue.push(item).unwrap());
        assert_eq!((queue.take(3), queue.take(3)), (vec![0, 1, 2], vec![3, 4]));
    }

    #[test]
    fn enough_items_are_taken_at_once_and_fewer_after_the_time() {
        let (queue, long) = (Queue::new(10), Duration::from_hours(1));
        (0..5).for_each(|item| queue.push(item).unwrap());
        assert_eq!(queue.take_enough(9, 5, long), vec![0, 1, 2, 3, 4]);
        queue.push(5).unwrap();
        assert_eq!(queue.take_enough(9, 5, Duration::from_millis(1)), vec![5]);
        queue.push(6).unwrap();
        queue.close();
        assert_eq!(queue.take_enough(9, 5, long), vec![6], "no more items can come");
        assert!(queue.take_enough(9, 5, long).is_empty());
    }

    #[test]
    fn a_queue_is_idle_while_it_is_open_and_empty() {
        let (queue, long) = (Queue::new(10), Duration::from_hours(1));
        assert!(queue.is_idle_for(Duration::ZERO));
        queue.push(1).unwrap();
        assert!(!queue.is_idle_for(long));
        assert_eq!(queue.take(9), vec![1]);
        queue.close();
        assert!(!queue.is_idle_for(long));
    }

    #[test]
    fn a_full_queue_refuses_items_until_one_is_taken() {
        let queue = Queue::new(1);
        assert_eq!((queue.push(1), queue.push(2)), (Ok(()), Err(PushError::Full)));
        assert_eq!((queue.take(9), queue.push(2)), (vec![1], Ok(())));
    }

    #[test]
    fn a_closed_queue_returns_its_items_and_then_none() {
        let queue = Queue::new(9);
        queue.push(1).unwrap();
        queue.close();
        assert_eq!(queue.push(2), Err(PushError::Closed));
        assert_eq!((queue.take(9), queue.take(9)), (vec![1], vec![]));
    }

    #[test]
    fn an_abandoned_queue_returns_no_items() {
        let queue = Queue::new(9);
        queue.push(1).unwrap();
        queue.abandon();
        assert_eq!((queue.push(2), queue.take(9)), (Err(PushError::Closed), vec![]));
    }
}
