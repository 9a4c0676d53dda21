//! Honest games conform, and every fault is found in a game that has only this fault.

mod honest;
mod twin;
mod twins;
