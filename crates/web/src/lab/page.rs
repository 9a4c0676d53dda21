//! The lab in a browser.

mod chooser;
mod downloads;
mod friend;
mod keys;
mod prover;
mod screen;
mod zoom;

use std::cell::RefCell;
use std::rc::Rc;

use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::{
    DragEvent, Element, Event, File, HtmlInputElement, HtmlSelectElement, KeyboardEvent,
};

use self::chooser::MoveChooser;
use self::prover::Prover;
use self::screen::LabScreen;
use self::zoom::Zoom;
use super::messages::{read_lessons, read_saved, write_lessons, write_saved};
use super::search::MoveRequest;
use super::spoken::know_keys;
use super::state::{Lab, LabEffect, LabStorage};
use crate::browser::{
    StorageArea, catalogue_keys, document, element, now, random, speak_as_document, window,
};

/// The lab and its parts in the browser.
struct LabPage {
    lab: RefCell<Lab>,
    screen: RefCell<LabScreen>,
    prover: RefCell<Prover>,
    chooser: RefCell<MoveChooser>,
    zoom: Rc<Zoom>,
}

/// The name of the saved texts in the browser's storage.
const SAVED: &str = "lab-texts";

/// The name of what is done of the lessons there.
const LESSONS: &str = "lab-lessons";

/// Starts the lab in the document.
pub fn start() {
    std::panic::set_hook(Box::new(|panic| report_crash(&panic.to_string())));
    speak_as_document();
    know_keys(catalogue_keys());
    let fragment = window().location().hash().unwrap_or_default();
    let kept = LabStorage {
        saved: read_saved(&StorageArea::Site.read_text(SAVED).unwrap_or_default()),
        lessons: read_lessons(&StorageArea::Site.read_text(LESSONS).unwrap_or_default()),
    };
    let (lab, effects) = Lab::open(&fragment, u64::from_le_bytes(random()), kept);
    let page = Rc::new_cyclic(|own: &std::rc::Weak<LabPage>| {
        let own = std::rc::Weak::clone(own);
        let prover = Prover::new(move |id, answer| {
            if let Some(page) = own.upgrade() {
                page.hear(id, answer);
            }
        });
        LabPage {
            lab: RefCell::new(lab),
            screen: RefCell::new(LabScreen::default()),
            prover: RefCell::new(prover),
            chooser: RefCell::default(),
            zoom: Zoom::new(),
        }
    });
    page.perform(effects);
    page.listen();
    // Tests and measurements wait for it.
    if let Some(root) = document().document_element() {
        drop(root.set_attribute("data-ready", "yes"));
    }
}

/// Tells the person that the lab has crashed.
fn report_crash(message: &str) {
    web_sys::console::error_1(&JsValue::from_str(message));
    if let (Some(body), Some(notice)) = (document().body(), element("crashed")) {
        drop(body.set_attribute("data-page", "problem"));
        drop(notice.remove_attribute("hidden"));
    }
}

impl LabPage {
    /// Does something with the lab, and shows what has changed.
    fn change(self: &Rc<Self>, act: impl FnOnce(&mut Lab) -> Vec<LabEffect>) {
        let effects = act(&mut self.lab.borrow_mut());
        self.perform(effects);
    }

    fn perform(self: &Rc<Self>, effects: Vec<LabEffect>) {
        // What a panel shows of the text must not stand beside another text.
        for effect in &effects {
            if let LabEffect::ReplaceText(text) = effect {
                screen::replace_text(text);
            }
        }
        self.show();
        for effect in effects {
            self.perform_one(effect);
        }
    }

    fn show(&self) {
        self.screen.borrow_mut().show(&self.lab.borrow());
        self.zoom.apply();
    }

