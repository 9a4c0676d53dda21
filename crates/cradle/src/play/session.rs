//! Rounds of a game between people and computer players.

use game::{
    AnyGame, Game, Generator, Match, MatchEvent, MoveExplanation, MoveText, OnIllegalMove, Outcome,
    Picture, Ply, Refusal, Seat, ToAct, Viewer, all_seats, seat_name,
};

use super::score::Score;
use super::sitter::{Opponent, Sitter};

/// Rounds of a game between people and computer players. Nothing happens by itself: a person's
/// moves are told to it, and it does one step for a computer player or for chance when asked.
#[derive(Debug)]
pub(super) struct Session {
    game: AnyGame,
    sitters: Vec<Sitter>,
    /// What decides the draws of chance.
    chance: u64,
    round: u32,
    current: Match<AnyGame>,
    /// How earlier rounds ended.
    outcomes: Vec<Outcome>,
    /// What computer players chose in this round.
    chosen: Vec<ComputerMove>,
    /// Why a computer player could not go on.
    gave_up: Option<String>,
    /// Whether what stands on the board belongs to seats.
    has_owned_pieces: bool,
}

/// A move of a computer player, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ComputerMove {
    /// How much had happened before.
    step: usize,
    /// Who chose.
    pub(super) seat: Seat,
    /// What.
    pub(super) chosen: MoveText,
    /// Why, if the player can tell.
    pub(super) why: Option<MoveExplanation>,
}

/// Whom a session waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Awaited {
    /// A person, who chooses for this seat.
    Person(Seat),
    /// The computer player in this seat.
    Computer(Seat),
    /// Chance.
    Chance,
    /// Nobody: the round is over.
    Nobody(Outcome),
}

/// Why a person does not have its way. Nothing has changed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum Denial {
    /// The round has ended, and how.
    #[error("The round is over")]
    Over(Outcome),
    /// The rules refuse the move, or it cannot be read.
    #[error(transparent)]
    Refused(#[from] Refusal),
}

/// Why nothing is taken back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum CannotUndo {
    /// There is nothing to take back.
    #[error("There is nothing to take back")]
    Nothing,
    /// Cards that were seen stay seen.
    #[error("What was seen cannot be taken back: something is hidden in this game")]
    Hidden,
}

impl Session {
    /// The first round is about to begin; a person takes the seat, and the seed decides all that
    /// is left to chance.
    ///
    /// # Errors
    /// If the opponent cannot play this game.
    pub(super) fn new(
        game: AnyGame,
        seat: Seat,
        opponent: &Opponent,
        seed: u64,
    ) -> anyhow::Result<Self> {
        let mut seeds = Generator::seeded(seed);
        let chance = seeds.next_bits();
        let sitters = opponent.sitters(&game, seat, || seeds.next_bits())?;
        let current = Match::new(game.clone(), OnIllegalMove::AskAgain);
        Ok(Self {
            has_owned_pieces: has_owned_pieces(&game),
            game,
            sitters,
            chance,
            round: 1,
            current,
            outcomes: Vec::new(),
            chosen: Vec::new(),
            gave_up: None,
        })
    }

    /// The game.
    pub(super) fn game(&self) -> &AnyGame {
        &self.game
    }

    /// Who sits there.
    pub(super) fn sitter(&self, seat: Seat) -> &Sitter {
        &self.sitters[seat.index()]
    }

    /// Whether what stands on the board belongs to seats.
    pub(super) fn has_owned_pieces(&self) -> bool {
        self.has_owned_pieces
    }

    /// The number of this round, counted from 1.
    pub(super) fn round(&self) -> u32 {
        self.round
    }

    /// The score, this round included if it is over.
    pub(super) fn score(&self) -> Score {
        let now = match self.current.to_act() {
            ToAct::Nobody(outcome) => Some(outcome),
            ToAct::Seats(_) | ToAct::Chance => None,
        };
        Score::of(self.sitters.len(), self.outcomes.iter().copied().chain(now))
    }

    /// Whom it waits for. Where several seats choose at once, people come first.
    pub(super) fn awaited(&self) -> Awaited {
        match self.current.to_act() {
            ToAct::Nobody(outcome) => Awaited::Nobody(outcome),
            ToAct::Chance => Awaited::Chance,
            ToAct::Seats(seats) => match seats.iter().find(|seat| self.is_person(*seat)) {
                Some(seat) => Awaited::Person(seat),
                None => Awaited::Computer(seats.iter().next().expect("somebody is asked")),
            },
        }
    }

    fn is_person(&self, seat: Seat) -> bool {
        matches!(self.sitter(seat), Sitter::Person)
    }

