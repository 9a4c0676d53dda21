//! The games of a round, on all cores.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use game::{AnyGame, CannotPlay, Fixture, GameRecord, PlayerKind, StopFlag};

use crate::quantity::count;

/// The number of threads that play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Cores(usize);

impl Cores {
    /// This many, or as many as there are.
    pub(super) fn new(given: Option<u16>) -> Self {
        let all = || thread::available_parallelism().map_or(1, usize::from);
        Self(given.map_or_else(all, usize::from))
    }
}

/// How many games of a round are over.
#[derive(Clone, Copy, Debug)]
pub(super) struct RoundProgress {
    done: usize,
    all: usize,
    /// The time since the round began.
    pub(super) elapsed: Duration,
}

/// The games that a thread takes at once: few enough to end together, many enough to be worth it.
const MOST_AT_ONCE: usize = 64;

/// The time between two reports of progress.
const PAUSE: Duration = Duration::from_millis(100);

type Records = Vec<Option<GameRecord>>;

/// Plays games that do not depend on each other. The records are in the order of the games, whoever
/// played them; one that was stopped is `None`.
///
/// # Errors
/// If a player cannot play the game.
pub(super) fn play_round(
    game: &AnyGame,
    kinds: &[PlayerKind],
    fixtures: &[Fixture],
    Cores(cores): Cores,
    stop: &StopFlag,
    mut show: impl FnMut(RoundProgress),
) -> Result<Records, CannotPlay> {
    let (next, size) = (AtomicUsize::new(0), chunk(fixtures.len(), cores));
    let mut records: Records = vec![None; fixtures.len()];
    let (sender, receiver) = mpsc::channel();
    let (mut failed, start) = (None, Instant::now());
    thread::scope(|scope| {
        for _ in 0..cores {
            let (sender, next) = (sender.clone(), &next);
            scope.spawn(move || {
                loop {
                    let first = next.fetch_add(size, Ordering::Relaxed);
                    let Some(rest) = fixtures.get(first..).filter(|rest| !rest.is_empty()) else {
                        return;
                    };
                    let own = &rest[..size.min(rest.len())];
                    // The receiver waits for all senders.
                    let sent = sender.send((first, game.contests(kinds, own, stop)));
                    if sent.is_err() || stop.is_set() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        let mut done = 0;
        loop {
            match receiver.recv_timeout(PAUSE) {
                Ok((first, Ok(played))) => {
                    done += played.len();
                    for (place, record) in (first..).zip(played) {
                        records[place] = record;
                    }
                }
                Ok((_, Err(error))) => {
                    failed = Some(error);
                    stop.stop();
                }
                Err(mpsc::RecvTimeoutError::Timeout) => {}
                Err(mpsc::RecvTimeoutError::Disconnected) => return,
            }
            show(RoundProgress { done, all: fixtures.len(), elapsed: start.elapsed() });
        }
    });
    failed.map_or(Ok(records), Err)
}

fn chunk(games: usize, cores: usize) -> usize {
    (games / (cores * 16)).clamp(1, MOST_AT_ONCE)
}

impl RoundProgress {
    /// `[#####.....] 120 of 240 games, 2 s left`.
    pub(super) fn in_words(self) -> String {
        const WIDTH: usize = 20;
        let Self { done, all, elapsed } = self;
        let full = (WIDTH * done).checked_div(all).unwrap_or(WIDTH);
        let bar = "#".repeat(full) + &".".repeat(WIDTH - full);
        let left = match u32::try_from(done) {
            Ok(games @ 1..) => {
                let each = elapsed / games;
                let left = each * u32::try_from(all - done).unwrap_or(u32::MAX);
                format!(", {} s left", left.as_secs().max(1))
            }
            _ => String::new(),
        };
        format!("[{bar}] {} of {} games{left}", count(done as u64), count(all as u64))
    }
}

#[cfg(test)]
mod tests {
    use game::{Tournament, TournamentKind};

    use super::*;
    use crate::names;

    #[test]
    fn one_core_and_many_play_the_same_games() {
        let game = names::game("tic-tac-toe").unwrap();
        let words = ["random", "mcts:10", "bthreads"];
        let kinds: Vec<PlayerKind> =
            words.iter().map(|words| names::player(words).unwrap()).collect();
        let players = words.map(str::to_owned).to_vec();
        let kind = TournamentKind::RoundRobin;
        let mut tournament = Tournament::new(&game, kind, players, 20, 7).unwrap();
        let fixtures = tournament.next_round();
        let played = |cores| {
            let stop = StopFlag::default();
            play_round(&game, &kinds, &fixtures, Cores(cores), &stop, |_| ()).unwrap()
        };
        let one = played(1);
        assert_eq!(one, played(3));
        assert_eq!(one.len(), 60);
        assert!(one.iter().all(Option::is_some));
    }

    #[test]
    fn a_stopped_round_has_no_records() {
        let game = names::game("tic-tac-toe").unwrap();
        let kinds = [PlayerKind::Random];
        let fixtures = [Fixture { players: vec![0, 0], seed: 1 }];
        let stop = StopFlag::default();
        stop.stop();
        let records = play_round(&game, &kinds, &fixtures, Cores(1), &stop, |_| ()).unwrap();
        assert_eq!(records, [None]);
    }

    #[test]
    fn progress_has_a_bar_and_the_time_left() {
        let elapsed = Duration::from_secs(10);
        let words = RoundProgress { done: 500, all: 2_000, elapsed }.in_words();
        assert_eq!(words, "[#####...............] 500 of 2,000 games, 30 s left");
        let begun = RoundProgress { done: 0, all: 2, elapsed }.in_words();
        assert_eq!(begun, "[....................] 0 of 2 games");
    }

    #[test]
    fn the_time_of_a_round_does_not_contain_that_of_the_rounds_before() {
        let game = names::game("tic-tac-toe").unwrap();
        let (kinds, stop) = ([PlayerKind::Mcts(200)], StopFlag::default());
        let lasted = |games: u64| {
            let fixtures: Vec<Fixture> =
                (0..games).map(|seed| Fixture { players: vec![0, 0], seed }).collect();
            let mut lasted = Duration::ZERO;
            let show = |progress: RoundProgress| lasted = progress.elapsed;
            play_round(&game, &kinds, &fixtures, Cores(1), &stop, show).unwrap();
            lasted
        };
        let (long, short) = (lasted(400), lasted(1));
        assert!(short < long, "{short:?} {long:?}");
    }
}
