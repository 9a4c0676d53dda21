//! Valid messages are read and written back, and all others are refused.

use game::Generator;
use table::TableView;
use table::wire::{FromClient, FromServer, Hello, MAX_MESSAGE_BYTES, WireError};

#[test]
fn unknown_kinds_are_refused_by_name() {
    let error = FromClient::read("castle", "{}").expect_err("the kind is unknown");
    assert_eq!(error.to_string(), "a message of the kind \"castle\" is not known here");
    assert_eq!(
        FromServer::<TableView>::read("act", "{}"),
        Err(WireError::UnknownKind("act".to_owned()))
    );
    let long = FromClient::read(&"x".repeat(9_999), "{}").expect_err("the kind is unknown");
    assert!(long.to_string().len() < 200, "an error does not repeat a long input");
    let action = FromClient::read("act", r#"{"id":"a:1","action":"castle","round":1,"ply":0}"#);
    assert!(action.expect_err("the kind is unknown").to_string().contains("castle"));
    let emote = FromClient::read("emote", r#"{"emote":"insult"}"#);
    assert!(emote.expect_err("the kind is unknown").to_string().contains("insult"));
}

#[test]
fn unknown_fields_are_ignored() {
    let text = r#"{"id":"a:1","action":"tie","round":1,"ply":9,"mood":"good"}"#;
    assert!(matches!(FromClient::read("act", text), Ok(FromClient::Act(_))));
    assert!(Hello::read(r#"{"from":3,"mood":"good"}"#).is_ok());
}

#[test]
fn a_message_that_is_too_long_is_not_read() {
    let padded = |length: usize| format!("{{}}{}", " ".repeat(length - 2));
    assert!(Hello::read(&padded(MAX_MESSAGE_BYTES)).is_ok());
    assert_eq!(Hello::read(&padded(MAX_MESSAGE_BYTES + 1)).err(), Some(WireError::TooLong));
    assert_eq!(FromClient::read("act", &padded(MAX_MESSAGE_BYTES + 1)), Err(WireError::TooLong));
}

#[test]
fn a_missing_or_misshapen_field_is_refused() {
    for (event, text) in [
        ("act", "{}"),
        ("act", "[]"),
        ("act", r#"{"id":"a","action":"tie","round":1,"ply":9}"#),
        ("act", r#"{"id":"a:1","action":"tie","round":-1,"ply":9}"#),
        ("act", r#"{"id":"a:1","action":"play","round":1,"ply":9,"move":4}"#),
        ("resync", r#"{"from":"x"}"#),
        ("emote", "null"),
        ("emote", "{"),
    ] {
        let error = FromClient::read(event, text).expect_err("the message is refused");
        assert!(matches!(error, WireError::Unreadable { .. }), "{event} {text}: {error}");
    }
}

#[test]
fn a_changed_message_is_refused_or_read_consistently() {
    let mut generator = Generator::seeded(1);
    let seed = r#"{"id":"a:1","action":"play","round":1,"ply":0,"move":"b2"}"#;
    for _ in 0..20_000 {
        let mut bytes = seed.as_bytes().to_vec();
        for _ in 0..=generator.below(3) {
            let place =
                usize::try_from(generator.below(bytes.len() as u64)).expect("the text is short");
            bytes[place] = u8::try_from(generator.below(256)).expect("the number is below 256");
        }
        let Ok(text) = String::from_utf8(bytes) else { continue };
        if let Ok(read) = FromClient::read("act", &text) {
            let again = serde_json::to_string(&read).expect("the value serializes");
            assert_eq!(FromClient::read(read.event(), &again), Ok(read));
        }
    }
}

#[test]
fn only_codes_that_decide_nothing_are_undecided() {
    use table::wire::codes;
    let undecided = ["early", "busy", "unavailable", "too_many", "set_aside"];
    let decided = ["not_your_turn", "stale", "no_table", "bad_token", "table_full", "bad_request"];
    let is_undecided = |text: &str| {
        let code = serde_json::from_value(text.into()).expect("the code is known");
        codes::is_undecided(&code)
    };
    assert!(undecided.into_iter().all(is_undecided));
    assert!(!decided.into_iter().any(is_undecided));
    assert!(codes::is_missing(&codes::NO_TABLE) && codes::is_missing(&codes::NOT_FOUND));
    assert!(!codes::is_missing(&codes::UNAVAILABLE));
}
