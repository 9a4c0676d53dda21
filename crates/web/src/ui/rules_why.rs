//! The b-threads behind a position of a table whose rules only the server has.

use game::AwakeThread;
use table::wire::TableBThreads;
use wasm_bindgen_futures::spawn_local;

use super::explanation_panel::family;
use super::followed::{Derived, Followed, effect};
use super::reactive::{dynamic, plain_button, text};
use super::session_handle::SessionHandle;
use super::view::{Element, View, html};
use crate::browser::get;
use crate::explanation::by_family;
use crate::language::{say, say_count};
use crate::rules_link;

/// The b-threads as far as the page has them.
#[derive(Clone, Debug)]
enum Known {
    Nothing,
    Threads(Vec<AwakeThread>),
    Unreadable,
}

/// A button that opens the b-threads behind the position, and these.
pub(crate) fn why(handle: SessionHandle, id: String) -> View {
    let is_open = Followed::new(false);
    let place = Derived::new(move || handle.screen(|screen| (screen.round, screen.ply)));
    let known = Followed::new(Known::Nothing);
    let table = id.clone();
    effect(move || {
        if is_open.get() {
            let (round, ply) = place.get();
            read(handle, &table, (round, ply), known);
        }
    });
    let panel = dynamic(move || is_open.get().then(|| panel(known, place, id.clone())));
    let button = plain_button("")
        .attribute("id", "why")
        .live("aria-expanded", move || is_open.get().to_string())
        .on_click(move || is_open.set(!is_open.get_untracked()))
        .child(say("Why?"));
    View::list([button.into(), panel])
}

/// Asks the server. An answer about a position that nobody looks at any more is forgotten.
fn read(handle: SessionHandle, table: &str, asked: (u32, u32), known: Followed<Known>) {
    let (round, ply) = asked;
    let path = format!("/api/tables/{table}/b-threads?round={round}&ply={ply}");
    spawn_local(async move {
        let threads = get::<TableBThreads>(&path).await.map(|answer| answer.threads);
        if handle.screen_now(|screen| (screen.round, screen.ply)) == Some(asked) {
            known.set(threads.map_or(Known::Unreadable, Known::Threads));
        }
    });
}

fn panel(known: Followed<Known>, place: Derived<(u32, u32)>, id: String) -> Element {
    let title = move || {
        let (_, ply) = place.get();
        say_count(
            "The b-threads behind the position after {count} move|The b-threads behind the position after {count} moves",
            ply as usize,
        )
    };
    let table = id.clone();
    let again = move || {
        let (round, ply) = place.get();
        (ply > 0).then(|| {
            let link = rules_link::to_round(&table, round, ply);
            let link = html("a").attribute("href", &link).attribute("target", "_blank");
            link.child(say("This round in the lab"))
        })
    };
    let families = html("div").class("families").child(dynamic(move || threads(known.get(), &id)));
    html("section")
        .class("rules-why")
        .attribute("id", "why-panel")
        .attribute("aria-label", &say("Why"))
        .child(html("h2").child(text(title)))
        .child(families)
        .child(html("p").child(dynamic(again)))
}

fn threads(known: Known, id: &str) -> View {
    let threads = match known {
        Known::Nothing => return say("Reading …").into(),
        Known::Unreadable => return say("They cannot be read now. Reload the page.").into(),
        Known::Threads(threads) => threads,
    };
    let to_text = |thread: &str| Some(rules_link::to_table_thread(id, thread));
    let families = by_family(threads).into_iter();
    View::list(families.map(|each| family(each, &to_text)))
}
