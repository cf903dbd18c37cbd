//! Metrics of a run in a file, in the text format of Prometheus: what its textfile collector takes in, and what `grep` reads.
//!
//! Counters and gauges are single atomic numbers. A histogram counts by fixed bounds, from a millisecond to a minute: three a decade are enough
//! to see what is slow. The file is written beside its name and put in place whole.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use anyhow::{Context, Result};
use metrics::{Counter, Gauge, Histogram, HistogramFn, Key, KeyName, Metadata, Recorder, SharedString, Unit};

/// How often the file is written.
const EVERY: Duration = Duration::from_secs(10);
/// Upper bounds of a histogram, in seconds.
const BOUNDS: [f64; 15] = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0, 60.0];

/// The file, and who writes it.
pub(super) struct MetricsFile {
    path: PathBuf,
    store: Arc<Store>,
    done: Arc<AtomicBool>,
    thread: JoinHandle<()>,
}

impl MetricsFile {
    /// Begins to record; the file is there at once, so that it is known whether it can be written.
    pub(super) fn begin(path: &Path) -> Result<Self> {
        let store = Arc::new(Store::default());
        // A second recorder is impossible: this runs once a process.
        let _ = metrics::set_global_recorder(store.clone());
        write(path, &store)?;
        let done = Arc::new(AtomicBool::new(false));
        let (own, seen, is_done) = (path.to_owned(), store.clone(), done.clone());
        let thread = std::thread::spawn(move || {
            while !is_done.load(Ordering::Relaxed) {
                std::thread::park_timeout(EVERY);
                // A disk that is full now may not be later, and the last time is told.
                let _ = write(&own, &seen);
            }
        });
        Ok(Self { path: path.to_owned(), store, done, thread })
    }

    /// Writes it for the last time.
    pub(super) fn end(self) -> Result<()> {
        self.done.store(true, Ordering::Relaxed);
        self.thread.thread().unpark();
        let _ = self.thread.join();
        write(&self.path, &self.store)
    }
}

fn write(path: &Path, store: &Store) -> Result<()> {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(".part");
    let part = path.with_file_name(name);
    let written = fs::write(&part, store.text()).and_then(|()| fs::rename(&part, path));
    written.with_context(|| format!("--metrics: cannot write {}", path.display()))
}

/// All that was recorded, by name and labels.
#[derive(Default)]
struct Store(Mutex<Measured>);

#[derive(Default)]
struct Measured {
    help: BTreeMap<String, String>,
    counters: BTreeMap<(String, String), Arc<AtomicU64>>,
    gauges: BTreeMap<(String, String), Arc<AtomicU64>>,
    histograms: BTreeMap<(String, String), Arc<Buckets>>,
}

/// Counts by bound, and the sum in microseconds.
#[derive(Default)]
struct Buckets {
    counts: [AtomicU64; BOUNDS.len() + 1],
    micros: AtomicU64,
}

impl HistogramFn for Buckets {
    fn record(&self, seconds: f64) {
        let place = BOUNDS.iter().position(|bound| seconds <= *bound).unwrap_or(BOUNDS.len());
        self.counts[place].fetch_add(1, Ordering::Relaxed);
        self.micros.fetch_add((seconds.max(0.0) * 1e6) as u64, Ordering::Relaxed);
    }
}

/// The name of a metric, and its labels as `a="b",c="d"`.
fn place(key: &Key) -> (String, String) {
    let escape = |text: &str| text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n");
    let labels: Vec<String> =
        key.labels().map(|label| format!("{}=\"{}\"", label.key(), escape(label.value()))).collect();
    (key.name().to_owned(), labels.join(","))
}

