//! Plays a match again as its transcript says.

use anyhow::{Context, bail, ensure};
use game::{
    AnyGame, Choice, Game, Generator, Match, MoveText, OnIllegalMove, Outcome, Seat, ToAct,
    all_seats, seat_name,
};
use serde_json::Value;

use super::by_seat::BySeat;
use super::difference::difference;
use super::line::{Beginning, TranscriptLine, WrittenMove, json, result};
use super::players::MatchPlayers;
use crate::nearest::UnknownName;

/// Why a line that follows the end cannot be true.
pub(super) const AFTER_THE_END: &str = "the match has ended before";

/// A match that is played again. Everything that a line says and that the rules determine is checked:
/// positions, moves, refusals, the result and its lines. If the transcript names players and a seed,
/// they choose and explain again.
pub(super) struct MatchReplay {
    game: AnyGame,
    again: Match<AnyGame>,
    players: Option<NamedPlayers>,
    /// The seat whose choice was refused in the line before.
    refused: Option<Seat>,
    /// The number of refusals.
    refusals: usize,
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
    /// The players of a beginning; `None` if it names neither players nor a seed.
    fn of(game: &AnyGame, beginning: &Beginning) -> anyhow::Result<Option<Self>> {
        let BySeat(given) = &beginning.players;
        let seed = match (beginning.seed, given.is_empty()) {
            (Some(seed), false) => seed,
            (None, true) => return Ok(None),
            (Some(_), true) => bail!("there is a seed, but no players: write both or neither"),
            (None, false) => bail!("there are players, but no seed: write both or neither"),
        };
        let seats = game.seats();
        let of_seat = |seat: &&str| given.iter().find(|(name, _)| name == seat);
        let players: Option<Vec<_>> = seats.iter().map(of_seat).collect();
        let players = players.filter(|players| players.len() == given.len());
        let players = players.with_context(|| format!("the seats are {}", seats.join(" and ")))?;
        let names: Vec<String> = players.into_iter().map(|(_, name)| name.clone()).collect();
        let made = MatchPlayers::new(game, &names, seed)?;
        let chance = Generator::seeded(made.chance);
        Ok(Some(Self { names, seed, made, chance }))
    }
}

impl MatchReplay {
    /// A replay of this game, whose transcript does not say how it begins.
    pub(super) fn new(game: AnyGame) -> Self {
        let again = Match::new(game.clone(), OnIllegalMove::AskAgain);
        Self { game, again, players: None, refused: None, refusals: 0, end: None }
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
        self.end
    }

    /// How the match ends after the lines so far, if the rules say so.
    fn outcome(&self) -> Option<Outcome> {
        match self.again.to_act() {
            ToAct::Nobody(outcome) => Some(outcome),
            ToAct::Seats(_) | ToAct::Chance => None,
        }
    }

    /// Plays one line and returns what happened, in a few words.
    ///
    /// # Errors
    /// If it cannot have happened there.
    pub(super) fn follow(&mut self, line: &TranscriptLine) -> anyhow::Result<Option<String>> {
        ensure!(self.end.is_none(), AFTER_THE_END);
        let refused = self.refused.take();
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
                self.refuse(seat, chosen, refusal).map(Some)
            }
            TranscriptLine::Quit { position, seat } => {
                self.check_position(position)?;
                self.give_up(seat).map(Some)
            }
            TranscriptLine::End { position, result, win } => {
                self.check_position(position)?;
                self.finish(result, win, refused)?;
                Ok(None)
            }
        }
    }

    fn check_position(&self, position: &str) -> anyhow::Result<()> {
        let now = self.game.text(self.again.position());
        ensure!(now == position, "the position is {now:?} there, not {position:?}");
        Ok(())
    }

    /// The seat with exactly this name.
    fn seat(&self, name: &str) -> anyhow::Result<Seat> {
        let seat = all_seats(&self.game).iter().find(|seat| seat_name(&self.game, *seat) == name);
        seat.with_context(|| UnknownName::new("seat", name, self.game.seats()))
    }

    fn choose(
        &mut self,
        moves: &BySeat<WrittenMove>,
        written: &BySeat<Value>,
    ) -> anyhow::Result<String> {
        let before = self.again.history().len();
        let (mut words, mut explanations) = (Vec::new(), BySeat::default());
        for (name, written) in &moves.0 {
            let seat = self.seat(name)?;
            let chosen = self.game.read_move(&written.text())?;
            words.push(format!("{name} {chosen}"));
            let choice = self.choice_again(seat)?;
            let made = self.again.choose(seat, chosen.clone());
            made.with_context(|| format!("{name} cannot choose it"))?;
            if let Some(choice) = choice {
                self.check_choice(seat, &choice, &chosen)?;
                let explanation = choice.explanation.iter();
                explanations.0.extend(explanation.map(|why| (name.clone(), json(why))));
            }
        }
        ensure!(self.again.history().len() > before, "not every seat in turn has chosen");
        self.check_explanations(&explanations, written)?;
        Ok(words.join(", "))
    }

    fn check_explanations(
        &self,
        expected: &BySeat<Value>,
        written: &BySeat<Value>,
    ) -> anyhow::Result<()> {
        ensure!(
            self.players.is_some() || written.is_empty(),
            "the transcript does not name the players whose reasons it tells"
        );
        check("why", &json(expected), &json(written))
    }

    fn give_up(&mut self, name: &str) -> anyhow::Result<String> {
        let seat = self.seat(name)?;
        if let Some(NamedPlayers { names, made, .. }) = &mut self.players {
            let choice = made.players[seat.index()].choose(&self.again.player_view(seat));
            let player = &names[seat.index()];
            ensure!(choice.is_err(), "the player {player} of {name} can go on there");
        }
        self.again.resign(seat)?;
        Ok(format!("{name} gave up"))
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
        reasons: &Value,
    ) -> anyhow::Result<String> {
        ensure!(self.outcome().is_none(), AFTER_THE_END);
        let seat = self.seat(name)?;
        let chosen = self.game.read_move(&written.text())?;
        let choice = self.choice_again(seat)?;
        let Err(refusal) = self.again.choose(seat, chosen.clone()) else {
            bail!("{name} may choose {chosen} there, but the transcript says that it was refused");
        };
        match reasons {
            Value::String(_) => check("refusal", &json(&refusal.to_string()), reasons)?,
            _ => check("refusal", &json(&refusal), reasons)?,
        }
        if let Some(choice) = choice {
            self.check_choice(seat, &choice, &chosen)?;
        }
        (self.refused, self.refusals) = (Some(seat), self.refusals + 1);
        Ok(format!("{name} {chosen} was refused: {refusal}"))
    }

    /// The seat was refused in the line before. Then it may have lost: matches end there at the first
    /// illegal move, unless players are asked again.
    fn finish(
        &mut self,
        written: &BySeat<i32>,
        win: &[String],
        refused: Option<Seat>,
    ) -> anyhow::Result<()> {
        let seats = self.game.seats().len();
        let lost = refused.filter(|_| self.refusals == 1).map(|seat| Outcome::lost_by(seat, seats));
        let outcome = self.outcome().or(lost).context("the match is not over there")?;
        check("result", &json(&result(&self.game, &outcome)), &json(written))?;
        let lines = self.game.winning_lines(self.again.history());
        ensure!(win == lines, "the win is {lines:?}, not {win:?}");
        self.end = Some(outcome);
        Ok(())
    }
}

fn check(name: &str, expected: &Value, written: &Value) -> anyhow::Result<()> {
    difference(name, expected, written).map_or(Ok(()), |words| bail!(words))
}
