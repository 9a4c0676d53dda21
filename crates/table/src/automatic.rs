//! Entries that a table adds on its own: chance, computer players, clocks.

use game::{
    AnyGame, BadProbabilities, CannotPlay, Choice, DeclaredGame, Game, Generator, MoveExplanation,
    MoveText, PlayerError, PlayerKind as Level, PlayerView, Ply, Seat, Seats, StopFlag, Turn,
    UnknownPlayer, all_seats,
};
use sha2::{Digest as _, Sha256};

use crate::digest::Digest;
use crate::entry::{Author, Entry};
use crate::entry_body::{EntryBody, Forfeit};
use crate::explanation::shortened;
use crate::revealed_seed::RevealedSeed;
use crate::table_options::Options;
use crate::table_state::{MAX_PLIES, MAX_ROUNDS, TableState};

/// The secret seed of a table, which determines what chance draws and computers choose. The log
/// holds only its digest.
#[derive(Clone)]
pub struct TableSecret([u8; 32]);

/// Why a table cannot add the next entry on its own.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum AutomaticError {
    /// There is no such computer player.
    #[error(transparent)]
    Unknown(UnknownPlayer),
    /// A computer player cannot play this game.
    #[error(transparent)]
    CannotPlay(#[from] CannotPlay),
    /// A scripted player would stop sooner or later, and the table with it.
    #[error("a scripted player stops when its script ends: it cannot sit at a table")]
    Scripted,
    /// A computer player cannot continue.
    #[error(transparent)]
    PlayerError(#[from] PlayerError),
    /// The probabilities of the game do not add up.
    #[error(transparent)]
    BadProbabilities(#[from] BadProbabilities),
    /// A computer player chose an illegal move.
    #[error("a computer player chose {chosen}, which is refused: {refusal}")]
    Illegal {
        /// The move.
        chosen: String,
        /// Why the move is illegal.
        refusal: Box<game::Refusal>,
    },
}

impl TableSecret {
    /// A secret from 32 unpredictable bytes.
    #[must_use]
    pub const fn new(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// The secret of an ended table, which is secret no longer.
    const fn revealed(&self) -> RevealedSeed {
        RevealedSeed::new(self.0)
    }

    /// The digest of the secret, for the log.
    #[must_use]
    pub fn commitment(&self) -> Digest {
        Digest::of(&self.0)
    }

    /// The seed of one draw or one player's choice; it differs for every round, ply and seat.
    fn seed(&self, round: u32, ply: u32, whose: u8) -> u64 {
        let digest = Sha256::new()
            .chain_update(self.0)
            .chain_update(round.to_le_bytes())
            .chain_update(ply.to_le_bytes())
            .chain_update([whose])
            .finalize();
        let (first, _) = digest.split_at(8);
        u64::from_le_bytes(first.try_into().expect("the slice has eight bytes"))
    }
}

/// Shows nothing of the secret.
impl std::fmt::Debug for TableSecret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("TableSecret")
    }
}

/// Checks that the computer players of a table can play every seat of the game that they may get. A
/// player whose search the game was made without is not checked: somebody else searches.
///
/// # Errors
/// If one of them cannot.
pub fn can_play(game: &AnyGame, options: &Options) -> Result<(), AutomaticError> {
    let check = |level: &Level, seat| {
        if game.lacks_search_for(level) { Ok(()) } else { game.player(level, seat, 0).map(drop) }
    };
    check_computers(all_seats(game), options, check)
}

/// As [`can_play`], for a game that is not built. This is cheap, and cautious where only a search
/// through the game would show whether a computer player can play it.
///
/// # Errors
/// If one of them cannot.
pub fn can_play_declared(game: &DeclaredGame, options: &Options) -> Result<(), AutomaticError> {
    check_computers(game.seats(), options, |level, seat| game.check_player(level, seat))
}

fn check_computers(
    seats: Seats,
    options: &Options,
    check: impl Fn(&Level, Seat) -> Result<(), CannotPlay>,
) -> Result<(), AutomaticError> {
    for (seat, name) in seats.iter().zip(&options.computers) {
        let Some(name) = name else { continue };
        let level: Level = name.parse().map_err(AutomaticError::Unknown)?;
        if matches!(level, Level::Scripted(_)) {
            return Err(AutomaticError::Scripted);
        }
        let mut played = seats.iter().filter(|other| options.alternate || *other == seat);
        played.try_for_each(|other| check(&level, other))?;
    }
    Ok(())
}

/// Stands for chance where a seat's number is expected.
const CHANCE: u8 = u8::MAX;

/// The entries that a table adds on its own in this state at this time; none while it waits for a
/// person or is idle. A computer player that cannot continue forfeits the round.
///
/// They depend only on the log and the secret, and for clocks on the time: two nodes that do this
/// at once write the same entries, and the journal accepts one of them. A move that reaches the log
/// before the timeout is noticed still counts.
///
/// # Errors
/// If a computer player cannot continue.
pub fn automatic_entries(
    state: &TableState,
    secret: &TableSecret,
    now: u64,
) -> Result<Vec<Entry>, AutomaticError> {
    automatic_entries_until(&StopFlag::default(), state, secret, now)
}

/// As [`automatic_entries`], unless the search of a computer player is stopped.
///
/// # Errors
/// If a computer player cannot continue, or was stopped.
pub fn automatic_entries_until(
    stop: &StopFlag,
    state: &TableState,
    secret: &TableSecret,
    now: u64,
) -> Result<Vec<Entry>, AutomaticError> {
    if state.has_ended() {
        // The seed would show every hidden card of all rounds.
        let reveals = !state.is_seed_revealed() && !state.game().hides();
        let seed = secret.revealed();
        let reveal = reveals.then_some(EntryBody::SeedRevealed { seed });
        return Ok(entries(state, Vec::from_iter(reveal), now));
    }
    if !state.is_full() {
        return Ok(Vec::new());
    }
    if let Some(granted) = takeback_by_computer(state) {
        return Ok(entries(state, vec![granted], now));
    }
    if let Some((seat, end)) = state.deadline()
        && now >= end
    {
        let body = EntryBody::Forfeited { seat, round: state.round(), why: Forfeit::OutOfTime };
        return Ok(entries(state, vec![body], now));
    }
    if state.ply() >= MAX_PLIES || state.round() > MAX_ROUNDS {
        return Ok(Vec::new());
    }
    let bodies = match state.game().turn(state.position()) {
        Turn::Chance => draw(state, secret)?.into_iter().collect(),
        Turn::One(_) | Turn::Several(_) => match awaited_computer(state) {
            Some((seat, level)) => match choose(stop, state, secret, seat, level) {
                // The computer would never move, so its opponent wins. Not before a person has
                // moved in the round, though: the computer would lose one round after the other.
                Err(AutomaticError::PlayerError(_) | AutomaticError::Illegal { .. })
                    if has_a_person_moved(state) =>
                {
                    vec![EntryBody::Forfeited {
                        seat,
                        round: state.round(),
                        why: Forfeit::Resigned,
                    }]
                }
                chosen => chosen?,
            },
            None => Vec::new(),
        },
        Turn::Over(_) => Vec::new(),
    };
    Ok(entries(state, bodies, now))
}

fn entries(state: &TableState, bodies: Vec<EntryBody>, now: u64) -> Vec<Entry> {
    let at = now.max(state.at());
    let entry = |(version, body)| Entry::new(version, at, Author::Table, body);
    (state.version() + 1..).zip(bodies).map(entry).collect()
}

/// A computer player that is asked to let its opponent take a move back agrees.
fn takeback_by_computer(state: &TableState) -> Option<EntryBody> {
    let asker = state.takeback()?;
    let seat = all_seats(state.game()).iter().find(|seat| *seat != asker)?;
    state.level(seat)?;
    let (round, ply, back_to) = (state.round(), state.ply(), state.moves_before_last_of(asker)?);
    Some(EntryBody::TakebackGranted { seat, round, ply, back_to })
}

/// What chance draws from a secret in this state; `None` if chance is not in turn.
pub(crate) fn drawn_from(secret: &TableSecret, state: &TableState) -> Option<MoveText> {
    match draw(state, secret) {
        Ok(Some(EntryBody::Chance { drawn, .. })) => Some(drawn),
        _ => None,
    }
}

fn draw(state: &TableState, secret: &TableSecret) -> Result<Option<EntryBody>, BadProbabilities> {
    let (round, ply) = (state.round(), state.ply());
    let mut generator = Generator::seeded(secret.seed(round, ply, CHANCE));
    let drawn = state.game().draw_chance(state.position(), &mut generator)?;
    Ok(drawn.map(|drawn| EntryBody::Chance { round, ply, drawn }))
}

fn has_a_person_moved(state: &TableState) -> bool {
    let is_person = |seat: Seat| state.level(state.at_table(seat)).is_none();
    state.history().iter().any(|happening| match happening {
        Ply::Moves(moves) => moves.iter().any(|(seat, _)| is_person(*seat)),
        Ply::Chance(_) => false,
    })
}

/// A computer player that must choose now, with its level.
#[must_use]
pub fn awaited_computer(state: &TableState) -> Option<(Seat, &Level)> {
    let seats = state.turn();
    let mut awaited = seats.iter().filter(|seat| !state.has_sealed(*seat));
    awaited.find_map(|seat| Some((seat, state.level(seat)?)))
}

fn choose(
    stop: &StopFlag,
    state: &TableState,
    secret: &TableSecret,
    seat: Seat,
    level: &Level,
) -> Result<Vec<EntryBody>, AutomaticError> {
    let choice = choice(stop, state, secret, seat, level)?;
    let bodies = crate::decide::computer_move(state, seat, &choice.chosen);
    let mut bodies = bodies.map_err(|refusal| AutomaticError::Illegal {
        chosen: choice.chosen.to_string(),
        refusal: Box::new(refusal),
    })?;
    // An explanation would reveal a sealed move.
    if let [EntryBody::Played { explanation, .. }] = bodies.as_mut_slice() {
        *explanation = written_explanation(state, choice.explanation).map(Box::new);
    }
    Ok(bodies)
}

/// The explanation as an entry carries it. A game with hidden information has none, because it
/// could reveal what only the player knows.
fn written_explanation(
    state: &TableState,
    explanation: Option<MoveExplanation>,
) -> Option<MoveExplanation> {
    explanation.filter(|_| !state.game().hides()).map(shortened)
}

fn choice(
    stop: &StopFlag,
    state: &TableState,
    secret: &TableSecret,
    seat: Seat,
    level: &Level,
) -> Result<Choice<MoveText>, AutomaticError> {
    let (game, in_game) = (state.game(), state.in_game(seat));
    let seed = secret.seed(state.round(), state.ply(), seat.number());
    let mut player = game.player_until(stop, level, in_game, seed)?;
    let player_view = PlayerView::new(game, state.position(), in_game, state.history());
    Ok(player.choose(&player_view)?)
}

/// The explanation of a computer's move in the state before its entry.
///
/// Entries carry their explanation. For old ones that do not, the player chooses again, which can
/// take as long as the move did, unless it is stopped. There is none for the moves of people, for
/// games with hidden information, and for moves that the player would not choose today.
#[must_use]
pub fn explain(
    stop: &StopFlag,
    state: &TableState,
    secret: &TableSecret,
    next: &Entry,
) -> Option<MoveExplanation> {
    let EntryBody::Played { seat, chosen, explanation, .. } = &next.body else { return None };
    if let Some(explanation) = explanation {
        return Some(MoveExplanation::clone(explanation));
    }
    let level = state.level(*seat).filter(|_| !state.game().hides())?;
    let choice = choice(stop, state, secret, *seat, level).ok()?;
    written_explanation(state, choice.explanation.filter(|_| choice.chosen == *chosen))
}
