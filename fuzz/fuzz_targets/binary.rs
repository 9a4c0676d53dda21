//! Any binary message of a client.

#![no_main]
#![allow(dead_code, reason = "each target uses only one of the laws")]

#[path = "../../crates/channels/tests/channels/laws.rs"]
mod laws;

libfuzzer_sys::fuzz_target!(|message: &[u8]| laws::binary_law(message));
