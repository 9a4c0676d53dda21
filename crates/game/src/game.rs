//! What a game is.

use std::fmt::{Debug, Display};
use std::hash::Hash;
use std::str::FromStr;

use bthread::Generator;

use crate::awake::AwakeThread;
use crate::happening::{Ply, PlyOf};
use crate::picture::Picture;
use crate::player::Player;
use crate::players::{PlayoutError, play_at_random};
use crate::probability::{NotCertain, Probability};
use crate::refusal::{Code, Reason, Refusal};
use crate::seat::{Seat, Seats};
use crate::turn::Turn;

/// A game: how it starts, who must act, what may be done and what comes of it.
///
/// A game is a value that holds its parameters; positions are values that games make and read.
/// Nothing is drawn at random here: what chance may draw has probabilities, and whoever runs the
/// game draws.
///
/// What must be written is few: see `docs/adding-a-game.md`. [`conformance`](crate::conformance)
/// checks that all of it fits together.
pub trait Game: Clone + Debug + Send + Sync + 'static {
    /// How things stand. Equal positions have equal futures.
    type Position: Clone + Eq + Hash + Debug + Send + Sync + 'static;

    /// What a seat can choose. Its text can be read back.
    type Move: Word;

    /// What can be drawn by chance; [`NoChance`] where nothing is.
    type Chance: Word;

    /// What the game is called, with its parameters: `mnk:6,5,4`.
    fn name(&self) -> String;

    /// What the seats are called, in order: `X` and `O`.
    fn seats(&self) -> &[&'static str];

    /// How a game begins.
    fn start(&self) -> Self::Position;

    /// Who must act.
    fn turn(&self, position: &Self::Position) -> Turn;

    /// What a seat may choose, always in the same order; nothing if it is not to choose.
    fn legal_moves<'a>(
        &'a self,
        position: &'a Self::Position,
        seat: Seat,
    ) -> impl ExactSizeIterator<Item = Self::Move> + 'a;

    /// What the rules have against a move, besides that the game is over or that it is another
    /// seat's turn.
    fn objections(&self, position: &Self::Position, seat: Seat, chosen: &Self::Move)
    -> Vec<Reason>;

    /// Lets the chosen moves happen; every seat in turn has one, in the order of seats, and all of
    /// them are legal.
    fn apply(&self, position: &mut Self::Position, moves: &[(Seat, Self::Move)]);

    /// The position in one line, with everything that is hidden.
    fn text(&self, position: &Self::Position) -> String;

    /// What the position looks like to a viewer.
    fn picture(&self, position: &Self::Position, viewer: Viewer) -> Picture;

    /// What chance may draw, and how likely; nothing unless it is the turn of chance.
    fn chances(&self, _position: &Self::Position) -> Vec<(Self::Chance, Probability)> {
        Vec::new()
    }

    /// Lets happen what was drawn; it is one of [`Game::chances`].
    fn apply_chance(&self, _position: &mut Self::Position, _drawn: &Self::Chance) {
        unreachable!("a game in which chance draws says what happens then")
    }

    /// Whether somebody does not see everything.
    fn hides(&self) -> bool {
        false
    }

    /// The position in one line, as a viewer may see it.
    fn view(&self, position: &Self::Position, _viewer: Viewer) -> String {
        self.text(position)
    }

    /// What a viewer sees of something that happens in a position.
    fn seen(
        &self,
        _position: &Self::Position,
        happening: &Ply<Self::Move, Self::Chance>,
        _viewer: Viewer,
    ) -> String {
        happening.to_string()
    }

    /// The player that follows the strategies of this game, for a seat that has some.
    fn strategies(&self, _seat: Seat) -> Option<Box<dyn Player<Self>>> {
        None
    }

    /// The b-threads that are awake after all this, highest priority first: the rules and, if a seat is
    /// named, its strategies. None where the rules are no b-threads.
    fn awake(&self, _history: &[PlyOf<Self>], _strategies_of: Option<Seat>) -> Vec<AwakeThread> {
        Vec::new()
    }

    /// The move that a text names.
    ///
    /// # Errors
    /// If it names none.
    fn read_move(&self, text: &str) -> Result<Self::Move, Refusal> {
        read(text)
    }

    /// What chance drew, from a text that names it.
    ///
    /// # Errors
    /// If it names nothing that can be drawn.
    fn read_chance(&self, text: &str) -> Result<Self::Chance, Refusal> {
        read(text)
    }

    /// Whether a seat may choose a move now, whatever others choose.
    ///
    /// # Errors
    /// All reasons why it may not.
    fn check(
        &self,
        position: &Self::Position,
        seat: Seat,
        chosen: &Self::Move,
    ) -> Result<(), Refusal> {
        let turn = self.turn(position).objection(seat);
        let objections = self.objections(position, seat, chosen);
        if turn.is_none() && objections.is_empty() {
            return Ok(());
        }
        Refusal::unless_none(turn.into_iter().chain(objections))
    }

    /// Lets the chosen moves happen in this very position: one for every seat in turn.
    ///
    /// # Errors
    /// If a seat may not choose its move, or a seat in turn has not chosen exactly once; nothing
    /// has changed then.
    fn advance(
        &self,
        position: &mut Self::Position,
        moves: &[(Seat, Self::Move)],
    ) -> Result<(), Refusal> {
        for (seat, chosen) in moves {
            self.check(position, *seat, chosen)?;
        }
        is_complete(&self.turn(position), moves)?;
        self.apply(position, moves);
        Ok(())
    }

    /// The position after the chosen moves: one for every seat in turn. The old one stays as it is.
    ///
    /// # Errors
    /// As [`Game::advance`].
    fn play(
        &self,
        position: &Self::Position,
        moves: &[(Seat, Self::Move)],
    ) -> Result<Self::Position, Refusal> {
        let mut next = position.clone();
        self.advance(&mut next, moves)?;
        Ok(next)
    }

    /// Lets happen what chance drew.
    ///
    /// # Errors
    /// If it is not the turn of chance, or this cannot be drawn; nothing has changed then.
    fn advance_chance(
        &self,
        position: &mut Self::Position,
        drawn: &Self::Chance,
    ) -> Result<(), Refusal> {
        if !self.chances(position).iter().any(|(chance, _)| chance == drawn) {
            let message = format!("{drawn} cannot be drawn now");
            return Err(Reason::new(Code::ILLEGAL_MOVE, message).into());
        }
        self.apply_chance(position, drawn);
        Ok(())
    }

    /// Lets something happen at random, in this very position: any legal move of each seat in turn,
    /// or what chance draws; nothing if the game is over.
    ///
    /// A game that can do it more quickly than by its other methods may; whatever it leaves to the
    /// generator must stay as likely as it was.
    ///
    /// # Errors
    /// If the game refuses what it called legal, or its probabilities do not add up.
    fn play_at_random(
        &self,
        position: &mut Self::Position,
        generator: &mut Generator,
    ) -> Result<(), PlayoutError> {
        play_at_random(self, position, generator)
    }

    /// Draws by chance what happens next; `None` unless it is the turn of chance.
    ///
    /// # Errors
    /// If the probabilities of this game do not add up to one.
    fn draw(
        &self,
        position: &Self::Position,
        generator: &mut Generator,
    ) -> Result<Option<Self::Chance>, NotCertain> {
        if self.turn(position) != Turn::Chance {
            return Ok(None);
        }
        let chances = self.chances(position);
        let probabilities: Vec<_> = chances.iter().map(|(_, probability)| *probability).collect();
        let (weights, all) = Probability::weights(&probabilities)?;
        let mut left = generator.below(all);
        let drawn = weights.iter().position(|weight| {
            let is_it = left < *weight;
            left = left.saturating_sub(*weight);
            is_it
        });
        Ok(drawn.map(|place| chances[place].0.clone()))
    }
}

