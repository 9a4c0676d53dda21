//! What came of a soak, as a table.

use std::fmt;

use super::damage::Damages;
use super::ledger::Finding;
use super::scene::Closed;
use super::world::Tally;

/// What came of a soak.
#[derive(Debug)]
pub(crate) struct Report {
    seed: u64,
    tally: Tally,
    checks: u64,
    findings: Vec<(String, Finding)>,
    /// How much memory the server had when it was started, when all played and when all had gone, in
    /// kilobytes.
    pub(crate) memory: Option<[u64; 3]>,
    /// What was done instead of filling a disk, if that is not possible here.
    pub(crate) not_filled: Option<String>,
    pub(crate) damages: Damages,
}

/// How many findings are written out.
const MOST_FINDINGS: usize = 20;

impl Report {
    pub(crate) fn new(seed: u64) -> Self {
        Self {
            seed,
            tally: Tally::default(),
            checks: 0,
            findings: Vec::new(),
            memory: None,
            not_filled: None,
            damages: Damages::default(),
        }
    }

    pub(crate) fn add(&mut self, closed: Closed) {
        self.tally.append(closed.tally);
        self.findings.extend(closed.findings);
        self.checks += closed.checks;
    }

    pub(crate) fn find(&mut self, table: &str, finding: Finding) {
        self.findings.push((table.to_owned(), finding));
    }

    pub(crate) fn count(&mut self, fault: &'static str) {
        *self.tally.faults.entry(fault).or_default() += 1;
    }

    pub(crate) const fn is_fine(&self) -> bool {
        self.findings.is_empty()
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut row = |name: &str, value: &str| writeln!(f, "{name:<48}{value:>12}");
        row("seed", &self.seed.to_string())?;
        for (fault, count) in &self.tally.faults {
            row(fault, &count.to_string())?;
        }
        let Damages { tables, whole, cut, entries } = self.damages;
        row("  tables read after damage", &tables.to_string())?;
        row("  of these whole", &whole.to_string())?;
        row("  of these cut, in a new epoch", &cut.to_string())?;
        row("  entries cut off", &entries.to_string())?;
        row("checks of all tables", &self.checks.to_string())?;
        row("actions acknowledged", &self.tally.acknowledged.to_string())?;
        row("actions refused", &self.tally.refused.to_string())?;
        row("actions to be sent again", &self.tally.undecided.to_string())?;
        let count = |is: fn(&Finding) -> bool| {
            self.findings.iter().filter(|(_, finding)| is(finding)).count()
        };
        let (lost, twice) = (count(Finding::is_loss), count(Finding::is_duplicate));
        row("lost", &lost.to_string())?;
        row("duplicated", &twice.to_string())?;
        row("other findings", &(self.findings.len() - lost - twice).to_string())?;
        let recovery = self.tally.recoveries.clone().summary();
        row("recovery p50", &format!("{} ms", recovery.p50.as_millis()))?;
        row("recovery p99", &format!("{} ms", recovery.p99.as_millis()))?;
        for (name, memory) in ["at start", "while all play", "when all are gone"]
            .into_iter()
            .zip(self.memory.unwrap_or_default())
        {
            row(&format!("server memory {name}"), &format!("{memory} KB"))?;
        }
        if let Some(why) = &self.not_filled {
            writeln!(f, "No disk was filled: {why}")?;
        }
        for (table, finding) in self.findings.iter().take(MOST_FINDINGS) {
            writeln!(f, "{table} {finding}")?;
        }
        Ok(())
    }
}
