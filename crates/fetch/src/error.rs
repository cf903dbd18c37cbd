//! What can go wrong so that work cannot go on. A damaged file is not here: it is in a tally.

use std::io;

/// Why work cannot begin: a list of URLs that cannot be read or written, a client that cannot be set up. Every message says what to do.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The operating system refused to open.
    #[error("cannot read {name}; check the path, and whether you may read it")]
    Unreadable {
        /// The file.
        name: String,
        /// Why.
        source: io::Error,
    },
    /// XML, but of another kind.
    #[error(
        "{name} is no sitemap (its outermost element is <{root}>); give a sitemap, or a text file with one URL a line"
    )]
    NotASitemap {
        /// The file.
        name: String,
        /// The element.
        root: String,
    },
    /// More than the standard allows in one file.
    #[error("a sitemap may hold {cap} URLs; split the list and write several")]
    TooManyUrls {
        /// How many are allowed.
        cap: usize,
    },
    /// More than the standard allows in one file.
    #[error("a sitemap may hold {cap} bytes; split the list and write several")]
    TooManyBytes {
        /// How many are allowed.
        cap: u64,
    },
    /// The operating system refused to write.
    #[error("cannot write the sitemap (is there space, and may you write there?)")]
    Unwritable(#[source] io::Error),
    /// `HOST:ADDRESS` that is not one.
    #[error("{typed:?} is no HOST:ADDRESS; write it as www.example.com:192.0.2.1")]
    BadResolve {
        /// As it was typed.
        typed: String,
    },
    /// A network that is not one.
    #[error("{typed:?} is no network; write it as 10.0.0.0/8, or as an address")]
    BadNetwork {
        /// As it was typed.
        typed: String,
    },
    /// The machine's settings of DNS.
    #[error("cannot find this machine's name servers ({reason}); check /etc/resolv.conf")]
    NoResolver {
        /// What was wrong.
        reason: String,
    },
    /// A header of the settings that cannot be sent.
    #[error("the header {name:?} cannot be sent; {todo}")]
    BadHeader {
        /// Its name. The value may be a secret.
        name: String,
        /// What to do.
        todo: &'static str,
    },
    /// An origin of the settings that is none.
    #[error("{typed:?} is no origin; write it as https://www.example.com")]
    BadOrigin {
        /// As it was typed.
        typed: String,
    },
    /// A proxy that cannot be used. What was typed is not shown: it may hold a password.
    #[error("the proxy is no http:// address with a host; write it as http://proxy.example:3128")]
    BadProxy,
    /// A root certificate that cannot be read.
    #[error("root certificate number {number} cannot be used; give it as PEM or DER")]
    BadRoot {
        /// Which of those given, from 1.
        number: usize,
    },
    /// A setting that is out of range.
    #[error("{setting} is {value}; it must be at least {least}")]
    TooSmall {
        /// Its name.
        setting: &'static str,
        /// What it is.
        value: usize,
        /// What it must be.
        least: usize,
    },
    /// The TLS library refused its own settings.
    #[error("TLS cannot be set up ({reason})")]
    NoTls {
        /// What was wrong.
        reason: String,
    },
}
