//! The states of a text as a graph.

use std::collections::HashMap;

use bthread::Status;
use checker::Model;
use layout::backends::svg::SVGWriter;
use layout::core::base::Orientation;
use layout::core::color::Color;
use layout::core::geometry::Point;
use layout::core::style::{LineStyleKind, StyleAttr};
use layout::std_shapes::shapes::{Arrow, Element, LineEndKind, ShapeKind};
use layout::topo::layout::VisualGraph;
use notation::TextModel;

/// States in the order in which they are found, and the events between them.
#[derive(Debug)]
pub(super) struct StateGraph {
    states: Vec<StateKind>,
    /// From a state to a state, with the events that lead there.
    edges: Vec<(usize, usize, Vec<String>)>,
    is_whole: bool,
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
        let mut graph = Self { states: Vec::new(), edges: Vec::new(), is_whole: true };
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

    /// The graph as a picture, from top to bottom.
    pub(super) fn svg(&self) -> String {
        let mut drawn = VisualGraph::new(Orientation::TopToBottom);
        let nodes: Vec<_> = (0..)
            .zip(&self.states)
            .map(|(number, kind): (usize, _)| drawn.add_node(node(number, *kind)))
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
        let mut writer = SVGWriter::new();
        drawn.do_it(false, false, false, &mut writer);
        on_paper(&writer.finalize())
    }
}

/// The picture with a background: lines and words are dark.
fn on_paper(picture: &str) -> String {
    let Some((before, rest)) = picture.split_once("<svg") else { return picture.to_owned() };
    let Some((attributes, content)) = rest.split_once('>') else { return picture.to_owned() };
    let paper = "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>";
    format!("{before}<svg{attributes}>\n{paper}{content}")
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

fn node(number: usize, kind: StateKind) -> Element {
    let label = if number == 0 { "start".to_owned() } else { number.to_string() };
    let (shape, fill) = match kind {
        StateKind::Usual => (ShapeKind::new_circle(&label), PAPER),
        StateKind::End => (ShapeKind::new_double_circle(&label), END),
        StateKind::Stuck => (ShapeKind::new_double_circle("stuck"), STUCK),
    };
    let side = if label.len() > 3 { 58.0 } else { 44.0 };
    Element::create(shape, look(LINE, Some(fill)), Orientation::TopToBottom, Point::new(side, side))
}

/// The events of an edge: at most three of them.
fn shortened(events: &[String]) -> String {
    match events {
        [first, second, third, rest @ ..] if !rest.is_empty() => {
            format!("{first} {second} {third} and {} more", rest.len())
        }
        events => events.join(" "),
    }
}
