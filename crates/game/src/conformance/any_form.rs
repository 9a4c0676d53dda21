//! The same game in the form that speaks text.

use std::fmt::Debug;

use super::known::hash;
use super::scene::{Scene, viewers};
use super::violation::{Aspect, Violation};
use crate::any::{AnyGame, AnyPosition, Text};
use crate::game::Game;
use crate::happening::{Ply, PlyOf};
use crate::refusal::Refusal;

/// The same game in the form that speaks text, at the same point.
pub(super) struct AnyForm {
    game: AnyGame,
    position: AnyPosition,
}

impl AnyForm {
    pub(super) fn of<G: Game>(game: &G) -> Result<Self, Violation> {
        let any = AnyGame::new(game.clone());
        let position = any.start();
        let typed = (game.name(), game.seats(), game.hides());
        let described = (any.name(), any.seats(), any.hides());
        let text = game.text(&game.start());
        same(&text, Aspect::Description, &typed, &described)?;
        Ok(Self { game: any, position })
    }

    /// A text is read as the same move and the same draw.
    pub(super) fn reads_alike<G: Game>(game: &G, text: &str) -> Result<(), Violation> {
        let any = AnyGame::new(game.clone());
        let typed = (in_words(game.read_move(text)), in_words(game.read_chance(text)));
        let read = (in_words(any.read_move(text)), in_words(any.read_chance(text)));
        same(&game.text(&game.start()), Aspect::Reading, &typed, &read)
    }

    /// Everything about the position is the same.
    pub(super) fn agrees<G: Game>(
        &self,
        scene: &Scene<'_, G>,
        met: &[G::Move],
    ) -> Result<(), Violation> {
        let (any, position) = (&self.game, &self.position);
        let text = &scene.text;
        same(text, Aspect::Text, text, &any.text(position))?;
        same(text, Aspect::Turn, &scene.turn, &any.turn(position))?;
        same(text, Aspect::Hash, &hash(scene.position), &hash(position))?;
        for seat in scene.seats().iter() {
            let typed: Vec<_> = scene.legal[seat.index()].iter().map(Text::of).collect();
            let moves: Vec<_> = any.legal_moves(position, seat).collect();
            same(text, Aspect::LegalMoves, &typed, &moves)?;
        }
        for viewer in viewers(scene.game) {
            let (one, other) =
                (scene.game.view(scene.position, viewer), any.view(position, viewer));
            same(text, Aspect::View, &one, &other)?;
            let one = scene.game.picture(scene.position, viewer);
            same(text, Aspect::Picture, &one, &any.picture(position, viewer))?;
        }
        let chances = scene.chances.iter();
        let chances: Vec<_> = chances.map(|(drawn, likely)| (Text::of(drawn), *likely)).collect();
        same(text, Aspect::Chances, &chances, &any.chances(position))?;
        self.refuses_alike(scene, met)
    }

    fn refuses_alike<G: Game>(
        &self,
        scene: &Scene<'_, G>,
        met: &[G::Move],
    ) -> Result<(), Violation> {
        for chosen in met {
            let text = Text::of(chosen);
            for seat in scene.seats().iter() {
                let typed = scene.game.check(scene.position, seat, chosen);
                let checked = self.game.check(&self.position, seat, &text);
                same(&scene.text, Aspect::Refusals, &typed, &checked)?;
            }
        }
        Ok(())
    }

    /// Lets the same happen, which everybody sees alike and which leads to the same position.
    pub(super) fn follow<G: Game>(
        &mut self,
        game: &G,
        position: &G::Position,
        happening: &PlyOf<G>,
        next: &G::Position,
    ) -> Result<(), Violation> {
        let text = game.text(position);
        let spoken = spoken::<G>(happening);
        for viewer in viewers(game) {
            let typed = game.seen(position, happening, viewer);
            same(&text, Aspect::Seen, &typed, &self.game.seen(&self.position, &spoken, viewer))?;
        }
        let before = self.position.clone();
        let advanced = match &spoken {
            Ply::Moves(moves) => self.game.advance(&mut self.position, moves),
            Ply::Chance(drawn) => self.game.advance_chance(&mut self.position, drawn),
        };
        same(&text, Aspect::Next, &Ok(()), &advanced)?;
        same(&text, Aspect::Equality, &(position == next), &(before == self.position))
    }
}

fn spoken<G: Game>(happening: &PlyOf<G>) -> Ply<Text, Text> {
    match happening {
        Ply::Chance(drawn) => Ply::Chance(Text::of(drawn)),
        Ply::Moves(moves) => {
            let moves = moves.iter().map(|(seat, chosen)| (*seat, Text::of(chosen)));
            Ply::Moves(moves.collect())
        }
    }
}

fn in_words(read: Result<impl ToString, Refusal>) -> Result<String, Refusal> {
    read.map(|word| word.to_string())
}

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
