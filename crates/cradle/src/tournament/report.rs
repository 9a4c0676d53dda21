//! The standings as text, JSON and CSV.

use std::fmt::Write as _;

use game::{Aim, AnyGame, Game, PlayerStanding, Tournament, TournamentKind};
use serde::Serialize;

use super::plot::{PlotScale, PlottedScore, plot};
use super::standings_table::standings_table;
use crate::quantity::{count, counted};
use crate::wrap::{WIDTH, wrapped};

/// A form of the report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TournamentFormat {
    Text,
    Json,
    Csv,
    Svg,
}

/// The games of a tournament.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PlannedGames {
    /// The number of games that were planned.
    pub(super) count: u64,
    /// Whether all of them were played.
    pub(super) is_whole: bool,
}

/// The standings of a tournament.
#[derive(Debug, Serialize)]
pub(super) struct TournamentReport {
    game: String,
    kind: String,
    games_per_pairing: u32,
    seed: u64,
    /// A game is counted for the player in each of them.
    #[serde(skip)]
    seats: u64,
    /// The number of games that were planned, and whether some were not played.
    planned_games: u64,
    cut_short: bool,
    /// The winner of an elimination.
    #[serde(skip_serializing_if = "Option::is_none")]
    winner: Option<String>,
    /// What decides who is better: `results`, or the game's own `scores`.
    ranked_by: &'static str,
    #[serde(skip)]
    aim: Aim,
    /// What the game's own scores count, if they say more than who won.
    #[serde(skip_serializing_if = "Option::is_none")]
    score_unit: Option<String>,
    players: Vec<ReportedPlayer>,
}

/// The results of a player.
#[derive(Debug, Serialize)]
pub(super) struct ReportedPlayer {
    /// Its place in the list of players.
    #[serde(skip)]
    pub(super) place: usize,
    pub(super) player: String,
    pub(super) games: u64,
    pub(super) wins: u64,
    pub(super) draws: u64,
    pub(super) losses: u64,
    /// The share of points, and its interval.
    pub(super) score: f64,
    pub(super) score_low: f64,
    pub(super) score_high: f64,
    pub(super) elo: f64,
    /// The mean of the game's own scores, and its interval.
    pub(super) mean_score: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) mean_score_low: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) mean_score_high: Option<f64>,
    pub(super) mean_plies: f64,
    pub(super) forfeits: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) first_forfeit: Option<String>,
}

impl TournamentReport {
    pub(super) fn new(
        game: &AnyGame,
        kind: TournamentKind,
        games_per_pairing: u32,
        seed: u64,
        PlannedGames { count, is_whole }: PlannedGames,
        tournament: &Tournament,
    ) -> Self {
        let standings = tournament.standings();
        let (aim, players) = (standings.aim(), standings.ranked());
        let ranked_by = match aim {
            Aim::Winning => "results",
            Aim::Scores => "scores",
        };
        Self {
            game: game.name(),
            kind: kind.to_string(),
            games_per_pairing,
            seed,
            seats: game.seats().len().max(1) as u64,
            planned_games: count,
            cut_short: !is_whole,
            winner: tournament.winner().map(str::to_owned),
            ranked_by,
            aim,
            score_unit: game.score_unit().map(str::to_owned),
            players: players.into_iter().map(ReportedPlayer::new).collect(),
        }
    }

    /// The number of games that were played.
    pub(super) fn games(&self) -> u64 {
        let by_player: u64 = self.players.iter().map(|player| player.games).sum();
        by_player / self.seats
    }

    pub(super) fn written(&self, format: TournamentFormat) -> anyhow::Result<String> {
        Ok(match format {
            TournamentFormat::Text => self.text(),
            TournamentFormat::Json => serde_json::to_string_pretty(self)? + "\n",
            TournamentFormat::Csv => self.csv(),
            TournamentFormat::Svg => self.svg(),
        })
    }

