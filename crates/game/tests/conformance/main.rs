//! Honest games conform, and for every promise there is a twin that breaks it and is found out.

mod honest;
#[path = "../little_games/mod.rs"]
mod little_games;
mod twin;
mod twins;
