//! Tic-tac-toe as a `Game`.

use game::{
    BPosition, Code, Game, Match, OnIllegalMove, Outcome, Player, PlayerKind, PlayerView, Ply,
    PlyOf, RandomPlayer, Refusal, Seat, Solution, ToAct, Turn, Value, perft,
};
use games::tic_tac_toe::{Event, Line, Mark, Rules, Square, TicTacToe, game};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::plain_board::PlainBoard;

const SEATS: [Seat; 2] = [Seat::FIRST, Seat::SECOND];

fn mark(seat: Seat) -> Mark {
    Mark::of(seat).expect("the game has two seats")
}

fn play(
    game: &TicTacToe,
    position: &BPosition<Rules>,
    (seat, square): (Seat, Square),
) -> BPosition<Rules> {
    game.play(position, seat, square).expect("the move is legal")
}

/// All positions, each with the events of one game that reaches it.
fn positions(game: &TicTacToe) -> Vec<(BPosition<Rules>, Vec<Event>)> {
    let (mut known, mut positions) = (FxHashSet::default(), Vec::new());
    let mut frontier = vec![(game.start(), Vec::new())];
    while let Some((position, events)) = frontier.pop() {
        if !known.insert(position.clone()) {
            continue;
        }
        for seat in SEATS {
            for square in game.legal_moves(&position, seat) {
                let mark = mark(seat);
                let next = play(game, &position, (seat, square));
                let events = events.iter().copied().chain([Event::Mark(mark, square)]);
                frontier.push((next, events.collect()));
            }
        }
        positions.push((position, events));
    }
    positions
}

#[test]
fn the_games_of_each_length_have_the_known_counts() {
    let game = game();
    let counts: Vec<u64> = (0..=10).map(|depth| perft(&game, &game.start(), depth)).collect();
    let known = [1, 9, 72, 504, 3_024, 15_120, 54_720, 148_176, 200_448, 127_872, 0];
    assert_eq!(counts, known);
}

#[test]
fn of_255_168_games_x_wins_131_184_and_o_77_904() {
    fn count(game: &TicTacToe, position: &BPosition<Rules>, ends: &mut FxHashMap<Outcome, u32>) {
        match game.turn(position) {
            Turn::One(seat) => {
                for square in game.legal_moves(position, seat) {
                    count(game, &play(game, position, (seat, square)), ends);
                }
            }
            Turn::Over(outcome) => *ends.entry(outcome).or_default() += 1,
            other => unreachable!("{other:?}"),
        }
    }
    let (game, mut ends) = (game(), FxHashMap::default());
    count(&game, &game.start(), &mut ends);
    assert_eq!(ends[&Outcome::won_by(Seat::FIRST)], 131_184);
    assert_eq!(ends[&Outcome::won_by(Seat::SECOND)], 77_904);
    assert_eq!(ends[&Outcome::draw()], 46_080);
    assert_eq!(ends.len(), 3);
}

#[test]
fn b_threads_and_boards_distinguish_the_same_positions() {
    let game = game();
    let positions = positions(&game);
    assert_eq!(positions.len(), 5_478);
    let is_over = |position: &BPosition<Rules>| matches!(game.turn(position), Turn::Over(_));
    assert_eq!(positions.iter().filter(|(position, _)| is_over(position)).count(), 958);
    let texts: std::collections::BTreeSet<String> =
        positions.iter().map(|(position, _)| game.text(position)).collect();
    assert_eq!(texts.len(), 5_478);
}

/// The codes of the reasons for which a plain board refuses a move, in order.
fn objections(board: &PlainBoard, event: Event) -> Vec<Code> {
    let Event::Mark(mark, square) = event else { unreachable!("only moves are tried") };
    let mut codes = Vec::new();
    if board.result().is_some() {
        codes.push(Code::GAME_OVER);
    }
    if board.to_move() != mark {
        codes.push(Code::NOT_YOUR_TURN);
    }
    if board.at(square).is_some() {
        codes.push(Code::ALREADY_TAKEN);
    }
    codes
}

fn codes(refusal: Result<(), Refusal>) -> Vec<Code> {
    let Err(refusal) = refusal else { return Vec::new() };
    refusal.reasons().map(|reason| reason.code.clone()).collect()
}

