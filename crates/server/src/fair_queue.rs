//! A queue that serves its keys in turn.

use std::collections::VecDeque;
use std::hash::Hash;

use rustc_hash::FxHashMap;

/// A queue that serves its keys in turn: a key with a thousand items delays another by one item. Items
/// of one key come out in the order in which they went in.
#[derive(Debug)]
pub(crate) struct FairQueue<K, T> {
    items: FxHashMap<K, VecDeque<T>>,
    /// The keys that have items, each once, the next one first.
    order: VecDeque<K>,
    len: usize,
}

/// The most items of a queue.
#[derive(Clone, Copy, Debug)]
pub(crate) struct QueueLimits {
    pub(crate) per_key: u32,
    pub(crate) total: u32,
}

/// Why an item does not fit into a queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum QueueFull {
    /// Its key has too many items.
    OfKey,
    /// All keys together have too many items.
    Total,
}

impl<K, T> Default for FairQueue<K, T> {
    fn default() -> Self {
        Self { items: FxHashMap::default(), order: VecDeque::new(), len: 0 }
    }
}

impl<K: Copy + Eq + Hash, T> FairQueue<K, T> {
    /// Adds an item of a key, if there is room.
    pub(crate) fn push(&mut self, key: K, item: T, limits: QueueLimits) -> Result<(), QueueFull> {
        if self.len >= limits.total as usize {
            return Err(QueueFull::Total);
        }
        let items = self.items.entry(key).or_default();
        if items.len() >= limits.per_key as usize {
            return Err(QueueFull::OfKey);
        }
        if items.is_empty() {
            self.order.push_back(key);
        }
        items.push_back(item);
        self.len += 1;
        Ok(())
    }

    /// Takes the next item.
    pub(crate) fn pop(&mut self) -> Option<T> {
        let key = self.order.pop_front()?;
        let items = self.items.get_mut(&key)?;
        let item = items.pop_front();
        if items.is_empty() {
            self.items.remove(&key);
        } else {
            self.order.push_back(key);
        }
        self.len -= 1;
        item
    }

    /// The number of items.
    pub(crate) const fn len(&self) -> usize {
        self.len
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROOM: QueueLimits = QueueLimits { per_key: 100, total: 100 };

    fn popped(queue: &mut FairQueue<char, u32>) -> Vec<u32> {
        std::iter::from_fn(|| queue.pop()).collect()
    }

    #[test]
    fn keys_are_served_in_turn_and_the_items_of_a_key_in_order() {
        let mut queue = FairQueue::default();
        for item in 0..5 {
            queue.push('a', item, ROOM).unwrap();
        }
        queue.push('b', 10, ROOM).unwrap();
        queue.push('c', 20, ROOM).unwrap();
        queue.push('b', 11, ROOM).unwrap();
        assert_eq!(queue.len(), 8);
        assert_eq!(popped(&mut queue), [0, 10, 20, 1, 11, 2, 3, 4]);
        assert_eq!(queue.len(), 0);
        assert!(queue.items.is_empty(), "a key without items takes no memory");
    }

    #[test]
    fn a_key_that_comes_later_waits_for_one_item_of_each_other_key() {
        let mut queue = FairQueue::default();
        for item in 0..50 {
            queue.push('a', item, ROOM).unwrap();
        }
        assert_eq!(queue.pop(), Some(0));
        queue.push('b', 100, ROOM).unwrap();
        assert_eq!([queue.pop(), queue.pop()], [Some(1), Some(100)]);
    }

    #[test]
    fn the_queue_is_bounded_for_each_key_and_in_all() {
        let limits = QueueLimits { per_key: 2, total: 3 };
        let mut queue = FairQueue::default();
        let pushed = ['a', 'a', 'a', 'b', 'c'].map(|key| queue.push(key, 0, limits));
        let expected = [Ok(()), Ok(()), Err(QueueFull::OfKey), Ok(()), Err(QueueFull::Total)];
        assert_eq!(pushed, expected);
        assert_eq!(popped(&mut queue).len(), 3);
        assert_eq!(queue.push('c', 0, limits), Ok(()));
    }
}
