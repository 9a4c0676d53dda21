//! Rounds of a game between people and computer players.

use game::{
    AnyGame, Game, Generator, Grid, Match, MatchEvent, MoveExplanation, MoveText, OnIllegalMove,
    Outcome, Picture, Ply, Refusal, Seat, ToAct, Viewer, all_seats, seat_name,
};

use super::participant::{Opponent, Participant};
use super::score::Score;

/// Rounds of a game between people and computer players.
///
/// A session never acts without a call: the caller plays a person's moves, and asks for each step
/// of a computer player or of chance.
#[derive(Debug)]
pub(super) struct PlaySession {
    game: AnyGame,
    opponent: Opponent,
    /// The seat of the person who chose one, in the first round.
    first_seat: Seat,
    /// What happens to the seats when a new round begins.
    rotation: Rotation,
    /// How many seats every participant has moved since the first round.
    shift: usize,
    /// By seat, in this round.
    participants: Vec<Participant>,
    /// Seeds computer players.
    seeds: Generator,
    /// Seeds the draws of chance.
    chance: u64,
    round: u32,
    current: Match<AnyGame>,
    /// The score of the rounds before this one.
    earlier: Score,
    /// The moves of computer players in this round.
    computer_moves: Vec<ComputerMove>,
    /// Why a computer player gave up.
    gave_up: Option<String>,
    has_owned_pieces: bool,
}

/// What happens to the seats when a new round begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rotation {
    /// Every participant moves on to another seat.
    EachRound,
    /// Every participant stays.
    Never,
}

/// A move of a computer player with its explanation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ComputerMove {
    /// The length of the match's history before the move.
    step: usize,
    /// The seat that moved.
    pub(super) seat: Seat,
    /// The move.
    pub(super) chosen: MoveText,
    /// The explanation, if the player has one.
    pub(super) explanation: Option<MoveExplanation>,
}

/// The participant that must act next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NextActor {
    /// A person, for this seat.
    Person(Seat),
    /// The computer player in this seat.
    Computer(Seat),
    /// Chance.
    Chance,
    /// Nobody: the round is over.
    Nobody(Outcome),
}

/// Why a person's move or resignation was refused. Nothing changed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum PlayError {
    /// The round has ended with this outcome.
    #[error("The round is over")]
    Over(Outcome),
    /// The rules refuse the move, or the text is not a move.
    #[error(transparent)]
    Refused(#[from] Refusal),
}

/// Why a move cannot be taken back. Nothing changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum UndoError {
    /// No person has moved yet.
    #[error("There is nothing to take back")]
    Nothing,
    /// The game hides something that the person may have seen since.
    #[error("Moves cannot be taken back in a game with hidden cards or moves")]
    Hidden,
}

/// The largest board whose squares have digits as numbers.
const MOST_NUMBERED_CELLS: usize = 10;

impl PlaySession {
    /// A session before its first move. A person takes the seat, and the seed decides everything
    /// that is left to chance.
    ///
    /// # Errors
    /// If the opponent cannot play this game.
    pub(super) fn new(
        game: AnyGame,
        seat: Seat,
        opponent: Opponent,
        rotation: Rotation,
        seed: u64,
    ) -> anyhow::Result<Self> {
        let mut seeds = Generator::seeded(seed);
        let chance = seeds.next_bits();
        let participants = opponent.participants(&game, seat, || seeds.next_bits())?;
        Ok(Self {
            has_owned_pieces: has_owned_pieces(&game),
            current: Match::new(game.clone(), OnIllegalMove::AskAgain),
            game,
            opponent,
            first_seat: seat,
            rotation,
            shift: 0,
            seeds,
            chance,
            round: 1,
            earlier: Score::new(participants.len()),
            participants,
            computer_moves: Vec::new(),
            gave_up: None,
        })
    }

    /// The game.
    pub(super) fn game(&self) -> &AnyGame {
        &self.game
    }

    /// The participant in a seat.
    pub(super) fn participant(&self, seat: Seat) -> &Participant {
        &self.participants[seat.index()]
    }

    /// The number of the participant in a seat. A participant keeps its number when seats change.
    pub(super) fn participant_number(&self, seat: Seat) -> usize {
        (seat.index() + self.shift) % self.participants.len()
    }

    /// Whether the pieces on the board belong to seats.
    pub(super) fn has_owned_pieces(&self) -> bool {
        self.has_owned_pieces
    }

