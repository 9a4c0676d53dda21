//! Both seats show 1, 2 or 3 at once, several times. The higher number wins a point, and equal numbers give
//! it to the first seat: only the 3 of the second seat does not lose to every number of the first.

use game::{Game, NoChance, Outcome, Picture, Seat, Seats, Turn, Viewer};

use super::duel::Number;

/// The tree of eight rounds has 9^8 ends: too many for an equilibrium.
#[derive(Clone, Debug)]
pub(crate) struct Showdown {
    pub(crate) rounds: u8,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct ShowdownPosition {
    played: u8,
    /// The number of the first seat, until the second seat shows one.
    shown: Option<Number>,
    /// The points of the first seat minus those of the second.
    lead: i32,
}

impl Game for Showdown {
    type Position = ShowdownPosition;
    type Move = Number;
    type Chance = NoChance;

    fn name(&self) -> String {
        "showdown".to_owned()
    }

    fn seats(&self) -> Vec<&str> {
        vec!["Left", "Right"]
    }

    fn start(&self) -> ShowdownPosition {
        ShowdownPosition { played: 0, shown: None, lead: 0 }
    }

    fn turn(&self, position: &ShowdownPosition) -> Turn {
        if position.played < self.rounds {
            return Turn::Several(Seats::first(2));
        }
        Turn::Over(Outcome::scored(&[position.lead, -position.lead]))
    }

    fn legal_moves<'a>(
        &'a self,
        position: &'a ShowdownPosition,
        _: Seat,
    ) -> impl ExactSizeIterator<Item = Number> + 'a {
        let most = if position.played < self.rounds { 3 } else { 0 };
        (1..=most).map(Number)
    }

    fn apply(&self, position: &mut ShowdownPosition, _: Seat, chosen: &Number) {
        match position.shown.take() {
            None => position.shown = Some(*chosen),
            Some(left) => {
                position.lead += if left >= *chosen { 1 } else { -1 };
                position.played += 1;
            }
        }
    }

    fn text(&self, position: &ShowdownPosition) -> String {
        format!("{} rounds, {:+}", position.played, position.lead)
    }

    fn picture(&self, position: &ShowdownPosition, _: Viewer) -> Picture {
        Picture::in_words([self.text(position)])
    }
}
