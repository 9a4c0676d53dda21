//! The player of the lab that tries moves out: games to the end in its head, and more of them for moves
//! that go well.
//!
//! It knows nothing of the game but its text, so it plays whatever somebody has just written. The tree
//! holds the choices of seats alone; what chance draws and what rules request happens anew in every game.

use game::{Rulebook, Seat};
use notation::{
    BuiltText, Document, EventWish, RunPace, RunStatus, TextEvent, TextRulebook, TextRun,
    ThreadRoleWord,
};

use super::luck::Luck;

/// A position in which a seat is to move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveRequest {
    /// The text.
    pub text: String,
    /// The b-threads, families and properties that are switched off, and strategies of seats that others
    /// play.
    pub without: Vec<String>,
    /// The events so far.
    pub events: Vec<String>,
    /// The number of the seat.
    pub seat: usize,
    /// The same seed chooses the same move.
    pub seed: u64,
    /// The most events of all games together.
    pub work: u64,
}

/// A move that was chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChosenMove {
    /// The event.
    pub event: String,
    /// The number of games in its head.
    pub games: u64,
}

/// The longest game in its head.
const LONGEST_GAME: usize = 400;

/// How much more often moves are tried that were tried seldom.
const CURIOSITY: f64 = 1.0;

impl MoveRequest {
    /// Chooses a move.
    ///
    /// # Errors
    /// A sentence, if there is nothing to choose.
    pub fn choose(&self) -> Result<ChosenMove, String> {
        let none = || "There is no move to choose.".to_owned();
        let built = Document::read(self.text.as_str()).build(&[]).map_err(|_mistakes| none())?;
        let text = built.without(&self.without);
        let rulebook = text.rulebook().ok_or_else(none)?;
        let (mut run, _) = text.start_run(RunPace::Steps).map_err(|error| error.to_string())?;
        for event in &self.events {
            let happened = text.event_called(event).and_then(|event| run.trigger(&event));
            happened.map_err(|error| error.to_string())?;
        }
        let mut search = Search {
            text: &text,
            scores: Scores::of(&text, &rulebook),
            luck: Luck::new(self.seed),
            work: self.work,
            nodes: vec![Node::default()],
        };
        let mut games = 0;
        while search.work > 0 && games < MOST_GAMES {
            search.play(run.clone());
            games += 1;
        }
        let own = |child: &&Node| child.seat == self.seat;
        let children = search.nodes[0].children.iter().map(|child| &search.nodes[*child]);
        let best = children.filter(own).max_by(|one, other| one.visits.total_cmp(&other.visits));
        let event = best.and_then(|best| best.event.as_ref()).ok_or_else(none)?;
        Ok(ChosenMove { event: event.to_string(), games })
    }
}

/// The most games for one move.
const MOST_GAMES: u64 = 2_000;

/// A choice of a seat, and what came of it.
#[derive(Debug, Default)]
struct Node {
    event: Option<TextEvent>,
    seat: usize,
    children: Vec<usize>,
    visits: f64,
    /// The sum of the results, each from -1 to 1, for the seat that chose it.
    total: f64,
}

struct Search<'a> {
    text: &'a BuiltText,
    scores: Scores,
    luck: Luck,
    /// The events that may still happen.
    work: u64,
    nodes: Vec<Node>,
}

impl Search<'_> {
    /// Plays one game from the position, and notes what came of it.
    fn play(&mut self, mut run: TextRun) {
        let (mut path, mut is_known) = (vec![0], true);
        for _ in 0..LONGEST_GAME {
            let Some((seat, events)) = self.choice(&mut run) else { break };
            let event = if is_known {
                let (child, is_new) = self.child(path[path.len() - 1], seat, &events);
                path.push(child);
                is_known = !is_new;
                self.nodes[child].event.clone()
            } else {
                Some(events[self.luck.below(events.len())].clone())
            };
            if !event.is_some_and(|event| self.happen(&mut run, &event)) {
                break;
            }
        }
        let scores = self.scores.of_run(&run);
        for node in path {
            let node = &mut self.nodes[node];
            node.visits += 1.0;
            node.total += scores.get(node.seat).copied().unwrap_or(0.0);
        }
    }

    fn happen(&mut self, run: &mut TextRun, event: &TextEvent) -> bool {
        self.work = self.work.saturating_sub(1);
        run.trigger(event).is_ok()
    }

    /// Lets rules, strategies and chance act; returns the seat that is to choose, and its moves. `None`
    /// if the game is over, or nothing can happen.
    fn choice(&mut self, run: &mut TextRun) -> Option<(usize, Vec<TextEvent>)> {
        for _ in 0..LONGEST_GAME {
            if run.status() == RunStatus::Over {
                return None;
            }
            let possible = run.possible();
            let role = |wish: &EventWish| match wish {
                EventWish::Thread(name) => self.text.thread(name).map(notation::BuiltThread::role),
                EventWish::Seat(_) => None,
            };
            let is_own =
                |wish: &EventWish| role(wish).is_some_and(|role| role != ThreadRoleWord::Chance);
            let own = possible.iter().find(|each| each.wanted_by.iter().any(is_own));
            let event = if let Some(own) = own {
                own.event.clone()
            } else {
                let is_drawn = |wish: &EventWish| role(wish) == Some(ThreadRoleWord::Chance);
                let drawn = possible.iter().filter(|each| each.wanted_by.iter().any(is_drawn));
                let drawn: Vec<TextEvent> = drawn.map(|each| each.event.clone()).collect();
                if drawn.is_empty() {
                    return first_seat(self.text, &possible);
                }
                self.luck.drawn(run, &drawn)
            };
            if !self.happen(run, &event) {
                return None;
            }
        }
        None
    }

    /// The child to follow, and whether it is new: one that was never tried, or the most promising one.
    fn child(&mut self, parent: usize, seat: usize, events: &[TextEvent]) -> (usize, bool) {
        let known = |event: &TextEvent| {
            let mut children = self.nodes[parent].children.iter();
            children.find(|child| self.nodes[**child].event.as_ref() == Some(event)).copied()
        };
        let untried: Vec<&TextEvent> =
            events.iter().filter(|event| known(event).is_none()).collect();
        if untried.is_empty() {
            // Browsers need not agree about the last digit of a logarithm; the library does.
            let visits = libm::log(self.nodes[parent].visits.max(1.0));
            let promise = |child: &usize| {
                let Node { visits: own, total, .. } = &self.nodes[*child];
                total / own + CURIOSITY * (visits / own).sqrt()
            };
            let children = events.iter().filter_map(known);
            let best = children.max_by(|one, other| promise(one).total_cmp(&promise(other)));
            return (best.unwrap_or(parent), false);
        }
        let event = Some(untried[self.luck.below(untried.len())].clone());
        let child = self.nodes.len();
        self.nodes.push(Node { event, seat, ..Node::default() });
        self.nodes[parent].children.push(child);
        (child, true)
    }
}

