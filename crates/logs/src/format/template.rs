//! One engine for every Apache and nginx format: fields, each followed by the literal that ends it.
//!
//! A [`Template`] is compiled once (see `compile`) and read from left to right: a field runs to the next occurrence
//! of its literal. Inside double quotes a backslash escapes the byte after it, so a quote that a client sent does not
//! end the field. This is the hot path of the whole crate: no allocation, no UTF-8 check, one pass over the bytes;
//! the arena is touched only where a field holds a backslash.
//!
//! The built-in formats accept further fields after their last one. Such a trailing field is ignored unless it is an
//! address or a list of addresses: then it is what a proxy forwarded.

use memchr::{memchr, memrchr};

use super::context::Context;
use super::entry::{Entry, LineFault, Parsed};
use super::part::{Part, Slot};
use super::strftime::{Moment, Pattern};
use super::trailing::{Trailing, forwarded_among, split_list_address};
use super::value::{dash, first_address, https_by_port, https_by_scheme, status};
use super::{escape, request, time, usual};

/// What may follow the last field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tail {
    /// Nothing.
    End,
    /// Any further fields, separated by spaces.
    Fields,
}

/// A compiled format.
#[derive(Clone, Debug)]
pub struct Template {
    pub(super) name: &'static str,
    /// The format is combined: try the written-out reading first.
    pub(super) usual: bool,
    /// How many trailing fields were seen when the format was detected; for the name only.
    pub(super) extra: usize,
    pub(super) lead: Box<[u8]>,
    pub(super) parts: Box<[Part]>,
    /// The last field, where no literal ends it.
    pub(super) open: Option<Slot>,
    pub(super) tail: Tail,
    pub(super) patterns: Box<[Pattern]>,
}

impl Template {
    /// As reported: `combined`, `combined + 1 field`.
    pub(super) fn name(&self) -> String {
        match self.extra {
            0 => self.name.to_owned(),
            1 => format!("{} + 1 field", self.name),
            n => format!("{} + {n} fields", self.name),
        }
    }

    /// Whether the format has a column for the host.
    pub(super) fn has_host(&self) -> bool {
        let is_host = |slot| matches!(slot, Slot::Host | Slot::ServerName);
        self.parts.iter().any(|part| is_host(part.slot)) || self.open.is_some_and(is_host)
    }

    /// Reads one line.
    #[inline]
    pub(super) fn parse<'a>(&self, line: &'a [u8], cx: &'a Context) -> Result<Parsed<'a>, LineFault> {
        let mut entry = Entry::default();
        let usual = if self.usual { usual::combined(line, cx, &mut entry) } else { None };
        let rest = match usual {
            Some(rest) => rest,
            None => self.read_whole(line, cx, &mut entry)?,
        };
        match self.tail {
            Tail::End if !rest.is_empty() => return Err(LineFault::Malformed),
            Tail::Fields if !matches!(rest, b"" | b" \"-\"") => {
                if !rest.starts_with(b" ") {
                    return Err(LineFault::Malformed);
                }
                entry.forwarded = forwarded_among(rest);
            }
            _ => {}
        }
        if entry.address.ends_with(b",") {
            split_list_address(&mut entry);
        }
        Ok(Parsed::Entry(entry))
    }

    /// What follows the last field of the format; `None` if the line is no such record.
    pub(super) fn rest<'a>(&self, line: &'a [u8], cx: &'a Context) -> Option<&'a [u8]> {
        self.read_whole(line, cx, &mut Entry::default()).ok()
    }

    /// How many fields that is.
    pub(super) fn trailing(&self, line: &[u8], cx: &Context) -> Option<usize> {
        self.rest(line, cx).map(|rest| Trailing(rest).count())
    }

