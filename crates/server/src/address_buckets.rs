//! Token buckets of addresses.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::net::IpAddr;
use std::sync::{Mutex, MutexGuard, PoisonError};

use rustc_hash::FxHashMap;

use crate::client_address::{ADDRESSES_OF_SITE, normalized, site_of};
use crate::rate_limits::{Bucket, Rate, RetryAfter};

/// One bucket for each address. The addresses of a site of IPv6 also share one, which is as large as those of
/// [`ADDRESSES_OF_SITE`] addresses.
#[derive(Debug, Default)]
pub(crate) struct AddressBuckets(Mutex<BucketTable>);

/// The rate of each address, and the number of addresses to remember. Both may change at any time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AddressRate {
    pub(crate) rate: Rate,
    pub(crate) addresses: u32,
}

/// The buckets that are remembered: a full bucket equals a new one.
#[derive(Debug, Default)]
struct BucketTable {
    buckets: FxHashMap<BucketOwner, Bucket>,
    /// Every owner once, with a time at which its bucket is not full before, the earliest first.
    full_at: BinaryHeap<Reverse<(u64, BucketOwner)>>,
}

/// Whose events a bucket counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum BucketOwner {
    Address(IpAddr),
    Site(IpAddr),
}

/// What is taken from the bucket of an address.
#[derive(Clone, Copy, Debug)]
enum Taken {
    Events(u64),
    All,
}

/// The buckets that one new address looks at, to find one that can be forgotten.
const LOOKS: u32 = 64;

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
        self.lock().take(address, Taken::Events(count), limit, now)
    }

    /// Takes all events of an address, if it has taken none lately.
    pub(crate) fn take_all(
        &self,
        address: IpAddr,
        limit: AddressRate,
        now: u64,
    ) -> Result<(), RetryAfter> {
        self.lock().take(address, Taken::All, limit, now)
    }

    /// Counts events of an address that have happened already.
    pub(crate) fn owe(&self, address: IpAddr, count: u64, rate: Rate, now: u64) {
        self.lock().change(address, rate, |bucket, rate| bucket.owe(count, rate, now));
    }

    /// Puts back events of an address; more than a burst are all.
    pub(crate) fn put_back(&self, address: IpAddr, count: u64, rate: Rate) {
        let count = rate.at_once(count);
        self.lock().change(address, rate, |bucket, rate| bucket.put_back(count, rate));
    }

    fn lock(&self) -> MutexGuard<'_, BucketTable> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl BucketOwner {
    fn of(address: IpAddr) -> Self {
        Self::Address(normalized(address))
    }

    fn site_of(address: IpAddr) -> Option<Self> {
        site_of(address).map(Self::Site)
    }

    /// The rate of this owner, by that of an address.
    fn rate(self, rate: Rate) -> Rate {
        match self {
            Self::Address(_) => rate,
            Self::Site(_) => rate.of_many(ADDRESSES_OF_SITE),
        }
    }
}

impl BucketTable {
    /// Takes events from the buckets of an address, or from none.
    fn take(
        &mut self,
        address: IpAddr,
        taken: Taken,
        limit: AddressRate,
        now: u64,
    ) -> Result<(), RetryAfter> {
        let (site, rate) = (BucketOwner::site_of(address), limit.rate);
        let of_site = match taken {
            Taken::Events(count) => rate.at_once(count),
            Taken::All => rate.at_once(u64::MAX),
        };
        if let Some(site) = site {
            self.bucket(site, limit, now)?.take_many(of_site, site.rate(rate), now)?;
        }
        let bucket = self.bucket(BucketOwner::of(address), limit, now);
        let taken = bucket.and_then(|bucket| match taken {
            Taken::Events(count) => bucket.take_many(count, rate, now),
            Taken::All => bucket.take_all(rate, now),
        });
        if taken.is_err()
            && let Some(site) = site
            && let Some(bucket) = self.buckets.get_mut(&site)
        {
            bucket.put_back(of_site, site.rate(rate));
        }
        taken
    }

    /// Changes the buckets of an address that are remembered.
    fn change(&mut self, address: IpAddr, rate: Rate, change: impl Fn(&mut Bucket, Rate)) {
        for owner in [Some(BucketOwner::of(address)), BucketOwner::site_of(address)] {
            let owner = owner.and_then(|owner| Some((owner, self.buckets.get_mut(&owner)?)));
            if let Some((owner, bucket)) = owner {
                change(bucket, owner.rate(rate));
            }
        }
    }

    /// The bucket of an owner, which is remembered from now on.
    fn bucket(
        &mut self,
        owner: BucketOwner,
        AddressRate { rate, addresses }: AddressRate,
        now: u64,
    ) -> Result<&mut Bucket, RetryAfter> {
        if !self.buckets.contains_key(&owner) {
            self.make_room(rate, addresses as usize, now)?;
            self.full_at.push(Reverse((now, owner)));
        }
        Ok(self.buckets.entry(owner).or_insert_with(|| Bucket::full(owner.rate(rate), now)))
    }

