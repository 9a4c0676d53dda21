//! Two seats take one, two or three stones in turn. The seat that takes the last one wins.

use std::fmt;
use std::str::FromStr;

use game::{
    Code, Game, Grid, GridCell, NoChance, Outcome, Picture, Piece, Reason, Seat, Turn, Viewer,
};

#[derive(Clone, Debug)]
pub(crate) struct Subtraction {
    pub(crate) stones: u8,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Pile {
    pub(crate) stones: u8,
    pub(crate) turn: Seat,
}

/// Takes this number of stones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Take(pub(crate) u8);

impl Game for Subtraction {
    type Position = Pile;
    type Move = Take;
    type Chance = NoChance;

    fn name(&self) -> String {
        format!("subtraction:{}", self.stones)
    }

    fn seats(&self) -> Vec<&str> {
        vec!["Ann", "Ben"]
    }

    fn start(&self) -> Pile {
        Pile { stones: self.stones, turn: Seat::FIRST }
    }

    fn turn(&self, position: &Pile) -> Turn {
        match position.stones {
            0 => Turn::Over(Outcome::won_by(position.turn.opponent())),
            _ => Turn::One(position.turn),
        }
    }

    fn legal_moves<'a>(
        &'a self,
        position: &'a Pile,
        seat: Seat,
    ) -> impl ExactSizeIterator<Item = Take> + 'a {
        let most = if seat == position.turn { position.stones.min(3) } else { 0 };
        (1..=most).map(Take)
    }

    fn objections(&self, position: &Pile, _: Seat, chosen: &Take) -> Vec<Reason> {
        if (1..=position.stones.min(3)).contains(&chosen.0) {
            return Vec::new();
        }
        vec![Reason::new(Code::ILLEGAL_MOVE, format!("There are {} stones", position.stones))]
    }

    fn apply(&self, position: &mut Pile, _: Seat, chosen: &Take) {
        position.stones -= chosen.0;
        position.turn = position.turn.opponent();
    }

    fn text(&self, position: &Pile) -> String {
        format!("{} for {}", position.stones, self.seats()[position.turn.index()])
    }

    fn picture(&self, position: &Pile, _: Viewer) -> Picture {
        let cell = |number: u8| GridCell {
            name: format!("{}1", char::from(b'a' + number - 1)),
            piece: (number <= position.stones)
                .then(|| Piece { symbol: "o".to_owned(), seat: None }),
            moves: vec![Take(number).to_string()],
            decides: false,
            owner: None,
        };
        let board = Grid { columns: 3, cells: (1..=3).map(cell).collect(), block: 1 };
        Picture::of(board).with_note(format!("{} stones", position.stones))
    }
}

impl fmt::Display for Take {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for Take {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let number = text.parse().ok().filter(|number| (1..=3).contains(number));
        number.map(Self).ok_or("Take 1, 2 or 3 stones")
    }
}
