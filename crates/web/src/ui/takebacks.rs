//! Taking a move back: the button, the question, and the answer.

use leptos::prelude::*;

use super::board::focus_board;
use super::followed::Derived;
use super::reactive::{button, dynamic, single_click_button};
use super::session_handle::SessionHandle;
use crate::language::say;
use crate::screen::TakebackScreen;
use crate::session::Intent;
use crate::texts::agreements;

/// The button that asks for the last move; nothing while it would be refused.
pub(crate) fn ask_button(handle: SessionHandle) -> AnyView {
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
    .into_any()
}

/// The question of the other player with its two answers, or that the own question waits.
pub(crate) fn question(handle: SessionHandle) -> AnyView {
    let takeback = Derived::new(move || handle.screen(|screen| screen.takeback));
    let answer = move |intent: Intent| {
        handle.act(intent);
        focus_board();
    };
    dynamic(move || match takeback.get() {
        TakebackScreen::None | TakebackScreen::CanAsk => ().into_any(),
        TakebackScreen::Waits => {
            let sentence = say("You asked to take your move back. Waiting for an answer …");
            view! { <p class="watching" role="status" id="takeback-waits">{sentence}</p> }
                .into_any()
        }
        TakebackScreen::Answers(seat) => {
            let sentence = handle.screen_now(|screen| {
                let player = screen.players.iter().find(|player| player.seat == seat);
                let who = player.map(|player| player.name.clone()).unwrap_or_default();
                agreements::takeback_question(&who, screen.clock.is_some())
            });
            view! {
                <section class="card absent" aria-label=say("Take back") role="status" id="takeback-question">
                    <p>{sentence.unwrap_or_default()}</p>
                    <p class="actions">
                        {button("main", say("Allow it"), move || answer(Intent::GrantTakeback))}
                        {button("", say("No, play on"), move || answer(Intent::DeclineTakeback))}
                    </p>
                </section>
            }
            .into_any()
        }
    })
    .into_any()
}