    /// Forgets full buckets and, if there are too many others, the one that is closest to full. A bucket that
    /// is not half full is kept: otherwise many addresses that take turns could do what they like.
    fn make_room(&mut self, rate: Rate, capacity: usize, now: u64) -> Result<(), RetryAfter> {
        let mut wait = u64::MAX;
        for looks_left in (0..LOOKS).rev() {
            let is_full = self.buckets.len() >= capacity;
            let Some(Reverse((full_at, owner))) = self.full_at.peek().copied() else { break };
            if !is_full && full_at > now {
                return Ok(());
            }
            let bucket = self.buckets.get(&owner).expect("every owner has a bucket");
            let (to_full, to_half) = bucket.time_to_fill(owner.rate(rate), now);
            // Otherwise others may be closer to full.
            let is_known = full_at >= now.saturating_add(to_full);
            self.full_at.pop();
            let is_fullest = is_known || looks_left == 0;
            if to_full == 0 || (is_full && is_fullest && to_half == 0) {
                self.buckets.remove(&owner);
                continue;
            }
            wait = wait.min(to_half);
            self.full_at.push(Reverse((now.saturating_add(to_full), owner)));
            if is_known {
                break;
            }
        }
        if self.buckets.len() < capacity {
            return Ok(());
        }
        Err(RetryAfter(wait.clamp(1, 1_000)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
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
        assert_eq!(remembered(&buckets), 1);
    }

    fn remembered(buckets: &AddressBuckets) -> usize {
        let table = buckets.lock();
        assert_eq!(table.buckets.len(), table.full_at.len(), "every owner is there once");
        table.buckets.len()
    }

    #[test]
    fn the_address_that_is_closest_to_full_is_forgotten_first() {
        let buckets = AddressBuckets::default();
        let limit = AddressRate { rate: Rate::per_second(1, 10), addresses: 3 };
        let take = |last: u8, count| buckets.take_many([10, 0, 0, last].into(), count, limit, 0);
        for (last, count) in [(1, 6), (2, 2), (3, 4)] {
            take(last, count).unwrap();
        }
        take(4, 1).unwrap();
        let left = |last: u8| (0..10).take_while(|_| take(last, 1).is_ok()).count();
        assert_eq!([left(1), left(3)], [4, 6], "their buckets were kept");
        take(4, 8).unwrap();
        assert_eq!(take(2, 1), Err(RetryAfter(1_000)), "no bucket is half full");
        assert_eq!(remembered(&buckets), 3);
    }

    #[test]
    fn full_buckets_are_forgotten_long_before_there_are_too_many() {
        let buckets = AddressBuckets::default();
        let limit = AddressRate { rate: Rate::per_second(1, 10), addresses: 100_000 };
        for number in 0..50_000_u32 {
            let address = IpAddr::V4((0x0a00_0000 + number).into());
            buckets.take(address, limit, u64::from(number)).unwrap();
        }
        let remembered = remembered(&buckets);
        assert!((1_000..1_100).contains(&remembered), "{remembered} were seen in the last second");
    }

    #[test]
    fn the_networks_of_one_site_share_a_bucket_of_sixteen_addresses() {
        let buckets = AddressBuckets::default();
        let rate = Rate::per_second(1, 5);
        let limit = AddressRate { rate, addresses: 1_000 };
        let address =
            |site: u16, network: u16| IpAddr::from([0x2001, 0xdb8, site, network, 0, 0, 0, 1]);
        let all = |site| {
            let networks = (0..100)
                .filter(|network| buckets.take_all(address(site, *network), limit, 0).is_ok());
            networks.count()
        };
        assert_eq!([all(1), all(1), all(2)], [16, 0, 16]);
        buckets.put_back(address(1, 0), u64::MAX, rate);
        assert_eq!(buckets.take_many(address(1, 50), 5, limit, 0), Ok(()), "it is shared");
        assert!(buckets.take(address(1, 51), limit, 0).is_err());
        buckets.owe(address(1, 50), 80, rate, 0);
        assert!(buckets.take(address(1, 51), limit, 4_000).is_err(), "all networks owe it");
        assert_eq!(buckets.take(address(2, 0), limit, 4_000), Ok(()));
    }

    #[test]
    fn an_address_that_may_not_costs_its_site_nothing() {
        let buckets = AddressBuckets::default();
        let limit = AddressRate { rate: Rate::per_second(1, 1), addresses: 1_000 };
        let take = |network: u16| {
            buckets.take([0x2001, 0xdb8, 1, network, 0, 0, 0, 1].into(), limit, 0).is_ok()
        };
        assert!(take(0) && (0..100).all(|_| !take(0)));
        assert_eq!((1..100).filter(|network| take(*network)).count(), 15);
    }
}
