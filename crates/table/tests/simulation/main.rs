//! A table under faults: nodes that race on one journal, links that lose, delay, repeat, reorder and
//! are cut, crashes, answers that never come, backups that are restored, clients that go away and
//! return, and some that send whatever they like. A seed decides everything.

mod checks;
mod client;
mod faults;
mod held;
mod journal;
mod message;
mod node;
mod sabotage;
mod scenario;
mod secrets;
mod tally;
mod view_client;
mod wish;
mod world;

use std::io::Write as _;

use sabotage::Sabotage;
use scenario::Games;
use tally::Tally;
use world::World;

fn run(games: &Games, seed: u64, sabotage: Sabotage) -> Result<Tally, String> {
    World::new(games, seed, sabotage, &mut |_| ()).run()
}

/// Runs the seeds until one breaks a promise.
fn first_broken(
    sabotage: Sabotage,
    seeds: impl IntoIterator<Item = u64>,
) -> Result<Tally, (u64, String)> {
    let games = Games::new();
    let mut tally = Tally::default();
    for seed in seeds {
        tally += run(&games, seed, sabotage).map_err(|broken| (seed, broken))?;
    }
    Ok(tally)
}

/// Prints a text even if the test passes.
#[expect(clippy::disallowed_methods, reason = "figures and replays are for who runs the tests")]
fn show(text: &str) {
    writeln!(std::io::stderr(), "{text}").expect("somebody reads it");
}

#[test]
fn no_acknowledged_action_is_lost_whatever_fails() {
    let halves = [(0..5_000), (5_000..10_000)];
    let tally = std::thread::scope(|scope| {
        let halves = halves.map(|seeds| scope.spawn(|| first_broken(Sabotage::Nothing, seeds)));
        halves.map(|half| half.join().expect("it does not panic"))
    });
    let mut whole = Tally::default();
    for half in tally {
        match half {
            Ok(tally) => whole += tally,
            Err((seed, broken)) => panic!(
                "seed {seed}: {broken}\n\
                 replay it: SEED={seed} cargo test -p table --test simulation replay"
            ),
        }
    }
    show(&format!("\n10,000 seeds: {whole}"));
    assert_eq!(whole.missing, 0);
    assert!(whole.faults() > 100_000 && whole.acknowledged > 50_000, "{whole}");
    assert!(whole.refused > 1_000 && whole.rolled_back > 1_000 && whole.own > 1_000, "{whole}");
    assert!(whole.restored > 1_000 && whole.rash > 10_000 && whole.early > 10_000, "{whole}");
    assert!(whole.hidden > 100_000 && whole.explained > 100, "{whole}");
}

#[test]
fn the_same_seed_is_the_same_run() {
    let games = Games::new();
    for seed in 0..20 {
        let run = || run(&games, seed, Sabotage::Nothing);
        assert_eq!(run(), run());
    }
}

/// `SEED=123 cargo test -p table --test simulation replay` prints every step of that run.
#[test]
#[expect(clippy::disallowed_methods, reason = "who replays a seed says which one")]
fn replay_of_a_seed_tells_every_step() {
    let asked = std::env::var("SEED").ok();
    let seed = asked.as_ref().map_or(0, |seed| seed.parse().expect("a seed is a number"));
    let mut steps = 0;
    let mut told = |step: &dyn Fn() -> String| {
        steps += 1;
        if asked.is_some() {
            show(&step());
        }
    };
    let run = World::new(&Games::new(), seed, Sabotage::Nothing, &mut told).run();
    if asked.is_some() {
        show(&format!("seed {seed}: {run:?}"));
    }
    assert_eq!(run.err(), None);
    assert!(steps > 100, "{steps}");
}

/// Checks that a deliberate mistake is noticed, and that the same seeds pass without it.
#[track_caller]
fn check_caught(sabotage: Sabotage, expected: &[&str]) {
    let (seed, broken) = first_broken(sabotage, 0..500).expect_err("the simulation must notice");
    assert!(expected.iter().any(|part| broken.contains(part)), "seed {seed}: {broken}");
    first_broken(Sabotage::Nothing, 0..=seed).expect("nothing is broken");
}

#[test]
fn an_acknowledgement_before_the_append_is_caught() {
    check_caught(Sabotage::AcknowledgeBeforeAppending, &["but its client heard Committed"]);
}

#[test]
fn a_forgotten_deduplication_is_caught() {
    check_caught(Sabotage::ForgetTheDeduplication, &["Refused"]);
}

#[test]
fn a_skipped_rebase_is_caught() {
    check_caught(Sabotage::SkipARebase, &["what is shown is not what is confirmed"]);
}

#[test]
fn an_ignored_conflict_is_caught() {
    check_caught(Sabotage::IgnoreAConflict, &["is applied twice", "an entry is not legal"]);
}

#[test]
fn a_broadcast_before_the_commit_is_caught() {
    check_caught(Sabotage::BroadcastBeforeCommit, &["too early", "differs at version"]);
}

#[test]
fn a_refusal_that_is_not_taken_back_is_caught() {
    check_caught(Sabotage::KeepWhatWasRefused, &["it does not settle"]);
}

#[test]
fn a_refusal_of_what_is_only_early_is_caught() {
    check_caught(Sabotage::RefuseWhatIsEarly, &["got two verdicts", "heard Refused"]);
}

#[test]
fn a_card_of_another_in_any_message_is_caught() {
    check_caught(Sabotage::ShowWhatIsHidden, &["too early"]);
}

#[test]
fn an_epoch_that_does_not_change_is_caught() {
    check_caught(Sabotage::KeepTheEpoch, &["too early", "differs at version", "does not settle"]);
}

#[test]
fn a_client_that_insists_on_what_a_restored_log_has_no_room_for_is_caught() {
    check_caught(Sabotage::InsistOnWhatIsGone, &["it does not settle"]);
}

#[test]
fn a_client_that_goes_back_to_what_a_node_knows_is_caught() {
    check_caught(Sabotage::BelieveWhoIsBehind, &["went back from version"]);
}

#[test]
fn a_move_written_without_its_explanation_is_caught() {
    check_caught(Sabotage::WithholdTheExplanation, &["a move should be explained by"]);
}
