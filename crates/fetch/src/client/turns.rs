//! When may somebody be asked? One after another, however many want to ask.
//!
//! Many hosts may share an address, and nobody knows before their names are looked up. So the delay between requests to one
//! address is taken here, where the address is known, for every request: robots.txt, the page after it, each hop of a redirect.
//! Whoever asks takes the next turn, `delay` after the one before, and waits for it.
//!
//! Who waited their turn and went away leaves a gap: asking too late is no harm.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::time::{Instant, sleep_until};

/// Keys that are looked through at least before those go whose turn is over.
const CROWD: usize = 1 << 12;

/// The turns of addresses, or of hosts.
pub(super) struct Turns<K> {
    next: Mutex<Next<K>>,
}

struct Next<K> {
    /// When each may be asked next; who is not here, now. Never iterated but to forget.
    free: HashMap<K, Instant>,
    crowd: usize,
}

impl<K: Hash + Eq> Turns<K> {
    pub(super) fn new() -> Self {
        Self { next: Mutex::new(Next { free: HashMap::new(), crowd: CROWD }) }
    }

    /// Takes the next turn and waits for it: how long that was.
    pub(super) async fn take(&self, key: K, delay: Duration) -> Duration {
        if delay.is_zero() {
            return Duration::ZERO;
        }
        let now = Instant::now();
        let turn = self.reserve(key, delay, now);
        if turn > now {
            sleep_until(turn).await;
        }
        turn - now
    }

    fn reserve(&self, key: K, delay: Duration, now: Instant) -> Instant {
        let mut next = self.next.lock().unwrap_or_else(PoisonError::into_inner);
        let turn = next.free.get(&key).copied().unwrap_or(now).max(now);
        next.free.insert(key, turn + delay);
        if next.free.len() > next.crowd {
            next.free.retain(|_, free| *free > now);
            // What is left is in use; looking through it again must be worth it.
            next.crowd = CROWD.max(2 * next.free.len());
        }
        turn
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ours_whoever_asks_waits_for_a_turn_of_their_own() {
        let turns = Turns::new();
        let (delay, now) = (Duration::from_millis(100), Instant::now());
        let waits = [(); 5].map(|()| turns.reserve("a", delay, now) - now);
        assert_eq!(waits, [0, 100, 200, 300, 400].map(Duration::from_millis));
        assert_eq!(turns.reserve("b", delay, now), now, "others have turns of their own");
        let later = now + Duration::from_secs(9);
        assert_eq!(turns.reserve("a", delay, later), later);
    }

    #[test]
    fn ours_turns_that_are_over_are_forgotten() {
        let (turns, start) = (Turns::new(), Instant::now());
        for n in 0..50_000_u32 {
            turns.reserve(n, Duration::from_millis(10), start + Duration::from_millis(n.into()));
        }
        assert!(turns.next.lock().unwrap().free.len() <= CROWD + 1);
    }
}
