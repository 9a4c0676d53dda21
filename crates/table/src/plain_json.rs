//! The JSON of moves, which are most of what a server reads and writes. The usual form of a move is read and
//! written here in a fraction of the time that `serde` takes; every other form is left to `serde`.

use game::MoveText;

use crate::action::{Action, ActionBody};
use crate::entry::{Author, Entry};
use crate::entry_body::EntryBody;

/// Appends the JSON of an entry, as `serde` writes it.
///
/// # Panics
/// Never: every entry can be written.
pub(crate) fn push_entry(text: &mut String, entry: &Entry) {
    if !push_move(text, entry) {
        text.push_str(&serde_json::to_string(entry).expect("an entry serializes"));
    }
}

/// Appends the JSON of a move; returns false, and appends nothing, if the entry is something else.
fn push_move(text: &mut String, entry: &Entry) -> bool {
    let EntryBody::Played { seat, round, ply, chosen, explanation: None } = &entry.body else {
        return false;
    };
    if needs_escapes(chosen.as_str()) {
        return false;
    }
    let Entry { format, version, at, who, action, .. } = entry;
    text.push_str("{\"format\":");
    push_number(text, (*format).into());
    text.push_str(",\"version\":");
    push_number(text, *version);
    text.push_str(",\"at\":");
    push_number(text, *at);
    match who {
        Author::Seat(seat) => {
            text.push_str(",\"who\":{\"seat\":");
            push_number(text, seat.number().into());
            text.push('}');
        }
        Author::Table => text.push_str(",\"who\":\"table\""),
    }
    if let Some(action) = action {
        text.push_str(",\"action\":\"");
        text.push_str(action.as_str());
        text.push('"');
    }
    text.push_str(",\"kind\":\"played\",\"seat\":");
    push_number(text, seat.number().into());
    text.push_str(",\"round\":");
    push_number(text, (*round).into());
    text.push_str(",\"ply\":");
    push_number(text, (*ply).into());
    text.push_str(",\"move\":\"");
    text.push_str(chosen.as_str());
    text.push_str("\"}");
    true
}

/// Reads a move in the order in which it is written, without spaces and escapes. Returns none for every
/// other text, well-formed or not.
pub(crate) fn read_move(text: &str) -> Option<Action> {
    let rest = text.strip_prefix("{\"id\":\"")?;
    let (id, rest) = rest.split_once('"')?;
    let rest = rest.strip_prefix(",\"action\":\"play\",\"round\":")?;
    let (round, rest) = split_number(rest)?;
    let (ply, rest) = split_number(rest.strip_prefix(",\"ply\":")?)?;
    let chosen = rest.strip_prefix(",\"move\":\"")?.strip_suffix("\"}")?;
    if needs_escapes(chosen) {
        return None;
    }
    let chosen: MoveText = chosen.parse().ok()?;
    Some(Action { id: id.parse().ok()?, body: ActionBody::Play { round, ply, chosen } })
}

/// A number of at most nine digits at the beginning of a text, and the rest of the text.
fn split_number(text: &str) -> Option<(u32, &str)> {
    let length = text.bytes().take(10).take_while(u8::is_ascii_digit).count();
    let (digits, rest) = text.split_at_checked(length)?;
    let is_number = digits == "0" || matches!(digits.len(), 1..=9) && !digits.starts_with('0');
    if is_number { Some((digits.parse().ok()?, rest)) } else { None }
}

/// Whether a string of JSON cannot hold the text as it is.
fn needs_escapes(text: &str) -> bool {
    text.bytes().any(|byte| byte < 0x20 || byte == b'"' || byte == b'\\')
}

