//! Frames as texts, which is how tests name them.

use channels::{ClientEffect, Encoded, Frame, Json, Label, Limits, Payload, Sender, ServerEffect};

pub(crate) fn frame(text: &str) -> Frame {
    Frame::decode_text(text, &Limits::default()).expect("the test holds a frame")
}

pub(crate) fn text(frame: &Frame) -> String {
    let encoded = frame.encode(Sender::Client).expect("a text frame can be written down");
    let Encoded::Text(text) = encoded else { return "a binary frame".to_owned() };
    text
}

pub(crate) fn label(text: &str) -> Label {
    Label::new(text).expect("the test holds a label")
}

pub(crate) fn json(text: &str) -> Payload {
    Json::parse(text, &Limits::default()).expect("the test holds JSON").into()
}

fn shown(payload: &Payload) -> String {
    match payload {
        Payload::Json(json) => json.to_string(),
        Payload::Binary(bytes) => format!("{bytes:?}"),
    }
}

/// One line for each effect.
pub(crate) fn client_lines(effects: &[ClientEffect]) -> String {
    effects.iter().map(client_line).collect::<Vec<_>>().join("\n")
}

fn client_line(effect: &ClientEffect) -> String {
    match effect {
        ClientEffect::Send(frame) => format!("-> {}", text(frame)),
        ClientEffect::Joined { response, .. } => format!("joined {}", shown(response)),
        ClientEffect::Refused { response, .. } => format!("refused {}", shown(response)),
        ClientEffect::JoinTimedOut { .. } => "join timed out".to_owned(),
        ClientEffect::Failed { .. } => "failed".to_owned(),
        ClientEffect::Closed { .. } => "closed".to_owned(),
        ClientEffect::Happened { event, payload, .. } => format!("{event} {}", shown(payload)),
        ClientEffect::Replied { status, response, .. } => {
            format!("replied {} {}", status.as_str(), shown(response))
        }
        ClientEffect::TimedOut { .. } => "timed out".to_owned(),
        ClientEffect::Connect => "connect".to_owned(),
        ClientEffect::Disconnect => "disconnect".to_owned(),
    }
}

/// One line for each effect.
pub(crate) fn server_lines(effects: &[ServerEffect]) -> String {
    effects.iter().map(server_line).collect::<Vec<_>>().join("\n")
}

fn server_line(effect: &ServerEffect) -> String {
    match effect {
        ServerEffect::Send(frame) => format!("<- {}", text(frame)),
        ServerEffect::Join { topic, payload, .. } => format!("join {topic} {}", shown(payload)),
        ServerEffect::Push { event, payload, reply_to, .. } => {
            let answer = if reply_to.is_some() { "answer" } else { "no answer" };
            format!("push {event} {}, {answer}", shown(payload))
        }
        ServerEffect::Left { topic, cause, .. } => format!("left {topic}: {cause:?}"),
        ServerEffect::Disconnect => "disconnect".to_owned(),
    }
}
