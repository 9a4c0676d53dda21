//! Games whose rules are b-threads, and rulebooks that are refused.

use bthread::{AnyBThread, BThread, Behaviour, EventSet, SyncPoint, block, request, wait_for};
use game::conformance::{Effort, conform};
use game::{
    AnyGame, BGame, Code, Game, Match, OnIllegalMove, Outcome, Picture, PlayerKind, Rulebook,
    RulesError, Seat, ToAct, Turn, Unsolvable,
};

type Event = &'static str;

const LEFT: Seat = Seat::FIRST;
const RIGHT: Seat = Seat::SECOND;

/// A rulebook whose answers are the fields of this struct. Moves are numbers.
#[derive(Clone, Debug, Default)]
struct TestRulebook {
    seats: Vec<&'static str>,
    rules: Vec<BThread<Event>>,
    moves: Vec<Vec<Event>>,
    results: Vec<(Event, Outcome)>,
    others: Vec<Event>,
    strategies: Vec<AnyBThread<Event>>,
    has_same_moves: bool,
}

impl Rulebook for TestRulebook {
    type Event = Event;
    type Move = usize;
    type Board = Vec<Event>;

    fn name(&self) -> String {
        "test".to_owned()
    }

    fn seats(&self) -> Vec<&str> {
        self.seats.clone()
    }

    fn rules(&self) -> Vec<AnyBThread<Event>> {
        AnyBThread::all(self.rules.clone())
    }

    fn moves(&self, seat: Seat) -> Vec<(usize, Event)> {
        let moves = self.moves[seat.index()].iter().copied().enumerate();
        moves.map(|(place, event)| (if self.has_same_moves { 0 } else { place }, event)).collect()
    }

    fn results(&self) -> Vec<(Event, Outcome)> {
        self.results.clone()
    }

    fn other_events(&self) -> Vec<Event> {
        self.others.clone()
    }

    fn empty_board(&self) -> Vec<Event> {
        Vec::new()
    }

    fn record(&self, board: &mut Vec<Event>, event: &Event) {
        board.push(event);
    }

    fn text(&self, board: &Vec<Event>) -> String {
        board.join(" ")
    }

    fn picture(&self, board: &Vec<Event>) -> Picture {
        Picture::in_words([self.text(board)])
    }

    fn strategies(&self, _: Seat) -> Vec<AnyBThread<Event>> {
        self.strategies.clone()
    }
}

/// Both seats choose once, at the same time. A shout wins, and the shout of left comes first.
fn shouting() -> TestRulebook {
    let once = |name: &'static str, moves: [Event; 2]| {
        let moves = EventSet::several(moves);
        BThread::new(name).then(wait_for(moves.clone())).then(block(moves))
    };
    let shout = |name: &'static str, shout: Event, win: Event| {
        BThread::new(name).then(wait_for(shout)).then(request(win))
    };
    TestRulebook {
        seats: vec!["left", "right"],
        rules: vec![
            once("LeftOnce", ["left shouts", "left waits"]),
            once("RightOnce", ["right shouts", "right waits"]),
            shout("LeftShouts", "left shouts", "left wins"),
            shout("RightShouts", "right shouts", "right wins"),
        ],
        moves: vec![vec!["left shouts", "left waits"], vec!["right shouts", "right waits"]],
        results: vec![("left wins", Outcome::won_by(LEFT)), ("right wins", Outcome::won_by(RIGHT))],
        ..TestRulebook::default()
    }
}

#[test]
fn a_missing_turn_rule_is_told_when_one_seat_moves() {
    let game = BGame::new(shouting()).unwrap();
    let refusal = game.play(&game.start(), LEFT, 0).unwrap_err();
    assert_eq!(*refusal.code(), Code::INCOMPLETE);
    let sentence = refusal.to_string();
    assert!(sentence.contains("if they should take turns, a b-thread must block"), "{sentence}");
}

#[test]
fn a_missing_other_event_is_told_with_its_b_thread() {
    let mut rulebook = shouting();
    rulebook.rules.push(BThread::new("Echo").then(wait_for("left shouts")).then(request("echo")));
    let refused = BGame::new(rulebook.clone()).unwrap_err();
    let sentence =
        "Echo requests echo, which is neither a move nor a result: add it to `other_events`";
    assert_eq!(refused.to_string(), sentence);
    rulebook.others.push("echo");
    assert!(BGame::new(rulebook).is_ok());
}

