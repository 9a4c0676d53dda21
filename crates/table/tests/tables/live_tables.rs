//! Live tables: clients get the same state as the server.

use game::{Game, MoveExplanation, Seat, Viewer};
use table::wire::{Entries, Resync};
use table::{
    Actor, Attempt, AttemptStep, Decision, Entry, EntryBody, FoldEntries, FoldError, LiveTable,
    Options, Rehearsal, Replica, TableSecret, TableState, Update, automatic_entries, decide,
};

use crate::test_table::{ONE, TWO, TestTable};

fn secret() -> TableSecret {
    TableSecret::new([7; 32])
}

/// A test table with a live table beside it.
struct Server {
    test_table: TestTable,
    live: LiveTable,
}

impl Server {
    fn new(name: &str, options: Options) -> Self {
        let test_table = TestTable::empty(name, options);
        let live = LiveTable::new(test_table.state.clone(), secret(), "one".to_owned());
        let mut server = Self { test_table, live };
        server.test_table.join("one").expect("the first seat is free");
        if server.test_table.join("two").is_err() {
            assert!(server.test_table.state.is_full(), "a computer player holds the second seat");
        }
        server
    }

    /// Plays moves, and adds the automatic entries after each.
    fn play(&mut self, moves: &str) {
        for chosen in moves.split_whitespace() {
            let seat = self.test_table.state.turn().iter().next().expect("a seat is to move");
            self.test_table.play(seat, chosen).expect("the move is legal");
            self.settle();
        }
    }

    fn settle(&mut self) {
        loop {
            let state = &self.test_table.state;
            let own = automatic_entries(state, &secret(), state.at() + 1)
                .expect("the table can continue");
            if own.is_empty() {
                return;
            }
            self.test_table.state.fold_all(&own).expect("the entry follows the log");
            self.test_table.log.extend(own);
        }
    }

    fn messages(&mut self, seat: Option<Seat>) -> Vec<Entries> {
        let known = usize::try_from(self.live.state().version()).expect("the number fits");
        self.live.fold_all(&self.test_table.log[known..]).expect("the entry follows the log");
        self.live
            .take_announcements()
            .iter()
            .map(|announcement| announcement.message_for(self.live.state(), seat))
            .collect()
    }
}

fn known(from: u64, epoch: &str) -> Resync {
    Resync { from: Some(from), epoch: Some(epoch.to_owned()) }
}

#[test]
fn a_client_that_joins_at_any_time_gets_the_state_of_the_server() {
    for name in ["tic-tac-toe", "pig", "odds-and-evens"] {
        let mut server = Server::new(name, Options { alternate: true, ..Options::default() });
        for step in 0..40 {
            server.messages(None);
            for (seat, viewer) in [(Some(TWO), Viewer::Seat(TWO)), (None, Viewer::Spectator)] {
                let welcome = server.live.welcome(seat, &Resync::default());
                let state =
                    welcome.state(server.test_table.game()).expect("the entry follows the log");
                assert_eq!(state.view(viewer), server.live.state().view(viewer), "{name}");
                assert_eq!((welcome.version, welcome.seat), (state.version(), seat));
            }
            let state = &server.test_table.state;
            let seat = state.turn().iter().find(|seat| !state.has_sealed(*seat));
            let moves = seat.map(|seat| state.view(Viewer::Seat(seat)).legal_moves);
            match (seat, moves.and_then(|moves| moves.into_iter().next())) {
                (Some(seat), Some(first)) => {
                    server.test_table.play(seat, first.as_str()).expect("the move is legal");
                    server.settle();
                }
                _ => drop(server.test_table.next_round(ONE).expect("the round is decided")),
            }
            assert!(step < 39 || server.test_table.state.version() > 40);
        }
    }
}

