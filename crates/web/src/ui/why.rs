//! The panel that says why.

use game::AwakeThread;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::HtmlInputElement;

use super::live::{part, text};
use super::seated::Seated;
use crate::browser::by_id;
use crate::why::{Family, Panel};

/// From how many b-threads on a family is folded up.
const MANY: usize = 4;

/// The b-threads behind the game, step by step.
pub(crate) fn panel(seated: Seated, is_open: RwSignal<bool>) -> AnyView {
    let ply = Memo::new(move |_| seated.scene(|scene| scene.ply as usize));
    let round = Memo::new(move |_| seated.scene(|scene| scene.round));
    let chosen = RwSignal::new(None::<usize>);
    // It follows the game until a step is chosen, and again from the next round on.
    Effect::new(move |_| {
        round.track();
        chosen.set(None);
    });
    let step = Memo::new(move |_| chosen.get().unwrap_or(usize::MAX).min(ply.get()));
    let panel = Memo::new(move |_| seated.panel(step.get()));
    let go = move |to: usize| chosen.set((to < ply.get_untracked()).then_some(to));
    view! {
        <aside class="why" aria-label="Why">
            <div class="why-head">
                <h2>{text(move || panel.get().title)}</h2>
                <button type="button" class="small" aria-label="Close" on:click=move |_| {
                    is_open.set(false);
                    if let Some(button) = by_id("why") {
                        drop(button.focus());
                    }
                }>"×"</button>
            </div>
            <p>{text(move || panel.get().sentence)}</p>
            {part(move || alternatives(&panel.get()))}
            <div class="families">
                {part(move || panel.get().families.into_iter().map(family).collect_view())}
            </div>
            <div class="step">
                <button type="button" aria-label="One move back" on:click=move |_| go(step.get_untracked().saturating_sub(1))>"‹"</button>
                <input
                    type="range"
                    min="0"
                    max=text(move || ply.get().to_string())
                    prop:value=text(move || step.get().to_string())
                    aria-label="Move of this round"
                    aria-valuetext=text(move || panel.get().title)
                    on:input=move |event| {
                        let input = event.target().and_then(|target| target.dyn_into::<HtmlInputElement>().ok());
                        if let Some(to) = input.and_then(|input| input.value().parse().ok()) {
                            go(to);
                        }
                    }
                />
                <button type="button" aria-label="One move forward" on:click=move |_| go(step.get_untracked() + 1)>"›"</button>
            </div>
        </aside>
    }
    .into_any()
}

/// Who would have gone elsewhere.
fn alternatives(panel: &Panel) -> Option<AnyView> {
    let others = panel.alternatives.clone();
    let number = others.len();
    (number > 0).then(|| view! {
        <details class="elsewhere" open=number <= MANY>
            <summary>{format!("{} would have gone elsewhere", count(number))}</summary>
            <ul>
                {others.into_iter().map(|(thread, wanted, lost_to)| view! {
                    <li>
                        <code>{thread}</code>" wanted " <b>{wanted}</b>
                        {(!lost_to.is_empty()).then(|| view! { ", and lost to " <code>{lost_to}</code> })}
                    </li>
                }).collect_view()}
            </ul>
        </details>
    }.into_any())
}

fn count(threads: usize) -> String {
    if threads == 1 { "1 b-thread".to_owned() } else { format!("{threads} b-threads") }
}

fn family(family: Family) -> AnyView {
    let Family { name, is_strategy, is_heard, threads } = family;
    let kind = match (is_heard, is_strategy) {
        (true, _) => "heard",
        (false, true) => "strategy",
        (false, false) => "rule",
    };
    let class = if is_heard { "bt heard" } else { "bt" };
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
            {chip("ask", "requests", &thread.requests)}
            {chip("wait", "waits for", &thread.waits)}
            {chip("block", "blocks", &thread.blocks)}
        </div>
    }
    .into_any()
}
