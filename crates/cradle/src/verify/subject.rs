//! What can be verified: games of b-threads, texts in files, and plain games.

use anyhow::Result;
use bthread::Name;
use game::{Seat, Seats};
use games::catalog::{self, CatalogError, CatalogRules};

use super::plain_subject::PlainSubject;
use super::request::VerifyRequest;
use super::rulebook_subject::RulebookSubject;
use super::search::{OnProgress, SearchResult};
use super::text_subject::TextSubject;
use super::tic_tac_toe;
use crate::built_in_texts;
use crate::nearest::UnknownName;
use crate::text_file::{is_built_in, is_text};

/// A game or a program that can be verified.
pub(super) trait Subject {
    /// Its name.
    fn name(&self) -> String;

    /// One sentence about it, if it is a program.
    fn summary(&self) -> Option<String> {
        None
    }

    /// Its seats, in order; none in a program.
    fn seats(&self) -> Vec<VerifiedSeat>;

    /// Whether one of these properties needs the graph of all states.
    fn needs_graph(&self, _properties: &[KnownProperty]) -> bool {
        false
    }

    /// The names of its b-threads, highest priority first, if these seats follow their strategies.
    fn threads(&self, strategists: Seats) -> Vec<Name>;

    /// All properties that can be checked.
    fn properties(&self) -> Vec<KnownProperty>;

    /// Answers the request.
    ///
    /// # Errors
    /// If the b-threads are no program, or one requests an event outside of the alphabet.
    fn check(&self, request: &VerifyRequest, listener: OnProgress<'_>) -> Result<SearchResult>;
}

/// A seat of a game that can be verified.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct VerifiedSeat {
    pub(super) name: String,
    /// Whether strategies are written for it as b-threads.
    pub(super) has_strategies: bool,
    /// Whether it usually follows them.
    pub(super) follows: bool,
}

/// A property that can be checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct KnownProperty {
    /// Its name on the command line.
    pub(super) name: String,
    /// The property in words.
    pub(super) sentence: String,
    /// Whether it is checked unless the command line names others.
    pub(super) is_usual: bool,
    /// Whether a b-thread of this name watches it.
    pub(super) is_thread: bool,
}

/// The game of the catalog or the text of this name: in a file, or built in.
///
/// # Errors
/// If there is none. The error lists the known names, nearest first.
pub(super) fn open(words: &str, parameters: &[String]) -> Result<Box<dyn Subject>> {
    // A game of the catalog is verified as it is played, and as text where its parameters have names.
    let has_names = !parameters.is_empty() || words.contains('=');
    if is_text(words) || has_names && is_built_in(words) {
        return Ok(Box::new(TextSubject::open(words, parameters)?));
    }
    let rules = match catalog::rules(words) {
        Err(CatalogError::UnknownGame { .. }) if is_built_in(words) => {
            return Ok(Box::new(TextSubject::open(words, parameters)?));
        }
        Err(CatalogError::UnknownGame { name }) => {
            let mut known = catalog::names().to_vec();
            known.extend(built_in_texts::names().filter(|name| !catalog::names().contains(name)));
            return Err(UnknownName::new("game", &name, known).into());
        }
        rules => rules?,
    };
    if let Some(given) = parameters.first() {
        anyhow::bail!("{words} has no parameters such as {given:?}: they follow a colon");
    }
    Ok(match rules {
        CatalogRules::TicTacToe(rules) => {
            let symmetry = Some(tic_tac_toe::rules_only());
            Box::new(RulebookSubject { rulebook: rules, symmetry })
        }
        CatalogRules::Mnk(rules) => Box::new(RulebookSubject { rulebook: rules, symmetry: None }),
        CatalogRules::Plain(game) => Box::new(PlainSubject { game }),
    })
}

/// The names of some seats.
pub(super) fn names_of(subject: &dyn Subject, is_meant: impl Fn(Seat) -> bool) -> Vec<String> {
    let seats = (0..).zip(subject.seats());
    let meant = seats.filter(|(number, _)| Seat::new(*number).is_some_and(&is_meant));
    meant.map(|(_, seat)| seat.name).collect()
}

/// The players of a search, in words.
pub(super) fn about(subject: &dyn Subject, strategists: Seats) -> String {
    let following = names_of(subject, |seat| strategists.contains(seat)).join(" and ");
    let free = names_of(subject, |seat| !strategists.contains(seat)).join(" and ");
    match (following.is_empty(), free.is_empty()) {
        (true, true) => subject.summary().unwrap_or_else(|| "a program".to_owned()),
        (true, false) => "everybody may do anything".to_owned(),
        (false, true) => format!("{following} by their strategies"),
        (false, false) => {
            let whose = if following.contains(" and ") { "their" } else { "its" };
            format!("{following} by {whose} strategies against every {free}")
        }
    }
}