#[test]
fn b_threads_agree_with_a_plain_board_on_every_position_and_every_refusal() {
    let game = game();
    let mut refused = 0;
    for (position, events) in positions(&game) {
        let board = PlainBoard::after(&events);
        assert_eq!(game.turn(&position), turn(&board), "{events:?}");
        let legal = SEATS.into_iter().flat_map(|seat| {
            let mark = mark(seat);
            game.legal_moves(&position, seat)
                .map(move |at| Event::Mark(mark, at))
                .collect::<Vec<_>>()
        });
        assert!(legal.eq(board.legal_moves()), "{events:?}");
        for seat in SEATS {
            for square in Square::ALL {
                let expected = objections(&board, Event::Mark(mark(seat), square));
                refused += usize::from(!expected.is_empty());
                let checked = codes(game.check(&position, seat, &square));
                assert_eq!(checked, expected, "{seat} {square} after {events:?}");
                let played = game.play(&position, seat, square).map(drop);
                assert_eq!(codes(played), expected, "{seat} {square} after {events:?}");
            }
        }
    }
    assert_eq!(refused, 5_478 * 18 - 16_167);
}

fn turn(board: &PlainBoard) -> Turn {
    match board.result() {
        Some(Event::Win(mark)) => Turn::Over(Outcome::won_by(mark.seat())),
        Some(_) => Turn::Over(Outcome::draw()),
        None => Turn::One(board.to_move().seat()),
    }
}

fn after(moves: &str) -> BPosition<Rules> {
    let game = game();
    moves.split_whitespace().zip(SEATS.into_iter().cycle()).fold(
        game.start(),
        |position, (text, seat)| {
            play(&game, &position, (seat, text.parse().expect("the text is a square")))
        },
    )
}

#[track_caller]
fn check_refusal(moves: &str, seat: Seat, square: Square, expected: &str) {
    let refusal = game().check(&after(moves), seat, &square).expect_err("the move is illegal");
    assert_eq!(refusal.to_string(), expected);
}

#[test]
fn a_refusal_names_all_reasons_and_their_b_threads() {
    check_refusal("", Seat::SECOND, Square::A1, "It is not your turn: EnforceTurns");
    check_refusal("b2", Seat::SECOND, Square::B2, "That cell is already marked: SquareTaken(b2)");
    check_refusal(
        "b2",
        Seat::FIRST,
        Square::B2,
        "It is not your turn: EnforceTurns; That cell is already marked: SquareTaken(b2)",
    );
    check_refusal(
        "a1 a2 b1 b2 c1",
        Seat::SECOND,
        Square::A1,
        "The game is lost, you need to forfeit: EndOfGame; \
         That cell is already marked: SquareTaken(a1)",
    );
    check_refusal(
        "a1 b2 c3 a2 c2 c1 a3 b3 b1",
        Seat::SECOND,
        Square::A1,
        "The game is over: EndOfGame; That cell is already marked: SquareTaken(a1)",
    );
}

#[test]
fn a_square_outside_the_board_is_refused_when_it_is_read() {
    let refusal = game().read_move("d4").unwrap_err();
    assert_eq!(refusal.code(), &Code::OUT_OF_BOUNDS);
    assert!(refusal.message().starts_with("\"d4\" is not a square"), "{refusal}");
}

#[test]
fn a_game_without_mistakes_is_a_draw() {
    let game = game();
    let solution = Solution::of(&game).unwrap();
    assert_eq!(solution.positions(), 5_478);
    assert_eq!(solution.value(&game.start()), Some(Value::Draw(9)));
}

#[test]
fn positions_are_won_drawn_and_lost_as_often_as_is_known() {
    let game = game();
    let solution = Solution::of(&game).unwrap();
    let score_of_x = |position: &BPosition<Rules>| match game.turn(position) {
        Turn::Over(outcome) => outcome.score(Seat::FIRST),
        Turn::One(seat) => {
            let sign = if seat == Seat::FIRST { 1 } else { -1 };
            match solution.value(position).unwrap() {
                Value::Win(_) => sign,
                Value::Draw(_) => 0,
                Value::Loss(_) => -sign,
            }
        }
        other => unreachable!("{other:?}"),
    };
    let mut counts = FxHashMap::default();
    for (position, _) in positions(&game) {
        *counts.entry(score_of_x(&position)).or_insert(0) += 1;
    }
    assert_eq!([1, 0, -1].map(|score| counts[&score]), [2_936, 1_068, 1_474]);
}

