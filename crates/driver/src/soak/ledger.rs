//! Compares what players sent and received with the log of their table.

use std::collections::btree_map::Entry::Vacant;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::time::Instant;

use game::Seat;
use table::{
    Action, ActionBody, ActionId, Author, Entry, EntryBody, FoldError, Forfeit, Replica, TableState,
};

use super::action_history::{ActionAnswer, ActionHistory};
use crate::http::NewTable;

/// The length of a log with both seats taken: they are taken over HTTP, before the players connect.
const SEATED: usize = 3;

/// What the players of a table sent and received.
#[derive(Debug)]
pub(crate) struct Ledger {
    pub(crate) table: NewTable,
    /// The replica of each player.
    pub(crate) replicas: [Option<Replica>; 2],
    /// Every action that was sent, with the seat of its player and the time at which it was sent first.
    sent: BTreeMap<ActionId, (Seat, Action, Instant)>,
    /// Every acknowledged action, with its version.
    acknowledged: BTreeMap<ActionId, u64>,
    /// The actions since the last check at which all were answered.
    history: ActionHistory,
    /// The length of the log at that check.
    history_begins_after: usize,
    /// Every entry that a player received.
    received: BTreeMap<u64, Entry>,
    /// Violations that players noticed themselves.
    noticed: Vec<SoakViolation>,
    /// Whether the table is finished, so that its players leave.
    pub(crate) is_over: bool,
}

/// Something that must not happen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum SoakViolation {
    /// An action was acknowledged and is not in the log.
    Lost { id: ActionId, version: u64 },
    /// An action is in the log at another version than acknowledged.
    Misplaced { id: ActionId, version: u64, found: u64 },
    /// An action is in the log twice.
    Duplicated { id: ActionId, versions: [u64; 2] },
    /// A player received an entry that is not in the log.
    Unwritten { version: u64 },
    /// An action was acknowledged at two versions.
    AnsweredTwice { id: ActionId, versions: [u64; 2] },
    /// The entries do not follow from each other.
    Illegal { why: String },
    /// The log has an action of a seat that its player did not send.
    Foreign { version: u64, what: String },
    /// The replica of a player differs from the log.
    Disagrees { seat: usize, knows: String, log: String },
    /// No order of the actions explains all answers.
    NotLinearizable { actions: usize },
    /// A client without a seat was accepted.
    Intruder { what: String },
    /// Something else.
    Other { what: String },
}

impl fmt::Display for SoakViolation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Lost { id, version } => {
                write!(f, "LOST: {id} was acknowledged at {version} and is not in the log")
            }
            Self::Misplaced { id, version, found } => {
                write!(f, "LOST: {id} was acknowledged at {version} and is at {found}")
            }
            Self::Duplicated { id, versions: [one, two] } => {
                write!(f, "DUPLICATED: {id} is in the log at {one} and at {two}")
            }
            Self::Unwritten { version } => {
                write!(f, "LOST: entry {version} was received and is not in the log like that")
            }
            Self::AnsweredTwice { id, versions: [one, two] } => {
                write!(f, "DUPLICATED: {id} was acknowledged at {one} and at {two}")
            }
            Self::Illegal { why } => write!(f, "ILLEGAL: {why}"),
            Self::Foreign { version, what } => write!(f, "FOREIGN: entry {version}: {what}"),
            Self::Disagrees { seat, knows, log } => {
                write!(f, "DISAGREES: the player of seat {seat} has {knows}, the log has {log}")
            }
            Self::NotLinearizable { actions } => write!(
                f,
                "NOT LINEARIZABLE: no order of the last {actions} actions explains all answers"
            ),
            Self::Intruder { what } => write!(f, "INTRUDER: {what}"),
            Self::Other { what } => write!(f, "OTHER: {what}"),
        }
    }
}

impl SoakViolation {
    /// Whether something acknowledged is lost.
    pub(crate) const fn is_loss(&self) -> bool {
        matches!(self, Self::Lost { .. } | Self::Misplaced { .. } | Self::Unwritten { .. })
    }

    /// Whether an action was recorded twice.
    pub(crate) const fn is_duplicate(&self) -> bool {
        matches!(self, Self::Duplicated { .. } | Self::AnsweredTwice { .. })
    }
}

impl Ledger {
    pub(crate) fn new(table: NewTable) -> Self {
        Self {
            table,
            replicas: [None, None],
            sent: BTreeMap::new(),
            acknowledged: BTreeMap::new(),
            history: ActionHistory::default(),
            history_begins_after: SEATED,
            received: BTreeMap::new(),
            noticed: Vec::new(),
            is_over: false,
        }
    }

