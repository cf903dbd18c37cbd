//! An answer as the archive reads it: the same code that reads kept pages reads fresh ones.

use std::borrow::Cow;

use trodden_archive::http::Response;
use trodden_archive::{Caps, Headers};

use crate::client::HttpAnswer;

/// Status, headers and body of an answer.
pub(super) fn response<'a>(answer: &'a HttpAnswer, head: &[u8], caps: &Caps) -> Response<'a> {
    // The client has read the head before; a head that it takes and the archive does not has no headers for us.
    let headers = Response::parse(head, caps).map_or_else(|_| Headers::default(), |parsed| parsed.headers);
    Response { status: answer.status, headers, body: &answer.body }
}

/// The body, unpacked.
pub(super) fn body<'a>(answer: &'a HttpAnswer, caps: &Caps) -> Cow<'a, [u8]> {
    response(answer, &answer.archived_head(), caps).decoded(caps).body
}
