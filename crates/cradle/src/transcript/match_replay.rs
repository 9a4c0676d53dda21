//! Plays a match again as its transcript says.

use anyhow::{Context, bail, ensure};
use game::{
    AnyGame, Choice, Game, Generator, Match, MoveExplanation, MoveText, OnIllegalMove, Outcome,
    Refusal, Seat, ToAct, seat_name,
};

use super::by_seat::BySeat;
use super::line::{Beginning, TranscriptLine, WrittenMove, result};
use super::players::MatchPlayers;
use crate::names;

/// A match that is played again. Every line of the transcript is checked: positions, moves, refusals,
/// the result and, if the transcript names them, the players and their seed.
pub(super) struct MatchReplay {
    game: AnyGame,
    again: Match<AnyGame>,
    players: Option<NamedPlayers>,
    /// The seat whose choice was refused last.
    refused: Option<Seat>,
    end: Option<Outcome>,
}

/// The players that the transcript names. They choose again, to see that they choose the same.
struct NamedPlayers {
    names: Vec<String>,
    seed: u64,
    made: MatchPlayers,
    chance: Generator,
}

impl NamedPlayers {
    /// The players of a beginning; `None` if it has no seed or no players.
    fn of(game: &AnyGame, beginning: &Beginning) -> anyhow::Result<Option<Self>> {
        let BySeat(given) = &beginning.players;
        let Some(seed) = beginning.seed.filter(|_| !given.is_empty()) else { return Ok(None) };
        let seats: Vec<&str> = given.iter().map(|(seat, _)| seat.as_str()).collect();
        ensure!(seats == game.seats(), "the seats are {}", game.seats().join(" and "));
        let names: Vec<String> = given.iter().map(|(_, name)| name.clone()).collect();
        let made = MatchPlayers::new(game, &names, seed)?;
        let chance = Generator::seeded(made.chance);
        Ok(Some(Self { names, seed, made, chance }))
    }
}

impl MatchReplay {
    /// A replay of this game, whose transcript does not say how it begins.
    pub(super) fn new(game: AnyGame) -> Self {
        let again = Match::new(game.clone(), OnIllegalMove::AskAgain);
        Self { game, again, players: None, refused: None, end: None }
    }

