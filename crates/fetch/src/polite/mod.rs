//! How fast may a site be asked?
//!
//! A [`Pacer`] for each queue says how long to wait after an answer:
//!
//! ```text
//! delay = max(asked for by the operator, Crawl-delay, backoff) + slowing
//! slowing = SLOWING · (s − b)      if the answer time s is over twice its usual b, and over b + 50 ms
//! ```
//! - `s`: the answer time, smoothed (each new one counts a fifth). Of the last two the shorter counts: one slow answer is an accident (a lost
//!   packet, a full queue), a server that is slow is so again. `b`: what is usual: falls at once to a lower `s`, and rises by
//!   a hundredth an answer, so that a server that got slower for good is believed after some hundred answers.
//! - `backoff`: doubles with each 429 or 503, from a second; halves with every ten good answers.
//!
//! Answer times are taken where bytes arrive, not where our own loop reads them ([`Took::first_byte`](crate::client::Took::first_byte)). But the
//! link or the machine may be busy as well, and then every host seems slow. So only a host that is slow beside the others ([`Weather`]) is
//! throttled; if it is not, the answer counts as usual.
//!
//! No delay is longer than [`LONGEST_DELAY`].

mod weather;

pub use weather::Weather;

use trodden_frontier::Span;

/// No server gets a longer pause between two requests, unless it asks for one by `Retry-After`.
pub const LONGEST_DELAY: Span = Span::seconds(300);
/// The longest `Crawl-delay` that is obeyed as it is, unless the operator says otherwise.
pub const LONGEST_CRAWL_DELAY: Span = Span::seconds(60);
/// How much of the time a server takes too long is added to the delay.
const SLOWING: f64 = 10.0;
/// The part of a new answer time in the smoothed one.
const SMOOTHING: f64 = 0.2;
/// By how much the usual time rises with an answer.
const DRIFT: f64 = 1.01;
/// Differences in milliseconds below which nothing is slow.
const NOTHING_MS: f64 = 50.0;
/// The first backoff, in milliseconds.
const FIRST_BACKOFF_MS: f64 = 1000.0;
/// Good answers that halve a backoff.
const FORGIVES: u32 = 10;

/// How one site is asked.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Pacer {
    crawl_delay: Option<Span>,
    /// The last answer time.
    last_ms: f64,
    smooth_ms: f64,
    usual_ms: f64,
    backoff_ms: f64,
    good: u32,
}

impl Pacer {
    /// robots.txt asks for a delay, or for none; no longer one than this is obeyed.
    pub fn asked(&mut self, crawl_delay: Option<Span>, longest: Span) {
        self.crawl_delay = crawl_delay.map(|delay| delay.min(longest));
    }

    /// What is usual, if that is less than this.
    #[must_use]
    pub fn usual(&self, took: Span) -> Span {
        if self.smooth_ms > 0.0 { took.min(Span(self.usual_ms as u64)) } else { took }
    }

    /// An answer came after this time.
    pub fn answered(&mut self, took: Span) {
        let took = took.0 as f64;
        if self.smooth_ms == 0.0 {
            (self.last_ms, self.smooth_ms, self.usual_ms) = (took, took, took);
        }
        let took = std::mem::replace(&mut self.last_ms, took).min(took);
        self.smooth_ms += SMOOTHING * (took - self.smooth_ms);
        self.usual_ms = (self.usual_ms * DRIFT).max(1.0).min(self.smooth_ms);
        self.good += 1;
        if self.good >= FORGIVES {
            self.good = 0;
            self.backoff_ms = if self.backoff_ms > FIRST_BACKOFF_MS { self.backoff_ms / 2.0 } else { 0.0 };
        }
    }

    /// The server asked us to slow down.
    pub fn back_off(&mut self) {
        self.good = 0;
        self.backoff_ms = (self.backoff_ms * 2.0).clamp(FIRST_BACKOFF_MS, LONGEST_DELAY.0 as f64);
    }

