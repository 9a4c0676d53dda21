//! A slow and obvious interpreter of b-threads beside the real one, on random programs.
//!
//! The real one explores each b-thread before anything happens, with sets of events as bits. This one
//! walks through the statements while events happen, and asks of each event whether a set contains
//! it.

mod interpreter;
mod programs;

use std::collections::BTreeSet;

use checker::Model;
use game::Generator;
use notation::{Document, ModelOptions, RunPace};

use crate::interpreter::Interpreter;
use crate::programs::{all_events, random_program};

const PROGRAMS: u64 = 4_000;
const WALKS: usize = 3;
const LONGEST_WALK: usize = 15;

/// Compares all that can happen on random walks. Returns the number of steps, or nothing if the text
/// leaves the range of a variable before anything happens, which is a mistake.
fn compare(number: u64) -> Option<usize> {
    let mut generator = Generator::seeded(number);
    let program = random_program(&mut generator);
    let text = program.to_string();
    let built = match Document::read(text.as_str()).build(&[]) {
        Ok(built) => built,
        Err(mistakes) => {
            let codes: Vec<&str> = mistakes.iter().map(|each| each.code.as_str()).collect();
            assert!(codes.contains(&"leaves-range"), "{codes:?}\n{text}");
            return None;
        }
    };
    let model = built.model(&ModelOptions::default()).expect("a program is a model");
    let mut steps = 0;
    for _ in 0..WALKS {
        let mut slow = Interpreter::new(&program);
        let (mut run, _) = built.start_run(RunPace::Steps).expect("nothing happens by itself");
        let mut state = model.start();
        let mut walk = Vec::new();
        for _ in 0..LONGEST_WALK {
            let expected: BTreeSet<String> =
                slow.possible().iter().map(ToString::to_string).collect();
            let found = run.possible().iter().map(|each| each.event.to_string()).collect();
            assert_eq!(expected, found, "a run of number {number} after {walk:?}\n{text}");
            let mut successors = Vec::new();
            let shown = model.successors(&state, &mut |event, next| {
                successors.push((event.to_string(), next));
            });
            shown.expect("all events are declared");
            let found = successors.iter().map(|(event, _)| event.clone()).collect();
            assert_eq!(expected, found, "the model of number {number} after {walk:?}\n{text}");
            let broken = run.violations().count();
            assert_eq!(slow.broken(), broken, "number {number} after {walk:?}\n{text}");
            let possible = slow.possible();
            if possible.is_empty() {
                break;
            }
            let chosen = generator.below(possible.len() as u64);
            let chosen = &possible[usize::try_from(chosen).expect("there are few")];
            let name = chosen.to_string();
            slow.happen(chosen);
            let event = built.event_called(&name).expect("it is declared");
            run.trigger(&event).expect("it is possible");
            let next = successors.into_iter().find(|(known, _)| *known == name);
            state = next.expect("it is possible").1;
            walk.push(name);
            steps += 1;
        }
    }
    Some(steps)
}

#[test]
fn random_programs_do_what_their_statements_say() {
    let done: Vec<usize> = (0..PROGRAMS).filter_map(compare).collect();
    let steps: usize = done.iter().sum();
    // Few programs are mistaken, and most go on for some steps.
    assert!(done.len() as u64 > PROGRAMS * 9 / 10, "{} programs", done.len());
    assert!(steps > 10 * done.len(), "{steps} steps of {} programs", done.len());
    assert_eq!(all_events().len(), 13);
}
