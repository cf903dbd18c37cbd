//! Why is there no answer? Each reason has a short name for ledgers and a sentence for people.

use std::fmt;

use crate::address::Refused;
use crate::dns::DnsFault;

/// Why a request has no answer. What goes wrong after a good head is no fault but a [`BodyCut`](super::BodyCut).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FetchFault {
    /// No http or https URL that can be asked for.
    BadUrl,
    /// The port speaks something else than HTTP.
    BadPort(u16),
    /// The name has no address.
    Dns(DnsFault),
    /// The address may not be asked; for a name, none of its addresses may.
    AddressRefused(Refused),
    /// No connection.
    Connect(ConnectFault),
    /// No secure connection.
    Tls(TlsFault),
    /// The proxy did not connect us.
    Proxy(ProxyFault),
    /// It took too long.
    TimeOut(Late),
    /// What came is not HTTP.
    Malformed(HeadFault),
    /// The head is over its cap in bytes.
    HeadTooLong,
    /// The head is over its cap in lines.
    TooManyHeaders,
    /// Interim answers without end.
    TooManyInterim,
    /// The connection was closed before the head was complete.
    Disconnected,
}

/// Why there is no connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ConnectFault {
    /// Nobody listens.
    Refused,
    /// Nobody answers.
    Timeout,
    /// There is no way there.
    Unreachable,
    /// Something else.
    Other,
}

/// Why there is no secure connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TlsFault {
    /// The certificate is another's.
    WrongName,
    /// The certificate is too old, or too young.
    Expired,
    /// Nobody we trust has signed the certificate.
    UnknownIssuer,
    /// The server gave up, or speaks no TLS that we speak.
    Other,
}

/// What the proxy said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ProxyFault {
    /// It cannot be reached.
    Unreachable,
    /// It answered CONNECT with this status.
    Refused(u16),
    /// It does not speak HTTP.
    Malformed,
}

/// What took too long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Late {
    /// The TLS handshake.
    Tls,
    /// The answer of the proxy to CONNECT.
    Proxy,
    /// The first byte of the answer.
    FirstByte,
    /// The rest of the head: it dripped.
    Head,
    /// Everything together.
    Whole,
}

/// What is wrong with a head.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum HeadFault {
    /// It does not begin with `HTTP/1.`.
    NotHttp,
    /// It does, but then goes wrong: a bad status, lengths that contradict each other.
    Http1,
    /// HTTP/2 broke its own rules, or the stream was reset.
    Http2,
}

impl FetchFault {
    /// A short name for ledgers, in kebab case; it will not change.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::BadUrl => "bad-url",
            Self::BadPort(_) => "bad-port",
            Self::Dns(fault) => fault.name(),
            Self::AddressRefused(_) => "address-refused",
            Self::Connect(ConnectFault::Refused) => "connect-refused",
            Self::Connect(ConnectFault::Timeout) => "connect-timeout",
            Self::Connect(ConnectFault::Unreachable) => "connect-unreachable",
            Self::Connect(ConnectFault::Other) => "connect-failed",
            Self::Tls(TlsFault::WrongName) => "tls-wrong-name",
            Self::Tls(TlsFault::Expired) => "tls-expired",
            Self::Tls(TlsFault::UnknownIssuer) => "tls-unknown-issuer",
            Self::Tls(TlsFault::Other) => "tls-failed",
            Self::Proxy(ProxyFault::Unreachable) => "proxy-unreachable",
            Self::Proxy(ProxyFault::Refused(_)) => "proxy-refused",
            Self::Proxy(ProxyFault::Malformed) => "proxy-malformed",
            Self::TimeOut(Late::Tls) => "timeout-tls",
            Self::TimeOut(Late::Proxy) => "timeout-proxy",
            Self::TimeOut(Late::FirstByte) => "timeout-first-byte",
            Self::TimeOut(Late::Head) => "timeout-head",
            Self::TimeOut(Late::Whole) => "timeout-whole",
            Self::Malformed(HeadFault::NotHttp) => "malformed-not-http",
            Self::Malformed(HeadFault::Http1) => "malformed-head",
            Self::Malformed(HeadFault::Http2) => "malformed-h2",
            Self::HeadTooLong => "head-too-long",
            Self::TooManyHeaders => "too-many-headers",
            Self::TooManyInterim => "too-many-interim",
            Self::Disconnected => "disconnected",
        }
    }
}

impl fmt::Display for FetchFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::BadUrl => "the URL is no http or https URL that can be asked for",
            Self::BadPort(port) => return write!(f, "port {port} is for something else than HTTP"),
            Self::Dns(fault) => return fault.fmt(f),
            Self::AddressRefused(refused) => return write!(f, "{refused}, which may not be asked"),
            Self::Connect(ConnectFault::Refused) => "nobody listens at the address",
            Self::Connect(ConnectFault::Timeout) => "nobody answers at the address",
            Self::Connect(ConnectFault::Unreachable) => "there is no way to the address",
            Self::Connect(ConnectFault::Other) => "the connection failed",
            Self::Tls(TlsFault::WrongName) => "the certificate is for another name",
            Self::Tls(TlsFault::Expired) => "the certificate is not valid today",
            Self::Tls(TlsFault::UnknownIssuer) => "nobody we trust has signed the certificate",
            Self::Tls(TlsFault::Other) => "the server and we found no common TLS",
            Self::Proxy(ProxyFault::Unreachable) => "the proxy cannot be reached",
            Self::Proxy(ProxyFault::Refused(status)) => return write!(f, "the proxy refused to connect ({status})"),
            Self::Proxy(ProxyFault::Malformed) => "the proxy does not speak HTTP",
            Self::TimeOut(Late::Tls) => "the TLS handshake took too long",
            Self::TimeOut(Late::Proxy) => "the proxy took too long",
            Self::TimeOut(Late::FirstByte) => "the server did not begin to answer in time",
            Self::TimeOut(Late::Head) => "the head of the answer took too long",
            Self::TimeOut(Late::Whole) => "the exchange took too long",
            Self::Malformed(HeadFault::NotHttp) => "the server does not speak HTTP",
            Self::Malformed(HeadFault::Http1) => "the head of the answer is not HTTP",
            Self::Malformed(HeadFault::Http2) => "the server broke off or broke the rules of HTTP/2",
            Self::HeadTooLong => "the head of the answer is too long",
            Self::TooManyHeaders => "the answer has too many headers",
            Self::TooManyInterim => "the server sent interim answers without end",
            Self::Disconnected => "the server closed the connection without an answer",
        })
    }
}
