//! What a socket has received and sent.

use std::net::IpAddr;

use tokio::time::Instant;

use crate::access_log::TARGET;

/// Counts the messages of a socket, and logs them at its end.
#[derive(Debug)]
pub(super) struct SocketTraffic {
    client: IpAddr,
    opened: Instant,
    received: FrameCount,
    sent: FrameCount,
}

#[derive(Clone, Copy, Debug, Default)]
struct FrameCount {
    frames: u64,
    bytes: u64,
}

impl FrameCount {
    fn add(&mut self, bytes: usize) {
        self.frames += 1;
        self.bytes += bytes as u64;
    }
}

impl SocketTraffic {
    /// A socket that is open from now on.
    pub(super) fn opened(client: IpAddr) -> Self {
        tracing::info!(target: TARGET, %client, "socket opened");
        let (received, sent) = (FrameCount::default(), FrameCount::default());
        Self { client, opened: Instant::now(), received, sent }
    }

    /// The address of the client, as limits count it.
    pub(super) const fn client(&self) -> IpAddr {
        self.client
    }

    pub(super) fn received(&mut self, bytes: usize) {
        self.received.add(bytes);
    }

    pub(super) fn sent(&mut self, bytes: usize) {
        self.sent.add(bytes);
    }

    /// Logs that the socket is closed, and why.
    pub(super) fn closed(&self, why: &'static str) {
        let Self { client, opened, received, sent } = self;
        let seconds = opened.elapsed().as_secs();
        tracing::info!(
            target: TARGET, %client, why, seconds,
            frames_received = received.frames, bytes_received = received.bytes,
            frames_sent = sent.frames, bytes_sent = sent.bytes, "socket closed"
        );
    }
}
