//! What is seen while a crawl runs: a few lines that change in a terminal, and a line now and then in a pipe.

use std::collections::VecDeque;
use std::io::IsTerminal;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use indicatif::{DecimalBytes, HumanDuration, MultiProgress, ProgressBar, ProgressStyle};
use trodden_fetch::crawl::{Budgets, CrawlProgress, CrawlSettings, HostDelays, Tally};

use crate::output::{Live, counted, say, thousands};

const TICK: Duration = Duration::from_millis(200);
/// Time over which rates are measured.
const WINDOW: Duration = Duration::from_secs(60);
/// Kinds of errors that are named.
const KINDS_SAID: usize = 5;
/// Kinds of deferred tries that are named.
const PUT_OFF_SAID: usize = 3;

/// A live view until it is dropped.
pub(super) struct View {
    done: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl View {
    /// Begins to show.
    pub(super) fn start(progress: Arc<CrawlProgress>, settings: &CrawlSettings, traffic: f64) -> Self {
        let done = Arc::new(AtomicBool::new(false));
        let (watched, budget) = (done.clone(), settings.budget);
        let every = Duration::from_secs(settings.progress_s);
        let watch = move || match std::io::stderr().is_terminal() {
            true => show(&progress, &budget, traffic, &watched),
            false => tell(&progress, &budget, traffic, every, &watched),
        };
        Self { done, thread: Some(std::thread::spawn(watch)) }
    }
}

impl Drop for View {
    fn drop(&mut self) {
        self.done.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            thread.thread().unpark();
            let _ = thread.join();
        }
    }
}

/// Lines of a terminal, until it is done.
fn show(progress: &CrawlProgress, budget: &Budgets, traffic: f64, done: &AtomicBool) {
    let lines = MultiProgress::new();
    let _live = Live::begin(&lines);
    let line = || {
        let bar = lines.add(ProgressBar::new_spinner());
        bar.set_style(ProgressStyle::with_template("{wide_msg}").unwrap_or_else(|_| ProgressStyle::default_spinner()));
        bar
    };
    let bars: [ProgressBar; 5] = std::array::from_fn(|_| line());
    let mut rates = Rates::default();
    while !done.load(Ordering::Relaxed) {
        let tally = progress.look();
        rates.add(&tally, Instant::now());
        let sight = Sight { tally: &tally, budget, traffic, rates: rates.rates(), now_ms: now_ms() };
        for (bar, text) in bars.iter().zip(sight.lines()) {
            bar.set_message(text);
        }
        std::thread::park_timeout(TICK);
    }
    bars.iter().for_each(ProgressBar::finish_and_clear);
}

/// A line now and then, until it is done.
fn tell(progress: &CrawlProgress, budget: &Budgets, traffic: f64, every: Duration, done: &AtomicBool) {
    let (mut rates, mut told) = (Rates::default(), Instant::now());
    while !done.load(Ordering::Relaxed) {
        let tally = progress.look();
        rates.add(&tally, Instant::now());
        if !every.is_zero() && told.elapsed() >= every {
            told = Instant::now();
            say(&Sight { tally: &tally, budget, traffic, rates: rates.rates(), now_ms: now_ms() }.line());
        }
        std::thread::park_timeout(TICK);
    }
}

/// Milliseconds since 1970.
pub(super) fn now_ms() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

/// How fast it went of late.
#[derive(Default)]
struct Rates(VecDeque<(Instant, u64, u64)>);

impl Rates {
    fn add(&mut self, tally: &Tally, now: Instant) {
        self.0.push_back((now, tally.pages(), tally.asked()));
        while self.0.front().is_some_and(|first| now - first.0 > WINDOW) {
            self.0.pop_front();
        }
    }

    /// Pages and URLs a second.
    fn rates(&self) -> (f64, f64) {
        let (Some(first), Some(last)) = (self.0.front(), self.0.back()) else { return (0.0, 0.0) };
        let seconds = (last.0 - first.0).as_secs_f64();
        if seconds <= 0.0 {
            return (0.0, 0.0);
        }
        (last.1.saturating_sub(first.1) as f64 / seconds, last.2.saturating_sub(first.2) as f64 / seconds)
    }
}

/// What there is to see.
struct Sight<'s> {
    tally: &'s Tally,
    budget: &'s Budgets,
    /// Visits that the logs know.
    traffic: f64,
    /// Pages and URLs a second.
    rates: (f64, f64),
    now_ms: u64,
}

