//! Many random programs, each made from a number, on all cores.
//!
//! `cargo xtask agreement 80000` asks for that many and shows how far it is.

#![expect(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "the developer chooses how many programs run, on all cores, and watches"
)]

use std::io::Write as _;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use proptest::prelude::Strategy;
use proptest::strategy::ValueTree;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

use crate::check;
use crate::random::{Case, case, crowded_case};
use crate::statistics::Statistics;

/// The number of programs, if somebody asks for more than a test does.
const PROGRAMS: &str = "AGREEMENT_PROGRAMS";

/// The number of programs of the test.
const USUAL: u64 = 100;

/// One in this many programs has crowds of b-threads.
const CROWDED: u64 = 20;

/// How often the number of programs is shown.
const SHOWN: u64 = 1_000;

#[test]
fn many_random_programs_agree() {
    let asked = std::env::var(PROGRAMS).ok();
    let programs = asked.as_deref().map_or(USUAL, |text| {
        text.parse().unwrap_or_else(|_| panic!("{PROGRAMS} is {text}, which is not a number"))
    });
    let progress = Progress { began: Instant::now(), programs, is_shown: asked.is_some() };
    let (next, done) = (AtomicU64::new(0), AtomicU64::new(0));
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                let (usual, crowded) = (case(), crowded_case());
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= programs {
                        return;
                    }
                    if number % CROWDED == CROWDED - 1 {
                        check_numbered(number, &crowded);
                    } else {
                        check_numbered(number, &usual);
                    }
                    progress.show(done.fetch_add(1, Ordering::Relaxed) + 1);
                }
            });
        }
    });
    assert_eq!(done.into_inner(), programs);
}

/// Checks the program that a number makes. If the ways to run it disagree, it says which one it is.
fn check_numbered(number: u64, cases: &impl Strategy<Value = Case>) {
    let mut seed = [0; 32];
    seed[..8].copy_from_slice(&number.to_le_bytes());
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &seed);
    let mut runner = TestRunner::new_with_rng(Config::default(), rng);
    let case = cases.new_tree(&mut runner).expect("cases are never rejected").current();
    let checked = std::panic::catch_unwind(|| check(&case, &mut Statistics::default()));
    if let Err(panic) = checked {
        let _unshown = writeln!(std::io::stderr(), "program {number} disagrees: {case:#?}");
        std::panic::resume_unwind(panic);
    }
}

/// How far the check is.
struct Progress {
    began: Instant,
    programs: u64,
    is_shown: bool,
}

impl Progress {
    fn show(&self, done: u64) {
        if self.is_shown && (done.is_multiple_of(SHOWN) || done == self.programs) {
            let seconds = self.began.elapsed().as_secs();
            let programs = self.programs;
            let line = format!("{done} of {programs} programs agree after {seconds} s");
            let _unshown = writeln!(std::io::stderr(), "{line}");
        }
    }
}
