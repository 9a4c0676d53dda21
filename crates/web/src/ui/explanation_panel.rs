//! The panel that explains a move: one sentence first, and its b-threads for those who unfold them.

use game::AwakeThread;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::HtmlInputElement;

use super::followed::{Derived, Followed, effect};
use super::reactive::{dynamic, pressed, rule_sentence, text};
use super::session_handle::SessionHandle;
use crate::browser::element;
use crate::explanation::{ExplanationPanel, ThreadFamily};
use crate::language::{say, say_count, say_with};
use crate::rules_link;

/// A family with this many b-threads is folded up.
const MANY: usize = 4;

/// The panel of a table. It shows the move that led to the position on the board.
pub(crate) fn panel(handle: SessionHandle, is_open: Followed<bool>) -> AnyView {
    let step = Derived::new(move || handle.step());
    let panel = Derived::new(move || handle.explanation(step.get()));
    effect(move || {
        if let Some(panel) = panel.try_get() {
            handle.reason_squares.set(panel.reason_squares);
        }
    });
    on_cleanup(move || handle.reason_squares.set(Vec::new()));
    focus_panel();
    view! {
        <aside class="why" id="why-panel" aria-label=say("Why") tabindex="-1">
            <div class="why-head">
                <h2>{text(move || panel.get().title)}</h2>
                <button type="button" class="small" aria-label=say("Close") on:click=pressed(move |_| close(handle, is_open))>"×"</button>
            </div>
            <p class="why-sentence">{dynamic(move || rule_sentence(panel.get().sentence))}</p>
            <details class="behind">
                <summary>{say("The b-threads behind it")}</summary>
                <p>{dynamic(move || rule_sentence(panel.get().detail))}" "{text(move || panel.get().decision)}</p>
                {dynamic(move || alternatives(&panel.get()))}
                <div class="families">
                    {dynamic(move || {
                        let game = handle.screen(|screen| screen.game_name.clone());
                        let to_text = |thread: &str| rules_link::to_thread(&game, thread);
                        let families = panel.get().families.into_iter();
                        families.map(|each| family(each, &to_text)).collect_view()
                    })}
                </div>
            </details>
            {slider(handle)}
        </aside>
    }
    .into_any()
}

/// Closes the panel, and shows the present position.
pub(crate) fn close(handle: SessionHandle, is_open: Followed<bool>) {
    is_open.set(false);
    handle.go_to_present();
    if let Some(button) = element("why") {
        drop(button.focus());
    }
}

fn focus_panel() {
    request_animation_frame(|| {
        if let Some(panel) = element("why-panel") {
            drop(panel.focus());
        }
    });
}

/// Walks through the moves of the round, on the board and in the panel.
pub(crate) fn slider(handle: SessionHandle) -> AnyView {
    let ply = Derived::new(move || handle.screen(|screen| screen.ply as usize));
    let step = Derived::new(move || handle.step());
    view! {
        <div class="step">
            <button type="button" aria-label=say("One move back") on:click=pressed(move |_| handle.go_to(step.get_untracked().saturating_sub(1)))>"‹"</button>
            <input
                type="range"
                min="0"
                max=text(move || ply.get().to_string())
                prop:value=text(move || step.get().to_string())
                aria-label=say("Move of this round")
                aria-valuetext=text(move || place(step.get(), ply.get()))
                on:input=move |event| {
                    let input = event.target().and_then(|target| target.dyn_into::<HtmlInputElement>().ok());
                    if let Some(step) = input.and_then(|input| input.value().parse().ok()) {
                        handle.go_to(step);
                    }
                }
            />
            <button type="button" aria-label=say("One move forward") on:click=pressed(move |_| handle.go_to(step.get_untracked() + 1))>"›"</button>
        </div>
    }
    .into_any()
}

