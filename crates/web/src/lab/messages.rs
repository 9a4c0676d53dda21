//! What the lab sends to its worker and keeps in the browser, as JSON.

use super::json::Json;
use super::lesson_state::LessonProgress;
use super::proof::{
    FamilyPurpose, ProofAim, ProofFinding, ProofReport, ProofRequest, ProofVerdict,
};
use super::saved::SavedText;
use super::search::{ChosenMove, MoveRequest};
use crate::worker::{WorkerAnswer, WorkerMessage, WorkerReply, WorkerRequest};

impl WorkerMessage {
    /// The message as text.
    #[must_use]
    pub fn write(&self) -> String {
        let request = match &self.request {
            WorkerRequest::Proof(request) => Json::object([("proof", proof_request(request))]),
            WorkerRequest::Move(request) => Json::object([("move", move_request(request))]),
        };
        Json::object([("id", Json::Number(self.id.into())), ("request", request)]).write()
    }

    /// Reads a message; `None` if it is none.
    #[must_use]
    pub fn read(text: &str) -> Option<Self> {
        let json = Json::read(text)?;
        let id = u32::try_from(json.number_of("id")?).ok()?;
        let request = json.get("request");
        let request = match (request.get("proof"), request.get("move")) {
            (Json::Null, Json::Null) => return None,
            (Json::Null, asked) => WorkerRequest::Move(read_move_request(asked)?),
            (asked, _) => WorkerRequest::Proof(read_proof_request(asked)?),
        };
        Some(Self { id, request })
    }
}

fn proof_request(request: &ProofRequest) -> Json {
    Json::object([
        ("text", Json::text(&request.text)),
        ("without", Json::texts(&request.without)),
        ("max_states", Json::Number(request.max_states)),
        ("purposes", Json::Flag(request.aim == ProofAim::Purposes)),
    ])
}

fn read_proof_request(json: &Json) -> Option<ProofRequest> {
    let aim = if json.flag_of("purposes") { ProofAim::Purposes } else { ProofAim::Properties };
    Some(ProofRequest {
        text: json.text_of("text")?,
        without: json.texts_of("without"),
        max_states: json.number_of("max_states")?,
        aim,
    })
}

fn move_request(request: &MoveRequest) -> Json {
    Json::object([
        ("text", Json::text(&request.text)),
        ("without", Json::texts(&request.without)),
        ("events", Json::texts(&request.events)),
        ("seat", Json::Number(request.seat as u64)),
        ("seed", Json::Number(request.seed)),
        ("work", Json::Number(request.work)),
    ])
}

fn read_move_request(json: &Json) -> Option<MoveRequest> {
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
            WorkerAnswer::Progress(states) => ("progress", Json::Number(*states)),
            WorkerAnswer::Proof(report) => ("proof", proof_report(report)),
            WorkerAnswer::Chosen(ChosenMove { event, games }) => (
                "chosen",
                Json::object([("event", Json::text(event)), ("games", Json::Number(*games))]),
            ),
            WorkerAnswer::Failed(sentence) => ("failed", Json::text(sentence)),
        };
        Json::object([("id", Json::Number(self.id.into())), (kind, answer)]).write()
    }

    /// Reads a reply; `None` if it is none.
    #[must_use]
    pub fn read(text: &str) -> Option<Self> {
        let json = Json::read(text)?;
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

fn proof_report(report: &ProofReport) -> Json {
    let purposes = report.purposes.iter().map(|purpose| {
        Json::object([
            ("family", Json::text(&purpose.family)),
            ("broken", Json::List(purpose.broken.iter().map(finding).collect())),
            ("is_complete", Json::Flag(purpose.is_complete)),
        ])
    });
    Json::object([
        ("states", Json::Number(report.states)),
        ("edges", Json::Number(report.edges)),
        ("is_complete", Json::Flag(report.is_complete)),
        ("findings", Json::List(report.findings.iter().map(finding).collect())),
        ("purposes", Json::List(purposes.collect())),
    ])
}

fn read_proof_report(json: &Json) -> Option<ProofReport> {
    let purpose = |json: &Json| {
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

fn finding(finding: &ProofFinding) -> Json {
    let verdict = match finding.verdict {
        ProofVerdict::Holds => 0,
        ProofVerdict::Violated => 1,
        ProofVerdict::Unknown => 2,
    };
    Json::object([
        ("property", Json::text(&finding.property)),
        ("verdict", Json::Number(verdict)),
        ("sentence", Json::text(&finding.sentence)),
        ("events", Json::maybe(finding.events.as_deref(), Json::texts)),
        ("cycle_from", Json::maybe(finding.cycle_from, Json::Number)),
        ("caution", Json::maybe(finding.caution.as_deref(), Json::text)),
    ])
}

fn read_findings(json: &Json) -> Option<Vec<ProofFinding>> {
    json.items().iter().map(read_finding).collect()
}

fn read_finding(json: &Json) -> Option<ProofFinding> {
    let has_events = matches!(json.get("events"), Json::List(_));
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
        Json::object([("name", Json::text(&each.name)), ("text", Json::text(&each.text))])
    });
    Json::List(saved.collect()).write()
}

/// Reads saved texts; what cannot be read is left out.
#[must_use]
pub fn read_saved(text: &str) -> Vec<SavedText> {
    let json = Json::read(text).unwrap_or(Json::Null);
    let saved =
        |each: &Json| Some(SavedText { name: each.text_of("name")?, text: each.text_of("text")? });
    json.items().iter().filter_map(saved).collect()
}

/// How far the lessons are, as the browser keeps it.
#[must_use]
pub fn write_lessons(done: &LessonProgress) -> String {
    let done = done.iter().map(|(name, steps)| (name.clone(), Json::Number(*steps as u64)));
    Json::Object(done.collect()).write()
}

/// Reads how far the lessons are.
#[must_use]
pub fn read_lessons(text: &str) -> LessonProgress {
    let Some(Json::Object(fields)) = Json::read(text) else { return LessonProgress::default() };
    let done = fields.into_iter().filter_map(|(name, steps)| match steps {
        Json::Number(steps) => Some((name, usize::try_from(steps).ok()?)),
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
        let done = LessonProgress::from([("tutorial".to_owned(), 3)]);
        assert_eq!(read_lessons(&write_lessons(&done)), done);
        assert_eq!(read_lessons("{\"tutorial\":3}"), done);
        assert_eq!(read_lessons("3"), LessonProgress::default());
    }
}
