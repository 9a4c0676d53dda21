//! The panel that explains a move: one sentence first, and its b-threads for those who unfold them.

use game::AwakeThread;
use reactive_graph::owner::on_cleanup;

use super::followed::{Derived, Followed, effect};
use super::reactive::{dynamic, plain_button, rule_sentence, text};
use super::session_handle::SessionHandle;
use super::view::{Element, View, html, input_of};
use crate::browser::{element, next_frame};
use crate::explanation::{ExplanationPanel, ThreadFamily};
use crate::language::{say, say_count, say_with};
use crate::rules_link;

/// A family with this many b-threads is folded up.
const MANY: usize = 4;

/// The panel of a table. It shows the move that led to the position on the board.
pub(crate) fn panel(handle: SessionHandle, is_open: Followed<bool>) -> Element {
    let step = Derived::new(move || handle.step());
    let panel = Derived::new(move || handle.explanation(step.get()));
    effect(move || {
        if let Some(panel) = panel.try_get() {
            handle.reason_squares.set(panel.reason_squares);
        }
    });
    on_cleanup(move || handle.reason_squares.set(Vec::new()));
    focus_panel();
    let close = plain_button("small").attribute("aria-label", &say("Close"));
    let close = close.on_click(move || self::close(handle, is_open)).child("×");
    let head = html("div")
        .class("why-head")
        .child(html("h2").child(text(move || panel.get().title)))
        .child(close);
    let families = dynamic(move || {
        let game = handle.screen(|screen| screen.game_name.clone());
        let to_text = |thread: &str| rules_link::to_thread(&game, thread);
        let families = panel.get().families.into_iter();
        View::list(families.map(|each| family(each, &to_text)))
    });
    let detail = html("p")
        .child(dynamic(move || rule_sentence(panel.get().detail)))
        .child(" ")
        .child(text(move || panel.get().decision));
    let behind = html("details")
        .class("behind")
        .child(html("summary").child(say("The b-threads behind it")))
        .child(detail)
        .child(dynamic(move || alternatives(&panel.get())))
        .child(html("div").class("families").child(families));
    let sentence = dynamic(move || rule_sentence(panel.get().sentence));
    let aside = html("aside").class("why").attribute("id", "why-panel");
    let aside = aside.attribute("aria-label", &say("Why")).attribute("tabindex", "-1");
    aside
        .child(head)
        .child(html("p").class("why-sentence").child(sentence))
        .child(behind)
        .child(slider(handle))
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
    next_frame(|| {
        if let Some(panel) = element("why-panel") {
            drop(panel.focus());
        }
    });
}

/// Walks through the moves of the round, on the board and in the panel.
pub(crate) fn slider(handle: SessionHandle) -> Element {
    let ply = Derived::new(move || handle.screen(|screen| screen.ply as usize));
    let step = Derived::new(move || handle.step());
    let arrow = |label: String, sign: &str, act: Box<dyn Fn()>| {
        let button = html("button").attribute("type", "button").attribute("aria-label", &label);
        button.on_click(act).child(sign)
    };
    let back = move || handle.go_to(step.get_untracked().saturating_sub(1));
    let forward = move || handle.go_to(step.get_untracked() + 1);
    // Drawn as a whole: a value above the greatest one of before would be cut.
    let range = dynamic(move || {
        html("input")
            .attribute("type", "range")
            .attribute("min", "0")
            .number("max", ply.get())
            .value(&step.get().to_string())
            .attribute("aria-label", &say("Move of this round"))
            .attribute("aria-valuetext", &place(step.get(), ply.get()))
            .on("input", move |event| {
                if let Some(step) = input_of(&event).and_then(|input| input.value().parse().ok()) {
                    handle.go_to(step);
                }
            })
    });
    html("div")
        .class("step")
        .child(arrow(say("One move back"), "‹", Box::new(back)))
        .child(range)
        .child(arrow(say("One move forward"), "›", Box::new(forward)))
}

