//! `cradle perft`: how many ways a game can go.

use std::time::Instant;

use clap::Args;
use game::Game;
use serde::Serialize;

use crate::answer::Answer;
use crate::quantity::{count, time};
use crate::{console, names};

/// Count all sequences of moves
///
/// For each depth, how many sequences of so many steps there are; a game that
/// ends earlier counts for none. A step is what all seats in turn choose, or one
/// thing that chance may draw. Known counts show that rules are right.
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Perft {
    /// The game, as `cradle games` lists it
    game: String,

    /// How many steps
    #[arg(value_parser = clap::value_parser!(u32).range(0..=100))]
    depth: u32,

    /// Answer with one JSON object
    #[arg(long)]
    json: bool,
}

/// All sequences of one depth.
#[derive(Serialize)]
struct Count {
    depth: u32,
    sequences: u64,
    seconds: f64,
}

#[derive(Serialize)]
struct Counts {
    game: String,
    counts: Vec<Count>,
}

impl Perft {
    pub(crate) fn run(&self) -> anyhow::Result<Answer> {
        let game = names::game(&self.game)?;
        if !self.json {
            console::print("depth            sequences        time\n")?;
        }
        let mut counts = Vec::new();
        // From the shallowest: a line at a time shows how it goes on.
        for depth in 0..=self.depth {
            let began = Instant::now();
            let sequences = game.perft(depth);
            let seconds = began.elapsed().as_secs_f64();
            if !self.json {
                let (sequences, time) = (count(sequences), time(seconds));
                console::print(&format!("{depth:>5} {sequences:>20} {time:>11}\n"))?;
            }
            counts.push(Count { depth, sequences, seconds });
        }
        if self.json {
            let counts = Counts { game: game.name(), counts };
            console::print(&(serde_json::to_string_pretty(&counts)? + "\n"))?;
        }
        Ok(Answer::Fine)
    }
}
