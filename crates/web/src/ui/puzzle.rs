//! The puzzle of the day.

use game::Game as _;

use super::board::board;
use super::followed::{Derived, Followed};
use super::problem::{WAYS_OUT, problem, unsupported_game};
use super::reactive::{button_link, dynamic, single_click_button, text};
use super::session_handle::{SessionHandle, searched};
use super::takebacks;
use super::view::{View, html};
use crate::browser::{now, window};
use crate::language::{say, say_with};
use crate::puzzle::DailyPuzzle;
use crate::replay::GameReplay;
use crate::route::{Route, USUAL_GAME};
use crate::searching::{SearchAnswer, SearchRequest};
use crate::session::LocalSession;

/// The milliseconds of a day.
const DAY: u64 = 86_400_000;

/// The puzzle of today. A worker makes and proves it.
pub(crate) fn puzzle() -> View {
    let Ok(empty) = GameReplay::read(USUAL_GAME, "") else { return unsupported_game(USUAL_GAME) };
    let Ok(session) = LocalSession::replay(&empty) else { return unsupported_game(USUAL_GAME) };
    let asking = SessionHandle::replay(session);
    let found = Followed::new(None::<Option<DailyPuzzle>>);
    let day = now().since_1970 / DAY;
    let game = searched(&empty.game().name(), String::new());
    asking.search(SearchRequest::Puzzle { game, day }, move |answer| {
        if let SearchAnswer::Puzzle(puzzle) = answer {
            found.set(Some(puzzle));
        }
    });
    dynamic(move || match found.get() {
        None => {
            let sentence = say("Looking for the puzzle of the day …");
            html("p").class("status").attribute("role", "status").child(sentence).into()
        }
        Some(None) => no_puzzle(),
        Some(Some(puzzle)) => position(&puzzle),
    })
}

fn no_puzzle() -> View {
    let sentence = say("Come back tomorrow, or play a game.");
    problem(say("There is no puzzle today."), sentence, WAYS_OUT)
}

/// How the person has answered the puzzle so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Answer {
    /// Not yet.
    Open,
    /// With the move that wins.
    Right,
    /// With another one.
    Wrong,
}

fn position(puzzle: &DailyPuzzle) -> View {
    let replay = GameReplay::read(USUAL_GAME, &puzzle.plies).ok();
    let Some(session) = replay.as_ref().and_then(|replay| LocalSession::go_on(replay, "perfect"))
    else {
        return no_puzzle();
    };
    let handle = SessionHandle::local(session);
    let (beginning, wins_in) = (puzzle.plies.clone(), puzzle.wins_in);
    let start = beginning.clone();
    let has_begun = Derived::new(move || handle.plies() != start);
    let solved = format!("{beginning}.{}", puzzle.solution);
    let answer = Derived::new(move || match handle.plies() {
        plies if plies == beginning => Answer::Open,
        plies if plies.starts_with(&solved) => Answer::Right,
        _ => Answer::Wrong,
    });
    let is_over = Derived::new(move || handle.screen(|screen| screen.replay.is_some()));
    let told = move || {
        let symbol = handle.screen(|screen| {
            let own = screen.players.iter().find(|player| player.is_own);
            own.map(|own| own.symbol.clone()).unwrap_or_default()
        });
        match answer.get() {
            Answer::Open => {
                let plies = wins_in.to_string();
                let gaps = [("symbol", symbol.as_str()), ("plies", &plies)];
                say_with("You play {symbol}. One move wins, in {plies} plies: find it.", &gaps)
            }
            Answer::Right => say("That is it! Now you win, whatever the computer does."),
            Answer::Wrong => {
                say("Not that one: the computer gets away. Take it back and try again.")
            }
        }
    };
    let has_missed = Derived::new(move || is_over.get() && answer.get() == Answer::Wrong);
    let again = || drop(window().location().reload());
    let take_back =
        dynamic(move || (has_begun.get() && !is_over.get()).then(|| takebacks::ask_button(handle)));
    let try_again = dynamic(move || {
        has_missed.get().then(|| single_click_button("again", "", say("Try again"), again))
    });
    let actions = html("div")
        .class("actions")
        .child(take_back)
        .child(try_again)
        .child(button_link("/play/computer", say("Play the computer")));
    let status = html("p").class("status").attribute("role", "status").attribute("id", "puzzle");
    let play = html("div")
        .class("play")
        .child(html("h1").child(Route::Puzzle.heading()))
        .child(board(handle))
        .child(status.child(text(told)))
        .child(actions);
    html("div").class("table replay").child(play).into()
}
