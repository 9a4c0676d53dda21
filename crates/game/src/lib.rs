//! What a turn-based game is: positions, moves, refusals, players and matches.

mod any;
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
pub use b_game::{BGame, BPosition, Rulebook, RulesError};
pub use bthread::Generator;
pub use game::{Game, NoChance, Viewer, Word, all_seats, seat_name};
pub use happening::{Happening, HappeningOf};
pub use matches::{Ask, Match, MatchError, MatchEvent, Policy};
pub use perft::perft;
pub use picture::{Cell, Grid, Picture, Piece};
pub use player::{CannotPlay, Choice, Elsewhere, GivesUp, Player, Sight, Why};
pub use players::{
    Perfect, PlayerName, PlayoutError, RandomPlayer, Scripted, Solution, TooBig, UnknownPlayer,
    Unsolvable, Value, playout,
};
pub use probability::{NotCertain, Probability};
pub use refusal::{Because, Code, Reason, Refusal};
pub use seat::{NoSuchSeat, Seat, Seats};
pub use turn::{Outcome, TooManyScores, Turn};
