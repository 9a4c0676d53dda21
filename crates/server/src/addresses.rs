//! How many connections each address has.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::buckets::household;

/// How many connections each address has, and how many there are in all.
#[derive(Clone, Debug, Default)]
pub(crate) struct Addresses(Arc<Mutex<Counts>>);

#[derive(Debug, Default)]
struct Counts {
    all: u32,
    each: HashMap<IpAddr, u32>,
}

/// How many connections there may be.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Most {
    pub(crate) all: u32,
    pub(crate) each: u32,
}

/// A connection that is counted as long as this lives.
#[derive(Debug)]
pub(crate) struct Entered {
    addresses: Addresses,
    address: IpAddr,
}

impl Addresses {
    /// Counts one more connection, or names the limit that stands against it.
    pub(crate) fn enter(&self, address: IpAddr, most: Most) -> Result<Entered, &'static str> {
        let mut counts = self.lock();
        if counts.all >= most.all {
            return Err("connections");
        }
        let address = household(address);
        let count = counts.each.get(&address).copied().unwrap_or_default();
        if count >= most.each {
            return Err("connections_per_address");
        }
        counts.each.insert(address, count + 1);
        counts.all += 1;
        Ok(Entered { addresses: self.clone(), address })
    }

    fn lock(&self) -> MutexGuard<'_, Counts> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Entered {
    /// What stands for the household that it comes from.
    pub(crate) const fn household(&self) -> IpAddr {
        self.address
    }
}

impl Drop for Entered {
    fn drop(&mut self) {
        let mut counts = self.addresses.lock();
        counts.all = counts.all.saturating_sub(1);
        if let Some(count) = counts.each.get_mut(&self.address) {
            *count = count.saturating_sub(1);
            if *count == 0 {
                counts.each.remove(&self.address);
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
        let enter = |last: u8| addresses.enter([10, 0, 0, last].into(), Most { all: 3, each: 2 });
        let (first, second) = (enter(1).unwrap(), enter(1).unwrap());
        assert_eq!(enter(1).unwrap_err(), "connections_per_address");
        let third = enter(2).unwrap();
        assert_eq!(enter(3).unwrap_err(), "connections");
        drop(first);
        let fourth = enter(3).unwrap();
        drop((second, third, fourth));
        assert!(addresses.lock().each.is_empty(), "nobody is remembered for nothing");
    }
}
