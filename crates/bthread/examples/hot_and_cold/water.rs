//! Hot and cold water: two b-threads pour, a third one interleaves.

use bthread::{BThread, Program, request, wait_for};

/// Pours hot water `times` times.
pub(crate) fn add_hot(times: u32) -> BThread<&'static str> {
    BThread::new("AddHot").then(request("hot")).times(times)
}

/// Pours cold water `times` times.
pub(crate) fn add_cold(times: u32) -> BThread<&'static str> {
    BThread::new("AddCold").then(request("cold")).times(times)
}

/// Hot and cold alternate; hot comes first.
pub(crate) fn interleave() -> BThread<&'static str> {
    BThread::new("Interleave")
        .then(wait_for("hot").block("cold"))
        .then(wait_for("cold").block("hot"))
        .forever()
}

/// Both taps stay open for ever.
#[allow(dead_code, reason = "the example ends")]
pub(crate) fn running_taps() -> Program<&'static str> {
    let hot = BThread::new("AddHot").then(request("hot")).forever();
    let cold = BThread::new("AddCold").then(request("cold")).forever();
    Program::new([hot, cold, interleave()]).expect("every b-thread has a name of its own")
}

/// Hot and cold water, interleaved.
pub(crate) fn bath(times: u32) -> Program<&'static str> {
    Program::new([add_hot(times), add_cold(times), interleave()])
        .expect("every b-thread has a name of its own")
}
