//! What stands above a table whose rules are a text.

use leptos::prelude::*;
use leptos::task::spawn_local;
use table::wire::TableRules;

use super::followed::{Derived, Followed};
use super::reactive::{dynamic, text};
use super::rules_why::why;
use super::session_handle::SessionHandle;
use crate::browser::get;
use crate::language::say;
use crate::screen::RulesSource;

/// Says where the rules come from, shows them, and opens them in the lab. Nothing, if the page knows
/// them.
pub(crate) fn rules_note(handle: SessionHandle, id: String) -> AnyView {
    let source = Derived::new(move || handle.screen(|screen| screen.rules_source));
    let view = dynamic(move || {
        let sentence = match source.get() {
            RulesSource::BuiltIn => return None,
            RulesSource::Text => say("The rules of this game are a text."),
            RulesSource::Player => {
                say("A player wrote the rules of this game. Read them before you sit down.")
            }
        };
        let lab = format!("/lab#table={id}");
        Some(view! {
            <section class="card rules-note" aria-label=say("The rules of this game")>
                <p>{sentence}</p>
                {rules(id.clone())}
                <div class="actions">
                    <a class="button" href=lab>{say("Open these rules in the lab")}</a>
                    {why(handle, id.clone())}
                </div>
            </section>
        })
    });
    view.into_any()
}

/// The text, which is read when somebody opens it.
fn rules(id: String) -> AnyView {
    let shown = Followed::new(None::<String>);
    let read = move |_| {
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
    view! {
        <details class="rules-text" on:toggle=read>
            <summary>{say("Read the rules")}</summary>
            <pre tabindex="0" dir="ltr" translate="no">{text(move || shown.get().unwrap_or_default())}</pre>
        </details>
    }
    .into_any()
}
