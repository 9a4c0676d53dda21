//! How many wrong codes may be tried.

use std::net::IpAddr;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::address_buckets::{AddressBuckets, AddressRate};
use crate::limits::Limits;
use crate::rate_limits::{Bucket, Rate, RetryAfter};

/// The budgets of wrong codes: one for each address, and one for all addresses together.
///
/// A stranger with many addresses spends the budget of all. Then only addresses that have not missed for
/// a while may try, so that nobody else is locked out, and one miss costs them their whole budget.
#[derive(Debug)]
pub(crate) struct CodeGuesses {
    addresses: AddressBuckets,
    all: Mutex<Bucket>,
}

/// What a guess has cost. It is returned if the code is right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum GuessCost {
    /// One miss of the address and one of all.
    One,
    /// All misses of the address.
    Whole,
}

impl CodeGuesses {
    pub(crate) fn new(limits: &Limits, now: u64) -> Self {
        let all = Bucket::full(rate_of_all(limits), now);
        Self { addresses: AddressBuckets::default(), all: Mutex::new(all) }
    }

    /// Pays for a guess before it is made, as if it were wrong.
    pub(crate) fn pay(
        &self,
        limits: &Limits,
        address: IpAddr,
        now: u64,
    ) -> Result<GuessCost, RetryAfter> {
        let rate = AddressRate { rate: rate_of_one(limits), addresses: limits.addresses };
        let mut all = self.all();
        if all.take(rate_of_all(limits), now).is_err() {
            return self.addresses.take_all(address, rate, now).map(|()| GuessCost::Whole);
        }
        let paid = self.addresses.take(address, rate, now);
        if paid.is_err() {
            all.put_back(1, rate_of_all(limits));
        }
        paid.map(|()| GuessCost::One)
    }

    /// Returns the cost of a guess that was right.
    pub(crate) fn refund(&self, limits: &Limits, address: IpAddr, cost: GuessCost) {
        let misses = match cost {
            GuessCost::One => {
                self.all().put_back(1, rate_of_all(limits));
                1
            }
            GuessCost::Whole => limits.code_misses_at_once,
        };
        self.addresses.put_back(address, misses.into(), rate_of_one(limits));
    }

