//! Attacks by strangers, while honest players play.

mod attack_command;
mod attack_kind;
mod attack_report;
mod engagement;
mod floods;
mod honest_players;
mod malformed_requests;
mod stranger;
mod stranger_process;

pub(crate) use self::attack_command::Attack;
pub(crate) use self::attack_kind::AttackKind;
pub(crate) use self::attack_report::AttackReport;
pub(crate) use self::engagement::{EngagementTimes, engage};
pub(crate) use self::stranger_process::{StrangerPriority, StrangerProcess};
