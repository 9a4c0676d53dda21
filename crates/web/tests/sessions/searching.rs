//! A table whose computer is searched for by a worker.

use game::{AnyGame, Game as _};
use games::catalog::{CatalogError, game, game_without_searches};
use table::Options;
use web::screen::TableScreen;
use web::searching::{SearchAnswer, SearchRequest, SearchedGame, Searcher};
use web::session::{Intent, LocalSession, Now, TableSession as _};

/// A person as X against this level, in a page without searches.
fn against_searched(level: &str) -> LocalSession {
    against(game_without_searches("tic-tac-toe"), level)
}

fn against(game: Result<AnyGame, CatalogError>, level: &str) -> LocalSession {
    let computers = vec![None, Some(level.to_owned())];
    let options = Options { computers, ..Options::default() };
    let game = game.expect("the game is in the catalog");
    LocalSession::new(game, options, [7; 32], Now::default()).expect("the level is known")
}

fn play(session: &mut LocalSession, chosen: &str) {
    session.act(Intent::play(chosen), Now::default()).expect("the move is legal");
    session.tick(Now::default());
}

fn squares(session: &LocalSession) -> String {
    let state = session.view().expect("a local table is known").shown;
    state.game().text(state.position())
}

fn ply(session: &LocalSession) -> u32 {
    TableScreen::new(&session.view().expect("a local table is known")).ply
}

#[test]
fn a_page_without_searches_lets_the_worker_choose_the_move_of_a_computer_that_searches() {
    for level in ["fair", "perfect", "mcts:50"] {
        let mut session = against_searched(level);
        assert!(session.needs_worker());
        play(&mut session, "a1");
        assert_eq!((ply(&session), session.wake()), (1, None), "{level}: the session waits");
        let request = session.take_search().expect("a search is needed");
        assert!(session.take_search().is_none(), "it is asked for once");
        let SearchAnswer::Turn(entries) = Searcher::default().search(request) else { panic!() };
        session.found(entries.clone(), Now::default());
        let mut whole = against(game("tic-tac-toe"), level);
        play(&mut whole, "a1");
        assert_eq!(squares(&session), squares(&whole), "{level}: as in a page with searches");
        assert_eq!(ply(&session), 2, "{level}");
        session.found(entries, Now::default());
        assert_eq!(ply(&session), 2, "a late answer changes nothing");
    }
}

#[test]
fn a_computer_that_does_not_search_needs_no_worker() {
    for level in ["bthreads", "random"] {
        let mut session = against_searched(level);
        assert!(!session.needs_worker());
        play(&mut session, "a1");
        assert!(session.take_search().is_none());
        assert_eq!(ply(&session), 2, "{level}");
    }
}

#[test]
fn an_answer_for_another_position_is_ignored() {
    let mut session = against_searched("fair");
    play(&mut session, "a1");
    let request = session.take_search().unwrap();
    let SearchAnswer::Turn(entries) = Searcher::default().search(request) else { panic!() };
    let mut other = against_searched("fair");
    other.found(entries, Now::default());
    assert_eq!(ply(&other), 0);
}

#[test]
fn messages_that_the_worker_does_not_know_have_no_answer() {
    let mut searcher = Searcher::default();
    assert_eq!(searcher.answer("ready"), None);
    let game = |name: &str, plies: &str| SearchedGame {
        name: name.to_owned(),
        plies: plies.to_owned(),
        positions: 10_000,
        simulations: 10,
    };
    let mistake = |searched| match Searcher::default().search(SearchRequest::FirstMistake(searched))
    {
        SearchAnswer::Mistake(ply) => ply,
        other => panic!("{other:?}"),
    };
    assert_eq!(mistake(game("tic-tac-toe", "a1.b1.a3.a2.c3.b2.b3")), Some(1));
    assert_eq!(mistake(game("chess", "e4")), None);
    let request = SearchRequest::Analysis { game: game("tic-tac-toe", "a1.b1"), ply: 2 };
    let SearchAnswer::Analysis(Some(found)) = searcher.search(request) else { panic!() };
    assert!(found.position.value.exact && found.is_mistake.is_none());
}
