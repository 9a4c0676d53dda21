//! The actions of a table in the order in which they were sent and answered, and whether one process that
//! handles one action after the other could have answered like that.

use std::collections::BTreeMap;

use game::Seat;
use stateright::semantics::{ConsistencyTester, LinearizabilityTester, SequentialSpec};
use table::{Action, ActionId, Actor, Author, Decision, Entry, TableState, decide};

/// The actions of a table since all of them were answered the last time.
#[derive(Debug, Default)]
pub(crate) struct ActionHistory {
    events: Vec<HistoryEvent>,
    /// The number of each action in this history.
    numbers: BTreeMap<ActionId, usize>,
    /// The answer to each action, unless it is still awaited.
    answers: Vec<Option<ActionAnswer>>,
}

/// Something that a client did or learned.
#[derive(Clone, Debug)]
enum HistoryEvent {
    /// An action was sent for the first time.
    Sent { number: usize, action: Action, seat: Seat },
    /// A client learned what became of its action.
    Answered { number: usize },
}

/// The final answer to an action.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ActionAnswer {
    /// Its first entry has this version.
    Accepted(u64),
    /// It is not in the log.
    Refused,
}

/// A table that one process holds and that handles one action after the other.
#[derive(Clone, Debug)]
struct SequentialTable(TableState);

impl ActionHistory {
    /// Records that an action was sent. Only the first time counts: it is one action, however often it is sent.
    pub(crate) fn send(&mut self, seat: Seat, action: &Action) {
        let number = self.answers.len();
        if self.numbers.contains_key(&action.id) {
            return;
        }
        self.numbers.insert(action.id.clone(), number);
        self.answers.push(None);
        self.events.push(HistoryEvent::Sent { number, action: action.clone(), seat });
    }

    /// Records the answer to an action. Only the first one counts.
    pub(crate) fn answer(&mut self, id: &ActionId, answer: ActionAnswer) {
        let Some(number) = self.numbers.get(id).copied() else { return };
        if self.answers[number].is_none() {
            self.answers[number] = Some(answer);
            self.events.push(HistoryEvent::Answered { number });
        }
    }

    /// The number of actions.
    pub(crate) fn len(&self) -> usize {
        self.answers.len()
    }

    /// Whether every action was answered, so that a new history may begin.
    pub(crate) fn is_answered(&self) -> bool {
        self.answers.iter().all(Option::is_some)
    }

    /// Whether all answers are those of a table in this state that handles one action after the other, each at
    /// some time between its sending and its answer. An action without an answer was handled at some time after
    /// its sending, or never.
    pub(crate) fn is_linearizable_after(&self, state: TableState) -> bool {
        let mut tester = LinearizabilityTester::new(SequentialTable(state));
        let mut threads = ActionThreads::default();
        self.events.iter().all(|event| match event {
            HistoryEvent::Sent { number, action, seat } => {
                let thread = threads.begin(*number);
                tester.on_invoke(thread, (action.clone(), *seat)).is_ok()
            }
            HistoryEvent::Answered { number } => {
                let answer = self.answers[*number].expect("this action was answered");
                tester.on_return(threads.end(*number), answer).is_ok()
            }
        }) && tester.is_consistent()
    }
}

/// Threads for a tester that lets each of them do one thing at a time. A client that reconnects may send an
/// action before an older one is answered.
#[derive(Debug, Default)]
struct ActionThreads {
    /// The action that each thread waits for.
    waiting: Vec<Option<usize>>,
}

impl ActionThreads {
    /// A thread for a new action.
    fn begin(&mut self, number: usize) -> usize {
        let free = self.waiting.iter().position(Option::is_none);
        let thread = free.unwrap_or(self.waiting.len());
        if free.is_none() {
            self.waiting.push(None);
        }
        self.waiting[thread] = Some(number);
        thread
    }

    /// The thread of an action that was answered.
    fn end(&mut self, number: usize) -> usize {
        let thread = self.waiting.iter().position(|waiting| *waiting == Some(number));
        let thread = thread.expect("an action is sent before it is answered");
        self.waiting[thread] = None;
        thread
    }
}

impl SequentialSpec for SequentialTable {
    type Op = (Action, Seat);
    type Ret = ActionAnswer;

