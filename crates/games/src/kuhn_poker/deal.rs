//! The three cards, and how two of them are dealt.

use std::fmt;
use std::str::FromStr;

use crate::unreadable::Unreadable;

/// One of the three cards; a higher one beats a lower one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Card {
    /// The lowest.
    Jack,
    /// Beats the jack.
    Queen,
    /// Beats both others.
    King,
}

/// Two different cards: one for each seat.
///
/// ```
/// use games::kuhn_poker::{Card, Deal};
///
/// let deal = Deal::new(Card::King, Card::Jack);
/// assert_eq!("KJ".parse().ok(), deal);
/// assert_eq!(Deal::new(Card::King, Card::King), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Deal([Card; 2]);

impl Card {
    /// All cards, the lowest first.
    pub const ALL: [Self; 3] = [Self::Jack, Self::Queen, Self::King];
}

impl Deal {
    /// A card for the first seat and another one for the second; `None` if they are the same.
    #[must_use]
    pub fn new(first: Card, second: Card) -> Option<Self> {
        if first == second { None } else { Some(Self([first, second])) }
    }

    /// All six deals.
    pub fn all() -> impl Iterator<Item = Self> {
        let pairs = Card::ALL.into_iter().flat_map(|first| Card::ALL.map(|second| (first, second)));
        pairs.filter_map(|(first, second)| Self::new(first, second))
    }

    /// The cards of both seats.
    #[must_use]
    pub const fn cards(self) -> [Card; 2] {
        self.0
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

impl fmt::Display for Deal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [first, second] = self.0;
        write!(f, "{first}{second}")
    }
}

impl FromStr for Deal {
    type Err = Unreadable;

    fn from_str(text: &str) -> Result<Self, Unreadable> {
        let named = Self::all().find(|deal| deal.to_string() == text);
        named.ok_or_else(|| Unreadable::new(text, "a deal: write JQ, JK, QJ, QK, KJ or KQ"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_six_deals_are_read_as_they_are_printed() {
        let texts: Vec<String> = Deal::all().map(|deal| deal.to_string()).collect();
        assert_eq!(texts.join(" "), "JQ JK QJ QK KJ KQ");
        for deal in Deal::all() {
            assert_eq!(deal.to_string().parse(), Ok(deal));
        }
    }

    #[test]
    fn an_impossible_deal_is_refused_with_advice() {
        for text in ["", "J", "JJ", "jq", "J?", "??", "JQK", "AK"] {
            assert_eq!(
                text.parse::<Deal>().unwrap_err().to_string(),
                format!("{text:?} is not a deal: write JQ, JK, QJ, QK, KJ or KQ")
            );
        }
    }
}
