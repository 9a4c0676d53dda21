//! The time to decide, fold and rebase. Every benchmark asserts its result.

use divan::counter::ItemsCount;
#[path = "../tests/tables/counting.rs"]
mod counting;

use divan::{AllocProfiler, Bencher};
use game::{AnyGame, Game, Seat};
use table::{
    Action, ActionBody, ActionId, Actor, Author, Decision, Digest, Entry, EntryBody, FoldEntries,
    LiveTable, Options, PlayerName, TableSecret, TableState, decide,
};

#[global_allocator]
static ALLOCATOR: AllocProfiler = AllocProfiler::system();

fn main() {
    divan::main();
}

const MOVES: [&str; 9] = ["a1", "b2", "c3", "a2", "c2", "c1", "a3", "b3", "b1"];

fn entry(version: u64, body: EntryBody) -> Entry {
    Entry::new(version, version, Author::Table, body)
}

/// A table of tic-tac-toe with two players.
fn table() -> TableState {
    let game = AnyGame::new(games::tic_tac_toe::game());
    let (options, commitment) = (Options::default(), Digest::of(b"seed"));
    let created = EntryBody::Created { game: game.name(), rules: 1, options, commitment };
    let mut state =
        TableState::begin(game, &entry(1, created)).expect("the first entry creates a table");
    for (version, seat) in [(2, Seat::FIRST), (3, Seat::SECOND)] {
        let name = PlayerName::new("somebody").expect("the name is valid");
        let joined = EntryBody::Joined { seat, name, token: Some(Digest::of(&[seat.number()])) };
        state.fold(&entry(version, joined)).expect("the entry follows the log");
    }
    state
}

/// The moves of a drawn game, by the seats in turn.
fn actions() -> Vec<(Seat, Action)> {
    let seats = [Seat::FIRST, Seat::SECOND].into_iter().cycle();
    let actions = (0_u32..).zip(MOVES).zip(seats).map(|((ply, chosen), seat)| {
        let id = ActionId::new("client", ply.into()).expect("the id is valid");
        let chosen = chosen.parse().expect("the move text is valid");
        (seat, Action { id, body: ActionBody::Play { round: 1, ply, chosen } })
    });
    actions.collect()
}

/// A whole game. Each item is a move that is decided and folded.
#[divan::bench]
fn decide_and_fold(bencher: Bencher<'_, '_>) {
    let (start, actions) = (table(), actions());
    bencher.counter(ItemsCount::new(MOVES.len())).bench(|| {
        let mut state = start.clone();
        for (seat, action) in &actions {
            let decision = decide(&state, action, Actor::Seat(*seat)).expect("the move is legal");
            let Decision::Append(bodies) = decision else { unreachable!("the action is new") };
            for body in bodies {
                let mut next = entry(state.version() + 1, body);
                next.action = Some(action.id.clone());
                state.fold(&next).expect("the entry follows the log");
            }
        }
        assert!(state.outcome().is_some_and(|outcome| outcome.is_draw()));
    });
}

/// Rebases a hundred pending actions on one entry of another client.
#[divan::bench]
fn rebase_a_hundred(bencher: Bencher<'_, '_>) {
    let mut replica = counting::alone();
    for ply in 0..100 {
        replica.submit(counting::say_number(ply)).expect("a lone player is always to move");
    }
    let foreign = entry(3, EntryBody::Left { seat: Seat::FIRST });
    bencher.with_inputs(|| replica.clone()).bench_values(|mut replica| {
        replica.receive(std::slice::from_ref(&foreign)).expect("the entry follows the log");
        assert_eq!(replica.pending().len(), 100);
        replica
    });
}

/// A live table after this number of moves. The benchmark counts all memory that it allocates.
#[divan::bench(args = [0, 4, 9])]
fn idle_table(bencher: Bencher<'_, '_>, moves: usize) {
    let (start, actions) = (table(), actions());
    let played: Vec<Entry> = {
        let mut state = start.clone();
        let entries = actions.iter().take(moves).map(|(seat, action)| {
            let decision = decide(&state, action, Actor::Seat(*seat)).expect("the move is legal");
            let Decision::Append(mut bodies) = decision else { unreachable!("the action is new") };
            let body = bodies.pop().expect("a move is one entry");
            let mut next = entry(state.version() + 1, body);
            next.action = Some(action.id.clone());
            state.fold(&next).expect("the entry follows the log");
            next
        });
        entries.collect()
    };
    bencher.bench(|| {
        let mut live =
            Box::new(LiveTable::new(start.clone(), TableSecret::new([0; 32]), "5f3a".to_owned()));
        for entry in &played {
            live.fold_all(std::slice::from_ref(entry)).expect("the entry follows the log");
        }
        assert_eq!(live.take_announcements().len(), moves);
        live
    });
}
