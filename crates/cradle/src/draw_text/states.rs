//! The states of a text as a graph.

use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};

use bthread::Status;
use checker::Model;
use layout::core::base::Orientation;
use layout::core::color::Color;
use layout::core::geometry::Point;
use layout::core::style::{LineStyleKind, StyleAttr};
use layout::std_shapes::shapes::{Arrow, Element, LineEndKind, ShapeKind};
use layout::topo::layout::VisualGraph;
use notation::TextModel;

use super::state_picture::{DrawnStates, StatePicture};

/// States in the order in which they are found, and the events between them.
#[derive(Debug)]
pub(super) struct StateGraph {
    name: String,
    states: Vec<StateKind>,
    /// From a state to a state, with the events that lead there.
    edges: Vec<(usize, usize, Vec<String>)>,
    is_whole: bool,
}

/// The library for the layout has failed.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "these states cannot be laid out, which is a fault of ours: draw fewer with --max-states, or \
     write them for Graphviz with cradle verify --dot"
)]
pub(super) struct NoLayout;

/// How states are placed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Placing {
    /// So that edges are straight where they can be.
    Straight,
    /// One beside the other, in rows.
    Rows,
}

/// How a state is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum StateKind {
    /// Something can happen.
    Usual,
    /// Nothing can happen, and that is fine.
    End,
    /// Nothing can happen, although something is requested.
    Stuck,
}

impl StateGraph {
    /// The graph of a model, with at most `most` states.
    pub(super) fn of(model: &TextModel, most: usize) -> anyhow::Result<Self> {
        let start = model.start();
        let mut numbers = HashMap::from([(start.clone(), 0)]);
        let mut found = vec![start];
        let name = model.text().name();
        let mut graph = Self { name, states: Vec::new(), edges: Vec::new(), is_whole: true };
        while let Some(state) = found.get(graph.states.len()).cloned() {
            let from = graph.states.len();
            let mut out: Vec<(usize, Vec<String>)> = Vec::new();
            let mut is_end = true;
            model.successors(&state, &mut |event, next| {
                is_end = false;
                let known = numbers.get(&next).copied();
                let to = known.or_else(|| {
                    let number = found.len();
                    (number < most).then(|| {
                        numbers.insert(next.clone(), number);
                        found.push(next);
                        number
                    })
                });
                let Some(to) = to else {
                    graph.is_whole = false;
                    return;
                };
                match out.iter_mut().find(|(known, _)| *known == to) {
                    Some((_, events)) => events.push(event.to_string()),
                    None => out.push((to, vec![event.to_string()])),
                }
            })?;
            graph.edges.extend(out.into_iter().map(|(to, events)| (from, to, events)));
            graph.states.push(match (is_end, model.status(&state)) {
                (false, _) => StateKind::Usual,
                (true, Status::Stuck) => StateKind::Stuck,
                (true, _) => StateKind::End,
            });
        }
        Ok(graph)
    }

    /// Whether all states are in it.
    pub(super) fn is_whole(&self) -> bool {
        self.is_whole
    }

    /// The graph as a picture.
    ///
    /// # Errors
    /// If the library for the layout fails.
    pub(super) fn drawn(&self) -> Result<DrawnStates, NoLayout> {
        // The library asserts what it computes, and is wrong about some graphs. Then states stand in
        // rows without being moved to where their edges are straight.
        let hook = take_hook();
        set_hook(Box::new(|_| {}));
        let attempt = |placing| catch_unwind(AssertUnwindSafe(|| self.laid_out(placing))).ok();
        let picture = attempt(Placing::Straight).or_else(|| attempt(Placing::Rows));
        set_hook(hook);
        picture.ok_or(NoLayout)
    }

    fn laid_out(&self, placing: Placing) -> DrawnStates {
        let direction = self.direction();
        let mut drawn = VisualGraph::new(direction);
        let nodes: Vec<_> = (0..)
            .zip(&self.states)
            .map(|(number, kind): (usize, _)| drawn.add_node(node(number, *kind, direction)))
            .collect();
        for (from, to, events) in &self.edges {
            let arrow = Arrow::new(
                LineEndKind::None,
                LineEndKind::Arrow,
                LineStyleKind::Normal,
                &shortened(events),
                &look(LINE, None),
                &None,
                &None,
            );
            drawn.add_edge(arrow, nodes[*from], nodes[*to]);
        }
        let mut picture = StatePicture::default();
        drawn.do_it(false, false, placing == Placing::Rows, &mut picture);
        picture.drawn(&format!("The states of {}", self.name))
    }

    /// From top to bottom, unless words would stand in too long rows: from left to right they stand
    /// one below the other.
    fn direction(&self) -> Orientation {
        let mut rows = vec![0; self.states.len()];
        let mut characters: Vec<usize> = vec![0; self.states.len() + 1];
        let mut is_reached = vec![false; self.states.len()];
        for (from, to, events) in &self.edges {
            if !std::mem::replace(&mut is_reached[*to], true) && *to != 0 {
                rows[*to] = rows[*from] + 1;
            }
            characters[rows[*from] + 1] += shortened(events).chars().count() + BETWEEN_WORDS;
        }
        let longest = characters.into_iter().max().unwrap_or(0);
        if longest > LONGEST_ROW { Orientation::LeftToRight } else { Orientation::TopToBottom }
    }
}

