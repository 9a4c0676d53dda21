//! What the lab sends to its worker and keeps in the browser, as JSON.

use super::lesson_state::LessonProgress;
use super::proof::{
    FamilyPurpose, ProofAim, ProofFinding, ProofReport, ProofRequest, ProofVerdict,
};
use super::saved::SavedText;
use super::search::{ChosenMove, MoveRequest};
use crate::json::JsonValue;
use crate::worker::{WorkerAnswer, WorkerMessage, WorkerReply, WorkerRequest};

impl WorkerMessage {
    /// The message as text.
    #[must_use]
    pub fn write(&self) -> String {
        let request = match &self.request {
            WorkerRequest::Proof(request) => JsonValue::object([("proof", proof_request(request))]),
            WorkerRequest::Move(request) => JsonValue::object([("move", move_request(request))]),
        };
        JsonValue::object([("id", JsonValue::Number(self.id.into())), ("request", request)]).write()
    }

    /// Reads a message; `None` if it is none.
    #[must_use]
    pub fn read(text: &str) -> Option<Self> {
        let json = JsonValue::read(text)?;
        let id = u32::try_from(json.number_of("id")?).ok()?;
        let request = json.get("request");
        let request = match (request.get("proof"), request.get("move")) {
            (JsonValue::Null, JsonValue::Null) => return None,
            (JsonValue::Null, asked) => WorkerRequest::Move(read_move_request(asked)?),
            (asked, _) => WorkerRequest::Proof(read_proof_request(asked)?),
        };
        Some(Self { id, request })
    }
}

fn proof_request(request: &ProofRequest) -> JsonValue {
    JsonValue::object([
        ("text", JsonValue::text(&request.text)),
        ("without", JsonValue::texts(&request.without)),
        ("max_states", JsonValue::Number(request.max_states)),
        ("purposes", JsonValue::Flag(request.aim == ProofAim::Purposes)),
    ])
}

fn read_proof_request(json: &JsonValue) -> Option<ProofRequest> {
    let aim = if json.flag_of("purposes") { ProofAim::Purposes } else { ProofAim::Properties };
    Some(ProofRequest {
        text: json.text_of("text")?,
        without: json.texts_of("without"),
        max_states: json.number_of("max_states")?,
        aim,
    })
}

fn move_request(request: &MoveRequest) -> JsonValue {
    JsonValue::object([
        ("text", JsonValue::text(&request.text)),
        ("without", JsonValue::texts(&request.without)),
        ("events", JsonValue::texts(&request.events)),
        ("seat", JsonValue::Number(request.seat as u64)),
        ("seed", JsonValue::Number(request.seed)),
        ("work", JsonValue::Number(request.work)),
    ])
}

fn read_move_request(json: &JsonValue) -> Option<MoveRequest> {
    Some(MoveRequest {
        text: json.text_of("text")?,
        without: json.texts_of("without"),
        events: json.texts_of("events"),
        seat: usize::try_from(json.number_of("seat")?).ok()?,
        seed: json.number_of("seed")?,
        work: json.number_of("work")?,
    })
}

impl WorkerReply {
    /// The reply as text.
    #[must_use]
    pub fn write(&self) -> String {
        let (kind, answer) = match &self.answer {
            WorkerAnswer::Progress(states) => ("progress", JsonValue::Number(*states)),
            WorkerAnswer::Proof(report) => ("proof", proof_report(report)),
            WorkerAnswer::Chosen(ChosenMove { event, games }) => (
                "chosen",
                JsonValue::object([
                    ("event", JsonValue::text(event)),
                    ("games", JsonValue::Number(*games)),
                ]),
            ),
            WorkerAnswer::Failed(sentence) => ("failed", JsonValue::text(sentence)),
        };
        JsonValue::object([("id", JsonValue::Number(self.id.into())), (kind, answer)]).write()
    }

