//! The laws under random input.

use channels::{Frame, FrameBody, FrameLimits, Json, ReplyStatus, ShortText};
use proptest::prelude::*;
use serde_json::Value;

use crate::laws::{binary_law, post_law, text_law};

fn labels() -> impl Strategy<Value = ShortText> {
    let texts = prop_oneof![
        "[a-z0-9:_]{1,20}",
        "\\PC{1,40}",
        any::<String>(),
        Just("phx_join".to_owned()),
    ];
    texts.prop_filter_map("a label", |text| {
        ShortText::new(&text).ok().filter(|it| *it != "phx_reply")
    })
}

fn values() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<String>().prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 32, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
            prop::collection::btree_map("\\PC{0,8}", inner, 0..6)
                .prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

fn payloads() -> impl Strategy<Value = Json> {
    values().prop_map(|value| Json::of(&value).expect("a value serializes"))
}

fn bodies() -> impl Strategy<Value = FrameBody> {
    let status = prop_oneof![Just(ReplyStatus::Ok), Just(ReplyStatus::Error)];
    prop_oneof![
        (labels(), payloads()).prop_map(|(event, payload)| FrameBody::Event { event, payload }),
        (status, payloads()).prop_map(|(status, response)| FrameBody::Reply { status, response }),
    ]
}

fn frames() -> impl Strategy<Value = Frame> {
    let refs = || prop::option::of(labels());
    (refs(), refs(), labels(), bodies()).prop_map(|(join_ref, reference, topic, body)| Frame {
        join_ref,
        reference,
        topic,
        body,
    })
}

/// Texts that are almost frames.
fn near_frames() -> impl Strategy<Value = String> {
    let token = prop_oneof![
        Just("[".to_owned()),
        Just("]".to_owned()),
        Just("{".to_owned()),
        Just("}".to_owned()),
        Just(",".to_owned()),
        Just("null".to_owned()),
        Just("\"\"".to_owned()),
        Just("\"phx_reply\"".to_owned()),
        Just("{\"status\":\"ok\",\"response\":{}}".to_owned()),
        Just("\"\\ud800\"".to_owned()),
        Just("\n".to_owned()),
        "\"[a-z]{1,3}\"",
        "-?[0-9]{1,3}",
    ];
    let elements = prop::collection::vec(token.clone(), 0..7);
    let array = elements.prop_map(|elements| format!("[{}]", elements.join(",")));
    prop_oneof![array, prop::collection::vec(token, 0..20).prop_map(|tokens| tokens.concat())]
}

proptest! {
    #[test]
    fn a_frame_survives_a_round_trip(frame in frames()) {
        prop_assert_eq!(Frame::decode(&frame.encode(), &FrameLimits::default()), Ok(frame));
    }

    #[test]
    fn text_frames_obey_the_law(frame in frames()) {
        text_law(&frame.encode());
    }

    #[test]
    fn no_truncated_frame_causes_a_panic(frame in frames(), cut: prop::sample::Index) {
        let text = frame.encode();
        text_law(text.get(..cut.index(text.len())).unwrap_or_default());
    }

    #[test]
    fn near_frames_obey_the_law(text in near_frames()) {
        text_law(&text);
        post_law(&text);
    }

    #[test]
    fn no_text_causes_a_panic(text: String) {
        text_law(&text);
        post_law(&text);
    }

    #[test]
    fn no_bytes_cause_a_panic(bytes in prop::collection::vec(any::<u8>(), 0..64)) {
        binary_law(&bytes);
    }

    #[test]
    fn binary_heads_obey_the_law(
        kind in 0_u8..4,
        sizes in prop::collection::vec(0_u8..5, 4),
        rest in prop::collection::vec(0x61_u8..0x7b, 0..24),
    ) {
        binary_law(&[&[kind][..], &sizes, &rest].concat());
    }
}
