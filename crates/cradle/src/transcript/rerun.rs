//! A match that is played again as a transcript says.

use anyhow::{Context, bail, ensure};
use game::{AnyGame, Game, Match, OnIllegalMove, Outcome, Refusal, Seat, ToAct, seat_name};

use super::by_seat::BySeat;
use super::line::{Line, Said, result};
use crate::names;

/// A match that is played again; whatever the transcript says is checked.
pub(super) struct Rerun {
    game: AnyGame,
    again: Match<AnyGame>,
    /// Who last chose what it may not.
    illegal: Option<Seat>,
    end: Option<Outcome>,
}

impl Rerun {
    /// # Errors
    /// If the transcript begins with another position than the game.
    pub(super) fn new(game: AnyGame, position: Option<&str>) -> anyhow::Result<Self> {
        let again = Match::new(game.clone(), OnIllegalMove::AskAgain);
        let rerun = Self { game, again, illegal: None, end: None };
        position.map_or(Ok(()), |position| rerun.is_at(position))?;
        Ok(rerun)
    }

    pub(super) fn game(&self) -> &AnyGame {
        &self.game
    }

    pub(super) fn again(&self) -> &Match<AnyGame> {
        &self.again
    }

    /// How the match ended, if the transcript comes to its end.
    pub(super) fn end(&self) -> Option<Outcome> {
        match self.again.to_act() {
            ToAct::Nobody(outcome) => Some(outcome),
            ToAct::Seats(_) | ToAct::Chance => self.end,
        }
    }

    /// Lets happen what a line says; tells in a few words what that was.
    ///
    /// # Errors
    /// If it cannot have happened there.
    pub(super) fn follow(&mut self, line: &Line) -> anyhow::Result<Option<String>> {
        ensure!(self.end.is_none(), "the match has ended before");
        match line {
            Line::Begin { .. } => bail!("another match begins; a transcript is of one"),
            Line::Move { position, moves, .. } => {
                self.is_at(position)?;
                self.choose(moves).map(Some)
            }
            Line::Chance { position, drawn } => {
                self.is_at(position)?;
                let drawn = self.game.read_chance(drawn)?;
                self.again.draw(drawn.clone())?;
                Ok(Some(format!("drawn: {drawn}")))
            }
            Line::Error { position, seat, chosen, refusal } => {
                self.is_at(position)?;
                self.refuse(seat, chosen, refusal.as_ref()).map(Some)
            }
            Line::Quit { position, seat } => {
                self.is_at(position)?;
                let seat = names::seat(&self.game, seat)?;
                self.again.resign(seat)?;
                Ok(Some(format!("{} gave up", seat_name(&self.game, seat))))
            }
            Line::End { position, result, win } => {
                self.is_at(position)?;
                self.finish(result, win)?;
                Ok(None)
            }
        }
    }

    fn is_at(&self, position: &str) -> anyhow::Result<()> {
        let now = self.game.text(self.again.position());
        ensure!(now == position, "the position is {now:?} there, and not {position:?}");
        Ok(())
    }

    fn choose(&mut self, moves: &BySeat<Said>) -> anyhow::Result<String> {
        let before = self.again.history().len();
        let mut told = Vec::new();
        for (name, said) in &moves.0 {
            let seat = names::seat(&self.game, name)?;
            let chosen = self.game.read_move(&said.text())?;
            told.push(format!("{} {chosen}", seat_name(&self.game, seat)));
            self.again.choose(seat, chosen).with_context(|| format!("{name} cannot choose it"))?;
        }
        ensure!(self.again.history().len() > before, "not every seat in turn has chosen");
        self.illegal = None;
        Ok(told.join(", "))
    }

    fn refuse(
        &mut self,
        name: &str,
        chosen: &Said,
        said: Option<&Refusal>,
    ) -> anyhow::Result<String> {
        ensure!(self.end().is_none(), "the match has ended before");
        let seat = names::seat(&self.game, name)?;
        let (name, read) = (seat_name(&self.game, seat), self.game.read_move(&chosen.text())?);
        let Err(refusal) = self.game.check(self.again.position(), seat, &read) else {
            bail!("{name} may choose {read} there, but the transcript says that it was refused");
        };
        ensure!(said.is_none_or(|said| *said == refusal), "{read} is refused for other reasons");
        self.illegal = Some(seat);
        Ok(format!("{name} {read} was refused: {refusal}"))
    }

    fn finish(&mut self, said: &BySeat<i32>, win: &[String]) -> anyhow::Result<()> {
        let seats = self.game.seats().len();
        let lost = self.illegal.map(|seat| Outcome::lost_by(seat, seats));
        let outcome = self.end().or(lost).context("the match is not over there")?;
        let known = result(&self.game, &outcome);
        let is_same =
            known.0.len() == said.0.len() && known.0.iter().all(|each| said.0.contains(each));
        let (known, said) = (serde_json::to_string(&known)?, serde_json::to_string(said)?);
        ensure!(is_same, "the result is {known}, and not {said}");
        let lines = self.game.winning_lines(self.again.history());
        // Transcripts of other programs, and old ones, do not name the lines.
        ensure!(win.is_empty() || *win == *lines, "the win is {lines:?}, and not {win:?}");
        self.end = Some(outcome);
        Ok(())
    }
}
