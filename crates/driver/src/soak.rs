//! Soak tests: the server under faults.

mod action_history;
mod damage;
mod full_disk;
mod idle_memory;
mod intruder;
mod ledger;
mod log_reader;
mod player;
mod report;
mod shared_state;
mod soak_command;
mod testbed;

pub(crate) use self::ledger::SoakViolation;
pub(crate) use self::log_reader::read_as;
pub(crate) use self::report::SoakReport;
pub(crate) use self::soak_command::Soak;
pub(crate) use self::testbed::Testbed;
