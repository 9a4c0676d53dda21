//! Matches: one game from beginning to end.

use std::fmt::Debug;

use bthread::Generator;

use crate::game::{Game, all_seats, apply_all, seat_name};
use crate::player::{HistoryId, MoveExplanation, Player, PlayerError, PlayerView};
use crate::ply::{Ply, PlyOf};
use crate::probability::BadProbabilities;
use crate::refusal::{Code, Reason, Refusal};
use crate::seat::{Seat, Seats};
use crate::turn::{Outcome, Turn};

/// One game from beginning to end.
///
/// A match does no I/O. It says who must choose, or that chance must draw, and the caller passes in
/// what was chosen or drawn.
#[derive(Clone, Debug)]
pub struct Match<G: Game> {
    game: G,
    on_illegal_move: OnIllegalMove,
    position: G::Position,
    /// The moves that wait until all seats have chosen. Nobody may see them.
    sealed: Vec<(Seat, G::Move)>,
    history: Vec<PlyOf<G>>,
    history_id: HistoryId,
    events: Vec<MatchEvent<G>>,
    /// The number of refused choices of each seat.
    refusals: [usize; Seat::MOST as usize],
    end: Option<Outcome>,
}

/// What happens to a seat that chooses an illegal move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OnIllegalMove {
    /// The seat chooses again.
    #[default]
    AskAgain,
    /// The seat loses.
    Loses,
}

/// The seats that must act for a match to continue, or chance, or nobody.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ToAct {
    /// These seats must choose.
    Seats(Seats),
    /// Chance must draw.
    Chance,
    /// Nobody: the match is over.
    Nobody(Outcome),
}

/// An event of a match.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum MatchEvent<G: Game> {
    /// The match began.
    Begin {
        /// The position at the start.
        position: G::Position,
    },
    /// All seats whose turn it was have chosen.
    Move {
        /// The position before the moves.
        position: G::Position,
        /// The moves, in the order of seats.
        moves: Vec<(Seat, G::Move)>,
    },
    /// Chance drew.
    Chance {
        /// The position before the draw.
        position: G::Position,
        /// What was drawn.
        drawn: G::Chance,
    },
    /// The match reached a new position.
    Next {
        /// The new position.
        position: G::Position,
    },
    /// The match is over.
    End {
        /// The last position.
        position: G::Position,
        /// How it ended.
        outcome: Outcome,
    },
    /// A seat resigned.
    Quit {
        /// The position in which it resigned.
        position: G::Position,
        /// The seat.
        seat: Seat,
    },
    /// A seat chose an illegal move.
    Error {
        /// The position, which did not change.
        position: G::Position,
        /// The seat.
        seat: Seat,
        /// The move.
        chosen: G::Move,
        /// Why the move is illegal.
        refusal: Refusal,
    },
}

impl<G: Game> PartialEq for MatchEvent<G> {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Begin { position }, Self::Begin { position: other })
            | (Self::Next { position }, Self::Next { position: other }) => position == other,
            (Self::Move { position, moves }, Self::Move { position: other, moves: others }) => {
                (position, moves) == (other, others)
            }
            (
                Self::Chance { position, drawn },
                Self::Chance { position: other, drawn: another },
            ) => (position, drawn) == (other, another),
            (Self::End { position, outcome }, Self::End { position: other, outcome: another }) => {
                (position, outcome) == (other, another)
            }
            (Self::Quit { position, seat }, Self::Quit { position: other, seat: another }) => {
                (position, seat) == (other, another)
            }
            (
                Self::Error { position, seat, chosen, refusal },
                Self::Error { position: a, seat: b, chosen: c, refusal: d },
            ) => (position, seat, chosen, refusal) == (a, b, c, d),
            _ => false,
        }
    }
}

