//! What views are made of: elements, texts, and parts that follow values.
//!
//! All views have one type, which `drawn` puts into the document. With a type for each view, the page
//! would hold the code that draws and updates elements once for every view.

use wasm_bindgen::JsCast;
use web_sys::{Event, HtmlInputElement, MouseEvent};

/// A part of the page, as it is to be drawn.
pub(crate) enum View {
    /// A text; empty if there is nothing to draw.
    Text(String),
    /// An element.
    Element(Element),
    /// Several parts.
    List(Vec<Self>),
    /// A part that is drawn again when the values that it reads change.
    Live(Box<dyn Fn() -> Self>),
}

/// What happens on an event.
pub(super) type EventHandler = std::rc::Rc<dyn Fn(Event)>;

/// An element, as it is to be drawn.
pub(crate) struct Element(pub(super) Box<ElementParts>);

pub(super) struct ElementParts {
    pub(super) tag: &'static str,
    pub(super) is_svg: bool,
    pub(super) key: String,
    pub(super) fixed: Vec<(Setting, String)>,
    pub(super) live: Vec<(Setting, Box<dyn Fn() -> String>)>,
    pub(super) handlers: Vec<(&'static str, EventHandler)>,
    pub(super) children: Vec<View>,
}

/// What can be set at an element.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Setting {
    /// An attribute.
    Attribute(&'static str),
    /// A property of its style. The page allows no attribute `style`.
    Style(&'static str),
    /// A property that is no attribute, such as what somebody has typed.
    Property(&'static str),
}

/// An element of HTML.
pub(crate) fn html(tag: &'static str) -> Element {
    new_element(tag, false)
}

/// An element of a drawing.
pub(crate) fn svg(tag: &'static str) -> Element {
    new_element(tag, true)
}

fn new_element(tag: &'static str, is_svg: bool) -> Element {
    let (fixed, live, handlers, children) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let key = String::new();
    Element(Box::new(ElementParts { tag, is_svg, key, fixed, live, handlers, children }))
}

impl Element {
    /// Another key is another element: what is drawn again with it is animated again.
    pub(crate) fn keyed(mut self, key: &str) -> Self {
        key.clone_into(&mut self.0.key);
        self
    }

    /// With a class.
    pub(crate) fn class(self, class: &str) -> Self {
        self.attribute("class", class)
    }

    /// With an attribute.
    pub(crate) fn attribute(mut self, name: &'static str, value: &str) -> Self {
        self.0.fixed.push((Setting::Attribute(name), value.to_owned()));
        self
    }

    /// With an attribute whose value is a number.
    pub(crate) fn number(self, name: &'static str, value: usize) -> Self {
        self.attribute(name, &value.to_string())
    }

    /// With an attribute that has no value, if `is_set`.
    pub(crate) fn flag(self, name: &'static str, is_set: bool) -> Self {
        if is_set { self.attribute(name, "") } else { self }
    }

    /// With an attribute that follows values.
    pub(crate) fn live(self, name: &'static str, read: impl Fn() -> String + 'static) -> Self {
        self.following(Setting::Attribute(name), Box::new(read))
    }

    /// With a property of the style that follows values.
    pub(crate) fn style(self, name: &'static str, read: impl Fn() -> String + 'static) -> Self {
        self.following(Setting::Style(name), Box::new(read))
    }

    /// With a property of the style that is a number.
    pub(crate) fn fixed_style(mut self, name: &'static str, value: usize) -> Self {
        self.0.fixed.push((Setting::Style(name), value.to_string()));
        self
    }

    /// With a value, which is set after what stands before it.
    pub(crate) fn value(mut self, value: &str) -> Self {
        self.0.fixed.push((Setting::Property("value"), value.to_owned()));
        self
    }

    /// With a property of the element that follows values.
    pub(crate) fn property(self, name: &'static str, read: impl Fn() -> String + 'static) -> Self {
        self.following(Setting::Property(name), Box::new(read))
    }

    fn following(mut self, setting: Setting, read: Box<dyn Fn() -> String>) -> Self {
        self.0.live.push((setting, read));
        self
    }

    /// Does something on an event.
    pub(crate) fn on(self, event: &'static str, act: impl Fn(Event) + 'static) -> Self {
        self.handled(event, std::rc::Rc::new(act))
    }

    /// Does something on a click.
    pub(crate) fn on_click(self, act: impl Fn() + 'static) -> Self {
        self.on("click", move |_event| act())
    }

    /// Does something on a click, but not on the second half of a double click.
    pub(crate) fn on_single_click(self, act: impl Fn() + 'static) -> Self {
        self.on("click", move |event| {
            if event.unchecked_ref::<MouseEvent>().detail() < 2 {
                act();
            }
        })
    }

    fn handled(mut self, event: &'static str, handler: EventHandler) -> Self {
        self.0.handlers.push((event, handler));
        self
    }

    /// With something in it.
    pub(crate) fn child(self, child: impl Into<View>) -> Self {
        self.with(child.into())
    }

    fn with(mut self, child: View) -> Self {
        self.0.children.push(child);
        self
    }
}

/// The field in which something was typed, or which has the focus.
pub(crate) fn input_of(event: &Event) -> Option<HtmlInputElement> {
    event.target()?.dyn_into().ok()
}

impl View {
    /// Nothing.
    pub(crate) const fn nothing() -> Self {
        Self::Text(String::new())
    }

    /// Several parts.
    pub(crate) fn list<V: Into<Self>>(parts: impl IntoIterator<Item = V>) -> Self {
        Self::List(parts.into_iter().map(Into::into).collect())
    }
}

impl From<&str> for View {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for View {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<Element> for View {
    fn from(element: Element) -> Self {
        Self::Element(element)
    }
}

impl<V: Into<Self>> From<Option<V>> for View {
    fn from(part: Option<V>) -> Self {
        part.map_or_else(Self::nothing, Into::into)
    }
}

impl From<Vec<Self>> for View {
    fn from(parts: Vec<Self>) -> Self {
        Self::List(parts)
    }
}
