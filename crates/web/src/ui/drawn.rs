//! Views in the document, and how they change.
//!
//! What is drawn again keeps its elements where it can: the focus stays, and nothing is animated twice.

use std::cell::RefCell;
use std::rc::Rc;

use reactive_graph::effect::RenderEffect;
use reactive_graph::owner::Owner;
use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;
use web_sys::{Event, HtmlElement, Node};

use super::view::{Element, ElementParts, EventHandler, Setting, View};
use crate::browser::document;

/// A view in the document. It always has at least one node, which marks its place.
enum Drawn {
    /// A text, which may be empty.
    Text { node: Node, text: String },
    /// An element.
    Element(DrawnElement),
    /// Several parts, and an empty text behind them.
    List { parts: Vec<Self>, end: Node },
    /// A part that follows values.
    Live(RenderEffect<Self>),
}

struct DrawnElement {
    // Dropped first: what is called must not be there any longer than the element.
    listeners: Vec<ElementListener>,
    effects: Vec<RenderEffect<()>>,
    node: web_sys::Element,
    tag: &'static str,
    key: String,
    fixed: Vec<(Setting, String)>,
    children: Vec<Drawn>,
}

struct ElementListener {
    event: &'static str,
    target: web_sys::Element,
    handler: Rc<RefCell<EventHandler>>,
    callback: Closure<dyn FnMut(Event)>,
}

thread_local! {
    /// What is drawn for as long as the page lasts.
    static ROOTS: RefCell<Vec<(Owner, Drawn)>> = const { RefCell::new(Vec::new()) };
}

/// Fills an element of the document for as long as the page lasts.
pub(super) fn mount(place: &HtmlElement, view: impl FnOnce() -> View) {
    let owner = Owner::new();
    let drawn = owner.with(|| Drawn::of(view()));
    drawn.insert(place, None);
    ROOTS.with_borrow_mut(|roots| roots.push((owner, drawn)));
}

impl Drawn {
    fn of(view: View) -> Self {
        match view {
            View::Text(text) => Self::Text { node: text_node(&text), text },
            View::Element(element) => Self::Element(DrawnElement::of(element)),
            View::List(views) => {
                let parts = views.into_iter().map(Self::of).collect();
                Self::List { parts, end: text_node("") }
            }
            View::Live(render) => Self::live(render, None),
        }
    }

    /// A part that follows values, in place of what is drawn there.
    fn live(render: Box<dyn Fn() -> View>, before: Option<Self>) -> Self {
        let draw = move |before: Option<Self>| {
            let view = render();
            match before {
                None => Self::of(view),
                Some(before) => before.updated(view),
            }
        };
        Self::Live(RenderEffect::new_with_value(draw, before))
    }

    /// The same place with another view.
    fn updated(self, view: View) -> Self {
        match (self, view) {
            (Self::Text { node, text: before }, View::Text(text)) => {
                if text != before {
                    node.set_node_value(Some(&text));
                }
                Self::Text { node, text }
            }
            (Self::Element(mut drawn), View::Element(element)) if drawn.can_be(&element.0) => {
                drawn.update(*element.0);
                Self::Element(drawn)
            }
            (Self::List { parts, end }, View::List(views)) => {
                let parts = match end.parent_node() {
                    Some(parent) => update_parts(parts, views, &parent, Some(&end)),
                    None => parts,
                };
                Self::List { parts, end }
            }
            (Self::Live(effect), View::Live(render)) => Self::live(render, effect.take_value()),
            (before, view) => {
                let drawn = Self::of(view);
                before.replace_with(&drawn);
                drawn
            }
        }
    }

    fn replace_with(self, other: &Self) {
        let mut first = None;
        self.for_each_node(&mut |node: &Node| {
            first.get_or_insert_with(|| node.clone());
        });
        let parent = first.as_ref().and_then(Node::parent_node);
        if let (Some(first), Some(parent)) = (first, parent) {
            other.insert(&parent, Some(&first));
        }
        self.remove();
    }

    /// Puts it into the document, before a node or as the last child.
    fn insert(&self, parent: &Node, before: Option<&Node>) {
        self.for_each_node(&mut |node| drop(parent.insert_before(node, before)));
    }

    fn remove(self) {
        self.for_each_node(&mut |node| {
            if let Some(parent) = node.parent_node() {
                drop(parent.remove_child(node));
            }
        });
    }

    /// Visits the nodes that stand beside each other.
    fn for_each_node(&self, visit: &mut dyn FnMut(&Node)) {
        match self {
            Self::Text { node, .. } => visit(node),
            Self::Element(element) => visit(&element.node),
            Self::List { parts, end } => {
                for part in parts {
                    part.for_each_node(visit);
                }
                visit(end);
            }
            Self::Live(effect) => {
                effect.with_value_mut(|drawn| drawn.for_each_node(visit));
            }
        }
    }
}

