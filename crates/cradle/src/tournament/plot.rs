//! The scores of a tournament as a drawing.

use std::fmt::Write as _;

/// The score of a player and its interval, each from 0 to 1.
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

/// An SVG with a dot for the score of each player, in this order, and a line for its interval.
pub(super) fn plot(title: &str, scores: &[PlottedScore]) -> String {
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
    for percent in [0, 25, 50, 75, 100] {
        let y = height_of(f64::from(percent) / 100.0);
        let label = LEFT - 8.0;
        let line = format!(
            "<line x1=\"{LEFT}\" x2=\"{right}\" y1=\"{y}\" y2=\"{y}\" stroke=\"#ccc\"/>\
             <text x=\"{label}\" y=\"{}\" text-anchor=\"end\">{percent} %</text>",
            y + 4.0
        );
        writeln!(svg, "{line}").expect("a string can grow");
    }
    for (number, score) in (0_u32..).zip(scores) {
        let x = LEFT + COLUMN * (f64::from(number) + 0.5);
        writeln!(svg, "{}", column(x, bottom, score)).expect("a string can grow");
    }
    svg.push_str("</svg>\n");
    svg
}

fn column(x: f64, bottom: f64, plotted: &PlottedScore) -> String {
    let PlottedScore { player, score, low, high } = plotted;
    let [score, low, high] = [*score, *low, *high].map(height_of);
    format!(
        "<line x1=\"{x}\" x2=\"{x}\" y1=\"{low:.1}\" y2=\"{high:.1}\" stroke=\"#36c\" \
         stroke-width=\"2\"/><circle cx=\"{x}\" cy=\"{score:.1}\" r=\"4\" fill=\"#36c\"/>\
         <text x=\"{x}\" y=\"{}\" text-anchor=\"middle\">{}</text>",
        bottom + 20.0,
        escaped(player)
    )
}

fn height_of(share: f64) -> f64 {
    TOP + HEIGHT * (1.0 - share)
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_better_player_is_drawn_higher_and_no_name_breaks_the_drawing() {
        let score = |player: &str, score| PlottedScore {
            player: player.to_owned(),
            score,
            low: score - 0.1,
            high: score + 0.1,
        };
        let svg = plot("a & b", &[score("weak", 0.25), score("<strong>", 0.75)]);
        assert!(svg.contains("cy=\"220.0\"") && svg.contains("cy=\"100.0\""), "{svg}");
        assert!(svg.contains("a &amp; b") && svg.contains("&lt;strong&gt;"), "{svg}");
        assert!(svg.ends_with("</svg>\n"));
    }
}
