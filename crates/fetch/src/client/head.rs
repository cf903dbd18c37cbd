//! What do we send? A few headers, always in the same order.

use std::collections::BTreeMap;

use bytes::Bytes;
use http::header::{
    ACCEPT, ACCEPT_ENCODING, AUTHORIZATION, CONNECTION, CONTENT_LENGTH, EXPECT, HOST, IF_MODIFIED_SINCE, IF_NONE_MATCH,
    PROXY_AUTHORIZATION, TE, TRAILER, TRANSFER_ENCODING, UPGRADE, USER_AGENT,
};
use http::{HeaderMap, HeaderName, HeaderValue, Request};
use http_body_util::Empty;

use super::target::{Key, Target};
use super::{Ask, ClientSettings, FetchFault};
use crate::Error;

/// What `archive` can undo.
const ENCODINGS: HeaderValue = HeaderValue::from_static("gzip, br, zstd, deflate");
/// What stands in a kept head for a value that is nobody's business.
const REDACTED: &[u8] = b"***";
/// Headers that say how a message is carried, which is not the operator's to say.
const OURS: [HeaderName; 8] = [HOST, CONNECTION, CONTENT_LENGTH, EXPECT, TE, TRAILER, TRANSFER_ENCODING, UPGRADE];

/// A request without a body.
pub(super) type Get = Request<Empty<Bytes>>;

/// The headers that do not depend on the URL.
pub(super) struct Heads {
    user_agent: HeaderValue,
    extra: Vec<(HeaderName, HeaderValue)>,
    authorizations: BTreeMap<Key, HeaderValue>,
}

impl Heads {
    pub(super) fn new(settings: &ClientSettings) -> Result<Self, Error> {
        let bad = |name: &str, todo| Error::BadHeader { name: name.to_owned(), todo };
        let user_agent = HeaderValue::try_from(settings.user_agent.as_str()).ok().filter(|value| !value.is_empty());
        let user_agent = user_agent.ok_or_else(|| bad("User-Agent", "give one line of text"))?;
        let mut extra = Vec::with_capacity(settings.headers.len());
        for (name, value) in &settings.headers {
            let parsed = HeaderName::try_from(name.as_str()).map_err(|_| bad(name, "correct its name"))?;
            if OURS.contains(&parsed) {
                return Err(bad(name, "leave it out: it says how messages are carried"));
            }
            let value = HeaderValue::try_from(value.reveal()).map_err(|_| bad(name, "give one line of text"));
            let mut value = value?;
            value.set_sensitive(true);
            extra.push((parsed, value));
        }
        let mut authorizations = BTreeMap::new();
        for (origin, credentials) in &settings.credentials {
            let target = Target::parse(origin).ok().filter(|target| target.path == "/");
            let target = target.ok_or_else(|| Error::BadOrigin { typed: origin.clone() })?;
            let todo = "a user name has no colon, and a secret is one line of text";
            let value = credentials.header().ok_or_else(|| bad("Authorization", todo))?;
            authorizations.insert(target.key, value);
        }
        Ok(Self { user_agent, extra, authorizations })
    }

    /// The headers of one request.
    pub(super) fn headers(&self, ask: &Ask<'_>, target: &Target) -> Result<HeaderMap, FetchFault> {
        let mut headers = HeaderMap::with_capacity(8 + self.extra.len());
        let host = HeaderValue::try_from(target.authority.as_str()).map_err(|_| FetchFault::BadUrl)?;
        headers.insert(HOST, host);
        headers.insert(USER_AGENT, self.user_agent.clone());
        // What a server once said of itself may be odd: then it is not repeated.
        let mut insert = |name: HeaderName, value: Option<&str>| {
            if let Some(Ok(value)) = value.map(HeaderValue::from_str) {
                headers.insert(name, value);
            }
        };
        insert(ACCEPT, Some(ask.accept));
        insert(IF_NONE_MATCH, ask.validators.and_then(|validators| validators.etag.as_deref()));
        insert(IF_MODIFIED_SINCE, ask.validators.and_then(|validators| validators.last_modified.as_deref()));
        headers.insert(ACCEPT_ENCODING, ENCODINGS);
        for (name, value) in &self.extra {
            headers.insert(name.clone(), value.clone());
        }
        if let Some(value) = self.authorizations.get(&target.key) {
            headers.insert(AUTHORIZATION, value.clone());
        }
        Ok(headers)
    }
}

