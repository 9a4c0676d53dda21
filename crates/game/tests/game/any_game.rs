//! The form of all games that speaks text.

use std::hash::{Hash, Hasher};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::little_games::duel::{Duel, Number};
use crate::little_games::high_card::{Card, Deal, HighCard, Say};
use crate::little_games::stroll::{Pace, Stroll};
use crate::little_games::subtraction::{Pile, Subtraction, Take};
use game::{
    AnyGame, AnyPosition, Code, Game, Match, MoveText, OnIllegalMove, Outcome, Picture, Player,
    PlayerKind, Ply, Seat, Turn, Viewer, perft,
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

/// A match between players of these names.
fn check<G: Game>(
    game: &G,
    player: impl Fn(Seat) -> Box<dyn Player<G>>,
    seed: u64,
) -> (Outcome, Vec<String>) {
    let mut played = Match::new(game.clone(), OnIllegalMove::Loses);
    let mut shown = Vec::new();
    let outcome = played.run(&mut [player(ANN), player(BEN)], seed, |now, whys| {
        shown.push(format!("{} {whys:?}", game.text(now.position())));
    });
    (outcome.expect(CAN), shown)
}

const CAN: &str = "the player can play this game";

fn plays_alike<G: Game>(game: &G, name: &PlayerKind) {
    let any = AnyGame::new(game.clone());
    for seed in 0..20 {
        let typed = check(game, |seat| name.player(game, seat, seed).expect(CAN), seed);
        let spoken = check(&any, |seat| any.player(name, seat, seed).expect(CAN), seed);
        assert_eq!(typed, spoken);
    }
}

#[test]
fn the_same_seed_means_the_same_match_in_both_forms() {
    plays_alike(&GAME, &PlayerKind::Random);
    plays_alike(&GAME, &PlayerKind::Perfect);
    plays_alike(&Duel, &PlayerKind::Random);
    plays_alike(&HighCard(Deal::Hidden), &PlayerKind::Random);
    let end = Some((5, Outcome::draw()));
    plays_alike(&Stroll { seats: &["Ann", "Ben"], end }, &PlayerKind::Perfect);
}

#[test]
fn what_cannot_play_a_game_cannot_play_its_other_form() {
    let error = AnyGame::new(Duel).player(&PlayerKind::Perfect, ANN, 0).unwrap_err();
    let why = "seats choose at the same time there";
    assert_eq!(error.to_string(), format!("perfect cannot play Left in duel: {why}"));
    assert!(any().strategies(ANN).is_none());
    let endless = AnyGame::new(Stroll::endless(&["Ann", "Ben"]));
    let error = endless.player(&PlayerKind::Perfect, BEN, 0).unwrap_err();
    assert_eq!(error.reason, "its games need not end");
}

#[test]
fn perfect_in_the_other_form_sees_the_position() {
    let (any, name) = (any(), PlayerKind::Perfect);
    let (outcome, shown) = check(&any, |seat| any.player(&name, seat, 0).unwrap(), 0);
    assert_eq!(outcome, Outcome::won_by(ANN));
    assert!(shown[0].contains("a win in 11 plies for Ann; 2 other moves are worse"), "{shown:?}");
}

/// A game that counts how often somebody begins to look through it.
#[derive(Clone, Debug)]
struct Counted<G>(G, Arc<AtomicUsize>);

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
        self.1.fetch_add(1, Ordering::Relaxed);
        self.0.start()
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

/// How often a game is looked through for three players.
fn searches(game: impl Game, is_solvable: bool) -> usize {
    let counted = Arc::new(AtomicUsize::new(0));
    let any = AnyGame::new(Counted(game, Arc::clone(&counted)));
    for seat in [ANN, BEN, ANN] {
        let player = any.clone().player(&PlayerKind::Perfect, seat, 0);
        assert_eq!(player.is_ok(), is_solvable, "{player:?}");
    }
    counted.load(Ordering::Relaxed)
}

#[test]
fn a_game_is_solved_once_for_all_its_players() {
    assert_eq!(searches(GAME, true), 1);
    assert_eq!(searches(Stroll::endless(&["Ann", "Ben"]), false), 1, "that it cannot be is known");
    let long = Stroll { seats: &["Ann", "Ben"], end: Some((20_000, Outcome::draw())) };
    assert_eq!(searches(long, true), 3, "large solutions are not kept");
}

#[test]
fn moves_are_given_out_as_the_game_writes_them() {
    assert_eq!(any().read_move("+2").unwrap(), text("2"));
    assert_eq!(any().read_move("+2").unwrap().as_str(), Take(2).to_string());
    let legal = any().legal_moves(&any().start(), ANN).collect::<Vec<_>>();
    assert_eq!(legal, ["1", "2", "3"].map(text));
    let card = AnyGame::new(HighCard(Deal::Hidden)).read_chance("K").unwrap();
    assert_eq!(card.to_string(), Card::King.to_string());
}

#[test]
fn what_the_game_cannot_read_is_refused() {
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
fn what_the_game_can_read_may_be_written_differently() {
    let any = any();
    let one = any.play(&any.start(), ANN, text("2")).unwrap();
    let other = any.play(&any.start(), ANN, text("+2")).unwrap();
    assert_eq!(one, other);
}

#[test]
fn positions_are_equal_where_the_typed_ones_are() {
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
fn a_position_of_another_game_is_a_mistake() {
    any().turn(&AnyGame::new(Duel).start());
}

#[test]
fn views_and_what_is_seen_stay_hidden() {
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
    assert_eq!(any.read_move("keep").unwrap().as_str(), Say::Keep.to_string());
}

#[test]
fn moves_at_once_are_refused_together() {
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
fn all_games_are_counted_alike() {
    for depth in 0..6 {
        assert_eq!(perft(&any(), &any().start(), depth), perft(&GAME, &GAME.start(), depth));
    }
    let stroll = AnyGame::new(Stroll::endless(&["Ann"]));
    assert_eq!(perft(&stroll, &stroll.start(), 9), 1);
    assert_eq!(stroll.read_move("pace").unwrap().as_str(), Pace.to_string());
}
