//! The layer of colours below the text, with switches and line numbers beside it.

use std::ops::Range;

use notation::{Diagnostic, HighlightKind, Severity, escaped};

use super::html::{Html, filled};
use super::spoken::spoken;
use super::state::Lab;
use super::text::SwitchedFamily;

/// What stands at the lines of a text while a game goes on.
#[derive(Debug, Default)]
struct LineNotes {
    /// For each line, whether b-threads stand there, and whether one of them is awake.
    here: Vec<Option<bool>>,
    /// The number of b-threads of each family that are awake.
    awake: Vec<(String, usize)>,
}

impl LineNotes {
    /// Whether b-threads stand at a line, and whether one of them is awake.
    fn at(&self, line: u32) -> Option<bool> {
        self.here.get(line as usize).copied().flatten()
    }

    fn note(&mut self, line: usize, is_awake: bool) {
        if self.here.len() <= line {
            self.here.resize(line + 1, None);
        }
        *self.here[line].get_or_insert(false) |= is_awake;
    }

    /// The number of b-threads of a family that are awake.
    fn awake(&self, family: &str) -> usize {
        self.awake.iter().find(|(known, _)| known == family).map_or(0, |(_, count)| *count)
    }

    fn wake(&mut self, family: &str) {
        match self.awake.iter_mut().find(|(known, _)| known == family) {
            Some((_, count)) => *count += 1,
            None => self.awake.push((family.to_owned(), 1)),
        }
    }
}

impl Lab {
    /// The colours: one element per line, in the same place as the line in the text area.
    pub(super) fn colours(&self) -> String {
        let source = self.text().source();
        let families = self.text().families();
        let notes = self.line_notes();
        let marks = marks(self);
        let mut html = Html::default();
        let mut start = 0;
        for (number, line) in (1..).zip(source.split('\n')) {
            let range = start..start + line.len();
            start = range.end + 1;
            let family = families.iter().find(|family| covers(family, number));
            let is_off = family.is_some_and(|family| self.is_off(&family.name));
            let class = match (is_off, notes.at(number)) {
                (true, _) => "src off",
                (false, Some(true)) => "src here",
                (false, Some(false)) => "src stands",
                (false, None) => "src",
            };
            html.add(format_args!("<span class=\"{class}\""));
            if let Some(family) = families.iter().find(|family| family.line == number) {
                let note = self.family_note(family, &notes);
                html.add(format_args!(" data-note=\"{}\"", escaped(&note)));
            }
            html.add(format_args!(">"));
            coloured(&mut html, source, range, &marks);
            html.add(format_args!("</span>\n"));
        }
        html.finish()
    }

    /// What a family says beside its first line.
    fn family_note(&self, family: &SwitchedFamily, notes: &LineNotes) -> String {
        let count = family.members.len();
        let awake = notes.awake(&family.name);
        let words = self.words();
        match (count, awake) {
            (0 | 1, _) => String::new(),
            (_, 0) => filled(words.note, &[("count", &count)]),
            _ => filled(words.note_awake, &[("count", &count), ("awake", &awake)]),
        }
    }

    fn line_notes(&self) -> LineNotes {
        let mut notes = LineNotes::default();
        let Some(game) = self.game() else { return notes };
        let source = self.text().source();
        for place in game.run().places() {
            let before = source.get(..place.span.start as usize).unwrap_or_default();
            let line = before.bytes().filter(|byte| *byte == b'\n').count() + 1;
            notes.note(line, place.is_awake);
            if place.is_awake {
                notes.wake(place.thread.name().family());
            }
        }
        notes
    }

    /// A switch for each family, and the numbers of the lines.
    pub(super) fn gutter(&self) -> String {
        let families = self.text().families();
        let mut html = Html::default();
        let lines = self.text().source().split('\n').count();
        for number in 1..=u32::try_from(lines).unwrap_or(u32::MAX) {
            html.add(format_args!("<div class=\"gutter-line\">"));
            if let Some(family) = families.iter().find(|family| family.line == number) {
                self.switch(&mut html, &family.name);
            }
            html.add(format_args!(
                "<span class=\"number\" aria-hidden=\"true\">{number}</span></div>"
            ));
        }
        html.finish()
    }

