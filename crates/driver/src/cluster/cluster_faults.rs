//! Plays on a cluster while its parts are killed, paused and cut off.

use std::net::{Ipv4Addr, SocketAddr};
use std::path::Path;
use std::time::Duration;

use anyhow::Context;
use futures_util::future::join_all;
use rustix::process::Signal;
use serde_json::json;
use tokio::time::{Instant, sleep};

use super::balancer::Traffic;
use super::haproxy::HaProxy;
use super::newer_entry;
use super::server_cluster::{NatsRoute, SIZE, ServerCluster};
use super::upgrade::{UpgradePlan, new_kinds};
use crate::http;
use crate::soak::{SoakReport, SoakViolation, Testbed};

/// A fault of a cluster.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ClusterFault {
    KillNode,
    KillFollower,
    KillLeader,
    KillMajority,
    KillAll,
    PauseNode,
    CutNode,
    /// Answers of NATS do not come: what the server has appended counts, and it does not know.
    Deafen,
    /// What the server sends does not arrive, until it does.
    Mute,
    Race,
    UpgradeAll,
    NewerEntry,
}

impl ClusterFault {
    /// All faults; a short soak injects each of them once.
    const ALL: [Self; 12] = [
        Self::UpgradeAll,
        Self::NewerEntry,
        Self::KillNode,
        Self::KillLeader,
        Self::Race,
        Self::PauseNode,
        Self::CutNode,
        Self::KillFollower,
        Self::Deafen,
        Self::Mute,
        Self::KillMajority,
        Self::KillAll,
    ];

    const fn name(self) -> &'static str {
        match self {
            Self::KillNode => "a server killed",
            Self::KillFollower => "a NATS follower killed",
            Self::KillLeader => "the NATS leader killed",
            Self::KillMajority => "two of three NATS servers killed",
            Self::KillAll => "everything killed",
            Self::PauseNode => "a server paused",
            Self::CutNode => "a server cut off from NATS",
            Self::Deafen => "a server that NATS does not reach",
            Self::Mute => "a server that does not reach NATS",
            Self::Race => "one move raced through three servers",
            Self::UpgradeAll => "all servers replaced, one after the other",
            Self::NewerEntry => "an entry of a newer server written",
        }
    }
}

/// How long the cluster may take to acknowledge an action again.
const RECOVERY: Duration = Duration::from_secs(30);

/// The programs of a soak of a cluster.
#[derive(Debug)]
pub(crate) struct ClusterPrograms<'a> {
    /// The server of Cat's Cradle.
    pub(crate) server: &'a Path,
    /// An older one, with which the cluster starts.
    pub(crate) older: Option<&'a Path>,
    /// The kinds of entries that are held in the first step of an upgrade, with commas. Without any, they are
    /// those that the older program does not know.
    pub(crate) held: Option<&'a str>,
    /// The NATS server.
    pub(crate) nats: &'a Path,
    /// HAProxy, if players connect through it instead of the balancer.
    pub(crate) haproxy: Option<&'a Path>,
}

impl ClusterPrograms<'_> {
    async fn held_kinds(&self) -> anyhow::Result<String> {
        match (self.held, self.older) {
            (Some(held), _) => Ok(held.to_owned()),
            (None, Some(older)) => new_kinds(self.server, older).await,
            (None, None) => Ok(String::new()),
        }
    }
}

