//! CSV and TSV with a line of column names.
//!
//! The export of an analytics tool, a database or a script: columns in any order, found by name. Only the target is
//! required. A record is one line (a quoted newline makes two malformed ones), and it has as many cells as the header:
//! a URL with a bare comma would otherwise shift its neighbors into the wrong columns without a word. CSV cells may be
//! quoted as RFC 4180 says; TSV cells are taken as they stand.

use memchr::memchr;

use super::context::Context;
use super::entry::{Entry, LineFault, Parsed};
use super::field::Field;
use super::value::{dash, first_address, https_by_scheme, status};
use super::{request, time};

/// More columns than any export of visits has.
const COLUMN_LIMIT: usize = 256;

/// The columns that the header names.
#[derive(Clone, Debug)]
pub struct Columns {
    separator: u8,
    /// The header as it stands in the file, to know it again where files were concatenated.
    header: Vec<u8>,
    fields: Vec<Option<Field>>,
}

impl Columns {
    /// The reader after a header line; `None` if the line names no target column.
    pub(super) fn of(line: &[u8], separator: u8) -> Option<Self> {
        let header = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line);
        let mut fields = Vec::new();
        let mut rest = Some(header);
        while let Some(text) = rest {
            let cell = cut(text, separator)?;
            let field = field_named(cell.text).filter(|field| !fields.contains(&Some(*field)));
            fields.push(field);
            if fields.len() > COLUMN_LIMIT {
                return None;
            }
            rest = cell.rest;
        }
        fields.contains(&Some(Field::Target)).then(|| Self { separator, header: header.to_vec(), fields })
    }

    /// How many columns there are.
    pub(super) fn width(&self) -> usize {
        self.fields.len()
    }

    /// `csv` or `tsv`.
    pub(super) fn name(&self) -> &'static str {
        if self.separator == b'\t' { "tsv" } else { "csv" }
    }

    /// Whether there is a column for the host.
    pub(super) fn has_host(&self) -> bool {
        self.fields.contains(&Some(Field::Host))
    }

    /// Reads one line.
    pub(super) fn parse<'a>(&self, line: &'a [u8], cx: &'a Context) -> Result<Parsed<'a>, LineFault> {
        if line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line) == self.header {
            return Ok(Parsed::Header);
        }
        let mut entry = Entry::default();
        let mut rest = Some(line);
        for field in &self.fields {
            let cell = rest.and_then(|text| cut(text, self.separator)).ok_or(LineFault::Malformed)?;
            rest = cell.rest;
            if let Some(field) = field {
                let value = if cell.doubled { undouble(cell.text, cx) } else { cell.text };
                fill(*field, dash(value), &mut entry, cx)?;
            }
        }
        if rest.is_some() {
            return Err(LineFault::Malformed);
        }
        if entry.target.is_empty() {
            return Err(LineFault::BadRequest);
        }
        Ok(Parsed::Entry(entry))
    }
}

/// The field that a column name stands for.
fn field_named(name: &[u8]) -> Option<Field> {
    let name: Vec<u8> = name
        .trim_ascii()
        .iter()
        .map(|&byte| if matches!(byte, b'-' | b' ') { b'_' } else { byte.to_ascii_lowercase() })
        .collect();
    Some(match name.as_slice() {
        b"time" | b"timestamp" | b"datetime" | b"ts" => Field::Time,
        b"user" | b"user_id" | b"userid" | b"uid" | b"visitor" | b"visitor_id" => Field::User,
        b"target" | b"url" | b"uri" | b"page_url" | b"request_uri" => Field::Target,
        b"referrer" | b"referer" => Field::Referrer,
        b"status" | b"status_code" => Field::Status,
        b"method" => Field::Method,
        b"address" | b"ip" | b"client_ip" | b"remote_addr" => Field::Address,
        b"agent" | b"user_agent" | b"ua" => Field::Agent,
        b"host" | b"hostname" => Field::Host,
        b"scheme" => Field::Scheme,
        b"forwarded" | b"x_forwarded_for" => Field::Forwarded,
        b"content_type" => Field::ContentType,
        _ => return None,
    })
}

