//! The journal in JetStream on three NATS servers, each of which keeps every entry.

use std::net::TcpListener;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use server::{NatsJournal, NatsSettings};
use tokio::time::{Instant, sleep};

use crate::conformance::conformance;
use crate::nats::InJetStream;
use crate::nats_server::{Flushing, NatsServer};
use crate::rules::conformance_with_rules;

/// How long three servers may take to find each other.
const TIMEOUT: Duration = Duration::from_mins(1);

/// Three NATS servers that form a cluster.
struct NatsCluster([NatsServer; 3]);

impl NatsCluster {
    /// Starts them. If there is no program for it on this machine, says so aloud and returns none.
    async fn start() -> Option<Self> {
        // All are open at the same time, so that they differ.
        let listeners = [(); 3].map(|()| TcpListener::bind("127.0.0.1:0").expect("a port is free"));
        let ports = listeners.map(|listener| listener.local_addr().expect("it listens").port());
        let routes = ports.map(|port| format!("\"nats://127.0.0.1:{port}\"")).join(", ");
        let mut servers = Vec::new();
        for port in ports {
            let cluster = format!(
                "server_name: n{port}\ncluster {{ name: tests, listen: \"127.0.0.1:{port}\", \
                 routes: [{routes}], no_advertise: true }}"
            );
            servers.push(NatsServer::start_with(Flushing::Always, &cluster)?);
        }
        let cluster = Self(servers.try_into().ok().expect("three were started"));
        let end = Instant::now() + TIMEOUT;
        while let Err(error) = NatsJournal::open(&cluster.settings("first")).await {
            assert!(Instant::now() < end, "{error}");
            sleep(Duration::from_millis(100)).await;
        }
        Some(cluster)
    }

    /// Settings for a journal of its own with three replicas.
    fn settings(&self, prefix: &str) -> NatsSettings {
        let all: Vec<_> =
            self.0.iter().map(|server| server.settings(prefix).address.to_string()).collect();
        let mut settings = self.0[0].settings(prefix);
        settings.address = all.join(",").parse().expect("the addresses are valid");
        settings.monitors = self.0.iter().map(NatsServer::monitor).collect();
        settings.replicas = 3;
        settings
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn the_journal_on_three_nats_servers_conforms() {
    let Some(cluster) = NatsCluster::start().await else { return };
    let number = AtomicU64::new(0);
    let settings = || cluster.settings(&format!("c{}", number.fetch_add(1, Ordering::Relaxed)));
    conformance(|| Box::new(InJetStream::open(settings()))).await;
    conformance_with_rules(|| Box::new(InJetStream::open(settings()))).await;
}
