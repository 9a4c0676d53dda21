//! What people read about a session.

use game::{AnyGame, Game, MatchEvent, MoveText, Outcome, Ply, Seat, all_seats, seat_name};
use games::catalog::CATALOG;

use super::participant::Participant;
use super::session::{NextActor, PlayError, PlaySession, SeatChange};

/// A line of the log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct LogLine {
    /// The seat that acted, unless it was chance or several seats at once.
    pub(super) seat: Option<Seat>,
    /// What happened.
    pub(super) text: String,
}

/// Whether these words ask to leave: `quit`, `exit` or `q`.
pub(super) fn is_quit(words: &str) -> bool {
    ["quit", "exit", "q"].iter().any(|word| words.trim().eq_ignore_ascii_case(word))
}

/// The participant in a seat, in a word or two.
pub(super) fn participant(session: &PlaySession, seat: Seat) -> String {
    match session.participant(seat) {
        Participant::Computer(kind, _) => kind.to_string(),
        Participant::Person if session.only_person() == Some(seat) => "you".to_owned(),
        Participant::Person => format!("player {}", session.participant_number(seat) + 1),
    }
}

/// All participants with their seats: `You (X) against bthreads (O)`.
pub(super) fn pairing(session: &PlaySession) -> String {
    let game = session.game();
    let named = |seat| format!("{} ({})", participant(session, seat), seat_name(game, seat));
    let first = session.only_person().unwrap_or(Seat::FIRST);
    let others = all_seats(game).iter().filter(|seat| *seat != first).map(named);
    let others = others.collect::<Vec<_>>().join(", ");
    format!("{} against {others}", capitalised(&named(first)))
}

/// The game in one sentence.
pub(super) fn summary(session: &PlaySession) -> Option<&'static str> {
    let name = session.game().name();
    let name = name.split(':').next()?;
    CATALOG.into_iter().find(|listed| listed.name == name).map(|listed| listed.summary)
}

/// Announces a new round, and who plays which seat if that changed.
pub(super) fn new_round(session: &PlaySession, change: SeatChange) -> String {
    let seat = session.only_person().unwrap_or(Seat::FIRST);
    let (who, name) = (participant(session, seat), seat_name(session.game(), seat));
    let plays = if session.only_person().is_some() { "play" } else { "plays" };
    match change {
        SeatChange::Kept => format!("Round {}.", session.round()),
        SeatChange::Swapped => {
            format!("Round {}: seats are swapped, {who} {plays} {name} now.", session.round())
        }
    }
}

/// The player to move, or how the round ended.
pub(super) fn status(session: &PlaySession) -> String {
    let name = |seat| seat_name(session.game(), seat);
    match session.next_actor() {
        NextActor::Person(seat) if session.only_person() == Some(seat) => {
            format!("Your turn, {}.", name(seat))
        }
        NextActor::Person(seat) => format!("{} is to move.", name(seat)),
        NextActor::Computer(seat) => format!("{} is thinking…", name(seat)),
        NextActor::Chance => "Chance draws…".to_owned(),
        NextActor::Nobody(outcome) => {
            let gave_up = session.gave_up().map(|why| format!("{why}. ")).unwrap_or_default();
            format!("{gave_up}{}", ending(session, outcome))
        }
    }
}

/// What happened since the speaker's last move, in sentences. Before the first move, what the game
/// is.
pub(super) fn news(session: &PlaySession) -> String {
    let events = session.events();
    let since = events.iter().rposition(|event| is_own(session, event)).map_or(0, |last| {
        // Moves made at once are news to every seat.
        if is_at_once(&events[last]) { last } else { last + 1 }
    });
    let happened = events[since..].iter().filter(|event| !matches!(event, MatchEvent::Quit { .. }));
    let lines = happened.filter_map(|event| log_line(session, event));
    let mut sentences: Vec<String> = lines.map(|line| sentence(session, &line)).collect();
    if log(session).is_empty() {
        sentences.extend(summary(session).map(str::to_owned));
    }
    shortened(sentences).join(" ")
}

/// More sentences of news are cut in the middle.
const MOST_NEWS: usize = 6;

/// The first and the last of many sentences.
fn shortened(mut sentences: Vec<String>) -> Vec<String> {
    if sentences.len() > MOST_NEWS {
        let last = sentences.len() - MOST_NEWS / 2;
        sentences.splice(MOST_NEWS / 2..last, ["…".to_owned()]);
    }
    sentences
}

fn is_own(session: &PlaySession, event: &MatchEvent<AnyGame>) -> bool {
    let is_mine = |(seat, _): &(Seat, MoveText)| *seat == session.speaker();
    matches!(event, MatchEvent::Move { moves, .. } if moves.iter().any(is_mine))
}

fn is_at_once(event: &MatchEvent<AnyGame>) -> bool {
    matches!(event, MatchEvent::Move { moves, .. } if moves.len() > 1)
}

