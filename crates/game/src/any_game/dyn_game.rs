//! The object-safe form of a game.

use super::game::AnyGame;
use super::position::AnyPosition;
use super::text::MoveText;
use crate::awake_thread::AwakeThread;
use crate::game::{Game, Viewer};
use crate::picture::Picture;
use crate::player::{Choice, HistoryId, Player, PlayerError, PlayerView, ReadHistory, UnreadPlies};
use crate::players::{PlayerKind, SkillLevel};
use crate::ply::{Ply, PlyOf};
use crate::probability::Probability;
use crate::refusal::{Reason, Refusal};
use crate::seat::Seat;
use crate::turn::Turn;

/// A [`Game`] with moves as text, so that it can stand behind a pointer.
pub(super) trait DynGame: Send + Sync {
    fn name(&self) -> String;
    fn seats(&self) -> Vec<&str>;
    fn hides(&self) -> bool;
    fn score_unit(&self) -> Option<&str>;
    fn start(&self) -> AnyPosition;
    fn turn(&self, position: &AnyPosition) -> Turn;
    fn is_broken(&self, position: &AnyPosition) -> bool;
    fn legal_moves<'a>(&'a self, position: &'a AnyPosition, seat: Seat) -> LegalTexts<'a>;
    fn objections(&self, position: &AnyPosition, seat: Seat, chosen: &MoveText) -> Vec<Reason>;
    fn check(&self, position: &AnyPosition, seat: Seat, chosen: &MoveText) -> Result<(), Refusal>;
    fn apply(&self, position: &mut AnyPosition, seat: Seat, chosen: &MoveText);
    fn advance(
        &self,
        position: &mut AnyPosition,
        seat: Seat,
        chosen: &MoveText,
    ) -> Result<(), Refusal>;
    fn advance_all(
        &self,
        position: &mut AnyPosition,
        moves: &[(Seat, MoveText)],
    ) -> Result<(), Refusal>;
    fn count_moves(&self, position: &AnyPosition, seat: Seat) -> usize;
    fn apply_nth(&self, position: &mut AnyPosition, seat: Seat, place: usize) -> bool;
    fn chances(&self, position: &AnyPosition) -> Vec<(MoveText, Probability)>;
    fn apply_chance(&self, position: &mut AnyPosition, drawn: &MoveText);
    fn text(&self, position: &AnyPosition) -> String;
    fn key(&self, position: &AnyPosition) -> Option<Vec<u8>>;
    fn view(&self, position: &AnyPosition, viewer: Viewer) -> String;
    fn seen(&self, position: &AnyPosition, ply: &TextPly, viewer: Viewer) -> String;
    fn picture(&self, position: &AnyPosition, viewer: Viewer) -> Picture;
    fn label(&self, chosen: &MoveText) -> String;
    fn winning_lines(&self, history: &[TextPly]) -> Vec<String>;
    fn read_move(&self, text: &str) -> Result<MoveText, Refusal>;
    fn read_chance(&self, text: &str) -> Result<MoveText, Refusal>;
    fn awake(&self, history: &[TextPly], strategies_of: Option<Seat>) -> Vec<AwakeThread>;
    fn purpose(&self, strategy: &str) -> Option<String>;
    fn bytes(&self) -> usize;
    fn strategies(&self, seat: Seat) -> Option<Box<dyn Player<AnyGame>>>;
    fn estimate(&self, position: &AnyPosition, seat: Seat) -> Option<i32>;
    fn level(&self, level: SkillLevel) -> Option<PlayerKind>;
}

type TextPly = Ply<MoveText, MoveText>;

/// The texts of legal moves. A move that is skipped is never written.
pub(super) type LegalTexts<'a> = Box<dyn ExactSizeIterator<Item = MoveText> + 'a>;

/// A game that reads and writes its moves as text.
pub(super) struct TypedGame<G>(pub(super) G);

const READABLE: &str = "only legal moves are applied, and those can be read";

impl<G: Game> TypedGame<G> {
    fn read(&self, text: &MoveText) -> G::Move {
        self.0.read_move(text.as_str()).expect(READABLE)
    }

