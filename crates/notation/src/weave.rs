//! The weave of a run: every b-thread a horizontal thread, every event a knot.

use std::fmt::Write as _;

use bthread::sorting::sort;

use crate::built::BuiltText;
use crate::text_run::{RunStep, ThreadPart};

/// Where the picture of a weave is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WeaveForm {
    /// In a file of its own, with a title, a legend and colours.
    File,
    /// As a part of a page, which has the colours. Every event is a button with its number as
    /// `data-value`; the selected one is marked.
    Page {
        /// The number of the selected event.
        selected: Option<usize>,
    },
}

/// What the picture of a weave says besides names of the text.
#[derive(Clone, Debug)]
pub struct WeaveWords {
    /// Its title: `The weave of a run of pig`.
    pub title: String,
    /// What the rows of seats begin with: `any move of`.
    pub any_move: String,
    /// The legend of the knots.
    pub legend: [(ThreadPart, String); 4],
}

impl WeaveWords {
    /// The words in English.
    #[must_use]
    pub fn english(text: &BuiltText) -> Self {
        let legend = [
            (ThreadPart::Requested, "requested it"),
            (ThreadPart::Waited, "waited for it"),
            (ThreadPart::Blocked, "alone blocked what another requested"),
            (ThreadPart::Interrupted, "was ended by it"),
        ];
        Self {
            title: format!("The weave of a run of {}", text.name()),
            any_move: "any move of".to_owned(),
            legend: legend.map(|(part, words)| (part, words.to_owned())),
        }
    }

    fn outside_name(&self, seat: &str) -> String {
        format!("{} {seat}", self.any_move)
    }
}

/// A horizontal thread: a b-thread, or a seat that somebody else plays.
struct WeaveRow {
    name: String,
    /// The number of the event with which it ends.
    end: Option<usize>,
}

/// How a row takes part in an event.
type Knot = (usize, ThreadPart);

/// The events of a run as columns, and what takes part in them as rows.
struct Weave<'a> {
    text: &'a BuiltText,
    steps: &'a [RunStep],
    rows: Vec<WeaveRow>,
    form: WeaveForm,
    words: &'a WeaveWords,
}

const ROW_HEIGHT: usize = 26;
const LETTER_WIDTH: usize = 8;
const LEAST_COLUMN: usize = 76;
const MARGIN: usize = 20;
/// The space above the rows: for the names of events, and in a file for the title and the legend.
const TOP: usize = 42;
const TITLE: usize = 50;

/// The picture of a run as SVG: every b-thread is a thread, and every event a knot that ties those
/// that take part.
#[must_use]
pub fn weave(text: &BuiltText, steps: &[RunStep], form: WeaveForm, words: &WeaveWords) -> String {
    let mut rows: Vec<WeaveRow> = Vec::new();
    for thread in text.threads() {
        let name = thread.name();
        if steps.iter().any(|step| step.parts.iter().any(|(other, _)| other == name)) {
            let end = steps.iter().position(|step| step.ended.contains(name));
            rows.push(WeaveRow { name: name.to_string(), end });
        }
    }
    let outside = |seat: &&str| {
        steps.iter().any(|step| is_from_outside(step) && step.seat.as_deref() == Some(*seat))
    };
    let seats = text.seats().into_iter().filter(outside);
    rows.extend(seats.map(|seat| WeaveRow { name: words.outside_name(seat), end: None }));
    Weave { text, steps, rows, form, words }.drawn()
}

/// Whether a move was made by nobody among the b-threads.
fn is_from_outside(step: &RunStep) -> bool {
    step.seat.is_some() && step.who(ThreadPart::Requested).next().is_none()
}