fn sentence(session: &PlaySession, LogLine { seat, text }: &LogLine) -> String {
    match seat {
        Some(seat) => format!("{} played {text}.", name(session, *seat)),
        None => format!("{text}."),
    }
}

/// How a round ended.
pub(super) fn ending(session: &PlaySession, outcome: Outcome) -> String {
    match (outcome.winner(), session.only_person()) {
        (None, _) => "A draw.".to_owned(),
        (Some(winner), Some(you)) if winner == you => "You win!".to_owned(),
        (Some(winner), Some(_)) => {
            format!("You lose: {} has won.", seat_name(session.game(), winner))
        }
        (Some(winner), None) => format!("{} has won.", seat_name(session.game(), winner)),
    }
}

/// Why a move or a resignation was refused, in sentences.
pub(super) fn refusal(session: &PlaySession, error: &PlayError) -> String {
    match error {
        PlayError::Over(outcome) => {
            let ended = match outcome.winner() {
                None => "it is a draw".to_owned(),
                Some(winner) if session.only_person() == Some(winner) => "you have won".to_owned(),
                Some(winner) => format!("{} has won", seat_name(session.game(), winner)),
            };
            format!("{error}: {ended}.")
        }
        PlayError::Refused(refusal) => {
            let mut reasons = refusal.reasons().map(ToString::to_string);
            let first = reasons.next().unwrap_or_default();
            let others = reasons.map(|reason| format!("; {}", uncapitalised(&reason)));
            format!("{first}{}.", others.collect::<String>())
        }
    }
}

/// The sentence with a small first letter, unless its first word is a name of one letter.
fn uncapitalised(sentence: &str) -> String {
    let mut letters = sentence.chars();
    match (letters.next(), letters.clone().next()) {
        (Some(first), Some(second)) if second.is_lowercase() => {
            first.to_lowercase().chain(letters).collect()
        }
        _ => sentence.to_owned(),
    }
}

/// The words with a capital first letter.
pub(super) fn capitalised(words: &str) -> String {
    let mut letters = words.chars();
    letters.next().into_iter().flat_map(char::to_uppercase).chain(letters).collect()
}

/// What happened in this round, in order.
pub(super) fn log(session: &PlaySession) -> Vec<LogLine> {
    session.events().iter().filter_map(|event| log_line(session, event)).collect()
}

fn log_line(session: &PlaySession, event: &MatchEvent<AnyGame>) -> Option<LogLine> {
    match event {
        MatchEvent::Move { position, moves } => {
            let text = session.seen(position, &Ply::Moves(moves.clone()));
            Some(match moves.as_slice() {
                [(seat, _)] => LogLine { seat: Some(*seat), text },
                several => LogLine { seat: None, text: at_once(session, several, text) },
            })
        }
        MatchEvent::Chance { position, drawn } => {
            let text = session.seen(position, &Ply::Chance(drawn.clone()));
            let is_word = text.chars().all(char::is_alphanumeric);
            let text = if is_word { text } else { format!("\"{text}\"") };
            Some(LogLine { seat: None, text: format!("Chance drew {text}") })
        }
        MatchEvent::Quit { seat, .. } => {
            let text = if name(session, *seat) == YOU { "give up" } else { "gives up" };
            Some(LogLine { seat: Some(*seat), text: text.to_owned() })
        }
        _ => None,
    }
}

/// Moves that several seats made at once, with the names of the seats unless something is hidden.
fn at_once(session: &PlaySession, moves: &[(Seat, MoveText)], seen: String) -> String {
    if session.game().hides() {
        return seen;
    }
    let named = moves.iter().map(|(seat, chosen)| format!("{} {chosen}", name(session, *seat)));
    named.collect::<Vec<_>>().join(", ")
}

/// A log line with the name of its seat: `X b2`.
pub(super) fn line(session: &PlaySession, line: &LogLine) -> String {
    match line.seat {
        Some(seat) => format!("{} {}", name(session, seat), line.text),
        None => line.text.clone(),
    }
}

const YOU: &str = "You";

/// The name of a seat in the log: its mark on a board; without a board, `You` for the person.
fn name(session: &PlaySession, seat: Seat) -> &str {
    if session.only_person() == Some(seat) && session.picture().board.is_none() {
        YOU
    } else {
        seat_name(session.game(), seat)
    }
}

/// The score in one sentence.
pub(super) fn score(session: &PlaySession) -> String {
    let score = session.score();
    let points = all_seats(session.game()).iter().map(|seat| {
        let name = seat_name(session.game(), seat);
        let points = score.points(session.participant_number(seat));
        format!("{name} ({}) {points}", participant(session, seat))
    });
    let rounds = match score.rounds() {
        0 => return "No round was finished.".to_owned(),
        1 => "1 round".to_owned(),
        rounds => format!("{rounds} rounds"),
    };
    let points: Vec<String> = points.chain(draws(session)).collect();
    format!("Score after {rounds}: {}.", points.join(", "))
}

