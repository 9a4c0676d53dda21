//! The game and the clients of a run, chosen by the seed.

use game::{AnyGame, Game, Generator};
use games::catalog;
use table::{Author, Clock, Entry, EntryBody, Options, TableSecret, TableState};

use crate::client::{Client, Role};
use crate::sabotage::Sabotage;

/// The games to choose from: two plain ones, one with chance, one with simultaneous moves, and one
/// with hidden information.
#[derive(Clone)]
pub(crate) struct Games(Vec<AnyGame>);

impl Games {
    pub(crate) fn new() -> Self {
        let names = ["tic-tac-toe", "connect-four", "pig:20", "odds-and-evens", "kuhn-poker"];
        Self(names.map(|name| catalog::game(name).expect("the game is in the catalog")).to_vec())
    }
}

/// A table and its clients.
pub(crate) struct Scenario {
    pub(crate) game: AnyGame,
    pub(crate) first: Entry,
    pub(crate) secret: TableSecret,
    pub(crate) nodes: u64,
    pub(crate) clients: Vec<Client>,
}

/// All possible clients: the name, the player whose token it has, and its role.
const GUESTS: [(&str, &str, Role); 6] = [
    ("one", "Ada", Role::Player),
    ("two", "Bob", Role::Player),
    ("tab", "Ada", Role::Spectator),
    ("looker", "nobody", Role::Spectator),
    ("three", "Cleo", Role::Player),
    ("other-tab", "Bob", Role::Spectator),
];

/// The careless clients: one with the token of a player, and one with a new token.
const CARELESS: [(&str, &str); 2] = [("hasty", "Ada"), ("rash", "Dan")];

impl Scenario {
    pub(crate) fn of(games: &Games, generator: &mut Generator, sabotage: Sabotage) -> Self {
        let any = usize::try_from(generator.below(games.0.len() as u64)).expect("the number fits");
        let game = games.0[any].clone();
        let secret = TableSecret::new(
            [u8::try_from(generator.below(256)).expect("the number is below 256"); 32],
        );
        let options = options(&game, generator);
        let created = EntryBody::Created {
            game: game.name(),
            rules: 1,
            options,
            commitment: secret.commitment(),
        };
        let first = Entry::new(1, 0, Author::Table, created);
        let state =
            TableState::begin(game.clone(), &first).expect("the first entry creates a table");
        let count = usize::try_from(2 + generator.below(5)).expect("the number fits");
        let premature = CARELESS.map(|(name, whose)| (name, whose, Role::Careless));
        let premature = premature.into_iter().filter(|_| generator.below(3) == 0);
        let guests: Vec<_> = GUESTS[..count].iter().copied().chain(premature).collect();
        let client = |(name, whose, role)| Client::new(&state, (name, whose), role, sabotage);
        let clients = guests.into_iter().map(client).collect();
        Self { game, first, secret, nodes: 1 + generator.below(3), clients }
    }
}

fn options(game: &AnyGame, generator: &mut Generator) -> Options {
    let alternate = generator.below(2) == 0;
    // The strategies of tic-tac-toe are written for the second seat.
    let second = if game.name() == "tic-tac-toe" && !alternate { "bthreads" } else { "random" };
    let computers = match generator.below(6) {
        0 => vec![None, Some(second.to_owned())],
        1 => vec![Some("random".to_owned()), None],
        _ => Vec::new(),
    };
    let clock = match generator.below(3) {
        0 => Some(Clock::PerMove(400 + generator.below(800))),
        1 => Some(Clock::PerSide(1_000 + generator.below(2_000))),
        _ => None,
    };
    let prompt = generator.below(2) == 0;
    Options { alternate, computers, clock, prompt, own_rules: false }
}
