//! Messages: what is understood is written back as it was meant, and all else is refused.

use game::{Generator, Viewer};
use table::wire::{FromClient, FromServer, Hello, LONGEST, WireError};
use table::{Mirror, NotSent, Options, TableSecret, automatic_entries};

use crate::sitting::{ONE, Sitting, TWO, come_and_go};

#[test]
fn unknown_kinds_are_refused_by_name() {
    let error = FromClient::read("castle", "{}").expect_err("nobody knows it");
    assert_eq!(error.to_string(), "a message of the kind \"castle\" is not known here");
    assert_eq!(FromServer::read("act", "{}"), Err(WireError::UnknownKind("act".to_owned())));
    let long = FromClient::read(&"x".repeat(9_999), "{}").expect_err("nobody knows it");
    assert!(long.to_string().len() < 200, "what strangers write is not repeated at length");
    let action = FromClient::read("act", r#"{"id":"a:1","action":"castle","round":1,"ply":0}"#);
    assert!(action.expect_err("nobody knows it").to_string().contains("castle"));
    let emote = FromClient::read("emote", r#"{"emote":"insult"}"#);
    assert!(emote.expect_err("nobody knows it").to_string().contains("insult"));
}

#[test]
fn unknown_fields_are_ignored() {
    let text = r#"{"id":"a:1","action":"tie","round":1,"ply":9,"mood":"good"}"#;
    assert!(matches!(FromClient::read("act", text), Ok(FromClient::Act(_))));
    assert!(Hello::read(r#"{"from":3,"mood":"good"}"#).is_ok());
}

#[test]
fn what_is_too_long_is_not_looked_at() {
    let padded = |length: usize| format!("{{}}{}", " ".repeat(length - 2));
    assert!(Hello::read(&padded(LONGEST)).is_ok());
    assert_eq!(Hello::read(&padded(LONGEST + 1)).err(), Some(WireError::TooLong));
    assert_eq!(FromClient::read("act", &padded(LONGEST + 1)), Err(WireError::TooLong));
}

#[test]
fn what_is_missing_or_of_another_shape_is_refused() {
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
        let error = FromClient::read(event, text).expect_err("it is refused");
        assert!(matches!(error, WireError::Unreadable { .. }), "{event} {text}: {error}");
    }
}

/// A hand of Kuhn poker, and what the second player holds of it.
fn hand() -> (Sitting, table::LiveTable, Mirror) {
    let secret = TableSecret::new([3; 32]);
    let sitting = Sitting::full("kuhn-poker", Options::default());
    let live = table::LiveTable::new(sitting.state.clone(), secret, "e".to_owned());
    let mirror = Mirror::new(live.welcome(Some(TWO), &table::wire::Resync::default()).view);
    (sitting, live, mirror)
}

#[test]
fn a_mirror_shows_what_the_server_shows_and_learns_of_its_own_actions() {
    use table::{Action, ActionBody, Follow};
    let (mut sitting, mut live, mut mirror) = hand();
    let deal = automatic_entries(&sitting.state, &TableSecret::new([3; 32]), 0).expect("it is dealt");
    live.follow(&deal).expect("it follows");
    sitting.state.follow(&deal).expect("it follows");
    sitting.play(ONE, "pass").expect("it is legal");
    let chosen = "bet".parse().expect("it is a text");
    let bet = Action { id: sitting.id(), body: ActionBody::Play { round: 1, ply: 2, chosen } };
    mirror.submit(bet.clone()).expect("nothing else waits");
    assert_eq!(mirror.submit(bet.clone()), Err(NotSent::SentBefore(bet.id.clone())));
    let second = come_and_go(1, "two", 3);
    assert_eq!(
        mirror.submit(second).map_err(|error| error.to_string()),
        Err("1 of your actions wait for an answer: try again when one has come".to_owned())
    );
    sitting.submit(&bet, table::Actor::Seat(TWO)).expect("it is legal");
    live.follow(&sitting.log[sitting.log.len() - 2..]).expect("it follows");
    let told: Vec<_> =
        live.take_news().iter().map(|news| news.to(live.state(), Some(TWO))).collect();
    assert_eq!(mirror.receive(&told[0]), None);
    assert_eq!(mirror.to_send(), Some(&bet), "it is still to be answered");
    assert_eq!(mirror.receive(&told[1]), None);
    assert_eq!(mirror.receive(&told[2]), Some(bet.id.clone()));
    assert_eq!(mirror.receive(&told[1]), None, "what is old is passed over");
    assert_eq!(mirror.view(), &live.state().view(Viewer::Seat(TWO)));
    assert!(mirror.to_send().is_none() && !mirror.answered(&bet.id));
}

#[test]
fn a_mirror_starts_over_when_the_log_is_another_one() {
    let (sitting, _, mut mirror) = hand();
    let old = Sitting::empty("kuhn-poker", Options::default()).state.view(Viewer::Seat(TWO));
    mirror.resync(old.clone());
    assert_eq!(mirror.view().version, sitting.state.version(), "it is older");
    let (late, early) = (come_and_go(1, "two", 1), come_and_go(2, "two", 3));
    mirror.submit(late.clone()).expect("nothing else waits");
    assert_eq!(mirror.restart(old.clone()), None);
    assert_eq!((mirror.view(), mirror.to_send()), (&old, Some(&late)), "it is sent again");
    assert!(mirror.answered(&late.id));
    mirror.submit(early.clone()).expect("nothing else waits");
    assert_eq!(mirror.restart(old), Some(early), "the server would never decide it");
    assert_eq!(mirror.to_send(), None);
}

#[test]
fn no_text_is_understood_by_accident() {
    let mut generator = Generator::seeded(1);
    let seed = r#"{"id":"a:1","action":"play","round":1,"ply":0,"move":"b2"}"#;
    for _ in 0..20_000 {
        let mut bytes = seed.as_bytes().to_vec();
        for _ in 0..=generator.below(3) {
            let place = usize::try_from(generator.below(bytes.len() as u64)).expect("it is short");
            bytes[place] = u8::try_from(generator.below(256)).expect("it is a byte");
        }
        let Ok(text) = String::from_utf8(bytes) else { continue };
        if let Ok(read) = FromClient::read("act", &text) {
            let (event, again) = read.write();
            assert_eq!(FromClient::read(event, &again), Ok(read));
        }
    }
}
