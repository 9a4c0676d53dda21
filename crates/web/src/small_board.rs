//! The small pictures of games on the home page. They are kept as values, so that the first program, which
//! has the rules of one game, shows all of them.

/// The board of a game some random moves in, for the small picture beside its title.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SmallBoard {
    game: &'static str,
    /// The number of squares in a row.
    pub(crate) columns: usize,
    /// The side of a block in squares; 1 without blocks.
    pub(crate) block_side: usize,
    /// The marks, row by row: `X` and `O` of the first and the second seat, `x` and `o` of nobody, and `.`
    /// for an empty square.
    pub(crate) marks: &'static str,
}

impl SmallBoard {
    /// The picture of a game; `None` for a game without a board.
    pub(crate) fn of(game: &str) -> Option<Self> {
        SMALL_BOARDS.into_iter().find(|board| board.game == game)
    }
}

/// The pictures of all games with a board. A test compares them with the games.
const SMALL_BOARDS: [SmallBoard; 7] = [
    small_board("tic-tac-toe", 3, 1, "OO.XXO..X"),
    small_board("misere", 3, 1, "OO.XXO..X"),
    small_board("wild", 3, 1, "xo.x..oxx"),
    small_board("notakto", 3, 1, "x..xxx..x"),
    small_board("mnk:6,5,4", 6, 1, "O......O...X.X...O.........X.."),
    small_board("connect-four", 7, 1, "...................................OOXXO.X"),
    small_board(
        "ultimate",
        9,
        3,
        "....................X.........O.O....X.....X...........................O.........",
    ),
];

const fn small_board(
    game: &'static str,
    columns: usize,
    block_side: usize,
    marks: &'static str,
) -> SmallBoard {
    SmallBoard { game, columns, block_side, marks }
}

#[cfg(test)]
mod tests {
    use game::{Game as _, Generator, Viewer};
    use games::catalog;

    use super::*;
    use crate::games_menu::offered_games;

    /// The plies of the game in a small picture.
    const PLIES: usize = 6;

    /// The board of a game after some random moves; `None` if it has none.
    fn drawn(name: &str) -> Option<(usize, usize, String)> {
        let game = catalog::game_without_searches(name).unwrap();
        let (mut position, mut generator) = (game.start(), Generator::seeded(7));
        for _ in 0..PLIES {
            if game.play_at_random(&mut position, &mut generator).is_err() {
                break;
            }
        }
        let board = game.picture(&position, Viewer::Spectator).board?;
        let mark = |cell: &game::GridCell| {
            let Some(piece) = &cell.piece else { return ".".to_owned() };
            if piece.seat.is_some() { piece.symbol.clone() } else { piece.symbol.to_lowercase() }
        };
        let marks = board.cells.iter().map(mark).collect();
        Some((usize::from(board.columns), usize::from(board.block).max(1), marks))
    }

    #[test]
    fn the_small_pictures_show_positions_of_their_games() {
        let names: Vec<String> = offered_games().into_iter().map(|game| game.name).collect();
        let of = |board: SmallBoard| (board.columns, board.block_side, board.marks.to_owned());
        let kept: Vec<_> = names.iter().map(|name| (name, SmallBoard::of(name).map(of))).collect();
        let drawn: Vec<_> = names.iter().map(|name| (name, drawn(name))).collect();
        assert_eq!(kept, drawn);
    }
}
