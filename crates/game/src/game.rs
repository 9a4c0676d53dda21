//! What a game is.

use std::fmt::{Debug, Display};
use std::hash::Hash;
use std::str::FromStr;
use std::sync::Arc;

use bthread::Generator;

use crate::analysis::ExactSolver;

use crate::awake_thread::AwakeThread;
use crate::ending_moves::EndingMoves;
use crate::picture::Picture;
use crate::player::Player;
use crate::players::{PlayerKind, PlayoutError, SkillLevel, play_at_random, usual_level};
use crate::ply::{Ply, PlyOf};
use crate::probability::{BadProbabilities, Probability};
use crate::refusal::{Code, Reason, Refusal};
use crate::seat::{Seat, Seats};
use crate::turn::{Outcome, Turn};

/// A game: how it starts, whose turn it is, which moves are legal and what they lead to.
///
/// A game is a value that holds its parameters. Positions are values that the game makes and reads.
/// A game draws nothing at random: it lists what chance may draw, with probabilities, and the
/// caller draws.
///
/// Few methods must be written: see `docs/adding-a-game.md`. [`conformance`](crate::conformance)
/// checks that they fit together.
pub trait Game: Clone + Debug + Send + Sync + 'static {
    /// The state of a game. Equal positions have equal futures.
    type Position: Clone + Eq + Hash + Debug + Send + Sync + 'static;

    /// What a seat can choose.
    type Move: Textual;

    /// What chance can draw; [`NoChance`] in a game without chance.
    type Chance: Textual;

    /// The name of the game, with its parameters: `mnk:6,5,4`.
    fn name(&self) -> String;

    /// The names of the seats, in order: `X` and `O`.
    fn seats(&self) -> Vec<&str>;

    /// The position at the start.
    fn start(&self) -> Self::Position;

    /// Whose turn it is, or how the game ended.
    fn turn(&self, position: &Self::Position) -> Turn;

    /// The legal moves of a seat, always in the same order; none if it is not the seat's turn.
    fn legal_moves<'a>(
        &'a self,
        position: &'a Self::Position,
        seat: Seat,
    ) -> impl ExactSizeIterator<Item = Self::Move> + 'a;

    /// Makes a legal move in this position.
    ///
    /// If several seats move at once, this is called once for each, in the order of seats, before
    /// the position is read.
    fn apply(&self, position: &mut Self::Position, seat: Seat, chosen: &Self::Move);

    /// Whether the rules contradicted themselves on the way to this position, so that the game ended
    /// without a result.
    fn is_broken(&self, _position: &Self::Position) -> bool {
        false
    }

    /// The position in one line, with everything that is hidden.
    fn text(&self, position: &Self::Position) -> String;

    /// A key of a position: equal for equal positions of this game and its copies, and only for those;
    /// `None` if the game cannot tell this position from all others. It is the text, unless that
    /// leaves something out.
    fn key(&self, position: &Self::Position) -> Option<Vec<u8>> {
        Some(self.text(position).into_bytes())
    }

    /// The memory of a position, in bytes, about. Searches bound what they keep by it, so it follows from the
    /// rules and the position alone.
    fn position_bytes(&self, _position: &Self::Position) -> usize {
        size_of::<Self::Position>()
    }

    /// The position as a viewer sees it on a screen.
    fn picture(&self, position: &Self::Position, viewer: Viewer) -> Picture;

    /// Every reason why the rules forbid a move, except that the game is over or that it is another
    /// seat's turn.
    ///
    /// By default the only reason is that the list of legal moves does not contain the move.
    fn objections(
        &self,
        position: &Self::Position,
        seat: Seat,
        chosen: &Self::Move,
    ) -> Vec<Reason> {
        let is_in_turn = self.turn(position).seats().contains(seat);
        if !is_in_turn || self.legal_moves(position, seat).any(|legal| legal == *chosen) {
            return Vec::new();
        }
        vec![Reason::new(Code::ILLEGAL_MOVE, format!("{chosen} is not a legal move here"))]
    }

    /// What chance may draw, with probabilities; empty unless it is the turn of chance.
    fn chances(&self, _position: &Self::Position) -> Vec<(Self::Chance, Probability)> {
        Vec::new()
    }

    /// Applies what chance drew, which is one of [`Game::chances`].
    fn apply_chance(&self, _position: &mut Self::Position, _drawn: &Self::Chance) {
        unreachable!("a game with chances implements apply_chance")
    }

    /// Whether the game hides something from a viewer.
    fn hides(&self) -> bool {
        false
    }

    /// The position in one line, as a viewer sees it.
    fn view(&self, position: &Self::Position, _viewer: Viewer) -> String {
        self.text(position)
    }

    /// What a viewer sees of a ply that is played in a position.
    fn seen(
        &self,
        _position: &Self::Position,
        ply: &Ply<Self::Move, Self::Chance>,
        _viewer: Viewer,
    ) -> String {
        ply.to_string()
    }

    /// A move in words for a menu, where its text alone says too little: `two fingers`.
    fn label(&self, chosen: &Self::Move) -> String {
        chosen.to_string()
    }

    /// The unit of the scores, if they say more than who won: `chips`.
    ///
    /// A series of such games is scored by the sum of the scores instead of the number of wins.
    fn score_unit(&self) -> Option<&str> {
        None
    }

    /// The lines that decided the game, each after the seat that won by it: `XWin[0,3,6]`.
    ///
    /// Where a line of another mark decides, the mark comes first: `XWin[O a1-c1]` if a line of O
    /// loses. Empty if nobody won by a line.
    fn winning_lines(&self, _history: &[PlyOf<Self>]) -> Vec<String> {
        Vec::new()
    }

    /// The player that follows the strategies of this game, for a seat that has some.
    fn strategies(&self, _seat: Seat) -> Option<Box<dyn Player<Self>>> {
        None
    }

    /// An estimate of a position for a seat, made without a search: from -1000, as good as lost, to
    /// 1000, as good as won. `None` if nobody has written one.
    ///
    /// Searches use it where their depth ends. It is the negative of the estimate for the other seat,
    /// if there are two.
    fn estimate(&self, _position: &Self::Position, _seat: Seat) -> Option<i32> {
        None
    }

    /// A solver that knows this game, and is faster than visiting every position.
    fn solver(&self) -> Option<Arc<dyn ExactSolver<Self>>> {
        None
    }

    /// The player of a level; `None` if this game does not have the level.
    fn level(&self, level: SkillLevel) -> Option<PlayerKind> {
        usual_level(self, level)
    }

    /// The b-threads that are awake after a history, highest priority first: the rules and, if a
    /// seat is named, its strategies. Empty if the rules are not b-threads.
    fn awake(&self, _history: &[PlyOf<Self>], _strategies_of: Option<Seat>) -> Vec<AwakeThread> {
        Vec::new()
    }

    /// What the strategy of this name achieves with the move that it requests, in one sentence for
    /// people. `None` if there is no such strategy, or nobody has written the sentence.
    fn purpose(&self, _strategy: &str) -> Option<String> {
        None
    }

    /// The memory that all copies of this game share, in bytes, about. It may grow while the game is
    /// played.
    fn bytes(&self) -> usize {
        size_of::<Self>()
    }

    /// Reads a move from its text.
    ///
    /// # Errors
    /// If the text names no move.
    fn read_move(&self, text: &str) -> Result<Self::Move, Refusal> {
        read(text)
    }

    /// Reads what chance drew from its text.
    ///
    /// # Errors
    /// If the text names nothing that chance can draw.
    fn read_chance(&self, text: &str) -> Result<Self::Chance, Refusal> {
        read(text)
    }

    /// Checks that a seat may choose a move now, whatever other seats choose.
    ///
    /// # Errors
    /// Every reason why the seat may not.
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
        Refusal::if_any(turn.into_iter().chain(objections))
    }

    /// The position after a move of the only seat whose turn it is. The old position stays as it is.
    ///
    /// # Errors
    /// If the seat may not make this move, or if other seats must move at the same time.
    fn play(
        &self,
        position: &Self::Position,
        seat: Seat,
        chosen: Self::Move,
    ) -> Result<Self::Position, Refusal> {
        let mut next = position.clone();
        self.advance(&mut next, seat, chosen)?;
        Ok(next)
    }

    /// The position after the moves of all seats whose turn it is, in the order of seats. The old
    /// position stays as it is.
    ///
    /// # Errors
    /// As [`Game::advance_all`].
    fn play_all(
        &self,
        position: &Self::Position,
        moves: &[(Seat, Self::Move)],
    ) -> Result<Self::Position, Refusal> {
        let mut next = position.clone();
        self.advance_all(&mut next, moves)?;
        Ok(next)
    }

    /// Makes the move of the only seat whose turn it is, in this position.
    ///
    /// # Errors
    /// As [`Game::play`]; the position is unchanged.
    fn advance(
        &self,
        position: &mut Self::Position,
        seat: Seat,
        chosen: Self::Move,
    ) -> Result<(), Refusal> {
        self.advance_all(position, &[(seat, chosen)])
    }

    /// Makes the moves of all seats whose turn it is, in the order of seats, in this position.
    ///
    /// # Errors
    /// If a seat may not make its move, or if there is not exactly one move for each seat whose turn
    /// it is; the position is unchanged.
    fn advance_all(
        &self,
        position: &mut Self::Position,
        moves: &[(Seat, Self::Move)],
    ) -> Result<(), Refusal> {
        for (seat, chosen) in moves {
            self.check(position, *seat, chosen)?;
        }
        check_complete(&self.turn(position), moves)?;
        apply_all(self, position, moves);
        Ok(())
    }

    /// Lets chance draw this, in this position.
    ///
    /// # Errors
    /// If it is not the turn of chance, or chance cannot draw this; the position is unchanged.
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

    /// Plays one random ply in this position: a legal move of each seat whose turn it is, or what
    /// chance draws. Does nothing if the game is over.
    ///
    /// A game may override this to be faster, as long as every ply stays as likely as it was.
    ///
    /// # Errors
    /// If the game refuses a legal move, or its probabilities do not add up.
    fn play_at_random(
        &self,
        position: &mut Self::Position,
        generator: &mut Generator,
    ) -> Result<(), PlayoutError> {
        play_at_random(self, position, generator)
    }

    /// Plays at random to the end, in this position, and returns the outcome; `None` if the game is not
    /// over after this many plies.
    ///
    /// A game may override this to be faster, as long as the same seed leads to the same game as
    /// [`Game::play_at_random`] does, ply by ply.
    ///
    /// # Errors
    /// As [`Game::play_at_random`].
    fn play_out(
        &self,
        position: &mut Self::Position,
        generator: &mut Generator,
        most_plies: u32,
    ) -> Result<Option<Outcome>, PlayoutError> {
        for _ in 0..most_plies {
            if let Turn::Over(outcome) = self.turn(position) {
                return Ok(Some(outcome));
            }
            self.play_at_random(position, generator)?;
        }
        Ok(self.turn(position).outcome())
    }

    /// Finds the moves of the only seat in turn that end the game at once. Searches look at these
    /// first.
    ///
    /// A game may override this to be faster: most positions have none.
    fn find_ending_moves(
        &self,
        position: &Self::Position,
        seat: Seat,
        found: &mut EndingMoves<Self::Position>,
    ) {
        for place in 0..self.count_moves(position, seat) {
            found.try_move(self, position, seat, place);
        }
    }

    /// The number of legal moves of a seat.
    fn count_moves(&self, position: &Self::Position, seat: Seat) -> usize {
        self.legal_moves(position, seat).len()
    }

    /// Makes the move at this place of [`Game::legal_moves`], without reading or writing it; returns
    /// whether there is one. Searches know moves by their places.
    ///
    /// A game may override this and [`Game::count_moves`] to be faster.
    fn apply_nth(&self, position: &mut Self::Position, seat: Seat, place: usize) -> bool {
        let Some(chosen) = self.legal_moves(position, seat).nth(place) else { return false };
        self.apply(position, seat, &chosen);
        true
    }

    /// Draws at random what chance decides next; `None` unless it is the turn of chance.
    ///
    /// # Errors
    /// If the probabilities of this game do not add up to one.
    fn draw_chance(
        &self,
        position: &Self::Position,
        generator: &mut Generator,
    ) -> Result<Option<Self::Chance>, BadProbabilities> {
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

/// A value whose text can be read back: a move, a card.
pub trait Textual:
    Clone + Eq + Hash + Debug + Display + FromStr<Err: Display> + Send + Sync + 'static
{
}

impl<T> Textual for T where
    T: Clone + Eq + Hash + Debug + Display + FromStr<Err: Display> + Send + Sync + 'static
{
}

/// A player or a spectator who looks at a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Viewer {
    /// The player of this seat, who also sees what is hidden from others.
    Seat(Seat),
    /// Anybody else, who sees what everybody sees.
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

/// The draws of a game without chance: this type has no values.
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

/// The name of a seat of a game.
pub fn seat_name<G: Game>(game: &G, seat: Seat) -> &str {
    game.seats().get(seat.index()).copied().unwrap_or("nobody")
}

/// The legal move of a seat at this place.
pub(crate) fn nth_move<G: Game>(
    game: &G,
    position: &G::Position,
    seat: Seat,
    place: usize,
) -> Option<G::Move> {
    game.legal_moves(position, seat).nth(place)
}

/// Makes legal moves, one for each seat whose turn it is, in the order of seats.
pub(crate) fn apply_all<G: Game>(game: &G, position: &mut G::Position, moves: &[(Seat, G::Move)]) {
    for (seat, chosen) in moves {
        game.apply(position, *seat, chosen);
    }
}

/// The longest text, in bytes, that is read as a move.
const LONGEST_TEXT: usize = 64;

/// Refuses texts that are too long to be read.
pub(crate) fn check_length(text: &str) -> Result<(), Refusal> {
    if text.len() > LONGEST_TEXT {
        let message = format!("A move has at most {LONGEST_TEXT} characters");
        return Err(Reason::out_of_bounds(message).into());
    }
    Ok(())
}

fn read<T: Textual>(text: &str) -> Result<T, Refusal> {
    check_length(text)?;
    text.parse().map_err(|error| Reason::out_of_bounds(error).into())
}

/// Checks that there is exactly one move for each seat whose turn it is, in the order of seats.
pub(crate) fn check_complete<M>(turn: &Turn, moves: &[(Seat, M)]) -> Result<(), Refusal> {
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
