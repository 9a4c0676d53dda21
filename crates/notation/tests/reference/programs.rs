//! Random programs, and how they are written.

use std::fmt::{self, Write};

use game::Generator;

/// The largest value of the set `n`, from 1 on.
pub(crate) const LARGEST: i64 = 3;

/// The variables of every b-thread.
pub(crate) const VARIABLES: [&str; 2] = ["x", "y"];

/// The families of events, with the names of their parameters.
const FAMILIES: [(&str, &[&str]); 3] = [("a", &["n"]), ("b", &["n", "m"]), ("c", &[])];

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Happening {
    pub(crate) family: usize,
    pub(crate) arguments: Vec<i64>,
}

pub(crate) struct RandomProgram {
    pub(crate) threads: Vec<Vec<Statement>>,
}

pub(crate) enum Statement {
    Sync(Sync),
    Either(Vec<(Sync, Vec<Self>)>),
    Forever(Vec<Self>),
    Times(i64, Vec<Self>),
    While(Condition, Vec<Self>),
    If(Condition, Vec<Self>, Vec<Self>),
    Assign(usize, Number),
}

#[derive(Default)]
pub(crate) struct Sync {
    pub(crate) requests: Vec<EventSet>,
    pub(crate) waits: Option<EventSet>,
    pub(crate) blocks: Option<EventSet>,
    pub(crate) interrupts: Option<EventSet>,
    pub(crate) otherwise: Option<EventSet>,
}

pub(crate) enum EventSet {
    Any,
    Family(usize),
    Some(usize, Vec<Argument>),
    Or(Box<Self>, Box<Self>),
    And(Box<Self>, Box<Self>),
    Except(Box<Self>, Box<Self>),
}

pub(crate) enum Argument {
    Anything,
    Is(Number),
    IsNot(Number),
    Less(Number),
    AtLeast(Number),
    Remember(usize),
}

pub(crate) enum Number {
    Constant(i64),
    Variable(usize),
    OneMore(usize),
}

pub(crate) enum Condition {
    Equal(Number, Number),
    Less(Number, Number),
    Not(Box<Self>),
    Both(Box<Self>, Box<Self>),
    Any(Box<Self>, Box<Self>),
}

/// All events of a program.
pub(crate) fn all_events() -> Vec<Happening> {
    let mut all = Vec::new();
    for (family, (_, parameters)) in FAMILIES.iter().enumerate() {
        let mut arguments = vec![Vec::new()];
        for _ in *parameters {
            let longer = |known: &Vec<i64>| -> Vec<Vec<i64>> {
                (1..=LARGEST).map(|last| [&known[..], &[last]].concat()).collect()
            };
            arguments = arguments.iter().flat_map(longer).collect();
        }
        all.extend(arguments.into_iter().map(|arguments| Happening { family, arguments }));
    }
    all
}

struct Author<'g>(&'g mut Generator);

/// A program of one to three b-threads.
pub(crate) fn random_program(generator: &mut Generator) -> RandomProgram {
    let mut author = Author(generator);
    let threads = 1 + author.below(3);
    RandomProgram { threads: (0..threads).map(|_| author.body(2)).collect() }
}