impl Store {
    fn measured(&self) -> MutexGuard<'_, Measured> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn describe(&self, key: &KeyName, description: &SharedString) {
        self.measured().help.insert(key.as_str().to_owned(), description.to_string());
    }

    /// What was recorded, as Prometheus reads it.
    fn text(&self) -> String {
        let measured = self.measured();
        let mut text = String::new();
        let mut last = String::new();
        let mut head = |text: &mut String, name: &str, kind: &str| {
            if last != name {
                if let Some(help) = measured.help.get(name) {
                    let _ = writeln!(text, "# HELP {name} {help}");
                }
                let _ = writeln!(text, "# TYPE {name} {kind}");
                name.clone_into(&mut last);
            }
        };
        let braced = |labels: &str| if labels.is_empty() { String::new() } else { format!("{{{labels}}}") };
        for ((name, labels), value) in &measured.counters {
            // One that never counted anything says nothing, and there is one for every outcome.
            let value = value.load(Ordering::Relaxed);
            if value > 0 || labels.is_empty() {
                head(&mut text, name, "counter");
                let _ = writeln!(text, "{name}{} {value}", braced(labels));
            }
        }
        for ((name, labels), value) in &measured.gauges {
            head(&mut text, name, "gauge");
            let _ = writeln!(text, "{name}{} {}", braced(labels), f64::from_bits(value.load(Ordering::Relaxed)));
        }
        for ((name, labels), buckets) in &measured.histograms {
            head(&mut text, name, "histogram");
            let (mut sum, more) = (0, if labels.is_empty() { String::new() } else { format!("{labels},") });
            for (at, count) in buckets.counts.iter().enumerate() {
                sum += count.load(Ordering::Relaxed);
                let bound = BOUNDS.get(at).map_or_else(|| "+Inf".to_owned(), f64::to_string);
                let _ = writeln!(text, "{name}_bucket{{{more}le=\"{bound}\"}} {sum}");
            }
            let seconds = buckets.micros.load(Ordering::Relaxed) as f64 / 1e6;
            let _ = writeln!(text, "{name}_sum{} {seconds}", braced(labels));
            let _ = writeln!(text, "{name}_count{} {sum}", braced(labels));
        }
        text
    }
}

impl Recorder for Store {
    fn describe_counter(&self, key: KeyName, _: Option<Unit>, description: SharedString) {
        self.describe(&key, &description);
    }

    fn describe_gauge(&self, key: KeyName, _: Option<Unit>, description: SharedString) {
        self.describe(&key, &description);
    }

    fn describe_histogram(&self, key: KeyName, _: Option<Unit>, description: SharedString) {
        self.describe(&key, &description);
    }

    fn register_counter(&self, key: &Key, _: &Metadata<'_>) -> Counter {
        Counter::from_arc(self.measured().counters.entry(place(key)).or_default().clone())
    }

    fn register_gauge(&self, key: &Key, _: &Metadata<'_>) -> Gauge {
        Gauge::from_arc(self.measured().gauges.entry(place(key)).or_default().clone())
    }

    fn register_histogram(&self, key: &Key, _: &Metadata<'_>) -> Histogram {
        Histogram::from_arc(self.measured().histograms.entry(place(key)).or_default().clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ours_the_file_is_what_prometheus_reads() {
        let store = Store::default();
        metrics::with_local_recorder(&store, || {
            metrics::describe_counter!("a_total", "Things");
            metrics::counter!("a_total", "kind" => "x\"y").increment(2);
            metrics::counter!("a_total", "kind" => "never").increment(0);
            metrics::gauge!("b").set(1.5);
            let seconds = metrics::histogram!("c_seconds");
            [0.0005, 0.02, 0.3, 100.0].into_iter().for_each(|value| seconds.record(value));
        });
        let text = store.text();
        assert!(
            text.starts_with("# HELP a_total Things\n# TYPE a_total counter\na_total{kind=\"x\\\"y\"} 2\n"),
            "{text}"
        );
        assert!(!text.contains("never") && text.contains("# TYPE b gauge\nb 1.5\n"), "{text}");
        for line in [
            "c_seconds_bucket{le=\"0.001\"} 1",
            "c_seconds_bucket{le=\"0.02\"} 2",
            "c_seconds_bucket{le=\"0.5\"} 3",
            "c_seconds_bucket{le=\"60\"} 3",
            "c_seconds_bucket{le=\"+Inf\"} 4",
            "c_seconds_sum 100.3205",
            "c_seconds_count 4",
        ] {
            assert!(text.lines().any(|other| other == line), "{line}: {text}");
        }
    }
}
