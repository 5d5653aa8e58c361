//! Parts on several threads: the one loop that counts them all.
//!
//! The numbers of the parts are a queue with a shared cursor, and each thread has one worker, so
//! threads share nothing but that cursor and a sum. The thread that asks for the count does not
//! count: it sleeps, and now and then it publishes how far the others are. With one thread that is
//! a plain loop, and a lock that nobody else wants for each part.

use std::{
    num::NonZeroUsize,
    ops::ControlFlow,
    panic,
    sync::{
        Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    thread::{self, Thread},
    time::{Duration, Instant},
};

use super::{Part, Parts, checkpoint::Log};
use crate::{
    QueensError,
    search::{Control, PartsDone, Stop},
};

/// How often the figures are published.
const INTERVAL: Duration = Duration::from_millis(100);

/// How often it is seen to that the finished parts are on the disk.
const SYNC_INTERVAL: Duration = Duration::from_secs(1);

/// Which parts are to be counted, beside what is known.
#[derive(Debug)]
pub(super) struct Work<'a> {
    pub(super) parts: &'a dyn Parts,
    /// The numbers of the parts to count, in this order.
    pub(super) queue: Vec<usize>,
    /// The sum of the parts that are known, and how many they are.
    pub(super) known: (Part, usize),
    /// Where finished parts are kept.
    pub(super) log: Option<&'a Log>,
}

impl Work<'_> {
    /// Counts on so many threads: the sum, with what is known, and why there is no more of it.
    ///
    /// A worker that panics ends the others after their part, and the caller panics too.
    pub(super) fn run(&self, threads: NonZeroUsize, control: &Control) -> (Part, Option<Stop>) {
        let (sum, done) = self.known;
        let shared = Shared {
            work: self,
            start: Instant::now(),
            next: AtomicUsize::new(0),
            ended: AtomicBool::new(false),
            running: AtomicUsize::new(0),
            waiting: thread::current(),
            tally: Mutex::new(Tally { sum, done, stop: None }),
        };
        thread::scope(|scope| {
            let (mut started, mut synced) = (Vec::new(), Instant::now());
            for _ in 0..threads.get().min(self.queue.len()) {
                if control.check().is_break() {
                    break;
                }
                let control = control.for_worker();
                let (watched, running) = (control.clone(), Running::new(&shared));
                let count = move || running.count(&control);
                match thread::Builder::new().spawn_scoped(scope, count) {
                    Ok(thread) => started.push((thread, watched)),
                    // No more threads are to be had: those that are there do the work.
                    Err(_) => break,
                }
            }
            if started.is_empty() && !self.queue.is_empty() {
                Running::new(&shared).count(&control.for_worker());
            }
            while shared.running.load(Ordering::Acquire) > 0 {
                shared.publish(control, started.iter().map(|(_, watched)| watched));
                thread::park_timeout(INTERVAL);
                if synced.elapsed() >= SYNC_INTERVAL {
                    shared.sync();
                    synced = Instant::now();
                }
            }
            for (thread, _) in started {
                thread.join().unwrap_or_else(|payload| panic::resume_unwind(payload));
            }
        });
        shared.sync();
        shared.publish(control, []);
        let tally = shared.tally.into_inner().unwrap_or_else(PoisonError::into_inner);
        (tally.sum, tally.stop)
    }
}

/// What the threads share.
struct Shared<'a> {
    work: &'a Work<'a>,
    start: Instant,
    /// The place in the queue of the first part that nobody has taken.
    next: AtomicUsize,
    /// Set when a thread gives up, so that the others do.
    ended: AtomicBool,
    /// The number of threads at work.
    running: AtomicUsize,
    /// The thread that waits for the end.
    waiting: Thread,
    tally: Mutex<Tally>,
}

/// What came out so far.
struct Tally {
    sum: Part,
    done: usize,
    stop: Option<Stop>,
}