    /// A switch for a family, a b-thread or a property.
    pub(super) fn switch(&self, html: &mut Html, name: &str) {
        let is_on = !self.is_off(name);
        let label = filled(self.words().switch, &[("name", &name)]);
        let (name, label) = (escaped(name), escaped(&label));
        html.add(format_args!(
            "<button type=\"button\" class=\"switch\" role=\"switch\" aria-checked=\"{is_on}\" \
             id=\"switch-{name}\" data-do=\"switch\" data-value=\"{name}\" aria-label=\"{label}\" \
             title=\"{label}\"></button>"
        ));
    }

    /// The list of mistakes and warnings.
    pub(super) fn mistake_list(&self) -> String {
        let words = self.words();
        let mut html = Html::default();
        let summary = match self.text().mistakes() {
            0 => words.mistakes_none.to_owned(),
            1 => words.mistakes_one.to_owned(),
            count => filled(words.mistakes_many, &[("count", &count)]),
        };
        html.add(format_args!("<p class=\"summary\">{}</p><ul>", escaped(&summary)));
        for (number, diagnostic) in self.text().diagnostics().iter().enumerate() {
            let place = diagnostic.place(self.text().source());
            let (kind, class) = match diagnostic.severity() {
                Severity::Mistake => (words.mistake, "mistake"),
                Severity::Warning => (words.warning, "warning"),
            };
            let line = filled(words.line, &[("line", &place.line)]);
            html.add(format_args!("<li class=\"{class}\">"));
            let label = format!("{kind}, {line}: {}", spoken(&diagnostic.message));
            html.styled_button("link", "mistake", &number.to_string(), &label);
            html.add(format_args!("</li>"));
        }
        html.add(format_args!("</ul>"));
        html.finish()
    }
}

fn covers(family: &SwitchedFamily, line: u32) -> bool {
    (family.line..=family.last_line).contains(&line)
}

/// A part of the text with a class: a colour, or a mark below it.
struct ColouredPart {
    range: Range<usize>,
    class: &'static str,
}

/// The colours, and over them the marks of mistakes.
struct TextParts {
    colours: Vec<ColouredPart>,
    wrong: Vec<ColouredPart>,
}

fn marks(lab: &Lab) -> TextParts {
    let range = |span: notation::Span| span.start as usize..span.end as usize;
    let colour = |kind| match kind {
        HighlightKind::Keyword => "k",
        HighlightKind::Declared => "d",
        HighlightKind::Event => "e",
        HighlightKind::Sentence => "s",
        HighlightKind::Number => "n",
        HighlightKind::Comment => "c",
    };
    let highlights = lab.text().document().highlights();
    let colours = highlights.into_iter();
    let colours =
        colours.map(|each| ColouredPart { range: range(each.span), class: colour(each.kind) });
    let wrong = lab.text().diagnostics().iter().map(|diagnostic: &Diagnostic| ColouredPart {
        range: range(diagnostic.span),
        class: match diagnostic.severity() {
            Severity::Mistake => "wrong",
            Severity::Warning => "doubtful",
        },
    });
    TextParts { colours: colours.collect(), wrong: wrong.collect() }
}

/// Writes a line in pieces that have one colour and one mark each.
fn coloured(html: &mut Html, source: &str, line: Range<usize>, marks: &TextParts) {
    // Colours are in the order of the text, and none is longer than a line.
    let first = marks.colours.partition_point(|mark| mark.range.start < line.start);
    let last = marks.colours.partition_point(|mark| mark.range.start < line.end);
    let colours = marks.colours.get(first..last).unwrap_or_default();
    let mut cuts = vec![line.start, line.end];
    for mark in colours.iter().chain(&marks.wrong) {
        for at in [mark.range.start, mark.range.end].into_iter().filter(|at| line.contains(at)) {
            let place = cuts.partition_point(|known| *known < at);
            if cuts.get(place) != Some(&at) {
                cuts.insert(place, at);
            }
        }
    }
    let class_at = |marks: &[ColouredPart], at: usize| {
        marks.iter().find(|mark| mark.range.contains(&at)).map_or("", |mark| mark.class)
    };
    for pair in cuts.windows(2) {
        let [start, end] = *pair else { continue };
        let piece = escaped(source.get(start..end).unwrap_or_default());
        let (colour, wrong) = (class_at(colours, start), class_at(&marks.wrong, start));
        if colour.is_empty() && wrong.is_empty() {
            html.add(format_args!("{piece}"));
        } else {
            html.add(format_args!("<i class=\"{colour} {wrong}\">{piece}</i>"));
        }
    }
}
