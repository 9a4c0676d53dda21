//! Probabilities.

use std::fmt;

/// An exact probability: a number of cases out of all.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Probability {
    cases: u32,
    all: u32,
}

/// Probabilities that do not add up to one.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the probabilities {0} do not add up to 1")]
pub struct BadProbabilities(pub String);

impl Probability {
    /// The probability of `cases` out of `all`.
    ///
    /// # Panics
    /// If `cases` is 0 or more than `all`.
    #[must_use]
    pub const fn new(cases: u32, all: u32) -> Self {
        assert!(0 < cases && cases <= all, "a probability is above 0 and at most 1");
        Self { cases, all }
    }

    /// The probability as a number from 0 to 1.
    #[must_use]
    pub fn value(self) -> f64 {
        f64::from(self.cases) / f64::from(self.all)
    }

    /// The probabilities as whole numbers, and their sum.
    ///
    /// # Errors
    /// If the probabilities do not add up to one.
    pub fn weights(given: &[Self]) -> Result<(Vec<u64>, u64), BadProbabilities> {
        let refused =
            || BadProbabilities(given.iter().map(Self::to_string).collect::<Vec<_>>().join(", "));
        let common = given.iter().try_fold(1_u64, |common, each| {
            common
                .checked_mul(u64::from(each.all) / greatest_common_divisor(common, each.all.into()))
        });
        let common = common.ok_or_else(refused)?;
        let weights: Vec<u64> =
            given.iter().map(|each| common / u64::from(each.all) * u64::from(each.cases)).collect();
        let sum = weights.iter().try_fold(0_u64, |sum, weight| sum.checked_add(*weight));
        if sum == Some(common) && !given.is_empty() {
            Ok((weights, common))
        } else {
            Err(refused())
        }
    }
}

fn greatest_common_divisor(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { greatest_common_divisor(b, a % b) }
}

impl fmt::Display for Probability {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.cases, self.all)
    }
}

impl fmt::Debug for Probability {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn weights(given: &[(u32, u32)]) -> Result<(Vec<u64>, u64), BadProbabilities> {
        let given: Vec<_> =
            given.iter().map(|(cases, all)| Probability::new(*cases, *all)).collect();
        Probability::weights(&given)
    }

    #[test]
    fn weights_have_a_common_denominator() {
        assert_eq!(weights(&[(1, 2), (1, 3), (1, 6)]), Ok((vec![3, 2, 1], 6)));
        assert_eq!(weights(&[(1, 6); 6]), Ok((vec![1; 6], 6)));
    }

    #[test]
    fn probabilities_that_do_not_add_up_are_refused() {
        assert_eq!(
            weights(&[(1, 2), (1, 3)]).unwrap_err().to_string(),
            "the probabilities 1/2, 1/3 do not add up to 1"
        );
        assert!(weights(&[(1, 1), (1, 6)]).is_err());
        assert!(weights(&[]).is_err());
    }
}
