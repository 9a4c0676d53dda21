//! The b-threads of the game in one place.

use bthread::{AnyBThread, BThread, Program};

use super::design::Design;
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
/// use games::tic_tac_toe::{BThreads, Design};
///
/// let usual = BThreads::o_against_any_x();
/// assert_eq!(usual.all().count(), 28 + 2 + 31 + 1);
///
/// let other = usual.with_add_third_o(Design::OwnBoard).without("PreventThirdX");
/// let names: Vec<_> = other.strategies().iter().map(|thread| thread.name().as_str()).collect();
/// assert_eq!(names[..2], ["AddThirdO", "PreventXFork(a1,c2)"]);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BThreads {
    rules: Vec<AnyBThread<Event>>,
    requirements: Vec<AnyBThread<Event>>,
    strategies: Vec<AnyBThread<Event>>,
    environment: Vec<AnyBThread<Event>>,
}

// The order of the blockers of a refusal is that of the rules: the game is over, it is not your
// turn, the square is taken.
fn rules() -> Vec<BThread<Event>> {
    let mut threads = vec![end_of_game(), enforce_turns()];
    threads.extend(Square::ALL.map(square_taken));
    threads.extend(Line::ALL.map(detect_x_win));
    threads.extend(Line::ALL.map(detect_o_win));
    threads.push(detect_draw());
    threads
}

fn strategies() -> Vec<BThread<Event>> {
    let mut threads = Vec::from(Line::ALL.map(add_third_o));
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

    /// Nobody plays X, or O: b-threads that may do anything do, and requirements watch.
    fn against(mut self, environment: Vec<BThread<Event>>) -> Self {
        self.requirements = AnyBThread::all(Requirement::ALL.map(Requirement::b_thread));
        self.environment = AnyBThread::all(environment);
        self
    }

    /// Just the rules: people play X and O.
    #[must_use]
    pub fn for_people() -> Self {
        Self::new(Vec::new())
    }

    /// A person plays X, and O follows its strategies.
    #[must_use]
    pub fn for_a_person_as_x() -> Self {
        Self::new(strategies())
    }

    /// X may do anything, and O follows its strategies.
    #[must_use]
    pub fn o_against_any_x() -> Self {
        Self::new(strategies()).against(vec![any_x()])
    }

    /// X and O may do anything.
    #[must_use]
    pub fn any_x_against_any_o() -> Self {
        Self::new(Vec::new()).against(vec![any_x(), any_o()])
    }

    /// The same with `DetectXWin` written in another way.
    #[must_use]
    pub fn with_detect_x_win(mut self, design: Design) -> Self {
        replace(&mut self.rules, "DetectXWin", design.detect_x_win());
        self
    }

    /// The same with `AddThirdO`, if it is there, written in another way.
    #[must_use]
    pub fn with_add_third_o(mut self, design: Design) -> Self {
        replace(&mut self.strategies, "AddThirdO", design.add_third_o());
        self
    }

    /// The same without the b-thread, or the family of b-threads, that the words name.
    #[must_use]
    pub fn without(mut self, words: &str) -> Self {
        for group in self.groups_mut() {
            group.retain(|thread| !thread.name().is(words));
        }
        self
    }

    fn groups_mut(&mut self) -> [&mut Vec<AnyBThread<Event>>; 4] {
        let Self { rules, requirements, strategies, environment } = self;
        [rules, requirements, strategies, environment]
    }

    /// What is legal and who has won.
    #[must_use]
    pub fn rules(&self) -> &[AnyBThread<Event>] {
        &self.rules
    }

    /// What must hold.
    #[must_use]
    pub fn requirements(&self) -> &[AnyBThread<Event>] {
        &self.requirements
    }

    /// How O plays.
    #[must_use]
    pub fn strategies(&self) -> &[AnyBThread<Event>] {
        &self.strategies
    }

    /// Who may choose freely among what it requests.
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

/// Puts other b-threads where a family stands, if it does.
fn replace(group: &mut Vec<AnyBThread<Event>>, family: &str, by: Vec<AnyBThread<Event>>) {
    let is_member = |thread: &AnyBThread<Event>| thread.name().family() == family;
    if let Some(first) = group.iter().position(is_member) {
        group.retain(|thread| !is_member(thread));
        group.splice(first..first, by);
    }
}
