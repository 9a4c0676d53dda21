//! Nodes that race on one journal: no acknowledged action is lost, and none is applied twice.

use game::{Game, Generator, Seat};
use table::{
    Action, ActionBody, ActionId, ActionVerdict, Actor, Attempt, AttemptStep, Entry, TableState,
};

use crate::test_table::{ONE, TWO, TestTable, leave_or_rejoin};

/// A journal that appends only after its last version.
struct Journal(Vec<Entry>);

/// An answer of the journal, which may be lost.
enum Answer {
    Committed,
    Conflict(Vec<Entry>),
    Lost,
}

impl Journal {
    fn append(&mut self, after: u64, entries: &[Entry], generator: &mut Generator) -> Answer {
        // The request or the answer is lost.
        if generator.below(6) == 0 {
            return Answer::Lost;
        }
        let after = usize::try_from(after).expect("the number fits");
        if after < self.0.len() {
            return Answer::Conflict(self.0[after..].to_vec());
        }
        self.0.extend_from_slice(entries);
        if generator.below(6) == 0 { Answer::Lost } else { Answer::Committed }
    }

    fn find(&self, id: &ActionId) -> Option<&Entry> {
        self.0.iter().find(|entry| entry.action.as_ref() == Some(id))
    }

    fn after(&self, version: u64) -> Vec<Entry> {
        self.0[usize::try_from(version).expect("the number fits")..].to_vec()
    }
}

/// Continues the attempt until there is a verdict.
fn settle(
    journal: &mut Journal,
    state: &mut TableState,
    (action, seat): (Action, Seat),
    generator: &mut Generator,
) -> ActionVerdict {
    let (mut attempt, mut progress) = Attempt::begin(state, action, Actor::Seat(seat), 0);
    loop {
        progress = match progress {
            AttemptStep::Done(verdict) => return verdict,
            AttemptStep::Read { after } => {
                attempt.conflicted(state, &journal.after(after)).expect("the entry follows the log")
            }
            AttemptStep::Find { id } => attempt.found(state, journal.find(&id)),
            AttemptStep::Append { after, entries } => {
                match journal.append(after, &entries, generator) {
                    Answer::Committed => {
                        attempt.committed(state).expect("the entry follows the log")
                    }
                    Answer::Conflict(tail) => {
                        attempt.conflicted(state, &tail).expect("the entry follows the log")
                    }
                    Answer::Lost => attempt.lost(state),
                }
            }
        };
    }
}

fn any_action(state: &TableState, seat: Seat, number: u64, generator: &mut Generator) -> Action {
    let (round, ply) = (state.round(), state.ply());
    let chosen = generator.below(9).to_string().parse().expect("the move text is valid");
    let body = match generator.below(8) {
        0 => ActionBody::NextRound { round, ply },
        1 => ActionBody::Forfeit { round, ply },
        _ => ActionBody::Play { round, ply, chosen },
    };
    let id = ActionId::new(["one", "two"][seat.index()], number).expect("the id is valid");
    Action { id, body }
}

#[test]
fn the_log_has_an_acknowledged_action_once_and_a_refused_action_never() {
    let (mut committed, mut refused) = (0, 0);
    for seed in 0..2_000 {
        let mut generator = Generator::seeded(seed);
        let test_table = TestTable::tic_tac_toe();
        let mut journal = Journal(test_table.log.clone());
        let mut nodes =
            [test_table.state.clone(), test_table.state.clone(), test_table.state.clone()];
        let mut verdicts = Vec::new();
        for number in 0..20 {
            let node = usize::try_from(generator.below(3)).expect("the number is below 3");
            let seat = [ONE, TWO][usize::from(generator.below(2) == 1)];
            let action = any_action(&nodes[node], seat, number, &mut generator);
            let id = action.id.clone();
            let verdict =
                settle(&mut journal, &mut nodes[node], (action.clone(), seat), &mut generator);
            // The client did not get the answer, and asks another node.
            let other = (node + 1) % 3;
            let again = settle(&mut journal, &mut nodes[other], (action, seat), &mut generator);
            match (&verdict, &again) {
                (ActionVerdict::Committed(version), again) => {
                    assert_eq!(*again, ActionVerdict::Committed(*version), "seed {seed}");
                }
                (ActionVerdict::Refused(_) | ActionVerdict::NotYet(_), again) => {
                    assert!(matches!(again, ActionVerdict::Refused(_)), "seed {seed}: {again:?}");
                }
            }
            verdicts.push((id, verdict));
        }
        for (id, verdict) in &verdicts {
            let places = journal.0.iter().filter(|entry| entry.action.as_ref() == Some(id));
            let versions: Vec<u64> = places.map(|entry| entry.version).collect();
            match verdict {
                ActionVerdict::Committed(version) => {
                    assert_eq!(versions, [*version], "seed {seed}");
                }
                ActionVerdict::Refused(_) | ActionVerdict::NotYet(_) => {
                    assert!(versions.is_empty(), "seed {seed}");
                }
            }
            committed += u32::from(matches!(verdict, ActionVerdict::Committed(_)));
            refused += u32::from(matches!(verdict, ActionVerdict::Refused(_)));
        }
        let whole = TableState::after(test_table.game(), &journal.0).expect("every entry follows");
        for node in &nodes {
            let known = usize::try_from(node.version()).expect("the number fits");
            let same = TableState::after(test_table.game(), &journal.0[..known])
                .expect("the entry follows the log");
            assert_eq!(node.position(), same.position(), "seed {seed}");
        }
        assert_eq!(whole.game().name(), "tic-tac-toe");
    }
    assert!(committed > 1_000 && refused > 1_000, "{committed} {refused}");
}