/// Plays every best move against every reply; counts the games by the score of the perfect seat.
fn scores_of_perfect_play(perfect: Seat) -> FxHashMap<i32, u32> {
    fn follow(
        game: &TicTacToe,
        solution: &Solution<TicTacToe>,
        (position, perfect): (&BPosition<Rules>, Seat),
        scores: &mut FxHashMap<i32, u32>,
    ) {
        let seat = match game.turn(position) {
            Turn::Over(outcome) => return *scores.entry(outcome.score(perfect)).or_default() += 1,
            Turn::One(seat) => seat,
            other => unreachable!("{other:?}"),
        };
        let moves = if seat == perfect {
            solution.best_moves(position).expect("the game is not over").1
        } else {
            game.legal_moves(position, seat).collect()
        };
        for square in moves {
            let next = play(game, position, (seat, square));
            follow(game, solution, (&next, perfect), scores);
        }
    }
    let game = game();
    let (solution, mut scores) =
        (Solution::of(&game).expect("the game is small enough to solve"), FxHashMap::default());
    follow(&game, &solution, (&game.start(), perfect), &mut scores);
    scores
}

#[test]
fn perfect_play_never_loses_against_any_replies() {
    for seat in SEATS {
        let scores = scores_of_perfect_play(seat);
        assert_eq!(scores.get(&-1), None, "{seat}");
        assert!(scores[&1] > 0 && scores[&0] > 0, "{seat}: {scores:?}");
    }
}

fn history(moves: impl IntoIterator<Item = Square>) -> Vec<PlyOf<TicTacToe>> {
    let moves = SEATS.into_iter().cycle().zip(moves);
    moves.map(|made| Ply::Moves(vec![made])).collect()
}

#[test]
fn every_win_names_its_lines_and_a_draw_names_none() {
    let game = game();
    let mut wins = 0;
    let mut endings = vec![Vec::new()];
    while let Some(squares) = endings.pop() {
        let position = squares
            .iter()
            .zip(SEATS.into_iter().cycle())
            .fold(game.start(), |position, (square, seat)| play(&game, &position, (seat, *square)));
        if let Turn::One(seat) = game.turn(&position) {
            // Every position is reached even if each seat marks its squares in ascending order.
            let last = squares.len().checked_sub(2).map(|place| squares[place]);
            let legal = game.legal_moves(&position, seat).filter(|square| Some(*square) > last);
            endings.extend(legal.map(|square| [&squares[..], &[square]].concat()));
            continue;
        }
        let board = position.board();
        let lines = Line::ALL.into_iter().filter_map(|line| Some((board.filled(line)?, line)));
        let expected: Vec<String> = lines
            .map(|(mark, line)| {
                let numbers = line.squares().map(|square| square.number().to_string());
                format!("{mark}Win[{}]", numbers.join(","))
            })
            .collect();
        wins += u32::from(!expected.is_empty());
        assert_eq!(game.winning_lines(&history(squares)), expected);
    }
    assert!(wins > 500, "{wins}");
}

const SEED_000: &str = include_str!("../../../bthread/tests/data/seed000-all-827-games.txt");

#[test]
fn every_win_of_the_827_games_of_seed_000_names_the_same_line() {
    let game = game();
    let mut wins = 0;
    for words in SEED_000.lines().filter(|words| words.contains("Win")) {
        let (moves, win) = words.rsplit_once(' ').expect("a win comes after moves");
        let numbers = moves.split(' ').map(|made| made.trim_start_matches(['X', 'O']));
        let squares = numbers.map(|number| number.parse().expect("the text is a square"));
        assert_eq!(game.winning_lines(&history(squares))[0], win);
        wins += 1;
    }
    assert_eq!(wins, 70 + 386);
}

/// The move that the strategies choose for O after these moves, and their explanation.
fn follow(moves: &str) -> (String, String) {
    let game = game();
    let mut player = PlayerKind::BThreads.player(&game, Seat::SECOND, 0).expect("O has strategies");
    let history: Vec<_> = moves
        .split_whitespace()
        .zip(SEATS.into_iter().cycle())
        .map(|(text, seat)| Ply::Moves(vec![(seat, text.parse().expect("the text is a square"))]))
        .collect();
    let position = after(moves);
    let choice = player.choose(&PlayerView::new(&game, &position, Seat::SECOND, &history));
    let choice = choice.expect("a strategy requests a move");
    (
        choice.chosen.to_string(),
        choice.explanation.expect("strategies explain their moves").to_string(),
    )
}

