//! Refusals: why a move is illegal.

use std::borrow::Cow;
use std::fmt;

use bthread::Interest;
use serde::{Deserialize, Serialize};

use crate::turn::Outcome;

/// The code of a reason, for programs: `already_taken`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(value_type = String))]
pub struct Code(Cow<'static, str>);

/// One reason why a move is refused.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Reason {
    /// The code, for programs.
    pub code: Code,
    /// The sentence, for people, without a full stop.
    pub message: String,
    /// The b-threads that block the move, if the rules are b-threads.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub because: Vec<Blocker>,
}

/// A b-thread that blocks a move.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Blocker {
    /// Its name.
    pub thread: String,
    /// The blocked set of events that the move is in.
    pub blocks: String,
}

/// Why a move is refused: all reasons, the most important one first. Nothing changed.
///
/// As JSON it is `{"code", "message", "reasons": [...]}`, with the code and the message of the
/// first reason.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(into = "RefusalJson", try_from = "RefusalJson")]
pub struct Refusal {
    first: Reason,
    others: Vec<Reason>,
}

/// A refusal as JSON.
#[derive(Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = Refusal))]
struct RefusalJson {
    code: Code,
    message: String,
    reasons: Vec<Reason>,
}

#[cfg(feature = "openapi")]
impl utoipa::PartialSchema for Refusal {
    fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::Schema> {
        RefusalJson::schema()
    }
}

#[cfg(feature = "openapi")]
impl utoipa::ToSchema for Refusal {
    fn schemas(schemas: &mut Vec<(String, utoipa::openapi::RefOr<utoipa::openapi::Schema>)>) {
        RefusalJson::schemas(schemas);
    }
}

impl From<Refusal> for RefusalJson {
    fn from(refusal: Refusal) -> Self {
        let Refusal { first, others } = refusal;
        let (code, message) = (first.code.clone(), first.message.clone());
        Self { code, message, reasons: [vec![first], others].concat() }
    }
}

impl TryFrom<RefusalJson> for Refusal {
    type Error = NoReasons;

    fn try_from(written: RefusalJson) -> Result<Self, NoReasons> {
        Self::if_any(written.reasons).err().ok_or(NoReasons)
    }
}

/// JSON of a refusal without reasons.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a refusal has at least one reason")]
struct NoReasons;

impl Code {
    /// The game has ended.
    pub const GAME_OVER: Self = Self::new("game_over");
    /// It is the turn of another seat, or of chance.
    pub const NOT_YOUR_TURN: Self = Self::new("not_your_turn");
    /// The cell is not free.
    pub const ALREADY_TAKEN: Self = Self::new("already_taken");
    /// The text names no cell and no move of this game.
    pub const OUT_OF_BOUNDS: Self = Self::new("out_of_bounds");
    /// No seat of this game has this name.
    pub const INCORRECT_PLAYER_SYMBOL: Self = Self::new("incorrect_player_symbol");
    /// There is not exactly one move for each seat whose turn it is.
    pub const INCOMPLETE: Self = Self::new("incomplete");
    /// The rules forbid the move for another reason.
    pub const ILLEGAL_MOVE: Self = Self::new("illegal_move");
    /// The rules are broken: their b-threads do not come to rest after this move.
    pub const BROKEN_RULES: Self = Self::new("broken_rules");

    /// A code of a game's own.
    #[must_use]
    pub const fn new(code: &'static str) -> Self {
        Self(Cow::Borrowed(code))
    }

    /// The code as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Reason {
    /// A reason without b-threads.
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), because: Vec::new() }
    }

    /// The same reason with the b-threads that block the move.
    #[must_use]
    pub fn because(mut self, because: impl IntoIterator<Item = Blocker>) -> Self {
        self.because.extend(because);
        self
    }

    /// The game has ended.
    #[must_use]
    pub fn game_over(outcome: &Outcome) -> Self {
        let message = match outcome.winner() {
            Some(_) => "The game is lost, you need to forfeit",
            None => "The game is over",
        };
        Self::new(Code::GAME_OVER, message)
    }

    /// It is the turn of another seat, or of chance.
    #[must_use]
    pub fn not_your_turn() -> Self {
        Self::new(Code::NOT_YOUR_TURN, "It is not your turn")
    }

    /// The cell is not free.
    #[must_use]
    pub fn already_taken() -> Self {
        Self::new(Code::ALREADY_TAKEN, "That cell is already marked")
    }

    /// There is no such cell or move.
    pub fn out_of_bounds(message: impl fmt::Display) -> Self {
        Self::new(Code::OUT_OF_BOUNDS, message.to_string())
    }
}

impl Refusal {
    /// A refusal for one reason.
    #[must_use]
    pub fn new(reason: Reason) -> Self {
        Self { first: reason, others: Vec::new() }
    }

    /// Refuses if there is a reason.
    ///
    /// # Errors
    /// The refusal, if there is a reason.
    pub fn if_any(reasons: impl IntoIterator<Item = Reason>) -> Result<(), Self> {
        let mut others: Vec<Reason> = reasons.into_iter().collect();
        if others.is_empty() {
            return Ok(());
        }
        Err(Self { first: others.remove(0), others })
    }

    /// The code of the first reason.
    #[must_use]
    pub fn code(&self) -> &Code {
        &self.first.code
    }

    /// The sentence of the first reason.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.first.message
    }

    /// All reasons, the most important one first.
    pub fn reasons(&self) -> impl Iterator<Item = &Reason> {
        std::iter::once(&self.first).chain(&self.others)
    }
}

impl<E: bthread::Event> From<&Interest<E>> for Blocker {
    fn from(interest: &Interest<E>) -> Self {
        Self { thread: interest.thread.to_string(), blocks: interest.set.to_string() }
    }
}

impl From<Reason> for Refusal {
    fn from(reason: Reason) -> Self {
        Self::new(reason)
    }
}

/// A code that is only known when the program runs.
impl From<String> for Code {
    fn from(code: String) -> Self {
        Self(Cow::Owned(code))
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The sentence, and the names of the b-threads that block the move.
impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        for (index, because) in self.because.iter().enumerate() {
            let before = if index == 0 { ": " } else { ", " };
            write!(f, "{before}{}", because.thread)?;
        }
        Ok(())
    }
}

/// All reasons, the most important one first.
impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, reason) in self.reasons().enumerate() {
            let before = if index == 0 { "" } else { "; " };
            write!(f, "{before}{reason}")?;
        }
        Ok(())
    }
}

impl std::error::Error for Refusal {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::seat::Seat;

    #[test]
    fn without_reasons_nothing_is_refused() {
        assert_eq!(Refusal::if_any([]), Ok(()));
    }

    #[test]
    fn a_refusal_has_the_code_of_its_first_reason_and_names_all_reasons() {
        let because = Blocker { thread: "SquareTaken(b2)".into(), blocks: "marks on b2".into() };
        let reasons = [Reason::not_your_turn(), Reason::already_taken().because([because])];
        let refusal = Refusal::if_any(reasons).unwrap_err();
        assert_eq!(refusal.code(), &Code::NOT_YOUR_TURN);
        assert_eq!(refusal.message(), "It is not your turn");
        assert_eq!(
            refusal.to_string(),
            "It is not your turn; That cell is already marked: SquareTaken(b2)"
        );
    }

    #[test]
    fn only_a_won_game_is_called_lost() {
        let message = |outcome| Reason::game_over(&outcome).message;
        let won = Outcome::won_by(Seat::SECOND);
        assert_eq!(message(won), "The game is lost, you need to forfeit");
        assert_eq!(message(Outcome::draw()), "The game is over");
    }
}