    /// The time from an answer to the next request.
    #[must_use]
    pub fn delay(&self, wanted: Span) -> Span {
        let asked = wanted.max(self.crawl_delay.unwrap_or(Span::ZERO)).0 as f64;
        Span((asked.max(self.backoff_ms) + self.slowing_ms()).min(LONGEST_DELAY.0 as f64) as u64)
    }

    /// Whether the server answers slower than it used to, or asked us to slow down.
    #[must_use]
    pub fn is_throttled(&self) -> bool {
        self.slowing_ms() > 0.0 || self.backoff_ms > 0.0
    }

    /// What robots.txt asks for, as far as it is obeyed.
    #[must_use]
    pub fn crawl_delay(&self) -> Option<Span> {
        self.crawl_delay
    }

    fn slowing_ms(&self) -> f64 {
        let excess = self.smooth_ms - self.usual_ms;
        if excess > self.usual_ms && excess > NOTHING_MS { SLOWING * excess } else { 0.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WANTED: Span = Span(100);

    #[test]
    fn ours_an_even_server_is_asked_as_fast_as_wanted() {
        let mut pacer = Pacer::default();
        for took in [20, 30, 25, 60, 22, 21] {
            pacer.answered(Span(took));
            assert_eq!(pacer.delay(WANTED), WANTED);
        }
    }

    #[test]
    fn ours_a_server_that_gets_slow_is_asked_more_slowly_until_it_recovers() {
        let mut pacer = Pacer::default();
        (0..20).for_each(|_| pacer.answered(Span(30)));
        let mut delays = Vec::new();
        for _ in 0..5 {
            pacer.answered(Span(1_000));
            delays.push(pacer.delay(WANTED));
        }
        assert!(delays.is_sorted() && delays[4] > Span(5_000), "{delays:?}");
        (0..30).for_each(|_| pacer.answered(Span(30)));
        assert_eq!(pacer.delay(WANTED), WANTED);
    }

    #[test]
    fn ours_one_slow_answer_is_an_accident() {
        let mut pacer = Pacer::default();
        for _ in 0..20 {
            (0..4).for_each(|_| pacer.answered(Span(30)));
            pacer.answered(Span(3_000));
            assert_eq!(pacer.delay(WANTED), WANTED);
        }
        pacer.answered(Span(3_000));
        assert!(pacer.delay(WANTED) > Span(5_000), "the second is none: {:?}", pacer.delay(WANTED));
    }

    #[test]
    fn ours_a_server_that_is_slower_for_good_is_believed_in_the_end() {
        let mut pacer = Pacer::default();
        (0..20).for_each(|_| pacer.answered(Span(100)));
        (0..400).for_each(|_| pacer.answered(Span(400)));
        assert_eq!(pacer.delay(WANTED), WANTED);
    }

    #[test]
    fn ours_backing_off_doubles_the_delay_and_good_answers_halve_it() {
        let mut pacer = Pacer::default();
        pacer.back_off();
        assert_eq!(pacer.delay(WANTED), Span(1_000));
        pacer.back_off();
        assert_eq!(pacer.delay(WANTED), Span(2_000));
        (0..10).for_each(|_| pacer.answered(Span(10)));
        assert_eq!(pacer.delay(WANTED), Span(1_000));
        (0..10).for_each(|_| pacer.answered(Span(10)));
        assert_eq!(pacer.delay(WANTED), WANTED);
        (0..30).for_each(|_| pacer.back_off());
        assert_eq!(pacer.delay(WANTED), LONGEST_DELAY);
    }

    #[test]
    fn ours_a_crawl_delay_counts_if_it_is_longer_and_has_an_end() {
        let mut pacer = Pacer::default();
        pacer.asked(Some(Span(50)), LONGEST_CRAWL_DELAY);
        assert_eq!(pacer.delay(WANTED), WANTED);
        pacer.asked(Some(Span(5_000)), LONGEST_CRAWL_DELAY);
        assert_eq!(pacer.delay(WANTED), Span(5_000));
        pacer.asked(Some(Span::seconds(86_400)), LONGEST_CRAWL_DELAY);
        assert_eq!(pacer.delay(WANTED), LONGEST_CRAWL_DELAY);
    }
}
