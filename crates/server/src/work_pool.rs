//! The threads for work that takes long: building games, solving them, choosing computers' moves,
//! reading long logs.

use std::convert::Infallible;
use std::future::pending;
use std::net::IpAddr;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use game::{Refusal, StopFlag};
use prometheus_client::metrics::gauge::Gauge;
use table::wire::codes;
use tokio::sync::oneshot;
use tokio::time::sleep;

use crate::client_address::normalized;
use crate::fair_queue::{FairQueue, QueueFull, QueueLimits};
use crate::problem::Problem;
use crate::rate_limits::RetryAfter;
use crate::refusals::{refusal, too_many};

/// A bounded number of threads, which serve addresses in turn. Nothing that can take a millisecond
/// runs on the threads that answer requests, and the system runs those first.
#[derive(Debug)]
pub(crate) struct WorkPool(Arc<SharedPool>);

#[derive(Debug)]
struct SharedPool {
    state: Mutex<PoolState>,
    /// Wakes a worker when there is a job, or all of them when the pool ends.
    wake: Condvar,
    gauges: PoolGauges,
}

/// What operators see of the pool.
#[derive(Clone, Debug, Default)]
pub(crate) struct PoolGauges {
    /// The jobs that wait.
    pub(crate) queued: Gauge,
    /// The workers that work.
    pub(crate) busy: Gauge,
}

#[derive(Debug)]
struct PoolState {
    lanes: [LaneState; 4],
    /// The lane of requests or of computers that is served next, if both have jobs.
    next_lane: usize,
    workers: usize,
    is_closed: bool,
}

#[derive(Debug, Default)]
struct LaneState {
    queue: FairQueue<Payer, QueuedJob>,
    /// The workers that work for this lane.
    busy: usize,
}

/// A job, unless nobody waits for its result any more.
struct QueuedJob(Box<dyn FnOnce() + Send>);

impl std::fmt::Debug for QueuedJob {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("QueuedJob")
    }
}

/// A kind of work. With two workers or more, neither requests nor computers ever occupy all of them. The
/// other lanes have one worker of their own each, and never any other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WorkLane {
    /// What requests need before they are answered.
    Requests,
    /// The moves of computers at running tables.
    Computers,
    /// Searches that take seconds.
    Analyses,
    /// Actions by rules that take milliseconds.
    Actions,
}

impl WorkLane {
    /// The first lane with a worker of its own.
    const FIRST_OWN: usize = Self::Analyses as usize;
}

/// Whose request causes work.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Payer {
    /// A client at this address.
    Address(IpAddr),
    /// The server itself.
    Server,
}

impl Payer {
    /// The client at this address.
    pub(crate) fn at(address: IpAddr) -> Self {
        Self::Address(normalized(address))
    }
}

/// Why work was not done. Nothing has changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum WorkRefused {
    /// The address has caused too much work lately.
    #[error("the address exceeds its budget of work")]
    OverBudget(RetryAfter),
    /// The address has too many jobs in the queue.
    #[error("the address has too much work in the queue")]
    QueueOfAddress,
    /// All addresses together have too many jobs in the queue.
    #[error("too much work is in the queue")]
    Queue,
    /// Games in use fill the memory for games.
    #[error("the memory for games is full")]
    Memory,
    /// The job failed.
    #[error("the work failed")]
    Failed,
}

impl From<WorkRefused> for Refusal {
    fn from(refused: WorkRefused) -> Self {
        let busy =
            "The server has too much to compute at the moment. Nothing has changed: try again";
        match refused {
            WorkRefused::OverBudget(retry) => {
                too_many("Your address makes the server compute too much", retry)
            }
            WorkRefused::QueueOfAddress => {
                let why =
                    "Your address makes the server compute too much at once: try again in a second";
                refusal(codes::TOO_MANY, why)
            }
            WorkRefused::Queue => refusal(codes::BUSY, busy),
            WorkRefused::Memory => refusal(
                codes::BUSY,
                "Too many large boards are in use at the moment. Nothing has changed: choose a smaller \
                 board, or try again later",
            ),
            WorkRefused::Failed => refusal(
                codes::UNAVAILABLE,
                "The server failed to compute this. Nothing has changed: try again",
            ),
        }
    }
}