/// The request that a server is sent over HTTP/1.1; whole URLs and `authorization` are for proxies.
pub(super) fn http1(
    target: &Target,
    headers: &HeaderMap,
    proxy: Option<Option<&HeaderValue>>,
) -> Result<Get, FetchFault> {
    let mut request = Request::new(Empty::new());
    *request.headers_mut() = headers.clone();
    match proxy {
        None => *request.uri_mut() = target.relative(),
        Some(authorization) => {
            *request.uri_mut() = target.absolute()?;
            if let Some(value) = authorization {
                request.headers_mut().insert(PROXY_AUTHORIZATION, value.clone());
            }
        }
    }
    Ok(request)
}

/// The request that a server is sent over HTTP/2.
pub(super) fn http2(target: &Target, headers: &HeaderMap) -> Result<Get, FetchFault> {
    let mut request = Request::new(Empty::new());
    *request.headers_mut() = headers.clone();
    request.headers_mut().remove(HOST);
    *request.uri_mut() = target.absolute()?;
    Ok(request)
}

/// The bytes of a request's head over HTTP/1.1, without what is secret.
pub(super) fn written(target: &Target, headers: &HeaderMap) -> Vec<u8> {
    let mut head = Vec::with_capacity(256 + target.path.as_str().len());
    head.extend_from_slice(b"GET ");
    head.extend_from_slice(target.path.as_str().as_bytes());
    head.extend_from_slice(b" HTTP/1.1\r\n");
    for (name, value) in headers {
        title_case(name.as_str(), &mut head);
        head.extend_from_slice(b": ");
        head.extend_from_slice(if value.is_sensitive() { REDACTED } else { value.as_bytes() });
        head.extend_from_slice(b"\r\n");
    }
    head.extend_from_slice(b"\r\n");
    head
}

/// `if-none-match` is sent as `If-None-Match`: some servers know no other.
fn title_case(name: &str, out: &mut Vec<u8>) {
    let mut before = b'-';
    for byte in name.bytes() {
        out.push(if before == b'-' { byte.to_ascii_uppercase() } else { byte });
        before = byte;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::client::{Credentials, Secret, Validators};

    #[test]
    fn ours_a_kept_head_has_no_secrets_and_no_origin_gets_those_of_another() {
        let mut settings = ClientSettings::new("trodden/0 (+https://example.org)");
        settings.headers.push(("x-key".into(), Secret::new("k3y")));
        settings.credentials.insert("https://a.example".into(), Credentials::Bearer(Secret::new("t0k")));
        let heads = Heads::new(&settings).unwrap();
        let validators = Validators { etag: Some("\"1\"".into()), last_modified: Some("bad\nline".into()) };
        let written_for = |url: &str| {
            let ask = Ask { validators: Some(&validators), accept: "*/*", ..Ask::new(url) };
            let target = Target::parse(ask.url).unwrap();
            String::from_utf8(written(&target, &heads.headers(&ask, &target).unwrap())).unwrap()
        };
        assert_eq!(
            written_for("https://a.example/b?c"),
            "GET /b?c HTTP/1.1\r\nHost: a.example\r\nUser-Agent: trodden/0 (+https://example.org)\r\nAccept: */*\r\n\
             If-None-Match: \"1\"\r\nAccept-Encoding: gzip, br, zstd, deflate\r\nX-Key: ***\r\nAuthorization: ***\r\n\r\n"
        );
        for other in ["http://a.example/", "https://a.example:8443/", "https://b.a.example/"] {
            assert!(!written_for(other).contains("Authorization"), "{other}");
        }
    }

    #[test]
    fn ours_settings_that_cannot_be_sent_are_told() {
        let with_header = |name: &str, value: &str| {
            let headers = vec![(name.to_owned(), Secret::new(value))];
            Heads::new(&ClientSettings { headers, ..ClientSettings::new("a") }).err()
        };
        for (name, value) in [("Host", "a"), ("transfer-encoding", "chunked"), ("a b", "c"), ("a", "b\r\nc: d")] {
            assert!(matches!(with_header(name, value), Some(Error::BadHeader { .. })), "{name}");
        }
        assert!(Heads::new(&ClientSettings::new("a\nb")).is_err());
        assert!(Heads::new(&ClientSettings::new("")).is_err());
        let mut settings = ClientSettings::new("a");
        settings.credentials.insert("a.example".into(), Credentials::Bearer(Secret::new("t")));
        assert!(matches!(Heads::new(&settings), Err(Error::BadOrigin { .. })));
    }
}
