//! How are header lines and fields written, so that no value can break out of its line?

use std::fmt::Display;
use std::io::Write;

/// Lines of `name: value`, in a buffer that is used again and again.
#[derive(Default)]
pub(super) struct Lines {
    text: Vec<u8>,
}

impl Lines {
    /// Empty lines of warc-fields.
    pub(super) fn fields(&mut self) -> &mut Self {
        self.text.clear();
        self
    }

    /// The first two lines of a record.
    pub(super) fn record(&mut self, kind: &str) -> &mut Self {
        self.text.clear();
        self.text.extend_from_slice(b"WARC/1.1\r\nWARC-Type: ");
        self.text.extend_from_slice(kind.as_bytes());
        self.text.extend_from_slice(b"\r\n");
        self
    }

    /// A value of our own making.
    pub(super) fn ours(&mut self, name: &str, value: impl Display) -> &mut Self {
        write!(self.text, "{name}: {value}\r\n").expect("a Vec takes everything");
        self
    }

    /// A value from outside: control characters become spaces.
    pub(super) fn foreign(&mut self, name: &str, value: &str) -> &mut Self {
        let name = name.bytes().map(|b| if b.is_ascii_alphanumeric() || b == b'_' { b } else { b'-' });
        self.text.extend(name);
        self.text.extend_from_slice(b": ");
        let value = value.trim_matches(|c: char| c.is_whitespace() || c.is_control());
        self.text.extend(value.bytes().map(|b| if b.is_ascii_control() { b' ' } else { b }));
        self.text.extend_from_slice(b"\r\n");
        self
    }

    /// A URI: what cannot stand in one is percent-encoded.
    pub(super) fn uri(&mut self, name: &str, value: &str) -> &mut Self {
        self.ours(name, plain_uri(value))
    }

    /// The empty line that ends the head of a record.
    pub(super) fn end(&mut self) -> &[u8] {
        self.text.extend_from_slice(b"\r\n");
        &self.text
    }

    pub(super) fn as_bytes(&self) -> &[u8] {
        &self.text
    }
}

/// A URI without white space and control characters. The same in the record and in the index.
pub(crate) fn plain_uri(uri: &str) -> impl Display + '_ {
    const UNFIT: &percent_encoding::AsciiSet = &percent_encoding::CONTROLS.add(b' ').add(b'<').add(b'>').add(b'"');
    struct Plain<'a>(&'a str);
    impl Display for Plain<'_> {
        fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            percent_encoding::utf8_percent_encode(self.0, UNFIT).fmt(f)
        }
    }
    Plain(uri)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ours_no_value_breaks_out_of_its_line() {
        let mut lines = Lines::default();
        lines.fields().foreign("a:\r\nb", " x\r\nWARC-Type: y\0 ").uri("c", "http://e.org/\r\n<a b>é");
        let text = String::from_utf8(lines.as_bytes().to_vec()).unwrap();
        assert_eq!(text, "a---b: x  WARC-Type: y\r\nc: http://e.org/%0D%0A%3Ca%20b%3E%C3%A9\r\n");
    }
}