/// The first seat that may move, and its moves.
fn first_seat(
    text: &BuiltText,
    possible: &[notation::PossibleEvent],
) -> Option<(usize, Vec<TextEvent>)> {
    let seat_of = |wish: &EventWish| match wish {
        EventWish::Seat(name) => text.seats().iter().position(|seat| seat == name),
        EventWish::Thread(_) => None,
    };
    let seat = possible.iter().flat_map(|each| &each.wanted_by).find_map(seat_of)?;
    let is_theirs = |wish: &EventWish| seat_of(wish) == Some(seat);
    let events = possible.iter().filter(|each| each.wanted_by.iter().any(is_theirs));
    Some((seat, events.map(|each| each.event.clone()).collect()))
}

/// What each result is worth for each seat, from -1 to 1.
struct Scores {
    results: Vec<(TextEvent, Vec<f64>)>,
}

impl Scores {
    fn of(text: &BuiltText, rulebook: &TextRulebook) -> Self {
        let seats: Vec<Seat> = (0..).filter_map(Seat::new).take(text.seats().len()).collect();
        let results = rulebook.results().into_iter().map(|(event, outcome)| {
            let scores = seats.iter().map(|seat| f64::from(outcome.score(*seat).clamp(-1, 1)));
            (event, scores.collect())
        });
        Self { results: results.collect() }
    }

    /// What a run is worth; nothing if it has no result. Points decide where the result does not.
    fn of_run(&self, run: &TextRun) -> Vec<f64> {
        let Some(result) = run.result() else { return Vec::new() };
        let listed = self.results.iter().find(|(event, _)| *event == result);
        let scores = listed.map(|(_, scores)| scores.clone()).unwrap_or_default();
        if scores.iter().any(|score| *score != 0.0) {
            return scores;
        }
        let points = run.scores();
        let (most, least) = (points.iter().max(), points.iter().min());
        let worth = |own: &i32| match (most == least, Some(own) == most) {
            (true, _) => 0.0,
            (false, true) => 1.0,
            (false, false) => -1.0,
        };
        points.iter().map(worth).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::EXAMPLES;
    use super::*;

    fn chosen(name: &str, events: &[&str], seat: usize, work: u64) -> ChosenMove {
        let example = EXAMPLES.iter().find(|example| example.name == name).unwrap();
        let built = Document::read(example.text).build(&[]).unwrap();
        let strategies = built.threads().iter().filter(|thread| thread.seat().is_some());
        let request = MoveRequest {
            text: example.text.to_owned(),
            without: strategies.map(|thread| thread.name().to_string()).collect(),
            events: events.iter().map(|event| (*event).to_owned()).collect(),
            seat,
            seed: 5,
            work,
        };
        request.choose().unwrap()
    }

    #[test]
    fn it_wins_when_it_can_and_stops_the_other_one() {
        let two = ["mark(X, a1)", "mark(O, b1)", "mark(X, a2)", "mark(O, b2)"];
        assert_eq!(chosen("tic-tac-toe", &two, 0, 2_000).event, "mark(X, a3)");
        let threat = ["mark(X, a1)", "mark(O, b2)", "mark(X, a2)"];
        assert_eq!(chosen("tic-tac-toe", &threat, 1, 4_000).event, "mark(O, a3)");
    }

    #[test]
    fn the_same_seed_chooses_the_same_move_and_the_work_is_bounded() {
        let twice = [0, 1].map(|_| chosen("pig", &[], 0, 300));
        assert_eq!(twice[0], twice[1]);
        assert!((1..300).contains(&twice[0].games), "{}", twice[0].games);
    }

    #[test]
    fn nothing_is_chosen_where_nothing_can_be() {
        let request = MoveRequest {
            text: "program p\nevent a\nthread T: request a\n".to_owned(),
            without: Vec::new(),
            events: Vec::new(),
            seat: 0,
            seed: 1,
            work: 100,
        };
        assert_eq!(request.choose(), Err("There is no move to choose.".to_owned()));
    }
}
