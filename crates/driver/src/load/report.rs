//! The results of a load test, as a table.

use std::fmt;
use std::time::Duration;

use crate::latencies::{Latencies, Summary};

/// All results.
#[derive(Debug)]
pub(crate) struct LoadReport {
    goal: u64,
    is_paced: bool,
    pub(crate) disk: Option<Summary>,
    pub(crate) relay: Option<Row>,
    pub(crate) older: Option<Row>,
    pub(crate) server: Option<Row>,
    pub(crate) idle: Option<IdleRow>,
}

/// The result of one server.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row {
    latencies: Summary,
    took: Duration,
    cpu: Duration,
    /// In kilobytes.
    memory: u64,
}

/// The result of a server with idle connections.
#[derive(Clone, Copy, Debug)]
pub(crate) struct IdleRow {
    pub(crate) connections: usize,
    /// In kilobytes.
    pub(crate) before: u64,
    /// In kilobytes.
    pub(crate) after: u64,
    pub(crate) lost: usize,
    pub(crate) row: Row,
}

impl LoadReport {
    pub(crate) const fn new(goal: u64, is_paced: bool) -> Self {
        Self { goal, is_paced, disk: None, relay: None, older: None, server: None, idle: None }
    }
}

impl Row {
    pub(crate) fn new(latencies: Latencies, took: Duration, cpu: Duration, memory: u64) -> Self {
        Self { latencies: latencies.summary(), took, cpu, memory }
    }

    fn per_second(&self) -> f64 {
        f64::from(self.latencies.count) / self.took.as_secs_f64()
    }

    fn write(&self, f: &mut fmt::Formatter<'_>, name: &str) -> fmt::Result {
        let Summary { count, p50, p99, max } = self.latencies;
        let cpu = self.cpu.as_secs_f64() * 1e6 / f64::from(count.max(1));
        let share = self.cpu.as_secs_f64() / self.took.as_secs_f64();
        let [p50, p99, max] = [p50, p99, max].map(|each| each.as_secs_f64() * 1e3);
        writeln!(
            f,
            "{name:<24}{:>9.0}{p50:>10.2}{p99:>10.2}{max:>10.2}{cpu:>11.1}{:>7.0} %{:>10}",
            self.per_second(),
            share * 100.0,
            self.memory,
        )
    }
}

fn verdict(is_met: bool) -> &'static str {
    if is_met { "met" } else { "missed" }
}

impl fmt::Display for LoadReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{:<24}{:>9}{:>10}{:>10}{:>10}{:>11}{:>9}{:>10}",
            "", "moves/s", "p50 ms", "p99 ms", "max ms", "µs CPU/mv", "CPU", "RSS KB"
        )?;
        self.relay.map_or(Ok(()), |row| row.write(f, "bare relay"))?;
        self.older.map_or(Ok(()), |row| row.write(f, "older server"))?;
        self.server.map_or(Ok(()), |row| row.write(f, "server"))?;
        if let Some(idle) = &self.idle {
            idle.row.write(f, "server, idle ones too")?;
        }
        if let Some(disk) = self.disk {
            let [p50, p99, max] =
                [disk.p50, disk.p99, disk.max].map(|each| each.as_secs_f64() * 1e3);
            writeln!(f, "{:<33}{p50:>10.2}{p99:>10.2}{max:>10.2}", "bare fdatasync of 4 KiB")?;
        }
        self.write_goals(f)
    }
}

impl LoadReport {
    fn write_goals(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let (Some(server), Some(disk), true) = (self.server, self.disk, self.is_paced) {
            let max = disk.p99 + Duration::from_millis(2);
            let is_met = verdict(server.latencies.p99 <= max);
            let max = max.as_secs_f64() * 1e3;
            writeln!(f, "goal: p99 at most {max:.2} ms (bare fdatasync + 2 ms): {is_met}")?;
        } else if let Some(server) = self.server {
            let goal = u32::try_from(self.goal).map_or(f64::MAX, f64::from);
            let is_met = verdict(server.per_second() >= goal);
            writeln!(f, "goal: at least {} moves/s: {is_met}", self.goal)?;
        }
        if let Some(IdleRow { connections, before, after, lost, .. }) = self.idle {
            let count = u64::try_from(connections.max(1)).unwrap_or(u64::MAX);
            let each = after.saturating_sub(before) * 1_024 / count;
            writeln!(
                f,
                "{connections} idle connections: {before} KB before, {after} KB with them, {each} bytes each; \
                 {lost} were lost while play went on"
            )?;
            writeln!(f, "goal: less than 7,000 bytes each: {}", verdict(each < 7_000))?;
        }
        Ok(())
    }
}
