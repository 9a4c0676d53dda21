//! Decides what a player's action adds to the log of a table, or why it is refused.

mod agreements;
mod devices;

use std::cmp::Ordering;

use game::{Code, Game, MoveText, Reason, Refusal, Seat};

use crate::action::{Action, ActionBody, Actor};
use crate::digest::Digest;
use crate::entry_body::{EntryBody, Forfeit};
use crate::player_name::PlayerName;
use crate::table_state::{
    LAST_VERSION_TO_LEAVE, MAX_PLIES, MAX_ROUNDS, TableState, in_order_of_seats,
};
use crate::wire::codes;

/// The result of an action that is not refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Decision {
    /// Append all of these entries or none.
    Append(Vec<EntryBody>),
    /// The action is in the log already: its first entry has this version.
    Known(u64),
}

/// Decides what an action would add to the log of a table in this state.
///
/// This changes nothing: the caller appends the entries to the journal, and folds them into the state
/// once they are there.
///
/// # Errors
/// If the action is refused: the reasons, the most important one first. A reason that leaves nothing
/// else to check, such as a move that cannot be read, stands alone.
pub fn decide(state: &TableState, action: &Action, actor: Actor) -> Result<Decision, Refusal> {
    if let Some(known) = state.recent(&action.id) {
        let is_theirs = known.seat == acting_seat(state, action, actor);
        return if is_theirs { Ok(Decision::Known(known.version)) } else { Err(id_taken()) };
    }
    let bodies = match (&action.body, actor.seat(state)) {
        (ActionBody::Join { seat, name, token, version }, held) => {
            vec![join(state, held, *seat, (name, *token), *version)?]
        }
        (ActionBody::TakeOver { secret, token }, held) => {
            vec![devices::take_over(state, held, secret.digest(), *token)?]
        }
        (body, None) => {
            let reasons = std::iter::once(no_seat()).chain(timing(state, body));
            return Err(Refusal::if_any(reasons).expect_err("there is a reason"));
        }
        (ActionBody::Play { round, ply, chosen }, Some(seat)) => {
            play(state, seat, (*round, *ply), chosen)?
        }
        (ActionBody::Forfeit { round, ply }, Some(seat)) => {
            vec![forfeit(state, seat, (*round, *ply))?]
        }
        (ActionBody::Tie { round, ply }, Some(seat)) => vec![tie(state, seat, (*round, *ply))?],
        (ActionBody::NextRound { round, ply }, Some(seat)) => {
            must_be_held(state, seat)?;
            vec![next_round(state, (*round, *ply))?]
        }
        (ActionBody::Leave { version }, Some(seat)) => vec![leave(state, seat, *version)?],
        (ActionBody::Claim { seat: absent, round, ply }, Some(seat)) => {
            must_be_held(state, seat)?;
            vec![agreements::claim(state, seat, *absent, (*round, *ply))?]
        }
        (ActionBody::AskTakeback { round, ply }, Some(seat)) => {
            vec![agreements::ask_takeback(state, seat, (*round, *ply))?]
        }
        (ActionBody::GrantTakeback { round, ply }, Some(seat)) => {
            vec![agreements::grant_takeback(state, seat, (*round, *ply))?]
        }
        (ActionBody::DeclineTakeback { round, ply }, Some(seat)) => {
            vec![agreements::decline_takeback(state, seat, (*round, *ply))?]
        }
        (ActionBody::OfferSeat { secret, version }, Some(seat)) => {
            must_be_held(state, seat)?;
            vec![devices::offer_seat(state, seat, *secret, *version)?]
        }
        (ActionBody::End { version }, Some(seat)) => {
            must_be_held(state, seat)?;
            vec![agreements::end(state, seat, *version)?]
        }
    };
    Ok(Decision::Append(bodies))
}

/// The seat that acts. A client that sends a join again may not know yet that it holds a seat: its
/// token says which one.
pub(crate) fn acting_seat(state: &TableState, action: &Action, actor: Actor) -> Option<Seat> {
    match &action.body {
        ActionBody::Join { token, .. } | ActionBody::TakeOver { token, .. } => {
            actor.seat(state).or_else(|| state.holder(*token))
        }
        _ => actor.seat(state),
    }
}

