//! Three NATS servers, three servers of Cat's Cradle, and a balancer.

use std::net::{Ipv4Addr, SocketAddr};
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, bail};
use tokio::time::{Instant, sleep};

use super::balancer::{Balancer, Traffic};
use super::nats_process::{NatsPorts, NatsProcess};
use crate::http;
use crate::process::{Launch, Process};

/// The number of servers of each kind.
pub(crate) const SIZE: usize = 3;

/// The time limit for a server to be ready.
const TIMEOUT: Duration = Duration::from_secs(30);

/// How long a server drains when it is stopped, in milliseconds: as long as the balancer takes to notice.
const DRAIN: u32 = 600;

/// The flag with the kinds of entries that a server does not write yet.
const HOLD: &str = "--nats-hold";

/// Three NATS servers, three servers of Cat's Cradle, and a balancer in front of these.
#[derive(Debug)]
pub(crate) struct ServerCluster {
    pub(crate) nats: Vec<NatsProcess>,
    nodes: Vec<ClusterNode>,
    pub(crate) balancer: Balancer,
}

/// A server of Cat's Cradle.
#[derive(Debug)]
struct ClusterNode {
    address: SocketAddr,
    launch: Launch,
    process: Option<Process>,
    /// What it reaches NATS through, if it can be cut off.
    to_nats: Option<Balancer>,
}

/// How servers of Cat's Cradle reach NATS.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NatsRoute {
    /// Directly, as in production.
    Direct,
    /// Each through a balancer of its own, so that it can be cut off.
    Severable,
}

impl ServerCluster {
    /// Starts everything, with the balancer on this address.
    pub(crate) async fn start(
        (server, nats): (&Path, &Path),
        folder: &Path,
        listen: SocketAddr,
        route: NatsRoute,
    ) -> anyhow::Result<Self> {
        let ports = NatsPorts::free(SIZE)?;
        let processes = (0..SIZE).map(|number| NatsProcess::new(nats, folder, number, &ports));
        let mut processes = processes.collect::<Result<Vec<_>, _>>()?;
        processes.iter_mut().try_for_each(NatsProcess::start)?;
        processes[0].wait_for_leader().await?;
        let balancer = Balancer::start(listen, vec![None; SIZE]).await?.with_health_checks();
        let mut cluster = Self { nats: processes, nodes: Vec::new(), balancer };
        for number in 0..SIZE {
            let node = cluster.new_node(server, folder, number, route).await?;
            cluster.nodes.push(node);
            cluster.start_node(number).await?;
        }
        Ok(cluster)
    }

    async fn new_node(
        &self,
        server: &Path,
        folder: &Path,
        number: usize,
        route: NatsRoute,
    ) -> anyhow::Result<ClusterNode> {
        let local = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
        let servers: Vec<_> = self.nats.iter().map(|nats| nats.ports.client()).collect();
        let to_nats = match route {
            NatsRoute::Direct => None,
            NatsRoute::Severable => {
                Some(Balancer::start(local, servers.iter().copied().map(Some).collect()).await?)
            }
        };
        let entrance = to_nats.as_ref().map(|balancer| balancer.address.to_string());
        let all = || servers.iter().map(ToString::to_string).collect::<Vec<_>>().join(",");
        let journal = format!("nats://{}", entrance.unwrap_or_else(all));
        let data = folder.join(format!("node-{}", number + 1));
        let address = free_address()?;
        let launch = Launch::server(server, &journal, &data).listening(address);
        let mut launch = launch.with_limit("drain", DRAIN);
        launch.log = Some(folder.join(format!("node-{}.log", number + 1)));
        let monitors: Vec<_> =
            self.nats.iter().map(|nats| nats.ports.monitor().to_string()).collect();
        launch.arguments.extend(["--nats-monitors".to_owned(), monitors.join(",")]);
        Ok(ClusterNode { address, launch, process: None, to_nats })
    }

