//! How one b-thread of the reference lives, and which signals a set has.

use bthread::Name;

use crate::habit::Habit;
use crate::spec::{BodySpec, PointSpec, RepeatSpec, SetSpec, Signal, ThreadSpec};

/// A b-thread, and how far it has come.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Thread {
    pub(crate) name: Name,
    pub(crate) is_of_program: bool,
    life: Life,
}

/// Ended b-threads are equal, however they ended.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Life {
    /// How many sync points were left behind, over all passes that are told apart.
    Script {
        points: Vec<PointSpec>,
        repeat: RepeatSpec,
        behind: usize,
    },
    Habit(Habit),
    Ended,
}

/// What a b-thread does when an event happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reaction {
    Ends,
    GoesOn,
    Stays,
}

impl Thread {
    pub(crate) fn of_program(spec: &ThreadSpec) -> Self {
        Self { is_of_program: true, ..Self::added(spec) }
    }

    pub(crate) fn added(spec: &ThreadSpec) -> Self {
        let life = match spec.body.clone() {
            BodySpec::Script(points, repeat) => {
                let is_empty = points.is_empty() || repeat == RepeatSpec::Times(0);
                if is_empty { Life::Ended } else { Life::Script { points, repeat, behind: 0 } }
            }
            BodySpec::Habit(habit) => Life::of(habit),
        };
        Self { name: spec.name.as_str().into(), is_of_program: false, life }
    }

    pub(crate) fn has_ended(&self) -> bool {
        self.life == Life::Ended
    }

    /// Where it stands; one that has ended says nothing.
    pub(crate) fn point(&self) -> PointSpec {
        match &self.life {
            Life::Script { points, behind, .. } => points[behind % points.len()].clone(),
            Life::Habit(habit) => habit.stand().unwrap_or_default(),
            Life::Ended => PointSpec::default(),
        }
    }

    /// Rule 7: interrupted first, even if it also waited for the event.
    pub(crate) fn reaction(&self, event: Signal) -> Reaction {
        let point = self.point();
        if point.interrupts.iter().any(|set| set.has(event)) {
            Reaction::Ends
        } else if point.requests.contains(&event) || point.waits.iter().any(|set| set.has(event)) {
            Reaction::GoesOn
        } else {
            Reaction::Stays
        }
    }

    pub(crate) fn react(&mut self, event: Signal) -> Reaction {
        let reaction = self.reaction(event);
        self.life = match reaction {
            Reaction::Ends => Life::Ended,
            Reaction::GoesOn => self.life.clone().after(event),
            Reaction::Stays => self.life.clone(),
        };
        reaction
    }
}

impl Life {
    fn of(habit: Habit) -> Self {
        if habit.stand().is_some() { Self::Habit(habit) } else { Self::Ended }
    }

    /// Rule 2: a script of sync points, optionally repeated, or a step function.
    fn after(self, event: Signal) -> Self {
        match self {
            Self::Ended => Self::Ended,
            Self::Habit(habit) => Self::of(habit.after(event)),
            Self::Script { points, repeat, behind } => {
                let behind = behind + 1;
                let pass_is_over = behind % points.len() == 0;
                let next = match &repeat {
                    _ if !pass_is_over => Some(behind),
                    RepeatSpec::Once => None,
                    RepeatSpec::Times(times) => {
                        (behind < points.len() * *times as usize).then_some(behind)
                    }
                    RepeatSpec::Forever => Some(0),
                    RepeatSpec::While(set) => set.has(event).then_some(0),
                };
                match next {
                    Some(behind) => Self::Script { points, repeat, behind },
                    None => Self::Ended,
                }
            }
        }
    }
}

impl SetSpec {
    /// Rule 4: whether the set has the signal.
    pub(crate) fn has(&self, signal: Signal) -> bool {
        match self {
            Self::One(one) => *one == signal,
            Self::Several(several) => several.contains(&signal),
            Self::Kind(colour) => *colour == signal.colour,
            Self::Kinds(colours) => colours.contains(&signal.colour),
            Self::Matching(test, colours) => colours.contains(&signal.colour) && test.holds(signal),
            Self::MatchingAny(test) => test.holds(signal),
            Self::Everything => true,
            Self::Nothing => false,
            Self::Union(sets) => sets.iter().any(|set| set.has(signal)),
            Self::Or(left, right) => left.has(signal) || right.has(signal),
            Self::And(left, right) => left.has(signal) && right.has(signal),
            Self::Not(set) => !set.has(signal),
            Self::Named(set) => set.has(signal),
        }
    }
}
