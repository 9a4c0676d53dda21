//! Tables on the server with the rules of the lab.

use std::rc::Rc;

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

/// Opens the rules of a table.
pub(super) fn read_rules(page: &Rc<LabPage>, id: String) {
    let page = Rc::clone(page);
    spawn_local(async move {
        let answer = get::<TableRules>(&format!("/api/tables/{id}/rules")).await;
        let no_rules = page.lab.borrow().words().no_rules;
        let answer = answer.map(|rules| rules.text).map_err(|_error| no_rules.to_owned());
        page.change(|lab| lab.hear_rules(answer));
    });
}