    fn perform_one(self: &Rc<Self>, effect: LabEffect) {
        match effect {
            LabEffect::ReplaceText(_) => {}
            LabEffect::Prove(request) => {
                let is_asked = self.prover.borrow_mut().ask(request, now().monotonic);
                if is_asked {
                    self.hurry_later();
                } else {
                    self.lab.borrow_mut().hear_nothing();
                    self.show();
                }
            }
            LabEffect::StopProof => self.prover.borrow_mut().stop(),
            LabEffect::Select(start, end) => screen::select(start, end),
            LabEffect::Type(typed) => screen::type_in_text(&typed),
            LabEffect::Focus(id) => screen::focus(&id),
            LabEffect::Share(fragment) => self.share(&fragment),
            LabEffect::CreateTable(rules) => friend::create_table(self, rules),
            LabEffect::ReadTable(id, round) => friend::read_table(self, id, round),
            LabEffect::Choose(request) => self.choose(&request),
            LabEffect::Download(name, kind, contents) => downloads::offer(&name, kind, &contents),
            LabEffect::DownloadPng(name, picture) => downloads::offer_png(&name, &picture),
            LabEffect::Announce(sentence) => screen::announce(&sentence),
            LabEffect::Store(saved) => StorageArea::Site.write_text(SAVED, write_saved(&saved)),
            LabEffect::StoreLessons(done) => {
                StorageArea::Site.write_text(LESSONS, write_lessons(&done));
            }
        }
    }

    /// Lets the worker choose a move.
    fn choose(self: &Rc<Self>, request: &MoveRequest) {
        let is_asked = self.chooser.borrow_mut().ask(self, request.clone());
        if !is_asked {
            let no_worker = self.lab.borrow().words().no_worker;
            self.change(|lab| lab.hear_move(request, Err(no_worker.to_owned())));
        }
    }

    /// Does not wait for an old question for ever.
    fn hurry_later(self: &Rc<Self>) {
        let page = Rc::clone(self);
        let hurry = Closure::once_into_js(move || page.prover.borrow_mut().hurry());
        let patience = i32::try_from(prover::PATIENCE).unwrap_or(0);
        let callback = hurry.unchecked_ref();
        drop(window().set_timeout_with_callback_and_timeout_and_arguments_0(callback, patience));
    }

    fn hear(self: &Rc<Self>, id: u32, answer: crate::worker::WorkerAnswer) {
        let is_last = !matches!(answer, crate::worker::WorkerAnswer::Progress(_));
        let now = now().monotonic;
        let Some(asked) = self.prover.borrow_mut().heard(id, is_last) else { return };
        self.change(|lab| lab.hear(answer, now.saturating_sub(asked)));
    }

    /// Puts the text into the address and copies the link.
    fn share(self: &Rc<Self>, fragment: &str) {
        let history = window().history().expect("a window has a history");
        let address = format!("/lab#{fragment}");
        drop(history.replace_state_with_url(&JsValue::NULL, "", Some(&address)));
        let link = window().location().href().unwrap_or_default();
        let words = self.lab.borrow().words();
        let copied = window().navigator().clipboard().write_text(&link);
        spawn_local(async move {
            let is_copied = JsFuture::from(copied).await.is_ok();
            screen::announce(if is_copied { words.link_copied } else { words.link_ready });
        });
    }

    fn listen(self: &Rc<Self>) {
        self.zoom.listen();
        follow_links();
        self.on("input", |page, event: &Event| page.input(event));
        self.on("click", |page, event: &Event| page.click(event));
        self.on("change", |page, event: &Event| page.select(event));
        self.on("keydown", |page, event: &KeyboardEvent| keys::press(page, event));
        self.on("dragover", |_, event: &DragEvent| event.prevent_default());
        self.on("drop", |page, event: &DragEvent| {
            event.prevent_default();
            let files = event.data_transfer().and_then(|data| data.files());
            if let Some(file) = files.and_then(|files| files.get(0)) {
                page.open_file(file);
            }
        });
    }

