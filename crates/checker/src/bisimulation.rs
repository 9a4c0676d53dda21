//! Comparing two models.

use std::fmt;

use crate::model::Model;

/// Two models that take the same actions together. They behave alike if
/// [`Property::no_violation`](crate::Property::no_violation) holds: in every pair of
/// states the same actions are possible, and terminal states have the same status.
///
/// An action must have one next state, as in a b-program. Hot b-threads and
/// violations of the two models are not compared.
#[derive(Debug)]
pub struct Bisimulation<'a, L, R> {
    left: &'a L,
    right: &'a R,
}

/// The error of one of two models.
#[derive(Debug, thiserror::Error)]
pub enum EitherError<L, R> {
    /// The error of the left model.
    #[error(transparent)]
    Left(L),
    /// The error of the right model.
    #[error(transparent)]
    Right(R),
}

type Successors<M> = Vec<(<M as Model>::Action, <M as Model>::State)>;

impl<'a, L: Model, R: Model<Action = L::Action>> Bisimulation<'a, L, R> {
    /// The two models side by side.
    pub fn new(left: &'a L, right: &'a R) -> Self {
        Self { left, right }
    }
}

fn successors<M: Model>(model: &M, state: &M::State) -> Result<Successors<M>, M::Error> {
    let mut successors = Vec::new();
    model.successors(state, &mut |action, next| successors.push((action.clone(), next)))?;
    Ok(successors)
}

/// The first action that occurs more than once.
fn repeated<A: PartialEq, S>(from: &[(A, S)]) -> Option<&A> {
    let mut actions = from.iter().enumerate().map(|(at, (action, _))| (at, action));
    let is_repeated =
        |(at, action): &(usize, &A)| from[..*at].iter().any(|(own, _)| own == *action);
    actions.find(is_repeated).map(|(_, action)| action)
}

/// The first action of one list that the other list does not contain.
fn missing<'a, A: PartialEq, S, T>(from: &'a [(A, S)], other: &[(A, T)]) -> Option<&'a A> {
    let mut actions = from.iter().map(|(action, _)| action);
    actions.find(|action| !other.iter().any(|(own, _)| own == *action))
}

impl<L: Model, R: Model<Action = L::Action>> Model for Bisimulation<'_, L, R> {
    type State = (L::State, R::State);
    type Action = L::Action;
    type Error = EitherError<L::Error, R::Error>;

    fn start(&self) -> Self::State {
        (self.left.start(), self.right.start())
    }

    fn successors(
        &self,
        (left, right): &Self::State,
        show: &mut dyn FnMut(&Self::Action, Self::State),
    ) -> Result<(), Self::Error> {
        let left = successors(self.left, left).map_err(EitherError::Left)?;
        let right = successors(self.right, right).map_err(EitherError::Right)?;
        for (action, left_next) in left {
            let answer = right.iter().find(|(own, _)| *own == action);
            if let Some((_, right_next)) = answer {
                show(&action, (left_next, right_next.clone()));
            }
        }
        Ok(())
    }

    fn violations(&self, pair: &Self::State, show: &mut dyn FnMut(&str, &str)) {
        // An error is reported by `successors`.
        let left = successors(self.left, &pair.0);
        let (Ok(left), Ok(right)) = (left, successors(self.right, &pair.1)) else { return };
        let ends = [self.left.status(&pair.0), self.right.status(&pair.1)];
        if left.is_empty() && right.is_empty() && ends[0] != ends[1] {
            let [left, right] = ends;
            show("Bisimulation", &format!("the left model is {left:?}, the right one {right:?}"));
        }
        let repeated = [repeated(&left), repeated(&right)].into_iter().flatten().next();
        if let Some(action) = repeated {
            show("Bisimulation", &format!("{action} leads to more than one state"));
        }
        let mut report = |side: &str, action: Option<&dyn fmt::Display>| {
            if let Some(action) = action {
                show("Bisimulation", &format!("only the {side} model can do {action}"));
            }
        };
        report("left", missing(&left, &right).map(|action| -> &dyn fmt::Display { action }));
        report("right", missing(&right, &left).map(|action| -> &dyn fmt::Display { action }));
    }

    fn may_be_hot(&self) -> bool {
        false
    }
}