    /// Records an action of a player.
    pub(crate) fn send(&mut self, seat: Seat, action: &Action) {
        if let Vacant(first) = self.sent.entry(action.id.clone()) {
            first.insert((seat, action.clone(), Instant::now()));
            self.history.send(seat, action);
        }
    }

    /// The number of actions that were first sent after a moment, and of those that were acknowledged.
    pub(crate) fn actions_after(&self, moment: Instant) -> [usize; 2] {
        let sent = self.sent.iter().filter(|(_, (_, _, at))| *at > moment);
        let (sent, acknowledged) = (sent.clone(), sent.filter(|(id, _)| self.is_acknowledged(id)));
        [sent.count(), acknowledged.count()]
    }

    /// Records an acknowledgement; returns false if it contradicts an earlier one.
    pub(crate) fn acknowledge(&mut self, id: &ActionId, version: u64) -> bool {
        self.history.answer(id, ActionAnswer::Accepted(version));
        let known = *self.acknowledged.entry(id.clone()).or_insert(version);
        if known != version {
            let versions = [known, version];
            self.noticed.push(SoakViolation::AnsweredTwice { id: id.clone(), versions });
        }
        known == version
    }

    /// Records that an action was refused for good.
    pub(crate) fn refuse(&mut self, id: &ActionId) {
        self.history.answer(id, ActionAnswer::Refused);
    }

    /// Whether an action was acknowledged.
    pub(crate) fn is_acknowledged(&self, id: &ActionId) -> bool {
        self.acknowledged.contains_key(id)
    }

    /// Records entries that a player received.
    pub(crate) fn receive(&mut self, entries: &[Entry]) {
        for entry in entries {
            let entry = Entry { action: None, ..entry.clone() };
            self.received.insert(entry.version, entry);
        }
    }

    pub(crate) fn notice(&mut self, violation: SoakViolation) {
        self.noticed.push(violation);
    }

    /// The violations that players noticed since the last call.
    pub(crate) fn take_noticed(&mut self) -> Vec<SoakViolation> {
        std::mem::take(&mut self.noticed)
    }

    /// A violation with the id of its table.
    pub(crate) fn about(&self, violation: SoakViolation) -> (String, SoakViolation) {
        (self.table.id.clone(), violation)
    }

    /// All differences between a log and this ledger, and the violations that players noticed.
    pub(crate) fn check(&mut self, log: &[Entry]) -> Vec<SoakViolation> {
        let mut violations = self.take_noticed();
        let places = places(log, &mut violations);
        for (id, version) in &self.acknowledged {
            match places.get(id) {
                None => violations.push(SoakViolation::Lost { id: id.clone(), version: *version }),
                Some(found) if found != version => {
                    let (id, version, found) = (id.clone(), *version, *found);
                    violations.push(SoakViolation::Misplaced { id, version, found });
                }
                Some(_) => {}
            }
        }
        let is_written = |entry: &Entry| {
            let place = usize::try_from(entry.version).ok().and_then(|place| place.checked_sub(1));
            let found = place.and_then(|place| log.get(place));
            found.is_some_and(|found| Entry { action: None, ..found.clone() } == *entry)
        };
        let unwritten = self.received.values().filter(|entry| !is_written(entry));
        violations
            .extend(unwritten.map(|entry| SoakViolation::Unwritten { version: entry.version }));
        violations.extend(log.iter().filter_map(|entry| self.foreign(entry)));
        match state_after(log) {
            Ok(state) => violations.extend(self.disagreements(&state)),
            Err(error) => violations.push(SoakViolation::Illegal { why: error.to_string() }),
        }
        violations.extend(self.check_history(log));
        violations
    }

    /// The violation if no order of the actions explains all answers.
    fn check_history(&mut self, log: &[Entry]) -> Option<SoakViolation> {
        // A log that ends before or is illegal was reported.
        let state = state_after(log.get(..self.history_begins_after)?).ok()?;
        let actions = self.history.len();
        let is_linearizable = self.history.is_linearizable_after(state);
        if self.history.is_answered() {
            (self.history, self.history_begins_after) = (ActionHistory::default(), log.len());
        }
        (!is_linearizable).then_some(SoakViolation::NotLinearizable { actions })
    }

