//! The replicated part of a game between people: log, decisions, state.
//!
//! A table is one group of seats playing rounds of one game. Its truth is a log of [`Entry`]s that
//! only grows. [`decide`] says, without changing anything, which entries an [`Action`] would add or
//! why it is refused; [`State::fold`] takes in what has come back from the journal.
//!
//! - An [`Attempt`] brings an action into the log through a journal that others write to as well.
//! - What a table does by itself ([`own_entries`]: chance, computer players) follows from its log
//!   and a [`Secret`].
//! - A [`Replica`] is what a client holds: the confirmed state and its own actions on top of it.
//! - A [`Mirror`] is what it holds where the game hides something.
//! - A [`Live`] table is what a server holds: it knows what each client must be told.
//! - A [`Snapshot`] is where readers of a long log begin; [`wire`] has what is sent.
//! - [`State::view`] and [`State::shown`] are what a viewer may see of the state and of the log.
//!
//! Nothing here reads a clock, a file, a socket or a random source.
//!
//! ```
//! use game::{AnyGame, Seat};
//! use table::{Action, Actor, Body, Decision, Digest, Doing, Entry, Options, PlayerName, State, Who};
//! use table::decide;
//!
//! let game = AnyGame::new(games::tic_tac_toe::game());
//! let entry = |version, body| Entry::new(version, version, Who::Table, body);
//! let created = Body::Created {
//!     game: "tic-tac-toe".to_owned(),
//!     rules: 1,
//!     options: Options::default(),
//!     commitment: Digest::of(b"the table's secret seed"),
//! };
//! let mut state = State::begin(game, &entry(1, created))?;
//!
//! let (name, token) = (PlayerName::new("Ada")?, Digest::of(b"a token"));
//! let doing = Doing::Join { seat: None, name, token, version: 1 };
//! let join = Action { id: "ada:1".parse()?, doing };
//! let Decision::Append(bodies) = decide(&state, &join, Actor::Stranger)? else { panic!("it is new") };
//! state.fold(&entry(2, bodies[0].clone()))?;
//! assert_eq!(state.chair(Seat::FIRST).map(|chair| chair.name.as_str()), Some("Ada"));
//!
//! let doing = Doing::Play { round: 1, ply: 0, chosen: "b2".parse()? };
//! let play = Action { id: "ada:2".parse()?, doing };
//! let refusal = decide(&state, &play, Actor::Seat(Seat::FIRST)).unwrap_err();
//! assert_eq!(refusal.message(), "Player two has not joined yet");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod action;
mod attempt;
mod decide;
mod digest;
mod entry;
mod fields;
mod live;
mod mirror;
mod name;
mod own;
mod replica;
mod snapshot;
mod state;
mod token;
mod view;
pub mod wire;

pub use action::{Action, ActionId, Actor, Doing, NotAnActionId};
pub use attempt::{Attempt, Follow, Progress, Verdict};
pub use decide::{Decision, codes, decide};
pub use digest::{Digest, NotADigest};
pub use entry::{Body, Clock, Entry, EntryError, Forfeit, Options, Who};
pub use live::{Live, News};
pub use mirror::Mirror;
pub use name::{NotAName, PlayerName};
pub use own::{OwnError, Secret, can_play, explain, own_entries};
pub use replica::{NotSent, Pending, Replica, RolledBack, Update};
pub use snapshot::Snapshot;
pub use state::{Chair, FoldError, Recent, State};
pub use token::{NotAToken, Token};
pub use view::{SeatView, TableView};
