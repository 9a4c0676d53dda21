//! Why a move is refused.

use std::borrow::Cow;
use std::fmt;

use bthread::Interest;
use serde::{Deserialize, Serialize};

use crate::turn::Outcome;

/// What a reason is called wherever programs read it: `already_taken`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Code(Cow<'static, str>);

/// One reason why a move is refused.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Reason {
    /// For programs.
    pub code: Code,
    /// For people: a whole sentence.
    pub message: String,
    /// The b-threads behind it, where the rules are b-threads.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub because: Vec<Because>,
}

/// A b-thread that blocks a move.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Because {
    /// Its name.
    pub thread: String,
    /// The set of events that it blocks.
    pub blocks: String,
}

/// Why a move is refused: every reason there is, the most important one first. Nothing changed.
///
/// It is written down as `{"code", "message", "reasons": [...]}`, with the code and the message of
/// the first reason.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(into = "Written", try_from = "Written")]
pub struct Refusal {
    first: Reason,
    others: Vec<Reason>,
}

/// A refusal as it is written down.
#[derive(Serialize, Deserialize)]
struct Written {
    code: Code,
    message: String,
    reasons: Vec<Reason>,
}

impl From<Refusal> for Written {
    fn from(refusal: Refusal) -> Self {
        let Refusal { first, others } = refusal;
        let (code, message) = (first.code.clone(), first.message.clone());
        Self { code, message, reasons: [vec![first], others].concat() }
    }
}

impl TryFrom<Written> for Refusal {
    type Error = Unreasoned;

    fn try_from(written: Written) -> Result<Self, Unreasoned> {
        Self::unless_none(written.reasons).err().ok_or(Unreasoned)
    }
}

/// A refusal that was written down without a reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a refusal has at least one reason")]
struct Unreasoned;

impl Code {
    /// The game has ended.
    pub const GAME_OVER: Self = Self::new("game_over");
    /// Somebody else must choose, or chance must.
    pub const NOT_YOUR_TURN: Self = Self::new("not_your_turn");
    /// Something stands there already.
    pub const ALREADY_TAKEN: Self = Self::new("already_taken");
    /// The words name no place and no move of this game.
    pub const OUT_OF_BOUNDS: Self = Self::new("out_of_bounds");
    /// Nobody in this game plays with this symbol.
    pub const INCORRECT_PLAYER_SYMBOL: Self = Self::new("incorrect_player_symbol");
    /// A seat that must choose did not, or not exactly once.
    pub const INCOMPLETE: Self = Self::new("incomplete");
    /// The rules forbid it for a reason of their own.
    pub const ILLEGAL_MOVE: Self = Self::new("illegal_move");
    /// The rules themselves are broken: they do not come to rest after this move.
    pub const BROKEN_RULES: Self = Self::new("broken_rules");

    /// A code of one's own.
    #[must_use]
    pub const fn new(words: &'static str) -> Self {
        Self(Cow::Borrowed(words))
    }

    /// The code as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Reason {
    /// A reason that no b-thread stands behind.
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), because: Vec::new() }
    }

    /// The same, with the b-threads behind it.
    #[must_use]
    pub fn because(mut self, because: impl IntoIterator<Item = Because>) -> Self {
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

    /// Somebody else must choose, or chance must.
    #[must_use]
    pub fn not_your_turn() -> Self {
        Self::new(Code::NOT_YOUR_TURN, "It is not your turn")
    }

    /// Something stands there already.
    #[must_use]
    pub fn already_taken() -> Self {
        Self::new(Code::ALREADY_TAKEN, "That cell is already marked")
    }

    /// There is no such place or move.
    pub fn out_of_bounds(message: impl fmt::Display) -> Self {
        Self::new(Code::OUT_OF_BOUNDS, message.to_string())
    }
}

impl Refusal {
    /// Refused for one reason.
    #[must_use]
    pub fn new(reason: Reason) -> Self {
        Self { first: reason, others: Vec::new() }
    }

    /// Refused if there is any reason.
    ///
    /// # Errors
    /// The refusal, if there is one.
    pub fn unless_none(reasons: impl IntoIterator<Item = Reason>) -> Result<(), Self> {
        let mut others: Vec<Reason> = reasons.into_iter().collect();
        if others.is_empty() {
            return Ok(());
        }
        Err(Self { first: others.remove(0), others })
    }

    /// The code of the first reason, which is the answer.
    #[must_use]
    pub fn code(&self) -> &Code {
        &self.first.code
    }

    /// The sentence of the first reason, which is the answer.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.first.message
    }

    /// All reasons, the most important one first.
    pub fn reasons(&self) -> impl Iterator<Item = &Reason> {
        std::iter::once(&self.first).chain(&self.others)
    }
}

impl<E: bthread::Event> From<&Interest<E>> for Because {
    fn from(interest: &Interest<E>) -> Self {
        Self { thread: interest.thread.to_string(), blocks: interest.set.to_string() }
    }
}

impl From<Reason> for Refusal {
    fn from(reason: Reason) -> Self {
        Self::new(reason)
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The sentence, and the names of the b-threads behind it.
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

/// All reasons, one after the other.
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
    fn no_reason_is_no_refusal() {
        assert_eq!(Refusal::unless_none([]), Ok(()));
    }

    #[test]
    fn the_first_reason_is_the_answer_and_all_are_told() {
        let because = Because { thread: "SquareTaken(b2)".into(), blocks: "marks on b2".into() };
        let reasons = [Reason::not_your_turn(), Reason::already_taken().because([because])];
        let refusal = Refusal::unless_none(reasons).unwrap_err();
        assert_eq!(refusal.code(), &Code::NOT_YOUR_TURN);
        assert_eq!(refusal.message(), "It is not your turn");
        assert_eq!(
            refusal.to_string(),
            "It is not your turn; That cell is already marked: SquareTaken(b2)"
        );
    }

    #[test]
    fn only_a_decided_game_is_lost() {
        let message = |outcome| Reason::game_over(&outcome).message;
        let won = Outcome::won_by(Seat::SECOND);
        assert_eq!(message(won), "The game is lost, you need to forfeit");
        assert_eq!(message(Outcome::draw()), "The game is over");
    }
}
