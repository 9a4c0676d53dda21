//! Dining philosophers: each takes the stick to the right, then the one to the left, and
//! puts them back. With random choices all of them may take the right stick first and
//! starve: the run is stuck, and shows what each philosopher requests.

mod table;

use bthread::{Limits, Random, Status};
use table::{Action, philosophers};

fn main() {
    const SEATS: u8 = 3;
    let limits = Limits { steps: 10_000, ..Limits::default() };
    for seed in 0.. {
        let mut dinner: Vec<Action> = Vec::new();
        let run = philosophers(SEATS).start_with(Random::seeded(seed), limits, &mut dinner);
        // An endless dinner is a good one.
        let Ok(run) = run else { continue };
        assert_eq!(run.status(), Status::Stuck, "nobody ever leaves the table");
        println!("With seed {seed} they starve after {} actions:", dinner.len());
        for action in dinner {
            println!("  {action}");
        }
        run.visit_live(|name, point| println!("{name} is stuck at: {point}"));
        break;
    }
}

#[cfg(test)]
mod tests {
    use bthread::{Limits, Priority, Random, Status, SuperstepError, Unobserved};

    use super::table::{Action, Side, actions, philosophers};

    #[test]
    fn with_priorities_the_first_philosopher_dines_alone_for_ever() {
        let limits = Limits { steps: 400, ..Limits::default() };
        let endless = philosophers(3).start_with(Priority, limits, &mut Unobserved);
        let next = Action::Pick(0, Side::Right);
        assert_eq!(endless.err(), Some(SuperstepError::Endless { budget: 400, next }));
    }

    #[test]
    fn with_random_choices_they_starve_with_a_right_stick_each() {
        for seed in 0..20 {
            let strategy = Random::seeded(seed);
            let run = philosophers(3).start_with(strategy, Limits::default(), &mut Unobserved);
            let run = run.unwrap();
            assert_eq!(run.status(), Status::Stuck);
            let mut requests = Vec::new();
            run.visit_live(|_, point| requests.extend(point.requests().to_vec()));
            let left_sticks = actions(3).filter(|action| action.is_left_pick());
            assert_eq!(requests, left_sticks.collect::<Vec<_>>());
        }
    }

    #[test]
    fn the_closed_program_has_the_same_dinners_and_at_most_118_states() {
        let program = philosophers(4);
        let automaton = program.close(actions(4)).unwrap();
        for seed in 0..20 {
            let (mut open, mut closed): (Vec<Action>, Vec<Action>) = (Vec::new(), Vec::new());
            let (strategy, limits) = (Random::seeded(seed), Limits::default());
            program.start_with(strategy.clone(), limits, &mut open).unwrap();
            automaton.start_with(strategy, limits, &mut closed).unwrap();
            assert_eq!(open, closed);
        }
        assert!(automaton.states() <= 118, "{}", automaton.states());
    }
}
