//! Players who play at a steady pace and do no harm.

use std::net::{Ipv4Addr, SocketAddr};
use std::time::Duration;

use futures_util::future::try_join_all;
use tokio::time::Instant;

use crate::client_route::ClientRoute;
use crate::http;
use crate::latencies::{Latencies, Summary};
use crate::load::{Pace, PlayerPair};

/// The address of the players.
const ADDRESS: Ipv4Addr = Ipv4Addr::new(127, 0, 0, 3);

/// The number of their tables.
pub(super) const TABLES: u32 = 8;

/// The moves per second at each table: half of what the default limits allow one connection.
const MOVES_PER_SECOND: f64 = 20.0;

/// Players who play at a steady pace and do no harm.
#[derive(Debug)]
pub(super) struct HonestPlayers(Vec<PlayerPair>);

impl HonestPlayers {
    /// Seats all players.
    pub(super) async fn seat(server: SocketAddr) -> anyhow::Result<Self> {
        let route = ClientRoute::from_address(server, ADDRESS);
        let mut pairs = Vec::new();
        for number in 0..TABLES as usize {
            let table = http::create_table(route).await?;
            pairs.push(PlayerPair::at_table(route, number, &table).await?);
        }
        Ok(Self(pairs))
    }

    /// Lets all players play for a while; returns how long their moves took.
    pub(super) async fn play(self, time: Duration) -> anyhow::Result<(Self, Summary)> {
        let end = Instant::now() + time;
        let playing = (0..).zip(self.0).map(|(number, pair)| {
            pair.play(end, Some(Pace::new(MOVES_PER_SECOND, number, TABLES)))
        });
        let (mut latencies, mut pairs) = (Latencies::default(), Vec::new());
        for (pair, each) in try_join_all(playing).await? {
            latencies.append(each);
            pairs.push(pair);
        }
        Ok((Self(pairs), latencies.summary()))
    }
}
