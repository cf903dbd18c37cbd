//! What was found in an object, on its way to an entry.

use super::super::context::Context;
use super::super::entry::{Entry, LineFault, NO_ANSWER};
use super::super::field::Field;
use super::super::value::{dash, first_address, https_by_scheme, peer, status};
use super::super::{request, time};
use super::map::Sink;

/// A scalar.
#[derive(Clone, Copy, Default)]
pub(super) enum Value<'a> {
    /// Null, an empty string, a dash: the log does not say.
    #[default]
    Nothing,
    Text(&'a [u8]),
    Int(i64),
    Float(f64),
    Bool(bool),
}

/// For each sink the best value so far and its rank.
pub(super) struct Found<'a>([(u8, Value<'a>); Sink::COUNT]);

impl Default for Found<'_> {
    fn default() -> Self {
        Self([(u8::MAX, Value::Nothing); Sink::COUNT])
    }
}

impl<'a> Found<'a> {
    /// Takes a value if it says something and no better path has said it.
    pub(super) fn offer(&mut self, sink: Sink, rank: u8, value: Value<'a>) {
        let says = match value {
            Value::Nothing => false,
            Value::Text(text) => !dash(text).is_empty(),
            _ => true,
        };
        let slot = &mut self.0[sink.index()];
        if says && rank < slot.0 {
            *slot = (rank, value);
        }
    }

    fn get(&self, sink: Sink) -> Value<'a> {
        self.0[sink.index()].1
    }

    fn text(&self, field: Field, cx: &'a Context) -> &'a [u8] {
        self.get(Sink::Field(field)).text(cx)
    }

    /// Puts the entry together.
    pub(super) fn entry(&self, cx: &'a Context) -> Result<Entry<'a>, LineFault> {
        let (method, target) = self.request(cx)?;
        let address = peer(self.text(Field::Address, cx));
        let forwarded = first_address(self.text(Field::Forwarded, cx));
        Ok(Entry {
            time_ms: self.time(cx).ok_or(LineFault::BadTime)?,
            address,
            // Caddy's `client_ip` repeats the peer where no proxy is trusted.
            forwarded: if forwarded == address { &[] } else { forwarded },
            user: self.text(Field::User, cx),
            method,
            target,
            host: self.text(Field::Host, cx),
            https: self.https(),
            status: self.status()?,
            referrer: self.text(Field::Referrer, cx),
            agent: self.text(Field::Agent, cx),
            content_type: self.text(Field::ContentType, cx),
        })
    }

    fn time(&self, cx: &Context) -> Option<i64> {
        let ms = match self.get(Sink::Field(Field::Time)) {
            Value::Text(text) => return time::stamp(text, cx.minute()).ok(),
            Value::Int(whole) => time::epoch_ms(whole, 0)?,
            Value::Float(number) => {
                // A float holds the milliseconds of any second until 9999 exactly enough.
                let fraction = (number.fract() * 1_000.0).round() as i64;
                time::epoch_ms(number.trunc() as i64, fraction)?
            }
            Value::Bool(_) | Value::Nothing => return None,
        };
        (0..=time::LATEST_MS).contains(&ms).then_some(ms)
    }

    fn request(&self, cx: &'a Context) -> Result<(&'a [u8], &'a [u8]), LineFault> {
        let target = self.text(Field::Target, cx);
        let query = self.get(Sink::Query).text(cx);
        if target.is_empty() {
            return request::split(self.get(Sink::Request).text(cx));
        }
        let method = self.text(Field::Method, cx);
        if !method.is_empty() && !request::is_method(method) {
            return Err(LineFault::BadRequest);
        }
        // A request line beside the path says what the method was.
        let method = match self.get(Sink::Request) {
            Value::Text(line) if method.is_empty() => request::split(line).map_or(method, |(method, _)| method),
            _ => method,
        };
        if query.is_empty() || memchr::memchr(b'?', target).is_some() {
            return Ok((method, target));
        }
        let query = query.strip_prefix(b"?").unwrap_or(query);
        Ok((method, cx.join(&[target, b"?", query])))
    }

    fn status(&self) -> Result<u16, LineFault> {
        match self.get(Sink::Field(Field::Status)) {
            Value::Nothing => Ok(0),
            Value::Text(text) => status(text),
            Value::Int(0) => Ok(NO_ANSWER),
            Value::Int(number) => {
                u16::try_from(number).ok().filter(|number| (100..1_000).contains(number)).ok_or(LineFault::BadStatus)
            }
            Value::Float(_) | Value::Bool(_) => Err(LineFault::BadStatus),
        }
    }

    fn https(&self) -> Option<bool> {
        if let Value::Bool(true) = self.get(Sink::Tls) {
            return Some(true);
        }
        match self.get(Sink::Field(Field::Scheme)) {
            Value::Bool(truth) => Some(truth),
            Value::Text(b"on") => Some(true),
            Value::Text(b"off") => Some(false),
            Value::Text(scheme) => https_by_scheme(scheme),
            _ => None,
        }
    }
}

impl<'a> Value<'a> {
    /// As bytes: a user id may be a number.
    fn text(self, cx: &'a Context) -> &'a [u8] {
        match self {
            Self::Text(text) => text,
            Self::Int(number) => cx.keep(number.to_string().as_bytes()),
            Self::Nothing | Self::Float(_) | Self::Bool(_) => &[],
        }
    }
}
