//! Which characters do these bytes mean?
//!
//! In this order, as browsers do: a byte order mark; the charset that the server named; the one that the page names in
//! its first [`PRESCAN_BYTES`]; a guess: UTF-8 if the bytes allow it, else by `chardetng`. UTF-8 may be guessed, unlike in a browser: what is read here is
//! not to be rendered the same everywhere, but to be read right.

use std::borrow::Cow;

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252, X_USER_DEFINED};
use html5gum::emitters::callback::{CallbackEmitter, CallbackEvent};
use html5gum::{Span, Tokenizer};

/// How far into a page its own word about its charset is looked for.
pub const PRESCAN_BYTES: usize = 1024;
const CHARSET: &[u8] = b"charset";
/// How much of a page the guess looks at.
const GUESS_BYTES: usize = 1 << 18;

/// Where the charset was taken from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CharsetSource {
    /// The byte order mark.
    Mark,
    /// The server.
    Server,
    /// The page.
    Page,
    /// Nobody said.
    Guess,
}

/// The charset of a page, and who said so.
#[must_use]
pub fn charset_of(bytes: &[u8], content_type: Option<&str>) -> (&'static Encoding, CharsetSource) {
    if let Some((encoding, _)) = Encoding::for_bom(bytes) {
        return (encoding, CharsetSource::Mark);
    }
    if let Some(encoding) = content_type.and_then(charset_in).and_then(named) {
        return (encoding, CharsetSource::Server);
    }
    let head = &bytes[..bytes.len().min(PRESCAN_BYTES)];
    if let Some(encoding) = in_meta(head).or_else(|| in_declaration(head)) {
        return (encoding, CharsetSource::Page);
    }
    // Text in another charset is hardly ever UTF-8 by chance, and to see that is much faster than the detector.
    if std::str::from_utf8(bytes).is_ok() {
        return (UTF_8, CharsetSource::Guess);
    }
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    let sample = &bytes[..bytes.len().min(GUESS_BYTES)];
    detector.feed(sample, sample.len() == bytes.len());
    (detector.guess(None, Utf8Detection::Allow), CharsetSource::Guess)
}

/// The text of a page. What its charset does not allow becomes U+FFFD.
#[must_use]
pub fn decode(bytes: &[u8], content_type: Option<&str>) -> String {
    text_of(content_type, bytes).0.into_owned()
}

/// The text of an answer by its `Content-Type`, and the name of its charset. Valid UTF-8 is not copied.
#[must_use]
pub fn text_of<'b>(content_type: Option<&str>, body: &'b [u8]) -> (Cow<'b, str>, &'static str) {
    let (encoding, _) = charset_of(body, content_type);
    (encoding.decode_with_bom_removal(body).0, encoding.name())
}

/// What follows `charset=` in a content type.
fn charset_in(content_type: &str) -> Option<&str> {
    let mut rest = content_type;
    loop {
        let at = find_ignoring_case(rest, "charset")?;
        rest = rest[at + "charset".len()..].trim_start();
        if let Some(value) = rest.strip_prefix('=') {
            let value = value.trim_start();
            let quoted = value.strip_prefix(['"', '\'']);
            let is_end = |c: char| matches!(c, '"' | '\'' | ';' | ',') || quoted.is_none() && c.is_ascii_whitespace();
            return quoted.unwrap_or(value).split(is_end).next().filter(|name| !name.is_empty());
        }
    }
}

fn find_ignoring_case(text: &str, word: &str) -> Option<usize> {
    text.as_bytes().windows(word.len()).position(|w| w.eq_ignore_ascii_case(word.as_bytes()))
}

fn named(name: &str) -> Option<&'static Encoding> {
    Encoding::for_label(name.as_bytes())
}

/// `<meta charset=x>` or `<meta http-equiv=content-type content="…; charset=x">`.
fn in_meta(head: &[u8]) -> Option<&'static Encoding> {
    #[derive(Default)]
    struct Meta {
        charset: Option<&'static Encoding>,
        content: Option<&'static Encoding>,
        says_type: bool,
    }
    // Most pages without one need not be taken apart.
    head.windows(CHARSET.len()).find(|window| window.eq_ignore_ascii_case(CHARSET))?;
    let mut meta: Option<Meta> = None;
    let mut attribute = Vec::new();
    let mut emitter = CallbackEmitter::new(|event: CallbackEvent<'_>, _: Span<()>| -> Option<&'static Encoding> {
        match (event, &mut meta) {
            (CallbackEvent::OpenStartTag { name }, _) => meta = (name == b"meta").then(Meta::default),
            (CallbackEvent::AttributeName { name }, Some(_)) => {
                attribute.clear();
                attribute.extend_from_slice(name);
            }
            (CallbackEvent::AttributeValue { value }, Some(meta)) => {
                let text = String::from_utf8_lossy(value);
                match attribute.as_slice() {
                    b"charset" => meta.charset = meta.charset.or_else(|| named(&text)),
                    b"content" => meta.content = meta.content.or_else(|| charset_in(&text).and_then(named)),
                    b"http-equiv" => meta.says_type = text.trim().eq_ignore_ascii_case("content-type"),
                    _ => {}
                }
            }
            (CallbackEvent::CloseStartTag { .. }, Some(meta)) => {
                return meta.charset.or(meta.content.filter(|_| meta.says_type));
            }
            _ => {}
        }
        None
    });
    emitter.naively_switch_states(true);
    // The first that names one; what follows is not read.
    let found = Tokenizer::new_with_emitter(head, emitter).next()?;
    found.ok().map(as_read_in_ascii)
}

