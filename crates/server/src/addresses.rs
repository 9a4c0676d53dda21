//! How many connections each address has.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Mutex, PoisonError};

use crate::buckets::household;
use crate::limits::Limits;

/// How many connections each address has, and how many there are in all.
#[derive(Debug, Default)]
pub(crate) struct Addresses(Mutex<Counts>);

#[derive(Debug, Default)]
struct Counts {
    all: u32,
    each: HashMap<IpAddr, u32>,
}

impl Addresses {
    /// Counts one more connection, or names the limit that stands against it.
    pub(crate) fn enter(&self, address: IpAddr, limits: &Limits) -> Result<(), &'static str> {
        let mut counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if counts.all >= limits.connections {
            return Err("connections");
        }
        let count = counts.each.entry(household(address)).or_default();
        if *count >= limits.connections_per_address {
            return Err("connections_per_address");
        }
        *count += 1;
        counts.all += 1;
        Ok(())
    }

    pub(crate) fn leave(&self, address: IpAddr) {
        let mut counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        counts.all = counts.all.saturating_sub(1);
        let address = household(address);
        if let Some(count) = counts.each.get_mut(&address) {
            *count = count.saturating_sub(1);
            if *count == 0 {
                counts.each.remove(&address);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neither_one_address_nor_all_together_have_more_than_they_may() {
        let addresses = Addresses::default();
        let limits = Limits { connections: 3, connections_per_address: 2, ..Limits::default() };
        let enter = |last: u8| addresses.enter([10, 0, 0, last].into(), &limits);
        assert_eq!([enter(1), enter(1)], [Ok(()), Ok(())]);
        assert_eq!(enter(1), Err("connections_per_address"));
        assert_eq!([enter(2), enter(3)], [Ok(()), Err("connections")]);
        addresses.leave([10, 0, 0, 1].into());
        assert_eq!(enter(3), Ok(()));
        for last in [1, 2, 3] {
            addresses.leave([10, 0, 0, last].into());
        }
        assert!(addresses.0.lock().unwrap().each.is_empty(), "nobody is remembered for nothing");
    }
}
