//! `AnyGame`: any game, with moves as text.

use std::hash::{Hash, Hasher};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::little_games::duel::{Duel, Number};
use crate::little_games::high_card::{Card, Deal, Decision, HighCard};
use crate::little_games::stroll::{Pace, Stroll};
use crate::little_games::subtraction::{Pile, Subtraction, Take};
use game::{
    AnyGame, AnyPosition, Code, Game, Match, MoveText, OnIllegalMove, Outcome, Picture, Player,
    PlayerKind, Ply, Refusal, Seat, Turn, Viewer, perft,
};
use rustc_hash::FxHasher;

const ANN: Seat = Seat::FIRST;
const BEN: Seat = Seat::SECOND;
const GAME: Subtraction = Subtraction { stones: 21 };

fn text(words: &str) -> MoveText {
    let Ok(text) = words.parse();
    text
}

fn any() -> AnyGame {
    AnyGame::new(GAME)
}

fn hash(position: &AnyPosition) -> u64 {
    let mut hasher = FxHasher::default();
    position.hash(&mut hasher);
    hasher.finish()
}

/// Plays a match; returns the outcome, and each position with the explanations of the last moves.
fn play_match<G: Game>(
    game: &G,
    player: impl Fn(Seat) -> Box<dyn Player<G>>,
    seed: u64,
) -> (Outcome, Vec<String>) {
    let mut played = Match::new(game.clone(), OnIllegalMove::Loses);
    let mut shown = Vec::new();
    let outcome = played.run(&mut [player(ANN), player(BEN)], seed, |now, explanations| {
        shown.push(format!("{} {explanations:?}", game.text(now.position())));
    });
    (outcome.expect(CAN), shown)
}

const CAN: &str = "the player can play this game";

/// Checks that players of this kind play the same matches in the game and in its `AnyGame`.
fn check_same_matches<G: Game>(game: &G, kind: &PlayerKind) {
    let any = AnyGame::new(game.clone());
    for seed in 0..20 {
        let typed = play_match(game, |seat| kind.player(game, seat, seed).expect(CAN), seed);
        let as_text = play_match(&any, |seat| any.player(kind, seat, seed).expect(CAN), seed);
        assert_eq!(typed, as_text);
    }
}

#[test]
fn the_same_seed_leads_to_the_same_match_as_any_game() {
    check_same_matches(&GAME, &PlayerKind::Random);
    check_same_matches(&GAME, &PlayerKind::Perfect);
    check_same_matches(&Duel, &PlayerKind::Random);
    check_same_matches(&HighCard(Deal::Hidden), &PlayerKind::Random);
    let end = Some((5, Outcome::draw()));
    check_same_matches(&Stroll { seats: &["Ann", "Ben"], end }, &PlayerKind::Perfect);
}

#[test]
fn a_player_that_cannot_play_a_game_cannot_play_it_as_any_game() {
    let error = AnyGame::new(Duel).player(&PlayerKind::Perfect, ANN, 0).unwrap_err();
    let why = "seats choose at the same time there";
    assert_eq!(error.to_string(), format!("perfect cannot play Left in duel: {why}"));
    assert!(any().strategies(ANN).is_none());
    let endless = AnyGame::new(Stroll::endless(&["Ann", "Ben"]));
    let error = endless.player(&PlayerKind::Perfect, BEN, 0).unwrap_err();
    assert_eq!(error.reason, "its games need not end");
}

#[test]
fn a_perfect_player_of_any_game_explains_its_moves() {
    let (any, name) = (any(), PlayerKind::Perfect);
    let (outcome, shown) = play_match(&any, |seat| any.player(&name, seat, 0).unwrap(), 0);
    assert_eq!(outcome, Outcome::won_by(ANN));
    assert!(shown[0].contains("a win in 11 plies for Ann; 2 other moves are worse"), "{shown:?}");
}

/// A game that counts some of its calls.
#[derive(Clone, Debug)]
struct Counted<G>(G, Arc<CallCounts>);

#[derive(Debug, Default)]
struct CallCounts {
    /// One for each search through the game.
    starts: AtomicUsize,
    reads: AtomicUsize,
}

