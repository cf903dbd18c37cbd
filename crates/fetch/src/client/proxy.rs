//! Who stands between us and the web? A proxy that the operator named.
//!
//! For https it is asked for a tunnel (CONNECT, RFC 9110 §9.3.6); for http it is given whole URLs. It resolves names
//! itself, so their addresses cannot be checked here.

use http::HeaderValue;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use url::{Host, Url};

use super::target::Key;
use super::{Credentials, ProxyFault, Secret};
use crate::Error;

/// The most bytes of a proxy's answer to CONNECT.
const ANSWER_BYTES: usize = 1 << 13;
const DEFAULT_PORT: u16 = 80;

/// A proxy.
pub(super) struct Proxy {
    pub(super) host: Host<String>,
    pub(super) port: u16,
    pub(super) authorization: Option<HeaderValue>,
    /// What its connections are kept by.
    pub(super) key: Key,
}

impl Proxy {
    /// Reads `http://[user:password@]host[:port]`.
    pub(super) fn parse(typed: &Secret) -> Result<Self, Error> {
        let url = Url::parse(typed.reveal()).ok().filter(|url| url.scheme() == "http").ok_or(Error::BadProxy)?;
        let host = url.host().ok_or(Error::BadProxy)?.to_owned();
        let authorization = match (url.username(), url.password()) {
            ("", None) => None,
            (user, password) => {
                let user = decoded(user)?;
                let password = Secret::new(&decoded(password.unwrap_or_default())?);
                Some(Credentials::Basic { user, password }.header().ok_or(Error::BadProxy)?)
            }
        };
        let port = url.port().unwrap_or(DEFAULT_PORT);
        let key = Key { is_https: false, host: host.to_string().into(), port };
        Ok(Self { host, port, authorization, key })
    }

    /// Asks for a tunnel to `authority` (`host:port`).
    pub(super) async fn tunnel(&self, stream: &mut TcpStream, authority: &str) -> Result<(), ProxyFault> {
        let mut request = format!("CONNECT {authority} HTTP/1.1\r\nHost: {authority}\r\n").into_bytes();
        if let Some(value) = &self.authorization {
            request.extend_from_slice(b"Proxy-Authorization: ");
            request.extend_from_slice(value.as_bytes());
            request.extend_from_slice(b"\r\n");
        }
        request.extend_from_slice(b"\r\n");
        stream.write_all(&request).await.map_err(|_| ProxyFault::Unreachable)?;

        let mut answer = Vec::with_capacity(256);
        let end = loop {
            if let Some(at) = memchr::memmem::find(&answer, b"\r\n\r\n") {
                break at + 4;
            }
            if answer.len() > ANSWER_BYTES || stream.read_buf(&mut answer).await.unwrap_or(0) == 0 {
                return Err(ProxyFault::Malformed);
            }
        };
        match status_of(&answer) {
            // Under TLS it is ours to speak first, so nothing can follow the head yet.
            Some(200..300) if end == answer.len() => Ok(()),
            Some(200..300) | None => Err(ProxyFault::Malformed),
            Some(status) => Err(ProxyFault::Refused(status)),
        }
    }
}

fn decoded(text: &str) -> Result<String, Error> {
    let text = percent_encoding::percent_decode_str(text).decode_utf8().map_err(|_| Error::BadProxy)?;
    Ok(text.into_owned())
}

/// The status of `HTTP/1.1 407 …`.
fn status_of(answer: &[u8]) -> Option<u16> {
    let digits = answer.strip_prefix(b"HTTP/1.")?.get(2..5)?;
    std::str::from_utf8(digits).ok()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ours_a_proxy_is_read_with_its_password() {
        let proxy = Proxy::parse(&Secret::new("http://al%40b:se%3Acret@proxy.example:3128")).unwrap();
        assert_eq!((proxy.host.to_string().as_str(), proxy.port), ("proxy.example", 3128));
        assert_eq!(proxy.authorization.unwrap(), "Basic YWxAYjpzZTpjcmV0");
        assert_eq!(Proxy::parse(&Secret::new("http://[::1]/")).unwrap().port, 80);
        for typed in ["", "proxy:3128", "socks5://a:1", "https://a:1", "http://"] {
            assert!(Proxy::parse(&Secret::new(typed)).is_err(), "{typed}");
        }
    }
}