impl Author<'_> {
    fn below(&mut self, bound: u64) -> u64 {
        self.0.below(bound)
    }

    fn index(&mut self, bound: usize) -> usize {
        usize::try_from(self.below(bound as u64)).expect("it is small")
    }

    fn one_in(&mut self, many: u64) -> bool {
        self.below(many) == 0
    }

    fn body(&mut self, depth: u32) -> Vec<Statement> {
        (0..=self.below(3)).map(|_| self.statement(depth)).collect()
    }

    /// Statements that begin with a sync point, so that a loop of them is not silent.
    fn loop_body(&mut self, depth: u32) -> Vec<Statement> {
        let mut body = vec![Statement::Sync(self.sync(Remembers::Something))];
        body.extend((0..self.below(3)).map(|_| self.statement(depth)));
        body
    }

    fn statement(&mut self, depth: u32) -> Statement {
        let kinds = if depth == 0 { 5 } else { 12 };
        match self.below(kinds) {
            0..4 => Statement::Sync(self.sync(Remembers::Something)),
            4 => Statement::Assign(self.index(VARIABLES.len()), self.number()),
            5 | 6 => {
                let branches = 2 + self.below(2);
                let branch = |author: &mut Self| {
                    let rest = (0..author.below(3)).map(|_| author.statement(depth - 1)).collect();
                    (author.sync(Remembers::Something), rest)
                };
                Statement::Either((0..branches).map(|_| branch(self)).collect())
            }
            7 | 8 => Statement::Forever(self.loop_body(depth - 1)),
            9 => {
                let count = i64::try_from(self.below(4)).expect("it is small");
                Statement::Times(count, self.body(depth - 1))
            }
            10 => Statement::While(self.condition(1), self.loop_body(depth - 1)),
            _ => Statement::If(self.condition(1), self.body(depth - 1), self.body(depth - 1)),
        }
    }

    fn sync(&mut self, remembers: Remembers) -> Sync {
        let mut sync = Sync::default();
        for _ in 0..self.below(3) {
            sync.requests.push(self.set(1, remembers));
        }
        if sync.requests.is_empty() || self.one_in(2) {
            sync.waits = Some(self.set(1, remembers));
        }
        if self.one_in(3) {
            sync.blocks = Some(self.set(1, Remembers::Nothing));
        }
        if self.one_in(8) {
            sync.interrupts = Some(self.set(1, Remembers::Nothing));
        }
        if self.one_in(6) {
            sync.otherwise = Some(self.set(1, remembers));
        }
        sync
    }

    fn set(&mut self, depth: u32, remembers: Remembers) -> EventSet {
        match self.below(if depth == 0 { 8 } else { 12 }) {
            0 => EventSet::Any,
            1 => EventSet::Family(self.index(FAMILIES.len())),
            2..8 => {
                let family = self.index(2);
                let parameters = FAMILIES[family].1.len();
                EventSet::Some(family, (0..parameters).map(|_| self.argument(remembers)).collect())
            }
            8 | 9 => EventSet::Or(self.boxed(remembers), self.boxed(remembers)),
            10 => EventSet::And(self.boxed(remembers), self.boxed(Remembers::Nothing)),
            _ => EventSet::Except(self.boxed(remembers), self.boxed(Remembers::Nothing)),
        }
    }

    fn boxed(&mut self, remembers: Remembers) -> Box<EventSet> {
        Box::new(self.set(0, remembers))
    }

    fn argument(&mut self, remembers: Remembers) -> Argument {
        match self.below(if remembers == Remembers::Something { 9 } else { 7 }) {
            0 => Argument::Anything,
            1..4 => Argument::Is(self.number()),
            4 => Argument::IsNot(self.number()),
            5 => Argument::Less(self.number()),
            6 => Argument::AtLeast(self.number()),
            _ => Argument::Remember(self.index(VARIABLES.len())),
        }
    }

    fn number(&mut self) -> Number {
        match self.below(6) {
            0..3 => Number::Constant(1 + i64::try_from(self.below(3)).expect("it is small")),
            3 | 4 => Number::Variable(self.index(VARIABLES.len())),
            _ => Number::OneMore(self.index(VARIABLES.len())),
        }
    }

    fn condition(&mut self, depth: u32) -> Condition {
        let boxed = |author: &mut Self| Box::new(author.condition(depth.saturating_sub(1)));
        match self.below(if depth == 0 { 4 } else { 7 }) {
            0 | 1 => Condition::Equal(self.number(), self.number()),
            2 | 3 => Condition::Less(self.number(), self.number()),
            4 => Condition::Not(boxed(self)),
            5 => Condition::Both(boxed(self), boxed(self)),
            _ => Condition::Any(boxed(self), boxed(self)),
        }
    }
}

/// Whether a set may remember values.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Remembers {
    Something,
    Nothing,
}

impl fmt::Display for Happening {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(FAMILIES[self.family].0)?;
        let arguments: Vec<String> = self.arguments.iter().map(ToString::to_string).collect();
        if arguments.is_empty() { Ok(()) } else { write!(f, "({})", arguments.join(", ")) }
    }
}

