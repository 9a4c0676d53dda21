//! The standings as a table.

use super::report::ReportedPlayer;
use crate::quantity::count;
use crate::wrap::{WIDTH, length};

/// A table of the standings; the first line says what its columns are. With the name of the scores,
/// those are shown instead of shares and ratings. It has the 80 columns of every usual terminal, unless
/// a player has a very long name.
pub(super) fn standings_table(players: &[ReportedPlayer], scores: Option<&str>) -> String {
    let head = match scores {
        Some(unit) => {
            vec!["player", "games", "wins", "draws", "losses", unit, "95 %", "plies"]
        }
        None => vec!["player", "games", "wins", "draws", "losses", "score", "95 %", "Elo", "plies"],
    };
    let head = head.into_iter().map(str::to_owned).collect();
    let rows = players.iter().map(|player| row(player, scores));
    let rows: Vec<Vec<String>> = std::iter::once(head).chain(rows).collect();
    let widths: Vec<usize> = (0..rows[0].len())
        .map(|column| rows.iter().map(|row| length(&row[column])).max())
        .map(Option::unwrap_or_default)
        .collect();
    let gaps = widths.len() - 1;
    let gap = if widths.iter().sum::<usize>() + 2 * gaps > WIDTH { " " } else { "  " };
    let line = |row: &Vec<String>| {
        let cells = row.iter().zip(&widths).enumerate().map(|(column, (cell, width))| {
            if column == 0 { format!("{cell:<width$}") } else { format!("{cell:>width$}") }
        });
        cells.collect::<Vec<_>>().join(gap).trim_end().to_owned() + "\n"
    };
    rows.iter().map(line).collect()
}

fn row(player: &ReportedPlayer, scores: Option<&str>) -> Vec<String> {
    let ReportedPlayer { games, wins, draws, losses, .. } = player;
    let mut row = vec![player.player.clone()];
    row.extend([games, wins, draws, losses].map(|number| count(*number)));
    if scores.is_some() {
        let bound =
            |bound: Option<f64>| bound.map_or_else(|| "?".to_owned(), |b| format!("{b:+.3}"));
        row.push(format!("{:+.3}", player.mean_score));
        let (low, high) = (bound(player.mean_score_low), bound(player.mean_score_high));
        row.push(format!("{low} to {high}"));
    } else {
        let percent = |share: f64| format!("{:.1}", 100.0 * share);
        row.push(percent(player.score) + " %");
        row.push(format!("{} to {} %", percent(player.score_low), percent(player.score_high)));
        row.push(format!("{:+.0}", player.elo));
    }
    row.push(format!("{:.1}", player.mean_plies));
    row
}

#[cfg(test)]
mod tests {
    use super::*;

    fn player(name: &str, games: u64) -> ReportedPlayer {
        ReportedPlayer {
            place: 0,
            player: name.to_owned(),
            games,
            wins: games,
            draws: 0,
            losses: 0,
            score: 1.0,
            score_low: 0.9634,
            score_high: 1.0,
            elo: 191.0,
            mean_score: 0.111,
            mean_score_low: Some(0.052),
            mean_score_high: Some(0.170),
            mean_plies: 7.25,
            forfeits: 0,
            first_forfeit: None,
        }
    }

    #[test]
    fn columns_are_as_wide_as_they_must_be() {
        let players = [player("perfect", 100), player("mcts:1000", 20_000)];
        let expected = "\
player      games    wins  draws  losses    score             95 %   Elo  plies
perfect       100     100      0       0  100.0 %  96.3 to 100.0 %  +191    7.2
mcts:1000  20,000  20,000      0       0  100.0 %  96.3 to 100.0 %  +191    7.2
";
        assert_eq!(standings_table(&players, None), expected);
    }

    #[test]
    fn scores_are_shown_with_their_name_and_interval() {
        let expected = "\
player  games  wins  draws  losses   chips              95 %  plies
hard      100   100      0       0  +0.111  +0.052 to +0.170    7.2
";
        assert_eq!(standings_table(&[player("hard", 100)], Some("chips")), expected);
        let one =
            ReportedPlayer { mean_score_low: None, mean_score_high: None, ..player("hard", 1) };
        assert!(standings_table(&[one], Some("chips")).contains("? to ?"));
    }

    #[test]
    fn a_table_that_is_too_wide_has_narrow_gaps() {
        let table = standings_table(&[player("expectiminimax", 200_000)], None);
        assert!(table.lines().all(|line| length(line) <= WIDTH), "{table}");
    }
}