    /// By the engine alone, without the shortcut and without looking at what follows.
    #[cfg(test)]
    pub(super) fn read_plainly<'a>(&self, line: &'a [u8], cx: &'a Context) -> Option<(Entry<'a>, &'a [u8])> {
        let mut entry = Entry::default();
        let rest = self.read_whole(line, cx, &mut entry).ok()?;
        Some((entry, rest))
    }

    /// Reads the fields of the format, puts together what stands in several, and returns what follows.
    fn read_whole<'a>(&self, line: &'a [u8], cx: &'a Context, entry: &mut Entry<'a>) -> Result<&'a [u8], LineFault> {
        *entry = Entry::default();
        let mut aside = Aside::default();
        let rest = self.read(line, cx, entry, &mut aside)?;
        if aside.used {
            aside.finish(entry, cx)?;
        }
        if entry.target.is_empty() {
            return Err(LineFault::BadRequest);
        }
        Ok(rest)
    }

    /// Reads the fields of the format and returns what follows.
    #[inline]
    fn read<'a>(
        &self,
        line: &'a [u8],
        cx: &'a Context,
        entry: &mut Entry<'a>,
        aside: &mut Aside<'a>,
    ) -> Result<&'a [u8], LineFault> {
        let mut rest = line.strip_prefix(&*self.lead).ok_or(LineFault::Malformed)?;
        for part in &self.parts {
            let cut = part.cut(rest).ok_or(LineFault::Malformed)?;
            self.fill(part.slot, cut.field, cut.escaped, entry, aside, cx)?;
            rest = cut.rest;
        }
        if let Some(slot) = self.open {
            let end = match self.tail {
                Tail::End => rest.len(),
                Tail::Fields => memchr(b' ', rest).unwrap_or(rest.len()),
            };
            self.fill(slot, &rest[..end], true, entry, aside, cx)?;
            rest = &rest[end..];
        }
        Ok(rest)
    }

    #[inline]
    fn fill<'a>(
        &self,
        slot: Slot,
        field: &'a [u8],
        escaped: bool,
        entry: &mut Entry<'a>,
        aside: &mut Aside<'a>,
        cx: &'a Context,
    ) -> Result<(), LineFault> {
        let text = |field: &'a [u8]| {
            if escaped { escape::backslash(field, cx) } else { field }
        };
        match slot {
            Slot::Skip => {}
            Slot::Address => entry.address = dash(field),
            Slot::UserName => {
                if entry.user.is_empty() {
                    entry.user = dash(field);
                }
            }
            Slot::Time => entry.time_ms = time::stamp(field, cx.minute())?,
            Slot::Request => {
                let (method, target) = request::split(field)?;
                entry.method = method;
                entry.target = text(target);
            }
            Slot::Status => entry.status = status(field)?,
            Slot::Referrer => entry.referrer = dash(text(field)),
            Slot::Agent => entry.agent = dash(text(field)),
            Slot::Target => entry.target = dash(text(field)),
            Slot::Query => {
                aside.query = dash(text(field));
                aside.used = true;
            }
            Slot::Pattern(index) => {
                let pattern = self.patterns.get(usize::from(index));
                let read = pattern.and_then(|pattern| pattern.read(field, &mut aside.moment));
                read.ok_or(LineFault::BadTime)?;
                aside.used = true;
                aside.timed = true;
            }
            _ => rare(slot, field, entry)?,
        }
        Ok(())
    }
}

/// The slots that the built-in formats do not have.
fn rare<'a>(slot: Slot, field: &'a [u8], entry: &mut Entry<'a>) -> Result<(), LineFault> {
    match slot {
        Slot::Forwarded => entry.forwarded = first_address(field),
        Slot::User => {
            let user = dash(field);
            if !user.is_empty() {
                entry.user = user;
            }
        }
        Slot::Method => {
            entry.method = dash(field);
            if !entry.method.is_empty() && !request::is_method(field) {
                return Err(LineFault::BadRequest);
            }
        }
        Slot::Host => {
            let host = dash(field);
            if !host.is_empty() {
                entry.host = host;
                let port = memrchr(b':', host).map_or(&b""[..], |colon| &host[colon + 1..]);
                entry.https = entry.https.or(https_by_port(port));
            }
        }
        // nginx's catch-all server is called `_`.
        Slot::ServerName if entry.host.is_empty() && field != b"_" => entry.host = dash(field),
        Slot::Port => entry.https = entry.https.or(https_by_port(field)),
        Slot::Scheme => entry.https = https_by_scheme(field),
        Slot::HttpsFlag => entry.https = Some(field.eq_ignore_ascii_case(b"on")),
        Slot::ContentType => entry.content_type = dash(field),
        _ => {}
    }
    Ok(())
}

/// What a line says in several columns.
#[derive(Default)]
struct Aside<'a> {
    used: bool,
    timed: bool,
    query: &'a [u8],
    moment: Moment,
}

impl<'a> Aside<'a> {
    fn finish(&self, entry: &mut Entry<'a>, cx: &'a Context) -> Result<(), LineFault> {
        if !self.query.is_empty() && !entry.target.is_empty() {
            let query = self.query.strip_prefix(b"?").unwrap_or(self.query);
            entry.target = cx.join(&[entry.target, b"?", query]);
        }
        if self.timed {
            entry.time_ms = self.moment.finish().ok_or(LineFault::BadTime)?;
        }
        Ok(())
    }
}