    /// A replay with this beginning.
    ///
    /// # Errors
    /// If the game begins with another position, or a player is not known.
    pub(super) fn from_beginning(game: AnyGame, beginning: &Beginning) -> anyhow::Result<Self> {
        let players = NamedPlayers::of(&game, beginning)?;
        let replay = Self { players, ..Self::new(game) };
        replay.check_position(&beginning.position)?;
        Ok(replay)
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

    /// Plays one line and returns what happened, in a few words.
    ///
    /// # Errors
    /// If it cannot have happened there.
    pub(super) fn follow(&mut self, line: &TranscriptLine) -> anyhow::Result<Option<String>> {
        ensure!(self.end.is_none(), "the match has ended before");
        match line {
            TranscriptLine::Begin(_) => bail!("another match begins; a transcript has only one"),
            TranscriptLine::Move { position, moves, why } => {
                self.check_position(position)?;
                self.choose(moves, why).map(Some)
            }
            TranscriptLine::Chance { position, drawn } => {
                self.check_position(position)?;
                self.draw(drawn).map(Some)
            }
            TranscriptLine::Error { position, seat, chosen, refusal } => {
                self.check_position(position)?;
                self.refuse(seat, chosen, refusal.as_ref()).map(Some)
            }
            TranscriptLine::Quit { position, seat } => {
                self.check_position(position)?;
                let seat = names::seat(&self.game, seat)?;
                self.again.resign(seat)?;
                Ok(Some(format!("{} gave up", seat_name(&self.game, seat))))
            }
            TranscriptLine::End { position, result, win } => {
                self.check_position(position)?;
                self.finish(result, win)?;
                Ok(None)
            }
        }
    }

    fn check_position(&self, position: &str) -> anyhow::Result<()> {
        let now = self.game.text(self.again.position());
        ensure!(now == position, "the position is {now:?} there, not {position:?}");
        Ok(())
    }

    fn choose(
        &mut self,
        moves: &BySeat<WrittenMove>,
        explanations: &BySeat<MoveExplanation>,
    ) -> anyhow::Result<String> {
        let before = self.again.history().len();
        let mut words = Vec::new();
        for (name, written) in &moves.0 {
            let seat = names::seat(&self.game, name)?;
            let chosen = self.game.read_move(&written.text())?;
            words.push(format!("{} {chosen}", seat_name(&self.game, seat)));
            let choice = self.choice_again(seat)?;
            let made = self.again.choose(seat, chosen.clone());
            made.with_context(|| format!("{name} cannot choose it"))?;
            if let Some(choice) = choice {
                let explanation = explanations.0.iter().find(|(other, _)| other == name);
                self.check_choice(seat, &choice, &chosen)?;
                check_explanation(&choice, explanation.map(|(_, explanation)| explanation))?;
            }
        }
        ensure!(self.again.history().len() > before, "not every seat in turn has chosen");
        self.refused = None;
        Ok(words.join(", "))
    }

    /// What the named player of a seat chooses now.
    fn choice_again(&mut self, seat: Seat) -> anyhow::Result<Option<Choice<MoveText>>> {
        let Some(NamedPlayers { names, made, .. }) = &mut self.players else { return Ok(None) };
        let choice = made.players[seat.index()].choose(&self.again.player_view(seat));
        let name = &names[seat.index()];
        Ok(Some(choice.with_context(|| format!("{name} cannot go on there"))?))
    }

    fn check_choice(
        &self,
        seat: Seat,
        choice: &Choice<MoveText>,
        chosen: &MoveText,
    ) -> anyhow::Result<()> {
        let Some(NamedPlayers { names, seed, .. }) = &self.players else { return Ok(()) };
        let (name, seat_name) = (&names[seat.index()], seat_name(&self.game, seat));
        let expected = &choice.chosen;
        ensure!(
            expected == chosen,
            "with seed {seed} the player {name} of {seat_name} chooses {expected} there, not {chosen}"
        );
        Ok(())
    }

    fn draw(&mut self, written: &str) -> anyhow::Result<String> {
        let drawn = self.game.read_chance(written)?;
        let expected = match &mut self.players {
            Some(NamedPlayers { chance, .. }) => {
                self.game.draw_chance(self.again.position(), chance)?
            }
            None => None,
        };
        self.again.draw(drawn.clone())?;
        if let (Some(expected), Some(NamedPlayers { seed, .. })) = (expected, &self.players) {
            ensure!(
                expected == drawn,
                "with seed {seed} chance draws {expected} there, not {drawn}"
            );
        }
        Ok(format!("drawn: {drawn}"))
    }

    fn refuse(
        &mut self,
        name: &str,
        written: &WrittenMove,
        reasons: Option<&Refusal>,
    ) -> anyhow::Result<String> {
        ensure!(self.end().is_none(), "the match has ended before");
        let seat = names::seat(&self.game, name)?;
        let chosen = self.game.read_move(&written.text())?;
        let choice = self.choice_again(seat)?;
        let name = seat_name(&self.game, seat);
        let Err(refusal) = self.again.choose(seat, chosen.clone()) else {
            bail!("{name} may choose {chosen} there, but the transcript says that it was refused");
        };
        ensure!(
            reasons.is_none_or(|known| *known == refusal),
            "{chosen} is refused for other reasons"
        );
        if let Some(choice) = choice {
            self.check_choice(seat, &choice, &chosen)?;
        }
        self.refused = Some(seat);
        Ok(format!("{name} {chosen} was refused: {refusal}"))
    }

    fn finish(&mut self, written: &BySeat<i32>, win: &[String]) -> anyhow::Result<()> {
        let seats = self.game.seats().len();
        let lost = self.refused.map(|seat| Outcome::lost_by(seat, seats));
        let outcome = self.end().or(lost).context("the match is not over there")?;
        let known = result(&self.game, &outcome);
        let is_same =
            known.0.len() == written.0.len() && known.0.iter().all(|each| written.0.contains(each));
        let (known, written) = (serde_json::to_string(&known)?, serde_json::to_string(written)?);
        ensure!(is_same, "the result is {known}, not {written}");
        let lines = self.game.winning_lines(self.again.history());
        // Old transcripts, and those of other programs, do not name the lines.
        ensure!(win.is_empty() || *win == *lines, "the win is {lines:?}, not {win:?}");
        self.end = Some(outcome);
        Ok(())
    }
}

/// Compares the b-threads behind a move. Sentences may change from version to version.
fn check_explanation(
    choice: &Choice<MoveText>,
    written: Option<&MoveExplanation>,
) -> anyhow::Result<()> {
    let threads = |explanation: &MoveExplanation| explanation.wanted_by.clone();
    let (expected, written) = (choice.explanation.as_ref().map(threads), written.map(threads));
    ensure!(expected == written, "the player explains {} in another way", choice.chosen);
    Ok(())
}
