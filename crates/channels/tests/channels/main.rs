//! Both ends, frame by frame: behaviour, refusals, random input and transcripts of the real client.

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
