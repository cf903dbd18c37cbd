//! Which format is a file written in?
//!
//! Every reader tries the whole lines of a sample from the start of the file. The one that reads most of them wins, if
//! it reads at least half of those that are neither blank nor headers; on a tie the more specific one. So a file that
//! starts with a blank line, a banner or garbage is still known.
//!
//! Two readers can read lines that are not theirs, and must not win by that: *common* reads the start of a combined
//! line, so it scores only where no quoted field follows; *vhost-combined* takes the second word for an address, so it
//! scores only where there is one and the first word does not end in the comma of a list.

use std::sync::Arc;

use super::delimited::Columns;
use super::field::Field;
use super::json::JsonMap;
use super::template::Template;
use super::w3c::W3cFields;
use super::{Context, Format, Parsed, builtin};

/// How many lines are looked at.
pub const SAMPLE_LINES: usize = 256;
/// How many bytes are looked at.
pub const SAMPLE_BYTES: usize = 256 * 1024;
/// How far down a line of column names may stand.
const HEADER_LINES: usize = 32;

/// What the operator said about a log.
#[derive(Clone, Debug, Default)]
pub struct Hints {
    /// Where fields are in JSON objects, by dotted path. Wins over what is guessed.
    pub json_map: Vec<(Field, String)>,
    /// The format as named: all that [`Format::named`] takes, and `csv`, `tsv`, `w3c`, `json`.
    pub spec: Option<String>,
}

/// Picks the format of a file by its first lines; the last of them may be torn.
///
/// A format that the operator named is taken at their word; `None` then means that the file lacks the header that the
/// format needs, or that [`Format::named`] has something to say about it.
#[must_use]
pub fn detect(sample: &[u8], hints: &Hints) -> Option<Format> {
    let lines = whole_lines(sample);
    let json = &hints.json_map;
    match hints.spec.as_deref().map(str::trim) {
        None => best(candidates(&lines, json), &lines),
        Some("csv") => header(&lines, b",;"),
        Some("tsv") => header(&lines, b"\t"),
        Some("w3c") => w3c(&lines),
        Some("json") => best(json_candidates(json), &lines).or_else(|| Some(shared(JsonMap::guess(json)))),
        Some("caddy") => Some(shared(JsonMap::caddy(json))),
        Some("nginx-json") => Some(shared(JsonMap::nginx(json))),
        Some(spec) => Format::named(spec).ok().map(|format| with_extra(format, &lines)),
    }
}

/// Whether a reader makes a record of any line of a sample, or it is a header and nothing else.
pub(crate) fn reads_any(format: &Format, sample: &[u8]) -> bool {
    let lines = whole_lines(sample);
    let (records, headers) = score(format, &lines);
    records > 0 || headers == lines.len()
}

/// The lines that are whole, blank ones left out. A sample without any newline is one line.
pub(super) fn whole_lines(sample: &[u8]) -> Vec<&[u8]> {
    let sample = &sample[..sample.len().min(SAMPLE_BYTES)];
    let end = memchr::memrchr(b'\n', sample).unwrap_or(sample.len());
    sample[..end]
        .split(|&byte| byte == b'\n')
        .take(SAMPLE_LINES)
        .map(|line| line.strip_suffix(b"\r").unwrap_or(line))
        .filter(|line| !line.trim_ascii().is_empty())
        .collect()
}

/// All readers worth trying, the most specific first.
fn candidates(lines: &[&[u8]], json: &[(Field, String)]) -> Vec<Format> {
    let mut formats = vec![
        Format::Template(builtin::vhost_combined()),
        Format::Template(builtin::combined()),
        Format::Template(builtin::common()),
        Format::Squid,
    ];
    formats.extend(w3c(lines));
    formats.extend(header(lines, b"\t"));
    formats.extend(header(lines, b",;"));
    if lines.iter().any(|line| line.trim_ascii_start().starts_with(b"{")) {
        formats.extend(json_candidates(json));
    }
    formats
}

fn json_candidates(json: &[(Field, String)]) -> Vec<Format> {
    let presets = [JsonMap::caddy(json), JsonMap::nginx(json)];
    let guess = JsonMap::guess(json);
    // A map by hand says more about a log than a preset that happens to fit.
    let all: Vec<JsonMap> = if json.is_empty() {
        presets.into_iter().chain([guess]).collect()
    } else {
        [guess].into_iter().chain(presets).collect()
    };
    all.into_iter().map(shared).collect()
}

