//! One game from beginning to end.

use std::fmt::Debug;

use bthread::Generator;

use crate::game::{Game, all_seats};
use crate::happening::{Ply, PlyOf};
use crate::player::{MoveExplanation, Player, PlayerError, PlayerView};
use crate::probability::NotCertain;
use crate::refusal::{Code, Reason, Refusal};
use crate::seat::{Seat, Seats};
use crate::turn::{Outcome, Turn};

/// One game from beginning to end. It does nothing by itself: it says who must choose or that
/// chance must draw, and is told what was chosen or drawn.
#[derive(Clone, Debug)]
pub struct Match<G: Game> {
    game: G,
    policy: Policy,
    position: G::Position,
    /// What seats have chosen that must not be known until all have.
    sealed: Vec<(Seat, G::Move)>,
    history: Vec<PlyOf<G>>,
    events: Vec<MatchEvent<G>>,
    /// How many choices of each seat were refused.
    refusals: [usize; Seat::MOST as usize],
    end: Option<Outcome>,
}

/// What becomes of who chooses an illegal move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Policy {
    /// It is asked again.
    #[default]
    AskAgain,
    /// It loses.
    Loses,
}

/// Who must do something for a match to go on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ask {
    /// These seats choose.
    Seats(Seats),
    /// Chance draws.
    Chance,
    /// Nobody: the match is over.
    Nobody(Outcome),
}

