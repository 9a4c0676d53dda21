//! A game whose rules are b-threads.

mod compiled_rules;
mod event_bits;
mod game;
mod legal_events;
mod offers;
mod position;
mod rulebook;
mod strategy_player;

pub use self::game::BGame;
pub use self::offers::{Offer, OfferKind};
pub use self::position::BPosition;
pub use self::rulebook::{Rulebook, RulesError};
