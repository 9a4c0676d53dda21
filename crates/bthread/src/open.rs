//! Running a program over any events.

mod core;
mod engine;
mod index;
mod lists;
mod motion;
mod plan;
mod ranked_requests;
mod tag;

pub(crate) use self::core::Core;
pub use self::engine::OpenEngine;
pub(crate) use self::plan::ProgramPlan;
