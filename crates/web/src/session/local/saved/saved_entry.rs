//! The entries of a table in this browser as JSON, the same as in logs.

use game::{Alternative, MoveExplanation, MoveText, Seat};
use table::{Author, Entry, EntryBody, Forfeit, PlayerName};

use super::{number, seat_number, seat_of};
use crate::json::{AsJson, JsonValue};

impl AsJson for Entry {
    fn to_json(&self) -> JsonValue {
        let who = match self.who {
            Author::Seat(seat) => JsonValue::object([("seat", seat_number(seat))]),
            Author::Table => JsonValue::text("table"),
        };
        let mut fields = vec![
            ("format", number(self.format)),
            ("version", number(self.version)),
            ("at", number(self.at)),
            ("who", who),
            ("kind", JsonValue::text(self.body.kind())),
        ];
        push_body(&mut fields, &self.body);
        let named = fields.into_iter().map(|(name, value)| (name.to_owned(), value));
        JsonValue::Object(named.collect())
    }

    fn of_json(json: &JsonValue) -> Option<Self> {
        let who = match json.get("who") {
            JsonValue::Text(_) => Author::Table,
            who => Author::Seat(seat_of(who.get("seat"))?),
        };
        let (version, at) = (json.number_of("version")?, json.number_of("at")?);
        let format =
            json.small_number_of::<u16>("format").filter(|format| *format == Self::FORMAT)?;
        Some(Self { format, ..Self::new(version, at, who, read_body(json)?) })
    }
}

/// Appends the fields of an event. A table in this browser has only kinds that can be read again.
fn push_body(fields: &mut Vec<(&'static str, JsonValue)>, body: &EntryBody) {
    let (seat, round, ply) = place(body);
    let numbers =
        [("seat", seat.map(seat_number)), ("round", round.map(number)), ("ply", ply.map(number))];
    fields.extend(numbers.into_iter().filter_map(|(name, value)| Some((name, value?))));
    let last = match body {
        EntryBody::Joined { name, .. } => ("name", JsonValue::text(name.as_str())),
        EntryBody::Played { chosen, explanation, .. } => {
            let explanation = explanation.as_ref().map(|why| ("explanation", why.to_json()));
            fields.extend(explanation);
            ("move", JsonValue::text(chosen.as_str()))
        }
        EntryBody::Sealed { chosen: Some(chosen), .. } => {
            ("move", JsonValue::text(chosen.as_str()))
        }
        EntryBody::Revealed { moves, .. } => {
            let pair = |(seat, chosen): &(Seat, MoveText)| {
                JsonValue::List(vec![seat_number(*seat), JsonValue::text(chosen.as_str())])
            };
            ("moves", JsonValue::List(moves.iter().map(pair).collect()))
        }
        EntryBody::Chance { drawn, .. } => ("drawn", JsonValue::text(drawn.as_str())),
        EntryBody::Forfeited { why, .. } => ("why", JsonValue::text(forfeit(*why))),
        EntryBody::TakebackGranted { back_to, .. } => ("back_to", number(*back_to)),
        _ => return,
    };
    fields.push(last);
}

/// The seat, the round and the ply of an event, as far as it has them.
const fn place(body: &EntryBody) -> (Option<Seat>, Option<u32>, Option<u32>) {
    match body {
        EntryBody::Joined { seat, .. } | EntryBody::Left { seat } => (Some(*seat), None, None),
        EntryBody::Played { seat, round, ply, .. }
        | EntryBody::Sealed { seat, round, ply, .. }
        | EntryBody::TakebackAsked { seat, round, ply }
        | EntryBody::TakebackGranted { seat, round, ply, .. }
        | EntryBody::TakebackDeclined { seat, round, ply } => {
            (Some(*seat), Some(*round), Some(*ply))
        }
        EntryBody::Revealed { round, ply, .. } | EntryBody::Chance { round, ply, .. } => {
            (None, Some(*round), Some(*ply))
        }
        EntryBody::Forfeited { seat, round, .. } => (Some(*seat), Some(*round), None),
        EntryBody::Tied { round } | EntryBody::NextRound { round } => (None, Some(*round), None),
        _ => (None, None, None),
    }
}

fn move_of(json: &JsonValue) -> Option<MoveText> {
    json.as_text()?.parse().ok()
}

fn read_body(json: &JsonValue) -> Option<EntryBody> {
    let seat = seat_of(json.get("seat"));
    let (round, ply) = (json.small_number_of("round"), json.small_number_of("ply"));
    let chosen = move_of(json.get("move"));
    Some(match json.get("kind").as_text()? {
        "joined" => {
            let name = PlayerName::new(json.get("name").as_text()?).ok()?;
            EntryBody::Joined { seat: seat?, name, token: None }
        }
        "left" => EntryBody::Left { seat: seat? },
        "played" => {
            let explanation = MoveExplanation::of_json(json.get("explanation")).map(Box::new);
            let (seat, round, ply, chosen) = (seat?, round?, ply?, chosen?);
            EntryBody::Played { seat, round, ply, chosen, explanation }
        }
        "sealed" => EntryBody::Sealed { seat: seat?, round: round?, ply: ply?, chosen },
        "revealed" => {
            let pair = |pair: &JsonValue| match pair.items() {
                [seat, chosen] => Some((seat_of(seat)?, move_of(chosen)?)),
                _ => None,
            };
            let moves: Option<_> = json.get("moves").items().iter().map(pair).collect();
            EntryBody::Revealed { round: round?, ply: ply?, moves: moves? }
        }
        "chance" => {
            let drawn = move_of(json.get("drawn"))?;
            EntryBody::Chance { round: round?, ply: ply?, drawn }
        }
        "forfeited" => {
            let why = read_forfeit(json.get("why").as_text()?)?;
            EntryBody::Forfeited { seat: seat?, round: round?, why }
        }
        "tied" => EntryBody::Tied { round: round? },
        "next_round" => EntryBody::NextRound { round: round? },
        "takeback_asked" => EntryBody::TakebackAsked { seat: seat?, round: round?, ply: ply? },
        "takeback_granted" => {
            let back_to = json.small_number_of("back_to")?;
            EntryBody::TakebackGranted { seat: seat?, round: round?, ply: ply?, back_to }
        }
        "takeback_declined" => {
            EntryBody::TakebackDeclined { seat: seat?, round: round?, ply: ply? }
        }
        _ => return None,
    })
}

const fn forfeit(why: Forfeit) -> &'static str {
    match why {
        Forfeit::Resigned => "resigned",
        Forfeit::Acknowledged => "acknowledged",
        Forfeit::OutOfTime => "out_of_time",
    }
}

