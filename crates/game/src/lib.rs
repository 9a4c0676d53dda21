//! What a turn-based game is: positions, moves, refusals, players and matches.
//!
//! A [`Game`] is a value that says how it starts, whose turn it is ([`Turn`]: one seat, several at
//! once, chance, or nobody because it is over), which moves are legal and what they lead to.
//! Positions are values. An illegal move is refused with *all* reasons ([`Refusal`]): each has a
//! code, a sentence and, if the rules are b-threads, the b-threads that block the move.
//!
//! ```
//! use game::{Game, Match, OnIllegalMove, Outcome, PlayerKind, Seat, ToAct};
//!
//! let game = games::tic_tac_toe::game();
//! let mut o = PlayerKind::BThreads.player(&game, Seat::SECOND, 7)?;
//!
//! let mut played = Match::new(game.clone(), OnIllegalMove::AskAgain);
//! played.choose(Seat::FIRST, game.read_move("a1")?)?;
//! let refusal = played.choose(Seat::SECOND, game.read_move("a1")?).unwrap_err();
//! assert_eq!(refusal.to_string(), "That cell is already marked: SquareTaken(a1)");
//!
//! let choice = o.choose(&played.player_view(Seat::SECOND))?;
//! assert_eq!(choice.explanation.unwrap().sentence, "DefaultMoves wanted O b2");
//! played.choose(Seat::SECOND, choice.chosen)?;
//! assert_eq!(game.text(played.position()), "X   O    ");
//!
//! played.resign(Seat::FIRST)?;
//! assert_eq!(played.to_act(), ToAct::Nobody(Outcome::won_by(Seat::SECOND)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # What is here
//!
//! - [`Game`], [`Seat`], [`Turn`], [`Outcome`], [`Refusal`]; [`Picture`], which the terminal and the
//!   page draw; [`Viewer`], for games that hide something.
//! - [`BGame`]: a game whose rules are b-threads, described by a [`Rulebook`].
//! - [`AnyGame`]: any game, with moves as text. It is a [`Game`] itself.
//! - [`Match`]: one game from beginning to end. It does no I/O: it says who must choose, or that
//!   chance must draw, and the caller passes in what was chosen or drawn.
//! - [`Player`], and the kinds of players that play any game they can ([`PlayerKind`]):
//!   [`RandomPlayer`], [`ScriptedPlayer`], [`HeuristicPlayer`], [`AlphaBetaPlayer`],
//!   [`ExpectiminimaxPlayer`], [`MctsPlayer`], [`CfrPlayer`], [`PerfectPlayer`], and the strategies of
//!   a [`Rulebook`]. They explain their moves. [`SkillLevel`]s are for people.
//! - [`analyze()`]: what a position is worth, and each of its moves. [`Tournament`]: who plays whom,
//!   and who plays best.
//! - [`conformance`]: checks that every game must pass. [`perft()`]: counts all games.
//!
//! `docs/adding-a-game.md` shows how to write a game.

mod analysis;
mod any_game;
mod awake_thread;
mod b_game;
pub mod conformance;
mod declared_game;
mod ending_moves;
mod game;
mod matches;
mod perft;
mod picture;
mod player;
mod players;
mod ply;
mod probability;
mod refusal;
mod seat;
mod stop_flag;
mod tournament;
mod turn;
mod written_plies;

pub use analysis::{
    AnalysisBudget, CannotAnalyze, ExactSolver, MoveAnalysis, PositionAnalysis, PositionValue,
    analyze, line_from,
};
pub use any_game::{AnyGame, AnyPosition, MoveText, WeakGame};
pub use awake_thread::AwakeThread;
pub use b_game::{
    ActorChoice, BGame, BPosition, ModelActor, Offer, OfferKind, Rulebook, RulesClaim, RulesError,
    RulesRequirement,
};
pub use bthread::Generator;
pub use declared_game::{DeclaredGame, GameCode, RulesSize, WithSearches, WithoutSearches};
pub use ending_moves::EndingMoves;
pub use game::{Game, NoChance, Textual, Viewer, all_seats, seat_name};
pub use matches::{Match, MatchError, MatchEvent, OnIllegalMove, ToAct};
pub use perft::perft;
pub use picture::{Grid, GridCell, Picture, Piece};
pub use player::{
    Alternative, CannotPlay, Choice, HistoryId, MoveExplanation, Player, PlayerError, PlayerView,
};
pub use players::{
    Aim, AlphaBeta, AlphaBetaPlayer, CfrPlayer, CutShort, Equilibrium, ExpectiminimaxPlayer,
    HeuristicPlayer, MctsPlayer, NoEquilibrium, PerfectPlayer, PlayerKind, PlayoutError,
    RandomPlayer, ScriptedPlayer, SearchBudget, SearchError, SkillLevel, Solution,
    TooManyPositions, UnknownPlayer, Unsolvable, Value, playout,
};
pub use ply::{Ply, PlyOf};
pub use probability::{BadProbabilities, Probability};
pub use refusal::{Blocker, Code, Reason, Refusal};
pub use seat::{NoSuchSeat, Seat, Seats};
pub use stop_flag::StopFlag;
pub use tournament::{
    Fixture, Forfeiture, GameRecord, PlayerStanding, Standings, Tournament, TournamentError,
    TournamentKind, contest,
};
pub use turn::{Outcome, TooManyScores, Turn};
pub use written_plies::{IllegalPly, PlayedPlies, written_plies};
