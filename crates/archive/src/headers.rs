//! Which headers has a record or a message? The same few rules serve WARC and HTTP.
//!
//! A line is `name: value`; a line that starts with a space or tab goes on with the value before it. Names are compared
//! without regard to case, and the first of several is the one that counts. A value that is not UTF-8 is read as
//! windows-1252, which is what senders of such bytes mean.
//!
//! Headers hold cookies and addresses of people, so `Debug` shows the names alone.

use std::fmt;

/// The headers of one record or message, in their order.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Headers {
    lines: Vec<(String, String)>,
}

/// What a line of a head turned out to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum HeaderLine {
    Taken,
    /// No colon, an empty name, or the continuation of nothing.
    Odd,
}

impl Headers {
    /// The first value under this name, in any case.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&str> {
        self.iter().find(|(n, _)| n.eq_ignore_ascii_case(name)).map(|(_, value)| value)
    }

    /// All values under this name, in their order.
    pub fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        self.iter().filter(move |(n, _)| n.eq_ignore_ascii_case(name)).map(|(_, value)| value)
    }

    /// Names, as they are spelled, and values.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.lines.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.lines.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// Takes one line without its line end.
    pub(crate) fn push_line(&mut self, line: &[u8]) -> HeaderLine {
        if let [b' ' | b'\t', ..] = line {
            let Some((_, value)) = self.lines.last_mut() else {
                return HeaderLine::Odd;
            };
            let more = text_of(line.trim_ascii());
            if !value.is_empty() && !more.is_empty() {
                value.push(' ');
            }
            value.push_str(&more);
            return HeaderLine::Taken;
        }
        let Some(colon) = memchr::memchr(b':', line) else {
            return HeaderLine::Odd;
        };
        let name = line[..colon].trim_ascii();
        if name.is_empty() {
            return HeaderLine::Odd;
        }
        self.lines.push((text_of(name), text_of(line[colon + 1..].trim_ascii())));
        HeaderLine::Taken
    }
}

impl fmt::Debug for Headers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.lines.iter().map(|(name, _)| name)).finish()
    }
}

fn text_of(bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => encoding_rs::WINDOWS_1252.decode_without_bom_handling(bytes).0.into_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(lines: &[&[u8]]) -> Headers {
        let mut headers = Headers::default();
        for line in lines {
            headers.push_line(line);
        }
        headers
    }

    #[test]
    fn warc11_names_have_no_case_and_values_may_go_on_in_the_next_line() {
        let headers = of(&[b"warc-TYPE:response ", b"X:", b"\tone", b" two ", b"WARC-Type: other"]);
        assert_eq!(headers.get("WARC-Type"), Some("response"));
        assert_eq!(headers.get("x"), Some("one two"));
        assert_eq!(headers.all("WARC-TYPE").collect::<Vec<_>>(), ["response", "other"]);
        assert_eq!(headers.len(), 3);
    }

    #[test]
    fn ours_odd_lines_are_told_and_left_out() {
        let mut headers = Headers::default();
        for odd in [&b" goes on with nothing"[..], b"no colon", b": no name"] {
            assert_eq!(headers.push_line(odd), HeaderLine::Odd);
        }
        assert!(headers.is_empty());
    }

    #[test]
    fn ours_values_that_are_not_utf8_are_windows_1252() {
        assert_eq!(of(&[b"a: caf\xe9"]).get("a"), Some("café"));
        assert_eq!(of(&["a: café".as_bytes()]).get("a"), Some("café"));
    }

    #[test]
    fn ours_debug_shows_no_values() {
        assert_eq!(format!("{:?}", of(&[b"Cookie: secret"])), r#"["Cookie"]"#);
    }
}