impl From<WorkRefused> for Problem {
    fn from(refused: WorkRefused) -> Self {
        match refused {
            WorkRefused::OverBudget(retry) => {
                Self::too_many("Your address makes the server compute too much", retry)
            }
            refused => Self::from(Refusal::from(refused)),
        }
    }
}

/// Stops a job when its result is not awaited any more.
struct StopOnDrop(StopFlag);

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.stop();
    }
}

impl WorkPool {
    /// A pool with this many workers, at least one, and one more for each lane that has its own.
    pub(crate) fn new(workers: usize, gauges: PoolGauges) -> Self {
        let workers = workers.max(1);
        let lanes: [LaneState; 4] = Default::default();
        let threads = workers + lanes.len() - WorkLane::FIRST_OWN;
        let state = PoolState { lanes, next_lane: 0, workers, is_closed: false };
        let shared =
            Arc::new(SharedPool { state: Mutex::new(state), wake: Condvar::new(), gauges });
        for number in 0..threads {
            let shared = Arc::clone(&shared);
            let worker = thread::Builder::new().name(format!("cradle-work-{number}"));
            let work = move || {
                let_others_go_first();
                shared.work();
            };
            worker.spawn(work).expect("the system starts a few threads");
        }
        Self(shared)
    }

    /// As many workers as there are cores.
    pub(crate) fn usual_workers() -> usize {
        thread::available_parallelism().map_or(1, usize::from)
    }

    /// Runs a job on a worker, after those that wait and with the other addresses in turn. If the
    /// caller stops waiting, a job that waits is dropped, and one that runs is told to stop.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        lane: WorkLane,
        payer: Payer,
        limits: QueueLimits,
        job: impl FnOnce(&StopFlag) -> T + Send + 'static,
    ) -> Result<T, WorkRefused> {
        let (sender, receiver) = oneshot::channel();
        // Otherwise a thread that wakes up would have to wait until the slice of this one ends, which may take
        // milliseconds, although it has a higher priority.
        let stop = StopOnDrop(StopFlag::pausing(thread::yield_now));
        let flag = stop.0.clone();
        let queued = QueuedJob(Box::new(move || {
            if flag.is_set() {
                return;
            }
            // A panic fails the job and not the worker.
            if let Ok(done) = catch_unwind(AssertUnwindSafe(|| job(&flag))) {
                drop(sender.send(done));
            }
        }));
        self.0.push(lane, payer, queued, limits).map_err(|full| match full {
            QueueFull::OfKey => WorkRefused::QueueOfAddress,
            QueueFull::Total => WorkRefused::Queue,
        })?;
        receiver.await.map_err(|_failed| WorkRefused::Failed)
    }

    /// As [`WorkPool::run`], but a job that has run for longer than `most` is told to stop. Its result
    /// is still awaited: a search that is stopped answers with the best that it has found.
    pub(crate) async fn run_within<T: Send + 'static>(
        &self,
        lane: WorkLane,
        payer: Payer,
        limits: QueueLimits,
        most: Duration,
        job: impl FnOnce(&StopFlag) -> T + Send + 'static,
    ) -> Result<T, WorkRefused> {
        let (begin, begun) = oneshot::channel();
        let job = move |stop: &StopFlag| {
            // Nobody listens if the job was cancelled, which the flag says as well.
            drop(begin.send(stop.clone()));
            job(stop)
        };
        let watch = async {
            if let Ok(stop) = begun.await {
                sleep(most).await;
                stop.stop();
            }
            pending::<Infallible>().await
        };
        tokio::select! {
            done = self.run(lane, payer, limits, job) => done,
            never = watch => match never {},
        }
    }
}

impl Drop for WorkPool {
    fn drop(&mut self) {
        self.0.state().is_closed = true;
        self.0.wake.notify_all();
    }
}

