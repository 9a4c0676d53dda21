//! Any log of a table.

#![no_main]
#![allow(dead_code, reason = "each target uses only one of the laws")]

#[path = "../../crates/table/tests/tables/laws.rs"]
mod laws;

libfuzzer_sys::fuzz_target!(|log: &str| {
    let _accepted = laws::log_law(log);
});