    /// Reads a reply; `None` if it is none.
    #[must_use]
    pub fn read(text: &str) -> Option<Self> {
        let json = JsonValue::read(text)?;
        let id = u32::try_from(json.number_of("id")?).ok()?;
        let chosen = json.get("chosen");
        let answer = if let Some(states) = json.number_of("progress") {
            WorkerAnswer::Progress(states)
        } else if let Some(sentence) = json.text_of("failed") {
            WorkerAnswer::Failed(sentence)
        } else if let Some(event) = chosen.text_of("event") {
            WorkerAnswer::Chosen(ChosenMove { event, games: chosen.number_of("games")? })
        } else {
            WorkerAnswer::Proof(read_proof_report(json.get("proof"))?)
        };
        Some(Self { id, answer })
    }
}

fn proof_report(report: &ProofReport) -> JsonValue {
    let purposes = report.purposes.iter().map(|purpose| {
        JsonValue::object([
            ("family", JsonValue::text(&purpose.family)),
            ("broken", JsonValue::List(purpose.broken.iter().map(finding).collect())),
            ("is_complete", JsonValue::Flag(purpose.is_complete)),
        ])
    });
    JsonValue::object([
        ("states", JsonValue::Number(report.states)),
        ("edges", JsonValue::Number(report.edges)),
        ("is_complete", JsonValue::Flag(report.is_complete)),
        ("findings", JsonValue::List(report.findings.iter().map(finding).collect())),
        ("purposes", JsonValue::List(purposes.collect())),
    ])
}

fn read_proof_report(json: &JsonValue) -> Option<ProofReport> {
    let purpose = |json: &JsonValue| {
        Some(FamilyPurpose {
            family: json.text_of("family")?,
            broken: read_findings(json.get("broken"))?,
            is_complete: json.flag_of("is_complete"),
        })
    };
    Some(ProofReport {
        states: json.number_of("states")?,
        edges: json.number_of("edges")?,
        is_complete: json.flag_of("is_complete"),
        findings: read_findings(json.get("findings"))?,
        purposes: json.get("purposes").items().iter().map(purpose).collect::<Option<_>>()?,
    })
}

fn finding(finding: &ProofFinding) -> JsonValue {
    let verdict = match finding.verdict {
        ProofVerdict::Holds => 0,
        ProofVerdict::Violated => 1,
        ProofVerdict::Unknown => 2,
    };
    JsonValue::object([
        ("property", JsonValue::text(&finding.property)),
        ("verdict", JsonValue::Number(verdict)),
        ("sentence", JsonValue::text(&finding.sentence)),
        ("events", JsonValue::maybe(finding.events.as_deref(), JsonValue::texts)),
        ("cycle_from", JsonValue::maybe(finding.cycle_from, JsonValue::Number)),
        ("caution", JsonValue::maybe(finding.caution.as_deref(), JsonValue::text)),
    ])
}

fn read_findings(json: &JsonValue) -> Option<Vec<ProofFinding>> {
    json.items().iter().map(read_finding).collect()
}

fn read_finding(json: &JsonValue) -> Option<ProofFinding> {
    let has_events = matches!(json.get("events"), JsonValue::List(_));
    Some(ProofFinding {
        property: json.text_of("property")?,
        verdict: match json.number_of("verdict")? {
            0 => ProofVerdict::Holds,
            1 => ProofVerdict::Violated,
            _ => ProofVerdict::Unknown,
        },
        sentence: json.text_of("sentence")?,
        events: has_events.then(|| json.texts_of("events")),
        cycle_from: json.number_of("cycle_from"),
        caution: json.text_of("caution"),
    })
}

/// Saved texts as the browser keeps them.
#[must_use]
pub fn write_saved(saved: &[SavedText]) -> String {
    let saved = saved.iter().map(|each| {
        JsonValue::object([
            ("name", JsonValue::text(&each.name)),
            ("text", JsonValue::text(&each.text)),
        ])
    });
    JsonValue::List(saved.collect()).write()
}

