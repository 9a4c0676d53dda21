//! What the screen shows of a table, as values.

mod board;
mod player;

use game::{Outcome, Seat, Viewer};

use crate::session::{Intent, SessionView};
use crate::texts::{self, StatusLine};

pub use board::{BoardBlock, BoardScreen, BoardSquare};
pub use player::{PlayerCard, PlayerPresence};

/// What the screen shows of a table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TableScreen {
    /// The board.
    pub board: BoardScreen,
    /// Lines beside the board.
    pub notes: Vec<String>,
    /// Legal moves that belong to no square.
    pub other_moves: Vec<String>,
    /// The players, in the order of seats.
    pub players: Vec<PlayerCard>,
    /// The number of tied rounds.
    pub ties: usize,
    /// The round, from 1; 0 while a seat is free.
    pub round: u32,
    /// The number of moves in the round.
    pub ply: u32,
    /// One sentence that says what happens next.
    pub status: StatusLine,
    /// The last move, for screen readers.
    pub last_move: String,
    /// The buttons for everything but moves.
    pub buttons: Vec<ActionButton>,
    /// How far the round is.
    pub phase: RoundPhase,
    /// Whether this person plays.
    pub is_player: bool,
    /// Whether the server can be reached.
    pub is_connected: bool,
    /// The time limit in words; `None` without a clock.
    pub clock: Option<String>,
    /// The seat whose time runs out first, and when, in milliseconds since 1970.
    pub deadline: Option<(Seat, u64)>,
}

/// How far a round is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RoundPhase {
    /// A seat is free.
    #[default]
    WaitingForPlayers,
    /// The players are playing.
    Playing,
    /// One player has won.
    Won,
    /// Nobody has won, and nobody can any more.
    Drawn,
}

/// A button for something other than a move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ActionButton {
    /// What it does.
    pub intent: Intent,
    /// Its label.
    pub label: &'static str,
    /// Whether it is the natural next step.
    pub is_primary: bool,
}

impl TableScreen {
    /// The screen for a view of a table.
    #[must_use]
    pub fn new(view: &SessionView<'_>) -> Self {
        let state = view.shown;
        let viewer = view.acting_seat().map_or(Viewer::Spectator, Viewer::Seat);
        let table = state.view(viewer);
        let legal: Vec<String> = table.legal_moves.iter().map(ToString::to_string).collect();
        let board = BoardScreen::new(view, viewer, &table.picture, &legal);
        let is_on_board =
            |chosen: &&String| board.squares.iter().any(|square| square.moves.contains(chosen));
        let other_moves = legal.iter().filter(|chosen| !is_on_board(chosen)).cloned().collect();
        let phase = RoundPhase::of(view);
        let seats = game::all_seats(state.game());
        Self {
            board,
            notes: table.picture.notes,
            other_moves,
            players: seats.iter().map(|seat| PlayerCard::new(view, phase, seat)).collect(),
            ties: state.ties(),
            round: state.round(),
            ply: state.ply(),
            status: texts::status(view),
            last_move: texts::last_move(view).unwrap_or_default(),
            buttons: buttons(view),
            phase,
            is_player: !view.own_seats.is_empty(),
            is_connected: view.is_connected,
            clock: state.clock().map(texts::clock),
            deadline: state.deadline(),
        }
    }
}

impl RoundPhase {
    fn of(view: &SessionView<'_>) -> Self {
        match view.shown.outcome() {
            _ if !view.shown.is_full() => Self::WaitingForPlayers,
            None => Self::Playing,
            Some(outcome) if outcome.is_draw() => Self::Drawn,
            Some(_) => Self::Won,
        }
    }
}

/// The buttons whose actions the table would accept.
fn buttons(view: &SessionView<'_>) -> Vec<ActionButton> {
    let outcome = view.shown.outcome();
    let is_draw = outcome.as_ref().is_some_and(Outcome::is_draw);
    let is_in_turn = view.own_seats.iter().any(|seat| view.shown.turn().contains(*seat));
    let candidates: &[(Intent, &'static str, bool)] = match outcome {
        None => &[(Intent::Forfeit, "Resign", false)],
        // Where nobody has won there is nothing to concede.
        Some(_) if is_in_turn && is_draw => &[(Intent::Tie, "Call it a tie", true)],
        Some(_) if is_in_turn => {
            &[(Intent::Forfeit, "Concede", true), (Intent::Tie, "Call it a tie", true)]
        }
        Some(_) => &[(Intent::NextRound, "Next round", true)],
    };
    let possible = candidates.iter().filter(|(intent, ..)| view.refusal(intent.clone()).is_none());
    let button = |(intent, label, is_primary): &(Intent, &'static str, bool)| ActionButton {
        intent: intent.clone(),
        label,
        is_primary: *is_primary,
    };
    possible.map(button).collect()
}
