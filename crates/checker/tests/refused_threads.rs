//! A search on a machine that has no more threads.

#![expect(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "the test runs itself as a program that may start no threads"
)]

use std::convert::Infallible;
use std::process::Command;

use checker::{Checker, Model};

/// A grid, in which numbers grow.
struct Grid;

const SIDE: u32 = 400;

impl Model for Grid {
    type State = [u32; 2];
    type Action = u32;
    type Error = Infallible;

    fn start(&self) -> [u32; 2] {
        [0, 0]
    }

    fn successors(
        &self,
        [x, y]: &[u32; 2],
        show: &mut dyn FnMut(&u32, [u32; 2]),
    ) -> Result<(), Infallible> {
        // Distances differ little, so that many states are visited at once.
        for step in 1..20 {
            show(&step, [(x + step).min(SIDE), *y]);
            show(&step, [*x, (y + step).min(SIDE)]);
        }
        Ok(())
    }
}

fn search(threads: usize) -> checker::Report<u32> {
    Checker::new(&Grid).threads(threads).run().unwrap_or_else(|never| match never {})
}

/// The variable that says that this program may start no threads.
const IS_REFUSED: &str = "CHECKER_IS_REFUSED_THREADS";

#[test]
fn a_search_that_is_refused_threads_does_their_work_itself() {
    if std::env::var_os(IS_REFUSED).is_some() {
        std::thread::Builder::new().spawn(|| {}).expect_err("no memory is enough for its stack");
        for threads in [2, 3] {
            assert_eq!(search(threads), search(1));
        }
        assert_eq!(search(1).states, u64::from((SIDE + 1).pow(2)));
        return;
    }
    let itself = std::env::current_exe().expect("the test is a program");
    let same_test = ["--exact", "a_search_that_is_refused_threads_does_their_work_itself"];
    let status = Command::new(itself)
        .args(same_test)
        .args(["--test-threads", "1"])
        .env(IS_REFUSED, "yes")
        .env("RUST_MIN_STACK", (1_u64 << 60).to_string())
        .status();
    assert!(status.expect("it can be started").success());
}