impl Sight<'_> {
    /// How far, what waits, where, how long hosts are left alone, and what went wrong.
    fn lines(&self) -> [String; 5] {
        let at = self.tally.at.as_ref().map_or_else(String::new, |url| format!("at {url}"));
        [
            self.how_far().join("  "),
            self.waiting().join("  "),
            at,
            self.delays(),
            self.errors().unwrap_or_else(|| "no errors".to_owned()),
        ]
    }

    /// The same in one line.
    fn line(&self) -> String {
        let mut parts = vec![self.how_far().join(", "), self.waiting().join(", "), self.delays()];
        parts.extend(self.errors());
        parts.extend(self.tally.at.as_ref().map(|url| format!("at {url}")));
        parts.join("; ")
    }

    fn how_far(&self) -> Vec<String> {
        let Self { tally, budget, traffic, rates, .. } = self;
        let pages = match budget.pages {
            Some(most) => format!("{} of {}", thousands(tally.pages()), counted(most, "page")),
            None => counted(tally.pages(), "page"),
        };
        let mut parts = vec![pages, format!("{:.1}/s", rates.0), DecimalBytes(tally.bytes).to_string()];
        if *traffic > 0.0 {
            parts.push(format!("{:.1} % of what people read", 100.0 * tally.traffic / traffic));
        }
        parts.extend(self.left().map(|left| format!("{} left", HumanDuration(left))));
        parts
    }

    /// How long it will take: at the rate of late, but no less than the delays of hosts make it, and no more than it may.
    fn left(&self) -> Option<Duration> {
        let Self { tally, budget, rates: (pages, asked), .. } = self;
        let over = |n: u64, rate: f64| if rate > 0.0 { n as f64 / rate } else { f64::INFINITY };
        let all = over(tally.waiting, *asked);
        let rest = budget.pages.map_or(all, |most| all.min(over(most.saturating_sub(tally.pages()), *pages)));
        let least = tally.delays.least_ms as f64 / 1e3;
        let left = if rest.is_finite() { rest.max(least) } else { least };
        let until = budget.seconds.map_or(f64::INFINITY, |most| most as f64 - tally.elapsed_ms as f64 / 1e3);
        let left = left.min(until.max(0.0));
        (tally.waiting > 0 && left > 0.0).then(|| Duration::from_secs_f64(left))
    }

    fn waiting(&self) -> Vec<String> {
        let tally = self.tally;
        let wait = if tally.waiting == 1 { "waits" } else { "wait" };
        let mut parts = vec![
            format!("{} {wait}", counted(tally.waiting, "URL")),
            counted(tally.hosts, "host"),
            format!("{} under way", tally.under_way),
        ];
        let pause = tally.next_ms.map(|next| next.saturating_sub(self.now_ms)).filter(|pause| *pause >= 1_000);
        parts.extend(pause.map(|pause| format!("next request in {} s", pause.div_ceil(1_000))));
        parts
    }

    fn delays(&self) -> String {
        let delays = &self.tally.delays;
        let mut text = format!("delay {}", span(delays.own_ms));
        let mut add = |what: &str, of: &HostDelays| match of.hosts {
            0 => {}
            1 => text += &format!(", {what} {} of {}", span(of.delay_ms), of.host),
            n => {
                text += &format!(", {what} {} of {} and {}", span(of.delay_ms), of.host, counted(n - 1, "other host"));
            }
        };
        add("Crawl-delay", &delays.asked);
        add("throttled to", &delays.throttled);
        text
    }

    fn errors(&self) -> Option<String> {
        let kinds = |counts: Vec<_>, most| -> Vec<String> {
            counts.iter().take(most).map(|(kind, n)| format!("{} {kind}", thousands(*n))).collect()
        };
        let mut errors = kinds(self.tally.errors(), KINDS_SAID);
        let put_off = kinds(self.tally.put_off_most_first(), PUT_OFF_SAID);
        if !put_off.is_empty() {
            errors.push(format!("{} deferred ({})", thousands(self.tally.deferred()), put_off.join(", ")));
        }
        (!errors.is_empty()).then(|| errors.join(", "))
    }
}

