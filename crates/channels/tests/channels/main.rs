//! What both ends do, frame by frame: rules, refusals, random input and the real client's words.

mod client;
mod codec;
mod laws;
mod longpoll;
mod presence;
mod properties;
mod server;
mod simulation;
mod transcripts;
mod wire;
