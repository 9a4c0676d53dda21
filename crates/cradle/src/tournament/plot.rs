//! The scores of a tournament as a drawing.

use std::fmt::Write as _;

/// The score of a player and its interval.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct PlottedScore {
    pub(super) player: String,
    pub(super) score: f64,
    pub(super) low: f64,
    pub(super) high: f64,
}

const LEFT: f64 = 60.0;
const TOP: f64 = 40.0;
const HEIGHT: f64 = 240.0;
const COLUMN: f64 = 72.0;

/// What the height of a dot means.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct PlotScale {
    lowest: f64,
    highest: f64,
    /// What stands after a number; shares are percentages.
    unit: Option<String>,
}

impl PlotScale {
    /// Shares of points, from 0 to 1.
    pub(super) const SHARES: Self = Self { lowest: 0.0, highest: 1.0, unit: None };

    /// Scores that count this, as many above 0 as below.
    pub(super) fn scores(unit: &str, scores: &[PlottedScore]) -> Self {
        // The least of 0.25, 0.5, 1, 2, 4 and so on that holds all of them.
        let most = scores.iter().flat_map(|each| [each.low.abs(), each.high.abs()]);
        let most = most.fold(0.0, f64::max);
        let highest = most.max(0.25).log2().ceil().exp2();
        Self { lowest: -highest, highest, unit: Some(unit.to_owned()) }
    }

    fn height_of(&self, score: f64) -> f64 {
        TOP + HEIGHT * (self.highest - score) / (self.highest - self.lowest)
    }

    fn label(&self, score: f64) -> String {
        match &self.unit {
            Some(_) if score.abs() < f64::EPSILON => "0".to_owned(),
            Some(_) => format!("{score:+}"),
            None => format!("{:.0} %", 100.0 * score),
        }
    }
}

/// An SVG with a dot for the score of each player, in this order, and a line for its interval.
pub(super) fn plot(title: &str, scale: &PlotScale, scores: &[PlottedScore]) -> String {
    let columns = u32::try_from(scores.len()).unwrap_or(u32::MAX);
    let (right, bottom) = (LEFT + COLUMN * f64::from(columns), TOP + HEIGHT);
    let (width, height) = (right + 20.0, bottom + 40.0);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
         font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n\
         <text x=\"{LEFT}\" y=\"20\" font-weight=\"bold\">{}</text>\n",
        escaped(title)
    );
    for quarter in 0..=4 {
        let score = scale.lowest + (scale.highest - scale.lowest) * f64::from(quarter) / 4.0;
        let (y, label) = (scale.height_of(score), LEFT - 8.0);
        let line = format!(
            "<line x1=\"{LEFT}\" x2=\"{right}\" y1=\"{y}\" y2=\"{y}\" stroke=\"#ccc\"/>\
             <text x=\"{label}\" y=\"{}\" text-anchor=\"end\">{}</text>",
            y + 4.0,
            scale.label(score)
        );
        writeln!(svg, "{line}").expect("a string can grow");
    }
    for (number, score) in (0_u32..).zip(scores) {
        let x = LEFT + COLUMN * (f64::from(number) + 0.5);
        writeln!(svg, "{}", column(x, bottom, scale, score)).expect("a string can grow");
    }
    if let Some(unit) = &scale.unit {
        let name = escaped(unit);
        let words = format!("<text x=\"4\" y=\"{}\">{name}</text>", TOP - 12.0);
        writeln!(svg, "{words}").expect("a string can grow");
    }
    svg.push_str("</svg>\n");
    svg
}

fn column(x: f64, bottom: f64, scale: &PlotScale, plotted: &PlottedScore) -> String {
    let PlottedScore { player, score, low, high } = plotted;
    let [score, low, high] = [*score, *low, *high].map(|score| scale.height_of(score));
    format!(
        "<line x1=\"{x}\" x2=\"{x}\" y1=\"{low:.1}\" y2=\"{high:.1}\" stroke=\"#36c\" \
         stroke-width=\"2\"/><circle cx=\"{x}\" cy=\"{score:.1}\" r=\"4\" fill=\"#36c\"/>\
         <text x=\"{x}\" y=\"{}\" text-anchor=\"middle\">{}</text>",
        bottom + 20.0,
        escaped(player)
    )
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn score(player: &str, score: f64) -> PlottedScore {
        PlottedScore { player: player.to_owned(), score, low: score - 0.1, high: score + 0.1 }
    }

    #[test]
    fn scores_have_a_scale_that_holds_all_of_them() {
        let scores = [score("weak", -0.3), score("strong", 0.3)];
        let scale = PlotScale::scores("chips", &scores);
        let svg = plot("poker", &scale, &scores);
        assert!(svg.contains(">+0.5</text>") && svg.contains(">-0.25</text>"), "{svg}");
        assert!(svg.contains("cy=\"88.0\"") && svg.contains(">chips</text>"), "{svg}");
    }

    #[test]
    fn a_better_player_is_drawn_higher_and_no_name_breaks_the_drawing() {
        let svg =
            plot("a & b", &PlotScale::SHARES, &[score("weak", 0.25), score("<strong>", 0.75)]);
        assert!(svg.contains("cy=\"220.0\"") && svg.contains("cy=\"100.0\""), "{svg}");
        assert!(svg.contains("a &amp; b") && svg.contains("&lt;strong&gt;"), "{svg}");
        assert!(svg.ends_with("</svg>\n"));
    }
}
