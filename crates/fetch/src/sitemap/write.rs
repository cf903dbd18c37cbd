//! How is a sitemap written?

use std::borrow::Cow;
use std::io::{self, BufWriter, Write};

use quick_xml::escape::escape;

use super::caps::{STANDARD_BYTES, STANDARD_URLS};
use crate::Error;

const HEAD: &str =
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n";
const TAIL: &str = "</urlset>\n";

/// Writes URLs, each with the time of its last change if that is known, as one sitemap. Gives how many there were.
///
/// Characters that XML cannot hold are percent-encoded in a URL, and left out of a time.
///
/// # Errors
/// [`Error::TooManyUrls`] or [`Error::TooManyBytes`] if the list is more than the standard allows in one file, and
/// [`Error::Unwritable`]. What was written until then is not a whole sitemap: throw it away.
pub fn write_sitemap<U, T>(urls: impl IntoIterator<Item = (U, Option<T>)>, out: impl Write) -> Result<u64, Error>
where
    U: AsRef<str>,
    T: AsRef<str>,
{
    let cap = usize::try_from(STANDARD_URLS).unwrap_or(usize::MAX);
    let urls = urls.into_iter();
    if urls.size_hint().0 > cap {
        return Err(Error::TooManyUrls { cap });
    }
    let mut out = CountedWrite { inner: BufWriter::new(out), bytes: 0 };
    let mut count = 0;
    out.text(HEAD)?;
    for (url, lastmod) in urls {
        if count == STANDARD_URLS {
            return Err(Error::TooManyUrls { cap });
        }
        count += 1;
        out.text("<url><loc>")?;
        out.text(&escape(encoded(url.as_ref())))?;
        out.text("</loc>")?;
        if let Some(lastmod) = lastmod {
            let lastmod: String = lastmod.as_ref().chars().filter(|c| is_xml(*c)).collect();
            out.text("<lastmod>")?;
            out.text(&escape(lastmod))?;
            out.text("</lastmod>")?;
        }
        out.text("</url>\n")?;
    }
    out.text(TAIL)?;
    out.inner.flush().map_err(Error::Unwritable)?;
    Ok(count)
}

struct CountedWrite<W: Write> {
    inner: BufWriter<W>,
    bytes: u64,
}

impl<W: Write> CountedWrite<W> {
    fn text(&mut self, text: &str) -> Result<(), Error> {
        self.bytes += text.len() as u64;
        if self.bytes > STANDARD_BYTES {
            return Err(Error::TooManyBytes { cap: STANDARD_BYTES });
        }
        let written: io::Result<()> = self.inner.write_all(text.as_bytes());
        written.map_err(Error::Unwritable)
    }
}

/// A URL without white space and characters that XML has no place for.
fn encoded(url: &str) -> Cow<'_, str> {
    if url.chars().all(|c| is_xml(c) && !c.is_ascii_whitespace()) {
        return Cow::Borrowed(url);
    }
    let mut text = String::with_capacity(url.len() + 8);
    for c in url.chars() {
        if is_xml(c) && !c.is_ascii_whitespace() {
            text.push(c);
        } else {
            let mut buf = [0; 4];
            let bytes = c.encode_utf8(&mut buf).as_bytes();
            text.extend(bytes.iter().map(|b| percent_encoding::percent_encode_byte(*b)));
        }
    }
    Cow::Owned(text)
}

/// The characters of XML 1.0.
fn is_xml(c: char) -> bool {
    matches!(c, '\t' | '\n' | '\r' | ' '..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'..)
}