/// The reason against the actions of somebody who holds no seat.
pub(crate) fn no_seat() -> Reason {
    Reason::new(codes::NO_SEAT, "You have no seat at this table")
}

pub(crate) fn id_taken() -> Refusal {
    let message = "Another player has used the id of this action: choose another one";
    Reason::new(codes::ID_TAKEN, message).into()
}

/// The reason against an action that comes too early or too late.
fn timing(state: &TableState, body: &ActionBody) -> Option<Reason> {
    match body {
        ActionBody::Play { round, ply, .. } => wrong_time(state, (*round, *ply), "move"),
        ActionBody::Forfeit { round, ply } => wrong_time(state, (*round, *ply), "forfeit"),
        ActionBody::Tie { round, ply } => wrong_time(state, (*round, *ply), "tie"),
        ActionBody::NextRound { round, ply } => wrong_time(state, (*round, *ply), "next round"),
        ActionBody::Claim { round, ply, .. } => wrong_time(state, (*round, *ply), "claim"),
        ActionBody::AskTakeback { round, ply }
        | ActionBody::GrantTakeback { round, ply }
        | ActionBody::DeclineTakeback { round, ply } => {
            wrong_time(state, (*round, *ply), "takeback")
        }
        ActionBody::Join { version, .. }
        | ActionBody::Leave { version }
        | ActionBody::OfferSeat { version, .. }
        | ActionBody::End { version } => later_version(state, *version),
        ActionBody::TakeOver { .. } => None,
    }
}

/// A player who comes back gets their own seat again; a new player gets the seat that they ask for, or
/// else the first free one.
fn join(
    state: &TableState,
    held: Option<Seat>,
    wanted: Option<Seat>,
    (name, token): (&PlayerName, Digest),
    version: u64,
) -> Result<EntryBody, Refusal> {
    let seats = || game::all_seats(state.game()).iter();
    let is_free = |seat: &Seat| state.is_free(*seat);
    // Everybody can read the digests of tokens in the log. A digest alone does not give the seat back:
    // the client must show the token itself.
    if held.is_none() && state.holder(token).is_some() {
        let message = "This seat is taken: show its token to come back to it";
        return Err(Reason::new(codes::NO_SEAT, message).into());
    }
    let seat = match (held, wanted) {
        (Some(seat), None) => seat,
        (Some(seat), Some(wanted)) if seat == wanted => seat,
        (None, Some(wanted)) if seats().any(|seat| seat == wanted && is_free(&seat)) => wanted,
        (_, Some(wanted)) if !seats().any(|seat| seat == wanted) => {
            return Err(no_such_seat(seats().count(), wanted).into());
        }
        (Some(seat), Some(_)) => {
            let message = format!("You hold seat {} already: nobody holds two", seat.number());
            return Err(Reason::new(codes::HERE, message).into());
        }
        (None, Some(_)) => {
            return Err(Reason::new(codes::SEAT_TAKEN, "That seat is not free").into());
        }
        (None, None) => seats().find(is_free).ok_or_else(|| {
            let last = seats().last().unwrap_or(Seat::FIRST);
            let message = format!("Player {} has already joined", in_words(last));
            Refusal::new(Reason::new(codes::TABLE_FULL, message))
        })?,
    };
    let mut kept = Some(token);
    let early = later_version(state, version);
    if let Some(occupant) = state.occupant(seat) {
        kept = occupant.token;
        let late = (occupant.since > version).then(|| too_late("joining"));
        let here =
            occupant.is_here.then(|| Reason::new(codes::HERE, "You are at the table already"));
        Refusal::if_any(early.into_iter().chain(late).chain(here))?;
    } else {
        Refusal::if_any(early)?;
    }
    Ok(EntryBody::Joined { seat, name: name.clone(), token: kept })
}

/// The reason against taking a seat that a game with this many seats does not have.
#[must_use]
pub fn no_such_seat(seats: usize, wanted: Seat) -> Reason {
    let (number, last) = (wanted.number(), seats.saturating_sub(1));
    let message = format!("There is no seat {number}: the seats are numbered from 0 to {last}");
    Reason::new(codes::NO_SUCH_SEAT, message)
}

