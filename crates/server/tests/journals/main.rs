//! What every journal does, and what the one in a file does when the file is damaged.

mod conformance;
mod damage;
mod directory;
mod material;
mod memory;
mod processes;
mod races;
mod sqlite;