impl Weave<'_> {
    /// The knots of an event, from the top.
    fn knots(&self, step: &RunStep) -> Vec<Knot> {
        let place = |name: &str| self.rows.iter().position(|row| row.name == name);
        let threads = step.parts.iter();
        let mut knots: Vec<Knot> =
            threads.filter_map(|(name, part)| Some((place(&name.to_string())?, *part))).collect();
        if is_from_outside(step)
            && let Some(row) =
                step.seat.as_deref().and_then(|seat| place(&self.words.outside_name(seat)))
        {
            knots.push((row, ThreadPart::Requested));
        }
        sort(&mut knots);
        knots
    }

    fn left(&self) -> usize {
        let longest = self.rows.iter().map(|row| row.name.chars().count()).max().unwrap_or(0);
        MARGIN + longest * LETTER_WIDTH + MARGIN
    }

    /// The middle of each column.
    fn columns(&self) -> Vec<usize> {
        let mut right = self.left();
        let width = |step: &RunStep| {
            (step.event.as_str().chars().count() * LETTER_WIDTH + MARGIN).max(LEAST_COLUMN)
        };
        let middle = |step| {
            let width = width(step);
            right += width;
            right - width / 2
        };
        self.steps.iter().map(middle).collect()
    }

    fn top(&self) -> usize {
        match self.form {
            WeaveForm::File => TITLE + TOP,
            WeaveForm::Page { .. } => TOP,
        }
    }

    fn row_height(&self, row: usize) -> usize {
        self.top() + row * ROW_HEIGHT
    }

    fn drawn(&self) -> String {
        let columns = self.columns();
        let right = columns.last().map_or_else(|| self.left(), |last| last + LEAST_COLUMN);
        let least = if self.form == WeaveForm::File { self.words.width() } else { 0 };
        let width = right.max(least) + MARGIN;
        let height = self.row_height(self.rows.len()) + MARGIN;
        let title = escaped(&self.words.title);
        let mut out = String::new();
        let role = if self.form == WeaveForm::File { "img" } else { "group" };
        add(
            &mut out,
            format_args!(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\" role=\"{role}\">\n<title>{title}</title>",
            ),
        );
        if self.form == WeaveForm::File {
            let events: Vec<&str> = self.steps.iter().map(|step| step.event.as_str()).collect();
            add(
                &mut out,
                format_args!(
                    "<desc>{}</desc>\n{STYLE}\n\
             <rect class=\"paper\" x=\"1\" y=\"1\" width=\"{}\" height=\"{}\" rx=\"10\"/>\n\
             <text class=\"title\" x=\"{MARGIN}\" y=\"30\">{title}</text>",
                    escaped(&events.join(", ")),
                    width - 2,
                    height - 2,
                ),
            );
            self.words.draw_legend(&mut out);
        }
        self.threads(&mut out, &columns, right);
        for (number, (column, step)) in columns.iter().zip(self.steps).enumerate() {
            if let WeaveForm::Page { selected } = self.form {
                let is_selected = selected == Some(number);
                let label = escaped(step.event.as_str());
                add(
                    &mut out,
                    format_args!(
                        "<g class=\"knots\" role=\"button\" tabindex=\"0\" id=\"knot-{number}\" \
                     data-do=\"knot\" data-value=\"{number}\" aria-pressed=\"{is_selected}\" \
                     aria-label=\"{label}\">\
                     <rect class=\"column\" x=\"{}\" y=\"4\" width=\"64\" height=\"{}\" rx=\"8\"/>",
                        column - 32,
                        height - 8,
                    ),
                );
                self.event(&mut out, *column, step);
                out.push_str("</g>\n");
            } else {
                self.event(&mut out, *column, step);
            }
        }
        out.push_str("</svg>\n");
        out
    }

    /// The names and the horizontal threads.
    fn threads(&self, out: &mut String, columns: &[usize], right: usize) {
        let left = self.left();
        for (number, row) in self.rows.iter().enumerate() {
            let y = self.row_height(number);
            let end = row.end.and_then(|end| columns.get(end)).copied().unwrap_or(right);
            add(
                out,
                format_args!(
                    "<text class=\"name\" x=\"{MARGIN}\" y=\"{}\">{}</text>\n\
                 <path class=\"thread\" d=\"M{left} {y}H{end}\"/>",
                    y + 4,
                    escaped(&row.name),
                ),
            );
        }
    }

    /// The knot of one event: a line that ties its participants.
    fn event(&self, out: &mut String, x: usize, step: &RunStep) {
        let (class, colour) = self.colour(step);
        let label = escaped(step.event.as_str());
        add(
            out,
            format_args!(
                "<text class=\"event {class}\" x=\"{x}\" y=\"{}\" fill=\"{colour}\">{label}</text>",
                self.top() - 18,
            ),
        );
        let knots = self.knots(step);
        if let (Some((first, _)), Some((last, _))) = (knots.first(), knots.last()) {
            let (top, bottom) = (self.row_height(*first), self.row_height(*last));
            add(
                out,
                format_args!(
                    "<path class=\"tie {class}\" stroke=\"{colour}\" d=\"M{x} {top}V{bottom}\"/>"
                ),
            );
        }
        for (row, part) in knots {
            knot(out, x, self.row_height(row), part);
        }
    }

    /// The colour of the seat that moves, or of results and other events.
    fn colour(&self, step: &RunStep) -> (&'static str, &'static str) {
        let seats = self.text.seats();
        let seat =
            step.seat.as_deref().and_then(|seat| seats.iter().position(|each| *each == seat));
        match seat {
            Some(0) => ("first", "#c03a22"),
            Some(1) => ("second", "#2c4a9e"),
            Some(_) => ("later", "#6b4a8f"),
            None => ("other", "#8a6412"),
        }
    }
}