#[test]
fn simultaneous_moves_are_made_in_order_until_there_is_a_result() {
    let game = BGame::new(shouting()).unwrap();
    let start = game.start();
    assert_eq!(game.turn(&start).seats().len(), 2);
    let after = |left, right| {
        let next = game.play_all(&start, &[(LEFT, left), (RIGHT, right)]).unwrap();
        (game.text(&next), game.turn(&next))
    };
    let won = |seat| Turn::Over(Outcome::won_by(seat));
    assert_eq!(after(0, 0), ("left shouts left wins".to_owned(), won(LEFT)));
    assert_eq!(after(0, 1), ("left shouts left wins".to_owned(), won(LEFT)));
    assert_eq!(after(1, 0), ("left waits right shouts right wins".to_owned(), won(RIGHT)));
    assert_eq!(
        after(1, 1),
        ("left waits right waits".to_owned(), Turn::Over(Outcome::draw())),
        "no seat has a move left, and there is no result"
    );
    conform(&game, Effort::default()).unwrap();
}

#[test]
fn a_rule_that_ends_the_game_does_not_refuse_simultaneous_moves() {
    let mut rulebook = shouting();
    let all = EventSet::several(rulebook.moves.concat());
    let wins = EventSet::several(["left wins", "right wins"]);
    rulebook.rules.push(BThread::new("EndOfGame").then(wait_for(wins)).then(block(all)));
    let game = BGame::new(rulebook).unwrap();
    game.play_all(&game.start(), &[(LEFT, 0), (RIGHT, 0)]).unwrap();
    conform(&game, Effort::default()).unwrap();
}

#[test]
fn strategies_follow_a_game_with_events_before_the_first_move() {
    let game = BGame::new(dealt(BThread::new("Eager").then(request("go")))).unwrap();
    assert_eq!(game.text(&game.start()), "deal one deal two");
    let mut player = PlayerKind::BThreads.player(&game, LEFT, 0).unwrap();
    let choice = player.choose(&Match::new(game, OnIllegalMove::Loses).player_view(LEFT)).unwrap();
    assert_eq!(choice.explanation.unwrap().sentence, "Eager wanted go");
}

/// A game of one move, before which something happens.
fn dealt(strategy: impl Into<AnyBThread<Event>>) -> TestRulebook {
    let deal = ["deal one", "deal two"];
    TestRulebook {
        seats: vec!["only"],
        rules: vec![
            BThread::new("Deal")
                .then(request(deal[0]).block("go"))
                .then(request(deal[1]).block("go")),
            BThread::new("End").then(wait_for("go")).then(request("over")),
        ],
        moves: vec![vec!["go"]],
        results: vec![("over", Outcome::scored(&[1]))],
        others: deal.to_vec(),
        strategies: vec![strategy.into()],
        ..TestRulebook::default()
    }
}

/// A game whose rules never come to rest after its only move.
fn restless() -> BGame<TestRulebook> {
    let rulebook = TestRulebook {
        seats: vec!["left", "right"],
        rules: vec![
            BThread::new("Gate").then(wait_for("go").block("tick")),
            BThread::new("Clock").then(request("tick")).forever(),
        ],
        moves: vec![vec!["go"], Vec::new()],
        others: vec!["tick"],
        ..TestRulebook::default()
    };
    BGame::new(rulebook).expect("the rules come to rest before the first move")
}

#[test]
fn a_move_after_which_the_rules_never_come_to_rest_is_refused() {
    let game = restless();
    let start = game.start();
    let refusal = game.play(&start, LEFT, 0).unwrap_err();
    assert_eq!(refusal.code(), &Code::BROKEN_RULES);
    assert_eq!(game.start(), start);
    let mut played = Match::new(game.clone(), OnIllegalMove::Loses);
    assert_eq!(played.choose(LEFT, 0).unwrap_err().code(), &Code::BROKEN_RULES);
    assert!(matches!(played.to_act(), ToAct::Seats(_)), "nobody loses because of broken rules");
    assert_eq!(played.events().len(), 2);
    let unsolvable = game::Solution::of(&game).unwrap_err();
    assert!(matches!(unsolvable, Unsolvable::Broken(_)), "{unsolvable}");
}

#[test]
fn where_nothing_is_refused_a_move_that_breaks_the_rules_ends_the_game() {
    let game = restless();
    let mut position = game.start();
    game.apply(&mut position, LEFT, &0);
    assert_eq!(game.turn(&position), Turn::Over(Outcome::scored(&[0, 0])));
    assert_eq!(game.legal_moves(&position, LEFT).len(), 0);
    assert_eq!(game.text(&position), game.text(&game.start()), "the move is undone");
    let mut nth = game.start();
    assert!(game.apply_nth(&mut nth, LEFT, 0));
    assert_eq!(nth, position);
}

