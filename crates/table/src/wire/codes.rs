//! The codes of refusals, beyond those that games have.

use game::Code;

/// Every seat is taken.
pub const TABLE_FULL: Code = Code::new("table_full");
/// The game has no such seat.
pub const NO_SUCH_SEAT: Code = Code::new("no_such_seat");
/// Another player holds this seat, or a computer.
pub const SEAT_TAKEN: Code = Code::new("seat_taken");
/// Not every seat is taken yet.
pub const NOT_JOINED: Code = Code::new("not_joined");
/// The client holds no seat.
pub const NO_SEAT: Code = Code::new("no_seat");
/// The action was meant for an earlier round, ply or version.
pub const STALE: Code = Code::new("stale");
/// The action is meant for a round, a ply or a version that has not come yet. Nothing is decided.
pub const EARLY: Code = Code::new("early");
/// Others came first too often, or a limit is reached. Nothing is decided.
pub const BUSY: Code = Code::new("busy");
/// The player who joins is at the table already.
pub const HERE: Code = Code::new("already_here");
/// The player who leaves has left already.
pub const AWAY: Code = Code::new("already_away");
/// Another player has used the id of the action.
pub const ID_TAKEN: Code = Code::new("id_taken");
/// The table has had all its rounds, or the round all its moves.
pub const WORN_OUT: Code = Code::new("worn_out");
/// The round is not decided yet.
pub const NOT_OVER: Code = Code::new("not_over");

/// Nothing can be taken back here or now.
pub const NO_TAKEBACK: Code = Code::new("no_takeback");
/// A move was asked back already, and answered or not.
pub const ALREADY_ASKED: Code = Code::new("already_asked");
/// Nobody asks for what the player answers.
pub const NOT_ASKED: Code = Code::new("not_asked");
/// The player whose round is claimed is not absent, or not for long enough, or not in turn.
pub const NOT_ABSENT: Code = Code::new("not_absent");
/// No seat was offered with this secret, or it has been taken over already.
pub const NOT_OFFERED: Code = Code::new("not_offered");
/// A player has ended the table.
pub const ENDED: Code = Code::new("ended");

/// The server does not know the result. Nothing is decided.
pub const UNAVAILABLE: Code = Code::new("unavailable");
/// The client asks too often. Nothing is decided.
pub const TOO_MANY: Code = Code::new("too_many");
/// The table keeps failing and rests for a while. Nothing is decided.
pub const SET_ASIDE: Code = Code::new("set_aside");
/// There is no such table.
pub const NO_TABLE: Code = Code::new("no_table");
/// The token holds no seat at this table.
pub const BAD_TOKEN: Code = Code::new("bad_token");
/// There is nothing of this name.
pub const NOT_FOUND: Code = Code::new("not_found");
/// The request comes from a page of another site.
pub const FOREIGN: Code = Code::new("foreign");
/// The request names a host that is not this server.
pub const UNKNOWN_HOST: Code = Code::new("unknown_host");
/// The path exists, but not for this method.
pub const NOT_ALLOWED: Code = Code::new("not_allowed");
/// The request cannot be understood.
pub const BAD_REQUEST: Code = Code::new("bad_request");

/// The server takes no rules from players.
pub const NO_OWN_RULES: Code = Code::new("no_own_rules");
/// A text of rules has mistakes, or is no game that can be played.
pub const BAD_RULES: Code = Code::new("bad_rules");

/// Whether a refusal with this code decides nothing: the same action may be sent again.
#[must_use]
pub fn is_undecided(code: &Code) -> bool {
    [EARLY, BUSY, UNAVAILABLE, TOO_MANY, SET_ASIDE].contains(code)
}

/// Whether a refusal with this code means that the table does not exist, so that no retry helps.
#[must_use]
pub fn is_missing(code: &Code) -> bool {
    [NO_TABLE, NOT_FOUND].contains(code)
}
