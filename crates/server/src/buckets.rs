//! Token buckets: how often somebody may do something.

use std::net::IpAddr;
use std::sync::{Mutex, PoisonError};

use rustc_hash::FxHashMap;

/// How often something may happen: so often in a while, and so often at once after a rest.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rate {
    often: u32,
    /// In milliseconds.
    within: u32,
    at_once: u32,
}

impl Rate {
    pub(crate) const fn per_second(often: u32, at_once: u32) -> Self {
        Self { often, within: 1_000, at_once }
    }

    pub(crate) const fn per_minute(often: u32, at_once: u32) -> Self {
        Self { often, within: 60_000, at_once }
    }
}

/// Nothing is left now; something is there again after so many milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NotYet(u64);

impl NotYet {
    /// After how many seconds it is worth trying again.
    pub(crate) const fn seconds(self) -> u64 {
        if self.0 == 0 { 1 } else { self.0.div_ceil(1_000) }
    }
}

/// What is left of a rate. Times are milliseconds on a clock that does not go back.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bucket {
    /// How much is there, in units of which each taking costs [`Rate::within`].
    level: u64,
    filled_at: u64,
}

impl Bucket {
    pub(crate) fn full(rate: Rate, now: u64) -> Self {
        Self { level: Self::most(rate), filled_at: now }
    }

    fn most(rate: Rate) -> u64 {
        u64::from(rate.at_once) * u64::from(rate.within)
    }

    /// Takes one, if there is one.
    pub(crate) fn take(&mut self, rate: Rate, now: u64) -> Result<(), NotYet> {
        self.fill(rate, now);
        let cost = u64::from(rate.within);
        match self.level.checked_sub(cost) {
            Some(left) => {
                self.level = left;
                Ok(())
            }
            // What never fills is asked for again as if it did so once in a while.
            None => Err(NotYet((cost - self.level).div_ceil(rate.often.max(1).into()))),
        }
    }

    fn fill(&mut self, rate: Rate, now: u64) {
        let came = now.saturating_sub(self.filled_at).saturating_mul(rate.often.into());
        self.level = self.level.saturating_add(came).min(Self::most(rate));
        self.filled_at = now;
    }

    fn is_full(&self, rate: Rate, now: u64) -> bool {
        let mut later = *self;
        later.fill(rate, now);
        later.level == Self::most(rate)
    }
}

/// One bucket for each address.
#[derive(Debug)]
pub(crate) struct AddressBuckets {
    rate: Rate,
    most: usize,
    buckets: Mutex<FxHashMap<IpAddr, Bucket>>,
}

impl AddressBuckets {
    pub(crate) fn new(rate: Rate, most: u32) -> Self {
        Self { rate, most: most as usize, buckets: Mutex::default() }
    }

    /// Takes one for an address, if there is one.
    pub(crate) fn take(&self, address: IpAddr, now: u64) -> Result<(), NotYet> {
        let mut buckets = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        let address = household(address);
        if buckets.len() >= self.most && !buckets.contains_key(&address) {
            // Whoever has rested is as good as new. If all are busy, somebody new has to wait.
            buckets.retain(|_, bucket| !bucket.is_full(self.rate, now));
            if buckets.len() >= self.most {
                return Err(NotYet(1_000));
            }
        }
        let full = Bucket::full(self.rate, now);
        buckets.entry(address).or_insert(full).take(self.rate, now)
    }
}

/// What stands for all addresses of one household: with IPv6 it has a whole network of 64 bits.
pub(crate) fn household(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => {
            let network = u128::from(address) >> 64 << 64;
            IpAddr::V6(network.into())
        }
        address @ IpAddr::V4(_) => address,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RATE: Rate = Rate::per_second(2, 3);

    #[test]
    fn so_many_at_once_and_then_so_many_a_second() {
        let mut bucket = Bucket::full(RATE, 0);
        let taken: Vec<bool> = (0..4).map(|_| bucket.take(RATE, 0).is_ok()).collect();
        assert_eq!(taken, [true, true, true, false]);
        assert_eq!(bucket.take(RATE, 499), Err(NotYet(1)));
        assert_eq!(bucket.take(RATE, 500), Ok(()));
        assert_eq!(bucket.take(RATE, 500), Err(NotYet(500)));
        let rested: Vec<bool> = (0..4).map(|_| bucket.take(RATE, 1_000_000).is_ok()).collect();
        assert_eq!(rested, [true, true, true, false], "no more than at once");
    }

    #[test]
    fn who_comes_back_when_it_was_told_to_is_served() {
        for (rate, seconds) in [
            (Rate::per_second(50, 1), 1),
            (Rate::per_second(1, 1), 1),
            (Rate::per_minute(30, 1), 2),
            (Rate::per_minute(7, 1), 9),
            (Rate::per_minute(1, 1), 60),
        ] {
            let mut bucket = Bucket::full(rate, 0);
            assert_eq!(bucket.take(rate, 0), Ok(()));
            let told = bucket.take(rate, 0).unwrap_err().seconds();
            assert_eq!(told, seconds, "{rate:?}");
            assert_eq!(bucket.take(rate, told * 1_000), Ok(()), "{rate:?}");
        }
    }

    #[test]
    fn addresses_do_not_take_from_each_other_but_a_household_does() {
        let buckets = AddressBuckets::new(Rate::per_second(1, 1), 10);
        let addresses = ["10.0.0.1", "10.0.0.2", "2001:db8::1", "::ffff:10.0.0.1", "2001:db8::2"];
        let taken = addresses.map(|address| buckets.take(address.parse().unwrap(), 0).is_ok());
        assert_eq!(taken, [true, true, true, false, false]);
    }

    #[test]
    fn no_more_addresses_are_remembered_than_may_be() {
        let buckets = AddressBuckets::new(Rate::per_second(1, 1), 2);
        let take = |last: u8, now| buckets.take([10, 0, 0, last].into(), now).is_ok();
        assert_eq!([take(1, 0), take(2, 0), take(3, 0)], [true, true, false]);
        assert!(take(3, 1_000), "the others have rested");
        assert_eq!(buckets.buckets.lock().unwrap().len(), 1);
    }
}
