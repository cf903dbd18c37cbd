//! Undoing what servers do to bytes that would break a log line.
//!
//! Apache writes `\"`, `\\`, `\n`, `\t` and `\xhh`; nginx writes `\xHH` only; CloudFront percent-encodes the agent;
//! IIS writes `+` for a space. A field without the telltale byte is returned as it stands, borrowed from the line.

use memchr::memchr;

use super::context::Context;

/// Undoes backslash escapes. An escape that is not understood stays as it is.
#[inline]
pub(super) fn backslash<'a>(field: &'a [u8], cx: &'a Context) -> &'a [u8] {
    match memchr(b'\\', field) {
        None => field,
        Some(first) => undo(field, first, cx, |tail| match *tail {
            [b'\\', b'x', high, low, ..] => hex(high, low).map(|byte| (byte, 4)),
            [b'\\', escaped, ..] => simple(escaped).map(|byte| (byte, 2)),
            _ => None,
        }),
    }
}

/// Undoes percent-encoding: once, and a second time if that leaves encoded spaces (old CloudFront logs encode twice).
pub(super) fn percent<'a>(field: &'a [u8], cx: &'a Context) -> &'a [u8] {
    let once = percent_once(field, cx);
    if memchr::memmem::find(once, b"%20").is_some() { percent_once(once, cx) } else { once }
}

fn percent_once<'a>(field: &'a [u8], cx: &'a Context) -> &'a [u8] {
    match memchr(b'%', field) {
        None => field,
        Some(first) => undo(field, first, cx, |tail| match *tail {
            [b'%', high, low, ..] => hex(high, low).map(|byte| (byte, 3)),
            _ => None,
        }),
    }
}

/// Turns every `+` into a space.
pub(super) fn plus<'a>(field: &'a [u8], cx: &'a Context) -> &'a [u8] {
    match memchr(b'+', field) {
        None => field,
        Some(first) => undo(field, first, cx, |tail| (tail[0] == b'+').then_some((b' ', 1))),
    }
}

/// Copies `field` into the arena, replacing escapes; `first` is where the first one starts.
///
/// `replace` sees a tail that starts with the byte that starts an escape, and answers with the byte it stands for and
/// how many bytes it takes (at least one): so the result is never longer than the field.
fn undo<'a>(field: &[u8], first: usize, cx: &'a Context, replace: impl Fn(&[u8]) -> Option<(u8, usize)>) -> &'a [u8] {
    let out = cx.buffer(field.len());
    let mark = field[first];
    let (mut read, mut written) = (0, 0);
    let mut next = Some(first);
    while let Some(run) = next {
        out[written..written + run].copy_from_slice(&field[read..read + run]);
        (read, written) = (read + run, written + run);
        let (byte, width) = replace(&field[read..]).unwrap_or((mark, 1));
        out[written] = byte;
        (read, written) = (read + width, written + 1);
        next = memchr(mark, &field[read..]);
    }
    let run = field.len() - read;
    out[written..written + run].copy_from_slice(&field[read..]);
    &out[..written + run]
}

/// The byte that a one-letter escape stands for.
fn simple(escaped: u8) -> Option<u8> {
    Some(match escaped {
        b'"' | b'\\' | b'\'' | b'/' => escaped,
        b'n' => b'\n',
        b't' => b'\t',
        b'r' => b'\r',
        b'b' => 0x08,
        b'f' => 0x0c,
        b'v' => 0x0b,
        b'a' => 0x07,
        _ => return None,
    })
}

fn hex(high: u8, low: u8) -> Option<u8> {
    Some(nibble(high)? << 4 | nibble(low)?)
}

fn nibble(digit: u8) -> Option<u8> {
    match digit {
        b'0'..=b'9' => Some(digit - b'0'),
        b'a'..=b'f' => Some(digit - b'a' + 10),
        b'A'..=b'F' => Some(digit - b'A' + 10),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn ours_escapes_are_undone() {
        let cx = Context::new();
        assert_eq!(backslash(b"a\\\"b\\\\c\\x22\\x5Cd\\t", &cx), b"a\"b\\c\"\\d\t");
        assert_eq!(backslash(b"\\q \\xZZ \\x2", &cx), b"\\q \\xZZ \\x2");
        assert_eq!(backslash(b"end\\", &cx), b"end\\");
        assert_eq!(percent(b"Mozilla/5.0%20(X11)", &cx), b"Mozilla/5.0 (X11)");
        assert_eq!(percent(b"Mozilla/5.0%2520(X11)", &cx), b"Mozilla/5.0 (X11)");
        assert_eq!(percent(b"100%", &cx), b"100%");
        assert_eq!(plus(b"Mozilla/5.0+(X11)", &cx), b"Mozilla/5.0 (X11)");
    }

    /// As Apache's `ap_escape_logitem` does.
    fn apache(raw: &[u8]) -> Vec<u8> {
        let mut out = Vec::new();
        for &byte in raw {
            match byte {
                b'"' | b'\\' => out.extend([b'\\', byte]),
                b'\n' => out.extend(b"\\n"),
                b'\t' => out.extend(b"\\t"),
                b'\r' => out.extend(b"\\r"),
                0x20..=0x7e => out.push(byte),
                _ => out.extend(format!("\\x{byte:02x}").bytes()),
            }
        }
        out
    }

    /// As nginx's `ngx_http_log_escape` does.
    fn nginx(raw: &[u8]) -> Vec<u8> {
        let mut out = Vec::new();
        for &byte in raw {
            match byte {
                b'"' | b'\\' | 0..0x20 | 0x7f.. => out.extend(format!("\\x{byte:02X}").bytes()),
                _ => out.push(byte),
            }
        }
        out
    }

    proptest! {
        #[test]
        fn ours_escapes_round_trip(raw: Vec<u8>) {
            let cx = Context::new();
            for escaped in [apache(&raw), nginx(&raw)] {
                prop_assert_eq!(backslash(&escaped, &cx), &raw[..]);
            }
        }

        #[test]
        fn ours_escapes_never_panic(raw: Vec<u8>) {
            let cx = Context::new();
            prop_assert!(backslash(&raw, &cx).len() <= raw.len());
            prop_assert!(percent(&raw, &cx).len() <= raw.len());
            prop_assert_eq!(plus(&raw, &cx).len(), raw.len());
        }
    }
}
