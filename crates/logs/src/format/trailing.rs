//! What stands where a built-in format has no column for it: fields after the last, and a list in the first.

use memchr::{memchr, memrchr};

use super::entry::Entry;
use super::value::{address_list, dash, first_address};

/// `%{X-Forwarded-For}i %l %u %t` looks like the common log, but its first column may be a list with spaces: the
/// rest of the list has then run into the columns for names.
#[cold]
pub(super) fn split_list_address(entry: &mut Entry<'_>) {
    entry.address = first_address(entry.address);
    let name = memrchr(b' ', entry.user).map_or(entry.user, |space| &entry.user[space + 1..]);
    entry.user = dash(name);
}

/// The first trailing field that is an address or a list of them.
#[cold]
pub(super) fn forwarded_among(rest: &[u8]) -> &[u8] {
    Trailing(rest).map(address_list).find(|address| !address.is_empty()).unwrap_or_default()
}

/// The fields, bare or quoted, after the last one of a built-in format.
pub(super) struct Trailing<'a>(pub(super) &'a [u8]);

impl<'a> Iterator for Trailing<'a> {
    type Item = &'a [u8];

    fn next(&mut self) -> Option<&'a [u8]> {
        let text = self.0.trim_ascii_start();
        if text.is_empty() {
            self.0 = text;
            return None;
        }
        let (field, rest) = match text.strip_prefix(b"\"") {
            Some(inner) => {
                let end = memchr(b'"', inner).unwrap_or(inner.len());
                (&inner[..end], inner.get(end + 1..).unwrap_or_default())
            }
            None => text.split_at(memchr(b' ', text).unwrap_or(text.len())),
        };
        self.0 = rest;
        Some(field)
    }
}
