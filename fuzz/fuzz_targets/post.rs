//! Any body of a long poll's post.

#![no_main]
#![allow(dead_code, reason = "each target uses only one of the laws")]

#[path = "../../crates/channels/tests/channels/laws.rs"]
mod laws;

libfuzzer_sys::fuzz_target!(|body: &str| laws::post_law(body));
