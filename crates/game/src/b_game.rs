//! A game whose rules are b-threads.

mod actor_choice;
mod compiled_rules;
mod game;
mod legal_events;
mod offers;
mod position;
mod requirement;
mod rulebook;
mod seat_events;
mod strategy_player;

pub use self::actor_choice::{ActorChoice, ModelActor};
pub use self::game::BGame;
pub use self::offers::{Offer, OfferKind};
pub use self::position::BPosition;
pub use self::requirement::{RulesClaim, RulesRequirement};
pub use self::rulebook::{Rulebook, RulesError};
