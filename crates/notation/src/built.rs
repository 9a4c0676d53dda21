//! A text whose sets, events and b-threads are written out.

use std::fmt;
use std::sync::Arc;

use bthread::Name;
use checker::Fraction;
use game::Seat;

use crate::diagnostic::Diagnostic;
use crate::event_bits::EventBits;
use crate::meaning::Meanings;
use crate::symbols::Symbols;
use crate::syntax::{ComparisonSign, TextForm, ThreadRoleWord};
use crate::text_event::{EventNames, TextEvent};
use crate::thread_table::ThreadTable;
use crate::values::TextValue;

/// A checked text with values for its parameters: its events, b-threads and properties.
///
/// Cloning is cheap: all clones share one.
#[derive(Clone)]
pub struct BuiltText(pub(crate) Arc<SharedText>);

pub(crate) struct SharedText {
    pub(crate) form: TextForm,
    pub(crate) name: String,
    pub(crate) summary: Option<String>,
    pub(crate) symbols: Symbols,
    /// The parameters that have another value than the usual one.
    pub(crate) changed: Vec<(String, i64)>,
    pub(crate) names: Arc<EventNames>,
    pub(crate) meanings: Meanings,
    pub(crate) threads: Vec<BuiltThread>,
    pub(crate) tracked: Vec<TrackedThread>,
    /// The events that chance may draw.
    pub(crate) drawn: EventBits,
    pub(crate) properties: Vec<TextProperty>,
    pub(crate) warnings: Vec<Diagnostic>,
    /// The memory of all of it, in bytes, about.
    pub(crate) memory: u64,
}

/// A b-thread of a text.
#[derive(Clone)]
pub struct BuiltThread {
    pub(crate) name: Name,
    pub(crate) role: ThreadRoleWord,
    pub(crate) seat: Option<Seat>,
    pub(crate) line: u32,
    pub(crate) sentence: Option<Arc<str>>,
    pub(crate) code: Option<Arc<str>>,
    pub(crate) arguments: Vec<TextValue>,
    pub(crate) table: Arc<ThreadTable>,
}

/// A rule whose variables a picture shows.
#[derive(Clone)]
pub(crate) struct TrackedThread {
    /// What stands before the values.
    pub(crate) label: String,
    /// The names and numbers of the shown variables.
    pub(crate) variables: Vec<(String, usize)>,
    pub(crate) table: Arc<ThreadTable>,
}

/// A property of a text: what must be true of it.
#[derive(Clone, Debug)]
pub struct TextProperty {
    pub(crate) name: String,
    /// What it claims, in words, if its name does not say it.
    pub(crate) sentence: Option<&'static str>,
    pub(crate) line: u32,
    pub(crate) claim: TextClaim,
}

/// What a property claims. Sets of events are bits.
#[derive(Clone, Debug)]
pub(crate) enum TextClaim {
    Never(EventBits),
    Can(EventBits),
    NeverStuck,
    /// Every game ends with one result, and nothing happens after it.
    OneResult,
    EndsWith(EventBits),
    NeverStaysAtMust,
    Quantity {
        quantity: ChanceQuantity,
        comparison: ComparisonSign,
        value: Fraction,
    },
    /// The b-thread of this name watches.
    Requirement,
}

/// A number that chance decides. Sets of events are bits.
#[derive(Clone, Debug)]
pub(crate) enum ChanceQuantity {
    /// The probability that an event of the set ever happens.
    Probability(EventBits),
    /// The expected number of events of a set until one of another set has happened.
    Expected { counted: EventBits, until: EventBits },
}

impl BuiltText {
    /// Whether it is a game or a program.
    #[must_use]
    pub fn form(&self) -> TextForm {
        self.0.form
    }

    /// The name, with the parameters that were given: `nim:most=4`.
    #[must_use]
    pub fn name(&self) -> String {
        let given: Vec<String> =
            self.0.changed.iter().map(|(name, value)| format!("{name}={value}")).collect();
        if given.is_empty() {
            self.0.name.clone()
        } else {
            format!("{}:{}", self.0.name, given.join(","))
        }
    }

    /// The sentence after the name.
    #[must_use]
    pub fn summary(&self) -> Option<&str> {
        self.0.summary.as_deref()
    }

    /// The columns and rows of the board that is drawn, if there is one.
    #[must_use]
    pub fn grid(&self) -> Option<(u32, u32)> {
        let drawn = self.0.meanings.grid.map(|_| &self.0.meanings.drawn)?;
        let squares = u32::try_from(drawn.names.len()).ok()?;
        Some((drawn.columns, squares.checked_div(drawn.columns)?))
    }

    /// The parameters with their values.
    #[must_use]
    pub fn parameters(&self) -> &[(String, i64)] {
        &self.0.symbols.parameters
    }

    /// All events, in order.
    pub fn events(&self) -> impl ExactSizeIterator<Item = TextEvent> {
        (0..self.0.names.events()).map(|number| self.event(number))
    }

    pub(crate) fn event(&self, number: u32) -> TextEvent {
        TextEvent::new(number, &self.0.names)
    }

    /// All b-threads, in the order of the text.
    #[must_use]
    pub fn threads(&self) -> &[BuiltThread] {
        &self.0.threads
    }

