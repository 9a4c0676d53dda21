//! Decides what an action adds to the log.

use std::cmp::Ordering;

use game::{Code, Game, MoveText, Reason, Refusal, Seat};

use crate::action::{Action, ActionBody, Actor};
use crate::digest::Digest;
use crate::entry::{EntryBody, Forfeit};
use crate::player_name::PlayerName;
use crate::table_state::{MAX_LOGGED_LEAVES, MAX_PLIES, MAX_ROUNDS, TableState, in_order_of_seats};
use crate::wire::codes;

/// The result of an action that is not refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Decision {
    /// Append all of these entries or none.
    Append(Vec<EntryBody>),
    /// The action is in the log already, at this version.
    Known(u64),
}

/// Decides what an action would add to the log of a table in this state.
///
/// Nothing changes: entries count only when they come back from the journal and are folded.
///
/// # Errors
/// If the action is refused: all reasons, the most important one first.
pub fn decide(state: &TableState, action: &Action, by: Actor) -> Result<Decision, Refusal> {
    if let Some(known) = state.recent(&action.id) {
        let is_theirs = known.seat == asker(state, action, by);
        return if is_theirs { Ok(Decision::Known(known.version)) } else { Err(id_taken()) };
    }
    let bodies = match (&action.body, by.seat(state)) {
        (ActionBody::Join { seat, name, token, version }, own) => {
            vec![join(state, own, *seat, (name, *token), *version)?]
        }
        (body, None) => {
            let no_seat = Reason::new(codes::NO_SEAT, "You have no seat at this table");
            let reasons = std::iter::once(no_seat).chain(timing(state, body));
            return Err(Refusal::unless_none(reasons).expect_err("there is a reason"));
        }
        (ActionBody::Play { round, ply, chosen }, Some(seat)) => {
            play(state, seat, (*round, *ply), chosen)?
        }
        (ActionBody::Forfeit { round, ply }, Some(seat)) => {
            vec![forfeit(state, seat, (*round, *ply))?]
        }
        (ActionBody::Tie { round, ply }, Some(seat)) => vec![tie(state, seat, (*round, *ply))?],
        (ActionBody::NextRound { round, ply }, Some(seat)) => {
            is_held(state, seat)?;
            vec![next_round(state, (*round, *ply))?]
        }
        (ActionBody::Leave { version }, Some(seat)) => vec![leave(state, seat, *version)?],
    };
    Ok(Decision::Append(bodies))
}

/// The seat that acts; a client that joins is known by its token.
pub(crate) fn asker(state: &TableState, action: &Action, by: Actor) -> Option<Seat> {
    match &action.body {
        ActionBody::Join { token, .. } => by.seat(state).or_else(|| state.holder(*token)),
        _ => by.seat(state),
    }
}

pub(crate) fn id_taken() -> Refusal {
    let message = "Another player has used the id of this action: choose another one";
    Reason::new(codes::ID_TAKEN, message).into()
}

/// The reason against an action that is meant for another time, if it is.
fn timing(state: &TableState, body: &ActionBody) -> Option<Reason> {
    match body {
        ActionBody::Play { round, ply, .. } => stale(state, (*round, *ply), "move"),
        ActionBody::Forfeit { round, ply } => stale(state, (*round, *ply), "forfeit"),
        ActionBody::Tie { round, ply } => stale(state, (*round, *ply), "tie"),
        ActionBody::NextRound { round, ply } => stale(state, (*round, *ply), "next round"),
        ActionBody::Join { version, .. } | ActionBody::Leave { version } => ahead(state, *version),
    }
}

