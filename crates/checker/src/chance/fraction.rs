//! Exact numbers.

use std::cmp::Ordering;
use std::fmt;

use serde::{Serialize, Serializer};

/// An exact number that is not negative, in lowest terms: `2/3`.
///
/// ```
/// use checker::Fraction;
///
/// let third = Fraction::new(2, 6).unwrap();
/// assert_eq!(third.to_string(), "1/3");
/// assert!(third < Fraction::new(1, 2).unwrap());
/// assert_eq!(Fraction::new(1, 0), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Fraction {
    above: u64,
    below: u64,
}

impl Fraction {
    /// Nothing.
    pub const ZERO: Self = Self { above: 0, below: 1 };

    /// The greatest probability.
    pub const ONE: Self = Self { above: 1, below: 1 };

    /// The number `above / below`; `None` if `below` is 0.
    #[must_use]
    pub fn new(above: u64, below: u64) -> Option<Self> {
        Self::reduced(above.into(), below.into())
    }

    /// The number in lowest terms, if both terms fit.
    pub(crate) fn reduced(above: u128, below: u128) -> Option<Self> {
        if below == 0 {
            return None;
        }
        let divisor = greatest_common_divisor(above, below);
        let term = |term: u128| u64::try_from(term / divisor).ok();
        Some(Self { above: term(above)?, below: term(below)? })
    }

    /// This number plus another one times `factor`, if that fits.
    pub(crate) fn plus(self, other: Self, factor: u32) -> Option<Self> {
        let own = u128::from(self.above).checked_mul(other.below.into())?;
        let theirs = u128::from(other.above).checked_mul(factor.into())?;
        let theirs = theirs.checked_mul(self.below.into())?;
        let below = u128::from(self.below).checked_mul(other.below.into())?;
        Self::reduced(own.checked_add(theirs)?, below)
    }

    /// What is missing to 1, unless the number is more than that.
    pub(crate) fn complement(self) -> Option<Self> {
        Self::reduced(self.below.checked_sub(self.above)?.into(), self.below.into())
    }

    /// This number divided by another one, if that fits.
    pub(crate) fn over(self, divisor: u64) -> Option<Self> {
        Self::reduced(self.above.into(), u128::from(self.below).checked_mul(divisor.into())?)
    }

    /// The fraction with the smallest terms between two numbers, about: the bounds are rounded, so
    /// that the answer is a guess.
    pub(crate) fn simplest_between(lower: f64, upper: f64) -> Option<Self> {
        // Continued fractions: the convergents of the two numbers agree up to the simplest one.
        let (mut low, mut high) = (lower, upper);
        let mut terms: Vec<u64> = Vec::new();
        loop {
            let whole = low.floor();
            if !(0.0..1e15).contains(&whole) || terms.len() > 40 {
                return None;
            }
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "it is whole, and between 0 and 1e15"
            )]
            let whole_term = whole as u64;
            if low <= whole {
                terms.push(whole_term);
                break;
            }
            if high >= whole + 1.0 {
                terms.push(whole_term + 1);
                break;
            }
            terms.push(whole_term);
            (low, high) = ((high - whole).recip(), (low - whole).recip());
        }
        let last = terms.pop()?;
        let start = (u128::from(last), 1_u128);
        let (above, below) = terms.into_iter().rev().try_fold(start, |(above, below), term| {
            Some((u128::from(term).checked_mul(above)?.checked_add(below)?, above))
        })?;
        Self::reduced(above, below)
    }

    /// The nearest numbers of this type below and above, or twice the number itself if it is whole.
    pub(crate) fn bounds(self) -> (f64, f64) {
        let near = self.to_f64();
        if self.below == 1 && self.above < 1 << 53 {
            return (near, near);
        }
        // Two conversions and a division are rounded.
        let step = |number: f64, next: fn(f64) -> f64| next(next(next(number)));
        (step(near, f64::next_down).max(0.0), step(near, f64::next_up))
    }

    #[expect(clippy::cast_precision_loss, reason = "callers know that it is rounded")]
    fn to_f64(self) -> f64 {
        self.above as f64 / self.below as f64
    }
}

fn greatest_common_divisor(mut a: u128, mut b: u128) -> u128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

impl PartialOrd for Fraction {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Fraction {
    fn cmp(&self, other: &Self) -> Ordering {
        let own = u128::from(self.above) * u128::from(other.below);
        own.cmp(&(u128::from(other.above) * u128::from(self.below)))
    }
}

/// `2/3`, or `1` for a whole number.
impl fmt::Display for Fraction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.below {
            1 => write!(f, "{}", self.above),
            below => write!(f, "{}/{below}", self.above),
        }
    }
}

/// As text, because a number of most languages would be rounded.
impl Serialize for Fraction {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fraction(above: u64, below: u64) -> Fraction {
        Fraction::new(above, below).unwrap()
    }

    #[test]
    fn numbers_are_in_lowest_terms_and_ordered() {
        assert_eq!(fraction(244, 495).to_string(), "244/495");
        assert_eq!(fraction(6, 3).to_string(), "2");
        assert_eq!(fraction(0, 7), Fraction::ZERO);
        assert!(fraction(1, 3) < fraction(334, 1000));
        assert!(fraction(u64::MAX, 1) > fraction(u64::MAX - 1, 1));
    }

    #[test]
    fn sums_are_exact_or_refused() {
        assert_eq!(fraction(1, 3).plus(fraction(1, 6), 3), Some(fraction(5, 6)));
        assert_eq!(fraction(5, 6).over(5), Some(fraction(1, 6)));
        let (huge, next) = (fraction(1, u64::MAX), fraction(1, u64::MAX - 1));
        assert_eq!(huge.plus(next, 1), None);
    }

    #[test]
    fn the_simplest_fraction_of_a_narrow_interval_is_found() {
        for (above, below) in [(0, 1), (1, 1), (2, 3), (244, 495), (11, 3), (17, 1_000)] {
            let exact = fraction(above, below);
            let (low, high) = exact.bounds();
            for width in [0.0, 1e-13, 1e-9] {
                let found = Fraction::simplest_between(f64::max(low - width, 0.0), high + width);
                assert_eq!(found, Some(exact), "{exact} within {width}");
            }
        }
        assert_eq!(Fraction::simplest_between(0.3, 0.6), Some(fraction(1, 2)));
        assert_eq!(Fraction::simplest_between(f64::INFINITY, f64::INFINITY), None);
    }

    #[test]
    fn bounds_enclose_the_number() {
        for (above, below) in [(1, 3), (2, 3), (1, 10), (u64::MAX, 7), (1, u64::MAX)] {
            let exact = fraction(above, below);
            let (low, high) = exact.bounds();
            assert!(low < exact.to_f64() && exact.to_f64() < high && (high - low) / high < 2e-15);
        }
        assert_eq!(Fraction::ONE.bounds(), (1.0, 1.0));
    }
}
