//! A client of the model: a replica and its progress through the actions that it wants.

use table::{Action, ActionId, ActionVerdict, Entry, Replica, Update};

use crate::pool::Told;
use crate::table_model::Sabotage;

#[derive(Clone)]
pub(crate) struct Client {
    pub(crate) replica: Replica,
    pub(crate) log: Vec<Entry>,
    /// How many of its actions were tried.
    pub(crate) tried: usize,
    /// What it heard of which action.
    pub(crate) heard: Vec<(ActionId, ActionVerdict)>,
}

/// The confirmed state follows from the log, and the provisional state from that and the pending
/// actions.
impl Told for Client {
    fn told(&self) -> String {
        let pending: Vec<_> = self.replica.pending().collect();
        format!("{:?} {pending:?} {} {:?}", self.log, self.tried, self.heard)
    }
}

impl Client {
    pub(crate) fn submit(&mut self, action: Action) {
        self.tried += 1;
        // What is refused here is not sent.
        drop(self.replica.submit(action));
    }

    pub(crate) fn receive(&mut self, entries: &[Entry]) {
        let update = self.replica.receive(entries).expect("what a node knows follows");
        if matches!(update, Update::Folded { .. }) {
            self.log.extend_from_slice(entries);
        }
    }

    pub(crate) fn hear(&mut self, id: &ActionId, verdict: &ActionVerdict, sabotage: Sabotage) {
        match verdict {
            ActionVerdict::Committed(version) => drop(self.replica.committed(id, *version)),
            ActionVerdict::Refused(_) if sabotage == Sabotage::KeepWhatWasRefused => {}
            ActionVerdict::Refused(refusal) => drop(self.replica.refused(id, refusal)),
            ActionVerdict::NotYet(_) => {}
        }
        self.heard.push((id.clone(), verdict.clone()));
        self.heard.sort_by(|one, other| one.0.cmp(&other.0));
    }
}
