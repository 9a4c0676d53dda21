//! The menu: its forms are in the document, the list of recent tables is drawn here.

use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;
use wasm_bindgen_futures::spawn_local;
use web_sys::{Event, HtmlElement, HtmlInputElement, HtmlSelectElement};

use super::followed::Followed;
use super::navigator::Navigator;
use super::reactive::{dynamic, plain_button};
use super::view::{Element, View, html};
use crate::browser::{document, element, exchange};
use crate::json::JsonValue;
use crate::language::{say, say_rule, say_with};
use crate::route::Route;
use crate::storage::{self, LocalTable, Preferences, StoredSeat};

/// The ids of the fields that are remembered.
const FIELDS: [&str; 9] = [
    "name",
    "clock",
    "level-easy",
    "level-fair",
    "level-hard",
    "level-perfect",
    "level-bthreads",
    "side-first",
    "side-second",
];

/// Fills the forms with the stored preferences, and stores every change.
pub(crate) fn start(navigator: Navigator) {
    // The person may have changed fields while the page was loading.
    let fields = FIELDS.into_iter().filter_map(element);
    remember(&fields.filter(is_changed).collect::<Vec<_>>());
    // On every key, because a click elsewhere can come before the field loses the focus.
    listen("input", |event| {
        if let Some(changed) = target(event).filter(|field| FIELDS.contains(&field.id().as_str())) {
            remember(&[changed]);
        }
    });
    listen("submit", move |event| {
        if target(event).is_some_and(|form| form.id() == "code-form") {
            event.prevent_default();
            go_to_code(navigator);
        }
    });
}

fn listen(event: &str, handle: impl Fn(&Event) + 'static) {
    let listener = Closure::<dyn Fn(Event)>::new(move |event: Event| handle(&event));
    drop(document().add_event_listener_with_callback(event, listener.as_ref().unchecked_ref()));
    // It lasts as long as the page.
    listener.forget();
}

fn target(event: &Event) -> Option<HtmlElement> {
    event.target()?.dyn_into().ok()
}

/// Whether a field differs from what the document came with.
fn is_changed(field: &HtmlElement) -> bool {
    let clock = field.dyn_ref::<HtmlSelectElement>();
    clock.is_some_and(|clock| clock.selected_index() > 0)
        || field.dyn_ref::<HtmlInputElement>().is_some_and(|input| match input.type_().as_str() {
            "radio" => input.checked() && !input.default_checked(),
            _ => input.value() != input.default_value(),
        })
}

/// Stores the changed fields and shows all preferences.
fn remember(changed: &[HtmlElement]) {
    let mut preferences = Preferences::load();
    for field in changed {
        read_field(&mut preferences, field);
    }
    preferences.save();
    show(&preferences);
}

fn read_field(preferences: &mut Preferences, field: &HtmlElement) {
    match field.id().as_str() {
        "name" => preferences.name = input("name").map(|name| name.value()).unwrap_or_default(),
        "clock" => {
            let clock = field.dyn_ref::<HtmlSelectElement>();
            let seconds = clock.and_then(|clock| clock.value().parse().ok());
            preferences.seconds = seconds.unwrap_or_default();
        }
        "side-first" => preferences.is_second = false,
        "side-second" => preferences.is_second = true,
        id => {
            if let Some(level) = id.strip_prefix("level-") {
                level.clone_into(&mut preferences.level);
            }
        }
    }
}

fn show(preferences: &Preferences) {
    if let Some(name) = input("name").filter(|field| field.value() != preferences.name) {
        name.set_value(&preferences.name);
    }
    let clock = element("clock").and_then(|clock| clock.dyn_into::<HtmlSelectElement>().ok());
    if let Some(clock) = clock {
        clock.set_value(&preferences.seconds.to_string());
    }
    let level = format!("level-{}", preferences.level);
    let side = if preferences.is_second { "side-second" } else { "side-first" };
    for radio in [input(&level), input(side)].into_iter().flatten() {
        radio.set_checked(true);
    }
}

fn input(id: &str) -> Option<HtmlInputElement> {
    element(id)?.dyn_into().ok()
}

/// Goes to the table whose code was typed.
fn go_to_code(navigator: Navigator) {
    let code = input("code").map(|code| code.value()).unwrap_or_default();
    let is_plain = |letter: char| letter.is_ascii_alphabetic() || matches!(letter, ' ' | '-');
    let is_code = code.chars().all(is_plain) && !code.trim().is_empty();
    if !is_code {
        return answer_code(&say("A code has two words, like bodaki-murosi."));
    }
    spawn_local(async move {
        let path = format!("/api/codes/{}", code.trim().replace(' ', "-"));
        let answer = exchange(&path, None).await.and_then(|(_, text)| JsonValue::read(&text));
        let answer = answer.unwrap_or(JsonValue::Null);
        if let Some(id) = answer.text_of("id") {
            answer_code("");
            if navigator.is_at(&Route::Home) {
                navigator.go(Route::Table(id));
            }
        } else if let Some(reason) = answer.get("refusal").get("message").as_text() {
            answer_code(&say_with("{reason}.", &[("reason", &say_rule(reason))]));
        } else {
            answer_code(&say("The server does not answer. Try again."));
        }
    });
}

