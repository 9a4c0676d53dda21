//! The command as a process: signals, and outputs that fail.

mod interrupts;
mod outputs;
