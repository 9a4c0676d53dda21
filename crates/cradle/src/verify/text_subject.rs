//! Games and programs in files.

use std::time::Instant;

use anyhow::Result;
use bthread::{Name, StepExplanation, SyncPoint};
use checker::{Finding, Model, Trace, Verdict};
use game::{ModelActor, Rulebook, Seat, Seats};
use notation::{
    BuiltText, ModelOptions, SearchLimits, TextEvent, TextForm, TextModel, TextProperty,
    ThreadRoleWord,
};

use super::board_row::board_text;
use super::explanation::{ExplainedModel, explain};
use super::request::VerifyRequest;
use super::search::{OnProgress, SearchResult, counts};
use super::subject::{KnownProperty, Subject, VerifiedSeat};
use super::verification::{CountedStates, PropertyResult};
use crate::console::visible;
use crate::text_file::{TextFile, parameters};

/// A game or a program in a file.
pub(super) struct TextSubject {
    text: BuiltText,
}

impl TextSubject {
    /// Reads a file, or a text that is built in.
    pub(super) fn open(words: &str, given: &[String]) -> Result<Self> {
        Ok(Self { text: TextFile::build_any(words, &parameters(given)?)? })
    }
}

impl Subject for TextSubject {
    fn name(&self) -> String {
        self.text.name()
    }

    fn summary(&self) -> Option<String> {
        self.text.summary().map(visible)
    }

    fn seats(&self) -> Vec<VerifiedSeat> {
        let seats = (0..).filter_map(Seat::new).zip(self.text.seats());
        seats
            .map(|(seat, name)| {
                let mut threads = self.text.threads().iter();
                let has_strategies = threads.any(|thread| thread.seat() == Some(seat));
                VerifiedSeat { name: name.to_owned(), has_strategies, follows: has_strategies }
            })
            .collect()
    }

    fn needs_graph(&self, properties: &[KnownProperty]) -> bool {
        let general = self.text.general_properties();
        let known = self.text.properties().iter().chain(&general);
        let mut about_runs = known.filter(|property| property.is_about_runs());
        about_runs.any(|property| properties.iter().any(|asked| asked.name == property.name()))
    }

    fn threads(&self, strategists: Seats) -> Vec<Name> {
        let is_there = |seat: Option<Seat>| seat.is_none_or(|seat| strategists.contains(seat));
        let threads = self.text.threads().iter().filter(|thread| is_there(thread.seat()));
        threads.map(|thread| thread.name().clone()).collect()
    }

    fn properties(&self) -> Vec<KnownProperty> {
        let is_thread = |property: &TextProperty| {
            let mut threads = self.text.threads().iter();
            threads.any(|thread| {
                thread.role() == ThreadRoleWord::Require && thread.name().is(property.name())
            })
        };
        let known = |property: &TextProperty, is_usual: bool| KnownProperty {
            name: property.name().to_owned(),
            sentence: property.sentence().to_owned(),
            is_usual,
            is_thread: is_thread(property),
        };
        let usual = self.text.usual_properties();
        let is_usual = |name: &str| usual.iter().any(|property| property.name() == name);
        let mut properties: Vec<KnownProperty> =
            usual.iter().map(|property| known(property, true)).collect();
        let general = self.text.general_properties().into_iter();
        let others = general.filter(|property| !is_usual(property.name()));
        properties.extend(others.map(|property| known(&property, false)));
        properties
    }

    fn check(&self, request: &VerifyRequest, listener: OnProgress<'_>) -> Result<SearchResult> {
        let start = Instant::now();
        let seats = (0..).filter_map(Seat::new).take(self.text.seats().len());
        let free = seats.filter(|seat| !request.strategists.contains(*seat)).collect();
        let options = ModelOptions { free, without: request.without.clone() };
        let model = self.text.model(&options)?;
        let general = self.text.general_properties();
        let find = |known: &KnownProperty| {
            let mut properties = self.text.properties().iter().chain(&general);
            properties.find(|property| property.name() == known.name).cloned()
        };
        let properties: Vec<TextProperty> = request.properties.iter().filter_map(find).collect();
        let limits = SearchLimits {
            states: request.max_states,
            threads: request.threads.into(),
            drawn: request.drawn,
        };
        let mut report =
            model.verify_watched(&properties, limits, |at| listener(at, start.elapsed()))?;
        let time = start.elapsed();
        let asked = request.properties.iter().zip(&report.findings);
        let properties = asked
            .map(|(known, finding)| {
                let claimed = properties.iter().find(|property| property.name() == known.name);
                let is_event = claimed.is_some_and(TextProperty::is_about_an_event);
                let counted = if is_event { CountedStates::Before } else { CountedStates::Broken };
                result(&model, &known.sentence, finding, counted)
            })
            .collect::<Result<Vec<_>>>()?;
        Ok(SearchResult {
            verdict: report.verdict(),
            properties,
            counts: counts(&report),
            coverage: report.coverage,
            identity: report.identity,
            results: Vec::new(),
            rules_alone: None,
            graph: report.graph.take(),
            time,
        })
    }
}

fn result(
    model: &TextModel,
    sentence: &str,
    finding: &Finding<TextEvent>,
    counted: CountedStates,
) -> Result<PropertyResult> {
    let is_violated = finding.verdict == Verdict::Violated;
    let trace = finding.trace.as_ref().filter(|_| is_violated);
    Ok(PropertyResult {
        name: finding.property.clone(),
        sentence: sentence.to_owned(),
        verdict: finding.verdict,
        found: (is_violated || finding.values.is_some()).then(|| finding.sentence.clone()),
        cases: finding.cases,
        counted,
        games: None,
        trace: trace.map(|trace| explain(model, trace)).transpose()?,
        fairness: finding.fairness.clone(),
        only_because: finding.caution.clone().filter(|_| finding.verdict == Verdict::Holds),
        values: finding.values,
    })
}

impl ExplainedModel for TextModel {
    fn explained_steps(&self, trace: &Trace<TextEvent>) -> Vec<StepExplanation<TextEvent>> {
        self.replay(trace)
    }

    fn visit_points(
        &self,
        state: &<Self as Model>::State,
        show: &mut dyn FnMut(&Name, &SyncPoint<TextEvent>),
    ) {
        self.visit(state, show);
    }

    fn free_player(&self, thread: &Name) -> Option<String> {
        let is_free = self.actor(thread) == ModelActor::FreeSeat;
        is_free.then(|| thread.as_str().trim_start_matches("any move of ").to_owned())
    }

    fn boards(&self, events: &[TextEvent]) -> Vec<String> {
        let Some(rulebook) = self.text().rulebook() else {
            return vec![String::new(); events.len() + 1];
        };
        let mut board = rulebook.empty_board();
        let mut boards = vec![board_text(&rulebook.picture(&board))];
        for event in events {
            rulebook.record(&mut board, event);
            boards.push(board_text(&rulebook.picture(&board)));
        }
        boards
    }

    fn has_priorities(&self) -> bool {
        self.text().form() == TextForm::Game
    }

    /// A b-thread with the line of the text where it stands.
    fn place_of(&self, name: &Name) -> String {
        match self.text().thread(name) {
            Some(thread) => format!("{name} (line {})", thread.line()),
            None => name.to_string(),
        }
    }
}
