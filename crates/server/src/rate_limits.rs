//! Rate limits: token buckets.

use std::net::IpAddr;
use std::sync::{Mutex, MutexGuard, PoisonError};

use rustc_hash::FxHashMap;

use crate::client_address::normalized;

/// A rate: `count` events in each `period`, and at most `burst` at once.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rate {
    count: u32,
    /// In milliseconds.
    period: u32,
    burst: u32,
}

impl Rate {
    pub(crate) const fn per_second(count: u32, burst: u32) -> Self {
        Self { count, period: 1_000, burst }
    }

    pub(crate) const fn per_minute(count: u32, burst: u32) -> Self {
        Self { count, period: 60_000, burst }
    }

    pub(crate) const fn per_hour(count: u32, burst: u32) -> Self {
        Self { count, period: 3_600_000, burst }
    }
}

/// The rate is exceeded; the next event is allowed after this many milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RetryAfter(u64);

impl RetryAfter {
    /// The same in whole seconds, at least one.
    pub(crate) const fn seconds(self) -> u64 {
        if self.0 == 0 { 1 } else { self.0.div_ceil(1_000) }
    }
}

/// A token bucket. Times are milliseconds on a monotonic clock.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bucket {
    /// In units of which one event costs [`Rate::period`]. It is negative after events that were only
    /// counted when they had happened.
    level: i64,
    filled_at: u64,
}

impl Bucket {
    pub(crate) fn full(rate: Rate, now: u64) -> Self {
        Self { level: Self::capacity(rate), filled_at: now }
    }

    fn capacity(rate: Rate) -> i64 {
        signed(u64::from(rate.burst) * u64::from(rate.period))
    }

    /// Takes one event, if the rate allows it.
    pub(crate) fn take(&mut self, rate: Rate, now: u64) -> Result<(), RetryAfter> {
        self.take_many(1, rate, now)
    }

    /// Takes several events, if the rate allows them. More than a burst count as a burst, because they
    /// could never happen otherwise.
    fn take_many(&mut self, count: u64, rate: Rate, now: u64) -> Result<(), RetryAfter> {
        self.fill(rate, now);
        let cost = signed(count.min(rate.burst.max(1).into()) * u64::from(rate.period));
        if self.level < cost {
            return Err(Self::retry_after(cost - self.level, rate));
        }
        self.level -= cost;
        Ok(())
    }

    /// Counts events that have happened already. Others wait until the bucket has recovered from them.
    fn owe(&mut self, count: u64, rate: Rate, now: u64) {
        self.fill(rate, now);
        let cost = signed(count.saturating_mul(rate.period.into()));
        self.level = self.level.saturating_sub(cost);
    }

    /// The time in which this much flows in. A rate of zero is treated like one event in each period.
    fn retry_after(missing: i64, rate: Rate) -> RetryAfter {
        RetryAfter(missing.unsigned_abs().div_ceil(rate.count.max(1).into()))
    }

    /// Takes all events, if none was taken lately.
    fn take_all(&mut self, rate: Rate, now: u64) -> Result<(), RetryAfter> {
        self.fill(rate, now);
        let missing = Self::capacity(rate) - self.level;
        if missing > 0 {
            return Err(Self::retry_after(missing, rate));
        }
        self.level = 0;
        Ok(())
    }

    /// Puts back one event.
    pub(crate) fn put_back(&mut self, rate: Rate) {
        self.level = (self.level + i64::from(rate.period)).min(Self::capacity(rate));
    }

    fn fill(&mut self, rate: Rate, now: u64) {
        let added = now.saturating_sub(self.filled_at).saturating_mul(rate.count.into());
        self.level = self.level.saturating_add(signed(added)).min(Self::capacity(rate));
        self.filled_at = now;
    }

    fn is_full(&self, rate: Rate, now: u64) -> bool {
        let mut later = *self;
        later.fill(rate, now);
        later.level == Self::capacity(rate)
    }
}

fn signed(amount: u64) -> i64 {
    i64::try_from(amount).unwrap_or(i64::MAX)
}

/// One bucket for each address.
#[derive(Debug, Default)]
pub(crate) struct AddressBuckets(Mutex<FxHashMap<IpAddr, Bucket>>);

/// The rate of each address, and the number of addresses to remember. Both may change at any time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AddressRate {
    pub(crate) rate: Rate,
    pub(crate) addresses: u32,
}

impl AddressBuckets {
    /// Takes one event of an address, if the rate allows it.
    pub(crate) fn take(
        &self,
        address: IpAddr,
        limit: AddressRate,
        now: u64,
    ) -> Result<(), RetryAfter> {
        self.take_many(address, 1, limit, now)
    }

    /// Takes several events of an address, if the rate allows them.
    pub(crate) fn take_many(
        &self,
        address: IpAddr,
        count: u64,
        limit: AddressRate,
        now: u64,
    ) -> Result<(), RetryAfter> {
        self.with(address, limit, now, |bucket| bucket.take_many(count, limit.rate, now))
    }

    /// Counts events of an address that have happened already.
    pub(crate) fn owe(&self, address: IpAddr, count: u64, rate: Rate, now: u64) {
        if let Some(bucket) = self.lock().get_mut(&normalized(address)) {
            bucket.owe(count, rate, now);
        }
    }

    /// Takes all events of an address, if it has taken none lately.
    pub(crate) fn take_all(
        &self,
        address: IpAddr,
        limit: AddressRate,
        now: u64,
    ) -> Result<(), RetryAfter> {
        self.with(address, limit, now, |bucket| bucket.take_all(limit.rate, now))
    }

