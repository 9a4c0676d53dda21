//! The standings as text, JSON and CSV.

use std::fmt::Write as _;

use game::{AnyGame, Game, PlayerStanding, Tournament, TournamentKind};
use serde::Serialize;

use super::plot::{PlottedScore, plot};
use crate::quantity::count;

/// A form of the report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TournamentFormat {
    Text,
    Json,
    Csv,
    Svg,
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
    /// The players in the order in which they were named.
    #[serde(skip)]
    named: Vec<String>,
    /// The winner of an elimination.
    #[serde(skip_serializing_if = "Option::is_none")]
    winner: Option<String>,
    /// What the game's own scores count, if they say more than who won.
    #[serde(skip_serializing_if = "Option::is_none")]
    score_unit: Option<String>,
    players: Vec<ReportedPlayer>,
}

#[derive(Debug, Serialize)]
struct ReportedPlayer {
    player: String,
    games: u64,
    wins: u64,
    draws: u64,
    losses: u64,
    score: f64,
    score_low: f64,
    score_high: f64,
    elo: f64,
    mean_score: f64,
    mean_plies: f64,
    forfeits: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    first_forfeit: Option<String>,
}

impl TournamentReport {
    pub(super) fn new(
        game: &AnyGame,
        kind: TournamentKind,
        games_per_pairing: u32,
        seed: u64,
        named: &[String],
        tournament: &Tournament,
    ) -> Self {
        let players = tournament.standings().ranked().into_iter().map(ReportedPlayer::new);
        Self {
            game: game.name(),
            kind: kind.to_string(),
            games_per_pairing,
            seed,
            seats: game.seats().len().max(1) as u64,
            named: named.to_vec(),
            winner: tournament.winner().map(str::to_owned),
            score_unit: game.score_unit().map(str::to_owned),
            players: players.collect(),
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
        let width = self.players.iter().map(|player| player.player.chars().count()).max();
        let width = width.unwrap_or(0).max("player".len());
        let Self { game, kind, games_per_pairing, seed, .. } = self;
        let mut text = format!(
            "{game}, {kind}, {} games for each pairing, seed {seed}\n\n",
            count((*games_per_pairing).into())
        );
        let unit = self.score_unit.as_deref().map(|unit| format!("  {unit:>8}"));
        let unit = unit.unwrap_or_default();
        let head = format!(
            "{:<width$}  {:>8} {:>8} {:>8} {:>8}  {:>7}  {:>15}  {:>6}  {:>6}{unit}",
            "player", "games", "wins", "draws", "losses", "score", "95 %", "Elo", "plies"
        );
        text.push_str(head.trim_end());
        text.push('\n');
        for player in &self.players {
            player.write(&mut text, width, self.score_unit.is_some());
        }
        for player in self.players.iter().filter(|player| player.forfeits > 0) {
            let reason = player.first_forfeit.as_deref().unwrap_or("unknown");
            let forfeits = count(player.forfeits);
            let line = format!("\n{} forfeited {forfeits}: {reason}", player.player);
            text.push_str(&line);
        }
        if let Some(winner) = &self.winner {
            text.push_str("\nwinner: ");
            text.push_str(winner);
        }
        text.trim_end().to_owned() + "\n"
    }

    /// The scores in the order in which the players were named.
    fn svg(&self) -> String {
        let named = self.named.iter();
        let found = named.filter_map(|name| self.players.iter().find(|each| each.player == *name));
        let scores: Vec<PlottedScore> = found
            .map(|each| PlottedScore {
                player: each.player.clone(),
                score: each.score,
                low: each.score_low,
                high: each.score_high,
            })
            .collect();
        let Self { game, kind, games_per_pairing, seed, .. } = self;
        let games = count((*games_per_pairing).into());
        let title = format!("{game}, {kind}, {games} games for each pairing, seed {seed}");
        plot(&title, &scores)
    }

    fn csv(&self) -> String {
        let mut text = String::from(
            "player,games,wins,draws,losses,score,score_low,score_high,elo,mean_score,mean_plies,\
             forfeits\n",
        );
        for player in &self.players {
            let name = if player.player.contains(['"', ',', '\n']) {
                format!("\"{}\"", player.player.replace('"', "\"\""))
            } else {
                player.player.clone()
            };
            let ReportedPlayer { games, wins, draws, losses, forfeits, .. } = player;
            writeln!(
                text,
                "{name},{games},{wins},{draws},{losses},{:.6},{:.6},{:.6},{:.1},{:.6},{:.3},{forfeits}",
                player.score,
                player.score_low,
                player.score_high,
                player.elo,
                player.mean_score,
                player.mean_plies,
            )
            .expect("a string can grow");
        }
        text
    }
}

impl ReportedPlayer {
    fn new(standing: PlayerStanding) -> Self {
        let (score_low, score_high) = standing.interval;
        Self {
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
            mean_plies: standing.mean_plies,
            forfeits: standing.forfeits,
            first_forfeit: standing.first_forfeit,
        }
    }

    fn write(&self, text: &mut String, width: usize, has_unit: bool) {
        let percent = |share: f64| format!("{:.1} %", 100.0 * share);
        let interval = format!("{} to {:.1} %", fixed(self.score_low), 100.0 * self.score_high);
        let unit = if has_unit { format!("  {:>+8.3}", self.mean_score) } else { String::new() };
        writeln!(
            text,
            "{:<width$}  {:>8} {:>8} {:>8} {:>8}  {:>7}  {interval:>15}  {:>+6.0}  {:>6.1}{unit}",
            self.player,
            count(self.games),
            count(self.wins),
            count(self.draws),
            count(self.losses),
            percent(self.score),
            self.elo,
            self.mean_plies,
        )
        .expect("a string can grow");
    }
}

fn fixed(share: f64) -> String {
    format!("{:.1}", 100.0 * share)
}
