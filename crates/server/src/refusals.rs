//! The refusals of the server itself, beside those of tables and games.

use game::{Code, Reason, Refusal};
use table::wire::codes;

use crate::rate_limits::RetryAfter;

/// A refusal with one reason.
pub(crate) fn refusal(code: Code, message: impl Into<String>) -> Refusal {
    Refusal::new(Reason::new(code, message.into()))
}

/// The refusal of a client that exceeds a rate: `why`, and when to try again.
pub(crate) fn too_many(why: &str, retry: RetryAfter) -> Refusal {
    let again = match retry.seconds() {
        1 => "in a second".to_owned(),
        seconds => format!("in {seconds} seconds"),
    };
    refusal(codes::TOO_MANY, format!("{why}: try again {again}"))
}
