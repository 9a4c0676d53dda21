//! What to do about a player who has left or lost the connection.

use std::time::Duration;

use super::followed::{Derived, Followed, effect};
use super::navigator::Navigator;
use super::reactive::{button, dynamic, single_click_button};
use super::session_handle::SessionHandle;
use super::view::{View, html};
use crate::browser::later;
use crate::language::say;
use crate::route::Route;
use crate::screen::PlayerPresence;
use crate::session::Intent;
use crate::texts::agreements;

/// How long a player is away before the page offers to go on without them.
const PATIENCE: Duration = Duration::from_secs(10);

/// What the page waits beyond the server's limit, so that the first claim is accepted.
const MARGIN: u64 = 250;

/// The ways out if another player has left, or has been away for a while.
pub(crate) fn absent_player(handle: SessionHandle, navigator: Navigator) -> View {
    let absent = Derived::new(move || {
        let others = handle.screen(|screen| screen.players.clone()).into_iter();
        let mut others = others.filter(|player| !player.is_own);
        others
            .find(|player| matches!(player.presence, PlayerPresence::Left | PlayerPresence::Away))
            .map(|player| (player.seat, player.name, player.presence))
    });
    let (is_long, is_claimable) = (Followed::new(false), Followed::new(false));
    effect(move || {
        is_long.set(false);
        is_claimable.set(false);
        if absent.try_get().flatten().is_some() && handle.screen(|screen| screen.is_connected) {
            let limit = handle.screen_now(|screen| screen.claim_after).flatten();
            let limit = limit.map(|limit| Duration::from_millis(limit.saturating_add(MARGIN)));
            let first = limit.map_or(PATIENCE, |limit| limit.min(PATIENCE));
            later(first, move || is_long.set(true));
            if let Some(limit) = limit {
                later(limit, move || is_claimable.set(true));
            }
        }
    });
    let leave = move |to: Route| {
        handle.act(Intent::Leave);
        navigator.go(to);
    };
    dynamic(move || {
        let (seat, name, presence) = absent.get()?;
        let has_left = presence == PlayerPresence::Left;
        if !has_left && !is_long.get() {
            return None;
        }
        let is_theirs = handle.screen(|screen| screen.claimable) == Some(seat);
        let can_claim = is_theirs && (has_left || is_claimable.get());
        let claim = move || handle.act(Intent::Claim(seat));
        let game = handle.screen_now(|screen| screen.game_name.clone()).unwrap_or_default();
        let another = Route::QuickMatch(game);
        let claim =
            can_claim.then(|| single_click_button("claim", "main", say("Claim the round"), claim));
        let ways_out = html("p")
            .class("actions")
            .child(claim)
            .child(button("", say("Leave"), move || leave(Route::Home)))
            .child(button("", say("Find another"), move || leave(another.clone())));
        let card = html("section").class("card absent");
        let card = card.attribute("aria-label", &say("Absent player"));
        Some(card.child(html("p").child(agreements::absent(&name, has_left))).child(ways_out))
    })
}
