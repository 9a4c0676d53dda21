//! Two players who play draws, one after the other.

use std::net::SocketAddr;
use std::time::Duration;

use anyhow::bail;
use tokio::time::{Instant, sleep_until};

use crate::http::NewTable;
use crate::latencies::Latencies;
use crate::socket::Socket;

/// A game that nobody wins.
const DRAW: [&str; 9] = ["a1", "b2", "c3", "b1", "b3", "a3", "c1", "c2", "a2"];

/// Two players at one table, or at none: then a relay sends their frames on.
#[derive(Debug)]
pub(crate) struct Pair {
    sockets: [Socket; 2],
    topic: String,
    opposite: Opposite,
    number: usize,
    counter: u64,
    round: u32,
    ply: u32,
}

/// What is at the other end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Opposite {
    Table,
    Relay,
}

/// When the moves of a table are made.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pace {
    next: Instant,
    every: Duration,
}

impl Pace {
    /// So many moves a second, for one of several tables that begin one after the other.
    pub(crate) fn new(often: f64, number: u32, tables: u32) -> Self {
        let every = Duration::from_secs_f64(1.0 / often.max(0.001));
        Self { next: Instant::now() + every * number / tables, every }
    }

    async fn wait(&mut self) {
        sleep_until(self.next).await;
        self.next += self.every;
    }
}

impl Pair {
    /// Two players who join the channel of their table.
    pub(crate) async fn at_table(
        server: SocketAddr,
        number: usize,
        table: &NewTable,
    ) -> anyhow::Result<Self> {
        let topic = format!("table:{}", table.id);
        let mut sockets = [Socket::connect(server).await?, Socket::connect(server).await?];
        for (socket, token) in sockets.iter_mut().zip(&table.tokens) {
            let hello = format!(r#"["1","1","{topic}","phx_join",{{"token":"{token}"}}]"#);
            socket.send(hello).await?;
            let answer = socket.next().await?;
            if !answer.contains(r#""status":"ok""#) {
                bail!("a player is not welcome: {answer}");
            }
        }
        Ok(Self { sockets, topic, opposite: Opposite::Table, number, counter: 0, round: 1, ply: 0 })
    }

    /// Two who are connected to a relay.
    pub(crate) async fn at_relay(relay: SocketAddr, number: usize) -> anyhow::Result<Self> {
        let mut sockets = [Socket::connect(relay).await?, Socket::connect(relay).await?];
        for socket in &mut sockets {
            socket.send(number.to_string()).await?;
            socket.next().await?;
        }
        let topic = format!("table:{number:022}");
        Ok(Self { sockets, topic, opposite: Opposite::Relay, number, counter: 0, round: 1, ply: 0 })
    }

    /// Plays until a time; gives how long each move took until both knew of it.
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

    /// Sends something for a seat, and waits until it is acknowledged and both know of it.
    async fn exchange(&mut self, seat: usize, frame: &str) -> anyhow::Result<()> {
        self.counter += 1;
        let opposite = self.opposite;
        self.sockets[seat].send(frame).await?;
        let (mut is_acknowledged, mut is_told) = (opposite == Opposite::Relay, false);
        while !(is_acknowledged && is_told) {
            match Heard::of(&self.sockets[seat].next().await?, opposite) {
                Heard::Acknowledged => is_acknowledged = true,
                Heard::Told => is_told = true,
                Heard::Refused(text) => bail!("{frame} was answered with {text}"),
                Heard::Other => {}
            }
        }
        while Heard::of(&self.sockets[1 - seat].next().await?, opposite) != Heard::Told {}
        Ok(())
    }
}

/// What a frame says, as far as it matters here: it is not read, because this program would then be
/// what is measured.
#[derive(Debug, PartialEq, Eq)]
enum Heard {
    Acknowledged,
    Refused(String),
    Told,
    Other,
}

impl Heard {
    fn of(text: &str, opposite: Opposite) -> Self {
        if opposite == Opposite::Relay {
            return Self::Told;
        }
        if !text.starts_with("[null,") {
            let is_fine = text.contains(r#""status":"ok""#);
            return if is_fine { Self::Acknowledged } else { Self::Refused(text.to_owned()) };
        }
        // `[null,null,"table:` and 22 characters come before it.
        if text.get(40..).is_some_and(|rest| rest.starts_with(r#"","entries","#)) {
            Self::Told
        } else {
            Self::Other
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &Heard) {
        assert_eq!(Heard::of(text, Opposite::Table), *expected, "{text}");
    }

    #[test]
    fn frames_are_told_apart_by_how_they_begin() {
        let (topic, refused) =
            ("table:0123456789012345678901", r#"["1","2","t","phx_reply",{"status":"error"}]"#);
        check(&format!(r#"[null,null,"{topic}","entries",{{}}]"#), &Heard::Told);
        check(&format!(r#"[null,null,"{topic}","presence_diff",{{}}]"#), &Heard::Other);
        check(r#"["1","2","t","phx_reply",{"status":"ok"}]"#, &Heard::Acknowledged);
        check(refused, &Heard::Refused(refused.to_owned()));
    }
}
