//! The rules.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use game::{
    Code, ExactSolver, Game, Outcome, Picture, PlayerKind, Probability, Reason, Seat, SkillLevel,
    Turn, Viewer,
};

use super::die::Die;
use super::pig_option::{BadParameters, PigOption, read_parameters};
use super::position::{Position, TurnPhase};
use super::solution::PigSolver;
use crate::unreadable::Unreadable;

/// Pig, its target and its options.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Pig {
    target: u16,
    /// One bit for each option.
    options: u8,
}

/// What a seat can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Move {
    /// Roll the die.
    Roll,
    /// Keep the total of this turn.
    Hold,
}

/// Nobody can play for this number of points.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{target} points cannot be the target: choose {least} to {most}",
    least = Pig::TARGETS.start(),
    most = Pig::TARGETS.end()
)]
pub struct NoSuchTarget {
    /// The number of points.
    pub target: u32,
}

const NAMES: [&str; 2] = ["A", "B"];
const USUAL_TARGET: u16 = 100;

impl Pig {
    /// A seat held before it had rolled anything in this turn.
    pub const NOTHING_TO_HOLD: Code = Code::new("nothing_to_hold");

    /// A seat rolled though it had enough to win, and must hold then.
    pub const MUST_HOLD: Code = Code::new("must_hold");

    /// The possible targets.
    pub const TARGETS: std::ops::RangeInclusive<u16> = 1..=1000;

    /// The game with this target.
    ///
    /// # Errors
    /// If the target is not one of [`Pig::TARGETS`].
    ///
    /// ```
    /// use game::Game;
    /// use games::pig::{Pig, PigOption};
    ///
    /// assert_eq!(Pig::new(50)?.name(), "pig:50");
    /// assert_eq!(Pig::default().name(), "pig");
    /// assert_eq!(Pig::new(50)?.with(PigOption::Difference).name(), "pig:50,difference");
    /// assert!(Pig::new(0).is_err());
    /// # Ok::<(), games::pig::NoSuchTarget>(())
    /// ```
    pub fn new(target: u32) -> Result<Self, NoSuchTarget> {
        Self::default().with_target(target)
    }

    /// The same game with an option switched on.
    #[must_use]
    pub const fn with(self, option: PigOption) -> Self {
        Self { options: self.options | option.bit(), ..self }
    }

    pub(super) fn with_target(self, target: u32) -> Result<Self, NoSuchTarget> {
        let known = u16::try_from(target).ok().filter(|target| Self::TARGETS.contains(target));
        known.map(|target| Self { target, ..self }).ok_or(NoSuchTarget { target })
    }

    /// The number of points that wins.
    #[must_use]
    pub const fn target(&self) -> u16 {
        self.target
    }

    /// Whether an option is switched on.
    #[must_use]
    pub const fn has(&self, option: PigOption) -> bool {
        self.options & option.bit() != 0
    }

    fn may_roll(self, position: &Position, seat: Seat) -> bool {
        let can_win = position.score_after_hold(seat) >= self.target.into();
        !(can_win && self.has(PigOption::HoldAtTarget))
    }

    fn may_hold(self, position: &Position) -> bool {
        position.total() > 0 || self.has(PigOption::HoldAtZero)
    }

    fn outcome(self, position: &Position, winner: Seat) -> Outcome {
        if !self.has(PigOption::Difference) {
            return Outcome::won_by(winner);
        }
        let counted = |seat| i32::try_from(position.score(seat).min(self.target.into()));
        let counted = |seat| counted(seat).expect("a target is at most 1000");
        let lead = counted(Seat::FIRST) - counted(Seat::SECOND);
        Outcome::scored(&[lead, -lead])
    }
}

/// A hundred points win, and no option is switched on.
impl Default for Pig {
    fn default() -> Self {
        Self { target: USUAL_TARGET, options: 0 }
    }
}

/// Reads what [`Game::name`] writes after the colon: a target and options.
impl FromStr for Pig {
    type Err = BadParameters;

    fn from_str(text: &str) -> Result<Self, BadParameters> {
        read_parameters(text)
    }
}

impl Game for Pig {
    type Position = Position;
    type Move = Move;
    type Chance = Die;

    /// The name leaves out the usual target.
    fn name(&self) -> String {
        let target = (self.target != USUAL_TARGET).then(|| self.target.to_string());
        let options = PigOption::ALL.into_iter().filter(|option| self.has(*option));
        let parameters: Vec<String> =
            target.into_iter().chain(options.map(|option| option.to_string())).collect();
        if parameters.is_empty() {
            "pig".to_owned()
        } else {
            format!("pig:{}", parameters.join(","))
        }
    }

    fn seats(&self) -> Vec<&str> {
        NAMES.into()
    }

    fn start(&self) -> Position {
        Position::START
    }

