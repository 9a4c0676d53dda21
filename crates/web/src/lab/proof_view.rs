//! What is true of the text, as the screen shows it.

use notation::escaped;

use super::board;
use super::game::LabGame;
use super::html::{Html, filled, grouped};
use super::proof::{FamilyPurpose, ProofFinding, ProofReport, ProofVerdict};
use super::spoken::spoken;
use super::state::{Lab, ProofState};

/// The most positions of a counterexample that are drawn.
const MOST_DRAWN: usize = 24;

impl Lab {
    /// The verdicts, or how far the search is.
    pub(super) fn proof_panel(&self) -> String {
        let words = self.words();
        let mut html = Html::default();
        if self.text().built().is_none() {
            html.add(format_args!("<p class=\"hint\">{}</p>", escaped(words.fix_first)));
            return html.finish();
        }
        match self.proof() {
            ProofState::Idle => {
                html.add(format_args!("<p class=\"hint\">{}</p>", escaped(words.proving)));
            }
            ProofState::Running { .. } => {
                html.add(format_args!("<p class=\"hint\" id=\"proof-progress\"></p>"));
                html.button("stop", "", words.stop);
            }
            ProofState::Stopped => {
                html.add(format_args!("<p class=\"hint\">{}</p>", escaped(words.stopped)));
                html.button("prove", "", words.prove);
            }
            ProofState::Failed(sentence) => {
                html.add(format_args!("<p class=\"bad\">{}</p>", escaped(&spoken(sentence))));
            }
            ProofState::Done { report, time } => self.report(&mut html, report, *time),
        }
        html.finish()
    }

    /// How far the search is. It is a panel of its own, so that the button that stops the search stays in its place
    /// while somebody presses it.
    pub(super) fn proof_progress(&self) -> String {
        let words = self.words();
        if self.text().built().is_none() {
            return String::new();
        }
        let told = match self.proof() {
            ProofState::Running { states: 0 } => words.proving.to_owned(),
            ProofState::Running { states } => {
                filled(words.proving_so_far, &[("states", &grouped(*states))])
            }
            _ => String::new(),
        };
        escaped(&told)
    }

    fn report(&self, html: &mut Html, report: &ProofReport, time: u64) {
        let words = self.words();
        if report.findings.is_empty() {
            html.add(format_args!("<p class=\"hint\">{}</p>", escaped(words.no_properties)));
        }
        if report.findings.iter().any(|finding| self.is_usual(&finding.property)) {
            html.add(format_args!("<p class=\"hint\">{}</p>", escaped(words.usual_properties)));
        }
        for finding in &report.findings {
            self.finding(html, finding);
        }
        let states = grouped(report.states);
        let counts = if report.is_complete {
            let edges = grouped(report.edges);
            filled(words.counts, &[("states", &states), ("edges", &edges), ("time", &time)])
        } else {
            filled(words.cut_short, &[("states", &states)])
        };
        html.add(format_args!("<p class=\"counts\">{}</p>", escaped(&counts)));
        self.purposes(html, &report.purposes);
    }

    /// Whether the text does not claim it: it must be true of every game.
    fn is_usual(&self, property: &str) -> bool {
        let built = self.text().built();
        let own = built.into_iter().flat_map(notation::BuiltText::properties);
        own.into_iter().all(|own| own.name() != property)
    }

    fn finding(&self, html: &mut Html, finding: &ProofFinding) {
        let words = self.words();
        let (sign, class, told) = match finding.verdict {
            ProofVerdict::Holds => ("✓", "good", words.holds.to_owned()),
            ProofVerdict::Violated => ("✗", "bad", finding.told()),
            ProofVerdict::Unknown => ("?", "open", words.unknown.to_owned()),
        };
        html.add(format_args!(
            "<div class=\"verdict {class}\" data-property=\"{0}\"><b>{sign} {0}</b> <span>{1}</span></div>",
            escaped(&finding.property),
            escaped(&told)
        ));
        if let Some(why) = &finding.caution {
            let caution = filled(words.caution, &[("why", &spoken(why))]);
            html.add(format_args!("<p class=\"hint\">{}</p>", escaped(&caution)));
        }
        let Some(events) = finding.events.as_ref().filter(|_| finding.shows_example()) else {
            return;
        };
        self.strip(html, events);
        if let Some(from) = finding.cycle_from {
            let endless = filled(words.goes_on, &[("event", &(from + 1))]);
            html.add(format_args!("<p class=\"hint\">{}</p>", escaped(&endless)));
        }
        html.button("board", &finding.property, words.put_on_board);
    }

    /// The positions of a counterexample, or its events where there is no board.
    fn strip(&self, html: &mut Html, events: &[String]) {
        let words = self.words();
        let Some(text) = self.switched() else { return };
        let Ok(game) = LabGame::replay(&text, events) else { return };
        html.add(format_args!("<div class=\"strip\" tabindex=\"0\">"));
        for place in 1..=events.len().min(MOST_DRAWN) {
            let event = &events[place - 1];
            let label = filled(words.after, &[("event", event)]);
            let picture = game.picture(place);
            match picture.and_then(|picture| board::small(&picture, &label)) {
                Some(drawn) => html.add(format_args!("{drawn}")),
                None => html.add(format_args!("<code>{}</code>", escaped(event))),
            }
        }
        html.add(format_args!(
            "</div><p class=\"trace\"><code>{}</code></p>",
            escaped(&events.join(" · "))
        ));
    }

    /// What breaks without each family.
    fn purposes(&self, html: &mut Html, purposes: &[FamilyPurpose]) {
        let words = self.words();
        if purposes.is_empty() {
            html.button("purposes", "", words.purposes_button);
            return;
        }
        html.add(format_args!("<h3>{}</h3><ul class=\"purposes\">", escaped(words.purposes)));
        for purpose in purposes {
            let name = escaped(&filled(words.without, &[("name", &purpose.family)]));
            let broken = purpose.broken.iter();
            let broken: Vec<String> = broken
                .map(|each| match &each.caution {
                    Some(why) if each.verdict == ProofVerdict::Holds => {
                        let why = spoken(why);
                        filled(words.only_because, &[("property", &each.property), ("why", &why)])
                    }
                    _ => format!("✗ {}: {}", each.property, each.told()),
                })
                .collect();
            let (class, told) = match (broken.is_empty(), purpose.is_complete) {
                (false, _) => ("bad", broken.join("; ")),
                (true, true) => ("good", words.purpose_nothing.to_owned()),
                (true, false) => ("open", words.unknown.to_owned()),
            };
            html.add(format_args!(
                "<li><code>{name}</code> <span class=\"{class}\">{}</span></li>",
                escaped(&told)
            ));
        }
        html.add(format_args!("</ul>"));
    }
}

impl ProofFinding {
    /// What was found, in the language of the page. The sentence of a `fail` follows the name of its
    /// b-thread, and stays as its author wrote it.
    fn told(&self) -> String {
        let is_of_author = self.sentence.starts_with(&self.property);
        if is_of_author { self.sentence.clone() } else { spoken(&self.sentence) }
    }

    /// Whether its events are worth to be shown: they break the property.
    fn shows_example(&self) -> bool {
        self.verdict == ProofVerdict::Violated
    }
}
