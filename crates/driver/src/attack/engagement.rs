//! One attack, and what it does to honest players.

use std::path::Path;
use std::time::Duration;

use tokio::time::{Instant, sleep};

use super::AttackKind;
use super::attack_report::{AttackRow, MemoryBound};
use super::honest_players::HonestPlayers;
use super::stranger::StrangerOutcome;
use super::stranger_process::{StrangerPriority, StrangerProcess};
use crate::process::{Launch, Process};

/// The times of an attack.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EngagementTimes {
    /// Strangers attack before anything is measured, so that the server has grown as much as it ever does; none
    /// if its growth is to be tolerated.
    pub(crate) warm: Option<Duration>,
    /// The number of times that the two periods follow each other in which moves are timed.
    pub(crate) rounds: u8,
    /// Honest players are alone.
    pub(crate) calm: Duration,
    /// Strangers attack.
    pub(crate) attack: Duration,
    /// The memory must come back within this time.
    pub(crate) settle: Duration,
    /// When the strangers run.
    pub(crate) priority: StrangerPriority,
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
    let mut honest = HonestPlayers::seat(server.address).await?;
    if let Some(warm) = times.warm {
        let strangers =
            StrangerProcess::attack(kind, server.address, WARMING_WAVE, warm, times.priority);
        // The rounds find again whatever these find.
        let (outcome, played) = tokio::join!(strangers, honest.play(warm));
        outcome?;
        honest = played?.0;
        sleep(times.settle).await;
    }
    let bound = MemoryBound::new(server.allocated()?, times.warm.is_some());
    let mut measured = MeasuredRounds::default();
    for wave in 1..=times.rounds.max(1) {
        honest = measured.play(kind, wave, &server, honest, times).await?;
    }
    let MeasuredRounds { outcome, rounds, peak, slowest, cpu } = measured;
    let ended = Instant::now();
    let deadline = ended + times.settle;
    let mut findings = outcome.findings;
    findings.extend(kind.remains(server.address, deadline).await);
    let after = wait_for_memory(&server, bound.allowed(), deadline).await?;
    let row = AttackRow {
        kind,
        sent: outcome.sent,
        refused: outcome.refused,
        cpu: cpu.as_secs_f64() / (times.attack * u32::from(times.rounds.max(1))).as_secs_f64(),
        rounds,
        bound,
        memory: [bound.before, peak.max(bound.before), after],
        settled: ended.elapsed(),
        findings,
    };
    server.terminate().await?;
    Ok(row.judged(slowest, STALL))
}

/// The number of the wave of strangers before anything is measured.
const WARMING_WAVE: u8 = 100;

/// What the rounds of an engagement have shown.
#[derive(Debug, Default)]
struct MeasuredRounds {
    outcome: StrangerOutcome,
    /// The 99th percentile of honest moves in each round, before and during the attack.
    rounds: Vec<[Duration; 2]>,
    peak: u64,
    slowest: Duration,
    cpu: Duration,
}

impl MeasuredRounds {
    /// Lets honest players play alone, and then while strangers attack.
    async fn play(
        &mut self,
        kind: AttackKind,
        wave: u8,
        server: &Process,
        honest: HonestPlayers,
        times: EngagementTimes,
    ) -> anyhow::Result<HonestPlayers> {
        let (honest, calm) = honest.play(times.calm).await?;
        let (end, cpu_before) = (Instant::now() + times.attack, server.cpu()?);
        let (outcome, played, peak) = tokio::join!(
            StrangerProcess::attack(kind, server.address, wave, times.attack, times.priority),
            honest.play(times.attack),
            peak_memory(server, end)
        );
        self.cpu += server.cpu()?.saturating_sub(cpu_before);
        let (honest, attacked) = played?;
        self.outcome = std::mem::take(&mut self.outcome).and(outcome?);
        self.rounds.push([calm.p99, attacked.p99]);
        self.peak = self.peak.max(peak?);
        self.slowest = self.slowest.max(attacked.max);
        Ok(honest)
    }
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