    fn read_ply(&self, ply: &TextPly) -> PlyOf<G> {
        match ply {
            Ply::Chance(drawn) => Ply::Chance(self.0.read_chance(drawn.as_str()).expect(READABLE)),
            Ply::Moves(moves) => {
                let moves = moves.iter().map(|(seat, text)| (*seat, self.read(text)));
                Ply::Moves(moves.collect())
            }
        }
    }

    fn read_history(&self, history: &[TextPly]) -> Vec<PlyOf<G>> {
        history.iter().map(|ply| self.read_ply(ply)).collect()
    }
}

impl<G: Game> DynGame for TypedGame<G> {
    fn name(&self) -> String {
        self.0.name()
    }

    fn seats(&self) -> Vec<&str> {
        self.0.seats()
    }

    fn hides(&self) -> bool {
        self.0.hides()
    }

    fn score_unit(&self) -> Option<&str> {
        self.0.score_unit()
    }

    fn start(&self) -> AnyPosition {
        AnyPosition::new::<G>(self.0.start())
    }

    fn is_broken(&self, position: &AnyPosition) -> bool {
        self.0.is_broken(position.typed::<G>())
    }

    fn turn(&self, position: &AnyPosition) -> Turn {
        self.0.turn(position.typed::<G>())
    }

    fn legal_moves<'a>(&'a self, position: &'a AnyPosition, seat: Seat) -> LegalTexts<'a> {
        Box::new(MoveTexts(self.0.legal_moves(position.typed::<G>(), seat)))
    }

    fn objections(&self, position: &AnyPosition, seat: Seat, chosen: &MoveText) -> Vec<Reason> {
        match self.0.read_move(chosen.as_str()) {
            Ok(chosen) => self.0.objections(position.typed::<G>(), seat, &chosen),
            Err(refusal) => refusal.reasons().cloned().collect(),
        }
    }

    fn check(&self, position: &AnyPosition, seat: Seat, chosen: &MoveText) -> Result<(), Refusal> {
        let chosen = self.0.read_move(chosen.as_str())?;
        self.0.check(position.typed::<G>(), seat, &chosen)
    }

    fn apply(&self, position: &mut AnyPosition, seat: Seat, chosen: &MoveText) {
        self.0.apply(position.typed_mut::<G>(), seat, &self.read(chosen));
    }

    fn advance(
        &self,
        position: &mut AnyPosition,
        seat: Seat,
        chosen: &MoveText,
    ) -> Result<(), Refusal> {
        let chosen = self.0.read_move(chosen.as_str())?;
        self.0.advance(position.typed_mut::<G>(), seat, chosen)
    }

    fn advance_all(
        &self,
        position: &mut AnyPosition,
        moves: &[(Seat, MoveText)],
    ) -> Result<(), Refusal> {
        let read = |(seat, text): &(Seat, MoveText)| Ok((*seat, self.0.read_move(text.as_str())?));
        let moves = moves.iter().map(read).collect::<Result<Vec<_>, Refusal>>()?;
        self.0.advance_all(position.typed_mut::<G>(), &moves)
    }

    fn count_moves(&self, position: &AnyPosition, seat: Seat) -> usize {
        self.0.count_moves(position.typed::<G>(), seat)
    }

    fn apply_nth(&self, position: &mut AnyPosition, seat: Seat, place: usize) -> bool {
        self.0.apply_nth(position.typed_mut::<G>(), seat, place)
    }

    fn chances(&self, position: &AnyPosition) -> Vec<(MoveText, Probability)> {
        let chances = self.0.chances(position.typed::<G>()).into_iter();
        chances.map(|(drawn, probability)| (MoveText::of(drawn), probability)).collect()
    }

    fn apply_chance(&self, position: &mut AnyPosition, drawn: &MoveText) {
        let drawn = self.0.read_chance(drawn.as_str()).expect(READABLE);
        self.0.apply_chance(position.typed_mut::<G>(), &drawn);
    }

    fn text(&self, position: &AnyPosition) -> String {
        self.0.text(position.typed::<G>())
    }

    fn key(&self, position: &AnyPosition) -> Option<Vec<u8>> {
        self.0.key(position.typed::<G>())
    }

    fn view(&self, position: &AnyPosition, viewer: Viewer) -> String {
        self.0.view(position.typed::<G>(), viewer)
    }