fn play(
    state: &TableState,
    seat: Seat,
    when: (u32, u32),
    chosen: &MoveText,
) -> Result<Vec<EntryBody>, Refusal> {
    let chosen = state.game().read_move(chosen.as_str())?;
    let broken = broken_rules(state, seat, &chosen);
    let wrong_time = wrong_time(state, when, "move");
    let long = (state.ply() >= MAX_PLIES).then(|| {
        let message = format!("A round has at most {MAX_PLIES} moves and draws: it is a tie");
        Reason::new(codes::WORN_OUT, message)
    });
    let reasons = worn_out(state).into_iter().chain(missing_player(state)).chain(wrong_time);
    Refusal::if_any(reasons.chain(broken).chain(long))?;
    Ok(played(state, seat, chosen))
}

/// The entries of a computer player's move. Only the rules are checked: the caller asks for a move only
/// when one is due.
pub(crate) fn computer_move(
    state: &TableState,
    seat: Seat,
    chosen: &MoveText,
) -> Result<Vec<EntryBody>, Refusal> {
    Refusal::if_any(broken_rules(state, seat, chosen))?;
    Ok(played(state, seat, chosen.clone()))
}

fn broken_rules(state: &TableState, seat: Seat, chosen: &MoveText) -> Vec<Reason> {
    let refusal = state.game().check(state.position(), state.in_game(seat), chosen).err();
    let rules = refusal.iter().flat_map(Refusal::reasons).cloned();
    let rules = rules.chain(state.has_sealed(seat).then(already_chosen));
    // "Game over" is the first reason only if somebody has lost. After a draw the player hears first that
    // it is not their turn, or that the cell is marked.
    let is_draw = state.outcome().is_some_and(|outcome| outcome.is_draw());
    let comes_last = |reason: &Reason| is_draw && reason.code == Code::GAME_OVER;
    let (last, mut rules): (Vec<Reason>, Vec<Reason>) = rules.partition(comes_last);
    rules.extend(last);
    rules
}

/// The entries of a move. Where several seats choose at once, the move is sealed until all have chosen.
fn played(state: &TableState, seat: Seat, chosen: MoveText) -> Vec<EntryBody> {
    let (round, ply) = (state.round(), state.ply());
    if state.game().turn(state.position()).seats().len() == 1 {
        return vec![EntryBody::Played { seat, round, ply, chosen, explanation: None }];
    }
    let sealed = EntryBody::Sealed { seat, round, ply, chosen: Some(chosen.clone()) };
    // Clients decide, too, to show an action before the server has answered. They do not know the sealed
    // moves of others, and only the server reveals them.
    let others = state.sealed().iter().map(|(seat, chosen)| Some((*seat, chosen.clone()?)));
    let moves: Option<Vec<(Seat, MoveText)>> = others.chain([Some((seat, chosen))]).collect();
    match moves {
        Some(moves) if moves.len() == state.turn().len() => {
            let moves = in_order_of_seats(moves);
            vec![sealed, EntryBody::Revealed { round, ply, moves }]
        }
        _ => vec![sealed],
    }
}

/// A seat gives up, whether or not it is in turn. Once the round is over, the seat in turn acknowledges
/// its end.
fn forfeit(state: &TableState, seat: Seat, when: (u32, u32)) -> Result<EntryBody, Refusal> {
    let wrong_time = wrong_time(state, when, "forfeit");
    let is_over = state.outcome().is_some();
    let turn = (is_over && !state.turn().contains(seat)).then(Reason::not_your_turn);
    let reasons = missing_player(state).into_iter().chain(wrong_time).chain(turn);
    Refusal::if_any(worn_out(state).into_iter().chain(reasons))?;
    let why = if is_over { Forfeit::Acknowledged } else { Forfeit::Resigned };
    Ok(EntryBody::Forfeited { seat, round: state.round(), why })
}

