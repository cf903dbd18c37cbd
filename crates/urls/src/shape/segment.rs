//! What is the shape of one path segment?
//!
//! The segment is percent-decoded. An extension (a last dot and one to five letters or digits, at least one of them a
//! letter) is kept in lower case. The stem is the first that fits:
//!
//! 1. all digits: `#`; a UUID: `{uuid}`; 12 or more hexadecimal digits of both kinds: `{hex}`; any letter that is not
//!    Latin: `{text}`;
//! 2. no digits: `{word}` for one run of letters, `{words}` for more; separators alone stay;
//! 3. digits and at most two runs of letters: every run in its place. Digits are `#`, separators stay, and a run of
//!    letters stays if a separator parts it from the digits or if it is at most four letters long (`thread-#`, `p#`),
//!    else `{word}`;
//! 4. digits and three or more runs of letters is a title: `{words}`, with numbers kept only before and behind it, where
//!    a separator parts them (`#-{words}`, `{words}-#`).
//!
//! The result is at most [`MAX_STEM`] bytes and an extension; a longer one ends in `*`.

use super::latin::{Kind, ascii, decoded, is_uuid, kind};

/// The longest shape of a stem, in bytes; what is beyond becomes `*`.
const MAX_STEM: usize = 64;
/// The fewest hexadecimal digits that are a hash rather than a word and a number.
const HEX_LENGTH: usize = 12;
/// The most letters of a run that may touch digits and still be kept as it is.
const PREFIX_LETTERS: usize = 4;
/// The most letters of a run that may be kept at all.
const WORD_LETTERS: usize = 24;
/// The most letters and digits of an extension.
const EXTENSION_LENGTH: usize = 5;

/// Appends the shape of a path segment, still percent-encoded, to `out`. Allocates nothing else for ASCII without `%`.
pub fn segment_shape(segment: &str, out: &mut String) {
    decoded_shape(&decoded(segment), out);
}

/// The same for a segment that is decoded already.
pub(super) fn decoded_shape(text: &str, out: &mut String) {
    let (stem, extension) = split_extension(text);
    stem_shape(stem, out);
    if let Some(extension) = extension {
        out.push('.');
        out.extend(extension.chars().map(|c| c.to_ascii_lowercase()));
    }
}

/// Stem and extension of a decoded segment.
fn split_extension(text: &str) -> (&str, Option<&str>) {
    // Only the last bytes can be an extension: no search through a long title.
    let tail = text.len().saturating_sub(EXTENSION_LENGTH + 1);
    let Some(dot) = text.as_bytes()[tail..].iter().rposition(|&b| b == b'.') else {
        return (text, None);
    };
    let (stem, extension) = (&text[..tail + dot], &text[tail + dot + 1..]);
    let is_extension = !stem.is_empty()
        && extension.bytes().all(|b| b.is_ascii_alphanumeric())
        && extension.bytes().any(|b| b.is_ascii_alphabetic());
    if is_extension { (stem, Some(extension)) } else { (text, None) }
}

/// What a stem consists of.
#[derive(Clone, Copy, Default)]
struct Census {
    letter_runs: usize,
    has_digits: bool,
    has_separators: bool,
    is_foreign: bool,
    is_hex: bool,
}

fn census(stem: &str) -> Census {
    if stem.is_ascii() {
        return ascii_census(stem.as_bytes());
    }
    let mut census = Census::default();
    let mut last = None;
    for now in stem.chars().map(kind) {
        match now {
            Kind::Digit => census.has_digits = true,
            Kind::Letter => census.letter_runs += usize::from(last != Some(Kind::Letter)),
            Kind::Separator => census.has_separators = true,
            Kind::Foreign => census.is_foreign = true,
        }
        last = Some(now);
    }
    census
}

/// The same without a branch per byte: nearly every segment of a log comes this way.
fn ascii_census(stem: &[u8]) -> Census {
    let (mut any, mut all, mut last, mut letter_runs) = (0, ascii::HEX, 0, 0);
    for &b in stem {
        let now = ascii::CLASS[(b & 127) as usize];
        any |= now;
        all &= now;
        letter_runs += usize::from(now & !last & ascii::LETTER != 0);
        last = now;
    }
    Census {
        letter_runs,
        has_digits: any & ascii::DIGIT != 0,
        has_separators: any & ascii::SEPARATOR != 0,
        is_foreign: false,
        is_hex: all != 0,
    }
}

