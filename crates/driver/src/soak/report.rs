//! The results of a soak, as a table.

use std::fmt;

use super::damage::DamageCounts;
use super::ledger::SoakViolation;
use super::shared_state::Counters;
use super::testbed::SoakResult;
use crate::attack::AttackReport;

/// The results of a soak.
#[derive(Debug)]
pub(crate) struct SoakReport {
    seed: u64,
    counters: Counters,
    checks: u64,
    violations: Vec<(String, SoakViolation)>,
    /// The memory of the server after its launch, while all play and after all have left, in kilobytes.
    pub(crate) memory: Option<[u64; 3]>,
    /// Why no disk was filled, if that is not possible here.
    pub(crate) not_filled: Option<String>,
    pub(crate) damages: DamageCounts,
    pub(crate) attacks: AttackReport,
}

/// The number of violations to print.
const MAX_PRINTED: usize = 20;

impl SoakReport {
    pub(crate) fn new(seed: u64) -> Self {
        Self {
            seed,
            counters: Counters::default(),
            checks: 0,
            violations: Vec::new(),
            memory: None,
            not_filled: None,
            damages: DamageCounts::default(),
            attacks: AttackReport::default(),
        }
    }

    pub(crate) fn add(&mut self, result: SoakResult) {
        self.counters.append(result.counters);
        self.violations.extend(result.violations);
        self.checks += result.checks;
    }

    pub(crate) fn add_violation(&mut self, table: &str, violation: SoakViolation) {
        self.violations.push((table.to_owned(), violation));
    }

    pub(crate) fn count(&mut self, fault: &'static str) {
        *self.counters.faults.entry(fault).or_default() += 1;
    }

    pub(crate) const fn passed(&self) -> bool {
        self.violations.is_empty()
    }
}

impl fmt::Display for SoakReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut row = |name: &str, value: &str| writeln!(f, "{name:<48}{value:>12}");
        row("seed", &self.seed.to_string())?;
        for (fault, count) in &self.counters.faults {
            row(fault, &count.to_string())?;
        }
        let DamageCounts { tables, whole, cut, entries } = self.damages;
        if tables > 0 {
            row("  tables read after damage", &tables.to_string())?;
            row("  of these complete", &whole.to_string())?;
            row("  of these cut, in a new epoch", &cut.to_string())?;
            row("  entries cut off", &entries.to_string())?;
        }
        row("checks of all tables", &self.checks.to_string())?;
        row("actions acknowledged", &self.counters.acknowledged.to_string())?;
        row("actions refused", &self.counters.refused.to_string())?;
        row("actions postponed", &self.counters.undecided.to_string())?;
        let count = |is: fn(&SoakViolation) -> bool| {
            self.violations.iter().filter(|(_, violation)| is(violation)).count()
        };
        let (lost, twice) = (count(SoakViolation::is_loss), count(SoakViolation::is_duplicate));
        row("lost", &lost.to_string())?;
        row("duplicated", &twice.to_string())?;
        row("other violations", &(self.violations.len() - lost - twice).to_string())?;
        let recovery = self.counters.recoveries.clone().summary();
        row("recovery p50", &format!("{} ms", recovery.p50.as_millis()))?;
        row("recovery p99", &format!("{} ms", recovery.p99.as_millis()))?;
        for (name, memory) in ["after the launch", "while all play", "after all have left"]
            .into_iter()
            .zip(self.memory.iter().flatten())
        {
            row(&format!("server memory {name}"), &format!("{memory} KB"))?;
        }
        if !self.attacks.rows.is_empty() {
            write!(f, "{}", self.attacks)?;
        }
        if let Some(why) = &self.not_filled {
            writeln!(f, "No disk was filled: {why}")?;
        }
        for (table, violation) in self.violations.iter().take(MAX_PRINTED) {
            writeln!(f, "{table} {violation}")?;
        }
        Ok(())
    }
}
