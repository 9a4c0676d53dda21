//! The sentences of the page.

pub mod agreements;

use game::{
    Code, Game, MoveExplanation, Outcome, PlayerKind, PositionAnalysis, PositionValue, Refusal,
    Seat, SkillLevel, all_seats,
};
use games::catalog;
use table::wire::{Emote, ListedTable};
use table::{ActionBody, Clock, Entry, EntryBody, Forfeit, TableState, TableView};

use crate::language::{RuleSentence, say, say_count, say_rule, say_with};
use crate::screen::{MatchScore, RoundPhase, TableScreen};
use crate::session::{RoundEnding, SessionView};

/// The button that gives up a round.
#[must_use]
pub fn resign() -> String {
    say("Resign")
}

/// The button that shows the next round, and starts it if it has not begun.
#[must_use]
pub fn next_round() -> String {
    say("Next round")
}

/// The same after a match.
#[must_use]
pub fn rematch() -> String {
    say("Rematch")
}

/// The level of a computer player, as a newcomer understands it.
#[must_use]
pub fn level(kind: &PlayerKind) -> String {
    match kind {
        PlayerKind::Random => say("Any move"),
        PlayerKind::BThreads => say("Teacher"),
        PlayerKind::Perfect => say("Perfect"),
        PlayerKind::Level(SkillLevel::Easy) => say("Easy"),
        PlayerKind::Level(SkillLevel::Fair) => say("Fair"),
        PlayerKind::Level(SkillLevel::Hard) => say("Hard"),
        other => other.to_string(),
    }
}

/// The name of a player.
#[must_use]
pub fn name(state: &TableState, seat: Seat) -> String {
    let occupant = state.occupant(seat).map(|occupant| occupant.name.to_string());
    let computer = state.level(seat).map(|_| say("The computer"));
    occupant.or(computer).unwrap_or_else(|| say("Somebody"))
}

