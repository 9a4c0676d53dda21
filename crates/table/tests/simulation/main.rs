//! A table under faults: nodes that race on one journal, links that lose, delay, repeat and reorder,
//! crashes, answers that never come. A seed decides everything.

mod client;
mod message;
mod node;
mod world;

use game::AnyGame;
use games::catalog;
use world::{Sabotage, Tally, World};

fn game() -> AnyGame {
    catalog::game("tic-tac-toe").expect("it is in the catalog")
}

/// Runs the seeds until one shows that a promise is broken.
fn first_broken(sabotage: Sabotage, seeds: u64) -> Result<Tally, (u64, String)> {
    let game = game();
    let mut tally = Tally::default();
    for seed in 0..seeds {
        let run = World::new(game.clone(), seed, sabotage).run();
        tally.add(&run.map_err(|broken| (seed, broken))?);
    }
    Ok(tally)
}

#[test]
fn no_acknowledged_action_is_lost_whatever_fails() {
    let tally = first_broken(Sabotage::Nothing, 10_000);
    let tally = tally.unwrap_or_else(|(seed, broken)| unreachable!("seed {seed}: {broken}"));
    println!("10,000 seeds: {tally}, lost: 0");
    assert!(tally.faults > 100_000 && tally.acknowledged > 50_000, "{tally}");
    assert!(tally.refused > 1_000 && tally.rolled_back > 1_000, "{tally}");
}

#[test]
fn the_same_seed_is_the_same_run() {
    let run =
        |seed| World::new(game(), seed, Sabotage::Nothing).run().map(|tally| tally.to_string());
    for seed in 0..20 {
        assert_eq!(run(seed), run(seed));
    }
}

#[track_caller]
fn check_caught(sabotage: Sabotage) {
    first_broken(sabotage, 2_000).expect_err("the simulation must notice");
}

#[test]
fn an_acknowledgement_before_the_append_is_caught() {
    check_caught(Sabotage::AcknowledgeFirst);
}

#[test]
fn a_broadcast_before_the_commit_is_caught() {
    check_caught(Sabotage::BroadcastFirst);
}

#[test]
fn a_conflict_that_is_ignored_is_caught() {
    check_caught(Sabotage::IgnoreConflicts);
}

#[test]
fn actions_that_are_not_remembered_are_caught() {
    check_caught(Sabotage::ForgetIds);
}

#[test]
fn a_refusal_that_is_not_taken_back_is_caught() {
    check_caught(Sabotage::KeepRefused);
}