    /// The number of this round, counted from 1.
    pub(super) fn round(&self) -> u32 {
        self.round
    }

    /// The score, including this round if it is over.
    pub(super) fn score(&self) -> Score {
        let mut score = self.earlier.clone();
        if let NextActor::Nobody(outcome) = self.next_actor() {
            score.add(&outcome, |seat| self.participant_number(seat));
        }
        score
    }

    /// The participant that must act next. Where several seats choose at once, people come first.
    pub(super) fn next_actor(&self) -> NextActor {
        match self.current.to_act() {
            ToAct::Nobody(outcome) => NextActor::Nobody(outcome),
            ToAct::Chance => NextActor::Chance,
            ToAct::Seats(seats) => match seats.iter().find(|seat| self.is_person(*seat)) {
                Some(seat) => NextActor::Person(seat),
                None => NextActor::Computer(seats.iter().next().expect("a seat must choose")),
            },
        }
    }

    fn is_person(&self, seat: Seat) -> bool {
        matches!(self.participant(seat), Participant::Person)
    }

    fn people(&self) -> impl Iterator<Item = Seat> {
        all_seats(&self.game).iter().filter(|seat| self.is_person(*seat))
    }

    /// The seat of the person, if only one person plays.
    pub(super) fn only_person(&self) -> Option<Seat> {
        let mut people = self.people();
        people.next().filter(|_| people.next().is_none())
    }

    /// The seat for which the person at the keyboard acts: the one to move, or else the first
    /// person's.
    pub(super) fn speaker(&self) -> Seat {
        match self.next_actor() {
            NextActor::Person(seat) => seat,
            NextActor::Computer(_) | NextActor::Chance | NextActor::Nobody(_) => {
                self.people().next().expect("at least one person plays")
            }
        }
    }

    /// Whose view of the game is shown.
    pub(super) fn viewer(&self) -> Viewer {
        self.only_person().map_or(Viewer::Spectator, Viewer::Seat)
    }

    /// The current position as a picture.
    pub(super) fn picture(&self) -> Picture {
        self.game.picture(self.current.position(), self.viewer())
    }

    /// The events of this round.
    pub(super) fn events(&self) -> &[MatchEvent<AnyGame>] {
        self.current.events()
    }

    /// Whether leaving would lose something: a move was made, and the round is not over.
    pub(super) fn is_running(&self) -> bool {
        let is_move = |event: &MatchEvent<AnyGame>| matches!(event, MatchEvent::Move { .. });
        self.events().iter().any(is_move) && !matches!(self.next_actor(), NextActor::Nobody(_))
    }

    /// Why a computer player gave up, if one did.
    pub(super) fn gave_up(&self) -> Option<&str> {
        self.gave_up.as_deref()
    }

    /// The last move of a computer player.
    pub(super) fn last_computer_move(&self) -> Option<&ComputerMove> {
        self.computer_moves.last()
    }

    /// The numbers of the cells that the last moves changed.
    pub(super) fn fresh_cells(&self) -> Vec<usize> {
        let moved = self.events().iter().rev().find_map(|event| match event {
            MatchEvent::Move { position, .. } => Some(position),
            _ => None,
        });
        let before = moved.map(|position| self.game.picture(position, self.viewer()));
        before.map_or_else(Vec::new, |before| changed_cells(&before, &self.picture()))
    }

    /// The numbers of the cells that the speaker's move would change. Empty if the move is illegal
    /// or waits for other seats.
    pub(super) fn cells_changed_by(&self, words: &str) -> Vec<usize> {
        let Ok(chosen) = self.check(words) else { return Vec::new() };
        match self.game.play(self.current.position(), self.speaker(), chosen) {
            Ok(after) => changed_cells(&self.picture(), &self.game.picture(&after, self.viewer())),
            Err(_) => Vec::new(),
        }
    }

    /// The legal moves of the person to move. Empty if no person is to move.
    pub(super) fn legal_moves(&self) -> Vec<MoveText> {
        match self.next_actor() {
            NextActor::Person(seat) => {
                self.game.legal_moves(self.current.position(), seat).collect()
            }
            NextActor::Computer(_) | NextActor::Chance | NextActor::Nobody(_) => Vec::new(),
        }
    }

    /// Reads a move and checks that the speaker may make it.
    ///
    /// # Errors
    /// All reasons against the move.
    pub(super) fn check(&self, words: &str) -> Result<MoveText, PlayError> {
        // After the end, no other reason matters.
        self.check_not_over()?;
        let chosen = self.read(words)?;
        self.game.check(self.current.position(), self.speaker(), &chosen)?;
        Ok(chosen)
    }