fn shared(map: JsonMap) -> Format {
    Format::Json(Arc::new(map))
}

fn w3c(lines: &[&[u8]]) -> Option<Format> {
    lines.iter().find_map(|line| W3cFields::of(line)).map(|fields| Format::W3c(Arc::new(fields)))
}

/// The reader by the first line that is a header with one of these separators.
fn header(lines: &[&[u8]], separators: &[u8]) -> Option<Format> {
    lines
        .iter()
        .take(HEADER_LINES)
        .find_map(|line| {
            let readers = separators.iter().filter_map(|&separator| Columns::of(line, separator));
            readers.max_by_key(Columns::width)
        })
        .map(|columns| Format::Delimited(Arc::new(columns)))
}

/// The reader that reads most lines, the first of those on a tie.
fn best(formats: impl IntoIterator<Item = Format>, lines: &[&[u8]]) -> Option<Format> {
    let mut best: Option<(usize, Format)> = None;
    for format in formats {
        let (records, headers) = score(&format, lines);
        // A piece of a log that was cut right after its header has nothing else to go by.
        let only_header = headers > 0 && headers == lines.len();
        let enough = only_header || (records > 0 && records * 2 >= lines.len() - headers);
        if enough && best.as_ref().is_none_or(|(most, _)| records > *most) {
            best = Some((records, format));
        }
    }
    best.map(|(_, format)| with_host(with_extra(format, lines), lines))
}

/// How many lines are records and how many are headers.
fn score(format: &Format, lines: &[&[u8]]) -> (usize, usize) {
    // The nginx reader knows common names too, and must not take every JSON log for nginx's.
    let strict = match format {
        Format::Json(map) if map.name() == "json (nginx)" => Some(shared(JsonMap::nginx_only())),
        _ => None,
    };
    let mut reader = strict.unwrap_or_else(|| format.clone());
    let mut cx = Context::new();
    let (mut records, mut headers) = (0, 0);
    for line in lines {
        if let Some(next) = reader.after_header(line) {
            reader = next;
        }
        match reader.parse(line, &cx) {
            Ok(Parsed::Entry(entry)) => {
                records += usize::from(match &reader {
                    Format::Template(template) => match template.name {
                        "common" => !template.rest(line, &cx).is_some_and(|rest| rest.starts_with(b" \"")),
                        "vhost-combined" => !entry.address.is_empty() && !entry.host.ends_with(b","),
                        _ => true,
                    },
                    _ => true,
                });
            }
            Ok(Parsed::Header) => headers += 1,
            Err(_) => {}
        }
        cx.reset();
    }
    (records, headers)
}

/// The same reader, knowing whether a JSON log names hosts: the map only knows where they would be.
fn with_host(format: Format, lines: &[&[u8]]) -> Format {
    let Format::Json(map) = &format else {
        return format;
    };
    let cx = Context::new();
    let names_host = |line: &&[u8]| {
        let parsed = format.parse(line, &cx);
        matches!(parsed, Ok(Parsed::Entry(entry)) if !entry.host.is_empty())
    };
    let seen = lines.iter().any(names_host);
    shared(JsonMap::clone(map).with_host(seen))
}

/// The same reader, knowing how many trailing fields most lines have.
fn with_extra(format: Format, lines: &[&[u8]]) -> Format {
    let Format::Template(template) = &format else {
        return format;
    };
    let extra = usual_extra(template, lines);
    if extra == 0 {
        return format;
    }
    Format::Template(Arc::new(Template { extra, ..Template::clone(template) }))
}

/// The most frequent number of trailing fields, the smallest on a tie.
fn usual_extra(template: &Template, lines: &[&[u8]]) -> usize {
    let cx = Context::new();
    let mut counts: Vec<usize> = lines.iter().filter_map(|line| template.trailing(line, &cx)).collect();
    counts.sort_unstable();
    let runs = counts.chunk_by(|a, b| a == b);
    runs.rev().max_by_key(|run| run.len()).map_or(0, |run| run[0])
}
