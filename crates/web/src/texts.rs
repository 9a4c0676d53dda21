//! The sentences of the page.

pub mod agreements;
pub mod puzzle;

use game::{
    Code, Game, MoveExplanation, Outcome, PlayerKind, PositionAnalysis, PositionValue, Refusal,
    Seat, SkillLevel, all_seats,
};
use games::catalog;
use table::wire::{Emote, ListedTable};
use table::{ActionBody, Clock, Entry, EntryBody, Forfeit, TableState, TableView};

use crate::screen::{MatchScore, RoundPhase, TableScreen};
use crate::session::{RoundEnding, SessionView};

/// The labels of the buttons.
pub const RESIGN: &str = "Resign";
/// Shows the next round, and starts it if it has not begun.
pub const NEXT_ROUND: &str = "Next round";
/// As the next round, after a match.
pub const REMATCH: &str = "Rematch";

/// A game of several people on one screen.
pub const ONE_SCREEN: &str = "on one screen";

/// The level of a computer player, as a newcomer understands it.
#[must_use]
pub fn level(kind: &PlayerKind) -> String {
    let name = match kind {
        PlayerKind::Random => "Any move",
        PlayerKind::BThreads => "Teacher",
        PlayerKind::Perfect => "Perfect",
        PlayerKind::Level(SkillLevel::Easy) => "Easy",
        PlayerKind::Level(SkillLevel::Fair) => "Fair",
        PlayerKind::Level(SkillLevel::Hard) => "Hard",
        other => return other.to_string(),
    };
    name.to_owned()
}

/// The name of a player.
#[must_use]
pub fn name(state: &TableState, seat: Seat) -> String {
    let occupant = state.occupant(seat).map(|occupant| occupant.name.to_string());
    let computer = state.level(seat).map(|_| "The computer".to_owned());
    occupant.or(computer).unwrap_or_else(|| "Somebody".to_owned())
}

/// The symbol that a seat of the table plays in this round.
#[must_use]
pub fn symbol(state: &TableState, seat: Seat) -> &str {
    let symbols = state.game().seats();
    symbols.get(state.in_game(seat).index()).copied().unwrap_or_default()
}

/// A sentence about the table whose first words have a player's colour.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StatusLine {
    /// The coloured words.
    pub subject: String,
    /// The seat of the game that gives them its colour.
    pub seat: Option<Seat>,
    /// The rest of the sentence.
    pub rest: String,
}

impl StatusLine {
    pub(crate) fn plain(rest: impl Into<String>) -> Self {
        Self { subject: String::new(), seat: None, rest: rest.into() }
    }

    pub(crate) fn about(seat: Seat, subject: impl Into<String>, rest: impl Into<String>) -> Self {
        Self { subject: subject.into(), seat: Some(seat), rest: rest.into() }
    }
}

/// One sentence that says what happens next.
#[must_use]
pub fn status(view: &SessionView<'_>) -> StatusLine {
    let state = view.shown;
    if !state.is_full() {
        return waiting(!view.own_seats.is_empty());
    }
    if let Some(pending) = view.pending {
        let seat = view.acting_seat().map_or(Seat::FIRST, |seat| state.in_game(seat));
        let rest = if view.is_delayed && view.is_connected {
            " is not recorded yet. We keep trying …"
        } else {
            " is on its way …"
        };
        return StatusLine::about(seat, action(pending), rest);
    }
    if let Some(ending) = view.ending {
        return ended(view, ending);
    }
    if let Some(outcome) = state.outcome() {
        return result(view, &outcome);
    }
    match state.turn().iter().find(|seat| !state.has_sealed(*seat)) {
        Some(seat) => turn(view, seat),
        None => StatusLine::plain(""),
    }
}

/// What a player or a spectator hears while a seat is free.
pub(crate) fn waiting(is_player: bool) -> StatusLine {
    StatusLine::plain(if is_player { "Waiting for the other player." } else { "A seat is free." })
}