    fn people(&self) -> impl Iterator<Item = Seat> {
        all_seats(&self.game).iter().filter(|seat| self.is_person(*seat))
    }

    /// The seat of the only person, if there is but one.
    pub(super) fn only_person(&self) -> Option<Seat> {
        let mut people = self.people();
        people.next().filter(|_| people.next().is_none())
    }

    /// For whom a person speaks now: the seat that is to choose, or else the first one.
    pub(super) fn speaker(&self) -> Seat {
        match self.awaited() {
            Awaited::Person(seat) => seat,
            Awaited::Computer(_) | Awaited::Chance | Awaited::Nobody(_) => {
                self.people().next().expect("at least one person plays")
            }
        }
    }

    /// Who looks at the game.
    pub(super) fn viewer(&self) -> Viewer {
        self.only_person().map_or(Viewer::Spectator, Viewer::Seat)
    }

    /// How things stand.
    pub(super) fn picture(&self) -> Picture {
        self.game.picture(self.current.position(), self.viewer())
    }

    /// All that happened in this round.
    pub(super) fn events(&self) -> &[MatchEvent<AnyGame>] {
        self.current.events()
    }

    /// Whether something would be lost by leaving: a move was made, and the round is not over.
    pub(super) fn is_running(&self) -> bool {
        let is_move = |event: &MatchEvent<AnyGame>| matches!(event, MatchEvent::Move { .. });
        self.events().iter().any(is_move) && !matches!(self.awaited(), Awaited::Nobody(_))
    }

    /// Why a computer player could not go on, if it could not.
    pub(super) fn gave_up(&self) -> Option<&str> {
        self.gave_up.as_deref()
    }