/// The name of a player on a screen that several people share: there, players are called after their
/// symbols.
#[must_use]
pub fn name_of(view: &SessionView<'_>, seat: Seat) -> String {
    let name = name(view.shown, seat);
    let is_shared = view.own_seats.len() > 1 && view.own_seats.contains(&seat);
    if is_shared { say_rule(&name) } else { name }
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

    /// A sentence that begins with its coloured words, in brackets: `[Your turn].`
    pub(crate) fn about(seat: Seat, said: &str) -> Self {
        let (subject, rest) =
            said.strip_prefix('[').and_then(|said| said.split_once(']')).unwrap_or(("", said));
        Self { subject: subject.to_owned(), seat: Some(seat), rest: rest.to_owned() }
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
        let said = action(pending);
        let line = if view.is_delayed && view.is_connected {
            say_with("[{action}] is not recorded yet. We keep trying …", &[("action", &said)])
        } else {
            on_its_way(&said)
        };
        return StatusLine::about(seat, &line);
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

/// The status while an action waits for an answer.
pub(crate) fn on_its_way(action: &str) -> String {
    say_with("[{action}] is on its way …", &[("action", action)])
}

/// What a player or a spectator hears while a seat is free.
pub(crate) fn waiting(is_player: bool) -> StatusLine {
    StatusLine::plain(if is_player {
        say("Waiting for the other player.")
    } else {
        say("A seat is free.")
    })
}

/// The status in a person's own turn.
pub(crate) fn own_turn() -> String {
    say("[Your turn].")
}

/// The status in the turn of somebody else.
pub(crate) fn turn_of(name: &str) -> String {
    say_with("[{name}’s turn].", &[("name", name)])
}

fn turn(view: &SessionView<'_>, seat: Seat) -> StatusLine {
    let state = view.shown;
    let (in_game, name) = (state.in_game(seat), name_of(view, seat));
    let gaps = [("name", name.as_str())];
    let is_own = view.own_seats.contains(&seat);
    let has_left = state.occupant(seat).is_some_and(|occupant| !occupant.is_here);
    let is_away = view.connected.is_some_and(|connected| !connected.contains(&seat));
    let said = if is_own && view.own_seats.len() == 1 {
        own_turn()
    } else if is_own {
        turn_of(&name)
    } else if state.level(seat).is_some() {
        say("[The computer] is thinking …")
    } else if has_left {
        say_with("[{name}] has left the table.", &gaps)
    } else if is_away && state.clock().is_some() {
        say_with("[{name}] lost the connection.", &gaps)
    } else if is_away {
        say_with("[{name}] lost the connection; the game waits.", &gaps)
    } else {
        turn_of(&name)
    };
    StatusLine::about(in_game, &said)
}

fn result(view: &SessionView<'_>, outcome: &Outcome) -> StatusLine {
    let state = view.shown;
    let Some(winner) = outcome.winner() else {
        return StatusLine::plain(say("A cat’s game: nobody wins."));
    };
    let seat = state.at_table(winner);
    let is_own = view.own_seats == [seat];
    let name = name_of(view, seat);
    let said = match (match_score(view), is_own) {
        (None, true) => say("[You won] this round."),
        (None, false) => won_round(&name),
        (Some(score), true) => say_with("[You won] the match, {score}.", &[("score", &score)]),
        (Some(score), false) => {
            say_with("[{name} won] the match, {score}.", &[("name", &name), ("score", &score)])
        }
    };
    StatusLine::about(winner, &said)
}

/// The status when somebody else has won.
pub(crate) fn won_round(name: &str) -> String {
    say_with("[{name} won] this round.", &[("name", name)])
}

/// The score of the match, if the shown round has decided it: `3 : 1`, the winner first.
fn match_score(view: &SessionView<'_>) -> Option<String> {
    let score = MatchScore::new(view);
    let winner = score.winner?;
    let wins = |seat: Seat| score.wins.get(seat.index()).copied().unwrap_or_default();
    let others = all_seats(view.shown.game()).iter().filter(|seat| *seat != winner).map(wins);
    let wins = std::iter::once(wins(winner)).chain(others).map(|wins| wins.to_string());
    Some(wins.collect::<Vec<_>>().join(" : "))
}

/// How a round ended that is still shown.
fn ended(view: &SessionView<'_>, ending: RoundEnding) -> StatusLine {
    let state = view.shown;
    let (loser, said) = match ending {
        RoundEnding::Resigned(seat) | RoundEnding::OutOfTime(seat) | RoundEnding::Absent(seat) => {
            (seat, gave_up(ending, view.own_seats == [seat], &name_of(view, seat)))
        }
        RoundEnding::Ready(ready) => {
            let outcome = state.outcome().unwrap_or_else(Outcome::draw);
            let mut line = result(view, &outcome);
            if let Some(seat) = ready.filter(|seat| !view.own_seats.contains(seat)) {
                line.rest.extend([" ", &is_ready(&name_of(view, seat))]);
            }
            return line;
        }
    };
    let winner = all_seats(state.game()).iter().find(|seat| *seat != loser);
    let mut line = StatusLine::about(state.in_game(loser), &said);
    if let Some(seat) = winner {
        line.rest.extend([" ", &winning(view, seat)]);
    }
    line
}

/// How the named player ended a round.
pub(crate) fn gave_up(ending: RoundEnding, is_own: bool, name: &str) -> String {
    match (ending, is_own) {
        (RoundEnding::Resigned(_), true) => say("[You resigned]."),
        (RoundEnding::Resigned(_), false) => say_with("[{name} resigned].", &[("name", name)]),
        (RoundEnding::OutOfTime(_), true) => say("[You ran out of time]."),
        (RoundEnding::OutOfTime(_), false) => {
            say_with("[{name} ran out of time].", &[("name", name)])
        }
        (RoundEnding::Absent(_), true) => say("[You were away]."),
        (RoundEnding::Absent(_), false) => say_with("[{name} was away].", &[("name", name)]),
        (RoundEnding::Ready(_), _) => is_ready(name),
    }
}

/// The named player waits for the next round.
pub(crate) fn is_ready(name: &str) -> String {
    say_with("{name} is ready.", &[("name", name)])
}

/// The named player wins a round because the other one has given up.
pub(crate) fn wins_round(is_own: bool, name: &str) -> String {
    if is_own {
        return say("You win this round.");
    }
    say_with("{name} wins this round.", &[("name", name)])
}

/// Somebody wins because the other player has given up.
fn winning(view: &SessionView<'_>, seat: Seat) -> String {
    let name = name_of(view, seat);
    match (match_score(view), view.own_seats == [seat]) {
        (None, is_own) => wins_round(is_own, &name),
        (Some(score), true) => say_with("You win the match, {score}.", &[("score", &score)]),
        (Some(score), false) => {
            say_with("{name} wins the match, {score}.", &[("name", &name), ("score", &score)])
        }
    }
}

/// What chance drew last, if that is the last that happened and everybody may know it.
#[must_use]
pub fn last_draw(view: &SessionView<'_>) -> Option<String> {
    match view.shown.history().last()? {
        game::Ply::Chance(drawn) if !view.shown.game().hides() => {
            Some(say_with("Drawn: {drawn}", &[("drawn", drawn.as_str())]))
        }
        _ => None,
    }
}

/// Why the computer made the last move of the round, in one sentence; `None` if a person made it.
#[must_use]
pub fn because(view: &SessionView<'_>) -> Option<RuleSentence> {
    let state = view.shown;
    let game::Ply::Moves(moves) = state.history().last()? else { return None };
    let [(seat, _)] = moves.as_slice() else { return None };
    state.level(state.at_table(*seat))?;
    let ply = u32::try_from(state.history().len()).ok()?.checked_sub(1)?;
    let explanation = view.explanations.iter().rev().find(|(at, _)| *at == ply);
    Some(computer_reason(state, explanation.map(|(_, explanation)| explanation)))
}

/// Why the computer made a move, in one sentence.
#[must_use]
pub fn computer_reason(state: &TableState, explanation: Option<&MoveExplanation>) -> RuleSentence {
    let Some(explanation) = explanation else {
        return RuleSentence::said(say("It took any move."));
    };
    // What a search says about itself is for programs and logs.
    if explanation.sentence.starts_with("mcts ") {
        return RuleSentence::said(say("It tried out many games, and this move did best."));
    }
    let strategy = explanation.wanted_by.first();
    let purpose = strategy.and_then(|strategy| state.game().purpose(strategy));
    let sentence = explanation.sentence.split("; best line ").next().unwrap_or_default();
    RuleSentence::new(&purpose.unwrap_or_else(|| as_sentence(sentence)))
}

/// The title of a game. A game that is a text on the server has the digest of its text in its name.
#[must_use]
pub fn game_title(name: &str) -> String {
    let name = name.split('@').next().unwrap_or(name);
    let (plain, parameters) = match name.split_once(':') {
        Some((plain, parameters)) => (plain, Some(parameters)),
        None => (name, None),
    };
    let title = say_rule(&catalog::title(plain));
    parameters.map_or_else(|| title.clone(), |parameters| format!("{title} ({parameters})"))
}

/// The players of a public table and its score: `Ada – Bob, 2 : 1, round 4`.
#[must_use]
pub fn watched(table: &ListedTable, details: Option<&TableView>) -> String {
    let Some(view) = details else {
        return if table.free_seats == 0 { say("in play") } else { say("waits for a player") };
    };
    let names = view.seats.iter().filter_map(|seat| match (&seat.name, &seat.computer) {
        (Some(name), _) => Some(name.clone()),
        (None, Some(name)) => {
            let level = name.parse().map_or_else(|_unknown| name.clone(), |kind| level(&kind));
            Some(format!("{} ({level})", say("Computer")))
        }
        (None, None) => None,
    });
    let names = names.collect::<Vec<_>>().join(" – ");
    if table.free_seats > 0 {
        return match names.as_str() {
            "" => say("waits for a player"),
            names => say_with("{names} waits for a player", &[("names", names)]),
        };
    }
    let wins: Vec<String> = view.wins.iter().map(ToString::to_string).collect();
    let (score, round) = (wins.join(" : "), view.round.to_string());
    let gaps = [("names", names.as_str()), ("score", &score), ("round", &round)];
    say_with("{names}, {score}, round {round}", &gaps)
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
    let value = value(&first.value);
    let gaps = [("move", chosen.as_str()), ("value", &value)];
    let tried = match (first.value.exact, worse) {
        (false, _) => say_with("Try {move}: {value}; this is an estimate.", &gaps),
        (true, 0) => say_with("Try {move}: {value}; all other moves are as good.", &gaps),
        (true, worse) => {
            let others = say_count("one other move is worse|{count} other moves are worse", worse);
            let gaps = [("move", chosen.as_str()), ("value", &value), ("others", &others)];
            say_with("Try {move}: {value}; {others}.", &gaps)
        }
    };
    Some(tried)
}

/// The result of a round that is over, as the person tells it: `Won`, `Lost` or `Drawn` in English, as
/// the browser stores it, or who won on one screen.
#[must_use]
pub fn personal_result(screen: &TableScreen) -> String {
    let own = screen.players.iter().filter(|player| player.is_own).count();
    let winner = screen.players.iter().find(|player| player.has_won);
    match (screen.phase, winner) {
        (RoundPhase::Drawn, _) | (_, None) => "Drawn".to_owned(),
        (_, Some(winner)) if own > 1 => say_with("{name} won", &[("name", &winner.name)]),
        (_, Some(winner)) if winner.is_own => "Won".to_owned(),
        _ => "Lost".to_owned(),
    }
}

/// A stored result in the language of the page.
#[must_use]
pub fn stored_result(result: &str) -> String {
    match result {
        "Won" => say("Won"),
        "Lost" => say("Lost"),
        "Drawn" => say("Drawn"),
        other => other.to_owned(),
    }
}

/// What sums of fractions may be off.
const NEARLY_NOTHING: f64 = 1e-9;

/// What a move is worth for the player who makes it, in two or three words.
#[must_use]
pub fn value(value: &PositionValue) -> String {
    let PositionValue { expected, exact, plies, .. } = *value;
    // Where chance decides, an exact value can be anything between a loss and a win.
    let is_result = expected.abs() < NEARLY_NOTHING || expected.abs() > 1.0 - NEARLY_NOTHING;
    if !(exact && is_result) {
        // From -1, as good as lost, to 1, as good as won.
        let percent = whole((expected.clamp(-1.0, 1.0) + 1.0) * 50.0).to_string();
        let gaps = [("percent", percent.as_str())];
        return if exact {
            say_with("{percent} %", &gaps)
        } else {
            say_with("about {percent} %", &gaps)
        };
    }
    let plies = plies.map(|plies| plies.to_string());
    let gaps = [("plies", plies.as_deref().unwrap_or_default())];
    match (expected.total_cmp(&0.0), &plies) {
        _ if expected.abs() < NEARLY_NOTHING => say("draw"),
        (std::cmp::Ordering::Greater, None) => say("win"),
        (std::cmp::Ordering::Greater, Some(_)) => say_with("win in {plies}", &gaps),
        (_, None) => say("loss"),
        (_, Some(_)) => say_with("loss in {plies}", &gaps),
    }
}

/// The nearest whole number. The library's way to write others would make the page larger.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "it is between 0 and 100"
)]
const fn whole(percent: f64) -> u32 {
    percent.round_ties_even() as u32
}