/// `<?xml version="1.0" encoding="x"?>` of XHTML.
fn in_declaration(head: &[u8]) -> Option<&'static Encoding> {
    let declaration = head.strip_prefix(b"<?xml")?;
    let declaration = &declaration[..memchr::memchr(b'>', declaration)?];
    let text = String::from_utf8_lossy(declaration);
    let value = text.split_once("encoding")?.1.trim_start().strip_prefix('=')?.trim_start();
    let quote = value.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    named(value[1..].split(quote).next()?).map(as_read_in_ascii)
}

/// A name that could be read as ASCII cannot be in UTF-16; the standard reads UTF-8 instead.
fn as_read_in_ascii(encoding: &'static Encoding) -> &'static Encoding {
    if encoding == UTF_16LE || encoding == UTF_16BE {
        UTF_8
    } else if encoding == X_USER_DEFINED {
        WINDOWS_1252
    } else {
        encoding
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whatwg_the_mark_wins_over_the_server_and_the_server_over_the_page() {
        let page = b"<meta charset=koi8-r>x";
        assert_eq!(charset_of(page, None), (encoding_rs::KOI8_R, CharsetSource::Page));
        let server = Some("text/html; charset=\"windows-1251\"");
        assert_eq!(charset_of(page, server), (encoding_rs::WINDOWS_1251, CharsetSource::Server));
        let marked = [b"\xef\xbb\xbf", &page[..]].concat();
        assert_eq!(charset_of(&marked, server), (UTF_8, CharsetSource::Mark));
        assert_eq!(decode(&marked, server), "<meta charset=koi8-r>x");
        let wide: Vec<u8> = "\u{feff}é".encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert_eq!(decode(&wide, None), "é");
    }

    #[test]
    fn whatwg_pages_name_their_charset_in_many_ways() {
        for (page, name) in [
            ("<meta charset='Shift_JIS'>", "Shift_JIS"),
            ("<META HTTP-EQUIV=Content-Type CONTENT='text/html; charset=iso-8859-2'>", "ISO-8859-2"),
            ("<meta content='text/html;charset=euc-kr' http-equiv='content-type'/>", "EUC-KR"),
            ("<meta charset=utf-16>", "UTF-8"),
            ("<!-- <meta charset=koi8-r> --><meta charset=big5>", "Big5"),
            ("<script>'<meta charset=koi8-r>'</script><meta charset=big5>", "Big5"),
            ("<meta charset=nonsense><meta charset=big5>", "Big5"),
            ("<?xml version='1.0' encoding='gbk'?><html>", "GBK"),
        ] {
            assert_eq!(charset_of(page.as_bytes(), None), (named(name).unwrap(), CharsetSource::Page), "{page}");
        }
    }

    #[test]
    fn ours_a_description_is_no_content_type() {
        let page = b"<meta name=description content='charset=koi8-r'>";
        assert_eq!(charset_of(page, None).1, CharsetSource::Guess);
    }

    #[test]
    fn ours_without_a_word_the_charset_is_guessed() {
        let text = "Съешь же ещё этих мягких французских булок, да выпей чаю. ".repeat(3);
        for encoding in [encoding_rs::WINDOWS_1251, encoding_rs::KOI8_R, UTF_8] {
            assert_eq!(decode(&encoding.encode(&text).0, None), text, "{}", encoding.name());
        }
        assert_eq!(decode(b"", None), "");
    }

    #[test]
    fn ours_valid_text_is_not_copied() {
        let utf8 = Some("text/html; charset=utf-8");
        for (content_type, body, charset) in [
            (utf8, "\u{feff}<p>é".as_bytes(), "UTF-8"),
            (None, "<p>é".as_bytes(), "UTF-8"),
            (None, b"<p>e", "UTF-8"),
            (Some("text/html; charset=koi8-r"), b"<p>e", "KOI8-R"),
        ] {
            let (text, name) = text_of(content_type, body);
            assert!(matches!(text, Cow::Borrowed(_)) && name == charset, "{name}");
        }
        assert_eq!(text_of(Some("text/html; charset=utf-16le"), b"a\0"), (Cow::Borrowed("a"), "UTF-16LE"));
    }

    #[test]
    fn ours_a_cut_character_at_the_end_does_no_harm() {
        assert_eq!(decode("aé".as_bytes().split_last().unwrap().1, Some("text/html; charset=utf-8")), "a\u{fffd}");
    }

    proptest::proptest! {
        #[test]
        fn ours_any_bytes_become_text(
            bytes in proptest::collection::vec(proptest::prelude::any::<u8>(), 0..2_000),
            content_type in "(charset|=|\"|'| |;|utf-8|é|x){0,12}",
        ) {
            let page = [b"<meta charset", &bytes[..]].concat();
            for bytes in [bytes, page] {
                proptest::prop_assert!(decode(&bytes, Some(&content_type)).len() <= 3 * bytes.len());
            }
        }
    }
}
