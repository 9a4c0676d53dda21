//! Games whose builds wait for the test, and a game that takes long to solve.

use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use game::{
    AnyGame, DeclaredGame, Game, MoveText, NoChance, Outcome, Picture, Reason, RulesSize, Seat,
    Turn, Viewer,
};
use games::catalog;
use server::Catalog;

/// The games `gated:NAME`, each of which is built when the gate is open, and declares a second of work;
/// `long`, which takes a perfect player many seconds to solve; and those of Cat's Cradle.
#[derive(Clone, Debug, Default)]
pub(crate) struct GatedGames(Arc<Gate>);

#[derive(Debug, Default)]
struct Gate {
    state: Mutex<GateState>,
    opened: Condvar,
}

#[derive(Debug, Default)]
struct GateState {
    is_open: bool,
    /// The games that were built or are waiting at the gate, in order.
    begun: Vec<String>,
}

impl GatedGames {
    /// Lets all builds go on.
    pub(crate) fn open(&self) {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner).is_open = true;
        self.0.opened.notify_all();
    }

    /// The games whose builds have begun, in order.
    pub(crate) fn begun(&self) -> Vec<String> {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner).begun.clone()
    }

    fn build(&self, name: String) -> AnyGame {
        let mut state = self.0.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.begun.push(name.clone());
        while !state.is_open {
            state = self.0.opened.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        AnyGame::new(LongWalk::short(name))
    }
}

impl Catalog for GatedGames {
    fn declared(&self, name: &str) -> Result<DeclaredGame, String> {
        if name == "long" {
            let pause = Duration::from_millis(2);
            let walk = LongWalk { length: 10_000, pause, ..LongWalk::short(name.to_owned()) };
            return Ok(DeclaredGame::of(walk, Ok(10_001)));
        }
        if !name.starts_with("gated:") {
            return catalog::declared(name).map_err(|error| error.to_string());
        }
        let (gate, built) = (self.clone(), name.to_owned());
        // About a second of work.
        let size = RulesSize { events: 1_000, threads: 1, sync_points: 60_000, known_bytes: 0 };
        let build = move |_| gate.build(built);
        Ok(DeclaredGame::of_rules(name.to_owned(), &["one", "two"], size, build))
    }

    fn names(&self) -> Vec<String> {
        vec!["long".to_owned()]
    }
}

/// Two seats step in turn until the end. Each step takes a while.
#[derive(Clone, Debug)]
pub(crate) struct LongWalk {
    name: String,
    length: u32,
    pause: Duration,
    notes: ThreadNotes,
}

/// The names of the threads on which steps were made.
pub(crate) type ThreadNotes = Arc<Mutex<Vec<String>>>;

impl LongWalk {
    /// A walk of three steps.
    pub(crate) fn short(name: String) -> Self {
        Self { name, length: 3, pause: Duration::ZERO, notes: ThreadNotes::default() }
    }

    /// The same with slow steps that are noted.
    pub(crate) fn noted(name: String, pause: Duration, notes: ThreadNotes) -> Self {
        Self { pause, notes, ..Self::short(name) }
    }
}

impl Game for LongWalk {
    type Position = u32;
    type Move = MoveText;
    type Chance = NoChance;

    fn name(&self) -> String {
        self.name.clone()
    }

    fn seats(&self) -> Vec<&str> {
        vec!["one", "two"]
    }

    fn start(&self) -> u32 {
        0
    }

    fn turn(&self, position: &u32) -> Turn {
        match *position {
            end if end >= self.length => Turn::Over(Outcome::draw()),
            even if even.is_multiple_of(2) => Turn::One(Seat::FIRST),
            _ => Turn::One(Seat::SECOND),
        }
    }

    fn legal_moves<'a>(
        &'a self,
        position: &'a u32,
        seat: Seat,
    ) -> impl ExactSizeIterator<Item = MoveText> + 'a {
        let moves = usize::from(self.turn(position) == Turn::One(seat));
        std::iter::repeat_n("step".parse().unwrap_or_else(|_| unreachable!()), moves)
    }

    fn objections(&self, _: &u32, _: Seat, _: &MoveText) -> Vec<Reason> {
        Vec::new()
    }

    fn apply(&self, position: &mut u32, _: Seat, _: &MoveText) {
        let thread = thread::current().name().unwrap_or_default().to_owned();
        self.notes.lock().unwrap_or_else(PoisonError::into_inner).push(thread);
        thread::sleep(self.pause);
        *position += 1;
    }

    fn text(&self, position: &u32) -> String {
        position.to_string()
    }

    fn picture(&self, position: &u32, _: Viewer) -> Picture {
        Picture::in_words([self.text(position)])
    }
}
