//! The admin listener: metrics and maintenance, for operators who show a token.

mod admin_token;
mod guard;
mod journal;
mod routes;

pub use admin_token::{AdminToken, AdminTokenError};
pub(crate) use routes::admin_router;
