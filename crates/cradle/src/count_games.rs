//! `cradle perft`: counts sequences of moves.

use std::time::Instant;

use clap::Args;
use game::Game;
use serde::Serialize;

use crate::exit_reason::ExitReason;
use crate::interrupt::Interrupt;
use crate::number_argument::number;
use crate::quantity::{count, time};
use crate::text_file::with_parameters;
use crate::{console, names};

/// Count all sequences of moves
///
/// Prints, for each depth, the number of sequences of that many steps; a game that
/// ends earlier does not count. A step is the moves of all seats in turn, or one
/// draw of chance. Comparing with published counts shows that rules are right.
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
#[command(
    after_help = "Exit codes: 0 fine, 2 wrong usage, 3 cut short (by Ctrl-C or broken rules)."
)]
pub(crate) struct Perft {
    /// The game, as `cradle games` lists it, or a .cradle file
    game: String,

    /// The number of steps
    #[arg(value_parser = number(0_u32, 100))]
    depth: u32,

    /// Values for parameters of a file, as in n=9
    #[arg(value_name = "NAME=NUMBER")]
    parameters: Vec<String>,

    /// Answer with one JSON object
    #[arg(long)]
    json: bool,
}

/// The sequences of one depth.
#[derive(Serialize)]
struct PerftCount {
    depth: u32,
    sequences: u64,
    seconds: f64,
}

#[derive(Serialize)]
struct PerftReport {
    game: String,
    counts: Vec<PerftCount>,
}

impl Perft {
    pub(crate) fn run(&self) -> anyhow::Result<ExitReason> {
        let game = names::game(&with_parameters(&self.game, &self.parameters)?)?;
        if !self.json {
            console::print("depth            sequences        time\n")?;
        }
        let interrupt = Interrupt::watch("")?;
        let mut counts = Vec::new();
        // Shallow depths first: their lines show the progress.
        for depth in 0..=self.depth {
            interrupt.say(format!("Ctrl-C ended the count before depth {depth} was known."));
            let began = Instant::now();
            let sequences = match game.perft(depth) {
                Ok(sequences) => sequences,
                Err(broken) => {
                    let context = format!("{} was cut short", game.name());
                    console::complain(&anyhow::Error::from(broken).context(context));
                    return Ok(ExitReason::CutShort);
                }
            };
            let seconds = began.elapsed().as_secs_f64();
            if !self.json {
                let (sequences, time) = (count(sequences), time(seconds));
                console::print(&format!("{depth:>5} {sequences:>20} {time:>11}\n"))?;
            }
            counts.push(PerftCount { depth, sequences, seconds });
        }
        if self.json {
            let counts = PerftReport { game: game.name(), counts };
            console::print(&(serde_json::to_string_pretty(&counts)? + "\n"))?;
        }
        Ok(ExitReason::Fine)
    }
}
