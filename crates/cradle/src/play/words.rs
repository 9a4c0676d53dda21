//! What is said about a session.

use game::{AnyGame, Game, Happening, MatchEvent, Outcome, Seat, Text, all_seats, seat_name};

use super::session::{Awaited, Session};
use super::sitter::Sitter;

/// A line of the log: who did something, if it was anybody, and what.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    /// Who did it; nobody if chance did, or several.
    pub(super) seat: Option<Seat>,
    /// What was done.
    pub(super) text: String,
}

/// Who sits in a seat, in a word.
pub(super) fn who(session: &Session, seat: Seat) -> String {
    match session.sitter(seat) {
        Sitter::Computer(name, _) => name.to_string(),
        Sitter::Person if session.only_person() == Some(seat) => "you".to_owned(),
        Sitter::Person => "a person".to_owned(),
    }
}

/// Who plays whom: `You (X) against bthreads (O)`.
pub(super) fn pairing(session: &Session) -> String {
    let game = session.game();
    let Some(you) = session.only_person() else {
        return format!("{} on one screen", game.seats().join(" against "));
    };
    let others = all_seats(game).iter().filter(|seat| *seat != you);
    let others = others.map(|seat| format!("{} ({})", who(session, seat), seat_name(game, seat)));
    format!("You ({}) against {}", seat_name(game, you), others.collect::<Vec<_>>().join(", "))
}

/// How things stand, and what to do next.
pub(super) fn status(session: &Session) -> String {
    let name = |seat| seat_name(session.game(), seat);
    match session.awaited() {
        Awaited::Person(seat) if session.only_person() == Some(seat) => {
            format!("Your turn, {}.", name(seat))
        }
        Awaited::Person(seat) => format!("{} is to move.", name(seat)),
        Awaited::Computer(seat) => format!("{} is thinking…", name(seat)),
        Awaited::Chance => "Chance draws…".to_owned(),
        Awaited::Nobody(outcome) => {
            let gave_up = session.gave_up().map(|why| format!("{why}. ")).unwrap_or_default();
            format!("{gave_up}{}", ending(session, outcome))
        }
    }
}

/// What somebody else or chance did last, in a sentence with a space behind it.
pub(super) fn news(session: &Session) -> String {
    let last = session.events().iter().rev().find_map(|event| entry(session, event));
    match last {
        Some(Entry { seat: Some(seat), .. }) if session.speaker() == seat => String::new(),
        Some(Entry { seat: Some(seat), text }) => {
            format!("{} played {text}. ", seat_name(session.game(), seat))
        }
        Some(Entry { seat: None, text }) => format!("{text}. "),
        None => String::new(),
    }
}

/// How a round ended.
fn ending(session: &Session, outcome: Outcome) -> String {
    match outcome.winner() {
        None => "Nobody wins.".to_owned(),
        Some(winner) if session.only_person() == Some(winner) => "You win!".to_owned(),
        Some(winner) => format!("{} wins.", seat_name(session.game(), winner)),
    }
}

/// What happened in this round, in order.
pub(super) fn log(session: &Session) -> Vec<Entry> {
    session.events().iter().filter_map(|event| entry(session, event)).collect()
}

fn entry(session: &Session, event: &MatchEvent<AnyGame>) -> Option<Entry> {
    match event {
        MatchEvent::Move { position, moves } => {
            let text = session.seen(position, &Happening::Moves(moves.clone()));
            Some(match moves.as_slice() {
                [(seat, _)] => Entry { seat: Some(*seat), text },
                several => Entry { seat: None, text: at_once(session, several, text) },
            })
        }
        MatchEvent::Chance { position, drawn } => {
            let text = session.seen(position, &Happening::Chance(drawn.clone()));
            Some(Entry { seat: None, text: format!("Drawn: {text}") })
        }
        MatchEvent::Quit { seat, .. } => {
            Some(Entry { seat: Some(*seat), text: "gives up".to_owned() })
        }
        _ => None,
    }
}

/// What several chose at once, with their names unless something is hidden.
fn at_once(session: &Session, moves: &[(Seat, Text)], seen: String) -> String {
    if session.game().hides() {
        return seen;
    }
    let named = moves.iter().map(|(seat, chosen)| {
        let name = seat_name(session.game(), *seat);
        format!("{name} {chosen}")
    });
    named.collect::<Vec<_>>().join(", ")
}

/// An entry as a line of its own: `X b2`.
pub(super) fn line(session: &Session, entry: &Entry) -> String {
    match entry.seat {
        Some(seat) => format!("{} {}", seat_name(session.game(), seat), entry.text),
        None => entry.text.clone(),
    }
}

/// The score in one sentence.
pub(super) fn score(session: &Session) -> String {
    let score = session.score();
    let seats = all_seats(session.game()).iter();
    let wins = seats.map(|seat| {
        let name = seat_name(session.game(), seat);
        format!("{name} ({}) {}", who(session, seat), score.wins(seat))
    });
    let rounds = match score.rounds() {
        0 => return "No round was finished.".to_owned(),
        1 => "1 round".to_owned(),
        rounds => format!("{rounds} rounds"),
    };
    let wins = wins.collect::<Vec<_>>().join(", ");
    format!("Score after {rounds}: {wins}, draws {}.", score.draws())
}
