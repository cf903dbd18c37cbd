//! How fast are links read? `cargo bench -p trodden-archive --bench links`, on the articles of the real data.
//!
//! Beside ours: html5gum, asked for no more than the `href` of every `a`, without even keeping it; and the whole chain
//! from an answer as it came, plain and gzip.

#![expect(clippy::print_stdout, clippy::unwrap_used, reason = "a bench prints, and may fail loudly")]

use std::convert::Infallible;
use std::hint::black_box;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use html5gum::emitters::callback::{CallbackEmitter, CallbackEvent};
use html5gum::{Span, Tokenizer};
use trodden_archive::http::Response;
use trodden_archive::page::read_answer;
use trodden_archive::{Caps, PageContent, Want, pages_in};

/// The best of so many runs counts.
const RUNS: usize = 5;
const PAGES: usize = 2_000;

fn main() {
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    let path = std::env::var_os("TRODDEN_DATA").map_or_else(beside, PathBuf::from).join("wikispeedia/articles.warc.gz");
    let caps = Caps::default();
    let clock = Clock(Instant::now());
    let Ok(pages) = pages_in(&path, &caps) else {
        println!("NOT MEASURED: set TRODDEN_DATA to the folder that holds wikispeedia/articles.warc.gz");
        return;
    };
    let pages: Vec<String> = pages.take(PAGES).map(|page| page.html).collect();
    let bytes: usize = pages.iter().map(String::len).sum();
    println!("{} pages, {} bytes a page", pages.len(), bytes / pages.len().max(1));
    let rate = |name: &str, mut work: Box<dyn FnMut(usize) + '_>| {
        let best = (0..RUNS)
            .map(|_| {
                let start = clock.now();
                (0..pages.len()).for_each(&mut work);
                clock.now() - start
            })
            .min()
            .unwrap_or_default();
        println!(
            "{name:28} {:7.0} MB/s {:8.1} µs a page",
            bytes as f64 / 1e6 / best.as_secs_f64(),
            best.as_secs_f64() * 1e6 / pages.len() as f64
        );
    };
    rate("html5gum, href only", Box::new(|i| by_html5gum(&pages[i])));
    for want in [Want::Hrefs, Want::Links, Want::LinksAndText] {
        let caps = &caps;
        let pages = &pages;
        rate(&format!("ours, {want:?}"), Box::new(move |i| drop(black_box(PageContent::of(&pages[i], want, caps)))));
    }
    rate("valid UTF-8?", Box::new(|i| assert!(black_box(std::str::from_utf8(pages[i].as_bytes())).is_ok())));
    for (name, coding) in [("plain", ""), ("gzip", "Content-Encoding: gzip\r\n")] {
        let head = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n{coding}\r\n");
        let answers: Vec<Vec<u8>> = pages
            .iter()
            .map(|page| {
                let body = if coding.is_empty() { page.as_bytes().to_vec() } else { gzip(page.as_bytes()) };
                [head.as_bytes(), &body].concat()
            })
            .collect();
        let caps = &caps;
        for want in [Want::Hrefs, Want::Links] {
            let answers = &answers;
            let work = move |i: usize| {
                let response = Response::parse(&answers[i], caps).unwrap();
                drop(black_box(read_answer(&response, want, caps)));
            };
            rate(&format!("answer, {name}, {want:?}"), Box::new(work));
        }
    }
}

/// Time on the processor, where the system tells it: others may use the machine.
struct Clock(Instant);

impl Clock {
    fn now(&self) -> Duration {
        let told = std::fs::read_to_string("/proc/self/schedstat").ok();
        let nanoseconds = told.and_then(|text| text.split_whitespace().next()?.parse().ok());
        nanoseconds.map_or_else(|| self.0.elapsed(), Duration::from_nanos)
    }
}

fn by_html5gum(html: &str) {
    let (mut in_link, mut is_href, mut count) = (false, false, 0_usize);
    let emitter = CallbackEmitter::new(|event: CallbackEvent<'_>, _: Span<()>| -> Option<Infallible> {
        match event {
            CallbackEvent::OpenStartTag { name } => in_link = name == b"a",
            CallbackEvent::AttributeName { name } => is_href = in_link && name == b"href",
            CallbackEvent::AttributeValue { value } if is_href => count += value.len(),
            _ => {}
        }
        None
    });
    let Ok(()) = Tokenizer::new_with_emitter(html, emitter).finish();
    black_box(count);
}

fn gzip(text: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(text).unwrap();
    encoder.finish().unwrap()
}
