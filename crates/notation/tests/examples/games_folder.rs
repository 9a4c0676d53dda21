//! The texts in the folder `games`, by name.

pub(crate) const TEXTS: [(&str, &str); 20] = [
    ("connect", include_str!("../../../../games/connect.cradle")),
    ("crossing", include_str!("../../../../games/crossing.cradle")),
    ("dining", include_str!("../../../../games/dining.cradle")),
    ("dots-and-boxes", include_str!("../../../../games/dots-and-boxes.cradle")),
    ("fox-and-hounds", include_str!("../../../../games/fox-and-hounds.cradle")),
    ("hanoi", include_str!("../../../../games/hanoi.cradle")),
    ("hot-and-cold", include_str!("../../../../games/hot-and-cold.cradle")),
    ("maze", include_str!("../../../../games/maze.cradle")),
    ("misere", include_str!("../../../../games/misere.cradle")),
    ("mnk", include_str!("../../../../games/mnk.cradle")),
    ("monty-hall", include_str!("../../../../games/monty-hall.cradle")),
    ("nim", include_str!("../../../../games/nim.cradle")),
    ("notakto", include_str!("../../../../games/notakto.cradle")),
    ("pig", include_str!("../../../../games/pig.cradle")),
    ("ruin", include_str!("../../../../games/ruin.cradle")),
    ("tic-tac-toe", include_str!("../../../../games/tic-tac-toe.cradle")),
    ("tutorial", include_str!("../../../../games/tutorial.cradle")),
    ("ultimate", include_str!("../../../../games/ultimate.cradle")),
    ("vending", include_str!("../../../../games/vending.cradle")),
    ("wild", include_str!("../../../../games/wild.cradle")),
];
