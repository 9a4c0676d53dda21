//! One form for all games, which speaks text.

use std::any::Any;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::str::FromStr;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::awake::AwakeThread;
use crate::game::{Game, Viewer};
use crate::happening::{Ply, PlyOf};
use crate::perft::perft;
use crate::picture::Picture;
use crate::player::{CannotPlay, Choice, Player, PlayerError, PlayerView};
use crate::players::{Perfect, PlayerKind, Solved};
use crate::probability::Probability;
use crate::refusal::{Reason, Refusal};
use crate::seat::Seat;
use crate::turn::Turn;

/// Any game: its moves and what chance draws are [`Text`].
///
/// It is a [`Game`] itself, so that all that works with games works with it.
#[derive(Clone)]
pub struct AnyGame(Arc<Shared<dyn Erased>>);

/// A game, and what was found out about it.
struct Shared<G: ?Sized> {
    solved: Solved,
    game: G,
}

/// A position of any game.
#[derive(Debug)]
pub struct AnyPosition(Box<dyn Value>);

/// A move, or something that chance draws, as text.
///
/// What a game gives out is in the form in which the game itself writes it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Text(String);

impl AnyGame {
    /// The game in this form.
    pub fn new<G: Game>(game: G) -> Self {
        Self(Arc::new(Shared { solved: Solved::default(), game: Typed(game) }))
    }

    /// How many sequences of so many steps there are; see [`perft`](crate::perft()).
    pub fn perft(&self, depth: u32) -> u64 {
        self.0.game.perft(depth)
    }

    /// A player for a seat; the seed decides what it leaves to chance. A game that is small is solved
    /// once, for all players.
    ///
    /// # Errors
    /// If it cannot play this game, or not for this seat.
    pub fn player(
        &self,
        name: &PlayerKind,
        seat: Seat,
        seed: u64,
    ) -> Result<Box<dyn Player<Self>>, CannotPlay> {
        match name {
            PlayerKind::Perfect => {
                Ok(Box::new(Perfect::by(self.0.solved.of(self), self, seat, seed)?))
            }
            name => name.player(self, seat, seed),
        }
    }
}

impl fmt::Debug for AnyGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("AnyGame").field(&self.name()).finish()
    }
}

impl Game for AnyGame {
    type Position = AnyPosition;
    type Move = Text;
    type Chance = Text;

    fn name(&self) -> String {
        self.0.game.name()
    }

    fn seats(&self) -> &[&'static str] {
        self.0.game.seats()
    }

    fn start(&self) -> AnyPosition {
        self.0.game.start()
    }

    fn turn(&self, position: &AnyPosition) -> Turn {
        self.0.game.turn(position)
    }

    fn legal_moves<'a>(
        &'a self,
        position: &'a AnyPosition,
        seat: Seat,
    ) -> impl ExactSizeIterator<Item = Text> + 'a {
        self.0.game.legal_moves(position, seat).into_iter()
    }

    fn objections(&self, position: &AnyPosition, seat: Seat, chosen: &Text) -> Vec<Reason> {
        self.0.game.objections(position, seat, chosen)
    }

    fn apply(&self, position: &mut AnyPosition, moves: &[(Seat, Text)]) {
        self.0.game.apply(position, moves);
    }

    fn text(&self, position: &AnyPosition) -> String {
        self.0.game.text(position)
    }

    fn picture(&self, position: &AnyPosition, viewer: Viewer) -> Picture {
        self.0.game.picture(position, viewer)
    }

    fn chances(&self, position: &AnyPosition) -> Vec<(Text, Probability)> {
        self.0.game.chances(position)
    }

    fn apply_chance(&self, position: &mut AnyPosition, drawn: &Text) {
        self.0.game.apply_chance(position, drawn);
    }

    fn hides(&self) -> bool {
        self.0.game.hides()
    }

    fn view(&self, position: &AnyPosition, viewer: Viewer) -> String {
        self.0.game.view(position, viewer)
    }

    fn seen(&self, position: &AnyPosition, happening: &Ply<Text, Text>, viewer: Viewer) -> String {
        self.0.game.seen(position, happening, viewer)
    }

    fn strategies(&self, seat: Seat) -> Option<Box<dyn Player<Self>>> {
        self.0.game.strategies(seat)
    }

    fn awake(&self, history: &[Ply<Text, Text>], strategies_of: Option<Seat>) -> Vec<AwakeThread> {
        self.0.game.awake(history, strategies_of)
    }

    fn read_move(&self, text: &str) -> Result<Text, Refusal> {
        self.0.game.read_move(text)
    }

    fn read_chance(&self, text: &str) -> Result<Text, Refusal> {
        self.0.game.read_chance(text)
    }

    fn check(&self, position: &AnyPosition, seat: Seat, chosen: &Text) -> Result<(), Refusal> {
        self.0.game.check(position, seat, chosen)
    }

    fn advance(&self, position: &mut AnyPosition, moves: &[(Seat, Text)]) -> Result<(), Refusal> {
        self.0.game.advance(position, moves)
    }
}