    /// Puts back one event of an address.
    pub(crate) fn put_back(&self, address: IpAddr, rate: Rate) {
        if let Some(bucket) = self.lock().get_mut(&normalized(address)) {
            bucket.put_back(rate);
        }
    }

    /// Puts back all events of an address.
    pub(crate) fn fill(&self, address: IpAddr) {
        // A full bucket equals a new one.
        self.lock().remove(&normalized(address));
    }

    fn with(
        &self,
        address: IpAddr,
        AddressRate { rate, addresses }: AddressRate,
        now: u64,
        take: impl FnOnce(&mut Bucket) -> Result<(), RetryAfter>,
    ) -> Result<(), RetryAfter> {
        let mut buckets = self.lock();
        let (address, capacity) = (normalized(address), addresses as usize);
        if buckets.len() >= capacity && !buckets.contains_key(&address) {
            // A full bucket equals a new one. If none is full, a new address has to wait.
            buckets.retain(|_, bucket| !bucket.is_full(rate, now));
            if buckets.len() >= capacity {
                return Err(RetryAfter(1_000));
            }
        }
        let full = Bucket::full(rate, now);
        take(buckets.entry(address).or_insert(full))
    }

    fn lock(&self) -> MutexGuard<'_, FxHashMap<IpAddr, Bucket>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RATE: Rate = Rate::per_second(2, 3);

    #[test]
    fn a_burst_is_allowed_and_then_the_rate() {
        let mut bucket = Bucket::full(RATE, 0);
        let taken: Vec<bool> = (0..4).map(|_| bucket.take(RATE, 0).is_ok()).collect();
        assert_eq!(taken, [true, true, true, false]);
        assert_eq!(bucket.take(RATE, 499), Err(RetryAfter(1)));
        assert_eq!(bucket.take(RATE, 500), Ok(()));
        assert_eq!(bucket.take(RATE, 500), Err(RetryAfter(500)));
        let rested: Vec<bool> = (0..4).map(|_| bucket.take(RATE, 1_000_000).is_ok()).collect();
        assert_eq!(rested, [true, true, true, false], "no more than the burst");
    }

    #[test]
    fn events_that_have_happened_are_paid_for_later() {
        let mut bucket = Bucket::full(RATE, 0);
        assert_eq!(bucket.take(RATE, 0), Ok(()));
        bucket.owe(6, RATE, 0);
        assert_eq!(
            bucket.take(RATE, 0),
            Err(RetryAfter(2_500)),
            "four are owed, and one is wanted"
        );
        assert_eq!(bucket.take(RATE, 2_500), Ok(()));
        assert_eq!(bucket.take(RATE, 2_500), Err(RetryAfter(500)));
    }

    #[test]
    fn a_client_that_waits_the_reported_time_is_served() {
        for (rate, seconds) in [
            (Rate::per_second(50, 1), 1),
            (Rate::per_second(1, 1), 1),
            (Rate::per_minute(30, 1), 2),
            (Rate::per_minute(7, 1), 9),
            (Rate::per_minute(1, 1), 60),
        ] {
            let mut bucket = Bucket::full(rate, 0);
            assert_eq!(bucket.take(rate, 0), Ok(()));
            let seconds_to_wait = bucket.take(rate, 0).unwrap_err().seconds();
            assert_eq!(seconds_to_wait, seconds, "{rate:?}");
            assert_eq!(bucket.take(rate, seconds_to_wait * 1_000), Ok(()), "{rate:?}");
        }
    }

    #[test]
    fn addresses_have_separate_buckets_but_a_network_of_ipv6_shares_one() {
        let buckets = AddressBuckets::default();
        let limit = AddressRate { rate: Rate::per_second(1, 1), addresses: 10 };
        let addresses = ["10.0.0.1", "10.0.0.2", "2001:db8::1", "::ffff:10.0.0.1", "2001:db8::2"];
        let taken =
            addresses.map(|address| buckets.take(address.parse().unwrap(), limit, 0).is_ok());
        assert_eq!(taken, [true, true, true, false, false]);
    }

    #[test]
    fn a_changed_rate_counts_at_once() {
        let buckets = AddressBuckets::default();
        let take = |count, burst, now| {
            let limit = AddressRate { rate: Rate::per_second(count, burst), addresses: 10 };
            buckets.take([10, 0, 0, 1].into(), limit, now).is_ok()
        };
        assert_eq!([take(1, 2, 0), take(1, 2, 0), take(1, 2, 0)], [true, true, false]);
        assert_eq!([take(1, 2, 100), take(20, 2, 200)], [false, true], "the rate is higher");
        assert_eq!([take(20, 0, 9_000), take(20, 1, 9_100)], [false, true], "there is no burst");
    }

    #[test]
    fn the_number_of_remembered_addresses_is_bounded() {
        let buckets = AddressBuckets::default();
        let limit = AddressRate { rate: Rate::per_second(1, 1), addresses: 2 };
        let take = |last: u8, now| buckets.take([10, 0, 0, last].into(), limit, now).is_ok();
        assert_eq!([take(1, 0), take(2, 0), take(3, 0)], [true, true, false]);
        assert!(take(3, 1_000), "the buckets of the others are full again");
        assert_eq!(buckets.0.lock().unwrap().len(), 1);
    }
}
