//! A game that is honest but for one fault.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use game::{
    BadProbabilities, Code, Game, Generator, Outcome, Picture, PlayoutError, Ply, PlyOf,
    Probability, Reason, Refusal, Seat, Seats, Turn, Viewer,
};

use super::fault::Fault;
use super::faulty_position::FaultyPosition;
use super::move_list::FaultyMoveList;

/// A game that is honest but for one fault.
#[derive(Debug)]
pub(crate) struct FaultyGame<G: Game> {
    game: G,
    fault: Fault,
    /// A move whose text cannot be read.
    odd_move: Option<G::Move>,
    /// State that a real game must not have: it counts calls.
    calls: Arc<AtomicU32>,
}

impl<G: Game> FaultyGame<G> {
    pub(crate) fn new(game: G, fault: Fault) -> Self {
        Self { game, fault, odd_move: None, calls: Arc::default() }
    }

    /// The same game, which reads this move from a text although the move cannot be written.
    pub(crate) fn with_odd_move(self, odd_move: G::Move) -> Self {
        Self { odd_move: Some(odd_move), ..self }
    }

    fn has(&self, fault: Fault) -> bool {
        self.fault == fault
    }

    /// Counts a call; returns the number of calls before.
    fn count(&self) -> u32 {
        self.calls.fetch_add(1, Ordering::Relaxed)
    }

    fn honest_check(
        &self,
        position: &FaultyPosition<G::Position>,
        seat: Seat,
        chosen: &G::Move,
    ) -> Result<(), Refusal> {
        self.game.check(&position.honest, seat, chosen)
    }

    /// Plays a legal ply.
    fn play_legal_ply(
        &self,
        position: &mut FaultyPosition<G::Position>,
        generator: &mut Generator,
    ) -> Result<(), PlayoutError> {
        if let Some(drawn) = self.draw_chance(position, generator)? {
            return Ok(self.advance_chance(position, &drawn)?);
        }
        let first = |seat| Some((seat, self.legal_moves(position, seat).next()?));
        let moves: Vec<_> = self.turn(position).seats().iter().filter_map(first).collect();
        if moves.is_empty() { Ok(()) } else { Ok(self.advance_all(position, &moves)?) }
    }

    fn honest_advance(
        &self,
        position: &mut FaultyPosition<G::Position>,
        moves: &[(Seat, G::Move)],
    ) -> Result<(), Refusal> {
        self.game.advance_all(&mut position.honest, moves)?;
        self.spoil(position);
        Ok(())
    }

    fn spoil(&self, position: &mut FaultyPosition<G::Position>) {
        match self.fault {
            Fault::HashDiffers => position.only_hashed += 1,
            Fault::TextDiffers | Fault::FutureDiffers => position.uncompared += 1,
            Fault::SameText => position.unwritten += 1,
            _ => {}
        }
    }

    fn has_a_king(&self, position: &FaultyPosition<G::Position>) -> bool {
        self.game.text(&position.honest).contains('K')
    }

    fn has_finished_a_game(&self) -> bool {
        self.calls.load(Ordering::Relaxed) > 0
    }
}

/// A refusal with this code and message, either of which may be empty.
fn refusal(code: &'static str, message: &str) -> Refusal {
    Reason::new(Code::new(code), message).into()
}

impl<G: Game> Clone for FaultyGame<G> {
    fn clone(&self) -> Self {
        let fault = match self.fault {
            Fault::InCopies(fault) => *fault,
            fault => fault,
        };
        let (game, odd_move) = (self.game.clone(), self.odd_move.clone());
        Self { game, fault, odd_move, calls: Arc::clone(&self.calls) }
    }
}

impl<G: Game> Game for FaultyGame<G> {
    type Position = FaultyPosition<G::Position>;
    type Move = G::Move;
    type Chance = G::Chance;

    fn name(&self) -> String {
        if self.has(Fault::NoName) { String::new() } else { self.game.name() }
    }

    fn seats(&self) -> Vec<&str> {
        match self.fault {
            Fault::NoSeats => Vec::new(),
            Fault::NineSeats => vec!["1", "2", "3", "4", "5", "6", "7", "8", "9"],
            Fault::EmptySeatName => vec!["Ann", ""],
            Fault::DuplicateSeatName => vec!["Ann", "Ann"],
            _ => self.game.seats(),
        }
    }

