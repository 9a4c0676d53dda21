//! A random number generator with a fixed algorithm.

/// `SplitMix64`. A seed produces the same numbers on every machine and in every
/// version.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Generator {
    state: u64,
}

impl Generator {
    /// The generator with this seed.
    #[must_use]
    pub fn seeded(seed: u64) -> Self {
        Self { state: seed }
    }

    /// The next 64 random bits.
    #[inline]
    pub fn next_bits(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// A number below the bound, each equally likely; 0 if the bound is 0.
    #[inline]
    pub fn below(&mut self, bound: u64) -> u64 {
        // Lemire's method: the upper half of the product is uniform if the lower half is not
        // below a threshold, which rarely needs to be computed.
        let (mut low, mut high) = self.next_bits().carrying_mul(bound, 0);
        if low < bound {
            let threshold = bound.wrapping_neg() % bound;
            while low < threshold {
                (low, high) = self.next_bits().carrying_mul(bound, 0);
            }
        }
        high
    }
}

#[cfg(test)]
mod tests {
    use super::Generator;

    #[test]
    fn a_seed_produces_the_published_numbers() {
        let mut generator = Generator::seeded(1_234_567);
        let published = [6_457_827_717_110_365_317, 3_203_168_211_198_807_973];
        assert_eq!(published.map(|_| generator.next_bits()), published);
    }

    #[test]
    fn every_number_below_the_bound_is_about_equally_likely() {
        let mut generator = Generator::seeded(7);
        let mut counts = [0_u32; 6];
        for _ in 0..60_000 {
            counts[usize::try_from(generator.below(6)).unwrap()] += 1;
        }
        assert!(counts.iter().all(|count| (9_600..10_400).contains(count)), "{counts:?}");
    }

    #[test]
    fn a_bound_of_zero_returns_zero() {
        assert_eq!(Generator::seeded(7).below(0), 0);
    }
}