fn stem_shape(stem: &str, out: &mut String) {
    if stem.is_empty() {
        return;
    }
    let Census { letter_runs, has_digits, has_separators, is_foreign, is_hex } = census(stem);
    if is_foreign {
        out.push_str("{text}");
    } else if letter_runs == 0 && !has_separators {
        out.push('#');
    } else if is_uuid(stem) {
        out.push_str("{uuid}");
    } else if is_hex && has_digits && stem.len() >= HEX_LENGTH {
        out.push_str("{hex}");
    } else if !has_digits && letter_runs > 0 {
        out.push_str(if letter_runs == 1 { "{word}" } else { "{words}" });
    } else if letter_runs <= 2 {
        let limit = out.len() + MAX_STEM;
        let mut last = None;
        for run in runs(stem) {
            push_run(&run, last, out);
            if out.len() > limit {
                end_early(limit, out);
                return;
            }
            last = Some(run.kind);
        }
    } else {
        title(stem, out);
    }
}

/// A maximal stretch of one kind; `next` is the kind of what follows.
struct Run<'a> {
    kind: Kind,
    text: &'a str,
    next: Option<Kind>,
}

fn runs(stem: &str) -> impl Iterator<Item = Run<'_>> {
    let mut rest = stem;
    std::iter::from_fn(move || {
        let first = kind(rest.chars().next()?);
        let end = rest.find(|c| kind(c) != first).unwrap_or(rest.len());
        let (text, after) = rest.split_at(end);
        rest = after;
        Some(Run { kind: first, text, next: after.chars().next().map(kind) })
    })
}

fn push_run(run: &Run<'_>, last: Option<Kind>, out: &mut String) {
    match run.kind {
        Kind::Digit => out.push('#'),
        Kind::Separator => run.text.chars().for_each(|c| out.push(separator(c))),
        Kind::Letter | Kind::Foreign => {
            let touches = last == Some(Kind::Digit) || run.next == Some(Kind::Digit);
            let length = run.text.chars().count();
            if length <= PREFIX_LETTERS || (!touches && length <= WORD_LETTERS) {
                out.extend(run.text.chars().flat_map(char::to_lowercase));
            } else {
                out.push_str("{word}");
            }
        }
    }
}

/// Numbers before, `{words}`, numbers behind.
fn title(stem: &str, out: &mut String) {
    let limit = out.len() + MAX_STEM;
    let is_letter = |c| kind(c) == Kind::Letter;
    let first = stem.find(is_letter).unwrap_or(0);
    // `3d-printing-news`: a digit that touches the title belongs to it.
    let before = &stem[..first];
    let before = before.rfind(|c| kind(c) == Kind::Separator).map_or("", |at| upto(before, at));
    for run in runs(before).skip_while(|run| run.kind == Kind::Separator) {
        push_run(&run, None, out);
    }
    out.push_str("{words}");
    let after_last = stem.rfind(is_letter).map_or(stem.len(), |at| upto(stem, at).len());
    let after = &stem[after_last..];
    let after = after.find(|c| kind(c) == Kind::Separator).map_or("", |at| &after[at..]);
    if after.chars().any(|c| kind(c) == Kind::Digit) {
        let end = after.rfind(|c| kind(c) == Kind::Digit).map_or(0, |at| upto(after, at).len());
        for run in runs(&after[..end]) {
            push_run(&run, None, out);
        }
    }
    if out.len() > limit {
        end_early(limit, out);
    }
}

/// `text` up to and including the character at `at`.
fn upto(text: &str, at: usize) -> &str {
    let length = text[at..].chars().next().map_or(0, char::len_utf8);
    &text[..at + length]
}

fn end_early(limit: usize, out: &mut String) {
    let mut end = limit - 1;
    while !out.is_char_boundary(end) {
        end -= 1;
    }
    out.truncate(end);
    out.push('*');
}

/// A separator as a shape shows it: `~` for what would read as part of a URL's or a shape's own syntax.
fn separator(c: char) -> char {
    match c {
        '/' | '?' | '&' | '#' | '%' | '{' | '}' | '*' | '\0'..='\u{1F}' | '\u{7F}'.. => '~',
        c => c,
    }
}
