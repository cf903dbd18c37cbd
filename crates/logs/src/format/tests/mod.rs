//! Tests across all readers: golden fields, detection, hostile bytes.

mod detection;
mod golden;
mod hostile;
mod templates;

use super::{Context, Entry, Format, Hints, Parsed, detect};

/// A fixture and how it is read.
struct Fixture {
    name: &'static str,
    /// What the operator would say; nothing if the format is to be detected.
    spec: Option<&'static str>,
    text: &'static [u8],
}

const NGINX: &str = "log_format ours '$time_iso8601|$remote_addr|$remote_user|$request_method $scheme://$host$request_uri|' \
     '$status|\"$http_referer\"|\"$http_user_agent\"|\"$http_x_forwarded_for\"|\"$sent_http_content_type\"|$cookie_uid';";

const APACHE: &str = "LogFormat \"[%{%Y-%m-%d %H:%M:%S}t.%{msec_frac}t %{%z}t] %{X-Forwarded-For}i %h %u %v:%p \
     \\\"%m %U%q\\\" %>s %b \\\"%{Referer}i\\\" \\\"%{User-Agent}i\\\" %{uid}C %{Content-Type}o\" ours";

macro_rules! fixture {
    ($file:literal, $spec:expr) => {
        Fixture { name: $file, spec: $spec, text: include_bytes!(concat!("../fixtures/", $file)) }
    };
}

const FIXTURES: &[Fixture] = &[
    fixture!("common.log", None),
    fixture!("combined.log", None),
    fixture!("combined-plus.log", None),
    fixture!("vhost-combined.log", None),
    fixture!("nginx.log", Some(NGINX)),
    fixture!("apache.log", Some(APACHE)),
    fixture!("squid.log", None),
    fixture!("iis.log", None),
    fixture!("cloudfront.log", None),
    fixture!("caddy.jsonl", None),
    fixture!("nginx.jsonl", None),
    fixture!("guess.jsonl", None),
    fixture!("visits.csv", None),
    fixture!("visits.tsv", None),
];

impl Fixture {
    fn format(&self) -> Format {
        let hints = Hints { spec: self.spec.map(str::to_owned), ..Hints::default() };
        detect(self.text, &hints).unwrap_or_else(|| panic!("{} has a format", self.name))
    }
}

/// What every line of a text comes to, one line each: `fault`, `header`, or the fields that are not empty.
fn render(format: Format, text: &[u8]) -> String {
    let mut reader = format;
    let mut out = String::new();
    for line in text.split(|&byte| byte == b'\n') {
        if let Some(next) = reader.after_header(line) {
            reader = next;
        }
        let cx = Context::new();
        match reader.parse(line, &cx) {
            Ok(Parsed::Header) => out.push_str("header"),
            Ok(Parsed::Entry(entry)) => out.push_str(&show(&entry)),
            Err(fault) => out.push_str(fault.as_str()),
        }
        out.push('\n');
    }
    out
}

fn show(entry: &Entry<'_>) -> String {
    let texts = [
        ("address", entry.address),
        ("forwarded", entry.forwarded),
        ("user", entry.user),
        ("method", entry.method),
        ("target", entry.target),
        ("host", entry.host),
        ("referrer", entry.referrer),
        ("agent", entry.agent),
        ("type", entry.content_type),
    ];
    let mut out = format!("{} {}", entry.time_ms, entry.status);
    if let Some(https) = entry.https {
        out.push_str(if https { " https" } else { " http" });
    }
    for (name, text) in texts.into_iter().filter(|(_, text)| !text.is_empty()) {
        out.push_str(&format!(" {name}={:?}", String::from_utf8_lossy(text)));
    }
    out
}
