//! Laws for every input, from `proptest` here and from `cargo fuzz` in `fuzz`.
//!
//! Nothing panics, and accepted input is written back with the same meaning. The written text is no
//! longer than the input (apart from constant words), which bounds allocation.

use game::{Viewer, all_seats};
use games::catalog;
use table::wire::{Accepted, FromClient, FromServer, Hello, Welcome};
use table::{Entry, EntryBody, TableState, TableView};

/// Any log of a table, one entry per line. Returns the number of accepted entries.
pub(crate) fn log_law(log: &str) -> u64 {
    let mut state: Option<TableState> = None;
    let accepted = |state: Option<TableState>| state.map_or(0, |state| state.version());
    for (version, line) in (1..).zip(log.lines()) {
        let Ok(entry) = Entry::read(line, version) else { return accepted(state) };
        let written = entry.write();
        assert!(written.len() <= line.len() + 64, "the output is no longer than the input");
        assert_eq!(Entry::read(&written, version).as_ref(), Ok(&entry));
        let Some(next) = followed(state.take(), &entry) else { return version - 1 };
        assert_eq!(next.version(), version);
        check_state(&next);
        state = Some(next);
    }
    accepted(state)
}

/// The state after one more entry, if the entry is accepted.
fn followed(state: Option<TableState>, entry: &Entry) -> Option<TableState> {
    match (state, &entry.body) {
        (None, EntryBody::Created { game, .. }) => {
            TableState::begin(catalog::game(game).ok()?, entry).ok()
        }
        (None, _) => None,
        (Some(mut state), _) => {
            let before = (state.version(), state.round(), state.ply());
            let is_folded = state.fold(entry).is_ok();
            let after = (state.version(), state.round(), state.ply());
            assert_eq!(is_folded, after != before, "a refused entry changes nothing");
            is_folded.then_some(state)
        }
    }
}

/// Every query of a state succeeds.
fn check_state(state: &TableState) {
    let viewers = all_seats(state.game()).iter().map(Viewer::Seat).chain([Viewer::Spectator]);
    let views: Vec<_> = viewers.map(|viewer| state.view(viewer)).collect();
    assert!(views.iter().all(|view| view.version == state.version()));
    if let Some(snapshot) = state.snapshot() {
        let again =
            TableState::restore(state.game().clone(), &snapshot).expect("the snapshot is valid");
        assert_eq!(again.snapshot(), Some(snapshot));
        assert_eq!(again.deadline(), state.deadline());
    }
}

/// Any message of a client or of the server: the name of an event, a line break and a payload.
pub(crate) fn message_law(message: &str) {
    let (event, payload) = message.split_once('\n').unwrap_or(("act", message));
    if let Ok(read) = FromClient::read(event, payload) {
        let written = serde_json::to_string(&read).expect("the value serializes");
        assert!(written.len() <= payload.len() + 64, "the output is no longer than the input");
        assert_eq!(FromClient::read(read.event(), &written), Ok(read));
    }
    if let Ok(FromServer::Entries(read)) = FromServer::<TableView>::read(event, payload) {
        assert_eq!(FromServer::read(event, &read.write()), Ok(FromServer::Entries(read)));
    }
    if let Ok(hello) = Hello::read(payload) {
        let written = serde_json::to_string(&hello).expect("the value serializes");
        let again = Hello::read(&written).expect("the text is valid");
        assert_eq!((again.from, &again.epoch), (hello.from, &hello.epoch));
        let digests = [again.token, hello.token].map(|token| token.map(|token| token.digest()));
        assert_eq!(digests[0], digests[1]);
    }
    if let Ok(welcome) = serde_json::from_str::<Welcome>(payload) {
        if let Ok(game) = catalog::game(&welcome.view.game) {
            drop(welcome.state(game));
        }
        let written = serde_json::to_string(&welcome).expect("the value serializes");
        assert_eq!(serde_json::from_str::<Welcome>(&written).ok(), Some(welcome));
    }
    if let Ok(accepted) = serde_json::from_str::<Accepted>(payload) {
        let written = serde_json::to_string(&accepted).expect("the value serializes");
        assert_eq!(serde_json::from_str::<Accepted>(&written).ok(), Some(accepted));
    }
}