fn turn(view: &SessionView<'_>, seat: Seat) -> StatusLine {
    let state = view.shown;
    let (in_game, name) = (state.in_game(seat), name(state, seat));
    let is_own = view.own_seats.contains(&seat);
    let has_left = state.occupant(seat).is_some_and(|occupant| !occupant.is_here);
    let is_away = view.connected.is_some_and(|connected| !connected.contains(&seat));
    if is_own && view.own_seats.len() == 1 {
        StatusLine::about(in_game, "Your turn", ".")
    } else if is_own {
        StatusLine::about(in_game, format!("{name}’s turn"), ".")
    } else if state.level(seat).is_some() {
        StatusLine::about(in_game, name, " is thinking …")
    } else if has_left {
        StatusLine::about(in_game, name, " has left the table.")
    } else if is_away {
        let waits = if state.clock().is_some() { "." } else { "; the game waits." };
        StatusLine::about(in_game, name, format!(" lost the connection{waits}"))
    } else {
        StatusLine::about(in_game, format!("{name}’s turn"), ".")
    }
}

fn result(view: &SessionView<'_>, outcome: &Outcome) -> StatusLine {
    let state = view.shown;
    let Some(winner) = outcome.winner() else {
        return StatusLine::plain("A cat’s game: nobody wins.");
    };
    let seat = state.at_table(winner);
    let subject = match view.own_seats {
        [own] if *own == seat => "You won".to_owned(),
        _ => format!("{} won", name(state, seat)),
    };
    StatusLine::about(winner, subject, format!(" {}.", what_was_won(view)))
}

/// What the winner of the shown round has won: the round, or with it the match.
fn what_was_won(view: &SessionView<'_>) -> String {
    let score = MatchScore::new(view);
    let Some(winner) = score.winner else { return "this round".to_owned() };
    let wins = |seat: Seat| score.wins.get(seat.index()).copied().unwrap_or_default();
    let others = all_seats(view.shown.game()).iter().filter(|seat| *seat != winner).map(wins);
    let others: Vec<String> = others.map(|wins| wins.to_string()).collect();
    format!("the match, {} : {}", wins(winner), others.join(" : "))
}

/// How a round ended that is still shown.
fn ended(view: &SessionView<'_>, ending: RoundEnding) -> StatusLine {
    let state = view.shown;
    let is_own = |seat: Seat| view.own_seats == [seat];
    let who = |seat: Seat| if is_own(seat) { "You".to_owned() } else { name(state, seat) };
    let (loser, verb) = match ending {
        RoundEnding::Resigned(seat) => (seat, "resigned"),
        RoundEnding::OutOfTime(seat) => (seat, "ran out of time"),
        RoundEnding::Absent(seat) if is_own(seat) => (seat, "were away"),
        RoundEnding::Absent(seat) => (seat, "was away"),
        RoundEnding::Ready(ready) => {
            let outcome = state.outcome().unwrap_or_else(Outcome::draw);
            let mut line = result(view, &outcome);
            if let Some(seat) = ready.filter(|seat| !view.own_seats.contains(seat)) {
                line.rest = format!("{} {} is ready.", line.rest, name(state, seat));
            }
            return line;
        }
    };
    let winner = all_seats(state.game()).iter().find(|seat| *seat != loser);
    let won = winner.map(|seat| {
        let verb = if is_own(seat) { "win" } else { "wins" };
        format!(" {} {verb} {}.", who(seat), what_was_won(view))
    });
    let subject = format!("{} {verb}", who(loser));
    StatusLine::about(state.in_game(loser), subject, format!(".{}", won.unwrap_or_default()))
}

/// What chance drew last, if that is the last that happened and everybody may know it.
#[must_use]
pub fn last_draw(view: &SessionView<'_>) -> Option<String> {
    match view.shown.history().last()? {
        game::Ply::Chance(drawn) if !view.shown.game().hides() => Some(format!("Drawn: {drawn}")),
        _ => None,
    }
}

/// Why the computer made the last move of the round, in one sentence; `None` if a person made it.
#[must_use]
pub fn because(view: &SessionView<'_>) -> Option<String> {
    let state = view.shown;
    let game::Ply::Moves(moves) = state.history().last()? else { return None };
    let [(seat, _)] = moves.as_slice() else { return None };
    let kind = state.level(state.at_table(*seat))?;
    let ply = u32::try_from(state.history().len()).ok()?.checked_sub(1)?;
    let explanation = view.explanations.iter().rev().find(|(at, _)| *at == ply);
    Some(computer_reason(state, kind, explanation.map(|(_, explanation)| explanation)))
}