/// The text with a capital letter and a full stop. Rules that people wrote in another alphabet keep their
/// first letter: the library's table of all capitals would make the page larger.
pub(crate) fn as_sentence(text: &str) -> String {
    let mut letters = text.chars();
    let first =
        letters.next().map(|first| first.to_ascii_uppercase().to_string()).unwrap_or_default();
    let stop = if text.ends_with('.') { "" } else { "." };
    format!("{first}{}{stop}", letters.as_str())
}

/// An action that waits for an answer, as the subject of a sentence.
#[must_use]
pub fn action(action: &ActionBody) -> String {
    match action {
        ActionBody::Play { chosen, .. } => {
            say_with("Your move to {square}", &[("square", chosen.as_str())])
        }
        ActionBody::Forfeit { .. } => say("Your resignation"),
        ActionBody::Tie { .. } => say("The tie"),
        ActionBody::NextRound { .. } => say("The next round"),
        ActionBody::AskTakeback { .. } => say("Your question"),
        ActionBody::GrantTakeback { .. } | ActionBody::DeclineTakeback { .. } => say("Your answer"),
        ActionBody::Claim { .. } => say("Your claim"),
        _ => say("Your request"),
    }
}

/// A sentence about an entry that the board does not show; `None` if it does. `before` is the
/// state before the entry.
#[must_use]
pub fn news(before: &TableState, entry: &Entry, own_seats: &[Seat]) -> Option<String> {
    let is_own = |seat: &Seat| own_seats == [*seat];
    let next = say_with("Round {round} begins.", &[("round", &(before.round() + 1).to_string())]);
    let then_next = |said: String| Some(format!("{said} {next}"));
    match &entry.body {
        EntryBody::Joined { seat, .. } if is_own(seat) => None,
        EntryBody::Joined { seat, name, .. } if before.occupant(*seat).is_some() => {
            Some(say_with("{name} is back.", &[("name", name.as_str())]))
        }
        EntryBody::Joined { name, .. } => {
            Some(say_with("{name} has joined.", &[("name", name.as_str())]))
        }
        EntryBody::Left { seat } if !is_own(seat) => Some(has_left(&name(before, *seat))),
        EntryBody::Forfeited { seat, why, .. } if is_own(seat) => then_next(match why {
            Forfeit::Resigned => say("You resigned."),
            Forfeit::Acknowledged => say("You conceded."),
            Forfeit::OutOfTime => say("You ran out of time."),
        }),
        EntryBody::Forfeited { seat, why, .. } => {
            let name = name(before, *seat);
            let gaps = [("name", name.as_str())];
            then_next(match why {
                Forfeit::Resigned => say_with("{name} resigned.", &gaps),
                Forfeit::Acknowledged => say_with("{name} conceded.", &gaps),
                Forfeit::OutOfTime => say_with("{name} ran out of time.", &gaps),
            })
        }
        EntryBody::Tied { .. } => then_next(say("A tie.")),
        EntryBody::NextRound { .. } => Some(next),
        other => agreements::news(before, other, own_seats),
    }
}

