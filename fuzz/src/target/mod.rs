//! Which parsers read bytes from outside, and what must hold of each?
//!
//! A target takes any bytes. It panics if something is wrong: by itself, or because a parser does.

mod client;
mod cookies;
mod feed;
mod html;
mod http;
mod link_header;
mod log;
mod model;
mod robots;
mod settings;
mod sitemap;
mod url;
mod views;
mod warc;

use std::io::Write as _;

/// One parser, or a few that read the same bytes.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// Its name: that of its seeds and words, too.
    pub name: &'static str,
    /// The longest input.
    pub max_bytes: usize,
    /// Tries an input.
    pub run: fn(&[u8]),
}

/// Long enough for work that grows with the square of the input to be seen.
const USUAL_BYTES: usize = 64 << 10;

/// All targets.
pub const TARGETS: &[Target] = &[
    Target { name: "log-line", max_bytes: USUAL_BYTES, run: log::lines },
    Target { name: "log-detect", max_bytes: USUAL_BYTES, run: log::detected },
    Target { name: "log-format", max_bytes: 1 << 10, run: log::format },
    Target { name: "log-packed", max_bytes: USUAL_BYTES, run: log::packed },
    Target { name: "views-table", max_bytes: USUAL_BYTES, run: views::table },
    Target { name: "url", max_bytes: 16 << 10, run: url::canonical },
    Target { name: "http-answer", max_bytes: USUAL_BYTES, run: http::answer },
    Target { name: "http-client", max_bytes: USUAL_BYTES, run: client::answer },
    Target { name: "cookies", max_bytes: 16 << 10, run: cookies::set },
    Target { name: "html", max_bytes: USUAL_BYTES, run: html::page },
    Target { name: "robots-txt", max_bytes: USUAL_BYTES, run: robots::file },
    Target { name: "robots-tag", max_bytes: 4 << 10, run: robots::tag },
    Target { name: "sitemap", max_bytes: USUAL_BYTES, run: sitemap::known_urls },
    Target { name: "feed", max_bytes: USUAL_BYTES, run: feed::entries },
    Target { name: "link-header", max_bytes: USUAL_BYTES, run: link_header::links },
    Target { name: "warc-read", max_bytes: USUAL_BYTES, run: warc::records },
    Target { name: "warc-repair", max_bytes: USUAL_BYTES, run: warc::repaired },
    Target { name: "model", max_bytes: USUAL_BYTES, run: model::line },
    Target { name: "settings", max_bytes: 16 << 10, run: settings::file },
];

/// Fails where a word is met: for the tests of what runs targets. It is no parser, so it is run only if it is named.
pub const SELF_TEST: Target = Target {
    name: "self-test",
    max_bytes: 1 << 10,
    run: |input| assert!(memchr::memmem::find(input, b"panic").is_none(), "the word was said"),
};

/// The target of a name.
#[must_use]
pub fn named(name: &str) -> Option<Target> {
    TARGETS.iter().chain([&SELF_TEST]).find(|target| target.name == name).copied()
}

/// A file with these bytes, for parsers that open one. It goes when it is dropped.
fn scratch(bytes: &[u8]) -> tempfile::NamedTempFile {
    let mut file = tempfile::NamedTempFile::new().expect("a temporary file can be made");
    file.write_all(bytes).expect("a temporary file can be written");
    file
}

#[cfg(test)]
mod tests {
    use crate::round;
    use crate::seeds::Seeds;

    #[test]
    fn ours_every_seed_is_read_and_holds_what_it_must() {
        for target in super::TARGETS {
            for input in Seeds::of(target.name).unwrap().inputs {
                round::once(target, &input);
            }
            round::once(target, b"");
        }
    }
}