impl SharedPool {
    fn state(&self) -> MutexGuard<'_, PoolState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn push(
        &self,
        lane: WorkLane,
        payer: Payer,
        job: QueuedJob,
        limits: QueueLimits,
    ) -> Result<(), QueueFull> {
        let mut state = self.state();
        state.lanes[lane as usize].queue.push(payer, job, limits)?;
        self.gauges.queued.set(state.queued());
        drop(state);
        self.wake.notify_one();
        Ok(())
    }

    /// The life of a worker.
    fn work(&self) {
        let mut state = self.state();
        while !state.is_closed {
            let Some((lane, QueuedJob(job))) = state.next() else {
                state = self.wake.wait(state).unwrap_or_else(PoisonError::into_inner);
                continue;
            };
            self.observe(&state);
            drop(state);
            job();
            state = self.state();
            state.lanes[lane].busy -= 1;
            self.observe(&state);
            // The lane may have been at its limit, with other workers asleep.
            self.wake.notify_one();
        }
    }

    fn observe(&self, state: &PoolState) {
        self.gauges.queued.set(state.queued());
        let busy: usize = state.lanes.iter().map(|lane| lane.busy).sum();
        self.gauges.busy.set(i64::try_from(busy).unwrap_or(i64::MAX));
    }
}

impl PoolState {
    fn queued(&self) -> i64 {
        let queued: usize = self.lanes.iter().map(|lane| lane.queue.len()).sum();
        i64::try_from(queued).unwrap_or(i64::MAX)
    }

    /// The next job and its lane. Requests and computers take turns, and leave a worker to each other. Each
    /// other lane leaves them all workers but its own, which they leave to it.
    fn next(&mut self) -> Option<(usize, QueuedJob)> {
        const ACTIONS: usize = WorkLane::Actions as usize;
        const ANALYSES: usize = WorkLane::Analyses as usize;
        let shared: usize = self.lanes[..WorkLane::FIRST_OWN].iter().map(|lane| lane.busy).sum();
        let most = (self.workers - 1).max(1);
        let lanes = [ACTIONS, self.next_lane, 1 - self.next_lane, ANALYSES];
        let (lane, job) = lanes.into_iter().find_map(|lane| {
            let state = &mut self.lanes[lane];
            let is_free = if lane >= WorkLane::FIRST_OWN {
                state.busy == 0
            } else {
                state.busy < most && shared < self.workers
            };
            is_free.then(|| state.queue.pop()).flatten().map(|job| (lane, job))
        })?;
        self.lanes[lane].busy += 1;
        if lane < WorkLane::FIRST_OWN {
            self.next_lane = 1 - lane;
        }
        Some((lane, job))
    }
}

/// How much nicer workers are than other threads. While these keep all cores busy, workers get about a
/// tenth of the time.
#[cfg(target_os = "linux")]
const NICENESS: i32 = 10;