/// Somebody has left the table.
pub(crate) fn has_left(name: &str) -> String {
    say_with("{name} has left the table.", &[("name", name)])
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
    let (name, square) = (name_of(view, seat), chosen.to_string());
    let gaps = [("name", name.as_str()), ("square", &square)];
    Some(say_with("{name} played {square}.", &gaps) + " ")
}

/// The reasons of a refusal, each with the b-threads behind it.
#[must_use]
pub fn refusal(refusal: &Refusal) -> Vec<(RuleSentence, Vec<String>)> {
    let reasons = refusal.reasons().map(|reason| {
        let threads = reason.because.iter().map(|because| because.thread.clone());
        // The table's own sentence addresses the loser; the page says this to everybody.
        let sentence = if reason.code == Code::GAME_OVER {
            RuleSentence::said(say("This round is over"))
        } else {
            RuleSentence::new(&reason.message)
        };
        (sentence, threads.collect())
    });
    reasons.collect()
}

/// A refusal that may pass, as one sentence.
#[must_use]
pub fn retrying(refusal: &Refusal) -> String {
    say_with("{reason}. We keep retrying.", &[("reason", &say_rule(refusal.message()))])
}

/// A refusal as one sentence.
#[must_use]
pub fn refused(refusal: &Refusal) -> String {
    say_with("{reason}.", &[("reason", &say_rule(refusal.message()))])
}

