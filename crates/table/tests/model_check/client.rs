//! A client of the model: a replica, and its progress through a list of actions.

use table::{Action, ActionId, ActionVerdict, Entry, Replica, Update};

use crate::pool::PoolKey;
use crate::table_model::Sabotage;

#[derive(Clone)]
pub(crate) struct Client {
    pub(crate) replica: Replica,
    pub(crate) log: Vec<Entry>,
    /// The number of actions that it has submitted.
    pub(crate) tried: usize,
    /// The verdicts that it has received.
    pub(crate) verdicts: Vec<(ActionId, ActionVerdict)>,
}

/// The log determines the confirmed state. That and the pending actions determine the provisional
/// state.
impl PoolKey for Client {
    fn key(&self) -> String {
        let pending: Vec<_> = self.replica.pending().collect();
        format!("{:?} {pending:?} {} {:?}", self.log, self.tried, self.verdicts)
    }
}

impl Client {
    pub(crate) fn submit(&mut self, action: Action) {
        self.tried += 1;
        // The replica drops an action that it refuses.
        drop(self.replica.submit(action));
    }

    pub(crate) fn receive(&mut self, entries: &[Entry]) {
        let update = self.replica.receive(entries).expect("the entries of a node follow the log");
        if matches!(update, Update::Folded { .. }) {
            self.log.extend_from_slice(entries);
        }
    }

    pub(crate) fn receive_verdict(
        &mut self,
        id: &ActionId,
        verdict: &ActionVerdict,
        sabotage: Sabotage,
    ) {
        match verdict {
            ActionVerdict::Committed(version) => drop(self.replica.committed(id, *version)),
            ActionVerdict::Refused(_) if sabotage == Sabotage::KeepRefusedAction => {}
            ActionVerdict::Refused(refusal) => drop(self.replica.refused(id, refusal)),
            ActionVerdict::NotYet(_) => {}
        }
        self.verdicts.push((id.clone(), verdict.clone()));
        self.verdicts.sort_by(|one, other| one.0.cmp(&other.0));
    }
}