/// Lets the threads that answer requests run before this one. On other systems a thread has no priority
/// of its own.
fn let_others_go_first() {
    #[cfg(target_os = "linux")]
    if let Err(error) = rustix::process::nice(NICENESS) {
        // A sandbox may forbid it.
        tracing::debug!(%error, "work is not done at a lower priority");
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    const ROOM: QueueLimits = QueueLimits { per_key: 100, total: 100 };

    fn address(last: u8) -> Payer {
        Payer::at([10, 0, 0, last].into())
    }

    /// Occupies a worker until the sender is dropped; returns once the worker has begun.
    async fn occupy(pool: &Arc<WorkPool>, lane: WorkLane, payer: Payer) -> mpsc::Sender<()> {
        let (free, wait) = mpsc::channel::<()>();
        let (begin, begun) = oneshot::channel();
        let pool = Arc::clone(pool);
        tokio::spawn(async move {
            let job = move |_: &StopFlag| {
                begin.send(()).unwrap();
                wait.recv().unwrap_err();
            };
            pool.run(lane, payer, ROOM, job).await
        });
        begun.await.unwrap();
        free
    }

    /// Adds jobs to the queue that write down their names, and returns the list.
    fn enqueue(
        pool: &Arc<WorkPool>,
        jobs: &[(WorkLane, Payer, &'static str)],
    ) -> mpsc::Receiver<&'static str> {
        let (sender, done) = mpsc::channel();
        for (lane, payer, name) in jobs {
            let (lane, payer, name, sender) = (*lane, *payer, *name, sender.clone());
            let (pool, job) = (Arc::clone(pool), move |_: &StopFlag| sender.send(name).unwrap());
            tokio::spawn(async move { pool.run(lane, payer, ROOM, job).await });
        }
        done
    }

    async fn until_queued(pool: &WorkPool, count: i64) {
        while pool.0.gauges.queued.get() != count {
            tokio::task::yield_now().await;
        }
    }

    #[cfg(target_os = "linux")]
    #[tokio::test]
    async fn workers_let_other_threads_go_first() {
        let niceness = || rustix::process::getpriority_process(None).unwrap();
        let pool = WorkPool::new(1, PoolGauges::default());
        let job = move |_: &StopFlag| niceness();
        let of_worker = pool.run(WorkLane::Requests, address(1), ROOM, job).await.unwrap();
        assert_eq!(of_worker, (niceness() + NICENESS).min(19));
    }

    #[tokio::test]
    async fn addresses_are_served_in_turn() {
        let pool = Arc::new(WorkPool::new(1, PoolGauges::default()));
        let free = occupy(&pool, WorkLane::Requests, address(9)).await;
        let requests = |last, name| (WorkLane::Requests, address(last), name);
        let jobs = [requests(1, "a1"), requests(1, "a2"), requests(1, "a3"), requests(2, "b1")];
        let done = enqueue(&pool, &jobs);
        until_queued(&pool, 4).await;
        drop(free);
        let order: Vec<_> =
            tokio::task::spawn_blocking(move || done.iter().collect()).await.unwrap();
        assert_eq!(order, ["a1", "b1", "a2", "a3"]);
    }

    #[tokio::test]
    async fn a_job_that_takes_too_long_is_told_to_stop_and_its_answer_counts() {
        let pool = WorkPool::new(1, PoolGauges::default());
        let job = |stop: &StopFlag| {
            while !stop.is_set() {
                thread::yield_now();
            }
            "the best so far"
        };
        let most = Duration::from_millis(1);
        let done = pool.run_within(WorkLane::Computers, address(1), ROOM, most, job).await;
        assert_eq!(done, Ok("the best so far"));
    }

    #[tokio::test]
    async fn lanes_take_turns_on_one_worker() {
        let pool = Arc::new(WorkPool::new(1, PoolGauges::default()));
        let free = occupy(&pool, WorkLane::Requests, address(9)).await;
        let jobs = [
            (WorkLane::Requests, address(1), "build 1"),
            (WorkLane::Requests, address(2), "build 2"),
            (WorkLane::Computers, address(3), "move 1"),
            (WorkLane::Computers, address(3), "move 2"),
        ];
        let done = enqueue(&pool, &jobs);
        until_queued(&pool, 4).await;
        drop(free);
        let order: Vec<_> =
            tokio::task::spawn_blocking(move || done.iter().collect()).await.unwrap();
        assert_eq!(order, ["move 1", "build 1", "move 2", "build 2"]);
    }

    #[tokio::test]
    async fn with_two_workers_each_lane_has_one_to_itself() {
        for (full, other) in
            [(WorkLane::Requests, WorkLane::Computers), (WorkLane::Computers, WorkLane::Requests)]
        {
            let pool = Arc::new(WorkPool::new(2, PoolGauges::default()));
            let free = occupy(&pool, full, address(1)).await;
            let waiting = enqueue(&pool, &[(full, address(2), "waits")]);
            until_queued(&pool, 1).await;
            assert_eq!(pool.run(other, address(3), ROOM, |_| 7).await, Ok(7), "{other:?} goes on");
            assert_eq!(waiting.try_recv(), Err(mpsc::TryRecvError::Empty), "{full:?} is full");
            drop(free);
        }
    }

    #[tokio::test]
    async fn lanes_with_a_worker_of_their_own_never_take_another() {
        for (workers, own) in [
            (1, WorkLane::Analyses),
            (1, WorkLane::Actions),
            (2, WorkLane::Analyses),
            (3, WorkLane::Actions),
        ] {
            let pool = Arc::new(WorkPool::new(workers, PoolGauges::default()));
            let free = occupy(&pool, own, address(1)).await;
            let waiting = enqueue(&pool, &[(own, address(2), "waits")]);
            until_queued(&pool, 1).await;
            for lane in [WorkLane::Requests, WorkLane::Computers] {
                assert_eq!(
                    pool.run(lane, address(3), ROOM, |_| 7).await,
                    Ok(7),
                    "{lane:?} goes on"
                );
            }
            assert_eq!(waiting.try_recv(), Err(mpsc::TryRecvError::Empty), "one at a time");
            drop(free);
        }
    }

    #[tokio::test]
    async fn no_other_lane_takes_the_worker_of_a_lane_that_has_its_own() {
        let pool = Arc::new(WorkPool::new(2, PoolGauges::default()));
        let requests = occupy(&pool, WorkLane::Requests, address(1)).await;
        let computers = occupy(&pool, WorkLane::Computers, address(1)).await;
        let analyses = occupy(&pool, WorkLane::Analyses, address(1)).await;
        assert_eq!(pool.run(WorkLane::Actions, address(2), ROOM, |_| 7).await, Ok(7));
        drop(analyses);
        let actions = occupy(&pool, WorkLane::Actions, address(1)).await;
        assert_eq!(pool.run(WorkLane::Analyses, address(2), ROOM, |_| 7).await, Ok(7));
        drop((requests, computers, actions));
    }

    #[tokio::test]
    async fn a_job_that_nobody_waits_for_is_stopped_or_never_begun() {
        let pool = Arc::new(WorkPool::new(1, PoolGauges::default()));
        let (begin, begun) = oneshot::channel();
        let (end, ended) = mpsc::channel();
        let job = move |stop: &StopFlag| {
            begin.send(()).unwrap();
            while !stop.is_set() {
                thread::sleep(Duration::from_millis(1));
            }
            end.send("stopped").unwrap();
        };
        let running = Arc::clone(&pool);
        let running = tokio::spawn(async move {
            running.run(WorkLane::Computers, Payer::Server, ROOM, job).await
        });
        begun.await.unwrap();
        let waiting = Arc::clone(&pool);
        let waiting = tokio::spawn(async move {
            let job = |_: &StopFlag| unreachable!("nobody waits for it");
            waiting.run(WorkLane::Computers, address(1), ROOM, job).await
        });
        until_queued(&pool, 1).await;
        waiting.abort();
        assert!(waiting.await.is_err());
        running.abort();
        let ended = tokio::task::spawn_blocking(move || ended.recv()).await.unwrap();
        assert_eq!(ended, Ok("stopped"));
        assert_eq!(pool.run(WorkLane::Requests, Payer::Server, ROOM, |_| 1).await, Ok(1));
    }

    #[tokio::test]
    async fn a_job_that_panics_fails_alone() {
        let pool = WorkPool::new(1, PoolGauges::default());
        let failed =
            pool.run(WorkLane::Requests, Payer::Server, ROOM, |_| -> u8 { panic!("broken") });
        assert_eq!(failed.await, Err(WorkRefused::Failed));
        assert_eq!(pool.run(WorkLane::Requests, Payer::Server, ROOM, |_| 2).await, Ok(2));
        while pool.0.gauges.busy.get() != 0 {
            tokio::task::yield_now().await;
        }
    }

    #[tokio::test]
    async fn a_full_queue_refuses_at_once() {
        let limits = QueueLimits { per_key: 1, total: 2 };
        let pool = Arc::new(WorkPool::new(1, PoolGauges::default()));
        let _free = occupy(&pool, WorkLane::Requests, address(9)).await;
        let _done = enqueue(&pool, &[(WorkLane::Requests, address(1), "waits")]);
        until_queued(&pool, 1).await;
        let run = |last| pool.run(WorkLane::Requests, address(last), limits, |_| ());
        assert_eq!(run(1).await, Err(WorkRefused::QueueOfAddress));
        let _done = enqueue(&pool, &[(WorkLane::Requests, address(2), "waits")]);
        until_queued(&pool, 2).await;
        assert_eq!(run(3).await, Err(WorkRefused::Queue));
    }
}