/// Plays on a cluster while faults are injected: each kind once, and then any until the time is over.
///
/// # Errors
/// If the cluster cannot be run.
pub(crate) async fn soak_cluster(
    programs: &ClusterPrograms<'_>,
    folder: &Path,
    (time, tables, seed): (Duration, usize, u64),
    report: &mut SoakReport,
) -> anyhow::Result<()> {
    let local = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
    let first = (programs.older.unwrap_or(programs.server), programs.nats);
    let mut cluster = ServerCluster::start(first, folder, local, NatsRoute::Severable).await?;
    let haproxy = match programs.haproxy {
        None => None,
        Some(program) => Some(HaProxy::start(program, folder, local, &cluster.addresses()).await?),
    };
    let entrance = haproxy.as_ref().map_or(cluster.balancer.address, |haproxy| haproxy.address);
    let mut testbed = Testbed::over(entrance, tables, seed).await?;
    testbed.shared.set_older_servers(programs.older.is_some());
    let held = programs.held_kinds().await?;
    let upgrade = UpgradePlan { server: programs.server, held: &held };
    let (end, mut faults) = (Instant::now() + time, ClusterFault::ALL.into_iter());
    // One violation causes others, and each check of them takes time.
    while testbed.violations.is_empty() {
        let next = faults.next();
        if next.is_none() && Instant::now() > end {
            break;
        }
        let any = usize::try_from(testbed.generator.below(ClusterFault::ALL.len() as u64))?;
        let fault = next.unwrap_or(ClusterFault::ALL[any]);
        let pause = 300 + testbed.generator.below(700);
        testbed.play(Duration::from_millis(pause)).await;
        testbed.shared.count_fault(fault.name());
        inject(fault, &upgrade, &mut cluster, &mut testbed).await?;
        testbed.await_recovery_within(RECOVERY).await;
        if testbed.violations.is_empty() {
            testbed.check().await?;
        }
    }
    report.add(testbed.close().await?);
    Ok(())
}

async fn inject(
    fault: ClusterFault,
    upgrade: &UpgradePlan<'_>,
    cluster: &mut ServerCluster,
    testbed: &mut Testbed,
) -> anyhow::Result<()> {
    let node = usize::try_from(testbed.generator.below(SIZE as u64))?;
    let while_it_lasts = Duration::from_millis(1_000 + testbed.generator.below(3_000));
    match fault {
        ClusterFault::KillNode => {
            testbed.shared.begin_recovery(Instant::now());
            cluster.kill_node(node).await?;
            sleep(while_it_lasts).await;
            cluster.start_node(node).await?;
        }
        ClusterFault::KillFollower => {
            let follower = (cluster.leader().await? + 1) % SIZE;
            restart_nats(&[follower], cluster, testbed, while_it_lasts).await?;
        }
        ClusterFault::KillLeader => {
            let leader = cluster.leader().await?;
            restart_nats(&[leader], cluster, testbed, while_it_lasts).await?;
        }
        ClusterFault::KillMajority => lose_majority(cluster, testbed).await?,
        ClusterFault::KillAll => {
            for number in 0..SIZE {
                cluster.kill_node(number).await?;
                cluster.nats[number].kill().await?;
            }
            testbed.shared.begin_recovery(Instant::now());
            cluster.nats.iter_mut().try_for_each(super::nats_process::NatsProcess::start)?;
            cluster.nats[0].wait_for_leader().await?;
            for number in 0..SIZE {
                cluster.start_node(number).await?;
            }
        }
        ClusterFault::PauseNode => {
            cluster.node(node)?.signal(Signal::STOP)?;
            sleep(while_it_lasts).await;
            cluster.node(node)?.signal(Signal::CONT)?;
            testbed.shared.begin_recovery(Instant::now());
        }
        ClusterFault::CutNode => {
            cut((cluster, node), Traffic::None, while_it_lasts, testbed).await;
        }
        ClusterFault::Deafen => {
            cut((cluster, node), Traffic::ToServers, while_it_lasts, testbed).await;
        }
        ClusterFault::Mute => {
            cut((cluster, node), Traffic::ToClients, while_it_lasts, testbed).await;
        }
        ClusterFault::Race => race(cluster, testbed).await?,
        ClusterFault::UpgradeAll => {
            upgrade.run(cluster, testbed).await?;
            testbed.shared.begin_recovery(Instant::now());
        }
        ClusterFault::NewerEntry => newer_entry::write_newer_entry(cluster, testbed).await?,
    }
    Ok(())
}

/// Lets only this traffic pass between a server and NATS for a while.
async fn cut(
    (cluster, node): (&ServerCluster, usize),
    allowed: Traffic,
    time: Duration,
    testbed: &Testbed,
) {
    cluster.allow(node, allowed);
    sleep(time).await;
    cluster.allow(node, Traffic::Both);
    testbed.shared.begin_recovery(Instant::now());
}

