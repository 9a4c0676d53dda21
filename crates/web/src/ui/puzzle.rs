//! The puzzle of the day.

use game::Game as _;
use leptos::prelude::*;

use super::board::board;
use super::problem::{WAYS_OUT, problem, unsupported_game};
use super::reactive::{dynamic, single_click_button, text};
use super::session_handle::{SessionHandle, searched};
use super::takebacks;
use crate::browser::{now, window};
use crate::puzzle::DailyPuzzle;
use crate::replay::GameReplay;
use crate::route::{Route, USUAL_GAME};
use crate::searching::{SearchAnswer, SearchRequest};
use crate::session::LocalSession;
use crate::texts::puzzle as words;

/// The milliseconds of a day.
const DAY: u64 = 86_400_000;

/// The puzzle of today. A worker makes and proves it.
pub(crate) fn puzzle() -> AnyView {
    let Ok(empty) = GameReplay::read(USUAL_GAME, "") else { return unsupported_game(USUAL_GAME) };
    let Ok(session) = LocalSession::replay(&empty) else { return unsupported_game(USUAL_GAME) };
    let asking = SessionHandle::replay(session);
    let found = RwSignal::new(None::<Option<DailyPuzzle>>);
    let day = now().since_1970 / DAY;
    let game = searched(&empty.game().name(), String::new());
    asking.search(SearchRequest::Puzzle { game, day }, move |answer| {
        if let SearchAnswer::Puzzle(puzzle) = answer {
            drop(found.try_set(Some(puzzle)));
        }
    });
    let view = dynamic(move || match found.get() {
        None => view! { <p class="status" role="status">{words::LOOKING}</p> }.into_any(),
        Some(None) => problem(words::NONE, words::COME_BACK, WAYS_OUT),
        Some(Some(puzzle)) => position(&puzzle),
    });
    view.into_any()
}

fn position(puzzle: &DailyPuzzle) -> AnyView {
    let replay = GameReplay::read(USUAL_GAME, &puzzle.plies).ok();
    let Some(session) = replay.as_ref().and_then(|replay| LocalSession::go_on(replay, "perfect"))
    else {
        return problem(words::NONE, words::COME_BACK, WAYS_OUT);
    };
    let handle = SessionHandle::local(session);
    let (beginning, wins_in) = (puzzle.plies.clone(), puzzle.wins_in);
    let start = beginning.clone();
    let has_begun = Memo::new(move |_| handle.plies() != start);
    let solved = format!("{beginning}.{}", puzzle.solution);
    let told = Memo::new(move |_| {
        let plies = handle.plies();
        let symbol = handle.screen(|screen| {
            let own = screen.players.iter().find(|player| player.is_own);
            own.map(|own| own.symbol.clone()).unwrap_or_default()
        });
        match plies {
            plies if plies == beginning => words::question(&symbol, wins_in),
            plies if plies.starts_with(&solved) => words::SOLVED.to_owned(),
            _ => words::MISSED.to_owned(),
        }
    });
    let is_over = Memo::new(move |_| handle.screen(|screen| screen.replay.is_some()));
    let again = || drop(window().location().reload());
    view! {
        <div class="table replay">
            <div class="play">
                <h1>{Route::Puzzle.heading()}</h1>
                {board(handle)}
                <p class="status" role="status" id="puzzle">{text(move || told.get())}</p>
                <div class="actions">
                    {dynamic(move || (has_begun.get() && !is_over.get()).then(|| takebacks::ask_button(handle)))}
                    {dynamic(move || (is_over.get() && told.get() == words::MISSED).then(|| single_click_button("again", "", words::AGAIN, again)))}
                    <a class="button" href="/play/computer">{words::PLAY}</a>
                </div>
            </div>
        </div>
    }
    .into_any()
}
