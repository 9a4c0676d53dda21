//! Ultimate tic-tac-toe: nine boards of nine squares, and each move says where the next one goes.
//!
//! Three in a line win a small board, and three small boards in a line win the game. The place of a
//! move on its board is the number of the board in which the other seat must move next; if that
//! board is won or full, the other seat chooses any open board. If all boards are won or full and
//! nobody has three in a line, the game is a draw.
//!
//! ```
//! use game::{Game, Seat};
//! use games::ultimate::Ultimate;
//!
//! let game = Ultimate;
//! let position = game.play(&game.start(), Seat::FIRST, game.read_move("b1")?)?;
//! assert_eq!(game.legal_moves(&position, Seat::SECOND).len(), 9);
//!
//! let refusal = game.check(&position, Seat::SECOND, &game.read_move("e5")?).unwrap_err();
//! assert_eq!(refusal.to_string(), "You must play in the board from d1 to f3");
//! # Ok::<(), game::Refusal>(())
//! ```

mod board;
mod line;
mod position;
mod rules;
mod square;

pub use board::Board;
pub use position::Position;
pub use rules::Ultimate;
pub use square::Square;