impl Shared<'_> {
    fn tally(&self) -> MutexGuard<'_, Tally> {
        self.tally.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Counts one part after another, until there are no more or somebody gives up.
    fn count(&self, control: &Control) -> ControlFlow<Stop> {
        let mut worker = self.work.parts.worker();
        while !self.ended.load(Ordering::Relaxed) {
            let Some(&part) = self.work.queue.get(self.next.fetch_add(1, Ordering::Relaxed)) else {
                break;
            };
            control.check()?;
            let counted = worker.count(part, control)?;
            control.clear();
            if let Some(Err(error)) = self.work.log.map(|log| log.keep(part, counted)) {
                return ControlFlow::Break(Stop::Failed(error.into()));
            }
            let mut tally = self.tally();
            match tally.sum.plus(counted) {
                Some(sum) => tally.sum = sum,
                None => return ControlFlow::Break(Stop::Failed(QueensError::TooMany)),
            }
            tally.done += 1;
        }
        ControlFlow::Continue(())
    }

    /// Sees to it that the finished parts are on the disk.
    fn sync(&self) {
        if let Some(Err(error)) = self.work.log.map(Log::sync) {
            self.end(Stop::Failed(error.into()));
        }
    }

    /// Ends all threads after their part.
    fn end(&self, stop: Stop) {
        self.ended.store(true, Ordering::Relaxed);
        // What went wrong first is more to the point than what that led to, or that the time was up too.
        let mut tally = self.tally();
        let keeps = match &tally.stop {
            None => false,
            Some(Stop::Failed(_)) => true,
            Some(_) => !matches!(stop, Stop::Failed(_)),
        };
        if !keeps {
            tally.stop = Some(stop);
        }
    }

    fn publish<'c>(&self, control: &Control, workers: impl IntoIterator<Item = &'c Control>) {
        let (mut nodes, mut solutions, parts) = {
            let (tally, resumed) = (self.tally(), self.work.known.1);
            let (total, time) = (resumed + self.work.queue.len(), self.start.elapsed());
            (tally.sum.nodes, tally.sum.solutions, PartsDone { done: tally.done, resumed, total, time })
        };
        for worker in workers {
            nodes = nodes.saturating_add(worker.nodes());
            solutions = solutions.saturating_add(worker.solutions().into());
        }
        control.publish(nodes, solutions, Some(parts));
    }
}

/// A thread at work, from before it starts to its end, whether it returns or panics.
struct Running<'a>(&'a Shared<'a>);

impl<'a> Running<'a> {
    fn new(shared: &'a Shared<'a>) -> Self {
        shared.running.fetch_add(1, Ordering::Relaxed);
        Self(shared)
    }

    fn count(self, control: &Control) {
        if let ControlFlow::Break(stop) = self.0.count(control) {
            self.0.end(stop);
        }
    }
}

