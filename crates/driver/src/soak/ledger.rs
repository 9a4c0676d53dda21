//! What was sent to a table, what came back, and whether the log agrees.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use game::Seat;
use table::{Action, ActionBody, ActionId, Author, Entry, EntryBody, Forfeit, Replica, TableState};

use crate::http::NewTable;

/// What was sent to a table and what came back, by all its players.
#[derive(Debug)]
pub(crate) struct Ledger {
    pub(crate) table: NewTable,
    /// What each player holds.
    pub(crate) replicas: [Option<Replica>; 2],
    /// Every action that was sent, and by whom.
    sent: BTreeMap<ActionId, (Seat, Action)>,
    /// Every action that was acknowledged, and where.
    acknowledged: BTreeMap<ActionId, u64>,
    /// Every entry that a player was shown; the log must have it.
    shown: BTreeMap<u64, Entry>,
    /// What players noticed themselves.
    noticed: Vec<Finding>,
    /// The table is played out: its players go home.
    pub(crate) is_over: bool,
}

/// Something that must not be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Finding {
    /// An action was acknowledged and is not in the log.
    Lost { id: ActionId, version: u64 },
    /// An action is in the log, but not where it was said to be.
    Misplaced { id: ActionId, version: u64, found: u64 },
    /// An action is in the log twice.
    Duplicated { id: ActionId, versions: [u64; 2] },
    /// A player was shown an entry that the log does not have.
    Unwritten { version: u64 },
    /// An action was answered with one version and then with another.
    AnsweredTwice { id: ActionId, versions: [u64; 2] },
    /// The entries do not follow from each other.
    Illegal { why: String },
    /// Something was done in the name of a seat that its player has not done.
    Foreign { version: u64, what: String },
    /// What a player holds is not what the log says.
    Disagrees { seat: usize, knows: String, log: String },
    /// Somebody got in who should not.
    Intruder { what: String },
    /// Something else.
    Other { what: String },
}

impl fmt::Display for Finding {
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
                write!(f, "LOST: entry {version} was shown and is not in the log like that")
            }
            Self::AnsweredTwice { id, versions: [one, two] } => {
                write!(f, "DUPLICATED: {id} was acknowledged at {one} and at {two}")
            }
            Self::Illegal { why } => write!(f, "ILLEGAL: {why}"),
            Self::Foreign { version, what } => write!(f, "FOREIGN: entry {version}: {what}"),
            Self::Disagrees { seat, knows, log } => {
                write!(f, "DISAGREES: the player of seat {seat} knows {knows}, the log says {log}")
            }
            Self::Intruder { what } => write!(f, "INTRUDER: {what}"),
            Self::Other { what } => write!(f, "OTHER: {what}"),
        }
    }
}

impl Finding {
    /// Whether something that was acknowledged is gone.
    pub(crate) const fn is_loss(&self) -> bool {
        matches!(self, Self::Lost { .. } | Self::Misplaced { .. } | Self::Unwritten { .. })
    }

    /// Whether something happened twice.
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
            shown: BTreeMap::new(),
            noticed: Vec::new(),
            is_over: false,
        }
    }

    /// A player sends something.
    pub(crate) fn send(&mut self, seat: Seat, action: &Action) {
        self.sent.insert(action.id.clone(), (seat, action.clone()));
    }

    /// The server says where an action is; gives whether that is news.
    pub(crate) fn acknowledge(&mut self, id: &ActionId, version: u64) -> bool {
        let known = *self.acknowledged.entry(id.clone()).or_insert(version);
        if known != version {
            let versions = [known, version];
            self.noticed.push(Finding::AnsweredTwice { id: id.clone(), versions });
        }
        known == version
    }

    /// Whether an action was acknowledged.
    pub(crate) fn is_acknowledged(&self, id: &ActionId) -> bool {
        self.acknowledged.contains_key(id)
    }

    /// The server shows entries.
    pub(crate) fn show(&mut self, entries: &[Entry]) {
        for entry in entries {
            let entry = Entry { action: None, ..entry.clone() };
            self.shown.insert(entry.version, entry);
        }
    }

    pub(crate) fn notice(&mut self, finding: Finding) {
        self.noticed.push(finding);
    }

    /// What was noticed since the last time.
    pub(crate) fn take_noticed(&mut self) -> Vec<Finding> {
        std::mem::take(&mut self.noticed)
    }

    /// A finding, with the table that it is about.
    pub(crate) fn about(&self, finding: Finding) -> (String, Finding) {
        (self.table.id.clone(), finding)
    }

    /// Everything in which a log and this ledger differ; what was noticed is told once.
    pub(crate) fn check(&mut self, log: &[Entry]) -> Vec<Finding> {
        let mut findings = self.take_noticed();
        let places = places(log, &mut findings);
        for (id, version) in &self.acknowledged {
            match places.get(id) {
                None => findings.push(Finding::Lost { id: id.clone(), version: *version }),
                Some(found) if found != version => {
                    let (id, version, found) = (id.clone(), *version, *found);
                    findings.push(Finding::Misplaced { id, version, found });
                }
                Some(_) => {}
            }
        }
        let is_written = |entry: &Entry| {
            let place = usize::try_from(entry.version).ok().and_then(|place| place.checked_sub(1));
            let found = place.and_then(|place| log.get(place));
            found.is_some_and(|found| Entry { action: None, ..found.clone() } == *entry)
        };
        let unwritten = self.shown.values().filter(|entry| !is_written(entry));
        findings.extend(unwritten.map(|entry| Finding::Unwritten { version: entry.version }));
        findings.extend(log.iter().filter_map(|entry| self.foreign(entry)));
        match TableState::after(games::catalog::game("tic-tac-toe").expect("it is there"), log) {
            Ok(state) => findings.extend(self.disagreements(&state)),
            Err(error) => findings.push(Finding::Illegal { why: error.to_string() }),
        }
        findings
    }

    /// What is wrong with who brought an entry about.
    fn foreign(&self, entry: &Entry) -> Option<Finding> {
        let foreign = |what: &str| {
            let what = format!("{what} ({})", entry.write());
            Some(Finding::Foreign { version: entry.version, what })
        };
        let Author::Seat(seat) = entry.who else {
            // Seats are taken before the players come.
            let is_early =
                matches!(entry.body, EntryBody::Created { .. } | EntryBody::Joined { .. });
            return if is_early && entry.version <= 3 { None } else { foreign("nobody did this") };
        };
        let Some((sender, action)) = entry.action.as_ref().and_then(|id| self.sent.get(id)) else {
            return foreign("no player sent this");
        };
        if *sender != seat {
            return foreign("another player sent this");
        }
        if is_what_was_sent(&entry.body, &action.body, seat) {
            return None;
        }
        foreign("something else was sent")
    }

    /// Which players know something else than the log.
    fn disagreements(&self, log: &TableState) -> Vec<Finding> {
        let mut findings = Vec::new();
        for (seat, replica) in self.replicas.iter().enumerate() {
            let Some(replica) = replica else { continue };
            let (knows, log) = (essence(replica.confirmed()), essence(log));
            if knows != log {
                findings.push(Finding::Disagrees { seat, knows, log });
            }
        }
        findings
    }

    /// The last version that every player knows who knows one.
    pub(crate) fn known(&self) -> BTreeSet<u64> {
        self.replicas.iter().flatten().map(|replica| replica.confirmed().version()).collect()
    }
}

