//! What games declare before they are built is what they are once they are built.

use game::{Game, PlayerKind, Seat, SkillLevel, all_seats};
use games::catalog;

const KINDS: [PlayerKind; 10] = [
    PlayerKind::Random,
    PlayerKind::BThreads,
    PlayerKind::Perfect,
    PlayerKind::Heuristic,
    PlayerKind::AlphaBeta(2),
    PlayerKind::Expectiminimax(2),
    PlayerKind::Mcts(10),
    PlayerKind::Level(SkillLevel::Easy),
    PlayerKind::Level(SkillLevel::Fair),
    PlayerKind::Level(SkillLevel::Hard),
];

/// Boards on both sides of every bound.
const BOARDS: [&str; 14] = [
    "mnk:1,1,1",
    "mnk:3,3,3",
    "mnk:5,2,2",
    "mnk:2,5,5",
    "mnk:4,3,3",
    "misere:3,3,2",
    "misere:4,3,3",
    "wild:2,4,2",
    "wild:4,3,3",
    "notakto:7,2,3",
    "notakto:5,3,3",
    "notakto:4,4,4",
    "mnk:12,10,5",
    "pig:20,ludorum",
];

fn names() -> impl Iterator<Item = &'static str> {
    catalog::CATALOG.iter().map(|listed| listed.example).chain(BOARDS)
}

#[test]
fn a_declaration_has_the_name_and_the_seats_of_the_game() {
    for name in names() {
        let (declared, game) = (catalog::declared(name).unwrap(), catalog::game(name).unwrap());
        assert_eq!(declared.name(), game.name());
        assert_eq!(declared.seat_names(), game.seats());
        assert_eq!(declared.seats(), all_seats(&game));
    }
}

#[test]
fn a_declared_player_can_play() {
    for name in names() {
        let game = catalog::game(name).unwrap();
        for (kind, seat) in KINDS.iter().flat_map(|kind| seats(&game).map(move |seat| (kind, seat)))
        {
            let declared = catalog::declared(name).unwrap().check_player(kind, seat);
            let player = game.player(kind, seat, 0);
            match declared {
                Ok(()) => assert!(player.is_ok(), "{kind} plays {name}: {player:?}"),
                // A solver may find fewer positions than a board allows.
                Err(cautious) if cautious.reason.contains("may have") => {}
                Err(refused) => assert_eq!(player.unwrap_err(), refused, "{name}"),
            }
        }
    }
}

#[test]
fn the_catalog_declares_exactly_the_players_that_can_play() {
    // These two take a solver too long to find out.
    let is_huge = |name: &&str| ["mnk:6,5,4", "connect-four"].contains(name);
    for name in catalog::CATALOG.map(|listed| listed.example).iter().filter(|name| !is_huge(name)) {
        let game = catalog::game(name).unwrap();
        for (kind, seat) in KINDS.iter().flat_map(|kind| seats(&game).map(move |seat| (kind, seat)))
        {
            let declared = catalog::declared(name).unwrap().check_player(kind, seat);
            assert_eq!(declared.is_ok(), game.player(kind, seat, 0).is_ok(), "{kind} in {name}");
        }
    }
}

fn seats(game: &game::AnyGame) -> impl Iterator<Item = Seat> + use<> {
    all_seats(game).iter().collect::<Vec<_>>().into_iter()
}

#[test]
fn the_search_of_a_declared_game_ends_within_its_positions() {
    for name in
        ["tic-tac-toe", "misere", "wild", "notakto", "wild:2,4,2", "notakto:7,2,3", "mnk:2,5,5"]
    {
        let game = catalog::game(name).unwrap();
        let declared = catalog::declared(name).unwrap();
        assert_eq!(declared.check_player(&PlayerKind::Perfect, Seat::FIRST), Ok(()), "{name}");
        assert!(game::Solution::within(&game, 20_000).is_ok(), "{name}");
    }
}

#[test]
fn at_a_table_the_work_of_a_computer_is_bounded() {
    let refusal = |name: &str, game: &str| {
        let kind: PlayerKind = name.parse().unwrap();
        catalog::declared(game).unwrap().check_player(&kind, Seat::FIRST).map_err(|no| no.reason)
    };
    assert_eq!(refusal("mcts:10000", "ultimate"), Ok(()));
    let most = |most| Err(format!("at a table its number is at most {most}"));
    assert_eq!(refusal("mcts:10001", "ultimate"), most(10_000));
    assert_eq!(refusal("alphabeta:9", "connect-four"), most(8));
    assert_eq!(refusal("expectiminimax:9", "pig"), most(8));
    assert_eq!(refusal("cfr:10001", "kuhn-poker"), most(10_000));
    assert_eq!(refusal("cfr:1000", "kuhn-poker"), Ok(()));
}
