//! A game is played a second time as an [`AnyGame`], and must not differ from the typed game.

use std::fmt::Debug;

use super::inspected_position::{InspectedPosition, viewers};
use super::known_positions::hash;
use super::violation::{Aspect, Violation};
use crate::any_game::{AnyGame, AnyPosition, MoveText};
use crate::game::Game;
use crate::ply::{Ply, PlyOf};
use crate::refusal::Refusal;

/// The game as an [`AnyGame`], in the same position as the typed one.
pub(super) struct AnyGameMirror {
    game: AnyGame,
    position: AnyPosition,
}

impl AnyGameMirror {
    /// Starts the second game, unless the two describe themselves differently.
    pub(super) fn of<G: Game>(game: &G) -> Result<Self, Violation> {
        let any = AnyGame::new(game.clone());
        let position = any.start();
        let typed = (game.name(), game.seats(), game.hides(), game.score_unit());
        let described = (any.name(), any.seats(), any.hides(), any.score_unit());
        let text = game.text(&game.start());
        same(&text, Aspect::Description, &typed, &described)?;
        Ok(Self { game: any, position })
    }

    /// Both games read a text as the same move and the same outcome of chance.
    pub(super) fn reads_alike<G: Game>(game: &G, text: &str) -> Result<(), Violation> {
        let any = AnyGame::new(game.clone());
        let typed = (as_text(game.read_move(text)), as_text(game.read_chance(text)));
        let read = (as_text(any.read_move(text)), as_text(any.read_chance(text)));
        same(&game.text(&game.start()), Aspect::Reading, &typed, &read)
    }

    /// Everything about the position is the same in both games. `remembered` are moves of other
    /// positions, most of which are illegal here.
    pub(super) fn check<G: Game>(
        &self,
        inspected: &InspectedPosition<'_, G>,
        remembered: &[G::Move],
    ) -> Result<(), Violation> {
        let (any, position) = (&self.game, &self.position);
        let text = &inspected.text;
        same(text, Aspect::Text, text, &any.text(position))?;
        same(text, Aspect::Turn, &inspected.turn, &any.turn(position))?;
        same(text, Aspect::Hash, &hash(inspected.position), &hash(position))?;
        for seat in inspected.seats().iter() {
            let typed: Vec<_> = inspected.legal[seat.index()].iter().map(MoveText::of).collect();
            let moves: Vec<_> = any.legal_moves(position, seat).collect();
            same(text, Aspect::LegalMoves, &typed, &moves)?;
            let labels: Vec<_> = inspected.legal[seat.index()]
                .iter()
                .map(|chosen| inspected.game.label(chosen))
                .collect();
            let written: Vec<_> = moves.iter().map(|chosen| any.label(chosen)).collect();
            same(text, Aspect::Labels, &labels, &written)?;
        }
        for viewer in viewers(inspected.game) {
            let (one, other) =
                (inspected.game.view(inspected.position, viewer), any.view(position, viewer));
            same(text, Aspect::View, &one, &other)?;
            let one = inspected.game.picture(inspected.position, viewer);
            same(text, Aspect::Picture, &one, &any.picture(position, viewer))?;
        }
        let chances = inspected.chances.iter();
        let chances: Vec<_> =
            chances.map(|(drawn, likely)| (MoveText::of(drawn), *likely)).collect();
        same(text, Aspect::Chances, &chances, &any.chances(position))?;
        self.refuses_alike(inspected, remembered)
    }

    /// Both games allow and refuse the same moves, for the same reasons.
    fn refuses_alike<G: Game>(
        &self,
        inspected: &InspectedPosition<'_, G>,
        remembered: &[G::Move],
    ) -> Result<(), Violation> {
        for chosen in remembered {
            let text = MoveText::of(chosen);
            for seat in inspected.seats().iter() {
                let typed = inspected.game.check(inspected.position, seat, chosen);
                let checked = self.game.check(&self.position, seat, &text);
                same(&inspected.text, Aspect::Refusals, &typed, &checked)?;
            }
        }
        Ok(())
    }

    /// Plays the same ply: every viewer sees the same of it, and the position changes in both games or
    /// in neither. [`check`](Self::check) compares the new positions.
    pub(super) fn follow<G: Game>(
        &mut self,
        game: &G,
        position: &G::Position,
        ply: &PlyOf<G>,
        next: &G::Position,
    ) -> Result<(), Violation> {
        let text = game.text(position);
        let written = written::<G>(ply);
        for viewer in viewers(game) {
            let typed = game.seen(position, ply, viewer);
            same(&text, Aspect::Seen, &typed, &self.game.seen(&self.position, &written, viewer))?;
        }
        let before = self.position.clone();
        let advanced = match &written {
            Ply::Moves(moves) => self.game.advance_all(&mut self.position, moves),
            Ply::Chance(drawn) => self.game.advance_chance(&mut self.position, drawn),
        };
        same(&text, Aspect::Next, &Ok(()), &advanced)?;
        same(&text, Aspect::Equality, &(position == next), &(before == self.position))
    }
}

/// A ply with moves as text.
fn written<G: Game>(ply: &PlyOf<G>) -> Ply<MoveText, MoveText> {
    match ply {
        Ply::Chance(drawn) => Ply::Chance(MoveText::of(drawn)),
        Ply::Moves(moves) => {
            let moves = moves.iter().map(|(seat, chosen)| (*seat, MoveText::of(chosen)));
            Ply::Moves(moves.collect())
        }
    }
}

fn as_text(read: Result<impl ToString, Refusal>) -> Result<String, Refusal> {
    read.map(|value| value.to_string())
}

/// Reports a difference between the typed game and the other one, with the text of the position.
fn same<T: PartialEq + Debug>(
    position: &str,
    aspect: Aspect,
    typed: &T,
    any: &T,
) -> Result<(), Violation> {
    if typed == any {
        return Ok(());
    }
    let (typed, any) = (format!("{typed:?}"), format!("{any:?}"));
    Err(Violation::AnyDiffers { position: position.to_owned(), aspect, typed, any })
}