/// Reads saved texts; what cannot be read is left out.
#[must_use]
pub fn read_saved(text: &str) -> Vec<SavedText> {
    let json = JsonValue::read(text).unwrap_or(JsonValue::Null);
    let saved = |each: &JsonValue| {
        Some(SavedText { name: each.text_of("name")?, text: each.text_of("text")? })
    };
    json.items().iter().filter_map(saved).collect()
}

/// How far the lessons are, as the browser keeps it.
#[must_use]
pub fn write_lessons(done: &LessonProgress) -> String {
    let done = done.lessons();
    let done = done.map(|(name, steps)| (name.to_owned(), JsonValue::Number(steps as u64)));
    JsonValue::Object(done.collect()).write()
}

/// Reads how far the lessons are.
#[must_use]
pub fn read_lessons(text: &str) -> LessonProgress {
    let Some(JsonValue::Object(fields)) = JsonValue::read(text) else {
        return LessonProgress::default();
    };
    let done = fields.into_iter().filter_map(|(name, steps)| match steps {
        JsonValue::Number(steps) => Some((name, usize::try_from(steps).ok()?)),
        _ => None,
    });
    done.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn example() -> ProofFinding {
        ProofFinding {
            property: "P".to_owned(),
            verdict: ProofVerdict::Violated,
            sentence: "it \"breaks\"".to_owned(),
            events: Some(vec!["a(1, 2)".to_owned()]),
            cycle_from: Some(3),
            caution: None,
        }
    }

    #[test]
    fn messages_and_replies_are_read_as_they_were_written() {
        let proof = ProofRequest {
            text: "program p\n".to_owned(),
            without: vec!["A".to_owned()],
            max_states: 9,
            aim: ProofAim::Purposes,
        };
        let chosen = MoveRequest {
            text: "game g".to_owned(),
            without: Vec::new(),
            events: vec!["a".to_owned()],
            seat: 1,
            seed: u64::MAX,
            work: 5,
        };
        for request in [WorkerRequest::Proof(proof), WorkerRequest::Move(chosen)] {
            let message = WorkerMessage { id: 7, request };
            assert_eq!(WorkerMessage::read(&message.write()), Some(message));
        }
        let purpose =
            FamilyPurpose { family: "F".to_owned(), broken: vec![example()], is_complete: true };
        let report = ProofReport {
            states: 1,
            edges: 2,
            is_complete: false,
            findings: vec![example(), ProofFinding { events: None, ..example() }],
            purposes: vec![purpose],
        };
        for answer in [
            WorkerAnswer::Progress(4),
            WorkerAnswer::Proof(report),
            WorkerAnswer::Chosen(ChosenMove { event: "a".to_owned(), games: 3 }),
            WorkerAnswer::Failed("no".to_owned()),
        ] {
            let reply = WorkerReply { id: 8, answer };
            assert_eq!(WorkerReply::read(&reply.write()), Some(reply));
        }
    }

    #[test]
    fn what_is_no_message_is_refused() {
        for wrong in ["", "{}", "{\"id\":1}", "{\"id\":1,\"request\":{\"proof\":{}}}", "[]"] {
            assert_eq!(WorkerMessage::read(wrong), None, "{wrong}");
            assert_eq!(WorkerReply::read(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn what_the_browser_keeps_is_read_again_also_from_earlier_versions() {
        let saved = vec![SavedText { name: "a".to_owned(), text: "game g\n".to_owned() }];
        assert_eq!(read_saved(&write_saved(&saved)), saved);
        assert_eq!(read_saved("[{\"name\":\"a\",\"text\":\"game g\\n\"}]"), saved);
        assert_eq!(read_saved("moon"), []);
        let done: LessonProgress = std::iter::once(("tutorial".to_owned(), 3)).collect();
        assert_eq!(read_lessons(&write_lessons(&done)), done);
        assert_eq!(read_lessons("{\"tutorial\":3}"), done);
        assert_eq!(read_lessons("3"), LessonProgress::default());
    }
}