#[test]
fn a_client_that_reconnects_gets_only_missed_entries() {
    let mut server = Server::new("tic-tac-toe", Options::default());
    server.play("a1 b2 c3");
    server.messages(None);
    let versions = |known: &Resync| {
        let welcome = server.live.welcome(Some(ONE), known);
        let versions: Vec<u64> = welcome.entries.iter().map(|entry| entry.version).collect();
        (welcome.start.is_some(), versions)
    };
    assert_eq!(versions(&known(4, "one")), (false, vec![5, 6]));
    assert_eq!(versions(&known(6, "one")), (false, vec![]));
    assert_eq!(versions(&known(6, "two")), (true, vec![4, 5, 6]), "the client knows another log");
    assert_eq!(versions(&known(7, "one")), (true, vec![4, 5, 6]), "the client is ahead");
    assert_eq!(
        versions(&known(1, "one")),
        (true, vec![4, 5, 6]),
        "the version is before this round"
    );
    assert_eq!(versions(&Resync::default()), (true, vec![4, 5, 6]));
}

#[test]
fn a_replica_follows_the_messages() {
    let mut server = Server::new("odds-and-evens", Options::default());
    server.messages(Some(TWO));
    let welcome = server.live.welcome(Some(TWO), &Resync::default());
    let state = welcome.state(server.test_table.game()).expect("the entry follows the log");
    let mut replica = Replica::new(state, Some(TWO));
    server.test_table.play(ONE, "1").expect("both seats choose");
    server.test_table.play(TWO, "2").expect("both seats choose");
    for message in server.messages(Some(TWO)) {
        let update = replica.receive(&message.entries).expect("the entry follows the log");
        assert!(matches!(update, Update::Folded { .. }));
    }
    let viewer = Viewer::Seat(TWO);
    assert_eq!(replica.confirmed().view(viewer), server.test_table.state.view(viewer));
}

#[test]
fn the_move_of_a_computer_player_carries_its_explanation() {
    let computers = vec![None, Some("bthreads".to_owned())];
    let mut server = Server::new("tic-tac-toe", Options { computers, ..Options::default() });
    server.play("a1");
    let messages = server.messages(None);
    let last =
        messages.last().and_then(|entries| entries.entries.last()).expect("the computer has moved");
    let given = explanation(last).expect("the move has an explanation");
    assert_eq!(given.sentence, "DefaultMoves wanted O b2");
    assert_eq!(server.test_table.log.last(), Some(last), "the log has the same entry");
    let again = server.live.welcome(None, &Resync::default());
    assert_eq!(again.entries.last(), Some(last), "a later client gets the same entry");
    let before = messages.iter().flat_map(|entries| &entries.entries).rev().nth(1);
    assert_eq!(before.and_then(explanation), None, "a person's move has no explanation");
}

/// Old logs have no explanations, and a live table does not compute them.
#[test]
fn a_move_without_an_explanation_is_sent_as_it_was_written() {
    let computers = vec![None, Some("bthreads".to_owned())];
    let mut server = Server::new("tic-tac-toe", Options { computers, ..Options::default() });
    server.play("a1");
    let last = server.test_table.log.last_mut().expect("the computer has moved");
    let EntryBody::Played { explanation, .. } = &mut last.body else { panic!("{last:?}") };
    *explanation = None;
    let old = last.clone();
    let messages = server.messages(None);
    assert_eq!(messages.last().and_then(|entries| entries.entries.last()), Some(&old));
    let again = server.live.welcome(None, &Resync::default());
    assert_eq!(again.entries.last(), Some(&old));
}

fn explanation(entry: &Entry) -> Option<&MoveExplanation> {
    match &entry.body {
        EntryBody::Played { explanation, .. } => explanation.as_deref(),
        _ => None,
    }
}

