//! The arguments of `cradle run`.

use std::io::{ErrorKind, stdin, stdout};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::Args;
use notation::{RunPace, RunSnapshot};

use super::prompt::{PromptEnd, PromptInput};
use super::session::RunSession;
use super::{co_process, prompt};
use crate::console;
use crate::exit_reason::{DeviceFailure, ExitReason};
use crate::input_file::text_of_file;
use crate::interrupt::Interrupt;
use crate::text_file::{TextFile, parameters};

/// Run a b-program, event by event
///
/// B-threads act by themselves; you act for the world, for chance and for seats
/// without strategies. If there is nobody to act for, you choose every event.
/// docs/running.md describes the prompt, and --json for other programs.
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
#[command(after_help = "Exit codes: 0 fine, 2 wrong usage, 3 cut short.")]
pub(crate) struct RunText {
    /// A file that ends in .cradle, or what is built in: tic-tac-toe, mnk:6,5,4, dining
    #[arg(value_name = "FILE")]
    file: String,

    /// Values for parameters of the text, as in n=9
    #[arg(value_name = "NAME=NUMBER")]
    parameters: Vec<String>,

    /// Choose every event: nothing happens automatically
    #[arg(long)]
    step: bool,

    /// Begin where "save FILE" at the prompt has saved a run
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,

    /// Read one JSON value per line and answer each with one line
    #[arg(long)]
    json: bool,
}

/// What is said after Ctrl-C.
const LAST_WORDS: &str = "Ctrl-C ended the run. What was saved is kept.";

/// The longest file with a saved run.
const LONGEST_SAVED: u64 = 4 << 20;

impl RunText {
    /// Runs the text until the input ends.
    ///
    /// # Errors
    /// If the file cannot be read, has mistakes or does not stop automatically, or if the terminal fails.
    pub(crate) fn run(&self) -> anyhow::Result<ExitReason> {
        let _interrupt = Interrupt::watch(LAST_WORDS)?;
        let text = TextFile::build_any(&self.file, &parameters(&self.parameters)?)?;
        let chooses_all = self.step || !text.has_outside();
        let pace = if chooses_all { RunPace::Steps } else { RunPace::Supersteps };
        let Ok((run, opening)) = text.start_run(pace) else {
            bail!("the b-threads of {} never stop by themselves: write --step", self.file);
        };
        let mut session = RunSession::new(run);
        if let Some(path) = &self.from {
            session.restore(&saved(path)?)?;
        }
        let mut output = stdout().lock();
        let served = if self.json {
            let served = co_process::serve(&mut session, &opening, stdin().lock(), &mut output);
            served.map(|()| PromptEnd::Fine)
        } else {
            let input = PromptInput::of_process();
            input.and_then(|input| prompt::serve(&mut session, pace, &opening, input, &mut output))
        };
        match served {
            // A reader that leaves early is no failure.
            Err(error) if error.kind() != ErrorKind::BrokenPipe => {
                Err(error).context(DeviceFailure::new("the run was cut short"))
            }
            Ok(PromptEnd::Interrupted) => {
                console::mention(LAST_WORDS)?;
                Ok(ExitReason::CutShort)
            }
            _ => Ok(ExitReason::Fine),
        }
    }
}

/// The run that was saved in a file.
fn saved(path: &Path) -> anyhow::Result<RunSnapshot> {
    let text = text_of_file(path, LONGEST_SAVED)?;
    serde_json::from_str(&text).with_context(|| format!("{} is no saved run", path.display()))
}
