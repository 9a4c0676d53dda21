//! All b-threads of the game, in one place.

use bthread::{AnyBThread, BThread, Program};

use super::environment::{any_o, any_x};
use super::event::Event;
use super::line::Line;
use super::requirement::Requirement;
use super::rules::{
    detect_draw, detect_o_win, detect_x_win, end_of_game, enforce_turns, square_taken,
};
use super::square::Square;
use super::strategies::{
    Fork, add_third_o, default_moves, prevent_another_x_fork, prevent_third_x, prevent_x_fork,
    prevent_yet_another_x_fork,
};

/// The b-threads of a game in groups, highest priority first: rules, requirements, strategies,
/// environment.
///
/// ```
/// use games::tic_tac_toe::BThreads;
///
/// let usual = BThreads::o_against_any_x();
/// assert_eq!(usual.all().count(), 28 + 2 + 31 + 1);
///
/// let weaker = usual.without("AddThirdO").without("PreventThirdX");
/// assert_eq!(weaker.strategies()[0].name().as_str(), "PreventXFork(a1,c2)");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BThreads {
    rules: Vec<AnyBThread<Event>>,
    requirements: Vec<AnyBThread<Event>>,
    strategies: Vec<AnyBThread<Event>>,
    environment: Vec<AnyBThread<Event>>,
}

// A refusal gives its reasons in the order of the rules: the game is over, it is not your turn, the
// square is taken.
fn rules() -> Vec<BThread<Event>> {
    let mut threads = vec![end_of_game(), enforce_turns()];
    threads.extend(Square::ALL.map(square_taken));
    threads.extend(Line::ALL.map(detect_x_win));
    threads.extend(Line::ALL.map(detect_o_win));
    threads.push(detect_draw());
    threads
}

fn strategies() -> Vec<BThread<Event>> {
    let mut threads: Vec<_> = Line::ALL.map(add_third_o).into();
    threads.extend(Line::ALL.map(prevent_third_x));
    threads.extend(Fork::CORNER_AND_EDGE.map(prevent_x_fork));
    threads.extend([Line::FALLING, Line::RISING].map(prevent_another_x_fork));
    threads.extend(Fork::TWO_EDGES.map(prevent_yet_another_x_fork));
    threads.push(default_moves());
    threads
}

impl BThreads {
    fn new(strategies: Vec<BThread<Event>>) -> Self {
        let (requirements, environment) = (Vec::new(), Vec::new());
        let (rules, strategies) = (AnyBThread::all(rules()), AnyBThread::all(strategies));
        Self { rules, requirements, strategies, environment }
    }

    /// Adds b-threads that play freely, and the requirements, which watch.
    fn against(mut self, environment: Vec<BThread<Event>>) -> Self {
        self.requirements = AnyBThread::all(Requirement::ALL.map(Requirement::b_thread));
        self.environment = AnyBThread::all(environment);
        self
    }

    /// The rules alone: people play X and O.
    #[must_use]
    pub fn for_people() -> Self {
        Self::new(Vec::new())
    }

    /// A person plays X, and O follows its strategies.
    #[must_use]
    pub fn for_a_person_as_x() -> Self {
        Self::new(strategies())
    }

    /// X plays any legal move, and O follows its strategies.
    #[must_use]
    pub fn o_against_any_x() -> Self {
        Self::new(strategies()).against(vec![any_x()])
    }

    /// X and O play any legal move.
    #[must_use]
    pub fn any_x_against_any_o() -> Self {
        Self::new(Vec::new()).against(vec![any_x(), any_o()])
    }

    /// The same b-threads with one family, if they include it, replaced.
    #[must_use]
    pub fn with_family(mut self, family: &str, by: Vec<AnyBThread<Event>>) -> Self {
        let is_member = |thread: &AnyBThread<Event>| thread.name().family() == family;
        for group in self.groups_mut() {
            if let Some(first) = group.iter().position(is_member) {
                group.retain(|thread| !is_member(thread));
                group.splice(first..first, by);
                break;
            }
        }
        self
    }

    /// The same b-threads without the one, or the family, of this name.
    #[must_use]
    pub fn without(mut self, name: &str) -> Self {
        for group in self.groups_mut() {
            group.retain(|thread| !thread.name().is(name));
        }
        self
    }

    fn groups_mut(&mut self) -> [&mut Vec<AnyBThread<Event>>; 4] {
        let Self { rules, requirements, strategies, environment } = self;
        [rules, requirements, strategies, environment]
    }

    /// The rules.
    #[must_use]
    pub fn rules(&self) -> &[AnyBThread<Event>] {
        &self.rules
    }

    /// The requirements.
    #[must_use]
    pub fn requirements(&self) -> &[AnyBThread<Event>] {
        &self.requirements
    }

    /// The strategies of O.
    #[must_use]
    pub fn strategies(&self) -> &[AnyBThread<Event>] {
        &self.strategies
    }

    /// The b-threads that choose freely among their requests.
    #[must_use]
    pub fn environment(&self) -> &[AnyBThread<Event>] {
        &self.environment
    }

    /// All b-threads, highest priority first.
    pub fn all(&self) -> impl Iterator<Item = &AnyBThread<Event>> {
        let Self { rules, requirements, strategies, environment } = self;
        rules.iter().chain(requirements).chain(strategies).chain(environment)
    }

    /// The b-threads as a program.
    #[must_use]
    pub fn program(&self) -> Program<Event> {
        Program::new(self.all().cloned()).expect("every b-thread has a name of its own")
    }
}