/// Kills NATS servers, and starts them again after a while.
async fn restart_nats(
    numbers: &[usize],
    cluster: &mut ServerCluster,
    testbed: &Testbed,
    pause: Duration,
) -> anyhow::Result<()> {
    for number in numbers {
        cluster.nats[*number].kill().await?;
    }
    testbed.shared.begin_recovery(Instant::now());
    sleep(pause).await;
    for number in numbers {
        cluster.nats[*number].start()?;
    }
    Ok(())
}

/// Kills two of three NATS servers: no action may be acknowledged and no server may say that it is ready, but
/// servers show what they have.
async fn lose_majority(cluster: &mut ServerCluster, testbed: &mut Testbed) -> anyhow::Result<()> {
    let first = testbed.ids().into_iter().next().context("there is no table")?;
    for number in [0, 1] {
        cluster.nats[number].kill().await?;
    }
    // An action that was sent before may be durable: a player learns it when it asks again.
    let killed = Instant::now();
    sleep(Duration::from_secs(3)).await;
    let [sent, acknowledged] = testbed.actions_after(killed);
    let what = match (sent, acknowledged) {
        (0, _) => Some("nobody acted while there was no majority".to_owned()),
        (_, 0) => None,
        _ => Some(format!("{acknowledged} of {sent} actions were acknowledged without a majority")),
    };
    if let Some(what) = what {
        testbed.report("", SoakViolation::Other { what });
    }
    // A player of this table is connected to at least one of them.
    let mut shown = false;
    for number in 0..SIZE {
        let address = cluster.node(number)?.address;
        shown |= http::get(address, &format!("/api/tables/{first}"), None).await?.status == 200;
    }
    if !shown {
        let what = "no server shows a table that it has in memory".to_owned();
        testbed.report("", SoakViolation::Other { what });
    }
    let asked = cluster.addresses().into_iter().map(|server| http::get(server, "/readyz", None));
    for (number, answer) in join_all(asked).await.into_iter().enumerate() {
        if answer?.status == 200 {
            let what = format!("server {number} says that it is ready without a majority");
            testbed.report("", SoakViolation::Other { what });
        }
    }
    testbed.shared.begin_recovery(Instant::now());
    cluster.nats[0].start()?;
    cluster.nats[1].start()
}

/// Sends one move through all servers at once, and then different moves for the same turn.
async fn race(cluster: &ServerCluster, testbed: &mut Testbed) -> anyhow::Result<()> {
    let addresses = (0..SIZE).map(|number| Ok(cluster.node(number)?.address));
    let addresses: Vec<SocketAddr> = addresses.collect::<anyhow::Result<_>>()?;
    let table = http::create_table(addresses[0]).await?;
    let path = format!("/api/tables/{}/actions", table.id);
    let squares = ["a1", "b2", "c3"];
    let send = async |place: usize, ply: usize, id: String, square: &str| {
        let action = json!({"id": id, "action": "play", "round": 1, "ply": ply, "move": square});
        let token = Some(table.tokens[ply].as_str());
        http::post(addresses[place], &path, token, &action).await
    };
    // The same action is answered alike by all.
    let same = join_all((0..SIZE).map(|place| send(place, 0, "race:1".to_owned(), "b1"))).await;
    for answer in same {
        let answer = answer?;
        if answer.status != 200 || answer.body["version"] != 4 {
            let what = format!("a raced action was answered {} {}", answer.status, answer.body);
            testbed.report(&table.id, SoakViolation::Other { what });
        }
    }
    // Of different actions for one turn, one is accepted.
    let others =
        (0..SIZE).map(|place| send(place, 1, format!("race:{}", 2 + place), squares[place]));
    let mut accepted = 0;
    for answer in join_all(others).await {
        accepted += usize::from(answer?.status == 200);
    }
    let log = http::get(addresses[1], &format!("/api/tables/{}/log", table.id), None).await?;
    let length = log.body["entries"].as_array().map_or(0, Vec::len);
    if (accepted, length) != (1, 5) {
        let what = format!(
            "{accepted} of three raced moves were accepted, and the log has {length} entries"
        );
        testbed.report(&table.id, SoakViolation::Other { what });
    }
    Ok(())
}
