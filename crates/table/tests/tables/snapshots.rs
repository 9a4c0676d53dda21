//! A reader that begins at a snapshot gets the same state as one that reads the whole log.

use game::{Generator, Seat, Viewer, all_seats};
use table::{
    Action, ActionBody, Actor, Author, Clock, Decision, Entry, Options, TableSecret, TableSnapshot,
    TableState, automatic_entries, decide,
};

use crate::test_table::{ONE, TWO, TestTable};

fn one_of<'a, T>(some: &'a [T], generator: &mut Generator) -> &'a T {
    let place = generator.below(some.len() as u64);
    &some[usize::try_from(place).expect("the number fits")]
}

/// A log of some random rounds.
fn series(name: &str, options: Options, seed: u64) -> TestTable {
    let mut generator = Generator::seeded(seed);
    let mut test_table = TestTable::full(name, options);
    while test_table.state.round() < 4 && test_table.log.len() < 400 {
        let own = automatic_entries(
            &test_table.state,
            &TableSecret::new([7; 32]),
            test_table.state.at() + 1,
        );
        let own = own.expect("the table can continue");
        if !own.is_empty() {
            for entry in own {
                test_table.state.fold(&entry).expect("the entry follows the log");
                test_table.log.push(entry);
            }
            continue;
        }
        let seat = *one_of(&test_table.state.turn().iter().collect::<Vec<Seat>>(), &mut generator);
        let state = &test_table.state;
        let moves: Vec<_> = state.view(Viewer::Seat(seat)).legal_moves;
        let body = match generator.below(12) {
            _ if state.outcome().is_some() => {
                ActionBody::NextRound { round: state.round(), ply: state.ply() }
            }
            0 => ActionBody::Leave { version: state.version() },
            _ if moves.is_empty() || state.has_sealed(seat) => continue,
            _ => {
                let chosen = one_of(&moves, &mut generator).clone();
                ActionBody::Play { round: state.round(), ply: state.ply(), chosen }
            }
        };
        drop(test_table.act(Actor::Seat(seat), body));
    }
    test_table
}

/// The answers to all queries of a state, as text.
fn all_of(state: &TableState) -> String {
    let viewers = all_seats(state.game()).iter().map(Viewer::Seat).chain([Viewer::Spectator]);
    let views: Vec<_> = viewers.map(|viewer| state.view(viewer)).collect();
    let own = automatic_entries(state, &TableSecret::new([7; 32]), state.at() + 1);
    let (snapshot, deadline, history) = (state.snapshot(), state.deadline(), state.history());
    format!("{views:?} {own:?} {snapshot:?} {deadline:?} {history:?} {:?}", state.losers())
}

fn check(test_table: &TestTable) -> usize {
    let mut snapshots: Vec<TableSnapshot> = Vec::new();
    let mut state = TableState::begin(test_table.game(), &test_table.log[0])
        .expect("the first entry creates a table");
    snapshots.extend(state.snapshot());
    for entry in &test_table.log[1..] {
        state.fold(entry).expect("the entry follows the log");
        snapshots.extend(state.snapshot());
    }
    for snapshot in &snapshots {
        let text = serde_json::to_string(snapshot).expect("the value serializes");
        let read: TableSnapshot = serde_json::from_str(&text).expect("the text is valid");
        let mut later =
            TableState::restore(test_table.game(), &read).expect("the snapshot is valid");
        let first = usize::try_from(read.version).expect("the number fits");
        for (place, entry) in test_table.log.iter().enumerate().skip(first) {
            later.fold(entry).expect("the entry follows the log");
            if place + 1 == test_table.log.len() {
                assert_eq!(all_of(&later), all_of(&state));
            }
        }
    }
    snapshots.len()
}