/// A player who comes back gets the old seat; a new player gets the seat that it asks for, or the
/// first free one.
fn join(
    state: &TableState,
    own: Option<Seat>,
    wanted: Option<Seat>,
    (name, token): (&PlayerName, Digest),
    version: u64,
) -> Result<EntryBody, Refusal> {
    let seats = || game::all_seats(state.game()).iter();
    let is_free = |seat: &Seat| state.is_free(*seat);
    // The log holds the digest of a token. A client that knows only the digest does not hold the
    // seat.
    if own.is_none() && state.holder(token).is_some() {
        let message = "This seat is taken: show its token to come back to it";
        return Err(Reason::new(codes::NO_SEAT, message).into());
    }
    let seat = match (own, wanted) {
        (Some(seat), None) => seat,
        (Some(seat), Some(wanted)) if seat == wanted => seat,
        (None, Some(wanted)) if seats().any(|seat| seat == wanted) && is_free(&wanted) => wanted,
        (_, Some(_)) => {
            return Err(Reason::new(codes::SEAT_TAKEN, "That seat is not free").into());
        }
        (None, None) => seats().find(is_free).ok_or_else(|| {
            let last = seats().last().unwrap_or(Seat::FIRST);
            let message = format!("Player {} has already joined", in_words(last));
            Refusal::new(Reason::new(codes::TABLE_FULL, message))
        })?,
    };
    let mut kept = Some(token);
    let early = ahead(state, version);
    if let Some(occupant) = state.occupant(seat) {
        kept = occupant.token;
        let late = (occupant.since > version).then(|| meant_for_another("joining"));
        let here =
            occupant.is_here.then(|| Reason::new(codes::HERE, "You are at the table already"));
        Refusal::unless_none(early.into_iter().chain(late).chain(here))?;
    } else {
        Refusal::unless_none(early)?;
    }
    Ok(EntryBody::Joined { seat, name: name.clone(), token: kept })
}

fn play(
    state: &TableState,
    seat: Seat,
    when: (u32, u32),
    chosen: &MoveText,
) -> Result<Vec<EntryBody>, Refusal> {
    let chosen = state.game().read_move(chosen.as_str())?;
    let rules = rules_against(state, seat, &chosen);
    let stale = stale(state, when, "move");
    let long = (state.ply() >= MAX_PLIES).then(|| {
        let message = format!("A round has at most {MAX_PLIES} moves and draws: it is a tie");
        Reason::new(codes::WORN_OUT, message)
    });
    let reasons = worn_out(state).into_iter().chain(all_joined(state)).chain(stale);
    Refusal::unless_none(reasons.chain(rules).chain(long))?;
    Ok(played(state, seat, chosen))
}

/// The entries of a computer player's move.
pub(crate) fn chosen(
    state: &TableState,
    seat: Seat,
    chosen: &MoveText,
) -> Result<Vec<EntryBody>, Refusal> {
    Refusal::unless_none(rules_against(state, seat, chosen))?;
    Ok(played(state, seat, chosen.clone()))
}

fn rules_against(state: &TableState, seat: Seat, chosen: &MoveText) -> Vec<Reason> {
    let refusal = state.game().check(state.position(), state.in_game(seat), chosen).err();
    let rules = refusal.iter().flat_map(Refusal::reasons).cloned();
    let rules = rules.chain(state.has_sealed(seat).then(already_chosen));
    // In Conflux only a lost game is over: on a filled board the turn comes first, then the marked
    // cell.
    let is_draw = state.outcome().is_some_and(|outcome| outcome.is_draw());
    let is_last = |reason: &Reason| is_draw && reason.code == Code::GAME_OVER;
    let (last, mut rules): (Vec<Reason>, Vec<Reason>) = rules.partition(is_last);
    rules.extend(last);
    rules
}

