//! Live tables: clients know what the server knows.

use game::{Game, MoveExplanation, Seat, Viewer};
use table::wire::{Entries, Resync};
use table::{
    Actor, Decision, Entry, EntryBody, FoldEntries, FoldError, LiveTable, Options, Replica,
    TableSecret, TableState, Update, automatic_entries, decide,
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
            assert!(server.test_table.state.is_full(), "a computer plays there");
        }
        server
    }

    /// Plays moves, and lets the table add its entries after each.
    fn play(&mut self, moves: &str) {
        for chosen in moves.split_whitespace() {
            let seat = self.test_table.state.turn().iter().next().expect("it is somebody's turn");
            self.test_table.play(seat, chosen).expect("it is legal");
            self.settle();
        }
    }

    fn settle(&mut self) {
        loop {
            let state = &self.test_table.state;
            let own = automatic_entries(state, &secret(), state.at() + 1).expect("it goes on");
            if own.is_empty() {
                return;
            }
            self.test_table.state.fold_all(&own).expect("it follows");
            self.test_table.log.extend(own);
        }
    }

    fn told(&mut self, seat: Option<Seat>) -> Vec<Entries> {
        let known = usize::try_from(self.live.state().version()).expect("there are few");
        self.live.fold_all(&self.test_table.log[known..]).expect("it follows");
        self.live
            .take_announcements()
            .iter()
            .map(|news| news.message_for(self.live.state(), seat))
            .collect()
    }
}

fn known(from: u64, epoch: &str) -> Resync {
    Resync { from: Some(from), epoch: Some(epoch.to_owned()) }
}

#[test]
fn a_client_that_joins_at_any_time_knows_what_the_server_knows() {
    for name in ["tic-tac-toe", "pig", "odds-and-evens"] {
        let mut server = Server::new(name, Options { alternate: true, ..Options::default() });
        for step in 0..40 {
            server.told(None);
            for (seat, viewer) in [(Some(TWO), Viewer::Seat(TWO)), (None, Viewer::Spectator)] {
                let welcome = server.live.welcome(seat, &Resync::default());
                let state = welcome.state(server.test_table.game()).expect("it follows");
                assert_eq!(state.view(viewer), server.live.state().view(viewer), "{name}");
                assert_eq!((welcome.version, welcome.seat), (state.version(), seat));
            }
            let state = &server.test_table.state;
            let seat = state.turn().iter().find(|seat| !state.has_sealed(*seat));
            let moves = seat.map(|seat| state.view(Viewer::Seat(seat)).legal_moves);
            match (seat, moves.and_then(|moves| moves.into_iter().next())) {
                (Some(seat), Some(first)) => {
                    server.test_table.play(seat, first.as_str()).expect("it is legal");
                    server.settle();
                }
                _ => drop(server.test_table.next_round(ONE).expect("it is decided")),
            }
            assert!(step < 39 || server.test_table.state.version() > 40);
        }
    }
}

#[test]
fn a_client_that_comes_back_gets_only_the_entries_that_it_missed() {
    let mut server = Server::new("tic-tac-toe", Options::default());
    server.play("a1 b2 c3");
    server.told(None);
    let versions = |known: &Resync| {
        let welcome = server.live.welcome(Some(ONE), known);
        let versions: Vec<u64> = welcome.entries.iter().map(|entry| entry.version).collect();
        (welcome.start.is_some(), versions)
    };
    assert_eq!(versions(&known(4, "one")), (false, vec![5, 6]));
    assert_eq!(versions(&known(6, "one")), (false, vec![]));
    assert_eq!(versions(&known(6, "two")), (true, vec![4, 5, 6]), "it knows another log");
    assert_eq!(versions(&known(7, "one")), (true, vec![4, 5, 6]), "it is ahead");
    assert_eq!(versions(&known(1, "one")), (true, vec![4, 5, 6]), "that was before this round");
    assert_eq!(versions(&Resync::default()), (true, vec![4, 5, 6]));
}