#[test]
fn strategies_choose_and_explain() {
    let default = ("b2".to_owned(), "DefaultMoves wanted O b2".to_owned());
    assert_eq!(follow("a1"), default);
    let (chosen, why) = follow("a1 b2 b1");
    assert_eq!(chosen, "c1");
    assert_eq!(why, "PreventThirdX(a1,b1,c1) wanted O c1, and so did DefaultMoves");
    let (chosen, why) = follow("a1 b2 b1 c1 c2");
    assert_eq!(chosen, "a3");
    assert_eq!(why, "AddThirdO(c1,b2,a3) wanted O a3, and so did DefaultMoves");
}

#[test]
fn an_explanation_names_the_alternatives() {
    let (chosen, why) = follow("a1 c1 b2 c3 a2");
    assert_eq!(chosen, "c2");
    assert!(why.starts_with("AddThirdO(c1,c2,c3) wanted O c2"), "{why}");
    assert!(
        why.contains("PreventThirdX(a1,a2,a3) wanted O a3, but lost to AddThirdO(c1,c2,c3)"),
        "{why}"
    );
}

#[test]
fn strategies_continue_after_moves_that_they_did_not_choose() {
    // No strategy would have marked b1.
    assert_eq!(follow("b2 b1 a1").0, "c3");
}

/// A player that follows a match, from ply to ply, says what one says that reads it as a whole; also
/// if it is asked about another match in between.
#[test]
fn strategies_need_not_read_a_match_again() {
    let game = game();
    let mut follower = game.strategies(Seat::SECOND).expect("O has strategies");
    let mut finished = Match::new(game.clone(), OnIllegalMove::Loses);
    for seed in 0..40 {
        let mut played = Match::new(game.clone(), OnIllegalMove::Loses);
        let mut random = RandomPlayer::seeded(seed);
        while let ToAct::Seats(seats) = played.to_act() {
            let seat = seats.iter().next().expect("somebody is to move");
            if seat == Seat::FIRST {
                let chosen = random.choose(&played.player_view(seat)).expect("there are moves");
                played.choose(seat, chosen.chosen).expect("it is legal");
                continue;
            }
            let mut reader = game.strategies(seat).expect("O has strategies");
            let followed = follower.choose(&played.player_view(seat));
            assert_eq!(followed, reader.choose(&played.player_view(seat)));
            played.choose(seat, followed.expect("O has a wish").chosen).expect("it is legal");
            if seed % 3 == 0 {
                drop(follower.choose(&finished.player_view(seat)));
            }
        }
        finished = played;
    }
}

/// Plays all games against the strategies of a seat; counts them by the score of that seat.
fn ends_against(ours: Seat, history: &mut Vec<(Seat, Square)>, ends: &mut FxHashMap<i32, u32>) {
    let game = game();
    let position =
        history.iter().fold(game.start(), |position, made| play(&game, &position, *made));
    match game.turn(&position) {
        Turn::Over(outcome) => *ends.entry(outcome.score(ours)).or_default() += 1,
        Turn::One(seat) if seat == ours => {
            let mut player = game.strategies(ours).expect("both seats have strategies");
            let happened: Vec<_> = history.iter().map(|made| Ply::Moves(vec![*made])).collect();
            let player_view = PlayerView::new(&game, &position, ours, &happened);
            let chosen = player.choose(&player_view).expect("a strategy requests a move").chosen;
            history.push((ours, chosen));
            ends_against(ours, history, ends);
            history.pop();
        }
        _ => {
            for square in game.legal_moves(&position, ours.opponent()) {
                history.push((ours.opponent(), square));
                ends_against(ours, history, ends);
                history.pop();
            }
        }
    }
}

#[test]
fn a_player_that_follows_strategies_never_loses() {
    for seat in [Seat::FIRST, Seat::SECOND] {
        let mut ends = FxHashMap::default();
        ends_against(seat, &mut Vec::new(), &mut ends);
        assert_eq!(ends.get(&-1), None, "{seat:?}");
        assert!(ends[&1] > 0 && ends[&0] > 0, "{ends:?}");
    }
}