/// Why the computer made a move, in one sentence.
#[must_use]
pub fn computer_reason(
    state: &TableState,
    kind: &PlayerKind,
    explanation: Option<&MoveExplanation>,
) -> String {
    let Some(explanation) = explanation else { return "It took any move.".to_owned() };
    // What a search says about itself is for those who ask why.
    if matches!(kind, PlayerKind::Level(_) | PlayerKind::Mcts(_)) {
        return "It tried out many games, and this move did best.".to_owned();
    }
    let strategy = explanation.wanted_by.first();
    let purpose = strategy.and_then(|strategy| state.game().purpose(strategy));
    purpose.unwrap_or_else(|| as_sentence(&explanation.sentence))
}

/// The title of a game. A game that is a text on the server has the digest of its text in its name.
#[must_use]
pub fn game_title(name: &str) -> String {
    catalog::title(name.split('@').next().unwrap_or(name))
}

/// The players of a public table and its score: `Ada – Bob, 2 : 1, round 4`.
#[must_use]
pub fn watched(table: &ListedTable, details: Option<&TableView>) -> String {
    let Some(view) = details else {
        let state = if table.free_seats == 0 { "in play" } else { "waits for a player" };
        return state.to_owned();
    };
    let names = view.seats.iter().filter_map(|seat| match (&seat.name, &seat.computer) {
        (Some(name), _) => Some(name.clone()),
        (None, Some(name)) => {
            let level = name.parse().map_or_else(|_unknown| name.clone(), |kind| level(&kind));
            Some(format!("Computer ({level})"))
        }
        (None, None) => None,
    });
    let names = names.collect::<Vec<_>>().join(" – ");
    if table.free_seats > 0 {
        return format!("{names} waits for a player").trim_start().to_owned();
    }
    let wins: Vec<String> = view.wins.iter().map(ToString::to_string).collect();
    format!("{names}, {}, round {}", wins.join(" : "), view.round)
}

/// The best move for the person in turn, and what it is worth; `None` if nobody can say.
#[must_use]
pub fn hint(state: &TableState, analysis: &PositionAnalysis) -> Option<String> {
    let best: Vec<_> = analysis.best_moves().collect();
    let first = best.first()?;
    let chosen = first
        .chosen
        .parse()
        .map_or_else(|_| first.chosen.clone(), |chosen| state.game().label(&chosen));
    let worse = analysis.moves.len() - best.len();
    let others = match (first.value.exact, worse) {
        (false, _) => "; this is an estimate".to_owned(),
        (true, 0) => "; all other moves are as good".to_owned(),
        (true, 1) => "; one other move is worse".to_owned(),
        (true, worse) => format!("; {worse} other moves are worse"),
    };
    Some(format!("Try {chosen}: {}{others}.", value(&first.value)))
}

/// The result of a round that is over, as the person tells it: `Won`, or who won on one screen.
#[must_use]
pub fn personal_result(screen: &TableScreen) -> String {
    let own = screen.players.iter().filter(|player| player.is_own).count();
    let winner = screen.players.iter().find(|player| player.has_won);
    match (screen.phase, winner) {
        (RoundPhase::Drawn, _) | (_, None) => "Drawn".to_owned(),
        (_, Some(winner)) if own > 1 => format!("{} won", winner.name),
        (_, Some(winner)) if winner.is_own => "Won".to_owned(),
        _ => "Lost".to_owned(),
    }
}

/// What a move is worth for the player who makes it, in two or three words.
#[must_use]
pub fn value(value: &PositionValue) -> String {
    let PositionValue { expected, exact, plies, .. } = *value;
    if !exact {
        // From -1, as good as lost, to 1, as good as won.
        let percent = (expected.clamp(-1.0, 1.0) + 1.0) * 50.0;
        return format!("about {percent:.0} %");
    }
    let word = match expected.total_cmp(&0.0) {
        _ if expected.abs() < f64::EPSILON => return "draw".to_owned(),
        std::cmp::Ordering::Greater => "win",
        _ => "loss",
    };
    plies.map_or_else(|| word.to_owned(), |plies| format!("{word} in {plies}"))
}

/// The text with a capital letter and a full stop.
pub(crate) fn as_sentence(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|first| first.to_uppercase().to_string()).unwrap_or_default();
    let stop = if text.ends_with('.') { "" } else { "." };
    format!("{first}{}{stop}", letters.as_str())
}