/// A short time.
fn span(ms: u64) -> String {
    match ms {
        0 => "none".to_owned(),
        ms if ms < 1_000 => format!("{ms} ms"),
        ms if ms.is_multiple_of(1_000) => format!("{} s", ms / 1_000),
        ms => format!("{:.1} s", ms as f64 / 1e3),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use trodden_fetch::crawl::Delays;
    use trodden_fetch::outcome::OutcomeKind;

    const NOW: u64 = 1_000_000;

    fn sight<'s>(tally: &'s Tally, budget: &'s Budgets, rates: (f64, f64)) -> Sight<'s> {
        Sight { tally, budget, traffic: 100.0, rates, now_ms: NOW }
    }

    #[test]
    fn ours_lines_tell_how_far_where_how_slow_and_what_went_wrong() {
        // What robots.txt denies costs nothing, and says nothing of how long the rest takes.
        let outcomes = [
            (OutcomeKind::Page, 1_200),
            (OutcomeKind::NotFound, 3),
            (OutcomeKind::TimeOut, 1),
            (OutcomeKind::RobotsDenied, 9_000),
        ];
        let tally = Tally {
            outcomes: outcomes.into_iter().collect(),
            waiting: 5_000,
            hosts: 2,
            under_way: 2,
            bytes: 1_000_000,
            traffic: 30.0,
            put_off: [(OutcomeKind::Connect, 1), (OutcomeKind::TimeOut, 3)].into_iter().collect(),
            at: Some("http://a.example/b".to_owned()),
            next_ms: Some(NOW + 58_200),
            delays: Delays {
                own_ms: 1_000,
                asked: HostDelays { hosts: 1, host: "a.example".to_owned(), delay_ms: 10_000 },
                throttled: HostDelays { hosts: 3, host: "b.example".to_owned(), delay_ms: 12_500 },
                least_ms: 3_000,
            },
            ..Tally::default()
        };
        let budget = Budgets { pages: Some(2_200), ..Budgets::default() };
        let sight = sight(&tally, &budget, (10.0, 11.0));
        let lines = [
            "1,200 of 2,200 pages  10.0/s  1.00 MB  30.0 % of what people read  2 minutes left",
            "5,000 URLs wait  2 hosts  2 under way  next request in 59 s",
            "at http://a.example/b",
            "delay 1 s, Crawl-delay 10 s of a.example, throttled to 12.5 s of b.example and 2 other hosts",
            "9,000 robots-denied, 3 not-found, 1 time-out, 4 deferred (3 time-out, 1 connect)",
        ];
        assert_eq!(sight.lines(), lines);
        let [how_far, waiting, at, delays, errors] = lines.map(|line| line.replace("  ", ", "));
        assert_eq!(sight.line(), [how_far, waiting, delays, errors, at].join("; "));
    }

    #[test]
    fn ours_one_of_anything_is_one() {
        let tally = Tally { waiting: 1, hosts: 1, under_way: 1, ..Tally::default() };
        let one = Budgets { pages: Some(1), ..Budgets::default() };
        let lines = sight(&tally, &one, (0.0, 0.0)).lines();
        assert_eq!(lines[0], "0 of 1 page  0.0/s  0 B  0.0 % of what people read");
        assert_eq!(lines[1], "1 URL waits  1 host  1 under way");
        assert_eq!((lines[3].as_str(), lines[4].as_str()), ("delay none", "no errors"));
    }

    #[test]
    fn ours_the_time_left_is_no_less_than_delays_make_it_and_no_more_than_it_may_be() {
        let delays = Delays { least_ms: 1_000_000, ..Delays::default() };
        let tally = Tally { waiting: 100, delays, ..Tally::default() };
        let left = |budget: Budgets, rates| sight(&tally, &budget, rates).left().map(|left| left.as_secs());
        assert_eq!(left(Budgets::default(), (30.0, 30.0)), Some(1_000), "not three seconds");
        assert_eq!(left(Budgets::default(), (0.0, 0.0)), Some(1_000), "before the first page");
        assert_eq!(left(Budgets::default(), (0.01, 0.05)), Some(2_000), "slower than delays alone");
        assert_eq!(left(Budgets { seconds: Some(60), ..Budgets::default() }, (30.0, 30.0)), Some(60));
        let done = Tally::default();
        assert_eq!(sight(&done, &Budgets::default(), (1.0, 1.0)).left(), None);
    }
}