fn tie(state: &TableState, seat: Seat, when: (u32, u32)) -> Result<EntryBody, Refusal> {
    let wrong_time = wrong_time(state, when, "tie");
    let turn = (!state.turn().contains(seat)).then(Reason::not_your_turn);
    let outcome = state.outcome();
    let decided = outcome.filter(|outcome| !outcome.is_draw());
    let decided = decided.map(|outcome| Reason::game_over(&outcome));
    let not_over = outcome
        .is_none()
        .then(|| Reason::new(codes::NOT_OVER, "Cannot tie until the board is filled"));
    let reasons = missing_player(state)
        .into_iter()
        .chain(wrong_time)
        .chain(turn)
        .chain(decided)
        .chain(not_over);
    Refusal::if_any(worn_out(state).into_iter().chain(reasons))?;
    Ok(EntryBody::Tied { round: state.round() })
}

fn next_round(state: &TableState, when: (u32, u32)) -> Result<EntryBody, Refusal> {
    let wrong_time = wrong_time(state, when, "next round");
    let is_open = state.outcome().is_none();
    let not_over = is_open.then(|| Reason::new(codes::NOT_OVER, "The round is not over"));
    Refusal::if_any(worn_out(state).into_iter().chain(wrong_time).chain(not_over))?;
    Ok(EntryBody::NextRound { round: state.round() })
}

/// Refuses the actions of a seat that no person holds.
fn must_be_held(state: &TableState, seat: Seat) -> Result<(), Refusal> {
    state.occupant(seat).map(|_| ()).ok_or_else(|| no_seat().into())
}

/// The reason against actions before all seats are taken.
fn missing_player(state: &TableState) -> Option<Reason> {
    let missing = game::all_seats(state.game()).iter().find(|seat| state.is_free(*seat))?;
    let message = format!("Player {} has not joined yet", in_words(missing));
    Some(Reason::new(codes::NOT_JOINED, message))
}

/// The seat's number in words, counted from one.
fn in_words(seat: Seat) -> &'static str {
    const WORDS: [&str; 8] = ["one", "two", "three", "four", "five", "six", "seven", "eight"];
    WORDS[seat.index()]
}

/// The reason against actions after the last round of a table.
fn worn_out(state: &TableState) -> Option<Reason> {
    if state.has_ended() {
        return Some(Reason::new(codes::ENDED, "This table has ended: open a new one"));
    }
    (state.round() > MAX_ROUNDS).then(|| {
        let message = format!("A table has at most {MAX_ROUNDS} rounds: open a new one");
        Reason::new(codes::WORN_OUT, message)
    })
}

/// The reason against an action that is meant for another position than the present one.
fn wrong_time(state: &TableState, when: (u32, u32), what: &str) -> Option<Reason> {
    match when.cmp(&(state.round(), state.ply())) {
        Ordering::Less => Some(too_late(what)),
        Ordering::Equal => None,
        Ordering::Greater => Some(too_early(what)),
    }
}

fn later_version(state: &TableState, version: u64) -> Option<Reason> {
    (version > state.version()).then(|| too_early("join or leave"))
}

fn too_early(what: &str) -> Reason {
    Reason::new(codes::EARLY, format!("This {what} is meant for a later position"))
}

fn too_late(what: &str) -> Reason {
    Reason::new(codes::STALE, format!("This {what} was meant for an earlier position"))
}

/// Records that a player leaves, unless they came back after they sent this.
fn leave(state: &TableState, seat: Seat, version: u64) -> Result<EntryBody, Refusal> {
    let occupant = state.occupant(seat);
    let is_late = occupant.is_some_and(|occupant| occupant.since > version);
    let late = is_late.then(|| too_late("leaving"));
    let is_away = occupant.is_none_or(|occupant| !occupant.is_here);
    let away = is_away.then(|| Reason::new(codes::AWAY, "You are away already"));
    let early = later_version(state, version);
    // Players who come and go must not fill the log. It is enough to limit leaves: only players who have
    // left can join again.
    let long = (state.version() >= LAST_VERSION_TO_LEAVE).then(|| {
        let message = "This log is too long to record that you leave: close the page instead";
        Reason::new(codes::WORN_OUT, message)
    });
    Refusal::if_any(early.into_iter().chain(late).chain(away).chain(long))?;
    Ok(EntryBody::Left { seat })
}

fn already_chosen() -> Reason {
    Reason::new(Code::NOT_YOUR_TURN, "You have already chosen")
}
