//! The results of attacks, as a table.

use std::collections::BTreeSet;
use std::fmt;
use std::time::Duration;

use super::AttackKind;
use super::stranger_process::StrangerPriority;

/// The results of all attacks.
#[derive(Debug, Default)]
pub(crate) struct AttackReport {
    pub(crate) rows: Vec<AttackRow>,
    pub(crate) priority: StrangerPriority,
}

/// The result of one attack.
#[derive(Debug)]
pub(crate) struct AttackRow {
    pub(super) kind: AttackKind,
    pub(super) sent: u32,
    pub(super) refused: u32,
    /// The cores that the server kept busy during the attack.
    pub(super) cpu: f64,
    /// The 99th percentile of the latency of honest moves in each round, before and during the attack.
    pub(super) rounds: Vec<[Duration; 2]>,
    pub(super) bound: MemoryBound,
    /// The memory of the server before, at its peak and after, in kilobytes.
    pub(super) memory: [u64; 3],
    /// The time until the memory was back, or as long as that was awaited.
    pub(super) settled: Duration,
    /// What the server should have prevented.
    pub(super) findings: Vec<String>,
}

impl AttackReport {
    /// An empty report of attacks by strangers who run at these times.
    pub(crate) const fn new(priority: StrangerPriority) -> Self {
        Self { rows: Vec::new(), priority }
    }
}

/// The memory that a server may use after an attack.
#[derive(Clone, Copy, Debug)]
pub(super) struct MemoryBound {
    /// The memory before the attack, in kilobytes.
    pub(super) before: u64,
    /// Whether the server had grown before as much as it ever does.
    is_warm: bool,
}

/// The kilobytes by which a new server grows in its first busy seconds, for the caches of the allocator and of
/// the journal.
const GROWTH_OF_A_NEW_SERVER: u64 = 12 * 1_024;

impl MemoryBound {
    pub(super) const fn new(before: u64, is_warm: bool) -> Self {
        Self { before, is_warm }
    }

    /// A fifth more than before, in kilobytes. A server that was not attacked before may also grow once.
    pub(super) const fn allowed(self) -> u64 {
        let fifth = self.before / 5;
        let growth = if self.is_warm || fifth > GROWTH_OF_A_NEW_SERVER {
            fifth
        } else {
            GROWTH_OF_A_NEW_SERVER
        };
        self.before + growth
    }
}

impl AttackRow {
    /// The same row, with findings about memory that did not come back and moves that took too long. What
    /// several rounds have found is there once.
    pub(super) fn judged(mut self, slowest: Duration, stall: Duration) -> Self {
        let mut found = BTreeSet::new();
        self.findings.retain(|finding| found.insert(finding.clone()));
        let [before, _, after] = self.memory;
        if after > self.bound.allowed() {
            self.findings.push(format!("{after} KB of memory stay in use, {before} KB before"));
        }
        if slowest > stall {
            let milliseconds = slowest.as_millis();
            self.findings.push(format!("an honest move took {milliseconds} ms"));
        }
        self
    }

    /// What the server should have prevented, each with the name of the attack.
    pub(crate) fn findings(&self) -> impl Iterator<Item = String> + '_ {
        self.findings.iter().map(|finding| format!("{}: {finding}", self.kind))
    }

    /// The medians of the rounds.
    fn p99(&self) -> [Duration; 2] {
        [0, 1].map(|period| {
            let mut all: Vec<_> = self.rounds.iter().map(|round| round[period]).collect();
            all.sort_unstable();
            // The later one of two in the middle.
            all.get(all.len() / 2).copied().unwrap_or_default()
        })
    }

    fn is_slowed(&self) -> bool {
        let [calm, attacked] = self.p99();
        attacked > 2 * calm && attacked > NOISE
    }

    /// What to say if honest moves were slowed down so much that it is no accident.
    pub(crate) fn delay(&self) -> Option<String> {
        self.is_slowed()
            .then(|| format!("{}: the p99 of honest moves more than doubled", self.kind))
    }
}

/// Times up to this one are not told from half of them. Where nothing else ran, the p99 without an attack was
/// 0.44 to 0.58 ms in twelve rounds.
const NOISE: Duration = Duration::from_millis(2);

