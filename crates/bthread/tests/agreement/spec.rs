//! Programs as plain data, and their translation for the engine.

use std::fmt;

use bthread::{AnyBThread, BThread, Event, EventSet, Program, ProgramError, SyncPoint};

use crate::sample_behaviour::SampleBehaviour;

/// An event of the random programs: a number in a colour.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Signal {
    pub(crate) colour: Colour,
    pub(crate) number: u8,
}

/// The kind of a signal.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Colour {
    Red,
    Green,
    Blue,
    Grey,
}

/// The colours of the alphabet; grey is outside.
pub(crate) const COLOURS: [Colour; 3] = [Colour::Red, Colour::Green, Colour::Blue];

/// The number of signals of each colour in the alphabet.
pub(crate) const NUMBERS: u8 = 3;

/// Two signals outside the alphabet: one of a known colour, one of another.
pub(crate) const OUTSIDE: [Signal; 2] =
    [Signal { colour: Colour::Blue, number: NUMBERS }, Signal { colour: Colour::Grey, number: 0 }];

/// All signals of closed programs.
pub(crate) fn alphabet() -> Vec<Signal> {
    let of = |colour| (0..NUMBERS).map(move |number| Signal { colour, number });
    COLOURS.into_iter().flat_map(of).collect()
}

impl Event for Signal {
    type Kind = Colour;

    fn kind(&self) -> Colour {
        self.colour
    }
}

/// A set of signals as data.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) enum SetSpec {
    One(Signal),
    Several(Vec<Signal>),
    Kind(Colour),
    Kinds(Vec<Colour>),
    Matching(Test, Vec<Colour>),
    MatchingAny(Test),
    Everything,
    Nothing,
    Union(Vec<Self>),
    Or(Box<Self>, Box<Self>),
    And(Box<Self>, Box<Self>),
    Not(Box<Self>),
    /// A set with a name that describes its contents.
    Named(Box<Self>),
}

/// A predicate on the number of a signal.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Test {
    Odd,
    AtLeast(u8),
}

impl Test {
    pub(crate) fn holds(self, signal: Signal) -> bool {
        match self {
            Self::Odd => signal.number % 2 == 1,
            Self::AtLeast(least) => signal.number >= least,
        }
    }
}

/// A sync point as data.
#[derive(Clone, Default, PartialEq, Eq, Hash)]
pub(crate) struct PointSpec {
    pub(crate) requests: Vec<Signal>,
    pub(crate) waits: Vec<SetSpec>,
    pub(crate) blocks: Vec<SetSpec>,
    pub(crate) interrupts: Vec<SetSpec>,
    pub(crate) restarts: Vec<SetSpec>,
    pub(crate) is_hot: bool,
    pub(crate) priority: Option<i32>,
}

/// A b-thread as data.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct ThreadSpec {
    pub(crate) name: String,
    pub(crate) body: BodySpec,
}

/// A script or a behaviour.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum BodySpec {
    Script(Vec<PointSpec>, RepeatSpec),
    Behaviour(SampleBehaviour),
}

/// The repetition of a script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum RepeatSpec {
    Once,
    Times(u32),
    Forever,
    While(SetSpec),
    /// The last sync points repeat for ever, after this many others.
    ForeverAfter(usize),
    /// The sync points in between repeat after any signal of the set.
    Inside(usize, usize, SetSpec),
}

/// The program that the specs describe.
pub(crate) fn program(threads: &[ThreadSpec]) -> Result<Program<Signal>, ProgramError> {
    Program::new(threads.iter().map(ThreadSpec::to_thread))
}

impl ThreadSpec {
    pub(crate) fn to_thread(&self) -> AnyBThread<Signal> {
        match &self.body {
            BodySpec::Behaviour(behaviour) => {
                BThread::behaving(self.name.as_str(), behaviour.clone())
            }
            BodySpec::Script(points, repeat) => {
                let all: Vec<_> = points.iter().map(PointSpec::to_point).collect();
                let script = BThread::new(self.name.as_str());
                let script = match repeat {
                    RepeatSpec::ForeverAfter(before) => {
                        let (before, after) = all.split_at((*before).min(all.len()));
                        return script.then(before.to_vec()).then_forever(after.to_vec()).into();
                    }
                    RepeatSpec::Inside(before, last, set) => {
                        let (before, others) = all.split_at((*before).min(all.len()));
                        let (inside, after) = others.split_at((*last).min(others.len()));
                        let script = script.then(before.to_vec());
                        let script = script.then_while(set.to_set(), inside.to_vec());
                        return script.then(after.to_vec()).into();
                    }
                    _ => script.then(all),
                };
                let script = match repeat {
                    RepeatSpec::ForeverAfter(_) | RepeatSpec::Inside(..) | RepeatSpec::Once => {
                        script
                    }
                    RepeatSpec::Times(times) => script.times(*times),
                    RepeatSpec::Forever => script.forever(),
                    RepeatSpec::While(set) => script.repeat_while(set.to_set()),
                };
                script.into()
            }
        }
    }
}