    fn check_not_over(&self) -> Result<(), PlayError> {
        match self.next_actor() {
            NextActor::Nobody(outcome) => Err(PlayError::Over(outcome)),
            NextActor::Person(_) | NextActor::Computer(_) | NextActor::Chance => Ok(()),
        }
    }

    /// Reads a move. Spaces and capitals do not matter, and a digit is the number of a square.
    fn read(&self, words: &str) -> Result<MoveText, Refusal> {
        let joined: String = words.split_whitespace().collect();
        let read = |words: &str| self.game.read_move(words).ok();
        let in_other_words = || {
            read(&joined)
                .or_else(|| read(&self.move_with_number(&joined)?))
                .or_else(|| read(&self.move_in_other_case(&joined)?))
        };
        // The refusal quotes the words as they were typed.
        self.game.read_move(words.trim()).or_else(|refusal| in_other_words().ok_or(refusal))
    }

    /// The only move on the square that a digit names.
    fn move_with_number(&self, words: &str) -> Option<String> {
        let number: usize = words.parse().ok()?;
        let board = self.picture().board?;
        let cell = board.cells.get(number).filter(|_| has_numbered_cells(&board))?;
        let [only] = cell.moves.as_slice() else { return None };
        Some(only.clone())
    }

    /// The move that differs from these words only in capitals.
    fn move_in_other_case(&self, words: &str) -> Option<String> {
        let cells = self.picture().board.map_or_else(Vec::new, |board| board.cells);
        let on_board = cells.into_iter().flat_map(|cell| cell.moves);
        let legal = self.legal_moves().into_iter().map(|chosen| chosen.to_string());
        on_board.chain(legal).find(|known| known.eq_ignore_ascii_case(words))
    }

    /// Makes a move for the person to move.
    ///
    /// # Errors
    /// All reasons against the move. Nothing changed.
    pub(super) fn play(&mut self, words: &str) -> Result<(), PlayError> {
        let chosen = self.check(words)?;
        Ok(self.current.choose(self.speaker(), chosen)?)
    }

    /// Takes one step of a computer player or of chance. Does nothing if it is not their turn.
    pub(super) fn step(&mut self) {
        match self.next_actor() {
            NextActor::Chance => self.draw(),
            NextActor::Computer(seat) => self.let_computer_choose(seat),
            NextActor::Person(_) | NextActor::Nobody(_) => {}
        }
    }

    /// Takes steps until a person must act or the round is over.
    pub(super) fn settle(&mut self) {
        while matches!(self.next_actor(), NextActor::Computer(_) | NextActor::Chance) {
            self.step();
        }
    }

    /// Draws by a seed for this step of this round: a move that is taken back and made again meets
    /// the same luck.
    fn draw(&mut self) {
        let step = self.current.history().len() as u64;
        let seed = self.chance.wrapping_add(u64::from(self.round) << 32).wrapping_add(step);
        let drawn = self.game.draw_chance(self.current.position(), &mut Generator::seeded(seed));
        let drawn = drawn.expect("the probabilities of a game add up");
        let drawn = drawn.expect("it is the turn of chance");
        self.current.draw(drawn).expect("what chance draws can happen");
    }

    /// Lets a computer player choose. A player that cannot choose a legal move gives up.
    fn let_computer_choose(&mut self, seat: Seat) {
        let Participant::Computer(_, player) = &mut self.participants[seat.index()] else { return };
        let step = self.current.history().len();
        let result = player.choose(&self.current.player_view(seat)).map_err(|why| why.to_string());
        let result = result.and_then(|choice| {
            let made = self.current.choose(seat, choice.chosen.clone());
            made.map_err(|refusal| format!("{} is refused: {refusal}", choice.chosen))?;
            Ok(ComputerMove { step, seat, chosen: choice.chosen, explanation: choice.explanation })
        });
        match result {
            Ok(made) => self.computer_moves.push(made),
            Err(reason) => self.give_up(seat, &reason),
        }
    }

    fn give_up(&mut self, seat: Seat, reason: &str) {
        self.gave_up = Some(format!("{} gives up: {reason}", seat_name(&self.game, seat)));
        self.current.resign(seat).expect("the round is not over");
    }

