//! The lab: a page on which rules are written, switched off, played, proved and shared.
//!
//! Everything here is a value: [`Lab`] takes what a person does ([`Lab::act`]), returns what the
//! browser must do ([`LabEffect`]), and gives its panels as HTML ([`Lab::panels`]). `page` connects it
//! with a browser.

mod board;
mod completion;
mod deflate;
mod editor;
mod examples;
mod friend;
mod game;
mod game_view;
mod html;
mod lesson_state;
mod lessons;
mod luck;
mod messages;
mod opened_link;
#[cfg(feature = "page")]
pub(crate) mod page;
pub mod proof;
mod proof_view;
mod refusals;
mod saved;
mod search;
mod share;
mod spoken;
mod state;
mod states;
mod states_view;
mod text;
mod thinking;
mod thread_list;
mod toolbar;
mod words;

pub use examples::{EXAMPLES, LabExample};
pub use friend::FriendTable;
pub use game::{LabGame, SeatControl, StepPace};
pub use lesson_state::LessonProgress;
pub use lessons::{LESSONS, Lesson, LessonGoal, LessonStep};
pub use messages::{read_lessons, read_saved, write_lessons, write_saved};
pub use saved::SavedText;
pub use search::{ChosenMove, MoveRequest};
pub use share::{LinkError, from_link, to_link};
pub use spoken::{know_keys, spoken};
pub use state::{Lab, LabEffect, LabStorage, ProofState};
pub use states::{StateMap, StateNode};
pub use text::{LabText, SwitchedFamily};
pub use words::{ENGLISH, LabWords};
