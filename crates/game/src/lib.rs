//! What a turn-based game is: positions, moves, refusals, players and matches.
//!
//! A [`Game`] is a value that says how it starts, who must act ([`Turn`]: one seat, several at
//! once, chance, or nobody because it is over), what may be done and what comes of it. Positions
//! are values. A move that is not legal is refused with *all* reasons ([`Refusal`]), each with a
//! code, a sentence and, where the rules are b-threads, the b-threads behind it.
//!
//! ```
//! use game::{Ask, Game, Match, Outcome, PlayerKind, Policy, Seat};
//!
//! let game = games::tic_tac_toe::game();
//! let mut o = PlayerKind::BThreads.player(&game, Seat::SECOND, 7)?;
//!
//! let mut played = Match::new(game.clone(), Policy::AskAgain);
//! played.choose(Seat::FIRST, game.read_move("a1")?)?;
//! let refusal = played.choose(Seat::SECOND, game.read_move("a1")?).unwrap_err();
//! assert_eq!(refusal.to_string(), "That cell is already marked: SquareTaken(a1)");
//!
//! let choice = o.choose(&played.player_view(Seat::SECOND))?;
//! assert_eq!(choice.why.map(|why| why.sentence).as_deref(), Some("DefaultMoves wanted O b2"));
//! played.choose(Seat::SECOND, choice.chosen)?;
//! assert_eq!(game.text(played.position()), "X   O    ");
//!
//! played.resign(Seat::FIRST)?;
//! assert_eq!(played.ask(), Ask::Nobody(Outcome::won_by(Seat::SECOND)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # What is here
//!
//! - [`Game`], [`Seat`], [`Turn`], [`Outcome`], [`Refusal`]; [`Picture`]: what a position looks
//!   like, for whoever draws it; [`Viewer`]: who looks, where something is hidden.
//! - [`BGame`]: a game whose rules are b-threads, told by a [`Rulebook`].
//! - [`AnyGame`]: any game, with texts for moves. It is a [`Game`] itself.
//! - [`Match`]: one game from beginning to end. It does no I/O: it says who must choose or that
//!   chance must draw, and is told what was chosen or drawn.
//! - [`Player`] and some that play every game they can ([`PlayerKind`]): [`RandomPlayer`],
//!   [`Scripted`], [`Perfect`], and the strategies of a [`Rulebook`], which explain every move.
//! - [`conformance`]: a function that every game must pass. [`perft()`]: counting all games.
//!
//! `docs/adding-a-game.md` shows how a game is written.

mod any;
mod awake;
mod b_game;
pub mod conformance;
mod game;
mod happening;
mod matches;
mod perft;
mod picture;
mod player;
mod players;
mod probability;
mod refusal;
mod seat;
mod turn;

pub use any::{AnyGame, AnyPosition, Text};
pub use awake::AwakeThread;
pub use b_game::{BGame, BPosition, Rulebook, RulesError};
pub use bthread::Generator;
pub use game::{Game, NoChance, Viewer, Word, all_seats, seat_name};
pub use happening::{Ply, PlyOf};
pub use matches::{Ask, Match, MatchError, MatchEvent, Policy};
pub use perft::perft;
pub use picture::{Cell, Grid, Picture, Piece};
pub use player::{
    Alternative, CannotPlay, Choice, MoveExplanation, Player, PlayerError, PlayerView,
};
pub use players::{
    Perfect, PlayerKind, PlayoutError, RandomPlayer, Scripted, Solution, TooBig, UnknownPlayer,
    Unsolvable, Value, playout,
};
pub use probability::{NotCertain, Probability};
pub use refusal::{Because, Code, Reason, Refusal};
pub use seat::{NoSuchSeat, Seat, Seats};
pub use turn::{Outcome, TooManyScores, Turn};