#[test]
fn a_replica_follows_what_it_is_told() {
    let mut server = Server::new("odds-and-evens", Options::default());
    server.told(Some(TWO));
    let welcome = server.live.welcome(Some(TWO), &Resync::default());
    let state = welcome.state(server.test_table.game()).expect("it follows");
    let mut replica = Replica::new(state, Some(TWO));
    server.test_table.play(ONE, "1").expect("both choose");
    server.test_table.play(TWO, "2").expect("both choose");
    for message in server.told(Some(TWO)) {
        let update = replica.receive(&message.entries).expect("it follows");
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
    let told = server.told(None);
    let last = told.last().and_then(|entries| entries.entries.last()).expect("it has moved");
    let given = explanation(last).expect("it can tell");
    assert_eq!(given.sentence, "DefaultMoves wanted O b2");
    assert_eq!(server.test_table.log.last(), Some(last), "the log has it too");
    let again = server.live.welcome(None, &Resync::default());
    assert_eq!(again.entries.last(), Some(last), "who comes later is told the same");
    let before = told.iter().flat_map(|entries| &entries.entries).rev().nth(1);
    assert_eq!(before.and_then(explanation), None, "people give no reasons");
}

/// Old logs have no explanations, and a live table does not compute them.
#[test]
fn a_move_without_an_explanation_goes_out_as_it_was_written() {
    let computers = vec![None, Some("bthreads".to_owned())];
    let mut server = Server::new("tic-tac-toe", Options { computers, ..Options::default() });
    server.play("a1");
    let last = server.test_table.log.last_mut().expect("it has moved");
    let EntryBody::Played { explanation, .. } = &mut last.body else { panic!("{last:?}") };
    *explanation = None;
    let old = last.clone();
    let told = server.told(None);
    assert_eq!(told.last().and_then(|entries| entries.entries.last()), Some(&old));
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
fn a_game_that_hides_something_has_neither_explanations_nor_a_start() {
    let computers = vec![None, Some("random".to_owned())];
    let mut server = Server::new("kuhn-poker", Options { computers, ..Options::default() });
    server.settle();
    server.play("pass");
    for message in server.told(Some(ONE)) {
        assert!(message.entries.iter().all(|entry| explanation(entry).is_none()));
        assert_eq!(message.view.map(|view| view.game), Some("kuhn-poker".to_owned()));
    }
    let welcome = server.live.welcome(Some(ONE), &Resync::default());
    assert_eq!(welcome.start, None);
    assert!(welcome.state(server.test_table.game()).is_err(), "there is nothing to begin with");
    assert!(welcome.entries.len() > 1, "what happened is told as far as it may be seen");
    let text = serde_json::to_string(&welcome).expect("it can be written");
    let cards = server.test_table.text();
    let hidden = cards.chars().nth(1).expect("two cards");
    assert!(!text.contains(&format!("\"{hidden}")), "{cards}: {text}");
}

#[test]
fn entries_that_do_not_follow_change_nothing() {
    let mut server = Server::new("tic-tac-toe", Options::default());
    server.play("a1 b2");
    server.told(None);
    let entries = [server.test_table.log[1].clone(), server.test_table.log[2].clone()];
    for wrong in [&entries[..1], &entries[..]] {
        server.live.fold_all(wrong).expect_err("they are old");
        assert_eq!(server.live.state().version(), server.test_table.state.version());
        assert!(server.live.take_announcements().is_empty());
    }
}

#[test]
fn ids_of_actions_are_shown_only_to_who_made_them() {
    let mut server = Server::new("tic-tac-toe", Options::default());
    server.play("a1");
    for (seat, expected) in [(Some(ONE), true), (Some(TWO), false), (None, false)] {
        let mut other = LiveTable::new(server.test_table.state.clone(), secret(), "one".to_owned());
        assert!(other.take_announcements().is_empty());
        let start = TableState::after(server.test_table.game(), &server.test_table.log[..3]);
        other = LiveTable::new(start.expect("it follows"), secret(), "one".to_owned());
        other.fold_all(&server.test_table.log[3..]).expect("it follows");
        let news = other.take_announcements();
        let action = news[0].message_for(other.state(), seat).entries[0].action.clone();
        assert_eq!(action.is_some(), expected);
    }
    let id = server.test_table.log[3].action.clone().expect("it has one");
    let action = table::Action { id, body: table::ActionBody::Leave { version: 4 } };
    let again = decide(&server.test_table.state, &action, Actor::Seat(ONE));
    assert_eq!(again, Ok(Decision::Known(4)));
    assert_eq!(server.test_table.game().name(), "tic-tac-toe");
}

#[test]
fn the_prepared_effect_of_one_entry_is_not_applied_for_another() {
    let mut server = Server::new("tic-tac-toe", Options::default());
    server.told(None);
    let (before, known) = (server.live.clone(), server.test_table.log.len());
    server.play("a1");
    let (one, mut another) =
        (server.test_table.log[known].clone(), server.test_table.log[known].clone());
    let EntryBody::Played { chosen, .. } = &mut another.body else { panic!("{another:?}") };
    *chosen = "b2".parse().expect("it is a text");
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

fn another_version(live: &LiveTable, entry: &Entry) -> FoldError {
    FoldError::Version { expected: live.state().version() + 1, found: entry.version }
}