/// Where each action is.
fn places(log: &[Entry], findings: &mut Vec<Finding>) -> BTreeMap<ActionId, u64> {
    let mut places = BTreeMap::new();
    for entry in log {
        let Some(id) = &entry.action else { continue };
        if let Some(before) = places.insert(id.clone(), entry.version) {
            let versions = [before, entry.version];
            findings.push(Finding::Duplicated { id: id.clone(), versions });
        }
    }
    places
}

/// What matters of how a table stands.
fn essence(state: &TableState) -> String {
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

fn is_what_was_sent(written: &EntryBody, sent: &ActionBody, by: Seat) -> bool {
    match (written, sent) {
        (
            EntryBody::Played { seat, round, ply, chosen, .. },
            ActionBody::Play { round: r, ply: p, chosen: c },
        ) => *seat == by && round == r && ply == p && chosen == c,
        (EntryBody::Forfeited { seat, round, why }, ActionBody::Forfeit { round: r, .. }) => {
            *seat == by && round == r && *why != Forfeit::OutOfTime
        }
        // Who goes on records the same loser or tie.
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

    /// A table at which both have sat down and the first has played, and the action of that.
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
        let findings: Vec<String> = ledger.check(log).iter().map(Finding::to_string).collect();
        let begins = |(finding, expected): (&String, &&str)| finding.starts_with(expected);
        let is_expected =
            findings.len() == expected.len() && findings.iter().zip(expected).all(begins);
        assert!(is_expected, "{findings:#?}");
    }

    #[test]
    fn what_was_acknowledged_and_shown_is_in_the_log() {
        let (mut ledger, log, action) = table();
        ledger.acknowledge(&action.id, 4);
        ledger.show(&log);
        check(ledger, &log, &[]);
    }

    #[test]
    fn what_was_acknowledged_and_is_gone_is_lost() {
        let (mut ledger, log, action) = table();
        ledger.acknowledge(&action.id, 4);
        check(ledger, &log[..3], &["LOST: a:1 was acknowledged at 4 and is not in the log"]);
    }

    #[test]
    fn what_is_elsewhere_than_it_was_said_to_be_is_lost() {
        let (mut ledger, log, action) = table();
        ledger.acknowledge(&action.id, 5);
        check(ledger, &log, &["LOST: a:1 was acknowledged at 5 and is at 4"]);
    }

    #[test]
    fn what_was_shown_and_is_gone_is_lost() {
        let (mut ledger, log, _) = table();
        ledger.show(&log);
        check(ledger, &log[..3], &["LOST: entry 4 was shown"]);
    }

    #[test]
    fn what_is_acknowledged_in_two_places_happened_twice() {
        let (mut ledger, log, action) = table();
        ledger.acknowledge(&action.id, 4);
        ledger.acknowledge(&action.id, 6);
        check(ledger, &log, &["DUPLICATED: a:1 was acknowledged at 4 and at 6"]);
    }

    #[test]
    fn what_is_in_the_log_twice_happened_twice_and_is_illegal() {
        let (ledger, mut log, _) = table();
        log.push(Entry { version: 5, ..log[3].clone() });
        check(ledger, &log, &["DUPLICATED: a:1 is in the log at 4 and at 5", "ILLEGAL: entry 5"]);
    }

    #[test]
    fn what_nobody_sent_or_another_sent_is_foreign() {
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
    fn a_player_who_knows_less_than_the_log_disagrees() {
        let (mut ledger, log, _) = table();
        let game = games::catalog::game("tic-tac-toe").unwrap();
        let state = TableState::after(game, &log[..3]).unwrap();
        ledger.replicas[1] = Some(Replica::new(state, Some(Seat::SECOND)));
        check(ledger, &log, &["DISAGREES: the player of seat 1 knows version 3, round 1"]);
    }
}
