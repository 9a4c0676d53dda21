//! What is on the screen, as values.

use game::{Code, Game, Picture, Reason, Seat, Viewer};
use table::{Action, ActionId, Actor, decide};

use crate::sitting::{Deed, Seen};
use crate::words::{self, Status};

/// What is on the screen, apart from what the person has opened there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Scene {
    /// The squares, row by row.
    pub squares: Vec<Square>,
    /// How many stand side by side.
    pub columns: usize,
    /// What is to be read beside the board.
    pub notes: Vec<String>,
    /// Moves that no square stands for.
    pub other_moves: Vec<String>,
    /// Who plays, in the order of seats.
    pub players: Vec<Player>,
    /// How many rounds nobody has won.
    pub ties: usize,
    /// The round, from 1; 0 as long as somebody is missing.
    pub round: u32,
    /// How many moves were made in it.
    pub ply: u32,
    /// How it stands.
    pub status: Status,
    /// The last move, for who does not see it.
    pub last_move: String,
    /// What can be done besides moves.
    pub deeds: Vec<Offer>,
    /// How far the round is.
    pub stage: Stage,
    /// Whether this person plays.
    pub is_player: bool,
    /// Whether the server can be heard.
    pub is_connected: bool,
    /// How long players may think, in words; nothing if they may take their time.
    pub clock: Option<String>,
    /// Whose time runs out, and when, in milliseconds since 1970.
    pub deadline: Option<(Seat, u64)>,
}

/// How far a round is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Stage {
    /// Somebody is missing.
    #[default]
    Gathering,
    /// It is played.
    Playing,
    /// Somebody has won it.
    Won,
    /// Nobody has won it, and nobody will.
    Drawn,
}

/// A square of the board.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Square {
    /// What it is called: `b2`.
    pub name: String,
    /// What stands there, and for which seat of the game.
    pub mark: Option<(String, Option<Seat>)>,
    /// Whether nobody has confirmed that mark yet.
    pub is_pending: bool,
    /// Whether it is part of what decided the round.
    pub decides: bool,
    /// Whether it was the last move.
    pub is_last: bool,
    /// The moves that pointing at it means now: no more than one in most games.
    pub moves: Vec<String>,
    /// Any move that it would mean, legal or not.
    pub any_move: Option<String>,
}

/// Somebody who plays.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Player {
    /// The seat at the table.
    pub seat: Seat,
    /// The seat of the game in this round.
    pub in_game: Seat,
    /// What the player is called.
    pub name: String,
    /// What the player plays with.
    pub symbol: String,
    /// Whether the player is here.
    pub presence: Presence,
    /// Whether it is this player's turn to move.
    pub is_in_turn: bool,
    /// Whether this person plays there.
    pub is_own: bool,
    /// How many rounds the player has won.
    pub wins: usize,
}

/// Where a player is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Presence {
    /// At the table.
    Here,
    /// Without a connection.
    Away,
    /// Has left.
    Gone,
    /// Nobody has taken the seat.
    Free,
    /// A computer player.
    Computer,
}

/// Something that can be done besides moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Offer {
    /// What.
    pub deed: Deed,
    /// What it says on the button.
    pub label: &'static str,
    /// Whether it is what comes next.
    pub is_main: bool,
}

impl Scene {
    /// What a person at a table sees.
    #[must_use]
    pub fn new(seen: &Seen<'_>) -> Self {
        let state = seen.shown;
        let viewer = seen.acting().map_or(Viewer::Spectator, Viewer::Seat);
        let view = state.view(viewer);
        let legal: Vec<String> = view.legal_moves.iter().map(ToString::to_string).collect();
        let known =
            (seen.confirmed.round() == state.round()).then(|| seen.confirmed.view(viewer).picture);
        let last = last_moved(seen);
        let squares = squares(&view.picture, known.as_ref(), &legal, last.as_deref());
        let is_on_board =
            |chosen: &&String| squares.iter().any(|square| square.moves.contains(chosen));
        let other_moves = legal.iter().filter(|chosen| !is_on_board(chosen)).cloned().collect();
        let columns = view.picture.board.as_ref().map_or(1, |board| usize::from(board.columns));
        Self {
            squares,
            columns,
            notes: view.picture.notes,
            other_moves,
            players: game::all_seats(state.game()).iter().map(|seat| player(seen, seat)).collect(),
            ties: state.ties(),
            round: state.round(),
            ply: state.ply(),
            status: words::status(seen),
            last_move: words::last_move(seen).unwrap_or_default(),
            deeds: offers(seen),
            stage: stage(seen),
            is_player: !seen.own.is_empty(),
            is_connected: seen.is_connected,
            clock: state.clock().map(words::clock),
            deadline: state.deadline(),
        }
    }

