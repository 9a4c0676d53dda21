//! Taking a move back: the button, the question, and the answer.

use super::board::focus_board;
use super::followed::Derived;
use super::reactive::{button, dynamic, single_click_button};
use super::session_handle::SessionHandle;
use super::view::{View, html};
use crate::language::say;
use crate::screen::TakebackScreen;
use crate::session::Intent;
use crate::texts::agreements;

/// The button that asks for the last move; nothing while it would be refused.
pub(crate) fn ask_button(handle: SessionHandle) -> View {
    let can_ask =
        Derived::new(move || handle.screen(|screen| screen.takeback) == TakebackScreen::CanAsk);
    let ask = move || {
        // The button disappears, and the focus must not disappear with it.
        handle.act(Intent::AskTakeback);
        focus_board();
    };
    dynamic(move || {
        can_ask.get().then(|| single_click_button("take-back", "", say("Take back"), ask))
    })
}

/// The question of the other player with its two answers, or that the own question waits.
pub(crate) fn question(handle: SessionHandle) -> View {
    let takeback = Derived::new(move || handle.screen(|screen| screen.takeback));
    let answer = move |intent: Intent| {
        handle.act(intent);
        focus_board();
    };
    dynamic(move || match takeback.get() {
        TakebackScreen::None | TakebackScreen::CanAsk => View::nothing(),
        TakebackScreen::Waits => {
            let sentence = say("You asked to take your move back. Waiting for an answer …");
            let waits = html("p").class("watching").attribute("role", "status");
            waits.attribute("id", "takeback-waits").child(sentence).into()
        }
        TakebackScreen::Answers(seat) => {
            let sentence = handle.screen_now(|screen| {
                let player = screen.players.iter().find(|player| player.seat == seat);
                let who = player.map(|player| player.name.clone()).unwrap_or_default();
                agreements::takeback_question(&who, screen.clock.is_some())
            });
            let allow = button("main", say("Allow it"), move || answer(Intent::GrantTakeback));
            let decline = button("", say("No, play on"), move || answer(Intent::DeclineTakeback));
            html("section")
                .class("card absent")
                .attribute("aria-label", &say("Take back"))
                .attribute("role", "status")
                .attribute("id", "takeback-question")
                .child(html("p").child(sentence.unwrap_or_default()))
                .child(html("p").class("actions").child(allow).child(decline))
                .into()
        }
    })
}