impl PointSpec {
    pub(crate) fn to_point(&self) -> SyncPoint<Signal> {
        let mut point = SyncPoint::default().request_any(self.requests.iter().copied());
        point = self.waits.iter().fold(point, |point, set| point.wait_for(set.to_set()));
        point = self.blocks.iter().fold(point, |point, set| point.block(set.to_set()));
        point = self.interrupts.iter().fold(point, |point, set| point.interrupt(set.to_set()));
        point = self.restarts.iter().fold(point, |point, set| point.start_over(set.to_set()));
        if self.is_hot {
            point = point.hot();
        }
        match self.priority {
            Some(priority) => point.at_priority(priority),
            None => point,
        }
    }
}

impl SetSpec {
    pub(crate) fn to_set(&self) -> EventSet<Signal> {
        match self {
            Self::One(signal) => EventSet::one(*signal),
            Self::Several(signals) => EventSet::several(signals.iter().copied()),
            Self::Kind(colour) => EventSet::kind(*colour),
            Self::Kinds(colours) => EventSet::kinds(colours.iter().copied()),
            Self::Matching(test, colours) => {
                let test = *test;
                let colours = colours.iter().copied();
                EventSet::matching(self.to_string(), colours, move |signal| test.holds(*signal))
            }
            Self::MatchingAny(test) => {
                let test = *test;
                EventSet::matching_any(self.to_string(), move |signal| test.holds(*signal))
            }
            Self::Everything => EventSet::everything(),
            Self::Nothing => EventSet::nothing(),
            Self::Union(sets) => EventSet::union(sets.iter().map(Self::to_set)),
            Self::Or(left, right) => left.to_set() | right.to_set(),
            Self::And(left, right) => left.to_set() & right.to_set(),
            Self::Not(set) => !set.to_set(),
            Self::Named(set) => set.to_set().named(self.to_string()),
        }
    }
}

impl fmt::Display for Colour {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Red => "red",
            Self::Green => "green",
            Self::Blue => "blue",
            Self::Grey => "grey",
        })
    }
}

impl fmt::Display for Signal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.colour, self.number)
    }
}

impl fmt::Display for Test {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Odd => f.write_str("odd"),
            Self::AtLeast(least) => write!(f, "at least {least}"),
        }
    }
}

impl SetSpec {
    /// The parts of an unnamed union, which another `|` extends.
    fn parts(&self) -> Vec<String> {
        match self {
            Self::Kinds(colours) => colours.iter().map(ToString::to_string).collect(),
            Self::Union(sets) => sets.iter().map(ToString::to_string).collect(),
            Self::Or(left, right) => {
                let mut parts = left.parts();
                parts.push(right.to_string());
                parts
            }
            other => vec![other.to_string()],
        }
    }
}

impl fmt::Display for SetSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Everything => f.write_str("everything"),
            Self::Nothing => f.write_str("nothing"),
            Self::One(signal) => write!(f, "{signal}"),
            Self::Several(signals) => f.write_str(&few(signals, "{", ", ", "}")),
            Self::Kind(colour) => write!(f, "{colour}"),
            Self::Kinds(colours) => f.write_str(&few(colours, "(", " or ", ")")),
            Self::Matching(test, colours) => write!(f, "{test} of {}", joined(colours, "/")),
            Self::MatchingAny(test) => write!(f, "{test}"),
            Self::Union(sets) => f.write_str(&few(sets, "(", " or ", ")")),
            Self::Or(..) => f.write_str(&few(&self.parts(), "(", " or ", ")")),
            Self::And(left, right) => write!(f, "({left} and {right})"),
            Self::Not(set) => write!(f, "not {set}"),
            Self::Named(set) => write!(f, "<{set}>"),
        }
    }
}

/// A list that needs brackets only if it has more than one item.
fn few<T: fmt::Display>(items: &[T], open: &str, between: &str, close: &str) -> String {
    match items {
        [] => "nothing".to_owned(),
        [item] => item.to_string(),
        _ => format!("{open}{}{close}", joined(items, between)),
    }
}

fn joined<T: fmt::Display>(items: &[T], between: &str) -> String {
    let items: Vec<String> = items.iter().map(T::to_string).collect();
    items.join(between)
}

impl fmt::Display for PointSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let priority = self.priority.map(|priority| format!("at priority {priority}"));
        let clauses = [
            self.is_hot.then(|| "hot".to_owned()),
            priority,
            clause("request", &self.requests),
            clause("wait for", &self.waits),
            clause("block", &self.blocks),
            clause("interrupted by", &self.interrupts),
            clause("start over at", &self.restarts),
        ];
        let clauses: Vec<String> = clauses.into_iter().flatten().collect();
        let text = if clauses.is_empty() { "stay".to_owned() } else { clauses.join("; ") };
        f.write_str(&text)
    }
}

fn clause<T: fmt::Display>(verb: &str, items: &[T]) -> Option<String> {
    (!items.is_empty()).then(|| format!("{verb} {}", joined(items, ", ")))
}

impl fmt::Display for ThreadSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.body {
            BodySpec::Script(points, repeat) => {
                write!(f, "{}: [{}] {repeat:?}", self.name, joined(points, " / "))
            }
            BodySpec::Behaviour(behaviour) => write!(f, "{}: {behaviour:?}", self.name),
        }
    }
}

/// Failing cases are easier to read in the words of the engine.
macro_rules! debug_is_display {
    ($($type:ty),*) => {$(
        impl fmt::Debug for $type {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{self}")
            }
        }
    )*};
}

debug_is_display!(Colour, Signal, Test, SetSpec, PointSpec, ThreadSpec);
