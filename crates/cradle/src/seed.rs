//! A seed for runs without one.

use std::time::{SystemTime, UNIX_EPOCH};

/// A number that changes every microsecond and is short enough to type.
pub(crate) fn from_the_clock() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    let nanoseconds = since.map_or(0, |since| since.as_nanos());
    u64::try_from(nanoseconds / 1_000 % 1_000_000).expect("a number below a million fits")
}
