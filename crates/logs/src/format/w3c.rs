//! W3C extended logs: IIS with spaces between the columns, CloudFront with tabs.
//!
//! A `#Fields:` line names the columns of the records after it, and another may follow anywhere: the reader is then
//! replaced (see [`Format::after_header`](super::Format::after_header)). Times are UTC. IIS writes `+` for a space in
//! the agent; CloudFront percent-encodes it. Old logs have no date column but a `#Date:` line.

use memchr::{memchr, memrchr};

use super::context::Context;
use super::entry::{Entry, LineFault, Parsed};
use super::value::{dash, first_address, https_by_port, https_by_scheme, status};
use super::{escape, request, time};

/// More columns than any server writes; what is beyond is not read.
const COLUMN_LIMIT: usize = 256;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Column {
    Skip,
    Date,
    Time,
    Stamp,
    Method,
    Target,
    Query,
    Status,
    Address,
    Forwarded,
    User,
    Agent,
    Referrer,
    Host,
    /// In CloudFront the distribution, not what the reader asked for.
    FallbackHost,
    Protocol,
    Port,
    ContentType,
}

impl Column {
    fn named(name: &[u8]) -> Self {
        match name.to_ascii_lowercase().as_slice() {
            b"date" => Self::Date,
            b"time" => Self::Time,
            b"timestamp" => Self::Stamp,
            b"cs-method" => Self::Method,
            b"cs-uri-stem" | b"cs-uri" => Self::Target,
            b"cs-uri-query" => Self::Query,
            b"sc-status" => Self::Status,
            b"c-ip" => Self::Address,
            b"x-forwarded-for" | b"cs(x-forwarded-for)" | b"x_forwarded_for" => Self::Forwarded,
            b"cs-username" => Self::User,
            b"cs(user-agent)" | b"cs-user-agent" => Self::Agent,
            b"cs(referer)" | b"cs(referrer)" | b"cs-referer" => Self::Referrer,
            b"cs-host" | b"x-host-header" => Self::Host,
            b"cs(host)" => Self::FallbackHost,
            b"cs-protocol" | b"cs-uri-scheme" => Self::Protocol,
            b"s-port" | b"cs-uri-port" => Self::Port,
            b"sc-content-type" | b"rs(content-type)" | b"sc(content-type)" => Self::ContentType,
            _ => Self::Skip,
        }
    }
}

/// The columns that a `#Fields:` line names.
#[derive(Clone, Debug)]
pub struct W3cFields {
    columns: Vec<Column>,
    /// The day of the last `#Date:` line, for logs without a date column.
    day: Option<i64>,
}

impl W3cFields {
    /// The reader after a `#Fields:` line; `None` if it is another line, or names no target.
    pub(super) fn of(line: &[u8]) -> Option<Self> {
        let names = line.strip_prefix(b"#Fields:")?;
        let columns: Vec<Column> = names
            .split(u8::is_ascii_whitespace)
            .filter(|name| !name.is_empty())
            .take(COLUMN_LIMIT)
            .map(Column::named)
            .collect();
        columns.contains(&Column::Target).then_some(Self { columns, day: None })
    }

    /// The reader after a directive that changes it.
    pub(super) fn after(&self, line: &[u8]) -> Option<Self> {
        if let Some(fields) = Self::of(line) {
            return Some(Self { day: self.day, ..fields });
        }
        let date = line.strip_prefix(b"#Date:")?.trim_ascii_start();
        let day = Some(time::date_of(date.get(..10)?)?);
        (day != self.day).then(|| Self { columns: self.columns.clone(), day })
    }

    /// Whether there is a column for the host.
    pub(super) fn has_host(&self) -> bool {
        self.columns.iter().any(|column| matches!(column, Column::Host | Column::FallbackHost))
    }