fn fill<'a>(field: Field, value: &'a [u8], entry: &mut Entry<'a>, cx: &Context) -> Result<(), LineFault> {
    match field {
        Field::Time => entry.time_ms = time::stamp(value, cx.minute())?,
        Field::Address => entry.address = value,
        Field::Forwarded => entry.forwarded = first_address(value),
        Field::User => entry.user = value,
        Field::Method => {
            if !value.is_empty() && !request::is_method(value) {
                return Err(LineFault::BadRequest);
            }
            entry.method = value;
        }
        Field::Target => entry.target = value,
        Field::Host => entry.host = value,
        Field::Scheme => entry.https = https_by_scheme(value),
        Field::Status => entry.status = status(value)?,
        Field::Referrer => entry.referrer = value,
        Field::Agent => entry.agent = value,
        Field::ContentType => entry.content_type = value,
    }
    Ok(())
}

struct Cell<'a> {
    text: &'a [u8],
    /// Whether `text` holds doubled quotes.
    doubled: bool,
    /// What follows the separator; `None` at the end of the line.
    rest: Option<&'a [u8]>,
}

fn cut(line: &[u8], separator: u8) -> Option<Cell<'_>> {
    if separator != b'\t' && line.first() == Some(&b'"') {
        return cut_quoted(&line[1..], separator);
    }
    let end = memchr(separator, line);
    let text = &line[..end.unwrap_or(line.len())];
    Some(Cell { text, doubled: false, rest: end.map(|end| &line[end + 1..]) })
}

/// A cell after its opening quote; `None` if no quote closes it, or something follows that is no separator.
fn cut_quoted(inner: &[u8], separator: u8) -> Option<Cell<'_>> {
    let mut doubled = false;
    let mut from = 0;
    loop {
        let end = from + memchr(b'"', &inner[from..])?;
        let rest = match inner.get(end + 1) {
            Some(b'"') => {
                doubled = true;
                from = end + 2;
                continue;
            }
            Some(&byte) if byte == separator => Some(&inner[end + 2..]),
            Some(_) => return None,
            None => None,
        };
        return Some(Cell { text: &inner[..end], doubled, rest });
    }
}

/// Makes every `""` one quote.
fn undouble<'a>(text: &[u8], cx: &'a Context) -> &'a [u8] {
    let out = cx.buffer(text.len());
    let (mut read, mut written) = (0, 0);
    while let Some(&byte) = text.get(read) {
        out[written] = byte;
        written += 1;
        read += if text[read..].starts_with(b"\"\"") { 2 } else { 1 };
    }
    &out[..written]
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn rfc4180_quoted_cells_round_trip(
            target in prop::collection::vec(prop_oneof![Just(b'"'), Just(b','), 0x20u8..], 1..40),
        ) {
            prop_assume!(target != b"-");
            let columns = Columns::of(b"note,target,user", b',').expect("a header");
            let mut line = b"\"a, b\",\"".to_vec();
            for &byte in &target {
                line.push(byte);
                if byte == b'"' {
                    line.push(byte);
                }
            }
            line.extend(b"\",u-1");
            let cx = Context::new();
            let Ok(Parsed::Entry(entry)) = columns.parse(&line, &cx) else {
                return Err(TestCaseError::fail("a record"));
            };
            prop_assert_eq!(entry.target, &target[..]);
            prop_assert_eq!(entry.user, b"u-1");
        }
    }

    #[test]
    fn ours_a_header_must_name_a_target() {
        assert!(Columns::of(b"time,user", b',').is_none());
        assert!(Columns::of(b"\xef\xbb\xbfURL", b',').is_some());
        assert!(Columns::of(b"\"user\",\"Target\"", b',').is_some());
        let columns = Columns::of(b"url,target,referrer", b',').expect("a header");
        assert_eq!(columns.fields, [Some(Field::Target), None, Some(Field::Referrer)]);
    }
}
