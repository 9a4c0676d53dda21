//! Tables on the server with the rules of the lab.

use std::rc::Rc;

use serde::Deserialize;
use serde_json::json;
use table::wire::{CreatedTable, TableRules};
use wasm_bindgen_futures::spawn_local;

use super::LabPage;
use crate::browser::{RequestError, get, origin, post};
use crate::storage::{self, Preferences};

/// Creates a table with these rules, at which the person has a seat.
pub(super) fn create_table(page: &Rc<LabPage>, rules: String) {
    let (page, name) = (Rc::clone(page), Preferences::load().public_name());
    spawn_local(async move {
        let request = json!({ "rules": rules, "alternate": true, "name": name });
        let answer = match post::<CreatedTable>("/api/tables", &request).await {
            Ok(CreatedTable { id, code, path, token, .. }) => {
                if let Some(token) = token {
                    storage::save_seat(&id, token, &code, "");
                }
                Ok((format!("{}{path}", origin()), code))
            }
            Err(RequestError::Refused(refusal)) => Err(refusal.message().to_owned()),
            Err(_) => Err(page.lab.borrow().words().no_server.to_owned()),
        };
        page.change(|lab| lab.hear_table(answer));
    });
}

/// Opens the rules of a table, with the plies of a round if one is named.
pub(super) fn read_table(page: &Rc<LabPage>, id: String, round: Option<u32>) {
    let page = Rc::clone(page);
    spawn_local(async move {
        let rules = get::<TableRules>(&format!("/api/tables/{id}/rules")).await;
        let no_rules = page.lab.borrow().words().no_rules;
        let answer = match rules {
            Ok(rules) => {
                let plies = match round {
                    Some(round) => plies(&id, round).await,
                    None => Vec::new(),
                };
                Ok((rules.text, plies))
            }
            Err(_) => Err(no_rules.to_owned()),
        };
        page.change(|lab| lab.hear_rules(answer));
    });
}

/// A page of a table's log, as far as plies are in it.
#[derive(Deserialize)]
struct LogPage {
    version: u64,
    entries: Vec<LoggedPly>,
}

/// An entry of a log; one that is no ply has neither a move nor a draw.
#[derive(Deserialize)]
struct LoggedPly {
    version: u64,
    kind: String,
    round: Option<u32>,
    #[serde(rename = "move")]
    chosen: Option<String>,
    moves: Option<Vec<(u8, String)>>,
    drawn: Option<String>,
}

impl LoggedPly {
    fn word(self) -> Option<String> {
        match self.kind.as_str() {
            "played" => self.chosen,
            "chance" => self.drawn.map(|drawn| format!("~{drawn}")),
            "revealed" => {
                let moves = self.moves.unwrap_or_default().into_iter().map(|(_, chosen)| chosen);
                Some(moves.collect::<Vec<_>>().join("+"))
            }
            _ => None,
        }
    }
}

/// The most pages of a log that are read.
const MOST_PAGES: usize = 100;

/// The plies of a round, as far as they can be read.
async fn plies(id: &str, round: u32) -> Vec<String> {
    let (mut known, mut plies) = (0, Vec::new());
    for _ in 0..MOST_PAGES {
        let path = format!("/api/tables/{id}/log?from={known}");
        let Ok(LogPage { version, entries }) = get::<LogPage>(&path).await else { break };
        let before = known;
        for entry in entries {
            known = known.max(entry.version);
            if entry.round == Some(round) {
                plies.extend(entry.word());
            }
        }
        if known >= version || known == before {
            break;
        }
    }
    plies
}