    /// Calls a function at every event of a kind, for as long as the page lives.
    fn on<E: JsCast + AsRef<JsValue> + 'static>(
        self: &Rc<Self>,
        name: &str,
        act: impl Fn(&Rc<Self>, &E) + 'static,
    ) {
        let page = Rc::clone(self);
        let listener = Closure::<dyn FnMut(Event)>::new(move |event: Event| {
            act(&page, event.unchecked_ref());
        });
        let callback = listener.as_ref().unchecked_ref();
        drop(document().add_event_listener_with_callback(name, callback));
        listener.forget();
    }

    /// The text has changed.
    fn input(self: &Rc<Self>, event: &Event) {
        if target(event).is_some_and(|target| target.id() == screen::TEXT_AREA) {
            let text = screen::text();
            self.change(|lab| lab.change_text(&text));
        }
    }

    fn click(self: &Rc<Self>, event: &Event) {
        let zoom = target(event).and_then(|target| target.get_attribute("data-zoom"));
        if let Some(way) = zoom {
            return self.zoom.press(&way);
        }
        let jump = target(event).and_then(|target| target.get_attribute("data-jump"));
        if let Some(part) = jump.and_then(|id| element(&id)) {
            return part.scroll_into_view();
        }
        let target = target(event).and_then(|target| target.closest("[data-do]").ok().flatten());
        if let Some(target) = target {
            self.act(&target);
        }
    }

    /// Does what a button says.
    fn act(self: &Rc<Self>, button: &Element) {
        let action = button.get_attribute("data-do").unwrap_or_default();
        let mut value = button.get_attribute("data-value").unwrap_or_default();
        if let Some(field) = button.get_attribute("data-from").and_then(|id| element(&id)) {
            let written = field.dyn_into::<HtmlInputElement>().map(|field| field.value());
            let between = if value.is_empty() { "" } else { "\n" };
            value = format!("{value}{between}{}", written.unwrap_or_default());
        }
        self.change(|lab| lab.act(&action, &value));
    }

    fn select(self: &Rc<Self>, event: &Event) {
        let Some(target) = target(event) else { return };
        if let Some(file) = target.dyn_ref::<HtmlInputElement>().and_then(HtmlInputElement::files) {
            if let Some(file) = file.get(0) {
                self.open_file(file);
            }
            return;
        }
        let action = target.get_attribute("data-change");
        if let (Some(action), Some(field)) = (&action, target.dyn_ref::<HtmlInputElement>()) {
            return self.change(|lab| lab.act(action, &field.value()));
        }
        if let (Some(action), Some(menu)) = (action, target.dyn_ref::<HtmlSelectElement>()) {
            let value = menu.value();
            // A menu of texts can be asked for the same text again.
            if !action.starts_with("seat-") {
                menu.set_value("");
            }
            self.change(|lab| lab.act(&action, &value));
        }
    }

    /// Opens a file that was chosen or dropped.
    fn open_file(self: &Rc<Self>, file: File) {
        let words = self.lab.borrow().words();
        if file.size() > MOST_BYTES {
            return screen::announce(words.too_large);
        }
        let page = Rc::clone(self);
        spawn_local(async move {
            if let Ok(text) = JsFuture::from(file.text()).await {
                let text = text.as_string().unwrap_or_default();
                page.change(|lab| lab.act("open", &text));
            }
        });
    }
}

/// A link that is opened in this tab opens what it names.
fn follow_links() {
    let reload = Closure::<dyn FnMut()>::new(|| {
        let fragment = window().location().hash().unwrap_or_default();
        if ["#text=", "#game=", "#table="].iter().any(|kind| fragment.starts_with(kind)) {
            drop(window().location().reload());
        }
    });
    let callback = reload.as_ref().unchecked_ref();
    drop(window().add_event_listener_with_callback("hashchange", callback));
    reload.forget();
}

/// The most bytes of a file.
const MOST_BYTES: f64 = 65_536.0;

fn target(event: &Event) -> Option<Element> {
    event.target().and_then(|target| target.dyn_into().ok())
}

impl std::fmt::Debug for LabPage {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("LabPage").field("lab", &self.lab).finish_non_exhaustive()
    }
}