/// An action that waits for an answer, as the subject of a sentence.
#[must_use]
pub fn action(action: &ActionBody) -> String {
    match action {
        ActionBody::Play { chosen, .. } => format!("Your move to {chosen}"),
        ActionBody::Forfeit { .. } => "Your resignation".to_owned(),
        ActionBody::Tie { .. } => "The tie".to_owned(),
        ActionBody::NextRound { .. } => "The next round".to_owned(),
        ActionBody::AskTakeback { .. } => "Your question".to_owned(),
        ActionBody::GrantTakeback { .. } | ActionBody::DeclineTakeback { .. } => {
            "Your answer".to_owned()
        }
        ActionBody::Claim { .. } => "Your claim".to_owned(),
        _ => "Your request".to_owned(),
    }
}

/// A sentence about an entry that the board does not show; `None` if it does. `before` is the
/// state before the entry.
#[must_use]
pub fn news(before: &TableState, entry: &Entry, own_seats: &[Seat]) -> Option<String> {
    let is_own = |seat: &Seat| own_seats == [*seat];
    let who = |seat: Seat| if is_own(&seat) { "You".to_owned() } else { name(before, seat) };
    let next = format!("Round {} begins.", before.round() + 1);
    match &entry.body {
        EntryBody::Joined { seat, .. } if is_own(seat) => None,
        EntryBody::Joined { seat, name, .. } if before.occupant(*seat).is_some() => {
            Some(format!("{name} is back."))
        }
        EntryBody::Joined { name, .. } => Some(format!("{name} has joined.")),
        EntryBody::Left { seat } if !is_own(seat) => {
            Some(format!("{} has left the table.", who(*seat)))
        }
        EntryBody::Forfeited { seat, why, .. } => {
            let verb = match why {
                Forfeit::Resigned => "resigned",
                Forfeit::Acknowledged => "conceded",
                Forfeit::OutOfTime => "ran out of time",
            };
            Some(format!("{} {verb}. {next}", who(*seat)))
        }
        EntryBody::Tied { .. } => Some(format!("A tie. {next}")),
        EntryBody::NextRound { .. } => Some(next),
        other => agreements::news(before, other, own_seats),
    }
}

/// The last move of the round for screen readers; `None` if there is none or it was the person's
/// own.
#[must_use]
pub fn last_move(view: &SessionView<'_>) -> Option<String> {
    let game::Ply::Moves(moves) = view.shown.history().last()? else { return None };
    let [(seat, chosen)] = moves.as_slice() else { return None };
    let seat = view.shown.at_table(*seat);
    if view.own_seats == [seat] {
        return None;
    }
    Some(format!("{} played {chosen}. ", name(view.shown, seat)))
}

/// The reasons of a refusal, each with the b-threads behind it.
#[must_use]
pub fn refusal(refusal: &Refusal) -> Vec<(String, Vec<String>)> {
    let reasons = refusal.reasons().map(|reason| {
        let threads = reason.because.iter().map(|because| because.thread.clone());
        // The table's own sentence addresses the loser; the page says this to everybody.
        let is_over = reason.code == Code::GAME_OVER;
        let message = if is_over { "This round is over" } else { reason.message.as_str() };
        (message.to_owned(), threads.collect())
    });
    reasons.collect()
}

/// The time limit: `15 s a move`.
#[must_use]
pub fn clock(clock: Clock) -> String {
    let (limit, unit) = match clock {
        Clock::PerMove(limit) => (limit, "a move"),
        Clock::PerSide(limit) => (limit, "a round"),
    };
    let seconds = limit.div_ceil(1_000);
    match (seconds / 60, seconds % 60) {
        (0, _) => format!("{seconds} s {unit}"),
        (minutes, 0) => format!("{minutes} min {unit}"),
        (minutes, rest) => format!("{minutes}:{rest:02} {unit}"),
    }
}

/// All short messages that players can send each other.
pub const EMOTES: [Emote; 6] =
    [Emote::Hello, Emote::GoodLuck, Emote::WellPlayed, Emote::Thinking, Emote::Oops, Emote::Thanks];

/// A short message in words.
#[must_use]
pub const fn emote(emote: Emote) -> &'static str {
    match emote {
        Emote::Hello => "Hello!",
        Emote::GoodLuck => "Good luck!",
        Emote::WellPlayed => "Well played!",
        Emote::Thinking => "Hmm …",
        Emote::Oops => "Oops!",
        Emote::Thanks => "Thanks!",
    }
}
