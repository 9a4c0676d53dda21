//! What the screen shows.

use expect_test::{expect, expect_file};

use ratatui::crossterm::event::KeyCode;
use ratatui::style::Modifier;

use crate::play::screen::charset::Charset;
use crate::play::screen::palette::{Palette, StyleRole};
use crate::play::screen::svg::svg;
use crate::play::screen::test_screen::TestScreen;

#[test]
fn a_game_fills_a_usual_terminal() {
    TestScreen::new("tic-tac-toe", "bthreads").keys("08").check(&expect![[r#"
         Cat's Cradle · tic-tac-toe   You (X) against bthreads (O)              Round 1
        ────────────────────────────────────────────────────────────────────────────────
                  a             b             c
              ▄▄     ▄▄  │    ▄▄▄▄▄    │                ▸ X you                      0
              ▀██▄▄▄██▀  │  ▄██▀▀▀██▄  │                  O bthreads                 0
         1      █████    │  ██     ██ •│
              ▄██▀▀▀██▄  │  ▀██▄▄▄██▀  │                Moves
              ▀▀     ▀▀  │    ▀▀▀▀▀    │                X a1  O b2  X c3  O b1
            ─────────────┼─────────────┼─────────────
                         │    ▄▄▄▄▄    │
                         │  ▄██▀▀▀██▄  │
         2               │  ██     ██  │
                         │  ▀██▄▄▄██▀  │
                         │    ▀▀▀▀▀    │
            ─────────────┼─────────────┏━━━━━━━━━━━━━┓
                         │             ┃  ▄▄     ▄▄  ┃
                         │             ┃  ▀██▄▄▄██▀  ┃
         3               │             ┃    █████    ┃
                         │             ┃  ▄██▀▀▀██▄  ┃
                         │             ┃  ▀▀     ▀▀  ┃
                                       ┗━━━━━━━━━━━━━┛

         O played b1. Your turn, X.
         Enter play  0-8 square  ? why  u undo  n new  r resign  : type  i info  q quit
    "#]]);
}

#[test]
fn a_refused_move_is_explained_at_once_and_at_length() {
    TestScreen::new("tic-tac-toe", "bthreads").keys("4?4").check(&expect![[r#"
         Cat's Cradle · tic-tac-toe   You (X) against bthreads (O)              Round 1
        ────────────────────────────────────────────────────────────────────────────────
                  a             b             c
                ▄▄▄▄▄    │             │                ▸ X you                      0
              ▄██▀▀▀██▄  │             │                  O bthreads                 0
         1    ██     ██ •│             │
              ▀██▄▄▄██▀  │             │                Moves
                ▀▀▀▀▀    │             │                X b2  O a1
            ─────────────┏━━━━━━━━━━━━━┓─────────────
                         ┃  ▄▄     ▄▄  ┃                Why not b2
                         ┃  ▀██▄▄▄██▀  ┃                That cell is already marked.
         2               ┃    █████    ┃                ▌ SquareTaken(b2)
                         ┃  ▄██▀▀▀██▄  ┃                ▌ blocks marks on b2
                         ┃  ▀▀     ▀▀  ┃
            ─────────────┗━━━━━━━━━━━━━┛─────────────   Why O played a1
                         │             │                ▌ DefaultMoves
                         │             │                ▌ wanted a1 and had its way
         3               │             │
                         │             │
                         │             │


         That cell is already marked: SquareTaken(b2).
         Enter play  0-8 square  ? why  u undo  n new  r resign  : type  i info  q quit
    "#]]);
}

#[test]
fn a_cell_with_several_moves_asks_which() {
    TestScreen::new("wild", "human").keys("x\nh\n").check(&expect![[r#"
         Cat's Cradle · wild   Player 1 (First) against player 2 (Second)       Round 1
        ────────────────────────────────────────────────────────────────────────────────
                  a             b             c
                         │             │                  First player 1             0
                         │             │                ▸ Second player 2            0
         1               │             │
                         │             │                Moves
                         │             │                First Xb2
           ┏━━━━━━━━━━━━━┓─────────────┼─────────────
           ┃  ╭───────╮  ┃  ▄▄     ▄▄  │
           ┃  │ ▸ X   │  ┃  ▀██▄▄▄██▀  │
         2 ┃  │   O   │  ┃    █████   •│
           ┃  ╰───────╯  ┃  ▄██▀▀▀██▄  │
           ┃             ┃  ▀▀     ▀▀  │
           ┗━━━━━━━━━━━━━┛─────────────┼─────────────
                         │             │
                         │             │
         3               │             │
                         │             │
                         │             │


         Which one? Enter plays Xa2.
         ↑↓ move  Enter play  Esc back
    "#]]);
}

#[test]
fn pieces_of_a_larger_board_are_smaller() {
    TestScreen::new("connect-four", "human").keys("\n\nhj\n").check(&expect![[r#"
         Cat's Cradle · connect-four   Player 1 (X) against player 2 (O)        Round 1
        ────────────────────────────────────────────────────────────────────────────────
              a     b     c     d     e     f     g
                 │     │     │     │     │     │          X player 1                 0
         1       │     │     │     │     │     │        ▸ O player 2                 0
            ─────┼─────┼─────┼─────┼─────┼─────┼─────
                 │     │     │     │     │     │        Moves
         2       │     │     │     │     │     │        X d  O d  X c
            ─────┼─────┼─────┼─────┼─────┼─────┼─────
                 │     │     │     │     │     │
         3       │     │     │     │     │     │
            ─────┼─────┼─────┼─────┼─────┼─────┼─────
                 │     │     │     │     │     │
         4       │     │     │     │     │     │
            ─────┼─────┏━━━━━┓─────┼─────┼─────┼─────
                 │     ┃     ┃ █▀█ │     │     │
         5       │     ┃     ┃ █▄█ │     │     │
            ─────┼─────┗━━━━━┛─────┼─────┼─────┼─────
                 │     │ ▀▄▀ │ ▀▄▀ │     │     │
         6       │     │ ▄▀▄•│ ▄▀▄ │     │     │


         X played c. O is to move.
         ←→ move  Enter play  ? why  u undo  n new  r resign  : type  i info  q quit
    "#]]);
}

#[test]
fn blocks_have_heavier_lines_and_open_cells_have_dots() {
    TestScreen::new("ultimate", "human").keys("\nl").check(&expect![[r#"
         Cat's Cradle · ultimate   Player 1 (X) against player 2 (O)            Round 1
        ────────────────────────────────────────────────────────────────────────────────
                a   b   c   d   e   f   g   h   i
            1     │   │   ┃   │   │   ┃   │   │           X player 1                 0
               ───┼───┼───╂───┼───┼───╂───┼───┼───      ▸ O player 2                 0
            2     │   │   ┃   │   │   ┃   │   │
               ───┼───┼───╂───┼───┼───╂───┼───┼───      O must play in the board from
            3     │   │   ┃   │   │   ┃   │   │         d4 to f6
               ━━━┿━━━┿━━━╋━━━┿━━━┿━━━╋━━━┿━━━┿━━━
            4     │   │   ┃ · │ · │ · ┃   │   │         Moves
               ───┼───┼───╂───┼───┏━━━┓───┼───┼───      X e5
            5     │   │   ┃ · │ X ┃ · ┃   │   │
               ───┼───┼───╂───┼───┗━━━┛───┼───┼───
            6     │   │   ┃ · │ · │ · ┃   │   │
               ━━━┿━━━┿━━━╋━━━┿━━━┿━━━╋━━━┿━━━┿━━━
            7     │   │   ┃   │   │   ┃   │   │
               ───┼───┼───╂───┼───┼───╂───┼───┼───
            8     │   │   ┃   │   │   ┃   │   │
               ───┼───┼───╂───┼───┼───╂───┼───┼───
            9     │   │   ┃   │   │   ┃   │   │


         X played e5. O is to move.
         ←↑↓→ move  Enter play  ? why  u undo  n new  r resign  : type  i info  q quit
    "#]]);
}

#[test]
fn nineteen_by_nineteen_fits() {
    TestScreen::new("mnk:19,19,5", "human").keys("\nh\n").check(&expect![[r#"
         Cat's Cradle · mnk:19,19,5   Player 1 (X) against player 2 (O)         Round 1
        ────────────────────────────────────────────────────────────────────────────────
              a b c d e f g h i j k l m n o p q r s
           1  · · · · · · · · · · · · · · · · · · ·     ▸ X player 1                 0
           2  · · · · · · · · · · · · · · · · · · ·       O player 2                 0
           3  · · · · · · · · · · · · · · · · · · ·
           4  · · · · · · · · · · · · · · · · · · ·     Moves
           5  · · · · · · · · · · · · · · · · · · ·     X j10  O i10
           6  · · · · · · · · · · · · · · · · · · ·
           7  · · · · · · · · · · · · · · · · · · ·
           8  · · · · · · · · · · · · · · · · · · ·
           9  · · · · · · · · · · · · · · · · · · ·
          10  · · · · · · · ·[O]X · · · · · · · · ·
          11  · · · · · · · · · · · · · · · · · · ·
          12  · · · · · · · · · · · · · · · · · · ·
          13  · · · · · · · · · · · · · · · · · · ·
          14  · · · · · · · · · · · · · · · · · · ·
          15  · · · · · · · · · · · · · · · · · · ·
          16  · · · · · · · · · · · · · · · · · · ·
          17  · · · · · · · · · · · · · · · · · · ·
          18  · · · · · · · · · · · · · · · · · · ·
          19  · · · · · · · · · · · · · · · · · · ·
         O played i10. X is to move.
         ←↑↓→ move  Enter play  ? why  u undo  n new  r resign  : type  i info  q quit
    "#]]);
}

#[test]
fn a_game_without_a_board_lists_its_moves() {
    TestScreen::new("pig", "random").keys("1").check(&expect![[r#"
         Cat's Cradle · pig   You (A) against random (B)                        Round 1
        ────────────────────────────────────────────────────────────────────────────────

                                                        ▸ A you                      0
                                                          B random                   0

             ╭─────────────────────────────────╮        Moves
             │                                 │        You roll  Chance drew 2
             │   100 points win                │
             │   A has 0                       │
             │   B has 0                       │
             │   A has rolled 2 in this turn   │
             │                                 │
             │   ▸ 1 roll                      │
             │     2 hold                      │
             │                                 │
             ╰─────────────────────────────────╯





         Chance drew 2. Your turn, A.
         ↑↓ move  Enter play  ? why  u undo  n new  r resign  : type  i info  q quit
    "#]]);
}

#[test]
fn a_typed_move_is_shown() {
    TestScreen::new("tic-tac-toe", "human").sized(40, 14).keys(":b2").check(&expect![[r#"
         tic-tac-toe   X 0 · O 0        Round 1
        ────────────────────────────────────────
                       a     b     c
                          │     │
                  1       │     │
                     ─────┏━━━━━┓─────
                          ┃     ┃
                  2       ┃     ┃
                     ─────┗━━━━━┛─────
                          │     │
                  3       │     │

         Your move: b2▏
         Enter play  Esc back
    "#]]);
}

#[test]
fn giving_up_is_confirmed_on_the_screen() {
    TestScreen::new("tic-tac-toe", "human").sized(40, 14).keys("0413").keys("r").check(&expect![[
        r#"
         tic-tac-toe   X 0 · O 0        Round 1
        ────────────────────────────────────────
                       a     b     c
                      ▀▄▀ │ ▀▄▀ │
                  1   ▄▀▄ │ ▄▀▄ │
                    ┏━━━━━┓─────┼─────
                    ┃ █▀█ ┃ █▀█ │
                  2 ┃ █▄█•┃ █▄█ │
                    ┗━━━━━┛─────┼─────
                          │     │
                  3       │     │

         Give up this round? y/n
         y give up  n play on
    "#
    ]]);
    TestScreen::new("tic-tac-toe", "human").sized(40, 14).keys("04132").check(&expect![[r#"
         tic-tac-toe   X 1 · O 0        Round 1
        ────────────────────────────────────────
                       a     b  ┏━━c━━┓
                      ▀▄▀ │ ▀▄▀ ┃ ▀▄▀ ┃
                  1   ▄▀▄ │ ▄▀▄ ┃ ▄▀▄ ┃
                     ─────┼─────┗━━━━━┛
                      █▀█ │ █▀█ │
                  2   █▄█ │ █▄█ │
                     ─────┼─────┼─────
                          │     │
                  3       │     │

         X has won. Press n for another round.
         n new round u undo ? why i info q quit
    "#]]);
}

#[test]
fn without_room_for_a_panel_explanations_cover_the_board() {
    TestScreen::new("tic-tac-toe", "bthreads").sized(40, 14).keys("4?").check(&expect![[r#"
         tic-tac-toe   X you 0 · O bthreads 0
        ────────────────────────────────────────

          Why not b2
          That cell is already marked.
          ▌ SquareTaken(b2)
          ▌ blocks marks on b2

          Why O played a1
          ▌ DefaultMoves
          ▌ wanted a1 and had its way

         Your turn, X.
         Esc back
    "#]]);
}

#[test]
fn a_long_refusal_covers_what_is_above_until_the_next_key() {
    let screen = TestScreen::new("tic-tac-toe", "human").sized(40, 14).keys(":zz\n");
    screen.check(&expect![[r#"
         tic-tac-toe   X 0 · O 0        Round 1
        ────────────────────────────────────────
                       a     b     c
                          │     │
                  1       │     │
                     ─────┏━━━━━┓─────
                          ┃     ┃
                  2       ┃     ┃
                     ─────┗━━━━━┛─────
         "zz" is not a square: write 0 to 8
         (row by row from the top left), a1 to
         c3 (column and row) or 0,0 to 2,2
         (row,column).
         ↵ 0-8 ? u n r : i info q
    "#]]);
    assert_eq!(screen.keys("h").state.notice, None);
}

#[test]
fn a_window_that_is_too_small_says_so() {
    TestScreen::new("mnk:19,19,5", "human").sized(30, 3).check(&expect![[r#"
        Press q to quit, or enlarge
        this window. This window has
        30×3 characters; 42×24 are
    "#]]);
}

#[test]
fn cells_that_decided_the_game_look_different() {
    let looks = |keys: &str, palette, place| {
        let mut screen = TestScreen::new("tic-tac-toe", "human").keys(keys);
        screen.state.palette = palette;
        let buffer = screen.buffer();
        let cell = screen.layout().board.unwrap().cell(place);
        let middle = &buffer[(cell.x + cell.width / 2, cell.y + cell.height / 2)];
        (middle.fg, middle.bg, middle.modifier)
    };
    for palette in [Palette::Plain, Palette::Sixteen, Palette::Rich] {
        let won = [0, 1, 2].map(|place| looks("04132", palette, place));
        assert_eq!(won, [won[0]; 3], "{palette:?}");
        assert_ne!(won[0], looks("04138", palette, 0), "{palette:?}");
    }
}

#[test]
fn a_narrow_window_keeps_the_score_the_open_board_and_all_keys() {
    let won = ":d4\n:b2\n:e4\n:e2\n:f4\n";
    TestScreen::new("ultimate", "human").sized(60, 20).keys(won).check(&expect![[r#"
         Cat's Cradle · ultimate   X 0 · O 0                Round 1
        ────────────────────────────────────────────────────────────


                       a   b   c   d   e   f   g   h   i
                   1             ┃           ┃ ·   ·   ·
                   2       O     ┃     O     ┃ ·   ·   ·
                   3             ┃           ┃ ·   ·   ·
                      ━━━━━━━━━━━╋━━━━━━━━━━━╋━━━━━━━━━━━
                   4             ┃  ▀█▄ ▄█▀  ┃
                   5             ┃    [█]    ┃
                   6             ┃  ▄█▀ ▀█▄  ┃
                      ━━━━━━━━━━━╋━━━━━━━━━━━╋━━━━━━━━━━━
                   7             ┃           ┃
                   8             ┃           ┃
                   9             ┃           ┃

         X played f4. O is to move. Won by X: d4 to f6. O must play
         in the board from g1 to i3.
         ↵ play ? why u undo n new r resign : type i info q quit
    "#]]);
}

#[test]
fn where_a_piece_will_land_is_framed_and_the_move_explained() {
    TestScreen::new("connect-four", "human").sized(90, 20).keys("\nj?").check(&expect![[r#"
         Cat's Cradle · connect-four   Player 1 (X) against player 2 (O)                  Round 1
        ──────────────────────────────────────────────────────────────────────────────────────────

                         a   b   c   d   e   f   g                  X player 1                 0
                     1     │   │   │   │   │   │                  ▸ O player 2                 0
                        ───┼───┼───┼───┼───┼───┼───
                     2     │   │   │   │   │   │                  Moves
                        ───┼───┼───┼───┼───┼───┼───               X d
                     3     │   │   │   │   │   │
                        ───┼───┼───┼───┼───┼───┼───               d is allowed
                     4     │   │   │   │   │   │
                        ───┼───┼───┏━━━┓───┼───┼───
                     5     │   │   ┃   ┃   │   │
                        ───┼───┼───┗━━━┛───┼───┼───
                     6     │   │   │ X │   │   │



         X played d. O is to move.
         ←→ move  Enter play  ? why  u undo  n new  r resign  : type  i info  q quit
    "#]]);
}

#[test]
fn after_the_end_only_keys_that_make_sense_are_listed() {
    let lost = TestScreen::new("tic-tac-toe", "scripted:b1/b2/b3").keys("068?");
    lost.keys("\n").check(&expect![[r#"
         Cat's Cradle · tic-tac-toe   You (X) against scripted:b1/b2/b3 (O)     Round 1
        ────────────────────────────────────────────────────────────────────────────────
                  a             b             c
              ▄▄     ▄▄  │    ▄▄▄▄▄    │                  X you                      0
              ▀██▄▄▄██▀  │  ▄██▀▀▀██▄  │                  O scripted:b1/b2/b3        1
         1      █████    │  ██     ██  │
              ▄██▀▀▀██▄  │  ▀██▄▄▄██▀  │                Moves
              ▀▀     ▀▀  │    ▀▀▀▀▀    │                X a1  O b1  X a3  O b2  X c3
            ─────────────┼─────────────┼─────────────   O b3
                         │    ▄▄▄▄▄    │
                         │  ▄██▀▀▀██▄  │                The round is over
         2               │  ██     ██  │                You lose: O has won.
                         │  ▀██▄▄▄██▀  │
                         │    ▀▀▀▀▀    │                Why O played b3
            ─────────────┼─────────────┏━━━━━━━━━━━━━┓  scripted:b1/b2/b3 gives no
              ▄▄     ▄▄  │    ▄▄▄▄▄    ┃  ▄▄     ▄▄  ┃  reasons.
              ▀██▄▄▄██▀  │  ▄██▀▀▀██▄  ┃  ▀██▄▄▄██▀  ┃
         3      █████    │  ██     ██  ┃    █████    ┃
              ▄██▀▀▀██▄  │  ▀██▄▄▄██▀  ┃  ▄██▀▀▀██▄  ┃
              ▀▀     ▀▀  │    ▀▀▀▀▀    ┃  ▀▀     ▀▀  ┃
                                       ┗━━━━━━━━━━━━━┛

         The round is over: O has won. Press n for another round.
         n new round  u undo  ? why  i info  q quit
    "#]]);
}

#[test]
fn the_game_and_the_keys_are_explained() {
    TestScreen::new("kuhn-poker", "random").sized(60, 20).keys("i").check(&expect![[r#"
         kuhn-poker   First you 0 · Second random 0         Round 1
        ────────────────────────────────────────────────────────────

          kuhn-poker
          Poker with three cards: one for each, and one nobody
          sees.

          Enter   play what is under the cursor
          ?       why a move was made or is refused
          u       take a move back
          n       another round; seats are swapped
          q       quit
          r       give up this round
          :       type a move
          hjkl    move like the arrows
          PgUp/Dn scroll a long text


         Your turn, First.
         Esc back
    "#]]);
}

#[test]
fn open_cells_can_be_seen_at_every_size_and_in_all_colours() {
    let looks = |palette, (columns, rows), place| {
        let mut screen = TestScreen::new("ultimate", "human").sized(columns, rows).keys(":e5\n");
        screen.state.palette = palette;
        screen.state.cursor = 0;
        let buffer = screen.buffer();
        let cell = screen.layout().board.unwrap().cell(place);
        buffer[(cell.x + cell.width / 2, cell.y + cell.height / 2)].clone()
    };
    let (open, closed) = (9 * 3 + 4, 9 * 8 + 7);
    for palette in [Palette::Plain, Palette::Sixteen, Palette::Rich] {
        for size in [(34, 16), (60, 20), (80, 24), (120, 40)] {
            assert_ne!(looks(palette, size, open), looks(palette, size, closed), "{size:?}");
        }
    }
}

#[test]
fn seats_that_own_no_mark_have_no_colour_of_their_own() {
    let colour = |game: &str| {
        let mut screen = TestScreen::new(game, "human");
        screen.state.palette = Palette::Rich;
        let panel = screen.layout().panel.unwrap();
        screen.buffer()[(panel.x + 4, panel.y + 1)].fg
    };
    let strong = Palette::Rich.style(StyleRole::Strong).fg.unwrap();
    assert_eq!(["wild", "notakto"].map(colour), [strong; 2]);
    assert_ne!(colour("tic-tac-toe"), strong);
}

#[test]
fn only_the_last_move_in_a_small_cell_is_underlined() {
    let screen = TestScreen::new("ultimate", "human").keys(":e5\n");
    let (buffer, cell) = (screen.buffer(), screen.layout().board.unwrap().cell(9 * 4 + 4));
    let underlined = |x: u16| buffer[(x, cell.y)].modifier.contains(Modifier::UNDERLINED);
    assert_eq!([0, 1, 2].map(|right| underlined(cell.x + right)), [false, true, false]);
}

#[test]
fn the_picture_of_a_game_is_up_to_date() {
    let mut screen = TestScreen::new("tic-tac-toe", "bthreads").keys("0?2");
    screen.state.palette = Palette::Rich;
    let title = "A game of tic-tac-toe in a terminal, with the reasons for the last move";
    let picture = svg(&screen.buffer(), title);
    expect_file!["../../../../../../docs/pictures/play.svg"].assert_eq(&picture);
}

fn ascii(mut screen: TestScreen) -> TestScreen {
    screen.state.charset = Charset::Ascii;
    screen
}

#[test]
fn a_terminal_without_unicode_shows_the_same_in_ascii() {
    ascii(TestScreen::new("tic-tac-toe", "bthreads").keys("4?4")).check(&expect![[r#"
         Cat's Cradle . tic-tac-toe   You (X) against bthreads (O)              Round 1
        --------------------------------------------------------------------------------
                  a             b             c
                  O      |             |                > X you                      0
               OOOOOOO   |             |                  O bthreads                 0
         1    OO     OO *|             |
               OOOOOOO   |             |                Moves
                  O      |             |                X b2  O a1
            -------------###############-------------
                         #  X       X  #                Why not b2
                         #   XXX XXX   #                That cell is already marked.
         2               #    XXXXX    #                | SquareTaken(b2)
                         #   XXX XXX   #                | blocks marks on b2
                         #  X       X  #
            -------------###############-------------   Why O played a1
                         |             |                | DefaultMoves
                         |             |                | wanted a1 and had its way
         3               |             |
                         |             |
                         |             |


         That cell is already marked: SquareTaken(b2).
         Enter play  0-8 square  ? why  u undo  n new  r resign  : type  i info  q quit
    "#]]);
    ascii(TestScreen::new("wild", "human").sized(40, 12).keys("o")).check(&expect![[r#"
         wild   First 0 . Second 0      Round 1
        ----------------------------------------
                         a   b   c
                     1   +-------+
                        -|   X   |-
                     2   | > O   |
                        -+-------+-
                     3     |   |


         Which one? Enter plays Ob2.
         ^v move  Enter play  Esc back
    "#]]);
}

#[test]
fn ascii_is_enough_for_every_game_at_every_size() {
    for name in games::catalog::CATALOG.map(|listed| listed.example) {
        for (columns, rows) in [(20, 5), (40, 12), (60, 20), (80, 24), (120, 50)] {
            for keys in ["", "\n", "\n?", "i", ":b", "r", "\nq"] {
                let screen = TestScreen::new(name, "random").sized(columns, rows).keys(keys);
                let mut screen = ascii(screen);
                for palette in [Palette::Plain, Palette::Sixteen, Palette::Rich] {
                    screen.state.palette = palette;
                    let buffer = screen.buffer();
                    let other = buffer.content.iter().find(|cell| !cell.symbol().is_ascii());
                    assert_eq!(other, None, "{name} {columns} {rows} {keys:?}");
                }
            }
        }
    }
}

#[test]
fn a_move_of_one_character_is_its_own_key() {
    TestScreen::new("odds-and-evens", "random").sized(60, 16).check(&expect![[r#"
         odds-and-evens   Odds you 0 · Evens random 0       Round 1
        ────────────────────────────────────────────────────────────


                 ╭───────────────────────────────────────╮
                 │                                       │
                 │   Odds and Evens have shown nothing   │
                 │                                       │
                 │   ▸ 1                                 │
                 │     2                                 │
                 │                                       │
                 ╰───────────────────────────────────────╯

         Both show one finger or two at once; the sum decides. Your
         turn, Odds.
         ↵ play ? why u undo n new r resign : type i info q quit
    "#]]);
}

#[test]
fn long_explanations_scroll() {
    let screen = TestScreen::new("tic-tac-toe", "bthreads").sized(40, 12);
    let screen = screen.keys(":a1\n:a3\n:c3\n?").key(KeyCode::Down);
    screen.check(&expect![[r#"
         tic-tac-toe   X you 0 · O bthreads 1
        ────────────────────────────────────────

          … PgUp

          Why O played c2
          ▌ AddThirdO(a2,b2,c2)
          ▌ wanted c2 and had its way
          … PgDn

         You lose: O has won.
         ↑↓ scroll  Esc back
    "#]]);
}

#[test]
fn every_move_of_a_game_without_a_board_fits_into_the_smallest_window() {
    for (game, last) in [("pig", "hold"), ("kuhn-poker", "bet"), ("odds-and-evens", "2")] {
        let screen = TestScreen::new(game, "random").sized(34, 12);
        let screen = if game == "pig" { screen.keys("1") } else { screen };
        let buffer = screen.buffer();
        let row = |y| (0..34).map(|x| buffer[(x, y)].symbol()).collect::<String>();
        let rows: Vec<String> = (2..10).map(row).collect();
        assert!(rows.iter().any(|row| row.trim_matches(['│', ' ']).ends_with(last)), "{rows:#?}");
    }
}
