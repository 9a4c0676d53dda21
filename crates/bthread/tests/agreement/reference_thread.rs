//! The b-threads of the reference, and which signals a set contains.

use bthread::Name;

use crate::sample_behaviour::SampleBehaviour;
use crate::spec::{BodySpec, PointSpec, RepeatSpec, SetSpec, Signal, ThreadSpec};

/// A b-thread and its progress.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Thread {
    pub(crate) name: Name,
    pub(crate) is_of_program: bool,
    progress: Progress,
}

/// Ended b-threads are equal, however they ended.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Progress {
    /// `passed` is the number of sync points that the script has left behind.
    Script {
        points: Vec<PointSpec>,
        repeat: RepeatSpec,
        passed: usize,
    },
    Behaviour(SampleBehaviour),
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
        let progress = match spec.body.clone() {
            BodySpec::Script(points, repeat) => {
                let is_empty = points.is_empty() || repeat == RepeatSpec::Times(0);
                if is_empty {
                    Progress::Ended
                } else {
                    Progress::Script { points, repeat, passed: 0 }
                }
            }
            BodySpec::Behaviour(behaviour) => Progress::of(behaviour),
        };
        Self { name: spec.name.as_str().into(), is_of_program: false, progress }
    }

    pub(crate) fn has_ended(&self) -> bool {
        self.progress == Progress::Ended
    }

    /// The current sync point, which is empty if the b-thread has ended.
    pub(crate) fn point(&self) -> PointSpec {
        match &self.progress {
            Progress::Script { points, passed, .. } => points[passed % points.len()].clone(),
            Progress::Behaviour(behaviour) => behaviour.current_point().unwrap_or_default(),
            Progress::Ended => PointSpec::default(),
        }
    }

    /// Rule 7: an interrupt comes first, even if the b-thread also waits for the event.
    pub(crate) fn reaction(&self, event: Signal) -> Reaction {
        let point = self.point();
        if point.interrupts.iter().any(|set| set.has(event)) {
            Reaction::Ends
        } else if point.requests.contains(&event)
            || point.waits.iter().chain(&point.restarts).any(|set| set.has(event))
        {
            Reaction::GoesOn
        } else {
            Reaction::Stays
        }
    }

    pub(crate) fn react(&mut self, event: Signal) -> Reaction {
        let reaction = self.reaction(event);
        self.progress = match reaction {
            Reaction::Ends => Progress::Ended,
            Reaction::GoesOn => self.progress.clone().after(event),
            Reaction::Stays => self.progress.clone(),
        };
        reaction
    }
}

impl Progress {
    fn of(behaviour: SampleBehaviour) -> Self {
        if behaviour.current_point().is_some() { Self::Behaviour(behaviour) } else { Self::Ended }
    }

    /// Rule 2: a script of sync points, optionally repeated, or a step function.
    fn after(self, event: Signal) -> Self {
        match self {
            Self::Ended => Self::Ended,
            Self::Behaviour(behaviour) => Self::of(behaviour.after(event)),
            Self::Script { points, repeat, passed }
                if points[passed % points.len()].restarts.iter().any(|set| set.has(event)) =>
            {
                Self::Script { points, repeat, passed: 0 }
            }
            Self::Script { points, repeat, passed } => {
                let passed = passed + 1;
                let pass_is_over = passed % points.len() == 0;
                let next = match &repeat {
                    RepeatSpec::ForeverAfter(before) if pass_is_over && *before < points.len() => {
                        Some(*before)
                    }
                    RepeatSpec::Inside(before, last, set)
                        if *last > 0
                            && passed > *before
                            && passed == (before + last).min(points.len())
                            && set.has(event) =>
                    {
                        Some(*before)
                    }
                    _ if !pass_is_over => Some(passed),
                    RepeatSpec::Once | RepeatSpec::ForeverAfter(_) | RepeatSpec::Inside(..) => None,
                    RepeatSpec::Times(times) => {
                        (passed < points.len() * *times as usize).then_some(passed)
                    }
                    RepeatSpec::Forever => Some(0),
                    RepeatSpec::While(set) => set.has(event).then_some(0),
                };
                match next {
                    Some(passed) => Self::Script { points, repeat, passed },
                    None => Self::Ended,
                }
            }
        }
    }
}

impl SetSpec {
    /// Rule 4: whether the set contains the signal.
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
