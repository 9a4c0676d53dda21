//! What expressions and b-threads compile to, before their parameters have values.

use crate::span::Span;
use crate::syntax::ComparisonSign;
use crate::values::TextValue;

/// How to compute a value.
#[derive(Clone, Debug)]
pub(crate) enum ValueCode {
    Constant(TextValue),
    /// A variable or a parameter of the b-thread.
    Variable(usize),
    Part(Box<Self>, ValuePart),
    Sum(Box<Self>, Box<Self>),
    Difference(Box<Self>, Box<Self>),
    Product(Box<Self>, Box<Self>),
    Range(Box<Self>, Box<Self>),
    Braces(Vec<Self>),
    Union(Box<Self>, Box<Self>),
    Intersection(Box<Self>, Box<Self>),
    Without(Box<Self>, Box<Self>),
    /// The squares of all lines of a set that hold the first value and any of the second.
    LinesThrough(Box<Self>, Box<Self>, u32),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ValuePart {
    Up,
    Down,
    Left,
    Right,
    Row,
    Column,
    Neighbours,
    Diagonals,
    /// In the list that the value is from.
    Next,
    Previous,
    /// In a ring of numbers.
    NextIn(u32),
    PreviousIn(u32),
    /// A column of rows.
    Field(usize),
}

/// How to decide a condition.
#[derive(Clone, Debug)]
pub(crate) enum ConditionCode {
    Compare(ComparisonSign, ValueCode, ValueCode),
    In(ValueCode, ValueCode),
    /// There is such a value.
    Present(ValueCode),
    Not(Box<Self>),
    And(Box<Self>, Box<Self>),
    Or(Box<Self>, Box<Self>),
}

/// How to compute a set of events.
#[derive(Clone, Debug)]
pub(crate) enum EventCode {
    Any,
    Family(EventPattern),
    Or(Box<Self>, Box<Self>),
    And(Box<Self>, Box<Self>),
    Except(Box<Self>, Box<Self>),
}

/// Some events of a family.
#[derive(Clone, Debug)]
pub(crate) struct EventPattern {
    pub(crate) family: usize,
    /// The written arguments, each with the place of its parameter.
    pub(crate) arguments: Vec<(usize, ArgumentCode)>,
}

#[derive(Clone, Debug)]
pub(crate) enum ArgumentCode {
    Anything,
    /// Any value, which a variable remembers.
    Capture(usize),
    /// This value, or any of this set.
    Is(ValueCode),
    IsNot(ValueCode),
    Compares(ComparisonSign, ValueCode),
}

/// One step of a b-thread.
#[derive(Clone, Debug)]
pub(crate) enum Instruction {
    /// Stops at a sync point.
    Stop(usize),
    Assign {
        variable: usize,
        value: ValueCode,
        span: Span,
    },
    /// Goes on with the next instruction if the condition holds, otherwise at another one.
    Unless {
        condition: ConditionCode,
        otherwise: usize,
        span: Span,
    },
    Jump(usize),
    Fail(String),
    End,
}

/// A sync point, or several that stand together.
#[derive(Clone, Debug)]
pub(crate) struct PointCode {
    pub(crate) branches: Vec<BranchCode>,
    /// The variables that may be read here or later: one bit for each.
    pub(crate) live: u64,
}

/// A sync point, and where the b-thread goes on.
#[derive(Clone, Debug)]
pub(crate) struct BranchCode {
    pub(crate) is_hot: bool,
    pub(crate) requests: Vec<(EventCode, Option<ValueCode>)>,
    pub(crate) waits: Option<EventCode>,
    pub(crate) blocks: Option<EventCode>,
    pub(crate) interrupts: Option<EventCode>,
    pub(crate) otherwise: Option<EventCode>,
    pub(crate) next: usize,
    pub(crate) span: Span,
}

/// A variable of a b-thread.
#[derive(Clone, Debug)]
pub(crate) struct VariableInfo {
    pub(crate) name: String,
    /// Whether it is declared with `keep`.
    pub(crate) is_kept: bool,
    /// The declared range, if any.
    pub(crate) range: Option<ValueCode>,
}

/// A b-thread whose parameters have no values yet. Parameters are its first variables.
#[derive(Clone, Debug)]
pub(crate) struct ThreadCode {
    pub(crate) instructions: Vec<Instruction>,
    pub(crate) points: Vec<PointCode>,
    pub(crate) variables: Vec<VariableInfo>,
    pub(crate) parameters: usize,
}

impl ValueCode {
    /// Calls `show` with every variable that is read.
    pub(crate) fn reads(&self, show: &mut dyn FnMut(usize)) {
        match self {
            Self::Constant(_) => {}
            Self::Variable(variable) => show(*variable),
            Self::Part(whole, _) => whole.reads(show),
            Self::Braces(members) => members.iter().for_each(|member| member.reads(show)),
            Self::Sum(one, other)
            | Self::Difference(one, other)
            | Self::Product(one, other)
            | Self::Range(one, other)
            | Self::Union(one, other)
            | Self::Intersection(one, other)
            | Self::Without(one, other)
            | Self::LinesThrough(one, other, _) => {
                one.reads(show);
                other.reads(show);
            }
        }
    }
}

impl ConditionCode {
    pub(crate) fn reads(&self, show: &mut dyn FnMut(usize)) {
        match self {
            Self::Compare(_, one, other) | Self::In(one, other) => {
                one.reads(show);
                other.reads(show);
            }
            Self::Present(value) => value.reads(show),
            Self::Not(inner) => inner.reads(show),
            Self::And(one, other) | Self::Or(one, other) => {
                one.reads(show);
                other.reads(show);
            }
        }
    }
}

impl EventCode {
    pub(crate) fn reads(&self, show: &mut dyn FnMut(usize)) {
        match self {
            Self::Any => {}
            Self::Family(pattern) => {
                for (_, argument) in &pattern.arguments {
                    match argument {
                        ArgumentCode::Anything | ArgumentCode::Capture(_) => {}
                        ArgumentCode::Is(value)
                        | ArgumentCode::IsNot(value)
                        | ArgumentCode::Compares(_, value) => value.reads(show),
                    }
                }
            }
            Self::Or(one, other) | Self::And(one, other) | Self::Except(one, other) => {
                one.reads(show);
                other.reads(show);
            }
        }
    }