/// Why players did not finish a match.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MatchError {
    /// There are more or fewer players than seats.
    #[error("this game has {seats} seats, but there are {players} players")]
    Players {
        /// The number of seats.
        seats: usize,
        /// The number of players.
        players: usize,
    },
    /// A player cannot choose a move.
    #[error("{seat} cannot go on: {error}")]
    PlayerError {
        /// The name of the seat.
        seat: String,
        /// The player's error.
        error: PlayerError,
    },
    /// A player chose only illegal moves.
    #[error("{seat} was asked {times} times and chose no legal move; the last one: {refusal}")]
    OnlyIllegalMoves {
        /// The name of the seat.
        seat: String,
        /// The number of its choices.
        times: u32,
        /// Why its last move was refused.
        refusal: Box<Refusal>,
    },
    /// A move is legal, but the rules contradict themselves after it.
    #[error("{0}")]
    BrokenRules(Box<Refusal>),
    /// The probabilities of the game do not add up.
    #[error(transparent)]
    BadProbabilities(#[from] BadProbabilities),
    /// The match is longer than the limit.
    #[error("the match is not over after {0} plies")]
    TooLong(usize),
}

/// The most attempts of a player to choose a legal move.
const MOST_ATTEMPTS: u32 = 16;

/// The most plies of a match between players.
const MOST_PLIES: usize = 100_000;

impl<G: Game> Match<G> {
    /// A match at its start.
    pub fn new(game: G, on_illegal_move: OnIllegalMove) -> Self {
        let position = game.start();
        let events = vec![MatchEvent::Begin { position: position.clone() }];
        let mut started = Self {
            game,
            on_illegal_move,
            position,
            sealed: Vec::new(),
            history: Vec::new(),
            history_id: HistoryId::default(),
            events,
            refusals: [0; Seat::MOST as usize],
            end: None,
        };
        started.end_if_over();
        started
    }

    /// Plays a [history](Match::history) once more. Resignations are not part of a history.
    ///
    /// # Errors
    /// The place of the first ply that is refused, and why it is refused.
    pub fn replay(
        game: G,
        on_illegal_move: OnIllegalMove,
        history: impl IntoIterator<Item = PlyOf<G>>,
    ) -> Result<Self, (usize, Refusal)> {
        let mut replayed = Self::new(game, on_illegal_move);
        for (place, ply) in history.into_iter().enumerate() {
            replayed.play(ply).map_err(|refusal| (place, refusal))?;
        }
        Ok(replayed)
    }

    /// Plays a whole ply.
    fn play(&mut self, ply: PlyOf<G>) -> Result<(), Refusal> {
        self.check_not_over()?;
        match ply {
            Ply::Chance(drawn) => self.draw(drawn),
            Ply::Moves(moves) => {
                let next = self.game.play_all(&self.position, &moves)?;
                self.finish_moves(next, moves);
                Ok(())
            }
        }
    }

    /// The game.
    pub fn game(&self) -> &G {
        &self.game
    }

    /// The position now.
    pub fn position(&self) -> &G::Position {
        &self.position
    }

    /// The plies so far.
    pub fn history(&self) -> &[PlyOf<G>] {
        &self.history
    }

    /// The events so far, with refusals, resignations and the end.
    pub fn events(&self) -> &[MatchEvent<G>] {
        &self.events
    }

    /// The position after the first `plies` plies; `None` if there are fewer.
    pub fn position_after(&self, plies: usize) -> Option<G::Position> {
        let mut position = self.game.start();
        for ply in self.history.get(..plies)? {
            match ply {
                Ply::Moves(moves) => apply_all(&self.game, &mut position, moves),
                Ply::Chance(drawn) => self.game.apply_chance(&mut position, drawn),
            }
        }
        Some(position)
    }

    /// The match after the first `plies` plies; `None` if there are fewer.
    #[must_use]
    pub fn taken_back_to(&self, plies: usize) -> Option<Self> {
        let history = self.history.get(..plies)?.iter().cloned();
        let replayed = Self::replay(self.game.clone(), self.on_illegal_move, history);
        Some(replayed.expect("a history can be replayed"))
    }

