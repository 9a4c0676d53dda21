//! The results of attacks, as a table.

use std::fmt;
use std::time::Duration;

use super::AttackKind;

/// The results of all attacks.
#[derive(Debug, Default)]
pub(crate) struct AttackReport {
    pub(crate) rows: Vec<AttackRow>,
}

/// The result of one attack.
#[derive(Debug)]
pub(crate) struct AttackRow {
    pub(super) kind: AttackKind,
    pub(super) sent: u32,
    pub(super) refused: u32,
    /// The cores that the server kept busy during the attack.
    pub(super) cpu: f64,
    /// The 99th percentile of the latency of honest moves, before and during the attack.
    pub(super) p99: [Duration; 2],
    /// The memory of the server before, at its peak and after, in kilobytes.
    pub(super) memory: [u64; 3],
    /// The time until the memory was back, or as long as that was awaited.
    pub(super) settled: Duration,
    /// What the server should have prevented.
    pub(super) findings: Vec<String>,
}

/// The kilobytes by which a new server grows in its first busy seconds. Further attacks add nothing to
/// them: after four attacks by `pairing` it was 7 to 11 MB, after the first one 6 to 7.
const FILLED_CACHES: u64 = 12 * 1_024;

impl AttackRow {
    /// The memory that a server may use after an attack: a fifth more than before, or what the caches of
    /// the allocator and the journal take once they have been used, if that is more.
    pub(super) const fn allowed_memory(before: u64) -> u64 {
        if before / 5 > FILLED_CACHES { before + before / 5 } else { before + FILLED_CACHES }
    }

    /// The same row, with findings about memory that did not come back and moves that took too long.
    pub(super) fn judged(mut self, slowest: Duration, stall: Duration) -> Self {
        let [before, _, after] = self.memory;
        if after > Self::allowed_memory(before) {
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

    const fn is_slowed(&self) -> bool {
        self.p99[1].as_micros() > 2 * self.p99[0].as_micros()
    }

    /// What to say if honest moves were slowed down so much that it is no accident.
    pub(super) fn delay(&self) -> Option<String> {
        let is_long = self.p99[1] > NOISE;
        (self.is_slowed() && is_long)
            .then(|| format!("{}: the p99 of honest moves more than doubled", self.kind))
    }
}

/// Times up to this one double on a machine that is not quite quiet, whoever attacks.
const NOISE: Duration = Duration::from_millis(10);

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
            let [calm, attacked] = row.p99.map(|time| time.as_secs_f64() * 1e3);
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

    fn delay(calm: u64, attacked: u64) -> Option<String> {
        let row = AttackRow {
            kind: AttackKind::Rules,
            sent: 0,
            refused: 0,
            cpu: 0.0,
            p99: [calm, attacked].map(Duration::from_millis),
            memory: [0; 3],
            settled: Duration::ZERO,
            findings: Vec::new(),
        };
        row.delay()
    }

    #[test]
    fn a_p99_that_more_than_doubles_is_told_unless_it_is_short() {
        let told = "rules: the p99 of honest moves more than doubled";
        assert_eq!(delay(5, 11).as_deref(), Some(told));
        assert_eq!(delay(6, 11), None);
        assert_eq!(delay(2, 9), None);
    }
}
