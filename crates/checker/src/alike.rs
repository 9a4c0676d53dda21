//! Two models side by side.

use std::fmt;

use crate::model::Model;

/// Two models that take the same actions together: they behave alike if neither
/// can ever do what the other cannot.
///
/// Where nothing can happen, they must also be finished, waiting or stuck alike. An
/// action must lead from a state to one state only, as an event of a b-program
/// does. The property to check is
/// [`Property::no_violation`](crate::Property::no_violation); what is hot or
/// violated in the models themselves is not compared.
#[derive(Debug)]
pub struct Alike<'a, L, R> {
    left: &'a L,
    right: &'a R,
}

/// Why one of two models cannot be explored.
#[derive(Debug, thiserror::Error)]
pub enum EitherError<L, R> {
    /// The left one.
    #[error(transparent)]
    Left(L),
    /// The right one.
    #[error(transparent)]
    Right(R),
}

type Successors<M> = Vec<(<M as Model>::Action, <M as Model>::State)>;

impl<'a, L: Model, R: Model<Action = L::Action>> Alike<'a, L, R> {
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

/// The first action that is there more than once.
fn twice<A: PartialEq, S>(from: &[(A, S)]) -> Option<&A> {
    let mut actions = from.iter().enumerate().map(|(at, (action, _))| (at, action));
    let is_repeated =
        |(at, action): &(usize, &A)| from[..*at].iter().any(|(own, _)| own == *action);
    actions.find(is_repeated).map(|(_, action)| action)
}

/// The first action of one list that the other has not.
fn missing<'a, A: PartialEq, S, T>(from: &'a [(A, S)], other: &[(A, T)]) -> Option<&'a A> {
    let mut actions = from.iter().map(|(action, _)| action);
    actions.find(|action| !other.iter().any(|(own, _)| own == *action))
}

impl<L: Model, R: Model<Action = L::Action>> Model for Alike<'_, L, R> {
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
        // What cannot be explored is told when its successors are asked for.
        let left = successors(self.left, &pair.0);
        let (Ok(left), Ok(right)) = (left, successors(self.right, &pair.1)) else { return };
        let ends = [self.left.status(&pair.0), self.right.status(&pair.1)];
        if left.is_empty() && right.is_empty() && ends[0] != ends[1] {
            let [left, right] = ends;
            show("Alike", &format!("the left one is {left:?}, the right one {right:?}"));
        }
        let twice = [twice(&left), twice(&right)].into_iter().flatten().next();
        if let Some(action) = twice {
            show("Alike", &format!("{action} leads to more than one state"));
        }
        let mut tell = |who: &str, action: Option<&dyn fmt::Display>| {
            if let Some(action) = action {
                show("Alike", &format!("only the {who} one can do {action}"));
            }
        };
        tell("left", missing(&left, &right).map(|action| -> &dyn fmt::Display { action }));
        tell("right", missing(&right, &left).map(|action| -> &dyn fmt::Display { action }));
    }

    fn may_be_hot(&self) -> bool {
        false
    }
}