/// The entries of a move. Where several seats choose at once, it is sealed until all have chosen.
fn played(state: &TableState, seat: Seat, chosen: MoveText) -> Vec<EntryBody> {
    let (round, ply) = (state.round(), state.ply());
    if state.game().turn(state.position()).seats().len() == 1 {
        return vec![EntryBody::Played { seat, round, ply, chosen, explanation: None }];
    }
    let sealed = EntryBody::Sealed { seat, round, ply, chosen: Some(chosen.clone()) };
    // A client does not know the sealed moves of others and waits for the server to reveal them.
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

/// The seat to move gives up, or acknowledges that it has lost.
fn forfeit(state: &TableState, seat: Seat, when: (u32, u32)) -> Result<EntryBody, Refusal> {
    let stale = stale(state, when, "forfeit");
    let turn = (!state.turn().contains(seat)).then(Reason::not_your_turn);
    let reasons = all_joined(state).into_iter().chain(stale).chain(turn);
    Refusal::unless_none(worn_out(state).into_iter().chain(reasons))?;
    let why = if state.outcome().is_some() { Forfeit::Acknowledged } else { Forfeit::Resigned };
    Ok(EntryBody::Forfeited { seat, round: state.round(), why })
}

fn tie(state: &TableState, seat: Seat, when: (u32, u32)) -> Result<EntryBody, Refusal> {
    let stale = stale(state, when, "tie");
    let turn = (!state.turn().contains(seat)).then(Reason::not_your_turn);
    let outcome = state.outcome();
    let lost = outcome.filter(|outcome| !outcome.is_draw());
    let lost = lost.map(|outcome| Reason::game_over(&outcome));
    let open = outcome
        .is_none()
        .then(|| Reason::new(codes::NOT_OVER, "Cannot tie until the board is filled"));
    let reasons = all_joined(state).into_iter().chain(stale).chain(turn).chain(lost).chain(open);
    Refusal::unless_none(worn_out(state).into_iter().chain(reasons))?;
    Ok(EntryBody::Tied { round: state.round() })
}

fn next_round(state: &TableState, when: (u32, u32)) -> Result<EntryBody, Refusal> {
    let stale = stale(state, when, "next round");
    let open = state.outcome().is_none();
    let open = open.then(|| Reason::new(codes::NOT_OVER, "The round is not over"));
    Refusal::unless_none(worn_out(state).into_iter().chain(stale).chain(open))?;
    Ok(EntryBody::NextRound { round: state.round() })
}

/// Checks that a person holds the seat.
fn is_held(state: &TableState, seat: Seat) -> Result<(), Refusal> {
    let no_seat = || Reason::new(codes::NO_SEAT, "You have no seat at this table").into();
    state.occupant(seat).map(|_| ()).ok_or_else(no_seat)
}

fn all_joined(state: &TableState) -> Option<Reason> {
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
    (state.round() > MAX_ROUNDS).then(|| {
        let message = format!("A table has at most {MAX_ROUNDS} rounds: open a new one");
        Reason::new(codes::WORN_OUT, message)
    })
}

fn stale(state: &TableState, when: (u32, u32), what: &str) -> Option<Reason> {
    match when.cmp(&(state.round(), state.ply())) {
        Ordering::Less => Some(meant_for_another(what)),
        Ordering::Equal => None,
        Ordering::Greater => Some(not_come_yet(what)),
    }
}

fn ahead(state: &TableState, version: u64) -> Option<Reason> {
    (version > state.version()).then(|| not_come_yet("joining or leaving"))
}

fn not_come_yet(what: &str) -> Reason {
    Reason::new(codes::EARLY, format!("This {what} is meant for what has not come yet"))
}

fn meant_for_another(what: &str) -> Reason {
    Reason::new(codes::STALE, format!("This {what} was meant for an earlier position"))
}

/// A leave is refused if its player has come back since.
fn leave(state: &TableState, seat: Seat, version: u64) -> Result<EntryBody, Refusal> {
    let occupant = state.occupant(seat);
    let is_late = occupant.is_some_and(|occupant| occupant.since > version);
    let late = is_late.then(|| meant_for_another("leaving"));
    let is_away = occupant.is_none_or(|occupant| !occupant.is_here);
    let away = is_away.then(|| Reason::new(codes::AWAY, "You are away already"));
    let early = ahead(state, version);
    // Players who leave and come back must not fill the log without bound.
    let long = (state.version() >= MAX_LOGGED_LEAVES).then(|| {
        let message = "This log is too long to record that you leave: close the page instead";
        Reason::new(codes::WORN_OUT, message)
    });
    Refusal::unless_none(early.into_iter().chain(late).chain(away).chain(long))?;
    Ok(EntryBody::Left { seat })
}

fn already_chosen() -> Reason {
    Reason::new(Code::NOT_YOUR_TURN, "You have already chosen")
}