    /// Reads one line.
    pub(super) fn parse<'a>(&self, line: &'a [u8], cx: &'a Context) -> Result<Parsed<'a>, LineFault> {
        if line.starts_with(b"#") {
            return Ok(Parsed::Header);
        }
        let tabs = memchr(b'\t', line).is_some();
        let mut rest = if tabs { line } else { line.trim_ascii_end() };
        let mut entry = Entry::default();
        let mut when = When { day: self.day, ..When::default() };
        let mut query: &[u8] = &[];
        for (index, column) in self.columns.iter().enumerate() {
            let value;
            (value, rest) = cut(rest, tabs, index + 1 == self.columns.len()).ok_or(LineFault::Malformed)?;
            let value = dash(value);
            match column {
                Column::Query => query = value,
                Column::Agent if tabs => entry.agent = escape::percent(value, cx),
                Column::Agent => entry.agent = escape::plus(value, cx),
                Column::Stamp => when.stamp = Some(time::stamp(value, cx.minute())?),
                _ => fill(*column, value, &mut entry, &mut when)?,
            }
        }
        if entry.target.is_empty() {
            return Err(LineFault::BadRequest);
        }
        if !query.is_empty() {
            entry.target = cx.join(&[entry.target, b"?", query]);
        }
        entry.time_ms = when.finish().ok_or(LineFault::BadTime)?;
        Ok(Parsed::Entry(entry))
    }
}

/// What the columns say about the time.
#[derive(Default)]
struct When<'a> {
    day: Option<i64>,
    clock: Option<&'a [u8]>,
    stamp: Option<i64>,
}

impl When<'_> {
    fn finish(&self) -> Option<i64> {
        match (self.stamp, self.clock) {
            (Some(stamp), _) => Some(stamp),
            (None, Some(clock)) => time::clock(clock, self.day?),
            (None, None) => time::clock(b"00:00", self.day?),
        }
    }
}

/// The value at the start of `text` and what follows its separator.
fn cut(text: &[u8], tabs: bool, last: bool) -> Option<(&[u8], &[u8])> {
    let separator = if tabs { b'\t' } else { b' ' };
    // The standard allows strings in quotes; servers that use spaces for columns need them.
    if !tabs && let Some(inner) = text.strip_prefix(b"\"") {
        let end = memchr(b'"', inner)?;
        let rest = &inner[end + 1..];
        return match (last, rest.split_first()) {
            (true, None) => Some((&inner[..end], rest)),
            (false, Some((b' ', rest))) => Some((&inner[..end], rest)),
            _ => None,
        };
    }
    match (last, memchr(separator, text)) {
        (true, None) => Some((text, &[])),
        (false, Some(end)) => Some((&text[..end], &text[end + 1..])),
        _ => None,
    }
}

fn fill<'a>(column: Column, value: &'a [u8], entry: &mut Entry<'a>, when: &mut When<'a>) -> Result<(), LineFault> {
    match column {
        Column::Date => when.day = Some(time::date_of(value).ok_or(LineFault::BadTime)?),
        Column::Time => when.clock = Some(value),
        Column::Method => {
            if !value.is_empty() && !request::is_method(value) {
                return Err(LineFault::BadRequest);
            }
            entry.method = value;
        }
        Column::Target => entry.target = value,
        Column::Status => entry.status = status(value)?,
        Column::Address => entry.address = value,
        Column::Forwarded => entry.forwarded = first_address(value),
        Column::User => entry.user = value,
        Column::Referrer => entry.referrer = value,
        Column::Host if !value.is_empty() => {
            entry.host = value;
            let port = memrchr(b':', value).map_or(&b""[..], |colon| &value[colon + 1..]);
            entry.https = entry.https.or(https_by_port(port));
        }
        Column::FallbackHost if entry.host.is_empty() => entry.host = value,
        Column::Protocol => entry.https = https_by_scheme(value).or(entry.https),
        Column::Port => entry.https = entry.https.or(https_by_port(value)),
        Column::ContentType => entry.content_type = value,
        _ => {}
    }
    Ok(())
}