/// The score in a few words: `X you 0 · O bthreads 1`.
pub(super) fn short_score(session: &PlaySession) -> String {
    let score = session.score();
    let points = all_seats(session.game()).iter().map(|seat| {
        let name = seat_name(session.game(), seat);
        let points = score.points(session.participant_number(seat));
        match session.only_person() {
            Some(_) => format!("{name} {} {points}", participant(session, seat)),
            None => format!("{name} {points}"),
        }
    });
    points.chain(draws(session)).collect::<Vec<_>>().join(" · ")
}

/// The number of drawn rounds, if there are any.
fn draws(session: &PlaySession) -> Option<String> {
    let draws = session.score().draws();
    (draws > 0).then(|| format!("draws {draws}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::names;
    use crate::play::participant::Opponent;
    use crate::play::session::Rotation;

    fn session(game: &str, against: &str, moves: &str) -> PlaySession {
        let opponent = Opponent::named(against).unwrap();
        let game = names::game(game).unwrap();
        let mut session =
            PlaySession::new(game, Seat::FIRST, opponent, Rotation::EachRound, 3).unwrap();
        session.settle();
        for words in moves.split_whitespace() {
            session.play(words).unwrap();
            session.settle();
        }
        session
    }

    #[track_caller]
    fn check(session: &PlaySession, expected: &str) {
        assert_eq!(format!("{} {}", news(session), status(session)).trim(), expected);
    }

    #[test]
    fn before_the_first_move_the_news_is_what_the_game_is() {
        let start = "Three in a row on three by three. X is to move.";
        check(&session("tic-tac-toe", "human", ""), start);
        check(&session("tic-tac-toe", "human", "a1"), "X played a1. O is to move.");
        let mnk = "Several in a row on a board of any size; mnk:15,15,5 is Gomoku. X is to move.";
        check(&session("mnk:4,4,3", "human", ""), mnk);
    }

    #[test]
    fn the_end_is_told_from_the_view_of_the_only_person() {
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
    fn refused(session: &PlaySession, words: &str, expected: &str) {
        assert_eq!(refusal(session, &session.check(words).unwrap_err()), expected);
    }

    #[test]
    fn a_move_after_the_end_is_refused_because_of_the_end() {
        let over = session("tic-tac-toe", "human", "a1 b1 a2 b2 a3");
        refused(&over, "c3", "The round is over: X has won.");
        let won = session("tic-tac-toe", "scripted:b1/b2", "a1 a2 a3");
        refused(&won, "c3", "The round is over: you have won.");
        let drawn = session("tic-tac-toe", "human", "a1 b2 c3 b1 b3 a3 c1 c2 a2");
        refused(&drawn, "c3", "The round is over: it is a draw.");
    }

    #[test]
    fn several_reasons_make_one_sentence() {
        refused(
            &session("ultimate", "human", "d4 b2 e4 e2 f4"),
            "e4",
            "That cell is already marked; that board is already decided; you must play in the \
             board from g1 to i3.",
        );
        assert_eq!(uncapitalised("X must wait"), "X must wait");
    }

    #[test]
    fn moves_of_chance_and_of_others_are_news() {
        check(&session("pig", "random", "roll"), "Chance drew 2. Your turn, A.");
        check(&session("kuhn-poker", "random", ""), "Chance drew \"Q?\". Your turn, First.");
        let odds = session("odds-and-evens", "random", "2");
        check(&odds, "You 2, Evens 1. You win!");
    }

    #[test]
    fn a_turn_lost_to_chance_is_news() {
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

    #[test]
    fn a_new_round_says_who_plays_which_seat() {
        let mut alone = session("tic-tac-toe", "bthreads", "");
        let change = alone.new_round();
        assert_eq!(new_round(&alone, change), "Round 2: seats are swapped, you play O now.");
        assert_eq!(pairing(&alone), "You (O) against bthreads (X)");
        let mut two = session("tic-tac-toe", "human", "a1 b1 a2 b2 a3");
        let change = two.new_round();
        let expected = "Round 2: seats are swapped, player 2 plays X now.";
        assert_eq!(new_round(&two, change), expected);
        assert_eq!(pairing(&two), "Player 2 (X) against player 1 (O)");
        assert_eq!(score(&two), "Score after 1 round: X (player 2) 0, O (player 1) 1.");
    }

    #[test]
    fn poker_is_scored_in_chips() {
        let mut poker = session("kuhn-poker", "scripted:bet", "bet");
        let NextActor::Nobody(outcome) = poker.next_actor() else { unreachable!("both have bet") };
        assert_eq!(outcome.score(Seat::FIRST).abs(), 2);
        let chips = |session: &PlaySession| short_score(session).replace(char::is_alphabetic, "");
        assert!(chips(&poker).contains('2'), "{}", short_score(&poker));
        poker.new_round();
        assert!(chips(&poker).contains('2'), "{}", short_score(&poker));
    }
}