    fn all(&self) -> MutexGuard<'_, Bucket> {
        self.all.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The rate of misses of one address.
const fn rate_of_one(limits: &Limits) -> Rate {
    Rate::per_hour(limits.code_misses_per_hour, limits.code_misses_at_once)
}

/// The rate of misses of all addresses together.
const fn rate_of_all(limits: &Limits) -> Rate {
    let all = limits.all_code_misses_per_hour;
    Rate::per_hour(all, all)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::codes::NUMBER_OF_CODES;

    const MINUTE: u64 = 60_000;
    const MONTH: u64 = 30 * 24 * 60 * MINUTE;

    /// The codes that are open on a large server.
    const OPEN_CODES: f64 = 10_000.0;

    fn address(number: u32) -> IpAddr {
        IpAddr::V4((0x0a00_0000 + number).into())
    }

    fn guesses() -> CodeGuesses {
        CodeGuesses::new(&Limits::default(), 0)
    }

    /// The codes that this many addresses find in a month if they guess as fast as they may.
    fn found_in_a_month(addresses: u32) -> f64 {
        let (guesses, mut wrong) = (guesses(), 0_u32);
        for now in (0..MONTH).step_by(usize::try_from(10 * MINUTE).unwrap()) {
            for number in 0..addresses {
                while guesses.pay(&Limits::default(), address(number), now).is_ok() {
                    wrong += 1;
                }
            }
        }
        assert!(wrong > addresses, "some guesses are allowed");
        f64::from(wrong) * OPEN_CODES / NUMBER_OF_CODES
    }

    #[test]
    fn in_a_month_one_address_finds_no_table() {
        let found = found_in_a_month(1);
        assert!(found < 0.001, "{found}");
    }

    #[test]
    fn in_a_month_a_thousand_addresses_find_less_than_one_table() {
        let found = found_in_a_month(1_000);
        assert!((0.1..1.0).contains(&found), "{found}");
    }

    #[test]
    fn in_a_month_five_thousand_addresses_find_less_than_two_tables() {
        let found = found_in_a_month(5_000);
        assert!((0.1..2.0).contains(&found), "{found}");
    }

    #[test]
    fn right_codes_cost_nothing() {
        let guesses = guesses();
        for _ in 0..1_000 {
            let cost = guesses.pay(&Limits::default(), address(1), 0).unwrap();
            assert_eq!(cost, GuessCost::One);
            guesses.refund(&Limits::default(), address(1), cost);
        }
    }

    #[test]
    fn an_address_that_misses_too_often_must_wait_and_others_need_not() {
        let guesses = guesses();
        let most = Limits::default().code_misses_at_once;
        for _ in 0..most {
            guesses.pay(&Limits::default(), address(1), 0).unwrap();
        }
        let wait = guesses.pay(&Limits::default(), address(1), 0).unwrap_err();
        assert_eq!(wait.seconds(), 600);
        assert!(guesses.pay(&Limits::default(), address(2), 0).is_ok());
        assert!(guesses.pay(&Limits::default(), address(1), 10 * MINUTE).is_ok());
    }

    #[test]
    fn many_addresses_together_do_not_lock_out_others() {
        let guesses = guesses();
        let mut missed = 0;
        for number in 0..10_000 {
            missed += u32::from(
                guesses.pay(&Limits::default(), address(number), 0) == Ok(GuessCost::One),
            );
        }
        assert_eq!(missed, Limits::default().all_code_misses_per_hour);
        let newcomer = address(1_000_000);
        for _ in 0..3 {
            let cost = guesses.pay(&Limits::default(), newcomer, 0).unwrap();
            assert_eq!(cost, GuessCost::Whole);
            guesses.refund(&Limits::default(), newcomer, cost);
        }
        assert!(
            guesses.pay(&Limits::default(), address(1), 0).is_err(),
            "this one has missed before"
        );
        assert_eq!(guesses.pay(&Limits::default(), newcomer, 0), Ok(GuessCost::Whole));
        assert!(
            guesses.pay(&Limits::default(), newcomer, 0).is_err(),
            "one miss costs the whole budget"
        );
    }
    /// The misses of these addresses, if each tries one code.
    fn misses(guesses: &CodeGuesses, addresses: impl Iterator<Item = IpAddr>) -> usize {
        let limits = Limits::default();
        addresses.filter(|address| guesses.pay(&limits, *address, 0).is_ok()).count()
    }

    /// As many addresses as are remembered, and one more.
    fn too_many_to_remember() -> std::ops::Range<u32> {
        0..Limits::default().addresses + 1
    }

    #[test]
    fn more_addresses_than_are_remembered_lock_nobody_out() {
        let guesses = guesses();
        let tried = misses(&guesses, too_many_to_remember().map(address));
        assert_eq!(tried, too_many_to_remember().len(), "each of them may try once");
        for newcomer in (1_000_000..1_000_100).map(address) {
            let cost = guesses.pay(&Limits::default(), newcomer, 0).unwrap();
            guesses.refund(&Limits::default(), newcomer, cost);
        }
        let again = misses(&guesses, too_many_to_remember().rev().take(90_000).map(address));
        assert_eq!(again, 0, "who has missed is remembered");
    }

    #[test]
    fn the_networks_of_an_ipv6_site_are_no_crowd() {
        let guesses = guesses();
        let network = |number: u32| {
            let [high, low] =
                [number >> 16, number & 0xffff].map(|part| u16::try_from(part).unwrap());
            IpAddr::from([0x2001, 0xdb8, high, low, 0, 0, 0, 1])
        };
        let tried = misses(&guesses, too_many_to_remember().map(network));
        assert_eq!(tried, 2 * 16 * 10, "these are two sites, each with the misses of 16 addresses");
        let newcomer = address(1);
        assert_eq!(guesses.pay(&Limits::default(), newcomer, 0), Ok(GuessCost::One));
    }
}