    fn turn(&self, position: &Position) -> Turn {
        match position.phase() {
            TurnPhase::Choosing(seat) => Turn::One(seat),
            TurnPhase::Rolling(_) => Turn::Chance,
            TurnPhase::WonBy(seat) => Turn::Over(self.outcome(position, seat)),
        }
    }

    fn legal_moves<'a>(
        &'a self,
        position: &'a Position,
        seat: Seat,
    ) -> impl ExactSizeIterator<Item = Move> + 'a {
        let is_in_turn = position.phase() == TurnPhase::Choosing(seat);
        let moves: &[Move] = match (self.may_roll(position, seat), self.may_hold(position)) {
            _ if !is_in_turn => &[],
            (true, true) => &[Move::Roll, Move::Hold],
            (true, false) => &[Move::Roll],
            // A seat that must hold has something to hold.
            (false, _) => &[Move::Hold],
        };
        moves.iter().copied()
    }

    // If two seats could hold nothing for ever, chance would never decide. With `hold-at-0` they can.
    fn objections(&self, position: &Position, seat: Seat, chosen: &Move) -> Vec<Reason> {
        let objection = match chosen {
            Move::Hold if !self.may_hold(position) => {
                Reason::new(Self::NOTHING_TO_HOLD, "You have nothing to hold: roll first")
            }
            Move::Roll if !self.may_roll(position, seat) => {
                Reason::new(Self::MUST_HOLD, "You have enough to win: hold")
            }
            Move::Hold | Move::Roll => return Vec::new(),
        };
        vec![objection]
    }

    fn apply(&self, position: &mut Position, seat: Seat, chosen: &Move) {
        match chosen {
            Move::Roll => position.start_roll(seat),
            Move::Hold => position.hold(seat, self.target.into()),
        }
    }

    fn chances(&self, position: &Position) -> Vec<(Die, Probability)> {
        match position.phase() {
            TurnPhase::Rolling(_) => Die::ALL.map(|die| (die, Probability::new(1, 6))).into(),
            TurnPhase::Choosing(_) | TurnPhase::WonBy(_) => Vec::new(),
        }
    }

    fn apply_chance(&self, position: &mut Position, drawn: &Die) {
        if let TurnPhase::Rolling(seat) = position.phase() {
            position.finish_roll(seat, *drawn);
        }
    }

    /// Simulations see little here, because dice decide so much, and rolling by the lead is nearly
    /// perfect.
    fn level(&self, level: SkillLevel) -> Option<PlayerKind> {
        Some(match level {
            SkillLevel::Easy => PlayerKind::Random,
            SkillLevel::Fair => PlayerKind::Mcts(40),
            SkillLevel::Hard => PlayerKind::Heuristic,
        })
    }

    /// The lead, with what the seat in turn has rolled.
    fn estimate(&self, position: &Position, seat: Seat) -> Option<i32> {
        let rolled = |seat| match position.phase() {
            TurnPhase::Choosing(turn) | TurnPhase::Rolling(turn) if turn == seat => {
                position.total()
            }
            _ => 0,
        };
        let points = |seat| i32::try_from(position.score(seat) + rolled(seat)).unwrap_or(i32::MAX);
        let lead = points(seat) - points(seat.opponent());
        Some((lead * 1_000 / i32::from(self.target)).clamp(-999, 999))
    }

    fn solver(&self) -> Option<Arc<dyn ExactSolver<Self>>> {
        PigSolver::of(*self)
    }

    fn score_unit(&self) -> Option<&str> {
        self.has(PigOption::Difference).then_some("points")
    }

    fn text(&self, position: &Position) -> String {
        let [a, b] = scores(position);
        format!("{a}, {b}; {}", phase(position))
    }

    fn picture(&self, position: &Position, _: Viewer) -> Picture {
        let [a, b] = scores(position);
        let target = format!("{} points win", self.target);
        Picture::in_words([target, a, b, phase(position)])
    }
}

fn scores(position: &Position) -> [String; 2] {
    [Seat::FIRST, Seat::SECOND]
        .map(|seat| format!("{} has {}", NAMES[seat.index()], position.score(seat)))
}

fn phase(position: &Position) -> String {
    let total = position.total();
    match position.phase() {
        TurnPhase::Choosing(seat) => {
            format!("{} has rolled {total} in this turn", NAMES[seat.index()])
        }
        TurnPhase::Rolling(seat) => {
            format!("{} has rolled {total} in this turn and rolls", NAMES[seat.index()])
        }
        TurnPhase::WonBy(seat) => format!("{} has won", NAMES[seat.index()]),
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Roll => "roll",
            Self::Hold => "hold",
        })
    }
}

impl FromStr for Move {
    type Err = Unreadable;

    fn from_str(text: &str) -> Result<Self, Unreadable> {
        match text {
            "roll" => Ok(Self::Roll),
            "hold" => Ok(Self::Hold),
            _ => Err(Unreadable::new(text, "a move: write roll or hold")),
        }
    }
}
