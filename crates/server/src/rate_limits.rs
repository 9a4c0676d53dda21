//! Rate limits: token buckets.

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

    /// The rate of several together.
    pub(crate) const fn of_many(self, many: u32) -> Self {
        let (count, burst) = (self.count.saturating_mul(many), self.burst.saturating_mul(many));
        Self { count, burst, ..self }
    }

    /// The number of events that count, of those that are wanted at once. More than a burst could never happen
    /// otherwise.
    pub(crate) fn at_once(self, wanted: u64) -> u64 {
        wanted.min(self.burst.max(1).into())
    }
}

/// The rate is exceeded; the next event is allowed after this many milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RetryAfter(pub(crate) u64);

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

    /// Takes several events, if the rate allows them. More than a burst count as a burst.
    pub(crate) fn take_many(&mut self, count: u64, rate: Rate, now: u64) -> Result<(), RetryAfter> {
        self.fill(rate, now);
        let cost = signed(rate.at_once(count) * u64::from(rate.period));
        if self.level < cost {
            return Err(Self::retry_after(cost - self.level, rate));
        }
        self.level -= cost;
        Ok(())
    }

    /// Counts events that have happened already. Others wait until the bucket has recovered from them.
    pub(crate) fn owe(&mut self, count: u64, rate: Rate, now: u64) {
        self.fill(rate, now);
        let cost = signed(count.saturating_mul(rate.period.into()));
        self.level = self.level.saturating_sub(cost);
    }

    /// The time in which this much flows in. A rate of zero is treated like one event in each period.
    fn retry_after(missing: i64, rate: Rate) -> RetryAfter {
        RetryAfter(missing.unsigned_abs().div_ceil(rate.count.max(1).into()))
    }

    /// Takes all events, if none was taken lately.
    pub(crate) fn take_all(&mut self, rate: Rate, now: u64) -> Result<(), RetryAfter> {
        self.fill(rate, now);
        let missing = Self::capacity(rate) - self.level;
        if missing > 0 {
            return Err(Self::retry_after(missing, rate));
        }
        self.level = 0;
        Ok(())
    }

    /// Puts back events.
    pub(crate) fn put_back(&mut self, count: u64, rate: Rate) {
        let returned = signed(count.saturating_mul(rate.period.into()));
        self.level = self.level.saturating_add(returned).min(Self::capacity(rate));
    }

    fn fill(&mut self, rate: Rate, now: u64) {
        let added = now.saturating_sub(self.filled_at).saturating_mul(rate.count.into());
        self.level = self.level.saturating_add(signed(added)).min(Self::capacity(rate));
        self.filled_at = now;
    }

    /// The time until the bucket is full, and until it is half full, in milliseconds.
    pub(crate) fn time_to_fill(&self, rate: Rate, now: u64) -> (u64, u64) {
        let mut later = *self;
        later.fill(rate, now);
        let missing = |level: i64| Self::retry_after((level - later.level).max(0), rate).0;
        (missing(Self::capacity(rate)), missing(Self::capacity(rate) / 2))
    }
}

fn signed(amount: u64) -> i64 {
    i64::try_from(amount).unwrap_or(i64::MAX)
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
}
