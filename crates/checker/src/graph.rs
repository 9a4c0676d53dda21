//! Graphs of states and actions, for Graphviz and Mermaid.

use std::fmt::{self, Write};

use foldhash::quality::FixedState;
use hashbrown::HashMap;

use crate::inspect::Inspector;
use crate::model::Model;
use crate::report::{Finding, Trace};
use crate::store::{Id, Store};
use crate::trace;

/// The first states of a model and the actions between them, with the traces of findings
/// highlighted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Graph {
    nodes: Vec<GraphNode>,
    edges: Vec<GraphEdge>,
    /// The number of states that are not drawn.
    left_out: usize,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct GraphNode {
    label: String,
    is_terminal: bool,
    is_marked: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct GraphEdge {
    from: usize,
    to: usize,
    label: String,
    is_marked: bool,
}

impl Graph {
    pub(crate) fn draw<M: Model>(
        inspector: &Inspector<'_, M>,
        store: &Store<M::State>,
        limit: usize,
        findings: &[Finding<M::Action>],
    ) -> Result<Self, M::Error> {
        let mut drawn: Vec<Id> = store.discovered().take(limit).collect();
        let mut numbers: HashMap<Id, usize, FixedState> =
            drawn.iter().enumerate().map(|(number, id)| (*id, number)).collect();
        for trace in findings.iter().filter_map(|finding| finding.trace.as_ref()) {
            for id in trace::states_of(inspector, store, &trace.actions)? {
                numbers.entry(id).or_insert_with(|| {
                    drawn.push(id);
                    drawn.len() - 1
                });
            }
        }
        let left_out = store.len() - drawn.len();
        let mut graph = Self { nodes: Vec::new(), edges: Vec::new(), left_out };
        let mut explorer = inspector.model.explorer();
        for (from, id) in drawn.iter().enumerate() {
            let Some(state) = store.state(*id) else { continue };
            let mut possible = 0;
            explorer(state, &mut |action, next| {
                possible += 1;
                let to = store.find(&inspector.representative(next));
                if let Some(to) = to.and_then(|to| numbers.get(&to).copied()) {
                    let label = action.to_string();
                    graph.edges.push(GraphEdge { from, to, label, is_marked: false });
                }
            })?;
            let label = inspector.model.label(state);
            graph.nodes.push(GraphNode { label, is_terminal: possible == 0, is_marked: false });
        }
        for trace in findings.iter().filter_map(|finding| finding.trace.as_ref()) {
            graph.mark(trace);
        }
        Ok(graph)
    }

    /// Highlights a trace, as far as it is drawn.
    fn mark<A: fmt::Display>(&mut self, trace: &Trace<A>) {
        let mut at = 0;
        if let Some(node) = self.nodes.first_mut() {
            node.is_marked = true;
        }
        for action in &trace.actions {
            let label = action.to_string();
            let first = self.edges.partition_point(|edge| edge.from < at);
            let mut edges = self.edges[first..].iter_mut().take_while(|edge| edge.from == at);
            let Some(edge) = edges.find(|edge| edge.label == label) else {
                return;
            };
            edge.is_marked = true;
            at = edge.to;
            if let Some(node) = self.nodes.get_mut(at) {
                node.is_marked = true;
            }
        }
    }

    /// The number of states that are drawn.
    pub fn states(&self) -> usize {
        self.nodes.len()
    }

    /// The graph in the language of Graphviz.
    pub fn to_dot(&self) -> String {
        let mut text = String::from("digraph states {\n  node [shape=circle, fontsize=10];\n");
        for (number, node) in self.nodes.iter().enumerate() {
            let shape = if node.is_terminal { ", shape=doublecircle" } else { "" };
            let colour = if node.is_marked { ", color=red, penwidth=2" } else { "" };
            let label = quoted(&node.text(number));
            line(&mut text, format_args!("  {number} [label={label}{shape}{colour}];"));
        }
        for edge in &self.edges {
            let colour = if edge.is_marked { ", color=red, penwidth=2" } else { "" };
            let (from, to, label) = (edge.from, edge.to, quoted(&edge.label));
            line(&mut text, format_args!("  {from} -> {to} [label={label}{colour}];"));
        }
        if self.left_out > 0 {
            let label = quoted(&self.left_out_text());
            line(&mut text, format_args!("  more [label={label}, shape=plaintext];"));
        }
        text.push_str("}\n");
        text
    }

    /// The graph in the language of Mermaid.
    pub fn to_mermaid(&self) -> String {
        let mut text = String::from("flowchart TD\n");
        for (number, node) in self.nodes.iter().enumerate() {
            let label = escaped(&node.text(number));
            let (open, close) = if node.is_terminal { ("(((", ")))") } else { ("((", "))") };
            line(&mut text, format_args!("  s{number}{open}\"{label}\"{close}"));
            if node.is_marked {
                line(&mut text, format_args!("  style s{number} stroke:red,stroke-width:3px"));
            }
        }
        for (number, edge) in self.edges.iter().enumerate() {
            let (from, to, label) = (edge.from, edge.to, escaped(&edge.label));
            line(&mut text, format_args!("  s{from} -->|\"{label}\"| s{to}"));
            if edge.is_marked {
                line(&mut text, format_args!("  linkStyle {number} stroke:red,stroke-width:3px"));
            }
        }
        if self.left_out > 0 {
            line(&mut text, format_args!("  more[\"{}\"]", escaped(&self.left_out_text())));
        }
        text
    }

    fn left_out_text(&self) -> String {
        let states = if self.left_out == 1 { "state" } else { "states" };
        format!("and {} more {states}", self.left_out)
    }
}

impl GraphNode {
    fn text(&self, number: usize) -> String {
        if self.label.is_empty() { number.to_string() } else { self.label.clone() }
    }
}

fn line(text: &mut String, line: fmt::Arguments<'_>) {
    writeln!(text, "{line}").expect("writing to a string cannot fail");
}

/// Quotes a string for Graphviz.
fn quoted(text: &str) -> String {
    let text = text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n");
    format!("\"{text}\"")
}

/// Escapes a quoted text for Mermaid.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('"', "&quot;").replace('<', "&lt;").replace('\n', "<br>")
}