#[test]
fn a_game_with_hidden_information_sends_no_explanations_and_no_snapshot() {
    let computers = vec![None, Some("random".to_owned())];
    let mut server = Server::new("kuhn-poker", Options { computers, ..Options::default() });
    server.settle();
    server.play("pass");
    for message in server.messages(Some(ONE)) {
        assert!(message.entries.iter().all(|entry| explanation(entry).is_none()));
        assert_eq!(message.view.map(|view| view.game), Some("kuhn-poker".to_owned()));
    }
    let welcome = server.live.welcome(Some(ONE), &Resync::default());
    assert_eq!(welcome.start, None);
    assert!(welcome.state(server.test_table.game()).is_err(), "the welcome has no snapshot");
    assert!(welcome.entries.len() > 1, "the welcome has the visible entries");
    let text = serde_json::to_string(&welcome).expect("the value serializes");
    let cards = server.test_table.text();
    let hidden = cards.chars().nth(1).expect("there are two cards");
    assert!(!text.contains(&format!("\"{hidden}")), "{cards}: {text}");
}

#[test]
fn entries_that_do_not_follow_the_log_change_nothing() {
    let mut server = Server::new("tic-tac-toe", Options::default());
    server.play("a1 b2");
    server.messages(None);
    let entries = [server.test_table.log[1].clone(), server.test_table.log[2].clone()];
    for wrong in [&entries[..1], &entries[..]] {
        server.live.fold_all(wrong).expect_err("the entries are old");
        assert_eq!(server.live.state().version(), server.test_table.state.version());
        assert!(server.live.take_announcements().is_empty());
    }
}

#[test]
fn the_id_of_an_action_is_shown_only_to_its_author() {
    let mut server = Server::new("tic-tac-toe", Options::default());
    server.play("a1");
    for (seat, expected) in [(Some(ONE), true), (Some(TWO), false), (None, false)] {
        let mut other = LiveTable::new(server.test_table.state.clone(), secret(), "one".to_owned());
        assert!(other.take_announcements().is_empty());
        let start = TableState::after(server.test_table.game(), &server.test_table.log[..3]);
        other =
            LiveTable::new(start.expect("the entry follows the log"), secret(), "one".to_owned());
        other.fold_all(&server.test_table.log[3..]).expect("the entry follows the log");
        let announcements = other.take_announcements();
        let action = announcements[0].message_for(other.state(), seat).entries[0].action.clone();
        assert_eq!(action.is_some(), expected);
    }
    let id = server.test_table.log[3].action.clone().expect("the entry has an id");
    let action = table::Action { id, body: table::ActionBody::Leave { version: 4 } };
    let again = decide(&server.test_table.state, &action, Actor::Seat(ONE));
    assert_eq!(again, Ok(Decision::Known(4)));
    assert_eq!(server.test_table.game().name(), "tic-tac-toe");
}

#[test]
fn the_prepared_effect_of_one_entry_is_not_applied_for_another() {
    let mut server = Server::new("tic-tac-toe", Options::default());
    server.messages(None);
    let (before, known) = (server.live.clone(), server.test_table.log.len());
    server.play("a1");
    let (one, mut another) =
        (server.test_table.log[known].clone(), server.test_table.log[known].clone());
    let EntryBody::Played { chosen, .. } = &mut another.body else { panic!("{another:?}") };
    *chosen = "b2".parse().expect("the move text is valid");
    let after = |prepared: Option<&Entry>, taken: &Entry| {
        let mut live = before.clone();
        prepared.map_or(Ok(()), |entry| live.prepare(std::slice::from_ref(entry)))?;
        live.fold_all(std::slice::from_ref(taken))?;
        Ok::<_, FoldError>(live.state().view(Viewer::Spectator))
    };
    assert_eq!(after(Some(&one), &one), after(None, &one));
    assert_eq!(after(Some(&one), &another), after(None, &another));
    assert_ne!(after(None, &one), after(None, &another));
    another.version += 1;
    assert_eq!(after(Some(&another), &one), Err(another_version(&before, &another)));
}

/// A table after these entries, which were tried out before or not.
fn after(before: &LiveTable, rehearsed: Option<&[Entry]>, taken: &[Entry]) -> LiveTable {
    let mut live = before.clone();
    if let Some(entries) = rehearsed {
        let mut rehearsal = Rehearsal::of(live.state().clone());
        rehearsal.fold_all(entries).expect("the entries follow the log");
        live.adopt(rehearsal.effects());
        assert_eq!(live.state().version(), before.state().version(), "nothing has happened yet");
    }
    live.fold_all(taken).expect("the entries follow the log");
    live
}

