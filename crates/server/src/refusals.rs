//! The refusals of the server itself, beside those of tables and games.

use game::{Code, Reason, Refusal};

use crate::rate_limits::RetryAfter;

/// The codes of these refusals.
pub(crate) mod codes {
    use game::Code;

    /// The outcome is not known yet: the client sends the same action again.
    pub(crate) const UNAVAILABLE: Code = Code::new("unavailable");
    /// The client exceeds a limit: it sends the same action again later.
    pub(crate) const TOO_MANY: Code = Code::new("too_many");
    /// There is no such table.
    pub(crate) const NO_TABLE: Code = Code::new("no_table");
    /// The token holds no seat at this table.
    pub(crate) const BAD_TOKEN: Code = Code::new("bad_token");
    /// The table keeps failing.
    pub(crate) const SET_ASIDE: Code = Code::new("set_aside");
    /// There is nothing of this name.
    pub(crate) const NOT_FOUND: Code = Code::new("not_found");
    /// The request comes from a page of another site.
    pub(crate) const FOREIGN: Code = Code::new("foreign");
    /// The resource does not support the method.
    pub(crate) const NOT_ALLOWED: Code = Code::new("not_allowed");
    /// The request cannot be understood.
    pub(crate) const BAD_REQUEST: Code = Code::new("bad_request");
}

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
