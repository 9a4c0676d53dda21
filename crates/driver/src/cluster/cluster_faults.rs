//! Plays on a cluster while its parts are killed, paused and cut off.

use std::net::{Ipv4Addr, SocketAddr};
use std::path::Path;
use std::time::Duration;

use rustix::process::Signal;
use tokio::time::{Instant, sleep};

use super::balancer::Traffic;
use super::haproxy::HaProxy;
use super::long_polls::play_over_long_polls;
use super::lost_majority::lose_majority;
use super::newer_entry::write_newer_entry;
use super::races::race;
use super::server_cluster::{NatsRoute, SIZE, ServerCluster};
use super::unanswered_moves::kill_before_the_answer;
use super::upgrade::{UpgradePlan, new_kinds};
use crate::soak::{SoakReport, Testbed};

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
    /// A server dies before computers have answered the moves that it has appended.
    KillBeforeAnswer,
    /// Each server dies once while two clients play over long polls.
    LongPolls,
}

impl ClusterFault {
    /// All faults; a short soak injects each of them once.
    const ALL: [Self; 14] = [
        Self::UpgradeAll,
        Self::NewerEntry,
        Self::KillNode,
        Self::KillBeforeAnswer,
        Self::LongPolls,
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
            Self::KillBeforeAnswer => "a server killed before computers answer",
            Self::LongPolls => "each server killed under long polls",
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
        ClusterFault::NewerEntry => write_newer_entry(cluster, testbed).await?,
        ClusterFault::KillBeforeAnswer => {
            kill_before_the_answer((cluster, node), testbed).await?;
            testbed.shared.begin_recovery(Instant::now());
        }
        ClusterFault::LongPolls => {
            play_over_long_polls(cluster, testbed).await?;
            testbed.shared.begin_recovery(Instant::now());
        }
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
