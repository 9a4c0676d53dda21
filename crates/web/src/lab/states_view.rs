//! The drawing of the states.

use notation::{RunStatus, escaped};

use super::game::LabGame;
use super::html::{Html, filled};
use super::proof::{ProofFinding, ProofVerdict};
use super::state::{Lab, ProofState};
use super::states::{StateMap, StateNode};

/// The distance between rows and between states in a row.
const ROW: usize = 84;
const COLUMN: usize = 96;

/// The most edges that have labels.
const MOST_LABELS: usize = 40;

impl Lab {
    /// The states, if the person wants to see them.
    pub(super) fn states_panel(&self) -> String {
        let words = self.words();
        let mut html = Html::default();
        let Some(game) = self.game() else { return String::new() };
        if !self.shows_states() {
            html.button("states", "", words.states_show);
            return html.finish();
        }
        html.button("states", "", words.states_hide);
        let (property, counterexample) = self.counterexample().unzip();
        let map = StateMap::of(game, counterexample.as_ref());
        let count = map.nodes.len();
        let told = if map.is_whole { words.states_whole } else { words.states_around };
        let told = filled(told, &[("count", &count)]);
        html.add(format_args!("<p class=\"hint\">{}", escaped(&told)));
        let is_drawn = map.nodes.iter().any(|node| node.in_counterexample.is_some());
        if let Some(property) = property.filter(|_| is_drawn) {
            let told = filled(words.states_counterexample, &[("property", &property)]);
            html.add(format_args!(" <b class=\"bad\">{}</b>", escaped(&told)));
        }
        html.add(format_args!("</p>"));
        html.add(format_args!(
            "<div id=\"states-picture\" class=\"states-picture\" tabindex=\"0\">"
        ));
        self.draw_states(&mut html, &map);
        html.add(format_args!("</div>"));
        html.finish()
    }

    fn draw_states(&self, html: &mut Html, map: &StateMap) {
        let places = places(&map.nodes);
        let width = places.iter().map(|(x, _)| x + COLUMN).max().unwrap_or(COLUMN);
        let height = places.iter().map(|(_, y)| y + ROW).max().unwrap_or(ROW);
        let label = escaped(self.words().states_heading);
        html.add(format_args!(
            "<svg width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" role=\"group\" \
             aria-label=\"{label}\">"
        ));
        let has_labels = map.edges.len() <= MOST_LABELS;
        for (from, to, events) in &map.edges {
            let place = |node: &usize| map.nodes.get(*node).and_then(|at| at.in_counterexample);
            let is_bad = place(from).is_some_and(|at| place(to) == Some(at + 1));
            let class = if is_bad { " bad-edge" } else { "" };
            html.add(format_args!("<g class=\"edge{class}\">"));
            edge(html, places[*from], places[*to], events, has_labels || is_bad);
            html.add(format_args!("</g>"));
        }
        for (number, (node, (x, y))) in map.nodes.iter().zip(&places).enumerate() {
            self.draw_state(html, number, node, (*x, *y));
        }
        html.add(format_args!("</svg>"));
    }

    fn draw_state(&self, html: &mut Html, number: usize, node: &StateNode, (x, y): (usize, usize)) {
        let words = self.words();
        let kind = match node.status {
            RunStatus::Open => "",
            RunStatus::Over | RunStatus::Ended => " end",
            RunStatus::Stuck => " stuck",
        };
        let current = if node.is_current { " current" } else { "" };
        let visited = if node.is_visited { " visited" } else { "" };
        let bad = if node.in_counterexample.is_some() { " bad-state" } else { "" };
        let last = node.path.last().map_or(words.start_of_game, String::as_str);
        let label = filled(words.states_go, &[("number", &number), ("event", &last)]);
        html.add(format_args!(
            "<g class=\"state{kind}{visited}{bad}{current}\" role=\"button\" tabindex=\"0\" \
             id=\"state-{number}\" data-do=\"state\" data-value=\"{number}\" aria-label=\"{}\">\
             <circle cx=\"{x}\" cy=\"{y}\" r=\"18\"/><text x=\"{x}\" y=\"{}\">{number}</text></g>",
            escaped(&label),
            y + 5
        ));
    }

    /// The counterexample that is on the board, or else the first one, with its property.
    fn counterexample(&self) -> Option<(String, LabGame)> {
        let ProofState::Done { report, .. } = self.proof() else { return None };
        let broken = |finding: &&ProofFinding| finding.verdict == ProofVerdict::Violated;
        let shown = self.shown_property.as_ref();
        let mut findings = report.findings.iter().filter(broken);
        let on_board = findings.clone().find(|finding| Some(&finding.property) == shown);
        let finding = on_board.or_else(|| findings.next())?;
        let game = LabGame::replay(&self.switched()?, finding.events.as_ref()?).ok()?;
        Some((finding.property.clone(), game))
    }

    /// Goes to a state of the drawing.
    pub(super) fn go_to_state(&mut self, number: &str) {
        let Some(game) = self.game() else { return };
        let map = StateMap::of(game, None);
        let node = number.parse().ok().and_then(|number: usize| map.nodes.get(number));
        let Some(node) = node else { return };
        if let Ok(mut game) = LabGame::replay(game.text(), &node.path) {
            game.go_to(node.path.len());
            // The counterexample stays marked.
            let property = self.shown_property.take();
            self.show_game(game);
            self.shown_property = property;
        }
    }
}

/// The middle of each state: one row for each number of events.
fn places(nodes: &[StateNode]) -> Vec<(usize, usize)> {
    let deepest = nodes.iter().map(|node| node.depth).max().unwrap_or(0);
    let mut counts = vec![0; deepest + 1];
    for node in nodes {
        counts[node.depth] += 1;
    }
    let widest = counts.iter().copied().max().unwrap_or(1);
    let mut used = vec![0; deepest + 1];
    nodes
        .iter()
        .map(|node| {
            let margin = (widest - counts[node.depth]) * COLUMN / 2;
            let x = margin + used[node.depth] * COLUMN + COLUMN / 2;
            used[node.depth] += 1;
            (x, node.depth * ROW + ROW / 2)
        })
        .collect()
}

fn edge(
    html: &mut Html,
    (x1, y1): (usize, usize),
    (x2, y2): (usize, usize),
    events: &[String],
    has_label: bool,
) {
    let (cx, cy) = (x1.midpoint(x2), y1.midpoint(y2));
    if (x1, y1) == (x2, y2) {
        html.add(format_args!(
            "<path class=\"state-edge\" d=\"M{} {y1}c30 -30 30 30 0 8\"/>",
            x1 + 16
        ));
    } else if y2 > y1 {
        html.add(format_args!("<path class=\"state-edge\" d=\"M{x1} {y1}L{x2} {y2}\"/>"));
    } else {
        // Events that lead back go round on the side.
        html.add(format_args!(
            "<path class=\"state-edge back\" d=\"M{x1} {y1}Q{} {cy} {x2} {y2}\"/>",
            cx + COLUMN / 2
        ));
    }
    // Where the event leads, edges have more room than where they begin.
    let (cx, cy) = ((3 * x1 + 7 * x2) / 10, (3 * y1 + 7 * y2) / 10);
    if has_label && let [first, rest @ ..] = events {
        let more = if rest.is_empty() { String::new() } else { format!(" +{}", rest.len()) };
        html.add(format_args!(
            "<text class=\"state-label\" x=\"{cx}\" y=\"{cy}\">{}{more}</text>",
            escaped(first)
        ));
    }
}
