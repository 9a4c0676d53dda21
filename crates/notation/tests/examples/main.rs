//! The example texts, and what is known of them.

mod alike;
mod chances;
mod counts;
mod games;
mod texts;
mod verdicts;
