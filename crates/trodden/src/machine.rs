//! What the machine has: memory and cores.

use std::fs;

/// Used when the system does not say how much memory there is.
const UNKNOWN_MEMORY: u64 = 4 << 30;

/// Half of the memory that this process may use.
pub(crate) fn half_of_memory() -> u64 {
    let total = fs::read_to_string("/proc/meminfo").ok().and_then(|text| mem_total(&text));
    let group = fs::read_to_string("/sys/fs/cgroup/memory.max").ok().and_then(|text| text.trim().parse().ok());
    total.into_iter().chain(group).min().unwrap_or(UNKNOWN_MEMORY) / 2
}

fn mem_total(text: &str) -> Option<u64> {
    let line = text.lines().find(|line| line.starts_with("MemTotal:"))?;
    let kib: u64 = line.split_ascii_whitespace().nth(1)?.parse().ok()?;
    kib.checked_mul(1024)
}

/// Cores that this process may use.
pub(crate) fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}