    /// How many rows the board has.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.squares.len() / self.columns.max(1)
    }

    /// What a square is called for who does not see it.
    #[must_use]
    pub fn label(&self, place: usize) -> String {
        let Some(square) = self.squares.get(place) else { return String::new() };
        let (row, column) = (place / self.columns.max(1) + 1, place % self.columns.max(1) + 1);
        let what = square.mark.as_ref().map_or("empty", |(symbol, _)| symbol.as_str());
        let pending = if square.is_pending { ", on its way" } else { "" };
        let decides = if square.decides { ", in the winning line" } else { "" };
        format!("row {row}, column {column}, {what}{pending}{decides}")
    }

    /// The squares of each straight run that decided the round, from end to end: where several do,
    /// the longest ones.
    #[must_use]
    pub fn winning_runs(&self) -> Vec<(usize, usize)> {
        let (columns, rows) = (self.columns, self.rows());
        let decides = |column: usize, row: usize| {
            column < columns && row < rows && self.squares[row * columns + column].decides
        };
        let mut runs: Vec<(usize, usize, usize)> = Vec::new();
        for place in 0..self.squares.len() {
            let (column, row) = (place % columns, place / columns);
            for (right, down) in [(1, 0), (0, 1), (1, 1), (-1, 1)] {
                let at = |steps: isize| {
                    let column = column.checked_add_signed(right * steps)?;
                    let row = row.checked_add_signed(down * steps)?;
                    decides(column, row).then_some(row * columns + column)
                };
                if at(0).is_none() || at(-1).is_some() {
                    continue;
                }
                let run: Vec<usize> = (0..).map_while(at).collect();
                if let (Some(&first), Some(&last)) = (run.first(), run.last()) {
                    runs.push((run.len(), first, last));
                }
            }
        }
        let longest = runs.iter().map(|(length, ..)| *length).max().unwrap_or_default();
        let is_longest = |(length, ..): &&(usize, usize, usize)| *length == longest && longest > 1;
        runs.iter().filter(is_longest).map(|(_, first, last)| (*first, *last)).collect()
    }
}

fn stage(seen: &Seen<'_>) -> Stage {
    match seen.shown.outcome() {
        _ if !seen.shown.is_full() => Stage::Gathering,
        None => Stage::Playing,
        Some(outcome) if outcome.is_draw() => Stage::Drawn,
        Some(_) => Stage::Won,
    }
}

/// The name of the square, or the text, of the last move.
fn last_moved(seen: &Seen<'_>) -> Option<String> {
    match seen.shown.history().last()? {
        game::Ply::Moves(moves) => moves.last().map(|(_, chosen)| chosen.to_string()),
        game::Ply::Chance(_) => None,
    }
}

fn squares(
    picture: &Picture,
    known: Option<&Picture>,
    legal: &[String],
    last: Option<&str>,
) -> Vec<Square> {
    let Some(board) = &picture.board else { return Vec::new() };
    let known = known.and_then(|known| known.board.as_ref());
    let cells = board.cells.iter().enumerate();
    let square = |(place, cell): (usize, &game::GridCell)| {
        let before = known.and_then(|known| known.cells.get(place));
        let is_known = before.is_some_and(|before| before.piece == cell.piece);
        Square {
            name: cell.name.clone(),
            mark: cell.piece.as_ref().map(|piece| (piece.symbol.clone(), piece.seat)),
            is_pending: cell.piece.is_some() && !is_known,
            decides: cell.decides,
            is_last: cell.piece.is_some()
                && last.is_some_and(|last| cell.moves.iter().any(|each| each == last)),
            moves: cell.moves.iter().filter(|chosen| legal.contains(chosen)).cloned().collect(),
            any_move: cell.moves.first().cloned(),
        }
    };
    cells.map(square).collect()
}

fn player(seen: &Seen<'_>, seat: Seat) -> Player {
    let state = seen.shown;
    let is_own = seen.own.contains(&seat);
    let presence = match state.occupant(seat) {
        _ if state.level(seat).is_some() => Presence::Computer,
        None => Presence::Free,
        Some(occupant) if !occupant.is_here => Presence::Gone,
        Some(_) if is_own && seen.is_connected => Presence::Here,
        Some(_) => match seen.connected {
            Some(connected) if !connected.contains(&seat) || !seen.is_connected => Presence::Away,
            _ => Presence::Here,
        },
    };
    let in_game = state.in_game(seat);
    let name = match presence {
        Presence::Free => "Nobody yet".to_owned(),
        Presence::Computer => "Computer".to_owned(),
        _ if is_own && seen.own.len() == 1 => "You".to_owned(),
        _ => words::name(state, seat),
    };
    Player {
        seat,
        in_game,
        name,
        symbol: state.game().seats().get(in_game.index()).copied().unwrap_or_default().to_owned(),
        presence,
        is_in_turn: stage(seen) == Stage::Playing && state.turn().contains(seat),
        is_own,
        wins: state.wins(seat),
    }
}

/// What can be done besides moves: the table is asked, and its refusals are no offers.
fn offers(seen: &Seen<'_>) -> Vec<Offer> {
    let is_over = seen.shown.outcome().is_some();
    let is_awaited = seen.own.iter().any(|seat| seen.shown.turn().contains(*seat));
    let possible = |deed: &Deed| objection(seen, deed.clone()).is_none();
    let offer = |deed, label, is_main| Offer { deed, label, is_main };
    let offers = if is_over && is_awaited {
        vec![offer(Deed::Forfeit, "Concede", true), offer(Deed::Tie, "Call it a tie", true)]
    } else if is_over {
        vec![offer(Deed::NextRound, "Next round", true)]
    } else {
        vec![offer(Deed::Forfeit, "Resign", false)]
    };
    // Where nobody has won there is nothing to concede.
    let is_draw = seen.shown.outcome().is_some_and(|outcome| outcome.is_draw());
    let fits = |offer: &Offer| !(is_draw && offer.deed == Deed::Forfeit);
    offers.into_iter().filter(|offer| fits(offer) && possible(&offer.deed)).collect()
}

/// Why something cannot be done on the table as it is shown; nothing if it can.
#[must_use]
pub fn objection(seen: &Seen<'_>, deed: Deed) -> Option<game::Refusal> {
    let Some(seat) = seen.acting() else {
        return Some(Reason::new(Code::new("watching"), "You are watching").into());
    };
    let id = ActionId::new("asking", 0).expect("it is short");
    let action = Action { id, body: seen.body(deed) };
    decide(seen.shown, &action, Actor::Seat(seat)).err()
}
