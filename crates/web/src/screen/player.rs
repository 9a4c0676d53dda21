//! What the screen shows of a player.

use game::Seat;

use super::{MatchScore, RoundPhase};
use crate::language::{say, say_rule};
use crate::session::{RoundEnding, SessionView};
use crate::texts;

/// What the screen shows of a player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayerCard {
    /// The seat at the table.
    pub seat: Seat,
    /// The seat of the game in this round.
    pub in_game: Seat,
    /// The player's name.
    pub name: String,
    /// The symbol that the player plays.
    pub symbol: String,
    /// Whether the player is there.
    pub presence: PlayerPresence,
    /// Whether it is this player's turn to move.
    pub is_in_turn: bool,
    /// Whether this person plays here.
    pub is_own: bool,
    /// The number of rounds won in this match, with the present one as soon as it is decided.
    pub wins: usize,
    /// Whether the player has won the present round.
    pub has_won: bool,
    /// The level of a computer player.
    pub level: Option<String>,
}

/// Whether a player is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlayerPresence {
    /// At the table and connected.
    Here,
    /// At the table, but not connected.
    Away,
    /// This person, without a connection.
    Offline,
    /// Left the table.
    Left,
    /// Nobody has taken the seat.
    Free,
    /// A computer player.
    Computer,
}

impl PlayerCard {
    pub(super) fn new(
        view: &SessionView<'_>,
        phase: RoundPhase,
        score: &MatchScore,
        seat: Seat,
    ) -> Self {
        let state = view.shown;
        let is_own = view.own_seats.contains(&seat);
        let presence = PlayerPresence::of(view, seat);
        let name = match presence {
            PlayerPresence::Free => say("Nobody yet"),
            PlayerPresence::Computer => say("Computer"),
            _ if is_own && view.own_seats.len() == 1 => say("You"),
            _ => texts::name_of(view, seat),
        };
        Self {
            seat,
            in_game: state.in_game(seat),
            name,
            symbol: say_rule(texts::symbol(state, seat)),
            presence,
            is_in_turn: phase == RoundPhase::Playing && state.turn().contains(seat),
            is_own,
            wins: score.wins.get(seat.index()).copied().unwrap_or_default(),
            has_won: has_won(view, seat),
            level: state.level(seat).map(texts::level),
        }
    }
}

fn has_won(view: &SessionView<'_>, seat: Seat) -> bool {
    match view.ending.and_then(RoundEnding::loser) {
        Some(loser) => loser != seat,
        None => {
            view.shown.outcome().and_then(|outcome| outcome.winner())
                == Some(view.shown.in_game(seat))
        }
    }
}

impl PlayerPresence {
    fn of(view: &SessionView<'_>, seat: Seat) -> Self {
        let is_own = view.own_seats.contains(&seat);
        let is_away = |connected: &[Seat]| !connected.contains(&seat) || !view.is_connected;
        match view.shown.occupant(seat) {
            _ if view.shown.level(seat).is_some() => Self::Computer,
            None => Self::Free,
            // A player who left may be back without having said so.
            Some(occupant)
                if !(occupant.is_here || is_own) && view.connected.is_none_or(is_away) =>
            {
                Self::Left
            }
            Some(_) if is_own && view.is_connected => Self::Here,
            Some(_) if is_own => Self::Offline,
            Some(_) if view.connected.is_some_and(is_away) => Self::Away,
            Some(_) => Self::Here,
        }
    }
}