/// What happened in a match, in the order in which it happened.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum MatchEvent<G: Game> {
    /// The match began.
    Begin {
        /// The position at the start.
        position: G::Position,
    },
    /// The seats in turn have chosen.
    Move {
        /// The position before the moves.
        position: G::Position,
        /// What they chose, in the order of seats.
        moves: Vec<(Seat, G::Move)>,
    },
    /// Something was drawn.
    Chance {
        /// The position before.
        position: G::Position,
        /// What was drawn.
        drawn: G::Chance,
    },
    /// There is a new position.
    Next {
        /// The position now.
        position: G::Position,
    },
    /// The match is over.
    End {
        /// The last position.
        position: G::Position,
        /// How it ended.
        outcome: Outcome,
    },
    /// A seat gave up.
    Quit {
        /// The position in which it did.
        position: G::Position,
        /// Who it was.
        seat: Seat,
    },
    /// A seat chose what it may not.
    Error {
        /// The position, which stays as it is.
        position: G::Position,
        /// Who it was.
        seat: Seat,
        /// What it chose.
        chosen: G::Move,
        /// Why it may not.
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

/// Why a match does not go on by itself.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MatchError {
    /// There are more or fewer players than seats.
    #[error("this game has {seats} seats, but {players} players were given")]
    Players {
        /// How many seats there are.
        seats: usize,
        /// How many players were given.
        players: usize,
    },
    /// A player cannot go on.
    #[error("{seat} cannot go on: {why}")]
    PlayerError {
        /// Whose player it is.
        seat: String,
        /// Why it cannot.
        why: PlayerError,
    },
    /// A player was asked again and again, and chose nothing legal.
    #[error("{seat} was asked {times} times and chose no legal move; the last one: {refusal}")]
    Stubborn {
        /// Whose player it is.
        seat: String,
        /// How often it was asked.
        times: u32,
        /// Why its last choice was refused.
        refusal: Box<Refusal>,
    },
    /// The game contradicts itself.
    #[error(transparent)]
    NotCertain(#[from] NotCertain),
    /// The game goes on for longer than the limit.
    #[error("the match is not over after {0} steps")]
    TooLong(usize),
}

/// How often a player is asked again for a legal move.
const PATIENCE: u32 = 16;

/// How many steps a match has at most when players play it to the end.
const LONGEST: usize = 100_000;

impl<G: Game> Match<G> {
    /// A match that is about to begin.
    pub fn new(game: G, policy: Policy) -> Self {
        let position = game.start();
        let events = vec![MatchEvent::Begin { position: position.clone() }];
        let (sealed, history) = (Vec::new(), Vec::new());
        let refusals = [0; Seat::MOST as usize];
        let mut new = Self { game, policy, position, sealed, history, events, refusals, end: None };
        new.notice_the_end();
        new
    }

    /// The match in which all of this happened. Who gave up in it must do so again: that is no part
    /// of the [history](Match::history).
    ///
    /// # Errors
    /// If something in it could not happen: how much could, and why no more.
    pub fn replay(
        game: G,
        policy: Policy,
        history: impl IntoIterator<Item = PlyOf<G>>,
    ) -> Result<Self, (usize, Refusal)> {
        let mut replayed = Self::new(game, policy);
        for (place, happening) in history.into_iter().enumerate() {
            replayed.happen(happening).map_err(|refusal| (place, refusal))?;
        }
        Ok(replayed)
    }

    /// Lets something happen that is known as a whole.
    fn happen(&mut self, happening: PlyOf<G>) -> Result<(), Refusal> {
        self.is_going_on()?;
        match happening {
            Ply::Chance(drawn) => self.draw(drawn),
            Ply::Moves(moves) => {
                let next = self.game.play(&self.position, &moves)?;
                self.go_on(next, moves);
                Ok(())
            }
        }
    }

    /// The game that is played.
    pub fn game(&self) -> &G {
        &self.game
    }

    /// How things stand.
    pub fn position(&self) -> &G::Position {
        &self.position
    }

    /// What was chosen and drawn so far.
    pub fn history(&self) -> &[PlyOf<G>] {
        &self.history
    }

    /// All that happened so far, refusals and the end included.
    pub fn events(&self) -> &[MatchEvent<G>] {
        &self.events
    }

    /// The position after so many steps of [`Match::history`]; `None` if there are fewer.
    pub fn position_after(&self, steps: usize) -> Option<G::Position> {
        let happenings = self.history.get(..steps)?;
        let mut position = self.game.start();
        for happening in happenings {
            match happening {
                Ply::Moves(moves) => self.game.apply(&mut position, moves),
                Ply::Chance(drawn) => self.game.apply_chance(&mut position, drawn),
            }
        }
        Some(position)
    }

    /// The match as it was after so many steps; `None` if there were fewer.
    #[must_use]
    pub fn taken_back_to(&self, steps: usize) -> Option<Self> {
        let happenings = self.history.get(..steps)?.iter().cloned();
        let replayed = Self::replay(self.game.clone(), self.policy, happenings);
        Some(replayed.expect("what happened can happen again"))
    }

    /// Who must do something now.
    pub fn ask(&self) -> Ask {
        if let Some(outcome) = self.end {
            return Ask::Nobody(outcome);
        }
        match self.game.turn(&self.position) {
            Turn::One(seat) => Ask::Seats(Seats::one(seat)),
            Turn::Several(seats) => {
                Ask::Seats(seats.iter().filter(|seat| self.owes(*seat)).collect())
            }
            Turn::Chance => Ask::Chance,
            Turn::Over(outcome) => Ask::Nobody(outcome),
        }
    }

    fn owes(&self, seat: Seat) -> bool {
        self.sealed.iter().all(|(other, _)| *other != seat)
    }

    /// What a seat sees, whether or not it must choose.
    pub fn player_view(&self, seat: Seat) -> PlayerView<'_, G> {
        PlayerView::new(&self.game, &self.position, seat, &self.history)
            .after_refusals(self.refusals[seat.index()])
    }

    /// A seat chooses. Where several choose at once, nothing happens until all have.
    ///
    /// # Errors
    /// If it may not choose this; then it is asked again or has lost, as the policy says. After the
    /// end nothing changes any more.
    pub fn choose(&mut self, seat: Seat, chosen: G::Move) -> Result<(), Refusal> {
        self.is_going_on()?;
        self.is_seated(seat)?;
        if let Err(refusal) = self.is_allowed(seat, &chosen) {
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
        match self.game.play(&self.position, &moves) {
            Ok(next) => {
                self.go_on(next, moves);
                Ok(())
            }
            // Each move is legal alone, but not all of them together: all are asked again.
            Err(refusal) => {
                self.note(seat, last, &refusal);
                Err(refusal)
            }
        }
    }

    fn is_seated(&self, seat: Seat) -> Result<(), Refusal> {
        if all_seats(&self.game).contains(seat) {
            return Ok(());
        }
        Err(Reason::new(Code::INCORRECT_PLAYER_SYMBOL, "Nobody has this seat").into())
    }

    fn is_allowed(&self, seat: Seat, chosen: &G::Move) -> Result<(), Refusal> {
        self.game.check(&self.position, seat, chosen)?;
        if !self.owes(seat) {
            return Err(Reason::new(Code::NOT_YOUR_TURN, "You have already chosen").into());
        }
        Ok(())
    }

    fn is_going_on(&self) -> Result<(), Refusal> {
        self.end.map_or(Ok(()), |outcome| Err(Reason::game_over(&outcome).into()))
    }

    /// Who is asked and chooses what it may not is asked again or loses; who is not asked has only
    /// spoken out of turn.
    fn refuse(&mut self, seat: Seat, chosen: G::Move, refusal: &Refusal) {
        self.note(seat, chosen, refusal);
        let is_asked = self.game.turn(&self.position).seats().contains(seat) && self.owes(seat);
        if self.policy == Policy::Loses && is_asked {
            self.end_with(Outcome::given_up(seat, self.game.seats().len()));
        }
    }

    fn note(&mut self, seat: Seat, chosen: G::Move, refusal: &Refusal) {
        self.refusals[seat.index()] += 1;
        let (position, refusal) = (self.position.clone(), refusal.clone());
        self.events.push(MatchEvent::Error { position, seat, chosen, refusal });
    }

    /// Chance draws.
    ///
    /// # Errors
    /// If this cannot be drawn now; nothing has changed then.
    pub fn draw(&mut self, drawn: G::Chance) -> Result<(), Refusal> {
        self.is_going_on()?;
        let mut next = self.position.clone();
        self.game.advance_chance(&mut next, &drawn)?;
        let position = self.position.clone();
        self.events.push(MatchEvent::Chance { position, drawn: drawn.clone() });
        self.history.push(Ply::Chance(drawn));
        self.come_to(next);
        Ok(())
    }

    /// A seat gives up; it need not be its turn.
    ///
    /// # Errors
    /// If the match is over already, or nobody has this seat.
    pub fn resign(&mut self, seat: Seat) -> Result<(), Refusal> {
        self.is_going_on()?;
        self.is_seated(seat)?;
        self.events.push(MatchEvent::Quit { position: self.position.clone(), seat });
        self.end_with(Outcome::given_up(seat, self.game.seats().len()));
        Ok(())
    }

    fn go_on(&mut self, next: G::Position, moves: Vec<(Seat, G::Move)>) {
        let position = self.position.clone();
        self.events.push(MatchEvent::Move { position, moves: moves.clone() });
        self.history.push(Ply::Moves(moves));
        self.come_to(next);
    }

    fn come_to(&mut self, next: G::Position) {
        self.position = next;
        self.events.push(MatchEvent::Next { position: self.position.clone() });
        self.notice_the_end();
    }

    fn notice_the_end(&mut self) {
        if let Turn::Over(outcome) = self.game.turn(&self.position) {
            self.end_with(outcome);
        }
    }

    fn end_with(&mut self, outcome: Outcome) {
        self.end = Some(outcome);
        self.events.push(MatchEvent::End { position: self.position.clone(), outcome });
    }

    /// Lets players choose until the match is over; the seed decides what chance draws. After
    /// every step the match is shown, with the reasons of those who chose.
    ///
    /// # Errors
    /// If the players are not as many as the seats, or one of them cannot go on.
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
        for _ in 0..LONGEST {
            let mut whys = Vec::new();
            match self.ask() {
                Ask::Nobody(outcome) => return Ok(outcome),
                Ask::Chance => {
                    if let Some(drawn) = self.game.draw(&self.position, &mut generator)? {
                        self.draw(drawn).expect("what chance draws can happen");
                    }
                }
                Ask::Seats(asked) => {
                    for seat in asked.iter() {
                        let why = self.ask_player(seat, &mut *players[seat.index()])?;
                        whys.extend(why.map(|why| (seat, why)));
                    }
                }
            }
            show(self, &whys);
        }
        Err(MatchError::TooLong(LONGEST))
    }

    /// Asks until a legal move is chosen, or as often as the policy allows.
    fn ask_player(
        &mut self,
        seat: Seat,
        player: &mut dyn Player<G>,
    ) -> Result<Option<MoveExplanation>, MatchError> {
        let name = || self.game.seats()[seat.index()].to_owned();
        let seat_name = name();
        let mut times = 0;
        while self.end.is_none() {
            times += 1;
            let choice = player.choose(&self.player_view(seat));
            let choice =
                choice.map_err(|why| MatchError::PlayerError { seat: seat_name.clone(), why })?;
            match self.choose(seat, choice.chosen) {
                Ok(()) => return Ok(choice.why),
                Err(refusal) if times == PATIENCE && self.end.is_none() => {
                    let refusal = Box::new(refusal);
                    return Err(MatchError::Stubborn { seat: seat_name, times, refusal });
                }
                Err(_) => {}
            }
        }
        Ok(None)
    }
}