    /// The seats that must act now, or chance, or nobody.
    pub fn to_act(&self) -> ToAct {
        if let Some(outcome) = self.end {
            return ToAct::Nobody(outcome);
        }
        match self.game.turn(&self.position) {
            Turn::One(seat) => ToAct::Seats(Seats::one(seat)),
            Turn::Several(seats) => {
                ToAct::Seats(seats.iter().filter(|seat| !self.has_chosen(*seat)).collect())
            }
            Turn::Chance => ToAct::Chance,
            Turn::Over(outcome) => ToAct::Nobody(outcome),
        }
    }

    fn has_chosen(&self, seat: Seat) -> bool {
        self.sealed.iter().any(|(other, _)| *other == seat)
    }

    /// What the player of a seat sees, whether or not it is the seat's turn.
    pub fn player_view(&self, seat: Seat) -> PlayerView<'_, G> {
        PlayerView::new(&self.game, &self.position, seat, &self.history)
            .of_history(&self.history_id)
            .after_refusals(self.refusals[seat.index()])
    }

    /// A seat chooses a move. Where several seats choose at once, their moves are made when the last
    /// one has chosen.
    ///
    /// # Errors
    /// If the seat may not make this move. It then chooses again or has lost, as
    /// [`OnIllegalMove`] says. After the end nothing changes.
    pub fn choose(&mut self, seat: Seat, chosen: G::Move) -> Result<(), Refusal> {
        self.check_not_over()?;
        self.check_seat(seat)?;
        if let Err(refusal) = self.check_choice(seat, &chosen) {
            self.refuse(seat, chosen, &refusal);
            return Err(refusal);
        }
        let last = chosen.clone();
        let place = self.sealed.partition_point(|(other, _)| *other < seat);
        self.sealed.insert(place, (seat, chosen));
        if self.sealed.len() < self.game.turn(&self.position).seats().len() {
            return Ok(());
        }
        let moves = std::mem::take(&mut self.sealed);
        match self.game.play_all(&self.position, &moves) {
            Ok(next) => {
                self.finish_moves(next, moves);
                Ok(())
            }
            // Each move is legal alone, but not all together: all seats choose again.
            Err(refusal) => {
                self.record_error(seat, last, &refusal);
                Err(refusal)
            }
        }
    }

    fn check_seat(&self, seat: Seat) -> Result<(), Refusal> {
        if all_seats(&self.game).contains(seat) {
            return Ok(());
        }
        Err(Reason::new(Code::INCORRECT_PLAYER_SYMBOL, "Nobody has this seat").into())
    }

    fn check_choice(&self, seat: Seat, chosen: &G::Move) -> Result<(), Refusal> {
        self.game.check(&self.position, seat, chosen)?;
        if self.has_chosen(seat) {
            return Err(Reason::new(Code::NOT_YOUR_TURN, "You have already chosen").into());
        }
        Ok(())
    }

    fn check_not_over(&self) -> Result<(), Refusal> {
        self.end.map_or(Ok(()), |outcome| Err(Reason::game_over(&outcome).into()))
    }

    /// Records an illegal move. A seat whose turn it is not cannot lose by it.
    fn refuse(&mut self, seat: Seat, chosen: G::Move, refusal: &Refusal) {
        self.record_error(seat, chosen, refusal);
        let is_in_turn =
            self.game.turn(&self.position).seats().contains(seat) && !self.has_chosen(seat);
        if self.on_illegal_move == OnIllegalMove::Loses && is_in_turn {
            self.end_with(Outcome::lost_by(seat, self.game.seats().len()));
        }
    }

    fn record_error(&mut self, seat: Seat, chosen: G::Move, refusal: &Refusal) {
        self.refusals[seat.index()] += 1;
        let (position, refusal) = (self.position.clone(), refusal.clone());
        self.events.push(MatchEvent::Error { position, seat, chosen, refusal });
    }

    /// Chance draws this.
    ///
    /// # Errors
    /// If chance cannot draw this now; nothing changed.
    pub fn draw(&mut self, drawn: G::Chance) -> Result<(), Refusal> {
        self.check_not_over()?;
        let mut next = self.position.clone();
        self.game.advance_chance(&mut next, &drawn)?;
        let position = self.position.clone();
        self.events.push(MatchEvent::Chance { position, drawn: drawn.clone() });
        self.history.push(Ply::Chance(drawn));
        self.arrive(next);
        Ok(())
    }

    /// A seat resigns. It need not be its turn.
    ///
    /// # Errors
    /// If the match is over, or the game has no such seat.
    pub fn resign(&mut self, seat: Seat) -> Result<(), Refusal> {
        self.check_not_over()?;
        self.check_seat(seat)?;
        self.events.push(MatchEvent::Quit { position: self.position.clone(), seat });
        self.end_with(Outcome::lost_by(seat, self.game.seats().len()));
        Ok(())
    }

    fn finish_moves(&mut self, next: G::Position, moves: Vec<(Seat, G::Move)>) {
        let position = self.position.clone();
        self.events.push(MatchEvent::Move { position, moves: moves.clone() });
        self.history.push(Ply::Moves(moves));
        self.arrive(next);
    }

    fn arrive(&mut self, next: G::Position) {
        self.position = next;
        self.events.push(MatchEvent::Next { position: self.position.clone() });
        self.end_if_over();
    }

    fn end_if_over(&mut self) {
        if let Turn::Over(outcome) = self.game.turn(&self.position) {
            self.end_with(outcome);
        }
    }

    fn end_with(&mut self, outcome: Outcome) {
        self.end = Some(outcome);
        self.events.push(MatchEvent::End { position: self.position.clone(), outcome });
    }

    /// Lets players choose until the match is over. The seed decides what chance draws. `show` is
    /// called after every ply, with the explanations of its moves.
    ///
    /// # Errors
    /// If there is not one player for each seat, or a player cannot choose a legal move.
    pub fn run(
        &mut self,
        players: &mut [Box<dyn Player<G>>],
        seed: u64,
        mut show: impl FnMut(&Self, &[(Seat, MoveExplanation)]),
    ) -> Result<Outcome, MatchError> {
        let seats = all_seats(&self.game).len();
        if players.len() != seats {
            return Err(MatchError::Players { seats, players: players.len() });
        }
        let mut generator = Generator::seeded(seed);
        for _ in 0..MOST_PLIES {
            let mut explanations = Vec::new();
            match self.to_act() {
                ToAct::Nobody(outcome) => return Ok(outcome),
                ToAct::Chance => {
                    if let Some(drawn) = self.game.draw_chance(&self.position, &mut generator)? {
                        self.draw(drawn).expect("chance draws what the game lists");
                    }
                }
                ToAct::Seats(seats) => {
                    for seat in seats.iter() {
                        let explanation = self.let_choose(seat, &mut *players[seat.index()])?;
                        explanations.extend(explanation.map(|explanation| (seat, explanation)));
                    }
                }
            }
            show(self, &explanations);
        }
        Err(MatchError::TooLong(MOST_PLIES))
    }

    /// Lets a player choose until its move is legal or the match is over.
    fn let_choose(
        &mut self,
        seat: Seat,
        player: &mut dyn Player<G>,
    ) -> Result<Option<MoveExplanation>, MatchError> {
        let name = seat_name(&self.game, seat).to_owned();
        let mut times = 0;
        while self.end.is_none() {
            times += 1;
            let choice = player.choose(&self.player_view(seat));
            let choice =
                choice.map_err(|error| MatchError::PlayerError { seat: name.clone(), error })?;
            match self.choose(seat, choice.chosen) {
                Ok(()) => return Ok(choice.explanation),
                Err(refusal) if refusal.code() == &Code::BROKEN_RULES => {
                    return Err(MatchError::BrokenRules(Box::new(refusal)));
                }
                Err(refusal) if times == MOST_ATTEMPTS && self.end.is_none() => {
                    let refusal = Box::new(refusal);
                    return Err(MatchError::OnlyIllegalMoves { seat: name, times, refusal });
                }
                Err(_) => {}
            }
        }
        Ok(None)
    }
}
