//! A seat moves to another device of its player.

use game::{Reason, Refusal, Seat};

use super::{later_version, too_late};
use crate::digest::Digest;
use crate::entry_body::EntryBody;
use crate::table_state::{LAST_VERSION_TO_LEAVE, TableState};
use crate::wire::codes;

/// Offers a seat, unless its player came or went after they sent this, or this may be a late duplicate.
pub(super) fn offer_seat(
    state: &TableState,
    seat: Seat,
    secret: Digest,
    version: u64,
) -> Result<EntryBody, Refusal> {
    let since = state.occupant(seat).map(|occupant| occupant.since);
    let is_late = since.is_some_and(|since| since > version) || state.may_have_forgotten(version);
    let late = is_late.then(|| too_late("offer"));
    let early = later_version(state, version);
    // As with players who come and go, offers must not fill the log.
    let long = (state.version() >= LAST_VERSION_TO_LEAVE).then(|| {
        let why = "This log is too long to move a seat: open a new table";
        Reason::new(codes::WORN_OUT, why)
    });
    Refusal::if_any(early.into_iter().chain(late).chain(long))?;
    Ok(EntryBody::SeatOffered { seat, secret: Some(secret) })
}

/// Takes over the seat that was offered with this secret.
pub(super) fn take_over(
    state: &TableState,
    held: Option<Seat>,
    secret: Digest,
    token: Digest,
) -> Result<EntryBody, Refusal> {
    let Some(seat) = state.offered_with(secret) else {
        let why = "This code has been used, or is not valid any more: show a new one";
        return Err(Reason::new(codes::NOT_OFFERED, why).into());
    };
    if held.is_some() || state.holder(token).is_some() {
        let why = "This device holds a seat at this table already";
        return Err(Reason::new(codes::HERE, why).into());
    }
    Ok(EntryBody::SeatMoved { seat, token: Some(token) })
}