    /// Goes back to the last position in which a person had to move.
    ///
    /// # Errors
    /// If there is none, or the person may have seen something hidden since.
    pub(super) fn undo(&mut self) -> Result<(), UndoError> {
        if self.game.hides() {
            return Err(UndoError::Hidden);
        }
        let steps = self.last_turn_of_a_person().ok_or(UndoError::Nothing)?;
        self.current = self.current.taken_back_to(steps).ok_or(UndoError::Nothing)?;
        self.computer_moves.retain(|made| made.step < steps);
        self.gave_up = None;
        Ok(())
    }

    fn last_turn_of_a_person(&self) -> Option<usize> {
        let steps = self.current.history().len();
        let most = if self.differs_from_history() { steps } else { steps.checked_sub(1)? };
        let is_for_person = |steps: &usize| {
            let position = self.current.position_after(*steps);
            let turn = position.map(|position| self.game.turn(&position));
            turn.is_some_and(|turn| turn.seats().iter().any(|seat| self.is_person(seat)))
        };
        (0..=most).rev().find(is_for_person)
    }

    /// Whether a seat gave up, or has a move that is still sealed.
    fn differs_from_history(&self) -> bool {
        let turn = self.game.turn(self.current.position());
        match self.current.to_act() {
            ToAct::Nobody(_) => turn.outcome().is_none(),
            ToAct::Seats(seats) => turn.seats() != seats,
            ToAct::Chance => false,
        }
    }

    /// Begins another round and returns whether the seats were swapped. A round that is not over
    /// does not count. Seats stay where the opponent cannot play the person's seat.
    pub(super) fn new_round(&mut self) -> SeatChange {
        self.earlier = self.score();
        self.round += 1;
        self.current = Match::new(self.game.clone(), OnIllegalMove::AskAgain);
        self.computer_moves.clear();
        self.gave_up = None;
        match self.rotation {
            Rotation::EachRound => self.rotate(),
            Rotation::Never => SeatChange::Kept,
        }
    }

    fn rotate(&mut self) -> SeatChange {
        let seats = self.participants.len();
        let shift = (self.shift + 1) % seats;
        let index = (self.first_seat.index() + seats - shift) % seats;
        let seat = all_seats(&self.game).iter().nth(index).expect("the index is below the seats");
        let seeds = &mut self.seeds;
        match self.opponent.participants(&self.game, seat, || seeds.next_bits()) {
            Ok(participants) => {
                (self.participants, self.shift) = (participants, shift);
                if seats > 1 { SeatChange::Swapped } else { SeatChange::Kept }
            }
            Err(_) => SeatChange::Kept,
        }
    }

    /// The speaker gives up.
    ///
    /// # Errors
    /// If the round is over.
    pub(super) fn resign(&mut self) -> Result<(), PlayError> {
        self.check_not_over()?;
        Ok(self.current.resign(self.speaker())?)
    }

    /// Moves or a draw, as the viewer sees them.
    pub(super) fn seen(
        &self,
        position: &<AnyGame as Game>::Position,
        ply: &Ply<MoveText, MoveText>,
    ) -> String {
        self.game.seen(position, ply, self.viewer())
    }
}

/// Whether a new round changed the seats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SeatChange {
    Swapped,
    Kept,
}

/// Whether a digit names a square of this board. Squares are numbered from 0, row by row.
pub(super) fn has_numbered_cells(board: &Grid) -> bool {
    board.cells.len() <= MOST_NUMBERED_CELLS
}

/// Whether pieces belong to seats, judged by the first legal move.
fn has_owned_pieces(game: &AnyGame) -> bool {
    let start = game.start();
    let first = game.turn(&start).seats().iter().next();
    let opening = first.and_then(|seat| Some((seat, game.legal_moves(&start, seat).next()?)));
    let after = opening.and_then(|(seat, chosen)| game.play(&start, seat, chosen).ok());
    let board = after.and_then(|after| game.picture(&after, Viewer::Spectator).board);
    let mut pieces = board.iter().flat_map(|board| &board.cells).flat_map(|cell| &cell.piece);
    pieces.all(|piece| piece.seat.is_some())
}

/// The numbers of the cells whose piece differs between two pictures.
fn changed_cells(before: &Picture, after: &Picture) -> Vec<usize> {
    let (Some(before), Some(after)) = (&before.board, &after.board) else { return Vec::new() };
    let pairs = before.cells.iter().zip(&after.cells).enumerate();
    pairs.filter(|(_, (old, new))| old.piece != new.piece).map(|(place, _)| place).collect()
}

#[cfg(test)]
mod tests;