#[test]
fn an_action_that_was_applied_long_ago_gets_the_same_verdict() {
    let mut test_table = TestTable::tic_tac_toe();
    let mut generator = Generator::seeded(0);
    let first = any_play(&test_table, 1);
    let mut journal = Journal(test_table.log.clone());
    let mut state = test_table.state.clone();
    let committed = settle(&mut journal, &mut state, (first.clone(), ONE), &mut generator);
    test_table.state = state;
    for number in 0..100 {
        let moved = (leave_or_rejoin(number, "two", test_table.state.version()), TWO);
        settle(&mut journal, &mut test_table.state, moved, &mut generator);
    }
    assert_eq!(test_table.state.version_of(&first.id), None, "the state no longer remembers it");
    let again = settle(&mut journal, &mut test_table.state, (first, ONE), &mut generator);
    assert_eq!((&again, &again), (&committed, &ActionVerdict::Committed(4)));
}

fn any_play(test_table: &TestTable, number: u64) -> Action {
    let (round, ply) = (test_table.state.round(), test_table.state.ply());
    let id = ActionId::new("one", number).expect("the id is valid");
    let chosen = "b2".parse().expect("the move text is valid");
    Action { id, body: ActionBody::Play { round, ply, chosen } }
}

#[test]
fn an_attempt_that_always_conflicts_decides_nothing() {
    let test_table = TestTable::tic_tac_toe();
    let mut state = test_table.state.clone();
    let (mut attempt, mut progress) =
        Attempt::begin(&state, any_play(&test_table, 1), Actor::Seat(ONE), 0);
    let mut conflicts = 0;
    while let AttemptStep::Append { after, .. } = progress {
        // Another player leaves or comes back just before every append.
        let body = if conflicts % 2 == 0 {
            table::EntryBody::Left { seat: TWO }
        } else {
            test_table.log[2].body.clone()
        };
        let other = crate::test_table::entry(after + 1, table::Author::Table, None, body);
        progress = attempt.conflicted(&mut state, &[other]).expect("the entry follows the log");
        conflicts += 1;
    }
    let AttemptStep::Done(ActionVerdict::NotYet(busy)) = progress else {
        unreachable!("{progress:?}")
    };
    assert_eq!((busy.message(), conflicts), ("Others came first too often: try again", 64));
}

/// The verdict of a node that has read the whole log.
fn verdict(test_table: &TestTable, action: &Action, by: Actor) -> ActionVerdict {
    let mut state = test_table.state.clone();
    let (mut attempt, mut progress) = Attempt::begin(&state, action.clone(), by, 0);
    loop {
        progress = match progress {
            AttemptStep::Done(verdict) => return verdict,
            AttemptStep::Read { .. } => {
                attempt.conflicted(&mut state, &[]).expect("there are no new entries")
            }
            AttemptStep::Find { .. } => attempt.found(&state, None),
            AttemptStep::Append { .. } => {
                attempt.committed(&mut state).expect("the entry follows the log")
            }
        };
    }
}

