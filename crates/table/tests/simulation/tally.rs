//! Counts of events.

use std::fmt;
use std::ops::AddAssign;

/// The counts of events in one or more runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    pub(crate) lost: u64,
    pub(crate) repeated: u64,
    pub(crate) cut: u64,
    pub(crate) gone: u64,
    pub(crate) crashed: u64,
    pub(crate) restored: u64,
    pub(crate) forgotten: u64,
    pub(crate) unanswered: u64,
    pub(crate) conflicts: u64,
    pub(crate) entries: u64,
    pub(crate) automatic: u64,
    pub(crate) explained: u64,
    pub(crate) acknowledged: u64,
    pub(crate) missing: u64,
    pub(crate) refused: u64,
    pub(crate) early: u64,
    pub(crate) careless: u64,
    pub(crate) hidden: u64,
    pub(crate) rolled_back: u64,
}

impl Tally {
    /// The number of faults. Delay and reordering affect every message and are not counted, and
    /// neither are conflicts, which follow from other faults.
    pub(crate) const fn faults(&self) -> u64 {
        let links = self.lost + self.repeated + self.cut + self.gone;
        links + self.crashed + self.restored + self.unanswered
    }
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        self.lost += other.lost;
        self.repeated += other.repeated;
        self.cut += other.cut;
        self.gone += other.gone;
        self.crashed += other.crashed;
        self.restored += other.restored;
        self.forgotten += other.forgotten;
        self.unanswered += other.unanswered;
        self.conflicts += other.conflicts;
        self.entries += other.entries;
        self.automatic += other.automatic;
        self.explained += other.explained;
        self.acknowledged += other.acknowledged;
        self.missing += other.missing;
        self.refused += other.refused;
        self.early += other.early;
        self.careless += other.careless;
        self.hidden += other.hidden;
        self.rolled_back += other.rolled_back;
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { lost, repeated, cut, gone, crashed, restored, forgotten, unanswered, .. } = self;
        let Self { conflicts, entries, automatic, acknowledged, refused, early, careless, .. } =
            self;
        let Self { rolled_back, hidden, missing, explained, .. } = self;
        let faults = self.faults();
        writeln!(
            f,
            "{faults} faults injected, {acknowledged} actions acknowledged, {refused} refused, \
             {rolled_back} rolled back, lost: {missing}"
        )?;
        writeln!(
            f,
            "  {lost} messages lost, {repeated} repeated, {cut} links cut, {gone} clients gone for \
             a while, {crashed} crashes, {restored} backups restored ({forgotten} entries gone), \
             {unanswered} timeouts"
        )?;
        write!(
            f,
            "  {conflicts} conflicts; {entries} entries, {automatic} of them automatic, \
             {explained} explained; {careless} careless actions, {early} early actions; {hidden} \
             messages searched for hidden information"
        )
    }
}