impl<G: Game> Game for Counted<G> {
    type Position = G::Position;
    type Move = G::Move;
    type Chance = G::Chance;

    fn name(&self) -> String {
        self.0.name()
    }

    fn seats(&self) -> Vec<&str> {
        self.0.seats()
    }

    fn start(&self) -> G::Position {
        self.1.starts.fetch_add(1, Ordering::Relaxed);
        self.0.start()
    }

    fn read_move(&self, text: &str) -> Result<G::Move, Refusal> {
        self.1.reads.fetch_add(1, Ordering::Relaxed);
        self.0.read_move(text)
    }

    fn turn(&self, position: &G::Position) -> Turn {
        self.0.turn(position)
    }

    fn legal_moves<'a>(
        &'a self,
        position: &'a G::Position,
        seat: Seat,
    ) -> impl ExactSizeIterator<Item = G::Move> + 'a {
        self.0.legal_moves(position, seat)
    }

    fn apply(&self, position: &mut G::Position, seat: Seat, chosen: &G::Move) {
        self.0.apply(position, seat, chosen);
    }

    fn text(&self, position: &G::Position) -> String {
        self.0.text(position)
    }

    fn picture(&self, position: &G::Position, viewer: Viewer) -> Picture {
        self.0.picture(position, viewer)
    }
}

/// The number of searches through a game for three perfect players.
fn searches(game: impl Game, is_solvable: bool) -> usize {
    let counted = Arc::new(CallCounts::default());
    let any = AnyGame::new(Counted(game, Arc::clone(&counted)));
    for seat in [ANN, BEN, ANN] {
        let player = any.clone().player(&PlayerKind::Perfect, seat, 0);
        assert_eq!(player.is_ok(), is_solvable, "{player:?}");
    }
    counted.starts.load(Ordering::Relaxed)
}

/// How often moves are read in a match of this length between random players.
fn reads(plies: u16) -> usize {
    let stroll = Stroll { seats: &["Ann", "Ben"], end: Some((plies, Outcome::draw())) };
    let counted = Arc::new(CallCounts::default());
    let any = AnyGame::new(Counted(stroll, Arc::clone(&counted)));
    play_match(&any, |seat| any.player(&PlayerKind::Random, seat, 0).expect(CAN), 0);
    counted.reads.load(Ordering::Relaxed)
}

#[test]
fn a_long_match_does_not_make_its_moves_dearer() {
    let (short, long) = (reads(100), reads(1_000));
    assert!(long <= 11 * short, "{short} and {long}");
}

#[test]
fn a_game_is_solved_once_for_all_its_players() {
    assert_eq!(searches(GAME, true), 1);
    assert_eq!(searches(Stroll::endless(&["Ann", "Ben"]), false), 1, "the failure is kept too");
    let long = Stroll { seats: &["Ann", "Ben"], end: Some((20_000, Outcome::draw())) };
    assert_eq!(searches(long, true), 3, "large solutions are not kept");
}

#[test]
fn moves_are_written_as_the_game_writes_them() {
    assert_eq!(any().read_move("+2").unwrap(), text("2"));
    assert_eq!(any().read_move("+2").unwrap().as_str(), Take(2).to_string());
    let legal = any().legal_moves(&any().start(), ANN).collect::<Vec<_>>();
    assert_eq!(legal, ["1", "2", "3"].map(text));
    let card = AnyGame::new(HighCard(Deal::Hidden)).read_chance("K").unwrap();
    assert_eq!(card.to_string(), Card::King.to_string());
}

#[test]
fn a_text_that_the_game_cannot_read_is_refused() {
    let any = any();
    let refusal = any.read_move("b2").unwrap_err();
    assert_eq!(refusal.code(), &Code::OUT_OF_BOUNDS);
    assert_eq!(refusal.message(), "Take 1, 2 or 3 stones");
    let (start, mut position) = (any.start(), any.start());
    assert_eq!(any.check(&start, ANN, &text("b2")), Err(refusal.clone()));
    assert_eq!(any.advance(&mut position, ANN, text("b2")), Err(refusal));
    assert_eq!(position, start);
    assert_eq!(any.read_chance("K").unwrap_err().message(), "chance draws nothing in this game");
    let long = any.read_move(&"1".repeat(65)).unwrap_err();
    assert_eq!(long.message(), "A move has at most 64 characters");
}

