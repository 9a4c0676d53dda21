//! The menu: what was chosen last, tables of others, and the own ones.

use leptos::prelude::*;
use leptos::task::spawn_local;
use serde::Deserialize;
use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;
use web_sys::{Event, HtmlElement, HtmlInputElement, HtmlSelectElement};

use super::live::part;
use super::trouble::{WAYS_OUT, nobody_to_watch, trouble};
use super::{Way, target};
use crate::browser::{Failed, by_id, document, get};
use crate::kept::{self, Person};
use crate::place::Place;

/// The fields of the document whose contents are remembered.
const FIELDS: [&str; 7] = [
    "name",
    "clock",
    "level-random",
    "level-bthreads",
    "level-perfect",
    "side-first",
    "side-second",
];

/// Lets the forms of the document show what was chosen last, and remember what is chosen.
pub(crate) fn wire_up(way: Way) {
    // Who was faster than the page has chosen already.
    let fields = FIELDS.into_iter().filter_map(by_id);
    remember(&fields.filter(was_changed).collect::<Vec<_>>());
    // At every key: who then chooses something else has not left the field yet.
    listen("input", |event| {
        if let Some(changed) = target(event).filter(|field| FIELDS.contains(&field.id().as_str())) {
            remember(&[changed]);
        }
    });
    listen("submit", move |event| {
        if target(event).is_some_and(|form| form.id() == "code-form") {
            event.prevent_default();
            find(way);
        }
    });
}

fn listen(event: &str, hear: impl Fn(&Event) + 'static) {
    let hear = Closure::<dyn Fn(Event)>::new(move |event: Event| hear(&event));
    drop(document().add_event_listener_with_callback(event, hear.as_ref().unchecked_ref()));
    // It listens for as long as there is a page.
    hear.forget();
}

fn show(person: &Person) {
    if let Some(name) = input("name").filter(|field| field.value() != person.name) {
        name.set_value(&person.name);
    }
    if let Some(clock) = by_id("clock").and_then(|clock| clock.dyn_into::<HtmlSelectElement>().ok())
    {
        clock.set_value(&person.seconds.to_string());
    }
    let chosen = [
        format!("level-{}", person.level),
        if person.is_second { "side-second" } else { "side-first" }.to_owned(),
    ];
    for id in chosen {
        if let Some(radio) = input(&id) {
            radio.set_checked(true);
        }
    }
}

/// Whether a field does not hold any more what the document came with.
fn was_changed(field: &HtmlElement) -> bool {
    let clock = field.dyn_ref::<HtmlSelectElement>();
    clock.is_some_and(|clock| clock.selected_index() > 0)
        || field.dyn_ref::<HtmlInputElement>().is_some_and(|input| match input.type_().as_str() {
            "radio" => input.checked() && !input.default_checked(),
            _ => input.value() != input.default_value(),
        })
}

fn remember(changed: &[HtmlElement]) {
    let mut person = Person::kept();
    for field in changed {
        note(&mut person, field);
    }
    person.keep();
    show(&person);
}

fn note(person: &mut Person, field: &HtmlElement) {
    match field.id().as_str() {
        "name" => person.name = input("name").map(|name| name.value()).unwrap_or_default(),
        "clock" => {
            let clock = field.dyn_ref::<HtmlSelectElement>();
            person.seconds = clock.and_then(|clock| clock.value().parse().ok()).unwrap_or_default();
        }
        "side-first" => person.is_second = false,
        "side-second" => person.is_second = true,
        level => {
            if let Some(level) = level.strip_prefix("level-") {
                level.clone_into(&mut person.level);
            }
        }
    }
}

fn input(id: &str) -> Option<HtmlInputElement> {
    by_id(id)?.dyn_into().ok()
}

#[derive(Debug, Deserialize)]
struct Found {
    id: String,
}

/// Goes to the table with the code that was typed.
fn find(way: Way) {
    let code = input("code").map(|code| code.value().trim().to_lowercase()).unwrap_or_default();
    let is_plain = !code.is_empty() && code.bytes().all(|byte| byte.is_ascii_alphanumeric());
    if !is_plain {
        return say_of_code("A code is a word of three syllables, such as bodaki.");
    }
    spawn_local(async move {
        match get::<Found>(&format!("/api/codes/{code}")).await {
            Ok(found) => {
                say_of_code("");
                if way.is_at(&Place::Home) {
                    way.go(Place::Table(found.id));
                }
            }
            Err(Failed::Refused(refusal)) => say_of_code(&format!("{}.", refusal.message())),
            Err(_) => say_of_code("The server does not answer: try again."),
        }
    });
}

fn say_of_code(sentence: &str) {
    if let Some(place) = by_id("code-answer") {
        place.set_text_content(Some(sentence));
    }
}

/// What the menu says below its tiles: the own tables.
pub(crate) fn more(way: Way) -> impl IntoView {
    part(move || (way.place() == Place::Home).then(recent))
}

fn recent() -> Option<AnyView> {
    let seats: Vec<_> =
        kept::seats().into_iter().filter(|seat| !seat.summary.is_empty()).take(6).collect();
    (!seats.is_empty()).then(|| {
        view! {
            <section class="recent" aria-labelledby="recent-heading">
                <h2 id="recent-heading">"Your tables"</h2>
                <ul>
                    {seats.into_iter().map(|seat| view! {
                        <li><a href=Place::Table(seat.id).to_string()>{seat.summary}</a></li>
                    }).collect_view()}
                </ul>
            </section>
        }
        .into_any()
    })
}

#[derive(Clone, Debug, Deserialize)]
struct Listed {
    tables: Vec<ListedTable>,
}

#[derive(Clone, Debug, Deserialize)]
struct ListedTable {
    id: String,
    game: String,
    free_seats: u8,
}

/// Tables of others: those that are played, and those that wait for somebody.
pub(crate) fn watch() -> AnyView {
    let found = RwSignal::new(None::<Result<Vec<ListedTable>, Failed>>);
    let look = move || {
        spawn_local(async move {
            let playing = get::<Listed>("/api/tables?status=playing").await;
            let waiting = get::<Listed>("/api/tables").await;
            let all = playing.and_then(|playing| {
                waiting.map(|waiting| [playing.tables, waiting.tables].concat())
            });
            found.try_set(Some(all));
        });
    };
    look();
    let again = set_interval_with_handle(look, std::time::Duration::from_secs(5));
    on_cleanup(move || {
        if let Ok(again) = again {
            again.clear();
        }
    });
    let follow = part(move || match found.get() {
        None => view! { <p class="status" role="status">"Looking around …"</p> }.into_any(),
        Some(Err(_)) => {
            trouble("The server does not answer.", "It is tried again by itself.", WAYS_OUT)
        }
        Some(Ok(tables)) => listed(tables),
    });
    follow.into_any()
}

fn listed(tables: Vec<ListedTable>) -> AnyView {
    if tables.is_empty() {
        return nobody_to_watch();
    }
    let line = |table: ListedTable| {
        let (verb, what) = match table.free_seats {
            0 => ("Watch", "in play".to_owned()),
            _ => ("Join", "waits for a player".to_owned()),
        };
        view! {
            <li>
                <span><b>{table.game}</b>{format!(" · {what}")}</span>
                <a class="button" href=Place::Table(table.id).to_string()>{verb}</a>
            </li>
        }
    };
    view! {
        <section class="listed">
            <h1>"Tables"</h1>
            <ul>{tables.into_iter().map(line).collect_view()}</ul>
        </section>
    }
    .into_any()
}
