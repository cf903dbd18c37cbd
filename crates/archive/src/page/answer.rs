//! What does this answer lead to?
//!
//! ```text
//! body as sent ─► chunks and packing undone (capped) ─► text by its charset ─► PageContent
//! ```
//!
//! A plain UTF-8 body is not copied on the way.

use std::borrow::Cow;

use super::charset::text_of;
use super::{PageContent, Want};
use crate::Caps;
use crate::http::{BodyFault, Decoded, Response};

/// A page that was read from an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadAnswer {
    /// What it says and where it leads.
    pub content: PageContent,
    /// The name of its charset.
    pub charset: &'static str,
    /// How long its body is, with its codings undone.
    pub body_bytes: usize,
    /// Why the body may not be whole.
    pub fault: Option<BodyFault>,
}

/// Reads an answer as a page of HTML. Whether it is one is for the caller to say.
#[must_use]
pub fn read_answer(response: &Response<'_>, want: Want, caps: &Caps) -> ReadAnswer {
    let Decoded { body, fault } = response.decoded(caps);
    let (text, charset): (Cow<'_, str>, _) = text_of(response.headers.get("Content-Type"), &body);
    let content = PageContent::of(&text, want, caps);
    ReadAnswer { content, charset, body_bytes: body.len(), fault }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    #[test]
    fn ours_an_answer_is_unpacked_decoded_and_read() {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
        encoder.write_all(b"<title>\xe4</title><a href=\xe4>x</a>").unwrap();
        let body = encoder.finish().unwrap();
        let head = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=latin1\r\nContent-Encoding: gzip\r\n\r\n";
        let block = [&head[..], &body].concat();
        let caps = Caps::default();
        let answer = read_answer(&Response::parse(&block, &caps).unwrap(), Want::Hrefs, &caps);
        assert_eq!((answer.charset, answer.fault, answer.body_bytes), ("windows-1252", None, 31));
        assert_eq!((answer.content.title.as_str(), answer.content.links[0].href.as_str()), ("ä", "ä"));
    }

    #[test]
    fn ours_what_is_missing_of_a_body_is_told() {
        let block = b"HTTP/1.1 200 OK\r\n\r\n<a href=1>x</a><a href=2>";
        let caps = Caps { body_bytes: 15, ..Caps::default() };
        let answer = read_answer(&Response::parse(block, &caps).unwrap(), Want::Links, &caps);
        assert_eq!((answer.content.links.len(), answer.fault), (1, Some(BodyFault::TooLong)));
    }
}
