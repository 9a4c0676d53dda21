//! How fast tables decide and fold, and replicas rebase; every benchmark asserts the answer that it
//! times.

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

/// A table of tic-tac-toe at which both seats are taken.
fn table() -> TableState {
    let game = AnyGame::new(games::tic_tac_toe::game());
    let (options, commitment) = (Options::default(), Digest::of(b"seed"));
    let created = EntryBody::Created { game: game.name(), rules: 1, options, commitment };
    let mut state = TableState::begin(game, &entry(1, created)).expect("it begins");
    for (version, seat) in [(2, Seat::FIRST), (3, Seat::SECOND)] {
        let name = PlayerName::new("somebody").expect("it is a name");
        let joined = EntryBody::Joined { seat, name, token: Some(Digest::of(&[seat.number()])) };
        state.fold(&entry(version, joined)).expect("it follows");
    }
    state
}

/// The moves of a drawn game, by the seats in turn.
fn actions() -> Vec<(Seat, Action)> {
    let seats = [Seat::FIRST, Seat::SECOND].into_iter().cycle();
    let actions = (0_u32..).zip(MOVES).zip(seats).map(|((ply, chosen), seat)| {
        let id = ActionId::new("client", ply.into()).expect("it is an id");
        let chosen = chosen.parse().expect("it is a text");
        (seat, Action { id, body: ActionBody::Play { round: 1, ply, chosen } })
    });
    actions.collect()
}

/// A whole game; items are moves that are decided and folded.
#[divan::bench]
fn decide_and_fold(bencher: Bencher<'_, '_>) {
    let (start, actions) = (table(), actions());
    bencher.counter(ItemsCount::new(MOVES.len())).bench(|| {
        let mut state = start.clone();
        for (seat, action) in &actions {
            let decision = decide(&state, action, Actor::Seat(*seat)).expect("it is legal");
            let Decision::Append(bodies) = decision else { unreachable!("it is new") };
            for body in bodies {
                let mut next = entry(state.version() + 1, body);
                next.action = Some(action.id.clone());
                state.fold(&next).expect("it follows");
            }
        }
        assert!(state.outcome().is_some_and(|outcome| outcome.is_draw()));
    });
}

/// A hundred pending actions on top of one foreign entry.
#[divan::bench]
fn rebase_a_hundred(bencher: Bencher<'_, '_>) {
    let mut replica = counting::alone();
    for ply in 0..100 {
        replica.submit(counting::say(ply)).expect("it is always its turn");
    }
    let foreign = entry(3, EntryBody::Left { seat: Seat::FIRST });
    bencher.with_inputs(|| replica.clone()).bench_values(|mut replica| {
        replica.receive(std::slice::from_ref(&foreign)).expect("it follows");
        assert_eq!(replica.pending().len(), 100);
        replica
    });
}

/// A table that a server holds, with as many moves of the first round: what is allocated for it is
/// what it takes, all in all.
#[divan::bench(args = [0, 4, 9])]
fn idle_table(bencher: Bencher<'_, '_>, moves: usize) {
    let (start, actions) = (table(), actions());
    let played: Vec<Entry> = {
        let mut state = start.clone();
        let entries = actions.iter().take(moves).map(|(seat, action)| {
            let decision = decide(&state, action, Actor::Seat(*seat)).expect("it is legal");
            let Decision::Append(mut bodies) = decision else { unreachable!("it is new") };
            let body = bodies.pop().expect("a move is one entry");
            let mut next = entry(state.version() + 1, body);
            next.action = Some(action.id.clone());
            state.fold(&next).expect("it follows");
            next
        });
        entries.collect()
    };
    bencher.bench(|| {
        let mut live =
            Box::new(LiveTable::new(start.clone(), TableSecret::new([0; 32]), "5f3a".to_owned()));
        for entry in &played {
            live.fold_all(std::slice::from_ref(entry)).expect("it follows");
        }
        assert_eq!(live.take_announcements().len(), moves);
        live
    });
}
