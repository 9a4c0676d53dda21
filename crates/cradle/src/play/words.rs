//! What is said about a session.

use game::{AnyGame, Game, MatchEvent, MoveText, Outcome, Ply, Seat, all_seats, seat_name};
use games::catalog::CATALOG;

use super::session::{Awaited, Denial, Session};
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

/// What the game is, in one sentence.
pub(super) fn summary(session: &Session) -> Option<&'static str> {
    let name = session.game().name();
    let name = name.split(':').next()?;
    CATALOG.into_iter().find(|listed| listed.name == name).map(|listed| listed.summary)
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

/// What happened since the person who speaks chose last, in sentences; at the beginning, what the
/// game is.
pub(super) fn news(session: &Session) -> String {
    let events = session.events();
    let since = events.iter().rposition(|event| is_own(session, event)).map_or(0, |last| {
        // What several chose at once is news to each of them.
        if is_at_once(&events[last]) { last } else { last + 1 }
    });
    let happened = events[since..].iter().filter(|event| !matches!(event, MatchEvent::Quit { .. }));
    let entries = happened.filter_map(|event| entry(session, event));
    let mut sentences: Vec<String> = entries.map(|entry| told(session, &entry)).collect();
    if log(session).is_empty() {
        sentences.extend(summary(session).map(str::to_owned));
    }
    shortened(sentences).join(" ")
}

/// Nobody reads more sentences than that.
const MOST_NEWS: usize = 6;

/// The first and the last sentences of many.
fn shortened(mut sentences: Vec<String>) -> Vec<String> {
    if sentences.len() > MOST_NEWS {
        let last = sentences.len() - MOST_NEWS / 2;
        sentences.splice(MOST_NEWS / 2..last, ["…".to_owned()]);
    }
    sentences
}

fn is_own(session: &Session, event: &MatchEvent<AnyGame>) -> bool {
    let is_mine = |(seat, _): &(Seat, MoveText)| *seat == session.speaker();
    matches!(event, MatchEvent::Move { moves, .. } if moves.iter().any(is_mine))
}

fn is_at_once(event: &MatchEvent<AnyGame>) -> bool {
    matches!(event, MatchEvent::Move { moves, .. } if moves.len() > 1)
}

fn told(session: &Session, Entry { seat, text }: &Entry) -> String {
    match seat {
        Some(seat) => format!("{} played {text}.", name(session, *seat)),
        None => format!("{text}."),
    }
}

/// How a round ended.
pub(super) fn ending(session: &Session, outcome: Outcome) -> String {
    match (outcome.winner(), session.only_person()) {
        (None, _) => "A draw.".to_owned(),
        (Some(winner), Some(you)) if winner == you => "You win!".to_owned(),
        (Some(winner), Some(_)) => {
            format!("You lose: {} has won.", seat_name(session.game(), winner))
        }
        (Some(winner), None) => format!("{} has won.", seat_name(session.game(), winner)),
    }
}

/// Why a person does not have its way, in sentences.
pub(super) fn denial(session: &Session, denial: &Denial) -> String {
    match denial {
        Denial::Over(outcome) => {
            let ended = match outcome.winner() {
                None => "it is a draw".to_owned(),
                Some(winner) if session.only_person() == Some(winner) => "you have won".to_owned(),
                Some(winner) => format!("{} has won", seat_name(session.game(), winner)),
            };
            format!("{denial}: {ended}.")
        }
        Denial::Refused(refusal) => {
            let mut reasons = refusal.reasons().map(ToString::to_string);
            let first = reasons.next().unwrap_or_default();
            let others = reasons.map(|reason| format!("; {}", uncapitalised(&reason)));
            format!("{first}{}.", others.collect::<String>())
        }
    }
}

/// With a small letter at the beginning, unless the first word is a name of one letter.
fn uncapitalised(sentence: &str) -> String {
    let mut letters = sentence.chars();
    match (letters.next(), letters.clone().next()) {
        (Some(first), Some(second)) if second.is_lowercase() => {
            first.to_lowercase().chain(letters).collect()
        }
        _ => sentence.to_owned(),
    }
}

/// What happened in this round, in order.
pub(super) fn log(session: &Session) -> Vec<Entry> {
    session.events().iter().filter_map(|event| entry(session, event)).collect()
}

fn entry(session: &Session, event: &MatchEvent<AnyGame>) -> Option<Entry> {
    match event {
        MatchEvent::Move { position, moves } => {
            let text = session.seen(position, &Ply::Moves(moves.clone()));
            Some(match moves.as_slice() {
                [(seat, _)] => Entry { seat: Some(*seat), text },
                several => Entry { seat: None, text: at_once(session, several, text) },
            })
        }
        MatchEvent::Chance { position, drawn } => {
            let text = session.seen(position, &Ply::Chance(drawn.clone()));
            let is_word = text.chars().all(char::is_alphanumeric);
            let text = if is_word { text } else { format!("\"{text}\"") };
            Some(Entry { seat: None, text: format!("Chance drew {text}") })
        }
        MatchEvent::Quit { seat, .. } => {
            let text = if name(session, *seat) == YOU { "give up" } else { "gives up" };
            Some(Entry { seat: Some(*seat), text: text.to_owned() })
        }
        _ => None,
    }
}

/// What several chose at once, with their names unless something is hidden.
fn at_once(session: &Session, moves: &[(Seat, MoveText)], seen: String) -> String {
    if session.game().hides() {
        return seen;
    }
    let named = moves.iter().map(|(seat, chosen)| format!("{} {chosen}", name(session, *seat)));
    named.collect::<Vec<_>>().join(", ")
}

