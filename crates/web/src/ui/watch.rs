//! The list of tables to watch or join.

use std::time::Duration;

use table::TableView;
use table::wire::{ListedTable, ListedTables, Welcome};
use wasm_bindgen_futures::spawn_local;

use super::followed::{Followed, keep};
use super::problem::{WAYS_OUT, nothing_to_watch, problem};
use super::reactive::{button_link, dynamic};
use super::view::{View, html};
use crate::browser::{BrowserTimer, RequestError, get};
use crate::language::say;
use crate::route::Route;
use crate::texts;

/// A public table with its players; they are unknown if the server did not tell.
type WatchedTable = (ListedTable, Option<TableView>);

/// The number of tables whose players are asked for, each with a request of its own.
const MOST_DETAILS: usize = 12;

/// The public tables: first those in play, then those that wait for a player.
pub(crate) fn tables() -> View {
    let tables = Followed::new(None::<Result<Vec<WatchedTable>, RequestError>>);
    let load = move || {
        spawn_local(async move {
            tables.set(Some(public_tables().await));
        });
    };
    load();
    keep(BrowserTimer::every(Duration::from_secs(5), load));
    dynamic(move || match tables.get() {
        None => {
            let status = html("p").class("status").attribute("role", "status");
            status.child(say("Loading tables …")).into()
        }
        Some(Err(_)) => {
            problem(say("The server does not answer."), say("We keep retrying."), WAYS_OUT)
        }
        Some(Ok(tables)) if tables.is_empty() => nothing_to_watch(),
        Some(Ok(tables)) => list(tables),
    })
}

async fn public_tables() -> Result<Vec<WatchedTable>, RequestError> {
    let playing: ListedTables = get("/api/tables?status=playing").await?;
    let waiting: ListedTables = get("/api/tables").await?;
    let mut tables = Vec::new();
    for table in [playing.tables, waiting.tables].concat() {
        let details = if tables.len() < MOST_DETAILS {
            let welcome = get::<Welcome>(&format!("/api/tables/{}", table.id)).await;
            welcome.ok().map(|welcome| welcome.view)
        } else {
            None
        };
        tables.push((table, details));
    }
    Ok(tables)
}

fn list(tables: Vec<WatchedTable>) -> View {
    let item = |(table, details): WatchedTable| {
        let verb = if table.free_seats == 0 { say("Watch") } else { say("Join") };
        let about = format!(" · {}", texts::watched(&table, details.as_ref()));
        let name = html("b").child(texts::game_title(&table.game));
        let link = button_link(&Route::Table(table.id).to_string(), verb);
        html("li").child(html("span").child(name).child(about)).child(link)
    };
    html("section")
        .class("table-list")
        .child(html("h1").child(say("Tables")))
        .child(html("ul").child(View::list(tables.into_iter().map(item))))
        .into()
}