#[test]
fn a_match_by_rules_that_never_come_to_rest_ends_with_their_mistake() {
    let game = restless();
    let players = [LEFT, RIGHT].map(|seat| PlayerKind::Random.player(&game, seat, 0).unwrap());
    let mut played = Match::new(game, OnIllegalMove::AskAgain);
    let error = played.run(&mut Vec::from(players), 1, |_, _| ()).unwrap_err();
    assert!(error.to_string().starts_with("The rules of this game are broken"), "{error}");
}

#[track_caller]
fn check_refused(rulebook: TestRulebook, expected: &str) {
    let error = BGame::new(rulebook).expect_err("the rulebook contradicts itself");
    assert_eq!(error.to_string(), expected);
}

#[test]
fn a_rulebook_that_contradicts_itself_is_refused() {
    check_refused(TestRulebook::default(), "a game has 1 to 8 seats, and not 0");
    let nine = TestRulebook { seats: vec!["a"; 9], ..TestRulebook::default() };
    check_refused(nine, "a game has 1 to 8 seats, and not 9");
    let same = TestRulebook { has_same_moves: true, ..shouting() };
    check_refused(same, "0 is there twice: a move of a seat is one event");
    let shared = TestRulebook { moves: vec![vec!["a"], vec!["a"]], ..shouting() };
    check_refused(shared, "a is there twice: an event is one move of one seat, or one result");
    let both = TestRulebook { results: vec![("left shouts", Outcome::draw())], ..shouting() };
    check_refused(
        both,
        "left shouts is there twice: an event is one move of one seat, or one result",
    );
    let many = TestRulebook { results: vec![("win", Outcome::draw()); 257], ..shouting() };
    check_refused(many, "a game has at most 256 results, and not 257");
    let unknown =
        TestRulebook { rules: vec![BThread::new("Odd").then(request("odd"))], ..shouting() };
    assert!(matches!(BGame::new(unknown), Err(RulesError::UnlistedEvent { .. })));
}

/// Requests a move, and may block an event, from the start or once a card was dealt.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Jealous {
    blocks: bool,
    at_deal: bool,
    has_moved: bool,
}

impl Behaviour<Event> for Jealous {
    fn sync_point(&self) -> Option<SyncPoint<Event>> {
        let point = request("go").wait_for("deal one");
        let point = if self.blocks { point.block("over") } else { point };
        (!self.has_moved).then_some(point)
    }

    fn go_on(&mut self, event: &Event) {
        self.has_moved = *event == "go";
        self.blocks = self.at_deal;
    }
}

#[test]
fn a_strategy_that_blocks_is_refused() {
    let sentence = "Jealous(1) is a strategy and blocks events: only rules may block, so that \
                    strategies change no move";
    let script = |second| BThread::of("Jealous", 1).then(request("go")).then(second);
    check_refused(dealt(script(wait_for("over").block("over"))), sentence);
    assert!(BGame::new(dealt(script(wait_for("over")))).is_ok());
    let state = |blocks, at_deal| {
        let jealous = Jealous { blocks, at_deal, has_moved: false };
        dealt(BThread::behaving("Jealous(1)", jealous))
    };
    check_refused(state(true, false), sentence);
    // A b-thread with a state may block later, which its player sees then.
    for at_deal in [false, true] {
        let game = BGame::new(state(false, at_deal)).unwrap();
        let mut player = PlayerKind::BThreads.player(&game, LEFT, 0).unwrap();
        let chosen = player.choose(&Match::new(game, OnIllegalMove::Loses).player_view(LEFT));
        match chosen {
            Ok(_) => assert!(!at_deal),
            Err(error) => assert!(at_deal && error.to_string().contains(sentence), "{error}"),
        }
    }
}

#[test]
fn a_stranger_can_neither_choose_nor_resign() {
    let mut played = Match::new(BGame::new(shouting()).unwrap(), OnIllegalMove::Loses);
    let stranger = Seat::new(5).unwrap();
    for refused in [played.choose(stranger, 0), played.resign(stranger)] {
        assert_eq!(refused.unwrap_err().to_string(), "Nobody has this seat");
    }
    assert_eq!(played.events().len(), 1);
}

#[test]
fn counting_stops_where_the_rules_are_broken() {
    let game = AnyGame::new(restless());
    assert_eq!(game.perft(1), Ok(1), "the last move is counted without making it");
    let refusal = game.perft(2).expect_err("nothing comes after the first move");
    assert_eq!(refusal.code(), &Code::BROKEN_RULES);
    let small = AnyGame::without_searches(restless());
    assert_eq!(small.perft(2), Err(refusal));
}
