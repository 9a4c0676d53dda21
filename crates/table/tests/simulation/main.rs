//! A table under faults: nodes that race on one journal; messages that are lost, delayed, repeated
//! and reordered; cut links, crashes, timeouts and restored backups; clients that disappear and
//! return, and careless clients. A seed determines the whole run.

mod checks;
mod client;
mod faults;
mod journal;
mod local_state;
mod message;
mod node;
mod random_action;
mod sabotage;
mod scenario;
mod secrets;
mod tally;
mod view_client;
mod world;

use std::io::Write as _;

use sabotage::Sabotage;
use scenario::Games;
use tally::Tally;
use world::World;

fn run(games: &Games, seed: u64, sabotage: Sabotage) -> Result<Tally, String> {
    World::new(games, seed, sabotage, &mut |_| ()).run()
}

/// Runs the seeds until a check fails.
fn run_seeds(
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
#[expect(clippy::disallowed_methods, reason = "the developer reads these figures and replays")]
fn show(text: &str) {
    writeln!(std::io::stderr(), "{text}").expect("stderr is open");
}

#[test]
fn no_acknowledged_action_is_lost_under_any_fault() {
    let halves = [(0..5_000), (5_000..10_000)];
    let tally = std::thread::scope(|scope| {
        let halves = halves.map(|seeds| scope.spawn(|| run_seeds(Sabotage::Nothing, seeds)));
        halves.map(|half| half.join().expect("the thread does not panic"))
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
    assert!(
        whole.refused > 1_000 && whole.rolled_back > 1_000 && whole.automatic > 1_000,
        "{whole}"
    );
    assert!(whole.restored > 1_000 && whole.careless > 10_000 && whole.early > 10_000, "{whole}");
    assert!(whole.hidden > 100_000 && whole.explained > 100, "{whole}");
}

#[test]
fn a_seed_always_gives_the_same_run() {
    let games = Games::new();
    for seed in 0..20 {
        let run = || run(&games, seed, Sabotage::Nothing);
        assert_eq!(run(), run());
    }
}

/// `SEED=123 cargo test -p table --test simulation replay` prints every step of that run.
#[test]
#[expect(clippy::disallowed_methods, reason = "the developer chooses the seed to replay")]
fn replay_prints_every_step_of_a_seed() {
    let asked = std::env::var("SEED").ok();
    let seed = asked.as_ref().map_or(0, |seed| seed.parse().expect("a seed is a number"));
    let mut steps = 0;
    let mut listener = |step: &dyn Fn() -> String| {
        steps += 1;
        if asked.is_some() {
            show(&step());
        }
    };
    let run = World::new(&Games::new(), seed, Sabotage::Nothing, &mut listener).run();
    if asked.is_some() {
        show(&format!("seed {seed}: {run:?}"));
    }
    assert_eq!(run.err(), None);
    assert!(steps > 100, "{steps}");
}

/// Checks that the simulation finds a deliberate mistake, and that the same seeds pass without it.
#[track_caller]
fn check_caught(sabotage: Sabotage, expected: &[&str]) {
    let (seed, broken) = run_seeds(sabotage, 0..500).expect_err("the simulation finds the mistake");
    assert!(expected.iter().any(|part| broken.contains(part)), "seed {seed}: {broken}");
    run_seeds(Sabotage::Nothing, 0..=seed).expect("the seeds pass without the mistake");
}

#[test]
fn an_acknowledgement_before_the_append_is_caught() {
    check_caught(Sabotage::AcknowledgeBeforeAppending, &["but its client received Committed"]);
}

#[test]
fn a_forgotten_deduplication_is_caught() {
    check_caught(Sabotage::SkipDeduplication, &["Refused"]);
}

#[test]
fn a_skipped_rebase_is_caught() {
    check_caught(Sabotage::SkipRebase, &["the screen differs from the confirmed state"]);
}

#[test]
fn an_ignored_conflict_is_caught() {
    check_caught(Sabotage::IgnoreConflict, &["is applied twice", "an entry is not legal"]);
}

#[test]
fn a_broadcast_before_the_commit_is_caught() {
    check_caught(Sabotage::BroadcastBeforeCommit, &["too early", "differs at version"]);
}

#[test]
fn a_refused_action_that_stays_on_screen_is_caught() {
    check_caught(Sabotage::KeepRefusedAction, &["the run does not settle"]);
}

#[test]
fn a_refusal_of_an_early_action_is_caught() {
    check_caught(Sabotage::RefuseEarlyAction, &["got two verdicts", "received Refused"]);
}

#[test]
fn a_message_with_an_opponents_card_is_caught() {
    check_caught(Sabotage::ShowHiddenInformation, &["too early"]);
}

#[test]
fn an_epoch_that_does_not_change_is_caught() {
    check_caught(Sabotage::KeepEpoch, &["too early", "differs at version", "does not settle"]);
}

#[test]
fn a_client_that_keeps_an_action_from_before_a_restored_backup_is_caught() {
    check_caught(Sabotage::KeepImpossibleAction, &["the run does not settle"]);
}

#[test]
fn a_client_that_follows_a_stale_node_is_caught() {
    check_caught(Sabotage::FollowStaleNode, &["went back from version"]);
}

#[test]
fn a_move_written_without_its_explanation_is_caught() {
    check_caught(Sabotage::OmitExplanation, &["a move should be explained by"]);
}
