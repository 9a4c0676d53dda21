//! HAProxy in front of the servers, with the settings that operators are given.

use std::net::SocketAddr;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use anyhow::{Context, bail};
use tokio::process::{Child, Command};
use tokio::time::{Instant, sleep};

use super::server_cluster::free_address;
use crate::http;

/// The settings that operators are given.
const SETTINGS: &str = include_str!("../../../../packaging/haproxy.cfg");

/// The time limit for HAProxy to find a server that is ready.
const TIMEOUT: Duration = Duration::from_secs(10);

/// HAProxy as a process, which ends with its owner.
#[derive(Debug)]
pub(crate) struct HaProxy {
    pub(crate) address: SocketAddr,
    _child: Child,
}

impl HaProxy {
    /// Starts it in front of these servers, at an address or at any free port, and waits until it passes requests on.
    pub(crate) async fn start(
        program: &Path,
        folder: &Path,
        address: SocketAddr,
        servers: &[SocketAddr],
    ) -> anyhow::Result<Self> {
        let address = if address.port() == 0 { free_address()? } else { address };
        let settings = folder.join("haproxy.cfg");
        std::fs::write(&settings, SETTINGS)?;
        let log = std::fs::File::create(folder.join("haproxy.log"))?;
        let mut command = Command::new(program);
        command.arg("-db").arg("-f").arg(settings).env("CRADLE_LISTEN", address.to_string());
        for (number, server) in (1..).zip(servers) {
            command.env(format!("CRADLE_NODE_{number}"), server.to_string());
        }
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(log).kill_on_drop(true);
        let child = command.spawn();
        let child = child.with_context(|| format!("{} cannot be launched", program.display()))?;
        let end = Instant::now() + TIMEOUT;
        while !http::get(address, "/readyz", None).await.is_ok_and(|answer| answer.status == 200) {
            if Instant::now() > end {
                bail!("HAProxy passes no requests on; its log is in {}", folder.display());
            }
            sleep(Duration::from_millis(50)).await;
        }
        Ok(Self { address, _child: child })
    }
}