    fn invoke(&mut self, (action, seat): &Self::Op) -> ActionAnswer {
        let state = &mut self.0;
        match decide(state, action, Actor::Seat(*seat)) {
            Err(_) => ActionAnswer::Refused,
            Ok(Decision::Known(version)) => ActionAnswer::Accepted(version),
            Ok(Decision::Append(bodies)) => {
                let version = state.version() + 1;
                for (number, body) in bodies.into_iter().enumerate() {
                    let (at, who) = (state.at(), Author::Seat(*seat));
                    let action = (number == 0).then(|| action.id.clone());
                    let entry = Entry { action, ..Entry::new(state.version() + 1, at, who, body) };
                    state.fold(&entry).expect("a decided entry can be folded");
                }
                ActionAnswer::Accepted(version)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use table::ActionBody;

    use super::*;

    /// A table with two players and no move.
    fn table() -> TableState {
        let log = r#"{"format":1,"version":1,"at":1,"who":"table","kind":"created","game":"tic-tac-toe","rules":1,"options":{},"commitment":"19b25856e1c150ca834cffc8b59b23adbd0ec0389e58eb22b3b64768098d002b"}
{"format":1,"version":2,"at":2,"who":"table","action":"x:1","kind":"joined","seat":0,"name":"Ada"}
{"format":1,"version":3,"at":3,"who":"table","action":"y:1","kind":"joined","seat":1,"name":"Bob"}"#;
        let log = (1..).zip(log.lines()).map(|(version, line)| Entry::read(line, version).unwrap());
        let log: Vec<_> = log.collect();
        TableState::after(games::catalog::game("tic-tac-toe").unwrap(), &log).unwrap()
    }

    fn play(id: &str, ply: u32, square: &str) -> Action {
        let chosen = square.parse().unwrap();
        Action { id: id.parse().unwrap(), body: ActionBody::Play { round: 1, ply, chosen } }
    }

    enum Step<'a> {
        /// A seat sends a move for this ply.
        Send(Seat, &'a str, u32, &'a str),
        Accept(&'a str, u64),
        Refuse(&'a str),
    }
    use Step::{Accept, Refuse, Send};

    const X: Seat = Seat::FIRST;
    const O: Seat = Seat::SECOND;

    #[track_caller]
    fn check(steps: &[Step<'_>], is_linearizable: bool) {
        let mut history = ActionHistory::default();
        for step in steps {
            match step {
                Send(seat, id, ply, square) => history.send(*seat, &play(id, *ply, square)),
                Accept(id, version) => {
                    history.answer(&id.parse().unwrap(), ActionAnswer::Accepted(*version));
                }
                Refuse(id) => history.answer(&id.parse().unwrap(), ActionAnswer::Refused),
            }
        }
        assert_eq!(history.is_linearizable_after(table()), is_linearizable);
    }

    #[test]
    fn moves_one_after_the_other_are_linearizable() {
        check(
            &[Send(X, "x:2", 0, "b2"), Accept("x:2", 4), Send(O, "o:2", 1, "a1"), Accept("o:2", 5)],
            true,
        );
    }

    #[test]
    fn a_forged_version_is_not_linearizable() {
        check(
            &[Send(X, "x:2", 0, "b2"), Accept("x:2", 4), Send(O, "o:2", 1, "a1"), Accept("o:2", 6)],
            false,
        );
    }

    #[test]
    fn an_answer_that_ignores_an_earlier_one_is_not_linearizable() {
        // O saw the answer to X and then moved, but the answer to O says that O came first.
        check(
            &[Send(X, "x:2", 0, "b2"), Accept("x:2", 5), Send(O, "o:2", 1, "a1"), Accept("o:2", 4)],
            false,
        );
    }

    #[test]
    fn of_two_moves_for_one_turn_one_is_accepted() {
        let [one, two] = [Send(X, "x:2", 0, "b2"), Send(X, "x:3", 0, "a1")];
        check(&[one, two, Refuse("x:2"), Accept("x:3", 4)], true);
        let [one, two] = [Send(X, "x:2", 0, "b2"), Send(X, "x:3", 0, "a1")];
        check(&[one, two, Accept("x:2", 4), Accept("x:3", 5)], false);
    }

    #[test]
    fn a_refusal_of_the_only_move_is_not_linearizable() {
        check(&[Send(X, "x:2", 0, "b2"), Refuse("x:2")], false);
    }

    #[test]
    fn an_action_without_an_answer_may_have_been_applied_or_not() {
        let lost = || Send(X, "x:2", 0, "b2");
        check(&[lost(), Send(O, "o:2", 1, "a1"), Accept("o:2", 5)], true);
        check(&[lost(), Send(X, "x:3", 0, "a1"), Accept("x:3", 4)], true);
        check(&[lost(), Send(X, "x:3", 0, "a1"), Accept("x:3", 5)], false);
    }

    #[test]
    fn an_action_that_is_sent_again_is_one_action() {
        let again = || Send(X, "x:2", 0, "b2");
        check(&[again(), again(), Accept("x:2", 4), again(), Accept("x:2", 4)], true);
    }
}