/// The time limit: `15 s a move`.
#[must_use]
pub fn clock(clock: Clock) -> String {
    let (Clock::PerMove(limit) | Clock::PerSide(limit)) = clock;
    let seconds = limit.div_ceil(1_000);
    let (minutes, rest) = ((seconds / 60).to_string(), seconds % 60);
    let time = match (seconds / 60, rest) {
        (0, _) => say_with("{seconds} s", &[("seconds", &seconds.to_string())]),
        (_, 0) => say_with("{minutes} min", &[("minutes", &minutes)]),
        _ => format!("{minutes}:{rest:02}"),
    };
    match clock {
        Clock::PerMove(_) => say_with("{time} a move", &[("time", &time)]),
        Clock::PerSide(_) => say_with("{time} a round", &[("time", &time)]),
    }
}

/// All short messages that players can send each other.
pub const EMOTES: [Emote; 6] =
    [Emote::Hello, Emote::GoodLuck, Emote::WellPlayed, Emote::Thinking, Emote::Oops, Emote::Thanks];

/// A short message in words.
#[must_use]
pub fn emote(emote: Emote) -> String {
    match emote {
        Emote::Hello => say("Hello!"),
        Emote::GoodLuck => say("Good luck!"),
        Emote::WellPlayed => say("Well played!"),
        Emote::Thinking => say("Hmm …"),
        Emote::Oops => say("Oops!"),
        Emote::Thanks => say("Thanks!"),
    }
}
