//! Plays all games of a program: every move is tried on a clone of the run.

use bthread::{ClosedRun, Explanations};
use games::tic_tac_toe::{BThreads, Event, Mark, Square, alphabet};

/// Enough states for the largest program here.
const CAP: u32 = 1 << 20;

/// The strategies of O, highest priority first.
pub(crate) const STRATEGIES: [&str; 6] = [
    "AddThirdO",
    "PreventThirdX",
    "PreventXFork",
    "PreventAnotherXFork",
    "PreventYetAnotherXFork",
    "DefaultMoves",
];

/// X marks a square.
pub(crate) fn x(square: Square) -> Event {
    Event::Mark(Mark::X, square)
}

/// The moves of X in the order of squares.
pub(crate) fn moves_of_x() -> Vec<Event> {
    Square::ALL.map(x).into()
}

/// The moves of X and O in the order of squares.
pub(crate) fn moves_of_both() -> Vec<Event> {
    alphabet().filter(|event| !event.is_result()).collect()
}

/// A run of the b-threads in which nothing has happened yet.
pub(crate) fn start(threads: &BThreads) -> ClosedRun<Event> {
    let automaton =
        threads.program().close_with_cap(alphabet(), CAP).expect("all events are known");
    let (run, opening) = automaton.start().expect("the opening ends");
    assert_eq!(opening.events, [], "no b-thread opens the game");
    run
}

/// Whether no b-thread blocks the event.
pub(crate) fn is_allowed(run: &ClosedRun<Event>, event: Event) -> bool {
    run.allows(&event)
}

/// The run after a move, and the events of the superstep.
pub(crate) fn after(run: &ClosedRun<Event>, made: Event) -> (ClosedRun<Event>, Vec<Event>) {
    let mut next = run.clone();
    let superstep = next.trigger(made).expect("the move is allowed");
    (next, superstep.events)
}

/// A node of the tree of all games.
pub(crate) struct Node<'a> {
    /// The run at this node.
    pub(crate) run: &'a ClosedRun<Event>,
    /// The events so far.
    pub(crate) events: &'a [Event],
    /// The moves that are allowed now.
    pub(crate) allowed: &'a [Event],
}

/// Calls `show` with every node of the tree of all games with these moves.
pub(crate) fn walk(threads: &BThreads, moves: &[Event], show: &mut dyn FnMut(&Node<'_>)) {
    walk_from(&start(threads), moves, &mut Vec::new(), show);
}

fn walk_from(
    run: &ClosedRun<Event>,
    moves: &[Event],
    events: &mut Vec<Event>,
    show: &mut dyn FnMut(&Node<'_>),
) {
    let allowed: Vec<Event> = moves.iter().copied().filter(|at| is_allowed(run, *at)).collect();
    show(&Node { run, events, allowed: &allowed });
    for made in allowed {
        let (next, happened) = after(run, made);
        let before = events.len();
        events.extend(happened);
        walk_from(&next, moves, events, show);
        events.truncate(before);
    }
}

/// All games against every X, in the order of squares.
pub(crate) fn games_against_every_x(threads: &BThreads) -> Vec<Vec<Event>> {
    let mut games = Vec::new();
    walk(threads, &moves_of_x(), &mut |node| {
        if node.allowed.is_empty() {
            games.push(node.events.to_vec());
        }
    });
    games
}

/// Whether X wins the game.
pub(crate) fn x_wins(game: &[Event]) -> bool {
    game.contains(&Event::Win(Mark::X))
}

/// Whether the game ends with exactly one result.
pub(crate) fn has_one_result(game: &[Event]) -> bool {
    game.iter().filter(|event| event.is_result()).count() == 1
}

/// The first one of the shortest games that violate a requirement.
pub(crate) fn shortest_broken(games: &[Vec<Event>]) -> Option<&Vec<Event>> {
    let broken = games.iter().filter(|game| x_wins(game) || !has_one_result(game));
    broken.min_by_key(|game| game.len())
}

/// The events of a game, each with the b-thread that requested it, if there is one.
pub(crate) fn explained(threads: &BThreads, game: &[Event]) -> String {
    let mut run = start(threads);
    let mut lines = Vec::new();
    for made in game.iter().filter(|event| matches!(event, Event::Mark(Mark::X, _))) {
        let mut explained = Explanations::default();
        run.trigger_observed(*made, &mut explained).expect("every move of the game is allowed");
        lines.extend(explained.steps.iter().map(|step| match step.requested_by.first() {
            Some(thread) => format!("{} {thread}", step.event),
            None => step.event.to_string(),
        }));
    }
    lines.join("\n")
}
