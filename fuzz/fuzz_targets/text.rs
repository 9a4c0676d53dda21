//! Any text message.

#![no_main]
#![allow(dead_code, reason = "each target uses only one of the laws")]

#[path = "../../crates/channels/tests/channels/laws.rs"]
mod laws;

libfuzzer_sys::fuzz_target!(|message: &str| laws::text_law(message));