    /// The variables that remember a value whichever event of the set happens: one bit for each.
    pub(crate) fn certainly_captured(&self) -> u64 {
        match self {
            Self::Any => 0,
            Self::Family(pattern) => {
                pattern.captures().fold(0, |bits, (_, variable)| bits | 1 << variable)
            }
            Self::Or(one, other) => one.certainly_captured() & other.certainly_captured(),
            Self::And(one, other) => one.certainly_captured() | other.certainly_captured(),
            Self::Except(one, _) => one.certainly_captured(),
        }
    }

    /// Whether any variable may remember a value.
    pub(crate) fn has_captures(&self) -> bool {
        match self {
            Self::Any => false,
            Self::Family(pattern) => pattern.captures().next().is_some(),
            Self::Or(one, other) | Self::And(one, other) => {
                one.has_captures() || other.has_captures()
            }
            Self::Except(one, _) => one.has_captures(),
        }
    }
}

impl EventPattern {
    /// The parameters whose values are remembered, with the variables.
    pub(crate) fn captures(&self) -> impl Iterator<Item = (usize, usize)> {
        self.arguments.iter().filter_map(|(parameter, argument)| match argument {
            ArgumentCode::Capture(variable) => Some((*parameter, *variable)),
            _ => None,
        })
    }

    /// Whether one variable remembers two of its values, which must then be equal.
    pub(crate) fn captures_twice(&self) -> bool {
        let variables: Vec<usize> = self.captures().map(|(_, variable)| variable).collect();
        let is_known = |(place, variable)| variables[..place].contains(variable);
        variables.iter().enumerate().any(is_known)
    }
}

impl BranchCode {
    /// The sets at whose events the b-thread goes on.
    pub(crate) fn moves(&self) -> impl Iterator<Item = &EventCode> {
        let requests = self.requests.iter().map(|(set, _)| set);
        requests.chain(&self.waits).chain(&self.otherwise)
    }
}
