//! A person at a table, as the views know it: what is to be seen, and what can be done.

use std::collections::BTreeMap;
use std::time::Duration;

use game::Refusal;
use leptos::leptos_dom::helpers::{TimeoutHandle, set_timeout_with_handle};
use leptos::prelude::*;
use table::wire::Emote;

use crate::browser::{Heard, Socket, now, ticks};
use crate::kept;
use crate::scene::{Scene, Stage, objection};
use crate::sitting::{Deed, Effect as Wire, Local, Remote, Seen, Sitting, Told, Trouble};
use crate::why::Panel;
use crate::words;

/// A person at a table. It can be copied into every view.
#[derive(Clone, Copy)]
pub(crate) struct Seated {
    sitting: StoredValue<Sitting, LocalStorage>,
    /// The socket, if there is one, and a number that tells it from those before it.
    socket: StoredValue<(u32, Option<Socket>), LocalStorage>,
    alarm: StoredValue<Option<TimeoutHandle>, LocalStorage>,
    /// Where a table in this browser is kept.
    keep: StoredValue<Keep>,
    /// By how many milliseconds the clock of the server is ahead of the one here.
    ahead: StoredValue<i64>,
    scene: RwSignal<Option<Scene>>,
    /// Changes whenever the table does.
    changes: RwSignal<u64>,
    pub(crate) hint: RwSignal<Hint>,
    pub(crate) trouble: RwSignal<Option<Trouble>>,
    pub(crate) choices: RwSignal<Vec<String>>,
    /// What each seat has just said.
    pub(crate) bubbles: RwSignal<BTreeMap<u8, (u32, Emote)>>,
}

/// How a table is kept.
#[derive(Clone, Debug)]
pub(crate) enum Keep {
    /// In the browser, under this name and with this secret; what it was begun with goes with it.
    Here { key: &'static str, level: String, is_second: bool, secret: [u8; 32] },
    /// On the server, under this id.
    There { id: String },
}

/// What is to be read under the status.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Hint {
    /// What happened.
    pub(crate) news: String,
    /// What was refused: each reason, and the b-threads behind it.
    pub(crate) refused: Vec<(String, Vec<String>)>,
}

impl Seated {
    fn new(sitting: Sitting, keep: Keep) -> Self {
        let seated = Self {
            sitting: StoredValue::new_local(sitting),
            socket: StoredValue::new_local((0, None)),
            alarm: StoredValue::new_local(None),
            keep: StoredValue::new(keep),
            ahead: StoredValue::new(0),
            scene: RwSignal::new(None),
            changes: RwSignal::new(0),
            hint: RwSignal::default(),
            trouble: RwSignal::new(None),
            choices: RwSignal::new(Vec::new()),
            bubbles: RwSignal::new(BTreeMap::new()),
        };
        on_cleanup(move || seated.leave());
        seated
    }

    /// Somebody at a table in this browser.
    pub(crate) fn here(local: Local, keep: Keep) -> Self {
        let seated = Self::new(Sitting::Local(Box::new(local)), keep);
        seated.refresh();
        seated.let_computer_play();
        seated
    }

    /// Somebody at a table on the server.
    pub(crate) fn there(id: &str, kept: Option<&kept::Seat>) -> Self {
        let name = format!("p{:016x}", u64::from_be_bytes(crate::browser::random()));
        let token = kept.map(|seat| seat.token.clone());
        let (remote, effects) = Remote::new(id, token, &name, kept::unanswered(id), ticks());
        let keep = Keep::There { id: id.to_owned() };
        let seated = Self::new(Sitting::Remote(Box::new(remote)), keep);
        seated.perform(effects);
        let online = window_event_listener(leptos::ev::online, move |_| seated.look_again());
        let offline =
            window_event_listener(leptos::ev::offline, move |_| seated.heard(&Heard::Gone));
        let shown = window_event_listener(leptos::ev::focus, move |_| seated.look_again());
        // A page that the browser puts aside is not at the table, and may come back.
        let aside = window_event_listener(page_event("pagehide"), move |_| seated.step_aside());
        let back = window_event_listener(page_event("pageshow"), move |_| seated.look_again());
        on_cleanup(move || {
            for listener in [online, offline, shown, aside, back] {
                listener.remove();
            }
        });
        seated
    }

    /// What is on the screen; what nothing is known of looks empty.
    pub(crate) fn scene<T: Default>(self, look: impl FnOnce(&Scene) -> T) -> T {
        self.scene.with(|scene| scene.as_ref().map(look).unwrap_or_default())
    }

    /// The same, once.
    pub(crate) fn scene_now<T>(self, look: impl FnOnce(&Scene) -> T) -> Option<T> {
        self.scene.with_untracked(|scene| scene.as_ref().map(look))
    }

    /// Whether anything is known of the table.
    pub(crate) fn is_known(self) -> bool {
        self.scene.with(Option::is_some)
    }

    /// The b-threads after so many moves.
    pub(crate) fn panel(self, step: usize) -> Panel {
        self.changes.track();
        self.with_seen(|seen| Panel::new(seen, step)).unwrap_or_default()
    }

