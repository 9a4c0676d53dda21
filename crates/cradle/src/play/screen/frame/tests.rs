//! What stands on the screen.

use expect_test::{expect, expect_file};

use crate::play::screen::palette::Palette;
use crate::play::screen::stage::Stage;
use crate::play::screen::svg::svg;

#[test]
fn a_game_fills_a_usual_terminal() {
    Stage::new("tic-tac-toe", "bthreads").keys("19").check(&expect![[r#"
         Cat's Cradle · tic-tac-toe   You (X) against bthreads (O)              Round 1
        ────────────────────────────────────────────────────────────────────────────────

                 a             b             c          ▸ X you                      0
             ▄▄     ▄▄  │    ▄▄▄▄▄    │                   O bthreads                 0
             ▀██▄▄▄██▀  │  ▄██▀▀▀██▄  │                   draws                      0
         1     █████    │  ██     ██ •│
             ▄██▀▀▀██▄  │  ▀██▄▄▄██▀  │                 Moves
             ▀▀     ▀▀  │    ▀▀▀▀▀    │                 X a1  O b2  X c3  O b1
           ─────────────┼─────────────┼─────────────
                        │    ▄▄▄▄▄    │
                        │  ▄██▀▀▀██▄  │
         2              │  ██     ██  │
                        │  ▀██▄▄▄██▀  │
                        │    ▀▀▀▀▀    │
           ─────────────┼─────────────┼─────────────
                        │             │┏ ▄▄     ▄▄ ┓
                        │             │  ▀██▄▄▄██▀
         3              │             │    █████
                        │             │  ▄██▀▀▀██▄
                        │             │┗ ▀▀     ▀▀ ┛

         O played b1. Your turn, X.
         ←↑↓→ move  Enter play  ? why  u undo  n new  q quit  r resign  : write
    "#]]);
}

#[test]
fn a_refused_move_is_explained_at_once_and_at_length() {
    Stage::new("tic-tac-toe", "bthreads").keys("5?5").check(&expect![[r#"
         Cat's Cradle · tic-tac-toe   You (X) against bthreads (O)              Round 1
        ────────────────────────────────────────────────────────────────────────────────

                 a             b             c          ▸ X you                      0
               ▄▄▄▄▄    │             │                   O bthreads                 0
             ▄██▀▀▀██▄  │             │                   draws                      0
         1   ██     ██ •│             │
             ▀██▄▄▄██▀  │             │                 Moves
               ▀▀▀▀▀    │             │                 X b2  O a1
           ─────────────┼─────────────┼─────────────
                        │┏ ▄▄     ▄▄ ┓│                 Why not b2
                        │  ▀██▄▄▄██▀  │                 That cell is already marked.
         2              │    █████    │                 ▌ SquareTaken(b2)
                        │  ▄██▀▀▀██▄  │                 ▌ blocks marks on b2
                        │┗ ▀▀     ▀▀ ┛│
           ─────────────┼─────────────┼─────────────    Why O played a1
                        │             │                 ▌ DefaultMoves
                        │             │                 ▌ wanted a1, and was heard
         3              │             │
                        │             │
                        │             │

         That cell is already marked: SquareTaken(b2).
         ←↑↓→ move  Enter play  ? why  u undo  n new  q quit  r resign  : write
    "#]]);
}

#[test]
fn a_cell_with_several_moves_asks_which() {
    Stage::new("wild", "human").keys("xh\n").check(&expect![[r#"
         Cat's Cradle · wild   First against Second on one screen               Round 1
        ────────────────────────────────────────────────────────────────────────────────

                 a             b             c            First a person             0
                        │             │                 ▸ Second a person            0
                        │             │                   draws                      0
         1              │             │
                        │             │                 Moves
                        │             │                 First Xb2
           ─────────────┼─────────────┼─────────────
           ┏╭─────────╮┓│  ▄▄     ▄▄  │
            │▸ 1 Xa2  │ │  ▀██▄▄▄██▀  │
         2  │  2 Oa2  │ │    █████   •│
            ╰─────────╯ │  ▄██▀▀▀██▄  │
           ┗           ┛│  ▀▀     ▀▀  │
           ─────────────┼─────────────┼─────────────
                        │             │
                        │             │
         3              │             │
                        │             │
                        │             │

         Which one?
         ↑↓ move  Enter play  Esc back
    "#]]);
}

#[test]
fn pieces_of_a_larger_board_are_smaller() {
    Stage::new("connect-four", "human").keys("\n\nhj\n").check(&expect![[r#"
         Cat's Cradle · connect-four   X against O on one screen                Round 1
        ────────────────────────────────────────────────────────────────────────────────

             a     b     c     d     e     f     g        X a person                 0
                │     │     │     │     │     │         ▸ O a person                 0
         1      │     │     │     │     │     │           draws                      0
           ─────┼─────┼─────┼─────┼─────┼─────┼─────
                │     │     │     │     │     │         Moves
         2      │     │     │     │     │     │         X d  O d  X c
           ─────┼─────┼─────┼─────┼─────┼─────┼─────
                │     │     │     │     │     │
         3      │     │     │     │     │     │
           ─────┼─────┼─────┼─────┼─────┼─────┼─────
                │     │     │     │     │     │
         4      │     │     │     │     │     │
           ─────┼─────┼─────┼─────┼─────┼─────┼─────
                │     │┏   ┓│ █▀█ │     │     │
         5      │     │┗   ┛│ █▄█ │     │     │
           ─────┼─────┼─────┼─────┼─────┼─────┼─────
                │     │ ▀▄▀ │ ▀▄▀ │     │     │
         6      │     │ ▄▀▄•│ ▄▀▄ │     │     │

         X played c. O is to move.
         ←↑↓→ move  Enter play  ? why  u undo  n new  q quit  r resign  : write
    "#]]);
}

#[test]
fn blocks_have_heavier_lines_and_open_cells_have_dots() {
    Stage::new("ultimate", "human").keys("\nl").check(&expect![[r#"
         Cat's Cradle · ultimate   X against O on one screen                    Round 1
        ────────────────────────────────────────────────────────────────────────────────

               a   b   c   d   e   f   g   h   i          X a person                 0
            1    │   │   ┃   │   │   ┃   │   │          ▸ O a person                 0
              ───┼───┼───╂───┼───┼───╂───┼───┼───         draws                      0
            2    │   │   ┃   │   │   ┃   │   │
              ───┼───┼───╂───┼───┼───╂───┼───┼───       O must play in the board from
            3    │   │   ┃   │   │   ┃   │   │          d4 to f6
              ━━━┿━━━┿━━━╋━━━┿━━━┿━━━╋━━━┿━━━┿━━━
            4    │   │   ┃ · │ · │ · ┃   │   │          Moves
              ───┼───┼───╂───┼───┼───╂───┼───┼───       X e5
            5    │   │   ┃ · │ X │[·]┃   │   │
              ───┼───┼───╂───┼───┼───╂───┼───┼───
            6    │   │   ┃ · │ · │ · ┃   │   │
              ━━━┿━━━┿━━━╋━━━┿━━━┿━━━╋━━━┿━━━┿━━━
            7    │   │   ┃   │   │   ┃   │   │
              ───┼───┼───╂───┼───┼───╂───┼───┼───
            8    │   │   ┃   │   │   ┃   │   │
              ───┼───┼───╂───┼───┼───╂───┼───┼───
            9    │   │   ┃   │   │   ┃   │   │

         X played e5. O is to move.
         ←↑↓→ move  Enter play  ? why  u undo  n new  q quit  r resign  : write
    "#]]);
}

#[test]
fn nineteen_by_nineteen_fits() {
    Stage::new("mnk:19,19,5", "human").keys("\nh\n").check(&expect![[r#"
         Cat's Cradle · mnk:19,19,5   X against O on one screen                 Round 1
        ────────────────────────────────────────────────────────────────────────────────
             a b c d e f g h i j k l m n o p q r s
           1 · · · · · · · · · · · · · · · · · · ·      ▸ X a person                 0
           2 · · · · · · · · · · · · · · · · · · ·        O a person                 0
           3 · · · · · · · · · · · · · · · · · · ·        draws                      0
           4 · · · · · · · · · · · · · · · · · · ·
           5 · · · · · · · · · · · · · · · · · · ·      Moves
           6 · · · · · · · · · · · · · · · · · · ·      X j10  O i10
           7 · · · · · · · · · · · · · · · · · · ·
           8 · · · · · · · · · · · · · · · · · · ·
           9 · · · · · · · · · · · · · · · · · · ·
          10 · · · · · · · ·[O]X · · · · · · · · ·
          11 · · · · · · · · · · · · · · · · · · ·
          12 · · · · · · · · · · · · · · · · · · ·
          13 · · · · · · · · · · · · · · · · · · ·
          14 · · · · · · · · · · · · · · · · · · ·
          15 · · · · · · · · · · · · · · · · · · ·
          16 · · · · · · · · · · · · · · · · · · ·
          17 · · · · · · · · · · · · · · · · · · ·
          18 · · · · · · · · · · · · · · · · · · ·
          19 · · · · · · · · · · · · · · · · · · ·
         O played i10. X is to move.
         ←↑↓→ move  Enter play  ? why  u undo  n new  q quit  r resign  : write
    "#]]);
}

#[test]
fn a_game_without_a_board_lists_its_moves() {
    Stage::new("pig", "random").keys("1").check(&expect![[r#"
         Cat's Cradle · pig   You (A) against random (B)                        Round 1
        ────────────────────────────────────────────────────────────────────────────────

                                                        ▸ A you                      0
            100 points win                                B random                   0
            A has 0                                       draws                      0
            B has 0
            A has rolled 2 in this turn                 Moves
                                                        A roll  Drawn: 2

            ▸ 1 roll
              2 hold










         Drawn: 2. Your turn, A.
         ↑↓ move  Enter play  ? why  u undo  n new  q quit  r resign  : write
    "#]]);
}

#[test]
fn who_writes_a_move_sees_it() {
    Stage::new("tic-tac-toe", "human").sized(40, 14).keys(":b2").check(&expect![[r#"
         Cat's Cradle · tic-tac-toe     Round 1
        ────────────────────────────────────────
                      a     b     c
                         │     │
                  1      │     │
                    ─────┼─────┼─────
                         │┏   ┓│
                  2      │┗   ┛│
                    ─────┼─────┼─────
                         │     │
                  3      │     │

         Your move: b2▏
         Enter play  Esc back
    "#]]);
}

#[test]
fn who_wants_to_give_up_is_asked() {
    Stage::new("tic-tac-toe", "human").sized(40, 14).keys("1524").keys("r").check(&expect![[r#"
         Cat's Cradle · tic-tac-toe     Round 1
        ────────────────────────────────────────
                      a     b     c
                     ▀▄▀ │ ▀▄▀ │
                  1  ▄▀▄ │ ▄▀▄ │
                    ─────┼─────┼─────
                    ┏█▀█┓│ █▀█ │
                  2 ┗█▄█┛│ █▄█ │
                    ─────┼─────┼─────
                         │     │
                  3      │     │

         Give up this round? y/n
         y give up  n play on
    "#]]);
    Stage::new("tic-tac-toe", "human").sized(40, 14).keys("15243").check(&expect![[r#"
         Cat's Cradle · tic-tac-toe     Round 1
        ────────────────────────────────────────
                      a     b     c
                     ▀▄▀ │ ▀▄▀ │┏▀▄▀┓
                  1  ▄▀▄ │ ▄▀▄ │┗▄▀▄┛
                    ─────┼─────┼─────
                     █▀█ │ █▀█ │
                  2  █▄█ │ █▄█ │
                    ─────┼─────┼─────
                         │     │
                  3      │     │

         X wins. Press n for another round.
         ←↑↓→ move  Enter play  ? why  u undo
    "#]]);
}

#[test]
fn without_room_for_a_panel_reasons_cover_the_board() {
    Stage::new("tic-tac-toe", "bthreads").sized(40, 14).keys("5?").check(&expect![[r#"
         Cat's Cradle · tic-tac-toe     Round 1
        ────────────────────────────────────────

          Why not b2
          That cell is already marked.
          ▌ SquareTaken(b2)
          ▌ blocks marks on b2

          Why O played a1
          ▌ DefaultMoves
          …

         O played a1. Your turn, X.
         ←↑↓→ move  Enter play  ? why  u undo
    "#]]);
}

#[test]
fn a_long_refusal_covers_what_is_above_until_the_next_key() {
    let stage = Stage::new("tic-tac-toe", "human").sized(40, 14).keys(":zz\n");
    stage.check(&expect![[r#"
         Cat's Cradle · tic-tac-toe     Round 1
        ────────────────────────────────────────
                      a     b     c
                         │     │
                  1      │     │
                    ─────┼─────┼─────
                         │┏   ┓│
                  2      │┗   ┛│
                    ─────┼─────┼─────
         "zz" is not a square: write 0 to 8
         (row by row from the top left), a1 to
         c3 (column and row) or 0,0 to 2,2
         (row,column).
         ←↑↓→ move  Enter play  ? why  u undo
    "#]]);
    assert_eq!(stage.keys("h").view.notice, None);
}

#[test]
fn a_window_that_is_too_small_says_so() {
    Stage::new("mnk:19,19,5", "human").sized(30, 3).check(&expect![[r#"
        This window has 30×3
        characters; 41×24 are needed.

    "#]]);
}

#[test]
fn what_decided_the_game_looks_different_from_the_rest() {
    let looks = |keys: &str, palette, place| {
        let mut stage = Stage::new("tic-tac-toe", "human").keys(keys);
        stage.view.palette = palette;
        let buffer = stage.buffer();
        let cell = stage.plan().board.unwrap().cell(place);
        let middle = &buffer[(cell.x + cell.width / 2, cell.y + cell.height / 2)];
        (middle.fg, middle.bg, middle.modifier)
    };
    for palette in [Palette::Plain, Palette::Sixteen, Palette::Rich] {
        let won = [0, 1, 2].map(|place| looks("15243", palette, place));
        assert_eq!(won, [won[0]; 3], "{palette:?}");
        assert_ne!(won[0], looks("15249", palette, 0), "{palette:?}");
    }
}

#[test]
fn the_picture_of_a_game_is_up_to_date() {
    let mut stage = Stage::new("tic-tac-toe", "bthreads").keys("ryn").keys("1?3").keys("jlk");
    stage.view.palette = Palette::Rich;
    let title = "A game of tic-tac-toe in a terminal, with the reasons for the last move";
    let picture = svg(&stage.buffer(), title);
    expect_file!["../../../../../../docs/pictures/play.svg"].assert_eq(&picture);
}
