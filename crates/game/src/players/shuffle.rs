//! Random order.

use bthread::Generator;

/// Puts items into a random order, each equally likely.
pub(crate) fn shuffle<T>(items: &mut [T], generator: &mut Generator) {
    for last in (1..items.len()).rev() {
        let other = generator.below(last as u64 + 1);
        items.swap(last, usize::try_from(other).expect("the index is below a length"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_order_is_about_equally_likely() {
        let mut generator = Generator::seeded(3);
        let mut counts = [0; 27];
        for _ in 0..6_000 {
            let mut items = [0, 1, 2];
            shuffle(&mut items, &mut generator);
            counts[items[0] * 9 + items[1] * 3 + items[2]] += 1;
        }
        let seen: Vec<i32> = counts.into_iter().filter(|count| *count > 0).collect();
        assert_eq!(seen.len(), 6);
        assert!(seen.iter().all(|count| (850..1_150).contains(count)), "{seen:?}");
    }
}