    fn with_seen<T>(self, look: impl FnOnce(&Seen<'_>) -> T) -> Option<T> {
        self.sitting.with_value(|sitting| match sitting {
            Sitting::Local(local) => Some(look(&local.seen())),
            Sitting::Remote(remote) => remote.seen().map(|seen| look(&seen)),
        })
    }

    /// Makes a move.
    pub(crate) fn play(self, chosen: &str) {
        self.act(Deed::play(chosen));
    }

    /// Asks which of several moves is meant.
    pub(crate) fn choose_among(self, moves: Vec<String>) {
        self.choices.set(moves);
    }

    /// Says why a move is not possible.
    pub(crate) fn ask_why(self, chosen: Option<&str>) {
        let Some(chosen) = chosen else { return };
        let refusal = self.with_seen(|seen| objection(seen, Deed::play(chosen))).flatten();
        if let Some(refusal) = refusal {
            self.refuse(&refusal);
        }
    }

    fn refuse(self, refusal: &Refusal) {
        self.hint.set(Hint { refused: words::refusal(refusal), ..Hint::default() });
    }

    /// Does something at the table.
    pub(crate) fn act(self, deed: Deed) {
        self.choices.set(Vec::new());
        self.hint.set(Hint::default());
        let done = self.sitting.try_update_value(|sitting| match sitting {
            Sitting::Local(local) => local.act(deed, now()).map(|()| Vec::new()),
            Sitting::Remote(remote) => remote.act(deed, ticks()),
        });
        match done {
            Some(Ok(effects)) => {
                self.perform(effects);
                self.let_computer_play();
            }
            Some(Err(refusal)) => self.refuse(&refusal),
            None => {}
        }
    }

    /// Says something to the others.
    pub(crate) fn emote(self, emote: Emote) {
        let effects = self.sitting.try_update_value(|sitting| match sitting {
            Sitting::Local(_) => Vec::new(),
            Sitting::Remote(remote) => remote.emote(emote, ticks()),
        });
        self.perform(effects.unwrap_or_default());
    }

    /// The computer answers as soon as the own mark is drawn.
    fn let_computer_play(self) {
        let is_here = self.sitting.with_value(|sitting| matches!(sitting, Sitting::Local(_)));
        if is_here {
            request_animation_frame(move || self.go_on());
        }
    }

    fn go_on(self) {
        let went_on = self.sitting.try_update_value(|sitting| match sitting {
            Sitting::Local(local) => local.go_on(now()),
            Sitting::Remote(_) => false,
        });
        if went_on == Some(true) {
            self.refresh();
            self.let_computer_play();
        }
    }

    /// Does what is to be done with the socket, and shows what has changed.
    fn perform(self, effects: Vec<Wire>) {
        for effect in effects {
            match effect {
                Wire::Connect => self.connect(),
                Wire::Disconnect => {
                    self.socket.try_update_value(|(_, socket)| *socket = None);
                }
                Wire::Send(text) => {
                    self.socket.try_with_value(|(_, socket)| {
                        if let Some(socket) = socket {
                            socket.send(&text);
                        }
                    });
                }
            }
        }
        self.refresh();
    }

    fn connect(self) {
        let number = self.socket.try_update_value(|(number, socket)| {
            *socket = None;
            *number += 1;
            *number
        });
        let Some(number) = number else { return };
        let socket = Socket::open(move |heard| {
            let is_this = self.socket.try_with_value(|(current, _)| *current == number);
            if is_this == Some(true) {
                self.heard(&heard);
            }
        });
        match socket {
            Some(socket) => {
                self.socket.try_update_value(|(_, place)| *place = Some(socket));
            }
            None => self.heard(&Heard::Gone),
        }
    }

    fn heard(self, heard: &Heard) {
        let effects = self.with_remote(|remote| match heard {
            Heard::Open => remote.opened(ticks()),
            Heard::Text(text) => remote.heard(text, ticks()),
            Heard::Gone => remote.lost(ticks()),
        });
        let time = self.sitting.try_update_value(|sitting| match sitting {
            Sitting::Local(_) => None,
            Sitting::Remote(remote) => remote.take_time(),
        });
        if let Some(Some(time)) = time {
            self.ahead.set_value(time.cast_signed() - now().cast_signed());
        }
        self.perform(effects);
    }

    /// Closes the socket, and takes note of it.
    fn step_aside(self) {
        self.socket.try_update_value(|(number, socket)| {
            *number += 1;
            *socket = None;
        });
        self.heard(&Heard::Gone);
    }

    /// What the clock of the server says, as far as that is known here.
    pub(crate) fn time(self) -> u64 {
        now().saturating_add_signed(self.ahead.get_value())
    }

    fn look_again(self) {
        let effects = self.with_remote(|remote| remote.hurry(ticks()));
        self.perform(effects);
    }

    fn with_remote(self, act: impl FnOnce(&mut Remote) -> Vec<Wire>) -> Vec<Wire> {
        let effects = self.sitting.try_update_value(|sitting| match sitting {
            Sitting::Local(_) => Vec::new(),
            Sitting::Remote(remote) => act(remote),
        });
        effects.unwrap_or_default()
    }

    /// Shows the table as it stands now, keeps what must be kept, and sets the alarm.
    fn refresh(self) {
        let told = self.sitting.try_update_value(|sitting| match sitting {
            Sitting::Local(local) => local.take_told(),
            Sitting::Remote(remote) => remote.take_told(),
        });
        let Some(told) = told else { return };
        let scene = self.with_seen(Scene::new);
        if self.scene.with_untracked(|before| *before != scene) {
            // What was refused in another position may be possible now.
            let position = |scene: &Option<Scene>| scene.as_ref().map(|at| (at.round, at.ply));
            let has_moved = self.scene.with_untracked(position) != position(&scene);
            if has_moved && self.hint.with_untracked(|hint| !hint.refused.is_empty()) {
                self.hint.set(Hint::default());
            }
            self.scene.set(scene);
            self.changes.update(|changes| *changes += 1);
        }
        let trouble = self.sitting.with_value(|sitting| match sitting {
            Sitting::Local(_) => None,
            Sitting::Remote(remote) => remote.trouble().cloned(),
        });
        if self.trouble.with_untracked(|before| *before != trouble) {
            self.trouble.set(trouble);
        }
        let mut hint = Hint::default();
        for told in told {
            match told {
                Told::Refused(refusal) => hint.refused = words::refusal(&refusal),
                Told::Happened(news) => hint.news = news,
                Told::Emoted(seat, emote) => self.say(seat.number(), emote),
            }
        }
        if hint != Hint::default() {
            self.hint.set(hint);
        }
        self.keep_it();
        self.set_alarm();
    }

    fn say(self, seat: u8, emote: Emote) {
        let number =
            self.bubbles.with_untracked(|all| all.get(&seat).map_or(0, |(number, _)| number + 1));
        self.bubbles.update(|all| {
            all.insert(seat, (number, emote));
        });
        let fade = move || {
            let is_last = |all: &BTreeMap<u8, (u32, Emote)>| {
                all.get(&seat).is_some_and(|(last, _)| *last == number)
            };
            if self.bubbles.try_with_untracked(is_last) == Some(true) {
                self.bubbles.update(|all| {
                    all.remove(&seat);
                });
            }
        };
        set_timeout(fade, Duration::from_secs(4));
    }

    fn keep_it(self) {
        self.keep.with_value(|keep| match keep {
            Keep::Here { key, level, is_second, secret } => {
                let saved = self.sitting.with_value(|sitting| match sitting {
                    Sitting::Local(local) => local.saved(*secret),
                    Sitting::Remote(_) => None,
                });
                if let Some(saved) = saved {
                    let (level, is_second) = (level.clone(), *is_second);
                    kept::keep_own_game(key, &kept::OwnGame { level, is_second, saved });
                }
            }
            Keep::There { id } => {
                let unanswered = self.sitting.with_value(|sitting| match sitting {
                    Sitting::Local(_) => Vec::new(),
                    Sitting::Remote(remote) => remote.unanswered(),
                });
                kept::keep_unanswered(id, &unanswered);
                if let Some(Some(summary)) = self.scene_now(summary) {
                    kept::note_seat(id, &summary);
                }
                if self.scene_now(|scene| scene.stage != Stage::Gathering) == Some(true) {
                    kept::end_pairing(id);
                }
            }
        });
    }

    fn set_alarm(self) {
        let deadline = self.sitting.with_value(|sitting| match sitting {
            Sitting::Local(_) => None,
            Sitting::Remote(remote) => remote.deadline(),
        });
        let alarm = deadline.and_then(|deadline| {
            let wait = Duration::from_millis(deadline.saturating_sub(ticks()).max(4));
            set_timeout_with_handle(move || self.ring(), wait).ok()
        });
        let before = self.alarm.try_update_value(|place| std::mem::replace(place, alarm));
        if let Some(Some(before)) = before {
            before.clear();
        }
    }

    fn ring(self) {
        let effects = self.with_remote(|remote| remote.tick(ticks()));
        self.perform(effects);
    }

    /// The person goes elsewhere in the page.
    fn leave(self) {
        self.socket.try_update_value(|(number, socket)| {
            *number += 1;
            *socket = None;
        });
        if let Some(Some(alarm)) = self.alarm.try_update_value(Option::take) {
            alarm.clear();
        }
    }
}

/// How a table stands, in a line for the list of recent games.
fn summary(scene: &Scene) -> Option<String> {
    if !scene.is_player {
        return None;
    }
    let own: Vec<_> = scene.players.iter().filter(|player| player.is_own).collect();
    let others: Vec<_> = scene.players.iter().filter(|player| !player.is_own).collect();
    let names: Vec<&str> = others.iter().map(|player| player.name.as_str()).collect();
    let wins =
        |players: &[&crate::scene::Player]| players.iter().map(|player| player.wins).sum::<usize>();
    Some(format!("{} · {} : {}", names.join(", "), wins(&own), wins(&others)))
}

/// What happens to the page as a whole.
fn page_event(name: &'static str) -> leptos::ev::Custom<web_sys::Event> {
    leptos::ev::Custom::new(name)
}