/// Colours as red, green, blue and opacity.
const LINE: u32 = 0x4a42_38ff;
const END: u32 = 0xd9ea_d9ff;
const STUCK: u32 = 0xf4c7_bfff;
const PAPER: u32 = 0xffff_f7ff;

const FONT_SIZE: usize = 13;

fn look(line: u32, fill: Option<u32>) -> StyleAttr {
    StyleAttr::new(Color::new(line), 1, fill.map(Color::new), 0, FONT_SIZE)
}

fn node(number: usize, kind: StateKind, direction: Orientation) -> Element {
    let label = if number == 0 { "start".to_owned() } else { number.to_string() };
    let (shape, fill) = match kind {
        StateKind::Usual => (ShapeKind::new_circle(&label), PAPER),
        StateKind::End => (ShapeKind::new_double_circle(&label), END),
        StateKind::Stuck => (ShapeKind::new_double_circle("stuck"), STUCK),
    };
    let side = if label.len() > 3 { 58.0 } else { 44.0 };
    Element::create(shape, look(LINE, Some(fill)), direction, Point::new(side, side))
}

/// The longest row of words, in characters, and the space between two of them.
const LONGEST_ROW: usize = 180;
const BETWEEN_WORDS: usize = 4;

/// The events of an edge: at most three of them.
fn shortened(events: &[String]) -> String {
    match events {
        [first, second, third, rest @ ..] if !rest.is_empty() => {
            format!("{first} {second} {third} and {} more", rest.len())
        }
        events => events.join(" "),
    }
}

#[cfg(test)]
mod tests {
    use game::Generator;

    use super::*;

    fn below(random: &mut Generator, bound: usize) -> usize {
        usize::try_from(random.below(bound as u64)).expect("it is below a usize")
    }

    const LABELS: [&str; 6] =
        ["a", "", "mark(X, a1)", "é😀字", "<&\"'>", "take(first, a, 1000000)"];

    fn labels(random: &mut Generator) -> Vec<String> {
        let many = 1 + below(random, 5);
        (0..many).map(|_| LABELS[below(random, LABELS.len())].to_owned()).collect()
    }

    /// A graph whose states can all be reached, with loops, edges back and long labels.
    fn random_graph(seed: u64) -> StateGraph {
        let random = &mut Generator::seeded(seed);
        let count = 1 + below(random, 24);
        let mut edges = Vec::new();
        for to in 1..count {
            edges.push((below(random, to), to, labels(random)));
        }
        for _ in 0..below(random, 2 * count + 1) {
            let (from, to) = (below(random, count), below(random, count));
            if !edges.iter().any(|(one, other, _)| (*one, *other) == (from, to)) {
                edges.push((from, to, labels(random)));
            }
        }
        let kinds = [StateKind::Usual, StateKind::End, StateKind::Stuck];
        let states = (0..count).map(|_| kinds[below(random, kinds.len())]).collect();
        StateGraph { name: "random".to_owned(), states, edges, is_whole: true }
    }

    #[test]
    fn random_graphs_are_laid_out() {
        for seed in 0..300 {
            let picture = random_graph(seed).drawn();
            assert!(
                picture.is_ok_and(|picture| picture.svg.trim_end().ends_with("</svg>")),
                "{seed}"
            );
        }
    }

    #[test]
    fn an_edge_back_to_an_earlier_state_has_its_head_there() {
        let edge = |from, to, event: &str| (from, to, vec![event.to_owned()]);
        let edges = vec![edge(0, 1, "go"), edge(1, 0, "come back")];
        let states = vec![StateKind::Usual; 2];
        let graph = StateGraph { name: "walk".to_owned(), states, edges, is_whole: true };
        let picture = graph.drawn().expect("it can be laid out").svg;
        let heads =
            ["start", "end"].map(|place| picture.matches(&format!("marker-{place}=")).count());
        assert_eq!(heads, [1, 1], "{picture}");
    }

    /// A state from which many events with long names lead to as many ends.
    fn fan(ends: usize) -> StateGraph {
        let edges = (1..=ends).map(|end| (0, end, vec![format!("take(first, {end})")])).collect();
        let states = vec![StateKind::End; ends + 1];
        StateGraph { name: "fan".to_owned(), states, edges, is_whole: true }
    }

    #[test]
    fn words_that_would_fill_a_long_row_stand_one_below_the_other() {
        let [few, many] = [3, 40].map(|ends| fan(ends).drawn().expect("it can be laid out"));
        assert!(few.width > few.height, "{} by {}", few.width, few.height);
        assert!(
            many.width < 1_000.0 && many.height > many.width,
            "{} by {}",
            many.width,
            many.height
        );
    }

    #[test]
    fn labels_are_text_and_no_markup() {
        let edges = vec![(0, 0, vec!["<script>&\"".to_owned()])];
        let (name, states) = ("<b>".to_owned(), vec![StateKind::Usual]);
        let graph = StateGraph { name, states, edges, is_whole: true };
        let picture = graph.drawn().expect("it can be laid out").svg;
        assert!(!picture.contains("<script>") && !picture.contains("<b>"), "{picture}");
    }
}
