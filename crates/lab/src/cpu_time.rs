//! The processor time of the calling thread: what a busy machine does not distort as much as the clock on the wall.

/// Processor seconds of the calling thread since [`CpuTime::start`]. Where a system does not tell, elapsed seconds.
#[derive(Clone, Copy, Debug)]
pub struct CpuTime(Reading);

impl CpuTime {
    /// Starts to count. Read it on the same thread.
    pub fn start() -> Self {
        Self(read())
    }

    /// Seconds used since the start.
    pub fn seconds(self) -> f64 {
        since(self.0)
    }
}

#[cfg(unix)]
type Reading = f64;

#[cfg(unix)]
fn read() -> Reading {
    let now = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    now.tv_sec as f64 + now.tv_nsec as f64 * 1e-9
}

#[cfg(unix)]
fn since(start: Reading) -> f64 {
    read() - start
}

#[cfg(not(unix))]
type Reading = std::time::Instant;

#[cfg(not(unix))]
fn read() -> Reading {
    std::time::Instant::now()
}

#[cfg(not(unix))]
fn since(start: Reading) -> f64 {
    start.elapsed().as_secs_f64()
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn sleeping_takes_no_processor_time_and_working_does() {
        let time = CpuTime::start();
        std::thread::sleep(std::time::Duration::from_millis(60));
        let slept = time.seconds();
        assert!((0.0..0.05).contains(&slept), "{slept}");
        let mut sum = 0u64;
        while time.seconds() < slept + 0.01 {
            sum = std::hint::black_box(sum + 1);
        }
        assert!(sum > 1000);
    }
}
