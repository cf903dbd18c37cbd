//! Answers as archives keep them: heads, chunks, packed bodies.

use trodden_archive::Caps;
use trodden_archive::http::Response;
use trodden_archive::page::read_answer;
use trodden_archive::{PageContent, Want};

/// A head is within its caps; a body, whatever it is packed in, is too.
pub(super) fn answer(input: &[u8]) {
    let caps = Caps { body_bytes: 1 << 20, header_count: 64, head_bytes: 8 << 10, ..Caps::default() };
    let Ok(response) = Response::parse(input, &caps) else { return };
    assert!((100..1000).contains(&response.status));
    assert!(response.headers.len() <= caps.header_count);
    let decoded = response.decoded(&caps);
    assert!(decoded.body.len() <= caps.body_bytes, "{} bytes", decoded.body.len());
    assert_eq!(decoded, response.decoded(&caps), "undone twice, undone alike");
    if response.headers.get("Content-Encoding").is_none() && response.headers.get("Transfer-Encoding").is_none() {
        assert_eq!(decoded.body, response.body, "nothing to undo");
    }
    let read = read_answer(&response, Want::Links, &caps);
    assert_eq!(read.body_bytes, decoded.body.len());
    assert!(read.content != PageContent::default() || read.content.links.is_empty());
}
