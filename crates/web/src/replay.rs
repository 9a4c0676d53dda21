//! A game that can be looked at again, ply by ply.

use std::fmt::Write as _;

use game::{
    AnalysisBudget, AnyGame, Game, IllegalPly, MoveText, PlayedPlies, Ply, PositionAnalysis, Seat,
    StopFlag, Turn, seat_name, written_plies,
};
use games::catalog;

/// A ply as text.
pub type ReplayPly = Ply<MoveText, MoveText>;

/// A game that can be looked at again, ply by ply.
#[derive(Clone, Debug)]
pub struct GameReplay {
    game: AnyGame,
    played: PlayedPlies,
}

/// Why a text is no game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReplayError {
    /// The catalog does not have the game.
    UnknownGame,
    /// The rules do not allow this ply, counted from 1.
    Illegal(usize),
}

impl From<IllegalPly> for ReplayError {
    fn from(IllegalPly(number): IllegalPly) -> Self {
        Self::Illegal(number)
    }
}

/// What analysis says about a ply.
#[derive(Clone, Debug, PartialEq)]
pub struct PlyAnalysis {
    /// The values of all moves of the seat in turn.
    pub position: PositionAnalysis,
    /// Whether the move that was made is worse than the best one; `None` if none was made.
    pub is_mistake: Option<bool>,
}

/// An estimate this much lower than the best one is a mistake, on a scale from -1 to 1.
const CLEARLY_WORSE: f64 = 0.5;

impl GameReplay {
    /// The game of these plies.
    ///
    /// # Errors
    /// If the rules do not allow one of them.
    pub fn new(game: AnyGame, plies: Vec<ReplayPly>) -> Result<Self, ReplayError> {
        let played = PlayedPlies::play(&game, plies);
        played.map(|played| Self { game, played }).map_err(ReplayError::from)
    }

    /// Reads the game from an address: `a1.b2.c3`. Moves at once are joined by `+`, and what chance
    /// drew follows a `~`. A blank is written `_`.
    ///
    /// # Errors
    /// If there is no such game, or the rules do not allow one of the plies.
    pub fn read(name: &str, text: &str) -> Result<Self, ReplayError> {
        let game = catalog::game_without_searches(name);
        Self::read_as(game.map_err(|_unknown| ReplayError::UnknownGame)?, text)
    }

    /// As [`GameReplay::read`], of this game.
    ///
    /// # Errors
    /// If the rules do not allow one of the plies.
    pub fn read_as(game: AnyGame, text: &str) -> Result<Self, ReplayError> {
        let played = PlayedPlies::read(&game, text);
        played.map(|played| Self { game, played }).map_err(ReplayError::from)
    }

    /// The plies as [`GameReplay::read`] reads them.
    #[must_use]
    pub fn write(plies: &[ReplayPly]) -> String {
        written_plies(plies)
    }

    /// The game.
    #[must_use]
    pub const fn game(&self) -> &AnyGame {
        &self.game
    }

    /// The plies.
    #[must_use]
    pub fn plies(&self) -> &[ReplayPly] {
        &self.played.plies
    }