/// [`Game`] with everything as text, so that it can stand behind a pointer.
trait Erased: Send + Sync {
    fn name(&self) -> String;
    fn seats(&self) -> &[&'static str];
    fn hides(&self) -> bool;
    fn start(&self) -> AnyPosition;
    fn turn(&self, position: &AnyPosition) -> Turn;
    fn legal_moves(&self, position: &AnyPosition, seat: Seat) -> Vec<Text>;
    fn objections(&self, position: &AnyPosition, seat: Seat, chosen: &Text) -> Vec<Reason>;
    fn check(&self, position: &AnyPosition, seat: Seat, chosen: &Text) -> Result<(), Refusal>;
    fn apply(&self, position: &mut AnyPosition, moves: &[(Seat, Text)]);
    fn advance(&self, position: &mut AnyPosition, moves: &[(Seat, Text)]) -> Result<(), Refusal>;
    fn chances(&self, position: &AnyPosition) -> Vec<(Text, Probability)>;
    fn apply_chance(&self, position: &mut AnyPosition, drawn: &Text);
    fn text(&self, position: &AnyPosition) -> String;
    fn view(&self, position: &AnyPosition, viewer: Viewer) -> String;
    fn seen(&self, position: &AnyPosition, happening: &Ply<Text, Text>, viewer: Viewer) -> String;
    fn picture(&self, position: &AnyPosition, viewer: Viewer) -> Picture;
    fn read_move(&self, text: &str) -> Result<Text, Refusal>;
    fn read_chance(&self, text: &str) -> Result<Text, Refusal>;
    fn awake(&self, history: &[Ply<Text, Text>], strategies_of: Option<Seat>) -> Vec<AwakeThread>;
    fn perft(&self, depth: u32) -> u64;
    fn strategies(&self, seat: Seat) -> Option<Box<dyn Player<AnyGame>>>;
}

/// A game that takes and gives text.
struct Typed<G>(G);

const READABLE: &str = "only legal moves are applied, and those can be read";

impl<G: Game> Typed<G> {
    fn moves(&self, moves: &[(Seat, Text)]) -> Vec<(Seat, G::Move)> {
        let read = |text: &Text| self.0.read_move(text.as_str()).expect(READABLE);
        moves.iter().map(|(seat, text)| (*seat, read(text))).collect()
    }

    fn happening(&self, happening: &Ply<Text, Text>) -> PlyOf<G> {
        match happening {
            Ply::Moves(moves) => Ply::Moves(self.moves(moves)),
            Ply::Chance(drawn) => Ply::Chance(self.0.read_chance(drawn.as_str()).expect(READABLE)),
        }
    }
}

impl<G: Game> Erased for Typed<G> {
    fn awake(&self, history: &[Ply<Text, Text>], strategies_of: Option<Seat>) -> Vec<AwakeThread> {
        let history: Vec<_> = history.iter().map(|happening| self.happening(happening)).collect();
        self.0.awake(&history, strategies_of)
    }

    fn name(&self) -> String {
        self.0.name()
    }

    fn seats(&self) -> &[&'static str] {
        self.0.seats()
    }

    fn hides(&self) -> bool {
        self.0.hides()
    }

    fn start(&self) -> AnyPosition {
        AnyPosition(Box::new(self.0.start()))
    }

    fn turn(&self, position: &AnyPosition) -> Turn {
        self.0.turn(position.typed::<G>())
    }

    fn legal_moves(&self, position: &AnyPosition, seat: Seat) -> Vec<Text> {
        self.0.legal_moves(position.typed::<G>(), seat).map(Text::of).collect()
    }

    fn objections(&self, position: &AnyPosition, seat: Seat, chosen: &Text) -> Vec<Reason> {
        match self.0.read_move(chosen.as_str()) {
            Ok(chosen) => self.0.objections(position.typed::<G>(), seat, &chosen),
            Err(refusal) => refusal.reasons().cloned().collect(),
        }
    }

    fn check(&self, position: &AnyPosition, seat: Seat, chosen: &Text) -> Result<(), Refusal> {
        let chosen = self.0.read_move(chosen.as_str())?;
        self.0.check(position.typed::<G>(), seat, &chosen)
    }

    fn apply(&self, position: &mut AnyPosition, moves: &[(Seat, Text)]) {
        self.0.apply(position.typed_mut::<G>(), &self.moves(moves));
    }

    fn advance(&self, position: &mut AnyPosition, moves: &[(Seat, Text)]) -> Result<(), Refusal> {
        let read = |(seat, text): &(Seat, Text)| Ok((*seat, self.0.read_move(text.as_str())?));
        let moves = moves.iter().map(read).collect::<Result<Vec<_>, Refusal>>()?;
        self.0.advance(position.typed_mut::<G>(), &moves)
    }