    /// The violation if the player of its seat did not send this entry.
    fn foreign(&self, entry: &Entry) -> Option<SoakViolation> {
        let foreign = |what: &str| {
            let what = format!("{what} ({})", entry.write());
            Some(SoakViolation::Foreign { version: entry.version, what })
        };
        let Author::Seat(seat) = entry.who else {
            // The seats are taken over HTTP before the players connect.
            let is_early =
                matches!(entry.body, EntryBody::Created { .. } | EntryBody::Joined { .. });
            return if is_early && entry.version <= SEATED as u64 {
                None
            } else {
                foreign("no seat did this")
            };
        };
        let Some((sender, action, _)) = entry.action.as_ref().and_then(|id| self.sent.get(id))
        else {
            return foreign("no player sent this");
        };
        if *sender != seat {
            return foreign("another player sent this");
        }
        if is_entry_of(&entry.body, &action.body, seat) {
            return None;
        }
        foreign("its player sent something else")
    }

    /// The players whose replicas differ from the log.
    fn disagreements(&self, log: &TableState) -> Vec<SoakViolation> {
        let mut violations = Vec::new();
        for (seat, replica) in self.replicas.iter().enumerate() {
            let Some(replica) = replica else { continue };
            let (knows, log) = (summary(replica.confirmed()), summary(log));
            if knows != log {
                violations.push(SoakViolation::Disagrees { seat, knows, log });
            }
        }
        violations
    }

    /// The versions of all replicas.
    pub(crate) fn versions(&self) -> BTreeSet<u64> {
        self.replicas.iter().flatten().map(|replica| replica.confirmed().version()).collect()
    }
}

fn state_after(log: &[Entry]) -> Result<TableState, FoldError> {
    let game = games::catalog::game("tic-tac-toe").expect("the game is in the catalog");
    TableState::after(game, log)
}

/// The version of each action.
fn places(log: &[Entry], violations: &mut Vec<SoakViolation>) -> BTreeMap<ActionId, u64> {
    let mut places = BTreeMap::new();
    for entry in log {
        let Some(id) = &entry.action else { continue };
        if let Some(before) = places.insert(id.clone(), entry.version) {
            let versions = [before, entry.version];
            violations.push(SoakViolation::Duplicated { id: id.clone(), versions });
        }
    }
    places
}

/// The parts of a state that must agree, as text.
fn summary(state: &TableState) -> String {
    let (version, round, ply) = (state.version(), state.round(), state.ply());
    let losers: Vec<String> = state
        .losers()
        .iter()
        .map(|loser| loser.map_or_else(|| "-".to_owned(), |seat| seat.number().to_string()))
        .collect();
    format!(
        "version {version}, round {round}, ply {ply}, lost by {}, {:?}",
        losers.concat(),
        state.history()
    )
}