#[test]
fn entries_that_were_tried_out_have_the_same_effects() {
    let mut server = Server::new("pig", Options::default());
    server.messages(None);
    let (before, known) = (server.live.clone(), server.test_table.log.len());
    server.play("roll roll roll");
    let entries = &server.test_table.log[known..];
    assert!(entries.len() > 3, "chance has drawn");
    let view = |live: &LiveTable| live.state().view(Viewer::Spectator);
    let expected = view(&after(&before, None, entries));
    assert_eq!(view(&after(&before, Some(entries), entries)), expected);
    // One after the other, and more than were tried out.
    let mut live = after(&before, Some(entries), &entries[..1]);
    entries[1..].iter().try_for_each(|entry| live.fold_all(std::slice::from_ref(entry))).unwrap();
    assert_eq!(view(&live), expected);
    assert_eq!(view(&after(&before, Some(&entries[..2]), entries)), expected);
    assert_eq!(live.take_announcements().len(), entries.len());
}

#[test]
fn effects_are_not_applied_if_other_entries_come_first() {
    let mut server = Server::new("tic-tac-toe", Options::default());
    server.messages(None);
    let (before, known) = (server.live.clone(), server.test_table.log.len());
    server.play("a1 b2");
    let entries = server.test_table.log[known..].to_vec();
    let mut others = entries.clone();
    let EntryBody::Played { chosen, .. } = &mut others[0].body else { panic!("{others:?}") };
    *chosen = "c3".parse().expect("the move text is valid");
    let view = |live: &LiveTable| live.state().view(Viewer::Spectator);
    let expected = view(&after(&before, None, &others));
    assert_eq!(view(&after(&before, Some(&entries), &others)), expected);
    assert_ne!(view(&after(&before, Some(&entries), &entries)), expected);
}

#[test]
fn a_rehearsal_folds_all_entries_or_none() {
    let mut server = Server::new("tic-tac-toe", Options::default());
    server.messages(None);
    let known = server.test_table.log.len();
    server.play("a1");
    let first = server.test_table.log[known].clone();
    let wrong = [first.clone(), first];
    let mut rehearsal = Rehearsal::of(server.live.state().clone());
    rehearsal.fold_all(&wrong).expect_err("the same entry comes twice");
    assert_eq!(rehearsal.state().version(), server.live.state().version());
    rehearsal.fold_all(&wrong[..1]).expect("the first entry follows the log");
    server.live.adopt(rehearsal.effects());
    server.live.fold_all(&wrong[..1]).expect("the first entry follows the log");
    assert_eq!(
        server.live.state().view(Viewer::Spectator),
        server.test_table.state.view(Viewer::Spectator)
    );
}

#[test]
fn what_an_attempt_wants_to_append_is_tried_out() {
    let server = Server::new("tic-tac-toe", Options::default());
    let state = &server.test_table.state;
    let try_move = |chosen: &str| {
        let body = table::ActionBody::Play { round: 1, ply: 0, chosen: chosen.parse().unwrap() };
        let action = table::Action { id: "ada:1".parse().unwrap(), body };
        let mut rehearsal = Rehearsal::of(state.clone());
        let (_, step) = Attempt::begin(rehearsal.state(), action, Actor::Seat(ONE), 9);
        rehearsal.try_step(&step).expect("the entries follow the log");
        (rehearsal.state().version() - state.version(), matches!(step, AttemptStep::Append { .. }))
    };
    assert_eq!((try_move("b2"), try_move("z9")), ((1, true), (0, false)));
}

fn another_version(live: &LiveTable, entry: &Entry) -> FoldError {
    FoldError::Version { expected: live.state().version() + 1, found: entry.version }
}
