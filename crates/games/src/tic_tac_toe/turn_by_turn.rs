//! Tic-tac-toe turn by turn, as in seed 004.

use game::{BPosition, Code, Game, Refusal, Seat, Turn};

use super::event::Mark;
use super::rulebook::{Rules, TicTacToe, game};
use super::square::Square;

/// A game that is played turn by turn, with symbols as words and cells as columns and rows.
///
/// Each turn returns a new game and its status, or an error. The old game does not change.
///
/// ```
/// use games::tic_tac_toe::{GameStatus, TurnByTurn, TurnError};
///
/// let game = TurnByTurn::new();
/// let (game, status) = game.take_turn("x", (0, 0)).unwrap();
/// assert_eq!(status, GameStatus::Playing);
/// assert_eq!(game.take_turn("o", (0, 0)).unwrap_err(), TurnError::AlreadyTaken);
/// assert_eq!(game.take_turn("o", (5, 8)).unwrap_err(), TurnError::OutOfBounds);
/// assert_eq!(game.take_turn("y", (1, 1)).unwrap_err(), TurnError::IncorrectPlayerSymbol);
/// assert_eq!(game.take_turn("x", (1, 1)).unwrap_err(), TurnError::NotYourTurn);
/// ```
#[derive(Clone, Debug)]
pub struct TurnByTurn {
    game: TicTacToe,
    position: BPosition<Rules>,
}

/// The status of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GameStatus {
    /// The game is not over.
    Playing,
    /// This player has three in a line.
    Won(Mark),
    /// The board is full, and nobody has won.
    Draw,
}

/// Why a turn was refused. Nothing changed.
///
/// If there are several reasons, it is the first one in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum TurnError {
    /// Nobody plays with this symbol.
    IncorrectPlayerSymbol,
    /// The board has no such cell.
    OutOfBounds,
    /// The cell is marked already.
    AlreadyTaken,
    /// The game has ended.
    GameOver,
    /// The other player is to move.
    NotYourTurn,
}

impl TurnByTurn {
    /// A game at its start.
    #[must_use]
    pub fn new() -> Self {
        let game = game();
        let position = game.start();
        Self { game, position }
    }

    /// The player with this symbol (`x` or `o`) marks the cell at this column and row, both counted
    /// from 0 at the top left.
    ///
    /// # Errors
    /// If the player may not mark the cell; the game does not change.
    pub fn take_turn(
        &self,
        symbol: &str,
        (column, row): (i32, i32),
    ) -> Result<(Self, GameStatus), TurnError> {
        let seat = seat(symbol).ok_or(TurnError::IncorrectPlayerSymbol)?;
        let square = square(column, row).ok_or(TurnError::OutOfBounds)?;
        let position = self.game.play(&self.position, seat, square);
        let position = position.map_err(|refusal| TurnError::of(&refusal))?;
        let next = Self { game: self.game.clone(), position };
        let status = next.status();
        Ok((next, status))
    }

    /// The status of the game.
    #[must_use]
    pub fn status(&self) -> GameStatus {
        match self.game.turn(&self.position).outcome() {
            None => GameStatus::Playing,
            Some(outcome) => {
                outcome.winner().and_then(Mark::of).map_or(GameStatus::Draw, GameStatus::Won)
            }
        }
    }

    /// The player to move; `None` if the game is over.
    #[must_use]
    pub fn to_move(&self) -> Option<Mark> {
        match self.game.turn(&self.position) {
            Turn::One(seat) => Mark::of(seat),
            Turn::Several(_) | Turn::Chance | Turn::Over(_) => None,
        }
    }
}

impl Default for TurnByTurn {
    fn default() -> Self {
        Self::new()
    }
}

fn seat(symbol: &str) -> Option<Seat> {
    match symbol {
        "x" | "X" => Some(Mark::X.seat()),
        "o" | "O" => Some(Mark::O.seat()),
        _ => None,
    }
}

fn square(column: i32, row: i32) -> Option<Square> {
    Square::at(u8::try_from(row).ok()?, u8::try_from(column).ok()?)
}

impl TurnError {
    fn of(refusal: &Refusal) -> Self {
        let reasons = refusal.reasons().filter_map(|reason| Self::of_code(&reason.code));
        reasons.min().unwrap_or(Self::NotYourTurn)
    }

    fn of_code(code: &Code) -> Option<Self> {
        Self::ALL.into_iter().find(|error| error.code() == *code)
    }

    const ALL: [Self; 5] = [
        Self::IncorrectPlayerSymbol,
        Self::OutOfBounds,
        Self::AlreadyTaken,
        Self::GameOver,
        Self::NotYourTurn,
    ];

    /// The code of the error, for programs.
    #[must_use]
    pub const fn code(self) -> Code {
        match self {
            Self::IncorrectPlayerSymbol => Code::INCORRECT_PLAYER_SYMBOL,
            Self::OutOfBounds => Code::OUT_OF_BOUNDS,
            Self::AlreadyTaken => Code::ALREADY_TAKEN,
            Self::GameOver => Code::GAME_OVER,
            Self::NotYourTurn => Code::NOT_YOUR_TURN,
        }
    }
}

impl std::fmt::Display for TurnError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::IncorrectPlayerSymbol => "Nobody plays with this symbol: the players are x and o",
            Self::OutOfBounds => "There is no such cell: columns and rows are 0 to 2",
            Self::AlreadyTaken => "That cell is already marked",
            Self::GameOver => "The game is over",
            Self::NotYourTurn => "It is not your turn",
        })
    }
}

impl std::error::Error for TurnError {}
