//! The arguments of `cradle draw`.

use std::path::PathBuf;

use anyhow::{Context, bail};
use clap::Args;
use notation::{BuiltText, ModelOptions, RunPace, RunStep, WeaveForm, WeaveWords, weave};

use super::picture_file;
use super::state_picture::DrawnStates;
use super::states::StateGraph;
use crate::console;
use crate::exit_reason::ExitReason;
use crate::interrupt::Interrupt;
use crate::text_file::{TextFile, parameters};

/// Draw the states of a text, or one of its runs, as SVG
///
/// Draws every state as a circle and every event as an arrow. With --weave it
/// draws a run: every b-thread is a thread, and every event is a knot that ties
/// the b-threads that take part.
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
#[command(after_help = "Exit codes: 0 fine, 2 wrong usage, 3 cut short (by --max-states,\n\
                        or Ctrl-C).")]
pub(crate) struct DrawText {
    /// A file that ends in .cradle, or what is built in: tic-tac-toe, mnk:6,5,4, dining
    #[arg(value_name = "FILE")]
    file: String,

    /// Values for parameters of the text, as in n=9
    #[arg(value_name = "NAME=NUMBER")]
    parameters: Vec<String>,

    /// Draw the run in which these events are chosen, as in "coin; choose(tea)"
    #[arg(long, value_name = "EVENTS")]
    weave: Option<String>,

    /// Choose every event of the run: nothing happens automatically
    #[arg(long, requires = "weave")]
    step: bool,

    /// Leave out b-threads and families
    #[arg(long, value_name = "B-THREAD", conflicts_with = "weave")]
    without: Vec<String>,

    /// The most states that are drawn; twice as many take about thirty times as long
    #[arg(long, value_name = "NUMBER", default_value_t = 80)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=2000))]
    max_states: u32,

    /// The file of the picture, instead of standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

impl DrawText {
    /// Draws the picture.
    ///
    /// # Errors
    /// If the file has mistakes, an event of the run cannot happen, or the picture cannot be written.
    pub(crate) fn run(&self) -> anyhow::Result<ExitReason> {
        let text = TextFile::build_any(&self.file, &parameters(&self.parameters)?)?;
        let _interrupt = Interrupt::watch("Ctrl-C ended the drawing. Nothing was written.")?;
        let (picture, is_whole, advice) = if let Some(events) = &self.weave {
            let (steps, words) = (self.played(&text, events)?, WeaveWords::english(&text));
            (weave(&text, &steps, WeaveForm::File, &words), true, None)
        } else {
            let without = self.without.clone();
            let model = text.model(&ModelOptions { without, ..ModelOptions::default() })?;
            let graph = StateGraph::of(&model, self.max_states as usize)?;
            let drawn = graph.drawn()?;
            let advice = advice(&drawn);
            (drawn.svg, graph.is_whole(), advice)
        };
        picture_file::write(self.output.as_deref(), &picture)?;
        if let Some(advice) = advice {
            console::mention(&advice)?;
        }
        if is_whole {
            return Ok(ExitReason::Fine);
        }
        let most = self.max_states;
        console::mention(&format!("Only {most} states are drawn: --max-states allows more."))?;
        Ok(ExitReason::CutShort)
    }

    /// The steps of the run in which these events are chosen.
    fn played(&self, text: &BuiltText, events: &str) -> anyhow::Result<Vec<RunStep>> {
        let chooses_all = self.step || !text.has_outside();
        let pace = if chooses_all { RunPace::Steps } else { RunPace::Supersteps };
        let (mut run, mut steps) = text.start_run(pace)?;
        for name in events.split(';').map(str::trim).filter(|name| !name.is_empty()) {
            let event = text.event_called(name)?;
            let happened = run.trigger(&event);
            steps.extend(happened.with_context(|| format!("the run stops before {event}"))?);
            if steps.len() > MOST_DRAWN {
                bail!("the run has more than {MOST_DRAWN} events: draw fewer");
            }
        }
        Ok(steps)
    }
}

/// What to do about a picture that is too large to be read.
fn advice(drawn: &DrawnStates) -> Option<String> {
    let DrawnStates { width, height, .. } = drawn;
    (width.max(*height) > LARGEST_READABLE).then(|| {
        format!(
            "The picture is {width:.0} by {height:.0} pixels. Smaller parameters or --max-states 30 make \
             it readable; cradle verify --dot FILE writes the states for Graphviz."
        )
    })
}

/// The longest side of a picture that is easily read.
const LARGEST_READABLE: f64 = 4_000.0;

/// The most events of a run that is drawn.
const MOST_DRAWN: usize = 500;
