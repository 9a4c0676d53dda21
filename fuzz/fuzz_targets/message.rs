//! Any message of a client or of the server.

#![no_main]
#![allow(dead_code, reason = "each target uses only one of the laws")]

#[path = "../../crates/table/tests/tables/laws.rs"]
mod laws;

libfuzzer_sys::fuzz_target!(|message: &str| laws::message_law(message));
