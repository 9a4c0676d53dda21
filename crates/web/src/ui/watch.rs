//! The list of tables to watch or join.

use std::time::Duration;

use leptos::prelude::*;
use leptos::task::spawn_local;
use table::wire::{ListedTable, ListedTables};

use super::problem::{WAYS_OUT, nothing_to_watch, problem};
use super::reactive::dynamic;
use crate::browser::{RequestError, get};
use crate::route::Route;

/// The public tables: first those in play, then those that wait for a player.
pub(crate) fn tables() -> AnyView {
    let tables = RwSignal::new(None::<Result<Vec<ListedTable>, RequestError>>);
    let load = move || {
        spawn_local(async move {
            tables.try_set(Some(public_tables().await));
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
        None => view! { <p class="status" role="status">"Loading tables …"</p> }.into_any(),
        Some(Err(_)) => problem("The server does not answer.", "We keep retrying.", WAYS_OUT),
        Some(Ok(tables)) if tables.is_empty() => nothing_to_watch(),
        Some(Ok(tables)) => list(tables),
    });
    view.into_any()
}

async fn public_tables() -> Result<Vec<ListedTable>, RequestError> {
    let playing: ListedTables = get("/api/tables?status=playing").await?;
    let waiting: ListedTables = get("/api/tables").await?;
    Ok([playing.tables, waiting.tables].concat())
}

fn list(tables: Vec<ListedTable>) -> AnyView {
    let item = |table: ListedTable| {
        let (verb, state) = match table.free_seats {
            0 => ("Watch", "in play"),
            _ => ("Join", "waits for a player"),
        };
        view! {
            <li>
                <span><b>{table.game}</b>{format!(" · {state}")}</span>
                <a class="button" href=Route::Table(table.id).to_string()>{verb}</a>
            </li>
        }
    };
    view! {
        <section class="table-list">
            <h1>"Tables"</h1>
            <ul>{tables.into_iter().map(item).collect_view()}</ul>
        </section>
    }
    .into_any()
}
