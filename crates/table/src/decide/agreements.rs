//! Actions about a round that are no moves: takebacks, claims, and the end of a table.

use game::{Reason, Refusal, Seat};

use super::{later_version, missing_player, must_be_held, too_late, worn_out, wrong_time};
use crate::entry_body::EntryBody;
use crate::table_state::{LAST_VERSION_TO_LEAVE, MOST_MOVES_TO_REPLAY, TableState};
use crate::wire::codes;

/// Claims the round of a seat that must move. Whether its player is absent is known to the server alone,
/// which asks here only if it is so.
pub(super) fn claim(
    state: &TableState,
    by: Seat,
    absent: Seat,
    when: (u32, u32),
) -> Result<EntryBody, Refusal> {
    let timing = wrong_time(state, when, "claim");
    let own = (by == absent).then_some("You cannot claim your own round");
    let wrong = own.or_else(|| state.may_be_claimed(absent).err());
    let wrong = wrong.map(|why| Reason::new(codes::NOT_ABSENT, why));
    let reasons = worn_out(state).into_iter().chain(missing_player(state)).chain(timing);
    Refusal::if_any(reasons.chain(wrong))?;
    Ok(EntryBody::Claimed { seat: absent, round: state.round() })
}

pub(super) fn ask_takeback(
    state: &TableState,
    seat: Seat,
    when: (u32, u32),
) -> Result<EntryBody, Refusal> {
    check(state, seat, when, state.may_ask_takeback(seat).err().as_ref())?;
    // A takeback plays the round again.
    let many = (state.history().len() > MOST_MOVES_TO_REPLAY).then(|| {
        let why = "Moves are not taken back in a round as long as this one";
        Reason::new(codes::NO_TAKEBACK, why)
    });
    // As with players who come and go, wishes must not fill the log.
    let long = (state.version() >= LAST_VERSION_TO_LEAVE).then(|| {
        let why = "This log is too long to take moves back: open a new table";
        Reason::new(codes::WORN_OUT, why)
    });
    Refusal::if_any(many.into_iter().chain(long))?;
    Ok(EntryBody::TakebackAsked { seat, round: state.round(), ply: state.ply() })
}

pub(super) fn grant_takeback(
    state: &TableState,
    seat: Seat,
    when: (u32, u32),
) -> Result<EntryBody, Refusal> {
    let asker = state.may_answer_takeback(seat);
    check(state, seat, when, asker.as_ref().err())?;
    let back_to = asker.ok().and_then(|asker| state.moves_before_last_of(asker));
    let back_to = back_to.expect("a seat that asked has a move");
    Ok(EntryBody::TakebackGranted { seat, round: state.round(), ply: state.ply(), back_to })
}

pub(super) fn decline_takeback(
    state: &TableState,
    seat: Seat,
    when: (u32, u32),
) -> Result<EntryBody, Refusal> {
    check(state, seat, when, state.may_answer_takeback(seat).err().as_ref())?;
    Ok(EntryBody::TakebackDeclined { seat, round: state.round(), ply: state.ply() })
}

/// Refuses what comes at the wrong time, and then for the other reasons.
fn check(
    state: &TableState,
    seat: Seat,
    when: (u32, u32),
    other: Option<&Refusal>,
) -> Result<(), Refusal> {
    must_be_held(state, seat)?;
    let timing = wrong_time(state, when, "takeback");
    let reasons = worn_out(state).into_iter().chain(missing_player(state)).chain(timing);
    let other = other.into_iter().flat_map(Refusal::reasons).cloned();
    Refusal::if_any(reasons.chain(other))
}

/// Ends the table, if no round is under way.
pub(super) fn end(state: &TableState, seat: Seat, version: u64) -> Result<EntryBody, Refusal> {
    let early = later_version(state, version);
    // It cannot be undone, so that it must be meant for this very state.
    let late = (version < state.version()).then(|| too_late("end"));
    let open = state.may_end().err();
    let code = if state.has_ended() { codes::ENDED } else { codes::NOT_OVER };
    let open = open.map(|why| Reason::new(code, why));
    Refusal::if_any(early.into_iter().chain(late).chain(open))?;
    Ok(EntryBody::Ended { seat })
}
