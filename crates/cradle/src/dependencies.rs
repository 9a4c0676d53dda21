//! Nothing. Building this library builds all that the command depends on, and not yet the command:
//! `cargo xtask serve` does so while the page, which becomes part of the command, is being compiled.
