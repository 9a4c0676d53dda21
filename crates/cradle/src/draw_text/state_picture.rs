//! A picture of states, as the library for the layout draws it.

use layout::core::format::{ClipHandle, RenderBackend};
use layout::core::geometry::Point;
use layout::core::style::StyleAttr;
use notation::escaped;

/// Circles for states, arrows for events, and words for both.
#[derive(Debug, Default)]
pub(super) struct StatePicture {
    arrows: String,
    circles: String,
    words: String,
    /// Whether the next word is the name of a state.
    is_after_circle: bool,
    corners: Option<(Point, Point)>,
}

/// A picture that is drawn, and its size.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct DrawnStates {
    pub(super) svg: String,
    pub(super) width: f64,
    pub(super) height: f64,
}

/// The empty space around everything.
const MARGIN: f64 = 16.0;

/// The height of the lines below the states.
const LEGEND_LINE: f64 = 20.0;

/// About the width of a character.
const CHARACTER: f64 = 7.4;

const LEGEND: [&str; 2] = [
    "A circle is a state, and an arrow is an event.",
    "Double: nothing can happen any more. Red: what is requested is blocked.",
];

const STYLE: &str = "<style>\
.paper{fill:#fffdf7}\
.event{font:12.5px ui-monospace,monospace;fill:#2b2520;text-anchor:middle;dominant-baseline:central;\
paint-order:stroke;stroke:#fffdf7;stroke-width:5px;stroke-linejoin:round}\
.state{font:13px system-ui,sans-serif;fill:#2b2520;text-anchor:middle;dominant-baseline:central}\
.legend{font:13px system-ui,sans-serif;fill:#6a6057}\
.arrow{fill:none;stroke:#8d7b5d;stroke-width:1.5}\
.circle{stroke:#4a4238;stroke-width:1.2}\
</style>";

const ARROW_HEAD: &str = "<defs><marker id=\"head\" markerWidth=\"9\" markerHeight=\"7\" \
    refX=\"8.5\" refY=\"3.5\" orient=\"auto-start-reverse\" markerUnits=\"userSpaceOnUse\">\
    <path d=\"M 0 0 L 9 3.5 L 0 7 z\" fill=\"#8d7b5d\"/></marker></defs>";

impl StatePicture {
    /// The picture with a title.
    pub(super) fn drawn(&self, title: &str) -> DrawnStates {
        let origin = Point::new(0.0, 0.0);
        let (first, last) = self.corners.unwrap_or((origin, origin));
        let longest = LEGEND.iter().map(|line| line.chars().count()).max().unwrap_or(0);
        #[expect(clippy::cast_precision_loss, reason = "a legend is short")]
        let legend_width = longest as f64 * CHARACTER;
        let width = (last.x - first.x).max(legend_width) + 2.0 * MARGIN;
        let legend_top = last.y + MARGIN + LEGEND_LINE;
        let height = legend_top + LEGEND_LINE + MARGIN - (first.y - MARGIN);
        let (left, top) = (first.x - MARGIN, first.y - MARGIN);
        let title = escaped(title);
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" \
             viewBox=\"{left:.0} {top:.0} {width:.0} {height:.0}\" role=\"img\">\n\
             <title>{title}</title>\n{STYLE}\n{ARROW_HEAD}\n\
             <rect class=\"paper\" x=\"{left:.0}\" y=\"{top:.0}\" width=\"{width:.0}\" \
             height=\"{height:.0}\"/>\n{}{}{}",
            self.arrows, self.circles, self.words
        );
        for (line, y) in LEGEND.into_iter().zip([legend_top, legend_top + LEGEND_LINE]) {
            let x = first.x;
            let line = format!("<text class=\"legend\" x=\"{x:.1}\" y=\"{y:.1}\">{line}</text>\n");
            svg.push_str(&line);
        }
        DrawnStates { svg: svg + "</svg>\n", width, height }
    }

    /// Makes room for a box around a point.
    fn cover(&mut self, center: Point, width: f64, height: f64) {
        let half = Point::new(width / 2.0, height / 2.0);
        let (first, last) = (center.sub(half), center.add(half));
        self.corners = Some(match self.corners {
            None => (first, last),
            Some((known_first, known_last)) => (
                Point::new(known_first.x.min(first.x), known_first.y.min(first.y)),
                Point::new(known_last.x.max(last.x), known_last.y.max(last.y)),
            ),
        });
    }

    /// Writes words around a point.
    fn word(&mut self, center: Point, text: &str, class: &str) {
        let length = text.chars().count();
        #[expect(clippy::cast_precision_loss, reason = "a label is short")]
        self.cover(center, length as f64 * CHARACTER, 16.0);
        let (Point { x, y }, text) = (center, escaped(text));
        let word = format!("<text class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\">{text}</text>\n");
        self.words.push_str(&word);
    }
}

/// A point in a path.
fn at(point: Point) -> String {
    format!("{:.1} {:.1}", point.x, point.y)
}

impl RenderBackend for StatePicture {
    /// States are circles: nothing asks for boxes.
    fn draw_rect(
        &mut self,
        _: Point,
        _: Point,
        _: &StyleAttr,
        _: Option<String>,
        _: Option<ClipHandle>,
    ) {
    }

    /// Nothing asks for lines without heads.
    fn draw_line(&mut self, _: Point, _: Point, _: &StyleAttr, _: Option<String>) {}

    fn draw_circle(&mut self, center: Point, size: Point, look: &StyleAttr, _: Option<String>) {
        self.cover(center, size.x, size.y);
        self.is_after_circle = true;
        let fill = look.fill_color.map_or_else(|| "none".to_owned(), |fill| fill.to_web_color());
        let circle = format!(
            "<circle class=\"circle\" cx=\"{:.1}\" cy=\"{:.1}\" r=\"{:.1}\" fill=\"{fill}\"/>\n",
            center.x,
            center.y,
            size.x / 2.0
        );
        self.circles.push_str(&circle);
    }

    fn draw_text(&mut self, center: Point, text: &str, _: &StyleAttr) {
        let is_state = std::mem::take(&mut self.is_after_circle);
        self.word(center, text, if is_state { "state" } else { "event" });
    }

    fn draw_arrow(
        &mut self,
        path: &[(Point, Point)],
        _: bool,
        (has_head_at_start, has_head_at_end): (bool, bool),
        _: &StyleAttr,
        _: Option<String>,
        text: &str,
    ) {
        let [start, next, rest @ ..] = path else { return };
        self.is_after_circle = false;
        let mut curve =
            format!("M {} C {}, {}, {}", at(start.0), at(start.1), at(next.0), at(next.1));
        for (control, to) in rest {
            let part = format!(" S {}, {}", at(*control), at(*to));
            curve.push_str(&part);
        }
        for point in path.iter().flat_map(|(one, other)| [one, other]) {
            self.cover(*point, 0.0, 0.0);
        }
        // An edge back to an earlier state is laid out the other way round.
        let head = |is_there: bool, place: &str| {
            if is_there { format!(" marker-{place}=\"url(#head)\"") } else { String::new() }
        };
        let heads = head(has_head_at_start, "start") + &head(has_head_at_end, "end");
        let arrow = format!("<path class=\"arrow\" d=\"{curve}\"{heads}/>\n");
        self.arrows.push_str(&arrow);
        if !text.is_empty() {
            let middle = path[path.len() / 2].1;
            self.word(middle, text, "event");
        }
    }

    /// Nothing is clipped.
    fn create_clip(&mut self, _: Point, _: Point, _: usize) -> ClipHandle {
        0
    }
}
