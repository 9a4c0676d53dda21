//! Tic-tac-toe: its rules as b-threads (see [`bthread`]), and strategies with which O never loses.
//!
//! ```
//! use bthread::TriggerError;
//! use games::tic_tac_toe::{BThreads, Board, Event, Mark, Square};
//!
//! let x = |square| Event::Mark(Mark::X, square);
//! let (mut run, _) = BThreads::for_a_person_as_x().program().start()?;
//! let mut events = run.trigger(x(Square::A1))?.events;
//! events.extend(run.trigger(x("c3".parse()?))?.events);
//! assert_eq!(events.iter().collect::<Board>().to_string(), "X O .\n. O .\n. . X");
//!
//! let Err(TriggerError::Refused(refusal)) = run.trigger(x(Square::B2)) else { panic!("b2 is taken") };
//! assert_eq!(refusal.to_string(), "X b2 is blocked by SquareTaken(b2) (marks on b2)");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # What is here
//!
//! - [`Square`], [`Line`], [`Mark`]; [`Event`], its [`Kind`], the [`alphabet`] of all events, and
//!   the sets that b-threads name: [`marks`], [`marks_by`], [`marks_on`],
//!   [`marks_in`], [`wins`], [`results`].
//! - [`BThreads`]: all b-threads in one place, in order of priority and in groups.
//! - [`rules`], [`strategies`] of O and [`strategies_of_x`]: one function for each;
//!   [`environment`]: players that choose freely.
//! - [`game()`]: the [`Game`](game::Game) with these rules; [`TurnByTurn`]: the same game, played by
//!   symbol, column and row through a plain interface.
//! - [`Requirement`]: what holds whatever X does, if O follows its strategies.
//! - [`Board`]: the marks on the squares. [`BoardSymmetry`]: its eight rotations and
//!   reflections.

mod board;
mod board_symmetry;
mod bthreads;
pub mod environment;
mod event;
mod event_sets;
mod line;
mod requirement;
mod rulebook;
pub mod rules;
mod square;
pub mod strategies;
pub mod strategies_of_x;
mod turn_by_turn;

pub use board::Board;
pub use board_symmetry::BoardSymmetry;
pub use bthreads::BThreads;
pub use event::{Event, Kind, Mark, alphabet};
pub use event_sets::{marks, marks_by, marks_in, marks_on, results, wins};
pub use line::Line;
pub use requirement::Requirement;
pub use rulebook::{Rules, TicTacToe, declared, declared_without_searches, game};
pub(crate) use rulebook::{declared_with, piece, reason};
pub use square::{NotASquare, Square};
pub use turn_by_turn::{GameStatus, TurnByTurn, TurnError};
