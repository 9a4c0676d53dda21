//! One attack, and what it does to honest players.

use std::path::Path;
use std::time::Duration;

use tokio::time::{Instant, sleep};

use super::AttackKind;
use super::attack_report::AttackRow;
use super::honest_players::HonestPlayers;
use super::stranger_process::StrangerProcess;
use crate::process::{Launch, Process};

/// The times of an attack.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EngagementTimes {
    /// Honest players are alone.
    pub(crate) calm: Duration,
    /// Strangers attack.
    pub(crate) attack: Duration,
    /// The memory must come back within this time.
    pub(crate) settle: Duration,
    /// How long tables and games that nobody uses stay in memory, in milliseconds; none for the default.
    pub(crate) idle: Option<u32>,
}

/// A move of an honest player that takes longer than this counts as a stall.
const STALL: Duration = Duration::from_secs(1);

/// Launches a server, lets strangers attack it while honest players play, and waits until the server has
/// recovered.
pub(crate) async fn engage(
    kind: AttackKind,
    program: &Path,
    core: Option<usize>,
    folder: &Path,
    times: EngagementTimes,
) -> anyhow::Result<AttackRow> {
    let mut launch = Launch::with_default_limits(program, &folder.join(kind.to_string()));
    launch.log = Some(folder.join(format!("{kind}.log")));
    launch.core = core;
    if let Some(idle) = times.idle {
        launch = launch.with_limit("table_idle", idle).with_limit("game_idle", idle);
    }
    let server = launch.launch().await?;
    let honest = HonestPlayers::seat(server.address).await?;
    let (honest, calm) = honest.play(times.calm).await?;
    let memory_before = server.allocated()?;
    let (end, cpu_before) = (Instant::now() + times.attack, server.cpu()?);
    let (outcome, played, peak) = tokio::join!(
        StrangerProcess::attack(kind, server.address, times.attack),
        honest.play(times.attack),
        peak_memory(&server, end)
    );
    let cpu = server.cpu()?.saturating_sub(cpu_before).as_secs_f64() / times.attack.as_secs_f64();
    let ((_honest, attacked), outcome) = (played?, outcome?);
    let ended = Instant::now();
    let deadline = ended + times.settle;
    let mut findings = outcome.findings;
    findings.extend(kind.remains(server.address, deadline).await);
    let memory_after =
        wait_for_memory(&server, AttackRow::allowed_memory(memory_before), deadline).await?;
    let row = AttackRow {
        kind,
        sent: outcome.sent,
        refused: outcome.refused,
        cpu,
        p99: [calm.p99, attacked.p99],
        memory: [memory_before, peak?.max(memory_before), memory_after],
        settled: ended.elapsed(),
        findings,
    };
    server.terminate().await?;
    Ok(row.judged(attacked.max, STALL))
}

/// The most memory that the server uses until a time, in kilobytes.
async fn peak_memory(server: &Process, end: Instant) -> anyhow::Result<u64> {
    let mut peak = 0;
    while Instant::now() < end {
        peak = peak.max(server.allocated()?);
        sleep(Duration::from_millis(100)).await;
    }
    Ok(peak)
}

/// Waits until the server uses no more memory than this, or until a time; returns what it uses.
async fn wait_for_memory(server: &Process, allowed: u64, deadline: Instant) -> anyhow::Result<u64> {
    loop {
        let memory = server.allocated()?;
        if memory <= allowed || Instant::now() >= deadline {
            return Ok(memory);
        }
        sleep(Duration::from_millis(500)).await;
    }
}