impl fmt::Display for AttackReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{:<14}{:>9}{:>9}{:>8}{:>14}{:>14}{:>10}{:>10}{:>10}{:>10}",
            "attack",
            "requests",
            "refused",
            "CPU",
            "p99 calm ms",
            "attacked ms",
            "MB",
            "peak",
            "after",
            "back in s"
        )?;
        for row in &self.rows {
            let [calm, attacked] = row.p99().map(|time| time.as_secs_f64() * 1e3);
            let [before, peak, after] = row.memory.map(|kilobytes| kilobytes / 1_024);
            writeln!(
                f,
                "{:<14}{:>9}{:>9}{:>6.0} %{calm:>14.2}{attacked:>14.2}{before:>10}{peak:>10}{after:>10}{:>10.0}",
                row.kind,
                row.sent,
                row.refused,
                row.cpu * 100.0,
                row.settled.as_secs_f64()
            )?;
        }
        writeln!(f, "{}", self.priority)?;
        let slowed: Vec<_> = self
            .rows
            .iter()
            .filter(|row| row.is_slowed())
            .map(|row| row.kind.to_string())
            .collect();
        if slowed.is_empty() {
            writeln!(f, "goal: p99 of honest moves at most doubles: met")?;
        } else {
            writeln!(
                f,
                "goal: p99 of honest moves at most doubles: missed by {}",
                slowed.join(", ")
            )?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(rounds: &[[u64; 2]], bound: MemoryBound, after: u64) -> AttackRow {
        AttackRow {
            kind: AttackKind::Rules,
            sent: 0,
            refused: 0,
            cpu: 0.0,
            rounds: rounds.iter().map(|round| round.map(Duration::from_millis)).collect(),
            bound,
            memory: [bound.before, after, after],
            settled: Duration::ZERO,
            findings: Vec::new(),
        }
    }

    fn delay(rounds: &[[u64; 2]]) -> Option<String> {
        row(rounds, MemoryBound::new(0, true), 0).delay()
    }

    #[test]
    fn a_p99_that_more_than_doubles_is_told_unless_it_is_short() {
        let told = "rules: the p99 of honest moves more than doubled";
        assert_eq!(delay(&[[1, 3]]).as_deref(), Some(told));
        assert_eq!(delay(&[[5, 11]]).as_deref(), Some(told));
        assert_eq!(delay(&[[6, 11]]), None);
        assert_eq!(delay(&[[0, 2]]), None);
    }

    #[test]
    fn one_bad_round_of_three_is_an_accident_and_two_are_none() {
        assert_eq!(delay(&[[1, 1], [1, 90], [1, 1]]), None);
        assert!(delay(&[[1, 3], [1, 90], [1, 1]]).is_some());
        assert_eq!(delay(&[[1, 5], [3, 5], [3, 5]]), None, "the medians are compared");
    }

    fn memory_finding(before: u64, is_warm: bool, after: u64) -> Vec<String> {
        let bound = MemoryBound::new(before, is_warm);
        let judged = row(&[], bound, after).judged(Duration::ZERO, Duration::from_secs(1));
        judged.findings().collect()
    }

    #[test]
    fn a_leak_of_five_megabytes_in_each_attack_is_told() {
        const MEGABYTE: u64 = 1_024;
        let leak = 5 * MEGABYTE;
        // The first wave has leaked as well.
        for megabytes in 3..20 {
            let before = megabytes * MEGABYTE + leak;
            let found = memory_finding(before, true, before + leak);
            assert_eq!(found.len(), 1, "{megabytes} MB");
            assert!(
                found[0].starts_with("rules: ") && found[0].contains("KB of memory stay in use")
            );
        }
    }

    #[test]
    fn memory_within_a_fifth_is_back_and_a_new_server_may_grow_once() {
        assert_eq!(memory_finding(10_000, true, 12_000), Vec::<String>::new());
        assert_eq!(memory_finding(10_000, true, 12_001).len(), 1);
        assert_eq!(memory_finding(3_000, false, 15_000), Vec::<String>::new());
        assert_eq!(memory_finding(3_000, false, 16_000).len(), 1);
    }
}
