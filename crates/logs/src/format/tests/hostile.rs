//! No bytes make a reader panic: random ones, and real lines with bytes torn out and put in.

use proptest::prelude::*;

use super::super::{Context, Format, Hints, SAMPLE_BYTES, detect};
use super::{FIXTURES, render};

fn readers() -> Vec<Format> {
    let mut readers: Vec<Format> = FIXTURES.iter().map(super::Fixture::format).collect();
    for spec in ["common", "combined", "vhost-combined", "squid", "caddy", "nginx-json"] {
        readers.push(Format::named(spec).expect("a format"));
    }
    readers
}

/// Bytes that mean something to some reader, and any others.
fn byte() -> impl Strategy<Value = u8> {
    prop_oneof![
        4 => prop::sample::select(b" \t\"\\[]{},:-|/#%+x0\r\n".to_vec()),
        1 => any::<u8>(),
    ]
}

proptest! {
    #[test]
    fn ours_random_bytes_never_panic(text in prop::collection::vec(byte(), 0..300), noise: Vec<u8>) {
        for reader in readers() {
            for line in [&text, &noise] {
                let cx = Context::new();
                let _ = reader.after_header(line);
                let _ = reader.parse(line, &cx);
            }
        }
    }

    #[test]
    fn ours_mutated_lines_never_panic(
        which in 0..FIXTURES.len(),
        at in any::<prop::sample::Index>(),
        width in 0usize..12,
        with in prop::collection::vec(byte(), 0..12),
    ) {
        let fixture = &FIXTURES[which];
        let mut text = fixture.text.to_vec();
        let start = at.index(text.len());
        let end = (start + width).min(text.len());
        text.splice(start..end, with);
        render(fixture.format(), &text);
        let hints = Hints::default();
        if let Some(format) = detect(&text, &hints) {
            render(format, &text);
        }
    }

    #[test]
    fn ours_detection_never_panics(sample in prop::collection::vec(byte(), 0..2_000)) {
        for spec in [None, Some("csv"), Some("tsv"), Some("w3c"), Some("json"), Some("combined"), Some("squid")] {
            let hints = Hints { spec: spec.map(str::to_owned), ..Hints::default() };
            if let Some(format) = detect(&sample, &hints) {
                render(format, &sample);
            }
        }
    }

    #[test]
    fn ours_format_strings_never_panic(spec in "[%$]?[a-zA-Z%${}\"'\\\\ >!,:_^é-]{0,60}", line: Vec<u8>) {
        let specs = [
            spec.clone(),
            format!("$msec $request {spec}"),
            format!("%t %r {spec}"),
            format!("log_format x '{spec}"),
            format!("LogFormat \"%t %r %{{{spec}}}t"),
        ];
        for spec in specs {
            if let Ok(format) = Format::named(&spec) {
                let _ = format.parse(&line, &Context::new());
            }
        }
    }

    #[test]
    fn ours_stamps_never_panic(stamp in "[0-9/:A-Za-z +.T-]{0,32}") {
        let line = format!("192.0.2.1 - - [{stamp}] \"GET / HTTP/1.1\" 200 1 \"-\" \"-\"");
        let csv = detect(b"time,target\n1,/\n", &Hints::default()).expect("a header");
        let _ = csv.parse(format!("{stamp},/").as_bytes(), &Context::new());
        let _ = Format::named("combined").expect("a format").parse(line.as_bytes(), &Context::new());
    }
}

#[test]
fn ours_deep_nesting_costs_no_stack() {
    let caddy = Format::named("caddy").expect("a format");
    for key in ["request", "other", "ts"] {
        for (open, close) in [("[", "]"), ("{\"request\":", "}")] {
            let deep = 200_000;
            let line = format!("{{\"{key}\":{}0{}}}", open.repeat(deep), close.repeat(deep));
            assert!(caddy.parse(line.as_bytes(), &Context::new()).is_err());
        }
    }
}

#[test]
fn ours_a_sample_longer_than_the_cap_is_cut() {
    let line = b"192.0.2.1 - - [26/Jan/2019:19:45:25 +0330] \"GET / HTTP/1.1\" 200 1 \"-\" \"-\"\n";
    let sample = line.repeat(SAMPLE_BYTES / line.len() * 2);
    assert_eq!(detect(&sample, &Hints::default()).map(|format| format.name()).as_deref(), Some("combined"));
}
