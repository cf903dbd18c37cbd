//! What is the canonical form of a text that is not plain?
//!
//! The `url` crate parses it by the WHATWG standard; then each rule that is on has its say. Where `url` leaves no
//! choice (default ports, dot segments), the rule that is off takes back what the text had written.

use std::borrow::Cow;

use url::{Position, Url};

use super::layout::{Layout, offset};
use super::rule::{credentials, default_port, dot_segments, fragment, percent_case};
use super::rules::Rules;
use super::strip::{self, Spans};
use super::url::{CanonicalUrl, Scheme};
use crate::UrlFault;

/// The host that stands in for one that is not known.
pub(super) const STAND_IN: &[u8] = b"http://h.invalid";

/// The canonical form of `raw`, whatever it looks like.
pub(super) fn absolute(rules: &Rules, raw: &[u8]) -> Result<CanonicalUrl<'static>, UrlFault> {
    let raw = as_text(raw);
    let url = Url::parse(&raw)?;
    let scheme = match url.scheme() {
        "http" => Scheme::Http,
        "https" => Scheme::Https,
        _ => return Err(UrlFault::NotHttp),
    };

    let mut text = String::with_capacity(raw.len() + 8);
    text.push_str(&url[..Position::BeforeUsername]);
    let user = text.len();
    if !rules.credentials {
        text.push_str(credentials::kept(&url));
    }
    let host = text.len();
    text.push_str(&url[Position::BeforeHost..Position::AfterHost]);
    let host_end = text.len();
    if host == host_end {
        return Err(UrlFault::NoHost);
    }
    let port = if rules.default_port { url.port() } else { default_port::as_written(&raw, &url) };
    if let Some(port) = port {
        text.push(':');
        text.push_str(&port.to_string());
    }
    let path = text.len();
    if rules.dot_segments {
        text.push_str(url.path());
    } else {
        text.push_str(&dot_segments::as_written(&raw));
    }
    let query = text.len();
    text.push_str(&url[Position::AfterPath..Position::AfterQuery]);
    let fragment_at = text.len();
    if !rules.fragment {
        text.push_str(fragment::kept(&url));
    }
    if rules.percent_case {
        text = percent_case::upper(text, path);
    }

    let mut spans = Spans { path, query, fragment: fragment_at };
    let text = strip::apply(rules, Cow::Owned(text), &mut spans);
    let layout = Layout {
        scheme,
        port: url.port(),
        user: offset(user),
        host: offset(host),
        host_end: offset(host_end),
        path: offset(path),
        query: offset(spans.query),
        fragment: offset(spans.fragment),
    };
    Ok(CanonicalUrl::new(text, layout))
}

/// The bytes as text; those that are not UTF-8 percent-encoded one by one, so that no two different URLs collide.
fn as_text(raw: &[u8]) -> Cow<'_, str> {
    if let Ok(text) = std::str::from_utf8(raw) {
        return Cow::Borrowed(text);
    }
    let mut text = String::with_capacity(raw.len() * 2);
    for chunk in raw.utf8_chunks() {
        text.push_str(chunk.valid());
        text.extend(percent_encoding::percent_encode(chunk.invalid(), percent_encoding::NON_ALPHANUMERIC));
    }
    Cow::Owned(text)
}
