//! Sorting that is small in programs for browsers.
//!
//! The library's sort is fast, and several kilobytes of code for each type of items. Programs that browsers
//! load contain a simple one instead; their lists are short.

use std::cmp::Ordering;

/// Sorts items. Equal ones may change places.
pub fn sort<T: Ord>(items: &mut [T]) {
    if cfg!(target_family = "wasm") {
        heap_sort(items);
    } else {
        items.sort_unstable();
    }
}

/// Sorts a short list. Equal items stay in their order.
pub fn sort_short_by<T>(items: &mut [T], compare: impl Fn(&T, &T) -> Ordering) {
    if cfg!(target_family = "wasm") {
        insertion_sort(items, compare);
    } else {
        items.sort_by(compare);
    }
}

fn heap_sort<T: Ord>(items: &mut [T]) {
    let middle = items.len() / 2;
    // First the greatest item comes to the front of a heap, then one after the other to the end.
    for step in (0..middle + items.len()).rev() {
        let (root, end) = if step >= items.len() {
            (step - items.len(), items.len())
        } else {
            items.swap(0, step);
            (0, step)
        };
        sift_down(&mut items[..end], root);
    }
}

fn sift_down<T: Ord>(items: &mut [T], mut root: usize) {
    loop {
        let mut child = 2 * root + 1;
        if child + 1 < items.len() && items[child] < items[child + 1] {
            child += 1;
        }
        if child >= items.len() || items[root] >= items[child] {
            return;
        }
        items.swap(root, child);
        root = child;
    }
}

fn insertion_sort<T>(items: &mut [T], compare: impl Fn(&T, &T) -> Ordering) {
    for end in 1..items.len() {
        let mut place = end;
        while place > 0 && compare(&items[place], &items[place - 1]).is_lt() {
            items.swap(place, place - 1);
            place -= 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Generator;

    #[test]
    fn the_small_sorts_sort_as_the_library_does() {
        let mut generator = Generator::seeded(1);
        for length in 0..60 {
            let list: Vec<(u64, usize)> =
                (0..length).map(|place| (generator.below(9), place)).collect();
            let mut expected = list.clone();
            expected.sort_by_key(|item| item.0);
            let mut stable = list.clone();
            insertion_sort(&mut stable, |one, other| one.0.cmp(&other.0));
            assert_eq!(stable, expected);
            let mut all = list.clone();
            heap_sort(&mut all);
            assert_eq!(all, expected, "places tell equal numbers apart");
        }
    }
}
