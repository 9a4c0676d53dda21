//! Choices that several seats make at once.

use bthread::Generator;

use crate::players::pick::{by_weight, normal, unit};
use crate::seat::{Seat, Seats};
use crate::turn::Outcome;

/// What the seats have learned in a position in which they choose at once, by regret matching
/// (Lanctot, Lisý and Winands, 2013).
#[derive(Clone, Debug)]
pub(super) struct JointChoice {
    learners: Vec<Learner>,
}

#[derive(Clone, Debug)]
struct Learner {
    seat: Seat,
    regrets: Vec<f64>,
    /// The strategies of all visits.
    sums: Vec<f64>,
    /// What was chosen in this visit.
    chosen: usize,
}

/// A joint move as one of the seats sees it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct JointMove {
    /// The place of the seat's own move.
    pub(super) own: usize,
    /// How likely the moves of the others are by their average strategies.
    pub(super) weight: f64,
}

/// How often a seat tries any move, so that every move is tried again and again.
const EXPLORATION: f64 = 0.1;

/// The most children of a joint choice: more moves than that are not told apart.
const MOST_CHILDREN: usize = 4_096;

impl JointChoice {
    /// Nothing learned yet; `None` if the seats have too many moves together.
    pub(super) fn new(seats: Seats, moves: impl Fn(Seat) -> usize) -> Option<Self> {
        let learner = |seat| {
            let nothing = vec![0.0; moves(seat)];
            Learner { seat, regrets: nothing.clone(), sums: nothing, chosen: 0 }
        };
        let learners: Vec<Learner> = seats.iter().map(learner).collect();
        let together = learners.iter().try_fold(1_usize, |product, learner| {
            product.checked_mul(learner.sums.len()).filter(|all| *all <= MOST_CHILDREN)
        });
        together.filter(|all| *all > 0).map(|_| Self { learners })
    }

    /// The number of joint moves.
    pub(super) fn children(&self) -> usize {
        self.learners.iter().map(|learner| learner.sums.len()).product()
    }

    /// Lets every seat choose; returns the place of the joint move.
    pub(super) fn choose(&mut self, generator: &mut Generator) -> usize {
        for learner in &mut self.learners {
            let strategy = matched(&learner.regrets);
            for (sum, weight) in learner.sums.iter_mut().zip(&strategy) {
                *sum += weight;
            }
            learner.chosen = if unit(generator) < EXPLORATION {
                by_weight(&vec![1.0; strategy.len()], generator)
            } else {
                by_weight(&strategy, generator)
            };
        }
        self.place(|learner| learner.chosen)
    }

    /// The moves of this visit by seat.
    pub(super) fn chosen(&self) -> impl Iterator<Item = (Seat, usize)> {
        self.learners.iter().map(|learner| (learner.seat, learner.chosen))
    }

    /// Learns from the outcome of a visit; `mean` is what a joint move has brought a seat so far.
    pub(super) fn learn(&mut self, outcome: &Outcome, mean: impl Fn(usize, Seat) -> Option<f64>) {
        for index in 0..self.learners.len() {
            let (seat, chosen) = (self.learners[index].seat, self.learners[index].chosen);
            let score = f64::from(outcome.score(seat));
            for other in 0..self.learners[index].sums.len() {
                if other == chosen {
                    continue;
                }
                let place =
                    self.place(|learner| if learner.seat == seat { other } else { learner.chosen });
                if let Some(mean) = mean(place, seat) {
                    self.learners[index].regrets[other] += mean - score;
                }
            }
        }
    }

    /// The average strategy of a seat.
    pub(super) fn strategy(&self, seat: Seat) -> Option<Vec<f64>> {
        let learner = self.learners.iter().find(|learner| learner.seat == seat)?;
        Some(normal(&learner.sums))
    }

    /// The joint moves in the order of their places, as one of the seats sees them.
    pub(super) fn joint_moves(&self, seat: Seat) -> Vec<JointMove> {
        let mut moves = vec![JointMove { own: 0, weight: 1.0 }];
        for learner in &self.learners {
            let strategy = normal(&learner.sums);
            let longer = |before: &JointMove| {
                let before = *before;
                let chosen = strategy.iter().enumerate().map(move |(place, share)| {
                    if learner.seat == seat {
                        JointMove { own: place, ..before }
                    } else {
                        JointMove { weight: before.weight * share, ..before }
                    }
                });
                chosen.collect::<Vec<_>>()
            };
            moves = moves.iter().flat_map(longer).collect();
        }
        moves
    }

    fn place(&self, choice: impl Fn(&Learner) -> usize) -> usize {
        self.learners.iter().fold(0, |place, learner| place * learner.sums.len() + choice(learner))
    }
}

/// The strategy that these regrets ask for.
fn matched(regrets: &[f64]) -> Vec<f64> {
    let positive: Vec<f64> = regrets.iter().map(|regret| regret.max(0.0)).collect();
    normal(&positive)
}
