//! Plays a game of tic-tac-toe: X follows a list, and b-threads play O.

mod rules;

use bthread::{Explanations, TriggerError};
use rules::{game, x};

/// The squares that X tries; 4 is taken by then.
const X_TRIES: [u8; 6] = [5, 0, 4, 7, 6, 3];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (mut run, _) = game().start()?;
    for square in X_TRIES {
        let mut explanations = Explanations::default();
        match run.trigger_observed(x(square), &mut explanations) {
            Ok(_) => {
                explanations
                    .steps
                    .iter()
                    .for_each(|step| println!("{} ({})", step.event, step.cause));
            }
            Err(TriggerError::Refused(refusal)) => println!("Refused: {refusal}"),
            Err(error) => return Err(error.into()),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::rules::{game, x};

    #[test]
    fn x_wins_the_game_of_the_example() {
        let (mut run, _) = game().start().unwrap();
        let events = super::X_TRIES.iter().flat_map(|square| match run.trigger(x(*square)) {
            Ok(superstep) => superstep.events,
            Err(_) => Vec::new(),
        });
        let played: Vec<String> = events.map(|event| event.to_string()).collect();
        assert_eq!(played.join(" "), "X5 O4 X0 O1 X7 O2 X6 O8 X3 XWin[0,3,6]");
    }
}