/// An entry as a line of its own: `X b2`.
pub(super) fn line(session: &Session, entry: &Entry) -> String {
    match entry.seat {
        Some(seat) => format!("{} {}", name(session, seat), entry.text),
        None => entry.text.clone(),
    }
}

const YOU: &str = "You";

/// What a seat is called where its moves are words; on a board its name is its mark.
fn name(session: &Session, seat: Seat) -> &str {
    if session.only_person() == Some(seat) && session.picture().board.is_none() {
        YOU
    } else {
        seat_name(session.game(), seat)
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
    let wins: Vec<String> = wins.chain(draws(session)).collect();
    format!("Score after {rounds}: {}.", wins.join(", "))
}

/// The score in a few words: `X you 0 · O bthreads 1`.
pub(super) fn short_score(session: &Session) -> String {
    let score = session.score();
    let wins = all_seats(session.game()).iter().map(|seat| {
        let name = seat_name(session.game(), seat);
        match session.only_person() {
            Some(_) => format!("{name} {} {}", who(session, seat), score.wins(seat)),
            None => format!("{name} {}", score.wins(seat)),
        }
    });
    wins.chain(draws(session)).collect::<Vec<_>>().join(" · ")
}

/// How many rounds nobody has won, if there are any.
fn draws(session: &Session) -> Option<String> {
    let draws = session.score().draws();
    (draws > 0).then(|| format!("draws {draws}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::names;
    use crate::play::sitter::Opponent;

    fn session(game: &str, against: &str, moves: &str) -> Session {
        let opponent = Opponent::named(against).unwrap();
        let game = names::game(game).unwrap();
        let mut session = Session::new(game, Seat::FIRST, &opponent, 3).unwrap();
        session.settle();
        for words in moves.split_whitespace() {
            session.play(words).unwrap();
            session.settle();
        }
        session
    }

    #[track_caller]
    fn check(session: &Session, expected: &str) {
        assert_eq!(format!("{} {}", news(session), status(session)).trim(), expected);
    }

    #[test]
    fn before_the_first_move_it_is_said_what_the_game_is() {
        let start = "Three in a row on three by three. X is to move.";
        check(&session("tic-tac-toe", "human", ""), start);
        check(&session("tic-tac-toe", "human", "a1"), "X played a1. O is to move.");
        let mnk = "So many in a row on a board of any size; mnk:15,15,5 is Gomoku. X is to move.";
        check(&session("mnk:4,4,3", "human", ""), mnk);
    }

    #[test]
    fn the_end_is_told_from_the_side_of_the_only_person() {
        let lost = session("tic-tac-toe", "scripted:b1/b2/b3", "a1 a2 c3");
        check(&lost, "O played b3. You lose: O has won.");
        let won = session("tic-tac-toe", "scripted:b1/b2", "a1 a2 a3");
        check(&won, "You win!");
        let drawn = session("tic-tac-toe", "human", "a1 b2 c3 b1 b3 a3 c1 c2 a2");
        check(&drawn, "A draw.");
        let two = session("tic-tac-toe", "human", "a1 b1 a2 b2 c3 b3");
        check(&two, "O played b3. O has won.");
    }

    #[track_caller]
    fn denied(session: &Session, words: &str, expected: &str) {
        assert_eq!(denial(session, &session.check(words).unwrap_err()), expected);
    }

    #[test]
    fn a_move_after_the_end_is_denied_in_words_of_its_own() {
        let over = session("tic-tac-toe", "human", "a1 b1 a2 b2 a3");
        denied(&over, "c3", "The round is over: X has won.");
        let won = session("tic-tac-toe", "scripted:b1/b2", "a1 a2 a3");
        denied(&won, "c3", "The round is over: you have won.");
        let drawn = session("tic-tac-toe", "human", "a1 b2 c3 b1 b3 a3 c1 c2 a2");
        denied(&drawn, "c3", "The round is over: it is a draw.");
    }

    #[test]
    fn several_reasons_make_one_sentence() {
        denied(
            &session("ultimate", "human", "d4 b2 e4 e2 f4"),
            "e4",
            "That cell is already marked; that board is already decided; you must play in the \
             board from g1 to i3.",
        );
        assert_eq!(uncapitalised("X must wait"), "X must wait");
    }

    #[test]
    fn all_that_chance_and_the_others_did_is_news() {
        check(&session("pig", "random", "roll"), "Chance drew 2. Your turn, A.");
        check(&session("kuhn-poker", "random", ""), "Chance drew \"Q?\". Your turn, First.");
        let odds = session("odds-and-evens", "random", "2");
        check(&odds, "You 2, Evens 1. You win!");
    }

    #[test]
    fn who_loses_a_turn_to_chance_is_told() {
        let mut pig = session("pig", "random", "");
        while !news(&pig).starts_with("Chance drew 1. ") {
            pig.play("roll").unwrap();
            pig.settle();
        }
        assert!(news(&pig).starts_with("Chance drew 1. B played roll. "), "{}", news(&pig));
    }

    #[test]
    fn long_news_are_cut_in_the_middle() {
        let counted = |count: usize| (1..=count).map(|number| number.to_string()).collect();
        assert_eq!(shortened(counted(6)).join(" "), "1 2 3 4 5 6");
        assert_eq!(shortened(counted(8)).join(" "), "1 2 3 … 6 7 8");
    }

    #[test]
    fn draws_are_counted_once_there_is_one() {
        let mut session = session("tic-tac-toe", "human", "a1 b2 c3 b1 b3 a3 c1 c2");
        assert_eq!(short_score(&session), "X 0 · O 0");
        session.play("a2").unwrap();
        assert_eq!(short_score(&session), "X 0 · O 0 · draws 1");
        let alone = self::session("tic-tac-toe", "bthreads", "");
        assert_eq!(short_score(&alone), "X you 0 · O bthreads 0");
    }
}