    fn start(&self) -> Self::Position {
        let mut start = FaultyPosition::new(self.game.start());
        if self.has(Fault::StartDiffers) {
            start.unwritten = self.count();
        }
        start
    }

    fn turn(&self, position: &Self::Position) -> Turn {
        let turn = self.game.turn(&position.honest);
        match (self.fault, turn) {
            (Fault::NobodyInTurn, Turn::One(_)) => Turn::Several(Seats::NONE),
            (Fault::NoSuchSeat, Turn::One(_)) => {
                Turn::One(Seat::new(7).expect("a seat number is below 8"))
            }
            (Fault::WrongScoreCount, Turn::Over(_)) => Turn::Over(Outcome::scored(&[1])),
            (Fault::TurnLeak, Turn::Over(_)) if self.has_a_king(position) => {
                Turn::Over(Outcome::scored(&[9, -9]))
            }
            (Fault::ReplayRefused | Fault::ReplayDiffers, Turn::Over(outcome)) => {
                self.count();
                Turn::Over(outcome)
            }
            (_, turn) => turn,
        }
    }

    fn legal_moves<'a>(
        &'a self,
        position: &'a Self::Position,
        seat: Seat,
    ) -> impl ExactSizeIterator<Item = G::Move> + 'a {
        let turn = self.game.turn(&position.honest);
        let moves_of = |seat| self.game.legal_moves(&position.honest, seat).collect::<Vec<_>>();
        let mut moves = match (self.fault, &turn) {
            (Fault::NoLegalMove, Turn::One(_)) => Vec::new(),
            (Fault::LegalOutOfTurn, Turn::One(whose)) => moves_of(*whose),
            (Fault::LegalAfterTheEnd, Turn::Over(_)) => {
                self.game.legal_moves(&self.game.start(), seat).collect()
            }
            (Fault::LegalMovesLeak, _) if self.has_a_king(position) => {
                moves_of(seat).into_iter().rev().collect()
            }
            (Fault::FutureDiffers, _) if position.uncompared > 2 => {
                moves_of(seat).into_iter().rev().collect()
            }
            _ => moves_of(seat),
        };
        match self.fault {
            Fault::LegalMoveListedTwice => moves.extend(moves.first().cloned()),
            Fault::LegalMovesChange if self.count() % 2 == 1 => moves.reverse(),
            _ => {}
        }
        FaultyMoveList::new(moves, self.fault)
    }

    fn objections(&self, position: &Self::Position, seat: Seat, chosen: &G::Move) -> Vec<Reason> {
        self.game.objections(&position.honest, seat, chosen)
    }

    fn check(
        &self,
        position: &Self::Position,
        seat: Seat,
        chosen: &G::Move,
    ) -> Result<(), Refusal> {
        let honest = self.honest_check(position, seat, chosen);
        let turn = self.game.turn(&position.honest);
        let is_over = matches!(turn, Turn::Over(_));
        match self.fault {
            Fault::LegalRefused if honest.is_ok() => Err(refusal("no", "No")),
            Fault::IllegalAccepted if turn.seats().contains(seat) => Ok(()),
            Fault::AcceptedOutOfTurn if !is_over && !turn.seats().contains(seat) => Ok(()),
            Fault::AcceptedAfterTheEnd if is_over => Ok(()),
            Fault::NoMessage if honest.is_err() => Err(refusal("no", "")),
            Fault::NoCode if honest.is_err() => Err(refusal("", "No")),
            Fault::FullStop if honest.is_err() => Err(refusal("no", "No.")),
            Fault::GameOverNotFirst if is_over => Err(Reason::not_your_turn().into()),
            _ => honest,
        }
    }

    fn apply(&self, position: &mut Self::Position, seat: Seat, chosen: &G::Move) {
        self.game.apply(&mut position.honest, seat, chosen);
        self.spoil(position);
        if self.has(Fault::ApplyDiffers) {
            position.unwritten += 1;
        }
    }

    fn advance(
        &self,
        position: &mut Self::Position,
        seat: Seat,
        chosen: G::Move,
    ) -> Result<(), Refusal> {
        let advanced = self.advance_all(position, &[(seat, chosen)]);
        match self.fault {
            Fault::IllegalPlayedAlone => return Ok(()),
            Fault::AdvanceDiffers if advanced.is_ok() => position.unwritten += 1,
            _ => {}
        }
        advanced
    }

    fn advance_all(
        &self,
        position: &mut Self::Position,
        moves: &[(Seat, G::Move)],
    ) -> Result<(), Refusal> {
        let mut next = position.clone();
        let is_incomplete = moves.len() != self.turn(position).seats().len();
        let checked =
            moves.iter().try_for_each(|(seat, chosen)| self.check(position, *seat, chosen));
        let advanced = checked.and_then(|()| self.honest_advance(&mut next, moves));
        match self.fault {
            Fault::LegalNotPlayed => return Err(refusal("no", "No")),
            Fault::IllegalPlayed if !moves.is_empty() && !is_incomplete => return Ok(()),
            Fault::NothingPlayed if moves.is_empty() => return Ok(()),
            Fault::TooFewPlayed if is_incomplete && moves.len() == 1 => return Ok(()),
            Fault::TooManyPlayed if moves.len() > 1 && moves[0] == moves[1] => return Ok(()),
            Fault::RefusedButChanged if advanced.is_err() => position.unwritten += 1,
            Fault::ReplayRefused if self.has_finished_a_game() => return Err(refusal("no", "No")),
            Fault::ReplayDiffers if self.has_finished_a_game() => next.unwritten += 1,
            _ => {}
        }
        advanced?;
        *position = next;
        Ok(())
    }

    fn play_all(
        &self,
        position: &Self::Position,
        moves: &[(Seat, G::Move)],
    ) -> Result<Self::Position, Refusal> {
        let mut next = position.clone();
        let advanced = self.advance_all(&mut next, moves);
        match self.fault {
            Fault::OldPositionChanged if advanced.is_ok() => position.change_all_copies(),
            Fault::PlayDiffers => next.unwritten += 1,
            Fault::PlayRefusesDifferently if advanced.is_err() => return Err(refusal("no", "No")),
            _ => {}
        }
        advanced.map(|()| next)
    }

    fn count_moves(&self, position: &Self::Position, seat: Seat) -> usize {
        let count = self.legal_moves(position, seat).len();
        if self.fault == Fault::MovesMiscounted { count + 1 } else { count }
    }

    fn apply_nth(&self, position: &mut Self::Position, seat: Seat, place: usize) -> bool {
        let Some(chosen) = self.legal_moves(position, seat).nth(place) else { return false };
        self.game.apply(&mut position.honest, seat, &chosen);
        self.spoil(position);
        if self.fault == Fault::PlaceDiffers {
            position.unwritten += 1;
        }
        true
    }

    fn play_at_random(
        &self,
        position: &mut Self::Position,
        generator: &mut Generator,
    ) -> Result<(), PlayoutError> {
        match self.fault {
            Fault::RandomPlyFails => return Err(PlayoutError::NoMove(Seat::FIRST)),
            Fault::TwoRandomPlies => self.play_legal_ply(position, generator)?,
            _ => {}
        }
        self.play_legal_ply(position, generator)
    }

    fn text(&self, position: &Self::Position) -> String {
        let text = self.game.text(&position.honest);
        match self.fault {
            Fault::TextDiffers => format!("{text} after {}", position.uncompared),
            Fault::OldPositionChanged => format!("{text}, changed {} times", position.changes()),
            _ => text,
        }
    }

    fn picture(&self, position: &Self::Position, viewer: Viewer) -> Picture {
        if self.has(Fault::PictureLeak) {
            return Picture::in_words([self.text(position)]);
        }
        let mut picture = self.game.picture(&position.honest, viewer);
        let Some(board) = &mut picture.board else { return picture };
        match self.fault {
            Fault::NoColumns => board.columns = 0,
            Fault::RaggedBoard => board.columns = 2,
            Fault::EmptyCellName => board.cells[1].name = String::new(),
            Fault::DuplicateCellName => "a1".clone_into(&mut board.cells[1].name),
            Fault::CellOffersNonsense => board.cells[1].moves.push("undefined".to_owned()),
            Fault::LegalMoveNotOnBoard => board.cells[1].moves.clear(),
            _ => {}
        }
        picture
    }

    fn chances(&self, position: &Self::Position) -> Vec<(G::Chance, Probability)> {
        let mut chances = self.game.chances(&position.honest);
        match self.fault {
            Fault::ChancesOutOfTurn if chances.is_empty() => {
                chances = self.game.chances(&self.game.start());
            }
            Fault::NoChances => chances.clear(),
            Fault::ChancesChange if self.count() % 2 == 1 => chances.reverse(),
            Fault::ChanceListedTwice => chances.extend(chances.first().cloned()),
            Fault::BadProbabilities => {
                chances.pop();
            }
            _ => {}
        }
        chances
    }

    fn apply_chance(&self, position: &mut Self::Position, drawn: &G::Chance) {
        self.game.apply_chance(&mut position.honest, drawn);
    }

    fn advance_chance(
        &self,
        position: &mut Self::Position,
        drawn: &G::Chance,
    ) -> Result<(), Refusal> {
        let honest = self.game.advance_chance(&mut position.honest, drawn);
        match self.fault {
            Fault::ChanceRefused => Err(refusal("no", "No")),
            Fault::ImpossibleDrawn => Ok(()),
            Fault::DrawRefusalWithoutMessage if honest.is_err() => Err(refusal("", "")),
            Fault::DrawRefusedButChanged => honest.inspect_err(|_| position.unwritten += 1),
            _ => honest,
        }
    }

    fn draw_chance(
        &self,
        position: &Self::Position,
        generator: &mut Generator,
    ) -> Result<Option<G::Chance>, BadProbabilities> {
        let drawn = self.game.draw_chance(&position.honest, generator)?;
        Ok(match self.fault {
            Fault::NothingDrawn => None,
            Fault::DrawnOutOfTurn => {
                let first = self.game.chances(&self.game.start()).into_iter().next();
                drawn.or_else(|| first.map(|(drawn, _)| drawn))
            }
            _ => drawn,
        })
    }

    fn label(&self, chosen: &G::Move) -> String {
        if self.has(Fault::LabelDiffers) { "?".to_owned() } else { self.game.label(chosen) }
    }

    fn hides(&self) -> bool {
        self.game.hides() || self.has(Fault::HidesNothing)
    }

    fn view(&self, position: &Self::Position, viewer: Viewer) -> String {
        match (self.fault, viewer) {
            (Fault::ViewDiffers, Viewer::Spectator) => "?".to_owned(),
            _ if self.has(Fault::ViewLeak) || !self.game.hides() => self.text(position),
            _ => self.game.view(&position.honest, viewer),
        }
    }

    fn seen(&self, position: &Self::Position, ply: &PlyOf<Self>, viewer: Viewer) -> String {
        match self.fault {
            Fault::EverythingSeen => ply.to_string(),
            Fault::ObservationLeak if matches!(ply, Ply::Moves(_)) => ply.to_string(),
            _ => self.game.seen(&position.honest, ply, viewer),
        }
    }

    fn read_move(&self, text: &str) -> Result<G::Move, Refusal> {
        let odd_move = self.odd_move.clone();
        match (self.fault, text) {
            (Fault::Unreadable, "2") => Err(refusal("no", "No")),
            (Fault::Misread, "2") => self.game.read_move("1"),
            (Fault::NonsenseAccepted, "undefined") => {
                Ok(odd_move.expect("the test provides an odd move"))
            }
            (Fault::ReadRefusalWithoutMessage, "undefined") => Err(refusal("no", "")),
            _ => self.game.read_move(text),
        }
    }

    fn read_chance(&self, text: &str) -> Result<G::Chance, Refusal> {
        match (self.fault, text) {
            (Fault::ChanceUnreadable, "Q") => Err(refusal("no", "No")),
            (Fault::ChanceMisread, "Q") => self.game.read_chance("J"),
            _ => self.game.read_chance(text),
        }
    }
}
