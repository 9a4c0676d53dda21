//! Frames and effects as text.

use channels::{ClientEffect, Frame, FrameLimits, Json, Server, ServerEffect, ShortText};

pub(crate) fn frame(text: &str) -> Frame {
    Frame::decode(text, &FrameLimits::default()).expect("the test holds a frame")
}

pub(crate) fn text(frame: &Frame) -> String {
    frame.encode()
}

pub(crate) fn label(text: &str) -> ShortText {
    ShortText::new(text).expect("the test holds a label")
}

pub(crate) fn json(text: &str) -> Json {
    Json::parse(text, &FrameLimits::default()).expect("the test holds JSON")
}

/// Whether the server passes on what a client pushes on a topic that it joined with this ref.
pub(crate) fn has_joined_with(server: &Server, topic: &str, join_ref: &str) -> bool {
    let push = frame(&format!(r#"["{join_ref}","9","{topic}","move",{{}}]"#));
    let effects = server.clone().receive(push, 0);
    effects.iter().any(|effect| matches!(effect, ServerEffect::Push { .. }))
}

/// One line for each effect.
pub(crate) fn client_lines(effects: &[ClientEffect]) -> String {
    effects.iter().map(client_line).collect::<Vec<_>>().join("\n")
}

fn client_line(effect: &ClientEffect) -> String {
    match effect {
        ClientEffect::Send(frame) => format!("-> {}", text(frame)),
        ClientEffect::Joined { response, .. } => format!("joined {response}"),
        ClientEffect::Refused { response, .. } => format!("refused {response}"),
        ClientEffect::JoinTimedOut { .. } => "join timed out".to_owned(),
        ClientEffect::Failed { .. } => "failed".to_owned(),
        ClientEffect::Closed { .. } => "closed".to_owned(),
        ClientEffect::Happened { event, payload, .. } => format!("{event} {payload}"),
        ClientEffect::Replied { status, response, .. } => {
            format!("replied {} {}", status.as_str(), response)
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
        ServerEffect::Join { topic, payload, .. } => format!("join {topic} {payload}"),
        ServerEffect::Push { event, payload, reply_to, .. } => {
            let answer = if reply_to.is_some() { "answer" } else { "no answer" };
            format!("push {event} {payload}, {answer}")
        }
        ServerEffect::Left { topic, cause, .. } => format!("left {topic}: {cause:?}"),
        ServerEffect::Disconnect => "disconnect".to_owned(),
    }
}
