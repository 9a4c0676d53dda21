//! A NATS server of a cluster.

use std::fs;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use anyhow::{Context, bail};
use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::process::{Child, Command};
use tokio::time::{Instant, sleep, timeout};

/// A NATS server of a cluster, which can be killed and started again.
#[derive(Debug)]
pub(crate) struct NatsProcess {
    program: PathBuf,
    config: PathBuf,
    log: PathBuf,
    pub(crate) name: String,
    pub(crate) ports: NatsPorts,
    child: Option<Child>,
}

/// The ports of a NATS server, all on this machine.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NatsPorts {
    client: u16,
    route: u16,
    monitor: u16,
}

/// The time limit for a cluster to elect its leaders.
const TIMEOUT: Duration = Duration::from_mins(1);

impl NatsPorts {
    /// Ports that are free now, for this number of servers.
    pub(crate) fn free(servers: usize) -> anyhow::Result<Vec<Self>> {
        // All are open at the same time, so that they differ.
        let listener = |_| std::net::TcpListener::bind((Ipv4Addr::LOCALHOST, 0));
        let listeners = (0..3 * servers).map(listener).collect::<Result<Vec<_>, _>>()?;
        let port = |listener: &std::net::TcpListener| Ok(listener.local_addr()?.port());
        let ports = listeners.iter().map(port).collect::<Result<Vec<u16>, std::io::Error>>()?;
        let three = |ports: &[u16]| Self { client: ports[0], route: ports[1], monitor: ports[2] };
        Ok(ports.chunks(3).map(three).collect())
    }

    pub(crate) const fn client(self) -> SocketAddr {
        local(self.client)
    }

    pub(crate) const fn monitor(self) -> SocketAddr {
        local(self.monitor)
    }
}

const fn local(port: u16) -> SocketAddr {
    SocketAddr::new(std::net::IpAddr::V4(Ipv4Addr::LOCALHOST), port)
}

impl NatsProcess {
    /// Writes the configuration of a server of a cluster.
    pub(crate) fn new(
        program: &Path,
        folder: &Path,
        number: usize,
        all: &[NatsPorts],
    ) -> anyhow::Result<Self> {
        let (name, ports) = (format!("nats-{}", number + 1), all[number]);
        let folder = folder.join(&name);
        fs::create_dir_all(&folder)?;
        let routes: Vec<_> =
            all.iter().map(|ports| format!("nats://{}", local(ports.route))).collect();
        let text = format!(
            "server_name: {name}\nlisten: \"{}\"\nhttp: \"{}\"\n\
             jetstream {{ store_dir: \"{}\", sync_interval: always }}\n\
             cluster {{ name: cradle, listen: \"{}\", routes: {}, no_advertise: true }}\n",
            ports.client(),
            ports.monitor(),
            folder.display(),
            local(ports.route),
            serde_json::to_string(&routes)?,
        );
        let (config, log) = (folder.join("nats.conf"), folder.join("log"));
        fs::write(&config, text)?;
        Ok(Self { program: program.to_owned(), config, log, name, ports, child: None })
    }

    /// Starts the server. It may take a while until it accepts connections.
    pub(crate) fn start(&mut self) -> anyhow::Result<()> {
        let log = fs::File::options().create(true).append(true).open(&self.log)?;
        let mut command = Command::new(&self.program);
        command.arg("-c").arg(&self.config).stdin(Stdio::null()).kill_on_drop(true);
        command.stdout(Stdio::null()).stderr(log);
        let child = command.spawn();
        let child =
            child.with_context(|| format!("{} cannot be launched", self.program.display()))?;
        self.child = Some(child);
        Ok(())
    }

    /// Kills the server, as a power cut would.
    pub(crate) async fn kill(&mut self) -> anyhow::Result<()> {
        let child = self.child.take();
        Ok(child.context("the NATS server is not running")?.kill().await?)
    }

    /// The number of its process in the system.
    pub(crate) fn pid(&self) -> anyhow::Result<u32> {
        let child = self.child.as_ref().and_then(Child::id);
        child.context("the NATS server is not running")
    }

    /// The number of messages that it has received and sent.
    pub(crate) async fn messages(&self) -> anyhow::Result<u64> {
        let state = self.monitor("/varz").await?;
        let number = |name: &str| state[name].as_u64().with_context(|| format!("no {name}"));
        Ok(number("in_msgs")? + number("out_msgs")?)
    }

    /// Whether it has everything that its cluster has.
    pub(crate) async fn is_current(&self) -> bool {
        self.monitor("/healthz").await.is_ok_and(|state| state["status"] == "ok")
    }

    /// What the server says at its monitoring address.
    async fn monitor(&self, path: &str) -> anyhow::Result<Value> {
        let asking = async {
            let mut socket = TcpStream::connect(self.ports.monitor()).await?;
            // With HTTP/1.0 the answer ends with the connection.
            socket.write_all(format!("GET {path} HTTP/1.0\r\n\r\n").as_bytes()).await?;
            let mut answer = String::new();
            socket.read_to_string(&mut answer).await?;
            Ok::<_, std::io::Error>(answer)
        };
        let answer = timeout(Duration::from_secs(2), asking).await??;
        let (_, body) = answer.split_once("\r\n\r\n").context("the answer is not HTTP")?;
        Ok(serde_json::from_str(body)?)
    }

    /// Waits until the cluster has a leader for its streams, as this server sees it.
    pub(crate) async fn wait_for_leader(&self) -> anyhow::Result<()> {
        let end = Instant::now() + TIMEOUT;
        while Instant::now() < end {
            if let Ok(state) = self.monitor("/jsz").await
                && state["meta_cluster"]["leader"].as_str().is_some_and(|name| !name.is_empty())
                && state["meta_cluster"]["cluster_size"].as_u64() >= Some(3)
            {
                return Ok(());
            }
            sleep(Duration::from_millis(50)).await;
        }
        bail!("the NATS servers elect no leader")
    }

    /// The name of the server that leads the stream of logs, as this server sees it.
    pub(crate) async fn leader_of_logs(&self) -> anyhow::Result<String> {
        let state = self.monitor("/jsz?streams=true").await?;
        let streams = state["account_details"][0]["stream_detail"].as_array();
        let logs = streams.into_iter().flatten().find(|stream| stream["name"] == "cradle_logs");
        let leader = logs.and_then(|logs| logs["cluster"]["leader"].as_str());
        Ok(leader.context("the stream of logs has no leader")?.to_owned())
    }
}