#[test]
fn a_reader_that_begins_at_a_snapshot_gets_the_same_state() {
    for name in ["tic-tac-toe", "pig", "odds-and-evens", "kuhn-poker", "connect-four"] {
        for (seed, alternate) in [(1, false), (2, true)] {
            let clock = Some(Clock::PerSide(6));
            let test_table = series(name, Options { alternate, clock, ..Options::default() }, seed);
            let snapshots = check(&test_table);
            assert!(snapshots > 3, "{name} has had {snapshots} snapshots");
        }
    }
}

#[test]
fn there_is_no_snapshot_within_a_round() {
    let mut test_table = TestTable::tic_tac_toe();
    assert!(test_table.state.snapshot().is_some());
    test_table.play_all("a1");
    assert_eq!(test_table.state.snapshot(), None);
    let mut sealed = TestTable::full("odds-and-evens", Options::default());
    sealed.play(ONE, "1").expect("both seats choose");
    assert_eq!(sealed.state.snapshot(), None);
}

#[test]
fn a_snapshot_for_a_client_has_no_tokens_and_no_ids_of_others() {
    let mut test_table = TestTable::tic_tac_toe();
    test_table.play_all("b2");
    test_table.forfeit(TWO).expect("the seat is to move");
    let snapshot = test_table.state.snapshot().expect("a round begins");
    assert_eq!(snapshot.recent.len(), 4);
    let shown = snapshot.visible_to(Some(ONE));
    assert!(shown.occupants.iter().flatten().all(|occupant| occupant.token.is_none()));
    let ids: Vec<String> = shown.recent.iter().map(|recent| recent.id.to_string()).collect();
    assert_eq!(ids, ["test:1", "test:3"]);
    assert_eq!(snapshot.visible_to(None).recent, []);
}

#[test]
fn an_invalid_snapshot_is_refused() {
    let mut test_table = TestTable::tic_tac_toe();
    test_table.forfeit(ONE).expect("the seat is to move");
    let good = test_table.state.snapshot().expect("a round begins");
    let check = |change: &dyn Fn(&mut TableSnapshot), expected: &str| {
        let mut bad = good.clone();
        change(&mut bad);
        let error =
            TableState::restore(test_table.game(), &bad).expect_err("the snapshot is refused");
        assert!(error.to_string().ends_with(expected), "{error}");
    };
    check(&|bad| bad.format = 2, "its format is unknown");
    check(&|bad| bad.version = 0, "the log is empty");
    check(&|bad| bad.version = u64::MAX, "the log is too long");
    check(&|bad| bad.losers = vec![None; 1_001], "it has too many rounds");
    check(&|bad| bad.recent = vec![bad.recent[0].clone(); 9], "it has too many recent actions");
    check(&|bad| bad.occupants.truncate(1), "it has another number of seats");
    check(&|bad| bad.losers[0] = Seat::new(7), "there is no such seat");
    check(&|bad| bad.recent[0].seat = Seat::new(7), "there is no such seat");
    check(&|bad| bad.recent[0].version = 9, "a version is later than the log");
    check(&|bad| bad.game = "wild".to_owned(), "entry 1 is of wild, and not of tic-tac-toe");
    check(&|bad| bad.options.computers = vec![None; 3], "but more computer players");
}

#[test]
fn an_action_from_before_the_snapshot_still_gets_the_same_answer() {
    let mut test_table = TestTable::tic_tac_toe();
    let (id, body) = (test_table.id(), ActionBody::Forfeit { round: 1, ply: 0 });
    let forfeit = Action { id, body };
    test_table.submit(&forfeit, Actor::Seat(ONE)).expect("the seat is to move");
    let snapshot = test_table.state.snapshot().expect("a round begins");
    let mut state =
        TableState::restore(test_table.game(), &snapshot).expect("the snapshot is valid");
    assert_eq!(decide(&state, &forfeit, Actor::Seat(ONE)), Ok(Decision::Known(4)));
    let next = Entry::new(5, state.at(), Author::Table, table::EntryBody::Left { seat: ONE });
    assert_eq!(state.fold(&next), Ok(()));
}
