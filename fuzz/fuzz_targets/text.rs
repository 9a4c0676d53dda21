//! Any text message.

#![no_main]
#![allow(dead_code, reason = "every target uses one law of several")]

#[path = "../../crates/channels/tests/channels/laws.rs"]
mod laws;

libfuzzer_sys::fuzz_target!(|message: &str| laws::text_law(message));
