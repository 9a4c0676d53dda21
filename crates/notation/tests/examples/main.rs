//! The example texts, and what is known of them.

mod alike;
mod chances;
mod counts;
mod fair_orders;
mod games;
mod games_folder;
mod numbers;
mod runs;
mod solved;
mod texts;
mod twins;
mod verdicts;
mod words;