    /// Whether the game has ended.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.game.turn(self.played.last()).outcome().is_some()
    }

    /// What the position before a ply is worth, and the move that was made there. `None` if no seat
    /// is in turn there, or several are.
    #[must_use]
    pub fn analysis(&self, ply: usize, budget: AnalysisBudget) -> Option<PlyAnalysis> {
        let position = self.played.positions.get(ply)?;
        if !matches!(self.game.turn(position), Turn::One(_)) {
            return None;
        }
        let analysis = self.game.analyze(position, budget, &StopFlag::default()).ok()?;
        let chosen = match self.played.plies.get(ply) {
            Some(Ply::Moves(moves)) => moves.first().map(|(_, chosen)| chosen.as_str()),
            _ => None,
        };
        let chosen = chosen.and_then(|chosen| {
            analysis.moves.iter().find(|each| each.chosen == chosen).map(|each| each.value)
        });
        let best = analysis.best_moves().next().map(|best| best.value);
        let is_mistake = chosen.zip(best).map(|(chosen, best)| {
            let gap = best.expected - chosen.expected;
            if chosen.exact && best.exact { gap > 0.0 } else { gap >= CLEARLY_WORSE }
        });
        Some(PlyAnalysis { position: analysis, is_mistake })
    }

    /// The number of plies before the first mistake; `None` if nobody made one.
    #[must_use]
    pub fn first_mistake(&self, budget: AnalysisBudget) -> Option<usize> {
        (0..self.played.plies.len()).find(|ply| self.is_mistake(*ply, budget))
    }

    /// The number of plies before the last mistake of a seat, after which its game was lost; `None` if it
    /// made none.
    #[must_use]
    pub fn losing_move(&self, seat: Seat, budget: AnalysisBudget) -> Option<usize> {
        let is_theirs = |ply: &ReplayPly| match ply {
            Ply::Moves(moves) => moves.iter().any(|(mover, _)| *mover == seat),
            Ply::Chance(_) => false,
        };
        let mut theirs =
            (0..self.played.plies.len()).rev().filter(|ply| is_theirs(&self.played.plies[*ply]));
        theirs.find(|ply| self.is_mistake(*ply, budget))
    }

    fn is_mistake(&self, ply: usize, budget: AnalysisBudget) -> bool {
        self.analysis(ply, budget).and_then(|analysis| analysis.is_mistake) == Some(true)
    }

    /// The game as a transcript that `cradle replay --game NAME` reads.
    #[must_use]
    pub fn transcript(&self) -> String {
        let mut text = String::new();
        for (ply, position) in self.played.plies.iter().zip(&self.played.positions) {
            let event = match ply {
                Ply::Moves(moves) => format!("moves: {}", self.by_seat(moves)),
                Ply::Chance(drawn) => format!("chance: {}", json(drawn.as_str())),
            };
            // A text can always be written to.
            _ = writeln!(text, "[{}]\t{event}", self.game.text(position));
        }
        let position = self.played.last();
        if let Some(outcome) = self.game.turn(position).outcome() {
            let scores = game::all_seats(&self.game).iter().map(|seat| {
                format!("{}:{}", json(seat_name(&self.game, seat)), outcome.score(seat))
            });
            let scores = scores.collect::<Vec<_>>().join(",");
            let lines = self.game.winning_lines(&self.played.plies).into_iter();
            _ = write!(text, "[{}]\tresult: {{{scores}}}", self.game.text(position));
            for line in lines {
                _ = write!(text, "\t{line}");
            }
            text.push('\n');
        }
        text
    }

    fn by_seat(&self, moves: &[(Seat, MoveText)]) -> String {
        let moves = moves.iter().map(|(seat, chosen)| {
            format!("{}:{}", json(seat_name(&self.game, *seat)), json(chosen.as_str()))
        });
        format!("{{{}}}", moves.collect::<Vec<_>>().join(","))
    }
}

fn json(text: &str) -> String {
    serde_json::to_string(text).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    const BUDGET: AnalysisBudget = AnalysisBudget { positions: 20_000, simulations: 200 };

    fn replay(name: &str, text: &str) -> GameReplay {
        let game = catalog::game(name).expect("the game is in the catalog");
        GameReplay::read_as(game, text).expect("the game is legal")
    }

    #[test]
    fn a_game_is_written_and_read_again() {
        for (name, text) in [
            ("tic-tac-toe", "a1.b2.c3"),
            ("connect-four", "d.d.c"),
            ("wild", "Xb2.Oa1"),
            ("odds-and-evens", "1+2"),
            ("pig", "roll.~4.hold.roll.~1"),
        ] {
            assert_eq!(GameReplay::write(replay(name, text).plies()), text, "{name}");
        }
    }

    #[test]
    fn what_the_rules_forbid_is_no_game() {
        let error = |name, text| GameReplay::read(name, text).unwrap_err();
        assert_eq!(error("tic-tac-toe", "a1.b2.a1"), ReplayError::Illegal(3));
        assert_eq!(error("tic-tac-toe", "z9"), ReplayError::Illegal(1));
        assert_eq!(error("chess", "e4"), ReplayError::UnknownGame);
    }

    #[test]
    fn the_first_mistake_is_the_first_move_that_gives_something_away() {
        // O answers a corner with an edge, which loses; X then plays without a mistake.
        let lost = replay("tic-tac-toe", "a1.b1.a3.a2.c3.b2.b3");
        assert_eq!(lost.first_mistake(BUDGET), Some(1));
        let drawn = replay("tic-tac-toe", "a1.b2.c3.b1.b3.a3.c1.c2.a2");
        assert_eq!(drawn.first_mistake(BUDGET), None);
        assert_eq!(lost.losing_move(Seat::SECOND, BUDGET), Some(1));
        assert_eq!(lost.losing_move(Seat::FIRST, BUDGET), None);
        let analysis = lost.analysis(1, BUDGET).unwrap();
        assert_eq!(analysis.position.best_moves().next().unwrap().chosen, "b2");
        assert!(analysis.position.value.exact);
        assert_eq!(lost.analysis(7, BUDGET), None, "the game is over");
    }

    #[test]
    fn a_game_that_cannot_be_solved_soon_is_estimated() {
        let game = replay("ultimate", "b2");
        assert!(!game.analysis(1, BUDGET).unwrap().position.value.exact);
    }

    #[test]
    fn the_transcript_has_a_line_for_each_ply_and_the_result() {
        let text = replay("tic-tac-toe", "a1.a2.b1.b2.c1").transcript();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], "[         ]\tmoves: {\"X\":\"a1\"}");
        assert_eq!(lines[5], "[XXXOO    ]\tresult: {\"X\":1,\"O\":-1}\tXWin[0,1,2]");
        assert_eq!(lines.len(), 6);
        assert!(!replay("tic-tac-toe", "a1").is_over());
    }
}