    /// The last move of a computer player.
    pub(super) fn last_chosen(&self) -> Option<&ComputerMove> {
        self.chosen.last()
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

    /// The numbers of the cells that a move of the person who speaks would change; none if it
    /// cannot be made, or not without others.
    pub(super) fn cells_changed_by(&self, words: &str) -> Vec<usize> {
        let Ok(chosen) = self.check(words) else { return Vec::new() };
        match self.game.play(self.current.position(), self.speaker(), chosen) {
            Ok(after) => changed_cells(&self.picture(), &self.game.picture(&after, self.viewer())),
            Err(_) => Vec::new(),
        }
    }

    /// What the person may choose who is to choose; nothing if no person is.
    pub(super) fn legal_moves(&self) -> Vec<MoveText> {
        match self.awaited() {
            Awaited::Person(seat) => self.game.legal_moves(self.current.position(), seat).collect(),
            Awaited::Computer(_) | Awaited::Chance | Awaited::Nobody(_) => Vec::new(),
        }
    }

    /// Whether the person who speaks may make a move.
    ///
    /// # Errors
    /// All reasons why not.
    pub(super) fn check(&self, words: &str) -> Result<MoveText, Denial> {
        // The end is asked first: after it nothing that the rules say about a move matters.
        self.not_over()?;
        let chosen = self.read(words)?;
        self.game.check(self.current.position(), self.speaker(), &chosen)?;
        Ok(chosen)
    }

    fn not_over(&self) -> Result<(), Denial> {
        match self.awaited() {
            Awaited::Nobody(outcome) => Err(Denial::Over(outcome)),
            Awaited::Person(_) | Awaited::Computer(_) | Awaited::Chance => Ok(()),
        }
    }

    /// Reads a move, without the spaces in it if it cannot be read with them.
    fn read(&self, words: &str) -> Result<MoveText, Refusal> {
        let joined = || self.game.read_move(&words.split_whitespace().collect::<String>()).ok();
        // The refusal quotes what was written, not what was tried instead.
        self.game.read_move(words.trim()).or_else(|refusal| joined().ok_or(refusal))
    }

    /// The person who is to choose makes a move.
    ///
    /// # Errors
    /// All reasons why it cannot be made; nothing has changed then.
    pub(super) fn play(&mut self, words: &str) -> Result<(), Denial> {
        let chosen = self.check(words)?;
        Ok(self.current.choose(self.speaker(), chosen)?)
    }

    /// Does one step for a computer player or for chance; nothing if a person is awaited, or
    /// nobody.
    pub(super) fn go_on(&mut self) {
        match self.awaited() {
            Awaited::Chance => self.draw(),
            Awaited::Computer(seat) => self.let_choose(seat),
            Awaited::Person(_) | Awaited::Nobody(_) => {}
        }
    }

    /// Goes on until a person is awaited, or nobody.
    pub(super) fn settle(&mut self) {
        while matches!(self.awaited(), Awaited::Computer(_) | Awaited::Chance) {
            self.go_on();
        }
    }

    /// Draws what the seed says for this step of this round, so that who takes a move back and
    /// makes it again has the same luck.
    fn draw(&mut self) {
        let step = self.current.history().len() as u64;
        let seed = self.chance.wrapping_add(u64::from(self.round) << 32).wrapping_add(step);
        let drawn = self.game.draw_chance(self.current.position(), &mut Generator::seeded(seed));
        let drawn = drawn.expect("the probabilities of a game add up");
        let drawn = drawn.expect("chance is asked only when it is its turn");
        self.current.draw(drawn).expect("what chance draws can happen");
    }

    /// Lets a computer player choose; one that cannot go on gives up.
    fn let_choose(&mut self, seat: Seat) {
        let Sitter::Computer(_, player) = &mut self.sitters[seat.index()] else { return };
        let step = self.current.history().len();
        let result = player.choose(&self.current.player_view(seat)).map_err(|why| why.to_string());
        let result = result.and_then(|choice| {
            let made = self.current.choose(seat, choice.chosen.clone());
            made.map_err(|refusal| format!("{} is refused: {refusal}", choice.chosen))?;
            Ok(ComputerMove { step, seat, chosen: choice.chosen, why: choice.explanation })
        });
        match result {
            Ok(chosen) => self.chosen.push(chosen),
            Err(why) => self.give_up(seat, &why),
        }
    }

    fn give_up(&mut self, seat: Seat, why: &str) {
        self.gave_up = Some(format!("{} gives up: {why}", seat_name(&self.game, seat)));
        self.current.resign(seat).expect("only a round that goes on asks for a move");
    }

    /// Goes back to the last time when a person had to choose, with all that came after.
    ///
    /// # Errors
    /// If there was none, or something is hidden that may have been seen since.
    pub(super) fn undo(&mut self) -> Result<(), CannotUndo> {
        if self.game.hides() {
            return Err(CannotUndo::Hidden);
        }
        let steps = self.last_turn_of_a_person().ok_or(CannotUndo::Nothing)?;
        self.current = self.current.taken_back_to(steps).ok_or(CannotUndo::Nothing)?;
        self.chosen.retain(|chosen| chosen.step < steps);
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

    /// Whether somebody gave up, or has chosen what is still sealed.
    fn differs_from_history(&self) -> bool {
        let turn = self.game.turn(self.current.position());
        match self.current.to_act() {
            ToAct::Nobody(_) => turn.outcome().is_none(),
            ToAct::Seats(seats) => turn.seats() != seats,
            ToAct::Chance => false,
        }
    }

    /// Begins another round; one that is not over is not counted.
    pub(super) fn new_round(&mut self) {
        if let ToAct::Nobody(outcome) = self.current.to_act() {
            self.outcomes.push(outcome);
        }
        self.round += 1;
        self.current = Match::new(self.game.clone(), OnIllegalMove::AskAgain);
        self.chosen.clear();
        self.gave_up = None;
    }

    /// The person who speaks gives up.
    ///
    /// # Errors
    /// If the round is over.
    pub(super) fn resign(&mut self) -> Result<(), Denial> {
        self.not_over()?;
        Ok(self.current.resign(self.speaker())?)
    }

    /// What a viewer sees of moves or a draw that happened.
    pub(super) fn seen(
        &self,
        position: &<AnyGame as Game>::Position,
        happening: &Ply<MoveText, MoveText>,
    ) -> String {
        self.game.seen(position, happening, self.viewer())
    }
}

/// Whether what stands on the board belongs to seats, as far as the first move shows.
fn has_owned_pieces(game: &AnyGame) -> bool {
    let start = game.start();
    let first = game.turn(&start).seats().iter().next();
    let opening = first.and_then(|seat| Some((seat, game.legal_moves(&start, seat).next()?)));
    let after = opening.and_then(|(seat, chosen)| game.play(&start, seat, chosen).ok());
    let board = after.and_then(|after| game.picture(&after, Viewer::Spectator).board);
    let mut pieces = board.iter().flat_map(|board| &board.cells).flat_map(|cell| &cell.piece);
    pieces.all(|piece| piece.seat.is_some())
}

/// The numbers of the cells in which something else stands in another picture.
fn changed_cells(before: &Picture, after: &Picture) -> Vec<usize> {
    let (Some(before), Some(after)) = (&before.board, &after.board) else { return Vec::new() };
    let pairs = before.cells.iter().zip(&after.cells).enumerate();
    pairs.filter(|(_, (old, new))| old.piece != new.piece).map(|(place, _)| place).collect()
}

#[cfg(test)]
mod tests;