/// The b-threads that wanted another move.
fn alternatives(panel: &ExplanationPanel) -> Option<AnyView> {
    let alternatives = panel.alternatives.clone();
    let number = alternatives.len();
    let heading = say_count(
        "{count} b-thread wanted another move|{count} b-threads wanted another move",
        number,
    );
    (number > 0).then(|| {
        view! {
            <details class="alternatives" open=number <= MANY>
                <summary>{heading}</summary>
                <ul>
                    {alternatives.into_iter().map(alternative).collect_view()}
                </ul>
            </details>
        }
        .into_any()
    })
}

/// One b-thread that wanted another move.
fn alternative((thread, wanted, lost_to): (String, String, String)) -> AnyView {
    let gaps = [("thread", thread.as_str()), ("move", &wanted), ("others", &lost_to)];
    let sentence = if lost_to.is_empty() {
        say_with("{thread} wanted {move}", &gaps)
    } else {
        say_with("{thread} wanted {move}, but lost to {others}", &gaps)
    };
    view! { <li>{sentence}</li> }.into_any()
}

/// Where the slider stands.
fn place(step: usize, ply: usize) -> String {
    let (step, ply) = (step.to_string(), ply.to_string());
    say_with("after {step} of {ply} moves", &[("step", &step), ("ply", &ply)])
}

/// The link to the text of a b-thread, if there is one.
type ToText<'a> = &'a dyn Fn(&str) -> Option<String>;

/// The b-threads of a family, and what each does.
pub(crate) fn family(family: ThreadFamily, to_text: ToText<'_>) -> AnyView {
    let ThreadFamily { name, is_strategy, is_selected, threads } = family;
    let kind = match (is_selected, is_strategy) {
        (true, _) => say("selected"),
        (false, true) => say("strategy"),
        (false, false) => say("rule"),
    };
    let class = if is_selected { "bt selected" } else { "bt" };
    if threads.len() < MANY {
        return threads
            .into_iter()
            .map(|thread| {
                view! {
                    <div class=class>
                        {named(&thread.thread, to_text)}
                        <span class="rank">{kind.clone()}</span>
                        {chips(&thread)}
                    </div>
                }
            })
            .collect_view()
            .into_any();
    }
    view! {
        <details class=class>
            <summary>
                <code>{name}</code>
                <span class="rank">{format!("{} · {kind}", threads.len())}</span>
            </summary>
            {threads.into_iter().map(|thread| view! {
                <div class="member">{named(&thread.thread, to_text)}{chips(&thread)}</div>
            }).collect_view()}
        </details>
    }
    .into_any()
}

/// The name of a b-thread, which leads to its text in the lab where there is one. The table stays open.
fn named(thread: &str, to_text: ToText<'_>) -> AnyView {
    let name = view! { <code>{thread.to_owned()}</code> };
    match to_text(thread) {
        Some(link) => {
            view! { <a href=link target="_blank" title=say("Its text, in the lab")>{name}</a> }
                .into_any()
        }
        None => name.into_any(),
    }
}

fn chips(thread: &AwakeThread) -> AnyView {
    let listed = |events: &[String]| {
        let shown: Vec<&str> = events.iter().take(4).map(String::as_str).collect();
        let more = if events.len() > 4 { " …" } else { "" };
        format!("{}{more}", shown.join(", "))
    };
    let chip = |class: &'static str, sentence: String, events: &[String]| {
        let class = format!("chip {class}");
        (!events.is_empty()).then(|| view! { <span class=class>{sentence}</span> })
    };
    let requests = say_with("requests {events}", &[("events", &listed(&thread.requests))]);
    let waits = say_with("waits for {events}", &[("events", &listed(&thread.waits))]);
    let blocks = say_with("blocks {events}", &[("events", &listed(&thread.blocks))]);
    view! {
        <div class="chips">
            {chip("request", requests, &thread.requests)}
            {chip("wait", waits, &thread.waits)}
            {chip("block-set", blocks, &thread.blocks)}
        </div>
    }
    .into_any()
}
