//! Two players who play one draw after the other.

use std::net::SocketAddr;
use std::time::Duration;

use anyhow::bail;
use tokio::time::{Instant, sleep_until};

use crate::client_route::ClientRoute;
use crate::http::NewTable;
use crate::latencies::Latencies;
use crate::socket::ClientSocket;

/// The moves of a drawn game.
const DRAW: [&str; 9] = ["a1", "b2", "c3", "b1", "b3", "a3", "c1", "c2", "a2"];

/// Two players at a table, or at a relay that forwards their frames.
#[derive(Debug)]
pub(crate) struct PlayerPair {
    sockets: [ClientSocket; 2],
    topic: String,
    peer: Peer,
    number: usize,
    counter: u64,
    round: u32,
    ply: u32,
}

/// The other end of the connections.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Peer {
    Table,
    Relay,
}

/// The times of the moves at a table.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pace {
    next: Instant,
    every: Duration,
}

impl Pace {
    /// A rate of moves per second for one of several tables, which begin one after the other.
    pub(crate) fn new(per_second: f64, number: u32, tables: u32) -> Self {
        let every = Duration::from_secs_f64(1.0 / per_second.max(0.001));
        Self { next: Instant::now() + every * number / tables, every }
    }

    /// Waits until the next move is due.
    pub(crate) async fn wait(&mut self) {
        sleep_until(self.next).await;
        self.next += self.every;
    }
}

impl PlayerPair {
    /// Two players who have joined the channel of their table.
    pub(crate) async fn at_table(
        route: impl Into<ClientRoute>,
        number: usize,
        table: &NewTable,
    ) -> anyhow::Result<Self> {
        let route = route.into();
        Self::apart([route, route], number, table).await
    }

    /// The same, each at a server of its own.
    pub(crate) async fn apart(
        [first, second]: [ClientRoute; 2],
        number: usize,
        table: &NewTable,
    ) -> anyhow::Result<Self> {
        let topic = format!("table:{}", table.id);
        let mut sockets =
            [ClientSocket::connect(first).await?, ClientSocket::connect(second).await?];
        for (socket, token) in sockets.iter_mut().zip(&table.tokens) {
            let hello = format!(r#"["1","1","{topic}","phx_join",{{"token":"{token}"}}]"#);
            socket.send(hello).await?;
            let answer = socket.next().await?;
            if !answer.contains(r#""status":"ok""#) {
                bail!("the join of a player was refused: {answer}");
            }
        }
        Ok(Self { sockets, topic, peer: Peer::Table, number, counter: 0, round: 1, ply: 0 })
    }

    /// Two players at a relay.
    pub(crate) async fn at_relay(relay: SocketAddr, number: usize) -> anyhow::Result<Self> {
        let mut sockets =
            [ClientSocket::connect(relay).await?, ClientSocket::connect(relay).await?];
        for socket in &mut sockets {
            socket.send(number.to_string()).await?;
            socket.next().await?;
        }
        let topic = format!("table:{number:022}");
        Ok(Self { sockets, topic, peer: Peer::Relay, number, counter: 0, round: 1, ply: 0 })
    }

    /// Plays until a time; returns how long each move took until both players had its entry.
    pub(crate) async fn play(
        mut self,
        end: Instant,
        mut pace: Option<Pace>,
    ) -> anyhow::Result<(Self, Latencies)> {
        let mut latencies = Latencies::default();
        loop {
            if let Some(pace) = &mut pace {
                pace.wait().await;
            }
            if Instant::now() >= end {
                return Ok((self, latencies));
            }
            if self.ply as usize == DRAW.len() {
                self.exchange(0, &self.action("next_round", "")).await?;
                (self.round, self.ply) = (self.round + 1, 0);
            }
            let chosen = format!(r#","move":"{}""#, DRAW[self.ply as usize]);
            let frame = self.action("play", &chosen);
            let sent = Instant::now();
            self.exchange(self.ply as usize % 2, &frame).await?;
            latencies.push(sent.elapsed());
            self.ply += 1;
        }
    }

    fn action(&self, kind: &str, rest: &str) -> String {
        let Self { topic, number, counter, round, ply, .. } = self;
        format!(
            r#"["1","{counter}","{topic}","act",{{"id":"load{number}:{counter}","action":"{kind}","round":{round},"ply":{ply}{rest}}}]"#
        )
    }

    /// Sends a frame for a seat, and waits until it is acknowledged and both players have the entry.
    async fn exchange(&mut self, seat: usize, frame: &str) -> anyhow::Result<()> {
        self.counter += 1;
        let peer = self.peer;
        self.sockets[seat].send(frame).await?;
        let (mut is_acknowledged, mut is_received) = (peer == Peer::Relay, false);
        while !(is_acknowledged && is_received) {
            match FrameKind::of(&self.sockets[seat].next().await?, peer) {
                FrameKind::Acknowledged => is_acknowledged = true,
                FrameKind::Entries => is_received = true,
                FrameKind::Refused(text) => bail!("{frame} was answered with {text}"),
                FrameKind::Other => {}
            }
        }
        while FrameKind::of(&self.sockets[1 - seat].next().await?, peer) != FrameKind::Entries {}
        Ok(())
    }
}

/// The kind of a frame, by its first bytes: parsing frames would slow this program down and distort the
/// measurement.
#[derive(Debug, PartialEq, Eq)]
enum FrameKind {
    Acknowledged,
    Refused(String),
    Entries,
    Other,
}

impl FrameKind {
    fn of(text: &str, peer: Peer) -> Self {
        if peer == Peer::Relay {
            return Self::Entries;
        }
        if !text.starts_with("[null,") {
            let is_ok = text.contains(r#""status":"ok""#);
            return if is_ok { Self::Acknowledged } else { Self::Refused(text.to_owned()) };
        }
        // The event comes after `[null,null,"table:` and 22 characters.
        if text.get(40..).is_some_and(|rest| rest.starts_with(r#"","entries","#)) {
            Self::Entries
        } else {
            Self::Other
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &FrameKind) {
        assert_eq!(FrameKind::of(text, Peer::Table), *expected, "{text}");
    }

    #[test]
    fn the_first_bytes_tell_the_kind_of_a_frame() {
        let (topic, refused) =
            ("table:0123456789012345678901", r#"["1","2","t","phx_reply",{"status":"error"}]"#);
        check(&format!(r#"[null,null,"{topic}","entries",{{}}]"#), &FrameKind::Entries);
        check(&format!(r#"[null,null,"{topic}","presence_diff",{{}}]"#), &FrameKind::Other);
        check(r#"["1","2","t","phx_reply",{"status":"ok"}]"#, &FrameKind::Acknowledged);
        check(refused, &FrameKind::Refused(refused.to_owned()));
    }
}