/// The b-threads that wanted another move.
fn alternatives(panel: &ExplanationPanel) -> Option<Element> {
    let alternatives = panel.alternatives.clone();
    let number = alternatives.len();
    let heading = say_count(
        "{count} b-thread wanted another move|{count} b-threads wanted another move",
        number,
    );
    (number > 0).then(|| {
        let list = View::list(alternatives.into_iter().map(alternative));
        let details = html("details").class("alternatives").flag("open", number <= MANY);
        details.child(html("summary").child(heading)).child(html("ul").child(list))
    })
}

/// One b-thread that wanted another move.
fn alternative((thread, wanted, lost_to): (String, String, String)) -> Element {
    let gaps = [("thread", thread.as_str()), ("move", &wanted), ("others", &lost_to)];
    let sentence = if lost_to.is_empty() {
        say_with("{thread} wanted {move}", &gaps)
    } else {
        say_with("{thread} wanted {move}, but lost to {others}", &gaps)
    };
    html("li").child(sentence)
}

/// Where the slider stands.
fn place(step: usize, ply: usize) -> String {
    let (step, ply) = (step.to_string(), ply.to_string());
    say_with("after {step} of {ply} moves", &[("step", &step), ("ply", &ply)])
}

/// The link to the text of a b-thread, if there is one.
type ToText<'a> = &'a dyn Fn(&str) -> Option<String>;

/// The b-threads of a family, and what each does.
pub(crate) fn family(family: ThreadFamily, to_text: ToText<'_>) -> View {
    let ThreadFamily { name, is_strategy, is_selected, threads } = family;
    let kind = match (is_selected, is_strategy) {
        (true, _) => say("selected"),
        (false, true) => say("strategy"),
        (false, false) => say("rule"),
    };
    let class = if is_selected { "bt selected" } else { "bt" };
    if threads.len() < MANY {
        return View::list(threads.into_iter().map(|thread| {
            let name = html("div").class(class).child(named(&thread.thread, to_text));
            name.child(rank(kind.clone())).child(chips(&thread))
        }));
    }
    let summary = html("summary")
        .child(html("code").child(name))
        .child(rank(format!("{} · {kind}", threads.len())));
    let members = View::list(threads.into_iter().map(|thread| {
        html("div").class("member").child(named(&thread.thread, to_text)).child(chips(&thread))
    }));
    html("details").class(class).child(summary).child(members).into()
}

fn rank(words: String) -> Element {
    html("span").class("rank").child(words)
}

/// The name of a b-thread, which leads to its text in the lab where there is one. The table stays open.
fn named(thread: &str, to_text: ToText<'_>) -> Element {
    let name = html("code").child(thread);
    match to_text(thread) {
        Some(link) => {
            let link = html("a").attribute("href", &link).attribute("target", "_blank");
            link.attribute("title", &say("Its text, in the lab")).child(name)
        }
        None => name,
    }
}

fn chips(thread: &AwakeThread) -> Element {
    let listed = |events: &[String]| {
        let shown: Vec<&str> = events.iter().take(4).map(String::as_str).collect();
        let more = if events.len() > 4 { " …" } else { "" };
        format!("{}{more}", shown.join(", "))
    };
    let chip = |class: &'static str, sentence: String, events: &[String]| {
        (!events.is_empty()).then(|| html("span").class(class).child(sentence))
    };
    let requests = say_with("requests {events}", &[("events", &listed(&thread.requests))]);
    let waits = say_with("waits for {events}", &[("events", &listed(&thread.waits))]);
    let blocks = say_with("blocks {events}", &[("events", &listed(&thread.blocks))]);
    html("div")
        .class("chips")
        .child(chip("chip request", requests, &thread.requests))
        .child(chip("chip wait", waits, &thread.waits))
        .child(chip("chip block-set", blocks, &thread.blocks))
}
