//! The panel that explains a move by its b-threads.

use game::AwakeThread;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::HtmlInputElement;

use super::reactive::{dynamic, text};
use super::session_handle::SessionHandle;
use crate::browser::element;
use crate::explanation::{ExplanationPanel, ThreadFamily};

/// A family with this many b-threads is folded up.
const MANY: usize = 4;

/// The b-threads of the round, step by step.
pub(crate) fn panel(handle: SessionHandle, is_open: RwSignal<bool>) -> AnyView {
    let ply = Memo::new(move |_| handle.screen(|screen| screen.ply as usize));
    let round = Memo::new(move |_| handle.screen(|screen| screen.round));
    let chosen_step = RwSignal::new(None::<usize>);
    // The panel follows the game until the person chooses a step, and again from the next round on.
    Effect::new(move |_| {
        round.track();
        chosen_step.set(None);
    });
    let step = Memo::new(move |_| chosen_step.get().unwrap_or(usize::MAX).min(ply.get()));
    let panel = Memo::new(move |_| handle.explanation(step.get()));
    let go_to = move |step: usize| chosen_step.set((step < ply.get_untracked()).then_some(step));
    view! {
        <aside class="why" aria-label="Why">
            <div class="why-head">
                <h2>{text(move || panel.get().title)}</h2>
                <button type="button" class="small" aria-label="Close" on:click=move |_| {
                    is_open.set(false);
                    if let Some(button) = element("why") {
                        drop(button.focus());
                    }
                }>"×"</button>
            </div>
            <p>{text(move || panel.get().sentence)}</p>
            {dynamic(move || alternatives(&panel.get()))}
            <div class="families">
                {dynamic(move || panel.get().families.into_iter().map(family).collect_view())}
            </div>
            <div class="step">
                <button type="button" aria-label="One move back" on:click=move |_| go_to(step.get_untracked().saturating_sub(1))>"‹"</button>
                <input
                    type="range"
                    min="0"
                    max=text(move || ply.get().to_string())
                    prop:value=text(move || step.get().to_string())
                    aria-label="Move of this round"
                    aria-valuetext=text(move || panel.get().title)
                    on:input=move |event| {
                        let input = event.target().and_then(|target| target.dyn_into::<HtmlInputElement>().ok());
                        if let Some(step) = input.and_then(|input| input.value().parse().ok()) {
                            go_to(step);
                        }
                    }
                />
                <button type="button" aria-label="One move forward" on:click=move |_| go_to(step.get_untracked() + 1)>"›"</button>
            </div>
        </aside>
    }
    .into_any()
}

/// The b-threads that wanted another move.
fn alternatives(panel: &ExplanationPanel) -> Option<AnyView> {
    let alternatives = panel.alternatives.clone();
    let number = alternatives.len();
    let threads = if number == 1 { "b-thread" } else { "b-threads" };
    (number > 0).then(|| view! {
        <details class="alternatives" open=number <= MANY>
            <summary>{format!("{number} {threads} wanted another move")}</summary>
            <ul>
                {alternatives.into_iter().map(|(thread, wanted, lost_to)| view! {
                    <li>
                        <code>{thread}</code>" wanted " <b>{wanted}</b>
                        {(!lost_to.is_empty()).then(|| view! { ", but lost to " <code>{lost_to}</code> })}
                    </li>
                }).collect_view()}
            </ul>
        </details>
    }.into_any())
}

fn family(family: ThreadFamily) -> AnyView {
    let ThreadFamily { name, is_strategy, is_selected, threads } = family;
    let kind = match (is_selected, is_strategy) {
        (true, _) => "selected",
        (false, true) => "strategy",
        (false, false) => "rule",
    };
    let class = if is_selected { "bt selected" } else { "bt" };
    if threads.len() < MANY {
        return threads
            .into_iter()
            .map(|thread| {
                view! {
                    <div class=class>
                        <code>{thread.thread.clone()}</code>
                        <span class="rank">{kind}</span>
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
                <div class="member"><code>{thread.thread.clone()}</code>{chips(&thread)}</div>
            }).collect_view()}
        </details>
    }
    .into_any()
}

fn chips(thread: &AwakeThread) -> AnyView {
    let chip = |class: &'static str, verb: &'static str, events: &[String]| {
        let shown: Vec<&str> = events.iter().take(4).map(String::as_str).collect();
        let more = if events.len() > 4 { " …" } else { "" };
        (!events.is_empty()).then(|| view! {
            <span class=format!("chip {class}")>{format!("{verb} {}{more}", shown.join(", "))}</span>
        })
    };
    view! {
        <div class="chips">
            {chip("request", "requests", &thread.requests)}
            {chip("wait", "waits for", &thread.waits)}
            {chip("block-set", "blocks", &thread.blocks)}
        </div>
    }
    .into_any()
}
