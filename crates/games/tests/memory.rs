//! The memory of games, as they tell it and as the allocator counts it. One test runs at a time,
//! because the allocator counts for the whole process.

use std::alloc::System;
use std::sync::{Mutex, MutexGuard, PoisonError};

use game::{AnyGame, BGame, Game, Generator, PlayerKind, Seat, Turn, playout};
use games::catalog;
use games::mnk::{Mnk, Variant};
use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

/// Held by the test that runs.
static RUNNING: Mutex<()> = Mutex::new(());

fn alone() -> MutexGuard<'static, ()> {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The memory that a table of states may take in this test.
const TABLE_BYTES: usize = 1 << 20;

/// The bytes that are allocated by `make` and still in use after it.
fn allocated<T>(make: impl FnOnce() -> T) -> (T, usize) {
    let region = Region::new(ALLOCATOR);
    let made = make();
    let stats = region.change();
    (made, stats.bytes_allocated.saturating_sub(stats.bytes_deallocated))
}

#[track_caller]
fn check(what: &str, told: usize, counted: usize) {
    let (told, counted) = (told.max(4_096), counted.max(4_096));
    let is_near = told <= 2 * counted && counted <= 2 * told;
    assert!(is_near, "{what} tells {told} bytes and takes {counted}");
}

/// Plays a game to its end many times, so that its table of states fills.
fn play(game: &AnyGame) {
    for seed in 0..50 {
        let mut position = game.start();
        let mut generator = Generator::seeded(seed);
        while !matches!(game.turn(&position), Turn::Over(_)) {
            game.play_at_random(&mut position, &mut generator)
                .expect("a game in progress has moves");
        }
    }
}

#[test]
fn a_game_tells_about_as_many_bytes_as_it_takes() {
    let _alone = alone();
    let boards = ["mnk:6,5,4", "mnk:15,15,5", "wild:9,9,5", "wild:19,19,5", "notakto:12,3,12"];
    for name in ["tic-tac-toe", "misere", "wild"].into_iter().chain(boards) {
        let declared = catalog::declared(name).unwrap();
        let expected = usize::try_from(declared.bytes()).unwrap();
        let (game, mut counted) = allocated(|| declared.build(TABLE_BYTES));
        check(&format!("a new {name}"), game.bytes(), counted);
        check(&format!("the declaration of {name}"), expected, counted);
        counted += allocated(|| play(&game)).1;
        check(&format!("{name} after many games"), game.bytes(), counted);
        assert!(game.bytes() < 2 * (expected + TABLE_BYTES), "{name} has {}", game.bytes());
    }
}

#[test]
fn a_solution_counts_and_a_failed_search_leaves_nothing_but_the_table() {
    let _alone = alone();
    let game = catalog::declared("wild").unwrap().build(TABLE_BYTES);
    play(&game);
    let before = game.bytes();
    let ((), counted) = allocated(|| drop(game.player(&PlayerKind::Perfect, Seat::FIRST, 0)));
    check("a solution", game.bytes() - before, counted);

    let large = catalog::declared("wild:4,3,3").unwrap().build(TABLE_BYTES);
    play(&large);
    let search = || game::Solution::within(&large, 20_000).map(drop);
    let (refused, counted) = allocated(search);
    assert!(refused.is_err());
    assert!(counted < TABLE_BYTES, "{counted} bytes are left of a failed search");
}

#[test]
fn players_of_a_game_share_its_equilibrium() {
    let _alone = alone();
    let game = catalog::declared("kuhn-poker").unwrap().build(TABLE_BYTES);
    let make = || drop(game.player(&PlayerKind::Cfr(1_000), Seat::FIRST, 0));
    let before = game.bytes();
    let ((), counted) = allocated(make);
    assert!(game.bytes() > before);
    check("an equilibrium", game.bytes() - before, counted);
    let region = Region::new(ALLOCATOR);
    make();
    let again = region.change().bytes_allocated;
    assert!(again < 1_024, "the second player takes {again} bytes");
}

#[test]
fn a_position_of_gomoku_takes_at_most_four_kibibytes() {
    let _alone = alone();
    let gomoku = Mnk::new("15,15,5".parse().unwrap(), Variant::Usual);
    let game = BGame::within(gomoku, 0).unwrap();
    let mut generator = Generator::seeded(1);
    // The smallest table is full after a game, and then no run uses it.
    playout(&game, &mut game.start(), &mut generator).unwrap();
    let mut position = game.start();
    let mut plies = 0;
    while !matches!(game.turn(&position), Turn::Over(_)) {
        game.play_at_random(&mut position, &mut generator).unwrap();
        plies += 1;
        assert!(!position.threads().is_tabled());
        let (copy, counted) = allocated(|| position.clone());
        let sizes = [counted + size_of_val(&copy), position.threads().size()];
        assert!(sizes.iter().all(|size| *size <= 4_096), "{sizes:?} bytes after {plies} plies");
        let told = game.position_bytes(&position);
        assert!((told / 2..told * 2).contains(&counted), "{told} for {counted} bytes");
    }
    assert!(plies > 20);
}