fn read_forfeit(text: &str) -> Option<Forfeit> {
    let all = [Forfeit::Resigned, Forfeit::Acknowledged, Forfeit::OutOfTime];
    all.into_iter().find(|why| forfeit(*why) == text)
}

impl AsJson for MoveExplanation {
    fn to_json(&self) -> JsonValue {
        JsonValue::object([
            ("sentence", JsonValue::text(&self.sentence)),
            ("wanted_by", JsonValue::texts(&self.wanted_by)),
            ("alternatives", self.alternatives.to_json()),
        ])
    }

    fn of_json(json: &JsonValue) -> Option<Self> {
        Some(Self {
            sentence: json.text_of("sentence")?,
            wanted_by: json.texts_of("wanted_by"),
            alternatives: Vec::of_json(json.get("alternatives")).unwrap_or_default(),
        })
    }
}

impl AsJson for Alternative {
    fn to_json(&self) -> JsonValue {
        JsonValue::object([
            ("thread", JsonValue::text(&self.thread)),
            ("wanted", JsonValue::text(&self.wanted)),
            ("lost_to", JsonValue::texts(&self.lost_to)),
        ])
    }

    fn of_json(json: &JsonValue) -> Option<Self> {
        let (thread, wanted) = (json.text_of("thread")?, json.text_of("wanted")?);
        Some(Self { thread, wanted, lost_to: json.texts_of("lost_to") })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SEAT: Seat = Seat::SECOND;

    fn because(sentence: &str, alternatives: Vec<Alternative>) -> MoveExplanation {
        let wanted_by = alternatives.iter().map(|other| other.thread.clone()).collect();
        let sentence = sentence.to_owned();
        MoveExplanation { sentence, wanted_by, alternatives }
    }

    /// Every kind of entry that a table in this browser has.
    fn bodies() -> Vec<EntryBody> {
        let (seat, round, ply) = (SEAT, 2, 3);
        let Ok(chosen) = "b2 \"ä\"".parse::<MoveText>();
        let (thread, wanted) = ("Fork(a1)".to_owned(), "O b2".to_owned());
        let long = because(
            "It blocked your fork.",
            vec![Alternative { thread, wanted, lost_to: vec!["Win".to_owned()] }],
        );
        let (name, why) = (PlayerName::new("Ada").unwrap(), Forfeit::OutOfTime);
        let played = |explanation| {
            let chosen = chosen.clone();
            EntryBody::Played { seat, round, ply, chosen, explanation }
        };
        vec![
            EntryBody::Joined { seat, name, token: None },
            EntryBody::Left { seat },
            played(None),
            played(Some(Box::new(long))),
            played(Some(Box::new(because("So.", Vec::new())))),
            EntryBody::Sealed { seat, round, ply, chosen: Some(chosen.clone()) },
            EntryBody::Sealed { seat, round, ply, chosen: None },
            EntryBody::Revealed { round, ply, moves: vec![(seat, chosen.clone())] },
            EntryBody::Chance { round, ply, drawn: chosen.clone() },
            EntryBody::Forfeited { seat, round, why },
            EntryBody::Tied { round },
            EntryBody::NextRound { round },
            EntryBody::TakebackAsked { seat, round, ply },
            EntryBody::TakebackGranted { seat, round, ply, back_to: 1 },
            EntryBody::TakebackDeclined { seat, round, ply },
        ]
    }

    fn read(text: &str) -> Option<Entry> {
        Entry::of_json(&JsonValue::read(text)?)
    }

    #[test]
    fn entries_are_the_same_here_and_in_logs() {
        for body in bodies() {
            for who in [Author::Table, Author::Seat(SEAT)] {
                let entry = Entry::new(7, 1_763_000_000_000, who, body.clone());
                let text = entry.to_json().write();
                assert_eq!(Entry::read(&text, 7), Ok(entry.clone()), "{text}");
                assert_eq!(read(&text), Some(entry.clone()), "{text}");
                assert_eq!(read(&entry.write()), Some(entry), "{text}");
            }
        }
    }

    #[test]
    fn what_no_table_in_this_browser_writes_is_not_read() {
        let ended = Entry::new(7, 1, Author::Table, EntryBody::Ended { seat: SEAT });
        assert_eq!(read(&ended.write()), None);
        let tied = Entry::new(7, 1, Author::Table, EntryBody::Tied { round: 1 }).write();
        assert!(read(&tied).is_some());
        assert_eq!(read(&tied.replace("\"format\":1", "\"format\":2")), None);
        assert_eq!(read(&tied.replace("tied", "forfeited")), None);
    }
}