impl fmt::Display for RandomProgram {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "program random\nset n = 1..{LARGEST}")?;
        for (name, parameters) in FAMILIES {
            let declared = match parameters {
                [] => String::new(),
                [_] => "(n)".to_owned(),
                _ => "(n, m: n)".to_owned(),
            };
            writeln!(f, "event {name}{declared}")?;
        }
        for (number, body) in self.threads.iter().enumerate() {
            writeln!(f, "thread T{number}")?;
            for variable in VARIABLES {
                writeln!(f, "  keep {variable}: 1..{LARGEST} = 1")?;
            }
            write_body(f, body, 1)?;
        }
        Ok(())
    }
}

fn write_body(f: &mut fmt::Formatter<'_>, body: &[Statement], depth: usize) -> fmt::Result {
    let margin = "  ".repeat(depth);
    for statement in body {
        match statement {
            Statement::Sync(sync) => writeln!(f, "{margin}{sync}")?,
            Statement::Either(branches) => {
                for (number, (sync, rest)) in branches.iter().enumerate() {
                    let word = if number == 0 { "either" } else { "or" };
                    writeln!(f, "{margin}{word}\n{margin}  {sync}")?;
                    write_body(f, rest, depth + 1)?;
                }
            }
            Statement::Forever(body) => {
                writeln!(f, "{margin}forever")?;
                write_body(f, body, depth + 1)?;
            }
            Statement::Times(count, body) => {
                writeln!(f, "{margin}{count} times")?;
                write_body(f, body, depth + 1)?;
            }
            Statement::While(condition, body) => {
                writeln!(f, "{margin}while {condition}")?;
                write_body(f, body, depth + 1)?;
            }
            Statement::If(condition, then, otherwise) => {
                writeln!(f, "{margin}if {condition}")?;
                write_body(f, then, depth + 1)?;
                writeln!(f, "{margin}else")?;
                write_body(f, otherwise, depth + 1)?;
            }
            Statement::Assign(variable, value) => {
                writeln!(f, "{margin}{} = {value}", VARIABLES[*variable])?;
            }
        }
    }
    Ok(())
}

impl fmt::Display for Sync {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut clauses = Vec::new();
        if !self.requests.is_empty() {
            let requests: Vec<String> = self.requests.iter().map(ToString::to_string).collect();
            clauses.push(format!("request {}", requests.join(", ")));
        }
        for (word, set) in [
            ("wait for", &self.waits),
            ("block", &self.blocks),
            ("interrupt", &self.interrupts),
            ("otherwise", &self.otherwise),
        ] {
            clauses.extend(set.as_ref().map(|set| format!("{word} {set}")));
        }
        f.write_str(&clauses.join(", "))
    }
}

impl fmt::Display for EventSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Any => f.write_str("any"),
            Self::Family(family) => f.write_str(FAMILIES[*family].0),
            Self::Some(family, arguments) => {
                let (name, parameters) = FAMILIES[*family];
                let mut written = Vec::new();
                for (argument, parameter) in arguments.iter().zip(parameters) {
                    let mut text = String::new();
                    match argument {
                        Argument::Anything => text.push('_'),
                        Argument::Is(number) => write!(text, "{number}")?,
                        Argument::IsNot(number) => write!(text, "not {number}")?,
                        Argument::Less(number) => write!(text, "{parameter} < {number}")?,
                        Argument::AtLeast(number) => write!(text, "{parameter} >= {number}")?,
                        Argument::Remember(variable) => write!(text, "?{}", VARIABLES[*variable])?,
                    }
                    written.push(text);
                }
                write!(f, "{name}({})", written.join(", "))
            }
            Self::Or(one, other) => write!(f, "({one} or {other})"),
            Self::And(one, other) => write!(f, "({one} and {other})"),
            Self::Except(one, other) => write!(f, "({one} except {other})"),
        }
    }
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Constant(number) => write!(f, "{number}"),
            Self::Variable(variable) => f.write_str(VARIABLES[*variable]),
            Self::OneMore(variable) => write!(f, "{} + 1", VARIABLES[*variable]),
        }
    }
}

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Equal(one, other) => write!(f, "{one} == {other}"),
            Self::Less(one, other) => write!(f, "{one} < {other}"),
            Self::Not(inner) => write!(f, "not ({inner})"),
            Self::Both(one, other) => write!(f, "({one}) and ({other})"),
            Self::Any(one, other) => write!(f, "({one}) or ({other})"),
        }
    }
}