    fn chances(&self, position: &AnyPosition) -> Vec<(Text, Probability)> {
        let chances = self.0.chances(position.typed::<G>()).into_iter();
        chances.map(|(drawn, probability)| (Text::of(drawn), probability)).collect()
    }

    fn apply_chance(&self, position: &mut AnyPosition, drawn: &Text) {
        let drawn = self.0.read_chance(drawn.as_str()).expect(READABLE);
        self.0.apply_chance(position.typed_mut::<G>(), &drawn);
    }

    fn text(&self, position: &AnyPosition) -> String {
        self.0.text(position.typed::<G>())
    }

    fn view(&self, position: &AnyPosition, viewer: Viewer) -> String {
        self.0.view(position.typed::<G>(), viewer)
    }

    fn seen(&self, position: &AnyPosition, happening: &Ply<Text, Text>, viewer: Viewer) -> String {
        self.0.seen(position.typed::<G>(), &self.happening(happening), viewer)
    }

    fn picture(&self, position: &AnyPosition, viewer: Viewer) -> Picture {
        self.0.picture(position.typed::<G>(), viewer)
    }

    fn read_move(&self, text: &str) -> Result<Text, Refusal> {
        self.0.read_move(text).map(Text::of)
    }

    fn read_chance(&self, text: &str) -> Result<Text, Refusal> {
        self.0.read_chance(text).map(Text::of)
    }

    fn perft(&self, depth: u32) -> u64 {
        perft(&self.0, &self.0.start(), depth)
    }

    fn strategies(&self, seat: Seat) -> Option<Box<dyn Player<AnyGame>>> {
        let (player, game) = (self.0.strategies(seat)?, self.0.clone());
        Some(Box::new(TypedPlayer { game, player }))
    }
}

/// A player of a game, for the same game in its other form.
#[derive(Debug)]
struct TypedPlayer<G: Game> {
    game: G,
    player: Box<dyn Player<G>>,
}

impl<G: Game> Player<AnyGame> for TypedPlayer<G> {
    fn choose(
        &mut self,
        player_view: &PlayerView<'_, AnyGame>,
    ) -> Result<Choice<Text>, PlayerError> {
        let (position, history) = player_view.whole();
        let typed = Typed(self.game.clone());
        let history: Vec<_> = history.iter().map(|each| typed.happening(each)).collect();
        let player_view =
            PlayerView::new(&self.game, position.typed::<G>(), player_view.seat(), &history)
                .after_refusals(player_view.refusals());
        let Choice { chosen, why } = self.player.choose(&player_view)?;
        Ok(Choice { chosen: Text::of(chosen), why })
    }
}

/// A position, whatever its type.
trait Value: fmt::Debug + Send + Sync {
    fn as_any(&self) -> &dyn Any;
    fn as_any_mut(&mut self) -> &mut dyn Any;
    fn cloned(&self) -> Box<dyn Value>;
    fn equals(&self, other: &dyn Value) -> bool;
    fn hash_into(&self, hasher: &mut dyn Hasher);
}

impl<P: Clone + Eq + Hash + fmt::Debug + Send + Sync + 'static> Value for P {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn as_any_mut(&mut self) -> &mut dyn Any {
        self
    }

    fn cloned(&self) -> Box<dyn Value> {
        Box::new(self.clone())
    }

    fn equals(&self, other: &dyn Value) -> bool {
        other.as_any().downcast_ref::<P>().is_some_and(|other| self == other)
    }

    fn hash_into(&self, mut hasher: &mut dyn Hasher) {
        self.hash(&mut hasher);
    }
}

const OF_THIS_GAME: &str = "a position belongs to the game that made it";

impl AnyPosition {
    fn typed<G: Game>(&self) -> &G::Position {
        (*self.0).as_any().downcast_ref().expect(OF_THIS_GAME)
    }

    fn typed_mut<G: Game>(&mut self) -> &mut G::Position {
        (*self.0).as_any_mut().downcast_mut().expect(OF_THIS_GAME)
    }
}

impl Clone for AnyPosition {
    fn clone(&self) -> Self {
        Self((*self.0).cloned())
    }
}

impl PartialEq for AnyPosition {
    fn eq(&self, other: &Self) -> bool {
        (*self.0).equals(&*other.0)
    }
}

impl Eq for AnyPosition {}

impl Hash for AnyPosition {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        (*self.0).hash_into(hasher);
    }
}

impl Text {
    pub(crate) fn of(word: impl fmt::Display) -> Self {
        Self(word.to_string())
    }

    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for Text {
    type Err = std::convert::Infallible;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Ok(Self(text.to_owned()))
    }
}

impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}