    /// Starts a server of Cat's Cradle and waits until it is ready.
    pub(crate) async fn start_node(&mut self, number: usize) -> anyhow::Result<()> {
        let end = Instant::now() + TIMEOUT;
        // A server that finds no leader ends; its supervisor would start it again.
        let process = loop {
            match self.nodes[number].launch.launch().await {
                Ok(process) => break process,
                Err(error) if Instant::now() > end => return Err(error),
                Err(_) => sleep(Duration::from_millis(200)).await,
            }
        };
        let address = process.address;
        loop {
            let answer = http::get(address, "/readyz", None).await;
            match answer {
                Ok(answer) if answer.status == 200 => break,
                Err(error) if Instant::now() > end => return Err(error),
                Ok(_) if Instant::now() > end => bail!("a server does not become ready"),
                _ => sleep(Duration::from_millis(50)).await,
            }
        }
        self.nodes[number].process = Some(process);
        self.balancer.set_server(number, address);
        Ok(())
    }

    /// Kills a server of Cat's Cradle. The balancer notices it when it connects.
    pub(crate) async fn kill_node(&mut self, number: usize) -> anyhow::Result<()> {
        self.take_node(number)?.kill().await
    }

    /// The addresses of the servers of Cat's Cradle, which they keep when they are started again.
    pub(crate) fn addresses(&self) -> Vec<SocketAddr> {
        self.nodes.iter().map(|node| node.address).collect()
    }

    /// Replaces a server of Cat's Cradle by another program, as operators do: it drains and stops, and the
    /// other one starts, which does not write entries of the kinds to hold.
    pub(crate) async fn upgrade_node(
        &mut self,
        number: usize,
        program: &Path,
        held: &str,
    ) -> anyhow::Result<()> {
        let before = self.take_node(number)?;
        before.terminate().await?;
        let launch = &mut self.nodes[number].launch;
        program.clone_into(&mut launch.program);
        if let Some(place) = launch.arguments.iter().position(|argument| argument == HOLD) {
            drop(launch.arguments.drain(place..place + 2));
        }
        if !held.is_empty() {
            launch.arguments.extend([HOLD.to_owned(), held.to_owned()]);
        }
        self.start_node(number).await
    }

    fn take_node(&mut self, number: usize) -> anyhow::Result<Process> {
        self.nodes[number].process.take().context("the server is not running")
    }

    /// A line for each process, with its number in the system.
    pub(crate) fn processes(&self) -> anyhow::Result<Vec<String>> {
        let nats = self.nats.iter().map(|nats| {
            let (name, pid, ports) = (&nats.name, nats.pid()?, nats.ports);
            let (client, monitor) = (ports.client(), ports.monitor());
            Ok(format!("{name}: process {pid} at nats://{client}, monitored at http://{monitor}"))
        });
        let nodes = (0..self.nodes.len()).map(|number| {
            let node = self.node(number)?;
            Ok(format!("node-{}: process {} at http://{}", number + 1, node.id(), node.address))
        });
        nats.chain(nodes).collect()
    }

    /// A server of Cat's Cradle that runs.
    pub(crate) fn node(&self, number: usize) -> anyhow::Result<&Process> {
        self.nodes[number].process.as_ref().context("the server is not running")
    }

    /// Lets this traffic pass between a server of Cat's Cradle and NATS.
    pub(crate) fn allow(&self, number: usize, traffic: Traffic) {
        if let Some(to_nats) = &self.nodes[number].to_nats {
            to_nats.allow(traffic);
        }
    }

    /// The number of the NATS server that leads the stream of logs.
    pub(crate) async fn leader(&self) -> anyhow::Result<usize> {
        let end = Instant::now() + TIMEOUT;
        loop {
            for nats in &self.nats {
                if let Ok(name) = nats.leader_of_logs().await
                    && let Some(number) = self.nats.iter().position(|nats| nats.name == name)
                {
                    return Ok(number);
                }
            }
            if Instant::now() > end {
                bail!("the stream of logs has no leader");
            }
            sleep(Duration::from_millis(100)).await;
        }
    }
}

/// An address on this machine that is free now.
pub(crate) fn free_address() -> anyhow::Result<SocketAddr> {
    Ok(std::net::TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?.local_addr()?)
}