    fn seen(&self, position: &AnyPosition, ply: &TextPly, viewer: Viewer) -> String {
        self.0.seen(position.typed::<G>(), &self.read_ply(ply), viewer)
    }

    fn picture(&self, position: &AnyPosition, viewer: Viewer) -> Picture {
        self.0.picture(position.typed::<G>(), viewer)
    }

    fn label(&self, chosen: &MoveText) -> String {
        match self.0.read_move(chosen.as_str()) {
            Ok(chosen) => self.0.label(&chosen),
            Err(_) => chosen.to_string(),
        }
    }

    fn winning_lines(&self, history: &[TextPly]) -> Vec<String> {
        self.0.winning_lines(&self.read_history(history))
    }

    fn read_move(&self, text: &str) -> Result<MoveText, Refusal> {
        self.0.read_move(text).map(MoveText::of)
    }

    fn read_chance(&self, text: &str) -> Result<MoveText, Refusal> {
        self.0.read_chance(text).map(MoveText::of)
    }

    fn awake(&self, history: &[TextPly], strategies_of: Option<Seat>) -> Vec<AwakeThread> {
        self.0.awake(&self.read_history(history), strategies_of)
    }

    fn purpose(&self, strategy: &str) -> Option<String> {
        self.0.purpose(strategy)
    }

    fn bytes(&self) -> usize {
        self.0.bytes()
    }

    fn strategies(&self, seat: Seat) -> Option<Box<dyn Player<AnyGame>>> {
        let (player, game) = (self.0.strategies(seat)?, Self(self.0.clone()));
        Some(Box::new(TypedPlayer::new(game, player)))
    }

    fn estimate(&self, position: &AnyPosition, seat: Seat) -> Option<i32> {
        self.0.estimate(position.typed::<G>(), seat)
    }

    fn level(&self, level: SkillLevel) -> Option<PlayerKind> {
        self.0.level(level)
    }
}

/// Writes moves as text one by one. A move that is skipped is never written.
struct MoveTexts<I>(I);

impl<M: std::fmt::Display, I: ExactSizeIterator<Item = M>> Iterator for MoveTexts<I> {
    type Item = MoveText;

    fn next(&mut self) -> Option<MoveText> {
        self.0.next().map(MoveText::of)
    }

    fn nth(&mut self, skipped: usize) -> Option<MoveText> {
        self.0.nth(skipped).map(MoveText::of)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }
}

impl<M: std::fmt::Display, I: ExactSizeIterator<Item = M>> ExactSizeIterator for MoveTexts<I> {}

/// A player of a game, who plays the same game as text.
pub(super) struct TypedPlayer<G: Game> {
    game: TypedGame<G>,
    player: Box<dyn Player<G>>,
    read: ReadHistory,
    /// The plies that were read, as the game has them.
    history: Vec<PlyOf<G>>,
    history_id: HistoryId,
}

impl<G: Game> TypedPlayer<G> {
    pub(super) fn new(game: TypedGame<G>, player: Box<dyn Player<G>>) -> Self {
        let (read, history_id) = (ReadHistory::default(), HistoryId::default());
        Self { game, player, read, history: Vec::new(), history_id }
    }
}

impl<G: Game> std::fmt::Debug for TypedPlayer<G> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.player.fmt(f)
    }
}

impl<G: Game> Player<AnyGame> for TypedPlayer<G> {
    fn choose(
        &mut self,
        player_view: &PlayerView<'_, AnyGame>,
    ) -> Result<Choice<MoveText>, PlayerError> {
        match self.read.unread(player_view) {
            UnreadPlies::More(plies) => self.history.extend(self.game.read_history(plies)),
            UnreadPlies::All(plies) => {
                self.history = self.game.read_history(plies);
                self.history_id = HistoryId::default();
            }
        }
        let position = player_view.whole_position().typed::<G>();
        let refusals = player_view.refusals();
        let player_view =
            PlayerView::new(&self.game.0, position, player_view.seat(), &self.history)
                .of_history(&self.history_id)
                .after_refusals(refusals);
        let Choice { chosen, explanation } = self.player.choose(&player_view)?;
        Ok(Choice { chosen: MoveText::of(chosen), explanation })
    }
}
