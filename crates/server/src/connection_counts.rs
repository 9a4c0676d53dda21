//! Counts connections, in total and by address.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::client_address::{ADDRESSES_OF_SITE, normalized, site_of};

/// The number of open connections, in total and by address.
#[derive(Clone, Debug, Default)]
pub(crate) struct ConnectionCounts(Arc<Mutex<CountsByAddress>>);

#[derive(Debug, Default)]
struct CountsByAddress {
    total: u32,
    by_address: HashMap<IpAddr, u32>,
    by_site: HashMap<IpAddr, u32>,
}

/// The largest numbers of connections.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ConnectionLimits {
    pub(crate) total: u32,
    pub(crate) per_address: u32,
}

/// A connection that is counted as long as this value lives.
#[derive(Debug)]
pub(crate) struct ConnectionSlot {
    counts: ConnectionCounts,
    address: IpAddr,
}

impl ConnectionCounts {
    /// Counts one more connection, or returns the name of the limit that it would exceed.
    pub(crate) fn acquire(
        &self,
        address: IpAddr,
        limits: ConnectionLimits,
    ) -> Result<ConnectionSlot, &'static str> {
        let mut counts = self.lock();
        if counts.total >= limits.total {
            return Err("connections");
        }
        let address = normalized(address);
        let count = counts.by_address.get(&address).copied().unwrap_or_default();
        let site = site_of(address);
        let of_site = site.and_then(|site| counts.by_site.get(&site).copied()).unwrap_or_default();
        let most_of_site = limits.per_address.saturating_mul(ADDRESSES_OF_SITE);
        if count >= limits.per_address || of_site >= most_of_site {
            return Err("connections_per_address");
        }
        counts.by_address.insert(address, count + 1);
        if let Some(site) = site {
            counts.by_site.insert(site, of_site + 1);
        }
        counts.total += 1;
        Ok(ConnectionSlot { counts: self.clone(), address })
    }

    fn lock(&self) -> MutexGuard<'_, CountsByAddress> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl ConnectionSlot {
    /// The address of the client, as it is counted.
    pub(crate) const fn address(&self) -> IpAddr {
        self.address
    }
}

impl Drop for ConnectionSlot {
    fn drop(&mut self) {
        let mut counts = self.counts.lock();
        counts.total = counts.total.saturating_sub(1);
        count_down(&mut counts.by_address, self.address);
        if let Some(site) = site_of(self.address) {
            count_down(&mut counts.by_site, site);
        }
    }
}

fn count_down(counts: &mut HashMap<IpAddr, u32>, address: IpAddr) {
    let Some(count) = counts.get_mut(&address) else { return };
    *count = count.saturating_sub(1);
    if *count == 0 {
        counts.remove(&address);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_limits_hold_and_closed_connections_are_forgotten() {
        let counts = ConnectionCounts::default();
        let limits = ConnectionLimits { total: 3, per_address: 2 };
        let acquire = |last: u8| counts.acquire([10, 0, 0, last].into(), limits);
        let (first, second) = (acquire(1).unwrap(), acquire(1).unwrap());
        assert_eq!(acquire(1).unwrap_err(), "connections_per_address");
        let third = acquire(2).unwrap();
        assert_eq!(acquire(3).unwrap_err(), "connections");
        drop(first);
        let fourth = acquire(3).unwrap();
        drop((second, third, fourth));
        assert!(counts.lock().by_address.is_empty(), "no address is remembered for nothing");
    }

    #[test]
    fn the_networks_of_one_site_have_a_limit_together() {
        let counts = ConnectionCounts::default();
        let limits = ConnectionLimits { total: u32::MAX, per_address: 1 };
        let acquire = |site: u16, network: u16| {
            counts.acquire([0x2001, 0xdb8, site, network, 0, 0, 0, 1].into(), limits)
        };
        let mut slots: Vec<_> = (0..16).map(|network| acquire(1, network).unwrap()).collect();
        assert_eq!(acquire(1, 16).unwrap_err(), "connections_per_address");
        slots.push(acquire(2, 0).unwrap());
        slots.remove(0);
        slots.push(acquire(1, 16).unwrap());
        drop(slots);
        assert!(counts.lock().by_site.is_empty());
    }
}
