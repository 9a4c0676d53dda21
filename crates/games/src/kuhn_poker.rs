//! Kuhn poker: three cards, two seats, one bet, and nobody sees the card of the other.
//!
//! Both seats stake one chip and are dealt one card each; the third card stays hidden. In turn they
//! pass or bet one more chip. A pass after a bet folds; otherwise both show their cards, and the
//! higher one wins what the other has staked.
//!
//! ```
//! use game::{Game, Seat, Viewer};
//! use games::kuhn_poker::{KuhnPoker, Move};
//!
//! let game = KuhnPoker;
//! let mut position = game.start();
//! game.advance_chance(&mut position, &game.read_chance("QJ")?)?;
//! game.advance(&mut position, Seat::FIRST, Move::Bet)?;
//! assert_eq!(game.view(&position, Viewer::Seat(Seat::SECOND)), "?J bet");
//!
//! game.advance(&mut position, Seat::SECOND, Move::Bet)?;
//! assert_eq!(game.view(&position, Viewer::Spectator), "QJ bet bet");
//! assert_eq!(game.turn(&position).outcome().map(|outcome| outcome.score(Seat::FIRST)), Some(2));
//! # Ok::<(), game::Refusal>(())
//! ```

mod betting;
mod deal;
mod rules;

pub use betting::Move;
pub use deal::{Card, Deal};
pub use rules::{KuhnPoker, Position};
