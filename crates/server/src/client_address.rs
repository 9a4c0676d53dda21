//! The address of a client.

use std::convert::Infallible;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::Arc;

use axum::extract::{ConnectInfo, FromRequestParts};
use axum::http::request::Parts;

use crate::app::App;

/// The address of the client that sends a request. Behind a proxy it is the last address in
/// `X-Forwarded-For`, which the nearest proxy wrote; a client can make up those before it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ClientAddress(pub(crate) IpAddr);

impl FromRequestParts<Arc<App>> for ClientAddress {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, Infallible> {
        let direct = parts.extensions.get::<ConnectInfo<SocketAddr>>();
        let direct = direct.map_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED), |info| info.0.ip());
        let forwarded = || {
            let header = parts.headers.get_all("x-forwarded-for").iter().next_back()?;
            header.to_str().ok()?.rsplit(',').next()?.trim().parse().ok()
        };
        Ok(Self(if app.is_behind_proxy { forwarded().unwrap_or(direct) } else { direct }))
    }
}

/// The address as limits count it: one customer of an IPv6 provider has a whole network of 64 bits, so
/// all its addresses count as one.
pub(crate) fn normalized(address: IpAddr) -> IpAddr {
    network_of(address, 64).unwrap_or_else(|| address.to_canonical())
}

/// As much as a site of IPv6 may do, in addresses. Some providers give a customer as many networks of 64 bits
/// as a site has, and others give one to each of thousands of phones.
pub(crate) const ADDRESSES_OF_SITE: u32 = 16;

/// The site of an IPv6 address: its network of 48 bits. IPv4 has none.
pub(crate) fn site_of(address: IpAddr) -> Option<IpAddr> {
    network_of(address, 48)
}

/// The first address of an IPv6 address's network; none for IPv4.
fn network_of(address: IpAddr, bits: u32) -> Option<IpAddr> {
    let IpAddr::V6(address) = address.to_canonical() else { return None };
    let rest = u128::BITS - bits;
    Some(IpAddr::V6((u128::from(address) >> rest << rest).into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(address: &str, normal: &str, site: Option<&str>) {
        let parsed = |text: &str| text.parse::<IpAddr>().unwrap();
        assert_eq!(normalized(parsed(address)), parsed(normal));
        assert_eq!(site_of(parsed(address)), site.map(parsed));
    }

    #[test]
    fn ipv6_counts_by_network_and_site_and_ipv4_by_address() {
        check("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::", Some("2001:db8:1::"));
        check("2001:db8:1:3::1", "2001:db8:1:3::", Some("2001:db8:1::"));
        check("10.0.0.1", "10.0.0.1", None);
        check("::ffff:10.0.0.1", "10.0.0.1", None);
    }
}
