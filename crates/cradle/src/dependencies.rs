//! Empty. Building this library builds the dependencies of the command without the command itself:
//! `cargo xtask serve` does so while it compiles the page, which becomes part of the command.