/// Updates what is there, removes what is too much, and draws what is missing before `end`.
fn update_parts(
    parts: Vec<Drawn>,
    views: Vec<View>,
    parent: &Node,
    end: Option<&Node>,
) -> Vec<Drawn> {
    let mut views = views.into_iter();
    let mut updated = Vec::with_capacity(views.len());
    for part in parts {
        match views.next() {
            Some(view) => updated.push(part.updated(view)),
            None => part.remove(),
        }
    }
    for view in views {
        let drawn = Drawn::of(view);
        drawn.insert(parent, end);
        updated.push(drawn);
    }
    updated
}

impl DrawnElement {
    fn of(element: Element) -> Self {
        let ElementParts { tag, is_svg, key, fixed, live, handlers, children } = *element.0;
        let space =
            if is_svg { "http://www.w3.org/2000/svg" } else { "http://www.w3.org/1999/xhtml" };
        let node = document().create_element_ns(Some(space), tag);
        let node = node.expect("the tags of the page are names");
        for (setting, value) in &fixed {
            setting.apply(&node, value);
        }
        let effects = followed(&node, live);
        let listen = |(event, handler)| ElementListener::new(&node, event, handler);
        let listeners = handlers.into_iter().map(listen).collect();
        let children: Vec<Drawn> = children.into_iter().map(Drawn::of).collect();
        for child in &children {
            child.insert(&node, None);
        }
        Self { listeners, effects, node, tag, key, fixed, children }
    }

    /// Whether this can become that element.
    fn can_be(&self, other: &ElementParts) -> bool {
        let events = self.listeners.iter().map(|listener| listener.event);
        self.tag == other.tag
            && self.key == other.key
            && events.eq(other.handlers.iter().map(|(event, _)| *event))
    }

    fn update(&mut self, parts: ElementParts) {
        let ElementParts { fixed, live, handlers, children, .. } = parts;
        // What it followed is set no more, before it is set anew.
        self.effects.clear();
        for (setting, value) in &fixed {
            if !self.fixed.contains(&(*setting, value.clone())) {
                setting.apply(&self.node, value);
            }
        }
        for (setting, _) in &self.fixed {
            let is_same = |(other, _): &(Setting, String)| other == setting;
            if let (Setting::Attribute(name), false) = (setting, fixed.iter().any(is_same)) {
                drop(self.node.remove_attribute(name));
            }
        }
        self.fixed = fixed;
        self.effects = followed(&self.node, live);
        for (listener, (_, handler)) in self.listeners.iter().zip(handlers) {
            listener.handler.replace(handler);
        }
        let before = std::mem::take(&mut self.children);
        self.children = update_parts(before, children, &self.node, None);
    }
}

fn text_node(text: &str) -> Node {
    document().create_text_node(text).into()
}

/// Sets what follows values, now and whenever they change.
fn followed(
    node: &web_sys::Element,
    live: Vec<(Setting, Box<dyn Fn() -> String>)>,
) -> Vec<RenderEffect<()>> {
    let follow = |(setting, read): (Setting, Box<dyn Fn() -> String>)| {
        let node = node.clone();
        let mut before = None;
        RenderEffect::new(move |_| {
            let value = read();
            if before.as_ref() != Some(&value) {
                setting.apply(&node, &value);
                before = Some(value);
            }
        })
    };
    live.into_iter().map(follow).collect()
}

impl Setting {
    fn apply(self, node: &web_sys::Element, value: &str) {
        match self {
            Self::Attribute(name) => drop(node.set_attribute(name, value)),
            Self::Style(name) => {
                let style = node.unchecked_ref::<HtmlElement>().style();
                drop(style.set_property(name, value));
            }
            Self::Property(name) => {
                drop(js_sys::Reflect::set(node, &name.into(), &value.into()));
            }
        }
    }
}

impl ElementListener {
    fn new(target: &web_sys::Element, event: &'static str, handler: EventHandler) -> Self {
        let handler = Rc::new(RefCell::new(handler));
        let called = Rc::clone(&handler);
        let call: Box<dyn FnMut(Event)> = Box::new(move |event| {
            // What is called may put another handler in its place.
            let handler = Rc::clone(&called.borrow());
            handler(event);
        });
        let callback = Closure::wrap(call);
        let listener = callback.as_ref().unchecked_ref();
        drop(target.add_event_listener_with_callback(event, listener));
        Self { event, target: target.clone(), handler, callback }
    }
}

impl Drop for ElementListener {
    fn drop(&mut self) {
        let listener = self.callback.as_ref().unchecked_ref();
        drop(self.target.remove_event_listener_with_callback(self.event, listener));
    }
}
