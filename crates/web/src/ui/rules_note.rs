//! What stands above a table whose rules are a text.

use table::wire::TableRules;
use wasm_bindgen_futures::spawn_local;

use super::followed::{Derived, Followed};
use super::reactive::{button_link, dynamic, text};
use super::rules_why::why;
use super::session_handle::SessionHandle;
use super::view::{View, html};
use crate::browser::get;
use crate::language::say;
use crate::screen::RulesSource;

/// Says where the rules come from, shows them, and opens them in the lab. Nothing, if the page knows
/// them.
pub(crate) fn rules_note(handle: SessionHandle, id: String) -> View {
    let source = Derived::new(move || handle.screen(|screen| screen.rules_source));
    dynamic(move || {
        let sentence = match source.get() {
            RulesSource::BuiltIn => return None,
            RulesSource::Text => say("The rules of this game are a text."),
            RulesSource::Player => {
                say("A player wrote the rules of this game. Read them before you sit down.")
            }
        };
        let open = button_link(&format!("/lab#table={id}"), say("Open these rules in the lab"));
        let card = html("section").class("card rules-note");
        let card = card.attribute("aria-label", &say("The rules of this game"));
        let card = card.child(html("p").child(sentence)).child(rules(id.clone()));
        Some(card.child(html("div").class("actions").child(open).child(why(handle, id.clone()))))
    })
}

/// The text, which is read when somebody opens it.
fn rules(id: String) -> View {
    let shown = Followed::new(None::<String>);
    let read = move |_event| {
        if shown.get_untracked().is_some() {
            return;
        }
        shown.set(Some(say("Reading …")));
        let path = format!("/api/tables/{id}/rules");
        spawn_local(async move {
            let rules = get::<TableRules>(&path).await.map(|rules| rules.text);
            let words = rules.unwrap_or_else(|_| say("They cannot be read now. Reload the page."));
            shown.set(Some(words));
        });
    };
    let words = html("pre").attribute("tabindex", "0").attribute("dir", "ltr");
    let words = words.attribute("translate", "no");
    html("details")
        .class("rules-text")
        .on("toggle", read)
        .child(html("summary").child(say("Read the rules")))
        .child(words.child(text(move || shown.get().unwrap_or_default())))
        .into()
}