fn push_number(text: &mut String, mut number: u64) {
    // Most numbers of a move have one digit.
    if let Ok(digit @ 0..10) = u8::try_from(number) {
        text.push(char::from(b'0' + digit));
        return;
    }
    let mut digits = [0; 20];
    let mut start = digits.len();
    loop {
        start -= 1;
        digits[start] = b'0' + u8::try_from(number % 10).unwrap_or_default();
        number /= 10;
        if number == 0 {
            break;
        }
    }
    text.push_str(str::from_utf8(&digits[start..]).expect("digits are ASCII"));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn played(at: u64, who: Author, action: Option<&str>, chosen: &str) -> Entry {
        let chosen = chosen.parse().unwrap();
        let body = EntryBody::Played {
            seat: game::Seat::FIRST,
            round: 1_000,
            ply: u32::MAX,
            chosen,
            explanation: None,
        };
        let action = action.map(|id| id.parse().unwrap());
        Entry { action, ..Entry::new(at / 3 + 1, at, who, body) }
    }

    #[test]
    fn a_move_is_written_as_serde_writes_it() {
        for at in [0, 1, 9, 10, 1_763_310_000_000, u64::MAX] {
            for who in [Author::Table, Author::Seat(game::Seat::FIRST)] {
                for action in [None, Some("a-_Z:0"), Some("a:18446744073709551615")] {
                    for chosen in ["b2", "", "a\"b", "\\", "\n", "\u{7f}ä🦀", "\u{1f}"] {
                        let entry = played(at, who, action, chosen);
                        let mut text = "before".to_owned();
                        push_entry(&mut text, &entry);
                        let expected = serde_json::to_string(&entry).unwrap();
                        assert_eq!(text, format!("before{expected}"));
                        assert_eq!(push_move(&mut text, &entry), !needs_escapes(chosen));
                    }
                }
            }
        }
    }

    #[test]
    fn other_entries_are_left_to_serde() {
        let body = EntryBody::Tied { round: 3 };
        let mut text = String::new();
        push_entry(&mut text, &Entry::new(7, 1, Author::Table, body.clone()));
        assert!(!push_move(&mut text, &Entry::new(7, 1, Author::Table, body)));
        let expected = r#"{"format":1,"version":7,"at":1,"who":"table","kind":"tied","round":3}"#;
        assert_eq!(text, expected);
    }

    /// Compares a reading with that of serde; returns whether the text was read here.
    fn is_read(text: &str) -> bool {
        let read = read_move(text);
        if let Some(read) = &read {
            let expected: Action = serde_json::from_str(text).expect(text);
            assert_eq!(*read, expected, "{text}");
        }
        read.is_some()
    }

    const MOVE: &str = r#"{"id":"a1:7","action":"play","round":1,"ply":0,"move":"b2"}"#;

    #[test]
    fn a_move_is_read_as_serde_reads_it() {
        for (from, to) in [("b2", ""), ("b2", "ä 🦀"), ("a1:7", "_:0"), (":1,", ":999999999,")] {
            assert!(is_read(&MOVE.replace(from, to)), "{to}");
        }
        let written: Action = serde_json::from_str(MOVE).unwrap();
        assert!(is_read(&serde_json::to_string(&written).unwrap()), "clients write this form");
    }

    #[test]
    fn every_other_text_is_left_to_serde() {
        let others = [
            ("\"id\"", " \"id\""),
            ("a1:7", "a1"),
            ("a1:7", "a\\u0031:7"),
            ("play", "tie"),
            (":1,", ":01,"),
            (":1,", ":-1,"),
            (":1,", ":1.0,"),
            (":1,", ":4294967296,"),
            (":1,", ":,"),
            ("b2", "b\\u0032"),
            ("b2", "b\n2"),
            ("b2\"", "b2\",\"ply\":1"),
            ("b2\"", "b2\",\"moon\":\"1\""),
            ("b2\"}", "b2\"} "),
            ("\"move\":\"b2\"", "\"move\":2"),
        ];
        for (from, to) in others {
            assert!(!is_read(&MOVE.replacen(from, to, 1)), "{to}");
        }
        // Whatever is cut off or changed, the two agree.
        for end in 0..MOVE.len() {
            let (head, tail) = MOVE.split_at(end);
            let rest = tail.get(1..).unwrap_or_default();
            assert!(!is_read(head));
            for byte in ["\"", "\\", "9", "}", "{", ",", "\u{0}"] {
                is_read(&format!("{head}{byte}{rest}"));
                is_read(&format!("{head}{byte}{tail}"));
            }
        }
    }
}
