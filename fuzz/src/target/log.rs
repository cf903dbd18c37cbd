//! Log lines, in every format that has a name; which format it is; format strings; packed files.

use std::io::Read;

use trodden_logs::format::{Context, Format, Hints, Parsed, SAMPLE_BYTES, detect};
use trodden_logs::input::{InputCaps, unpacked};

use super::scratch;

/// Every format that needs no file, and format strings as people have them.
const FORMATS: &[&str] = &[
    "combined",
    "common",
    "vhost-combined",
    "squid",
    "caddy",
    "nginx-json",
    "log_format main '$remote_addr - $remote_user [$time_local] \"$request\" $status $body_bytes_sent \
     \"$http_referer\" \"$http_user_agent\" \"$http_x_forwarded_for\"';",
    "$host $msec $request_uri $http_cookie $scheme",
    "LogFormat \"%h %l %u %t \\\"%r\\\" %>s %b \\\"%{Referer}i\\\" \\\"%{User-agent}i\\\"\" combined",
    "%v:%p %a %{%d/%b/%Y %T}t.%{msec_frac}t %m %U%q %>s %{Cookie}i",
];

/// The formats that take their columns from the file.
const OF_FILE: &[&str] = &["csv", "tsv", "w3c", "json"];

/// Lines of any format: none panics, and what is given is no longer than the line.
pub(super) fn lines(input: &[u8]) {
    for spec in FORMATS {
        read_all(&Format::named(spec).expect("a good format"), input);
    }
    for spec in OF_FILE {
        let hints = Hints { spec: Some((*spec).to_owned()), ..Hints::default() };
        if let Some(format) = detect(input, &hints) {
            read_all(&format, input);
        }
    }
}

/// The format of any bytes; the reader that is chosen reads them.
pub(super) fn detected(input: &[u8]) {
    let Some(format) = detect(input, &Hints::default()) else { return };
    assert!(!format.name().is_empty());
    let (records, faults) = read_all(&format, input);
    // It was chosen because it reads half of the sample, unless there is nothing but a header.
    if input.len() <= SAMPLE_BYTES && input.iter().filter(|byte| **byte == b'\n').count() <= 200 {
        assert!(records + 1 >= faults / 2, "{}: {records} records, {faults} faults", format.name());
    }
    let again = detect(input, &Hints::default()).map(|format| format.name());
    assert_eq!(again, Some(format.name()), "chosen twice, chosen alike");
}

/// A format string that an operator may type.
pub(super) fn format(input: &[u8]) {
    let spec = String::from_utf8_lossy(input);
    match Format::named(&spec) {
        Ok(format) => {
            read_all(&format, LINE);
            read_all(&format, input);
        }
        Err(fault) => assert!(!fault.to_string().is_empty()),
    }
}

/// A packed file: it ends, and gives no more than the cap allows.
pub(super) fn packed(input: &[u8]) {
    let caps = InputCaps { ratio: 100, ..InputCaps::default() };
    let file = scratch(input);
    let Ok((mut reader, _)) = unpacked(file.path(), &caps) else { return };
    let mut buffer = vec![0; 1 << 16];
    let mut sum = 0_u64;
    while let Ok(count @ 1..) = reader.read(&mut buffer) {
        sum += count as u64;
    }
    // The first 64 MiB are free.
    let most = (64 << 20) + caps.ratio * input.len() as u64 + (1 << 20);
    assert!(sum <= most, "{sum} bytes of {}", input.len());
}

const LINE: &[u8] =
    b"10.0.0.1 - ann [26/Jan/2019:03:56:14 +0330] \"GET /a?b=c HTTP/1.1\" 200 30577 \"https://e.org/\" \"Mozilla/5.0\"";

/// How many lines are records, and how many are none.
fn read_all(format: &Format, input: &[u8]) -> (usize, usize) {
    let mut format = format.clone();
    let mut context = Context::new();
    let (mut records, mut faults) = (0, 0);
    for line in input.split(|byte| *byte == b'\n') {
        if let Some(next) = format.after_header(line) {
            format = next;
        }
        match format.parse(line, &context) {
            Ok(Parsed::Entry(entry)) => {
                records += 1;
                // Undoing an escape makes nothing longer; a target may be joined from two columns.
                for field in [entry.address, entry.user, entry.method, entry.host, entry.referrer, entry.agent] {
                    assert!(field.len() <= line.len(), "a field of {} bytes of {}", field.len(), line.len());
                }
                assert!(entry.target.len() <= line.len() + 8);
                assert!(!format!("{entry:?}").is_empty());
            }
            Ok(Parsed::Header) => {}
            Err(_) if line.trim_ascii().is_empty() => {}
            Err(_) => faults += 1,
        }
        context.reset();
    }
    (records, faults)
}
