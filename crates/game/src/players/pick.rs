//! Choices among weighed moves.

use bthread::Generator;

/// The place of the highest value, each equally likely if several are highest; `None` if there is
/// none.
pub(crate) fn best_of(values: &[f64], generator: &mut Generator) -> Option<usize> {
    let best = values.iter().copied().reduce(f64::max)?;
    let best: Vec<usize> = (0..values.len()).filter(|place| values[*place] >= best).collect();
    let chosen = generator.below(best.len() as u64);
    best.get(usize::try_from(chosen).expect("the index is below a length")).copied()
}

/// A random place, as likely as its weight; any place if all weights are 0.
pub(crate) fn by_weight(weights: &[f64], generator: &mut Generator) -> usize {
    let sum: f64 = weights.iter().sum();
    if sum <= 0.0 {
        let any = generator.below(weights.len() as u64);
        return usize::try_from(any).expect("the index is below a length");
    }
    let mut left = unit(generator) * sum;
    for (place, weight) in weights.iter().enumerate() {
        if left < *weight {
            return place;
        }
        left -= weight;
    }
    // The sum was rounded up.
    weights.iter().rposition(|weight| *weight > 0.0).unwrap_or(0)
}

/// The weights as probabilities; equal ones if all are 0.
pub(crate) fn normal(weights: &[f64]) -> Vec<f64> {
    let sum: f64 = weights.iter().sum();
    let count = f64::from(u32::try_from(weights.len()).unwrap_or(u32::MAX));
    weights.iter().map(|weight| if sum > 0.0 { weight / sum } else { 1.0 / count }).collect()
}

/// A random number from 0 to 1, which it never reaches.
pub(crate) fn unit(generator: &mut Generator) -> f64 {
    // 53 bits, in two parts that a float holds exactly.
    let bits = generator.next_bits() >> 11;
    let high = u32::try_from(bits >> 26).expect("27 bits are left");
    let low = u32::try_from(bits & ((1 << 26) - 1)).expect("26 bits are left");
    let scale = f64::from(1_u32 << 26);
    (f64::from(high) * scale + f64::from(low)) / (scale * f64::from(1_u32 << 27))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_as_likely_as_their_weights() {
        let mut generator = Generator::seeded(1);
        let mut counts = [0; 3];
        for _ in 0..4_000 {
            counts[by_weight(&[1.0, 0.0, 3.0], &mut generator)] += 1;
        }
        assert_eq!(counts[1], 0);
        assert!((900..1_100).contains(&counts[0]), "{counts:?}");
    }

    #[test]
    fn one_of_the_best_is_chosen() {
        let mut generator = Generator::seeded(1);
        let mut counts = [0; 4];
        for _ in 0..1_000 {
            counts[best_of(&[2.0, 1.0, 2.0, -1.0], &mut generator).unwrap()] += 1;
        }
        assert!(counts[0] > 400 && counts[2] > 400 && counts[0] + counts[2] == 1_000);
        assert_eq!(best_of(&[], &mut generator), None);
    }
}
