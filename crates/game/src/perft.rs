//! Counting all games.

use crate::game::{Game, apply_all};
use crate::seat::Seat;
use crate::turn::Turn;

/// The number of sequences of `depth` plies from a position. A game that ends earlier is not counted.
pub fn perft<G: Game>(game: &G, position: &G::Position, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    match game.turn(position) {
        Turn::Over(_) => 0,
        Turn::One(seat) => after_one_mover(game, position, seat, depth),
        Turn::Several(seats) => {
            let seats: Vec<Seat> = seats.iter().collect();
            after_all_movers(game, position, &seats, &mut Vec::new(), depth)
        }
        Turn::Chance => {
            let drawn = game.chances(position).into_iter().map(|(drawn, _)| {
                let mut next = position.clone();
                game.apply_chance(&mut next, &drawn);
                perft(game, &next, depth - 1)
            });
            drawn.sum()
        }
    }
}

fn after_one_mover<G: Game>(game: &G, position: &G::Position, seat: Seat, depth: u32) -> u64 {
    let moves = game.legal_moves(position, seat);
    // The last moves are counted without making them.
    if depth == 1 {
        return moves.len() as u64;
    }
    let after = moves.map(|chosen| {
        let mut next = position.clone();
        game.apply(&mut next, seat, &chosen);
        perft(game, &next, depth - 1)
    });
    after.sum()
}

fn after_all_movers<G: Game>(
    game: &G,
    position: &G::Position,
    seats: &[Seat],
    moves: &mut Vec<(Seat, G::Move)>,
    depth: u32,
) -> u64 {
    let Some((seat, others)) = seats.split_first() else {
        let mut next = position.clone();
        apply_all(game, &mut next, moves);
        return perft(game, &next, depth - 1);
    };
    let mut count = 0;
    for chosen in game.legal_moves(position, *seat) {
        moves.push((*seat, chosen));
        count += after_all_movers(game, position, others, moves, depth);
        moves.pop();
    }
    count
}
