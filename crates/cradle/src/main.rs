//! `cradle`: Cat's Cradle on the command line.

mod analyze;
mod built_in_texts;
mod check_text;
mod console;
mod count_games;
mod draw_text;
mod exit_reason;
mod format_text;
mod input_file;
mod input_line;
mod interrupt;
mod journal;
mod list_games;
mod lsp;
mod memory;
mod names;
mod nearest;
mod number_argument;
mod paint;
mod play;
mod progress_line;
mod quantity;
mod run_text;
mod seed;
mod serve;
mod text_file;
mod time_span;
mod tournament;
mod transcript;
mod verify;
mod wrap;

use std::io::ErrorKind;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

use analyze::Analyze;
use check_text::CheckText;
use count_games::Perft;
use draw_text::DrawText;
use exit_reason::{DeviceFailure, ExitReason, WRONG_USAGE};
use format_text::FormatText;
use journal::JournalCommand;
use list_games::ListGames;
use lsp::LanguageServer;
use play::Play;
use run_text::RunText;
use serve::Serve;
use tournament::TournamentCommand;
use transcript::{PlayMatch, Replay};
use verify::Verify;

/// A server allocates many small values on several threads, and this allocator is faster at that than
/// the system's. Its own threads return memory that was free for ten seconds. Other allocators wait
/// until the thread that freed the memory allocates again, which an idle server never does.
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

/// Turn-based games whose rules are b-threads: small behaviours that request,
/// wait for and block events
#[derive(Debug, Parser)]
#[command(name = "cradle", version, verbatim_doc_comment, arg_required_else_help = true)]
#[command(after_help = EXIT_CODES)]
struct Cradle {
    #[command(subcommand)]
    command: CradleCommand,
}

const EXIT_CODES: &str = "\
Exit codes: 0 fine, 1 the answer is no, 2 wrong usage, 3 cut short (by a limit,
Ctrl-C, or a disk or terminal that failed).";

#[derive(Debug, Subcommand)]
enum CradleCommand {
    Games(ListGames),
    Play(Play),
    #[command(name = "match")]
    Match(PlayMatch),
    Replay(Replay),
    Tournament(TournamentCommand),
    Analyze(Analyze),
    Perft(Perft),
    Serve(Box<Serve>),
    Journal(JournalCommand),
    Verify(Verify),
    Run(RunText),
    Draw(DrawText),
    Check(CheckText),
    #[command(name = "fmt")]
    Format(FormatText),
    Lsp(LanguageServer),
}

impl CradleCommand {
    fn run(&self) -> anyhow::Result<ExitReason> {
        match self {
            Self::Analyze(analyze) => analyze.run(),
            Self::Games(games) => games.run(),
            Self::Journal(journal) => journal.run(),
            Self::Match(played) => played.run(),
            Self::Perft(perft) => perft.run(),
            Self::Play(play) => play.run(),
            Self::Replay(replay) => replay.run(),
            Self::Run(run) => run.run(),
            Self::Draw(draw) => draw.run(),
            Self::Serve(serve) => serve.run(),
            Self::Tournament(tournament) => tournament.run(),
            Self::Verify(verify) => verify.run(),
            Self::Check(check) => check.run(),
            Self::Format(format) => format.run(),
            Self::Lsp(server) => server.run(),
        }
    }
}

fn main() -> ExitCode {
    match Cradle::try_parse_from(journal::marked(std::env::args_os())) {
        Ok(cradle) => exit_code(cradle.command.run()),
        Err(error) => exit_code_of_clap(&error),
    }
}

fn exit_code(result: anyhow::Result<ExitReason>) -> ExitCode {
    match result {
        Ok(reason) => reason.into(),
        Err(error) => {
            console::complain(&error);
            ExitReason::code_after(&error)
        }
    }
}

/// Prints Clap's message: a mistake in the arguments, or the requested help.
fn exit_code_of_clap(error: &clap::Error) -> ExitCode {
    if error.use_stderr() {
        // Without Clap's colours: arguments may hold escape codes, and those must not pass.
        // The exit code says the same if the message cannot be written.
        drop(console::mention(error.to_string().trim_end()));
        return ExitCode::from(WRONG_USAGE);
    }
    match error.print() {
        Err(failed) if failed.kind() != ErrorKind::BrokenPipe => {
            let failure = DeviceFailure::new("standard output cannot be written");
            exit_code(Err(anyhow::Error::new(failed).context(failure)))
        }
        _ => ExitCode::SUCCESS,
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_arguments_are_consistent() {
        Cradle::command().debug_assert();
    }
}