/// Something with a text that can be read back: a move, a card.
pub trait Word:
    Clone + Eq + Hash + Debug + Display + FromStr<Err: Display> + Send + Sync + 'static
{
}

impl<T> Word for T where
    T: Clone + Eq + Hash + Debug + Display + FromStr<Err: Display> + Send + Sync + 'static
{
}

/// Who looks at a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Viewer {
    /// Who sits there sees what is its own.
    Seat(Seat),
    /// Anybody else sees only what everybody sees.
    Spectator,
}

impl Display for Viewer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Seat(seat) => Display::fmt(seat, f),
            Self::Spectator => f.write_str("a spectator"),
        }
    }
}

/// What is drawn in a game in which chance draws nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NoChance {}

impl Display for NoChance {
    fn fmt(&self, _: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match *self {}
    }
}

impl FromStr for NoChance {
    type Err = &'static str;

    fn from_str(_: &str) -> Result<Self, &'static str> {
        Err("chance draws nothing in this game")
    }
}

/// All seats of a game.
pub fn all_seats<G: Game>(game: &G) -> Seats {
    Seats::first(game.seats().len())
}

/// What a seat of a game is called.
pub fn seat_name<G: Game>(game: &G, seat: Seat) -> &'static str {
    game.seats().get(seat.index()).copied().unwrap_or("nobody")
}

/// Longer texts are not even looked at.
const LONGEST_WORD: usize = 64;

/// Whether a text is short enough to be looked at.
pub(crate) fn is_short(text: &str) -> Result<(), Refusal> {
    if text.len() > LONGEST_WORD {
        let message = format!("A move has at most {LONGEST_WORD} characters");
        return Err(Reason::out_of_bounds(message).into());
    }
    Ok(())
}

fn read<T: Word>(text: &str) -> Result<T, Refusal> {
    is_short(text)?;
    text.parse().map_err(|error| Reason::out_of_bounds(error).into())
}

/// Whether every seat in turn has chosen exactly once, and in order.
pub(crate) fn is_complete<M>(turn: &Turn, moves: &[(Seat, M)]) -> Result<(), Refusal> {
    if let (Turn::One(seat), [(mover, _)]) = (turn, moves)
        && seat == mover
    {
        return Ok(());
    }
    let seats = turn.seats();
    if !seats.is_empty() && seats.iter().eq(moves.iter().map(|(seat, _)| *seat)) {
        return Ok(());
    }
    let reason = match turn {
        Turn::Over(outcome) => Reason::game_over(outcome),
        Turn::Chance => Reason::not_your_turn(),
        Turn::One(_) | Turn::Several(_) => {
            Reason::new(Code::INCOMPLETE, "Every seat in turn chooses exactly one move")
        }
    };
    Err(reason.into())
}
