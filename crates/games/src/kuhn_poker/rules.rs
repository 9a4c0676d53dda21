//! The rules.

use game::{Game, Outcome, Picture, Ply, Probability, Seat, Turn, Viewer};

use super::betting::{Betting, BettingState, Move};
use super::deal::Deal;

/// Kuhn poker, one hand.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct KuhnPoker;

/// The cards, once they are dealt, and what was bet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Position {
    deal: Option<Deal>,
    betting: Betting,
}

const NAMES: [&str; 2] = ["First", "Second"];
const NOT_DEALT: &str = "not dealt";

impl Game for KuhnPoker {
    type Position = Position;
    type Move = Move;
    type Chance = Deal;

    fn name(&self) -> String {
        "kuhn-poker".to_owned()
    }

    fn seats(&self) -> Vec<&str> {
        NAMES.into()
    }

    fn start(&self) -> Position {
        Position::default()
    }

    fn turn(&self, position: &Position) -> Turn {
        let Some(deal) = position.deal else { return Turn::Chance };
        match position.betting.state() {
            BettingState::ToMove(seat) => Turn::One(seat),
            BettingState::Folded(seat) => Turn::Over(won(seat.opponent(), 1)),
            BettingState::Showdown(chips) => Turn::Over(won(holder_of_higher(deal), chips)),
        }
    }

    fn legal_moves<'a>(
        &'a self,
        position: &'a Position,
        seat: Seat,
    ) -> impl ExactSizeIterator<Item = Move> + 'a {
        let is_to_move = self.turn(position) == Turn::One(seat);
        let moves: &[Move] = if is_to_move { &Move::ALL } else { &[] };
        moves.iter().copied()
    }

    fn apply(&self, position: &mut Position, _: Seat, chosen: &Move) {
        position.betting.push(*chosen);
    }

    fn chances(&self, position: &Position) -> Vec<(Deal, Probability)> {
        match position.deal {
            None => Deal::all().map(|deal| (deal, Probability::new(1, 6))).collect(),
            Some(_) => Vec::new(),
        }
    }

    fn apply_chance(&self, position: &mut Position, drawn: &Deal) {
        position.deal = Some(*drawn);
    }

    fn hides(&self) -> bool {
        true
    }

    fn score_unit(&self) -> Option<&str> {
        Some("chips")
    }

    fn text(&self, position: &Position) -> String {
        position
            .deal
            .map_or_else(|| NOT_DEALT.to_owned(), |deal| format!("{deal}{}", position.betting))
    }

    fn view(&self, position: &Position, viewer: Viewer) -> String {
        let Some(deal) = position.deal else { return NOT_DEALT.to_owned() };
        format!("{}{}", shown(deal, position.betting, viewer).concat(), position.betting)
    }

    /// Each seat sees its own card when it is dealt. The last move before a showdown shows both.
    fn seen(&self, position: &Position, ply: &Ply<Move, Deal>, viewer: Viewer) -> String {
        let mut next = *position;
        match ply {
            Ply::Chance(deal) => shown(*deal, next.betting, viewer).concat(),
            Ply::Moves(moves) => {
                for (_, chosen) in moves {
                    next.betting.push(*chosen);
                }
                match (next.betting.state(), next.deal) {
                    (BettingState::Showdown(_), Some(deal)) => format!("{ply} ({deal})"),
                    _ => ply.to_string(),
                }
            }
        }
    }

    fn picture(&self, position: &Position, viewer: Viewer) -> Picture {
        let Some(deal) = position.deal else {
            return Picture::in_words(["The cards are not dealt yet".to_owned()]);
        };
        let cards = NAMES.into_iter().zip(shown(deal, position.betting, viewer));
        let cards = cards.map(|(name, card)| format!("{name} holds {card}"));
        let pot = format!("{} chips are staked", position.betting.pot());
        let moves = format!("Played so far:{}", position.betting);
        let moves = position.betting.moves().next().map(|_| moves);
        Picture::in_words(cards.chain([pot]).chain(moves))
    }
}

/// The outcome when one seat wins chips from the other.
fn won(seat: Seat, chips: i32) -> Outcome {
    Outcome::scored(&if seat == Seat::FIRST { [chips, -chips] } else { [-chips, chips] })
}

fn holder_of_higher(deal: Deal) -> Seat {
    let [first, second] = deal.cards();
    if first > second { Seat::FIRST } else { Seat::SECOND }
}

/// The cards of both seats as a viewer sees them.
fn shown(deal: Deal, betting: Betting, viewer: Viewer) -> [String; 2] {
    let is_public = matches!(betting.state(), BettingState::Showdown(_));
    let [first, second] = deal.cards();
    [(Seat::FIRST, first), (Seat::SECOND, second)].map(|(seat, card)| {
        let is_seen = is_public || viewer == Viewer::Seat(seat);
        if is_seen { card.to_string() } else { "?".to_owned() }
    })
}

#[cfg(test)]
mod tests;