fn is_entry_of(written: &EntryBody, sent: &ActionBody, by: Seat) -> bool {
    match (written, sent) {
        (
            EntryBody::Played { seat, round, ply, chosen, .. },
            ActionBody::Play { round: r, ply: p, chosen: c },
        ) => *seat == by && round == r && ply == p && chosen == c,
        (EntryBody::Forfeited { seat, round, why }, ActionBody::Forfeit { round: r, .. }) => {
            *seat == by && round == r && *why != Forfeit::OutOfTime
        }
        // The action `next_round` records the loser or the tie as well.
        (
            EntryBody::Forfeited { round, .. }
            | EntryBody::Tied { round }
            | EntryBody::NextRound { round },
            ActionBody::NextRound { round: r, .. },
        )
        | (EntryBody::Tied { round }, ActionBody::Tie { round: r, .. }) => round == r,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A table with two players and one move, and the action of that move.
    fn table() -> (Ledger, Vec<Entry>, Action) {
        let log = r#"{"format":1,"version":1,"at":1,"who":"table","kind":"created","game":"tic-tac-toe","rules":1,"options":{},"commitment":"19b25856e1c150ca834cffc8b59b23adbd0ec0389e58eb22b3b64768098d002b"}
{"format":1,"version":2,"at":2,"who":"table","action":"x:1","kind":"joined","seat":0,"name":"Ada"}
{"format":1,"version":3,"at":3,"who":"table","action":"y:1","kind":"joined","seat":1,"name":"Bob"}
{"format":1,"version":4,"at":4,"who":{"seat":0},"action":"a:1","kind":"played","seat":0,"round":1,"ply":0,"move":"b2"}"#;
        let log = (1..).zip(log.lines()).map(|(version, line)| Entry::read(line, version).unwrap());
        let tokens = [String::new(), String::new()];
        let mut ledger = Ledger::new(NewTable { id: String::new(), tokens });
        let body = ActionBody::Play { round: 1, ply: 0, chosen: "b2".parse().unwrap() };
        let action = Action { id: "a:1".parse().unwrap(), body };
        ledger.send(Seat::FIRST, &action);
        (ledger, log.collect(), action)
    }

    #[track_caller]
    fn check(mut ledger: Ledger, log: &[Entry], expected: &[&str]) {
        let violations: Vec<String> =
            ledger.check(log).iter().map(SoakViolation::to_string).collect();
        let begins = |(violation, expected): (&String, &&str)| violation.starts_with(expected);
        let is_expected =
            violations.len() == expected.len() && violations.iter().zip(expected).all(begins);
        assert!(is_expected, "{violations:#?}");
    }

    #[test]
    fn an_acknowledged_and_received_action_is_in_the_log() {
        let (mut ledger, log, action) = table();
        ledger.acknowledge(&action.id, 4);
        ledger.receive(&log);
        check(ledger, &log, &[]);
    }

    #[test]
    fn an_action_counts_from_when_it_was_sent_first() {
        let (mut ledger, _, action) = table();
        let moment = Instant::now();
        ledger.send(Seat::FIRST, &action);
        ledger.acknowledge(&action.id, 4);
        assert_eq!(ledger.actions_after(moment), [0, 0]);
        let later = Action { id: ActionId::new("a", 2).unwrap(), ..action };
        ledger.send(Seat::FIRST, &later);
        assert_eq!(ledger.actions_after(moment), [1, 0]);
        ledger.acknowledge(&later.id, 5);
        assert_eq!(ledger.actions_after(moment), [1, 1]);
    }

    #[test]
    fn an_acknowledged_action_that_is_missing_is_lost() {
        let (mut ledger, log, action) = table();
        ledger.acknowledge(&action.id, 4);
        check(ledger, &log[..3], &["LOST: a:1 was acknowledged at 4 and is not in the log"]);
    }

    #[test]
    fn an_action_at_another_version_is_lost() {
        let (mut ledger, log, action) = table();
        ledger.acknowledge(&action.id, 5);
        let lost = "LOST: a:1 was acknowledged at 5 and is at 4";
        check(ledger, &log, &[lost, "NOT LINEARIZABLE"]);
    }

    #[test]
    fn a_received_entry_that_is_missing_is_lost() {
        let (mut ledger, log, _) = table();
        ledger.receive(&log);
        check(ledger, &log[..3], &["LOST: entry 4 was received"]);
    }

    #[test]
    fn an_action_acknowledged_at_two_versions_is_duplicated() {
        let (mut ledger, log, action) = table();
        ledger.acknowledge(&action.id, 4);
        ledger.acknowledge(&action.id, 6);
        check(ledger, &log, &["DUPLICATED: a:1 was acknowledged at 4 and at 6"]);
    }

    #[test]
    fn an_action_that_is_in_the_log_twice_is_duplicated_and_illegal() {
        let (ledger, mut log, _) = table();
        log.push(Entry { version: 5, ..log[3].clone() });
        check(ledger, &log, &["DUPLICATED: a:1 is in the log at 4 and at 5", "ILLEGAL: entry 5"]);
    }

    #[test]
    fn an_entry_that_its_player_did_not_send_is_foreign() {
        let (_, log, action) = table();
        let tokens = [String::new(), String::new()];
        let mut ledger = Ledger::new(NewTable { id: String::new(), tokens });
        ledger.send(Seat::SECOND, &action);
        check(ledger, &log, &["FOREIGN: entry 4: another player sent this"]);
        let tokens = [String::new(), String::new()];
        let ledger = Ledger::new(NewTable { id: String::new(), tokens });
        check(ledger, &log, &["FOREIGN: entry 4: no player sent this"]);
    }

    #[test]
    fn a_refusal_that_no_order_explains_is_not_linearizable() {
        let (mut ledger, log, action) = table();
        ledger.refuse(&action.id);
        check(ledger, &log, &["NOT LINEARIZABLE: no order of the last 1 actions"]);
    }

    #[test]
    fn a_player_with_an_older_version_disagrees() {
        let (mut ledger, log, _) = table();
        let game = games::catalog::game("tic-tac-toe").unwrap();
        let state = TableState::after(game, &log[..3]).unwrap();
        ledger.replicas[1] = Some(Replica::new(state, Some(Seat::SECOND)));
        check(ledger, &log, &["DISAGREES: the player of seat 1 has version 3, round 1"]);
    }
}
