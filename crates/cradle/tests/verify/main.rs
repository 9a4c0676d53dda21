//! What `cradle verify` answers.

mod bounds;
mod cradle;
mod drawings;
mod games;
mod json;
mod plainness;
mod properties;
mod tic_tac_toe;
mod truth;
mod usage;
