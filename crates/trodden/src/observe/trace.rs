//! Events of `tracing`, as lines on standard error.
//!
//! ```text
//! 2026-11-18T12:30:00.123Z DEBUG crawl.fetch.settled url=https://example.org/ outcome=page status=200
//! {"time":"2026-11-18T12:30:00.123Z","level":"debug","event":"crawl.fetch.settled","url":"https://example.org/",…}
//! ```
//! Only events of this program are told, by their name; libraries below may say what they like. Lines go out where all talk does, so
//! progress bars stay whole and no text from outside rules the terminal. There are no spans: an event says all that belongs to it.

use std::fmt::{self, Write as _};
use std::time::{SystemTime, UNIX_EPOCH};

use serde_json::Value;
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Level, Metadata, Subscriber};
use trodden_archive::warc::WarcDate;

use super::TraceFormat;
use crate::output::say;

/// What the targets of our events begin with.
const OURS: &str = "trodden";

/// Tells events from now on: with 1 those that are milestones, with more every single one.
pub(super) fn install(verbose: u8, format: TraceFormat) {
    let level = if verbose > 1 { Level::DEBUG } else { Level::INFO };
    // Somebody else listening already is none of ours to mend.
    let _ = tracing::subscriber::set_global_default(Teller { level, format });
}

struct Teller {
    level: Level,
    format: TraceFormat,
}

impl Subscriber for Teller {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.is_event() && *metadata.level() <= self.level && metadata.target().starts_with(OURS)
    }

    fn event(&self, event: &Event<'_>) {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let time = WarcDate::from_unix_ms(u64::try_from(since.as_millis()).unwrap_or(u64::MAX)).to_string();
        let (name, level) = (event.metadata().name(), event.metadata().level());
        say(&match self.format {
            TraceFormat::Text => {
                let mut line = format!("{time} {level:5} {name}");
                event.record(&mut Words(&mut line));
                line
            }
            TraceFormat::Json => {
                let mut line = String::from("{");
                let mut fields = Fields(&mut line);
                fields.push("time", time);
                fields.push("level", level.as_str().to_ascii_lowercase());
                fields.push("event", name);
                event.record(&mut fields);
                line.push('}');
                line
            }
        });
    }

    fn new_span(&self, _: &Attributes<'_>) -> Id {
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}
}

/// Fields as `name=value`, one after the other.
struct Words<'w>(&'w mut String);

impl Visit for Words<'_> {
    fn record_str(&mut self, field: &Field, value: &str) {
        let is_plain = !value.is_empty() && !value.contains([' ', '"', '=', '\n', '\t']);
        let _ = if is_plain { write!(self.0, " {field}={value}") } else { write!(self.0, " {field}={value:?}") };
    }

    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        let _ = write!(self.0, " {field}={value:?}");
    }
}

/// Fields of a JSON object, in the order in which an event names them.
struct Fields<'f>(&'f mut String);

impl Fields<'_> {
    fn push(&mut self, name: &str, value: impl Into<Value>) {
        let value: Value = value.into();
        let comma = if self.0.len() > 1 { "," } else { "" };
        let _ = write!(self.0, "{comma}{}:{value}", Value::from(name));
    }
}

impl Visit for Fields<'_> {
    fn record_str(&mut self, field: &Field, value: &str) {
        self.push(field.name(), value);
    }

    fn record_u64(&mut self, field: &Field, value: u64) {
        self.push(field.name(), value);
    }

    fn record_i64(&mut self, field: &Field, value: i64) {
        self.push(field.name(), value);
    }

    fn record_f64(&mut self, field: &Field, value: f64) {
        self.push(field.name(), value);
    }

    fn record_bool(&mut self, field: &Field, value: bool) {
        self.push(field.name(), value);
    }

    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        self.push(field.name(), format!("{value:?}"));
    }
}