impl Drop for Running<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.ended.store(true, Ordering::Relaxed);
        }
        self.0.running.fetch_sub(1, Ordering::Release);
        self.0.waiting.unpark();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        Method, Queens, Shard,
        counting::{
            Worker,
            checkpoint::{Contents, Header},
        },
    };

    /// Each part has as many solutions as its number says, and `act` is done before it is counted.
    struct Numbers<F>(usize, F);

    impl<F> std::fmt::Debug for Numbers<F> {
        fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            write!(f, "{} numbers", self.0)
        }
    }

    impl<F: Fn(usize, &Control) -> ControlFlow<Stop> + Send + Sync> Parts for Numbers<F> {
        fn len(&self) -> usize {
            self.0
        }

        fn worker(&self) -> Box<dyn Worker + '_> {
            Box::new(self)
        }
    }

    impl<F: Fn(usize, &Control) -> ControlFlow<Stop> + Send + Sync> Worker for &Numbers<F> {
        fn count(&mut self, part: usize, control: &Control) -> ControlFlow<Stop, Part> {
            (self.1)(part, control)?;
            ControlFlow::Continue(Part { solutions: part as u128, nodes: 1 })
        }
    }

    fn run(parts: &dyn Parts, threads: usize, control: &Control) -> (Part, Option<Stop>) {
        let work = Work { parts, queue: (0..parts.len()).collect(), known: (Part::default(), 0), log: None };
        work.run(NonZeroUsize::new(threads).unwrap(), control)
    }

    fn parts_of(control: &Control) -> [usize; 3] {
        let PartsDone { done, resumed, total, .. } = control.parts().unwrap();
        [done, resumed, total]
    }

    #[test]
    fn a_kill_would_cost_no_more_than_a_part_a_thread() {
        let path = std::env::temp_dir().join(format!("nqueens-kept-{}", std::process::id()));
        for threads in [1, 3] {
            let begun = AtomicUsize::new(0);
            let numbers = Numbers(200, |_, _: &Control| {
                let begun = begun.fetch_add(1, Ordering::SeqCst) + 1;
                // What would be there after a kill at this moment, without the header.
                let kept = std::fs::read_to_string(&path).unwrap().lines().count() - 1;
                assert!(kept + threads >= begun, "{kept} of {begun} parts are kept");
                ControlFlow::Continue(())
            });
            let header = Header::new(Method::BitMasks, &Queens::new(8), &numbers, Shard::WHOLE);
            let (log, _) = Log::open(&path, header).unwrap();
            let known = (Part::default(), 0);
            let work = Work { parts: &numbers, queue: (0..200).collect(), known, log: Some(&log) };
            work.run(NonZeroUsize::new(threads).unwrap(), &Control::new());
            let contents = Contents::read(&path).unwrap();
            assert_eq!(contents.sum().unwrap().solutions, 19_900);
            std::fs::remove_file(&path).unwrap();
        }
    }

    #[test]
    fn each_part_is_counted_once_whatever_the_threads() {
        let numbers = Numbers(1000, |_, _: &Control| ControlFlow::Continue(()));
        for threads in [1, 2, 3, 16, 5000] {
            let control = Control::new();
            let (sum, stop) = run(&numbers, threads, &control);
            assert_eq!(sum, Part { solutions: 499_500, nodes: 1000 }, "{threads}");
            assert!(stop.is_none());
            assert_eq!((control.nodes(), control.solutions()), (1000, 499_500));
            assert_eq!(parts_of(&control), [1000, 0, 1000]);
        }
    }

    #[test]
    fn what_is_known_is_part_of_the_sum() {
        let parts = Numbers(10, |_, _: &Control| ControlFlow::Continue(()));
        let known = (Part { solutions: 100, nodes: 7 }, 8);
        let control = Control::new();
        let (sum, _) =
            Work { parts: &parts, queue: vec![3, 5], known, log: None }.run(NonZeroUsize::MIN, &control);
        assert_eq!(sum, Part { solutions: 108, nodes: 9 });
        assert_eq!(parts_of(&control), [10, 8, 10]);
    }

    #[test]
    fn a_stop_reaches_all_threads_at_once() {
        let until_stopped = Numbers(9, |_, control: &Control| {
            loop {
                control.check()?;
                thread::sleep(Duration::from_millis(1));
            }
        });
        let control = Control::new().with_time_limit(Duration::from_millis(20));
        let start = Instant::now();
        let (sum, stop) = run(&until_stopped, 3, &control);
        assert_eq!(sum, Part::default());
        assert!(matches!(stop, Some(Stop::TimeLimit)));
        assert!(start.elapsed() < Duration::from_secs(2));

        let control = Control::new();
        control.stop();
        assert!(matches!(run(&until_stopped, 2, &control).1, Some(Stop::Interrupted)));
    }

    #[test]
    fn a_worker_that_panics_neither_hangs_nor_counts() {
        let one_is_bad = Numbers(50, |part, _: &Control| match part {
            7 => panic!("part 7 is bad on purpose"),
            _ => ControlFlow::Continue(()),
        });
        for threads in [1, 3] {
            let run = panic::AssertUnwindSafe(|| run(&one_is_bad, threads, &Control::new()));
            let payload = panic::catch_unwind(run).unwrap_err();
            assert_eq!(payload.downcast_ref(), Some(&"part 7 is bad on purpose"));
        }
    }

    #[test]
    fn a_sum_beyond_64_bits_is_right_and_one_beyond_128_is_an_error() {
        let part = Part { solutions: u64::MAX.into(), nodes: u64::MAX };
        let sum = part.plus(part).unwrap();
        assert_eq!((sum.solutions, sum.nodes), (36_893_488_147_419_103_230, u64::MAX));

        let parts = Numbers(2, |_, _: &Control| ControlFlow::Continue(()));
        let known = (Part { solutions: u128::MAX, nodes: 0 }, 1);
        let (_, stop) =
            Work { parts: &parts, queue: vec![1], known, log: None }.run(NonZeroUsize::MIN, &Control::new());
        assert!(matches!(stop, Some(Stop::Failed(QueensError::TooMany))));
    }
}
