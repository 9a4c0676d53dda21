//! What `cradle verify` answers.

mod bounds;
mod cradle;
mod drawings;
mod json;
mod plainness;
mod properties;
mod tic_tac_toe;
mod usage;