fn add(out: &mut String, line: std::fmt::Arguments<'_>) {
    writeln!(out, "{line}").expect("writing to a string cannot fail");
}

/// The sign of a part: a full circle, an empty one, a bar at the end of a thread, or a cross.
fn knot(out: &mut String, x: usize, y: usize, part: ThreadPart) {
    match part {
        ThreadPart::Requested => {
            add(out, format_args!("<circle class=\"requested\" cx=\"{x}\" cy=\"{y}\" r=\"7\"/>"));
        }
        ThreadPart::Waited => {
            add(out, format_args!("<circle class=\"waited\" cx=\"{x}\" cy=\"{y}\" r=\"6\"/>"));
        }
        ThreadPart::Interrupted => {
            let top = y - 8;
            add(out, format_args!("<path class=\"interrupted\" d=\"M{x} {top}v16\"/>"));
        }
        ThreadPart::Blocked => {
            let (left, top) = (x - 5, y - 5);
            let path = format_args!("M{left} {top}l10 10m0 -10l-10 10");
            add(out, format_args!("<path class=\"blocked\" d=\"{path}\"/>"));
        }
    }
}

impl WeaveWords {
    fn draw_legend(&self, out: &mut String) {
        let mut x = MARGIN + 8;
        for (part, words) in &self.legend {
            knot(out, x, 50, *part);
            let words = escaped(words);
            add(
                out,
                format_args!("<text class=\"legend\" x=\"{}\" y=\"54\">{words}</text>", x + 14),
            );
            x += legend_width(&words);
        }
    }

    /// The width of the legend.
    fn width(&self) -> usize {
        let width: usize = self.legend.iter().map(|(_, words)| legend_width(words)).sum();
        (width - LEGEND_GAP + MARGIN).max(LEAST_WIDTH)
    }
}

/// The space behind an entry of the legend.
const LEGEND_GAP: usize = 30;

/// The least width of a picture with a legend.
const LEAST_WIDTH: usize = 700;

/// The width of an entry of the legend. Letters of other scripts are wider.
fn legend_width(words: &str) -> usize {
    let width = |letter: char| if letter.is_ascii() { 7 } else { 13 };
    LEGEND_GAP + 14 + words.chars().map(width).sum::<usize>()
}

const STYLE: &str = "<style>\
.paper{fill:#fffdf7;stroke:#ded5c4}\
.title{font:bold 17px Georgia,serif;fill:#2b2520}\
.legend{font:13px system-ui,sans-serif;fill:#6a6057}\
.name{font:13px ui-monospace,monospace;fill:#2b2520}\
.event{font:bold 12.5px ui-monospace,monospace;text-anchor:middle}\
.thread{fill:none;stroke:#c9b694;stroke-width:2;stroke-dasharray:4 2}\
.tie{fill:none;stroke-width:3}\
.requested{fill:#1f6b4a}\
.waited{fill:#fffdf7;stroke:#44559f;stroke-width:2}\
.interrupted{fill:none;stroke:#b07a10;stroke-width:5;stroke-linecap:round}\
.blocked{fill:none;stroke:#a32020;stroke-width:2.5}\
</style>";

/// A text with the characters of markup written out.
#[must_use]
pub fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            other => out.push(other),
        }
    }
    out
}
