//! A number that is known exactly, or between two others.

use std::fmt;

use serde::Serialize;

use super::fraction::Fraction;

/// A number that is known exactly, or between two others. Both bounds are true: they are rounded
/// outwards.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct ValueBounds {
    /// The number is not less.
    pub lower: f64,
    /// The number is not greater; infinite if no bound is known, or the number is infinite.
    pub upper: f64,
    /// The number itself, where it was found.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exact: Option<Fraction>,
}

/// No bound is undefined.
impl Eq for ValueBounds {}

/// The least and the greatest value that choices can attain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct ValueRange {
    /// The least value.
    pub least: ValueBounds,
    /// The greatest value.
    pub greatest: ValueBounds,
}

/// One value if the choices do not matter, otherwise both.
impl fmt::Display for ValueRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { least, greatest } = self;
        if least.exact == greatest.exact && (least.exact.is_some() || least == greatest) {
            return least.fmt(f);
        }
        if greatest.lower.is_infinite() {
            return write!(f, "at least {least} and without bound, as others choose");
        }
        write!(f, "at least {least} and at most {greatest}, as others choose")
    }
}

impl ValueBounds {
    /// The order of the number and a fraction; `None` if the bounds do not tell.
    #[must_use]
    pub fn order(self, other: Fraction) -> Option<std::cmp::Ordering> {
        if let Some(exact) = self.exact {
            return Some(exact.cmp(&other));
        }
        let (low, high) = other.bounds();
        if self.lower > high {
            Some(std::cmp::Ordering::Greater)
        } else if self.upper < low {
            Some(std::cmp::Ordering::Less)
        } else {
            None
        }
    }

    /// Whether the number is at most a fraction; `None` if the bounds do not tell.
    #[must_use]
    pub fn is_at_most(self, other: Fraction) -> Option<bool> {
        // A bound that equals the fraction is enough here.
        if self.exact.is_none() && self.upper <= other.bounds().0 {
            return Some(true);
        }
        self.order(other).map(std::cmp::Ordering::is_le)
    }

    /// Whether the number is at least a fraction; `None` if the bounds do not tell.
    #[must_use]
    pub fn is_at_least(self, other: Fraction) -> Option<bool> {
        if self.exact.is_none() && self.lower >= other.bounds().1 {
            return Some(true);
        }
        self.order(other).map(std::cmp::Ordering::is_ge)
    }

    /// The probability of the contrary.
    #[must_use]
    pub fn complement(self) -> Self {
        let exact = self.exact.and_then(Fraction::complement);
        // Rounded outwards; a probability is from 0 to 1.
        let lower = (1.0 - self.upper).next_down().max(0.0);
        let upper = (1.0 - self.lower).next_up().min(1.0);
        Self { lower, upper, exact }
    }

    /// The lesser of two numbers.
    #[must_use]
    pub fn lesser(self, other: Self) -> Self {
        let exact = match (self.exact, other.exact) {
            (Some(own), Some(theirs)) => Some(own.min(theirs)),
            (own, _) if self.upper <= other.lower => own,
            (_, theirs) if other.upper <= self.lower => theirs,
            _ => None,
        };
        let (lower, upper) = (self.lower.min(other.lower), self.upper.min(other.upper));
        Self { lower, upper, exact }
    }

    /// The greater of two numbers.
    #[must_use]
    pub fn greater(self, other: Self) -> Self {
        let exact = match (self.exact, other.exact) {
            (Some(own), Some(theirs)) => Some(own.max(theirs)),
            (own, _) if self.lower >= other.upper => own,
            (_, theirs) if other.lower >= self.upper => theirs,
            _ => None,
        };
        let (lower, upper) = (self.lower.max(other.lower), self.upper.max(other.upper));
        Self { lower, upper, exact }
    }

    /// The distance of the bounds.
    #[must_use]
    pub fn width(self) -> f64 {
        if self.exact.is_some() || self.lower.is_infinite() { 0.0 } else { self.upper - self.lower }
    }
}

/// `2/3`, or `0.5305927 (within 1e-9)`, or `infinite`.
impl fmt::Display for ValueBounds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(exact) = self.exact {
            return exact.fmt(f);
        }
        if self.lower.is_infinite() {
            return f.write_str("infinite");
        }
        if self.upper.is_infinite() {
            return write!(f, "{:.9} or more", self.lower);
        }
        let half = (self.upper - self.lower) / 2.0;
        let middle = self.lower + half;
        // The middle is printed with nine places, which adds at most half of the last one.
        if half > 4e-10 {
            return write!(f, "between {} and {}", self.lower, self.upper);
        }
        write!(f, "{middle:.9} (within 1e-9)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn between(lower: f64, upper: f64) -> ValueBounds {
        ValueBounds { lower, upper, exact: None }
    }

    #[test]
    fn bounds_tell_only_what_they_know() {
        let half = Fraction::new(1, 2).unwrap();
        assert_eq!(between(0.4, 0.6).order(half), None);
        assert_eq!(between(0.4, 0.49).is_at_least(half), Some(false));
        assert_eq!(between(0.4, 0.49).is_at_most(half), Some(true));
        assert_eq!(between(0.4, 0.6).is_at_most(half), None);
        let exact = ValueBounds { exact: Some(half), ..between(0.4, 0.6) };
        assert_eq!(exact.order(half), Some(std::cmp::Ordering::Equal));
        assert_eq!(between(1.0, 1.0).is_at_least(Fraction::ONE), Some(true));
    }

    #[test]
    fn the_lesser_and_the_greater_number_have_the_bounds_of_both() {
        let exact = ValueBounds { exact: Fraction::new(1, 4), ..between(0.25, 0.25) };
        assert_eq!(between(0.4, 0.6).lesser(exact), exact);
        assert_eq!(between(0.4, 0.6).greater(exact), between(0.4, 0.6));
        assert_eq!(between(0.2, 0.6).lesser(exact), between(0.2, 0.25));
        assert_eq!(between(0.2, 0.6).greater(between(0.3, 0.5)), between(0.3, 0.6));
    }

    #[test]
    fn a_range_without_a_greatest_number_says_so() {
        let (least, endless) = (between(2.0, 2.0), between(f64::INFINITY, f64::INFINITY));
        let range = ValueRange { least, greatest: endless };
        let text = "at least 2.000000000 (within 1e-9) and without bound, as others choose";
        assert_eq!(range.to_string(), text);
        let range = ValueRange { least: endless, greatest: endless };
        assert_eq!(range.to_string(), "infinite");
    }

    #[test]
    fn a_number_is_never_written_without_its_bound() {
        let exact = ValueBounds { exact: Fraction::new(2, 3), ..between(0.6, 0.7) };
        assert_eq!(exact.to_string(), "2/3");
        assert_eq!(between(0.530_592_7, 0.530_592_700_2).to_string(), "0.530592700 (within 1e-9)");
        assert_eq!(between(0.25, 1.0).to_string(), "between 0.25 and 1");
        assert_eq!(between(2.0, f64::INFINITY).to_string(), "2.000000000 or more");
        assert_eq!(between(f64::INFINITY, f64::INFINITY).to_string(), "infinite");
    }
}
