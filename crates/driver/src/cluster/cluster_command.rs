//! `driver cluster`: a whole cluster to try.

use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;

use anyhow::Context;
use clap::Args;

use super::haproxy::HaProxy;
use super::server_cluster::{NatsRoute, ServerCluster};
use crate::process::raise_open_files;

/// Run three NATS servers, three servers of Cat's Cradle and a balancer until Ctrl-C
#[derive(Debug, Args)]
pub(crate) struct ClusterCommand {
    /// The `cradle` command to run
    #[arg(long, value_name = "PROGRAM")]
    server: PathBuf,

    /// The NATS server to run
    #[arg(long, value_name = "PROGRAM")]
    nats: PathBuf,

    /// HAProxy, through which players reach the servers instead of the balancer of this program [default program:
    /// haproxy]
    #[arg(long, value_name = "PROGRAM", num_args = 0..=1, default_missing_value = "haproxy")]
    haproxy: Option<PathBuf>,

    /// Where the balancer listens
    #[arg(long, default_value = "127.0.0.1:4000")]
    listen: SocketAddr,

    /// Where everything is kept [default: a folder that is removed at the end]
    #[arg(long, value_name = "FOLDER")]
    folder: Option<PathBuf>,
}

impl ClusterCommand {
    /// Runs until the driver is interrupted.
    pub(crate) async fn run(&self) -> anyhow::Result<bool> {
        raise_open_files(20_000);
        let temporary = tempfile::tempdir().context("no folder can be created")?;
        let folder = match &self.folder {
            Some(folder) => std::path::absolute(folder)?,
            None => temporary.path().to_owned(),
        };
        let programs = (self.server.as_path(), self.nats.as_path());
        let inner = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
        let listen = if self.haproxy.is_some() { inner } else { self.listen };
        let cluster = ServerCluster::start(programs, &folder, listen, NatsRoute::Direct).await?;
        let haproxy = match &self.haproxy {
            None => None,
            Some(program) => {
                let servers = cluster.addresses();
                Some(HaProxy::start(program, &folder, self.listen, &servers).await?)
            }
        };
        let entrance = haproxy.as_ref().map_or(cluster.balancer.address, |haproxy| haproxy.address);
        println!("Cat's Cradle is at http://{entrance}");
        for line in cluster.processes()? {
            println!("  {line}");
        }
        println!(
            "Kill any server, as in `kill -9 PID`: the rest goes on. Logs are in {}.\n\
             Stop everything with Ctrl-C.",
            folder.display()
        );
        std::future::pending().await
    }
}
