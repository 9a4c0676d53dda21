//! `cradle games`: lists the games.

use clap::Args;
use game::{Game, all_seats};
use games::catalog::{CATALOG, CatalogEntry};
use serde::Serialize;

use crate::exit_reason::ExitReason;
use crate::paint::{Paint, Tone};
use crate::wrap::{WIDTH, wrapped};
use crate::{console, names};

/// List the games
///
/// Parameters follow a colon, as in mnk:6,5,4. Most games need none.
#[derive(Debug, Args)]
pub(crate) struct ListGames {
    /// Answer with one JSON array
    #[arg(long)]
    json: bool,
}

/// A game as JSON.
#[derive(Serialize)]
struct GameDetails {
    name: &'static str,
    parameters: Option<&'static str>,
    summary: &'static str,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    options: &'static [(&'static str, &'static str)],
    seats: Vec<String>,
    strategies: Vec<String>,
    hides: bool,
}

impl ListGames {
    pub(crate) fn run(&self) -> anyhow::Result<ExitReason> {
        let games =
            CATALOG.into_iter().map(GameDetails::new).collect::<anyhow::Result<Vec<_>>>()?;
        let text = if self.json {
            serde_json::to_string_pretty(&games)? + "\n"
        } else {
            let paint = Paint::of_standard_output();
            games.iter().map(|game| game.text(paint)).collect()
        };
        console::print(&text)?;
        Ok(ExitReason::Fine)
    }
}

/// The column in which the summaries begin.
const INDENT: usize = 16;

impl GameDetails {
    fn new(listed: CatalogEntry) -> anyhow::Result<Self> {
        let CatalogEntry { name, parameters, summary, options, .. } = listed;
        let game = names::game(listed.example)?;
        let seat = |seat| game.seats()[game::Seat::index(seat)].to_owned();
        let seats = all_seats(&game).iter().map(seat).collect();
        let has_some = |seat: &game::Seat| game.strategies(*seat).is_some();
        let strategies = all_seats(&game).iter().filter(has_some).map(seat).collect();
        Ok(Self { name, parameters, summary, options, seats, strategies, hides: game.hides() })
    }

    fn text(&self, paint: Paint) -> String {
        let parameters =
            self.parameters.map(|words| format!(" Parameters: {}:{words}.", self.name));
        let options = self.options.iter().map(|(word, meaning)| format!("{word} ({meaning})"));
        let options = options.collect::<Vec<_>>().join(", ");
        let options = (!options.is_empty()).then(|| format!(" Options: {options}."));
        let words = format!(
            "{}{}{}",
            self.summary,
            parameters.unwrap_or_default(),
            options.unwrap_or_default()
        );
        let lines = wrapped(&words, WIDTH - INDENT).join(&format!("\n{}", " ".repeat(INDENT)));
        let gap = " ".repeat(INDENT.saturating_sub(self.name.len()));
        format!("{}{gap}{lines}\n", paint.paint(Tone::Strong, self.name))
    }
}