#[test]
fn an_action_refused_because_a_player_was_missing_stays_refused() {
    let mut test_table = TestTable::empty("tic-tac-toe", table::Options::default());
    test_table.join("one").expect("the first seat is free");
    let early = any_play(&test_table, 1);
    let refused = verdict(&test_table, &early, Actor::Seat(ONE));
    assert!(matches!(refused, ActionVerdict::Refused(_)), "{refused:?}");
    let stranger = verdict(&test_table, &early, Actor::Token(table::Digest::of(b"two")));
    assert!(matches!(stranger, ActionVerdict::Refused(_)), "{stranger:?}");
    test_table.join("two").expect("the second seat is free");
    for by in [Actor::Seat(ONE), Actor::Token(table::Digest::of(b"two"))] {
        let again = verdict(&test_table, &early, by);
        assert!(matches!(again, ActionVerdict::Refused(_)), "{again:?}");
    }
}

#[test]
fn an_early_action_is_neither_accepted_nor_refused() {
    let mut test_table = TestTable::empty("tic-tac-toe", table::Options::default());
    test_table.join("one").expect("the first seat is free");
    let id = ActionId::new("one", 1).expect("the id is valid");
    let chosen = "b2".parse().expect("the move text is valid");
    for body in [
        ActionBody::Play { round: 1, ply: 0, chosen },
        ActionBody::Forfeit { round: 0, ply: 1 },
        ActionBody::NextRound { round: 7, ply: 0 },
        ActionBody::Leave { version: 3 },
    ] {
        let action = Action { id: id.clone(), body };
        for by in [Actor::Seat(ONE), Actor::Stranger] {
            let verdict = verdict(&test_table, &action, by);
            assert!(matches!(verdict, ActionVerdict::NotYet(_)), "{action:?}: {verdict:?}");
        }
    }
}

#[test]
fn a_node_learns_a_new_token_from_the_log() {
    let behind = {
        let mut test_table = TestTable::empty("tic-tac-toe", table::Options::default());
        test_table.join("one").expect("the first seat is free");
        test_table
    };
    let mut ahead = behind.clone();
    ahead.join("two").expect("the second seat is free");
    ahead.play_all("a1");
    let (round, ply, chosen) = (1, 1, "b2".parse().expect("the move text is valid"));
    let id = ActionId::new("two", 1).expect("the id is valid");
    let action = Action { id, body: ActionBody::Play { round, ply, chosen } };
    let token = Actor::Token(table::Digest::of(b"two"));
    let mut state = behind.state;
    let (mut attempt, progress) = Attempt::begin(&state, action, token, 0);
    assert_eq!(progress, AttemptStep::Read { after: 2 });
    let progress =
        attempt.conflicted(&mut state, &ahead.log[2..]).expect("the entry follows the log");
    let AttemptStep::Append { entries, .. } = progress else { unreachable!("{progress:?}") };
    assert_eq!(entries[0].who, table::Author::Seat(TWO));
}

#[test]
fn an_action_with_the_id_of_another_player_is_refused() {
    let mut test_table = TestTable::tic_tac_toe();
    let theirs = any_play(&test_table, 1);
    test_table.submit(&theirs, Actor::Seat(ONE)).expect("the move is legal");
    let (round, ply, chosen) = (1, 1, "a1".parse().expect("the move text is valid"));
    let ours = Action { id: theirs.id.clone(), body: ActionBody::Play { round, ply, chosen } };
    let taken = "Another player has used the id of this action: choose another one";
    let refused = |verdict: ActionVerdict| match verdict {
        ActionVerdict::Refused(refusal) => refusal.message().to_owned(),
        other => unreachable!("{other:?}"),
    };
    assert_eq!(refused(verdict(&test_table, &ours, Actor::Seat(TWO))), taken);
    // The same holds for an old id that only the journal remembers.
    let first = test_table.log.last().cloned();
    let mut state = test_table.state.clone();
    for number in 0..20 {
        let action = leave_or_rejoin(number, "one", state.version());
        test_table.submit(&action, Actor::Seat(ONE)).expect("a player may come and go at any time");
        state = test_table.state.clone();
    }
    let stale = Action { body: ActionBody::Forfeit { round: 1, ply: 0 }, ..ours };
    let (mut attempt, mut progress) = Attempt::begin(&state, stale, Actor::Seat(TWO), 0);
    while !matches!(progress, AttemptStep::Done(_)) {
        progress = match progress {
            AttemptStep::Read { .. } => {
                attempt.conflicted(&mut state, &[]).expect("there are no new entries")
            }
            AttemptStep::Find { .. } => attempt.found(&state, first.as_ref()),
            other => unreachable!("{other:?}"),
        };
    }
    let AttemptStep::Done(verdict) = progress else { unreachable!("the attempt is done") };
    assert_eq!(refused(verdict), taken);
}