    fn text(&self) -> String {
        let mut text = wrapped(&self.title(), WIDTH).join("\n") + "\n\n";
        text.push_str(&standings_table(&self.players, self.score_name()));
        if self.cut_short {
            text.push('\n');
            text.push_str(&self.rest());
            text.push('\n');
        }
        for player in self.players.iter().filter(|player| player.forfeits > 0) {
            let reason = player.first_forfeit.as_deref().unwrap_or("unknown");
            let forfeits = count(player.forfeits);
            let sentence = format!("{} forfeited {forfeits}: {reason}", player.player);
            text.push('\n');
            text.push_str(&wrapped(&sentence, WIDTH).join("\n"));
        }
        if let Some(winner) = &self.winner {
            text.push_str("\nwinner: ");
            text.push_str(winner);
        }
        text.trim_end().to_owned() + "\n"
    }

    /// `tic-tac-toe, round-robin, 200 games for each pairing, seed 7`.
    fn title(&self) -> String {
        let Self { game, kind, games_per_pairing, seed, .. } = self;
        let games = count((*games_per_pairing).into());
        format!("{game}, {kind}, {games} games for each pairing, seed {seed}")
    }

    /// `cut short after 120 of 240 games`.
    fn rest(&self) -> String {
        let planned = counted(self.planned_games, "game", "games");
        format!("cut short after {} of {planned}", count(self.games()))
    }

    /// What scores are called, if they decide who is better.
    fn score_name(&self) -> Option<&str> {
        (self.aim == Aim::Scores).then(|| self.score_unit.as_deref().unwrap_or("points"))
    }

    /// The scores in the order in which the players were named.
    fn svg(&self) -> String {
        let mut named: Vec<&ReportedPlayer> = self.players.iter().collect();
        named.sort_by_key(|each| each.place);
        let scores: Vec<PlottedScore> = named.iter().map(|each| each.plotted(self.aim)).collect();
        let scale = match self.score_name() {
            Some(unit) => PlotScale::scores(unit, &scores),
            None => PlotScale::SHARES,
        };
        let rest = if self.cut_short { format!(", {}", self.rest()) } else { String::new() };
        plot(&(self.title() + &rest), &scale, &scores)
    }

    fn csv(&self) -> String {
        let mut text = String::from(
            "player,games,wins,draws,losses,score,score_low,score_high,elo,mean_score,\
             mean_score_low,mean_score_high,mean_plies,forfeits,cut_short\n",
        );
        for player in &self.players {
            let name = if player.player.contains(['"', ',', '\n']) {
                format!("\"{}\"", player.player.replace('"', "\"\""))
            } else {
                player.player.clone()
            };
            let ReportedPlayer { games, wins, draws, losses, forfeits, .. } = player;
            let bound = |bound: Option<f64>| bound.map_or_else(String::new, |b| format!("{b:.6}"));
            writeln!(
                text,
                "{name},{games},{wins},{draws},{losses},{:.6},{:.6},{:.6},{:.1},{:.6},{},{},{:.3},\
                 {forfeits},{}",
                player.score,
                player.score_low,
                player.score_high,
                player.elo,
                player.mean_score,
                bound(player.mean_score_low),
                bound(player.mean_score_high),
                player.mean_plies,
                self.cut_short,
            )
            .expect("a string can grow");
        }
        text
    }
}

impl ReportedPlayer {
    fn new(standing: PlayerStanding) -> Self {
        let (score_low, score_high) = standing.interval;
        let mean_score_low = standing.mean_score_interval.map(|(low, _)| low);
        let mean_score_high = standing.mean_score_interval.map(|(_, high)| high);
        Self {
            place: standing.place,
            player: standing.player,
            games: standing.games,
            wins: standing.wins,
            draws: standing.draws,
            losses: standing.losses,
            score: standing.score,
            score_low,
            score_high,
            elo: standing.elo,
            mean_score: standing.mean_score,
            mean_score_low,
            mean_score_high,
            mean_plies: standing.mean_plies,
            forfeits: standing.forfeits,
            first_forfeit: standing.first_forfeit,
        }
    }

    fn plotted(&self, aim: Aim) -> PlottedScore {
        let (score, low, high) = match aim {
            Aim::Winning => (self.score, self.score_low, self.score_high),
            Aim::Scores => {
                let mean = self.mean_score;
                let bound = |bound: Option<f64>| bound.unwrap_or(mean);
                (mean, bound(self.mean_score_low), bound(self.mean_score_high))
            }
        };
        PlottedScore { player: self.player.clone(), score, low, high }
    }
}
