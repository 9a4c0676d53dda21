//! Probabilities and expected costs of decision processes.

mod known_numbers;
mod little_pig;
mod naive;
mod pig;
mod random_processes;
