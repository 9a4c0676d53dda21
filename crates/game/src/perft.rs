//! Counting all games.

use crate::game::{Game, apply_all};
use crate::refusal::{Code, Reason, Refusal};
use crate::seat::Seat;
use crate::turn::Turn;

/// The number of sequences of `depth` plies from a position. A game that ends earlier is not counted.
pub fn perft<G: Game>(game: &G, position: &G::Position, depth: u32) -> u64 {
    PlyCounter { game, broken: None }.after(position, depth)
}

/// As [`perft`], unless the rules contradict themselves after a move before the last one.
pub(crate) fn checked_perft<G: Game>(
    game: &G,
    position: &G::Position,
    depth: u32,
) -> Result<u64, Refusal> {
    let mut counter = PlyCounter { game, broken: None };
    let count = counter.after(position, depth);
    counter.broken.map_or(Ok(count), Err)
}

struct PlyCounter<'a, G: Game> {
    game: &'a G,
    /// How the rules contradict themselves, after the first moves that lead there.
    broken: Option<Refusal>,
}

impl<G: Game> PlyCounter<'_, G> {
    fn after(&mut self, position: &G::Position, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        match self.game.turn(position) {
            Turn::Over(_) => 0,
            Turn::One(seat) => self.after_one_mover(position, seat, depth),
            Turn::Several(seats) => {
                let seats: Vec<Seat> = seats.iter().collect();
                self.after_all_movers(position, &seats, &mut Vec::new(), depth)
            }
            Turn::Chance => {
                let drawn = self.game.chances(position).into_iter().map(|(drawn, _)| {
                    let mut next = position.clone();
                    self.game.apply_chance(&mut next, &drawn);
                    self.look_at(&next, || Ok(()));
                    self.after(&next, depth - 1)
                });
                drawn.sum()
            }
        }
    }

    fn after_one_mover(&mut self, position: &G::Position, seat: Seat, depth: u32) -> u64 {
        let game = self.game;
        let moves = game.legal_moves(position, seat);
        // The last moves are counted without making them.
        if depth == 1 {
            return moves.len() as u64;
        }
        let after = moves.map(|chosen| {
            let mut next = position.clone();
            game.apply(&mut next, seat, &chosen);
            self.look_at(&next, || game.advance(&mut position.clone(), seat, chosen));
            self.after(&next, depth - 1)
        });
        after.sum()
    }

    fn after_all_movers(
        &mut self,
        position: &G::Position,
        seats: &[Seat],
        moves: &mut Vec<(Seat, G::Move)>,
        depth: u32,
    ) -> u64 {
        let game = self.game;
        let Some((seat, others)) = seats.split_first() else {
            let mut next = position.clone();
            apply_all(game, &mut next, moves);
            self.look_at(&next, || game.advance_all(&mut position.clone(), moves));
            return self.after(&next, depth - 1);
        };
        let mut count = 0;
        for chosen in game.legal_moves(position, *seat) {
            moves.push((*seat, chosen));
            count += self.after_all_movers(position, others, moves, depth);
            moves.pop();
        }
        count
    }

    /// Remembers why the rules are broken, if they are. `advance` refuses the moves that broke them.
    fn look_at(&mut self, next: &G::Position, advance: impl FnOnce() -> Result<(), Refusal>) {
        if self.broken.is_none() && self.game.is_broken(next) {
            let unknown =
                || Reason::new(Code::BROKEN_RULES, "The rules of this game are broken").into();
            self.broken = Some(advance().err().unwrap_or_else(unknown));
        }
    }
}
