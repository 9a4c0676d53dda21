//! `cradle`: Cat's Cradle on the command line.

mod answer;
mod console;
mod count_games;
mod list_games;
mod memory;
mod names;
mod nearest;
mod paint;
mod play;
mod progress_line;
mod quantity;
mod seed;
mod serve;
mod transcript;
mod verify;
mod wrap;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use answer::{Answer, WRONG_USAGE};
use count_games::Perft;
use list_games::Games;
use play::Play;
use serve::Serve;
use transcript::{PlayMatch, Replay};
use verify::Verify;

/// A server makes and drops many small things on several threads: this allocator is quicker at it than
/// that of the system. It has threads of its own that give back what has been free for ten seconds:
/// others wait for the thread that freed it to allocate again, which an idle server does not.
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

/// Turn-based games whose rules are b-threads: small behaviours that request,
/// wait for and block events
#[derive(Debug, Parser)]
#[command(name = "cradle", version, verbatim_doc_comment, arg_required_else_help = true)]
#[command(after_help = "Exit codes: 0 fine, 1 the answer is no, 2 wrong usage, 3 cut short.")]
struct Cradle {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Games(Games),
    Play(Play),
    #[command(name = "match")]
    Match(PlayMatch),
    Replay(Replay),
    Perft(Perft),
    Serve(Serve),
    Verify(Verify),
}

impl Command {
    fn run(&self) -> anyhow::Result<Answer> {
        match self {
            Self::Games(games) => games.run(),
            Self::Match(played) => played.run(),
            Self::Perft(perft) => perft.run(),
            Self::Play(play) => play.run(),
            Self::Replay(replay) => replay.run(),
            Self::Serve(serve) => serve.run(),
            Self::Verify(verify) => verify.run(),
        }
    }
}

fn main() -> ExitCode {
    match Cradle::try_parse() {
        Ok(cradle) => answered(cradle.command.run()),
        Err(error) => not_understood(&error),
    }
}

fn answered(result: anyhow::Result<Answer>) -> ExitCode {
    match result {
        Ok(answer) => answer.into(),
        Err(error) => {
            console::complain(&error);
            ExitCode::from(WRONG_USAGE)
        }
    }
}

/// Prints what Clap has to say, which may also be the help that was asked for.
fn not_understood(error: &clap::Error) -> ExitCode {
    // There is nobody left to tell if it cannot be printed.
    drop(error.print());
    ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(WRONG_USAGE))
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_arguments_contradict_each_other_nowhere() {
        Cradle::command().debug_assert();
    }
}
