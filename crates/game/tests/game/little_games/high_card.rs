//! Each of two seats is dealt one of three cards and sees only its own. A seat that drops its card
//! loses one point. If both keep their cards, both are shown and the lower one loses two points.

use std::fmt;
use std::str::FromStr;

use game::{Game, Outcome, Picture, Ply, PlyOf, Probability, Seat, Turn, Viewer};

#[derive(Clone, Debug)]
pub(crate) struct HighCard(pub(crate) Deal);

/// How cards are dealt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Deal {
    Hidden,
    Open,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Hands {
    cards: [Option<Card>; 2],
    decisions: [Option<Decision>; 2],
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Card {
    Jack,
    Queen,
    King,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Decision {
    Keep,
    Drop,
}

impl Hands {
    /// The seat that is dealt the next card.
    fn seat_to_deal(self) -> Option<usize> {
        self.cards.iter().position(Option::is_none)
    }

    fn are_shown(self) -> bool {
        self.decisions == [Some(Decision::Keep); 2]
    }

    /// The position in words, with only the visible cards.
    fn in_words(self, is_visible: impl Fn(usize) -> bool) -> String {
        let card = |seat: usize| match self.cards[seat] {
            None => "-".to_owned(),
            Some(card) if is_visible(seat) => card.to_string(),
            Some(_) => "?".to_owned(),
        };
        let decisions = self.decisions.iter().flatten().map(ToString::to_string);
        let words: Vec<_> = std::iter::once(card(0) + &card(1)).chain(decisions).collect();
        words.join(" ")
    }
}

impl Game for HighCard {
    type Position = Hands;
    type Move = Decision;
    type Chance = Card;

    fn name(&self) -> String {
        format!("high-card:{:?}", self.0).to_lowercase()
    }

    fn seats(&self) -> Vec<&str> {
        vec!["Ann", "Ben"]
    }

    fn score_unit(&self) -> Option<&str> {
        Some("chips")
    }

    fn start(&self) -> Hands {
        Hands::default()
    }

    fn turn(&self, position: &Hands) -> Turn {
        match (position.cards, position.decisions) {
            ([Some(_), Some(_)], [None, _]) => Turn::One(Seat::FIRST),
            (_, [Some(Decision::Keep), None]) => Turn::One(Seat::SECOND),
            (_, [Some(Decision::Drop), _]) => Turn::Over(Outcome::scored(&[-1, 1])),
            (_, [_, Some(Decision::Drop)]) => Turn::Over(Outcome::scored(&[1, -1])),
            (cards, [Some(Decision::Keep), Some(Decision::Keep)]) => {
                let won = if cards[0] > cards[1] { 2 } else { -2 };
                Turn::Over(Outcome::scored(&[won, -won]))
            }
            (_, [None, _]) => Turn::Chance,
        }
    }

    fn legal_moves<'a>(
        &'a self,
        position: &'a Hands,
        seat: Seat,
    ) -> impl ExactSizeIterator<Item = Decision> + 'a {
        let is_asked = self.turn(position) == Turn::One(seat);
        let moves = if is_asked { &[Decision::Keep, Decision::Drop][..] } else { &[] };
        moves.iter().copied()
    }

    fn apply(&self, position: &mut Hands, seat: Seat, chosen: &Decision) {
        position.decisions[seat.index()] = Some(*chosen);
    }

    fn text(&self, position: &Hands) -> String {
        position.in_words(|_| true)
    }

    fn picture(&self, position: &Hands, viewer: Viewer) -> Picture {
        Picture::in_words([self.view(position, viewer)])
    }

    fn chances(&self, position: &Hands) -> Vec<(Card, Probability)> {
        if position.seat_to_deal().is_none() {
            return Vec::new();
        }
        let left = [Card::Jack, Card::Queen, Card::King];
        let left = left.into_iter().filter(|card| !position.cards.contains(&Some(*card)));
        let likely = Probability::new(1, if position.cards[0].is_none() { 3 } else { 2 });
        left.map(|card| (card, likely)).collect()
    }

    fn apply_chance(&self, position: &mut Hands, drawn: &Card) {
        let dealt = position.seat_to_deal().expect("a card is still to be dealt");
        position.cards[dealt] = Some(*drawn);
    }

    fn hides(&self) -> bool {
        self.0 == Deal::Hidden
    }

    fn view(&self, position: &Hands, viewer: Viewer) -> String {
        position.in_words(|seat| position.are_shown() || self.shows(seat, viewer))
    }

    fn seen(&self, position: &Hands, ply: &PlyOf<Self>, viewer: Viewer) -> String {
        match ply {
            Ply::Chance(card) => {
                let dealt = position.seat_to_deal().expect("a card is still to be dealt");
                if self.shows(dealt, viewer) { card.to_string() } else { "a card".to_owned() }
            }
            Ply::Moves(moves) => {
                let mut next = *position;
                for (seat, decision) in moves {
                    self.apply(&mut next, *seat, decision);
                }
                if next.are_shown() { self.text(&next) } else { ply.to_string() }
            }
        }
    }
}

impl HighCard {
    /// Whether a viewer may see the card of a seat before both have kept theirs.
    fn shows(&self, seat: usize, viewer: Viewer) -> bool {
        let is_own = matches!(viewer, Viewer::Seat(own) if own.index() == seat);
        is_own || self.0 == Deal::Open
    }
}

impl fmt::Display for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Jack => "J",
            Self::Queen => "Q",
            Self::King => "K",
        })
    }
}

impl FromStr for Card {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let cards = [Self::Jack, Self::Queen, Self::King].into_iter();
        cards.into_iter().find(|card| card.to_string() == text).ok_or("Cards are J, Q and K")
    }
}

impl fmt::Display for Decision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Keep => "keep",
            Self::Drop => "drop",
        })
    }
}

impl FromStr for Decision {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "keep" => Ok(Self::Keep),
            "drop" => Ok(Self::Drop),
            _ => Err("Say keep or drop"),
        }
    }
}