    /// The b-thread of this name.
    #[must_use]
    pub fn thread(&self, name: &Name) -> Option<&BuiltThread> {
        self.0.threads.iter().find(|thread| thread.name == *name)
    }

    /// The text without the b-threads, families and properties of these names. Names that nothing
    /// has change nothing.
    #[must_use]
    pub fn without(&self, names: &[String]) -> Self {
        let SharedText { threads, tracked, properties, .. } = &*self.0;
        let is_left_out = |name: &Name| names.iter().any(|other| name.is(other));
        let is_named = |property: &TextProperty| names.contains(&property.name);
        let threads = threads.iter().filter(|thread| !is_left_out(&thread.name)).cloned();
        // A claim of a b-thread that does not watch is no claim.
        let properties = properties.iter().filter(|property| !is_named(property)).cloned();
        Self(Arc::new(SharedText {
            form: self.0.form,
            name: self.0.name.clone(),
            summary: self.0.summary.clone(),
            symbols: self.0.symbols.clone(),
            changed: self.0.changed.clone(),
            names: Arc::clone(&self.0.names),
            meanings: self.0.meanings.clone(),
            threads: threads.collect(),
            tracked: tracked.clone(),
            drawn: self.0.drawn.clone(),
            properties: properties.collect(),
            warnings: self.0.warnings.clone(),
            memory: self.0.memory,
        }))
    }

    /// The properties, in the order of the text.
    #[must_use]
    pub fn properties(&self) -> &[TextProperty] {
        &self.0.properties
    }

    /// What must be true of every game: it ends with exactly one result, and nobody is stuck. A
    /// program has none.
    #[must_use]
    pub fn general_properties(&self) -> Vec<TextProperty> {
        if self.form() == TextForm::Program {
            return Vec::new();
        }
        let claims = [
            ("ExactlyOneResult", "Every game ends with exactly one result", TextClaim::OneResult),
            ("NobodyIsStuck", "Nobody is stuck without a legal move", TextClaim::NeverStuck),
        ];
        let own = self.properties();
        let is_new = |name: &str| own.iter().all(|property| property.name != name);
        claims
            .into_iter()
            .filter(|(name, _, _)| is_new(name))
            .map(|(name, sentence, claim)| TextProperty {
                name: name.to_owned(),
                sentence: Some(sentence),
                line: 1,
                claim,
            })
            .collect()
    }

    /// The properties that are checked if nobody asks for others: those of the text, after what must
    /// be true of every game if the text requires nothing.
    #[must_use]
    pub fn usual_properties(&self) -> Vec<TextProperty> {
        let is_required = |property: &TextProperty| {
            let mut threads = self.threads().iter();
            !matches!(property.claim, TextClaim::Requirement)
                || threads.any(|thread| {
                    thread.role == ThreadRoleWord::Require && thread.name.is(&property.name)
                })
        };
        let own = self.properties();
        let general =
            if own.iter().any(is_required) { Vec::new() } else { self.general_properties() };
        [&general, own].concat()
    }

    /// The warnings.
    #[must_use]
    pub fn warnings(&self) -> &[Diagnostic] {
        &self.0.warnings
    }

    /// The names of the seats, in order; none in a program.
    pub fn seats(&self) -> Vec<&str> {
        let list = self.0.symbols.seats.map(|list| &self.0.symbols.lists[list as usize]);
        list.map_or(Vec::new(), |list| list.names.iter().map(String::as_str).collect())
    }
}

impl BuiltThread {
    /// Its name, as it is written in explanations: `SquareTaken(b2)`.
    #[must_use]
    pub fn name(&self) -> &Name {
        &self.name
    }

    /// What it is for.
    #[must_use]
    pub fn role(&self) -> ThreadRoleWord {
        self.role
    }

    /// The line of its declaration in the text.
    #[must_use]
    pub fn line(&self) -> u32 {
        self.line
    }

    /// The seat that it plays, if it is a strategy.
    #[must_use]
    pub fn seat(&self) -> Option<Seat> {
        self.seat
    }

    /// What its block means to a player.
    #[must_use]
    pub fn sentence(&self) -> Option<&str> {
        self.sentence.as_deref()
    }
}

impl TextProperty {
    /// Its name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What it claims, in words; its name, if that says it.
    #[must_use]
    pub fn sentence(&self) -> &str {
        self.sentence.unwrap_or(&self.name)
    }

    /// The line of its declaration in the text.
    #[must_use]
    pub fn line(&self) -> u32 {
        self.line
    }

    /// Whether whole runs break or prove it, so that the graph of all states is needed.
    #[must_use]
    pub fn is_about_runs(&self) -> bool {
        matches!(
            self.claim,
            TextClaim::OneResult
                | TextClaim::EndsWith(_)
                | TextClaim::NeverStaysAtMust
                | TextClaim::Quantity { .. }
        )
    }

    /// Whether an event breaks or proves it, and no state.
    #[must_use]
    pub fn is_about_an_event(&self) -> bool {
        matches!(self.claim, TextClaim::Never(_) | TextClaim::Can(_))
    }
}

impl fmt::Debug for BuiltText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("BuiltText").field(&self.name()).finish()
    }
}

impl fmt::Debug for BuiltThread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} (line {})", self.name, self.line)
    }
}
