//! Tables on the server with the rules of the lab.

use std::rc::Rc;

use wasm_bindgen_futures::spawn_local;

use super::LabPage;
use crate::browser::{StorageArea, exchange, origin};
use crate::json::JsonValue;

/// Creates a table with these rules, at which the person has a seat.
pub(super) fn create_table(page: &Rc<LabPage>, rules: String) {
    let page = Rc::clone(page);
    spawn_local(async move {
        let request = JsonValue::object([
            ("rules", JsonValue::text(&rules)),
            ("alternate", JsonValue::Flag(true)),
            ("name", JsonValue::text(&public_name())),
        ]);
        let answer = exchange("/api/tables", Some(&request.write())).await;
        let answer = answer.and_then(|(status, text)| Some((status, JsonValue::read(&text)?)));
        let answer = match answer {
            Some((201, table)) => created(&table),
            // A refusal has a sentence.
            Some((_, problem)) => problem.get("refusal").text_of("message").map(Err),
            None => None,
        };
        let no_server = page.lab.borrow().words().no_server;
        let answer = answer.unwrap_or_else(|| Err(no_server.to_owned()));
        page.change(|lab| lab.hear_table(answer));
    });
}

/// The link and the code of a new table; its seat is kept.
fn created(table: &JsonValue) -> Option<Result<(String, String), String>> {
    let (id, code) = (table.text_of("id")?, table.text_of("code")?);
    if let Some(token) = table.text_of("token") {
        keep_seat(&id, &token, &code);
    }
    Some(Ok((format!("{}{}", origin(), table.text_of("path")?), code)))
}

/// The name that others see: the one on the home page.
fn public_name() -> String {
    let person = StorageArea::Site.read_text("person").and_then(|text| JsonValue::read(&text));
    let name = person.and_then(|person| person.text_of("name")).unwrap_or_default();
    let name: String = name.trim().chars().take(LONGEST_NAME).collect();
    if name.is_empty() { "Guest".to_owned() } else { name }
}

/// The most letters of a name.
const LONGEST_NAME: usize = 24;

/// The number of seats that are remembered.
const MOST_SEATS: usize = 100;

/// Remembers a seat where the page looks for it.
fn keep_seat(id: &str, token: &str, code: &str) {
    let seats = StorageArea::Site.read_text("seats").and_then(|text| JsonValue::read(&text));
    let others = seats.map(|seats| seats.items().to_vec()).unwrap_or_default();
    let mut seats = vec![JsonValue::object([
        ("id", JsonValue::text(id)),
        ("token", JsonValue::text(token)),
        ("code", JsonValue::text(code)),
    ])];
    let is_other = |seat: &JsonValue| seat.get("id").as_text() != Some(id);
    seats.extend(others.into_iter().filter(is_other).take(MOST_SEATS - 1));
    StorageArea::Site.write_text("seats", JsonValue::List(seats).write());
}

/// Opens the rules of a table, with the plies of a round if one is named.
pub(super) fn read_table(page: &Rc<LabPage>, id: String, round: Option<u32>) {
    let page = Rc::clone(page);
    spawn_local(async move {
        let rules = read(&format!("/api/tables/{id}/rules")).await;
        let rules = rules.and_then(|rules| rules.text_of("text"));
        let answer = match rules {
            Some(rules) => {
                let plies = match round {
                    Some(round) => plies(&id, round).await,
                    None => Vec::new(),
                };
                Ok((rules, plies))
            }
            None => Err(page.lab.borrow().words().no_rules.to_owned()),
        };
        page.change(|lab| lab.hear_rules(answer));
    });
}

/// What the server says at a path; `None` if it refuses.
async fn read(path: &str) -> Option<JsonValue> {
    let (status, text) = exchange(path, None).await?;
    JsonValue::read(&text).filter(|_| status == 200)
}

/// The most pages of a log that are read.
const MOST_PAGES: usize = 100;

/// The plies of a round, as far as they can be read.
async fn plies(id: &str, round: u32) -> Vec<String> {
    let (mut known, mut plies) = (0, Vec::new());
    for _ in 0..MOST_PAGES {
        let Some(page) = read(&format!("/api/tables/{id}/log?from={known}")).await else { break };
        let before = known;
        for entry in page.get("entries").items() {
            known = known.max(entry.number_of("version").unwrap_or(0));
            if entry.number_of("round") == Some(round.into()) {
                plies.extend(ply(entry));
            }
        }
        if known == before || known >= page.number_of("version").unwrap_or(0) {
            break;
        }
    }
    plies
}

/// The ply of an entry, if it is one.
fn ply(entry: &JsonValue) -> Option<String> {
    match entry.get("kind").as_text()? {
        "played" => entry.text_of("move"),
        "chance" => Some(format!("~{}", entry.text_of("drawn")?)),
        "revealed" => {
            let moves = entry.get("moves").items().iter();
            let moves = moves.filter_map(|pair| pair.items().get(1)?.as_text());
            Some(moves.collect::<Vec<_>>().join("+"))
        }
        _ => None,
    }
}
