//! Tables and entries as a viewer may see them.

use game::{Game, MoveText, Picture, Ply, Seat, Viewer, all_seats};
use serde::{Deserialize, Serialize};

use crate::entry::Entry;
use crate::entry_body::EntryBody;
use crate::table_state::TableState;

/// A table as a viewer may see it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct TableView {
    /// The game, with its parameters.
    pub game: String,
    /// Whether the player who created the table wrote the rules. Their sentences are that player's.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub own_rules: bool,
    /// The number of entries.
    pub version: u64,
    /// The round, counted from 1; 0 while a seat is free.
    pub round: u32,
    /// The number of moves, draws and takebacks in this round.
    pub ply: u32,
    /// The seats.
    pub seats: Vec<SeatView>,
    /// The seats in turn; in a decided round, the one that must acknowledge it.
    pub turn: Vec<Seat>,
    /// The seats that have chosen and wait for the others.
    pub sealed: Vec<Seat>,
    /// The moves that the viewer may choose from.
    pub legal_moves: Vec<MoveText>,
    /// The position in one line.
    pub position: String,
    /// The position as a picture.
    pub picture: Picture,
    /// The scores of a decided round, in the order of the table's seats.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(nullable = false))]
    pub scores: Option<Vec<i32>>,
    /// The number of rounds that each seat has won, including the current one once it is decided.
    pub wins: Vec<u32>,
    /// The number of ties, including the current round once it is decided.
    pub ties: u32,
    /// The loser of every round that is over, in order; a tie has none.
    pub losers: Vec<Option<Seat>>,
    /// The seat whose time ends first, and when.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(nullable = false))]
    pub deadline: Option<(Seat, u64)>,
    /// The seat that asks to take its last move back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(nullable = false))]
    pub takeback: Option<Seat>,
    /// Whether a player has ended the table.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub has_ended: bool,
}

/// A seat as a viewer may see it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SeatView {
    /// The name of the player; a free seat has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(nullable = false))]
    pub name: Option<String>,
    /// The computer player of the seat.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(nullable = false))]
    pub computer: Option<String>,
    /// Whether the player is at the table.
    pub is_here: bool,
}

impl TableState {
    /// The table as a viewer may see it. The viewer is a seat of the table, whichever seat of the
    /// game it plays in this round.
    #[must_use]
    pub fn view(&self, viewer: Viewer) -> TableView {
        let (game, in_game) = (self.game(), self.viewer_in_game(viewer));
        let mine = match (viewer, in_game) {
            (Viewer::Seat(own), Viewer::Seat(seat)) if self.awaits(own) => {
                game.legal_moves(self.position(), seat).collect()
            }
            _ => Vec::new(),
        };
        let scores = self.outcome().map(|outcome| {
            all_seats(game).iter().map(|seat| outcome.score(self.in_game(seat))).collect()
        });
        TableView {
            game: game.name(),
            own_rules: self.has_own_rules(),
            version: self.version(),
            round: self.round(),
            ply: self.ply(),
            seats: all_seats(game).iter().map(|seat| self.seat_view(seat)).collect(),
            turn: self.turn().iter().collect(),
            sealed: all_seats(game).iter().filter(|seat| self.has_sealed(*seat)).collect(),
            legal_moves: mine,
            position: game.view(self.position(), in_game),
            picture: game.picture(self.position(), in_game),
            scores,
            wins: all_seats(game).iter().map(|seat| count(self.wins(seat))).collect(),
            ties: count(self.ties()),
            losers: self.losers().to_vec(),
            deadline: self.deadline(),
            takeback: self.takeback(),
            has_ended: self.has_ended(),
        }
    }

    /// Whether a seat may choose now.
    fn awaits(&self, seat: Seat) -> bool {
        let can_play = self.is_full() && !self.has_ended();
        can_play && self.outcome().is_none() && !self.has_sealed(seat)
    }

    fn seat_view(&self, seat: Seat) -> SeatView {
        let occupant = self.occupant(seat);
        let computer = self.level(seat).map(ToString::to_string);
        SeatView {
            name: occupant.map(|occupant| occupant.name.to_string()),
            is_here: computer.is_some() || occupant.is_some_and(|occupant| occupant.is_here),
            computer,
        }
    }

    fn viewer_in_game(&self, viewer: Viewer) -> Viewer {
        match viewer {
            Viewer::Seat(seat) => Viewer::Seat(self.in_game(seat)),
            Viewer::Spectator => Viewer::Spectator,
        }
    }

    /// The next entry as a viewer may see it: without tokens, without the action ids and sealed
    /// moves of others and, if the game has hidden information, with only the visible part of a
    /// move.
    #[must_use]
    pub fn visible_entry(&self, entry: &Entry, viewer: Viewer) -> Entry {
        let mut shown = entry.clone();
        // A client that knew the ids of another one could use its next id first.
        shown.action = shown.action.filter(|_| entry.seat().map(Viewer::Seat) == Some(viewer));
        let hides = self.game().hides();
        match &mut shown.body {
            EntryBody::Joined { token, .. } | EntryBody::SeatMoved { token, .. } => *token = None,
            EntryBody::SeatOffered { secret, .. } => *secret = None,
            EntryBody::Sealed { seat, chosen, .. } if viewer != Viewer::Seat(*seat) => {
                *chosen = None;
            }
            EntryBody::Played { seat, chosen, .. } if hides => {
                let moves = vec![(self.in_game(*seat), chosen.clone())];
                self.show(chosen, &Ply::Moves(moves), viewer);
            }
            EntryBody::Chance { drawn, .. } if hides => {
                let happening = Ply::Chance(drawn.clone());
                self.show(drawn, &happening, viewer);
            }
            _ => {}
        }
        shown
    }

    /// Replaces a text with its visible part.
    fn show(&self, text: &mut MoveText, happening: &Ply<MoveText, MoveText>, viewer: Viewer) {
        let seen = self.game().seen(self.position(), happening, self.viewer_in_game(viewer));
        *text = seen.parse().unwrap_or_else(|never: std::convert::Infallible| match never {});
    }
}

fn count(rounds: usize) -> u32 {
    u32::try_from(rounds).unwrap_or(u32::MAX)
}
