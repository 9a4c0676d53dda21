//! Options of the rules, and parameters as text.

use std::fmt;

use super::rules::{NoSuchTarget, Pig};

/// A rule of Pig that can be switched on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PigOption {
    /// `hold-at-0`: a seat may hold before it has rolled anything. It passes its turn.
    HoldAtZero,
    /// `hold-at-target`: a seat that has rolled enough to win must hold.
    HoldAtTarget,
    /// `difference`: the result is the difference of the scores, each counted up to the target.
    Difference,
}

/// The text is not a target and options of Pig.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BadParameters {
    /// A part of the text is neither a number nor an option, or there is one too many.
    #[error(
        "write one number of points and options (hold-at-0, hold-at-target, difference, or ludorum \
         for the last two), each once, as in pig:50,difference"
    )]
    Unreadable,
    /// Nobody can play for this target.
    #[error(transparent)]
    Target(#[from] NoSuchTarget),
}

impl PigOption {
    /// All options.
    pub const ALL: [Self; 3] = [Self::HoldAtZero, Self::HoldAtTarget, Self::Difference];

    /// The options with which Ludorum plays Pig.
    ///
    /// Ludorum lists no hold before the first roll of a turn, so [`PigOption::HoldAtZero`] is not
    /// among them; its `next` nevertheless accepts such a hold.
    pub const LUDORUM: [Self; 2] = [Self::HoldAtTarget, Self::Difference];

    pub(super) const fn bit(self) -> u8 {
        1 << self as u8
    }
}

impl fmt::Display for PigOption {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::HoldAtZero => "hold-at-0",
            Self::HoldAtTarget => "hold-at-target",
            Self::Difference => "difference",
        })
    }
}

/// Reads a target and options, each at most once: `50,difference`.
pub(super) fn read_parameters(text: &str) -> Result<Pig, BadParameters> {
    let mut game = Pig::default();
    let mut has_target = false;
    let parts: Vec<&str> = text.split(',').collect();
    for (place, part) in parts.iter().copied().enumerate() {
        let is_number = part.bytes().all(|byte| byte.is_ascii_digit());
        if parts[..place].contains(&part) || is_number && std::mem::replace(&mut has_target, true) {
            return Err(BadParameters::Unreadable);
        }
        let option = PigOption::ALL.into_iter().find(|option| option.to_string() == part);
        game = match (option, part.parse()) {
            (Some(option), _) => game.with(option),
            (None, Ok(target)) if is_number => game.with_target(target)?,
            (None, _) if part == "ludorum" => PigOption::LUDORUM.into_iter().fold(game, Pig::with),
            (None, _) => return Err(BadParameters::Unreadable),
        };
    }
    Ok(game)
}
