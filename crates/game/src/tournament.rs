//! Tournaments: who plays whom, and who plays best.

mod contest;
mod elo;
mod schedule;
mod standings;

pub(crate) use contest::Contest;
pub use contest::{Forfeiture, GameRecord, contest};
pub use schedule::{Fixture, Tournament, TournamentError, TournamentKind};
pub use standings::{PlayerStanding, Standings};
