//! Seeds for who gives none.

use std::time::{SystemTime, UNIX_EPOCH};

/// A number that differs from one moment to the next, short enough to be typed again.
pub(crate) fn from_the_clock() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    let nanoseconds = since.map_or(0, |since| since.as_nanos());
    u64::try_from(nanoseconds / 1_000 % 1_000_000).expect("it is below a million")
}