fn answer_code(sentence: &str) {
    if let Some(answer) = element("code-answer") {
        answer.set_text_content(Some(sentence));
    }
}

/// A game that goes on, for the list on the home page.
#[derive(Clone, Debug)]
enum OpenGame {
    /// A table on the server.
    Remote(StoredSeat),
    /// A table in this browser.
    Local(LocalTable),
}

impl OpenGame {
    /// All games that go on, the latest first; those on the server before those in this browser.
    fn all() -> Vec<Self> {
        let seats = storage::seats().into_iter().filter(|seat| !seat.summary.is_empty());
        let local = storage::local_tables().into_iter();
        seats
            .take(MOST_LISTED)
            .map(Self::Remote)
            .chain(local.take(MOST_LISTED).map(Self::Local))
            .collect()
    }

    fn summary(&self) -> &str {
        match self {
            Self::Remote(seat) => &seat.summary,
            Self::Local(table) => &table.summary,
        }
    }

    const fn is_turn(&self) -> bool {
        match self {
            Self::Remote(seat) => seat.is_turn,
            Self::Local(table) => table.is_turn,
        }
    }

    fn route(&self) -> Route {
        match self {
            Self::Remote(seat) => Route::Table(seat.id.clone()),
            Self::Local(table) if table.computers.is_empty() => {
                Route::OneScreen(table.game.clone())
            }
            Self::Local(table) => Route::Computer(table.game.clone()),
        }
    }

    /// Chooses the level and the side of this table: an address names only the game.
    fn choose(&self) {
        let Self::Local(LocalTable { computers, .. }) = self else { return };
        let Some(level) = computers.iter().flatten().next().cloned() else { return };
        let is_second = computers.first().is_some_and(Option::is_some);
        Preferences { level, is_second, ..Preferences::load() }.save();
    }

    fn forget(&self) {
        match self {
            Self::Remote(seat) => storage::forget_seat(&seat.id),
            Self::Local(table) => storage::forget_local_table(table),
        }
    }
}

/// The most tables of a kind on the home page.
const MOST_LISTED: usize = 6;

/// The game in which it is the person's turn, above the menu.
pub(crate) fn next_turn(navigator: Navigator) -> View {
    dynamic(move || {
        let is_home = navigator.route() == Route::Home;
        let game = OpenGame::all().into_iter().find(|game| is_home && game.is_turn())?;
        let (summary, address) = (game.summary().to_owned(), game.route().to_string());
        let tile = html("a").class("tile continue").attribute("href", &address);
        let tile = tile.on_click(move || game.choose());
        let tile = tile.child(html("b").child(say("Continue: your turn")));
        Some(tile.child(html("span").child(summary)))
    })
}

/// The games that go on, below the menu.
pub(crate) fn recent_tables(navigator: Navigator) -> View {
    let changes = Followed::new(0_u32);
    dynamic(move || {
        changes.track();
        (navigator.route() == Route::Home).then(|| recent_list(changes))
    })
}

fn recent_list(changes: Followed<u32>) -> Option<Element> {
    let games = OpenGame::all();
    let item = move |game: OpenGame| {
        let (summary, address) = (game.summary().to_owned(), game.route().to_string());
        let turn = if game.is_turn() { format!("{} · ", say("Your turn")) } else { String::new() };
        let label = say_with("Remove {table}", &[("table", &summary)]);
        let removed = game.clone();
        let link = html("a").attribute("href", &address).on_click(move || game.choose());
        let remove = plain_button("small").attribute("aria-label", &label).on_click(move || {
            removed.forget();
            changes.update(|changes| *changes += 1);
        });
        html("li").child(link.child(turn).child(summary)).child(remove.child("×"))
    };
    (!games.is_empty()).then(|| {
        let heading = html("h2").attribute("id", "recent-heading").child(say("Your tables"));
        let played = html("a").attribute("href", &Route::History.to_string());
        html("section")
            .class("recent")
            .attribute("aria-labelledby", "recent-heading")
            .child(heading)
            .child(html("ul").child(View::list(games.into_iter().map(item))))
            .child(html("p").child(played.child(say("Games that you have played"))))
    })
}