#[test]
fn a_move_can_be_written_in_several_ways() {
    let any = any();
    let one = any.play(&any.start(), ANN, text("2")).unwrap();
    let other = any.play(&any.start(), ANN, text("+2")).unwrap();
    assert_eq!(one, other);
}

#[test]
fn positions_are_equal_if_the_typed_positions_are() {
    let any = any();
    let after = |moves: &[u8]| {
        let mut position = any.start();
        for (ply, taken) in moves.iter().enumerate() {
            let seat = if ply % 2 == 0 { ANN } else { BEN };
            any.advance(&mut position, seat, text(&taken.to_string())).unwrap();
        }
        position
    };
    let (one, other) = (after(&[1, 2]), after(&[2, 1]));
    assert_eq!(one, other);
    assert_eq!(hash(&one), hash(&other));
    assert_ne!(one, after(&[3]));
    assert_eq!(format!("{:?}", after(&[3])), {
        let pile = Pile { stones: 18, turn: BEN };
        format!("AnyPosition({pile:?})")
    });
}

#[test]
fn positions_of_different_games_are_different() {
    assert_ne!(any().start(), AnyGame::new(Duel).start());
}

#[test]
#[should_panic(expected = "a position belongs to the game that made it")]
fn a_position_of_another_game_causes_a_panic() {
    any().turn(&AnyGame::new(Duel).start());
}

#[test]
fn hidden_cards_stay_hidden() {
    let any = AnyGame::new(HighCard(Deal::Hidden));
    let king = Ply::Chance(text(&Card::King.to_string()));
    let (mut position, mut seen) = (any.start(), Vec::new());
    for viewer in [Viewer::Seat(ANN), Viewer::Seat(BEN), Viewer::Spectator] {
        seen.push(any.seen(&position, &king, viewer));
    }
    assert_eq!(seen, ["K", "a card", "a card"]);
    any.advance_chance(&mut position, &text("K")).unwrap();
    assert_eq!(any.view(&position, Viewer::Seat(ANN)), "K-");
    assert_eq!(any.view(&position, Viewer::Seat(BEN)), "?-");
    let refusal = any.advance_chance(&mut position, &text("K")).unwrap_err();
    assert_eq!(refusal.message(), "K cannot be drawn now");
    assert_eq!(any.read_move("keep").unwrap().as_str(), Decision::Keep.to_string());
}

#[test]
fn simultaneous_moves_are_accepted_or_refused_together() {
    let any = AnyGame::new(Duel);
    let one = Number(1).to_string();
    let mut position = any.start();
    let mut play = |moves: &[(Seat, &str)]| {
        let moves: Vec<_> = moves.iter().map(|(seat, words)| (*seat, text(words))).collect();
        any.advance_all(&mut position, &moves).map_err(|refusal| refusal.code().clone())
    };
    assert_eq!(play(&[(ANN, &one), (BEN, "x")]), Err(Code::OUT_OF_BOUNDS));
    assert_eq!(play(&[(ANN, &one)]), Err(Code::INCOMPLETE));
    assert_eq!(play(&[(ANN, &one), (BEN, &one)]), Ok(()));
    assert_eq!(play(&[(ANN, &one), (BEN, "2")]), Err(Code::ALREADY_TAKEN));
}

#[test]
fn perft_counts_the_same_games() {
    for depth in 0..6 {
        assert_eq!(perft(&any(), &any().start(), depth), perft(&GAME, &GAME.start(), depth));
    }
    let stroll = AnyGame::new(Stroll::endless(&["Ann"]));
    assert_eq!(perft(&stroll, &stroll.start(), 9), 1);
    assert_eq!(stroll.read_move("pace").unwrap().as_str(), Pace.to_string());
}
