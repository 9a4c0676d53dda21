//! The list of tables to watch or join.

use std::time::Duration;

use leptos::prelude::*;
use leptos::task::spawn_local;
use table::TableView;
use table::wire::{ListedTable, ListedTables, Welcome};

use super::followed::Followed;
use super::problem::{WAYS_OUT, nothing_to_watch, problem};
use super::reactive::dynamic;
use crate::browser::{RequestError, get};
use crate::language::say;
use crate::route::Route;
use crate::texts;

/// A public table with its players; they are unknown if the server did not tell.
type WatchedTable = (ListedTable, Option<TableView>);

/// The number of tables whose players are asked for, each with a request of its own.
const MOST_DETAILS: usize = 12;

/// The public tables: first those in play, then those that wait for a player.
pub(crate) fn tables() -> AnyView {
    let tables = Followed::new(None::<Result<Vec<WatchedTable>, RequestError>>);
    let load = move || {
        spawn_local(async move {
            tables.set(Some(public_tables().await));
        });
    };
    load();
    let refresh = set_interval_with_handle(load, Duration::from_secs(5));
    on_cleanup(move || {
        if let Ok(refresh) = refresh {
            refresh.clear();
        }
    });
    let view = dynamic(move || match tables.get() {
        None => view! { <p class="status" role="status">{say("Loading tables …")}</p> }.into_any(),
        Some(Err(_)) => {
            problem(say("The server does not answer."), say("We keep retrying."), WAYS_OUT)
        }
        Some(Ok(tables)) if tables.is_empty() => nothing_to_watch(),
        Some(Ok(tables)) => list(tables),
    });
    view.into_any()
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

fn list(tables: Vec<WatchedTable>) -> AnyView {
    let item = |(table, details): WatchedTable| {
        let verb = if table.free_seats == 0 { say("Watch") } else { say("Join") };
        view! {
            <li>
                <span><b>{texts::game_title(&table.game)}</b>{format!(" · {}", texts::watched(&table, details.as_ref()))}</span>
                <a class="button" href=Route::Table(table.id).to_string()>{verb}</a>
            </li>
        }
    };
    view! {
        <section class="table-list">
            <h1>{say("Tables")}</h1>
            <ul>{tables.into_iter().map(item).collect_view()}</ul>
        </section>
    }
    .into_any()
}
