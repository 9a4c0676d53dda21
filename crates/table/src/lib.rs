//! The replicated part of a game between people: log, decisions, state.
//!
//! A table is one group of seats playing rounds of one game. Its truth is an append-only log of
//! [`Entry`]s. [`decide`] says, without changing anything, which entries an [`Action`] would add or
//! why it is refused; [`TableState::fold`] advances the state by an entry that came back from the
//! journal.
//!
//! - An [`Attempt`] brings an action into the log through a journal that others write to as well.
//! - [`automatic_entries`] are those that a table adds on its own (chance, computer players,
//!   clocks); they follow from its log and a [`TableSecret`].
//! - A [`Replica`] is the state of a client: the confirmed state with its own pending actions on
//!   top.
//! - A [`LiveTable`] is the state of a server, with the entries that clients have not been sent. A
//!   [`Rehearsal`] tries entries out on a copy of it, where rules take long.
//! - [`check_draws`] checks the draws of an ended table against the seed that it was committed to.
//! - Readers of a long log begin at a [`TableSnapshot`]; [`wire`] has the messages.
//! - [`TableState::view`] and [`TableState::visible_entry`] are the state and an entry as a viewer
//!   may see them.
//!
//! Nothing here reads a clock, a file, a socket or a random source.
//!
//! ```
//! use game::{AnyGame, Seat};
//! use table::{Action, Actor, EntryBody, Decision, Digest, ActionBody, Entry, Options, PlayerName, TableState, Author};
//! use table::decide;
//!
//! let game = AnyGame::new(games::tic_tac_toe::game());
//! let entry = |version, body| Entry::new(version, version, Author::Table, body);
//! let created = EntryBody::Created {
//!     game: "tic-tac-toe".to_owned(),
//!     rules: 1,
//!     options: Options::default(),
//!     commitment: Digest::of(b"the table's secret seed"),
//! };
//! let mut state = TableState::begin(game, &entry(1, created))?;
//!
//! let (name, token) = (PlayerName::new("Ada")?, Digest::of(b"a token"));
//! let body = ActionBody::Join { seat: None, name, token, version: 1 };
//! let join = Action { id: "ada:1".parse()?, body };
//! let Decision::Append(bodies) = decide(&state, &join, Actor::Stranger)? else { panic!("it is new") };
//! state.fold(&entry(2, bodies[0].clone()))?;
//! assert_eq!(state.occupant(Seat::FIRST).map(|occupant| occupant.name.as_str()), Some("Ada"));
//!
//! let body = ActionBody::Play { round: 1, ply: 0, chosen: "b2".parse()? };
//! let play = Action { id: "ada:2".parse()?, body };
//! let refusal = decide(&state, &play, Actor::Seat(Seat::FIRST)).unwrap_err();
//! assert_eq!(refusal.message(), "Player two has not joined yet");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod action;
mod attempt;
mod automatic;
mod decide;
mod digest;
mod entry;
mod entry_body;
mod explanation;
mod fairness;
mod fields;
mod live_table;
mod plain_json;
mod player_name;
mod rehearsal;
mod replica;
mod revealed_seed;
mod table_options;
mod table_snapshot;
mod table_state;
mod token;
mod view;
pub mod wire;

pub use action::{Action, ActionBody, ActionId, Actor, NotAnActionId};
pub use attempt::{ActionVerdict, Attempt, AttemptStep, FoldEntries};
pub use automatic::{
    AutomaticError, TableSecret, automatic_entries, automatic_entries_until, awaited_computer,
    can_play, can_play_declared, explain,
};
pub use decide::{Decision, decide, no_such_seat};
pub use digest::{Digest, NotADigest};
pub use entry::{Author, Entry, EntryError};
pub use entry_body::{EntryBody, Forfeit};
pub use fairness::{UnfairDraws, check_draws};
pub use live_table::{Announcement, LiveTable};
pub use player_name::{NotAName, PlayerName};
pub use rehearsal::{EntryEffects, Rehearsal};
pub use replica::{NotSent, Pending, Replica, RolledBack, Update};
pub use revealed_seed::RevealedSeed;
pub use table_options::{Clock, Options};
pub use table_snapshot::TableSnapshot;
pub use table_state::{FoldError, MOST_MOVES_TO_REPLAY, Occupant, RecentAction, TableState};
pub use token::{NotAToken, Token};
pub use view::{SeatView, TableView};
